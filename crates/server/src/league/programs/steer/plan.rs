//! How a league is to be, as its owner says it on the command line.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use rules::league::{Format, LeagueKind, Setup};

use crate::{
    hall::Game,
    league::{
        play::{leagues::Leagues, refusals::LeagueRefusal},
        wire::Fields,
    },
    player::Level,
};

/// Seconds for a move where people play, who may have to be called to the board first.
const TIME_FOR_PEOPLE: u32 = 600;

#[derive(clap::Args)]
pub struct LeaguePlan {
    /// even-odd (league.v1), parity (league.v2), or any game that two play: chess, connect-four, ...
    /// [default: even-odd]
    #[arg(long, value_parser = contest)]
    game: Option<LeagueKind>,
    /// How each match is set up, as JSON: '{"variant": "chess960"}'
    #[arg(long, value_name = "JSON", value_parser = game_setup, default_value = "{}")]
    setup: Fields,
    /// Let the computer play too, at these levels: 3,5,7
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', value_parser = level)]
    computer: Vec<Level>,
    /// Let a UCI engine play too, at full strength: a name on the PATH or a path, arguments behind
    /// it; may be given several times
    #[arg(long, value_name = "[NAME=]COMMAND")]
    engine: Vec<String>,
    /// Everyone meets everyone twice, in the same deal with seats exchanged: a player who remembers
    /// the first match of a pair may know the cards of the second
    #[arg(long)]
    double: bool,
    /// Seconds a player may take for a move [default: 30, or 600 where people play]
    #[arg(long)]
    time_limit: Option<u32>,
    /// Deal the same every time: the matches are practice, and rate nobody
    #[arg(long)]
    pub seed: Option<u64>,
    /// Let in only those who send this invite_code
    #[arg(long, value_name = "CODE")]
    invite: Option<String>,
    /// Let in only those who have a code of their own, from `agon league codes`
    #[arg(long)]
    codes: bool,
}

fn contest(text: &str) -> Result<LeagueKind, String> {
    LeagueKind::named(text).map_err(|unknown| unknown.to_string())
}

fn game_setup(text: &str) -> Result<Fields, String> {
    serde_json::from_str(text).map_err(|why| format!("a set-up is a JSON object: {why}"))
}

fn level(text: &str) -> Result<Level, String> {
    let level = text.trim().parse().ok().and_then(Level::new);
    level.ok_or_else(|| "levels are from 1 to 10".to_owned())
}

/// Splits an engine's name from its command. An engine without a name is called like its program.
fn named_engine(text: &str) -> (&str, &str) {
    let is_name = |name: &str| !name.is_empty() && !name.contains([' ', '/']);
    if let Some((name, command)) = text.split_once('=').filter(|(name, _)| is_name(name)) {
        return (name, command);
    }
    let program = text.split_whitespace().next().unwrap_or_default();
    (program.rsplit('/').next().unwrap_or_default(), text)
}

/// The first value that comes up twice.
pub fn twice<T: Ord + Copy>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut seen = BTreeSet::new();
    all.into_iter().find(|one| !seen.insert(*one))
}

/// Those who play without registering: the computer, and engines by their names.
pub struct Entrants {
    levels: Vec<Level>,
    engines: Vec<(String, String)>,
}

impl Entrants {
    pub fn count(&self) -> usize {
        self.levels.len() + self.engines.len()
    }

    pub async fn enter(&self, leagues: &Leagues, league: &Game) -> Result<(), LeagueRefusal> {
        leagues.add_computers(league, &self.levels).await?;
        for (name, command) in &self.engines {
            leagues.add_engine(league, name, command).await?;
        }
        Ok(())
    }
}

impl LeaguePlan {
    pub fn game(&self) -> LeagueKind {
        self.game.unwrap_or_default()
    }

    /// The first flag that an unfinished league of this name contradicts, and how the league is.
    pub fn contradicts(&self, leagues: &Leagues, setup: &Setup) -> Option<(&'static str, String)> {
        if self.game.is_some_and(|game| game != setup.game) {
            return Some(("--game", format!("plays {:?}", setup.game)));
        }
        if !self.setup.is_empty() && self.setup != setup.game_setup {
            return Some(("--setup", "sets its matches up otherwise".into()));
        }
        if self.double && setup.format != Format::DoubleRoundRobin {
            return Some(("--double", "everyone meets everyone once".into()));
        }
        let seconds = setup.time_limit_seconds;
        if self.time_limit.is_some_and(|limit| limit != seconds) {
            return Some(("--time-limit", format!("gives {seconds} seconds for a move")));
        }
        if self.seed.is_some() && !setup.practice {
            return Some(("--seed", "draws the seeds of its matches".into()));
        }
        if self.invite.as_ref().is_some_and(|code| !leagues.is_invitation(setup, code)) {
            return Some(("--invite", "has no such invite_code".into()));
        }
        (self.codes && !setup.by_code).then(|| ("--codes", "lets in players without codes".into()))
    }

    /// The computers and engines to enter, after a check that all of them exist.
    pub fn entrants(&self, leagues: &Leagues) -> Result<Entrants> {
        let levels = self.computer.iter().map(|level| level.get());
        if let Some(level) = twice(levels) {
            bail!("level {level} is named twice; the computer plays at each level once");
        }
        let name = self.game().kind().name;
        for level in &self.computer {
            let (number, highest) = (level.get(), players::nearest(name, *level).get());
            if number > highest {
                bail!("{name} has no level {number}; its levels are from 1 to {highest}");
            }
        }
        let engines = self.engine.iter().map(|engine| named_engine(engine));
        if let Some(name) = twice(engines.clone().map(|(name, _)| name)) {
            bail!("{name:?} is named twice; give each engine a name, as NAME=COMMAND");
        }
        let found = engines.map(|(name, command)| -> Result<_> {
            let program = leagues.hall.program(self.game().kind(), command)?;
            Ok((name.to_owned(), program.command()))
        });
        let engines = found.collect::<Result<_>>()?;
        Ok(Entrants { levels: self.computer.clone(), engines })
    }

    pub fn setup(&self, leagues: &Leagues, name: &str, for_people: bool) -> Setup {
        let invitation = self.invite.as_deref().map(|code| leagues.seal(name, code));
        let format = if self.double { Format::DoubleRoundRobin } else { Format::RoundRobin };
        let usual = if for_people { TIME_FOR_PEOPLE } else { Setup::default().time_limit_seconds };
        Setup {
            name: name.to_owned(),
            game: self.game(),
            format,
            time_limit_seconds: self.time_limit.unwrap_or(usual),
            invitation,
            by_code: self.codes,
            by_owner: true,
            game_setup: self.setup.clone(),
            ..Setup::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_called_like_its_program_unless_it_has_a_name() {
        for (text, name, command) in [
            ("stockfish", "stockfish", "stockfish"),
            ("/usr/games/stockfish", "stockfish", "/usr/games/stockfish"),
            ("gnuchess --uci", "gnuchess", "gnuchess --uci"),
            ("Old=/opt/old/stockfish", "Old", "/opt/old/stockfish"),
            ("lc0 --weights=net", "lc0", "lc0 --weights=net"),
        ] {
            assert_eq!(named_engine(text), (name, command), "{text}");
        }
    }
}
