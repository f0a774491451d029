//! Access control: the host names this server answers to, the pages that may call it from a
//! browser, and the token.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use clap::builder::FalseyValueParser;
use reqwest::Url;
use rules::quoted;
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::{bodies::read_on, refusals::ApiError};
use crate::{
    budgets::CallerId,
    limits::Limits,
    mcp::{
        caller::ClientKey,
        envelope::failure,
        http::{ShowedToken, caller_id},
    },
    store::Hashed,
};

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Who may call")]
pub struct Access {
    /// Answer to this host name too (besides localhost), like games.example or games.example:8000
    #[arg(
        long,
        value_name = "HOST",
        env = "AGON_ALLOWED_HOST",
        value_delimiter = ',',
        global = true
    )]
    allowed_host: Vec<String>,
    /// Let pages of this origin call (besides localhost's), like https://chat.example
    #[arg(
        long,
        value_name = "ORIGIN",
        env = "AGON_ALLOWED_ORIGIN",
        value_delimiter = ',',
        global = true
    )]
    allowed_origin: Vec<String>,
    /// Ask MCP clients for this bearer token; needed to listen beyond this machine
    #[arg(long, value_name = "TOKEN", env = "AGON_TOKEN", hide_env_values = true, global = true)]
    token: Option<String>,
    /// Let people without the token start games and take free seats on the pages; otherwise, where
    /// a token is asked for, they watch
    #[arg(long, env = "AGON_GUESTS", value_parser = FalseyValueParser::new(), global = true)]
    guests: bool,
    /// Close connections that send nothing for this long between or within requests [default: 60,
    /// or as --limits says]
    #[arg(long, value_name = "SECONDS", env = "AGON_IDLE_SECONDS", global = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    idle_seconds: Option<u64>,
}

#[derive(Debug, thiserror::Error)]
#[error(
    "{0} can be reached from other machines, so MCP clients must show a token: set AGON_TOKEN (or \
     --token) to a long random word, or listen on 127.0.0.1 only"
)]
pub struct NeedsToken(SocketAddr);

impl Access {
    /// Answer to this address too: unlike a name, it cannot be made to point here by a foreign
    /// page.
    pub fn answer_to(&mut self, address: IpAddr) {
        match address {
            // Every address, and so none in particular.
            address if address.is_unspecified() => {}
            address => self.allowed_host.push(address.to_string()),
        }
    }

    /// The token, for a program that shows it to others and asks nobody for it.
    pub fn take_token(&mut self) -> Option<String> {
        self.token.take()
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }
}

#[derive(Clone)]
pub struct Guard(Arc<Allowed>);

struct Allowed {
    hosts: Vec<String>,
    origins: Vec<String>,
    token: Option<Hashed>,
    guests: bool,
    patience: Option<Duration>,
}

impl Guard {
    pub fn new(access: &Access) -> Guard {
        // In a Host header, an IPv6 address has brackets.
        let host = |host: &String| match host.parse::<Ipv6Addr>() {
            Ok(address) => format!("[{address}]"),
            Err(_) => host.clone(),
        };
        Guard(Arc::new(Allowed {
            hosts: access.allowed_host.iter().map(host).collect(),
            origins: access.allowed_origin.clone(),
            token: access.token.as_deref().filter(|token| !token.is_empty()).map(Hashed::of),
            guests: access.guests,
            patience: access.idle_seconds.map(Duration::from_secs),
        }))
    }

    pub fn asks_for_token(&self) -> bool {
        self.0.token.is_some()
    }

    /// How long a client may keep us waiting.
    pub fn patience(&self, limits: &Limits) -> Duration {
        let usual = Duration::from_secs(limits.idle_seconds.get().into());
        self.0.patience.unwrap_or(usual)
    }

    /// Whether people who show no token may sit down and play.
    pub fn lets_guests_play(&self) -> bool {
        self.0.guests || !self.asks_for_token()
    }

    /// Whether callers from other machines reach this server, as far as the flags tell. `url` is
    /// where people reach the pages.
    pub fn is_public(&self, url: Option<&Url>) -> bool {
        let mut hosts = self.0.hosts.iter().map(String::as_str).chain(url.and_then(Url::host_str));
        hosts.any(|host| !is_loopback(without_port(host)))
    }

