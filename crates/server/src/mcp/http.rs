//! MCP over HTTP: both eras of it, and plain JSON-RPC posted without a handshake.
//!
//! Full MCP is the SDK's business. What is done here is telling the two kinds of client apart and
//! giving those without a handshake ordinary JSON and ordinary HTTP codes.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::ConnectInfo,
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, header, request::Parts,
    },
    response::{IntoResponse, Response},
};
use rmcp::{
    handler::server::router::tool::ToolRouter,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::{Map, Value, json, value::RawValue};
use tokio_util::sync::CancellationToken;

use super::{
    Desk,
    resuming::{LastEvent, begin_stream, keep_until_sent, mark_events, on_a_stream, waits},
    sessions::{Sessions, Visitors, cut_introduction},
};
use crate::{
    budgets::{Budget, Budgets, TooMany},
    figures::{self, Ended},
    league::{
        play::{
            counter::Unheard,
            leagues::{Leagues, No},
            pace::Origin,
        },
        wire::{
            post,
            reading::{self, Misread, hear_body, short},
        },
    },
    limits::Limits,
    store::Store,
};

/// The code of the error that says so, and where it says how long to wait.
pub const TOO_MANY: i64 = -32000;
pub const RETRY_AFTER: &str = "retry_after_seconds";
/// How clients without a session ask for news.
const LISTEN: &str = "subscriptions/listen";
/// A player may think overnight.
const SESSION_IDLE: Duration = Duration::from_secs(24 * 60 * 60);

/// Marks a request that came with the token, where one is asked for.
#[derive(Clone, Copy)]
pub struct ShowedToken;

/// One `/mcp` endpoint.
#[derive(Clone)]
pub struct Door {
    /// Whose messages are understood here too, if they are.
    leagues: Option<Leagues>,
    tools: Arc<ToolRouter<Desk>>,
    full: StreamableHttpService<Desk, LocalSessionManager>,
    plain: StreamableHttpService<Desk, LocalSessionManager>,
    visitors: Visitors,
    budgets: Budgets,
}

impl Door {
    pub fn new(
        desk: Desk,
        store: Arc<dyn Store>,
        limits: &Limits,
        stop: &CancellationToken,
    ) -> Door {
        // Hosts and origins are checked in front of every page, not only here.
        let config = StreamableHttpServerConfig::default()
            .with_json_response(true)
            .with_max_request_body_bytes(limits.body_bytes.get() as usize)
            .disable_allowed_hosts()
            .with_cancellation_token(stop.child_token());
        let mut full = config.clone();
        full.session_store = Some(Arc::new(Sessions(store)));
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SESSION_IDLE);
        let sessions = Arc::new(sessions);
        let plain = config.with_legacy_session_mode(false);
        let clerk = desk.clone();
        Door {
            budgets: desk.hall.budgets().clone(),
            leagues: desk.hears_leagues().then(|| desk.leagues.clone()),
            tools: desk.tools.clone(),
            visitors: Visitors::new(sessions.clone(), limits.sessions_in_memory.get() as usize),
            full: StreamableHttpService::new(move || Ok(desk.clone()), sessions, full),
            plain: StreamableHttpService::new(move || Ok(clerk.clone()), Arc::default(), plain),
        }
    }

    pub async fn answer(&self, request: Request<Body>) -> Response {
        if request.method() == Method::GET {
            return self.answer_stream(request).await;
        }
        if request.method() != Method::POST {
            let session = session_of(request.headers()).map(str::to_owned);
            let response = self.full.handle(request).await.into_response();
            if let Some(session) = session {
                self.visitors.let_go(&session.into()).await;
            }
            return response;
        }
        let (parts, body) = request.into_parts();
        let body = match whole(body).await {
            Ok(body) => body,
            Err(response) => return response,
        };
        let handshake = ["mcp-session-id", "mcp-protocol-version"];
        let is_plain = handshake.iter().all(|name| !parts.headers.contains_key(*name));
        if is_plain && let Some(answer) = self.answer_league(&body, origin(&parts)).await {
            return answer;
        }
        let method = match envelope(&body) {
            Ok(method) => method,
            Err((code, why)) => return refuse(&body, code, &why),
        };
        // A handshake makes a session, and those are spoken over streams; who takes none is
        // answered as JSON and goes on without one.
        let shakes_hands = method.as_deref() == Some("initialize") && takes_streams(&parts.headers);
        let is_plain = is_plain && !shakes_hands;
        let sent = body.clone();
        let stream = match method.as_deref() {
            Some(LISTEN) => match self.budgets.open_stream(origin(&parts)) {
                Ok(stream) => Some(stream),
                Err(too_many) => return limited(&body, too_many),
            },
            _ => None,
        };
        let response = match is_plain {
            true => self.answer_plain(parts, body).await,
            false if method.as_deref() == Some("initialize") => self.shake_hands(parts, body).await,
            false => self.answer_in_session(parts, body).await,
        };
        let response = or_unreadable(response, &sent);
        match stream {
            Some(stream) => keep_until_sent(response, stream),
            None => response,
        }
    }

    async fn shake_hands(&self, parts: Parts, body: Bytes) -> Response {
        if let Err(too_many) = self.budgets.count(origin(&parts), Budget::Sessions) {
            return limited(&body, too_many);
        }
        let Some(body) = cut_introduction(&body) else {
            let why = "the handshake is too long; leave out what is not needed to play";
            return failure(StatusCode::PAYLOAD_TOO_LARGE, -32600, why);
        };
        let request = Request::from_parts(parts, Body::from(body.clone()));
        let response = self.full.handle(request).await.into_response();
        if let Some(session) = session_of(response.headers()) {
            self.visitors.arrived(session).await;
        } else if response.status() == StatusCode::BAD_REQUEST && !is_json(response.headers()) {
            // The SDK takes it for a message that only a session can have.
            let why = "a handshake has protocolVersion, capabilities and clientInfo";
            return refuse(&body, -32602, why);
        }
        response
    }

    async fn answer_in_session(&self, parts: Parts, body: Bytes) -> Response {
        let session = session_of(&parts.headers).map(str::to_owned);
        if session.as_ref().is_some_and(|session| !self.visitors.knows(session)) {
            self.arrive(&parts.headers).await;
        }
        let streams = takes_streams(&parts.headers);
        let request = Request::from_parts(parts, Body::from(body.clone()));
        let full = self.full.clone();
        let response = async move { full.handle(request).await.into_response() };
        let Some(session) = session else {
            return match streams && waits(&body) {
                true => begin_stream(response, &body).await,
                false => response.await,
            };
        };
        let response = response.await;
        let answering = self.visitors.answering(&session).await;
        mark_events(response, &body, answering)
    }

    /// A stream of a session's own news; or one that was cut off, and goes on.
    async fn answer_stream(&self, request: Request<Body>) -> Response {
        let (parts, body) = request.into_parts();
        match self.budgets.open_stream(origin(&parts)) {
            Ok(stream) => {
                let request = Request::from_parts(parts, body);
                keep_until_sent(self.go_on(request).await, stream)
            }
            Err(too_many) => limited(b"", too_many),
        }
    }

    async fn go_on(&self, mut request: Request<Body>) -> Response {
        let session = session_of(request.headers()).map(str::to_owned);
        self.arrive(request.headers()).await;
        let last = request.headers().get("last-event-id").and_then(|id| id.to_str().ok());
        if let Some(last) = last.and_then(LastEvent::read) {
            let is_lost = match &session {
                Some(session) => !last.is_ours && self.visitors.answering(session).await.is_some(),
                // Without a session a call ends with its stream.
                None => true,
            };
            if is_lost {
                return self.answer_again(request.into_parts().0, &last).await;
            }
            if let Ok(event) = HeaderValue::from_str(&last.event) {
                request.headers_mut().insert("last-event-id", event);
            }
        }
        let response = self.full.handle(request).await.into_response();
        let Some(session) = session else { return response };
        keep_until_sent(response, self.visitors.answering(&session).await)
    }

    /// Answers a call whose own stream ended with the process that had it.
    async fn answer_again(&self, asked: Parts, last: &LastEvent) -> Response {
        let Some(body) = last.repeatable() else { return last.lost() };
        let (mut parts, _) = posted(&asked.headers, body.clone()).into_parts();
        parts.extensions = asked.extensions;
        parts.headers.remove("last-event-id");
        // The newest protocol wants these said twice.
        let said = [("mcp-method", last.method()), ("mcp-name", last.tool())];
        for (name, value) in said.into_iter().filter(|_| session_of(&asked.headers).is_none()) {
            if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
                parts.headers.insert(name, value);
            }
        }
        on_a_stream(self.answer_in_session(parts, Bytes::from(body)).await)
    }

    /// A session that another process began is made good here, with the end of its handshake, which
    /// that one may have heard: then calls are answered, and news find the way to the stream. The
    /// SDK would let a second call in before the first has restored the session, and lose it.
    async fn arrive(&self, headers: &HeaderMap) {
        let Some(session) = session_of(headers) else { return };
        let _alone = self.visitors.alone(session).await;
        let body = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let request = posted(headers, body.to_owned());
        // If the session is unknown, the request itself is told so.
        drop(self.full.handle(request).await);
        self.visitors.answering(session).await;
    }

    /// Answers a league's message, in whatever shape it comes; None if it is something else.
    async fn answer_league(&self, body: &[u8], origin: Origin) -> Option<Response> {
        let leagues = self.leagues.as_ref()?;
        // Most calls are of tools that the SDK knows, and need not be read twice.
        if tool_of(body).is_some_and(|tool| self.tools.has_route(&tool)) {
            return None;
        }
        let body: Value = post::parse(body).ok()?;
        let heard = match hear_body(&body) {
            Ok(heard) => heard,
            Err(Misread::Unknown(_) | Misread::NoMessage) => return None,
            // Without a type nothing says that it was meant for a league.
            Err(Misread::Missing(field)) if field == "message_type" || field == "name" => {
                return None;
            }
            Err(misread) => return Some(unheard(&body["id"], &misread.into())),
        };
        let started = Instant::now();
        let answer = leagues.hear(&heard, origin).await;
        let ended = if answer.is_ok() { Ended::Well } else { Ended::Refused };
        figures::call(heard.message.name(), ended, started.elapsed());
        Some(match answer {
            Ok(answer) => axum::Json(heard.answer(&body["id"], answer)).into_response(),
            Err(error) => {
                let (message, sender) = (heard.message, heard.word("sender").map(short));
                match &error {
                    Unheard::No(No::Store(fault)) => {
                        tracing::error!(%message, sender, %fault, "a message was not taken");
                    }
                    why => tracing::info!(%message, sender, %why, "a message was refused"),
                }
                unheard(&body["id"], &error)
            }
        })
    }

    /// Answers a call of a tool that was posted as such, without a handshake, as JSON-RPC or as
    /// no more than the tool's name and arguments.
    pub async fn answer_call(&self, request: Request<Body>) -> Response {
        let (parts, body) = request.into_parts();
        let body = match whole(body).await {
            Ok(body) => body,
            Err(response) => return response,
        };
        let body = match serde_json::from_slice::<Map<String, Value>>(&body) {
            Ok(call) if call.contains_key("name") && !call.contains_key("method") => {
                let call =
                    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call });
                Bytes::from(call.to_string())
            }
            _ => body,
        };
        match envelope(&body) {
            Ok(_) => or_unreadable(self.answer_plain(parts, body.clone()).await, &body),
            Err((code, why)) => refuse(&body, code, &why),
        }
    }

    async fn answer_plain(&self, mut parts: Parts, body: Bytes) -> Response {
        let json_only = HeaderValue::from_static("application/json");
        let both = HeaderValue::from_static("application/json, text/event-stream");
        parts.headers.insert(header::CONTENT_TYPE, json_only);
        parts.headers.insert(header::ACCEPT, both);
        let response = self.plain.handle(Request::from_parts(parts, Body::from(body))).await;
        let (mut parts, body) = response.into_response().into_parts();
        if !is_json(&parts.headers) {
            return Response::from_parts(parts, body);
        }
        let Ok(body) = to_bytes(body, usize::MAX).await else {
            return failure(StatusCode::INTERNAL_SERVER_ERROR, -32603, "the answer was lost");
        };
        parts.status = status_of(&body).unwrap_or(parts.status);
        if parts.status == StatusCode::TOO_MANY_REQUESTS {
            parts.headers.extend(retry_after(&body));
        }
        Response::from_parts(parts, Body::from(body))
    }
}

