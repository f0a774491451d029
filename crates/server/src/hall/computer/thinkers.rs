//! Who thinks for the computer: a fixed number at once, first come, first served.
//!
//! A game asks one question at a time, so nobody's second move is thought about before everybody
//! else's first. Each thinker has a desk, our engine's memory of some 17 MB, and at most one process
//! of the guest's.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::available_parallelism,
};

use chess_engine::{Level, Searcher};
use shakmaty::{Chess, Move};
use tokio::{
    sync::Semaphore,
    task::{JoinError, spawn_blocking},
};
use tokio_util::sync::CancellationToken;

use super::guest::{Guest, NoSuchEngine};
use crate::{figures::OneMore, hall::GameId};

/// A position to find a move in.
pub struct Question {
    pub game: GameId,
    pub start: Chess,
    pub moves: Vec<Move>,
    pub level: Level,
    pub seed: u64,
}

/// A move, and what the mover makes of the position, if that is known.
pub struct Answer {
    pub mv: Move,
    pub score: Option<i32>,
}

pub struct Thinkers {
    free: Arc<Semaphore>,
    /// Where nobody thinks just now; as many as ever thought at once.
    desks: Mutex<Vec<Searcher>>,
    guest: Option<Arc<Guest>>,
}

impl Thinkers {
    /// So many, or one less than there are cores; with an engine, if there is a command for one.
    pub fn new(
        count: Option<NonZeroUsize>,
        engine: Option<&str>,
    ) -> Result<Thinkers, NoSuchEngine> {
        let cores = available_parallelism().map_or(1, usize::from);
        let count = count.map_or(cores.saturating_sub(1).max(1), usize::from);
        let count = count.min(Semaphore::MAX_PERMITS);
        let guest = engine.map(|command| Guest::find(command, count)).transpose()?;
        Ok(Thinkers { free: Arc::new(Semaphore::new(count)), desks: Mutex::default(), guest })
    }

    /// The answer, when it is this question's turn. Stops soon after being dropped.
    pub async fn think(self: &Arc<Thinkers>, question: Question) -> Option<Answer> {
        let answer = async move |thinkers: Arc<Thinkers>, stop: CancellationToken| {
            if let Some(guest) = &thinkers.guest
                && let Some(answer) = guest.answer(&question, &stop).await
            {
                return Ok(Some(answer));
            }
            let search = move |searcher: &mut Searcher, stop: &AtomicBool| {
                let Question { start, moves, level, seed, .. } = question;
                let choice = searcher.best_move(&start, &moves, level, seed, stop)?;
                Some(Answer { mv: choice.mv, score: Some(choice.score) })
            };
            thinkers.at_a_desk(search, stop).await
        };
        self.in_turn(answer).await
    }

    /// Has our own engine think about something else, in its turn.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<Thinkers>,
        question: impl FnOnce(&mut Searcher, &AtomicBool) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        self.in_turn(|thinkers, stop| thinkers.at_a_desk(question, stop)).await
    }

    /// Does the work when there is a place for it; tells it to stop when dropped.
    async fn in_turn<T: Send + 'static, F>(
        self: &Arc<Thinkers>,
        work: impl FnOnce(Arc<Thinkers>, CancellationToken) -> F,
    ) -> Option<T>
    where
        F: Future<Output = Result<Option<T>, JoinError>> + Send + 'static,
    {
        let queued = OneMore::queued();
        let place = self.free.clone().acquire_owned().await.ok()?;
        drop(queued);
        let stop = CancellationToken::new();
        let _stopped_with_us = stop.clone().drop_guard();
        let work = work(self.clone(), stop);
        // On its own, since it takes its place until it has really stopped: otherwise there would
        // be more desks and processes than thinkers.
        let thinking = tokio::spawn(async move {
            let _place = (place, OneMore::thinker());
            work.await
        });
        thinking.await.flatten().unwrap_or_else(|error| {
            tracing::error!(%error, "the computer stopped in the middle of a thought");
            None
        })
    }

    /// Thinks where it blocks nobody.
    async fn at_a_desk<T: Send + 'static>(
        self: Arc<Thinkers>,
        think: impl FnOnce(&mut Searcher, &AtomicBool) -> Option<T> + Send + 'static,
        stop: CancellationToken,
    ) -> Result<Option<T>, JoinError> {
        let flag = Arc::new(AtomicBool::new(stop.is_cancelled()));
        let mut search = spawn_blocking({
            let flag = flag.clone();
            move || {
                let desks = || self.desks.lock().unwrap_or_else(PoisonError::into_inner);
                let mut searcher = desks().pop().unwrap_or_default();
                let thought = think(&mut searcher, &flag);
                desks().push(searcher);
                thought
            }
        });
        tokio::select! {
            found = &mut search => found,
            () = stop.cancelled() => {
                flag.store(true, Ordering::Relaxed);
                search.await
            }
        }
    }
}
