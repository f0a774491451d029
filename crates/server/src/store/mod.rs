//! Where games are kept. The only folder that knows SQL.
//!
//! The hall decides when a game may change. Here it is written and read back: in a file by SQLite,
//! or by Postgres for any number of nodes.

mod address;
mod copy;
mod errors;
#[cfg(test)]
pub mod faults;
mod listing;
mod postgres;
mod saved;
mod sqlite;
#[cfg(test)]
mod tests;
mod traits;
mod wanted;
mod words;

use std::{fmt, sync::Arc, time::Instant};

use sha2::{Digest, Sha256};

pub use address::Address;
pub use copy::{Copying, copy};
pub use errors::{OpenError, StoreError};
pub use listing::ListedGames;
pub use saved::{
    ChangedGame, Created, Gist, Link, ListedGame, LoggedMessages, News, Opener, SavedGame,
    SavedSeat, SavedTurn,
};
pub use sqlite::free_space;
pub use traits::{GameLists, Games, LeagueNotes, Leases, Nodes, Sessions, Store, Takeover};
pub use wanted::{Order, Progress, Wanted, Whose};

use crate::ids::GameId;

pub async fn open(address: &Address) -> Result<Arc<dyn Store>, OpenError> {
    Ok(match address {
        Address::Sqlite(path) => Arc::new(sqlite::Sqlite::open(path)?),
        Address::Postgres(url) => Arc::new(postgres::Postgres::open(url).await?),
    })
}

/// Whether anything is kept in a store that is there already. Changes nothing, and looks for damage
/// in all of a file.
pub async fn age(address: &Address) -> Result<Age, OpenError> {
    match address {
        Address::Sqlite(path) => sqlite::age(path),
        Address::Postgres(url) => postgres::age(url).await,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// Nothing has been kept there yet.
    New,
    Current,
    /// A file without damage that takes no changes, like a backup.
    ReadOnly,
}

impl Age {
    fn of(version: i64) -> Age {
        if version == 0 { Age::New } else { Age::Current }
    }
}

/// Stores of these versions and earlier ones were kept by builds from before the first release, by
/// migrations that are gone.
const UNRELEASED: i64 = 11;

/// The migrations that a store of this version has still to go through, each with the version it
/// leads to; or why the store cannot be used. 0 is the version of an empty store.
fn migrations_after<'a>(
    version: i64,
    all: &'a [&'a str],
    store: &str,
) -> Result<impl Iterator<Item = (i64, &'a str)>, OpenError> {
    let newest = UNRELEASED + all.len() as i64;
    if version > newest {
        return Err(OpenError::Newer(store.into(), version, newest));
    }
    if version != 0 && version <= UNRELEASED {
        return Err(OpenError::Unreleased(store.into(), version));
    }
    Ok((UNRELEASED + 1..).zip(all.iter().copied()).filter(move |(to, _)| *to > version))
}

/// When a store was last checked for damage, and what was found.
#[derive(Clone)]
pub struct StoreCheck {
    pub at: Instant,
    pub damage: Option<Arc<str>>,
}

/// A change that another process has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A game has grown, up to that turn; 0 when somebody sat down.
    Game {
        id: GameId,
        turn: u32,
        /// Where that is told.
        kind: Option<&'static str>,
    },
    /// It has something to say to all others.
    Said(Arc<str>),
    /// Nobody can say what: for a while nothing was heard.
    Missed,
}

/// The name of a kind that was told or read, if it is one of ours.
fn known_kind(name: &str) -> Option<&'static str> {
    rules::kind(name).ok().map(|kind| kind.name)
}

/// So many things one session may follow.
pub const MOST_FOLLOWED: i64 = 200;
/// More than these are not kept: what would be forgotten first is.
pub const MOST_LOGGED: i64 = 20_000;
/// They are counted once in so many.
const COUNTED: i64 = MOST_LOGGED / 10;

/// Whether it is time to look whether there are too many letters, when the newest has the id `last`
/// and had `before` a moment ago.
fn may_be_too_many(before: i64, last: i64) -> bool {
    before / COUNTED != last / COUNTED
}

/// The hash of a secret a client holds; the secret itself is never kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hashed([u8; 32]);

impl Hashed {
    pub fn of(secret: &str) -> Hashed {
        Hashed(Sha256::digest(secret).into())
    }
}

impl fmt::Display for Hashed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hexadecimal::encode(self.0))
    }
}

/// Milliseconds since 1970.
pub type Millis = i64;

pub fn now() -> Millis {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as Millis)
}