/// A message of our own making for the session that `headers` name.
fn posted(headers: &HeaderMap, body: String) -> Request<Body> {
    let mut request = Request::new(Body::from(body));
    *request.method_mut() = Method::POST;
    *request.headers_mut() = headers.clone();
    let both = HeaderValue::from_static("application/json, text/event-stream");
    request.headers_mut().insert(header::ACCEPT, both);
    let json = HeaderValue::from_static("application/json");
    request.headers_mut().insert(header::CONTENT_TYPE, json);
    request
}

fn session_of(headers: &HeaderMap) -> Option<&str> {
    headers.get("mcp-session-id")?.to_str().ok()
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json")
}

fn takes_streams(headers: &HeaderMap) -> bool {
    let mut accepted =
        headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.any(|accepted| accepted.contains("text/event-stream"))
}

/// Where a request came from, as far as limits go.
pub fn origin(parts: &Parts) -> Origin {
    let ConnectInfo(peer) = parts
        .extensions
        .get::<ConnectInfo<SocketAddr>>()
        .expect("every connection is served with its address");
    match parts.extensions.get::<ShowedToken>() {
        Some(ShowedToken) => Origin::Bearer(peer.ip()),
        None => Origin::Address(peer.ip()),
    }
}

/// How long a caller who said too much has to wait, as HTTP says it.
fn retry_after(body: &[u8]) -> Option<(HeaderName, HeaderValue)> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let seconds = answer["error"]["data"][RETRY_AFTER].as_u64()?;
    Some((header::RETRY_AFTER, seconds.into()))
}

