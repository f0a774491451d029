//! Where games are kept. The only folder that knows SQL.
//!
//! What a game is and when it may change is decided in `hall`; here it is written down, once, and
//! read back: in a file by SQLite, or by Postgres for as many nodes as like to share it.

mod address;
mod copy;
mod errors;
#[cfg(test)]
mod faults;
mod listing;
mod postgres;
mod saved;
mod sqlite;
#[cfg(test)]
mod tests;
mod traits;
mod wanted;
mod words;

use std::{fmt, sync::Arc};

use sha2::{Digest, Sha256};

pub use address::Address;
pub use copy::{Copying, copy};
pub use errors::{OpenError, StoreError};
pub use listing::ListedGames;
pub use saved::{
    ChangedGame, Created, Gist, Letter, Link, ListedGame, NewGame, News, Opener, SavedGame,
    SavedSeat, SavedTurn, Tries,
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

/// How old a store is that is there already: `open` would bring it up to date, this only looks.
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
    /// Of an earlier version.
    Older,
    Current,
}

impl Age {
    fn of(version: i64, known: usize) -> Age {
        match version {
            0 => Age::New,
            version if version < known as i64 => Age::Older,
            _ => Age::Current,
        }
    }
}

/// What another process has done.
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
pub const MOST_LETTERS: i64 = 20_000;

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
