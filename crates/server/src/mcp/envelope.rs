//! JSON-RPC as it is posted and answered: what is a message and what is none, and how each refusal is
//! said to a client that knows HTTP.

use std::borrow::Cow;

use axum::{
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rmcp::{ErrorData, model::ErrorCode};
use rules::{LONGEST_ID, quoted};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::{Value, json, value::RawValue};

use crate::{
    budgets::TooMany,
    league::{
        play::refusals::{LeagueRefusal, MessageRefusal},
        wire::rpc::RpcError,
    },
};

/// The code of the error that says so, and where it says how long to wait.
pub const TOO_MANY: i64 = -32000;
pub const RETRY_AFTER: &str = "retry_after_seconds";

/// The parts of a JSON-RPC message that several readers need, read once.
#[derive(Debug)]
pub struct Envelope<'a> {
    /// None in an answer.
    pub method: Option<Cow<'a, str>>,
    /// As it was written.
    pub id: Option<&'a str>,
    pub has_params: bool,
    /// The tool that a call names.
    pub tool: Option<Cow<'a, str>>,
}

/// Why something is no message at all.
#[derive(Debug)]
pub struct NoMessage {
    pub code: i64,
    pub why: String,
}

impl NoMessage {
    fn garbled(error: &serde_json::Error) -> NoMessage {
        NoMessage { code: -32700, why: format!("the body is not JSON: {error}") }
    }
}

impl<'a> Envelope<'a> {
    pub fn read(body: &'a [u8]) -> Result<Envelope<'a>, NoMessage> {
        #[derive(Deserialize)]
        struct Message<'a> {
            #[serde(borrow)]
            jsonrpc: Option<&'a RawValue>,
            #[serde(borrow)]
            method: Option<&'a RawValue>,
            #[serde(borrow, default, deserialize_with = "present")]
            id: Option<&'a RawValue>,
            #[serde(borrow)]
            params: Option<&'a RawValue>,
            result: Option<IgnoredAny>,
            error: Option<IgnoredAny>,
        }
        // An id that is null is there, and wrong.
        fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
            Deserialize::deserialize(from).map(Some)
        }
        let no = |code, why: &str| Err(NoMessage { code, why: why.to_owned() });
        let invalid = |why: &str| no(-32600, why);
        let message: Message = match serde_json::from_slice(body) {
            Ok(message) => message,
            Err(_) if serde_json::from_slice::<Vec<IgnoredAny>>(body).is_ok() => {
                return invalid("batches are not supported; post one message at a time");
            }
            Err(error) if serde_json::from_slice::<IgnoredAny>(body).is_err() => {
                return Err(NoMessage::garbled(&error));
            }
            Err(_) => return invalid("a message is an object with jsonrpc, id, method and params"),
        };
        if message.jsonrpc.is_none_or(|version| version.get() != "\"2.0\"") {
            return invalid("jsonrpc must be \"2.0\"");
        }
        let id = message.id.map(RawValue::get);
        if !matches!(id.map(|id| id.as_bytes()[0]), None | Some(b'"' | b'-' | b'0'..=b'9')) {
            return invalid("id must be a string or a number");
        }
        if id.is_some_and(|id| !is_short(id)) {
            return invalid(&format!("id has more than {LONGEST_ID} characters"));
        }
        let params = message.params.map(RawValue::get);
        if params.is_some_and(|params| !params.starts_with('{')) {
            return no(-32602, "params must be an object");
        }
        let method = match message.method.map(|method| serde_json::from_str(method.get())) {
            Some(Ok(Text(method))) => Some(method),
            None if message.result.is_some() || message.error.is_some() => None,
            _ => return invalid("method must be a string"),
        };
        let calls = method.as_deref() == Some("tools/call");
        let named = params.filter(|_| calls).and_then(|params| serde_json::from_str(params).ok());
        let tool = named.map(|Named { name: Text(name) }| name);
        Ok(Envelope { method, id, has_params: params.is_some(), tool })
    }

    pub fn is(&self, method: &str) -> bool {
        self.method.as_deref() == Some(method)
    }
}