/// The tool that a call names.
pub fn tool_of(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Call {
        method: String,
        params: Params,
    }
    #[derive(Deserialize)]
    struct Params {
        name: String,
    }
    let call: Call = serde_json::from_slice(body).ok()?;
    (call.method == "tools/call").then_some(call.params.name)
}

/// A league's message that was not taken.
fn unheard(id: &Value, error: &Unheard) -> Response {
    let (status, code) = match error {
        Unheard::Misread(misread) => (StatusCode::OK, misread.code()),
        Unheard::Misdirected(_) => (StatusCode::NOT_FOUND, -32601),
        Unheard::No(No::Store(_)) => (StatusCode::INTERNAL_SERVER_ERROR, -32603),
        Unheard::TooMany(_) => (StatusCode::TOO_MANY_REQUESTS, TOO_MANY),
        Unheard::No(_) | Unheard::Unasked(_) | Unheard::BadMove(_) => (StatusCode::OK, -32602),
    };
    let error_body = reading::error(code, &error.to_string(), error.field(), error.league_code());
    let id = Some(id).filter(|id| id.is_string() || id.is_number());
    let body = json!({ "jsonrpc": "2.0", "id": id, "error": error_body });
    let mut response = (status, axum::Json(body)).into_response();
    if let Unheard::TooMany(limited) = error {
        response.headers_mut().insert(header::RETRY_AFTER, limited.seconds().into());
    }
    response
}

