//! `agon league check --strict`: a row for every field and rule of the documents, with what came and
//! what the document says. In play we are lenient; here is where strictness helps.

use rules::short;
use serde_json::{Value, json};

use super::{
    PlayerCheck, Probe, ReportPrinter,
    script::{CheckedGame, MATCH, PLAYER, right_joining, right_moving},
};
use crate::league::{
    programs::player::answers::{capabilities, tools, welcome},
    wire::{
        client::AgentReply,
        clock::Clock,
        errors::Misread,
        message::Message,
        rpc::{self, RpcError},
        timestamp,
    },
};

/// A rule for one field, and the document's words for it.
struct Rule {
    path: &'static str,
    says: &'static str,
    holds: fn(&Value, &Value) -> bool,
}

const fn rule(path: &'static str, says: &'static str, holds: fn(&Value, &Value) -> bool) -> Rule {
    Rule { path, says, holds }
}

fn is_text(value: &Value, _: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

fn is_moment(value: &Value, _: &Value) -> bool {
    value.as_str().is_some_and(|text| timestamp::read(text).is_ok())
}

fn is_utc(value: &Value, asked: &Value) -> bool {
    let utc = |text: &str| text.ends_with('Z') || text.ends_with("+00:00");
    is_moment(value, asked) && value.as_str().is_some_and(utc)
}

/// Whether the answer repeats a field of the question.
fn repeats(name: &'static str, value: &Value, asked: &Value) -> bool {
    *value == asked[name] && !value.is_null()
}

const SENDER: &str = "\"player:{id}\", with the id that was given";

#[rustfmt::skip]
const ENVELOPE_V1: &[Rule] = &[
    rule("protocol", "must be \"league.v1\"", |v, _| v == "league.v1"),
    rule("league_id", "the league's id, as in the question", |v, a| repeats("league_id", v, a)),
    rule("round_id", "an integer, as in the question", |v, a| repeats("round_id", v, a)),
    rule("match_id", "as in the question", |v, a| repeats("match_id", v, a)),
    rule("conversation_id", "as in the question", |v, a| repeats("conversation_id", v, a)),
    rule("sender", SENDER, |v, _| *v == format!("player:{PLAYER}")),
    rule("timestamp", "ISO-8601", is_moment),
];

#[rustfmt::skip]
const MOVE_V1: &[Rule] = &[
    rule("message_type", "\"MOVE_RESPONSE\"", |v, _| v == "MOVE_RESPONSE"),
    rule("game_round", "an integer, as in the question", |v, a| repeats("game_round", v, a)),
    rule("move.number", "an integer, 1-5 inclusive",
        |v, _| v.as_u64().is_some_and(|n| (1..=5).contains(&n))),
];

#[rustfmt::skip]
const ENVELOPE_V2: &[Rule] = &[
    rule("protocol", "must be \"league.v2\"", |v, _| v == "league.v2"),
    rule("conversation_id", "as in the question", |v, a| repeats("conversation_id", v, a)),
    rule("sender", SENDER, |v, _| *v == format!("player:{PLAYER}")),
    rule("timestamp", "ISO-8601, UTC only: Z or +00:00", is_utc),
    rule("match_id", "as in the question", |v, a| repeats("match_id", v, a)),
    rule("player_id", "the id that was given", |v, _| v == PLAYER),
];

#[rustfmt::skip]
const JOIN_V2: &[Rule] = &[
    rule("message_type", "\"GAME_JOIN_ACK\", within 5 seconds", |v, _| v == "GAME_JOIN_ACK"),
    rule("arrival_timestamp", "ISO-8601", is_moment),
    rule("accept", "a boolean", |v, _| v.is_boolean()),
];

#[rustfmt::skip]
const MOVE_V2: &[Rule] = &[
    rule("message_type", "\"CHOOSE_PARITY_RESPONSE\", within 30 seconds",
        |v, _| v == "CHOOSE_PARITY_RESPONSE"),
    rule("parity_choice", "exactly \"even\" or \"odd\"", |v, _| v == "even" || v == "odd"),
];

#[rustfmt::skip]
const WELCOME: &[Rule] = &[
    rule("protocolVersion", "the version of MCP it speaks", is_text),
    rule("capabilities", "an object", |v, _| v.is_object()),
    rule("serverInfo.name", "its name", is_text),
    rule("serverInfo.version", "its version", is_text),
];

/// How the rows came out.
pub struct Rows {
    report: ReportPrinter,
    pub all: usize,
    pub broken: usize,
}

impl Rows {
    fn row(&mut self, probe: &Probe, what: &str, came: &str, says: &str, holds: bool) {
        self.all += 1;
        self.broken += usize::from(!holds);
        let text = format!("{what}: {came}; the document says: {says}");
        if holds {
            self.report.good(text);
        } else {
            self.report.fail(text, probe);
        }
    }

    fn rules(
        &mut self,
        probe: &Probe,
        message: &str,
        rules: &[Rule],
        answer: &Value,
        asked: &Value,
    ) {
        for rule in rules {
            let pointer = format!("/{}", rule.path.replace('.', "/"));
            let value = answer.pointer(&pointer).unwrap_or(&Value::Null);
            let came = match value {
                Value::Null => "nothing came".to_owned(),
                value => format!("{} came", short(&value.to_string())),
            };
            let what = format!("{message}.{}", rule.path);
            self.row(probe, &what, &came, rule.says, (rule.holds)(value, asked));
        }
    }

    /// The rules of JSON-RPC and HTTP for any answer.
    fn carrier(&mut self, probe: &Probe, message: &str, reply: &AgentReply, id: u64) {
        let body = &reply.body;
        let came = |value: &Value| format!("{} came", short(&value.to_string()));
        self.row(
            probe,
            &format!("{message} HTTP"),
            &format!("{} came", reply.status),
            "200",
            reply.status == 200,
        );
        let version = &body["jsonrpc"];
        let is_right = version == "2.0";
        self.row(probe, &format!("{message} jsonrpc"), &came(version), "\"2.0\"", is_right);
        let (found, is_right) = (came(&body["id"]), body["id"] == id);
        self.row(probe, &format!("{message} id"), &found, "the request's", is_right);
        let result = &body["result"];
        self.row(
            probe,
            &format!("{message} result"),
            if result.is_object() { "an object came" } else { "none came" },
            "the message, as an object",
            result.is_object(),
        );
    }
}

impl PlayerCheck {
    /// Every row of the documents for these games.
    pub async fn strictly(&self, only: Option<CheckedGame>) -> Rows {
        let mut rows = Rows { report: self.report.clone(), all: 0, broken: 0 };
        self.tools(&mut rows).await;
        for game in [CheckedGame::EvenOdd, CheckedGame::Parity] {
            if only.is_none_or(|only| only == game) {
                self.report.say("", format!("{}, to the letter:", game.name()));
                self.messages(game, &mut rows).await;
            }
        }
        self.errors(&mut rows).await;
        rows
    }

    async fn post(&self, body: &Value) -> Option<AgentReply> {
        self.post.call(&self.endpoint, None, body, &Clock::of(self.limit)).await.ok()
    }

    async fn tools(&self, rows: &mut Rows) {
        self.report.say("", "MCP, to the letter:");
        let hello = rpc::initialize(1, "2024-11-05", capabilities());
        let welcomed = self.post(&hello).await.map_or(Value::Null, |reply| reply.body);
        let probe = Probe::new(&hello, rpc::answer(&1.into(), welcome(Some("2024-11-05"))));
        rows.rules(&probe, "initialize", WELCOME, &welcomed["result"], &Value::Null);
        let list = rpc::call(2, "tools/list", json!({}));
        let listed = self.post(&list).await.map_or(Value::Null, |reply| reply.body);
        let found = listed["result"]["tools"].as_array().cloned().unwrap_or_default();
        let probe = Probe::new(&list, rpc::answer(&2.into(), tools()));
        for name in ["make_move", "get_my_state"] {
            let there = found.iter().any(|tool| tool["name"] == name);
            let came = if there { "it is listed" } else { "it is not listed" };
            rows.row(&probe, &format!("tools/list {name}"), came, "a tool of every player", there);
        }
    }

    async fn messages(&self, game: CheckedGame, rows: &mut Rows) {
        let (envelope, own) = match game {
            CheckedGame::EvenOdd => (ENVELOPE_V1, MOVE_V1),
            CheckedGame::Parity => (ENVELOPE_V2, MOVE_V2),
        };
        let native = game.native();
        let (message, fields) = game.invitation(self);
        let body = native.request(101, message, fields.clone());
        let probe = Probe::new(&body, rpc::answer(&101.into(), right_joining(&fields)));
        let asked = Value::Object(fields);
        match self.post(&body).await {
            Some(reply) if game == CheckedGame::Parity => {
                rows.carrier(&probe, "GAME_JOIN_ACK", &reply, 101);
                rows.rules(&probe, "GAME_JOIN_ACK", envelope, &reply.body["result"], &asked);
                rows.rules(&probe, "GAME_JOIN_ACK", JOIN_V2, &reply.body["result"], &asked);
            }
            Some(reply) => rows.carrier(&probe, "answer to GAME_START", &reply, 101),
            None => rows.row(&probe, message.name(), "no answer came", "an answer", false),
        }
        let (message, fields) = game.question(self, MATCH, 1);
        let body = native.request(102, message, fields.clone());
        let probe = Probe::new(&body, rpc::answer(&102.into(), right_moving(game, &fields)));
        let (asked, name) = (Value::Object(fields), game.answered_by().name());
        match self.post(&body).await {
            Some(reply) => {
                rows.carrier(&probe, name, &reply, 102);
                rows.rules(&probe, name, envelope, &reply.body["result"], &asked);
                rows.rules(&probe, name, own, &reply.body["result"], &asked);
            }
            None => rows.row(&probe, name, "no answer came", "an answer in time", false),
        }
        for (message, fields) in game.results(self) {
            let body = native.request(103, message, fields);
            let right = rpc::answer(&103.into(), json!({ "status": "ACK" }));
            let parsed = self.post(&body).await;
            let came = if parsed.is_some() { "it answered" } else { "no answer came" };
            let says = "an answer, whatever it says";
            rows.row(&Probe::new(&body, right), message.name(), came, says, parsed.is_some());
        }
    }

    async fn errors(&self, rows: &mut Rows) {
        self.report.say("", "Errors, to the letter:");
        let native = CheckedGame::EvenOdd.native();
        let unknown = rpc::call(9, "no_such_method", json!({}));
        let (message, mut fields) = CheckedGame::EvenOdd.question(self, "R8M8", 1);
        fields.insert("protocol".into(), "league.v9".into());
        let version = native.request(10, message, fields);
        let mut bare = CheckedGame::EvenOdd.question(self, "R8M8", 1).1;
        bare.remove("match_id");
        let bare = native.request(11, Message::MoveRequest, bare);
        let garbled = RpcError::plain(-32700, "Parse error");
        let not_known = RpcError::plain(-32601, "Method not found");
        for (what, body, id, right, status) in [
            ("invalid JSON", "{ this is".to_owned(), Value::Null, garbled, Some(400)),
            ("an unknown method", unknown.to_string(), 9.into(), not_known, Some(404)),
            (
                "protocol league.v9",
                version.to_string(),
                10.into(),
                Misread::Version("league.v9".into()).error(),
                None,
            ),
            (
                "a message without match_id",
                bare.to_string(),
                11.into(),
                Misread::Missing("match_id".into()).error(),
                None,
            ),
        ] {
            let probe =
                Probe { body: body.clone(), session: None, right: rpc::refusal(&id, &right) };
            let clock = Clock::of(self.limit);
            let Ok(reply) = self.post.send(&self.endpoint, None, body, &clock).await else {
                rows.row(&probe, what, "no answer came", "an error", false);
                continue;
            };
            let found = reply.body["error"]["code"].as_i64();
            let came =
                format!("HTTP {} and error {:?} came", reply.status, found.unwrap_or_default());
            let says = status.map_or("an error".to_owned(), |status| {
                format!("HTTP {status} and error {}", right.code)
            });
            let holds = found.is_some()
                && status.is_none_or(|status| reply.status == status && found == Some(right.code));
            rows.row(&probe, what, &came, &says, holds);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::league::wire::{
        callbacks::Callbacks,
        client::AgentClient,
        endpoint::{AllowedAddresses, Endpoint},
    };

    #[tokio::test]
    async fn the_answers_that_are_said_to_be_right_are() {
        let (policy, url) = (AllowedAddresses::trusting(), "http://127.0.0.1:9/mcp".to_owned());
        let check = PlayerCheck {
            post: AgentClient::new(&policy),
            endpoint: Endpoint::check(&url, &policy).await.expect("an endpoint"),
            callbacks: Callbacks::default(),
            referee: url.clone(),
            league: "check".into(),
            join: Duration::from_secs(5),
            limit: Duration::from_secs(30),
            report: ReportPrinter { json: false, url },
        };
        let holds = |rules: &[Rule], answer: &Value, asked: &Value| {
            for rule in rules {
                let value = answer.pointer(&format!("/{}", rule.path.replace('.', "/")));
                let value = value.unwrap_or(&Value::Null);
                assert!((rule.holds)(value, asked), "{} in {answer}", rule.path);
            }
        };
        for (game, envelope, own) in [
            (CheckedGame::EvenOdd, ENVELOPE_V1, MOVE_V1),
            (CheckedGame::Parity, ENVELOPE_V2, MOVE_V2),
        ] {
            let (_, asked) = game.question(&check, MATCH, 2);
            let right = right_moving(game, &asked);
            assert!(game.judge(&right, MATCH, 2).is_ok(), "{right:?}");
            let (asked, right) = (Value::Object(asked), Value::Object(right));
            holds(envelope, &right, &asked);
            holds(own, &right, &asked);
        }
        let (_, asked) = CheckedGame::Parity.invitation(&check);
        let (right, asked) = (Value::Object(right_joining(&asked)), Value::Object(asked));
        holds(ENVELOPE_V2, &right, &asked);
        holds(JOIN_V2, &right, &asked);
        holds(WELCOME, &welcome(None), &Value::Null);
    }
}
