//! A server to measure, and clients that come in every way.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use rmcp::{
    RoleClient,
    model::{
        CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation, ProtocolVersion,
    },
    service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::{Value, json};

use crate::samples::resident_kib;

const FIXTURES: [&str; 2] = [
    "--conformance-fixtures",
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/clients/fixtures.json"),
];

/// What is measured: the program of this tree, or another, beside which it is to be seen.
pub fn agon() -> String {
    std::env::var("AGON").unwrap_or_else(|_| env!("CARGO_BIN_EXE_agon").to_owned())
}

pub struct Server {
    pub child: Child,
    pub url: String,
    store: String,
    /// Where its store is, if it is its own; another on the same store shares it.
    folder: Option<Arc<tempfile::TempDir>>,
}

impl Server {
    pub fn start() -> Server {
        Server::with(&[])
    }

    pub fn with(more: &[&str]) -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        let store = format!("sqlite:{}", folder.path().join("bench.db").display());
        let mut server = Server::on(store, more);
        server.folder = Some(folder.into());
        server
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    /// Another on the same store.
    pub fn again(&self) -> Server {
        let mut server = Server::on(self.store.clone(), &[]);
        server.folder = self.folder.clone();
        server
    }

    /// `agon league`, on the same store.
    pub fn operate(&self, args: &[&str]) {
        let mut command = Command::new(agon());
        command.args(["--store", &self.store, "league"]).args(args);
        let output = command.output().expect("agon runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// One of several on that store, perhaps.
    pub fn on(store: String, more: &[&str]) -> Server {
        let mut child = Command::new(agon())
            .args(["serve", "--listen", "127.0.0.1:0", "--no-browser"])
            .args(FIXTURES)
            .args(["--wait-seconds", "30", "--store", &store])
            .args(more)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agon starts");
        let mut lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
        let first = lines.next().expect("a line").expect("a line");
        let (_, rest) = first.split_once("listens on ").expect("an address");
        let url = format!("{}/mcp", rest.split(' ').next().expect("an address"));
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, url, store, folder: None }
    }

    /// Where its store is, if that is a file.
    pub fn file(&self) -> &str {
        self.store.strip_prefix("sqlite:").expect("it is a file")
    }

    pub fn resident_kib(&self) -> u64 {
        resident_kib(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Plain,
    Modern,
    Legacy,
    Stdio,
}

impl Way {
    pub fn name(self) -> &'static str {
        match self {
            Way::Plain => "plain",
            Way::Modern => "modern",
            Way::Legacy => "legacy",
            Way::Stdio => "stdio",
        }
    }
}

pub struct Client {
    kind: Kind,
    pub http: reqwest::Client,
    url: String,
    pub times: tokio::sync::Mutex<Vec<Duration>>,
}

enum Kind {
    Mcp(RunningService<RoleClient, ClientConfig>, Option<u32>),
    Plain,
}

impl Client {
    pub async fn new(server: &Server, way: Way) -> Client {
        let initialize = ClientLifecycleMode::Initialize;
        let modern = ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        };
        let kind = match way {
            Way::Plain => Kind::Plain,
            Way::Modern => Kind::Mcp(over_http(&server.url, modern).await, None),
            Way::Legacy => Kind::Mcp(over_http(&server.url, initialize).await, None),
            Way::Stdio => {
                let mut command = tokio::process::Command::new(agon());
                command
                    .args(["--listen", "127.0.0.1:0", "--no-browser"])
                    .args(FIXTURES)
                    .args(["--wait-seconds", "30", "--store", &server.store])
                    .stderr(Stdio::null());
                let (process, _) = TokioChildProcess::builder(command)
                    .stderr(Stdio::null())
                    .spawn()
                    .expect("agon starts");
                let pid = process.id();
                let client = serve_client_with_lifecycle(config(), process, initialize).await;
                Kind::Mcp(client.expect("it connects"), pid)
            }
        };
        let (http, url) = (reqwest::Client::new(), server.url.clone());
        Client { kind, http, url, times: Default::default() }
    }

    pub fn pid(&self) -> Option<u32> {
        match &self.kind {
            Kind::Mcp(_, pid) => *pid,
            Kind::Plain => None,
        }
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        match &self.kind {
            Kind::Mcp(client, _) => {
                let mut call = CallToolRequestParams::new(tool.to_owned());
                call.arguments = arguments.as_object().cloned();
                let result = client.call_tool(call).await.expect("an answer");
                serde_json::to_value(result).expect("JSON")
            }
            Kind::Plain => self.post(tool, arguments).await,
        }
    }

    /// A call by a stranger, without a handshake, however this client calls otherwise.
    pub async fn post(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let answer = self.http.post(&self.url).json(&call).send().await.expect("an answer");
        answer.json::<Value>().await.expect("JSON")["result"].take()
    }

    pub async fn timed(&self, tool: &str, arguments: Value) -> Value {
        let started = Instant::now();
        let answer = self.call(tool, arguments).await;
        self.times.lock().await.push(started.elapsed());
        answer
    }

    /// A new game's two passes, white's first. Arranged by a stranger, since a session that
    /// creates a game cannot take the other seat too.
    pub async fn both_seats(&self) -> [Value; 2] {
        let arrange = async |tool: &str, arguments: Value| {
            self.post(tool, arguments).await["structuredContent"].clone()
        };
        let created = arrange("createGame", json!({ "type": "agent" })).await;
        let joined = arrange("joinGame", json!({ "game_id": created["game_id"] })).await;
        [created["pass"].clone(), joined["pass"].clone()]
    }
}

async fn over_http(
    url: &str,
    lifecycle: ClientLifecycleMode,
) -> RunningService<RoleClient, ClientConfig> {
    let transport = StreamableHttpClientTransport::from_uri(url);
    serve_client_with_lifecycle(config(), transport, lifecycle).await.expect("it connects")
}

fn config() -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("bench", "1"))
}
