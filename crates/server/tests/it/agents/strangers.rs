//! Agents as strangers wrote them: each insists on the shapes its author read into the protocol.

use std::{
    sync::{Arc, Mutex},
    time::Instant,
};

use serde_json::{Map, Value, json};
use tokio::{
    io::BufReader,
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use super::http::{read_request, write};
use crate::house::found;

/// What is special about one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sort {
    /// Its schema wants senders like `referee:REF01` and a token in every call to it.
    Titled,
    /// Registers by a tool with no more than `player_meta`.
    MetaOnly,
    /// The program that seed 004 comes from: `protocol/message`, checked by `Mind::pipeline`.
    Handshaken,
    /// Takes its token only from an answer that says REGISTERED.
    Waiting,
    /// Never registers.
    Mute,
    /// Never registers, and refuses all it is asked: an invitation in the protocol's own words for a
    /// reason, all else as unknown, and everything after 20 requests for being asked so often.
    Refusing,
}

/// An agent that listens, until it is dropped or crashes.
pub struct Stranger {
    pub sort: Sort,
    pub url: String,
    mind: Arc<Mind>,
    listening: JoinHandle<()>,
}

struct Mind {
    sort: Sort,
    state: Mutex<State>,
}

struct State {
    heard: Vec<Value>,
    token: Option<String>,
    /// The games it was invited to.
    games: Vec<Value>,
    /// Calls it would still take, and when that was counted last.
    allowance: f64,
    counted: Instant,
    /// Calls refused one after the other, now and at most.
    refused: [usize; 2],
}

/// PROTOCOL_VERSION of the program of seed 004.
const PROTOCOL: &str = "league.v2";
/// A burst of ten, and then one for every so many milliseconds. (A hundred a minute in the wild; a
/// test has not so much time.)
const BURST: f64 = 10.0;
const REFILL: f64 = 60.0;

impl Stranger {
    pub async fn start(sort: Sort) -> Stranger {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        Stranger::on(listener, sort)
    }

    pub fn on(listener: TcpListener, sort: Sort) -> Stranger {
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let state = State {
            heard: Vec::new(),
            token: None,
            games: Vec::new(),
            allowance: BURST,
            counted: Instant::now(),
            refused: [0; 2],
        };
        let mind = Arc::new(Mind { sort, state: Mutex::new(state) });
        let listening = tokio::spawn({
            let mind = mind.clone();
            async move {
                let mut open = tokio::task::JoinSet::new();
                while let Ok((stream, _)) = listener.accept().await {
                    let mind = mind.clone();
                    open.spawn(async move { mind.serve(stream).await });
                }
            }
        });
        Stranger { sort, url, mind, listening }
    }

    /// Falls over and comes up again at the same address, with nothing remembered.
    pub async fn crash(self) -> Stranger {
        let (sort, address) = (self.sort, self.url.clone());
        let address = address.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/mcp"));
        let address = address.expect("an address").to_owned();
        self.listening.abort();
        drop(self);
        let listener = found(async || TcpListener::bind(&address).await.ok()).await;
        Stranger::on(listener, sort)
    }

    pub fn heard(&self) -> Vec<Value> {
        self.mind.state().heard.clone()
    }

    pub fn token(&self) -> Option<String> {
        self.mind.state().token.clone()
    }

    /// How many calls in a row it had to refuse for being too many, at most.
    pub fn pestered(&self) -> usize {
        self.mind.state().refused[1]
    }

    /// Registers in its own way, and keeps what it understands of the answer, which is returned.
    pub async fn register(&self, manager: &str, name: &str, protocol: &str, league: &str) -> Value {
        let http = reqwest::Client::new();
        let mut session = None;
        if self.sort == Sort::Handshaken {
            let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": "stranger", "version": "1" } } });
            let said = http.post(manager).header("accept", BOTH).json(&hello).send().await;
            let said = said.expect("an answer");
            session = said.headers().get("mcp-session-id").cloned();
            let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            let request = http.post(manager).header("accept", BOTH);
            let request = request.header("mcp-session-id", session.clone().expect("a session"));
            request.json(&ready).send().await.expect("an answer");
        }
        let mut request = http.post(manager).header("accept", BOTH);
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        let body = self.registration(name, protocol, league);
        let answer = request.json(&body).send().await.expect("an answer").text().await;
        let answer = answer.expect("text");
        // With a session it may come as a stream of events.
        let mut events = answer.lines().filter_map(|line| line.strip_prefix("data: "));
        let answer = events.rfind(|data| data.starts_with('{')).unwrap_or(&answer);
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        let text = answer["result"]["content"][0]["text"].as_str();
        let said = text.map_or(answer["result"].clone(), |text| {
            serde_json::from_str(text).expect("the text is JSON")
        });
        let understands = match self.sort {
            Sort::Waiting => said["status"] == "REGISTERED",
            _ => said["status"] == "ACCEPTED",
        };
        if understands && let Some(token) = said["auth_token"].as_str() {
            self.mind.state().token = Some(token.to_owned());
        }
        said
    }

