//! Games that are to be, and those of which nobody knows whether they came to be.

use std::sync::Arc;

use rules::{Kind, Rules, Seat};
use sha2::{Digest, Sha256};

use super::{CROWDED, CreateError, Game, Hall, lists, random};
use crate::{
    budgets::{Budget, CallerId, TooMany},
    ids::GameId,
    player::Player,
    store::{Created, Hashed, News, SavedGame, SavedSeat, StoreError, now},
};

/// Games of which nobody knows whether they were created are remembered up to so many.
const OPEN_GAMES: usize = 100;

/// A game that is to be.
pub struct Plan {
    pub kind: Kind,
    /// As the kind writes it, in JSON.
    pub setup: String,
    /// The players from the start.
    pub seats: Vec<SavedSeat>,
    /// A connection that speaks for one of them.
    pub connection: Option<(Hashed, Seat)>,
    /// Another name for the game.
    pub name: Option<Hashed>,
    /// The source of cards, dice and the computer's choices; drawn when nobody asks for one.
    pub seed: Option<u64>,
    /// A player chose the seed, so the game is rated nowhere.
    pub practice: bool,
    /// The caller.
    pub by: CallerId,
}

impl Plan {
    pub fn new(kind: Kind, setup: String, seats: Vec<SavedSeat>) -> Plan {
        let (connection, name, seed) = (None, None, None);
        Plan { kind, setup, seats, connection, name, seed, practice: false, by: CallerId::Owner }
    }

    /// With the seed that a player chose, if one did. Then it is practice.
    pub fn seeded(self, seed: Option<u64>) -> Plan {
        Plan { seed, practice: seed.is_some(), ..self }
    }

    /// A plan for a game whose rules are known as a type.
    pub fn of<R: Rules>(setup: &R::Setup, seats: Vec<SavedSeat>) -> Plan {
        let kind = rules::kind(R::KIND).expect("every kind that has rules is known");
        Plan::new(kind, serde_json::to_string(setup).expect("a set-up can be written"), seats)
    }
}

/// The luck of a game whose seed was given, so that both come from the one number of a run. Hashed:
/// what is told of one during the game says nothing of the other.
pub fn luck_of(seed: u64) -> u64 {
    derived(seed, "luck")
}

/// Another number that follows from a seed and tells nothing of it.
pub fn derived(seed: u64, what: &str) -> u64 {
    let digest = Sha256::digest(format!("{seed} {what}"));
    u64::from_be_bytes(*digest.first_chunk().expect("a hash is longer than a number"))
}

impl Hall {
    /// Starts a game. If it is to have a name and a game goes by that name already, it is that.
    pub async fn create(&self, plan: Plan) -> Result<Arc<Game>, CreateError> {
        let (kind, setup) = (plan.kind, &plan.setup);
        if let Err(too_many) = self.may_begin(&plan) {
            // A game that was created before is found again, though the budget is used up.
            let before = match plan.name {
                Some(name) => self.named(name).await?,
                None => None,
            };
            return before.ok_or(too_many.into());
        }
        loop {
            let id = GameId::from_number(random() as u32);
            let (seed, luck) = match plan.seed {
                Some(seed) => (seed, luck_of(seed)),
                None => (random(), random()),
            };
            let (seats, connections) = (plan.seats.clone(), Vec::from_iter(plan.connection));
            let at = now();
            let new = SavedGame {
                id,
                name: plan.name,
                kind: kind.name.into(),
                rules: kind.version,
                setup: setup.clone(),
                seed,
                luck,
                practice: plan.practice,
                created_at: at,
                outcome: None,
                winner: None,
                last_at: at,
                glimpse: String::new(),
                computer_due: false,
                news: News { seats, turns: Vec::new(), connections },
            };
            let mut new = self.open_game(&new, plan.seed.is_some()).unwrap_or(new);
            let record = rules::Record::start(kind, setup, new.seed)?;
            let gist = lists::gist(&record, &new.news.seats.iter().cloned().collect());
            (new.glimpse, new.computer_due) = (gist.glimpse, gist.computer_due);
            let created = self.store.create(new.clone()).await;
            if let Err(StoreError::Unknown) = created {
                self.remember_open_game(new.clone());
            }
            match created? {
                Created::New => {
                    let id = new.id;
                    let game = self.with_record(record, new)?;
                    game.called_by(plan.by);
                    self.learn_name(plan.name, id);
                    let kept = self.keep(Arc::new(game));
                    self.announcer.tell(id, Some(kept.kind().name));
                    return Ok(kept);
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
    fn open_game(&self, wish: &SavedGame, seeded: bool) -> Option<SavedGame> {
        let mut open = self.open_games.lock().expect("nobody panics holding these");
        let at = open.iter().position(|game| {
            let (wished, saved) = (&wish.news.seats, &game.news.seats);
            let seats = wished.iter().zip(saved);
            let same_seats = wished.len() == saved.len()
                && seats
                    .into_iter()
                    .all(|(wish, seat)| SavedSeat { at: seat.at, ..wish.clone() } == *seat);
            let same_seed = !seeded || wish.seed == game.seed;
            let what = |game: &SavedGame| {
                let SavedGame { kind, setup, practice, name, news, .. } = game.clone();
                (kind, setup, practice, name, news.connections)
            };
            same_seats && same_seed && what(wish) == what(game)
        })?;
        open.remove(at)
    }

    fn remember_open_game(&self, game: SavedGame) {
        let mut open = self.open_games.lock().expect("nobody panics holding these");
        if open.len() >= OPEN_GAMES {
            open.pop_front();
        }
        open.push_back(game);
    }
}
