//! agon: games for AI agents and people over the Model Context Protocol.
//!
//! This file is the start-up, told in order.

mod browser;
mod budgets;
mod hall;
mod ids;
mod install;
mod keeping;
mod kinds;
mod league;
mod limits;
mod listening;
mod log;
mod mcp;
mod metrics;
mod player;
mod seen;
mod setting_up;
mod store;
mod terminal;
mod verify;
mod web;
mod wording;

use std::{net::SocketAddr, path::PathBuf, process::ExitCode, sync::Arc, time::Duration};

use anyhow::Result;
use clap::{
    Args, CommandFactory, FromArgMatches, Parser, Subcommand,
    builder::{FalseyValueParser, PossibleValuesParser},
    error::ErrorKind,
};
use reqwest::Url;
use tempfile::TempDir;
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    budgets::Budgets,
    hall::Hall,
    install::doctor::IntendedServer,
    kinds::Kinds,
    league::{
        play::leagues::Leagues,
        programs::{self, LeagueCommand, steer::Steer},
    },
    limits::{BadLimits, Limits},
    listening::{
        ADDRESS, address, asked_to_stop, listen, listen_aside, speak_on_stdio, usual_address,
        web_address,
    },
    mcp::{
        McpService, ServiceSettings,
        callers::Callers,
        cancelling::Waits,
        conformance::Fixtures,
        followers::Followers,
        http::{LazyEndpoint, McpEndpoint},
        room::{Plays, Room},
    },
    metrics::Metrics,
    store::{Address, Store},
    terminal::help,
    web::{Access, Guard, Places},
};

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Streams that are still open this long after the end was asked for are cut.
const FAREWELL: Duration = Duration::from_millis(1200);
/// More games than these are not counted before the doors open.
const MANY: u32 = 10_000;

/// Games for AI agents and people over the Model Context Protocol (MCP)
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = false)]
struct Cli {
    #[command(subcommand)]
    command: Option<AgonCommand>,
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    computers: kinds::ComputerFlags,
    #[command(flatten)]
    access: Access,
    #[command(flatten)]
    leagues: league::play::leagues::LeagueFlags,
    /// The server's flags as they were written.
    #[arg(skip)]
    given: Vec<String>,
}

