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
mod sqlite;
#[cfg(test)]
mod tests;
mod words;

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use rules::{Outcome, Seat, Turn};
use sha2::{Digest, Sha256};
use tokio::sync::broadcast;

pub use address::Address;
pub use copy::{Copying, copy};
pub use errors::{OpenError, StoreError};
pub use listing::ListedGames;
pub use sqlite::free_space;

use crate::{
    ids::{GameId, PlayerId},
    player::Player,
    policy::Policy,
};

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

/// What is written is durable when the call answers.
#[async_trait]
pub trait Store: Send + Sync {
    /// What passes are made from; the same for every process on this store.
    fn secret(&self) -> &[u8];

    /// Tells what other processes change.
    fn changes(&self) -> broadcast::Receiver<Change>;

    /// The very same game again, with its id, seed and time, is still new.
    async fn create(&self, game: NewGame) -> Result<Created, StoreError>;

    /// False if somebody sits there for whom none of the connections speaks. They all speak for
    /// the seat from now on.
    async fn sit(
        &self,
        game: GameId,
        seat: SavedSeat,
        connections: Vec<Hashed>,
    ) -> Result<bool, StoreError>;

    /// Changes the link to a seat, if it is still as it was. Whoever opens it sits down then.
    async fn relink(
        &self,
        game: GameId,
        seat: Seat,
        (from, to): (Link, Link),
        opener: Option<Opener>,
    ) -> Result<bool, StoreError>;

    /// Adds to how often a seat's moves were refused or read loosely; once at the most, and not at
    /// all where the answer of the store was lost.
    async fn count_tries(&self, game: GameId, seat: Seat, more: Tries) -> Result<(), StoreError>;

    /// The game that goes by a name.
    async fn named(&self, name: Hashed) -> Result<Option<GameId>, StoreError>;

    /// False if that number has been played already, by whomever.
    async fn append(&self, game: GameId, saved: SavedTurn, after: Gist)
    -> Result<bool, StoreError>;

    /// Asks once more for a turn of which nobody knows whether it was saved. It was if it is there,
    /// the very same, down to its time and its key.
    async fn append_again(
        &self,
        game: GameId,
        saved: SavedTurn,
        after: Gist,
    ) -> Result<bool, StoreError>;

    async fn load(&self, game: GameId) -> Result<Option<SavedGame>, StoreError>;

    /// Who sits there now, and the turns after number `known`.
    async fn news(&self, game: GameId, known: u32) -> Result<News, StoreError>;

    /// A part of a list of games, read from columns and by an index.
    async fn list(&self, wanted: Wanted) -> Result<ListedGames, StoreError>;

    /// What a list shows of one game.
    async fn entry(&self, game: GameId) -> Result<Option<ListedGame>, StoreError>;

    /// How many games there are; no more than `most` are counted.
    async fn count(&self, most: u32) -> Result<i64, StoreError>;

