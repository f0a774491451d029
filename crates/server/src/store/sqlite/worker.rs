//! The threads on which SQLite works: one writes, a few read.
//!
//! What nobody waits for any more is not read, or left in the middle; what was to be written is
//! written all the same.
//!
//! The writer commits together whatever has queued up while the last commit was on its way to the
//! disk, so that sixty-four players wait for one flush and not for sixty-four.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::file::StoreFile;
use crate::{figures, store::StoreError};

/// At most this many changes share a commit.
const BATCH: usize = 256;

/// Of so many steps of SQLite's, one looks whether anybody still waits.
const STEPS: i32 = 1000;

type WorkQueue = mpsc::UnboundedReceiver<Work>;

struct Work {
    caller: StoreCaller,
    run: Run,
}

/// Says how it went, and how to answer once it is durable.
type Run = Box<dyn FnOnce(&Connection) -> (rusqlite::Result<()>, WorkAnswer) + Send>;

/// Whoever asked, who may hang up.
#[derive(Clone, Default)]
struct StoreCaller(Arc<AtomicBool>);

impl StoreCaller {
    fn has_hung_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Held for as long as somebody waits.
struct StillWaits(StoreCaller);

impl Drop for StillWaits {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

type WorkAnswer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

#[derive(Clone)]
pub struct Worker {
    what: &'static str,
    queue: mpsc::UnboundedSender<Work>,
    /// When the last work was done for good.
    saved: Arc<Mutex<Option<Instant>>>,
}

impl Worker {
    pub fn writer(db: Connection, file: StoreFile) -> Worker {
        let (sender, queue) = mpsc::unbounded_channel();
        spawn("write", move || write_together(&db, &file, queue));
        Worker { what: "write", queue: sender, saved: Arc::default() }
    }

    /// Whichever of these connections is free takes the next question.
    pub fn readers(connections: Vec<Connection>) -> Worker {
        let (sender, queue) = mpsc::unbounded_channel();
        let queue = Arc::new(Mutex::new(queue));
        for db in connections {
            let queue = queue.clone();
            spawn("read", move || read(db, &queue));
        }
        Worker { what: "read", queue: sender, saved: Arc::default() }
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
        // Nobody listens any more when the caller has hung up.
        let run = run(work, move |told| drop(answer.send(told)));
        let waiting = StillWaits(StoreCaller::default());
        let work = Work { caller: waiting.0.clone(), run };
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

impl Worker {
    /// Has something looked at in its turn, for a thread that waits for it, but not for long. None if
    /// it takes longer.
    pub fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
        patience: Duration,
    ) -> Option<T> {
        let (answer, answered) = std::sync::mpsc::sync_channel(1);
        let run = run(look, move |seen| drop(answer.send(seen)));
        self.queue.send(Work { caller: StoreCaller::default(), run }).ok()?;
        answered.recv_timeout(patience).ok()?.ok()
    }
}

fn run<T: Send + 'static>(
    work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    tell: impl FnOnce(Result<T, StoreError>) + Send + 'static,
) -> Run {
    Box::new(move |db| {
        let (went, done) = match work(db) {
            Ok(done) => (Ok(()), Some(done)),
            Err(error) => (Err(error), None),
        };
        let told = move |saved: Result<(), StoreError>| {
            tell(saved.and_then(|()| done.ok_or(StoreError::Unavailable)));
        };
        (went, Box::new(told))
    })
}

fn spawn(what: &str, run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().name(format!("store-{what}"));
    thread.spawn(run).expect("a thread can be started");
}

fn read(mut db: Connection, queue: &Mutex<WorkQueue>) {
    let asking = Arc::new(Mutex::new(StoreCaller::default()));
    let heard = asking.clone();
    let hung_up = move || heard.lock().expect("nobody panics holding this").has_hung_up();
    if let Err(error) = db.progress_handler(STEPS, Some(hung_up)) {
        tracing::warn!(%error, "what nobody waits for is read to its end");
    }
    loop {
        let next = queue.lock().expect("nobody panics holding this").blocking_recv();
        let Some(work) = next else { return };
        if work.caller.has_hung_up() {
            figures::dropped();
            continue;
        }
        *asking.lock().expect("nobody panics holding this") = work.caller.clone();
        let (went, answer) = (work.run)(&db);
        if went.is_err() && work.caller.has_hung_up() {
            figures::dropped();
        }
        answer(went.map_err(StoreError::from));
    }
}

fn write_together(db: &Connection, file: &StoreFile, mut queue: WorkQueue) {
    while let Some(first) = queue.blocking_recv() {
        // Whoever is about to ask for something has it saved by the same flush.
        thread::yield_now();
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
    queue: &mut WorkQueue,
    answers: &mut Vec<WorkAnswer>,
) -> Result<(), StoreError> {
    // If this fails, `first` is dropped undone and its caller is told that nothing was saved.
    db.prepare_cached("begin immediate")?.execute([])?;
    let mut next = Some(first);
    while let Some(work) = next {
        let (went, answer) = (work.run)(db);
        answers.push(answer);
        went?;
        next = if answers.len() < BATCH { queue.try_recv().ok() } else { None };
    }
    // What goes into a file that nobody will find again is not saved.
    file.is_there()?;
    db.prepare_cached("commit")?.execute([])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn what_nobody_waits_for_keeps_no_reader_busy() {
        let two = || (0..2).map(|_| Connection::open_in_memory().expect("a connection")).collect();
        let readers = Worker::readers(two());
        let endless = "with recursive n (n) as (select 1 union all select n + 1 from n)
                       select count(*) from n";
        let (begins, begun) = std::sync::mpsc::channel();
        let asks: Vec<_> = (0..20)
            .map(|_| {
                let (readers, begins) = (readers.clone(), begins.clone());
                tokio::spawn(async move {
                    let work = move |db: &Connection| {
                        begins.send(()).expect("somebody counts");
                        db.query_row(endless, [], |row| row.get::<_, i64>(0))
                    };
                    readers.ask(work).await
                })
            })
            .collect();
        let both = tokio::task::spawn_blocking(move || {
            (begun.recv().expect("one begins"), begun.recv().expect("another begins"), begun)
        });
        let (.., begun) = both.await.expect("they begin");
        asks.iter().for_each(|ask| ask.abort());
        let next = readers.ask(|db| db.query_row("select 7", [], |row| row.get::<_, i64>(0)));
        let next = timeout(Duration::from_secs(60), next).await.expect("a reader is free");
        assert_eq!(next.expect("an answer"), 7);
        assert_eq!(begun.try_iter().count(), 0, "the others were not begun at all");
    }
}