/// A text, borrowed from the body where nothing in it was escaped.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    name: Text<'a>,
}

/// The HTTP status of a JSON-RPC answer, for a client that knows no more of MCP.
pub fn status_of(body: &[u8]) -> Option<StatusCode> {
    #[derive(Deserialize)]
    struct Answer {
        error: Option<Failure>,
    }
    #[derive(Deserialize)]
    struct Failure {
        code: i64,
    }
    match serde_json::from_slice::<Answer>(body).ok()?.error?.code {
        -32700 | -32600 => Some(StatusCode::BAD_REQUEST),
        -32601 => Some(StatusCode::NOT_FOUND),
        -32603 => Some(StatusCode::INTERNAL_SERVER_ERROR),
        TOO_MANY => Some(StatusCode::TOO_MANY_REQUESTS),
        _ => None,
    }
}

/// Tells a caller who has used up its budget when to come back.
pub fn limited(body: &[u8], too_many: TooMany) -> Response {
    let seconds = too_many.seconds();
    let error = json!({
        "code": TOO_MANY,
        "message": too_many.to_string(),
        "data": { RETRY_AFTER: seconds },
    });
    let body = json!({ "jsonrpc": "2.0", "id": id_of(body), "error": error });
    let headers = [(header::RETRY_AFTER, seconds.to_string())];
    (StatusCode::TOO_MANY_REQUESTS, headers, axum::Json(body)).into_response()
}

/// Refuses a body that is no message, with its id if that can be read.
pub fn refuse(body: &[u8], NoMessage { code, why }: &NoMessage) -> Response {
    let body = json!({ "jsonrpc": "2.0", "id": id_of(body), "error": rpc_error(*code, why) });
    (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
}

fn id_of(body: &[u8]) -> Option<Value> {
    #[derive(Deserialize)]
    struct Named {
        id: Value,
    }
    let id = serde_json::from_slice::<Named>(body).ok().map(|named| named.id);
    id.filter(is_id)
}

/// Whether an answer may repeat this as its id.
fn is_id(id: &Value) -> bool {
    (id.is_string() || id.is_number()) && is_short(&id.to_string())
}

/// Whether an id, as JSON, is short enough to repeat. Two more for quotation marks.
pub fn is_short(id: &str) -> bool {
    id.chars().count() <= LONGEST_ID + 2
}

/// What the SDK cannot read, though it looked like a message, it says in a sentence; here that
/// becomes an answer.
pub fn or_unreadable(response: Response, body: &[u8]) -> Response {
    if response.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return response;
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(_) => response,
        Err(error) => refuse(body, &NoMessage::garbled(&error)),
    }
}

pub fn failure(status: StatusCode, code: i64, why: &str) -> Response {
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": rpc_error(code, why) });
    (status, axum::Json(body)).into_response()
}

/// The message that seed 004 gives to an error with this code; the reason is in its data. The
/// message of other errors is the reason: official clients show a model nothing else.
fn fixed_message(code: i64) -> Option<&'static str> {
    match code {
        -32700 => Some("Parse error"),
        -32600 => Some("Invalid Request"),
        -32601 => Some("Method not found"),
        _ => None,
    }
}

fn rpc_error(code: i64, why: &str) -> Value {
    match fixed_message(code) {
        Some(message) => json!({ "code": code, "message": message, "data": { "reason": why } }),
        None => json!({ "code": code, "message": why }),
    }
}

/// A method that is not served here, or not to this caller.
pub fn no_such_method(method: &str) -> ErrorData {
    let why = format!("there is no method {}; tools are called with tools/call", quoted(method));
    let code = ErrorCode::METHOD_NOT_FOUND;
    let message = fixed_message(code.0.into()).expect("the seed names it");
    ErrorData::new(code, message, Some(json!({ "reason": why })))
}

