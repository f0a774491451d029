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

use super::{Sqlite, worker::Worker};
use crate::{
    ids::GameId,
    store::{Change, Nodes, StoreError, known_kind},
};

/// Waiters may learn of another process's move this much later: writes that come together are
/// looked at together.
const PAUSE: Duration = Duration::from_millis(10);
/// Who has written into the log commits once the disk has it, and of that the system tells nothing: it is
/// looked for so soon, and then ever later, so that it is found no later than twice the time it took. Where
/// our own commit is found, it is looked for after a pause.
const SOON: Duration = Duration::from_millis(1);
/// What the system did not tell is found this much later.
const PERIOD: Duration = Duration::from_secs(1);
/// Who writes is waited for no longer than this, to learn whether it was all its own.
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
/// What the `writer` writes is no news: the hall has told it by itself. `seen` is what it saw at first.
pub(super) fn start(
    db: Connection,
    path: &Path,
    writer: Worker,
    seen: Seen,
) -> broadcast::Sender<Change> {
    let outlook = Outlook { db, version: None, writer, patience: PATIENCE, seen };
    look_out(outlook, path, PERIOD)
}

fn look_out(mut outlook: Outlook, path: &Path, period: Duration) -> broadcast::Sender<Change> {
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
            match outlook.catch_up() {
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
            words: last("select coalesce(max(rowid), 0) from words")?,
        })
    }
}

struct Outlook {
    db: Connection,
    /// Of the file, as this connection saw it last.
    version: Option<i64>,
    writer: Worker,
    patience: Duration,
    /// By the writer, and what has been told since.
    seen: Seen,
}

/// What has been committed since the last look.
#[derive(Debug, PartialEq)]
enum Commits {
    Nothing,
    /// By our own writer, and by nobody else.
    Ours,
    /// What others did.
    Theirs(Vec<Change>),
}

impl Outlook {
    fn catch_up(&mut self) -> rusqlite::Result<Commits> {
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
        let mut said = db.prepare_cached("select rowid, text from words where rowid > ?")?;
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

    use super::{
        super::{file::StoreFile, open},
        *,
    };

    fn connect(path: &Path) -> Connection {
        open::connect(path).expect("a connection")
    }

    fn say(db: &Connection, words: &str) -> rusqlite::Result<()> {
        db.execute("insert into words (text) values (?)", [words]).map(drop)
    }

    fn outlook(path: &Path) -> Outlook {
        let writer = connect(path);
        let seen = Seen::now(&writer).expect("a store");
        let writer = Worker::writer(writer, StoreFile::find(path).expect("a store"));
        let patience = Duration::from_secs(600);
        Outlook { db: connect(path), version: None, writer, patience, seen }
    }

    #[test]
    fn a_commit_is_found_that_comes_after_the_news_of_it() {
        let [here, elsewhere] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let path = here.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let keeper = connect(&path);
        say(&keeper, "nobody hears this").expect("it is written");
        // What is written by this door changes the same files, and the system tells nobody here.
        for file in ["agon.db", "agon.db-wal", "agon.db-shm"] {
            fs::hard_link(here.path().join(file), elsewhere.path().join(file)).expect("a link");
        }
        let unheard = connect(&elsewhere.path().join("agon.db"));
        let looking = look_out(outlook(&path), &path, Duration::from_secs(60 * 60));
        let mut changes = looking.subscribe();
        say(&keeper, "one").expect("it is written");
        assert_eq!(changes.blocking_recv(), Ok(Change::Said("one".into())));
        say(&unheard, "two").expect("it is written");
        assert_eq!(changes.blocking_recv(), Ok(Change::Said("two".into())));
    }

    #[test]
    fn what_the_writer_writes_is_no_news() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let (mut outlook, other) = (outlook(&path), connect(&path));
        let said = |outlook: &mut Outlook| outlook.catch_up().expect("it can be read");
        let writes = |outlook: &Outlook, words: &'static str| {
            let written = outlook.writer.look(move |db| say(db, words), outlook.patience);
            written.expect("it is written");
        };
        writes(&outlook, "ours");
        assert_eq!(said(&mut outlook), Commits::Ours);
        assert_eq!(said(&mut outlook), Commits::Nothing, "nothing was written since");
        say(&other, "theirs").expect("it is written");
        assert_eq!(said(&mut outlook), Commits::Theirs(vec![Change::Said("theirs".into())]));
        writes(&outlook, "ours again");
        say(&other, "theirs again").expect("it is written");
        let Commits::Theirs(both) = said(&mut outlook) else { panic!("others have written too") };
        assert!(both.contains(&Change::Said("theirs again".into())));
        writes(&outlook, "ours at last");
        assert_eq!(said(&mut outlook), Commits::Ours);
    }
}
