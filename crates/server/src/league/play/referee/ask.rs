//! One question: put, put again where the answer was of no use, and given up when the time is over.

use std::time::Duration;

use rules::Seat;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until};

use super::{Case, Contest, PAUSE, Place};
use crate::{
    hall::{Game, Refusal, Retry},
    league::{
        play::leagues::Leagues,
        wire::{
            answer::Unreadable,
            clock::Clock,
            line::Failed,
            moves::{BadMove, belongs},
            post::NoReply,
            reading::error,
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

/// Has a player's move played, or that there was none in time. `known` is how many turns
/// there were when it became due.
pub(super) async fn ask<C: Contest>(
    leagues: &Leagues,
    case: &Case<'_>,
    game: &Game,
    view: &C::View,
    place: &mut Place,
    known: u32,
    due: bool,
) {
    if !due {
        return;
    }
    let seat = place.seat;
    let text = tokio::select! {
        text = answer::<C>(leagues, case, view, place) => text,
        // The player may hand its move in by itself.
        () = handed_in(game, seat, known) => return,
    };
    play(game, seat, text.as_deref(), known).await;
}

async fn answer<C: Contest>(
    leagues: &Leagues,
    case: &Case<'_>,
    view: &C::View,
    place: &mut Place,
) -> Option<String> {
    if place.absent {
        return None;
    }
    let limit = Duration::from_secs(case.league.setup().time_limit_seconds.into());
    let (player, match_id, round) = (place.player, case.fixture.match_id, C::round(view));
    let Some(line) = &mut place.line else {
        Clock::running(limit).runs_out().await;
        tracing::info!(%player, %match_id, "a player's time is over");
        place.journal.note(in_round(round, &format!("no move within {} s", limit.as_secs())));
        return None;
    };
    let clock = Clock::of(limit);
    let mut question = C::question(case, view, place.seat);
    let (mut attempt, mut rests) = (1, 0);
    loop {
        let later = leagues.callbacks.expect(case.awaits(player, C::ANSWER, round));
        let why = match line.ask(C::ASK, &question, &clock, Some(later)).await {
            Ok(answer) => {
                let own = belongs(&answer, &match_id.to_string(), round);
                match own.and_then(|()| C::read(&answer)) {
                    Ok(text) => return Some(text),
                    Err(bad) => Useless::Move(bad),
                }
            }
            Err(Failed::NoReply(late @ NoReply::Late(_))) => {
                tracing::info!(%player, %match_id, "a player's time is over");
                place.journal.note(in_round(round, &late.to_string()));
                return None;
            }
            Err(failed) => Useless::Answer(failed),
        };
        tracing::info!(%player, %match_id, round, attempt, why = why.reason(), "no usable answer");
        place.journal.note(in_round(round, &why.reason()));
        if why.asks_for_rest() && rests < RESTS {
            rests += 1;
            sleep(why.pause(attempt, &clock)).await;
            continue;
        }
        if attempt == ATTEMPTS {
            return None;
        }
        let pause = why.pause(attempt, &clock);
        let again = Instant::now() + pause;
        match C::COMPLAINT {
            Some(message) => {
                let complaint = why.complaint(player, attempt, pause);
                // It may help, and costs no more than the pause.
                let _ = line.tell(message, &case.write(message, complaint), pause).await;
            }
            None => drop(question.insert("previous_error".into(), why.error())),
        }
        sleep_until(again).await;
        attempt += 1;
    }
}

fn in_round(round: Option<u32>, why: &str) -> String {
    round.map_or(why.to_owned(), |round| format!("round {round}: {why}"))
}

/// Why an answer was of no use.
enum Useless {
    Move(BadMove),
    Answer(Failed),
}

impl Useless {
    fn reason(&self) -> String {
        match self {
            Useless::Move(bad) => bad.to_string(),
            Useless::Answer(failed) => failed.to_string(),
        }
    }

    fn code(&self) -> (&'static str, &'static str) {
        match self {
            Useless::Move(bad) => bad.league_code(),
            Useless::Answer(failed) => failed.league_code(),
        }
    }

    fn field(&self) -> Option<&'static str> {
        match self {
            Useless::Move(bad) => Some(bad.field()),
            Useless::Answer(_) => None,
        }
    }

    fn asks_for_rest(&self) -> bool {
        matches!(self, Useless::Answer(Failed::Unreadable(Unreadable::SlowDown)))
    }

    /// Who asks us to slow down gets a good part of what is left of its time.
    fn pause(&self, attempt: u32, clock: &Clock) -> Duration {
        let left = clock.until().saturating_duration_since(Instant::now());
        if self.asks_for_rest() { left / 3 } else { (PAUSE * attempt).min(left) }
    }

    /// As JSON-RPC has errors.
    fn error(&self) -> Value {
        error(-32602, &self.reason(), self.field(), Some(self.code()))
    }

    /// As league.v2 has them.
    fn complaint(&self, player: rules::league::PlayerId, attempt: u32, pause: Duration) -> Value {
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

/// Waits until the move of `seat` is in. It may have been the last of its round, so that the seat is
/// due again.
async fn handed_in(game: &Game, seat: Seat, known: u32) {
    let mut changed = game.changes();
    while !game.log().await.iter().skip(known as usize).any(|(turn, _)| turn.seat == seat) {
        tokio::select! {
            changed = changed.changed() => if changed.is_err() {
                return;
            },
            // It may have been handed in to another process, and the news of it lost.
            () = sleep(REREAD) => drop(game.refresh().await),
        }
    }
}

async fn play(game: &Game, seat: Seat, text: Option<&str>, known: u32) {
    // The other may be in before it, and nothing else: never is it a move of the next round.
    let mut number = known + 1;
    loop {
        let turn = Retry::Turn(number);
        let played = match text {
            Some(text) => game.play(seat, text, turn).await,
            None => game.play_late(seat, turn).await,
        };
        match played {
            Err(error @ (Refusal::Store(_) | Refusal::NotKnown { .. })) => {
                tracing::error!(game = %game.id(), %error, "a move was not saved");
                sleep(PAUSE).await;
            }
            Err(Refusal::AnotherTurn { due, .. }) if due == known + 2 && number != due => {
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
