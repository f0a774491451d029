//! The file that was opened: whether it and the files beside it are still there, whether it is
//! damaged, and whether it has room to grow.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use rusqlite::Connection;

use super::open;
use crate::store::{StoreCheck, StoreError};

/// With less than this left on its disk, in bytes, a store is as good as full.
const ROOM: u64 = 16 << 20;

#[derive(Clone)]
pub struct StoreFile {
    pub path: PathBuf,
    identity: Option<Identity>,
    /// The largest size seen, in bytes. Reads from SQLite's cache do not notice a file that was
    /// cut.
    size: Arc<Mutex<u64>>,
    /// The write-ahead log and its index. A turn is durable only while the log is at its path.
    beside: [(PathBuf, Option<Identity>); 2],
    check: Arc<Mutex<Option<StoreCheck>>>,
}

impl StoreFile {
    /// To be called while a connection is open, for SQLite removes the files beside it with the
    /// last.
    pub fn find(path: &Path) -> io::Result<StoreFile> {
        let beside = [beside(path, "-wal")?, beside(path, "-shm")?];
        let beside = beside.map(|path| (path.clone(), identity(&path)));
        let size = Arc::new(Mutex::new(fs::metadata(path)?.len()));
        let check = Arc::default();
        Ok(StoreFile { path: path.into(), identity: identity(path), size, beside, check })
    }

    /// Whether what is written now will be found again: the files that were opened are still at
    /// their paths, and no damage is known.
    pub fn is_sound(&self) -> Result<(), StoreError> {
        if identity(&self.path) != self.identity {
            return Err(StoreError::Gone);
        }
        if self.beside.iter().any(|(path, opened)| identity(path) != *opened) {
            return Err(StoreError::GoneBeside);
        }
        self.is_undamaged()
    }

    fn is_undamaged(&self) -> Result<(), StoreError> {
        if self.was_cut().is_ok_and(|cut| cut) {
            self.found(Some("its file was cut short".into()));
        }
        match self.last_check().and_then(|check| check.damage) {
            Some(damage) => Err(StoreError::Damaged(damage)),
            None => Ok(()),
        }
    }

    /// Whether the file has become shorter. It is not opened for that: to close it again would drop
    /// the locks that SQLite has on it.
    fn was_cut(&self) -> io::Result<bool> {
        let mut largest = self.size.lock().unwrap_or_else(PoisonError::into_inner);
        let size = fs::metadata(&self.path)?.len();
        *largest = size.max(*largest);
        Ok(size < *largest)
    }

    /// Whether the log was deleted, nobody has begun another, and what it holds can be copied into
    /// the store. Open connections can still read it.
    pub fn can_save_its_log(&self) -> bool {
        let [(log, opened), _] = &self.beside;
        let gone = opened.is_some() && fs::symlink_metadata(log).is_err_and(is_not_found);
        gone && identity(&self.path) == self.identity && self.is_undamaged().is_ok()
    }

    pub fn check(&self) -> Result<(), StoreError> {
        self.is_sound()?;
        if free_space(&self.path).is_some_and(|bytes| bytes < ROOM) {
            return Err(StoreError::Full);
        }
        Ok(())
    }

    pub fn last_check(&self) -> Option<StoreCheck> {
        self.check.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers what a check has found or an error has shown. Damage is remembered until the end.
    pub fn found(&self, damage: Option<Arc<str>>) {
        let mut check = self.check.lock().unwrap_or_else(PoisonError::into_inner);
        if check.as_ref().is_some_and(|check| check.damage.is_some()) {
            return;
        }
        if let Some(damage) = &damage {
            tracing::error!(
                store = %self.path.display(), %damage,
                "the store is damaged; nothing more is written into it"
            );
        }
        *check = Some(StoreCheck { at: Instant::now(), damage });
    }

    /// Closes a connection. The last one would copy the log into the file, whatever became of
    /// either.
    pub fn close(&self, db: Connection) {
        let _ = open::leave_as_it_is(&db, self.is_sound().is_err());
    }

    /// Remembers the damage that an answer tells of, if it does.
    pub fn learn_from<T>(&self, answer: &Result<T, StoreError>) {
        if let Err(StoreError::Damaged(damage)) = answer {
            self.found(Some(damage.clone()));
        }
    }
}

/// SQLite keeps its other files beside the file itself, not beside a link to it.
fn beside(path: &Path, end: &str) -> io::Result<PathBuf> {
    let mut path = fs::canonicalize(path)?.into_os_string();
    path.push(end);
    Ok(path.into())
}

/// Whether there is a write-ahead log that holds anything.
pub fn has_log(path: &Path) -> bool {
    beside(path, "-wal").and_then(fs::metadata).is_ok_and(|log| log.len() > 0)
}

fn is_not_found(error: io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let file = fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}

/// How many bytes its disk can still take, where that is known.
#[cfg(unix)]
pub fn free_space(path: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path).ok()?;
    Some(disk.f_bavail * disk.f_frsize)
}

#[cfg(not(unix))]
type Identity = ();

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).map(drop).ok()
}

#[cfg(not(unix))]
pub fn free_space(_: &Path) -> Option<u64> {
    None
}
