//! Players: the official Rust client in both eras and over stdio, and a plain poster of JSON.

use std::process::Stdio;

use rmcp::{
    RoleClient,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation,
        ProtocolVersion,
    },
    service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::house::House;

/// The ways in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A process of its own, spoken to over stdin and stdout, on the house's store.
    Stdio,
    /// MCP with a session.
    Legacy,
    /// MCP without one.
    Modern,
    /// JSON-RPC posted without a handshake.
    Plain,
}

pub const WAYS: [Way; 4] = [Way::Stdio, Way::Legacy, Way::Modern, Way::Plain];

pub enum Player {
    Mcp(RunningService<RoleClient, ClientConfig>),
    Plain { http: reqwest::Client, url: String },
}

/// What a tool said.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub text: String,
    pub facts: Value,
    pub refused: bool,
    /// The page, if one came along.
    pub page: Option<String>,
    /// The link that seats the person, if one was told.
    pub link: Option<String>,
}

impl Answer {
    fn read(result: &Value) -> Answer {
        let blocks = || result["content"].as_array().expect("content is a list").iter();
        let block = |kind: &str| blocks().find(|block| block["type"] == kind).cloned();
        let page = block("resource").map(|block| {
            assert_eq!(block["resource"]["mimeType"], "text/html");
            block["resource"]["text"].as_str().expect("the page is text").to_owned()
        });
        // Models may be shown all of it.
        let texts = blocks().flat_map(|block| [&block["text"], &block["resource"]["text"]]);
        for text in texts.filter_map(Value::as_str).filter(|text| text.contains("<!doctype html")) {
            assert!(text.len() < 16_000, "{} bytes of HTML", text.len());
        }
        let link = block_with_link(result);
        // Some hosts hand on the structure alone.
        if let Some(link) = &link {
            let facts = &result["structuredContent"];
            assert_eq!(facts["link"], **link, "{facts}");
            assert!(facts["next_action"].as_str().is_some_and(|it| it.contains(link)), "{facts}");
        }
        Answer {
            text: block("text").expect("there is a text")["text"]
                .as_str()
                .expect("text")
                .to_owned(),
            facts: result["structuredContent"].clone(),
            refused: result["isError"] == true,
            page,
            link,
        }
    }

    #[track_caller]
    pub fn ok(self) -> Answer {
        assert!(!self.refused, "refused: {}", self.text);
        self
    }

    #[track_caller]
    pub fn no(self) -> Answer {
        assert!(self.refused, "not refused: {}", self.text);
        self
    }

    #[track_caller]
    pub fn says(self, part: &str) -> Answer {
        assert!(self.text.contains(part), "{part:?} is not in: {}", self.text);
        self
    }

    pub fn fact(&self, name: &str) -> String {
        self.facts[name]
            .as_str()
            .unwrap_or_else(|| panic!("no {name} in {}", self.facts))
            .to_owned()
    }

    pub fn id(&self) -> String {
        self.fact("game_id")
    }

    pub fn pass(&self) -> String {
        self.fact("pass")
    }

    /// Opens the link as the person's browser does: how it went, and the pass if it went well.
    pub async fn open(&self) -> Result<String, (u16, String)> {
        open_link(self.link.as_ref().expect("a link was told")).await
    }

    /// The pass that the page carries.
    pub fn page_pass(&self) -> String {
        let page = self.page.as_ref().expect("a page came along");
        let (_, rest) = page.split_once("id=\"agon-state\">").expect("the page has contents");
        let contents = rest.split("</script>").next().expect("which end");
        let contents: Value = serde_json::from_str(contents).expect("the contents are JSON");
        contents["game_id"].as_str().expect("a pass").to_owned()
    }
}

fn block_with_link(result: &Value) -> Option<String> {
    let texts = result["content"].as_array()?.iter().filter_map(|block| block["text"].as_str());
    let words = texts.flat_map(str::split_whitespace);
    words.into_iter().find(|word| word.contains("#open=")).map(str::to_owned)
}

pub async fn open_link(link: &str) -> Result<String, (u16, String)> {
    let (page, code) = link.split_once("#open=").expect("the link has a code");
    let (site, id) = page.split_once("/game/").expect("it is a game's");
    let opened = reqwest::Client::new()
        .post(format!("{site}/api/games/{id}/open"))
        .json(&json!({ "code": code }))
        .send()
        .await
        .expect("the pages answer");
    let status = opened.status().as_u16();
    let body: Value = opened.json().await.expect("JSON");
    match body["pass"].as_str() {
        Some(pass) => Ok(pass.to_owned()),
        None => Err((status, body["error"].as_str().expect("a reason").to_owned())),
    }
}

impl Player {
    pub async fn new(house: &House, way: Way) -> Player {
        match way {
            Way::Stdio => Player::on_stdio(house, &[]).await,
            _ => Player::at(&house.url(), way).await,
        }
    }

