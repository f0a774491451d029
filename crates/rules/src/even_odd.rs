//! Even or odd: both hold up one to five fingers at once; the parity of the sum decides the round.
//!
//! The first to win three rounds of five has won. How a league seats the players, and how long it
//! waits for them, is not here: who kept it waiting is said to have made the move "default".

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    Card, Dice, Due, Eye, Illegal, Key, MatchVerdict, Outcome, Rules, Seat, Tag,
    drawing::{Numbers, Part, Shown},
    wording::Wording,
};

pub const ODD: Seat = Seat(0);
pub const EVEN: Seat = Seat(1);

/// How often a player may fail to move; who fails as often as this has forfeited the match.
const PATIENCE: u8 = 2;

/// Every round is shown, so there are no more than players can read.
const MOST_ROUNDS: u8 = 50;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub rounds_to_win: u8,
    pub max_rounds: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { rounds_to_win: 3, max_rounds: 5 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Fingers(u8),
    /// There was no usable answer in time. It loses the round.
    Default,
}

const MOVES: Wording<Move> = Wording(&[
    (Move::Fingers(1), "1"),
    (Move::Fingers(2), "2"),
    (Move::Fingers(3), "3"),
    (Move::Fingers(4), "4"),
    (Move::Fingers(5), "5"),
    (Move::Default, "default"),
]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "UPPERCASE")]
pub enum SumType {
    Odd,
    Even,
}

impl SumType {
    pub fn of(sum: u8) -> SumType {
        if sum % 2 == 1 { SumType::Odd } else { SumType::Even }
    }
}

/// A round that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedRound {
    /// Odd's and Even's; nothing from one who gave no answer.
    pub moves: [Option<u8>; 2],
    pub sum: Option<u8>,
    pub sum_type: Option<SumType>,
    pub winner: Option<Seat>,
}

impl PlayedRound {
    fn new(moves: [Option<u8>; 2]) -> PlayedRound {
        let sum = moves[0].zip(moves[1]).map(|(odd, even)| odd + even);
        let sum_type = sum.map(SumType::of);
        let winner = match moves {
            [Some(_), None] => Some(ODD),
            [None, Some(_)] => Some(EVEN),
            _ => sum_type.map(|sum_type| if sum_type == SumType::Odd { ODD } else { EVEN }),
        };
        PlayedRound { moves, sum, sum_type, winner }
    }
}

#[derive(Clone)]
pub struct EvenOdd {
    setup: Setup,
    rounds: Vec<PlayedRound>,
}

/// What anyone may see: rounds that are over. A sealed move is not in the position yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub rounds: Vec<PlayedRound>,
    /// Rounds won by Odd and by Even.
    pub scores: [i32; 2],
    pub forfeited: Vec<Seat>,
    /// What the match is worth to Odd and to Even, once it is over.
    pub match_points: Option<[u8; 2]>,
}

impl View {
    /// How the match ended, if it has.
    pub fn verdict(&self) -> Option<MatchVerdict> {
        self.match_points?;
        let forfeits = [ODD, EVEN].map(|seat| self.forfeited.contains(&seat));
        Some(MatchVerdict { scores: self.scores, forfeits })
    }
}

impl EvenOdd {
    fn standing(&self) -> MatchVerdict {
        let count =
            |of: &dyn Fn(&&PlayedRound) -> bool| self.rounds.iter().filter(of).count() as i32;
        let scores = [ODD, EVEN].map(|seat| count(&|round| round.winner == Some(seat)));
        // Where one round decides, one failure does.
        let patience = i32::from(PATIENCE.min(self.setup.rounds_to_win));
        let forfeits = [0, 1].map(|seat| count(&|round| round.moves[seat].is_none()) >= patience);
        MatchVerdict { scores, forfeits }
    }

    fn verdict(&self) -> Option<MatchVerdict> {
        let now = self.standing();
        let over = now.is_forfeit()
            || now.scores.iter().any(|score| *score >= self.setup.rounds_to_win.into())
            || self.rounds.len() >= usize::from(self.setup.max_rounds);
        over.then_some(now)
    }
}