    /// Whether the token came along, if one is asked for.
    fn knows_caller(&self, headers: &HeaderMap) -> bool {
        // Comparing hashes tells an attacker nothing about the token.
        self.0.token.is_none_or(|token| bearer(headers).map(Hashed::of) == Some(token))
    }

    /// Whether `address` may be listened on.
    pub fn permits(&self, address: SocketAddr) -> Result<(), NeedsToken> {
        if address.ip().is_loopback() || self.0.token.is_some() {
            Ok(())
        } else {
            Err(NeedsToken(address))
        }
    }

    fn knows_host(&self, authority: &str) -> bool {
        let host = without_port(authority);
        is_loopback(host)
            || self.0.hosts.iter().any(|allowed| {
                allowed.eq_ignore_ascii_case(authority) || allowed.eq_ignore_ascii_case(host)
            })
    }

    fn knows_origin(&self, origin: &str) -> bool {
        let listed = self.0.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin));
        listed
            || origin.parse::<Uri>().is_ok_and(|uri| {
                let web = matches!(uri.scheme_str(), Some("http" | "https"));
                web && uri.authority().is_some_and(|at| is_loopback(without_port(at.as_str())))
            })
    }

    /// Why this request comes from where it should not, if it does.
    fn stranger(&self, request: &Request) -> Option<String> {
        let text =
            |name| request.headers().get(name).map(|v: &HeaderValue| v.to_str().unwrap_or("?"));
        let host = text(header::HOST).or(request.uri().authority().map(|at| at.as_str()));
        if let Some(host) = host.filter(|host| !self.knows_host(host)) {
            let host = quoted(host);
            return Some(format!(
                "host {host} is not allowed here; the owner can add --allowed-host"
            ));
        }
        let origin = text(header::ORIGIN).filter(|origin| !self.knows_origin(origin))?;
        let origin = quoted(origin);
        Some(format!("origin {origin} is not allowed here; the owner can add --allowed-origin"))
    }

    pub fn cors(&self) -> CorsLayer {
        let guard = self.clone();
        let known = move |origin: &HeaderValue, _: &Parts| {
            origin.to_str().is_ok_and(|origin| guard.knows_origin(origin))
        };
        let mcp = ["accept", "authorization", "content-type", "last-event-id", "mcp-method"]
            .into_iter()
            .chain(["mcp-name", "mcp-protocol-version", "mcp-session-id"])
            .map(HeaderName::from_static);
        CorsLayer::new()
            .allow_origin(AllowOrigin::predicate(known))
            .allow_methods([Method::GET, Method::POST, Method::DELETE])
            .allow_headers(mcp.collect::<Vec<_>>())
            .expose_headers([HeaderName::from_static("mcp-session-id")])
    }
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        // An IPv6 address has brackets where it has a port.
        Some((host, _)) if host.contains(':') && !host.ends_with(']') => authority,
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let is_local = |address: IpAddr| address.is_loopback();
    host.eq_ignore_ascii_case("localhost") || address.parse().is_ok_and(is_local)
}

/// Refuses other names, which a foreign page could have pointed at this machine, and foreign pages.
pub async fn check(State(guard): State<Guard>, mut request: Request, next: Next) -> Response {
    let stranger = guard.stranger(&request);
    if guard.asks_for_token() && guard.knows_caller(request.headers()) {
        request.extensions_mut().insert(ShowedToken);
    }
    match stranger {
        None => next.run(request).await,
        Some(why) => {
            tracing::info!(why, "refused");
            read_on(request.into_body()).await;
            failure(StatusCode::FORBIDDEN, -32000, &why)
        }
    }
}

pub async fn check_token(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    if guard.knows_caller(request.headers()) {
        return next.run(request).await;
    }
    let why = "this server asks for a token: send Authorization: Bearer TOKEN";
    unauthorized(failure(StatusCode::UNAUTHORIZED, -32001, why))
}

