//! The caller, as far as the connection tells.

use std::mem;

use axum::http::request::Parts;
use futures_util::future::OptionFuture;
use reqwest::Url;
use rmcp::{
    ErrorData, RoleServer,
    handler::server::{common::FromContextPart, tool::ToolCallContext},
    model::{
        ElicitRequest, ElicitRequestParams, ElicitationAction, Extensions, InputRequest,
        InputRequiredResult, ProgressNotificationParam, ProgressToken, ProtocolVersion,
    },
    service::RequestContext,
};
use rules::LONGEST_ID;
use tokio::time::{Duration, Instant, interval_at};

use super::{
    McpService, apps,
    cancelling::{Wait, Waits},
    http,
};
use crate::{
    budgets::CallerId,
    player::{name_with_model, plain_name},
    store::Hashed,
};

const PROGRESS: Duration = Duration::from_secs(5);
/// Hosts give up on a call after half a minute; until then a person may say whether they will play.
const INVITING: Duration = Duration::from_secs(20);

const OPEN_THE_BOARD: &str = "Open the board and take your seat";
/// The key under which the client answers our question.
const BOARD: &str = "board";

/// A key that nobody else thinks of.
pub fn random_key() -> String {
    let mut key = [0; 16];
    getrandom::fill(&mut key).expect("the system has random numbers");
    hexadecimal::encode(key)
}

/// The result of asking the person to open the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invited {
    /// The client cannot; the link is told in the answer.
    NotAsked,
    /// Instead of an answer the client gets the question, with this link, and calls again.
    Asks(String),
    Accepted,
    Declined,
    Unanswered,
}

impl Invited {
    /// The question, where that is what the client gets; `key` comes back with the next call.
    pub fn question(&self, key: String) -> Option<InputRequiredResult> {
        let Invited::Asks(link) = self else { return None };
        let ask = ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: OPEN_THE_BOARD.into(),
            url: link.clone(),
            elicitation_id: random_key(),
        };
        let asks = [(BOARD.to_owned(), InputRequest::Elicitation(ElicitRequest::new(ask)))];
        Some(InputRequiredResult::new(Some(asks.into_iter().collect()), Some(key)))
    }

    /// Whether the person has got the link from their host, or will; otherwise the model tells it.
    pub fn brings_link(&self) -> bool {
        matches!(self, Invited::Asks(_) | Invited::Accepted)
    }

    /// A line for the model.
    pub fn told(&self) -> &'static str {
        match self {
            Invited::NotAsked | Invited::Asks(_) => "",
            Invited::Accepted => "\n- The person has been given the link to their board",
            Invited::Declined => {
                "\n- The person, or their host, declined to open the board; the link still opens it"
            }
            Invited::Unanswered => {
                "\n- The person has been asked to open the board; the link still opens it"
            }
        }
    }
}

/// One call's connection.
pub struct Caller {
    context: RequestContext<RoleServer>,
    /// What speaks for seats: a process on stdin; over HTTP the key of the host's entry, or else the
    /// session. A call that comes alone has none.
    pub connection: Option<Hashed>,
    session: Option<Hashed>,
    waits: Waits,
    /// Whether others than this machine can call the server.
    is_public: bool,
    /// In a call that comes again because we asked for something: what the person did, and the key
    /// we gave the call.
    answer: Option<ElicitationAction>,
    pub key: Option<String>,
}

impl FromContextPart<ToolCallContext<'_, McpService>> for Caller {
    fn from_context_part(call: &mut ToolCallContext<'_, McpService>) -> Result<Caller, ErrorData> {
        // The request's headers and all are in these; nobody else asks for them any more.
        let extensions = mem::take(&mut call.request_context.extensions);
        let meta = mem::take(&mut call.request_context.meta);
        let mut context = call.request_context.clone();
        (context.extensions, context.meta) = (extensions, meta);
        let session = session_of(call.service.process, &context);
        let key = context.extensions.get::<Parts>();
        let key = key.and_then(|parts| parts.extensions.get::<ClientKey>()).map(|key| key.0);
        let answers = call.input_responses.take().unwrap_or_default();
        let answer = answers.get(BOARD).and_then(|answer| answer.get("action")).cloned();
        let answer = answer.and_then(|action| serde_json::from_value(action).ok());
        let waits = call.service.waits.clone();
        let (connection, key) = (key.or(session), call.request_state.take());
        let is_public = call.service.leagues.opens.is_some();
        Ok(Caller { context, connection, session, waits, is_public, answer, key })
    }
}

/// A host's own secret: `?key=` in the address of its entry. It speaks for the host's seats in every
/// chat and after a restart, also where there are no sessions. It is kept and compared as a hash.
#[derive(Clone, Copy)]
pub struct ClientKey(Hashed);

impl ClientKey {
    /// 128 random bits, written as base64 without padding.
    const SHORTEST: usize = 22;

    /// The key in an address's query; an error if somebody could guess it.
    pub fn read(query: Option<&str>) -> Result<Option<ClientKey>, String> {
        let Some(key) = query
            .into_iter()
            .flat_map(|all| all.split('&'))
            .find_map(|one| one.strip_prefix("key="))
        else {
            return Ok(None);
        };
        let is_plain = |c: u8| c.is_ascii_alphanumeric() || b"-_".contains(&c);
        if key.len() >= ClientKey::SHORTEST && key.bytes().all(is_plain) {
            return Ok(Some(ClientKey(Hashed::of(&format!("key of a host {key}")))));
        }
        let shortest = ClientKey::SHORTEST;
        Err(format!(
            "the key in the address must be at least {shortest} random letters, digits, - or _; the \
             page /connect makes one"
        ))
    }
}

