//! Finding the message in a call, whichever way its author wrapped it, and answering in kind.
//!
//! Answers to our own calls are read in `answer`.

use std::str::FromStr;

use rules::{LONGEST_ID, quoted};
use serde_json::{Value, json};

use super::{
    Fields,
    errors::Misread,
    message::{Message, Version, at},
    rpc, timestamp,
};
use crate::store::Millis;

/// How a call was wrapped, and so how its answer is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A method's params are the message; its result is the answer.
    Flat,
    /// `tools/call`; the answer is text.
    Tool,
    /// In `params.message`; the result is the answer.
    Wrapped,
    /// In `params.envelope` and `params.payload`; so is the answer.
    Enveloped,
    /// No JSON-RPC around it, nor around the answer.
    Bare,
}

/// A parsed message.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub message: Message,
    /// The method or tool that carried it; empty for a bare body.
    pub name: String,
    pub shape: Shape,
    /// The protocol version that the message names.
    pub version: Option<Version>,
    /// The call's id is text, and not a number.
    pub text_id: bool,
    pub fields: Fields,
}

/// The message that a method or tool carries.
pub fn hear(name: &str, mut params: Value) -> Result<Parsed, Misread> {
    if name != "tools/call" {
        return hear_params(name, params, None);
    }
    let Some(tool) = params["name"].as_str().map(str::to_owned) else {
        return Err(Misread::Missing("name".into()));
    };
    let arguments = params.get_mut("arguments").map(Value::take);
    hear_params(&tool, arguments.unwrap_or_else(|| Fields::new().into()), Some(Shape::Tool))
}

/// `shape` is how it was wrapped, where that is known without a look inside.
fn hear_params(name: &str, params: Value, shape: Option<Shape>) -> Result<Parsed, Misread> {
    let known = Message::named(name);
    let (fields, inside) = match params {
        Value::Object(params) => unwrap(params),
        Value::Null if shape.is_none() => (Fields::new(), Shape::Flat),
        _ if known.is_some() => return Err(Misread::NoMessage),
        _ => return Err(Misread::Unknown(quoted(name))),
    };
    understand(name, known, shape.unwrap_or(inside), fields)
}

/// The message that the arguments of a tool are.
pub fn hear_arguments(tool: &str, arguments: Fields) -> Result<Parsed, Misread> {
    understand(tool, Message::named(tool), Shape::Tool, unwrap(arguments).0)
}

/// The message that a whole HTTP body is, with or without JSON-RPC around it.
pub fn hear_body(body: Value) -> Result<Parsed, Misread> {
    let Value::Object(mut fields) = body else { return Err(Misread::NoMessage) };
    let Some(Value::String(method)) = fields.get_mut("method") else {
        return understand("", None, Shape::Bare, unwrap(fields).0);
    };
    let method = std::mem::take(method);
    let parsed = hear(&method, fields.remove("params").unwrap_or_default())?;
    Ok(Parsed { text_id: fields.get("id").is_some_and(Value::is_string), ..parsed })
}

fn understand(
    name: &str,
    known: Option<Message>,
    shape: Shape,
    fields: Fields,
) -> Result<Parsed, Misread> {
    let message = match at(&fields, "message_type") {
        Some(Value::String(kind)) => {
            Message::named(kind).or(known).ok_or_else(|| Misread::Unknown(quoted(kind)))?
        }
        Some(_) => return Err(Misread::wrong("message_type", "must be a string")),
        None if name.is_empty() => return Err(Misread::Missing("message_type".into())),
        None => known.ok_or_else(|| Misread::Unknown(quoted(name)))?,
    };
    let version = match at(&fields, "protocol") {
        Some(Value::String(protocol)) => Some(Version::from_str(protocol)?),
        Some(_) => return Err(Misread::wrong("protocol", "must be a string")),
        None => None,
    };
    // Answers repeat these.
    for name in ["league_id", "match_id", "conversation_id"] {
        if let Some(id) = at(&fields, name) {
            check_id(name, &id.to_string())?;
        }
    }
    Ok(Parsed { message, name: name.into(), shape, version, text_id: false, fields })
}