fn outcome(verdict: MatchVerdict) -> Outcome {
    let [odd, even] = verdict.scores;
    let winner = verdict.winner();
    let text = match (winner.map(|seat| EvenOdd::SEATS[seat]), verdict.is_forfeit()) {
        (Some(name), false) => format!("{name} wins {odd}-{even}"),
        (Some(name), true) => format!("{name} wins by forfeit"),
        (None, false) => format!("Draw {odd}-{even}"),
        (None, true) => "Double forfeit".to_owned(),
    };
    Outcome::of_two(winner.map(|seat| [ODD, EVEN][seat]), text)
}

impl Rules for EvenOdd {
    const KIND: &'static str = "even-odd";
    const SEATS: &'static [&'static str] = &["Odd", "Even"];
    const CARD: Option<Card> = Some(Card {
        title: "Even or odd",
        sentence: "Two hold up one to five fingers at once, and the parity of the sum decides.",
        rules: "Both players name a number from 1 to 5 at once, in several rounds. Odd wins the \
            round if the sum is odd, Even if it is even. The first to win three rounds of five has \
            won; otherwise whoever has won more.",
        moves: "a whole number from 1 to 5: 3",
        tags: &[Tag::Simultaneous],
        keys: &[
            Key { name: "rounds_to_win", about: "who has won so many rounds has won; 3" },
            Key { name: "max_rounds", about: "after so many rounds, 50 at most, it is over; 5" },
        ],
        ..Card::PLAIN
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, _: &mut Dice) -> Result<EvenOdd, Illegal> {
        let Setup { rounds_to_win, max_rounds } = *setup;
        let why = if !(1..=MOST_ROUNDS).contains(&max_rounds) {
            format!("max_rounds is 1 to {MOST_ROUNDS}, not {max_rounds}")
        } else if !(1..=max_rounds).contains(&rounds_to_win) {
            format!("rounds_to_win is 1 to {max_rounds}, not {rounds_to_win}")
        } else {
            return Ok(EvenOdd { setup: setup.clone(), rounds: Vec::new() });
        };
        Err(Illegal::set_up(why))
    }

    fn due(&self) -> Due {
        match self.verdict() {
            Some(verdict) => Due::Over(outcome(verdict)),
            None => Due::Each(vec![ODD, EVEN]),
        }
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        MOVES.legal(&self.due(), seat)
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        MOVES.parse(self.due(), seat, text, "not a whole number from 1 to 5")
    }

    fn write(&self, mv: &Move) -> String {
        MOVES.write(*mv)
    }

    fn play(&mut self, moves: &[(Seat, Move)], _: &mut Dice) {
        let of = |seat| match moves.iter().find(|(s, _)| *s == seat).expect("both have moved").1 {
            Move::Fingers(number) => Some(number),
            Move::Default => None,
        };
        self.rounds.push(PlayedRound::new([of(ODD), of(EVEN)]));
    }

    fn late(&self, _: Seat) -> Option<Move> {
        Some(Move::Default)
    }

    fn show(&self, _: Eye) -> Shown {
        let [odd, even] = self.standing().scores;
        let written = |fingers: Option<u8>| fingers.map_or("-".to_owned(), |n| n.to_string());
        let row = |(number, round): (u32, &PlayedRound)| {
            let winner = round.winner.map_or("-", |seat| Self::SEATS[usize::from(seat.0)]);
            let [odd, even] = round.moves.map(written);
            vec![number.to_string(), odd, even, winner.to_owned()]
        };
        let rows: Vec<_> = (1..).zip(&self.rounds).map(row).collect();
        let last =
            rows.last().map(|row| format!(" Round {}: {}+{}, {}.", row[0], row[1], row[2], row[3]));
        Shown {
            text: format!("Odd {odd}, Even {even}.{}", last.unwrap_or_default()),
            drawing: vec![Part::Numbers(Numbers {
                head: ["Round", "Odd", "Even", "Won by"].map(str::to_owned).into(),
                rows,
            })],
        }
    }

    fn view(&self, _: Eye) -> View {
        let MatchVerdict { scores, forfeits } = self.standing();
        View {
            rounds: self.rounds.clone(),
            scores,
            forfeited: [ODD, EVEN].into_iter().filter(|s| forfeits[usize::from(s.0)]).collect(),
            match_points: self.verdict().map(MatchVerdict::points),
        }
    }
}
