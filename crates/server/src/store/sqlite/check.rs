//! Looking for damage in a store that is in use: a table at a time and with pauses, so that the
//! write-ahead log can be copied into the file in between.

use std::{
    path::Path,
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use super::{file::StoreFile, open};
use crate::store::StoreError;

/// How long after a check the next one begins, if the check itself did not take long.
const AGAIN: Duration = Duration::from_secs(10 * 60);
/// A check is followed by a pause of at least this many times as long as it took.
const RARELY: u32 = 100;
/// After each table the check pauses for this many times as long as that table took.
const PAUSES: u32 = 9;

/// Checks the store again and again, until the answer is dropped. The first check begins at once,
/// unless the store `was_checked`.
pub fn start(file: StoreFile, was_checked: bool) -> Sender<()> {
    let (open, closed) = channel();
    let mut pause = if was_checked { AGAIN } else { Duration::ZERO };
    let pauses = move |long| closed.recv_timeout(long) == Err(RecvTimeoutError::Timeout);
    let check = move || {
        while pauses(pause) {
            pause = AGAIN;
            let began = Instant::now();
            // The file may have been replaced; another file is not ours to read.
            if file.is_sound().is_err() {
                continue;
            }
            match all_tables(&file.path, &pauses) {
                Ok(true) => {
                    let took = began.elapsed();
                    let store = file.path.display();
                    tracing::info!(%store, ?took, "the store was checked: no damage");
                    file.found(None);
                    pause = AGAIN.max(RARELY * took);
                }
                Ok(false) => return,
                Err(StoreError::Damaged(damage)) => file.found(Some(damage)),
                Err(error) => tracing::warn!(%error, "the store could not be checked"),
            }
        }
    };
    let thread = thread::Builder::new().name("store-check".into());
    thread.spawn(check).expect("a thread can be started");
    open
}

/// False if the store was closed meanwhile.
fn all_tables(path: &Path, pauses: impl Fn(Duration) -> bool) -> Result<bool, StoreError> {
    let db = open::connect(path)?;
    open::leave_as_it_is(&db, true)?;
    let tables = "select name from sqlite_schema where type = 'table'";
    let mut tables = db.prepare(tables)?;
    let tables: Vec<String> = tables.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for table in tables {
        let began = Instant::now();
        if let Some(damage) = open::check(&db, &format!("quick_check({table:?})"))? {
            return Err(StoreError::Damaged(damage.into()));
        }
        if !pauses(PAUSES * began.elapsed()) {
            return Ok(false);
        }
    }
    Ok(true)
}
