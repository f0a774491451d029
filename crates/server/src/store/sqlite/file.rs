//! The file that was opened: whether it is still there, and has room to grow.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::store::StoreError;

/// With less than this left on its disk, in bytes, a store is as good as full.
const ROOM: u64 = 16 << 20;

#[derive(Clone)]
pub struct StoreFile {
    path: PathBuf,
    identity: Identity,
}

impl StoreFile {
    pub fn find(path: &Path) -> io::Result<StoreFile> {
        Ok(StoreFile { path: path.into(), identity: identity(path)? })
    }

    /// Whether it is still the one at its path: what is written into another is lost.
    pub fn is_there(&self) -> Result<(), StoreError> {
        match identity(&self.path) {
            Ok(found) if found == self.identity => Ok(()),
            _ => Err(StoreError::Gone),
        }
    }

    pub fn check(&self) -> Result<(), StoreError> {
        self.is_there()?;
        if free_space(&self.path).is_some_and(|bytes| bytes < ROOM) {
            return Err(StoreError::Full);
        }
        Ok(())
    }
}

#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    let file = fs::metadata(path)?;
    Ok((file.dev(), file.ino()))
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
fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(drop)
}

#[cfg(not(unix))]
pub fn free_space(_: &Path) -> Option<u64> {
    None
}
