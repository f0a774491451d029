//! A connection to one agent. It writes messages in the agent's dialect, which it learns from how the
//! agent answers its first invitation.

use std::{
    collections::VecDeque,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use rules::league::PlayerId;
use serde_json::Value;
use tokio::time::sleep_until;

use super::{
    Fields,
    answer::read_answer,
    callbacks::Expected,
    client::{AgentClient, AgentReply},
    clock::Clock,
    dialect::Dialect,
    endpoint::Endpoint,
    errors::{BadMove, NoAnswer},
    manner::Manner,
    message::{Message, Version},
    message_log::MessageLog,
    moves::{Acceptance, accepts, number_of, parity_of, text_of},
    rpc,
};

/// An agent that refuses its invitation is sent at most this many requests to find its dialect.
const MOST_TRIES: u32 = 12;

/// The answer to an invitation or a registration.
pub struct Offered {
    pub word: Acceptance,
    pub answer: Fields,
}

#[derive(Clone)]
pub struct Connection {
    post: AgentClient,
    endpoint: Endpoint,
    manner: Manner,
    player: Option<PlayerId>,
    /// The agent's own, for those who want to see it.
    token: Option<String>,
    log: Option<MessageLog>,
    session: Option<String>,
    greeted: bool,
    /// A move has been answered, so the dialect is certain.
    settled: bool,
    answers: Answers,
    /// Dialects that were not tried yet, once trying has begun. They are tried once.
    untried: Option<VecDeque<Dialect>>,
    /// Why the first of them was refused.
    refusal: Option<NoAnswer>,
    tries: u32,
}

/// How the agent delivers its answers.
#[derive(Clone, Copy)]
enum Answers {
    Plainly,
    Later,
    AsRequest,
}

impl Connection {
    /// `manner` is what is known or guessed; an invitation may teach better.
    pub fn new(post: &AgentClient, endpoint: Endpoint, manner: impl Into<Manner>) -> Connection {
        let (post, manner) = (post.clone(), manner.into());
        Connection {
            post,
            endpoint,
            manner,
            player: None,
            token: None,
            log: None,
            session: None,
            greeted: false,
            settled: false,
            answers: Answers::Plainly,
            untried: None,
            refusal: None,
            tries: 0,
        }
    }

    /// Logs all messages of this connection.
    pub fn with_log(self, log: MessageLog) -> Connection {
        Connection { log: Some(log), ..self }
    }

    /// Sets the player at the other end, with its token for dialects that expect one.
    pub fn with_player(self, player: PlayerId, token: Option<String>) -> Connection {
        Connection { player: Some(player), token, ..self }
    }

    /// The dialect and habits learnt so far.
    pub fn manner(&self) -> Manner {
        Manner { dialect: self.dialect(), ..self.manner }
    }

    /// The dialect to ask this agent in; also the one to begin with next time.
    pub fn dialect(&self) -> Dialect {
        match (self.answers, self.manner.dialect) {
            (Answers::Later, Dialect::H2) => Dialect::C2,
            (Answers::AsRequest, Dialect::H2) => Dialect::Q2,
            (_, dialect) => dialect,
        }
    }

    /// The MCP session that the agent opened for us, if any.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// In plain words, what is special about how it answers.
    pub fn habit(&self) -> Option<&'static str> {
        match self.answers {
            Answers::Plainly => None,
            Answers::Later => Some(Dialect::C2.about()),
            Answers::AsRequest => Some(Dialect::Q2.about()),
        }
    }

    /// Why the agent refused what it was offered first; later refusals may be about how often we ask.
    pub fn refusal(&self) -> Option<&NoAnswer> {
        self.refusal.as_ref()
    }

    /// Invites or registers, in one dialect after the other until one is understood. When all were
    /// refused, another call tries the agent's own dialect and no other.
    pub async fn offer(
        &mut self,
        message: Message,
        fields: &Fields,
        limit: Duration,
        later: Option<Expected>,
    ) -> Result<Offered, NoAnswer> {
        let clock = Clock::of(limit);
        let version = message.version(Version::V2);
        let known = self.manner.dialect;
        // An agent that was restarted has forgotten its sessions, and wants to be greeted again.
        let mut again = self.session.is_some();
        let untried = self.untried.take();
        let mut order = untried.unwrap_or_else(|| known.and_fallbacks(version).collect());
        if order.is_empty() {
            order.push_front(known);
        }
        if again {
            order.push_front(order[0]);
        }
        let mut refused = None;
        while let Some(dialect) = order.pop_front() {
            if refused.is_some() && self.tries + self.cost(dialect) > MOST_TRIES {
                continue;
            }
            match self.introduce(dialect, message, fields, &clock).await {
                Ok(answer) => {
                    (self.manner.dialect, self.refusal, self.tries) = (dialect, None, 0);
                    return Ok(self.settle(answer, later, &clock).await);
                }
                Err(why) if why.may_be_dialect() => {
                    if std::mem::take(&mut again) {
                        (self.session, self.greeted) = (None, false);
                    }
                    self.refusal.get_or_insert_with(|| why.clone());
                    refused.get_or_insert(why);
                }
                Err(why) => {
                    order.push_front(dialect);
                    self.untried = Some(order);
                    // An agent that asks for rest is invited again, in the dialects not tried yet.
                    return Err(if why.asks_for_rest() { why } else { refused.unwrap_or(why) });
                }
            }
        }
        self.untried = Some(order);
        Err(refused.expect("at least one dialect was tried"))
    }

    /// How many requests it may take to say something in this dialect, once.
    fn cost(&self, dialect: Dialect) -> u32 {
        if dialect.greets() && !self.greeted { 4 } else { 1 }
    }

    /// Sends a message once, and again with titles if the agent asks for them.
    async fn introduce(
        &mut self,
        dialect: Dialect,
        message: Message,
        fields: &Fields,
        clock: &Clock,
    ) -> Result<Fields, NoAnswer> {
        let plain = self.exchange(dialect, message, fields, clock).await;
        let before = self.manner;
        let titled = Manner { titles: true, token: true, ..before };
        match plain {
            Err(why)
                if why.misses_title()
                    && self.token.is_some()
                    && before != titled
                    && self.tries < MOST_TRIES =>
            {
                self.manner = titled;
                let answer = self.exchange(dialect, message, fields, clock).await;
                if answer.is_err() {
                    self.manner = before;
                }
                answer
            }
            other => other,
        }
    }

    /// Asks for a move once. If the agent does not know the method, and has not moved yet, the
    /// other name of the method is tried within the same time. `Promised` means that the agent
    /// only acknowledged the question: its move comes as a call of its own.
    pub async fn ask(
        &mut self,
        message: Message,
        fields: &Fields,
        clock: &Clock,
    ) -> Result<Fields, NoAnswer> {
        let dialect = self.manner.dialect;
        let mut answer = self.exchange(dialect, message, fields, clock).await;
        let twin = dialect.twin(message).filter(|_| !self.settled);
        if let (Some(twin), true) = (twin, answer.as_ref().is_err_and(NoAnswer::unknown_method)) {
            answer = self.exchange(twin, message, fields, clock).await;
            self.manner.dialect = if answer.is_ok() { twin } else { dialect };
        }
        let answer = answer?;
        self.settled = true;
        if is_receipt(&answer) {
            self.answers = Answers::Later;
            return Err(NoAnswer::Promised(clock.limit));
        }
        Ok(answer)
    }

    /// Sends a message that needs no answer.
    pub async fn tell(
        &mut self,
        message: Message,
        fields: &Fields,
        limit: Duration,
    ) -> Result<Fields, NoAnswer> {
        if self.post.rests_until(&self.endpoint).is_some() {
            return Err(NoAnswer::SlowDown);
        }
        self.exchange(self.manner.dialect, message, fields, &Clock::of(limit)).await
    }

    /// An invitation that was merely heard may be answered later.
    async fn settle(&mut self, answer: Fields, later: Option<Expected>, clock: &Clock) -> Offered {
        let word = accepts(&answer);
        if let (Acceptance::Parsed, Some(mut later)) = (word, later)
            && let Ok(answer) = clock.within(later.arrives()).await
        {
            self.answers = Answers::Later;
            return Offered { word: accepts(&answer), answer };
        }
        Offered { word, answer }
    }

    async fn exchange(
        &mut self,
        dialect: Dialect,
        message: Message,
        fields: &Fields,
        clock: &Clock,
    ) -> Result<Fields, NoAnswer> {
        if let Some(rested) = self.post.rests_until(&self.endpoint) {
            sleep_until(rested).await;
        }
        let said = self.say(dialect, message, fields, clock).await;
        if said.as_ref().is_err_and(NoAnswer::asks_for_rest) {
            self.post.leave_alone(&self.endpoint);
        }
        said
    }

    async fn say(
        &mut self,
        dialect: Dialect,
        message: Message,
        fields: &Fields,
        clock: &Clock,
    ) -> Result<Fields, NoAnswer> {
        if dialect.greets() && !self.greeted {
            self.greet(clock.limit).await?;
        }
        let id = next_id();
        let body = self.request(id, dialect, message, fields);
        let reply = self.send(&body, clock).await?;
        if reply.body.is_null() && (200..300).contains(&reply.status) {
            return Ok(Fields::from_iter([("status".to_owned(), "received".into())]));
        }
        if reply.body["method"].is_string() && reply.body["result"].is_null() {
            self.answers = Answers::AsRequest;
        }
        read_answer(reply.status, &reply.body, id)
    }

    /// The HTTP body of a message in this agent's dialect.
    pub fn request(&self, id: u64, dialect: Dialect, message: Message, fields: &Fields) -> Value {
        let manner = Manner { dialect, ..self.manner };
        let mut fields = manner.address(fields.clone(), self.token.as_deref());
        if let Some(player) = self.player.filter(|_| dialect.needs_token()) {
            fields.entry("player_id").or_insert_with(|| player.to_string().into());
        }
        dialect.request(id, message, fields)
    }

    /// Makes MCP's handshake within its own time limit. An agent may refuse it.
    async fn greet(&mut self, limit: Duration) -> Result<(), NoAnswer> {
        let clock = Clock::of(limit);
        let hello = rpc::initialize_newest(next_id());
        let known = match self.send(&hello, &clock).await {
            Ok(reply) => {
                too_often(&reply)?;
                self.session = reply.session;
                reply.body["result"].is_object()
            }
            Err(NoAnswer::NotJson(_)) => false,
            Err(why) => return Err(why),
        };
        self.greeted = true;
        if known {
            let ready = rpc::notice("notifications/initialized");
            for body in [ready, rpc::call(next_id(), "tools/list", Fields::new())] {
                // Neither answer changes what is said next, unless it is that we say too much.
                if let Ok(reply) = self.send(&body, &clock).await {
                    too_often(&reply)?;
                }
            }
        }
        Ok(())
    }

    async fn send(&mut self, body: &Value, clock: &Clock) -> Result<AgentReply, NoAnswer> {
        if let Some(log) = &self.log {
            log.sent(body);
        }
        let reply = self.post.call(&self.endpoint, self.session.as_deref(), body, clock).await;
        self.tries += u32::from(!matches!(reply, Err(NoAnswer::Unreachable)));
        if let Some(log) = &self.log {
            log.received(&reply);
        }
        reply
    }
}