/// How long a caller who said too much has to wait, as HTTP says it.
pub fn retry_after(body: &[u8]) -> Option<(HeaderName, HeaderValue)> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let seconds = answer["error"]["data"][RETRY_AFTER].as_u64()?;
    Some((header::RETRY_AFTER, seconds.into()))
}

/// A league's message that was not taken.
pub fn unheard(id: &Value, error: &MessageRefusal) -> Response {
    let (status, code) = match error {
        MessageRefusal::Misread(misread) => (StatusCode::OK, misread.code()),
        MessageRefusal::Misdirected(_) => (StatusCode::NOT_FOUND, -32601),
        MessageRefusal::League(LeagueRefusal::Store(_)) => {
            (StatusCode::INTERNAL_SERVER_ERROR, -32603)
        }
        MessageRefusal::TooMany(_) => (StatusCode::TOO_MANY_REQUESTS, TOO_MANY),
        MessageRefusal::League(_) | MessageRefusal::Unasked(_) | MessageRefusal::BadMove(_) => {
            (StatusCode::OK, -32602)
        }
    };
    let error_body = match fixed_message(code) {
        Some(_) => rpc_error(code, &error.to_string()),
        None => json!(RpcError::at_fault(code, error, error.field(), error.league_code())),
    };
    let id = Some(id).filter(|id| is_id(id));
    let body = json!({ "jsonrpc": "2.0", "id": id, "error": error_body });
    let mut response = (status, axum::Json(body)).into_response();
    if let MessageRefusal::TooMany(limited) = error {
        response.headers_mut().insert(header::RETRY_AFTER, limited.seconds().into());
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_refused_with_the_right_code() {
        let check = |body: &str, expected: Result<Option<&str>, i64>| {
            let found = Envelope::read(body.as_bytes());
            let found = found.as_ref().map(|found| found.method.as_deref());
            assert_eq!(found.map_err(|no| no.code), expected, "{body}");
        };
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, Ok(Some("ping")));
        check(r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}"#, Ok(Some("ping")));
        check(
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            Ok(Some("notifications/initialized")),
        );
        check(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Ok(None));
        check("", Err(-32700));
        check("{", Err(-32700));
        check("<html>", Err(-32700));
        check("[{", Err(-32700));
        check(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Err(-32600));
        check("[]", Err(-32600));
        check("5", Err(-32600));
        check(r#"{"id":1,"method":"ping"}"#, Err(-32600));
        check(r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, Err(-32600));
        check(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Err(-32600));
        check(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Err(-32600));
        check(r#"{"jsonrpc":"2.0","id":1}"#, Err(-32600));
        check(r#"{"jsonrpc":"2.0","id":1,"method":7}"#, Err(-32600));
        let id = |length| "7".repeat(length);
        check(&format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"x"}}"#, id(256)), Ok(Some("x")));
        check(&format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"x"}}"#, id(257)), Err(-32600));
        check(&format!(r#"{{"jsonrpc":"2.0","id":{},"method":"x"}}"#, id(300)), Err(-32600));
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, Err(-32602));
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}"#, Err(-32602));
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, Ok(Some("ping")));
    }

    #[test]
    fn a_tool_is_named_by_calls_alone() {
        let check = |params: &str, expected: Option<&str>| {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call"{params}}}"#);
            let found = Envelope::read(body.as_bytes()).expect("a message");
            assert_eq!(found.tool.as_deref(), expected, "{body}");
            let body = body.replace("tools/call", "prompts/get");
            assert!(Envelope::read(body.as_bytes()).expect("a message").tool.is_none());
        };
        check(r#","params":{"arguments":{"name":"no"},"name":"getGame"}"#, Some("getGame"));
        check(r#","params":{"name":"get\u0047ame"}"#, Some("getGame"));
        check(r#","params":{"name":7}"#, None);
        check(r#","params":{}"#, None);
        check("", None);
    }
}
