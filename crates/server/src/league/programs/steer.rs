//! `agon league`: opens, starts, stops and shows leagues, by the store, whoever serves it; and plays
//! whole leagues of built-in players on this machine.

mod facts;
mod leading;
mod opening;
mod plan;
mod printing;
mod roster;
mod run;

use std::{
    io::{self, Write},
    num::NonZeroU32,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result};
use rules::league::{Event, LeagueKind, MatchId, Phase, PlayerId, View};
use serde::Serialize;
use serde_json::json;

use self::{facts::StatusFacts, plan::LeaguePlan, printing::counted};
use super::strategy::Strategy;
use crate::{
    hall::Game,
    league::{
        play::{
            leagues::Leagues, match_log::Reader, referee::contest::made_for,
            refusals::LeagueRefusal, tables,
        },
        wire::{dialect::Dialect, message::Version},
    },
    terminal,
    web::{Guard, LeagueRow},
};

#[derive(clap::Subcommand)]
pub enum Steer {
    /// Open a league under a name
    Create {
        /// Name of the league; players send it as league_id
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
    /// Close the registration and start the matches, or go on after a stop; without a name, of your
    /// newest league
    Start(Which),
    /// Let matches under way end and begin no other, until it is started again
    Stop(Which),
    /// End a league before its time, for good
    End {
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
    /// Print the messages of a match as sent, and why players lost
    Log {
        /// Like R1M1
        #[arg(value_name = "MATCH")]
        contest: MatchId,
        #[command(flatten)]
        which: Which,
    },
    /// Print every match: its result, why players lost, and which moves were refused
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
    /// Print a code for each student of a roster, the link to hand out with it, and who has joined
    Codes {
        league: String,
        /// A CSV file whose first column has the names; - reads stdin
        roster: PathBuf,
        /// Where the students reach this server [default: as --url or --listen says]
        #[arg(long)]
        at: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a player's token back: print a new one, and let the old one open nothing
    Revoke {
        /// Like P03
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
pub async fn steer(
    leagues: Leagues,
    guard: Guard,
    pages: &str,
    token: Option<&str>,
    what: Steer,
) -> Result<()> {
    let leagues = &leagues;
    match what {
        Steer::Create { league, plan, people, json } => {
            let (text, facts) = opening::create(leagues, pages, &league, &plan, &people).await?;
            say(json, &text, &facts)?;
        }
        Steer::Start(which) => leading::start(leagues, &which).await?,
        Steer::Stop(which) => leading::stop(leagues, &which).await?,
        Steer::End { which, reason } => leading::end(leagues, &which, reason).await?,
        Steer::Revoke { player, which } => leading::revoke(leagues, pages, player, &which).await?,
        Steer::List { most, json } => {
            let newest = leagues.glimpses(most.get()).await?;
            let text = printing::list(&newest);
            let rows: Vec<_> = newest.into_iter().map(LeagueRow::of).collect();
            say(json, &text, &json!({ "leagues": rows }))?;
        }
        Steer::Status(which) => show_status(leagues, &which).await?,
        Steer::Standings(which) => {
            let (_, view) = find(leagues, &which).await?;
            say(which.json, &printing::table(&view), &tables::standings(&view))?;
        }
        Steer::Schedule(which) => {
            let (_, view) = find(leagues, &which).await?;
            say(which.json, &printing::schedule(&view), &tables::schedule(&view))?;
        }
        Steer::Watch(which) => {
            let (league, _) = find(leagues, &which).await?;
            let view = printing::watch(leagues, &league).await;
            say(which.json, &printing::table(&view), &tables::standings(&view))?;
        }
        Steer::Log { contest, which } => show_log(leagues, contest, &which).await?,
        Steer::Export { which, format } => {
            let (league, view) = find(leagues, &which).await?;
            let format = if which.json { Export::Jsonl } else { format };
            let text = printing::export(leagues, &league, &view, format).await?;
            write!(io::stdout(), "{text}")?;
        }
        Steer::Add { name, endpoint, which } => {
            leading::add(leagues, name, endpoint, &which).await?;
        }
        Steer::Readmit { player, which } => {
            let (event, text) = (Event::Return { player }, format!("{player} goes on"));
            let facts = json!({ "player_id": player });
            leading::tell(leagues, &which, &event, &text, &facts).await?;
        }
        Steer::Remove { player, which } => {
            let (event, text) = (Event::Remove { player }, format!("{player} is taken out"));
            let facts = json!({ "player_id": player });
            leading::tell(leagues, &which, &event, &text, &facts).await?;
        }
        Steer::Replay { contest: match_id, which } => {
            let (event, text) = (Event::Replay { match_id }, format!("{match_id} is played again"));
            let facts = json!({ "match_id": match_id });
            leading::tell(leagues, &which, &event, &text, &facts).await?;
        }
        Steer::Repeat { which, start } => leading::repeat(leagues, &which, start).await?,
        Steer::Codes { league, roster, at, json } => {
            let at = at.as_deref().unwrap_or(pages);
            print_codes(leagues, &league, &roster, at, token, json).await?;
        }
        Steer::Key { json } => {
            let operator_token = leagues.operator_token();
            say(json, &operator_token, &json!({ "operator_token": operator_token }))?;
        }
        Steer::Run { players, strategies, with, plan, json } => {
            let view = run::run(leagues, guard, players, &strategies, &with, &plan).await?;
            say(json, &printing::table(&view), &tables::standings(&view))?;
        }
    }
    Ok(())
}

async fn show_status(leagues: &Leagues, which: &Which) -> Result<()> {
    let (league, view) = find(leagues, which).await?;
    let facts = StatusFacts::of(leagues, &league, &view).await?;
    let (setup, phase, id) = (view.setup(), phase(&view), league.id());
    let (name, game) = (&setup.name, setup.game);
    let StatusFacts { players, matches, over, .. } = facts;
    let text = format!(
        "league {name} ({game:?}, {id}) {phase}{}: {}, {over} of {} over",
        facts.after(),
        counted(players, "player"),
        counted(matches, "match"),
    );
    Ok(say(which.json, &text, &facts)?)
}

async fn show_log(leagues: &Leagues, contest: MatchId, which: &Which) -> Result<()> {
    let (league, view) = find(leagues, which).await?;
    let fixture = view.find(contest).with_context(|| no_match(contest, &view))?;
    let letters = leagues.match_log(&league, &view, &fixture, Reader::Owner).await?;
    Ok(say(which.json, &printing::log(&letters), &letters)?)
}

/// A code and a link for each name of the roster.
async fn print_codes(
    leagues: &Leagues,
    league: &str,
    roster: &Path,
    at: &str,
    token: Option<&str>,
    json: bool,
) -> Result<()> {
    let (found, view) = named(leagues, Some(league)).await?;
    anyhow::ensure!(
        view.setup().by_code,
        "league {league} knows no codes; open one with agon league create {league} --codes"
    );
    let page = format!("{}/league/{}", at.trim_end_matches('/'), found.id());
    let students = roster::codes(leagues, &found, &view, roster, &page, token).await?;
    if json {
        terminal::say_json(&json!({ "students": students }))?;
    } else {
        write!(io::stdout(), "{}", roster::as_csv(&students))?;
    }
    Ok(())
}

fn say(json: bool, text: &str, facts: &impl Serialize) -> io::Result<()> {
    if json { terminal::say_json(facts) } else { terminal::say(text) }
}

async fn find(leagues: &Leagues, which: &Which) -> Result<(Arc<Game>, View)> {
    named(leagues, which.league.as_deref()).await
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

fn no_match(contest: MatchId, view: &View) -> String {
    format!("there is no match {contest} in league {}", view.setup().name)
}

/// The dialect for a player of whom only the game is known.
fn native(game: LeagueKind) -> Dialect {
    match made_for(game) {
        Some(Version::V2) => Dialect::H2,
        Some(Version::V1) | None => Dialect::S1,
    }
}

fn phase(view: &View) -> &'static str {
    match view.phase() {
        Phase::Open => "is open",
        Phase::Running if view.is_paused() => "is paused",
        Phase::Running => "is running",
        Phase::Finished => "is finished",
        Phase::Stopped => "was stopped",
    }
}