fn too_often(reply: &AgentReply) -> Result<(), NoAnswer> {
    match read_answer(reply.status, &reply.body, 0) {
        Err(NoAnswer::SlowDown) => Err(NoAnswer::SlowDown),
        _ => Ok(()),
    }
}

/// Whether an answer to a move request is a mere acknowledgement without a move.
fn is_receipt(answer: &Fields) -> bool {
    let no_move = matches!(number_of(answer), Err(BadMove::Missing(_)))
        && matches!(parity_of(answer), Err(BadMove::Missing(_)))
        && matches!(text_of(answer), Err(BadMove::Missing(_)));
    no_move
        && ["status", "success", "accepted", "ack"].iter().any(|name| answer.contains_key(*name))
}

/// Ids are integers, because some agents refuse strings.
fn next_id() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use axum::{Json, Router, http::HeaderMap, routing::post};
    use serde_json::json;
    use tokio::net::TcpListener;

    use super::*;
    use crate::league::wire::{endpoint::AllowedAddresses, message::new_conversation};

    const JOIN_LIMIT: Duration = Duration::from_secs(30);

    /// A line to an agent that answers like this: to a body that names that session.
    async fn line_to(
        dialect: Dialect,
        answer: impl Fn(&Value, Option<&str>) -> (Value, Option<String>) + Clone + Send + Sync + 'static,
    ) -> Connection {
        let handler = move |headers: HeaderMap, Json(body): Json<Value>| async move {
            let session = headers.get("mcp-session-id").map(|id| id.to_str().unwrap());
            let (mut said, session) = answer(&body, session);
            said["jsonrpc"] = "2.0".into();
            said["id"] = body["id"].clone();
            let mut headers = HeaderMap::new();
            if let Some(session) = session {
                headers.insert("mcp-session-id", session.parse().unwrap());
            }
            (headers, Json(said))
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let router = Router::new().route("/mcp", post(handler));
        tokio::spawn(async { axum::serve(listener, router).await });
        let allowed = AllowedAddresses::default();
        let endpoint = Endpoint::check(&url, &allowed).await.unwrap();
        let line = Connection::new(&AgentClient::new(&allowed), endpoint, dialect);
        line.with_player("P01".parse().unwrap(), Some("its-token".into()))
    }

    async fn invite(line: &mut Connection) -> Result<Offered, NoAnswer> {
        let own = Fields::from_iter([("match_id".to_owned(), "R1M1".into())]);
        let fields = Message::GameStart.write(Version::V1, "referee", &new_conversation(), own);
        line.offer(Message::GameStart, &fields, JOIN_LIMIT, None).await
    }

    fn refusal(message: &str) -> Value {
        json!({ "error": { "code": -32000, "message": message } })
    }

    #[tokio::test]
    async fn the_dialects_are_tried_with_a_dozen_requests() {
        for why in ["auth_token missing", "no"] {
            let parsed = Arc::new(Mutex::new(0));
            let count = parsed.clone();
            let line = line_to(Dialect::S1, move |body, _| {
                *count.lock().unwrap() += 1;
                match body["method"].as_str() {
                    Some("initialize") => (json!({ "result": {} }), Some("a".into())),
                    _ => (refusal(why), None),
                }
            });
            let mut line = line.await;
            assert!(invite(&mut line).await.is_err());
            let first = *parsed.lock().unwrap();
            assert!(first <= 12, "{why}: {first} requests");
            assert!(invite(&mut line).await.is_err());
            let again = *parsed.lock().unwrap() - first;
            assert!(again <= 2, "{why}: {again} requests more");
        }
    }

    #[tokio::test]
    async fn an_agent_that_was_restarted_is_greeted_again() {
        // At first it refuses every dialect; then it knows its earlier session no more.
        let restarted = Arc::new(Mutex::new(false));
        let is_restarted = restarted.clone();
        let line = line_to(Dialect::L1, move |body, session| {
            let is_restarted = *is_restarted.lock().unwrap();
            match (body["method"].as_str(), session) {
                (Some("initialize"), _) => {
                    let session = if is_restarted { "new" } else { "old" };
                    (json!({ "result": {} }), Some(session.into()))
                }
                (Some("tools/call"), Some("new")) => {
                    (json!({ "result": { "accept": true } }), None)
                }
                _ => (refusal("initialize first"), None),
            }
        });
        let mut line = line.await;
        assert!(invite(&mut line).await.is_err());
        *restarted.lock().unwrap() = true;
        // It is refused at most once more for its old session.
        let mut came = false;
        for _ in 0..2 {
            came |= invite(&mut line).await.is_ok();
        }
        assert!(came, "it is not greeted again");
    }
}
