//! One question: put, put again where the answer was of no use, and given up when the time is over.

use std::time::Duration;

use rules::Seat;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until};

use super::{Case, Contest, PAUSE, Place};
use crate::{
    hall::{Game, Refusal, Retry},
    league::{
        answer::Unreadable,
        clock::Clock,
        leagues::Leagues,
        line::Failed,
        moves::{BadMove, belongs},
        post::NoReply,
        reading::error,
        timestamp,
    },
    store::now,
};

/// A question is put this often at most, all within one deadline.
const ATTEMPTS: u32 = 3;

/// Has a player's move played, or "default" when there is none in time.
pub(super) async fn ask<C: Contest>(
    leagues: &Leagues,
    case: &Case<'_>,
    game: &Game,
    view: &C::View,
    place: &mut Place,
    due: bool,
) {
    if !due {
        return;
    }
    let seat = place.seat;
    let text = tokio::select! {
        text = answer::<C>(leagues, case, view, place) => text,
        // The player may hand its move in by itself.
        () = handed_in(game, seat) => return,
    };
    play(game, seat, text.as_deref().unwrap_or("default")).await;
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
        return None;
    };
    let clock = Clock::of(limit);
    let mut question = C::question(case, view, place.seat);
    for attempt in 1..=ATTEMPTS {
        let later = leagues.callbacks.expect(case.awaits(player, C::ANSWER, round));
        let why = match line.ask(C::ASK, &question, &clock, Some(later)).await {
            Ok(answer) => {
                let own = belongs(&answer, &match_id.to_string(), round);
                match own.and_then(|()| C::read(&answer)) {
                    Ok(text) => return Some(text),
                    Err(bad) => Useless::Move(bad),
                }
            }
            Err(Failed::NoReply(NoReply::Late(_))) => {
                tracing::info!(%player, %match_id, "a player's time is over");
                return None;
            }
            Err(failed) => Useless::Answer(failed),
        };
        tracing::info!(%player, %match_id, round, attempt, why = why.reason(), "no usable answer");
        if attempt == ATTEMPTS {
            break;
        }
        let pause = why.pause(attempt, &clock);
        let again = Instant::now() + pause;
        match C::COMPLAINT {
            _ if why.asks_for_rest() => {}
            Some(message) => {
                let complaint = why.complaint(player, attempt, pause);
                // It may help, and costs no more than the pause.
                let _ = line.tell(message, &case.write(message, complaint), pause).await;
            }
            None => drop(question.insert("previous_error".into(), why.error())),
        }
        sleep_until(again).await;
    }
    None
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

/// Waits until the move of `seat` is in.
async fn handed_in(game: &Game, seat: Seat) {
    let mut changed = game.changes();
    while game.due().await.includes(seat) {
        if changed.changed().await.is_err() {
            return;
        }
    }
}

async fn play(game: &Game, seat: Seat, text: &str) {
    loop {
        match game.play(seat, text, Retry::Key(None)).await {
            Err(error @ (Refusal::Store(_) | Refusal::NotKnown { .. })) => {
                tracing::error!(game = %game.id(), %error, "a move was not saved");
                sleep(PAUSE).await;
            }
            Err(refusal) => {
                tracing::debug!(game = %game.id(), %refusal, "it was in already");
                return;
            }
            Ok(_) => return,
        }
    }
}
