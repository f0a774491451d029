//! `agon verify`: plays a game over again from its log and compares.
//!
//! Moves and chance are all there is to a game, so whoever has the log and the seed can tell
//! whether each answer that was given is the one the rules give.

use std::{fmt, process::ExitCode};

use anyhow::{Result, bail};
use rules::Record;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    hall::seed_hash,
    ids::{GameId, Handle},
    kinds::dungeon::dungeon_name,
    setting_up::{chosen, chosen_in_words},
    store::{self, Address, Games, SavedGame},
    terminal::{self, progress::ProgressLine},
};

#[derive(clap::Args)]
pub struct VerifyFlags {
    /// A game's id, or the conversationId of a dungeon
    game: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Fails if something does not hold.
pub async fn run(flags: &VerifyFlags, address: &Address) -> Result<ExitCode> {
    let verdict = verify(&*store::open(address).await?, &flags.game).await?;
    if flags.json {
        terminal::say_json(&verdict.facts())?;
    } else {
        terminal::say(&verdict.to_string())?;
    }
    Ok(if verdict.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The result.
struct Replayed {
    id: GameId,
    kind: String,
    seed: u64,
    luck: u64,
    turns: usize,
    outcome: Option<String>,
    /// As JSON: a game is made again from this and its seed.
    setup: String,
    /// Answers that do not hold, in words.
    faults: Vec<String>,
}

/// The result as JSON.
#[derive(Serialize)]
struct ReplayedFacts<'a> {
    game_id: String,
    game: &'a str,
    turns: usize,
    outcome: Option<&'a str>,
    /// A secret until the game is over.
    seed: Option<String>,
    /// A secret until the game is over.
    luck: Option<String>,
    setup: Option<&'a RawValue>,
    seed_sha256: String,
    luck_sha256: String,
    faults: &'a [String],
    holds: bool,
}

impl Replayed {
    fn holds(&self) -> bool {
        self.faults.is_empty()
    }

    fn facts(&self) -> ReplayedFacts<'_> {
        ReplayedFacts {
            game_id: self.id.to_string(),
            game: &self.kind,
            turns: self.turns,
            outcome: self.outcome.as_deref(),
            seed: self.outcome.as_ref().map(|_| self.seed.to_string()),
            luck: self.outcome.as_ref().map(|_| self.luck.to_string()),
            setup: serde_json::from_str(&self.setup).ok(),
            seed_sha256: seed_hash(self.seed),
            luck_sha256: seed_hash(self.luck),
            faults: &self.faults,
            holds: self.holds(),
        }
    }
}

impl fmt::Display for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "game {}: {}, {} turns", self.id, self.kind, self.turns)?;
        if let Some(setup) = chosen_in_words(&chosen(&self.setup)) {
            writeln!(f, "set-up: {setup}")?;
        }
        match &self.outcome {
            Some(outcome) => {
                writeln!(f, "outcome: {outcome}")?;
                writeln!(f, "seed: {}", self.seed)?;
                writeln!(f, "luck of the computer: {}", self.luck)?;
            }
            None => writeln!(f, "not over yet, so its seed and luck stay secret")?,
        }
        writeln!(f, "sha256 of the seed: {}", seed_hash(self.seed))?;
        writeln!(f, "sha256 of the luck: {}", seed_hash(self.luck))?;
        for fault in &self.faults {
            writeln!(f, "{fault}")?;
        }
        match self.faults.len() {
            0 => write!(f, "every answer holds"),
            1 => write!(f, "1 answer does not hold"),
            n => write!(f, "{n} answers do not hold"),
        }
    }
}

/// `game` is an id, or the conversation a dungeon is played under.
async fn verify(games: &dyn Games, game: &str) -> Result<Replayed> {
    let id = match games.named(dungeon_name(game)).await? {
        Some(id) => id,
        None => game.parse::<Handle>()?.game,
    };
    match games.load(id).await? {
        Some(saved) => replay(saved),
        None => bail!("there is no game {id} in this store"),
    }
}

fn replay(saved: SavedGame) -> Result<Replayed> {
    let kind = rules::kind_in_log(&saved.kind, saved.rules)?;
    let mut record = Record::start(kind, &saved.setup, saved.seed)?;
    let turns = saved.news.turns.len();
    let mut faults = Vec::new();
    let progress = ProgressLine::of("turns", turns as u64);
    for saved in saved.news.turns {
        progress.at(saved.turn.number.into());
        let (number, text) = (saved.turn.number, saved.turn.text.clone());
        let logged = saved.turn.report.clone();
        match record.push(saved.turn) {
            Ok(report) if report == logged => {}
            Ok(report) => faults.push(format!(
                "turn {number}, {text:?}, was answered {} and should have been {}",
                logged.as_deref().unwrap_or("with nothing"),
                report.as_deref().unwrap_or("with nothing"),
            )),
            Err(corrupt) => {
                faults.push(corrupt.to_string());
                break;
            }
        }
    }
    let outcome = record.due().outcome().map(ToString::to_string);
    if outcome != saved.outcome {
        let say = |outcome: &Option<String>| outcome.clone().unwrap_or("not over".into());
        faults.push(format!(
            "the game was kept as {:?} and is {:?}",
            say(&saved.outcome),
            say(&outcome)
        ));
    }
    let setup = record.setup().to_owned();
    let SavedGame { id, kind, seed, luck, outcome, .. } = saved;
    Ok(Replayed { id, kind, seed, luck, turns, outcome, setup, faults })
}
