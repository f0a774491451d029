//! Who thinks for the computer: a fixed number at once. Whom they think for next is in `queue`.
//!
//! A game asks one question at a time. Each thinker has a desk, our engine's memory of some 17 MB, and at most one process
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
use tokio::task::{JoinError, spawn_blocking};
use tokio_util::sync::CancellationToken;

use super::queue::{Asker, Crowded, Queue};
use crate::{
    figures::OneMore,
    ids::GameId,
    kinds::chess::guest::{Guest, NoSuchEngine},
};

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

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoThought {
    /// The server stops, or nobody wants to know any more.
    Stopped,
    /// Too many questions wait.
    Crowded,
}

/// More than any machine has cores.
const MOST_THINKERS: usize = 10_000;

pub struct Thinkers {
    queue: Arc<Queue>,
    /// Where nobody thinks just now; as many as ever thought at once.
    desks: Mutex<Vec<Searcher>>,
    guest: Option<Arc<Guest>>,
}

impl Thinkers {
    /// So many, or one less than there are cores; with an engine, if there is a command for one.
    pub fn new(
        count: Option<NonZeroUsize>,
        engine: Option<&str>,
        most_waiting: usize,
    ) -> Result<Thinkers, NoSuchEngine> {
        let cores = available_parallelism().map_or(1, usize::from);
        let count = count.map_or(cores.saturating_sub(1).max(1), usize::from);
        let count = count.min(MOST_THINKERS);
        let guest = engine.map(|command| Guest::find(command, count)).transpose()?;
        Ok(Thinkers { queue: Queue::new(count, most_waiting), desks: Mutex::default(), guest })
    }

    /// The answer, when it is this question's turn. Stops soon after being dropped.
    pub async fn think(
        self: &Arc<Thinkers>,
        asker: Asker,
        question: Question,
    ) -> Result<Answer, NoThought> {
        let cost = question.level.nodes();
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
        self.in_turn(asker, cost, answer).await
    }

    /// Has our own engine think about something else, in its turn; `cost` in positions.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<Thinkers>,
        asker: Asker,
        cost: u64,
        question: impl FnOnce(&mut Searcher, &AtomicBool) -> Option<T> + Send + 'static,
    ) -> Result<T, NoThought> {
        self.in_turn(asker, cost, |thinkers, stop| thinkers.at_a_desk(question, stop)).await
    }

    /// Whether nobody more can wait for a thinker.
    pub fn is_crowded(&self) -> bool {
        self.queue.is_crowded()
    }

    /// Does the work when there is a place for it; tells it to stop when dropped.
    async fn in_turn<T: Send + 'static, F>(
        self: &Arc<Thinkers>,
        asker: Asker,
        cost: u64,
        work: impl FnOnce(Arc<Thinkers>, CancellationToken) -> F,
    ) -> Result<T, NoThought>
    where
        F: Future<Output = Result<Option<T>, JoinError>> + Send + 'static,
    {
        let queued = OneMore::queued();
        let place = self.queue.place(asker, cost).await.map_err(|Crowded| NoThought::Crowded)?;
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
        let thought = thinking.await.flatten().unwrap_or_else(|error| {
            tracing::error!(%error, "the computer stopped in the middle of a thought");
            None
        });
        thought.ok_or(NoThought::Stopped)
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
