//! Opening a store: finding the file, refusing what is not ours, bringing the schema up to date.

use std::{
    fs, io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, TransactionBehavior, config::DbConfig};

use super::super::{Age, OpenError};

/// Says in the file's header that it is ours ("agon").
const APPLICATION_ID: i32 = 0x61_67_6f_6e;

/// In order, never edited once released.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/sqlite/0001_games.sql"),
    include_str!("../../../migrations/sqlite/0002_reports.sql"),
    include_str!("../../../migrations/sqlite/0003_duties.sql"),
    include_str!("../../../migrations/sqlite/0004_subscriptions.sql"),
    include_str!("../../../migrations/sqlite/0005_links.sql"),
    include_str!("../../../migrations/sqlite/0006_leagues.sql"),
    include_str!("../../../migrations/sqlite/0007_upkeep.sql"),
    include_str!("../../../migrations/sqlite/0008_lists.sql"),
    include_str!("../../../migrations/sqlite/0009_comments.sql"),
    include_str!("../../../migrations/sqlite/0010_followers.sql"),
    include_str!("../../../migrations/sqlite/0011_policies.sql"),
];

/// A damaged file is found by reading all of it, which is quick up to here.
const FULL_CHECK_BYTES: u64 = 64 << 20;

/// How long another process may keep us waiting.
const PATIENCE: Duration = Duration::from_secs(10);

/// Makes sure the file is a store this program can use, creating it if there is none. A file that
/// is refused is left as it was.
pub(super) fn prepare(path: &Path) -> Result<(), OpenError> {
    let size = match fs::metadata(path) {
        Ok(file) if file.permissions().readonly() => return Err(OpenError::ReadOnly(path.into())),
        Ok(file) => {
            warn_if_others_can_read(path, &file);
            file.len()
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            create_for_its_owner(path).map_err(|e| OpenError::Io(path.into(), e))?;
            0
        }
        Err(e) => return Err(OpenError::Io(path.into(), e)),
    };
    let (mut db, _) = examine(path, size)?;
    patiently(|| migrate(&mut db)).map_err(|e| fault(path, e))
}

/// What opening it would find. Nothing is brought up to date.
pub(super) fn age(path: &Path) -> Result<Age, OpenError> {
    let file = fs::metadata(path).map_err(|e| OpenError::Io(path.into(), e))?;
    if file.permissions().readonly() {
        return Err(OpenError::ReadOnly(path.into()));
    }
    let (_, version) = examine(path, file.len())?;
    Ok(Age::of(version, MIGRATIONS.len()))
}

/// The store and its version, if this program can use it.
fn examine(path: &Path, size: u64) -> Result<(Connection, i64), OpenError> {
    if size > 0 {
        check_header(path)?;
    }
    let fault = |e| fault(path, e);
    let db = patiently(|| connect(path)).map_err(fault)?;
    // The header may be older than what the write-ahead log holds.
    let version = patiently(|| user_version(&db)).map_err(fault)?;
    known_version(path, version)?;
    if size > 0 && size <= FULL_CHECK_BYTES {
        let check = || db.query_row("pragma quick_check(1)", [], |row| row.get::<_, String>(0));
        let check = patiently(check).map_err(fault)?;
        if check != "ok" {
            return Err(OpenError::Damaged(path.into(), check));
        }
    }
    Ok((db, version))
}

fn fault(path: &Path, error: rusqlite::Error) -> OpenError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
            OpenError::Damaged(path.into(), error.to_string())
        }
        Some(rusqlite::ErrorCode::ReadOnly) => OpenError::ReadOnly(path.into()),
        _ => OpenError::Sqlite(path.into(), error),
    }
}

/// Whoever can read a store can act for every seat in it, so it and the folders made for it are
/// its owner's alone. SQLite gives the files beside it the same permissions.
fn create_for_its_owner(path: &Path) -> io::Result<()> {
    let (mut folders, mut file) = (fs::DirBuilder::new(), fs::OpenOptions::new());
    folders.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        folders.mode(0o700);
        file.mode(0o600);
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        folders.create(folder)?;
    }
    match file.write(true).create_new(true).open(path) {
        // Another process starts on the same store.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        created => created.map(drop),
    }
}

fn warn_if_others_can_read(path: &Path, file: &fs::Metadata) {
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0 {
        tracing::warn!(
            store = %path.display(),
            "others on this machine can read the store, and with it every pass: chmod 600 it"
        );
    }
    #[cfg(not(unix))]
    let _ = (path, file);
}

/// Several processes may open a new store at once. SQLite lets all but one of them fail at some
/// steps, whatever its own patience is set to.
fn patiently<T>(mut step: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match step() {
            Err(e) if is_busy(&e) && Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
}

/// Reads the first bytes of the file and nothing else, since opening a store of someone else's
/// would already leave traces beside it.
fn check_header(path: &Path) -> Result<(), OpenError> {
    let mut header = [0; 100];
    let read =
        fs::File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut header));
    match read {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
            return Err(OpenError::Foreign(path.display().to_string()));
        }
        Err(e) => return Err(OpenError::Io(path.into(), e)),
        Ok(()) => {}
    }
    let number = |at: usize| {
        i32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes are four bytes"))
    };
    let (version, application) = (number(60), number(68));
    if !header.starts_with(b"SQLite format 3\0") || ![0, APPLICATION_ID].contains(&application) {
        return Err(OpenError::Foreign(path.display().to_string()));
    }
    known_version(path, version.into())
}

fn known_version(path: &Path, version: i64) -> Result<(), OpenError> {
    if version > MIGRATIONS.len() as i64 {
        return Err(OpenError::Newer(path.display().to_string(), version, MIGRATIONS.len()));
    }
    Ok(())
}

fn user_version(db: &Connection) -> rusqlite::Result<i64> {
    db.query_row("pragma user_version", [], |row| row.get(0))
}

fn migrate(db: &mut Connection) -> rusqlite::Result<()> {
    db.pragma_update(None, "journal_mode", "wal")?;
    // Two processes may get here together; the second finds the work done.
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (number, migration) in (1..).zip(MIGRATIONS).skip(user_version(&tx)? as usize) {
        tx.execute_batch(migration)?;
        tx.pragma_update(None, "user_version", number)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    tx.commit()
}

pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open(path)?;
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "synchronous", "full")?;
    db.pragma_update(None, "foreign_keys", true)?;
    // Pages are copied home less often, and each only once however often it has changed.
    db.pragma_update(None, "wal_autocheckpoint", 8000)?;
    // Eight megabytes, where there is so much: the latest games of a large store stay at hand.
    db.pragma_update(None, "cache_size", -8000)?;
    // What is asked is the same whatever it is asked with, and is not worked out anew each time.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    db.set_prepared_statement_cache_capacity(64);
    Ok(db)
}