async fn whole(body: Body) -> Result<Bytes, Response> {
    // How large it may be was looked at when it was read.
    to_bytes(body, usize::MAX)
        .await
        .map_err(|_| failure(StatusCode::BAD_REQUEST, -32600, "the body was cut off"))
}

/// The method of a JSON-RPC message, if it is a request or a notification; or the error code and
/// the reason why it is not a message at all.
fn envelope(body: &[u8]) -> Result<Option<String>, (i64, String)> {
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
    let invalid = |why: &str| Err((-32600, why.to_owned()));
    let message: Message = match serde_json::from_slice(body) {
        Ok(message) => message,
        Err(_) if serde_json::from_slice::<Vec<IgnoredAny>>(body).is_ok() => {
            return invalid("batches are not supported; post one message at a time");
        }
        Err(error) if serde_json::from_slice::<IgnoredAny>(body).is_err() => {
            return Err((-32700, format!("the body is not JSON: {error}")));
        }
        Err(_) => return invalid("a message is an object with jsonrpc, id, method and params"),
    };
    if message.jsonrpc.is_none_or(|version| version.get() != "\"2.0\"") {
        return invalid("jsonrpc must be \"2.0\"");
    }
    let id = message.id.map(|id| id.get().as_bytes()[0]);
    if !matches!(id, None | Some(b'"' | b'-' | b'0'..=b'9')) {
        return invalid("id must be a string or a number");
    }
    if message.params.is_some_and(|params| !params.get().starts_with('{')) {
        return Err((-32602, "params must be an object".into()));
    }
    match message.method.map(|method| serde_json::from_str(method.get())) {
        Some(Ok(method)) => Ok(Some(method)),
        None if message.result.is_some() || message.error.is_some() => Ok(None),
        _ => invalid("method must be a string"),
    }
}

/// What HTTP says about a JSON-RPC answer to a client that knows no more of MCP.
fn status_of(body: &[u8]) -> Option<StatusCode> {
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
fn limited(body: &[u8], too_many: TooMany) -> Response {
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

/// What is no message, with the id it came with, if that can be read.
fn refuse(body: &[u8], code: i64, why: &str) -> Response {
    let error = json!({ "code": code, "message": why });
    let body = json!({ "jsonrpc": "2.0", "id": id_of(body), "error": error });
    (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
}

fn id_of(body: &[u8]) -> Option<Value> {
    #[derive(Deserialize)]
    struct Named {
        id: Value,
    }
    let id = serde_json::from_slice::<Named>(body).ok().map(|named| named.id);
    id.filter(|id| id.is_string() || id.is_number())
}

/// What the SDK cannot read, though it looked like a message, it says in a sentence; here that
/// becomes an answer.
fn or_unreadable(response: Response, body: &[u8]) -> Response {
    if response.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return response;
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(_) => response,
        Err(error) => refuse(body, -32700, &format!("the body is not JSON: {error}")),
    }
}

pub fn failure(status: StatusCode, code: i64, why: &str) -> Response {
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": why } });
    (status, axum::Json(body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_refused_with_the_right_code() {
        let check = |body: &str, expected: Result<Option<&str>, i64>| {
            let found = envelope(body.as_bytes());
            let found = found.as_ref().map(Option::as_deref).map_err(|(code, _)| *code);
            assert_eq!(found, expected, "{body}");
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
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, Err(-32602));
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}"#, Err(-32602));
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, Ok(Some("ping")));
    }
}
