//! Games in play: where they are kept and found, who sits where, whose turn it is.
//!
//! How a game goes is in `rules`, how it is kept in `store`, how it is told to players in `mcp`
//! and `web`.

mod book;
pub mod computer;
mod duty;
mod game;
mod lists;
mod news;
mod refusals;
mod seated;
mod sight;
mod state;

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rules::{Kind, Rules, Seat};
use tokio::sync::broadcast;

pub use computer::{Computers, NoProgram, PlayingProgram};
pub use duty::Duty;
pub use game::{Game, Look, Played, Retry, open_key, seed_hash};
pub use news::{Changed, Changes};
pub use refusals::{CreateError, FindError, Refusal, WrongKind};
pub use seated::{describe, introduce};
pub use sight::Sight;
pub use state::Seats;

use crate::{
    budgets::{Budget, Budgets, Origin, TooMany},
    figures,
    ids::{GameId, Handle, LinkCode, Pass},
    limits::Limits,
    player::Player,
    policy::Policy,
    store::{Change, Created, Gist, Hashed, NewGame, SavedSeat, Store, StoreError, now},
};

/// Where games in memory are many, those that rest this long are let go too.
const REST: Duration = Duration::from_secs(2);
/// Sessions and duties that are over are forgotten this often.
const TIDY: Duration = Duration::from_secs(10 * 60);
/// How long a client may be away and still be known by its session.
const SESSIONS_KEPT: i64 = 30 * 24 * 60 * 60 * 1000;
/// Games of which nobody knows whether they were created are remembered up to so many.
const OPEN_GAMES: usize = 100;
/// What is told when too many questions wait for the computer.
pub const CROWDED: TooMany =
    TooMany { what: "questions that wait for the computer", wait: Duration::from_secs(10) };
/// So many changes may happen while somebody who hears of them is busy.
const NEWS: usize = 8192;
/// How often somebody looks after what a process left undone that has died.
const TAKE_OVER: Duration = Duration::from_secs(3);

/// A game that is to be.
pub struct Plan {
    pub kind: Kind,
    /// As the kind writes it, in JSON.
    pub setup: String,
    /// Who sits there from the start.
    pub seats: Vec<SavedSeat>,
    /// Who speaks for one of them.
    pub connection: Option<(Hashed, Seat)>,
    /// What its players call it.
    pub name: Option<Hashed>,
    /// Where its chance comes from; drawn when nobody asks for one.
    pub seed: Option<u64>,
    pub policy: Policy,
    /// Who asks for it.
    pub by: Origin,
}

impl Plan {
    pub fn new(kind: Kind, setup: String, seats: Vec<SavedSeat>) -> Plan {
        let (policy, by) = (Policy::default(), Origin::Owner);
        Plan { kind, setup, seats, connection: None, name: None, seed: None, policy, by }
    }

    /// The same for one who knows the kind.
    pub fn of<R: Rules>(setup: &R::Setup, seats: Vec<SavedSeat>) -> Plan {
        let kind = rules::kind(R::KIND).expect("every kind that has rules is known");
        Plan::new(kind, serde_json::to_string(setup).expect("a set-up can be written"), seats)
    }
}

fn random() -> u64 {
    getrandom::u64().expect("the system has random numbers")
}

pub struct Hall {
    store: Arc<dyn Store>,
    games: Mutex<HashMap<GameId, Arc<Game>>>,
    /// What the players of games in memory call them.
    names: Mutex<HashMap<Hashed, GameId>>,
    /// Games of which nobody knows whether they were created: the same call again means them.
    open_games: Mutex<VecDeque<NewGame>>,
    /// A game nobody has asked for in this long is read again when somebody does.
    idle: Duration,
    /// How many games in memory are many, and how many are too many now.
    most: usize,
    crowd: AtomicUsize,
    budgets: Budgets,
    computers: Computers,
    changed: broadcast::Sender<GameId>,
    said: broadcast::Sender<Arc<str>>,
}

impl Hall {
    /// Opens the hall: games wait in the store until they are asked for.
    pub fn new(
        store: Arc<dyn Store>,
        computers: Computers,
        limits: &Limits,
        budgets: Budgets,
    ) -> Arc<Hall> {
        let most = limits.games_in_memory.get() as usize;
        let (changed, _) = broadcast::channel(NEWS);
        let hall = Arc::new(Hall {
            store,
            games: Mutex::default(),
            names: Mutex::default(),
            open_games: Mutex::default(),
            idle: Duration::from_secs(limits.game_idle_seconds.get().into()),
            most,
            crowd: AtomicUsize::new(most),
            budgets,
            computers,
            changed,
            said: broadcast::Sender::new(256),
        });
        tokio::spawn(follow_other_processes(Arc::downgrade(&hall)));
        tokio::spawn(let_idle_games_go(Arc::downgrade(&hall)));
        tokio::spawn(take_over(Arc::downgrade(&hall)));
        tokio::spawn(tidy_up(Arc::downgrade(&hall)));
        tokio::spawn(lists::fill_in(Arc::downgrade(&hall)));
        hall
    }

