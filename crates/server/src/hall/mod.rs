//! Games in play: where they are kept and found, who sits where, whose turn it is.
//!
//! How a game goes is in `rules`, how it is kept in `store`, how it is told to players in `mcp`
//! and `web`.

mod book;
pub mod computer;
mod creating;
mod game;
mod lease;
mod lists;
mod look;
mod moves;
mod news;
mod presence;
mod refusals;
mod seated;
mod sight;
mod state;
mod upkeep;

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rules::{Kind, Record, Seat};
use tokio::sync::broadcast;

pub use computer::{Computers, NoProgram, PlayingProgram};
pub use creating::Plan;
pub use game::{Game, REREAD, seed_hash};
pub use lease::Lease;
pub use look::Look;
pub use moves::{Move, Retry, open_key};
use news::Announcer;
pub use news::{Changed, Changes};
pub use refusals::{CreateError, FindError, Refusal, WrongKind};
pub use seated::{describe, introduce};
pub use sight::{Commitment, SeenBy, Sight};
pub use state::Seats;

use crate::{
    budgets::{Budgets, TooMany},
    ids::{GameId, Handle, LinkCode, Pass},
    limits::Limits,
    metrics,
    player::Player,
    store::{Hashed, SavedGame, Store},
};

/// Where games in memory are many, those that rest this long are let go too.
const REST: Duration = Duration::from_secs(2);
/// What is told when too many questions wait for the computer.
pub const CROWDED: TooMany =
    TooMany { what: "questions that wait for the computer", wait: Duration::from_secs(10) };

fn random() -> u64 {
    getrandom::u64().expect("the system has random numbers")
}

pub struct Hall {
    store: Arc<dyn Store>,
    games: Mutex<HashMap<GameId, Arc<Game>>>,
    /// What the players of games in memory call them.
    names: Mutex<HashMap<Hashed, GameId>>,
    /// Games of which nobody knows whether they were created: the same call again means them.
    open_games: Mutex<VecDeque<SavedGame>>,
    /// A game nobody has asked for in this long is read again when somebody does.
    idle: Duration,
    /// How many games in memory are many, and how many are too many now.
    most: usize,
    crowd: AtomicUsize,
    budgets: Budgets,
    computers: Computers,
    announcer: Announcer,
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
        Arc::new(Hall {
            store,
            games: Mutex::default(),
            names: Mutex::default(),
            open_games: Mutex::default(),
            idle: Duration::from_secs(limits.game_idle_seconds.get().into()),
            most,
            crowd: AtomicUsize::new(most),
            budgets,
            computers,
            announcer: Announcer::new(),
            said: broadcast::Sender::new(256),
        })
    }

    /// Starts what the hall does by itself. A command that only looks or makes one change does
    /// without.
    pub fn begin_upkeep(self: &Arc<Hall>) {
        self.store.begin_upkeep();
        upkeep::start(self);
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
        let game = self.fetch(id).await?;
        if game.keeps_seeds()
            && let Some(league) = game.seats().league().and_then(|id| id.parse::<Handle>().ok())
            && game.due().outcome().is_some()
            && self.fetch(league.game).await.is_ok_and(|league| league.due().outcome().is_some())
        {
            game.tell_seeds();
        }
        Ok(game)
    }

    async fn fetch(&self, id: GameId) -> Result<Arc<Game>, FindError> {
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
        if let Some(seat) = seat {
            game.presence.call(seat);
            if game.seats().person().is_some() && game.presence.must_announce(seat) {
                let (store, words) = (self.store.clone(), presence_notice(handle.game, seat));
                tokio::spawn(async move { store.say(words).await });
            }
        }
        Ok((game, seat))
    }

    async fn opened_by(&self, pass: &Pass, game: &Game) -> Result<Seat, FindError> {
        let fits = |seats: &Seats| self.fitting(pass, game.id(), seats);
        let seats = game.seats();
        let linked =
            |seat: Seat| seats.at(seat).is_some_and(|sitting| sitting.player == Player::Human);
        match fits(&seats) {
            Some(seat) if !linked(seat) => return Ok(seat),
            // A new link may have been made elsewhere: its pass opens the seat, the old no more.
            _ => drop(game.refresh().await),
        }
        fits(&game.seats()).ok_or(FindError::WrongPass(game.id()))
    }

    /// The seat that this pass opens. A game may have as many seats as any kind.
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

    /// Sends which games of one kind change, in this process or, a little later, in another. Games
    /// whose kind is not known here are among them.
    pub fn changes_of(&self, kind: &'static str) -> broadcast::Receiver<GameId> {
        self.announcer.changes_of(kind)
    }

    /// Tells which games change, gathered for a moment.
    pub fn news(&self) -> Changes {
        self.announcer.news()
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
        self.announcer.missed();
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
            self.computers.seat(&game, self.store.clone());
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
        metrics::replayed();
        let saved = self.store.load(id).await?.ok_or(FindError::NoSuchGame(id))?;
        let unreadable = |why| FindError::Unreadable { id, why };
        let kind = rules::kind_in_log(&saved.kind, saved.rules);
        let kind = kind.map_err(|error| unreadable(error.to_string()))?;
        let record = Record::start(kind, &saved.setup, saved.seed);
        self.with_record(record.map_err(|error| unreadable(error.to_string()))?, saved)
    }

    fn with_record(&self, record: Record, saved: SavedGame) -> Result<Game, FindError> {
        let id = saved.id;
        Game::new(self.store.clone(), self.announcer.clone(), record, saved)
            .map_err(|why| FindError::Unreadable { id, why })
    }
}

