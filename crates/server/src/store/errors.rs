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
    #[error("a file beside the store (-wal or -shm) was deleted or replaced; start agon again")]
    GoneBeside,
    #[error("the store is damaged ({0}); stop agon and restore the store from a backup")]
    Damaged(Arc<str>),
    #[error("the disk of the store is nearly full")]
    Full,
    #[error("the log does not fit the game: {0}")]
    Misfit(String),
}

impl StoreError {
    /// The second half of the message "could not be read or saved": whether trying again may help,
    /// or who can help instead. For all faults but `Unknown`.
    pub fn remedy(&self) -> String {
        let reason = match self {
            StoreError::Gone | StoreError::GoneBeside => {
                "a file of this server's store was deleted or replaced"
            }
            StoreError::Damaged(_) => "this server's store is damaged",
            StoreError::Full => "the disk of this server's store is full",
            StoreError::Failed(_)
            | StoreError::Unavailable
            | StoreError::Unknown
            | StoreError::Misfit(_) => return "nothing has changed, try again".into(),
        };
        format!("nothing has changed: {reason}; tell the owner of the server")
    }
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
    Newer(String, i64, i64),
    #[error(
        "{0} was kept by an unreleased agon (store version {1}), which this one cannot read; move it \
         away to start afresh, or choose another store with --store"
    )]
    Unreleased(String, i64),
    #[error("{0} could not be prepared: {1}")]
    Sqlite(PathBuf, rusqlite::Error),
    #[error("{0} is no address of a Postgres database: {1}")]
    NoAddress(String, String),
    #[error("{0} cannot be used: {1}")]
    Postgres(String, String),
}
