//! `agon league check`: a referee that plays a match with one agent, and then is rude to it, to
//! tell its author what a league would see.

mod script;
mod strict;

use std::{
    fmt::Display,
    future::IntoFuture,
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use axum::{Json, Router, extract::State, routing::post};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};

use self::script::{CheckedGame, MATCH, PLAYER, right_joining, right_moving};
use super::player::answers::welcome;
use crate::{
    league::wire::{
        Fields,
        callbacks::{Awaited, Callbacks, Expected},
        client::AgentClient,
        clock::Clock,
        connection::Connection,
        dialect::Dialect,
        endpoint::{AllowedAddresses, Endpoint},
        errors::{Misread, NoAnswer},
        message::{Message, new_conversation},
        moves::Acceptance,
        reading::{Parsed, hear_body},
        rpc,
    },
    terminal,
};

#[derive(clap::Args)]
pub struct CheckFlags {
    /// The agent's endpoint, like http://localhost:8101/mcp
    #[arg(id = "agent_url", value_name = "URL")] // `url` is a flag of the server
    url: String,
    /// Only even-odd, or only parity [default: both, and one is enough]
    #[arg(long, value_parser = game)]
    game: Option<CheckedGame>,
    /// Hold it to every field and rule of the documents, a row for each
    #[arg(long)]
    strict: bool,
    /// How long an agent may take to join a match
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    join_seconds: Duration,
    /// How long an agent may take to move
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    move_seconds: Duration,
    /// Print a line of JSON for each thing that was tried
    #[arg(long)]
    json: bool,
    /// Listen on this port of 127.0.0.1 for answers that come later; 0 takes any that is free
    /// [default: any, and 8000 and 8001 where they are free]
    #[arg(long)]
    port: Option<u16>,
}

fn game(text: &str) -> Result<CheckedGame, String> {
    CheckedGame::from_str(text, true).map_err(|_| {
        format!(
            "the check knows even-odd and parity; `agon league run --game {} --players 1 --with URL` \
             plays a match of any other game with your agent, and says why it failed",
            text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect::<String>()
        )
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "from 0.01 to 600".into())
}

/// `agon league check`. Fails if the agent could not play a match.
pub async fn run(flags: CheckFlags) -> Result<()> {
    let policy = AllowedAddresses::trusting();
    let endpoint = Endpoint::check(&flags.url, &policy).await;
    let endpoint = endpoint.with_context(|| format!("{} is of no use", flags.url))?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, flags.port.unwrap_or(0))).await?;
    let referee = format!("http://{}/mcp", listener.local_addr()?);
    let callbacks = Callbacks::default();
    let router = Router::new().route("/mcp", post(call_back)).with_state(callbacks.clone());
    let mut listening = JoinSet::new();
    listening.spawn(axum::serve(listener, router.clone()).into_future());
    // Many answer where a league usually is, whatever the question says.
    for port in USUAL_PORTS.into_iter().filter(|_| flags.port.is_none()) {
        if let Ok(listener) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            listening.spawn(axum::serve(listener, router.clone()).into_future());
        }
    }
    let mut check = PlayerCheck {
        post: AgentClient::new(&policy),
        endpoint,
        callbacks,
        referee,
        league: format!("check-{}", &new_conversation()[..8]),
        join: flags.join_seconds,
        limit: flags.move_seconds,
        report: ReportPrinter { json: flags.json, url: flags.url.clone() },
    };
    let plays = check.whole(flags.game).await;
    let rows = if flags.strict { Some(check.strictly(flags.game).await) } else { None };
    drop(listening);
    if let Some(rows) = &rows {
        check.report.say("", format!("{} of {} rows hold.", rows.all - rows.broken, rows.all));
    }
    match plays.as_slice() {
        [] => bail!("{} could not play a match", flags.url),
        plays => {
            check.report.say("", format!("It could play {}.", plays.join(" and ")));
            match rows.map_or(0, |rows| rows.broken) {
                0 => Ok(()),
                broken => bail!("it plays, but {broken} rows of the documents do not hold"),
            }
        }
    }
}

