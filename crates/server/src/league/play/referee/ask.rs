//! One question: put, put again where the answer was of no use, and given up when the time is over.

use std::time::Duration;

use rules::{Ask, Record, Seat, Turn, league::PlayerId};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until};

use super::{Case, PAUSE, Participant, contest::Contest, is_endless};
use crate::{
    hall::{Game, Refusal, Retry},
    league::{
        play::leagues::Leagues,
        wire::{
            Fields,
            clock::Clock,
            connection::Connection,
            contents::written,
            errors::{BadMove, LeagueCode, NoAnswer},
            message::Message,
            message_log::MessageLog,
            moves::belongs,
            rpc::RpcError,
            timestamp,
        },
    },
    store::now,
};

/// A move is looked for in the store this often, beside waiting for news of it.
const REREAD: Duration = Duration::from_secs(2);
/// One who asks for rest is left alone this often, and then given up.
const RESTS: u32 = 5;
/// A question is put this often at most, all within one deadline.
const ATTEMPTS: u32 = 3;

/// How long a player may take until the game has moved on, and how often it was asked meanwhile.
struct Patience {
    clock: Clock,
    /// When the clock runs out, as the player is told.
    deadline: String,
    attempt: u32,
    rests: u32,
}

impl Patience {
    fn new(case: &Case, place: &Participant) -> Patience {
        let limit = Duration::from_secs(case.league.setup().time_limit_seconds.into());
        let clock = if place.line.is_some() { Clock::of(limit) } else { Clock::running(limit) };
        Patience { clock, deadline: case.deadline(), attempt: 1, rests: 0 }
    }
}

/// Has a player's move played, or that there was none in time. `then` is how the game stood when it
/// became due. What it asks the other instead does not set its clock back.
pub(super) async fn ask(
    leagues: &Leagues,
    case: &Case<'_>,
    game: &Game,
    then: &Record,
    place: &mut Participant,
    due: bool,
) {
    if !due {
        return;
    }
    let seat = place.seat;
    if place.is_computer {
        return moved_on(game, then, seat).await;
    }
    let mut patience = Patience::new(case, place);
    leagues.deadlines.set(game.id(), seat, Some(patience.clock.clone()));
    wait_for(case, game, then, place, &mut patience).await;
    leagues.deadlines.set(game.id(), seat, None);
}

async fn wait_for(
    case: &Case<'_>,
    game: &Game,
    then: &Record,
    place: &mut Participant,
    patience: &mut Patience,
) {
    let seat = place.seat;
    while !has_moved_on(then, &game.record(), seat) {
        let answered = tokio::select! {
            answered = answer(case, game, place, patience) => answered,
            // The player may hand its move in by itself.
            () = moved_on(game, then, seat) => return,
        };
        play(game, seat, &answered.unwrap_or(Ask::Late), then).await;
    }
}

async fn answer(
    case: &Case<'_>,
    game: &Game,
    place: &mut Participant,
    patience: &mut Patience,
) -> Option<Ask> {
    if place.absent {
        return None;
    }
    let (contest, clock) = (place.contest, &patience.clock);
    let round = contest.round(&game.record());
    if let Some(engine) = &place.engine {
        let chosen = engine.choose(game, clock.limit).await;
        let noted = chosen.inspect_err(|why| place.log.note(in_round(round, why)));
        return noted.ok().map(Ask::from);
    }
    let (words, player, match_id) = (contest.messages(), place.player, case.fixture.match_id);
    let Some(line) = &mut place.line else {
        clock.runs_out().await;
        let why = format!("no move within {} s", clock.limit.as_secs());
        time_is_over(case, player, &place.log, round, &why);
        return None;
    };
    let mut previous_error: Option<Fields> = None;
    while patience.attempt <= ATTEMPTS {
        let (record, attempt) = (game.record(), patience.attempt);
        let round = contest.round(&record);
        let mut question = contest.question(case, &record, place.seat, &patience.deadline);
        if let Some(error) = previous_error.take() {
            question.insert("previous_error".into(), error.into());
        }
        let why = match line.ask(words.ask, &question, clock).await {
            Ok(answer) => match read_move(contest, case, &record, place.seat, &answer) {
                Ok(ask) => {
                    // It may not be its move yet: a draw offered, or declined.
                    patience.attempt += 1;
                    return Some(ask);
                }
                Err(bad) => InvalidAnswer::Move(bad),
            },
            Err(late @ (NoAnswer::Late(_) | NoAnswer::Promised(_))) => {
                // A promised move may still arrive as a call of the player's own.
                if let NoAnswer::Promised(_) = late {
                    clock.runs_out().await;
                }
                time_is_over(case, player, &place.log, round, &late.to_string());
                return None;
            }
            Err(none) => InvalidAnswer::Answer(none),
        };
        tracing::info!(%player, %match_id, round, attempt, why = why.reason(), "no usable answer");
        place.log.note(in_round(round, &why.reason()));
        if why.asks_for_rest() && patience.rests < RESTS {
            patience.rests += 1;
            sleep(why.pause(attempt, clock)).await;
            continue;
        }
        if attempt == ATTEMPTS {
            return None;
        }
        previous_error = complain(case, line, words.complaint, player, &why, attempt, clock).await;
        patience.attempt += 1;
    }
    place.log.note(in_round(round, &format!("asked {ATTEMPTS} times, it has not moved")));
    None
}