#[derive(Subcommand)]
enum AgonCommand {
    /// Add agon to your MCP host: Claude Code, VS Code, Codex, ...
    Install(install::InstallFlags),
    /// Take agon out of it again
    Uninstall(install::InstallFlags),
    /// Check port, store and hosts, play a game, and say what to do
    Doctor(install::doctor::DoctorFlags),
    /// Speak MCP over HTTP and serve the pages
    Serve(kinds::HouseEngine),
    /// Open, start, watch and show leagues; check an agent
    #[command(subcommand)]
    League(LeagueCommand),
    /// Be a player agent: listen, register with a league, and play
    Player(programs::player::PlayerFlags),
    /// Speak UCI on stdin and stdout: our engine in other programs
    Uci,
    /// Replay a game from its log and check every answer
    Verify(verify::VerifyFlags),
    /// Copy games from one store to another
    #[command(subcommand)]
    Store(keeping::StoreCommand),
    /// Print a script that completes commands and flags
    Completions {
        /// The shell that runs the script
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or that of a command
    Man {
        /// The command, for example: league create
        command: Vec<String>,
    },
}

#[derive(Args)]
#[command(next_help_heading = "The server")]
struct Flags {
    /// Listen here, or at this port of 127.0.0.1; may be given several times [default:
    /// 127.0.0.1:8000]
    #[arg(long, value_name = "ADDR:PORT", env = "AGON_LISTEN",
          value_delimiter = ',', value_parser = address, global = true)]
    listen: Vec<SocketAddr>,
    /// Offer the dungeon alone here too [default: 127.0.0.1:5002, unless --listen is given]
    #[arg(long, value_name = "ADDR:PORT", env = "AGON_DUNGEON_LISTEN", value_parser = address,
          global = true)]
    dungeon_listen: Option<SocketAddr>,
    /// Offer the referee alone here too [default: 127.0.0.1:8001, unless --listen is given]
    #[arg(long, value_name = "ADDR:PORT", env = "AGON_REFEREE_LISTEN", value_parser = address,
          global = true)]
    referee_listen: Option<SocketAddr>,
    /// Keep the games here, as sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE [default:
    /// agon.db in your data folder]
    #[arg(long, value_name = "STORE", env = "AGON_STORE", hide_env_values = true, global = true)]
    store: Option<Address>,
    /// Where people reach the pages, if that is not where this process listens: the address of a
    /// balancer or proxy, like https://games.example
    #[arg(long, value_name = "URL", env = "AGON_URL", value_parser = web_address, global = true)]
    url: Option<Url>,
    /// What this node calls itself in /metrics [default: the machine's name and the port]
    #[arg(long, value_name = "NAME", env = "AGON_NODE", global = true)]
    node: Option<String>,
    /// Offer only these rooms' tools [default: all]
    #[arg(long, value_name = "ROOM", env = "AGON_ROOMS", value_delimiter = ',', global = true,
          value_parser = PossibleValuesParser::new(kinds::ROOMS))]
    rooms: Vec<String>,
    /// Let waitForNextTurn wait this long; many hosts give up after 30 seconds
    #[arg(long, value_name = "SECONDS", env = "AGON_WAIT_SECONDS", default_value_t = 25,
          value_parser = clap::value_parser!(u64).range(1..=30), global = true)]
    wait_seconds: u64,
    /// Read what is bounded, and how, from this file of JSON
    #[arg(long, value_name = "FILE", env = "AGON_LIMITS", global = true)]
    limits: Option<PathBuf>,
    /// Do not open the browser (MCP_DISABLE_BROWSER=1 says the same)
    #[arg(long, env = "AGON_NO_BROWSER", value_parser = FalseyValueParser::new(), global = true)]
    no_browser: bool,
    /// Offer the tools, prompts and resources in this file to the MCP conformance suite
    #[arg(long, value_name = "FILE", hide = true, global = true)]
    conformance_fixtures: Option<PathBuf>,
}

impl Flags {
    fn limits(&self) -> Result<Limits, BadLimits> {
        self.limits.as_deref().map_or_else(|| Ok(Limits::default()), Limits::read)
    }

    /// Where people find a server that is started with the same flags, as far as they tell.
    fn pages(&self) -> Option<String> {
        let listens = || self.listen.first().map(|address| format!("http://{address}"));
        self.url().or_else(listens)
    }

    /// What paths are appended to.
    fn url(&self) -> Option<String> {
        self.url.as_ref().map(|url| url.as_str().trim_end_matches('/').to_owned())
    }

    /// Those that are offered.
    fn rooms(&self) -> Vec<Room> {
        let is_wanted =
            |room: &Room| self.rooms.is_empty() || self.rooms.iter().any(|name| name == room.name);
        kinds::rooms().into_iter().filter(is_wanted).collect()
    }

    fn node_name(&self, address: Option<&SocketAddr>) -> String {
        let machine = || std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let machine = || machine().map_or_else(|| "agon".into(), |name| name.trim().to_owned());
        let port = || address.map_or(0, SocketAddr::port);
        self.node.clone().unwrap_or_else(|| format!("{}:{}", machine(), port()))
    }
}