async fn call_back(State(callbacks): State<Callbacks>, Json(body): Json<Value>) -> Json<Value> {
    let id = body["id"].clone();
    let is_expected = hear_body(body).is_ok_and(|parsed| {
        // A league looks at the move, and not at what the message is called.
        let moves = [Message::MoveResponse, Message::ParityResponse, Message::MoveCallResponse];
        let names = if moves.contains(&parsed.message) { &moves[..] } else { &[parsed.message] };
        names.iter().any(|message| {
            callbacks.deliver(PLAYER, &Parsed { message: *message, ..parsed.clone() }).is_ok()
        })
    });
    let status = if is_expected { "ACK" } else { "NOT_EXPECTED" };
    Json(rpc::answer(&id, json!({ "status": status })))
}

/// Prints the report, a line for each thing that was found out.
#[derive(Clone)]
struct ReportPrinter {
    json: bool,
    /// The agent's address, for the commands that ask it the same again.
    url: String,
}

/// A question, and an answer that would have been right.
struct Probe {
    body: String,
    /// The MCP session in which it was asked.
    session: Option<String>,
    right: Value,
}

impl Probe {
    fn new(body: &Value, right: Value) -> Probe {
        Probe { body: body.to_string(), session: None, right }
    }
}

impl ReportPrinter {
    /// This command's product is its report, so stdout is right here.
    fn say(&self, mark: &str, text: impl Display) {
        // The reader may have gone.
        let _ = if self.json {
            let says = text.to_string();
            terminal::say_json(&ReportLine { mark, says, curl: None, right: None })
        } else {
            terminal::say(&format!("{mark:5} {text}"))
        };
    }

    fn good(&self, text: impl Display) {
        self.say("ok", text);
    }

    fn note(&self, text: impl Display) {
        self.say("note", text);
    }

    /// Prints a failure, a shell command that asks the same question, and a right answer.
    fn fail(&self, text: impl Display, probe: &Probe) {
        let session = probe.session.as_ref().map(|id| format!("mcp-session-id: {id}"));
        let session =
            session.map_or(String::new(), |header| format!(" -H {}", shell_word(&header)));
        let curl = format!(
            "curl -s {} -H 'content-type: application/json'{session} -d {}",
            shell_word(&self.url),
            shell_word(&probe.body)
        );
        let (mark, says, right) = ("FAIL", text.to_string(), &probe.right);
        let _ = if self.json {
            terminal::say_json(&ReportLine { mark, says, curl: Some(curl), right: Some(right) })
        } else {
            terminal::say(&format!("{mark:5} {says}\n      {curl}\n      would be right: {right}"))
        };
    }
}

/// A line of the report, for other programs.
#[derive(Serialize)]
struct ReportLine<'a> {
    mark: &'a str,
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    curl: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<&'a Value>,
}

/// A word of a shell's command.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.:@%+=/-".contains(c);
    if text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

struct PlayerCheck {
    post: AgentClient,
    endpoint: Endpoint,
    callbacks: Callbacks,
    referee: String,
    league: String,
    join: Duration,
    limit: Duration,
    report: ReportPrinter,
}

/// The League Manager's and the Referee's.
const USUAL_PORTS: [u16; 2] = [8000, 8001];

/// As our referee has it.
const ATTEMPTS: u32 = 3;
const RESTS: u32 = 5;

/// Whether it only asks to be left alone for a while.
fn is_tired(why: &NoAnswer) -> bool {
    why.asks_for_rest()
}

/// Whether an answer of ours can still come of it.
fn is_gone(why: &NoAnswer) -> bool {
    matches!(why, NoAnswer::Unreachable | NoAnswer::Late(_))
}

