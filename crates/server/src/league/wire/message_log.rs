//! A bounded log of the messages to and from one agent, without secrets, and of the referee's notes.
//!
//! Its owner moves new entries from here to the store.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use ts_rs::TS;

use super::{client::AgentReply, errors::NoAnswer};
use crate::store::{Millis, now};

/// A message is cut after `LONGEST` characters. A match keeps `MOST` messages and `MOST` notes of each
/// player, with separate limits, so that messages never crowd out the reason why a player lost.
const LONGEST: usize = 4000;
const MOST: usize = 200;
/// The note that stands where messages were left out. It does not count as a failure.
pub const CUT: &str = "more was said, which is not kept";

const HIDDEN: &str = "(hidden)";
const SECRETS: [&str; 4] = ["auth_token", "operator_token", "invite_code", "token"];

/// One message or note of the referee.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogEntry {
    pub at: Millis,
    #[serde(flatten)]
    pub said: Said,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// A message that we sent.
    Sent(String),
    /// An answer, or a call that the agent made.
    Received(String),
    /// A call that the agent made and we refused, with the reason.
    Refused { said: String, why: String },
    /// A note of the referee.
    Note(String),
}

/// The messages to and from one agent. Clones share one log.
#[derive(Clone)]
pub struct MessageLog {
    /// Hidden wherever it occurs in a message.
    token: Option<String>,
    pages: Arc<Mutex<Pages>>,
}

#[derive(Default)]
struct Pages {
    new: Vec<LogEntry>,
    messages: usize,
    notes: usize,
    failed: bool,
}

impl MessageLog {
    pub fn new(token: Option<String>) -> MessageLog {
        MessageLog { token, pages: Arc::default() }
    }

    pub fn sent(&self, body: &Value) {
        self.write(Said::Sent(self.hide(body)));
    }

    /// Hides bodies that are no league answer: an endpoint could point at a private service.
    pub fn received(&self, reply: &Result<AgentReply, NoAnswer>) {
        let said = match reply {
            Ok(reply) if reply.body.is_null() => format!("HTTP {}, nothing", reply.status),
            Ok(reply) if is_answer(&reply.body) => {
                format!("HTTP {} {}", reply.status, self.hide(&reply.body))
            }
            Ok(reply) => format!("HTTP {}, JSON that is no answer", reply.status),
            Err(why) => why.to_string(),
        };
        self.write(Said::Received(said));
    }

    /// Logs a call that the agent made.
    pub fn delivered(&self, what: &str, fields: &Map<String, Value>) {
        let body = self.hide(&Value::Object(fields.clone()));
        self.write(Said::Received(format!("{what} {body}")));
    }

    /// Logs a call that the agent made and we refused, with the reason.
    pub fn refused(&self, what: &str, fields: &Map<String, Value>, why: &str) {
        let body = self.hide(&Value::Object(fields.clone()));
        let said = format!("{what} {body}");
        self.write(Said::Refused { said, why: self.bounded(why.to_owned()) });
    }

    /// Logs why this player failed.
    pub fn note(&self, why: String) {
        self.pages().failed = true;
        self.write(Said::Note(why));
    }

    fn write(&self, said: Said) {
        let mut pages = self.pages();
        let is_note = matches!(said, Said::Note(_));
        let count = if is_note { &mut pages.notes } else { &mut pages.messages };
        *count += 1;
        let said = match *count {
            ..=MOST => said,
            n if n == MOST + 1 => Said::Note(CUT.into()),
            _ => return,
        };
        pages.new.push(LogEntry { at: now(), said });
    }

    fn pages(&self) -> std::sync::MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hide(&self, body: &Value) -> String {
        self.bounded(serde_json::to_string(&Discreet::Told(body)).expect("JSON can be written"))
    }

    /// Hides the token and cuts long text.
    fn bounded(&self, mut text: String) -> String {
        if let Some(token) = self.token.as_ref().filter(|token| text.contains(token.as_str())) {
            text = text.replace(token.as_str(), HIDDEN);
        }
        if let Some((end, _)) = text.char_indices().nth(LONGEST) {
            let whole = text.len();
            text.truncate(end);
            text += &format!("… ({whole} bytes)");
        }
        text
    }

    /// Takes the entries that were added since the last call.
    pub fn take(&self) -> Vec<LogEntry> {
        std::mem::take(&mut self.pages().new)
    }

    /// Whether a failure was logged.
    pub fn has_failed(&self) -> bool {
        self.pages().failed
    }
}

fn is_answer(body: &Value) -> bool {
    let known = ["jsonrpc", "result", "error", "message_type", "status", "move", "parity_choice"];
    known.iter().any(|name| body.get(name).is_some())
}

/// JSON that serializes without its secrets.
enum Discreet<'a> {
    Told(&'a Value),
    Hidden,
}

impl<'a> Discreet<'a> {
    fn field(name: &str, value: &'a Value) -> Discreet<'a> {
        let is_told = value.as_str().is_none_or(str::is_empty) || !SECRETS.contains(&name);
        if is_told { Discreet::Told(value) } else { Discreet::Hidden }
    }
}

impl Serialize for Discreet<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Discreet::Hidden => serializer.serialize_str(HIDDEN),
            Discreet::Told(Value::Object(fields)) => serializer.collect_map(
                fields.iter().map(|(name, value)| (name, Discreet::field(name, value))),
            ),
            Discreet::Told(Value::Array(items)) => {
                serializer.collect_seq(items.iter().map(Discreet::Told))
            }
            Discreet::Told(plain) => plain.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reason_is_kept_where_the_log_is_cut() {
        let log = MessageLog::new(None);
        (0..MOST + 5).for_each(|n| log.sent(&json!(n)));
        log.note("it did not come".into());
        let kept = log.take();
        let last: Vec<_> = kept[MOST..].iter().map(|entry| &entry.said).collect();
        assert_eq!(last, [&Said::Note(CUT.into()), &Said::Note("it did not come".into())]);
    }

    #[test]
    fn secrets_are_hidden_wherever_they_are() {
        let body = json!({ "auth_token": "a", "params": [{ "token": "b", "auth_token": "" }],
            "operator_token": null, "match_id": "R1M1", "said": "my token is c-7" });
        let expected = json!({ "auth_token": HIDDEN,
            "params": [{ "token": HIDDEN, "auth_token": "" }],
            "operator_token": null, "match_id": "R1M1", "said": format!("my token is {HIDDEN}") });
        assert_eq!(MessageLog::new(Some("c-7".into())).hide(&body), expected.to_string());
    }
}
