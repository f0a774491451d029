//! Why a store cannot be opened, read or written.

use std::{io, path::PathBuf, sync::Arc};

#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the store failed: {0}")]
    Failed(Arc<str>),
    /// It was not asked, or has said no: nothing has changed.
    #[error("the store takes no changes now")]
    Unavailable,
    /// It was asked and gave no answer. Asking for the very same again tells.
    #[error("it is not known whether the store has made a change")]
    Unknown,
    #[error("the file of the store was deleted or replaced; stop agon and put it back")]
    Gone,
    #[error("the disk of the store is nearly full")]
    Full,
    #[error("the log does not fit the game: {0}")]
    Misfit(String),
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0} cannot be opened: {1}; choose another place with --store sqlite:PATH")]
    Io(PathBuf, io::Error),
    #[error("{0} is read-only; make it writable, or choose another file with --store sqlite:PATH")]
    ReadOnly(PathBuf),
    #[error("{0} is not a store of agon; choose another with --store")]
    Foreign(String),
    #[error("{0} is damaged ({1}); restore it from a backup, or move it away to start afresh")]
    Damaged(PathBuf, String),
    #[error(
        "{0} was written by a newer agon (store version {1}, this one knows {2}); update agon, or \
         choose another store with --store"
    )]
    Newer(String, i64, usize),
    #[error("{0} could not be prepared: {1}")]
    Sqlite(PathBuf, rusqlite::Error),
    #[error("{0} is no address of a Postgres database: {1}")]
    NoAddress(String, String),
    #[error("{0} cannot be used: {1}")]
    Postgres(String, String),
}
