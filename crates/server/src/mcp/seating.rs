//! Who is to sit where in a game that is to be: where its creator wants to, and whom it meets.

use rules::{Kind, Seat};

use super::{
    arguments::OneOf,
    ask::{CreateGame, Opponent},
    refusals::Refused,
};
use crate::{
    hall::Sight,
    player::{Level, Player, plain_name, wanted_seat},
};

pub struct Seating {
    /// The creator's.
    pub own: Seat,
    /// Everybody else's; nobody's, where an agent is to come.
    pub others: Vec<(Seat, Option<Player>)>,
}

impl Seating {
    /// At a table with seats of these names.
    pub fn of(ask: &CreateGame, kind: Kind, names: &[&str]) -> Result<Seating, Refused> {
        let seats = || (0..names.len() as u8).map(Seat);
        let level = Level::from(ask.difficulty);
        if let Some(wanted) = &ask.seats {
            let said: Vec<_> =
                wanted.iter().map(|who| TableGuest::read(who, kind, level)).collect();
            let guests = said.into_iter().collect::<Result<Vec<_>, _>>();
            let guests = guests.map_err(|who| wrong_seats(names, &format!("not {who:?}")))?;
            if guests.len() != names.len() {
                return Err(wrong_seats(names, &format!("not {} of them", guests.len())));
            }
            let count = |one: TableGuest| guests.iter().filter(|guest| **guest == one).count();
            if count(TableGuest::Me) != 1 || count(TableGuest::Player(Player::Human)) > 1 {
                return Err(wrong_seats(names, "with one me and at most one human"));
            }
            let mut own = Seat(0);
            let mut others = Vec::new();
            for (seat, guest) in seats().zip(guests) {
                match guest {
                    TableGuest::Me => own = seat,
                    TableGuest::Player(player) => others.push((seat, Some(player))),
                    TableGuest::ToCome => others.push((seat, None)),
                }
            }
            return Ok(Seating { own, others });
        }
        let own = wanted_seat(names, ask.seat.as_deref(), ask.color.as_deref());
        let own = own.map_err(|no| Refused::argument(no, "createGame"))?.unwrap_or(Seat(0));
        let OneOf(opponent) = ask.r#type;
        let guests = seats().filter(|seat| *seat != own).enumerate().map(|(nth, seat)| {
            let player = match opponent {
                Opponent::Computer => Some(Player::computer(kind, level)),
                // Whoever plays one person waits for no second.
                Opponent::Human if nth == 0 => Some(Player::Human),
                Opponent::Human | Opponent::Agent => None,
            };
            (seat, player)
        });
        Ok(Seating { own, others: guests.collect() })
    }

    pub fn has_person(&self) -> bool {
        self.others.iter().any(|(_, player)| *player == Some(Player::Human))
    }

    /// Whether those sit there whom the same call would have seated. Others may have joined since.
    pub fn is_kept(&self, sight: &Sight) -> bool {
        let at = |seat: Seat| sight.seats.at(seat).map(|sitting| sitting.player);
        let mut others = self.others.iter();
        at(self.own) == Some(Player::Agent)
            && others.all(|(seat, planned)| match planned {
                Some(player) => at(*seat) == Some(*player),
                None => at(*seat).is_none_or(|player| player == Player::Agent),
            })
    }
}

/// Who is to sit at one seat.
#[derive(Clone, Copy, PartialEq)]
enum TableGuest {
    Me,
    Player(Player),
    ToCome,
}

impl TableGuest {
    /// `computer 3`; the level is that of the call where none is said. Or what cannot be read.
    fn read(who: &str, kind: Kind, level: Level) -> Result<TableGuest, String> {
        let said = who.trim().to_lowercase();
        let (word, number) = said.split_once(' ').unwrap_or((&said, ""));
        let level = match number.trim() {
            "" => Some(level),
            number => number.parse().ok().and_then(Level::new),
        };
        match (word, number, level) {
            ("me", "", _) => Ok(TableGuest::Me),
            ("human", "", _) => Ok(TableGuest::Player(Player::Human)),
            ("agent", "", _) => Ok(TableGuest::ToCome),
            ("computer", _, Some(level)) => Ok(TableGuest::Player(Player::computer(kind, level))),
            _ => Err(plain_name(who)),
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
