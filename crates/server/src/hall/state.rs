//! What is known of a game at one moment: who sits where, and what they have played.

use std::collections::{BTreeMap, HashMap};

use rules::{Due, Record, Seat, Step};

use super::game::{Played, Refusal, Retry};
use crate::store::{Hashed, Millis, News, SavedSeat};

/// Who sits where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seats(BTreeMap<Seat, SavedSeat>);

impl Seats {
    pub fn at(&self, seat: Seat) -> Option<&SavedSeat> {
        self.0.get(&seat)
    }

    /// How many links to a seat have been ended.
    pub fn links(&self, seat: Seat) -> u32 {
        self.at(seat).map_or(0, |sitting| sitting.link.number)
    }

    pub fn iter(&self) -> impl Iterator<Item = &SavedSeat> {
        self.0.values()
    }
}

impl FromIterator<SavedSeat> for Seats {
    fn from_iter<T: IntoIterator<Item = SavedSeat>>(seats: T) -> Seats {
        Seats(seats.into_iter().map(|seat| (seat.seat, seat)).collect())
    }
}

pub struct State {
    pub record: Record,
    pub times: Vec<Millis>,
    /// Which turn each key was given to.
    pub requests: HashMap<String, u32>,
    pub seats: Seats,
    pub connections: HashMap<Hashed, Seat>,
}

impl State {
    /// Takes in what the store has. True if any of it was new.
    pub fn learn(&mut self, news: News) -> Result<bool, String> {
        let known = self.times.len();
        let seats = news.seats.into_iter().collect();
        let reseated = seats != self.seats;
        self.seats = seats;
        self.connections.extend(news.connections);
        for saved in news.turns {
            self.requests.extend(saved.request.map(|key| (key, saved.turn.number)));
            self.record.push(saved.turn).map_err(|e| e.to_string())?;
            self.times.push(saved.at);
        }
        Ok(reseated || self.times.len() != known)
    }

    pub fn step(&self, seat: Seat, text: &str, retry: Retry) -> Result<Step, Refusal> {
        let due = self.record.next_number();
        match retry {
            Retry::Turn(asked) if asked != due => Err(Refusal::AnotherTurn { asked, due }),
            _ => Ok(self.record.step(seat, text)?),
        }
    }

    /// The turn that this very move made when it came before.
    pub fn played_before(&self, seat: Seat, text: &str, retry: Retry) -> Option<Played> {
        let number = match retry {
            Retry::Turn(number) => number,
            Retry::Likely => self.record.turns().iter().rfind(|turn| turn.seat == seat)?.number,
            Retry::Key(_) => return None,
        };
        self.was_played(seat, text, number).then_some(Played { number })
    }

    pub fn was_played(&self, seat: Seat, text: &str, number: u32) -> bool {
        let Some(turn) = self.record.turns().get(number.wrapping_sub(1) as usize) else {
            return false;
        };
        let before = || self.record.as_of(number - 1);
        turn.seat == seat && before().check(seat, text).is_ok_and(|text| text == turn.text)
    }

    pub fn concerns(&self, seat: Seat) -> bool {
        match self.record.due() {
            Due::Over(_) => true,
            // Whoever has asked something waits for the answer.
            due => match self.record.asked() {
                Some(asked) => asked == seat,
                None => due.includes(seat),
            },
        }
    }
}
