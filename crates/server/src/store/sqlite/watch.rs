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

use super::{CHECKPOINT, Sqlite, file::StoreFile, worker::Worker};
use crate::{
    ids::GameId,
    store::{Change, Nodes, StoreError, known_kind},
};

/// Waiters may learn of another process's move this much later: writes that come together are
/// looked at together.
const PAUSE: Duration = Duration::from_millis(10);
/// A writer commits some time after it has written into the log, and the system does not tell when.
/// The first look for the commit is this soon; each next one waits twice as long.
const SOON: Duration = Duration::from_millis(1);
/// How often we poll for changes, in case the system sent no event.
const PERIOD: Duration = Duration::from_secs(1);
/// How long to wait for our writer, to learn whether all commits were its own.
const PATIENCE: Duration = Duration::from_millis(50);
/// How often the file is looked at where the system tells nothing.
const WITHOUT: Duration = Duration::from_millis(20);

#[async_trait]
impl Nodes for Sqlite {
    fn changes(&self) -> broadcast::Receiver<Change> {
        self.elsewhere.subscribe()
    }

    async fn say(&self, words: String) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("insert into node_messages (text) values (?)")?.execute([&words])?;
            db.prepare_cached(
                "delete from node_messages where rowid <= last_insert_rowid() - 1000",
            )?
            .execute([])
            .map(drop)
        })
        .await
    }
}

/// Sends which games have grown, and up to which turn (0 when somebody sat down), until the store
/// is closed. Commits of our own `writer` are left out: the hall has announced them already. `seen`
/// is what the writer saw at first.
pub(super) fn start(
    db: Connection,
    path: &Path,
    writer: Worker,
    seen: Seen,
    file: StoreFile,
) -> broadcast::Sender<Change> {
    let store_watcher = StoreWatcher {
        db,
        version: None,
        writer,
        patience: PATIENCE,
        seen,
        file,
        has_saved_log: false,
    };
    look_out(store_watcher, path, PERIOD)
}

fn look_out(
    mut store_watcher: StoreWatcher,
    path: &Path,
    period: Duration,
) -> broadcast::Sender<Change> {
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
    let watch = move || {
        let _watcher = watcher;
        let mut pause = period;
        while let Some(sender) = weak.upgrade() {
            match store_watcher.catch_up() {
                Ok(Commits::Nothing) => {}
                // It was told of, most likely, because of these.
                Ok(Commits::Ours) => pause = PAUSE,
                Ok(Commits::Theirs(changes)) => {
                    changes.into_iter().for_each(|change| drop(sender.send(change)));
                }
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
        store_watcher.file.close(store_watcher.db);
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
        // The failed event may have been a write.
        if event.is_ok_and(|event| !event.paths.iter().any(|path| is_log(path))) {
            return;
        }
        wake();
    })?;
    watcher.watch(folder.unwrap_or(Path::new(".")), RecursiveMode::NonRecursive)?;
    Ok(watcher)
}

/// The last rows that one connection has seen.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// Another when somebody else has committed since.
    version: i64,
    turn: i64,
    seat: i64,
    words: i64,
}

impl Seen {
    pub(super) fn now(db: &Connection) -> rusqlite::Result<Seen> {
        let last = |sql| db.prepare_cached(sql)?.query_row([], |row| row.get(0));
        Ok(Seen {
            version: data_version(db)?,
            turn: last("select coalesce(max(rowid), 0) from turns")?,
            seat: last("select coalesce(max(rowid), 0) from seats")?,
            words: last("select coalesce(max(rowid), 0) from node_messages")?,
        })
    }
}

struct StoreWatcher {
    db: Connection,
    /// Of the file, as this connection saw it last.
    version: Option<i64>,
    writer: Worker,
    patience: Duration,
    /// By the writer, and what has been told since.
    seen: Seen,
    file: StoreFile,
    /// The log was deleted, and what it held is in the file.
    has_saved_log: bool,
}

/// The commits since the last look.
#[derive(Debug, PartialEq)]
enum Commits {
    Nothing,
    /// By our own writer, and by nobody else.
    Ours,
    /// Changes of other processes.
    Theirs(Vec<Change>),
}

impl StoreWatcher {
    fn catch_up(&mut self) -> Result<Commits, StoreError> {
        if self.file.can_save_its_log() {
            self.save_log();
        }
        let commits = self.commits().map_err(StoreError::from);
        self.file.learn_from(&commits);
        commits
    }

    fn commits(&mut self) -> rusqlite::Result<Commits> {
        let version = data_version(&self.db)?;
        if self.version == Some(version) {
            return Ok(Commits::Nothing);
        }
        // Nobody else commits while the writer looks.
        let seen = self.writer.look(Seen::now, self.patience);
        let commits = match seen {
            Some(seen) if seen.version == self.seen.version => {
                self.seen = seen;
                Commits::Ours
            }
            seen => {
                let changes = self.changes()?;
                self.seen.version = seen.map_or(self.seen.version, |seen| seen.version);
                Commits::Theirs(changes)
            }
        };
        self.version = Some(version);
        Ok(commits)
    }

    /// Saves the commits of a write-ahead log that was deleted, while its content can still be read.
    fn save_log(&mut self) {
        let is_busy = self.db.query_row(CHECKPOINT, [], |row| row.get::<_, bool>(0));
        match is_busy {
            Ok(false) if !self.has_saved_log => {
                self.has_saved_log = true;
                tracing::error!(
                    "the write-ahead log was deleted; what it held was copied into the store, \
                     which takes no more changes until agon is started again"
                );
            }
            Ok(_) => {}
            Err(error) => tracing::error!(%error, "the deleted write-ahead log is lost"),
        }
    }

