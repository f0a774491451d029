//! The answers of a player: to MCP's own methods, to its two tools, and to messages of the league
//! in whichever shape they come.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::{ConnectInfo, State},
    http::{HeaderMap, Request, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{
    LeaguePlayer,
    answers::{LONGEST_WAIT, STATE, resources, state_read, tools, welcome},
    memory::{Choice, ChoiceAsked, Decision, offered},
};
use crate::{
    league::{
        programs::strategy::Strategy,
        wire::{
            Fields,
            client::{MAX_BODY, parse},
            contents::{Joined, MovePlayed, MoveResponse, ParityResponse, written},
            errors::{BadJson, Misread},
            message::{Message, Version, new_conversation},
            reading::{Parsed, hear, hear_body},
            rpc::{self, RpcError},
            timestamp,
        },
    },
    mcp::envelope::failure,
    store::now,
};

/// As JSON-RPC numbers it.
const UNKNOWN_METHOD: i64 = -32601;
/// The time for a move if the referee does not say.
const TIME_LIMIT: Duration = Duration::from_secs(30);
const ELSEWHERE: &str =
    "make_move and get_my_state answer the player's own machine only; call localhost there.";
const LONGEST_LIMIT: Duration = Duration::from_secs(600);

pub fn router(player: Arc<LeaguePlayer>) -> Router {
    Router::new().route("/mcp", post(answer)).with_state(player)
}

async fn answer(
    State(player): State<Arc<LeaguePlayer>>,
    ConnectInfo(caller): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    request: Request<Body>,
) -> Response {
    let Ok(body) = to_bytes(request.into_body(), MAX_BODY).await else {
        let why = "the body is larger than 256 kB, or was cut off";
        return failure(StatusCode::PAYLOAD_TOO_LARGE, -32600, why);
    };
    let body = match parse(&body) {
        Ok(body) => body,
        Err(BadJson::Invalid) => {
            return failure(StatusCode::BAD_REQUEST, -32700, "the body is not JSON");
        }
        Err(BadJson::TooDeep) => {
            return failure(StatusCode::BAD_REQUEST, -32600, "the body is nested too deeply");
        }
    };
    if !body.is_object() {
        let why = "post one message at a time, as an object";
        return failure(StatusCode::BAD_REQUEST, -32600, why);
    }
    let method = body["method"].as_str();
    let is_answer = method.is_none() && (body.get("result").or(body.get("error"))).is_some();
    if is_answer || method.is_some_and(|method| method.starts_with("notifications/")) {
        return StatusCode::ACCEPTED.into_response();
    }
    match player.reply(&body, caller.ip().to_canonical().is_loopback()).await {
        Ok(reply) => Json(reply).into_response(),
        Err(error) => {
            let handshake = ["mcp-session-id", "mcp-protocol-version"];
            let plain = handshake.iter().all(|name| !headers.contains_key(*name));
            let is_unknown = error.code == UNKNOWN_METHOD && plain;
            let status = if is_unknown { StatusCode::NOT_FOUND } else { StatusCode::OK };
            (status, Json(rpc::refusal(&body["id"], &error))).into_response()
        }
    }
}

impl LeaguePlayer {
    /// The body that answers `body`, or the error in it. Its own tools and state are for callers on
    /// this machine: they ask for no token, and with --strategy mcp they play.
    async fn reply(&self, body: &Value, is_here: bool) -> Result<Value, RpcError> {
        let params = &body["params"];
        let tool = params["name"].as_str();
        let result = match (body["method"].as_str(), tool) {
            (Some("initialize"), _) => welcome(params["protocolVersion"].as_str()),
            (Some("ping"), _) => json!({}),
            (Some("tools/list"), _) => tools(),
            (Some("tools/call"), Some("make_move" | "get_my_state" | "get_player_state"))
                if !is_here =>
            {
                rpc::tool_refusal(ELSEWHERE)
            }
            (Some("resources/read"), _) if !is_here => {
                return Err(RpcError::plain(-32002, ELSEWHERE));
            }
            (Some("tools/call"), Some("make_move")) => self.make_move(&params["arguments"]),
            (Some("tools/call"), Some("get_my_state" | "get_player_state")) => {
                self.my_state(&params["arguments"]).await
            }
            (Some("resources/list"), _) => resources(),
            (Some("resources/templates/list"), _) => json!({ "resourceTemplates": [] }),
            (Some("prompts/list"), _) => json!({ "prompts": [] }),
            (Some("resources/read"), _) => match params["uri"].as_str() {
                Some(STATE) => state_read(&self.state()),
                _ => return Err(RpcError::plain(-32002, "there is only player://state")),
            },
            (Some(method), _) => {
                return self.hear(hear(method, params.clone()), &body["id"]).await;
            }
            (None, _) => return self.hear(hear_body(body.clone()), &body["id"]).await,
        };
        Ok(rpc::answer(&body["id"], result))
    }

    async fn hear(&self, parsed: Result<Parsed, Misread>, id: &Value) -> Result<Value, RpcError> {
        let parsed = parsed.map_err(|why| why.error())?;
        // A league that gave us our place back tells our token here.
        if let Some(token) = parsed.word("auth_token").filter(|token| !token.is_empty()) {
            self.memory().token.get_or_insert_with(|| token.to_owned());
        }
        let (message, own) = match parsed.message {
            Message::MoveRequest | Message::MoveCall | Message::ParityCall => {
                self.play(&parsed).await?
            }
            Message::GameStart | Message::GameInvitation => {
                self.memory().learn(&parsed);
                let arrival_timestamp = timestamp::now();
                let joined = Joined { accept: true, status: "ACCEPTED", arrival_timestamp };
                (Message::JoinAck, written(&joined))
            }
            Message::RegisterReferee
            | Message::RegisterPlayer
            | Message::MatchReport
            | Message::LeagueQuery => {
                return Err(Misread::Unknown(parsed.message.name().into()).error());
            }
            message => {
                self.memory().learn(&parsed);
                (message, written(&json!({ "status": "ACK" })))
            }
        };
        Ok(parsed.answer(id, self.say(&parsed, message, own)))
    }

    /// Decides, or waits for whoever does. No move in time is an error, and no guess.
    async fn play(&self, parsed: &Parsed) -> Result<(Message, Fields), RpcError> {
        let game = game_of(parsed);
        let decision = self.memory().decide(parsed, game, &self.strategy, self.seed);
        self.asked.send_modify(|count| *count += 1);
        let made = match decision {
            Decision::Made(choice) => Some(choice),
            Decision::Awaited(mut choice) => {
                let made = timeout(time_limit(parsed), choice.wait_for(Option::is_some)).await;
                made.ok().and_then(Result::ok).and_then(|made| made.clone())
            }
        };
        match made {
            Some(Choice::Number(number)) => {
                // One dialect has the number itself here.
                let simple = parsed.name == "protocol/message";
                let played =
                    if simple { MovePlayed::Bare(number) } else { MovePlayed::Number(number) };
                Ok((Message::MoveResponse, written(&MoveResponse { success: true, played })))
            }
            Some(Choice::Parity(parity)) => {
                let own = ParityResponse { success: true, parity_choice: parity.name() };
                Ok((Message::ParityResponse, written(&own)))
            }
            Some(Choice::Move(text)) if parsed.message == Message::MoveCall => {
                let move_type = parsed.word("move_request.move_type");
                let own = json!({ "move_data": { "move_type": move_type, "move": text } });
                Ok((Message::MoveCallResponse, written(&own)))
            }
            Some(Choice::Move(text)) => {
                let own = MoveResponse { success: true, played: MovePlayed::Text(text) };
                Ok((Message::MoveResponse, written(&own)))
            }
            None => Err(RpcError::plain(-32000, "nobody called make_move in time")),
        }
    }

    /// A whole message in answer to `heard`: its version, its conversation, its match.
    fn say(&self, parsed: &Parsed, message: Message, mut fields: Fields) -> Fields {
        for name in ["league_id", "round_id", "match_id", "game_round"] {
            if let Some(value) = parsed.get(name) {
                fields.insert(name.into(), value.clone());
            }
        }
        let version = parsed.version.unwrap_or(self.dialect.version());
        let memory = self.memory();
        let id = memory.player_id.as_deref().or(parsed.word("player_id"));
        fields.insert("player_id".into(), id.into());
        if let Some(token) = memory.token.as_deref().filter(|_| version == Version::V2) {
            fields.insert("auth_token".into(), token.into());
        }
        let sender = format!("player:{}", id.unwrap_or(&self.name));
        let conversation =
            parsed.word("conversation_id").map_or_else(new_conversation, str::to_owned);
        message.write(version, &sender, &conversation, fields)
    }

    fn make_move(&self, arguments: &Value) -> Value {
        let number = match arguments["number"].as_u64() {
            Some(number @ 1..=5) => number as u8,
            _ => {
                let why = "number must be a whole number from 1 to 5. Call make_move again.";
                return rpc::tool_refusal(why);
            }
        };
        if self.strategy != Strategy::Wait {
            return rpc::tool_refusal(&format!(
                "This player decides by itself ({}). Start it with --strategy mcp to decide.",
                self.strategy
            ));
        }
        match self.memory().choose(number, arguments["match_id"].as_str()) {
            Some((match_id, played)) => {
                let moved = json!({ "status": "ok", "match_id": match_id, "move": played });
                rpc::tool_result(&written(&moved))
            }
            None => rpc::tool_refusal(
                "No move is asked for now. Call get_my_state with wait_seconds: 20; it answers \
                 when one is.",
            ),
        }
    }

    /// At once, or when a move is asked for.
    async fn my_state(&self, arguments: &Value) -> Value {
        let wait = arguments["wait_seconds"].as_u64().unwrap_or(0).min(LONGEST_WAIT);
        let mut asked = self.asked.subscribe();
        let waited = async {
            while self.state()["moves_asked"].as_array().is_none_or(Vec::is_empty) {
                if asked.changed().await.is_err() {
                    return;
                }
            }
        };
        // The answer is the state by then, either way.
        let _ = timeout(Duration::from_secs(wait), waited).await;
        rpc::tool_result(&written(&self.state()))
    }

    fn state(&self) -> Value {
        self.memory().state(&self.name, &self.strategy)
    }
}

fn game_of(parsed: &Parsed) -> ChoiceAsked {
    let options = offered(parsed);
    let says_parity = options.iter().any(|option| option == "even");
    match parsed.message {
        Message::MoveRequest | Message::MoveCall if !says_parity => match options.as_slice() {
            [] => ChoiceAsked::Fingers,
            _ => ChoiceAsked::Offered,
        },
        _ => ChoiceAsked::Parity,
    }
}

/// How long the one who decides may take, with something left for the way back. A deadline that
/// has passed was set by another clock.
fn time_limit(parsed: &Parsed) -> Duration {
    let seconds = parsed.get("time_limit_seconds").and_then(Value::as_f64);
    let seconds = seconds.filter(|seconds| *seconds > 0.0).map(|s| s.min(600.0));
    let deadline = parsed.word("deadline").and_then(|text| timestamp::read(text).ok());
    let left = deadline.and_then(|at| u64::try_from(at - now()).ok()).filter(|left| *left > 0);
    let limit = match (seconds, left) {
        (Some(seconds), _) => Duration::from_secs_f64(seconds),
        (None, Some(left)) => Duration::from_millis(left),
        (None, None) => TIME_LIMIT,
    };
    limit.min(LONGEST_LIMIT).mul_f64(0.95)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::league::wire::dialect::Dialect;

    #[tokio::test]
    async fn other_machines_may_ask_for_moves_but_not_make_them() {
        let player = LeaguePlayer::new("Alpha", Strategy::Wait, Some(1), Dialect::S1);
        let ask = async |method: &str, params: Value, is_here| {
            let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            player.reply(&call, is_here).await
        };
        for tool in ["make_move", "get_my_state"] {
            let call = json!({ "name": tool, "arguments": { "number": 3 } });
            let said = ask("tools/call", call.clone(), false).await.unwrap().to_string();
            assert!(said.contains("own machine only"), "{said}");
            let said = ask("tools/call", call, true).await.unwrap().to_string();
            assert!(!said.contains("own machine only"), "{said}");
        }
        assert!(ask("resources/read", json!({ "uri": STATE }), false).await.is_err());
        let start = json!({ "match_id": "R1M1", "your_role": "ODD" });
        assert!(ask("GAME_START", start, false).await.is_ok());
    }
}