    /// How many games of one kind there are, all of them counted.
    async fn count_kind(&self, kind: &'static str) -> Result<i64, StoreError>;

    /// Games that wait for the computer, those that have waited longest first.
    async fn due_to_computer(&self, most: u32) -> Result<Vec<GameId>, StoreError>;

    /// Games of before there were lists, the newest first: what lists show of them is not filled
    /// in yet.
    async fn to_fill_in(&self, most: u32) -> Result<Vec<GameId>, StoreError>;

    /// Fills in what lists show, where nobody has yet. None for a game that cannot be read.
    async fn fill_in(&self, games: Vec<(GameId, Option<Gist>)>) -> Result<(), StoreError>;

    /// Takes on a duty for so long, or goes on with it; for no time at all, gives it up. False if
    /// another has it. Less durable than the rest: who takes over may have to look twice.
    async fn hold(&self, duty: &str, holder: i64, long: Duration) -> Result<bool, StoreError>;

    /// Duties of this kind that somebody had not long ago and nobody has now.
    async fn lapsed(&self, kind: &str, within: Duration) -> Result<Vec<String>, StoreError>;

    async fn save_session(&self, id: Hashed, initialize: String) -> Result<(), StoreError>;

    async fn session(&self, id: Hashed) -> Result<Option<String>, StoreError>;

    async fn forget_session(&self, id: Hashed) -> Result<(), StoreError>;

    /// What a session wants to hear of from now on, and what that is about. False if it hears of
    /// too much already.
    async fn subscribe(&self, session: Hashed, uri: &str, about: &str) -> Result<bool, StoreError>;

    async fn unsubscribe(&self, session: Hashed, uri: &str) -> Result<(), StoreError>;

    /// What sessions want to hear of, if it is about one of these or nobody knows what it is about;
    /// None for all.
    async fn subscriptions(
        &self,
        about: Option<Vec<String>>,
    ) -> Result<Vec<(Hashed, String)>, StoreError>;

    /// Forgets sessions from before `at`, which nobody can still be using, and duties that nobody
    /// has had for an hour.
    async fn tidy(&self, at: Millis) -> Result<(), StoreError>;

    /// Says something to all other processes, if it is not too long. Nothing is heard by those who
    /// are not there.
    async fn say(&self, words: String) -> Result<(), StoreError>;

    /// The newest of the leagues that went by one name.
    async fn newest(&self, series: Hashed) -> Result<Option<GameId>, StoreError>;

    async fn set_newest(&self, series: Hashed, game: GameId) -> Result<(), StoreError>;

    /// Keeps what was said in matches of leagues, and forgets what is old, or too much.
    async fn keep_letters(&self, letters: Vec<Letter>) -> Result<(), StoreError>;

    /// What was said in a match of a league, in the order in which it was kept.
    async fn letters(&self, league: GameId, contest: &str) -> Result<Vec<Letter>, StoreError>;

    /// Keeps what was said in a match for another while.
    async fn keep_longer(
        &self,
        league: GameId,
        contest: &str,
        until: Millis,
    ) -> Result<(), StoreError>;

    /// Whether it takes changes that last: one was made in the last five seconds, or is now.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Leaves everything as others expect to find it: told, and where it can be copied by other
    /// means.
    async fn settle(&self) -> Result<(), StoreError>;

    /// Every game that has a name.
    async fn names(&self) -> Result<Vec<(Hashed, GameId)>, StoreError>;

    /// Takes over a game from another store, as it is there, with its name.
    async fn put(
        &self,
        id: GameId,
        game: SavedGame,
        name: Option<Hashed>,
    ) -> Result<(), StoreError>;

    /// Takes over another store's secret, so that its passes open the same seats here.
    async fn adopt(&self, secret: &[u8]) -> Result<(), StoreError>;
}

/// What another process has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A game has grown, up to that turn; 0 when somebody sat down.
    Game(GameId, u32),
    /// It has something to say to all others.
    Said(Arc<str>),
    /// Nobody can say what: for a while nothing was heard.
    Missed,
}

#[derive(Clone)]
pub struct NewGame {
    pub id: GameId,
    pub kind: &'static str,
    pub rules: u32,
    pub setup: String,
    pub seed: u64,
    pub policy: Policy,
    pub created_at: Millis,
    /// What its players call it.
    pub name: Option<Hashed>,
    pub seats: Vec<SavedSeat>,
    /// Who speaks for one of them.
    pub connection: Option<(Hashed, Seat)>,
    pub gist: Gist,
}

/// How a game stands, for those who do not replay it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gist {
    pub outcome: Option<Outcome>,
    /// What a list shows of it, as its kind writes it.
    pub glimpse: String,
    /// The computer has something to do.
    pub computer_due: bool,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    pub id: GameId,
    pub kind: String,
    pub created_at: Millis,
    /// When somebody last moved or sat down.
    pub last_at: Millis,
    pub turns: u32,
    pub outcome: Option<String>,
    pub winner: Option<Seat>,
    pub seats: Vec<SavedSeat>,
    /// What its kind wants shown; None if nobody has worked that out yet.
    pub glimpse: Option<String>,
    /// The seat of the connection that was asked for.
    pub yours: Option<Seat>,
}

impl ListedGame {
    /// Nobody has touched it for a day, and it is not over. It wakes with the next move.
    pub fn is_asleep(&self) -> bool {
        self.outcome.is_none() && self.last_at <= now() - listing::DAY
    }
}

/// Somebody who sat down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedSeat {
    pub seat: Seat,
    pub player: Player,
    /// Who that is, if they are known beyond this game.
    pub known: Option<PlayerId>,
    /// What the player calls itself.
    pub name: String,
    /// How this seat wants to be spoken to; for whoever speaks to it.
    pub manner: String,
    pub at: Millis,
    pub link: Link,
    pub tries: Tries,
}

