//! An HTTP client for agents, whose answers may be too long, too late or missing.
//!
//! Each new connection checks again whether its address may be called, because a host name may
//! resolve to another address than when it was registered.

use std::{
    collections::HashMap,
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use reqwest::{
    Client, Response,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{ACCEPT, CONTENT_TYPE},
    redirect,
};
use serde_json::Value;
use tokio::{net::lookup_host, time::Instant};

use super::{
    clock::Clock,
    endpoint::{AllowedAddresses, Endpoint},
    errors::{BadJson, Forbidden, NoAnswer},
};

pub const MAX_BODY: usize = 256 << 10;
pub(super) const MAX_DEPTH: usize = 32;
const IDLE_CONNECTIONS: usize = 2;
/// Timeout for connecting; the player's own time does not run yet.
const CONNECT: Duration = Duration::from_secs(5);
/// How long we back off after an agent answers 429.
const REST: Duration = Duration::from_secs(1);
const IDLE: Duration = Duration::from_secs(30);

/// Resolves and checks a host name for every new connection, and connects to the checked addresses
/// only.
struct Resolver(AllowedAddresses);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = self.0.for_name(name.as_str());
        Box::pin(async move {
            let found: Vec<SocketAddr> = lookup_host((name.as_str(), 0)).await?.collect();
            match found.iter().find(|address| !allowed.permits(address.ip())) {
                Some(address) => {
                    let why = Forbidden::Address(address.ip());
                    Err(io::Error::new(io::ErrorKind::PermissionDenied, why).into())
                }
                None => Ok(Box::new(found.into_iter()) as Addrs),
            }
        })
    }
}

/// An agent's HTTP response.
#[derive(Clone, Debug)]
pub struct AgentReply {
    pub status: u16,
    /// The MCP session it belongs to, if the agent keeps any.
    pub session: Option<String>,
    /// Null if the response had no body.
    pub body: Value,
}

/// Posts JSON to agents.
#[derive(Clone)]
pub struct AgentClient {
    allowed: AllowedAddresses,
    /// A bearer token sent with every request.
    bearer: Option<String>,
    /// Created on first use, because it reads every certificate that this machine trusts.
    client: Arc<OnceLock<Client>>,
    /// Number of requests sent.
    sent: Arc<AtomicU64>,
    /// Agents that answered 429, and until when we back off.
    resting: Arc<Mutex<HashMap<String, Instant>>>,
    turns: Arc<Mutex<HashMap<String, NewsLock>>>,
}

/// Held while an agent is sent news, so that messages arrive in order.
pub type NewsLock = Arc<tokio::sync::Mutex<()>>;

impl AgentClient {
    pub fn new(allowed: &AllowedAddresses) -> AgentClient {
        AgentClient {
            allowed: allowed.clone(),
            bearer: None,
            client: Arc::default(),
            sent: Arc::default(),
            resting: Arc::default(),
            turns: Arc::default(),
        }
    }

    /// With this bearer token in every request.
    pub fn showing(self, bearer: Option<String>) -> AgentClient {
        AgentClient { bearer, ..self }
    }

    fn client(&self) -> &Client {
        self.client.get_or_init(|| {
            let client = || {
                Client::builder()
                    .dns_resolver(Arc::new(Resolver(self.allowed.clone())))
                    .redirect(redirect::Policy::none())
                    .no_proxy()
                    .tcp_nodelay(true)
                    .connect_timeout(CONNECT)
                    .pool_max_idle_per_host(IDLE_CONNECTIONS)
                    .pool_idle_timeout(IDLE)
            };
            // A machine without certificates can still play over http.
            let built = client().build().or_else(|_| client().tls_certs_only([]).build());
            built.expect("a client without certificates can be made")
        })
    }

    /// Backs off after an agent has answered 429.
    pub fn leave_alone(&self, endpoint: &Endpoint) {
        let mut resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        resting.retain(|_, until| *until > now);
        resting.insert(endpoint.to_string(), now + REST);
    }

    pub fn turn(&self, endpoint: &Endpoint) -> NewsLock {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        turns.entry(endpoint.to_string()).or_default().clone()
    }

    /// When the back-off for this agent ends.
    pub fn rests_until(&self, endpoint: &Endpoint) -> Option<Instant> {
        let resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        let until = resting.get(&endpoint.to_string()).copied();
        until.filter(|until| *until > Instant::now())
    }

    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Sends `body`, starts the clock, and reads the whole answer before the time is over.
    pub async fn call(
        &self,
        to: &Endpoint,
        session: Option<&str>,
        body: &Value,
        clock: &Clock,
    ) -> Result<AgentReply, NoAnswer> {
        self.send(to, session, body.to_string(), clock).await
    }