/// Takes a host's key out of the address, where others might repeat it.
pub async fn read_key(mut request: Request, next: Next) -> Response {
    let key = match ClientKey::read(request.uri().query()) {
        Ok(Some(key)) => key,
        Ok(None) => return next.run(request).await,
        Err(why) => return failure(StatusCode::BAD_REQUEST, -32600, &why),
    };
    request.extensions_mut().insert(key);
    if let Ok(path) = request.uri().path().parse() {
        *request.uri_mut() = path;
    }
    next.run(request).await
}

/// The caller that a request is counted against.
impl<S: Sync> FromRequestParts<S> for CallerId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<CallerId, Infallible> {
        Ok(caller_id(parts))
    }
}

/// Before somebody sits down on the pages.
pub async fn check_guest(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    if guard.lets_guests_play() || guard.knows_caller(request.headers()) {
        return next.run(request).await;
    }
    let why = "Guests only watch here. Ask an agent that plays here for a link to a seat; the \
               owner can let guests play with --guests.";
    unauthorized(ApiError::new(StatusCode::UNAUTHORIZED, why).into_response())
}

fn unauthorized(why: Response) -> Response {
    ([(header::WWW_AUTHENTICATE, "Bearer")], why).into_response()
}

/// The secret in the Authorization header.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let shown = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = shown.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_to_all() -> Access {
        let (allowed_host, allowed_origin) = (vec![], vec![]);
        Access { allowed_host, allowed_origin, token: None, guests: false, idle_seconds: None }
    }

    fn guard(hosts: &[&str], origins: &[&str]) -> Guard {
        let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
        let (allowed_host, allowed_origin) = (own(hosts), own(origins));
        Guard::new(&Access { allowed_host, allowed_origin, ..open_to_all() })
    }

    #[test]
    fn only_this_machine_and_named_hosts_are_answered() {
        let guard = guard(&["games.example", "other.example:8000", "2001:db8::1"], &[]);
        for host in [
            "localhost",
            "LOCALHOST:8000",
            "127.0.0.1:1",
            "[::1]:8000",
            "[::1]",
            "games.example:99",
            "[2001:db8::1]:8000",
        ] {
            assert!(guard.knows_host(host), "{host}");
        }
        assert!(guard.knows_host("other.example:8000"));
        for host in [
            "evil.example",
            "other.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "",
        ] {
            assert!(!guard.knows_host(host), "{host}");
        }
    }

    #[test]
    fn any_name_but_this_machines_means_that_others_can_call() {
        let check = |hosts: &[&str], url: Option<&str>, expected: bool| {
            let url = url.map(|url| url.parse().expect("a URL"));
            assert_eq!(guard(hosts, &[]).is_public(url.as_ref()), expected, "{hosts:?} {url:?}");
        };
        check(&[], None, false);
        for host in ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "::1", "[::1]", "[::1]:8000"] {
            check(&[host], None, false);
        }
        for host in ["games.example", "games.example:8000", "10.0.0.1", "0.0.0.0", "2001:db8::1"] {
            check(&["localhost", host], None, true);
        }
        for url in ["http://localhost:8000", "http://127.0.0.1", "http://[::1]:8000/agon"] {
            check(&[], Some(url), false);
        }
        for url in
            ["https://games.example/agon", "https://b\u{fc}cher.example", "http://10.0.0.1:80"]
        {
            check(&[], Some(url), true);
        }
    }

    #[test]
    fn only_pages_of_this_machine_and_named_origins_may_call() {
        let guard = guard(&[], &["https://chat.example"]);
        for origin in ["http://localhost:6274", "http://127.0.0.1", "https://chat.example"] {
            assert!(guard.knows_origin(origin), "{origin}");
        }
        for origin in ["null", "https://evil.example", "http://localhost.evil.example", "file://"] {
            assert!(!guard.knows_origin(origin), "{origin}");
        }
    }

    #[test]
    fn other_machines_need_a_token() {
        let open: SocketAddr = "0.0.0.0:8000".parse().unwrap();
        let mut access = open_to_all();
        assert!(Guard::new(&access).permits(open).is_err());
        access.token = Some(String::new());
        assert!(Guard::new(&access).permits(open).is_err());
        access.token = Some("word".into());
        assert!(Guard::new(&access).permits(open).is_ok());
    }
}