    fn changes(&mut self) -> rusqlite::Result<Vec<Change>> {
        let (db, seen) = (&self.db, &mut self.seen);
        let mut changes = Vec::new();
        let mut rows = |sql: &str, last: &mut i64| -> rusqlite::Result<()> {
            let mut statement = db.prepare_cached(sql)?;
            let mut found = statement.query([*last])?;
            while let Some(row) = found.next()? {
                *last = row.get(0)?;
                let (id, turn) = (GameId::from_number(row.get(1)?), row.get(2)?);
                let kind = known_kind(row.get_ref(3)?.as_str()?);
                changes.push(Change::Game { id, turn, kind });
            }
            Ok(())
        };
        rows(
            "select turns.rowid, game, number, kind from turns join games on games.id = game
             where turns.rowid > ? order by turns.rowid",
            &mut seen.turn,
        )?;
        rows(
            "select seats.rowid, game, 0, kind from seats join games on games.id = game
             where seats.rowid > ? order by seats.rowid",
            &mut seen.seat,
        )?;
        let mut said =
            db.prepare_cached("select rowid, text from node_messages where rowid > ?")?;
        let mut said = said.query([seen.words])?;
        while let Some(row) = said.next()? {
            seen.words = row.get(0)?;
            changes.push(Change::Said(row.get::<_, String>(1)?.into()));
        }
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

    fn connect(path: &Path) -> Connection {
        open::connect(path).expect("a connection")
    }

    fn say(db: &Connection, words: &str) -> rusqlite::Result<()> {
        db.execute("insert into node_messages (text) values (?)", [words]).map(drop)
    }

    fn store_watcher(path: &Path) -> StoreWatcher {
        let writer = connect(path);
        let seen = Seen::now(&writer).expect("a store");
        let file = StoreFile::find(path).expect("a store");
        let writer = Worker::writer(writer, file.clone());
        let patience = Duration::from_secs(600);
        let db = connect(path);
        StoreWatcher { db, version: None, writer, patience, seen, file, has_saved_log: false }
    }

    #[test]
    fn a_commit_is_found_that_comes_after_the_news_of_it() {
        let [here, elsewhere] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let path = here.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let keeper = connect(&path);
        say(&keeper, "nobody hears this").expect("it is written");
        // A write by this connection changes the same files, and the system tells nobody here.
        for file in ["agon.db", "agon.db-wal", "agon.db-shm"] {
            fs::hard_link(here.path().join(file), elsewhere.path().join(file)).expect("a link");
        }
        let unheard = connect(&elsewhere.path().join("agon.db"));
        let looking = look_out(store_watcher(&path), &path, Duration::from_secs(60 * 60));
        let mut changes = looking.subscribe();
        say(&keeper, "one").expect("it is written");
        assert_eq!(changes.blocking_recv(), Ok(Change::Said("one".into())));
        say(&unheard, "two").expect("it is written");
        assert_eq!(changes.blocking_recv(), Ok(Change::Said("two".into())));
    }

    #[test]
    fn a_damaged_file_is_noticed_and_a_deleted_log_is_not_copied_into_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let (mut store_watcher, other) = (store_watcher(&path), connect(&path));
        say(&other, "before").expect("it is written");
        let root = "select rootpage from sqlite_schema where name = 'turns'";
        let page = other.query_row(root, [], |row| row.get::<_, u32>(0)).expect("a table") as usize;
        let mut bytes = fs::read(&path).expect("the file");
        bytes[(page - 1) * 4096..page * 4096].fill(0x5a);
        fs::write(&path, &bytes).expect("it is spoilt");
        assert!(matches!(store_watcher.catch_up(), Err(StoreError::Damaged(_))));
        assert!(matches!(store_watcher.file.is_sound(), Err(StoreError::Damaged(_))));
        fs::remove_file(folder.path().join("agon.db-wal")).expect("a log");
        let _ = store_watcher.catch_up();
        assert!(fs::read(&path).expect("the file") == bytes, "nothing was written");
    }

    #[test]
    fn what_the_writer_writes_is_no_news() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let (mut store_watcher, other) = (store_watcher(&path), connect(&path));
        let said =
            |store_watcher: &mut StoreWatcher| store_watcher.catch_up().expect("it can be read");
        let writes = |store_watcher: &StoreWatcher, words: &'static str| {
            let written =
                store_watcher.writer.look(move |db| say(db, words), store_watcher.patience);
            written.expect("it is written");
        };
        writes(&store_watcher, "ours");
        assert_eq!(said(&mut store_watcher), Commits::Ours);
        assert_eq!(said(&mut store_watcher), Commits::Nothing, "nothing was written since");
        say(&other, "theirs").expect("it is written");
        assert_eq!(said(&mut store_watcher), Commits::Theirs(vec![Change::Said("theirs".into())]));
        writes(&store_watcher, "ours again");
        say(&other, "theirs again").expect("it is written");
        let Commits::Theirs(both) = said(&mut store_watcher) else {
            panic!("others have written too")
        };
        assert!(both.contains(&Change::Said("theirs again".into())));
        writes(&store_watcher, "ours at last");
        assert_eq!(said(&mut store_watcher), Commits::Ours);
    }
}