impl SavedSeat {
    /// Somebody who sits down now.
    pub fn new(seat: Seat, player: Player) -> SavedSeat {
        let (name, manner) = (String::new(), String::new());
        let (link, tries) = (Link::default(), Tries::default());
        SavedSeat { seat, player, known: None, name, manner, at: now(), link, tries }
    }
}

/// How a seat has written its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// So many were refused.
    pub refused: u32,
    /// So many were no move as they stood, and one was found in them.
    pub loose: u32,
}

/// The address that seats whoever opens it first, a person at a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// How many there were before it; each new one ends the last, and the passes it gave.
    pub number: u32,
    /// Somebody has opened it.
    pub opened: bool,
}

/// Somebody who opens a link.
#[derive(Clone, Debug)]
pub struct Opener {
    /// By it they are known again.
    pub key: Option<Hashed>,
    /// What they want to be called, if they say so.
    pub name: Option<String>,
    pub at: Millis,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedTurn {
    pub turn: Turn,
    pub at: Millis,
    /// The key its caller gave it.
    pub request: Option<String>,
    /// What its player says of it.
    pub comment: Option<String>,
}

/// What became of a wish for a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    New,
    IdTaken,
    /// A game goes by that name already.
    NameTaken(GameId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    pub kind: String,
    pub rules: u32,
    pub setup: String,
    pub seed: u64,
    /// Its name; a later version may know more of them.
    pub policy: String,
    pub created_at: Millis,
    pub outcome: Option<String>,
    pub winner: Option<Seat>,
    pub news: News,
}

/// What has been added to a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    pub seats: Vec<SavedSeat>,
    pub turns: Vec<SavedTurn>,
    pub connections: Vec<(Hashed, Seat)>,
}

/// What was said to and by one player in a match of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub league: GameId,
    pub contest: String,
    pub player: String,
    pub at: Millis,
    /// It may be forgotten then.
    pub until: Millis,
    pub text: String,
}

/// So many things one session may follow.
pub const MOST_FOLLOWED: i64 = 200;
/// More than these are not kept: what would be forgotten first is.
pub const MOST_LETTERS: i64 = 20_000;

/// Which games to list.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Only those that come after this place in the list.
    pub before: Option<(Millis, GameId)>,
    pub limit: u32,
    pub progress: Progress,
    /// Only of these kinds.
    pub kinds: Vec<&'static str>,
    /// The beginnings of words: of the id, the kind, who plays.
    pub text: String,
    pub whose: Whose,
    pub order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Any,
    Over,
    /// Awake or asleep.
    Unfinished,
    /// Somebody has touched it within a day.
    Live,
    Asleep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The latest move first.
    LastMove,
    /// By when they were created.
    Newest,
}

impl Order {
    fn columns(self) -> &'static str {
        match self {
            Order::LastMove => "moved desc, id desc",
            Order::Newest => "created_at desc, id desc",
        }
    }
}

impl Wanted {
    /// The latest of these kinds, whoever plays.
    pub fn of(kinds: Vec<&'static str>, limit: u32) -> Wanted {
        Wanted {
            before: None,
            limit,
            progress: Progress::Any,
            kinds,
            text: String::new(),
            whose: Whose::Anyones,
            order: Order::LastMove,
        }
    }

    /// It is searched for what is in no word.
    fn is_vain(&self) -> bool {
        !self.text.trim().is_empty() && words::words(&self.text).is_empty()
    }

    /// The condition that all seats are taken, one of them by an agent, in both dialects of SQL.
    fn lone_agents(&self) -> String {
        let seats = |kind: &&str| rules::kind(kind).map_or(0, |kind| kind.seats.len());
        let all: Vec<_> =
            self.kinds.iter().map(|kind| format!("when '{kind}' then {}", seats(kind))).collect();
        format!(
            "(select count(*) from seats where game = id) = case kind {} end
             and (select count(*) from seats where game = id and player = 'agent') = 1",
            all.join(" ")
        )
    }
}

/// Whose games to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whose {
    #[default]
    Anyones,
    /// Those in which this connection took a seat.
    Connections(Hashed),
    /// Those in which one agent plays, and no other has a seat to take.
    LoneAgents,
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
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Milliseconds since 1970.
pub type Millis = i64;

pub fn now() -> Millis {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as Millis)
}