fn main() -> ExitCode {
    let matches = Cli::command().try_get_matches().unwrap_or_else(|error| match error.kind() {
        ErrorKind::DisplayVersion => error.exit(),
        // A host that starts us need not wait until the help is laid out.
        _ => help::arranged(Cli::command()).get_matches(),
    });
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    // What the host is to say is what was said here, in whichever order it was.
    cli.given = install::given(&Cli::command(), &matches);
    log::begin();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(&error.into()),
    };
    // A league that is only played here and now is kept nowhere else.
    let mut passing = None;
    let end = runtime.block_on(run(cli, &mut passing));
    // A search that has not noticed yet that it is over must not keep the process.
    runtime.shutdown_timeout(Duration::from_millis(200));
    if let Some((_folder, store)) = passing {
        // Tasks that ended just now may have left writes in the queue.
        let last = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let _ = last.map(|last| last.block_on(async { timeout(FAREWELL, store.settle()).await }));
    }
    match end {
        Ok(code) => code,
        Err(error) => complain(&error),
    }
}

fn complain(error: &anyhow::Error) -> ExitCode {
    // Whoever reads what we print has read enough.
    let io = error.downcast_ref::<std::io::Error>();
    if io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    eprintln!("agon: {error:#}");
    ExitCode::FAILURE
}

/// `passing` keeps the folder of a temporary store until nothing writes into it any more.
async fn run(mut cli: Cli, passing: &mut Option<(TempDir, Arc<dyn Store>)>) -> Result<ExitCode> {
    let done = |()| ExitCode::SUCCESS;
    let address = cli.flags.store.clone().unwrap_or_else(Address::of_user);
    match cli.command.take() {
        Some(AgonCommand::Player(flags)) => {
            // AGON_TOKEN opens this machine's own server, and is nobody else's business.
            let token = cli.access.take_token();
            let token = token.filter(|_| cli.given.iter().any(|flag| flag == "--token"));
            programs::player::run(flags, cli.access, token, asked_to_stop()?).await.map(done)
        }
        Some(AgonCommand::League(LeagueCommand::Check(flags))) => {
            programs::check::run(flags).await.map(done)
        }
        Some(AgonCommand::League(LeagueCommand::Steer(what))) => {
            let is_passing = matches!(what, Steer::Run { .. }) && cli.flags.store.is_none();
            let folder = is_passing.then(tempfile::tempdir).transpose()?;
            let in_folder = |folder: &TempDir| Address::Sqlite(folder.path().join("agon.db"));
            let address = folder.as_ref().map_or(address, in_folder);
            let stop = CancellationToken::new();
            let limits = cli.flags.limits()?;
            let store = store::open(&address).await?;
            *passing = folder.map(|folder| (folder, store.clone()));
            let kinds = Kinds::new(&cli.computers, &limits, Budgets::default(), stop.clone())?;
            let hall = Hall::new(store.clone(), kinds.computers, &limits, Budgets::default());
            let leagues = Leagues::new(hall, &cli.leagues, &limits, false, stop);
            let guard = Guard::new(&cli.access);
            let pages = match cli.flags.pages() {
                Some(pages) => pages,
                None => leagues.pages().await?.unwrap_or_else(|| format!("http://{ADDRESS}")),
            };
            let token = cli.access.token();
            let steered = programs::steer::steer(leagues, guard, &pages, token, what).await;
            let _ = timeout(FAREWELL, store.settle()).await;
            steered.map(done)
        }
        Some(AgonCommand::Install(flags)) => install::install(&flags, cli.given),
        Some(AgonCommand::Uninstall(flags)) => install::uninstall(&flags),
        Some(AgonCommand::Doctor(flags)) => {
            let must_listen = !cli.flags.listen.is_empty();
            let listen = if must_listen { cli.flags.listen } else { vec![usual_address()] };
            let wanted = IntendedServer { listen, must_listen, store: address };
            install::doctor::run(&flags, &wanted).await
        }
        Some(AgonCommand::Store(what)) => keeping::run(what).await,
        Some(AgonCommand::Verify(flags)) => verify::run(&flags, &address).await,
        Some(AgonCommand::Completions { shell }) => {
            Ok(help::write_completions(Cli::command(), shell).map(done)?)
        }
        Some(AgonCommand::Man { command }) => {
            help::write_manual(Cli::command(), &command).map(done)
        }
        Some(AgonCommand::Uci) => Ok(kinds::chess::uci::run().map(done)?),
        Some(AgonCommand::Serve(house)) => {
            cli.computers.house = house.or(cli.computers.house);
            serve(cli, address, true).await.map(done)
        }
        None => serve(cli, address, false).await.map(done),
    }
}

