//! `agon league check --strict`: a row for every field and rule of the documents, with what came and
//! what the document says. In play we are lenient; here is where strictness helps.

use serde_json::Value;

use super::{
    PlayerCheck, ReportPrinter,
    script::{CheckedGame, MATCH, PLAYER},
};
use crate::league::wire::{
    clock::Clock,
    message::Message,
    post::PostReply,
    reading::short,
    rpc::{self, Capabilities, Empty, Initialize},
    timestamp,
};

/// What is asked of one field, and in whose words.
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

/// The same as in the question.
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
    fn row(&mut self, what: &str, came: &str, says: &str, holds: bool) {
        self.all += 1;
        self.broken += usize::from(!holds);
        let mark = if holds { "ok" } else { "FAIL" };
        self.report.say(mark, format!("{what}: {came}; the document says: {says}"));
    }

    fn rules(&mut self, message: &str, rules: &[Rule], answer: &Value, asked: &Value) {
        for rule in rules {
            let pointer = format!("/{}", rule.path.replace('.', "/"));
            let value = answer.pointer(&pointer).unwrap_or(&Value::Null);
            let came = match value {
                Value::Null => "nothing came".to_owned(),
                value => format!("{} came", short(&value.to_string())),
            };
            let what = format!("{message}.{}", rule.path);
            self.row(&what, &came, rule.says, (rule.holds)(value, asked));
        }
    }

    /// What JSON-RPC and HTTP ask of any answer.
    fn carrier(&mut self, message: &str, reply: &PostReply, id: u64) {
        let body = &reply.body;
        let came = |value: &Value| format!("{} came", short(&value.to_string()));
        self.row(
            &format!("{message} HTTP"),
            &format!("{} came", reply.status),
            "200",
            reply.status == 200,
        );
        let version = &body["jsonrpc"];
        self.row(&format!("{message} jsonrpc"), &came(version), "\"2.0\"", version == "2.0");
        self.row(&format!("{message} id"), &came(&body["id"]), "the request's", body["id"] == id);
        let result = &body["result"];
        self.row(
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
        let mut rows = Rows { report: self.report, all: 0, broken: 0 };
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

    async fn post(&self, body: &Value) -> Option<PostReply> {
        self.post.call(&self.endpoint, None, body, &Clock::of(self.limit)).await.ok()
    }

    async fn tools(&self, rows: &mut Rows) {
        self.report.say("", "MCP, to the letter:");
        let hello = Initialize::with("2024-11-05", Capabilities::PLAIN);
        let hello = rpc::call(1, "initialize", hello);
        let welcome = self.post(&hello).await.map_or(Value::Null, |reply| reply.body);
        rows.rules("initialize", WELCOME, &welcome["result"], &Value::Null);
        let list = rpc::call(2, "tools/list", Empty {});
        let listed = self.post(&list).await.map_or(Value::Null, |reply| reply.body);
        let tools = listed["result"]["tools"].as_array().cloned().unwrap_or_default();
        for name in ["make_move", "get_my_state"] {
            let there = tools.iter().any(|tool| tool["name"] == name);
            let came = if there { "it is listed" } else { "it is not listed" };
            rows.row(&format!("tools/list {name}"), came, "a tool of every player", there);
        }
    }

    async fn messages(&self, game: CheckedGame, rows: &mut Rows) {
        let (envelope, native) = match game {
            CheckedGame::EvenOdd => (ENVELOPE_V1, game.native()),
            CheckedGame::Parity => (ENVELOPE_V2, game.native()),
        };
        let (message, fields) = game.invitation(self);
        let asked = Value::Object(fields.clone());
        match self.post(&native.request(101, message, fields)).await {
            Some(reply) if game == CheckedGame::Parity => {
                rows.carrier("GAME_JOIN_ACK", &reply, 101);
                rows.rules("GAME_JOIN_ACK", envelope, &reply.body["result"], &asked);
                rows.rules("GAME_JOIN_ACK", JOIN_V2, &reply.body["result"], &asked);
            }
            Some(reply) => rows.carrier("answer to GAME_START", &reply, 101),
            None => rows.row(message.name(), "no answer came", "an answer", false),
        }
        let (message, fields) = game.question(self, MATCH, 1);
        let asked = Value::Object(fields.clone());
        let own = if game == CheckedGame::EvenOdd { MOVE_V1 } else { MOVE_V2 };
        let name = game.answered_by().name();
        match self.post(&native.request(102, message, fields)).await {
            Some(reply) => {
                rows.carrier(name, &reply, 102);
                rows.rules(name, envelope, &reply.body["result"], &asked);
                rows.rules(name, own, &reply.body["result"], &asked);
            }
            None => rows.row(name, "no answer came", "an answer in time", false),
        }
        for (message, fields) in game.results(self) {
            let heard = self.post(&native.request(103, message, fields)).await;
            let came = if heard.is_some() { "it answered" } else { "no answer came" };
            rows.row(message.name(), came, "an answer, whatever it says", heard.is_some());
        }
    }

    async fn errors(&self, rows: &mut Rows) {
        self.report.say("", "Errors, to the letter:");
        let clock = Clock::of(self.join);
        let garbage = self.post.send(&self.endpoint, None, "{ this is".into(), &clock).await.ok();
        let unknown = self.post(&rpc::call(9, "no_such_method", Empty {})).await;
        let (message, mut fields) = CheckedGame::EvenOdd.question(self, "R8M8", 1);
        fields.insert("protocol".into(), "league.v9".into());
        let version = self.post(&CheckedGame::EvenOdd.native().request(10, message, fields)).await;
        let mut bare = CheckedGame::EvenOdd.question(self, "R8M8", 1).1;
        bare.remove("match_id");
        let missing =
            self.post(&CheckedGame::EvenOdd.native().request(11, Message::MoveRequest, bare)).await;
        for (what, reply, status, code) in [
            ("invalid JSON", garbage, Some(400), Some(-32700)),
            ("an unknown method", unknown, Some(404), Some(-32601)),
            ("protocol league.v9", version, None, None),
            ("a message without match_id", missing, None, None),
        ] {
            let Some(reply) = reply else {
                rows.row(what, "no answer came", "an error", false);
                continue;
            };
            let found = reply.body["error"]["code"].as_i64();
            let came =
                format!("HTTP {} and error {:?} came", reply.status, found.unwrap_or_default());
            let says = match (status, code) {
                (Some(status), Some(code)) => format!("HTTP {status} and error {code}"),
                _ => "an error".to_owned(),
            };
            let holds = found.is_some()
                && status.is_none_or(|status| reply.status == status)
                && code.is_none_or(|code| found == Some(code));
            rows.row(what, &came, &says, holds);
        }
    }
}