impl PlayerCheck {
    /// The games it could play, in words.
    async fn whole(&mut self, only: Option<CheckedGame>) -> Vec<String> {
        self.report.say("", format!("Checking {}", self.endpoint));
        if !self.greet().await {
            return vec![];
        }
        let mut plays = Vec::new();
        let mut lines = Vec::new();
        for game in [CheckedGame::EvenOdd, CheckedGame::Parity] {
            if only.is_some_and(|only| only != game) {
                continue;
            }
            self.report.say("", format!("A match of {}:", game.name()));
            let line = Connection::new(&self.post, self.endpoint.clone(), game.native());
            let player = PLAYER.parse().expect("it is an id");
            let mut line = line.with_player(player, Some("a-token-of-the-check".into()));
            if let Some(words) = self.play(game, &mut line).await {
                plays.push(words);
                lines.push((game, line));
            }
        }
        let Some((game, line)) = lines.first_mut() else { return plays };
        self.report.say("", "Its manners:");
        self.be_rude(*game, line).await;
        match self.ask(*game, line, "R9M9", 1).await {
            Ok(_) => self.report.good("after all this it still plays"),
            // Our league sends nothing of the kind, so it would still play there.
            Err(why) => {
                self.report.note(format!("after all this it does not play any more: {why}"))
            }
        }
        plays
    }

    /// A question in the dialect of the line, and an answer that would have been right in it.
    fn probe(&self, line: &Connection, message: Message, asked: &Fields, right: Fields) -> Probe {
        let body = line.request(1, line.dialect(), message, asked);
        let parsed = hear_body(body.clone()).expect("our own question can be read");
        let session = line.session().map(str::to_owned);
        Probe { session, ..Probe::new(&body, parsed.answer(&1.into(), right)) }
    }

    /// Whether it can be reached, and what it makes of MCP.
    async fn greet(&self) -> bool {
        let hello = rpc::initialize_newest(1);
        match self.post.call(&self.endpoint, None, &hello, &Clock::of(self.join)).await {
            Ok(reply) => match reply.body["result"]["protocolVersion"].as_str() {
                Some(version) => {
                    self.report.good(format!("it answers MCP's initialize, with {version:?}"))
                }
                None => self.report.note("it knows nothing of MCP's initialize; that is allowed"),
            },
            Err(NoAnswer::Unreachable) => {
                let why = format!("{} cannot be reached; is the agent running?", self.endpoint);
                self.report.fail(why, &Probe::new(&hello, rpc::answer(&1.into(), welcome(None))));
                return false;
            }
            Err(why) => self.report.note(format!("greeted with MCP's initialize: {why}")),
        }
        true
    }

    /// A whole match; what it could play, and how, if it could.
    async fn play(&self, game: CheckedGame, line: &mut Connection) -> Option<String> {
        if !self.invite(game, line).await {
            return None;
        }
        let first = match self.move_of(game, line, MATCH, 1).await {
            Ok(first) => first,
            Err(why) => {
                self.fail_to_move(format!("asked for a move: {why}"), game, line, 1);
                return None;
            }
        };
        let dialect = line.dialect();
        self.report.good(format!("it speaks {dialect}: {}", dialect.about()));
        if let Some(habit) = line.habit().filter(|habit| *habit != dialect.about()) {
            self.report.good(format!("and {habit}"));
        }
        match self.ask(game, line, MATCH, 1).await {
            Ok(again) if again == first => self.report.good("asked again, it plays the same"),
            Ok(again) => {
                self.report.note(format!("asked again, it plays {again}; the first answer counts"))
            }
            Err(why) => self.report.note(format!("asked again: {why}")),
        }
        for (message, fields) in game.results(self) {
            match line.tell(message, &fields, self.join).await {
                Ok(_) => self.report.good(format!("sent {message}, it listens")),
                Err(why) => self.report.note(format!("sent {message}: {why}")),
            }
            if message == Message::RoundResult {
                match self.move_of(game, line, MATCH, 2).await {
                    Ok(_) => {}
                    Err(why) => {
                        let why = format!("asked for a move in the next round: {why}");
                        self.fail_to_move(why, game, line, 2);
                        return None;
                    }
                }
            }
        }
        Some(format!("a match of {} in {dialect}", game.name()))
    }