/// The hall, over HTTP; and on stdin and stdout as well, if that is not `only_http`.
async fn serve(mut cli: Cli, address: Address, only_http: bool) -> Result<()> {
    let stop = CancellationToken::new();
    let limits = cli.flags.limits()?;
    cli.flags.listen.iter().for_each(|address| cli.access.answer_to(address.ip()));
    let guard = Guard::new(&cli.access);
    let public = guard.is_public(cli.flags.url.as_ref())
        || cli.flags.listen.iter().any(|address| !address.ip().is_loopback());
    // Where only this machine can call and the owner has said nothing, it may do what it likes.
    let is_bounded = public || guard.asks_for_token() || cli.flags.limits.is_some();
    let budgets = Budgets::new(&limits, is_bounded);
    let kinds = Kinds::new(&cli.computers, &limits, budgets.clone(), stop.clone())?;
    let store = store::open(&address).await?;
    let games = store.count(MANY + 1).await?;

    let hall = Hall::new(store.clone(), kinds.computers, &limits, budgets.clone());
    hall.begin_upkeep();
    let rooms = cli.flags.rooms();
    let leagues = Leagues::new(hall.clone(), &cli.leagues, &limits, public, stop.clone());
    let asked = asked_to_stop()?;
    let listeners = listen(&cli.flags.listen, only_http, &guard).await?;
    let addresses: Vec<_> =
        listeners.iter().map(|listener| listener.local_addr()).collect::<Result<_, _>>()?;
    if let Some(address) = addresses.first() {
        let home = cli.flags.url().unwrap_or_else(|| format!("http://{address}"));
        let _ = leagues.referee_endpoint.set(format!("{home}/referee/mcp"));
    }
    let here = || addresses.first().map(|address| format!("http://{address}"));
    let pages = cli.flags.url().or_else(here);
    let callers = Callers::default();
    let fixtures = cli.flags.conformance_fixtures.as_deref().map(Fixtures::read).transpose()?;
    let fixtures = fixtures.map(Arc::new);
    let manner = ServiceSettings {
        callers: callers.clone(),
        followers: Followers::new(&leagues),
        waits: Waits::new(&hall),
        pages: pages.clone(),
        wait: Duration::from_secs(cli.flags.wait_seconds),
        tellings: kinds.tellings,
        fixtures,
    };
    let service = |rooms: &[Room]| {
        let (rooms, leagues, manner) = (rooms.to_vec(), leagues.clone(), manner.clone());
        move || McpService::new(leagues, &rooms, manner)
    };
    let endpoint = |rooms: &[Room]| {
        let (service, store) = (service(rooms), store.clone());
        let (limits, stop) = (limits.clone(), stop.clone());
        LazyEndpoint::new(move || McpEndpoint::new(service(), store, &limits, &stop))
    };
    let endpoints = endpoints(&rooms, endpoint);
    let mut servers = JoinSet::new();
    let places = Places::new(&limits, guard.patience(&limits));
    let mut sides = Vec::new();
    let (dungeon, referee) = (cli.flags.dungeon_listen, cli.flags.referee_listen);
    let usual = cli.flags.listen.is_empty() && only_http;
    for (room, listener) in listen_aside(dungeon, referee, usual, &rooms, &guard).await? {
        sides.push((room.name, listener.local_addr()?));
        let router = web::side_router(endpoint(&[room]), guard.clone(), &limits);
        servers.spawn(web::serve_in(places.clone(), listener, router, stop.clone()));
    }
    let own = addresses.iter().chain(sides.iter().map(|(_, address)| address));
    leagues.allowed_addresses.keep_out_of(own.copied().collect());
    let metrics = Metrics::start(&cli.flags.node_name(addresses.first()))?;
    let address_of_pages =
        web::PublicAddress { url: cli.flags.url(), asks_for_token: guard.asks_for_token() };
    let app = web::App {
        leagues: leagues.clone(),
        callers,
        showings: kinds.showings,
        metrics,
        address: address_of_pages,
        limits,
    };
    let router = web::router(app, endpoints, guard, stop.clone());
    for listener in listeners {
        servers.spawn(web::serve_in(places.clone(), listener, router.clone(), stop.clone()));
    }
    if only_http && let Some(pages) = pages {
        remember_pages(&leagues, &pages).await;
        tokio::spawn(keep_pages_known(leagues.clone(), pages));
    }
    announce(&addresses, &sides, &address, games);
    if store.last_check().is_some() {
        tracing::info!("the store was checked before use: no damage");
    }
    if only_http && cli.flags.url.is_none() {
        eprintln!("behind a proxy or tunnel, give --url: without it, all callers count as you");
    }
    if let Some(first) = addresses.first().filter(|_| !cli.flags.no_browser) {
        browser::open_once(&format!("http://{first}/"));
    }

    let conducting = tokio::spawn(league::play::conductor::conduct(leagues.clone()));
    let resuming = tokio::spawn(resume(Arc::clone(&hall)));
    if only_http {
        asked.await;
    } else {
        tokio::select! {
            served = speak_on_stdio(service(&rooms)()) => served?,
            () = asked => {}
        }
    }
    stop.cancel();
    resuming.abort();
    let _ = timeout(FAREWELL, conducting).await;
    let _ = timeout(FAREWELL, servers.join_all()).await;
    // Another process may be reading; then it is left to whoever stops last.
    let _ = timeout(FAREWELL / 4, store.settle()).await;
    Ok(())
}

