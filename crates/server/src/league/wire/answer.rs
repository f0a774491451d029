//! Finding the message in an answer to a call of ours, whichever way its author wrapped it.
//!
//! Whether the move in it is a good one is judged in `moves`.

use rules::short;
use serde_json::Value;

use super::{Fields, errors::NoAnswer, message::at, reading::unwrap};

/// The message in an answer to the request `id`: in `result`, in a tool's text, in the params of
/// something shaped like a request, or bare. What HTTP says of a good body does not matter.
pub fn read_answer(status: u16, body: &Value, id: u64) -> Result<Fields, NoAnswer> {
    if status == 429 {
        return Err(NoAnswer::SlowDown);
    }
    let body = body.as_object().ok_or(NoAnswer::NoMessage)?;
    if let Some(error) = at(body, "error") {
        return Err(refused(error));
    }
    let fields = match (at(body, "result"), at(body, "params")) {
        (Some(result), _) => {
            own_answer(body.get("id"), id)?;
            from_result(result)?
        }
        (None, Some(Value::Object(params))) if body.contains_key("method") => {
            unwrap(params.clone()).0
        }
        // `result: null` says that it was heard.
        _ if body.contains_key("result") => Fields::new(),
        _ if body.contains_key("jsonrpc") => return Err(NoAnswer::NoMessage),
        _ => unwrap(body.clone()).0,
    };
    match (at(&fields, "error"), at(&fields, "status").and_then(Value::as_str)) {
        (Some(error), _) => Err(refused(error)),
        (None, Some(status)) if status.eq_ignore_ascii_case("error") => {
            let reason = ["reason", "message", "detail"].iter().find_map(|name| fields.get(*name));
            Err(refused(reason.unwrap_or(&"no reason given".into())))
        }
        _ => Ok(fields),
    }
}

/// An id that is absent or null names no other request.
fn own_answer(found: Option<&Value>, id: u64) -> Result<(), NoAnswer> {
    let own = match found {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => *text == id.to_string(),
        Some(value) => value.as_f64() == Some(id as f64),
    };
    if own { Ok(()) } else { Err(NoAnswer::OtherId(short(&found.unwrap_or_default().to_string()))) }
}

fn from_result(result: &Value) -> Result<Fields, NoAnswer> {
    let parsed = |text: &str| match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => Ok(unwrap(fields).0),
        _ => Err(NoAnswer::NoMessage),
    };
    match result {
        Value::String(text) => parsed(text),
        Value::Object(fields) => match fields.get("content").and_then(Value::as_array) {
            Some(content) => {
                let text = content.iter().find_map(|part| part["text"].as_str());
                if result["isError"] == true {
                    return Err(refused(&text.unwrap_or("no reason given").into()));
                }
                match (text.map(parsed), fields.get("structuredContent")) {
                    (Some(Ok(fields)), _) => Ok(fields),
                    (_, Some(Value::Object(fields))) => Ok(unwrap(fields.clone()).0),
                    _ => Err(NoAnswer::NoMessage),
                }
            }
            None => Ok(unwrap(fields.clone()).0),
        },
        // A mere `true` says that it was heard.
        Value::Bool(true) => Ok(Fields::new()),
        _ => Err(NoAnswer::NoMessage),
    }
}

fn refused(error: &Value) -> NoAnswer {
    let message = error["message"]
        .as_str()
        .or(error.as_str())
        .map_or_else(|| error.to_string(), str::to_owned);
    if message.to_ascii_lowercase().contains("rate limit") {
        NoAnswer::SlowDown
    } else {
        NoAnswer::Refused { code: error["code"].as_i64(), message: short(&message) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_read_from_wherever_it_is() {
        let check = |status, body: Value, expected: Result<Value, &str>| {
            let found = read_answer(status, &body, 7).map(Value::Object);
            match (&found, &expected) {
                (Err(why), Err(part)) => assert!(why.to_string().contains(part), "{why}: {body}"),
                _ => assert_eq!(found.ok(), expected.ok(), "{body}"),
            }
        };
        let m = || json!({ "accept": true });
        check(200, json!({ "id": 7, "result": m() }), Ok(m()));
        check(200, json!({ "id": 7, "result": m(), "error": null }), Ok(m()));
        check(500, json!({ "id": "7", "result": m() }), Ok(m()));
        check(400, json!({ "result": m() }), Ok(m()));
        check(200, json!({ "id": 7, "result": m().to_string() }), Ok(m()));
        let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
        check(200, json!({ "id": 7, "result": text(&m().to_string()) }), Ok(m()));
        let mut both = text("It joins.");
        both["structuredContent"] = m();
        check(200, json!({ "id": 7, "result": both }), Ok(m()));
        let split = json!({ "envelope": {}, "payload": m() });
        check(200, json!({ "id": 7, "result": split }), Ok(m()));
        check(200, json!({ "id": 99, "method": "GAME_JOIN_ACK", "params": m() }), Ok(m()));
        check(200, m(), Ok(m()));
        check(200, json!({ "id": 7, "result": null }), Ok(json!({})));

        check(200, json!({ "id": 8, "result": m() }), Err("another request (id 8)"));
        check(
            200,
            json!({ "id": 7, "error": { "code": -32601, "message": "no" } }),
            Err("-32601: no"),
        );
        check(
            200,
            json!({ "id": 7, "result": { "error": "no such method" } }),
            Err("no such method"),
        );
        check(200, json!({ "id": 7, "result": { "status": "error", "reason": "x" } }), Err("x"));
        let mut wrong = text("unknown tool");
        wrong["isError"] = true.into();
        check(200, json!({ "id": 7, "result": wrong }), Err("unknown tool"));
        check(200, json!({ "id": 7, "result": text("It joins.") }), Err("holds no message"));
        check(429, json!({}), Err("slow down"));
        check(200, json!({ "error": "Rate limit exceeded" }), Err("slow down"));
        check(200, json!({ "jsonrpc": "2.0", "id": 7 }), Err("holds no message"));
        check(200, json!([m()]), Err("holds no message"));
        check(200, json!("even"), Err("holds no message"));
    }
}
