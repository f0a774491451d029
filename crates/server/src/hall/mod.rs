//! Games in play: where they are kept and found, who sits where, whose turn it is.
//!
//! How a game goes is in `rules`, how it is kept in `store`, how it is told to players in `mcp`
//! and `web`.

mod computer;
mod game;
mod id;
mod player;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use rules::{Illegal, Rules, Seat};
use tokio::sync::broadcast;

pub use computer::Computers;
pub use game::{Game, Look, Refusal, WrongKind};
pub use id::{GameId, Handle, Pass};
pub use player::{NotAPlayer, Player, describe};

use crate::store::{Hashed, NewGame, SavedSeat, Store, StoreError, Wanted, now};

/// A game nobody has asked for in this long is read again when somebody does.
const IDLE: Duration = Duration::from_secs(30 * 60);

#[derive(Debug, thiserror::Error)]
pub enum FindError {
    #[error("there is no game {0}")]
    NoSuchGame(GameId),
    #[error("that pass does not open game {0}")]
    WrongPass(GameId),
    #[error("game {id} cannot be read: {why}")]
    Unreadable { id: GameId, why: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    #[error(transparent)]
    Setup(#[from] Illegal),
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub struct Hall {
    store: Store,
    games: Mutex<HashMap<GameId, Arc<Game>>>,
    computers: Computers,
    changed: broadcast::Sender<GameId>,
}

impl Hall {
    /// Opens the hall: games wait in the store until they are asked for.
    pub fn new(store: Store, computers: Computers) -> Arc<Hall> {
        let (changed, _) = broadcast::channel(1024);
        let hall = Arc::new(Hall { store, games: Mutex::default(), computers, changed });
        tokio::spawn(follow_other_processes(Arc::downgrade(&hall)));
        tokio::spawn(let_idle_games_go(Arc::downgrade(&hall)));
        hall
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Starts a game of kind `R` with `seats` taken; `connection` says who speaks for one of them.
    pub async fn create<R: Rules>(
        &self,
        setup: &R::Setup,
        seats: Vec<SavedSeat>,
        connection: Option<(Hashed, Seat)>,
    ) -> Result<Arc<Game>, CreateError> {
        let kind = rules::kind(R::KIND).expect("every kind that has rules is known");
        let setup = serde_json::to_string(setup).expect("a set-up can be written");
        let mut random = [0; 8];
        loop {
            getrandom::fill(&mut random).expect("the system has random numbers");
            let seed = u64::from_le_bytes(random);
            let id = GameId::from_seed(seed);
            let record = rules::Record::start(kind, &setup, seed)?;
            let new = NewGame {
                id,
                kind: kind.name,
                rules: kind.version,
                setup: setup.clone(),
                seed,
                created_at: now(),
            };
            let created_at = new.created_at;
            if self.store.create(new, seats.clone(), connection).await? {
                let seats = seats.into_iter().collect();
                let connections = connection.into_iter().collect();
                let (store, changed) = (self.store.clone(), self.changed.clone());
                let game = Game::new(store, changed, id, created_at, record, seats, connections);
                let _ = self.changed.send(id);
                return Ok(self.keep(Arc::new(game)));
            }
        }
    }

    pub async fn find(&self, id: GameId) -> Result<Arc<Game>, FindError> {
        if let Some(game) = self.in_memory(id) {
            return Ok(game);
        }
        Ok(self.keep(Arc::new(self.load(id).await?)))
    }

    /// The game a handle names, and the seat it opens: the pass's, or else the one this
    /// connection took.
    pub async fn enter(
        &self,
        handle: &Handle,
        connection: Option<Hashed>,
    ) -> Result<(Arc<Game>, Option<Seat>), FindError> {
        let game = self.find(handle.game).await?;
        let seat = match &handle.pass {
            Some(pass) => Some(
                (0..game.kind().seats.len() as u8)
                    .map(Seat)
                    .find(|seat| pass.fits(self.store.secret(), handle.game, *seat))
                    .ok_or(FindError::WrongPass(handle.game))?,
            ),
            None => match connection {
                Some(connection) => game.seat_of(connection).await,
                None => None,
            },
        };
        Ok((game, seat))
    }

    /// The secret of whoever sits at `seat`.
    pub fn pass(&self, game: GameId, seat: Seat) -> Pass {
        Pass::new(self.store.secret(), game, seat)
    }

    pub async fn list(&self, wanted: Wanted) -> Result<Vec<GameId>, StoreError> {
        self.store.list(wanted).await
    }

    /// Tells which games change, in this process or, a little later, in another.
    pub fn changes(&self) -> broadcast::Receiver<GameId> {
        self.changed.subscribe()
    }

    /// A game to look at only: it does not stay in memory for that.
    pub async fn glance(&self, id: GameId) -> Result<Arc<Game>, FindError> {
        match self.in_memory(id) {
            Some(game) => Ok(game),
            None => Ok(Arc::new(self.load(id).await?)),
        }
    }

    /// Goes on with the games that a stopped server left waiting for the computer.
    pub async fn resume(&self) -> Result<(), FindError> {
        for id in self.store.with_computer().await? {
            match self.glance(id).await {
                Ok(game) if computer::is_due(&game).await => drop(self.keep(game)),
                Ok(_) => {}
                Err(error) => tracing::warn!(%id, %error, "a game cannot go on"),
            }
        }
        Ok(())
    }

    fn in_memory(&self, id: GameId) -> Option<Arc<Game>> {
        self.games.lock().expect("nobody panics holding the games").get(&id).cloned()
    }

    /// Puts a game into memory, unless somebody else just did, and gives the computer its seat.
    fn keep(&self, game: Arc<Game>) -> Arc<Game> {
        let mut games = self.games.lock().expect("nobody panics holding the games");
        let kept = games.entry(game.id()).or_insert_with(|| {
            self.computers.seat(&game);
            game
        });
        kept.clone()
    }

    async fn load(&self, id: GameId) -> Result<Game, FindError> {
        let saved = self.store.load(id).await?.ok_or(FindError::NoSuchGame(id))?;
        Game::restore(self.store.clone(), self.changed.clone(), id, saved)
            .map_err(|why| FindError::Unreadable { id, why })
    }
}

/// Brings games in memory up to date when another process has played in them.
async fn follow_other_processes(hall: std::sync::Weak<Hall>) {
    let Some(mut changes) = hall.upgrade().map(|hall| hall.store.changes()) else { return };
    loop {
        let change = changes.recv().await;
        let Some(hall) = hall.upgrade() else { return };
        match change {
            Ok((id, turn)) => match hall.in_memory(id) {
                Some(game) if game.knows(turn) => {}
                Some(game) => drop(tokio::spawn(async move { game.refresh().await })),
                None => drop(hall.changed.send(id)),
            },
            // Missed some: the waiters' own re-reading makes up for it.
            Err(broadcast::error::RecvError::Lagged(_)) => {}
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}

async fn let_idle_games_go(hall: std::sync::Weak<Hall>) {
    let mut clock = tokio::time::interval(Duration::from_secs(60));
    loop {
        clock.tick().await;
        let Some(hall) = hall.upgrade() else { return };
        let mut games = hall.games.lock().expect("nobody panics holding the games");
        games.retain(|_, game| Arc::strong_count(game) > 1 || !game.idle_for(IDLE));
    }
}
