//! `agon league`: opens, starts, stops and shows leagues, by the store, whoever serves it; and plays
//! whole leagues of built-in players on this machine.

use std::{
    io::{self, Write},
    net::Ipv4Addr,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result};
use rules::league::{Event, Format, Game as Contest, Phase, PlayerId, Setup, View};
use tokio::{net::TcpListener, time::interval};
use tokio_util::sync::CancellationToken;

use super::{
    conductor, dialect::Dialect, leagues::Leagues, message::Version, pace::Origin, player::Player,
    registration::Applicant, strategy::Strategy,
};
use crate::{
    hall::Game,
    web::{self, Guard},
};

#[derive(clap::Subcommand)]
pub enum Steer {
    /// Open a league under a name
    Create {
        /// What players call it; the wire's league_id
        league: String,
        #[command(flatten)]
        plan: Plan,
    },
    /// Close the registration and start the matches
    Start(Which),
    /// End a league before its time
    Stop {
        #[command(flatten)]
        which: Which,
        #[arg(long, default_value = "the operator ended it")]
        reason: String,
    },
    /// Say how far a league is
    Status(Which),
    /// Print the table
    Standings(Which),
    /// Print who meets whom, and how it ended
    Schedule(Which),
    /// Take a player's token back: print a new one, and let the old one open nothing
    Revoke {
        /// Whose, like P03
        player: PlayerId,
        #[command(flatten)]
        which: Which,
    },
    /// Print the token that lets its bearer steer the leagues over MCP
    Key,
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
        #[command(flatten)]
        plan: Plan,
    },
}

#[derive(clap::Args)]
pub struct Which {
    /// The league's name or game id [default: the newest]
    league: Option<String>,
}

#[derive(clap::Args)]
pub struct Plan {
    /// even-odd (league.v1) or parity (league.v2)
    #[arg(long, default_value = "even-odd", value_parser = contest)]
    game: Contest,
    /// Everyone meets everyone twice
    #[arg(long)]
    double: bool,
    /// Seconds a player may take for a move
    #[arg(long, default_value_t = 30)]
    time_limit: u32,
    /// Let in only those who send this invite_code
    #[arg(long, value_name = "CODE")]
    invite: Option<String>,
}

fn contest(text: &str) -> Result<Contest, String> {
    match text {
        "even-odd" => Ok(Contest::EvenOdd),
        "parity" => Ok(Contest::Parity),
        _ => Err("the games are even-odd and parity".into()),
    }
}

impl Plan {
    fn setup(&self, leagues: &Leagues, name: &str) -> Setup {
        let invitation = self.invite.as_deref().map(|code| leagues.seal(name, code));
        let format = if self.double { Format::DoubleRoundRobin } else { Format::RoundRobin };
        let (game, time_limit_seconds) = (self.game, self.time_limit);
        let name = name.to_owned();
        Setup { name, game, format, time_limit_seconds, invitation, ..Setup::default() }
    }
}

pub async fn steer(leagues: Leagues, guard: Guard, what: Steer) -> Result<()> {
    let mut out = io::stdout();
    let find = async |which: &Which| -> Result<(Arc<Game>, View)> {
        let league = leagues.find(which.league.as_deref()).await?;
        let view = leagues.view(&league).await;
        Ok((league, view))
    };
    match what {
        Steer::Create { league, plan } => {
            let league = leagues.open(plan.setup(&leagues, &league)).await?;
            let view = leagues.view(&league).await;
            let (name, phase) = (&view.setup().name, phase(&view));
            writeln!(out, "league {name} {phase}: /league/{}", league.id())?;
        }
        Steer::Start(which) => {
            let (league, view) = find(&which).await?;
            let (report, absent) = leagues.start(&league).await?;
            let (rounds, matches) = (&report["rounds"], &report["matches"]);
            writeln!(out, "started: {matches} matches in {rounds} rounds")?;
            for id in absent {
                let name = view.player(id).map_or("", |player| player.name);
                writeln!(out, "{id} {name} cannot be reached, and forfeits what it misses")?;
            }
        }
        Steer::Stop { which, reason } => {
            let (league, _) = find(&which).await?;
            leagues.tell(&league, &Event::Stop { reason }).await?;
            writeln!(out, "stopped")?;
        }
        Steer::Revoke { player, which } => {
            let (league, _) = find(&which).await?;
            writeln!(out, "{}", leagues.revoke(&league, player).await?)?;
        }
        Steer::Status(which) => {
            let (league, view) = find(&which).await?;
            let (all, over) = view.matches();
            let (name, phase) = (&view.setup().name, phase(&view));
            let players = view.players().count();
            writeln!(
                out,
                "league {name} ({}) {phase}: {players} players, {over} of {all} matches over",
                league.id()
            )?;
        }
        Steer::Standings(which) => write!(out, "{}", table(&find(&which).await?.1))?,
        Steer::Schedule(which) => write!(out, "{}", schedule(&find(&which).await?.1))?,
        Steer::Key => writeln!(out, "{}", leagues.operator_token())?,
        Steer::Run { players, strategies, seed, plan } => {
            run(&leagues, guard, players, &strategies, seed, &plan).await?;
        }
    }
    Ok(())
}

