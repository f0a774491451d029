//! Where games are kept. The only folder that knows SQL.
//!
//! What a game is and when it may change is decided in `hall`; here it is written down, once, and
//! read back.

mod open;
mod sqlite;
mod watch;
mod worker;

pub use open::{Address, OpenError};
pub use sqlite::{
    Created, NewGame, News, SavedGame, SavedSeat, SavedTurn, Store, StoreError, Wanted,
};

use sha2::{Digest, Sha256};

/// The hash of a secret a client holds; the secret itself is never kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hashed([u8; 32]);

impl Hashed {
    pub fn of(secret: &str) -> Hashed {
        Hashed(Sha256::digest(secret).into())
    }
}

/// Milliseconds since 1970.
pub type Millis = i64;

pub fn now() -> Millis {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as Millis)
}
