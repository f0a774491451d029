//! How agents come to their seats, in every game: by creating it, with others whom they name, and by
//! joining it. A call that comes again finds what it did before.

use std::sync::Arc;

use rules::{Illegal, Kind, Seat};

use super::{
    arguments::{OneOf, WholeNumber},
    ask::{CreateGame, JoinGame, Opponent, RequestKey},
    caller::{Caller, random_key},
    refusals::Refused,
    table::another_game,
};
use crate::{
    hall::{CreateError, Game, Hall, Plan, Seats},
    player::{Level, Player, plain_name, wanted_seat},
    store::SavedSeat,
};

/// The seats of a game that is to be created.
pub struct Seating {
    /// The creator's.
    pub own: Seat,
    /// Everybody else's; nobody's, where an agent is to come.
    pub others: Vec<(Seat, Option<Player>)>,
    /// Wishes that cannot be met.
    pub notes: Vec<String>,
}

impl Seating {
    /// At a table with seats of these names.
    pub fn of(ask: &CreateGame, kind: Kind, names: &[&str]) -> Result<Seating, Refused> {
        let seats = || (0..names.len() as u8).map(Seat);
        let level = ask.difficulty.map(Level::from);
        let usual = Level::from(WholeNumber::new(5));
        let computer = |level: Option<Level>| Player::computer(kind, level.unwrap_or(usual));
        let note = |wanted: Level| {
            let most = players::nearest(kind.name, wanted).get();
            let (kind, wanted) = (kind.name, wanted.get());
            (most < wanted).then(|| format!("level {wanted}: the highest in {kind} is {most}"))
        };
        if let Some(wanted) = &ask.seats {
            let said: Vec<_> = wanted.iter().map(|who| TableGuest::read(who, level)).collect();
            let guests = said.into_iter().collect::<Result<Vec<_>, _>>();
            let guests = guests.map_err(|who| wrong_seats(names, &format!("not {who:?}")))?;
            if guests.len() != names.len() {
                return Err(wrong_seats(names, &format!("not {} of them", guests.len())));
            }
            let count = |one: TableGuest| guests.iter().filter(|guest| **guest == one).count();
            if count(TableGuest::Me) != 1 || count(TableGuest::Human) > 1 {
                return Err(wrong_seats(names, "with one me and at most one human"));
            }
            let mut own = Seat(0);
            let mut others = Vec::new();
            let mut notes: Vec<_> = guests.iter().filter_map(|who| note(who.level()?)).collect();
            notes.dedup();
            for (seat, guest) in seats().zip(guests) {
                match guest {
                    TableGuest::Me => own = seat,
                    TableGuest::Human => others.push((seat, Some(Player::Human))),
                    TableGuest::Computer(level) => others.push((seat, Some(computer(level)))),
                    TableGuest::ToCome => others.push((seat, None)),
                }
            }
            return Ok(Seating { own, others, notes });
        }
        let own = wanted_seat(names, ask.seat.as_deref(), ask.color.as_deref());
        let own = own.map_err(|no| Refused::argument(no, "createGame"))?.unwrap_or(Seat(0));
        let OneOf(opponent) = ask.r#type;
        let guests = seats().filter(|seat| *seat != own).enumerate().map(|(nth, seat)| {
            let player = match opponent {
                Opponent::Computer => Some(computer(level)),
                // A game against one person waits for no second.
                Opponent::Human if nth == 0 => Some(Player::Human),
                Opponent::Human | Opponent::Agent => None,
            };
            (seat, player)
        });
        let asked = level.filter(|_| opponent == Opponent::Computer);
        let notes = asked.and_then(note).into_iter().collect();
        Ok(Seating { own, others: guests.collect(), notes })
    }

    pub fn has_person(&self) -> bool {
        self.others.iter().any(|(_, player)| *player == Some(Player::Human))
    }

    /// Creates the game, or finds the one that the same call has created before.
    pub async fn create(
        &self,
        hall: &Hall,
        plan: Plan,
        request_id: Option<RequestKey>,
        caller: &Caller,
    ) -> Result<CreatedGame, Refused> {
        // A client that must ask its person first repeats its call, and means the same game.
        let asks = || (self.has_person() && caller.opens_links()).then(random_key);
        let key = request_id.map(|key| key.0).or(caller.key.clone()).or_else(asks);
        let name = key.as_ref().and_then(|key| caller.request_key("createGame", key));
        let connection = caller.connection.map(|connection| (connection, self.own));
        let (kind, setup, seed) = (plan.kind, plan.setup.clone(), plan.seed);
        let plan = Plan { connection, name, by: caller.id(), ..plan };
        let game = hall.create(plan).await.map_err(|error| match error {
            CreateError::Setup(why) => not_set_up(kind, &why),
            error => error.into(),
        })?;
        let is_dealt = || match seed {
            Some(seed) => game.is_practice() && game.has_seed(seed),
            None => !game.is_practice(),
        };
        let is_same = || game.kind().name == kind.name && game.setup() == setup && is_dealt();
        if name.is_some() && !(is_same() && self.is_kept(&game.seats())) {
            return Err(another_game(game.id()));
        }
        game.tell_turn(self.own);
        Ok(CreatedGame { game, key: key.unwrap_or_default() })
    }