    fn fail_to_move(&self, why: String, game: CheckedGame, line: &Connection, round: u32) {
        let (message, asked) = game.question(self, MATCH, round);
        let mut right = right_moving(game, &asked);
        if line.dialect() == Dialect::S1c && game == CheckedGame::EvenOdd {
            right["move"] = right["move"]["number"].take();
        }
        self.report.fail(why, &self.probe(line, message, &asked, right));
    }

    async fn invite(&self, game: CheckedGame, line: &mut Connection) -> bool {
        let (message, fields) = game.invitation(self);
        // league.v1 has no answer to it, so that it was heard is enough.
        let later =
            (game == CheckedGame::Parity).then(|| self.expect(Message::JoinAck, MATCH, None));
        let began = Instant::now();
        let mut offered = line.offer(message, &fields, self.join, later).await;
        for _ in 0..RESTS {
            if offered.as_ref().is_err_and(is_tired) {
                offered = line.offer(message, &fields, self.join, None).await;
            }
        }
        let took = began.elapsed().as_millis();
        match offered {
            Ok(offered) => match offered.word {
                Acceptance::Yes => self.report.good(format!("invited, it says yes ({took} ms)")),
                Acceptance::Parsed => self.report.note(format!(
                    "invited, it says neither yes nor no ({took} ms); it is taken for a yes"
                )),
                Acceptance::No => {
                    let probe = self.probe(line, message, &fields, right_joining(&fields));
                    self.report.fail("invited, it says no", &probe);
                    return false;
                }
            },
            Err(why) => {
                let why = format!("invited in every dialect: {}", line.refusal().unwrap_or(&why));
                let probe = self.probe(line, message, &fields, right_joining(&fields));
                self.report.fail(why, &probe);
                return false;
            }
        }
        // Referees that were interrupted invite again.
        match line.offer(message, &fields, self.join, None).await {
            Ok(again) if again.word != Acceptance::No => {
                self.report.good("invited twice, it does not mind")
            }
            Ok(_) => self.report.note("invited twice, it says no"),
            Err(why) => self.report.note(format!("invited twice: {why}")),
        }
        true
    }

    /// Asks for a move and tells how that went.
    async fn move_of(
        &self,
        game: CheckedGame,
        line: &mut Connection,
        match_id: &str,
        round: u32,
    ) -> Result<String, String> {
        let began = Instant::now();
        let (answer, played) = self.judged(game, line, match_id, round).await?;
        let took = began.elapsed().as_millis();
        self.report.good(format!("asked for a move, it plays {played} ({took} ms)"));
        let missing: Vec<_> = game.answered_by().missing_from(&answer).collect();
        if !missing.is_empty() {
            self.report.note(format!("its answer leaves out {}", missing.join(", ")));
        }
        Ok(played)
    }

    async fn ask(
        &self,
        game: CheckedGame,
        line: &mut Connection,
        match_id: &str,
        round: u32,
    ) -> Result<String, String> {
        self.judged(game, line, match_id, round).await.map(|(_, played)| played)
    }