    fn registration(&self, name: &str, protocol: &str, league: &str) -> Value {
        let meta = json!({ "display_name": name, "version": "1.0.0", "game_types": ["even_odd"],
            "contact_endpoint": self.url });
        let message = json!({ "protocol": protocol, "message_type": "LEAGUE_REGISTER_REQUEST",
            "league_id": league, "sender": format!("player:{name}"), "player_meta": meta,
            "timestamp": "2026-11-15T10:00:00Z", "conversation_id": format!("conv-{name}") });
        let by_type = |id: Value, params: Value| {
            json!({ "jsonrpc": "2.0", "id": id, "method": "LEAGUE_REGISTER_REQUEST",
                "params": params })
        };
        let tool = |arguments: Value| {
            json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call",
                "params": { "name": "register_player", "arguments": arguments } })
        };
        match self.sort {
            Sort::Titled => {
                let mut message = message;
                message["auth_token"] = "".into();
                for name in ["round_id", "match_id", "player_id"] {
                    message[name] = Value::Null;
                }
                by_type(json!(1), message)
            }
            Sort::Waiting => by_type(json!("register-1"), message),
            Sort::MetaOnly => tool(json!({ "player_meta": {
                "protocol_version": if protocol == "league.v2" { "2.1.0" } else { "1.0.0" },
                "display_name": name, "game_types": ["even_odd"],
                "contact_endpoint": self.url, "strategy": "random" } })),
            Sort::Handshaken => tool(json!({ "display_name": name, "endpoint": self.url,
                "version": "1.0.0", "game_types": ["even_odd"] })),
            Sort::Mute | Sort::Refusing => unreachable!("it never registers"),
        }
    }
}

const BOTH: &str = "application/json, text/event-stream";

impl Drop for Stranger {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Mind {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no stranger has panicked")
    }

    async fn serve(&self, stream: TcpStream) -> Option<()> {
        let mut stream = BufReader::new(stream);
        loop {
            let body = read_request(&mut stream).await.ok()?;
            let body: Value = serde_json::from_slice(&body).ok()?;
            let said = match self.answer(&body) {
                Ok(result) => json!({ "jsonrpc": "2.0", "id": body["id"], "result": result }),
                Err((code, why)) => json!({ "jsonrpc": "2.0", "id": body["id"],
                    "error": { "code": code, "message": why } }),
            };
            write(&mut stream, 200, &said).await.ok()?;
        }
    }

    fn answer(&self, body: &Value) -> Result<Value, (i64, &'static str)> {
        let mut state = self.state();
        state.heard.push(body.clone());
        let (method, params) = (body["method"].as_str().unwrap_or_default(), &body["params"]);
        let message = match (self.sort, method) {
            (Sort::Refusing, _) if state.heard.len() > 20 => {
                return Err((-32029, "rate limit exceeded"));
            }
            (Sort::Refusing, "GAME_START") => return Err((-32000, "the author is on holiday")),
            (Sort::Refusing, _) => return Err((-32601, "Method not found")),
            (Sort::Handshaken | Sort::MetaOnly, "initialize") => {
                return Ok(json!({ "protocolVersion": "2025-06-18", "capabilities": {},
                    "serverInfo": { "name": "stranger", "version": "1" } }));
            }
            (Sort::Handshaken | Sort::MetaOnly, "tools/list") => {
                return Ok(json!({ "tools": [] }));
            }
            (Sort::Handshaken, "protocol/message") => {
                let answer = match state.pipeline(&params["message"]) {
                    Ok(()) => reply_of_program(&params["message"]),
                    Err(why) => json!({ "error": why, "error_type": "ProtocolError" }),
                };
                return Ok(state.with_rate_limit(answer));
            }
            (Sort::MetaOnly, "tools/call") => &params["arguments"],
            (Sort::Titled | Sort::Waiting | Sort::Mute, _) if method == params["message_type"] => {
                params
            }
            _ => return Err((-32601, "Method not found")),
        };
        if self.sort == Sort::Titled {
            check_titles(body, message)?;
        }
        // An agent that lost its token finds it in the calls to it.
        if let Some(token) = message["auth_token"].as_str() {
            state.token.get_or_insert_with(|| token.to_owned());
        }
        Ok(self.wrap(reply(message)))
    }

    fn wrap(&self, said: Map<String, Value>) -> Value {
        match self.sort {
            Sort::MetaOnly => {
                let text = Value::Object(said).to_string();
                json!({ "content": [{ "type": "text", "text": text }] })
            }
            _ => said.into(),
        }
    }
}