/// The store forgets after a month where the pages are.
async fn keep_pages_known(leagues: Leagues, pages: String) {
    loop {
        sleep(Duration::from_secs(24 * 60 * 60)).await;
        remember_pages(&leagues, &pages).await;
    }
}

async fn remember_pages(leagues: &Leagues, pages: &str) {
    if let Err(error) = leagues.remember_pages(pages).await {
        tracing::warn!(%error, "the store does not know where the pages are");
    }
}

/// Where each room is spoken to, and all of them together.
fn endpoints(
    rooms: &[Room],
    endpoint: impl Fn(&[Room]) -> LazyEndpoint,
) -> Vec<(String, LazyEndpoint)> {
    let mut alone = rooms.to_vec();
    if rooms.iter().any(|room| matches!(room.plays, Plays::Anything)) {
        alone.extend(kinds::rooms_of_one_kind());
    }
    let mut endpoints = vec![("/mcp".to_owned(), endpoint(rooms))];
    endpoints.extend(alone.into_iter().map(|room| (room.path(), endpoint(&[room]))));
    endpoints
}

/// Says to the owner where we listen, and what was found.
fn announce(addresses: &[SocketAddr], sides: &[(&str, SocketAddr)], store: &Address, games: i64) {
    for address in addresses {
        eprintln!("agon {} listens on http://{address} (MCP at /mcp)", env!("CARGO_PKG_VERSION"));
    }
    for (name, address) in sides {
        eprintln!("the {name} alone listens on http://{address} (MCP at /mcp)");
    }
    eprintln!("store: {store}");
    if games > i64::from(MANY) {
        eprintln!("games found: more than {MANY}");
    } else {
        eprintln!("games found: {games}");
    }
}

/// Games that wait for the computer go on.
async fn resume(hall: Arc<Hall>) {
    if let Err(error) = hall.resume().await {
        tracing::error!(%error, "games that wait for the computer do not go on");
    }
}
