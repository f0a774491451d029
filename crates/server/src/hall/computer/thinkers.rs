//! Threads that think for the computer: a fixed number at once. Whom they think for next is in
//! `queue`.
//!
//! A game asks one question at a time. What a thinker needs beside its place, an engine's memory or
//! a process, belongs to whoever puts the question.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::available_parallelism,
};

use tokio::task::{JoinError, spawn_blocking};
use tokio_util::sync::CancellationToken;

use super::queue::{Caller, Crowded, Queue};
use crate::{limits::Limits, metrics::OneMore};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoThought {
    /// The server stops, or nobody wants to know any more.
    Stopped,
    /// Too many questions wait.
    Crowded,
    /// The search panicked, or found nothing.
    Failed,
}

/// More than any machine has cores.
const MOST_THINKERS: usize = 10_000;

pub struct Thinkers {
    count: usize,
    queue: Arc<Queue>,
    stop: CancellationToken,
}

impl Thinkers {
    /// So many, or one less than there are cores, until `stop`.
    pub fn new(
        count: Option<NonZeroUsize>,
        limits: &Limits,
        stop: CancellationToken,
    ) -> Arc<Thinkers> {
        let cores = available_parallelism().map_or(1, usize::from);
        let count = count.map_or(cores.saturating_sub(1).max(1), usize::from);
        let count = count.min(MOST_THINKERS);
        let queue = Queue::new(count, limits.thoughts_waiting.get() as usize);
        Arc::new(Thinkers { count, queue, stop })
    }

    /// How many think at once.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether nobody more can wait for a thinker.
    pub fn is_crowded(&self) -> bool {
        self.queue.is_crowded()
    }

    /// Waits until the server stops.
    pub async fn stopped(&self) {
        self.stop.cancelled().await;
    }

    /// The answer to a question that takes a thread for a while, when it is its turn; `cost` in
    /// positions looked at. Stops soon after being dropped.
    pub async fn ask<T: Send + 'static>(
        &self,
        caller: Caller,
        cost: u64,
        think: impl FnOnce(&AtomicBool) -> Option<T> + Send + 'static,
    ) -> Result<T, NoThought> {
        self.in_turn(caller, cost, |stop| on_a_thread(think, stop)).await
    }

    /// Does the work when there is a place for it; tells it to stop when dropped.
    pub async fn in_turn<T: Send + 'static, F>(
        &self,
        caller: Caller,
        cost: u64,
        work: impl FnOnce(CancellationToken) -> F,
    ) -> Result<T, NoThought>
    where
        F: Future<Output = Result<Option<T>, JoinError>> + Send + 'static,
    {
        let thought = async {
            let queued = OneMore::queued();
            let place =
                self.queue.place(caller, cost).await.map_err(|Crowded| NoThought::Crowded)?;
            drop(queued);
            let stop = CancellationToken::new();
            let _stopped_with_us = stop.clone().drop_guard();
            let work = work(stop);
            // On its own, since it takes its place until it has really stopped: otherwise there
            // would be more who think than thinkers.
            let thinking = tokio::spawn(async move {
                let _place = (place, OneMore::thinker());
                work.await
            });
            let thought = thinking.await.flatten().unwrap_or_else(|error| {
                tracing::error!(%error, "the computer stopped in the middle of a thought");
                None
            });
            thought.ok_or(NoThought::Failed)
        };
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(NoThought::Stopped),
            answer = thought => answer,
        }
    }
}

/// Thinks where it blocks nobody.
pub async fn on_a_thread<T: Send + 'static>(
    think: impl FnOnce(&AtomicBool) -> Option<T> + Send + 'static,
    stop: CancellationToken,
) -> Result<Option<T>, JoinError> {
    let flag = Arc::new(AtomicBool::new(stop.is_cancelled()));
    let mut search = spawn_blocking({
        let flag = flag.clone();
        move || think(&flag)
    });
    tokio::select! {
        found = &mut search => found,
        () = stop.cancelled() => {
            flag.store(true, Ordering::Relaxed);
            search.await
        }
    }
}