/// Refuses an id that is too long to repeat.
pub fn check_id(field: &str, id: &str) -> Result<(), Misread> {
    // Two more for quotation marks.
    if id.chars().count() <= LONGEST_ID + 2 {
        return Ok(());
    }
    Err(Misread::wrong(field, &format!("has more than {LONGEST_ID} characters")))
}

impl Parsed {
    pub fn get(&self, path: &str) -> Option<&Value> {
        at(&self.fields, path)
    }

    /// A field as text, for those who do not insist on it.
    pub fn word(&self, path: &str) -> Option<&str> {
        self.get(path)?.as_str()
    }

    /// A field that must be there and must be text.
    pub fn text(&self, path: &str) -> Result<&str, Misread> {
        let value = self.get(path).ok_or_else(|| Misread::Missing(path.into()))?;
        value.as_str().ok_or_else(|| Misread::wrong(path, "must be a string"))
    }

    /// When the sender says it was sent.
    pub fn sent_at(&self) -> Result<Millis, Misread> {
        let text = self.text("timestamp")?;
        timestamp::read(text)
            .map_err(|why| Misread::wrong("timestamp", &format!("is wrong: {why}")))
    }

    /// Refuses a message that lacks what its type promises, or was sent at no moment.
    pub fn complete(&self) -> Result<(), Misread> {
        if let Some(field) = self.message.missing_from(&self.fields).next() {
            return Err(Misread::Missing(field.into()));
        }
        self.sent_at().map(drop)
    }

    /// The HTTP body that answers this call, in the shape it came in.
    pub fn answer(&self, id: &Value, fields: Fields) -> Value {
        match self.shape {
            Shape::Bare => Value::Object(fields),
            Shape::Flat | Shape::Wrapped => rpc::answer(id, fields),
            Shape::Enveloped => rpc::answer(id, enveloped(fields)),
            Shape::Tool => rpc::answer(id, rpc::tool_result(&fields)),
        }
    }
}

#[rustfmt::skip]
const ENVELOPE: &[&str] = &[
    "protocol", "message_type", "sender", "timestamp", "conversation_id",
    "auth_token", "league_id", "round_id", "match_id", "player_id",
];

/// A message in two halves.
pub fn enveloped(fields: Fields) -> Value {
    let (envelope, payload): (Fields, Fields) =
        fields.into_iter().partition(|(name, _)| ENVELOPE.contains(&name.as_str()));
    json!({ "envelope": envelope, "payload": payload })
}

/// The message inside, and how it was wrapped.
pub fn unwrap(mut fields: Fields) -> (Fields, Shape) {
    if let Some(mut whole) = inside(&mut fields, "envelope") {
        whole.extend(inside(&mut fields, "payload").unwrap_or_default());
        return (whole, Shape::Enveloped);
    }
    if fields.contains_key("message_type") {
        return (fields, Shape::Flat);
    }
    if let Some(message) = inside(&mut fields, "message") {
        return (unwrap(message).0, Shape::Wrapped);
    }
    match inside(&mut fields, "arguments") {
        Some(arguments) => (unwrap(arguments).0, Shape::Flat),
        None => (fields, Shape::Flat),
    }
}