    /// What its callers may do.
    pub fn budgets(&self) -> &Budgets {
        &self.budgets
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Somebody else's program that plays this kind, by the command that starts it.
    pub fn program(&self, kind: Kind, command: &str) -> Result<Arc<dyn PlayingProgram>, NoProgram> {
        self.computers.program(kind, command)
    }

    /// Starts a game. If it is to have a name and a game goes by that name already, it is that.
    pub async fn create(&self, plan: Plan) -> Result<Arc<Game>, CreateError> {
        let (kind, setup) = (plan.kind, &plan.setup);
        if let Err(too_many) = self.may_begin(&plan) {
            // What was created before is found again, whatever has been used up.
            let before = match plan.name {
                Some(name) => self.named(name).await?,
                None => None,
            };
            return before.ok_or(too_many.into());
        }
        loop {
            let id = GameId::from_number(random() as u32);
            let seed = plan.seed.unwrap_or_else(random);
            let new = NewGame {
                id,
                kind: kind.name,
                rules: kind.version,
                setup: setup.clone(),
                seed,
                policy: plan.policy,
                created_at: now(),
                name: plan.name,
                seats: plan.seats.clone(),
                connection: plan.connection,
                gist: Gist::default(),
            };
            let mut new = self.open_game(&new, plan.seed.is_some()).unwrap_or(new);
            let record = rules::Record::start(kind, setup, new.seed)?;
            new.gist = lists::gist(&record, &new.seats.iter().cloned().collect());
            let created = self.store.create(new.clone()).await;
            if let Err(StoreError::Unknown) = created {
                self.remember_open_game(new.clone());
            }
            match created? {
                Created::New => {
                    let id = new.id;
                    let game = Game::new(self.store.clone(), self.changed.clone(), new, record);
                    game.asked_by(plan.by);
                    let _ = self.changed.send(id);
                    self.learn_name(plan.name, id);
                    return Ok(self.keep(Arc::new(game)));
                }
                Created::NameTaken(id) => return Ok(self.find(id).await?),
                Created::IdTaken => {}
            }
        }
    }

    /// Counts a game that is to be, or says when to come back.
    fn may_begin(&self, plan: &Plan) -> Result<(), TooMany> {
        let is_computer = |seat: &SavedSeat| matches!(seat.player, Player::Computer(_));
        if plan.seats.iter().any(is_computer) && self.computers.is_crowded() {
            return Err(CROWDED);
        }
        self.budgets.count(plan.by, Budget::Games)
    }

    /// The game that the same wish may have created before.
    fn open_game(&self, wish: &NewGame, seeded: bool) -> Option<NewGame> {
        let mut open = self.open_games.lock().expect("nobody panics holding these");
        let at = open.iter().position(|game| {
            let seats = wish.seats.iter().zip(&game.seats);
            let same_seats = wish.seats.len() == game.seats.len()
                && seats
                    .into_iter()
                    .all(|(wish, seat)| SavedSeat { at: seat.at, ..wish.clone() } == *seat);
            let same_seed = !seeded || wish.seed == game.seed;
            let what = |game: &NewGame| (game.kind, game.name, game.connection);
            same_seats && same_seed && wish.setup == game.setup && what(wish) == what(game)
        })?;
        open.remove(at)
    }

    fn remember_open_game(&self, game: NewGame) {
        let mut open = self.open_games.lock().expect("nobody panics holding these");
        if open.len() >= OPEN_GAMES {
            open.pop_front();
        }
        open.push_back(game);
    }

    /// The game its players call so, if there is one.
    pub async fn named(&self, name: Hashed) -> Result<Option<Arc<Game>>, FindError> {
        let known = self.names.lock().expect("nobody panics holding the names").get(&name).copied();
        let id = match known {
            Some(id) => id,
            None => match self.store.named(name).await? {
                Some(id) => id,
                None => return Ok(None),
            },
        };
        self.learn_name(Some(name), id);
        self.find(id).await.map(Some)
    }

    fn learn_name(&self, name: Option<Hashed>, id: GameId) {
        let mut names = self.names.lock().expect("nobody panics holding the names");
        names.extend(name.map(|name| (name, id)));
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
            Some(pass) => Some(self.opened_by(pass, &game).await?),
            None => match connection {
                Some(connection) => game.seat_of(connection).await?,
                None => None,
            },
        };
        Ok((game, seat))
    }

