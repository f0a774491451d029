//! A house of one door in this process, on a store that meets one fault.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    body::{Body, to_bytes},
    extract::ConnectInfo,
    http::{HeaderValue, Method, Request, header},
};
use clap::Parser;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{Fault, Faulty};
use crate::{
    budgets::Budgets,
    hall::Hall,
    kinds::{self, Kinds},
    league::play::{
        conductor::conduct,
        leagues::{LeagueFlags, Leagues},
    },
    limits::Limits,
    mcp::{
        McpService, ServiceSettings, callers::Callers, cancelling::Waits, followers::Followers,
        http::McpEndpoint,
    },
    store::{self, Address, Store},
};

/// One fault, and what comes of it: after so many calls everybody knows.
const ENOUGH: usize = 4;

/// The outcome of a call, as its answer tells it.
#[derive(Debug)]
pub enum Fate {
    Done(Value),
    NotDone,
    NotKnown,
}

pub struct House {
    pub store: Arc<Faulty>,
    pub leagues: Leagues,
    fault: Fault,
    left: usize,
    door: McpEndpoint,
    file: rusqlite::Connection,
    stop: CancellationToken,
    _folder: tempfile::TempDir,
}

#[derive(Parser)]
struct Given {
    #[command(flatten)]
    leagues: LeagueFlags,
}

impl House {
    /// The call after `left` others meets the fault, once the house is armed.
    pub async fn open(fault: Fault, left: usize) -> House {
        // In memory, where that can be had: hundreds of stores are made, and none is to last.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let folder = folder.expect("a folder");
        let path = folder.path().join("agon.db");
        let real = store::open(&Address::Sqlite(path.clone())).await.expect("a store");
        let file = rusqlite::Connection::open(path).expect("its file");
        let store = Arc::new(Faulty::new(real, fault));
        let stop = CancellationToken::new();
        let limits = Limits::default();
        let kinds = Kinds::new(&Default::default(), &limits, Budgets::default(), stop.clone());
        let kinds = kinds.expect("our own engine is always there");
        let shared: Arc<dyn Store> = store.clone();
        let hall = Hall::new(shared.clone(), kinds.computers, &limits, Budgets::default());
        let flags = Given::parse_from(["agon"]).leagues;
        let leagues = Leagues::new(hall, &flags, &limits, false, stop.clone());
        let manner = ServiceSettings {
            pages: None,
            callers: Callers::default(),
            followers: Followers::new(&leagues),
            waits: Waits::new(&leagues.hall),
            wait: Duration::from_secs(25),
            tellings: kinds.tellings,
            fixtures: None,
        };
        let desk = McpService::new(leagues.clone(), &kinds::rooms(), manner);
        let door = McpEndpoint::new(desk, shared, &limits, &stop);
        tokio::spawn(conduct(leagues.clone()));
        House { store, leagues, fault, left, door, file, stop, _folder: folder }
    }

    /// From here on calls of the store are counted.
    pub fn arm(&self) {
        self.store.arm(self.left);
    }

    /// Makes a call until it is known what became of it; its facts. What is said not to have been
    /// done must not have been.
    pub async fn insist(&self, tool: &str, arguments: Value) -> Value {
        for _ in 0..ENOUGH {
            let before = self.written();
            match self.once(tool, &arguments).await {
                Some(Fate::Done(facts)) => return facts,
                Some(Fate::NotDone) => {
                    assert_eq!(self.written(), before, "{tool} {arguments} was said not to be done")
                }
                Some(Fate::NotKnown) | None => {}
            }
        }
        panic!("{tool} {arguments} was never done: {:?} at call {}", self.fault, self.left)
    }

    /// Like `insist`, while others change the store as well.
    pub async fn insist_among_others(&self, tool: &str, arguments: Value) -> Value {
        for _ in 0..ENOUGH {
            if let Some(Fate::Done(facts)) = self.once(tool, &arguments).await {
                return facts;
            }
        }
        panic!("{tool} {arguments} was never done: {:?} at call {}", self.fault, self.left)
    }

    /// One call. None if its caller has hung up, because the store was late.
    async fn once(&self, tool: &str, arguments: &Value) -> Option<Fate> {
        tokio::select! {
            fate = self.ask(tool, arguments) => Some(fate),
            () = self.store.late() => {
                self.store.release();
                None
            }
        }
    }

    async fn ask(&self, tool: &str, arguments: &Value) -> Fate {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let mut request = Request::new(Body::from(call.to_string()));
        *request.method_mut() = Method::POST;
        request.headers_mut().insert(header::HOST, HeaderValue::from_static("localhost"));
        let caller: SocketAddr = "127.0.0.1:1".parse().expect("an address");
        request.extensions_mut().insert(ConnectInfo(caller));
        let answer = self.door.answer(request).await;
        let body = to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
        let body: Value = serde_json::from_slice(&body)
            .unwrap_or_else(|_| panic!("{tool}: {}", String::from_utf8_lossy(&body)));
        let result = &body["result"];
        if result["isError"] == false {
            return Fate::Done(result["structuredContent"].clone());
        }
        let said = body.to_string();
        assert!(!said.contains("told to"), "what the store says is told: {said}");
        if said.contains("not known") {
            return Fate::NotKnown;
        }
        let undone = ["nothing has changed", "nothing was played"];
        assert!(undone.iter().any(|words| said.contains(words)), "{tool} {arguments}: {said}");
        Fate::NotDone
    }

    /// How much there is: games, seats and turns. (A league counts from its first player on.)
    pub fn written(&self) -> [i64; 3] {
        ["games where kind <> 'league'", "seats", "turns"].map(|rows| {
            let sql = format!("select count(*) from {rows}");
            self.file.query_row(&sql, [], |row| row.get(0)).expect("a count")
        })
    }

    /// The moves of all games of this kind.
    pub fn moves(&self, kind: &str) -> Vec<String> {
        let sql = "select move from turns join games on id = game where kind = ? order by number";
        let mut statement = self.file.prepare(sql).expect("a question");
        let moves = statement.query_map([kind], |row| row.get(0)).expect("moves");
        moves.collect::<Result<_, _>>().expect("texts")
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
