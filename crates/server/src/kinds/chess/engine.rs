//! Our engine, and a guest's where one is asked for: whom the computer has think about chess.
//!
//! Each thinker has a memory of its own, our engine's memory of some 17 MB, and at most one process of the
//! guest's.

use std::{
    future::pending,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use chess_engine::{EngineLevel, Searcher};
use shakmaty::{Chess, Move};
use tokio::{
    task::JoinError,
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::guest::{Guest, NoSuchEngine};
use crate::{
    hall::computer::{Caller, NoThought, Thinkers, on_a_thread},
    ids::GameId,
};

/// When too many wait for a thinker.
const AGAIN: Duration = Duration::from_secs(1);

/// A position to find a move in.
pub struct Question {
    pub game: GameId,
    pub start: Chess,
    pub moves: Vec<Move>,
    pub level: EngineLevel,
    pub seed: u64,
}

/// A move, and what the mover makes of the position, if that is known.
pub struct Answer {
    pub mv: Move,
    pub score: Option<i32>,
}

/// What became of a question that was put to a guest.
pub struct Asked {
    pub answer: Result<Option<Answer>, String>,
    /// How long it had, without what it waited for its turn.
    pub took: Duration,
}

pub struct Engine {
    thinkers: Arc<Thinkers>,
    /// Where nobody thinks just now; as many as ever thought at once.
    desks: Mutex<Vec<Searcher>>,
    guest: Option<Arc<Guest>>,
}

impl Engine {
    /// With a guest, if there is a command for one; it must be there.
    pub fn new(thinkers: Arc<Thinkers>, guest: Option<&str>) -> Result<Arc<Engine>, NoSuchEngine> {
        let guest = guest.map(|command| Guest::find(command, thinkers.count())).transpose()?;
        Ok(Arc::new(Engine { thinkers, desks: Mutex::default(), guest }))
    }

    /// The answer, when it is this question's turn. Stops soon after being dropped.
    pub async fn think(
        self: &Arc<Engine>,
        caller: Caller,
        question: Question,
    ) -> Result<Answer, NoThought> {
        let cost = question.level.nodes();
        let engine = self.clone();
        let answer = async move |stop: CancellationToken| {
            if let Some(guest) = &engine.guest
                && let Some(answer) = guest.answer(&question, &stop).await
            {
                return Ok(Some(answer));
            }
            let search = move |searcher: &mut Searcher, stop: &AtomicBool| {
                let Question { start, moves, level, seed, .. } = question;
                let choice = searcher.best_move(&[], &start, &moves, level, seed, stop)?;
                Some(Answer { mv: choice.mv, score: Some(choice.score) })
            };
            engine.at_a_desk(search, stop).await
        };
        self.thinkers.in_turn(caller, cost, answer).await
    }

    /// Puts a question to a guest that plays for itself, when it is this question's turn.
    pub async fn ask_guest(
        &self,
        guest: &Arc<Guest>,
        caller: Caller,
        question: &Arc<Question>,
        limit: Duration,
    ) -> Asked {
        let cost = question.level.nodes();
        loop {
            let (guest, question) = (guest.clone(), question.clone());
            let work = async move |stop: CancellationToken| {
                let began = Instant::now();
                let answer = match timeout(limit, guest.ask(&question, &stop)).await {
                    Ok(answer) => answer.map_err(|trouble| trouble.to_string()),
                    Err(_) => Err("it does not answer".to_owned()),
                };
                Ok(Some(Asked { answer, took: began.elapsed() }))
            };
            match self.thinkers.in_turn(caller.clone(), cost, work).await {
                Ok(asked) => return asked,
                Err(NoThought::Crowded) => sleep(AGAIN).await,
                // Whoever goes on after us asks it again.
                Err(NoThought::Stopped) => pending().await,
                Err(NoThought::Failed) => {
                    // A fault of ours, which costs the guest no time.
                    let answer = Err("the conversation with it failed".to_owned());
                    return Asked { answer, took: Duration::ZERO };
                }
            }
        }
    }

    /// Has our own engine think about something else, in its turn; `cost` in positions.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<Engine>,
        caller: Caller,
        cost: u64,
        question: impl FnOnce(&mut Searcher, &AtomicBool) -> Option<T> + Send + 'static,
    ) -> Result<T, NoThought> {
        let engine = self.clone();
        self.thinkers.in_turn(caller, cost, |stop| engine.at_a_desk(question, stop)).await
    }

    async fn at_a_desk<T: Send + 'static>(
        self: Arc<Engine>,
        think: impl FnOnce(&mut Searcher, &AtomicBool) -> Option<T> + Send + 'static,
        stop: CancellationToken,
    ) -> Result<Option<T>, JoinError> {
        let think = move |stop: &AtomicBool| {
            let desks = || self.desks.lock().unwrap_or_else(PoisonError::into_inner);
            let mut searcher = desks().pop().unwrap_or_default();
            let thought = think(&mut searcher, stop);
            desks().push(searcher);
            thought
        };
        on_a_thread(think, stop).await
    }
}
