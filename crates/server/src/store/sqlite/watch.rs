//! Noticing what other processes wrote into the same file.

use std::{
    path::Path,
    sync::mpsc::{RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use async_trait::async_trait;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use rusqlite::Connection;
use tokio::sync::broadcast;

use super::Sqlite;
use crate::{
    ids::GameId,
    store::{Change, Nodes, StoreError},
};

/// Waiters may learn of another process's move this much later: writes that come together are
/// looked at together.
const PAUSE: Duration = Duration::from_millis(10);
/// Who has written into the log commits once the disk has it, and of that the system tells nothing: it is
/// looked for so soon, and then ever later, so that it is found no later than twice the time it took.
const SOON: Duration = Duration::from_millis(1);
/// What the system did not tell is found this much later.
const PERIOD: Duration = Duration::from_secs(1);
/// How often the file is looked at where the system tells nothing.
const WITHOUT: Duration = Duration::from_millis(20);

#[async_trait]
impl Nodes for Sqlite {
    fn changes(&self) -> broadcast::Receiver<Change> {
        self.elsewhere.subscribe()
    }

    async fn say(&self, words: String) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("insert into words (text) values (?)")?.execute([words])?;
            db.prepare_cached("delete from words where rowid <= last_insert_rowid() - 1000")?
                .execute([])
                .map(drop)
        })
        .await
    }
}

/// Tells which games have grown, and up to which turn (0 when somebody sat down), until nobody
/// holds the store any more.
pub(super) fn start(db: Connection, path: &Path) -> broadcast::Sender<Change> {
    look_out(db, path, PERIOD)
}

fn look_out(db: Connection, path: &Path, period: Duration) -> broadcast::Sender<Change> {
    let (sender, _) = broadcast::channel(4096);
    let weak = sender.downgrade();
    let (wake, woken) = sync_channel(1);
    let watcher = watch_log(path, move || {
        // One that waits to be taken wakes as well as two. The system makes one of what it has to
        // tell meanwhile; our own writes are most of it.
        let _ = wake.try_send(());
        thread::sleep(PAUSE);
    })
    .inspect_err(|error| tracing::debug!(%error, "the store is looked at now and then"));
    let mut seen = Seen::now(&db).unwrap_or_default();
    let watch = move || {
        let _watcher = watcher;
        let mut pause = period;
        while let Some(sender) = weak.upgrade() {
            match seen.catch_up(&db) {
                Ok(changes) => changes.into_iter().for_each(|change| drop(sender.send(change))),
                // Waiters read again by themselves every two seconds.
                Err(error) => tracing::debug!(%error, "could not look for other processes' moves"),
            }
            drop(sender);
            match woken.recv_timeout(pause) {
                Ok(()) => pause = SOON,
                Err(RecvTimeoutError::Timeout) => pause = (2 * pause).min(period),
                Err(RecvTimeoutError::Disconnected) => thread::sleep(WITHOUT),
            }
        }
    };
    let thread = thread::Builder::new().name("store-watch".into());
    thread.spawn(watch).expect("a thread can be started");
    sender
}

/// Has the system say when anybody writes into the write-ahead log.
fn watch_log(path: &Path, wake: impl Fn() + Send + 'static) -> notify::Result<RecommendedWatcher> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let is_log = |path: &Path| path.as_os_str().as_encoded_bytes().ends_with(b"-wal");
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // What went wrong may have been a write.
        if event.is_ok_and(|event| !event.paths.iter().any(|path| is_log(path))) {
            return;
        }
        wake();
    })?;
    watcher.watch(folder.unwrap_or(Path::new(".")), RecursiveMode::NonRecursive)?;
    Ok(watcher)
}

#[derive(Default)]
struct Seen {
    data_version: i64,
    turn: i64,
    seat: i64,
    words: i64,
}

impl Seen {
    fn now(db: &Connection) -> rusqlite::Result<Seen> {
        let last = |table| {
            db.query_row(&format!("select coalesce(max(rowid), 0) from {table}"), [], |r| r.get(0))
        };
        let (turn, seat, words) = (last("turns")?, last("seats")?, last("words")?);
        Ok(Seen { data_version: data_version(db)?, turn, seat, words })
    }

    fn catch_up(&mut self, db: &Connection) -> rusqlite::Result<Vec<Change>> {
        let version = data_version(db)?;
        if version == self.data_version {
            return Ok(Vec::new());
        }
        let mut changes = Vec::new();
        let mut rows = |sql: &str, last: &mut i64| -> rusqlite::Result<()> {
            let mut statement = db.prepare_cached(sql)?;
            let mut found = statement.query([*last])?;
            while let Some(row) = found.next()? {
                *last = row.get(0)?;
                changes.push(Change::Game(GameId::from_number(row.get(1)?), row.get(2)?));
            }
            Ok(())
        };
        rows(
            "select rowid, game, number from turns where rowid > ? order by rowid",
            &mut self.turn,
        )?;
        rows("select rowid, game, 0 from seats where rowid > ? order by rowid", &mut self.seat)?;
        let mut said = db.prepare_cached("select rowid, text from words where rowid > ?")?;
        let mut said = said.query([self.words])?;
        while let Some(row) = said.next()? {
            self.words = row.get(0)?;
            changes.push(Change::Said(row.get::<_, String>(1)?.into()));
        }
        self.data_version = version;
        Ok(changes)
    }
}

fn data_version(db: &Connection) -> rusqlite::Result<i64> {
    db.prepare_cached("pragma data_version")?.query_row([], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{super::open, *};

    #[test]
    fn a_commit_is_found_that_comes_after_the_news_of_it() {
        let [here, elsewhere] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let path = here.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let connect = |path: &Path| open::connect(path).expect("a connection");
        let says = |db: &Connection, words: &str| {
            db.execute("insert into words (text) values (?)", [words]).expect("it is written");
        };
        let keeper = connect(&path);
        says(&keeper, "nobody hears this");
        // What is written by this door changes the same files, and the system tells nobody here.
        for file in ["agon.db", "agon.db-wal", "agon.db-shm"] {
            fs::hard_link(here.path().join(file), elsewhere.path().join(file)).expect("a link");
        }
        let unheard = connect(&elsewhere.path().join("agon.db"));
        let looking = look_out(connect(&path), &path, Duration::from_secs(60 * 60));
        let mut changes = looking.subscribe();
        says(&keeper, "one");
        assert_eq!(changes.blocking_recv(), Ok(Change::Said("one".into())));
        says(&unheard, "two");
        assert_eq!(changes.blocking_recv(), Ok(Change::Said("two".into())));
    }
}
