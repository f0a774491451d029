//! Two of the computer's levels play each other, so that there is something to see where nobody has
//! played yet. It is kept nowhere and listed nowhere, and goes on only while somebody looks.

use std::{
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use axum::{
    Extension, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use chess_engine::{EngineLevel, Searcher};
use futures_util::{StreamExt, stream};
use rules::chess::{fen, uci};
use serde::Serialize;
use shakmaty::{Chess, Move, Position};
use tokio::{sync::watch, task::spawn_blocking, time::sleep};
use ts_rs::TS;

use crate::{
    budgets::CallerId,
    web::{
        ApiError, Web,
        live::{event, sse},
    },
};

/// Weak enough to think next to nothing, and to make mistakes worth seeing.
const LEVELS: [u8; 2] = [4, 5];
/// As people like to watch.
const PACE: Duration = Duration::from_millis(1600);
const PAUSE: Duration = Duration::from_secs(6);
/// A game that long shows nothing new.
const LONGEST: usize = 160;
/// Kept small: it is only a show.
const MEGABYTES: usize = 1;

/// The latest position, for everyone who looks.
struct Demonstration {
    shown: watch::Sender<Option<Arc<str>>>,
    runs: Mutex<bool>,
}

impl Default for Demonstration {
    fn default() -> Demonstration {
        Demonstration { shown: watch::Sender::new(None), runs: Mutex::new(false) }
    }
}

#[derive(Serialize, TS)]
#[ts(rename = "Demonstration")]
pub(super) struct ShownDemonstration {
    white: String,
    black: String,
    white_rating: u16,
    black_rating: u16,
    fen: String,
    last_move: Option<String>,
    moves: usize,
    over: bool,
}

pub fn routes() -> Router<Arc<Web>> {
    let show = Arc::<Demonstration>::default();
    Router::new().route("/api/demonstration/events", get(events)).layer(Extension(show))
}

/// What is shown, move by move; refused where there are games to look at.
async fn events(
    State(web): State<Arc<Web>>,
    Extension(show): Extension<Arc<Demonstration>>,
    by: CallerId,
) -> Result<Response, ApiError> {
    if web.has_games().await? {
        // Somebody has just begun one: a stream that says so has nothing to tell.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let place = web.hall.budgets().open_stream(by)?;
    let mut shown = watch_and_play(&web, show);
    shown.mark_changed();
    let stop = web.stop.clone().cancelled_owned();
    let events = stream::unfold(shown, |mut shown| async move {
        loop {
            shown.changed().await.ok()?;
            let text = shown.borrow_and_update().clone();
            if let Some(text) = text {
                return Some((event("game", &text), shown));
            }
        }
    });
    Ok(sse(events.take_until(stop), place))
}

fn watch_and_play(web: &Arc<Web>, show: Arc<Demonstration>) -> watch::Receiver<Option<Arc<str>>> {
    let shown = show.shown.subscribe();
    let mut runs = show.runs.lock().unwrap_or_else(PoisonError::into_inner);
    if !std::mem::replace(&mut *runs, true) {
        tokio::spawn(play(web.clone(), show.clone()));
    }
    drop(runs);
    shown
}

async fn play(web: Arc<Web>, show: Arc<Demonstration>) {
    let mut searcher = Searcher::with_memory(MEGABYTES);
    let mut moves: Vec<Move> = Vec::new();
    while is_wanted(&web, &show).await {
        let mut position = Chess::default();
        moves.iter().for_each(|mv| position.play_unchecked(*mv));
        let is_over = position.is_game_over() || moves.len() >= LONGEST;
        show.shown.send_replace(Some(tell(&position, &moves, is_over)));
        if is_over {
            moves.clear();
            sleep(PAUSE).await;
            continue;
        }
        sleep(PACE).await;
        let level = EngineLevel::new(LEVELS[moves.len() % 2]).expect("these are levels");
        let seed = getrandom::u64().unwrap_or_default();
        let thought = spawn_blocking(move || {
            let never = AtomicBool::new(false);
            let choice = searcher.best_move(&[], &Chess::default(), &moves, level, seed, &never);
            (searcher, moves, choice)
        });
        let thought = thought.await.unwrap_or_else(|error| {
            tracing::error!(%error, "the demonstration begins anew");
            (Searcher::with_memory(MEGABYTES), Vec::new(), None)
        });
        (searcher, moves) = (thought.0, thought.1);
        moves.extend(thought.2.map(|choice| choice.mv));
    }
}

/// Whether somebody looks, and there is nothing else to look at. If not, it ends.
async fn is_wanted(web: &Web, show: &Demonstration) -> bool {
    let is_empty = matches!(web.has_games().await, Ok(false)) && !web.stop.is_cancelled();
    let mut runs = show.runs.lock().unwrap_or_else(PoisonError::into_inner);
    *runs = is_empty && show.shown.receiver_count() > 0;
    *runs
}

fn tell(position: &Chess, moves: &[Move], over: bool) -> Arc<str> {
    let [white, black] = LEVELS.map(|level| EngineLevel::new(level).expect("these are levels"));
    let name = |level: EngineLevel| format!("computer, level {}", level.get());
    let shown = ShownDemonstration {
        white: name(white),
        black: name(black),
        white_rating: white.rating(),
        black_rating: black.rating(),
        fen: fen(position),
        last_move: moves.last().map(|mv| uci(&Chess::default(), *mv)),
        moves: moves.len(),
        over,
    };
    serde_json::to_string(&shown).expect("it can be written").into()
}
