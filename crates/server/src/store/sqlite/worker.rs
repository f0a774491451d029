//! The threads on which SQLite works: one writes, a few read.
//!
//! A read whose caller has hung up is not begun, or is interrupted. A write is carried out.
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
use crate::{metrics, store::StoreError};

/// At most this many changes share a commit.
const BATCH: usize = 256;

/// A read looks this often, in SQLite's steps, whether its caller still waits.
const STEPS: i32 = 1000;

type WorkQueue = mpsc::UnboundedReceiver<Work>;

struct Work {
    caller: StoreCaller,
    job: Box<dyn Job>,
}

/// A read or a write, for one of the connections.
trait Job: Send {
    /// Runs again if its commit was rolled back.
    fn run(&mut self, db: &Connection) -> Result<(), StoreError>;

    /// Sends the result to the caller, once it is durable.
    fn answer(self: Box<Self>, saved: Result<(), StoreError>);
}

struct JobOf<T, W, A> {
    work: W,
    done: Option<T>,
    tell: A,
}

impl<T, W, A> Job for JobOf<T, W, A>
where
    T: Send,
    W: FnMut(&Connection) -> rusqlite::Result<T> + Send,
    A: FnOnce(Result<T, StoreError>) + Send,
{
    fn run(&mut self, db: &Connection) -> Result<(), StoreError> {
        self.done = Some((self.work)(db)?);
        Ok(())
    }

    fn answer(self: Box<Self>, saved: Result<(), StoreError>) {
        let JobOf { done, tell, .. } = *self;
        tell(saved.and_then(|()| done.ok_or(StoreError::Unavailable)));
    }
}

/// The caller of a job, who may hang up.
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
        spawn("write", move || write_together(db, &file, queue));
        Worker { what: "write", queue: sender, saved: Arc::default() }
    }

    /// The next free connection takes the next job.
    pub fn readers(connections: Vec<Connection>, file: &StoreFile) -> Worker {
        let (sender, queue) = mpsc::unbounded_channel();
        let queue = Arc::new(Mutex::new(queue));
        for db in connections {
            let (queue, file) = (queue.clone(), file.clone());
            spawn("read", move || read(db, &file, &queue));
        }
        Worker { what: "read", queue: sender, saved: Arc::default() }
    }

    pub fn has_saved_within(&self, long: Duration) -> bool {
        let saved = *self.saved.lock().expect("nobody panics holding this");
        saved.is_some_and(|at| at.elapsed() < long)
    }

    /// Runs `work` on one of the threads, and returns after the commit.
    pub async fn ask<T: Send + 'static>(
        &self,
        work: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        // Nobody listens any more when the caller has hung up.
        let tell = move |told| drop(answer.send(told));
        let waiting = StillWaits(StoreCaller::default());
        let job = Box::new(JobOf { work, done: None, tell });
        let work = Work { caller: waiting.0.clone(), job };
        let started = Instant::now();
        self.queue.send(work).map_err(|_| StoreError::Unavailable)?;
        let answer = answered.await.map_err(|_| StoreError::Unavailable)?;
        metrics::asked_store(self.what, answer.is_ok(), started.elapsed());
        if answer.is_ok() {
            *self.saved.lock().expect("nobody panics holding this") = Some(started);
        }
        answer
    }
}

impl Worker {
    /// Runs `look` in its turn and blocks until it is done. None if that takes longer than
    /// `patience`.
    pub fn look<T: Send + 'static>(
        &self,
        look: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
        patience: Duration,
    ) -> Option<T> {
        let (answer, answered) = std::sync::mpsc::sync_channel(1);
        let tell = move |seen| drop(answer.send(seen));
        let job = Box::new(JobOf { work: look, done: None, tell });
        self.queue.send(Work { caller: StoreCaller::default(), job }).ok()?;
        answered.recv_timeout(patience).ok()?.ok()
    }
}

fn spawn(what: &str, run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().name(format!("store-{what}"));
    thread.spawn(run).expect("a thread can be started");
}

fn read(mut db: Connection, file: &StoreFile, queue: &Mutex<WorkQueue>) {
    let asking = Arc::new(Mutex::new(StoreCaller::default()));
    let heard = asking.clone();
    let hung_up = move || heard.lock().expect("nobody panics holding this").has_hung_up();
    if let Err(error) = db.progress_handler(STEPS, Some(hung_up)) {
        tracing::warn!(%error, "what nobody waits for is read to its end");
    }
    loop {
        let next = queue.lock().expect("nobody panics holding this").blocking_recv();
        let Some(mut work) = next else { return file.close(db) };
        if work.caller.has_hung_up() {
            metrics::dropped();
            continue;
        }
        *asking.lock().expect("nobody panics holding this") = work.caller.clone();
        let went = work.job.run(&db);
        if went.is_err() && work.caller.has_hung_up() {
            metrics::dropped();
        }
        file.learn_from(&went);
        work.job.answer(went);
    }
}

fn write_together(db: Connection, file: &StoreFile, mut queue: WorkQueue) {
    while let Some(first) = queue.blocking_recv() {
        // Let callers that are about to write join this commit.
        thread::yield_now();
        let mut works = vec![first];
        let saved = commit(&db, file, &mut works, || queue.try_recv().ok());
        if works.len() > 1 && matches!(saved, Err(CommitFault::Change(_))) {
            // One failed; each of the others may well be saved, unless the store itself fails now.
            let mut works = works.into_iter();
            while let Some(work) = works.next() {
                let mut work = vec![work];
                let saved = commit(&db, file, &mut work, || None);
                if let Err(CommitFault::Store(_)) = saved {
                    work.extend(works);
                    answer(work, saved);
                    break;
                }
                answer(work, saved);
            }
        } else {
            answer(works, saved);
        }
    }
    file.close(db);
}