impl State {
    /// All that the program of seed 004 checks, in its order. A refusal is a result with `error`.
    fn pipeline(&mut self, message: &Value) -> Result<(), String> {
        // AuthenticationMiddleware(required=True) of players and referees: any token will do.
        if message["auth_token"].as_str().is_none_or(str::is_empty) {
            return Err("Authentication required".into());
        }
        // RateLimitMiddleware(requests_per_minute=100, burst_size=10).
        let since = std::mem::replace(&mut self.counted, Instant::now()).elapsed();
        self.allowance = (self.allowance + since.as_secs_f64() * 1000.0 / REFILL).min(BURST);
        if self.allowance < 1.0 {
            self.refused[0] += 1;
            self.refused[1] = self.refused[1].max(self.refused[0]);
            return Err("Rate limit exceeded".into());
        }
        self.refused[0] = 0;
        self.allowance -= 1.0;
        // validate_message: its version is compared letter by letter.
        if message["protocol"] != PROTOCOL {
            return Err(format!("Invalid protocol version. Expected '{PROTOCOL}'"));
        }
        // validate_message: REQUIRED_FIELDS.
        for field in ["message_type", "league_id", "conversation_id", "sender", "timestamp"] {
            message[field].as_str().ok_or(format!("Missing required fields: {field}"))?;
        }
        // validate_message: a time zone, read from the letters alone.
        let time = message["timestamp"].as_str().unwrap_or_default();
        if !time.ends_with('Z') && !time.contains('+') {
            return Err("Timestamp should be in ISO-8601 format with timezone".into());
        }
        let game = &message["game_id"];
        match message["message_type"].as_str().unwrap_or_default() {
            "GAME_INVITE" => {
                // _handle_game_invite files the game under its id, and has nothing else to do so.
                game.as_str().ok_or("game_id must be a string")?;
                // GameRole(role) knows lower case only.
                let role = [&message["assigned_role"], &message["role_in_match"]];
                let role = role.into_iter().find_map(Value::as_str).unwrap_or("odd");
                if !["odd", "even", "PLAYER_A", "PLAYER_B"].contains(&role) {
                    return Err(format!("'{role}' is not a valid GameRole"));
                }
                self.games.push(game.clone());
            }
            // CHOOSE_PARITY_CALL is found by the match, and an invitation without match_id has the
            // game's.
            "CHOOSE_PARITY_CALL" if !self.games.contains(&message["match_id"]) => {
                return Err("No active game session".into());
            }
            "MOVE_REQUEST" | "MOVE_RESULT" if !self.games.contains(game) => {
                return Err("Unknown game".into());
            }
            // Its strategies compute opponent_move % 2 with whatever is there.
            "MOVE_RESULT" => {
                for field in ["round_number", "your_move", "opponent_move", "your_new_score"] {
                    message[field].as_i64().ok_or(format!("{field} is no number"))?;
                }
            }
            "CHOOSE_PARITY_CALL" | "MOVE_REQUEST" | "GAME_END" | "GAME_OVER" => {}
            // There is a handler for each of the above, and none for anything else.
            other => return Err(format!("Unsupported message type: {other}")),
        }
        Ok(())
    }

    /// RateLimitMiddleware.after writes this into every answer.
    fn with_rate_limit(&self, mut answer: Value) -> Value {
        let remaining = self.allowance as u32;
        answer["rate_limit"] = json!({ "limit": 100, "remaining": remaining, "reset": 60 });
        answer
    }
}

/// What its handlers answer, and no field more.
fn reply_of_program(message: &Value) -> Value {
    match message["message_type"].as_str().unwrap_or_default() {
        "GAME_INVITE" => json!({ "success": true, "accepted": true }),
        "MOVE_REQUEST" => json!({ "success": true, "move": 4 }),
        "CHOOSE_PARITY_CALL" => json!({ "success": true, "parity_choice": "odd", "move": 4 }),
        "MOVE_RESULT" => json!({ "success": true }),
        "GAME_END" => json!({ "success": true, "won": false }),
        _ => json!({ "acknowledged": true, "won": false }),
    }
}

fn check_titles(body: &Value, message: &Value) -> Result<(), (i64, &'static str)> {
    let sender = message["sender"].as_str().and_then(|sender| sender.split_once(':'));
    let titled = sender.is_some_and(|(kind, id)| {
        ["league_manager", "referee"].contains(&kind)
            && !id.is_empty()
            && id.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
    });
    match () {
        () if !body["id"].is_i64() => Err((-32600, "id must be an integer")),
        () if !titled => Err((-32602, "sender must be type:id")),
        () if message["auth_token"].as_str().is_none_or(str::is_empty) => {
            Err((-32602, "auth_token must not be empty"))
        }
        () => Ok(()),
    }
}

fn reply(message: &Value) -> Map<String, Value> {
    let mut said = Map::new();
    let mut say = |name: &str, value: Value| drop(said.insert(name.to_owned(), value));
    match message["message_type"].as_str().unwrap_or_default() {
        "GAME_START" | "GAME_INVITATION" => {
            say("message_type", json!("GAME_JOIN_ACK"));
            say("accept", json!(true));
        }
        "MOVE_REQUEST" => {
            say("message_type", json!("MOVE_RESPONSE"));
            say("move", json!({ "number": 3 }));
        }
        "CHOOSE_PARITY_CALL" => {
            say("message_type", json!("CHOOSE_PARITY_RESPONSE"));
            say("parity_choice", json!("even"));
        }
        _ => say("status", json!("ok")),
    }
    for name in ["match_id", "game_round", "conversation_id"] {
        if let Some(value) = message.get(name) {
            said.insert(name.to_owned(), value.clone());
        }
    }
    said
}
