//! The store on SQLite: a file for each part of what is asked of it, in SQL. Where that happens is in
//! `worker`.

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

use std::{path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use rusqlite::Connection;
use tokio::sync::broadcast;

use self::{file::StoreFile, watch::Seen, worker::Worker};
use super::{Age, Change, Leases, Millis, OpenError, Store, StoreError, now};

const HOUR: Millis = 60 * 60 * 1000;
/// A store that has taken a change so lately takes another.
const FRESH: Duration = Duration::from_secs(5);

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Failed(error.to_string().into())
    }
}

const TIDY: [&str; 3] = [
    "delete from subscriptions where session in (select id from sessions where at < ?)",
    "delete from sessions where at < ?",
    "delete from duties where until < ? or until > ?",
];

/// How many questions are read at once.
const READERS: usize = 4;

pub struct Sqlite {
    writer: Worker,
    readers: Worker,
    elsewhere: broadcast::Sender<Change>,
    secret: Arc<[u8]>,
    file: StoreFile,
}

/// Looks, and brings nothing up to date.
pub fn age(path: &Path) -> Result<Age, OpenError> {
    open::age(path)
}

impl Sqlite {
    pub fn open(path: &Path) -> Result<Sqlite, OpenError> {
        open::prepare(path)?;
        let file = StoreFile::find(path).map_err(|e| OpenError::Io(path.into(), e))?;
        let connect =
            |path: &Path| open::connect(path).map_err(|e| OpenError::Sqlite(path.into(), e));
        let writer = connect(path)?;
        let secret = writer
            .query_row("select key from secret", [], |row| row.get::<_, Vec<u8>>(0))
            .map_err(|e| OpenError::Sqlite(path.into(), e))?;
        let readers = (0..READERS).map(|_| connect(path)).collect::<Result<_, _>>()?;
        let seen = Seen::now(&writer).map_err(|e| OpenError::Sqlite(path.into(), e))?;
        let writer = Worker::writer(writer, file.clone());
        Ok(Sqlite {
            elsewhere: watch::start(connect(path)?, path, writer.clone(), seen),
            writer,
            readers: Worker::readers(readers),
            secret: secret.into(),
            file,
        })
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.ask(work).await
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
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

    async fn settle(&self) -> Result<(), StoreError> {
        self.read(|db| db.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))).await
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
    use super::{league_notes::KEPT, leases::LAPSED, *};

    #[test]
    fn upkeep_finds_what_it_needs_by_an_index() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let db = open::connect(&path).expect("a connection");
        for sql in [LAPSED, KEPT, TIDY[0], TIDY[1], TIDY[2]] {
            let mut plan = db.prepare(&format!("explain query plan {sql}")).expect("a plan");
            let steps = plan.raw_query().mapped(|row| row.get::<_, String>(3));
            let steps: Vec<_> = steps.map(|step| step.expect("a step")).collect();
            let scans = |table| steps.iter().any(|step| step == &format!("SCAN {table}"));
            assert!(!scans("duties") && !scans("sessions"), "{sql}: {steps:?}");
            // There are many, and every match asks: not even an index is gone through.
            assert!(!steps.iter().any(|step| step.starts_with("SCAN letters")), "{sql}: {steps:?}");
        }
    }
}
