//! A line to one agent: what is said over it is said in the agent's dialect, learnt from how it
//! takes its first invitation.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use serde_json::Value;
use tokio::time::sleep_until;

use super::{
    Fields,
    answer::read_answer,
    callbacks::Expected,
    clock::Clock,
    dialect::Dialect,
    endpoint::Endpoint,
    errors::{BadMove, NoAnswer},
    journal::Journal,
    manner::Manner,
    message::{Message, Version},
    moves::{Acceptance, accepts, number_of, parity_of, text_of},
    post::{Post, PostReply},
    rpc::{self, Empty, Initialize},
};

/// What was answered to an invitation or a registration.
pub struct Offered {
    pub word: Acceptance,
    pub answer: Fields,
}

#[derive(Clone)]
pub struct Line {
    post: Post,
    endpoint: Endpoint,
    manner: Manner,
    /// The agent's own, for those who want to see it.
    token: Option<String>,
    journal: Option<Journal>,
    session: Option<String>,
    greeted: bool,
    /// A move has been answered, so the dialect is certain.
    settled: bool,
    answers: Answers,
}

/// How its answers come.
#[derive(Clone, Copy)]
enum Answers {
    Plainly,
    Later,
    AsRequest,
}

impl Line {
    /// `manner` is what is known or guessed; an invitation may teach better.
    pub fn new(post: &Post, endpoint: Endpoint, manner: impl Into<Manner>) -> Line {
        let (post, manner) = (post.clone(), manner.into());
        Line {
            post,
            endpoint,
            manner,
            token: None,
            journal: None,
            session: None,
            greeted: false,
            settled: false,
            answers: Answers::Plainly,
        }
    }

    /// Writes down what is said over it.
    pub fn with_journal(self, journal: Journal) -> Line {
        Line { journal: Some(journal), ..self }
    }

    /// With the agent's token, should it want to see it.
    pub fn with_token(self, token: Option<String>) -> Line {
        Line { token, ..self }
    }

    /// How to speak to this agent from now on.
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

    /// In plain words, what is special about how it answers.
    pub fn habit(&self) -> Option<&'static str> {
        match self.answers {
            Answers::Plainly => None,
            Answers::Later => Some(Dialect::C2.about()),
            Answers::AsRequest => Some(Dialect::Q2.about()),
        }
    }

    /// Invites or registers, in one dialect after the other until one is understood.
    pub async fn offer(
        &mut self,
        message: Message,
        fields: &Fields,
        limit: Duration,
        later: Option<Expected>,
    ) -> Result<Offered, NoAnswer> {
        let clock = Clock::of(limit);
        let version = message.version(Version::V2);
        let mut first = None;
        // An agent that was restarted has forgotten its sessions, and wants to be greeted again.
        let mut again = self.session.is_some().then_some(self.manner.dialect);
        for dialect in again.into_iter().chain(self.manner.dialect.and_fallbacks(version)) {
            match self.introduce(dialect, message, fields, &clock).await {
                Ok(answer) => {
                    self.manner.dialect = dialect;
                    return Ok(self.settle(answer, later, &clock).await);
                }
                Err(why) if why.may_be_dialect() => {
                    if again.take().is_some() {
                        (self.session, self.greeted) = (None, false);
                    }
                    first.get_or_insert(why);
                }
                // It will be asked again, in the words it had no time for.
                Err(why) if why.asks_for_rest() => {
                    self.manner.dialect = dialect;
                    return Err(why);
                }
                Err(why) => return Err(first.unwrap_or(why)),
            }
        }
        Err(first.expect("at least one dialect was tried"))
    }

    /// Says it once, and once more with titles if those are missed.
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
            Err(why) if why.misses_title() && self.token.is_some() && before != titled => {
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

    /// Asks for a move: once. Only a name the agent says it does not have is said differently,
    /// within the same time, and only until a first move has come.
    pub async fn ask(
        &mut self,
        message: Message,
        fields: &Fields,
        clock: &Clock,
        later: Option<Expected>,
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
        match later {
            Some(mut later) if is_receipt(&answer) => {
                self.answers = Answers::Later;
                clock.within(later.arrives()).await
            }
            _ => Ok(answer),
        }
    }

    /// Tells what needs no answer. That it was heard is good to know, no more.
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
        if let (Acceptance::Heard, Some(mut later)) = (word, later)
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
        let fields = self.manner.address(fields.clone(), self.token.as_deref());
        let body = dialect.request(id, message, fields);
        let reply = self.send(&body, clock).await?;
        if reply.body.is_null() && (200..300).contains(&reply.status) {
            return Ok(Fields::from_iter([("status".to_owned(), "received".into())]));
        }
        if reply.body["method"].is_string() && reply.body["result"].is_null() {
            self.answers = Answers::AsRequest;
        }
        read_answer(reply.status, &reply.body, id)
    }

    /// MCP's handshake, in a time of its own. An agent that knows nothing of it may say so.
    async fn greet(&mut self, limit: Duration) -> Result<(), NoAnswer> {
        let clock = Clock::of(limit);
        let hello = rpc::call(next_id(), "initialize", Initialize::newest());
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
            for body in [ready, rpc::call(next_id(), "tools/list", Empty {})] {
                // Neither answer changes what is said next, unless it is that we say too much.
                if let Ok(reply) = self.send(&body, &clock).await {
                    too_often(&reply)?;
                }
            }
        }
        Ok(())
    }

    async fn send(&self, body: &Value, clock: &Clock) -> Result<PostReply, NoAnswer> {
        if let Some(journal) = &self.journal {
            journal.sent(body);
        }
        let reply = self.post.call(&self.endpoint, self.session.as_deref(), body, clock).await;
        if let Some(journal) = &self.journal {
            journal.received(&reply);
        }
        reply
    }
}

fn too_often(reply: &PostReply) -> Result<(), NoAnswer> {
    match read_answer(reply.status, &reply.body, 0) {
        Err(NoAnswer::SlowDown) => Err(NoAnswer::SlowDown),
        _ => Ok(()),
    }
}

/// Whether an answer to a move request says that it was heard, and nothing of a move.
fn is_receipt(answer: &Fields) -> bool {
    let no_move = matches!(number_of(answer), Err(BadMove::Missing(_)))
        && matches!(parity_of(answer), Err(BadMove::Missing(_)))
        && matches!(text_of(answer), Err(BadMove::Missing(_)));
    no_move
        && ["status", "success", "accepted", "ack"].iter().any(|name| answer.contains_key(*name))
}

/// Integers: some agents refuse text.
fn next_id() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}