    pub async fn send(
        &self,
        to: &Endpoint,
        session: Option<&str>,
        body: String,
        clock: &Clock,
    ) -> Result<AgentReply, NoAnswer> {
        self.sent.fetch_add(1, Ordering::Relaxed);
        let mut request = self
            .client()
            .post(to.url().clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .body(clock.on_writing(body));
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        if let Some(bearer) = &self.bearer {
            request = request.bearer_auth(bearer);
        }
        let exchange =
            async { read_reply(request.send().await.map_err(|why| unsent(&why))?).await };
        clock.within(exchange).await?
    }
}

fn unsent(why: &reqwest::Error) -> NoAnswer {
    if why.is_connect() { NoAnswer::Unreachable } else { NoAnswer::Closed }
}

async fn read_reply(mut response: Response) -> Result<AgentReply, NoAnswer> {
    let status = response.status().as_u16();
    if response.status().is_redirection() {
        return Err(NoAnswer::Redirect(status));
    }
    let session = response.headers().get("mcp-session-id");
    let session = session.and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|_| NoAnswer::Closed)? {
        if body.len() + part.len() > MAX_BODY {
            return Err(NoAnswer::TooLarge);
        }
        body.extend_from_slice(&part);
    }
    let body = parse(&body).map_err(|bad| match bad {
        BadJson::TooDeep => NoAnswer::TooDeep,
        BadJson::Invalid => NoAnswer::NotJson(status),
    })?;
    Ok(AgentReply { status, session, body })
}

/// Parses JSON of bounded depth, also inside an event stream. An empty body is null.
pub fn parse(body: &[u8]) -> Result<Value, BadJson> {
    let body = body.trim_ascii();
    if body.is_empty() {
        return Ok(Value::Null);
    }
    if depth(body) > MAX_DEPTH {
        return Err(BadJson::TooDeep);
    }
    if body.starts_with(b"event:") || body.starts_with(b"data:") || body.starts_with(b"id:") {
        let lines = body.split(|byte| *byte == b'\n');
        // Progress may come first; the answer is last.
        let data = lines.filter_map(|line| line.strip_prefix(b"data:"));
        return data
            .rev()
            .find_map(|data| serde_json::from_slice(data).ok())
            .ok_or(BadJson::Invalid);
    }
    serde_json::from_slice(body).map_err(|_| BadJson::Invalid)
}

/// Nesting depth of brackets outside strings.
fn depth(json: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_is_judged_again_when_it_is_called() {
        // A name with a dot that leads to this machine, without a name server.
        for (name, expected) in [("localhost", true), ("127.1", false)] {
            let resolver = Resolver(AllowedAddresses::default());
            let found = resolver.resolve(name.parse().unwrap()).await;
            assert_eq!(found.is_ok(), expected, "{name}");
        }
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://localhost:{}/mcp", listener.local_addr().unwrap().port());
        let endpoint = Endpoint::check(&url, &AllowedAddresses::default()).await.unwrap();
        let post = AgentClient::new(&AllowedAddresses::closed());
        let clock = Clock::of(Duration::from_secs(5));
        let call = post.call(&endpoint, None, &Value::Null, &clock);
        tokio::select! {
            reply = call => assert_eq!(reply.unwrap_err(), NoAnswer::Unreachable),
            _ = listener.accept() => panic!("it was called"),
        }
    }

    #[tokio::test]
    async fn the_clock_starts_when_the_question_is_written() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let endpoint = Endpoint::check(&url, &AllowedAddresses::default()).await.unwrap();
        let (post, clock) =
            (AgentClient::new(&AllowedAddresses::default()), Clock::of(Duration::from_secs(60)));
        assert!(!clock.is_running());
        let question = serde_json::json!({ "asked": 1 });
        let answered = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut parsed = String::new();
            while !parsed.ends_with('}') {
                parsed.push(char::from(stream.read_u8().await.unwrap()));
            }
            assert!(clock.is_running(), "it was written");
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await.unwrap();
            parsed.to_ascii_lowercase()
        };
        let (reply, parsed) = tokio::join!(post.call(&endpoint, None, &question, &clock), answered);
        assert!(reply.is_ok());
        assert!(parsed.contains("content-length: 11"), "it is not sent in chunks: {parsed}");
    }

    #[test]
    fn json_is_read_to_a_bounded_depth() {
        let check = |text: String, expected: Result<Value, BadJson>| {
            assert_eq!(parse(text.as_bytes()), expected, "{text:.60}");
        };
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(parse(nested(32).as_bytes()).is_ok());
        check(nested(33), Err(BadJson::TooDeep));
        check("[".repeat(100_000), Err(BadJson::TooDeep));
        check(format!("[{:?}]", "[\"[".repeat(100)), Ok(serde_json::json!(["[\"[".repeat(100)])));
        check("<html>".into(), Err(BadJson::Invalid));
        check("{".into(), Err(BadJson::Invalid));
        check(" ".into(), Ok(Value::Null));
        check("event: message\ndata: {\"a\":1}\n\n".into(), Ok(serde_json::json!({ "a": 1 })));
        check("data: 1\ndata: {\"a\":2}\n".into(), Ok(serde_json::json!({ "a": 2 })));
        check("data: nothing\n".into(), Err(BadJson::Invalid));
    }
}