/// Why nothing of a commit was saved.
enum CommitFault {
    /// One of the changes failed.
    Change(StoreError),
    /// The store could not begin or end the commit.
    Store(StoreError),
}

fn answer(works: Vec<Work>, saved: Result<(), CommitFault>) {
    let saved = saved.map_err(|(CommitFault::Change(error) | CommitFault::Store(error))| error);
    if let Err(fault) = &saved {
        tracing::error!(%fault, changes = works.len(), "nothing of a commit was saved");
    }
    for work in works {
        work.job.answer(saved.clone());
    }
}

/// One transaction for these changes and all that are waiting. If any of them fails, none is saved.
fn commit(
    db: &Connection,
    file: &StoreFile,
    works: &mut Vec<Work>,
    next: impl FnMut() -> Option<Work>,
) -> Result<(), CommitFault> {
    let saved = try_commit(db, file, works, next);
    if let Err(CommitFault::Change(error) | CommitFault::Store(error)) = &saved {
        file.learn_from(&Err::<(), _>(error.clone()));
        if !db.is_autocommit() {
            let _ = db.execute_batch("rollback");
        }
    }
    saved
}

fn try_commit(
    db: &Connection,
    file: &StoreFile,
    works: &mut Vec<Work>,
    mut next: impl FnMut() -> Option<Work>,
) -> Result<(), CommitFault> {
    let step =
        |sql| db.prepare_cached(sql).and_then(|mut sql| sql.execute([])).map_err(StoreError::from);
    file.is_sound().and_then(|()| step("begin immediate")).map_err(CommitFault::Store)?;
    let mut done = 0;
    while let Some(work) = works.get_mut(done) {
        work.job.run(db).map_err(CommitFault::Change)?;
        done += 1;
        if done == works.len() && done < BATCH {
            works.extend(next());
        }
    }
    // A commit into a file that is no longer at its path would be lost.
    file.is_sound().and_then(|()| step("commit")).map_err(CommitFault::Store)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        path::{Path, PathBuf},
        sync::{atomic::AtomicU32, mpsc::Sender},
    };

    use tokio::time::timeout;

    use super::*;

    /// A change after whose commit another connection locks the file.
    struct LocksWhenSaved(PathBuf, Sender<Connection>);

    impl Job for LocksWhenSaved {
        fn run(&mut self, _: &Connection) -> Result<(), StoreError> {
            Ok(())
        }

        fn answer(self: Box<Self>, _: Result<(), StoreError>) {
            let other = Connection::open(&self.0).expect("a connection");
            other.execute_batch("begin immediate").expect("nobody else writes now");
            self.1.send(other).expect("it is kept");
        }
    }

    #[tokio::test]
    async fn changes_of_one_commit_wait_once_for_a_locked_file() {
        static ATTEMPTS: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("any.db");
        let mut db = Connection::open(&path).expect("a file");
        db.execute_batch("create table numbers (n integer)").expect("a table");
        let count = |_| ATTEMPTS.fetch_add(1, Ordering::Relaxed) == u32::MAX;
        db.busy_handler(Some(count)).expect("attempts are counted");
        let writer = Worker::writer(db, StoreFile::find(&path).expect("a file"));
        let insert = || writer.ask(|db| db.execute("insert into numbers values (1)", []));
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let first = writer.ask(move |_| {
            let _ = wait.recv();
            Ok(())
        });
        let (keep, _kept) = std::sync::mpsc::channel();
        let locks = async {
            let job = Box::new(LocksWhenSaved(path.clone(), keep));
            let _ = writer.queue.send(Work { caller: StoreCaller::default(), job });
        };
        // It fails the commit of all of them, so that each is tried alone.
        let fails = writer.ask(|db| db.execute("insert into nowhere values (1)", []));
        let (first, (), one, two, fails, ()) =
            tokio::join!(first, locks, insert(), insert(), fails, async { drop(go) });
        assert!(first.is_ok() && [one, two, fails].iter().all(Result::is_err));
        assert_eq!(ATTEMPTS.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn what_nobody_waits_for_keeps_no_reader_busy() {
        let two = || (0..2).map(|_| Connection::open_in_memory().expect("a connection")).collect();
        let file = StoreFile::find(Path::new(".")).expect("a folder");
        let readers = Worker::readers(two(), &file);
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

    #[tokio::test]
    async fn a_change_that_fails_does_not_fail_those_of_others_in_the_same_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("any.db");
        let db = Connection::open(&path).expect("a file");
        db.execute_batch("create table numbers (n integer primary key)").expect("a table");
        let writer = Worker::writer(db, StoreFile::find(&path).expect("a file"));
        let insert =
            |n: i64| writer.ask(move |db| db.execute("insert into numbers values (?)", [n]));
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let first = writer.ask(move |_| {
            let _ = wait.recv();
            Ok(())
        });
        // All of them wait for the first.
        let (first, one, again, two, ()) =
            tokio::join!(first, insert(1), insert(1), insert(2), async { drop(go) });
        let saved = [first.is_ok(), one.is_ok(), again.is_ok(), two.is_ok()];
        assert_eq!(saved, [true, true, false, true]);
    }
}
