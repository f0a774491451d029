//! Whether games can be kept: the store opens and takes a change, nobody else can read it, and its
//! disk has room.

use std::path::{Path, PathBuf};

use super::Check;
use crate::store::{self, Address, Age, OpenError, StoreError};

const NAME: &str = "store";
/// With less than this, in bytes, somebody should know.
const LITTLE_ROOM: u64 = 256 << 20;

pub async fn checks(address: &Address) -> Vec<Check> {
    let mut checks = Vec::new();
    match address {
        Address::Sqlite(path) if !path.exists() => checks.push(not_there_yet(path)),
        Address::Sqlite(_) | Address::Postgres(_) => checks.push(opens(address).await),
    }
    if let Address::Sqlite(path) = address {
        checks.extend(readers(path));
        checks.extend(room(&what_is_there(path)));
    }
    checks
}

async fn opens(address: &Address) -> Check {
    match store::age(address).await {
        Ok(Age::New) => Check::ok(NAME, format!("{address} will be set up at the first start")),
        Ok(Age::Current) => takes_changes(address).await,
        Ok(Age::ReadOnly) => Check::note(
            NAME,
            format!("{address} is read-only; no damage found"),
            "Make it writable, or copy it to a writable place, before you start a server on it.",
        ),
        Err(error) => does_not_open(&error),
    }
}

fn does_not_open(error: &OpenError) -> Check {
    let advice = match error {
        OpenError::Io(..) | OpenError::ReadOnly(_) => {
            "Check the permissions of the file and of its folder."
        }
        OpenError::Foreign(_) => "Check the address after --store.",
        OpenError::Damaged(..) => "Stop every agon that uses it before you move it or restore it.",
        OpenError::Newer(..) => "Install the newest agon.",
        OpenError::Unreleased(..) => "Games of a development build cannot be taken along.",
        OpenError::Sqlite(..) => "Stop other programs that use the file, and try again.",
        OpenError::NoAddress(..) => "Write it like postgres://USER:PASSWORD@HOST/DATABASE.",
        OpenError::Postgres(..) => {
            "Check that the database runs, and the user, password and database in the address."
        }
    };
    Check::fault(NAME, error.to_string(), advice)
}

async fn takes_changes(address: &Address) -> Check {
    let store = match store::open(address).await {
        Ok(store) => store,
        Err(error) => return does_not_open(&error),
    };
    match store.ping().await {
        Ok(()) => Check::ok(NAME, format!("{address} opens and takes changes")),
        Err(error) => {
            let advice = match error {
                StoreError::Full => "Make room on its disk.",
                StoreError::Gone | StoreError::GoneBeside => {
                    "Stop every agon that uses this store."
                }
                StoreError::Damaged(_) => "Until then, keep games in another store with --store.",
                StoreError::Failed(_)
                | StoreError::Unavailable
                | StoreError::Unknown
                | StoreError::Misfit(_) => {
                    "Check that the database runs, or that no other program locks the file."
                }
            };
            Check::fault(NAME, format!("{address} takes no changes: {error}"), advice)
        }
    }
}

/// It is made when agon first starts, if its folder lets us.
fn not_there_yet(path: &Path) -> Check {
    let folder = what_is_there(path);
    match tempfile::tempfile_in(&folder) {
        Ok(_) => {
            Check::ok(NAME, format!("sqlite:{} will be made at the first start", path.display()))
        }
        Err(error) => Check::fault(
            NAME,
            format!("nothing can be written into {}: {error}", folder.display()),
            "Make it writable, or choose another place with --store sqlite:PATH.",
        ),
    }
}

/// The nearest folder above it, or whatever stands in a folder's place.
fn what_is_there(path: &Path) -> PathBuf {
    let mut above = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    let found = above.find(|folder| folder.exists());
    found.map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// A reader of a store can act for every seat in it, and a writer into its folder can put another
/// in its place.
#[cfg(unix)]
fn readers(path: &Path) -> Vec<Check> {
    use std::{fs, os::unix::fs::PermissionsExt};
    const STICKY: u32 = 0o1000;
    let mode = |path: &Path| fs::metadata(path).map(|found| found.permissions().mode()).ok();
    let mut checks = Vec::new();
    let place = path.display();
    if mode(path).is_some_and(|mode| mode & 0o077 != 0) {
        checks.push(Check::fault(
            NAME,
            format!("others on this machine can read {place}, and with it every pass"),
            format!("chmod 600 {place}"),
        ));
    }
    let folder = what_is_there(path);
    if mode(&folder).is_some_and(|mode| mode & 0o022 != 0 && mode & STICKY == 0) {
        let folder = folder.display();
        checks.push(Check::fault(
            NAME,
            format!("others on this machine can put another store into {folder}"),
            format!("chmod 700 {folder}"),
        ));
    }
    checks
}

#[cfg(not(unix))]
fn readers(_: &Path) -> Vec<Check> {
    Vec::new()
}

fn room(folder: &Path) -> Option<Check> {
    let free = store::free_space(folder)?;
    let megabytes = free >> 20;
    Some(if free < LITTLE_ROOM {
        let advice = "Make room: a store that is full takes no moves.";
        Check::fault("disk", format!("only {megabytes} MB are free for the store"), advice)
    } else {
        Check::ok("disk", format!("{megabytes} MB are free for the store"))
    })
}
