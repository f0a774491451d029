//! Opening a store: finding the file, refusing what is not ours, bringing the schema up to date.

use std::{
    fs, io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, TransactionBehavior, config::DbConfig};

use super::{
    super::{Age, OpenError, migrations_after},
    file::has_log,
};

/// Says in the file's header that it is ours ("agon").
const APPLICATION_ID: i32 = 0x61_67_6f_6e;

/// In order, never edited once released.
const MIGRATIONS: &[&str] = &[include_str!("../../../migrations/sqlite/0001.sql")];

/// Damage is looked for before the store is used: in all of a file up to this size.
const FULL_CHECK_BYTES: u64 = 64 << 20;
/// In a larger file the check before use ends after this many steps of SQLite. The rest is checked
/// while the file is used.
const FIRST_STEPS: i32 = (FULL_CHECK_BYTES / 4096) as i32;

/// How long another process may keep us waiting.
const PATIENCE: Duration = Duration::from_secs(10);

/// Makes sure the file is a store this program can use, creating it if there is none. A file that
/// is refused is left as it was. False if not all of it was checked.
pub(super) fn prepare(path: &Path) -> Result<bool, OpenError> {
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
    let is_small = size <= FULL_CHECK_BYTES;
    let bound = (!is_small).then_some(FIRST_STEPS);
    let (mut db, _) = examine(path, size, connect, "quick_check(1)", bound)?;
    patiently(|| migrate(&mut db)).map_err(|e| fault(path, e))?;
    Ok(is_small)
}

/// Looks for damage in all of a file, and changes nothing.
pub fn age(path: &Path) -> Result<Age, OpenError> {
    let file = fs::metadata(path).map_err(|e| OpenError::Io(path.into(), e))?;
    let is_read_only = file.permissions().readonly();
    let connect = if is_read_only { connect_to_look } else { connect };
    let (_, version) = examine(path, file.len(), connect, "integrity_check(1)", None)?;
    Ok(if is_read_only { Age::ReadOnly } else { Age::of(version) })
}

/// The store and its version, if this program can use it. The check ends after `bound` steps of
/// SQLite, if given.
fn examine(
    path: &Path,
    size: u64,
    connect: fn(&Path) -> rusqlite::Result<Connection>,
    check_by: &str,
    bound: Option<i32>,
) -> Result<(Connection, i64), OpenError> {
    if size > 0 {
        check_header(path)?;
    }
    let fault = |e| fault(path, e);
    let has_log = has_log(path);
    let mut db = patiently(|| connect(path)).map_err(fault)?;
    leave_as_it_is(&db, has_log).map_err(fault)?;
    // The header may be older than what the write-ahead log holds.
    let version = patiently(|| user_version(&db)).map_err(fault)?;
    known_version(path, version)?;
    if size > 0 {
        // A step is a page of a table or an index. Overflow pages of long rows are read without
        // being counted, so more than the bound may be read, and after the pages each row is a few
        // steps.
        db.progress_handler(bound.unwrap_or(0), bound.map(|_| || true)).map_err(fault)?;
        let found = patiently(|| check(&db, check_by));
        db.progress_handler(0, None::<fn() -> bool>).map_err(fault)?;
        match found {
            Ok(None) => {}
            Ok(Some(damage)) => return Err(OpenError::Damaged(path.into(), damage)),
            Err(error) if was_interrupted(&error) => {}
            Err(error) => return Err(fault(error)),
        }
    }
    leave_as_it_is(&db, false).map_err(fault)?;
    Ok((db, version))
}

/// The damage that one of SQLite's checks finds.
pub(super) fn check(db: &Connection, by: &str) -> rusqlite::Result<Option<String>> {
    let said: String = db.query_row(&format!("pragma {by}"), [], |row| row.get(0))?;
    // The first line may name the database.
    Ok((said != "ok").then(|| said.lines().last().unwrap_or_default().to_owned()))
}

/// Whether the last connection to close leaves the file as it is, though the write-ahead log holds
/// more: for a file that is damaged or no store of ours.
pub(super) fn leave_as_it_is(db: &Connection, leave: bool) -> rusqlite::Result<()> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leave).map(drop)
}

/// Whether the error says that the file itself is not what it should be.
pub(super) fn shows_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::{ErrorCode, ffi::SQLITE_IOERR_SHORT_READ};
    let short = error.sqlite_error().map(|error| error.extended_code);
    matches!(error.sqlite_error_code(), Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
        || short == Some(SQLITE_IOERR_SHORT_READ)
}

fn fault(path: &Path, error: rusqlite::Error) -> OpenError {
    match error.sqlite_error_code() {
        _ if shows_damage(&error) => OpenError::Damaged(path.into(), error.to_string()),
        Some(rusqlite::ErrorCode::ReadOnly) => OpenError::ReadOnly(path.into()),
        _ => OpenError::Sqlite(path.into(), error),
    }
}

/// Makes an empty store that its owner alone can use, for its reader can act for every seat in it.
/// SQLite gives the files beside it the same permissions.
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
    // Another process may start on the same store, and a link may lead to where there is none yet.
    file.write(true).create(true).truncate(false).open(path).map(drop)
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

fn was_interrupted(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted)
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
    migrations_after(version, MIGRATIONS, &path.display().to_string()).map(drop)
}

fn user_version(db: &Connection) -> rusqlite::Result<i64> {
    db.query_row("pragma user_version", [], |row| row.get(0))
}

fn migrate(db: &mut Connection) -> rusqlite::Result<()> {
    db.pragma_update(None, "journal_mode", "wal")?;
    // Two processes may get here together; the second finds the work done.
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // It was looked at before, and only ever goes forward to a version that we know.
    let ahead = migrations_after(user_version(&tx)?, MIGRATIONS, "");
    for (version, migration) in ahead.into_iter().flatten() {
        tx.execute_batch(migration)?;
        tx.pragma_update(None, "user_version", version)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    tx.commit()
}

/// A connection that changes nothing. SQLite is told that nobody else does, since it cannot make
/// the files for that beside a store in a read-only folder.
fn connect_to_look(path: &Path) -> rusqlite::Result<Connection> {
    let mut address = path.display().to_string();
    for (sign, written) in [('%', "%25"), ('?', "%3f"), ('#', "%23")] {
        address = address.replace(sign, written);
    }
    let how = if has_log(path) { "" } else { "?immutable=1" };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{address}{how}"), flags)
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
    // Keep the plan of a prepared statement whatever its parameters are.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    db.set_prepared_statement_cache_capacity(64);
    Ok(db)
}