/// What other processes are sent when a player has called here at a table with a person.
fn presence_notice(game: GameId, seat: Seat) -> String {
    format!("present {game} {}", seat.0)
}

fn read_presence(words: &str) -> Option<(GameId, Seat)> {
    let (game, seat) = words.strip_prefix("present ")?.split_once(' ')?;
    Some((game.parse::<Handle>().ok()?.game, Seat(seat.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use rules::{
        Ask, Eye, Illegal,
        connect_four::ConnectFour,
        dungeon::{Dungeon, HERO},
    };

    use super::{
        computer::{Minds, Programs, Thinkers},
        *,
    };
    use crate::store::{
        SavedSeat,
        faults::{Fault, Faulty},
    };

    fn name(text: &str) -> Hashed {
        Hashed::of(text)
    }

    async fn picture(game: &Game) -> String {
        let look = game.look::<Dungeon>(Eye::Seat(HERO)).expect("a dungeon");
        let view = serde_json::to_string(&look.view).expect("it can be written");
        format!("{view} {:?} {:?}", look.times, game.log())
    }

    async fn open_store(folder: &tempfile::TempDir) -> Arc<dyn Store> {
        let address = format!("sqlite:{}", folder.path().join("agon.db").display());
        crate::store::open(&address.parse().expect("an address")).await.expect("a store")
    }

    fn hall_on(store: Arc<dyn Store>) -> Arc<Hall> {
        let thinkers = Thinkers::new(None, &Default::default(), Default::default());
        let computers = Computers::new(thinkers, Minds::default(), Programs::default());
        Hall::new(store, computers, &Limits::default(), Budgets::default())
    }

    async fn open_hall(folder: &tempfile::TempDir) -> Arc<Hall> {
        hall_on(open_store(folder).await)
    }

    const RED: Seat = Seat(0);
    const YELLOW: Seat = Seat(1);

    fn agents(seats: &[Seat]) -> Vec<SavedSeat> {
        seats.iter().map(|seat| SavedSeat::new(*seat, Player::Agent)).collect()
    }

    /// The same game in two processes; the store of the first can be slow.
    async fn game_at_two(
        folder: &tempfile::TempDir,
        seats: &[Seat],
    ) -> (Arc<Faulty>, Arc<Game>, Arc<Game>) {
        let store = Arc::new(Faulty::new(open_store(folder).await, Fault::Slow));
        let (here, elsewhere) = (hall_on(store.clone()), open_hall(folder).await);
        let game = here.create(Plan::of::<ConnectFour>(&Default::default(), agents(seats))).await;
        let game = game.expect("a game");
        let there = elsewhere.find(game.id()).await.expect("it is there");
        (store, game, there)
    }

    #[tokio::test]
    async fn an_answer_that_comes_late_hides_nobody_who_has_sat_down_meanwhile() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, here, there) = game_at_two(&folder, &[RED]).await;
        store.arm(0);
        let (late, ()) = tokio::join!(here.refresh(), async {
            store.late().await;
            let yellow = SavedSeat::new(YELLOW, Player::Agent);
            assert!(there.sit(yellow, Vec::new()).await.expect("it can be saved"));
            assert!(here.refresh().await);
            store.release();
        });
        assert!(late && here.seats().at(YELLOW).is_some());
    }

    #[tokio::test]
    async fn a_wait_that_ends_asks_the_store_once_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, here, there) = game_at_two(&folder, &[RED, YELLOW]).await;
        here.play(RED, "4", Retry::Turn(1)).await.expect("it is legal");
        store.arm(0);
        let (in_time, ()) = tokio::join!(here.wait(RED, Duration::ZERO), async {
            store.late().await;
            there.play(YELLOW, "4", Retry::Turn(2)).await.expect("it is legal");
            store.release();
        });
        assert!(in_time.expect("the store answers"));
        here.presence.pass(60);
        assert!(here.is_listening(RED), "the answer says that it is their turn");
    }

    #[tokio::test]
    async fn a_refused_move_is_counted_and_wakes_nobody() {
        let folder = tempfile::tempdir().expect("a folder");
        let (_, here, there) = game_at_two(&folder, &[RED]).await;
        let changes = here.changes();
        here.count_refused(RED).await;
        assert!(there.refresh().await);
        let refused = |game: &Game| game.seats().at(RED).expect("red").refused;
        assert_eq!([&here, &there].map(|game| refused(game)), [1, 1]);
        assert!(!changes.has_changed().expect("it goes on"));
    }

    #[tokio::test]
    async fn nobody_waits_while_a_game_is_played_over_again_for_an_illegal_move() {
        let folder = tempfile::tempdir().expect("a folder");
        let (_, game, _) = game_at_two(&folder, &[RED, YELLOW]).await;
        for (seat, turn) in [(RED, 1), (YELLOW, 2)] {
            game.play(seat, "4", Retry::Turn(turn)).await.expect("it is legal");
        }
        let looks: Arc<Mutex<Vec<bool>>> = Arc::default();
        let ask = Ask::of({
            let (game, looks) = (game.clone(), looks.clone());
            move |_: &ConnectFour, _| {
                looks.lock().expect("looks").push(game.is_looked_at());
                Err(Illegal::NotYourTurn)
            }
        });
        assert!(game.play(RED, ask, Retry::Likely).await.is_err());
        assert_eq!(*looks.lock().expect("looks"), [true, false], "tried, then compared");
    }

    #[tokio::test]
    async fn readers_never_wait_for_a_writer_whose_move_is_carried_through() {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = open_hall(&folder).await;
        let game = hall.create(Plan::of::<Dungeon>(&Default::default(), Vec::new())).await;
        let game = game.expect("a game");
        let moves = game.look::<Dungeon>(Eye::Seat(HERO)).expect("a look").view.actions;
        let writer = game.hold_up().await;
        {
            let mv = moves[0].to_string();
            let mut played = std::pin::pin!(game.play(HERO, &mv, Retry::Key(Some("once".into()))));
            let now = played.as_mut().now_or_never();
            assert!(now.is_none(), "it waits for the other writer");
            assert!(game.refresh().await);
            assert_eq!(game.see(Eye::Public).next, 1);
        }
        // The caller has hung up by now.
        let mut changes = game.changes();
        drop(writer);
        changes.changed().await.expect("the game goes on");
        assert_eq!(game.see(Eye::Public).next, 2);
    }

    #[tokio::test]
    async fn a_move_is_answered_with_those_who_have_sat_down_elsewhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let (here, elsewhere) = (open_hall(&folder).await, open_hall(&folder).await);
        let [red, yellow] = [RED, YELLOW].map(|seat| SavedSeat::new(seat, Player::Agent));
        for _ in 0..20 {
            let plan = Plan::of::<ConnectFour>(&Default::default(), vec![red.clone()]);
            let game = here.create(plan).await.expect("a game");
            let there = elsewhere.find(game.id()).await.expect("it is there");
            assert!(there.sit(yellow.clone(), Vec::new()).await.expect("it can be saved"));
            let (seat, retry) = (red.seat, Retry::Turn(1));
            let mv = Move::new(seat, "4", retry);
            let played = game.play_seen::<Sight>(mv, Eye::Public).await.expect("it is legal");
            assert!(played.seen.seats.at(yellow.seat).is_some());
        }
    }

    #[tokio::test]
    async fn who_cares_for_one_kind_does_not_hear_of_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = open_hall(&folder).await;
        let mut ears = ["dungeon", "league"].map(|kind| hall.changes_of(kind));
        let plan = Plan::of::<Dungeon>(&Default::default(), Vec::new());
        let id = hall.create(plan).await.expect("a game").id();
        assert_eq!(ears[0].try_recv(), Ok(id));
        assert!(ears[1].try_recv().is_err());
        // It may be one, as far as is known.
        hall.announcer.tell(id, None);
        assert_eq!(ears.each_mut().map(|ears| ears.try_recv()), [Ok(id), Ok(id)]);
    }

    #[tokio::test]
    async fn a_game_that_was_let_go_comes_back_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = open_hall(&folder).await;
        let plan = Plan::of::<Dungeon>(&Default::default(), Vec::new());
        let plan = Plan { name: Some(name("a")), seed: Some(4), ..plan };
        let game = hall.create(plan).await.expect("a game");
        for turn in 0..60 {
            let moves = game.look::<Dungeon>(Eye::Seat(HERO)).expect("a look").view.actions;
            let Some(mv) = moves.get(turn % moves.len().max(1)) else { break };
            let retry = Retry::Key(Some(turn.to_string()));
            game.play(HERO, mv.to_string(), retry).await.expect("it is legal");
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
