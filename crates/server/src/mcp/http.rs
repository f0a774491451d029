//! MCP over HTTP: both eras of it, and plain JSON-RPC posted without a handshake.
//!
//! Full MCP is the SDK's business. What is done here is telling the two kinds of client apart and
//! giving those without a handshake ordinary JSON and ordinary HTTP codes.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::ConnectInfo,
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Version, header,
        request::Parts,
    },
    response::{IntoResponse, Response},
};
use rmcp::{
    handler::server::router::tool::ToolRouter,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use rules::short;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::{
    McpService,
    envelope::{
        Envelope, NoMessage, failure, is_short, limited, or_unreadable, refuse, retry_after,
        status_of, unheard,
    },
    resuming::{LastEvent, begin_stream, keep_until_sent, mark, mark_events, on_a_stream, waits},
    sessions::{Connections, KeptSessions, cut_introduction},
};
use crate::{
    budgets::{Budget, Budgets},
    league::{
        play::{
            leagues::Leagues,
            rate_limit::CallerId,
            refusals::{LeagueRefusal, MessageRefusal},
        },
        wire::{client, errors::Misread, reading::hear_body},
    },
    limits::Limits,
    metrics::{self, Ended},
    store::Sessions,
};

/// How clients without a session ask for news.
const LISTEN: &str = "subscriptions/listen";
/// A player may think overnight.
const SESSION_IDLE: Duration = Duration::from_secs(24 * 60 * 60);

/// Marks a request that came with the token, where one is asked for.
#[derive(Clone, Copy)]
pub struct ShowedToken;

/// One `/mcp` endpoint.
#[derive(Clone)]
pub struct McpEndpoint {
    /// The leagues whose messages are understood here too, if they are.
    leagues: Option<Leagues>,
    tools: Arc<ToolRouter<McpService>>,
    full: StreamableHttpService<McpService, LocalSessionManager>,
    plain: StreamableHttpService<McpService, LocalSessionManager>,
    connections: Connections,
    budgets: Budgets,
}

/// One that is made when somebody first comes to it: every game has its own, and most of them are
/// never used.
#[derive(Clone)]
pub struct LazyEndpoint(Arc<LazyLock<McpEndpoint, Box<dyn FnOnce() -> McpEndpoint + Send>>>);

impl LazyEndpoint {
    pub fn new(make: impl FnOnce() -> McpEndpoint + Send + 'static) -> LazyEndpoint {
        LazyEndpoint(Arc::new(LazyLock::new(Box::new(make))))
    }

    pub fn open(&self) -> &McpEndpoint {
        &self.0
    }
}

impl McpEndpoint {
    pub fn new(
        service: McpService,
        kept: Arc<dyn Sessions>,
        limits: &Limits,
        stop: &CancellationToken,
    ) -> McpEndpoint {
        // Hosts and origins are checked in front of every page, not only here.
        let config = StreamableHttpServerConfig::default()
            .with_json_response(true)
            .with_max_request_body_bytes(limits.body_bytes.get() as usize)
            .disable_allowed_hosts()
            .with_cancellation_token(stop.child_token());
        let mut full = config.clone();
        full.session_store = Some(Arc::new(KeptSessions(kept)));
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SESSION_IDLE);
        let sessions = Arc::new(sessions);
        let plain = config.with_legacy_session_mode(false);
        let clerk = service.clone();
        McpEndpoint {
            budgets: service.hall.budgets().clone(),
            leagues: service.hears_leagues().then(|| service.leagues.clone()),
            tools: service.tools.clone(),
            connections: Connections::new(
                sessions.clone(),
                limits.sessions_in_memory.get() as usize,
            ),
            full: StreamableHttpService::new(move || Ok(service.clone()), sessions, full),
            plain: StreamableHttpService::new(move || Ok(clerk.clone()), Arc::default(), plain),
        }
    }

    pub async fn answer(&self, request: Request<Body>) -> Response {
        if request.method() == Method::GET {
            return self.answer_stream(request).await;
        }
        if request.method() != Method::POST {
            let session = session_of(request.headers()).map(str::to_owned);
            let mut response = self.full.handle(request).await.into_response();
            if let Some(session) = session {
                self.connections.let_go(&session.into()).await;
            }
            // The end of a session: clients take 200 or 204.
            if response.status() == StatusCode::ACCEPTED {
                *response.status_mut() = StatusCode::NO_CONTENT;
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
        let read = Envelope::read(&body);
        // Most calls are of tools that the SDK knows.
        let is_known = read.as_ref().is_ok_and(|read| self.knows(read.tool.as_deref()));
        if is_plain
            && !is_known
            && let Some(answer) = self.answer_league(&body, &parts).await
        {
            return answer;
        }
        let envelope = match read {
            Ok(envelope) => envelope,
            Err(no) => return refuse(&body, &no),
        };
        let stream = if envelope.is(LISTEN) {
            match self.budgets.open_stream(caller_id(&parts)) {
                Ok(stream) => Some(stream),
                Err(too_many) => return limited(&body, too_many),
            }
        } else {
            None
        };
        // A handshake makes a session, and those are spoken over streams; who takes none is
        // answered as JSON and goes on without one.
        let shakes_hands = envelope.is("initialize");
        let response = if is_plain && !(shakes_hands && takes_streams(&parts.headers)) {
            self.answer_plain(parts, body.clone()).await
        } else if shakes_hands {
            self.shake_hands(parts, &body).await
        } else {
            self.answer_in_session(parts, body.clone(), &envelope).await
        };
        let response = or_unreadable(response, &body);
        match stream {
            Some(stream) => keep_until_sent(response, stream),
            None => response,
        }
    }

    fn knows(&self, tool: Option<&str>) -> bool {
        tool.is_some_and(|tool| self.tools.has_route(tool))
    }

    async fn shake_hands(&self, parts: Parts, body: &[u8]) -> Response {
        if let Err(too_many) = self.budgets.count(caller_id(&parts), Budget::Sessions) {
            return limited(body, too_many);
        }
        let Some(introduced) = cut_introduction(body) else {
            let why = "the handshake is too long; leave out what is not needed to play";
            return failure(StatusCode::PAYLOAD_TOO_LARGE, -32600, why);
        };
        let request = Request::from_parts(parts, Body::from(introduced));
        let response = self.full.handle(request).await.into_response();
        if let Some(session) = session_of(response.headers()) {
            self.connections.arrived(session).await;
        } else if response.status() == StatusCode::BAD_REQUEST && !is_json(response.headers()) {
            // The SDK takes it for a message that only a session can have.
            let why = "a handshake has protocolVersion, capabilities and clientInfo";
            return refuse(body, &NoMessage { code: -32602, why: why.to_owned() });
        }
        response
    }

    async fn answer_in_session(
        &self,
        parts: Parts,
        body: Bytes,
        envelope: &Envelope<'_>,
    ) -> Response {
        let session = session_of(&parts.headers).map(str::to_owned);
        if session.as_ref().is_some_and(|session| !self.connections.knows(session)) {
            self.arrive(&parts.headers).await;
        }
        let streams = takes_streams(&parts.headers);
        let request = Request::from_parts(parts, Body::from(body.clone()));
        let full = self.full.clone();
        let response = async move { full.handle(request).await.into_response() };
        let Some(session) = session else {
            return if streams && waits(envelope) {
                begin_stream(response, mark(envelope, &body)).await
            } else {
                response.await
            };
        };
        let response = response.await;
        let answering = self.connections.answering(&session).await;
        mark_events(response, || mark(envelope, &body), answering)
    }

    /// A stream of a session's own news; or one that was cut off, and goes on.
    async fn answer_stream(&self, request: Request<Body>) -> Response {
        let (parts, body) = request.into_parts();
        match self.budgets.open_stream(caller_id(&parts)) {
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
                Some(session) => {
                    !last.is_ours && self.connections.answering(session).await.is_some()
                }
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
        keep_until_sent(response, self.connections.answering(&session).await)
    }

    /// Answers a call whose own stream ended with the process that had it.
    async fn answer_again(&self, asked: Parts, last: &LastEvent) -> Response {
        let Some(body) = last.repeatable() else { return last.lost() };
        let (mut parts, ()) = posted(&asked.headers, ()).into_parts();
        parts.extensions = asked.extensions;
        parts.headers.remove("last-event-id");
        // The newest protocol wants these said twice.
        let said = [("mcp-method", last.method()), ("mcp-name", last.tool())];
        for (name, value) in said.into_iter().filter(|_| session_of(&asked.headers).is_none()) {
            if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
                parts.headers.insert(name, value);
            }
        }
        let sent = Bytes::from(body);
        let Ok(envelope) = Envelope::read(&sent) else { return last.lost() };
        on_a_stream(self.answer_in_session(parts, sent.clone(), &envelope).await)
    }

    /// A session that another process began is made good here, with the end of its handshake, which
    /// that one may have heard: then calls are answered, and news find the way to the stream. The
    /// SDK would let a second call in before the first has restored the session, and lose it.
    async fn arrive(&self, headers: &HeaderMap) {
        let Some(session) = session_of(headers) else { return };
        let _alone = self.connections.alone(session).await;
        let body = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let request = posted(headers, Body::from(body));
        // If the session is unknown, the request itself is told so.
        drop(self.full.handle(request).await);
        self.connections.answering(session).await;
    }

    /// Answers a league's message, in whatever shape it comes; None if it is something else.
    async fn answer_league(&self, body: &[u8], parts: &Parts) -> Option<Response> {
        let leagues = self.leagues.as_ref()?;
        let body: Value = client::parse(body).ok()?;
        let id = body["id"].clone();
        if !is_short(&id.to_string()) {
            return None;
        }
        let heard = match hear_body(body) {
            Ok(heard) => heard,
            Err(Misread::Unknown(_) | Misread::NoMessage) => return None,
            // Without a type nothing says that it was meant for a league.
            Err(Misread::Missing(field)) if field == "message_type" || field == "name" => {
                return None;
            }
            Err(misread) => return Some(unheard(&id, &misread.into())),
        };
        let started = Instant::now();
        let answer = leagues.hear(&heard, caller_id(parts)).await;
        let ended = if answer.is_ok() { Ended::Well } else { Ended::Refused };
        metrics::call(heard.message.name(), ended, started.elapsed());
        Some(match answer {
            Ok(answer) => axum::Json(heard.answer(&id, answer)).into_response(),
            Err(error) => {
                let (message, sender) = (heard.message, heard.word("sender").map(short));
                match &error {
                    MessageRefusal::League(LeagueRefusal::Store(fault)) => {
                        tracing::error!(%message, sender, %fault, "a message was not taken");
                    }
                    why => tracing::info!(%message, sender, %why, "a message was refused"),
                }
                unheard(&id, &error)
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
        match Envelope::read(&body) {
            Ok(envelope) if envelope.is(LISTEN) => {
                let why = "this address takes calls of tools; listen at /mcp";
                refuse(&body, &NoMessage { code: -32601, why: why.to_owned() })
            }
            Ok(_) => or_unreadable(self.answer_plain(parts, body.clone()).await, &body),
            Err(no) => refuse(&body, &no),
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
fn posted<B>(headers: &HeaderMap, body: B) -> Request<B> {
    let mut request = Request::new(body);
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

/// Where a request came from, as far as limits go. What a proxy passed on came from somewhere else.
pub fn caller_id(parts: &Parts) -> CallerId {
    let ConnectInfo(peer) = parts
        .extensions
        .get::<ConnectInfo<SocketAddr>>()
        .expect("every connection is served with its address");
    // A proxy elsewhere has an address of its own, and any caller can send its headers.
    let is_from_proxy = peer.ip().to_canonical().is_loopback() && is_passed_on(parts);
    let address = if is_from_proxy { Ipv4Addr::UNSPECIFIED.into() } else { peer.ip() };
    match parts.extensions.get::<ShowedToken>() {
        Some(ShowedToken) => CallerId::Bearer(address),
        None => CallerId::Address(address),
    }
}

/// Whether a proxy on this machine passed the request on, as far as the request shows. Many proxies
/// add a header. nginx before 1.29.7 adds none with a plain `proxy_pass`, but speaks HTTP/1.0.
/// Newer ones speak HTTP/1.1, and nothing tells them, haproxy or `ssh -R` from a local client: then
/// the owner has to give `--url`.
fn is_passed_on(parts: &Parts) -> bool {
    let closes = |name| parts.headers.get(name).is_some_and(|value| value == "close");
    let is_nginx = parts.version == Version::HTTP_10 && closes(header::CONNECTION);
    let mut named = parts.headers.keys().map(HeaderName::as_str);
    is_nginx
        || named.any(|name| {
            name.starts_with("x-forwarded") || matches!(name, "forwarded" | "via" | "x-real-ip")
        })
}

async fn whole(body: Body) -> Result<Bytes, Response> {
    // How large it may be was looked at when it was read.
    to_bytes(body, usize::MAX)
        .await
        .map_err(|_| failure(StatusCode::BAD_REQUEST, -32600, "the body was cut off"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_from_elsewhere_gets_no_second_budget_by_sending_the_headers_of_a_proxy() {
        let origin_of = |address: &str, header: &str| {
            let mut request = Request::new(());
            let peer: SocketAddr = address.parse().expect("an address");
            request.extensions_mut().insert(ConnectInfo(peer));
            let header: HeaderName = header.parse().expect("a header");
            request.headers_mut().insert(header, HeaderValue::from_static("1"));
            caller_id(&request.into_parts().0)
        };
        for (peer, header, is_passed_on) in [
            ("127.0.0.1:9", "via", true),
            ("[::ffff:127.0.0.1]:9", "x-forwarded-for", true),
            ("[::1]:9", "accept", false),
            ("203.0.113.5:9", "via", false),
            ("203.0.113.5:9", "x-forwarded-for", false),
        ] {
            let unknown = CallerId::Address(Ipv4Addr::UNSPECIFIED.into());
            assert_eq!(origin_of(peer, header) == unknown, is_passed_on, "{peer} {header}");
        }
    }
}