    /// A player who was given this address.
    pub async fn at(url: &str, way: Way) -> Player {
        match way {
            Way::Stdio => panic!("a process is spoken to at no address"),
            Way::Legacy => Player::over_http(url, ClientLifecycleMode::Initialize).await,
            Way::Modern => {
                let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
                let modern = ClientLifecycleMode::Discover { preferred_versions };
                Player::over_http(url, modern).await
            }
            Way::Plain => Player::Plain { http: reqwest::Client::new(), url: url.to_owned() },
        }
    }

    pub async fn over_http(url: &str, lifecycle: ClientLifecycleMode) -> Player {
        let transport = StreamableHttpClientTransport::from_uri(url);
        let client = serve_client_with_lifecycle(info(), transport, lifecycle);
        Player::Mcp(client.await.expect("the client connects"))
    }

    pub async fn on_stdio(house: &House, args: &[&str]) -> Player {
        let mut command = house.neighbour();
        command.args(["--listen", "127.0.0.1:0"]).args(args);
        Player::of(command).await
    }

    /// The same, and where that process shows its pages.
    pub async fn on_stdio_with_pages(house: &House, args: &[&str]) -> (Player, String) {
        let mut command = house.neighbour();
        command.args(["--listen", "127.0.0.1:0"]).args(args);
        let process = TokioChildProcess::builder(tokio::process::Command::from(command));
        let (transport, log) = process.stderr(Stdio::piped()).spawn().expect("agon starts");
        let client =
            serve_client_with_lifecycle(info(), transport, ClientLifecycleMode::Initialize);
        let player = Player::Mcp(client.await.expect("the client connects"));
        let mut lines = BufReader::new(log.expect("stderr is piped")).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            if let Some((_, rest)) = line.split_once("listens on http://") {
                let address = rest.split(' ').next().unwrap_or_default().to_owned();
                // It goes on saying things, and somebody must listen.
                tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
                return (player, address);
            }
        }
        panic!("agon does not say where it listens")
    }

    /// Whoever speaks to that program over its stdin and stdout.
    pub async fn of(command: std::process::Command) -> Player {
        let process = TokioChildProcess::new(tokio::process::Command::from(command));
        let transport = process.expect("agon starts");
        let initialize = ClientLifecycleMode::Initialize;
        let client = serve_client_with_lifecycle(info(), transport, initialize);
        Player::Mcp(client.await.expect("the client connects"))
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.try_call(tool, arguments).await.expect("the call is answered")
    }

    /// None if the server is gone, or answers with an error of the protocol.
    pub async fn try_call(&self, tool: &str, arguments: Value) -> Option<Answer> {
        let result = match self {
            Player::Mcp(client) => {
                let arguments = arguments.as_object().cloned().expect("arguments are an object");
                let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
                let result: CallToolResult = client.call_tool(call).await.ok()?;
                serde_json::to_value(result).expect("a result can be written")
            }
            Player::Plain { http, url } => {
                let call = json!({
                    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                    "params": { "name": tool, "arguments": arguments },
                });
                let answer = http.post(url).json(&call).send().await.ok()?;
                answer.json::<Value>().await.ok()?.get("result")?.clone()
            }
        };
        Some(Answer::read(&result))
    }

    pub async fn create(&self, arguments: Value) -> Answer {
        self.call("createGame", arguments).await.ok().says("Game Created Successfully!")
    }

    pub async fn join(&self, game: &str) -> Answer {
        self.call("joinGame", json!({ "game_id": game })).await
    }

    pub async fn play(&self, pass: &str, mv: &str) -> Answer {
        self.call("finishTurn", json!({ "game_id": pass, "move": mv })).await
    }

    pub async fn wait(&self, pass: &str) -> Answer {
        self.call("waitForNextTurn", json!({ "game_id": pass })).await
    }

    /// As the seeds have it: whoever is told of a timeout calls again.
    pub async fn wait_for_turn(&self, pass: &str) -> Answer {
        loop {
            let answer = self.wait(pass).await.ok();
            if answer.facts["status"] != "timeout" {
                return answer;
            }
        }
    }

    pub async fn act(&self, pass: &str, action: &str) -> Answer {
        self.call("gameAction", json!({ "game_id": pass, "action": action })).await
    }

    pub async fn see(&self, game: &str) -> Answer {
        self.call("getGame", json!({ "game_id": game })).await
    }
}

/// A call by a host that shows the board in the chat; the whole result.
pub async fn call_with_board(house: &House, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "host", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "extensions": {
            "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] } } },
    } });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let request = reqwest::Client::new()
        .post(house.url())
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool);
    let answer = request.json(&call).send().await.expect("an answer").text().await.expect("text");
    // A call that waits is answered in a stream.
    let data = answer.lines().rfind(|line| line.starts_with("data: {"));
    let data = data.map_or(answer.as_str(), |line| &line["data: ".len()..]);
    let answer: Value = serde_json::from_str(data).unwrap_or_else(|_| panic!("{data}"));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    answer["result"].clone()
}

fn info() -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("story", "1"))
}