/// Takes out the message that is wrapped in a field.
fn inside(fields: &mut Fields, name: &str) -> Option<Fields> {
    match fields.get_mut(name)? {
        Value::Object(inner) => Some(std::mem::take(inner)),
        // Some write the message down before they wrap it.
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_is_found_wherever_it_is() {
        let check = |body: Value, expected: Result<(Message, Shape), (i64, Option<&str>)>| {
            let parsed = hear_body(body.clone());
            let found = parsed.as_ref().map(|parsed| (parsed.message, parsed.shape));
            let found = found.map_err(|why| (why.code(), why.field()));
            assert_eq!(found, expected, "{body}");
        };
        let call = |method: &str, params: Value| json!({ "method": method, "params": params });
        let message = json!({ "message_type": "GAME_OVER", "match_id": "R1M1" });
        check(call("GAME_OVER", json!({})), Ok((Message::GameOver, Shape::Flat)));
        check(json!({ "method": "game_end" }), Ok((Message::GameEnd, Shape::Flat)));
        check(call("x", message.clone()), Ok((Message::GameOver, Shape::Flat)));
        check(call("choose_parity", message.clone()), Ok((Message::GameOver, Shape::Flat)));
        let tool = json!({ "name": "receive_game_over", "arguments": { "match_id": "R1M1" } });
        check(call("tools/call", tool), Ok((Message::GameOver, Shape::Tool)));
        let tool = json!({ "name": "x", "arguments": { "message": message } });
        check(call("tools/call", tool), Ok((Message::GameOver, Shape::Tool)));
        check(call("x", json!({ "message": message })), Ok((Message::GameOver, Shape::Wrapped)));
        let text = json!({ "message": message.to_string() });
        check(call("x", text), Ok((Message::GameOver, Shape::Wrapped)));
        check(call("x", json!({ "arguments": message })), Ok((Message::GameOver, Shape::Flat)));
        let split = json!({ "envelope": message, "payload": { "game_result": {} } });
        check(call("league.handle", split), Ok((Message::GameOver, Shape::Enveloped)));
        check(message, Ok((Message::GameOver, Shape::Bare)));

        check(call("no_such", json!({})), Err((-32601, None)));
        check(call("no_such", json!([1])), Err((-32601, None)));
        check(call("game_end", json!([1])), Err((-32602, None)));
        check(call("tools/call", json!({})), Err((-32602, Some("name"))));
        check(json!({ "match_id": "R1M1" }), Err((-32602, Some("message_type"))));
        check(json!("GAME_OVER"), Err((-32602, None)));
        check(json!({ "message_type": "NONSENSE" }), Err((-32601, None)));
        check(json!({ "message_type": 7 }), Err((-32602, Some("message_type"))));
        let old = json!({ "message_type": "GAME_OVER", "protocol": "league.v0" });
        check(old, Err((-32602, Some("protocol"))));
        for field in ["league_id", "match_id", "conversation_id"] {
            let mut long = json!({ "message_type": "GAME_OVER" });
            long[field] = "x".repeat(LONGEST_ID).into();
            check(long.clone(), Ok((Message::GameOver, Shape::Bare)));
            for id in [json!("x".repeat(LONGEST_ID + 1)), json!(vec![1; 1000])] {
                long[field] = id;
                check(long.clone(), Err((-32602, Some(field))));
            }
        }
    }

    #[test]
    fn a_message_that_lacks_something_is_told_what() {
        let whole = json!({
            "protocol": "league.v1", "message_type": "LEAGUE_REGISTER_REQUEST",
            "league_id": "l", "conversation_id": "c", "sender": "player:x",
            "timestamp": "2026-11-15T10:00:00Z",
            "player_meta": { "display_name": "A", "version": "1", "game_types": ["even_odd"],
                             "contact_endpoint": "http://localhost:8101/mcp" },
        });
        let complete = |body: &Value| hear_body(body.clone()).unwrap().complete();
        assert!(complete(&whole).is_ok());
        for path in [
            "/protocol",
            "/league_id",
            "/sender",
            "/timestamp",
            "/conversation_id",
            "/player_meta/display_name",
            "/player_meta/version",
            "/player_meta/game_types",
            "/player_meta/contact_endpoint",
        ] {
            let mut body = whole.clone();
            *body.pointer_mut(path).unwrap() = Value::Null;
            let why = complete(&body).unwrap_err();
            assert_eq!(why.to_string(), format!("{} is missing", path[1..].replace('/', ".")));
            assert_eq!(why.league_code().0, "E003");
        }
        let mut body = whole;
        body["timestamp"] = "2026-11-15T10:00:00+02:00".into();
        assert!(complete(&body).is_ok());
        body["timestamp"] = "2026-11-15T10:00:00".into();
        assert_eq!(complete(&body).unwrap_err().league_code().0, "E021");
    }
}
