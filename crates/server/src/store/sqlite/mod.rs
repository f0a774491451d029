//! The store on SQLite: a file for each part of what is asked of it, in SQL. Where that happens is
//! in `worker`.

mod check;
mod file;
mod games;
mod league_notes;
mod leases;
mod listing;
mod open;
mod rows;
mod sessions;
mod takeover;
mod watch;
mod worker;

pub use file::free_space;
pub use open::age;

use std::{
    path::Path,
    sync::{Arc, OnceLock, mpsc},
    time::Duration,
};

use async_trait::async_trait;
use rusqlite::Connection;
use tokio::sync::broadcast;

use self::{file::StoreFile, watch::Seen, worker::Worker};
use super::{Change, Leases, Millis, OpenError, Store, StoreCheck, StoreError, now};

const HOUR: Millis = 60 * 60 * 1000;
/// A store that has taken a change within this time takes another.
const FRESH: Duration = Duration::from_secs(5);

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            _ if open::shows_damage(&error) => StoreError::Damaged(error.to_string().into()),
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full,
            _ => StoreError::Failed(error.to_string().into()),
        }
    }
}

const TIDY: [&str; 3] = [
    "delete from subscriptions where session in (select id from sessions where at < ?)",
    "delete from sessions where at < ?",
    "delete from leases where until < ? or until > ?",
];

/// Copies all of the write-ahead log into the file, and empties the log.
const CHECKPOINT: &str = "pragma wal_checkpoint(truncate)";

/// How many connections read at once.
const READERS: usize = 4;

pub struct Sqlite {
    writer: Worker,
    readers: Worker,
    elsewhere: broadcast::Sender<Change>,
    secret: Arc<[u8]>,
    file: StoreFile,
    was_checked: bool,
    /// The checks end when this is gone.
    checks: OnceLock<mpsc::Sender<()>>,
}

impl Sqlite {
    pub fn open(path: &Path) -> Result<Sqlite, OpenError> {
        let was_checked = open::prepare(path)?;
        let connect =
            |path: &Path| open::connect(path).map_err(|e| OpenError::Sqlite(path.into(), e));
        let writer = connect(path)?;
        let secret = writer
            .query_row("select key from secret", [], |row| row.get::<_, Vec<u8>>(0))
            .map_err(|e| OpenError::Sqlite(path.into(), e))?;
        let file = StoreFile::find(path).map_err(|e| OpenError::Io(path.into(), e))?;
        if was_checked {
            file.found(None);
        }
        let readers = (0..READERS).map(|_| connect(path)).collect::<Result<_, _>>()?;
        let seen = Seen::now(&writer).map_err(|e| OpenError::Sqlite(path.into(), e))?;
        let writer = Worker::writer(writer, file.clone());
        Ok(Sqlite {
            elsewhere: watch::start(connect(path)?, path, writer.clone(), seen, file.clone()),
            writer,
            readers: Worker::readers(readers, &file),
            secret: secret.into(),
            file,
            was_checked,
            checks: OnceLock::new(),
        })
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.ask(work).await
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers.ask(work).await
    }
}

#[async_trait]
impl Store for Sqlite {
    fn secret(&self) -> &[u8] {
        &self.secret
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.file.check()?;
        if self.writer.has_saved_within(FRESH) {
            return Ok(());
        }
        self.hold("health", 0, FRESH).await.map(drop)
    }

    fn begin_upkeep(&self) {
        self.checks.get_or_init(|| check::start(self.file.clone(), self.was_checked));
    }

    fn last_check(&self) -> Option<StoreCheck> {
        self.file.last_check()
    }

    async fn settle(&self) -> Result<(), StoreError> {
        self.file.is_sound()?;
        // Writes that were queued before this one are done once it is.
        self.write(|_| Ok(())).await?;
        self.read(|db| db.query_row(CHECKPOINT, [], |_| Ok(()))).await
    }

    async fn tidy(&self, at: Millis) -> Result<(), StoreError> {
        self.write(move |db| {
            let now = now();
            db.execute(TIDY[0], [at])?;
            db.execute(TIDY[1], [at])?;
            db.execute(TIDY[2], [now - HOUR, now + HOUR]).map(drop)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::{leases::LAPSED, *};
    use crate::store::Age;

    #[test]
    fn upkeep_finds_what_it_needs_by_an_index() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let db = open::connect(&path).expect("a connection");
        for sql in [LAPSED, TIDY[0], TIDY[1], TIDY[2]] {
            let mut plan = db.prepare(&format!("explain query plan {sql}")).expect("a plan");
            let steps = plan.raw_query().mapped(|row| row.get::<_, String>(3));
            let steps: Vec<_> = steps.map(|step| step.expect("a step")).collect();
            let scans = |table| steps.iter().any(|step| step == &format!("SCAN {table}"));
            assert!(!scans("leases") && !scans("sessions"), "{sql}: {steps:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_store_that_cannot_be_changed_is_checked_for_damage() {
        use std::os::unix::fs::FileExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("50% sure?.db");
        open::prepare(&path).expect("a store");
        let file = std::fs::File::options().write(true).open(&path).expect("a file");
        let metadata = file.metadata().expect("a file");
        let mut permissions = metadata.permissions();
        permissions.set_readonly(true);
        file.set_permissions(permissions).expect("it can be closed");
        assert_eq!(age(&path).expect("no damage"), Age::ReadOnly);
        file.write_all_at(&[7; 4096], metadata.len() - 8192).expect("damage");
        assert!(matches!(age(&path), Err(OpenError::Damaged(..))));
    }

    #[cfg(unix)]
    #[test]
    fn a_store_behind_a_link_to_nothing_is_its_owners_alone() {
        use std::{fs, os::unix::fs::PermissionsExt};
        let folder = tempfile::tempdir().expect("a folder");
        let [link, target] = ["link.db", "agon.db"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        open::prepare(&link).expect("a store");
        let mode = fs::metadata(&target).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