/// Gives a player a pause before it is asked again. Why that is so it is told at once, where there is
/// a message for it; otherwise the next question has it.
async fn complain(
    case: &Case<'_>,
    line: &mut Connection,
    message: Option<Message>,
    player: PlayerId,
    why: &InvalidAnswer,
    attempt: u32,
    clock: &Clock,
) -> Option<Fields> {
    let pause = why.pause(attempt, clock);
    let again = Instant::now() + pause;
    let error = match message {
        Some(message) => {
            let complaint = case.write(message, &why.complaint(player, attempt, pause));
            // It may help, and costs no more than the pause.
            let _ = line.tell(message, &complaint, pause).await;
            None
        }
        None => Some(written(&why.error())),
    };
    sleep_until(again).await;
    error
}

fn time_is_over(case: &Case, player: PlayerId, log: &MessageLog, round: Option<u32>, why: &str) {
    let match_id = case.fixture.match_id;
    tracing::info!(%player, %match_id, "a player's time is over");
    log.note(in_round(round, why));
}

/// The move that an answer holds, if it can be played.
fn read_move(
    contest: &dyn Contest,
    case: &Case,
    record: &Record,
    seat: Seat,
    answer: &Fields,
) -> Result<Ask, BadMove> {
    belongs(answer, &case.fixture.match_id.to_string(), contest.round(record))?;
    let ask = Ask::from(&contest.read(answer)?);
    record.check(seat, ask.clone())?;
    Ok(ask)
}

fn in_round(round: Option<u32>, why: &str) -> String {
    round.map_or(why.to_owned(), |round| format!("round {round}: {why}"))
}

/// Why an answer was of no use.
enum InvalidAnswer {
    Move(BadMove),
    Answer(NoAnswer),
}

impl InvalidAnswer {
    fn reason(&self) -> String {
        match self {
            InvalidAnswer::Move(bad) => bad.to_string(),
            InvalidAnswer::Answer(none) => none.to_string(),
        }
    }

    fn code(&self) -> LeagueCode {
        match self {
            InvalidAnswer::Move(bad) => bad.league_code(),
            InvalidAnswer::Answer(none) => none.league_code(),
        }
    }

    fn field(&self) -> Option<&'static str> {
        match self {
            InvalidAnswer::Move(bad) => Some(bad.field()),
            InvalidAnswer::Answer(_) => None,
        }
    }

    fn asks_for_rest(&self) -> bool {
        matches!(self, InvalidAnswer::Answer(NoAnswer::SlowDown))
    }

    /// An agent that asks us to slow down gets a third of its remaining time.
    fn pause(&self, attempt: u32, clock: &Clock) -> Duration {
        let left = clock.until().saturating_duration_since(Instant::now());
        if self.asks_for_rest() { left / 3 } else { (PAUSE * attempt).min(left) }
    }

    /// As JSON-RPC has errors.
    fn error(&self) -> RpcError {
        RpcError::at_fault(-32602, &self.reason(), self.field(), Some(self.code()))
    }

    /// As league.v2 has them.
    fn complaint(&self, player: PlayerId, attempt: u32, pause: Duration) -> Value {
        let (error_code, error_name) = self.code();
        json!({
            "error_code": error_code,
            "error_name": error_name,
            "error_description": self.reason(),
            "field": self.field(),
            "affected_player": player,
            "action_required": "answer the question that comes next",
            "retry_info": {
                "retry_count": attempt,
                "max_retries": ATTEMPTS - 1,
                "next_retry_at": timestamp::write(now() + pause.as_millis() as i64),
            },
            "consequence": "without a usable answer in time the match is lost",
        })
    }
}

/// Waits until the game has moved on from where it waited for `seat`.
async fn moved_on(game: &Game, then: &Record, seat: Seat) {
    let mut changed = game.changes();
    loop {
        let now = game.record();
        if has_moved_on(then, &now, seat) || is_endless(&now) {
            return;
        }
        tokio::select! {
            changed = changed.changed() => if changed.is_err() {
                return;
            },
            // It may have been handed in to another process, and the news of it lost.
            () = sleep(REREAD) => drop(game.refresh().await),
        }
    }
}

/// Whether `seat`, which was due then, has moved, or need not any more. It may be due again: what it
/// played was the last of its round, or the other has passed.
fn has_moved_on(then: &Record, now: &Record, seat: Seat) -> bool {
    let mut record = then.copy();
    now.turns()[then.turns().len()..].iter().any(|turn| {
        let is_aside = push(&mut record, turn);
        !record.due().includes(seat) || turn.seat == seat && !is_aside
    })
}

/// Adds a turn to the game it was played in. True if it left the game where it was: it asked the
/// other something, or answered.
pub(super) fn push(record: &mut Record, turn: &Turn) -> bool {
    let (due, asked) = (record.due(), record.asked());
    record.push(turn.clone()).expect("what was played can be played again");
    record.due() == due && record.asked() != asked
}

async fn play(game: &Game, seat: Seat, ask: &Ask, then: &Record) {
    let mut number = then.next_number();
    loop {
        match game.play(seat, ask.clone(), Retry::Turn(number)).await {
            Err(error @ (Refusal::Store(_) | Refusal::NotKnown { .. })) => {
                tracing::error!(game = %game.id(), %error, "a move was not saved");
                sleep(PAUSE).await;
            }
            // The other may be in before it, or may have said something out of turn.
            Err(Refusal::AnotherTurn { due, .. })
                if number != due && !has_moved_on(then, &game.record(), seat) =>
            {
                number = due;
            }
            Err(refusal) => {
                tracing::debug!(game = %game.id(), %refusal, "it was in already");
                return;
            }
            Ok(_) => return,
        }
    }
}