/// Identifies the session of a request: on stdin `process`, over HTTP the hash of its session id.
pub fn session_of(process: Hashed, context: &RequestContext<RoleServer>) -> Option<Hashed> {
    if context.extensions.get::<Parts>().is_none() {
        return Some(process);
    }
    // The newest protocol has no sessions, and does not check the header either.
    session(&context.extensions).filter(|_| !is_modern(context))
}

fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// The session a message came with, if it came over HTTP.
pub fn session(extensions: &Extensions) -> Option<Hashed> {
    let id = extensions.get::<Parts>()?.headers.get("mcp-session-id")?;
    id.to_str().ok().map(Hashed::of)
}

impl Caller {
    /// The client's own name, as a label people can read.
    pub fn name(&self) -> String {
        // A client without a handshake that does not name itself has no name.
        let client = match self.session {
            Some(_) => self.context.client_info(),
            None => self.context.meta.client_info(),
        };
        let name = client.map(|client| client.title.unwrap_or(client.name)).unwrap_or_default();
        plain_name(&name)
    }

    /// The origin against which the call is counted.
    pub fn id(&self) -> CallerId {
        // Without HTTP it is the owner's own host that speaks to us.
        self.context.extensions.get::<Parts>().map_or(CallerId::Owner, http::caller_id)
    }

    /// The key under which a call with the caller's own `key` is kept. Another caller's call with
    /// the same key is another call: a host is known by the key in its entry, else by its session.
    /// Only callers with neither that share an address share keys too. None for those whose address
    /// a proxy hides or may hide, unless nobody can guess the key.
    pub fn request_key(&self, what: &str, key: &str) -> Option<Hashed> {
        let from = match (self.id(), self.connection) {
            // The next process on stdin speaks for the same owner.
            (CallerId::Owner, _) => "owner".to_owned(),
            (_, Some(connection)) => format!("connection {connection}"),
            (CallerId::Bearer(address) | CallerId::Address(address), None) => {
                let may_be_hidden = self.is_public && address.to_canonical().is_loopback();
                let is_hidden = may_be_hidden || address.is_unspecified();
                if is_hidden && key.len() < ClientKey::SHORTEST {
                    return None;
                }
                address.to_string()
            }
        };
        Some(Hashed::of(&format!("{what} {from} {key}")))
    }

    /// Whether the client shows pages of its own accord, and need not be sent them.
    pub fn has_apps(&self) -> bool {
        let announced = self.context.client_capabilities().and_then(|client| client.extensions);
        announced.is_some_and(|extensions| extensions.contains_key(apps::EXTENSION))
    }

    /// What the caller wants to be called, by default what its client calls itself; and the model
    /// behind it, if it says.
    pub fn called(&self, name: &str, model: &str) -> String {
        let name = Some(plain_name(name)).filter(|name| !name.is_empty());
        let name = &name.unwrap_or_else(|| self.name());
        name_with_model(name, model)
    }

    /// Whether the client asks its person to open a link, without showing it to the model.
    pub fn opens_links(&self) -> bool {
        let elicitation = self.context.client_capabilities().and_then(|client| client.elicitation);
        // Without a connection that lasts, and without the means to call again, nobody can be asked.
        let can_be_asked = self.session.is_some() || is_modern(&self.context);
        can_be_asked && elicitation.is_some_and(|modes| modes.url.is_some())
    }

    /// Has the client ask its person to open the board, where there is a link and it can.
    pub async fn invite(&self, link: Option<&str>) -> Invited {
        let link = link.filter(|_| self.opens_links()).and_then(|link| link.parse::<Url>().ok());
        let Some(link) = link else { return Invited::NotAsked };
        if is_modern(&self.context) {
            return match &self.answer {
                Some(ElicitationAction::Accept) => Invited::Accepted,
                Some(_) => Invited::Declined,
                None => Invited::Asks(link.into()),
            };
        }
        let asked = self.context.peer.elicit_url_with_timeout(
            OPEN_THE_BOARD,
            link,
            random_key(),
            Some(INVITING),
        );
        match asked.await {
            Ok(ElicitationAction::Accept) => Invited::Accepted,
            Ok(_) => Invited::Declined,
            Err(error) => {
                tracing::debug!(%error, "nobody has said whether the board will be opened");
                Invited::Unanswered
            }
        }
    }

    /// Waits for `work`, telling the caller every few seconds that it goes on, if they asked to
    /// be told. None when they have lost interest.
    pub async fn patiently<T>(&self, about: &str, work: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(work);
        let started = Instant::now();
        let mut clock = interval_at(started + PROGRESS, PROGRESS);
        // It comes with every notification, so one that is too long is ignored.
        let token = self.context.meta.get_progress_token();
        let token = token.filter(|ProgressToken(token)| token.to_string().len() <= LONGEST_ID);
        let wait = self.session.map(|session| self.waits.begin(session, &self.context.id));
        loop {
            tokio::select! {
                done = &mut work => return Some(done),
                () = self.context.ct.cancelled() => return None,
                Some(()) = OptionFuture::from(wait.as_ref().map(Wait::cancelled)) => return None,
                _ = clock.tick(), if token.is_some() => {
                    let Some(token) = token.clone() else { continue };
                    let seconds = started.elapsed().as_secs_f64();
                    let progress =
                        ProgressNotificationParam::new(token, seconds).with_message(about);
                    // A client that does not listen still gets its answer.
                    let _ = self.context.peer.notify_progress(progress).await;
                }
            }
        }
    }
}
