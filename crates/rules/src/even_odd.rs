//! Even or odd: both players hold up one to five fingers at once; the parity of the sum decides
//! the round.
//!
//! The first to win three rounds of five has won. How a league seats the players is not here.

use serde::{Deserialize, Serialize};

use crate::{Dice, Due, Eye, Illegal, Outcome, Rules, Seat};

pub const ODD: Seat = Seat(0);
pub const EVEN: Seat = Seat(1);

const FINGERS: std::ops::RangeInclusive<u8> = 1..=5;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setup {
    pub rounds_to_win: u8,
    pub max_rounds: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { rounds_to_win: 3, max_rounds: 5 }
    }
}

/// A round that both have played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    pub odd: u8,
    pub even: u8,
}

impl Round {
    pub fn winner(self) -> Seat {
        if (self.odd + self.even) % 2 == 1 { ODD } else { EVEN }
    }
}

#[derive(Clone)]
pub struct EvenOdd {
    setup: Setup,
    rounds: Vec<Round>,
}

/// What anyone may see: rounds that are over. A sealed move is not in the position yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub rounds: Vec<Round>,
    pub wins: [u8; 2],
}

impl EvenOdd {
    fn wins(&self) -> [u8; 2] {
        let odd = self.rounds.iter().filter(|round| round.winner() == ODD).count() as u8;
        [odd, self.rounds.len() as u8 - odd]
    }
}

impl Rules for EvenOdd {
    const KIND: &'static str = "even-odd";
    const VERSION: u32 = 1;
    const SEATS: &'static [&'static str] = &["Odd", "Even"];

    type Setup = Setup;
    type Move = u8;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, _: &mut Dice) -> Result<EvenOdd, Illegal> {
        if setup.rounds_to_win == 0 || setup.max_rounds < setup.rounds_to_win {
            return Err(Illegal::rule("there must be enough rounds for somebody to win"));
        }
        Ok(EvenOdd { setup: setup.clone(), rounds: Vec::new() })
    }

    fn due(&self) -> Due {
        let [odd, even] = self.wins();
        let over = odd.max(even) >= self.setup.rounds_to_win
            || self.rounds.len() >= usize::from(self.setup.max_rounds);
        if !over {
            return Due::Each(vec![ODD, EVEN]);
        }
        let (winner, text) = match odd.cmp(&even) {
            std::cmp::Ordering::Greater => (Some(ODD), format!("Odd wins {odd}-{even}")),
            std::cmp::Ordering::Less => (Some(EVEN), format!("Even wins {even}-{odd}")),
            std::cmp::Ordering::Equal => (None, format!("Draw {odd}-{even}")),
        };
        Due::Over(Outcome { winner, text })
    }

    fn legal(&self, seat: Seat) -> Vec<u8> {
        if self.due().includes(seat) { FINGERS.collect() } else { Vec::new() }
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<u8, Illegal> {
        match self.due() {
            Due::Over(outcome) => return Err(Illegal::Over(outcome)),
            due if !due.includes(seat) => return Err(Illegal::NotYourTurn),
            _ => {}
        }
        text.parse().ok().filter(|n| FINGERS.contains(n)).ok_or_else(|| Illegal::Rule {
            rule: "",
            reason: format!("{text:?} is not a whole number from 1 to 5"),
            options: FINGERS.map(|n| n.to_string()).collect(),
        })
    }

    fn write(&self, mv: &u8) -> String {
        mv.to_string()
    }

    fn play(&mut self, moves: &[(Seat, u8)], _: &mut Dice) {
        let of = |seat| moves.iter().find(|(s, _)| *s == seat).expect("both have moved").1;
        self.rounds.push(Round { odd: of(ODD), even: of(EVEN) });
    }

    fn view(&self, _: Eye) -> View {
        View { rounds: self.rounds.clone(), wins: self.wins() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Record, Turn, kind};

    fn record() -> Record {
        let setup = serde_json::to_string(&Setup::default()).unwrap();
        Record::start(kind("even-odd").unwrap(), &setup, 1).unwrap()
    }

    fn push(record: &mut Record, seat: Seat, text: &str) {
        let number = record.next_number();
        record.push(Turn::new(number, seat, text)).unwrap();
    }

    #[test]
    fn a_sealed_move_is_neither_seen_nor_changed() {
        let mut record = record();
        push(&mut record, EVEN, "3");
        assert_eq!(record.due(), Due::Each(vec![ODD]));
        assert_eq!(record.view::<EvenOdd>(Eye::Public).unwrap().rounds, []);
        assert_eq!(record.check(EVEN, "4"), Err(Illegal::NotYourTurn));
        push(&mut record, ODD, "4");
        let view = record.view::<EvenOdd>(Eye::Public).unwrap();
        assert_eq!(view.rounds, [Round { odd: 4, even: 3 }]);
        assert_eq!(record.due(), Due::Each(vec![ODD, EVEN]));
    }

    #[test]
    fn three_rounds_win() {
        let mut record = record();
        for (odd, even) in [("1", "2"), ("2", "2"), ("5", "4"), ("3", "4")] {
            push(&mut record, ODD, odd);
            push(&mut record, EVEN, even);
        }
        let outcome = record.due().outcome().cloned().unwrap();
        assert_eq!((outcome.winner, outcome.text.as_str()), (Some(ODD), "Odd wins 3-1"));
        assert!(matches!(record.check(EVEN, "1"), Err(Illegal::Over(_))));
    }

    #[test]
    fn only_whole_numbers_from_one_to_five_count() {
        for text in ["0", "6", "2.9", "", "three", "-1", "99"] {
            assert!(matches!(record().check(ODD, text), Err(Illegal::Rule { .. })), "{text}");
        }
    }
}
