//! Calls that were under way when the server stopped: their clients come back for the answer.
//!
//! The events of a stream carry ids, and a client that was cut off names the last one it saw. Ours
//! hold what is needed to ask again, so that nothing need be written down for it.

use std::sync::LazyLock;

use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream, stream::BoxStream};
use serde_json::{Value, json};

use super::{caller::random_key, envelope::Envelope};

/// Tools that change nothing and may be called again by us.
const REPEATABLE: [&str; 2] = ["waitForNextTurn", "wait_for_decision"];
/// A request that is longer is not carried along.
const LONGEST: usize = 4000;
/// How soon a client should come back, in milliseconds.
const RETRY: u32 = 3000;

/// Tells this process's streams from those of one that has ended, or of another node.
static PROCESS: LazyLock<String> = LazyLock::new(random_key);

/// An id of ours, as a client brings it back.
pub struct LastEvent {
    /// What the SDK calls the event.
    pub event: String,
    pub is_ours: bool,
    request: Value,
}

impl LastEvent {
    pub fn read(id: &str) -> Option<LastEvent> {
        let mut parts = id.splitn(3, '~');
        let (event, process, request) = (parts.next()?, parts.next()?, parts.next()?);
        let request = BASE64_URL_SAFE_NO_PAD.decode(request).ok()?;
        let request = serde_json::from_slice(&request).ok()?;
        Some(LastEvent { event: event.to_owned(), is_ours: process == *PROCESS, request })
    }

    /// The request, if it may be made again.
    pub fn repeatable(&self) -> Option<String> {
        self.request.get("params").map(|_| self.request.to_string())
    }

    pub fn method(&self) -> Option<&str> {
        self.request["method"].as_str()
    }

    /// The tool it calls, if it calls one.
    pub fn tool(&self) -> Option<&str> {
        self.request.pointer("/params/name")?.as_str()
    }

    /// The answer to a request of which nobody knows how far it came.
    pub fn lost(&self) -> Response {
        let why = "the server stopped before this was answered, and it is not known whether it was \
                   done; make the same call again";
        let error = json!({ "code": -32603, "message": why });
        let answer = json!({ "jsonrpc": "2.0", "id": self.request["id"], "error": error });
        let headers = [(header::CONTENT_TYPE, "text/event-stream")];
        (headers, format!("data: {answer}\n\n")).into_response()
    }
}

/// Whether a request is one that waits.
pub fn waits(request: &Envelope) -> bool {
    request.tool.as_deref().is_some_and(|tool| REPEATABLE.contains(&tool))
}

/// Answers a wait without a session on a stream of its own, unless it is refused at once: a client
/// to whom a stream has been begun comes back when it is cut off.
pub async fn begin_stream(
    answer: impl Future<Output = Response> + Send + 'static,
    mark: Option<String>,
) -> Response {
    let mut answer = Box::pin(answer);
    let Some(mark) = mark else { return answer.await };
    if let Some(refused) = (&mut answer).now_or_never() {
        return refused;
    }
    let begin = Bytes::from(format!("data: \nid: 0{mark}\nretry: {RETRY}\n\n"));
    let begin = stream::once(async { Ok::<_, axum::Error>(begin) });
    let events = begin.chain(stream::once(answer).flat_map(events));
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(events)).into_response()
}

/// An answer for one who comes back for it, and reads nothing but a stream.
pub fn on_a_stream(answer: Response) -> Response {
    let is_json = |kind: &HeaderValue| kind == "application/json";
    if !answer.headers().get(header::CONTENT_TYPE).is_some_and(is_json) {
        return answer;
    }
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(events(answer))).into_response()
}

/// An answer as events; it may be a stream itself.
fn events(answer: Response) -> BoxStream<'static, Result<Bytes, axum::Error>> {
    let is_stream = is_stream(&answer);
    let body = answer.into_body().into_data_stream();
    if is_stream {
        return body.boxed();
    }
    let whole = async move {
        let parts: Vec<_> = body.try_collect().await?;
        Ok([&b"data: "[..], &parts.concat(), b"\n\n"].concat().into())
    };
    stream::once(whole).boxed()
}

