//! Agents by other authors: one per dialect of the league, and one per misdeed. They share nothing
//! with the program but the wire.

mod http;
mod manners;
mod misdeeds;
pub mod strangers;

use std::{
    sync::{Arc, Mutex},
    time::Instant,
};

use serde_json::{Map, Value, json};
use tokio::{
    io::{AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use self::{
    http::{flood, read_request, write},
    manners::{Act, Act::*, Carrier::*, MANNERS, Manner, Shape::*, TYPES},
};
pub use self::{
    manners::DIALECTS,
    misdeeds::{Misdeed, Odd},
};

/// Who an agent is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// Plays well, in this dialect.
    Speaks(&'static str),
    /// Joins well, understands everybody, and then does this when asked to move.
    Does(Misdeed),
    /// Joins well in this dialect, and then does this when asked to move.
    DoesIn(&'static str, Misdeed),
}

/// An agent that listens, until it is dropped.
pub struct Agent {
    pub url: String,
    mind: Arc<Mind>,
    listening: JoinHandle<()>,
}

struct Mind {
    manner: Manner,
    misdeed: Option<Misdeed>,
    memory: Mutex<Memory>,
    http: reqwest::Client,
}

#[derive(Default)]
struct Memory {
    heard: Vec<Value>,
    asked: usize,
    asked_at: Option<Instant>,
    player_id: Option<String>,
    token: Option<String>,
    referee: Option<String>,
}

impl Agent {
    pub async fn start(kind: Kind) -> Agent {
        let (code, misdeed) = match kind {
            Kind::Speaks(code) => (code, None),
            Kind::Does(misdeed) => ("any", Some(misdeed)),
            Kind::DoesIn(code, misdeed) => (code, Some(misdeed)),
        };
        let manner = *MANNERS.iter().find(|manner| manner.code == code).expect("a dialect");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let (memory, http) = (Mutex::default(), reqwest::Client::new());
        let mind = Arc::new(Mind { manner, misdeed, memory, http });
        let listening = tokio::spawn({
            let mind = mind.clone();
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let mind = mind.clone();
                    tokio::spawn(async move { mind.serve(stream).await });
                }
            }
        });
        Agent { url, mind, listening }
    }

    /// Everything that was posted to it, in order.
    pub fn heard(&self) -> Vec<Value> {
        self.mind.memory().heard.clone()
    }

    /// Where answers go that come later; what a message says of it goes first.
    pub fn call_back_to(&self, referee: &str) {
        self.mind.memory().referee = Some(referee.to_owned());
    }

    /// Registers the way its kind does, and remembers its id and token. The whole answer.
    pub async fn register(&self, manager: &str, name: &str, league: &str) -> Value {
        let first = matches!(self.mind.manner.code, "S1" | "L1" | "B1");
        let protocol = if first { "league.v1" } else { "league.v2" };
        self.register_in(protocol, manager, name, league).await
    }

    /// Registers in this protocol, whichever is its own.
    pub async fn register_in(
        &self,
        protocol: &str,
        manager: &str,
        name: &str,
        league: &str,
    ) -> Value {
        let body = self.registration(protocol, name, league);
        let answer = self.mind.http.post(manager).json(&body).send().await.expect("an answer");
        let answer: Value = answer.json().await.expect("JSON");
        let text = answer["result"]["content"][0]["text"].as_str();
        let said = text.map_or(answer["result"].clone(), |text| {
            serde_json::from_str(text).expect("the text is JSON")
        });
        let said = if answer["result"].is_null() { answer.clone() } else { said };
        let payload = if said["payload"].is_object() { &said["payload"] } else { &said };
        let word = |name: &str| {
            let found = [payload, &said["envelope"]].into_iter().find_map(|at| at[name].as_str());
            found.map(str::to_owned)
        };
        let mut memory = self.mind.memory();
        memory.player_id = word("player_id");
        memory.token = word("auth_token");
        answer
    }

    fn registration(&self, protocol: &str, name: &str, league: &str) -> Value {
        let manner = self.mind.manner;
        let kind = match manner.code {
            "E2" => "REGISTER_PLAYER_REQUEST",
            _ => "LEAGUE_REGISTER_REQUEST",
        };
        let message = json!({
            "protocol": protocol,
            "message_type": kind, "league_id": league, "sender": format!("player:{name}"),
            "timestamp": "2026-11-15T10:00:00Z", "conversation_id": format!("register-{name}"),
            "player_meta": {
                "display_name": name, "version": "1.0.0", "game_types": ["even_odd"],
                "contact_endpoint": self.url,
            },
        });
        let call = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        match manner.carrier {
            Bare => message,
            Wrapped(method) => call(method, json!({ "message": message })),
            Tool => call("tools/call", json!({ "name": "register_player", "arguments": message })),
            Enveloped => {
                let Value::Object(mut envelope) = message else { unreachable!() };
                let meta = envelope.remove("player_meta");
                let payload = json!({ "player_meta": meta });
                call("league.handle", json!({ "envelope": envelope, "payload": payload }))
            }
            Method if manner.names == TYPES => call(kind, message),
            Method | Anywhere => call("register_player", message),
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// What goes back over the connection.
enum Reply {
    Json(u16, Value),
    Raw(&'static str),
    Flood,
    Close,
    Never,
}

impl Mind {
    fn memory(&self) -> std::sync::MutexGuard<'_, Memory> {
        self.memory.lock().expect("no agent has panicked")
    }

    async fn serve(&self, stream: TcpStream) -> Option<()> {
        let mut stream = BufReader::new(stream);
        loop {
            let body = read_request(&mut stream).await.ok()?;
            let reply = match serde_json::from_slice(&body) {
                Ok(body) => self.reply(body).await,
                Err(_) => Reply::Json(
                    400,
                    json!({ "jsonrpc": "2.0", "id": null,
                    "error": { "code": -32700, "message": "Parse error" } }),
                ),
            };
            match reply {
                Reply::Json(status, body) => write(&mut stream, status, &body).await.ok()?,
                Reply::Raw(text) => stream.write_all(text.as_bytes()).await.ok()?,
                Reply::Flood => flood(&mut stream).await.ok()?,
                Reply::Never => std::future::pending().await,
                Reply::Close => return None,
            }
        }
    }

    async fn reply(&self, body: Value) -> Reply {
        self.memory().heard.push(body.clone());
        let id = &body["id"];
        let error = |code: i64, message: &str| {
            let error = json!({ "code": code, "message": message });
            Reply::Json(200, json!({ "jsonrpc": "2.0", "id": id, "error": error }))
        };
        if body["method"] == "initialize" && matches!(self.manner.carrier, Tool | Wrapped(_)) {
            return Reply::Json(
                200,
                json!({ "jsonrpc": "2.0", "id": id, "result": {
                "protocolVersion": "2025-06-18", "capabilities": { "tools": {} },
                "serverInfo": { "name": "foreign", "version": "1" } } }),
            );
        }
        // Several in the wild read the id as a number and nothing else.
        if !id.is_i64() && self.manner.carrier != Bare {
            return error(-32600, "id must be an integer");
        }
        let Some((act, message)) = self.understand(&body) else {
            return error(-32601, "Method not found");
        };
        let protocol = message.get("protocol").and_then(Value::as_str);
        if !matches!(protocol, Some("league.v1" | "league.v2")) {
            return error(-32602, "protocol is not supported");
        }
        match (act, self.misdeed) {
            (Join, Some(Misdeed::Declines)) => {
                self.wrap(id, Join, &message, json!({ "accept": false }))
            }
            (Number | Parity, Some(misdeed)) => self.misbehave(misdeed, id, act, &message).await,
            _ => self.wrap(id, act, &message, self.say(act, 3)),
        }
    }

    /// What it is asked, if it is asked in its own dialect.
    fn understand(&self, body: &Value) -> Option<(Act, Map<String, Value>)> {
        let (method, params) = (body["method"].as_str(), &body["params"]);
        let typed = |message: &Value| {
            let kind = message["message_type"].as_str()?.to_owned();
            Some((kind, message.as_object()?.clone()))
        };
        let (name, message) = match self.manner.carrier {
            Method => (method?.to_owned(), params.as_object()?.clone()),
            Tool if method == Some("tools/call") => {
                (params["name"].as_str()?.to_owned(), params["arguments"].as_object()?.clone())
            }
            Wrapped(own) if method == Some(own) => typed(&params["message"])?,
            Enveloped if method == Some("league.handle") => {
                let (name, mut message) = typed(&params["envelope"])?;
                message.extend(params["payload"].as_object()?.clone());
                (name, message)
            }
            Bare if method.is_none() => typed(body)?,
            Anywhere => {
                let places = [params, &params["message"], &params["arguments"], body];
                places.into_iter().find_map(typed)?
            }
            _ => return None,
        };
        let (_, act) = self.manner.names.iter().find(|(known, _)| *known == name)?;
        Some((*act, message))
    }

    /// What it says to that, with this number if it is asked for one.
    fn say(&self, act: Act, number: u8) -> Value {
        let parity = if number.is_multiple_of(2) { "even" } else { "odd" };
        match (act, self.manner.plays) {
            (Join, _) => serde_json::from_str(self.manner.joins).expect("JSON"),
            (Number, "move") => json!({ "success": true, "move": number }),
            (Number, _) => json!({ "move": { "number": number } }),
            (Parity, "choice") => json!({ "choice": parity }),
            (Parity, _) => json!({ "parity_choice": parity }),
            (Note, _) => json!({ "status": "ok" }),
        }
    }

    fn wrap(&self, id: &Value, act: Act, message: &Map<String, Value>, said: Value) -> Reply {
        let Value::Object(mut said) = said else { unreachable!("agents say objects") };
        let kind = match act {
            Join => "GAME_JOIN_ACK",
            // One call brings every move, whatever it is called.
            Number if self.manner.shape == Later => "CHOOSE_PARITY_RESPONSE",
            Number => "MOVE_RESPONSE",
            Parity => "CHOOSE_PARITY_RESPONSE",
            Note => "ACK",
        };
        let id_of = self.memory().player_id.clone();
        let player = id_of.or(message.get("player_id").and_then(Value::as_str).map(str::to_owned));
        let player = player.unwrap_or("P01".into());
        for name in ["protocol", "league_id", "match_id", "game_round", "conversation_id"] {
            if let Some(value) = message.get(name) {
                said.entry(name).or_insert(value.clone());
            }
        }
        let sender = format!("player:{player}");
        said.insert("message_type".into(), kind.into());
        said.insert("sender".into(), sender.into());
        said.insert("player_id".into(), player.into());
        said.insert("timestamp".into(), "20261115T100000Z".into());
        let result = match self.manner.shape {
            Flat => json!(said),
            Text => json!({ "content": [{ "type": "text", "text": json!(said).to_string() }] }),
            InEnvelope => json!({ "envelope": { "message_type": kind }, "payload": said }),
            Naked => return Reply::Json(200, json!(said)),
            AsRequest => {
                let method = kind.to_ascii_lowercase();
                return Reply::Json(
                    200,
                    json!({ "jsonrpc": "2.0", "id": 4711,
                    "method": method, "params": said }),
                );
            }
            Later if act != Note => {
                self.call_back(kind, message, said);
                json!({ "status": "received" })
            }
            Later => json!({ "status": "ok" }),
        };
        Reply::Json(200, json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }

    fn call_back(&self, kind: &str, message: &Map<String, Value>, mut said: Map<String, Value>) {
        let method =
            if kind == "CHOOSE_PARITY_RESPONSE" { "receive_parity_response" } else { kind };
        let memory = self.memory();
        let named = message.get("referee_endpoint").and_then(Value::as_str).map(str::to_owned);
        let Some(referee) = named.or(memory.referee.clone()) else { return };
        said.insert("auth_token".into(), memory.token.clone().into());
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": said });
        let call = self.http.post(referee).json(&body).send();
        tokio::spawn(call);
    }
}