    async fn opened_by(&self, pass: &Pass, game: &Game) -> Result<Seat, FindError> {
        let fits = |seats: &Seats| self.fitting(pass, game.id(), seats);
        let seats = game.seats().await;
        let linked =
            |seat: Seat| seats.at(seat).is_some_and(|sitting| sitting.player == Player::Human);
        match fits(&seats) {
            Some(seat) if !linked(seat) => return Ok(seat),
            // A new link may have been made elsewhere: its pass opens the seat, the old no more.
            _ => drop(game.refresh().await),
        }
        fits(&game.seats().await).ok_or(FindError::WrongPass(game.id()))
    }

    /// The seat that a pass opens, of all that any game has.
    fn fitting(&self, pass: &Pass, game: GameId, seats: &Seats) -> Option<Seat> {
        let most = rules::KINDS.iter().map(|kind| kind.seats.len()).max().unwrap_or_default();
        let fits = |seat: &Seat| pass.fits(self.store.secret(), game, *seat, seats.links(*seat));
        (0..most as u8).map(Seat).find(fits)
    }

    /// The secret of whoever sits at `seat`.
    pub fn pass(&self, game: GameId, seats: &Seats, seat: Seat) -> Pass {
        Pass::new(self.store.secret(), game, seat, seats.links(seat))
    }

    /// What the present link to `seat` carries.
    pub fn link_code(&self, game: GameId, seats: &Seats, seat: Seat) -> LinkCode {
        LinkCode::new(self.store.secret(), game, seat, seats.links(seat))
    }

    /// The seat whose present link carries that code.
    pub fn linked_seat(&self, game: &Game, seats: &Seats, code: LinkCode) -> Option<Seat> {
        (0..game.kind().seats.len() as u8)
            .map(Seat)
            .find(|seat| code.fits(self.store.secret(), game.id(), *seat, seats.links(*seat)))
    }

    /// Tells which games change, in this process or, a little later, in another.
    pub fn changes(&self) -> broadcast::Receiver<GameId> {
        self.changed.subscribe()
    }

    /// The same, gathered for a moment.
    pub fn news(&self) -> Changes {
        Changes(self.changes())
    }

    /// What other processes have to say.
    pub fn said(&self) -> broadcast::Receiver<Arc<str>> {
        self.said.subscribe()
    }

    /// A game to look at only: it does not stay in memory for that.
    pub async fn glance(&self, id: GameId) -> Result<Arc<Game>, FindError> {
        match self.in_memory(id) {
            Some(game) => Ok(game),
            None => Ok(Arc::new(self.load(id).await?)),
        }
    }

    /// Brings every game that somebody follows up to date, and drops the rest: other processes have
    /// played, and nobody knows where.
    async fn read_again(&self) {
        self.let_go(Duration::ZERO);
        let games = self.games.lock().expect("nobody panics holding the games").clone();
        for game in games.into_values().filter(|game| game.is_followed()) {
            game.refresh().await;
        }
    }

    /// How many games are in memory.
    pub fn size(&self) -> usize {
        self.games.lock().expect("nobody panics holding the games").len()
    }

    /// A game that somebody has asked for here not long ago.
    pub fn in_memory(&self, id: GameId) -> Option<Arc<Game>> {
        self.games.lock().expect("nobody panics holding the games").get(&id).cloned()
    }

    /// Puts a game into memory, unless somebody else just did, and gives the computer its seat.
    fn keep(&self, game: Arc<Game>) -> Arc<Game> {
        self.make_room();
        let mut games = self.games.lock().expect("nobody panics holding the games");
        let kept = games.entry(game.id()).or_insert_with(|| {
            self.computers.seat(&game);
            game
        });
        kept.clone()
    }

    fn make_room(&self) {
        if self.size() >= self.crowd.load(Ordering::Relaxed) {
            self.let_go(REST);
            // If all are busy, it is not worth looking again until there are many more.
            self.crowd.store(self.most.max(2 * self.size()), Ordering::Relaxed);
        }
    }

    /// Drops from memory what nobody holds and nothing has happened to for `idle`.
    fn let_go(&self, idle: Duration) {
        let mut games = self.games.lock().expect("nobody panics holding the games");
        games.retain(|_, game| {
            Arc::strong_count(game) > 1 || !game.idle_for(idle) || game.is_unsettled()
        });
        let mut names = self.names.lock().expect("nobody panics holding the names");
        names.retain(|_, id| games.contains_key(id));
    }