    /// A move, as our referee gets one: asked for three times at most, and later from one who asks
    /// to be left alone.
    async fn judged(
        &self,
        game: CheckedGame,
        line: &mut Connection,
        match_id: &str,
        round: u32,
    ) -> Result<(Fields, String), String> {
        let (mut attempts, mut rests) = (1, 0);
        loop {
            let why = match self.answer(game, line, match_id, round).await {
                Ok(answer) => match game.judge(&answer, match_id, round) {
                    Ok(played) => return Ok((answer, played)),
                    Err(bad) => bad,
                },
                Err(why) if is_tired(&why) && rests < RESTS => {
                    rests += 1;
                    continue;
                }
                Err(why @ NoAnswer::Late(_)) => return Err(why.to_string()),
                Err(why @ NoAnswer::Promised(_)) => {
                    return Err(format!(
                        "{why}; it is expected at {}, as referee_endpoint says, or where a league \
                         usually listens; --port chooses another",
                        self.referee
                    ));
                }
                Err(why) => why.to_string(),
            };
            if attempts == ATTEMPTS {
                return Err(why);
            }
            attempts += 1;
            self.report.note(format!("of no use: {why}; it is asked again"));
        }
    }

    async fn answer(
        &self,
        game: CheckedGame,
        line: &mut Connection,
        match_id: &str,
        round: u32,
    ) -> Result<Fields, NoAnswer> {
        let (message, fields) = game.question(self, match_id, round);
        let round = (game == CheckedGame::EvenOdd).then_some(round);
        let mut later = self.expect(game.answered_by(), match_id, round);
        let clock = Clock::of(self.limit);
        match line.ask(message, &fields, &clock).await {
            Err(late @ NoAnswer::Promised(_)) => {
                clock.within(later.arrives()).await.map_err(|_| late)
            }
            answered => answered,
        }
    }

    fn expect(&self, message: Message, match_id: &str, round: Option<u32>) -> Expected {
        let (player_id, match_id) = (PLAYER.into(), match_id.into());
        self.callbacks.expect(Awaited { player_id, match_id, round, message })
    }

    /// Sends what any server on the open net receives every day.
    async fn be_rude(&self, game: CheckedGame, line: &mut Connection) {
        let clock = Clock::of(self.join);
        match self.post.send(&self.endpoint, None, "{ this is".into(), &clock).await {
            Ok(reply) if reply.body["error"].is_object() || reply.status >= 400 => {
                let code = &reply.body["error"]["code"];
                self.report
                    .good(format!("garbage is refused (HTTP {}, error {code})", reply.status));
            }
            Ok(_) => self.report.note("garbage is taken for a message"),
            Err(NoAnswer::NotJson(status)) => {
                self.report.good(format!("garbage is refused (HTTP {status})"))
            }
            Err(why) => self.report.note(format!("sent garbage: {why}")),
        }
        let unknown = rpc::call(1, "no_such_method", json!({}));
        match self.post.call(&self.endpoint, None, &unknown, &Clock::of(self.join)).await {
            Ok(reply) if reply.body["error"].is_object() || reply.status >= 400 => {
                let code = &reply.body["error"]["code"];
                self.report.good(format!("a method nobody has is refused (error {code})"));
            }
            Ok(_) => self.report.note("a method nobody has is answered as if it were one"),
            Err(why) => self.report.note(format!("asked for a method nobody has: {why}")),
        }
        let (message, mut fields) = game.question(self, "R8M8", 1);
        fields.insert("protocol".into(), "league.v9".into());
        match line.tell(message, &fields, self.join).await {
            Err(NoAnswer::Refused { .. }) => {
                self.report.good("a protocol nobody speaks is refused");
            }
            Ok(_) => self
                .report
                .note("a protocol nobody speaks (league.v9) is answered as if it were known"),
            Err(why) if is_gone(&why) => {
                let body = line.request(1, line.dialect(), message, &fields);
                let refusal = Misread::Version("league.v9".into()).error();
                let session = line.session().map(str::to_owned);
                let probe =
                    Probe { session, ..Probe::new(&body, rpc::refusal(&1.into(), &refusal)) };
                self.report.fail(format!("asked in a protocol nobody speaks: {why}"), &probe);
            }
            Err(why) => self.report.note(format!("asked in a protocol nobody speaks: {why}")),
        }
    }
}
