//! A store in parts, so that a caller takes only the part that it needs.
//!
//! A change is durable when the call returns.

use std::time::Duration;

use async_trait::async_trait;
use rules::Seat;
use tokio::sync::broadcast;

use super::{
    Change, ChangedGame, Created, Gist, Hashed, Link, ListedGame, ListedGames, LoggedMessages,
    Millis, News, Opener, SavedGame, SavedSeat, SavedTurn, StoreCheck, StoreError, Wanted,
};
use crate::ids::GameId;

/// Everything that a store does.
#[async_trait]
pub trait Store: Games + GameLists + Leases + Sessions + Nodes + LeagueNotes + Takeover {
    /// The key that passes are made from; the same for every process on this store.
    fn secret(&self) -> &[u8];

    /// Whether durable writes succeed: relies on one of the last five seconds, or makes one.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Starts what a store does by itself while a server uses it.
    fn begin_upkeep(&self) {}

    /// The last check for damage, where the store is a file.
    fn last_check(&self) -> Option<StoreCheck> {
        None
    }

    /// Leaves everything as others expect to find it: told, and where it can be copied by other
    /// means.
    async fn settle(&self) -> Result<(), StoreError>;

    /// Forgets sessions from before `at`, which nobody can still be using, and leases that nobody
    /// has had for an hour.
    async fn tidy(&self, at: Millis) -> Result<(), StoreError>;
}

/// Games and their seats and turns: a game is found, played and read over here.
#[async_trait]
pub trait Games: Send + Sync {
    /// Keeps a game with all that it brings: its name, seats and turns. `Created::New` also when
    /// the store has a game with this id, seed and time.
    async fn create(&self, game: SavedGame) -> Result<Created, StoreError>;

    /// False if somebody sits there for whom none of the connections speaks. They all speak for
    /// the seat from now on.
    async fn sit(
        &self,
        game: ChangedGame,
        seat: SavedSeat,
        connections: Vec<Hashed>,
    ) -> Result<bool, StoreError>;

    /// Changes the link to a seat, if it is still as it was. Whoever opens it sits down then.
    async fn relink(
        &self,
        game: ChangedGame,
        seat: Seat,
        (from, to): (Link, Link),
        opener: Option<Opener>,
    ) -> Result<bool, StoreError>;

    /// Counts one more refused move of a seat; not at all if the answer of the store was lost.
    async fn count_refused(&self, game: GameId, seat: Seat) -> Result<(), StoreError>;

    /// The game that goes by a name.
    async fn named(&self, name: Hashed) -> Result<Option<GameId>, StoreError>;

    /// Gives a name to this game, whichever game had it before.
    async fn set_named(&self, name: Hashed, game: GameId) -> Result<(), StoreError>;

    /// False if that number has been played already, by whomever.
    async fn append(
        &self,
        game: ChangedGame,
        saved: SavedTurn,
        after: Gist,
    ) -> Result<bool, StoreError>;

    /// Asks once more for a turn of which nobody knows whether it was saved. It was if it is there,
    /// the very same, down to its time and its key.
    async fn append_again(
        &self,
        game: ChangedGame,
        saved: SavedTurn,
        after: Gist,
    ) -> Result<bool, StoreError>;

    async fn load(&self, game: GameId) -> Result<Option<SavedGame>, StoreError>;

    /// The seats as they are now, and the turns after number `known`.
    async fn news(&self, game: GameId, known: u32) -> Result<News, StoreError>;
}

/// Lists, counts and work to do, read from columns without replaying a game.
#[async_trait]
pub trait GameLists: Send + Sync {
    /// A part of a list of games, read from columns and by an index.
    async fn list(&self, wanted: Wanted) -> Result<ListedGames, StoreError>;

    /// One game as a list shows it.
    async fn entry(&self, game: GameId) -> Result<Option<ListedGame>, StoreError>;

    /// How many games there are; no more than `most` are counted.
    async fn count(&self, most: u32) -> Result<i64, StoreError>;

    /// How many games of one kind there are, all of them counted.
    async fn count_kind(&self, kind: &'static str) -> Result<i64, StoreError>;

    /// Games that wait for the computer, those that have waited longest first.
    async fn due_to_computer(&self, most: u32) -> Result<Vec<GameId>, StoreError>;
}

/// Leases: one process at a time does a job for all of them.
#[async_trait]
pub trait Leases: Send + Sync {
    /// Takes on a lease for so long, or goes on with it; for no time at all, gives it up. False if
    /// another has it. Less durable than the rest: who takes over may have to look twice.
    async fn hold(&self, name: &str, holder: i64, long: Duration) -> Result<bool, StoreError>;

    /// Time until a lease expires unless it is renewed; zero if nobody holds it.
    async fn left(&self, name: &str) -> Result<Duration, StoreError>;

    /// Leases of this kind that expired within `within` and have no holder.
    async fn lapsed(&self, kind: &str, within: Duration) -> Result<Vec<String>, StoreError>;
}

/// Sessions of MCP and their subscriptions.
#[async_trait]
pub trait Sessions: Send + Sync {
    async fn save_session(&self, id: Hashed, initialize: String) -> Result<(), StoreError>;

    async fn session(&self, id: Hashed) -> Result<Option<String>, StoreError>;

    async fn forget_session(&self, id: Hashed) -> Result<(), StoreError>;

    /// Subscribes a session to `uri`, a resource about the game or the leagues of `about`. False if
    /// it has too many subscriptions already.
    async fn subscribe(&self, session: Hashed, uri: &str, about: &str) -> Result<bool, StoreError>;

    async fn unsubscribe(&self, session: Hashed, uri: &str) -> Result<(), StoreError>;

    /// The subscriptions of these sessions; only those about one of these, if `about` is given.
    async fn subscriptions(
        &self,
        sessions: Vec<Hashed>,
        about: Option<Vec<String>>,
    ) -> Result<Vec<(Hashed, String)>, StoreError>;
}

/// Messages between processes on the same store.
#[async_trait]
pub trait Nodes: Send + Sync {
    /// Tells what other processes change.
    fn changes(&self) -> broadcast::Receiver<Change>;

    /// Says something to all other processes, if it is not too long. Nothing is heard by those who
    /// are not there.
    async fn say(&self, words: String) -> Result<(), StoreError>;
}

/// Match logs of leagues.
#[async_trait]
pub trait LeagueNotes: Send + Sync {
    /// Keeps messages of matches, and forgets those that are old, or too many.
    async fn add_to_match_log(&self, logged: Vec<LoggedMessages>) -> Result<(), StoreError>;

    /// The messages of a match of a league, in the order in which they were kept.
    async fn match_log(
        &self,
        league: GameId,
        contest: &str,
    ) -> Result<Vec<LoggedMessages>, StoreError>;

    /// Keeps the messages of a match until then.
    async fn keep_longer(
        &self,
        league: GameId,
        contest: &str,
        until: Millis,
    ) -> Result<(), StoreError>;
}

/// The calls that only `agon store copy` needs.
#[async_trait]
pub trait Takeover: Send + Sync {
    /// Every name and its game.
    async fn names(&self) -> Result<Vec<(Hashed, GameId)>, StoreError>;

    /// The letters that are kept until `until` or longer and come after that one, by what the store
    /// counts them by; no more than `most`.
    async fn all_match_logs(
        &self,
        until: Millis,
        after: i64,
        most: u32,
    ) -> Result<Vec<(i64, LoggedMessages)>, StoreError>;

    /// Takes over another store's secret, so that its passes open the same seats here.
    async fn adopt(&self, secret: &[u8]) -> Result<(), StoreError>;
}
