//! The threads on which SQLite works: one writes, one reads.
//!
//! The writer commits together whatever has queued up while the last commit was on its way to the
//! disk, so that sixty-four players wait for one flush and not for sixty-four.

use std::{
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::file::StoreFile;
use crate::{figures, store::StoreError};

/// At most this many changes share a commit.
const BATCH: usize = 256;

type Queue = mpsc::UnboundedReceiver<Work>;
/// Does its work, and says how that went and how to answer once it is durable.
type Work = Box<dyn FnOnce(&Connection) -> (rusqlite::Result<()>, Answer) + Send>;
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

#[derive(Clone)]
pub struct Worker {
    what: &'static str,
    queue: mpsc::UnboundedSender<Work>,
    /// When the last work was done for good.
    saved: Arc<Mutex<Option<Instant>>>,
}

impl Worker {
    pub fn writer(db: Connection, file: StoreFile) -> Worker {
        Worker::start("write", move |queue| write_together(&db, &file, queue))
    }

    pub fn reader(db: Connection) -> Worker {
        Worker::start("read", move |queue| read(&db, queue))
    }

    fn start(what: &'static str, run: impl FnOnce(Queue) + Send + 'static) -> Worker {
        let (sender, queue) = mpsc::unbounded_channel();
        let thread = thread::Builder::new().name(format!("store-{what}"));
        thread.spawn(move || run(queue)).expect("a thread can be started");
        Worker { what, queue: sender, saved: Arc::default() }
    }

    pub fn has_saved_within(&self, long: Duration) -> bool {
        let saved = *self.saved.lock().expect("nobody panics holding this");
        saved.is_some_and(|at| at.elapsed() < long)
    }

    /// Has `work` done, and answers when it is done for good.
    pub async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |db| {
            let (went, done) = match work(db) {
                Ok(done) => (Ok(()), Some(done)),
                Err(error) => (Err(error), None),
            };
            let tell = move |saved: Result<(), StoreError>| {
                let told = saved.and_then(|()| done.ok_or(StoreError::Unavailable));
                // Nobody listens any more when the caller has hung up.
                let _ = answer.send(told);
            };
            (went, Box::new(tell))
        });
        let started = Instant::now();
        self.queue.send(work).map_err(|_| StoreError::Unavailable)?;
        let answer = answered.await.map_err(|_| StoreError::Unavailable)?;
        figures::asked_store(self.what, answer.is_ok(), started.elapsed());
        if answer.is_ok() {
            *self.saved.lock().expect("nobody panics holding this") = Some(started);
        }
        answer
    }
}

fn read(db: &Connection, mut queue: Queue) {
    while let Some(work) = queue.blocking_recv() {
        let (went, answer) = work(db);
        answer(went.map_err(StoreError::from));
    }
}

fn write_together(db: &Connection, file: &StoreFile, mut queue: Queue) {
    while let Some(first) = queue.blocking_recv() {
        let mut answers = Vec::new();
        let fault = commit(db, file, first, &mut queue, &mut answers).err();
        if let Some(fault) = &fault {
            tracing::error!(%fault, changes = answers.len(), "nothing of a commit was saved");
            if !db.is_autocommit() {
                let _ = db.execute_batch("rollback");
            }
        }
        for answer in answers {
            answer(fault.clone().map_or(Ok(()), Err));
        }
    }
}

/// One transaction for all that is waiting. If any of it fails, none of it is saved: what makes
/// one insert fail (a full disk, a damaged file) makes its neighbours fail too.
fn commit(
    db: &Connection,
    file: &StoreFile,
    first: Work,
    queue: &mut Queue,
    answers: &mut Vec<Answer>,
) -> Result<(), StoreError> {
    // If this fails, `first` is dropped undone and its caller is told that nothing was saved.
    db.prepare_cached("begin immediate")?.execute([])?;
    let mut next = Some(first);
    while let Some(work) = next {
        let (went, answer) = work(db);
        answers.push(answer);
        went?;
        next = if answers.len() < BATCH { queue.try_recv().ok() } else { None };
    }
    // What goes into a file that nobody will find again is not saved.
    file.is_there()?;
    db.prepare_cached("commit")?.execute([])?;
    Ok(())
}