fn phase(view: &View) -> &'static str {
    match view.phase() {
        Phase::Open => "is open",
        Phase::Running => "is running",
        Phase::Finished => "is finished",
        Phase::Stopped => "was stopped",
    }
}

/// Each player listens on a port of its own and is called there, as any other would be.
async fn run(
    leagues: &Leagues,
    guard: Guard,
    players: usize,
    strategies: &[Strategy],
    seed: Option<u64>,
    plan: &Plan,
) -> Result<()> {
    let (version, dialect) = match plan.game {
        Contest::EvenOdd => (Version::V1, Dialect::S1),
        Contest::Parity => (Version::V2, Dialect::H2),
    };
    let name = format!("run_{:08x}", getrandom::u32().expect("the system has random numbers"));
    let mut setup = plan.setup(leagues, &name);
    setup.max_players = setup.max_players.max(players);
    let league = leagues.open_with(setup, seed).await?;
    let stop = CancellationToken::new();
    let _ending = stop.clone().drop_guard();
    for (number, strategy) in strategies.iter().cycle().take(players).enumerate() {
        let name = format!("{strategy} {}", number + 1);
        let seed = seed.map(|seed| seed.wrapping_add(number as u64));
        let player = Player::new(&name, strategy.clone(), seed, dialect);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let endpoint = Some(format!("http://{}/mcp", listener.local_addr()?));
        tokio::spawn(web::serve(listener, player.router(guard.clone()), stop.clone()));
        let version_text = env!("CARGO_PKG_VERSION").to_owned();
        let applicant = Applicant {
            name,
            version: version_text,
            endpoint,
            manner: dialect.into(),
            token: None,
            invite: None,
            origin: Origin::Owner,
        };
        let league_id = leagues.view(&league).await.setup().name.clone();
        leagues.register(Some(&league_id), Some(version), version, applicant).await?;
    }
    leagues.tell(&league, &Event::Start).await?;
    let conducting = tokio::spawn(conductor::conduct(leagues.clone()));
    let started = tokio::time::Instant::now();
    let mut clock = interval(Duration::from_millis(100));
    let view = loop {
        clock.tick().await;
        let view = leagues.view(&league).await;
        let (all, over) = view.matches();
        eprint!("\r{over} of {all} matches");
        if view.phase() != Phase::Running {
            break view;
        }
    };
    let (all, _) = view.matches();
    let seconds = started.elapsed().as_secs_f64();
    let rates = [all as f64 / seconds, leagues.post.sent() as f64 / seconds];
    eprintln!(
        "\r{all} matches in {seconds:.1} s: {:.0} matches and {:.0} requests a second",
        rates[0], rates[1]
    );
    leagues.stop.cancel();
    conducting.await.context("the conductor ends")?;
    write!(io::stdout(), "{}", table(&view))?;
    Ok(())
}

fn table(view: &View) -> String {
    let standings = view.standings();
    let width = standings.iter().map(|line| line.display_name.chars().count()).max().unwrap_or(4);
    let width = width.max(4);
    let mut text = format!(
        "{:>4}  {:<5} {:<width$}  {:>6} {:>4} {:>4} {:>4} {:>6} {:>7}  {}\n",
        "rank", "id", "name", "played", "won", "drew", "lost", "points", "rating", "decided by"
    );
    for line in standings {
        let rating = line.rating.map_or("-".into(), |rating| format!("{rating:.0}"));
        let decided = line.decided_by.map_or(String::new(), |criterion| {
            serde_json::to_value(criterion)
                .ok()
                .and_then(|name| name.as_str().map(str::to_owned))
                .unwrap_or_default()
        });
        text += format!(
            "{:>4}  {:<5} {:<width$}  {:>6} {:>4} {:>4} {:>4} {:>6} {:>7}  {}",
            line.rank,
            line.player_id.to_string(),
            line.display_name,
            line.played,
            line.wins,
            line.draws,
            line.losses,
            line.points,
            rating,
            decided
        )
        .trim_end();
        text.push('\n');
    }
    text
}

fn schedule(view: &View) -> String {
    let mut text = String::new();
    for round in view.rounds() {
        text += &format!("round {}\n", round.round_id);
        for fixture in round.matches {
            let score =
                |id| fixture.result.as_ref().and_then(|result| result.scores.get(&id).copied());
            let (a, b) = (fixture.player_a, fixture.player_b);
            let outcome = match (score(a), score(b)) {
                (Some(one), Some(other)) => format!("{one}-{other}"),
                _ => format!("{:?}", fixture.state).to_lowercase(),
            };
            text += &format!("  {} {a} - {b}  {outcome}\n", fixture.match_id);
        }
        if let Some(bye) = round.bye {
            text += &format!("  {bye} rests\n");
        }
    }
    text
}
