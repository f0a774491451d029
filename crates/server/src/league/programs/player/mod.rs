//! The player agent: a small server that answers every dialect, and registers itself.

pub mod answers;
mod desk;
mod keepsake;
mod memory;

use std::{
    future::Future,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use axum::{Router, middleware};
use rules::short;
use serde_json::{Value, json};
use tokio::{
    net::{TcpListener, UdpSocket},
    sync::watch,
};

use self::{keepsake::Keepsake, memory::Memory};
use super::strategy::Strategy;
use crate::{
    league::wire::{
        Fields,
        client::AgentClient,
        connection::{Connection, Offered},
        contents::written,
        dialect::Dialect,
        endpoint::{AllowedAddresses, Endpoint},
        errors::NoAnswer,
        message::{Message, Version, at, new_conversation},
        moves::Acceptance,
    },
    web::{self, Access, Guard},
};

const REGISTRATION: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

#[derive(clap::Args)]
pub struct PlayerFlags {
    /// The name on the league table
    #[arg(long)]
    name: String,
    /// How to play: random, always-3, pattern-1,2,3, frequency, equilibrium, or mcp (human) to
    /// decide each move by calling make_move
    #[arg(long, default_value = "random")]
    strategy: Strategy,
    /// Listen at this address only, and be called there [default: 127.0.0.1 for a manager on this
    /// machine, else every address]
    #[arg(long, value_name = "ADDR")]
    host: Option<IpAddr>,
    /// Listen on this port; 0 takes any that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The League Manager to register with
    #[arg(long, value_name = "URL", default_value = "http://localhost:8000/mcp")]
    manager: String,
    /// The league to register for [default: the one in the examples of the dialect's protocol]
    #[arg(long, value_name = "ID")]
    league: Option<String>,
    /// The game to register for: even_odd, or what the league plays; of other games than even-odd
    /// and parity it plays any move that is legal
    #[arg(long, value_name = "GAME", default_value = "even_odd")]
    game: String,
    /// The code of your invitation, if the league is by invitation
    #[arg(long, value_name = "CODE")]
    invite: Option<String>,
    /// The dialect to register in; every dialect is answered [default: whichever the league
    /// understands]
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Where the token is kept, so that a player that was restarted is the same [default: a file of
    /// its own in your data folder]
    #[arg(long, value_name = "FILE", env = "AGON_PLAYER_TOKEN_FILE")]
    token_file: Option<PathBuf>,
    /// Play the same way every time
    #[arg(long)]
    seed: Option<u64>,
}

/// The dialects to register in: the one asked for, or one of each protocol, from which its line
/// finds out which are understood.
fn dialects(asked: Option<Dialect>) -> Vec<Dialect> {
    asked.map_or_else(|| vec![Dialect::S1, Dialect::H2], |dialect| vec![dialect])
}

/// One player, wherever it listens.
pub struct LeaguePlayer {
    name: String,
    strategy: Strategy,
    seed: u64,
    dialect: Dialect,
    memory: Mutex<Memory>,
    /// Changes whenever a move is asked for.
    asked: watch::Sender<u64>,
}

/// The outcome of a registration.
pub enum Registered {
    As(String),
    Rejected(String),
}

/// The address by which this machine reaches the manager, and so may be reached from there.
async fn own_address(manager: &Endpoint) -> IpAddr {
    let url = manager.url();
    let reached = async {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).await?;
        // Nothing is sent: this only asks which way it would go.
        let port = url.port_or_known_default().unwrap_or(80);
        socket.connect((url.host_str().unwrap_or_default(), port)).await?;
        socket.local_addr()
    };
    reached.await.map_or(Ipv4Addr::LOCALHOST.into(), |address| address.ip())
}

/// Where to listen. Once other machines are to call, also where the owner calls by localhost.
fn listens_at(host: Option<IpAddr>, own: IpAddr) -> IpAddr {
    host.unwrap_or(if own.is_loopback() { own } else { Ipv4Addr::UNSPECIFIED.into() })
}

/// `agon player`: until `stop`. `token` is shown to the manager; the player's own callers need none.
pub async fn run(
    flags: PlayerFlags,
    mut access: Access,
    token: Option<String>,
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let policy = AllowedAddresses::trusting();
    let manager = Endpoint::check(&flags.manager, &policy).await;
    let manager = manager.with_context(|| format!("--manager {} is of no use", flags.manager))?;
    let own = match flags.host.filter(|host| !host.is_unspecified()) {
        Some(host) => host,
        None => own_address(&manager).await,
    };
    let host = listens_at(flags.host, own);
    let post = AgentClient::new(&policy).showing(token);
    access.answer_to(own);
    let guard = Guard::new(&access);
    let listener = TcpListener::bind((host, flags.port)).await.with_context(|| {
        format!("cannot listen on {host}, port {}; choose another with --port", flags.port)
    })?;
    let url = format!("http://{}/mcp", SocketAddr::new(own, listener.local_addr()?.port()));
    let first = flags.dialect.unwrap_or(Dialect::S1);
    let player = LeaguePlayer::new(&flags.name, flags.strategy.clone(), flags.seed, first);
    let router = player.router(guard);
    eprintln!("player {} listens on {url}", flags.name);
    if !host.is_loopback() {
        eprintln!("other machines can reach it; make_move and get_my_state answer this one only");
    }
    let play = async {
        let keepsake = Keepsake::of(&flags);
        let mut refusal = None;
        for dialect in dialects(flags.dialect) {
            let line = || Connection::new(&post, manager.clone(), dialect);
            match player.register(line, dialect.version(), &url, &flags, &keepsake).await {
                Registered::As(id) => {
                    eprintln!("player {} is {id}", flags.name);
                    return std::future::pending().await;
                }
                Registered::Rejected(why) => {
                    let other_protocol = ["league.v", "protocol", "E018"];
                    let goes_on = other_protocol.iter().any(|word| why.contains(word));
                    refusal = Some(why);
                    if !goes_on {
                        break;
                    }
                }
            }
        }
        bail!("the league rejected {}: {}", flags.name, refusal.unwrap_or_default())
    };
    let serving = web::serve(listener, router, Default::default());
    tokio::select! {
        served = serving => served.context("cannot listen any more"),
        played = play => played,
        () = stop => Ok(()),
    }
}

impl LeaguePlayer {
    /// Without a seed, one that nobody knows.
    pub fn new(
        name: &str,
        strategy: Strategy,
        seed: Option<u64>,
        dialect: Dialect,
    ) -> Arc<LeaguePlayer> {
        let seed = seed.unwrap_or_else(|| getrandom::u64().expect("the system has randomness"));
        let (name, memory) = (name.to_owned(), Mutex::default());
        Arc::new(LeaguePlayer {
            name,
            strategy,
            seed,
            dialect,
            memory,
            asked: watch::Sender::default(),
        })
    }

    /// Its `/mcp`, for callers whom `guard` knows.
    pub fn router(self: &Arc<LeaguePlayer>, guard: Guard) -> Router {
        desk::router(self.clone()).layer(middleware::from_fn_with_state(guard, web::check_caller))
    }

    /// Registers until the league has said yes or no, however long it takes to be there. Each attempt
    /// has a line of its own, and so tries every dialect: until now a proxy may have answered.
    async fn register(
        &self,
        line: impl Fn() -> Connection,
        version: Version,
        url: &str,
        flags: &PlayerFlags,
        keepsake: &Keepsake,
    ) -> Registered {
        let mut pause = FIRST_PAUSE;
        loop {
            let mut line = line();
            let fields = self.registration(version, line.dialect(), url, flags, keepsake);
            match line.offer(Message::RegisterPlayer, &fields, REGISTRATION, None).await {
                Ok(offered) => match self.settle(&offered) {
                    Some(registered) => {
                        keepsake.keep(self.memory().token.as_deref());
                        return registered;
                    }
                    None => tracing::warn!("the league's answer is neither yes nor no"),
                },
                Err(NoAnswer::Refused { message, code }) if code != Some(-32603) => {
                    return Registered::Rejected(message);
                }
                Err(why) => tracing::warn!(%why, "not registered yet"),
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn registration(
        &self,
        version: Version,
        dialect: Dialect,
        url: &str,
        flags: &PlayerFlags,
        keepsake: &Keepsake,
    ) -> Fields {
        let example = match version {
            Version::V1 => "league_2024_01",
            Version::V2 => "league_2025_even_odd",
        };
        let mut meta = json!({
            "display_name": self.name,
            "version": env!("CARGO_PKG_VERSION"),
            "game_types": [flags.game],
            "contact_endpoint": url,
            "dialect": dialect.code(),
        });
        if version == Version::V2 {
            meta["protocol_version"] = "2.1.0".into();
        }
        if let Some(code) = &flags.invite {
            meta["invite_code"] = json!(code);
        }
        let league = flags.league.as_deref().unwrap_or(example);
        let mut own = json!({ "league_id": league, "player_meta": meta });
        if let Some(token) = keepsake.token() {
            own["auth_token"] = token.into();
        }
        let sender = format!("player:{}", self.name);
        Message::RegisterPlayer.write(version, &sender, &new_conversation(), written(&own))
    }

    /// Takes the id and the token from an answer that says yes. None if it says nothing.
    fn settle(&self, offered: &Offered) -> Option<Registered> {
        let answer = &offered.answer;
        let word = |path| at(answer, path).and_then(Value::as_str);
        match (offered.word, word("player_id")) {
            (Acceptance::No, _) => {
                let reason = word("reason").unwrap_or("no reason given");
                Some(Registered::Rejected(short(reason)))
            }
            (Acceptance::Parsed, None) => None,
            (_, id) => {
                let mut memory = self.memory();
                memory.player_id = id.map(str::to_owned);
                memory.token = word("auth_token").map(str::to_owned);
                memory.league_id = word("league_id").map(str::to_owned);
                Some(Registered::As(id.unwrap_or("registered, without an id").to_owned()))
            }
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_listens_beyond_this_machine_only_for_a_manager_elsewhere() {
        let check = |host: Option<&str>, own: &str, listens: &str| {
            let [own, listens] = [own, listens].map(|ip| ip.parse::<IpAddr>().unwrap());
            let host = host.map(|host| host.parse().unwrap());
            assert_eq!(listens_at(host, own), listens, "{host:?} {own}");
        };
        check(None, "127.0.0.1", "127.0.0.1");
        check(None, "10.1.0.23", "0.0.0.0");
        check(Some("10.1.0.23"), "10.1.0.23", "10.1.0.23");
        check(Some("127.0.0.1"), "127.0.0.1", "127.0.0.1");
    }
}