fn is_stream(answer: &Response) -> bool {
    let kind = answer.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind == "text/event-stream")
}

/// What the ids of a request's stream carry, besides what the SDK wants to find there.
pub fn mark(request: &Envelope, body: &[u8]) -> Option<String> {
    let may_repeat = !request.is("tools/call") || waits(request);
    let carried = if may_repeat && request.has_params && body.len() <= LONGEST {
        BASE64_URL_SAFE_NO_PAD.encode(body)
    } else {
        // Without params it is not made again.
        let params = if may_repeat && !request.has_params { r#","params":{}"# } else { "" };
        let (id, method) = (request.id?, Value::from(request.method.as_deref()?));
        let known = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method}{params}}}"#);
        (known.len() <= LONGEST).then(|| BASE64_URL_SAFE_NO_PAD.encode(known))?
    };
    Some(format!("~{}~{carried}", *PROCESS))
}

/// Has the events of a request's stream carry what it takes to ask again. `kept` is let go when
/// the answer has been sent.
pub fn mark_events(
    response: Response,
    mark: impl FnOnce() -> Option<String>,
    kept: impl Send + Sync + 'static,
) -> Response {
    let mark = if is_stream(&response) { mark() } else { None };
    let Some(mark) = mark else { return keep_until_sent(response, kept) };
    response.map(|body| {
        let frames = body.into_data_stream().map(move |frame| {
            let _kept = &kept;
            frame.map(|event| marked(event, &mark))
        });
        Body::from_stream(frames)
    })
}

/// Keeps something for as long as a stream lasts. A whole answer keeps its size instead, which is
/// counted where it is sent.
pub fn keep_until_sent(response: Response, kept: impl Send + Sync + 'static) -> Response {
    if !is_stream(&response) {
        return response;
    }
    response.map(|body| {
        let frames = body.into_data_stream().map(move |frame| {
            let _kept = &kept;
            frame
        });
        Body::from_stream(frames)
    })
}

/// The SDK sends one event at a time, and its data has no line breaks.
fn marked(event: Bytes, mark: &str) -> Bytes {
    let Ok(text) = std::str::from_utf8(&event) else { return event };
    let is_id = |line: &str| line.starts_with("id: ");
    if !text.lines().any(is_id) {
        return event;
    }
    let lines = text
        .split('\n')
        .map(|line| if is_id(line) { format!("{line}{mark}") } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brought_back(request: &Value) -> LastEvent {
        let body = request.to_string();
        let envelope = Envelope::read(body.as_bytes()).expect("a message");
        let mark = mark(&envelope, body.as_bytes()).expect("it fits");
        let event = marked(Bytes::from("data: \nid: 0/7\nretry: 3000\n\n"), &mark);
        let text = String::from_utf8(event.to_vec()).expect("text");
        assert!(text.ends_with("\nretry: 3000\n\n"), "{text}");
        let id = text.lines().find_map(|line| line.strip_prefix("id: ")).expect("an id");
        LastEvent::read(id).expect("one of ours")
    }

    #[test]
    fn a_wait_can_be_asked_for_again_and_a_move_cannot() {
        let call = |tool: &str| {
            json!({ "jsonrpc": "2.0", "id": "a~b", "method": "tools/call",
            "params": { "name": tool, "arguments": { "game_id": "3f9a61c2" } } })
        };
        let wait = brought_back(&call("waitForNextTurn"));
        assert!(wait.is_ours && wait.event == "0/7");
        let again: Value = serde_json::from_str(&wait.repeatable().expect("it may")).unwrap();
        assert_eq!(again, call("waitForNextTurn"));
        assert!(brought_back(&call("finishTurn")).repeatable().is_none());
        let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        assert!(brought_back(&list).repeatable().is_some());
        assert!(LastEvent::read("0/7").is_none());
    }

    #[test]
    fn what_is_too_long_is_not_carried_along() {
        let long = "x".repeat(LONGEST);
        let wait = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "waitForNextTurn", "arguments": { "game_id": long } } });
        assert!(brought_back(&wait).repeatable().is_none());
    }
}
