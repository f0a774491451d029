//! `agon league`: opens, starts, stops and shows leagues, by the store, whoever serves it; and plays
//! whole leagues of built-in players on this machine.

mod facts;
mod opening;
mod plan;
mod printing;
mod roster;
mod run;

use std::{
    io::{self, Write},
    num::NonZeroU32,
    path::PathBuf,
    sync::Arc,
};

use anyhow::{Context, Result};
use rules::league::{Event, LeagueKind, MatchId, Phase, PlayerId, View};
use serde::Serialize;

use self::{
    facts::{
        ClassFacts, EnteredFacts, KeyFacts, ListFacts, PlayerFacts, ReplayFacts, StartedFacts,
        StatusFacts, StoppedFacts, TokenFacts,
    },
    plan::LeaguePlan,
};
use super::strategy::Strategy;
use crate::{
    hall::Game,
    league::{
        play::{
            leagues::{Leagues, Started},
            letters::Reader,
            pace::Origin,
            referee::contest::made_for,
            refusals::LeagueRefusal,
            registration::Applicant,
            tables,
        },
        wire::{dialect::Dialect, message::Version},
    },
    terminal,
    web::{Guard, LeagueRow},
};

/// Leagues that are looked through for the owner's.
const MANY: u32 = 1000;

#[derive(clap::Subcommand)]
pub enum Steer {
    /// Open a league under a name
    Create {
        /// What players call it; the wire's league_id
        league: String,
        #[command(flatten)]
        plan: LeaguePlan,
        /// Let these people play too, at a board in the browser, and print a link for each of them:
        /// Anna,Ben
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        people: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Close the registration and start the matches; without a name, of your newest league
    Start(Which),
    /// End a league before its time
    Stop {
        #[command(flatten)]
        which: Which,
        #[arg(long, default_value = "the operator ended it")]
        reason: String,
    },
    /// Print the newest leagues, and how far each is
    List {
        /// How many
        #[arg(long, value_name = "LEAGUES", default_value = "20")]
        most: NonZeroU32,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Say how far a league is
    Status(Which),
    /// Print the table
    Standings(Which),
    /// Print who meets whom, and how it ended
    Schedule(Which),
    /// Follow a league live, until it is over
    Watch(Which),
    /// Print what was said in a match, as it was on the wire, and why who failed did
    Log {
        /// Like R1M1
        #[arg(value_name = "MATCH")]
        contest: MatchId,
        #[command(flatten)]
        which: Which,
    },
    /// Print every match and its result
    Export {
        #[command(flatten)]
        which: Which,
        #[arg(long, default_value = "csv")]
        format: Export,
    },
    /// Enter a player that does not register by itself
    Add {
        name: String,
        /// Where it answers, like http://localhost:8101/mcp
        endpoint: String,
        #[command(flatten)]
        which: Which,
    },
    /// Let a player go on that was suspended or taken out
    Readmit {
        /// Like P03
        player: PlayerId,
        #[command(flatten)]
        which: Which,
    },
    /// Take a player out: of the schedule, or of what is left of it
    Remove {
        player: PlayerId,
        #[command(flatten)]
        which: Which,
    },
    /// Have a match that is over played again
    Replay {
        #[arg(value_name = "MATCH")]
        contest: MatchId,
        #[command(flatten)]
        which: Which,
    },
    /// Open the next league of a name, with the same set-up and the same players
    Repeat {
        #[command(flatten)]
        which: Which,
        /// And start it
        #[arg(long)]
        start: bool,
    },
    /// Print a code for each student of a roster, and the link to hand out with it
    Codes {
        league: String,
        /// A CSV file whose first column has the names; - reads stdin
        roster: PathBuf,
        /// Where the students reach this server
        #[arg(long, default_value = "http://localhost:8000")]
        at: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a player's token back: print a new one, and let the old one open nothing
    Revoke {
        /// Whose, like P03
        player: PlayerId,
        #[command(flatten)]
        which: Which,
    },
    /// Print the token that lets its bearer steer the leagues over MCP
    Key {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Play a whole league of built-in players on this machine
    Run {
        /// How many
        #[arg(long, default_value_t = 8)]
        players: usize,
        /// How they play, in turn: random, always-3, pattern-1,2,3, frequency, equilibrium
        #[arg(
            long,
            value_delimiter = ';',
            default_value = "random;always-3;pattern-1,2,4;frequency;equilibrium"
        )]
        strategies: Vec<Strategy>,
        /// Play the same way every time
        #[arg(long)]
        seed: Option<u64>,
        /// And with the agent that answers there; may be given several times
        #[arg(long, value_name = "URL")]
        with: Vec<String>,
        #[command(flatten)]
        plan: LeaguePlan,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// How results are written for other programs.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Export {
    Csv,
    Jsonl,
}

#[derive(clap::Args)]
pub struct Which {
    /// The league's name or game id [default: the newest]
    league: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// `pages` is where people find the server.
pub async fn steer(leagues: Leagues, guard: Guard, pages: &str, what: Steer) -> Result<()> {
    let mut out = io::stdout();
    let find = async |which: &Which| named(&leagues, which.league.as_deref()).await;
    match what {
        Steer::Create { league, plan, people, json } => {
            let (text, facts) = opening::create(&leagues, pages, &league, &plan, &people).await?;
            say(json, &text, &facts)?;
        }
        Steer::Start(which) => {
            let (league, view) = owners(&leagues, &which).await?;
            let started = leagues.start(&league).await?;
            let Started { rounds, matches, unreachable } = &started;
            let name = &view.setup().name;
            let mut text = format!("{name} started: {matches} matches in {rounds} rounds\n");
            for id in unreachable {
                let name = view.player(*id).map_or("", |player| player.name);
                text += &format!("{id} {name} cannot be reached, and forfeits what it misses\n");
            }
            say(which.json, &text, &StartedFacts { league_id: name, started: &started })?;
        }
        Steer::Stop { which, reason } => {
            let (league, view) = owners(&leagues, &which).await?;
            leagues.tell(&league, &Event::Stop { reason }).await?;
            let name = &view.setup().name;
            let facts = StoppedFacts { league_id: name, phase: Phase::Stopped };
            say(which.json, &format!("{name} stopped"), &facts)?;
        }
        Steer::Revoke { player, which } => {
            let (league, view) = find(&which).await?;
            let token = leagues.revoke(&league, player).await?;
            let is_person = view.player(player).is_some_and(|player| player.person);
            let link = is_person.then(|| opening::link(pages, league.id(), &token));
            let link = link.as_deref();
            let facts = TokenFacts { player_id: player, auth_token: &token, link };
            say(which.json, link.unwrap_or(&token), &facts)?;
        }
        Steer::List { most, json } => {
            let newest = leagues.glimpses(most.get()).await?;
            let text = printing::list(&newest);
            let rows = newest.into_iter().map(LeagueRow::of);
            say(json, &text, &ListFacts { leagues: rows.collect() })?;
        }
        Steer::Status(which) => {
            let (league, view) = find(&which).await?;
            let facts = StatusFacts::of(&league, &view);
            let (name, phase, id) = (&view.setup().name, phase(&view), league.id());
            let StatusFacts { players, matches, over, .. } = facts;
            let text = format!(
                "league {name} ({id}) {phase}: {players} players, {over} of {matches} matches over"
            );
            say(which.json, &text, &facts)?;
        }
        Steer::Standings(which) => {
            let (_, view) = find(&which).await?;
            say(which.json, &printing::table(&view), &tables::standings(&view))?;
        }
        Steer::Schedule(which) => {
            let (_, view) = find(&which).await?;
            say(which.json, &printing::schedule(&view), &tables::schedule(&view))?;
        }
        Steer::Watch(which) => {
            let (league, _) = find(&which).await?;
            let view = printing::watch(&leagues, &league).await;
            say(which.json, &printing::table(&view), &tables::standings(&view))?;
        }
        Steer::Log { contest, which } => {
            let (league, view) = find(&which).await?;
            let fixture = view.find(contest).with_context(|| no_match(contest, &view))?;
            let letters = leagues.letters(&league, &view, &fixture, Reader::Owner).await?;
            say(which.json, &printing::log(&letters), &letters)?;
        }
        Steer::Export { which, format } => {
            let (_, view) = find(&which).await?;
            let format = if which.json { Export::Jsonl } else { format };
            write!(out, "{}", printing::export(&view, format))?;
        }
        Steer::Add { name, endpoint, which } => {
            let (league, view) = find(&which).await?;
            let ticket = leagues.add(&league, entered(name, endpoint, &view)).await?;
            let (id, league_id) = (ticket.player_id, ticket.league_id);
            let name = leagues.view(&league).player(id).map(|p| p.name.to_owned());
            let name = name.unwrap_or_default();
            let facts = EnteredFacts { league_id: &league_id, player_id: id, name: &name };
            say(which.json, &format!("{id} {name} plays in {league_id}"), &facts)?;
        }
        Steer::Readmit { player, which } => {
            let (league, _) = find(&which).await?;
            leagues.tell(&league, &Event::Return { player }).await?;
            let facts = PlayerFacts { player_id: player };
            say(which.json, &format!("{player} goes on"), &facts)?;
        }
        Steer::Remove { player, which } => {
            let (league, _) = find(&which).await?;
            leagues.tell(&league, &Event::Remove { player }).await?;
            let facts = PlayerFacts { player_id: player };
            say(which.json, &format!("{player} is taken out"), &facts)?;
        }
        Steer::Replay { contest, which } => {
            let (league, _) = find(&which).await?;
            leagues.tell(&league, &Event::Replay { match_id: contest }).await?;
            let facts = ReplayFacts { match_id: contest };
            say(which.json, &format!("{contest} is played again"), &facts)?;
        }
        Steer::Repeat { which, start } => {
            let (league, view) = find(&which).await?;
            let next = leagues.repeat(&league, &view).await?;
            if start {
                leagues.start(&next).await?;
            }
            let facts = StatusFacts::of(&next, &leagues.view(&next));
            let name = &view.setup().name;
            let text = format!("league {name} opened again as {:?}", facts.league_id);
            say(which.json, &text, &facts)?;
        }
        Steer::Codes { league, roster, at, json } => {
            let (found, view) = named(&leagues, Some(&league)).await?;
            anyhow::ensure!(
                view.setup().by_code,
                "league {league} knows no codes; open one with agon league create {league} --codes"
            );
            let page = format!("{}/league/{}", at.trim_end_matches('/'), found.id());
            let students = roster::codes(&leagues, &view, &roster, &page)?;
            if json {
                terminal::say_json(&ClassFacts { students: &students })?;
            } else {
                write!(out, "{}", roster::as_csv(&students))?;
            }
        }
        Steer::Key { json } => {
            let operator_token = leagues.operator_token();
            say(json, &operator_token.clone(), &KeyFacts { operator_token })?;
        }
        Steer::Run { players, strategies, seed, with, plan, json } => {
            let view = run::run(&leagues, guard, players, &strategies, seed, &with, &plan).await?;
            say(json, &printing::table(&view), &tables::standings(&view))?;
        }
    }
    Ok(())
}

fn say(json: bool, text: &str, facts: &impl Serialize) -> io::Result<()> {
    if json { terminal::say_json(facts) } else { terminal::say(text) }
}

/// The league of that name or game id, or without one the newest.
async fn named(leagues: &Leagues, name: Option<&str>) -> Result<(Arc<Game>, View)> {
    let league = leagues.find(name).await.map_err(|no| match no {
        LeagueRefusal::UnknownLeague(name) => {
            anyhow::anyhow!(
                "there is no league {name:?} here; agon league list prints those there are"
            )
        }
        no => no.into(),
    })?;
    let view = leagues.view(&league);
    Ok((league, view))
}

/// The league that is named, or else the owner's newest that is not over: what strangers opened is
/// theirs, and steered by its name only.
async fn owners(leagues: &Leagues, which: &Which) -> Result<(Arc<Game>, View)> {
    if let Some(name) = &which.league {
        return named(leagues, Some(name)).await;
    }
    let mut theirs = None;
    for league in leagues.list(Some(false), MANY).await? {
        let view = leagues.view(&league);
        if view.setup().by_owner {
            return Ok((league, view));
        }
        theirs.get_or_insert_with(|| view.setup().name.clone());
    }
    match theirs {
        Some(name) => {
            anyhow::bail!("league {name} was opened by a player; say its name if you mean it")
        }
        None => anyhow::bail!("no league is open; agon league create NAME opens one"),
    }
}

fn no_match(contest: MatchId, view: &View) -> String {
    format!("there is no match {contest} in league {}", view.setup().name)
}

/// A player of whom nothing is known but where it answers: it is tried in every dialect.
fn entered(name: String, endpoint: String, view: &View) -> Applicant {
    let dialect = native(view.setup().game);
    let (version, origin) = (String::new(), Origin::Owner);
    let (endpoint, manner) = (Some(endpoint), dialect.into());
    Applicant { name, version, endpoint, manner, token: None, invite: None, games: None, origin }
}

/// What a player of a game is spoken to in, of whom no more is known.
fn native(game: LeagueKind) -> Dialect {
    match made_for(game) {
        Some(Version::V2) => Dialect::H2,
        Some(Version::V1) | None => Dialect::S1,
    }
}

fn phase(view: &View) -> &'static str {
    match view.phase() {
        Phase::Open => "is open",
        Phase::Running => "is running",
        Phase::Finished => "is finished",
        Phase::Stopped => "was stopped",
    }
}