    /// Learns what became of calls whose fate was open, though nobody asks.
    async fn look_after_open_calls(&self) {
        let games = self.games.lock().expect("nobody panics holding the games").clone();
        for game in games.into_values().filter(|game| game.is_unsettled()) {
            // If the store does not answer, it is asked again when the next look is taken.
            let _ = game.look_after_open_calls().await;
        }
    }

    async fn load(&self, id: GameId) -> Result<Game, FindError> {
        figures::replayed();
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
            Ok(Change::Game(id, turn)) => match hall.in_memory(id) {
                Some(game) if game.knows(turn) => {}
                Some(game) => drop(tokio::spawn(async move { game.refresh().await })),
                None => drop(hall.changed.send(id)),
            },
            Ok(Change::Said(words)) => drop(hall.said.send(words)),
            Ok(Change::Missed) | Err(broadcast::error::RecvError::Lagged(_)) => {
                hall.read_again().await;
                // What was missed is not heard a second time.
                changes = changes.resubscribe();
            }
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}

/// Sees to games in which the computer was thinking in a process that is gone. Those in memory see
/// to it by themselves.
async fn take_over(hall: std::sync::Weak<Hall>) {
    let mut clock = tokio::time::interval(TAKE_OVER);
    clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        clock.tick().await;
        let Some(hall) = hall.upgrade() else { return };
        let lapsed = hall.store.lapsed(computer::DUTY, 10 * TAKE_OVER).await.unwrap_or_default();
        let ids = lapsed.iter().filter_map(|duty| duty.rsplit(' ').next()?.parse().ok());
        for Handle { game, .. } in ids {
            if hall.in_memory(game).is_none() {
                hall.resume_game(game).await;
            }
        }
    }
}

async fn let_idle_games_go(hall: std::sync::Weak<Hall>) {
    let mut clock = tokio::time::interval(Duration::from_secs(60));
    loop {
        clock.tick().await;
        let Some(hall) = hall.upgrade() else { return };
        hall.let_go(hall.idle);
        hall.look_after_open_calls().await;
    }
}

/// Keeps what nobody needs any more from gathering in the store.
async fn tidy_up(hall: std::sync::Weak<Hall>) {
    // Not at once: many a process only has a look.
    let mut clock = tokio::time::interval_at(tokio::time::Instant::now() + TIDY, TIDY);
    loop {
        clock.tick().await;
        let Some(hall) = hall.upgrade() else { return };
        if let Err(error) = hall.store.tidy(now() - SESSIONS_KEPT).await {
            tracing::warn!(%error, "the store was not tidied up");
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::{
        Eye,
        dungeon::{Dungeon, HERO},
    };

    use super::{
        computer::{Minds, Thinkers},
        *,
    };

    fn name(text: &str) -> Hashed {
        Hashed::of(text)
    }

    async fn picture(game: &Game) -> String {
        let look = game.look::<Dungeon>(Eye::Seat(HERO)).await.expect("a dungeon");
        let view = serde_json::to_string(&look.view).expect("it can be written");
        format!("{view} {:?} {:?}", look.times, game.log().await)
    }

    #[tokio::test]
    async fn a_game_that_was_let_go_comes_back_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let address = format!("sqlite:{}", folder.path().join("agon.db").display());
        let store = crate::store::open(&address.parse().expect("an address")).await;
        let thinkers = Thinkers::new(None, &Default::default(), Default::default());
        let computers = Computers::new(thinkers, Minds::default());
        let hall =
            Hall::new(store.expect("a store"), computers, &Limits::default(), Budgets::default());
        let plan = Plan::of::<Dungeon>(&Default::default(), Vec::new());
        let plan = Plan { name: Some(name("a")), seed: Some(4), ..plan };
        let game = hall.create(plan).await.expect("a game");
        for turn in 0..60 {
            let moves = game.look::<Dungeon>(Eye::Seat(HERO)).await.expect("a look").view.actions;
            let Some(mv) = moves.get(turn % moves.len().max(1)) else { break };
            let key = turn.to_string();
            game.play(HERO, &mv.to_string(), Retry::Key(Some(&key))).await.expect("it is legal");
        }
        let before = picture(&game).await;
        hall.let_go(Duration::ZERO);
        assert!(hall.in_memory(game.id()).is_some(), "somebody holds it");
        let id = game.id();
        drop(game);
        hall.let_go(hall.idle);
        assert!(hall.in_memory(id).is_some(), "it has not rested long enough");
        hall.let_go(Duration::ZERO);
        assert!(hall.in_memory(id).is_none());
        assert!(hall.names.lock().expect("names").is_empty());
        let again = hall.named(name("a")).await.expect("it is found").expect("it is there");
        assert_eq!(picture(&again).await, before);
        assert!(hall.named(name("b")).await.expect("it can be looked for").is_none());
    }
}