    /// Whether those sit there whom the same call would have seated. Others may have joined since.
    fn is_kept(&self, seats: &Seats) -> bool {
        let at = |seat: Seat| seats.at(seat).map(|sitting| sitting.player);
        let mut others = self.others.iter();
        at(self.own) == Some(Player::Agent)
            && others.all(|(seat, planned)| match planned {
                Some(player) => at(*seat) == Some(*player),
                None => at(*seat).is_none_or(|player| player == Player::Agent),
            })
    }
}

pub struct CreatedGame {
    pub game: Arc<Game>,
    /// The key that the client sends when it repeats the call; empty if it will not.
    pub key: String,
}

/// Why a set-up did not do. A refusal of a value says what its key takes; one of a key brings along
/// which there are.
pub fn not_set_up(kind: Kind, why: &Illegal) -> Refused {
    let has_keys = kind.card.is_some_and(|card| !card.keys.is_empty());
    let known = match why {
        _ if !has_keys => " It takes no set-up.".to_owned(),
        Illegal::Rule { options, .. } if !options.is_empty() => {
            format!(" Its set-up: {}.", options.join("; "))
        }
        _ => String::new(),
    };
    Refused::new(format!("Error: no game was created: {why}.{known}"))
}

/// The seat of an agent that has joined a game.
pub struct JoinedSeat {
    pub seat: Seat,
    /// It sat there before this call.
    pub is_old: bool,
}

impl JoinGame {
    /// Sits down at the first free seat that will do, of those with these names; or stays where the
    /// caller sits. None if all are taken.
    pub async fn sit(
        &self,
        (game, seated): (&Game, Option<Seat>),
        names: &[&str],
        manner: &str,
        caller: &Caller,
    ) -> Result<Option<JoinedSeat>, Refused> {
        let wanted = self.wanted_seat(names)?;
        let is_wanted = |seat: &Seat| wanted.is_none_or(|wanted| wanted == *seat);
        let wanted_seats = || (0..names.len() as u8).map(Seat).filter(is_wanted);
        let name = plain_name(&caller.called(&self.name, &self.model));
        game.refresh().await;
        // Others may be quicker, once for each seat.
        for _ in wanted_seats() {
            let free = game.first_free(wanted_seats());
            // The same call may have sat down before, or just now; asked after the above, so that it
            // is seen if it did there.
            let own = match self.key(game, caller) {
                Some(key) if seated.is_none() => game.seat_of(key).await?,
                _ => seated,
            };
            if let Some(seat) = own.filter(is_wanted) {
                game.tell_turn(seat);
                return Ok(Some(JoinedSeat { seat, is_old: true }));
            }
            let Some(seat) = free else { break };
            let (name, manner) = (name.clone(), manner.to_owned());
            let sitting = SavedSeat { name, manner, ..SavedSeat::new(seat, Player::Agent) };
            if game.sit(sitting, self.speaking(game, own, caller)).await? {
                game.tell_turn(seat);
                return Ok(Some(JoinedSeat { seat, is_old: false }));
            }
        }
        Ok(None)
    }
}

/// The player planned for one seat.
#[derive(Clone, Copy, PartialEq)]
enum TableGuest {
    Me,
    Human,
    /// Of the level that was asked for, if one was.
    Computer(Option<Level>),
    ToCome,
}

impl TableGuest {
    /// `computer 3`, or `computer` of the level `usual`. Or what cannot be read.
    fn read(who: &str, usual: Option<Level>) -> Result<TableGuest, String> {
        let said = who.trim().to_lowercase();
        match said.split_once(' ').unwrap_or((&said, "")) {
            ("me", "") => Ok(TableGuest::Me),
            ("human", "") => Ok(TableGuest::Human),
            ("agent", "") => Ok(TableGuest::ToCome),
            ("computer", "") => Ok(TableGuest::Computer(usual)),
            ("computer", number) => {
                let level = number.trim().parse().ok().and_then(Level::new);
                level.map(|level| TableGuest::Computer(Some(level))).ok_or_else(|| plain_name(who))
            }
            _ => Err(plain_name(who)),
        }
    }

    fn level(self) -> Option<Level> {
        match self {
            TableGuest::Computer(level) => level,
            TableGuest::Me | TableGuest::Human | TableGuest::ToCome => None,
        }
    }
}

fn wrong_seats(names: &[&str], why: &str) -> Refused {
    Refused::new(format!(
        "Error: seats must say who sits as {}, in this order, each as me, computer (or computer 3), \
         agent or human, {why}. Nothing was created; correct it and call createGame again.",
        // Two are named in a sentence, more in a list.
        names.join(if names.len() == 2 { " and " } else { ", " })
    ))
}
