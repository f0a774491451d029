//! Parity: both players say even or odd without hearing the other, then a number from 1 to 10 is
//! drawn. Who alone was right has won.
//!
//! This is the game of `league.v2`. It is luck, and over with one draw.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    Card, Dice, Due, Eye, Illegal, MatchVerdict, Outcome, Rules, Seat, Tag,
    drawing::{Numbers, Part, Shown},
    wording::Wording,
};

pub const A: Seat = Seat(0);
pub const B: Seat = Seat(1);

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum EvenOrOdd {
    Even,
    Odd,
}

impl EvenOrOdd {
    pub fn of(number: u8) -> EvenOrOdd {
        if number.is_multiple_of(2) { EvenOrOdd::Even } else { EvenOrOdd::Odd }
    }

    pub fn name(self) -> &'static str {
        match self {
            EvenOrOdd::Even => "even",
            EvenOrOdd::Odd => "odd",
        }
    }

    pub fn other(self) -> EvenOrOdd {
        match self {
            EvenOrOdd::Even => EvenOrOdd::Odd,
            EvenOrOdd::Odd => EvenOrOdd::Even,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Say(EvenOrOdd),
    /// There was no usable answer in time. It forfeits the match.
    Default,
}

const MOVES: Wording<Move> = Wording(&[
    (Move::Say(EvenOrOdd::Even), "even"),
    (Move::Say(EvenOrOdd::Odd), "odd"),
    (Move::Default, "default"),
]);

#[derive(Clone)]
pub struct Parity {
    /// Drawn before anybody chooses, so that neither the choices nor their order can touch it.
    drawn: u8,
    choices: Option<[Option<EvenOrOdd>; 2]>,
}

/// What anyone may see: nothing before both have chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// A's and B's; nothing from one who gave no answer.
    pub choices: Option<[Option<EvenOrOdd>; 2]>,
    pub drawn_number: Option<u8>,
    pub number_parity: Option<EvenOrOdd>,
    pub winner: Option<Seat>,
    pub forfeited: Vec<Seat>,
    /// What the match is worth to A and to B, once it is over.
    pub match_points: Option<[u8; 2]>,
}

impl View {
    /// How the match ended, if it has. To be right alone is to win one round.
    pub fn verdict(&self) -> Option<MatchVerdict> {
        Some(verdict(self.choices?, self.number_parity?))
    }
}

/// What will be drawn in the game with this seed: for a referee who must commit to the number
/// before the players choose.
pub fn drawn(seed: u64) -> u8 {
    draw(&mut Dice::new(seed, 0))
}

fn draw(dice: &mut Dice) -> u8 {
    dice.below(10) as u8 + 1
}

fn verdict(choices: [Option<EvenOrOdd>; 2], drawn: EvenOrOdd) -> MatchVerdict {
    let forfeits = choices.map(|choice| choice.is_none());
    let scores = match choices {
        [Some(a), Some(b)] if a != b => choices.map(|choice| i32::from(choice == Some(drawn))),
        _ => [0, 0],
    };
    MatchVerdict { scores, forfeits }
}

impl Parity {
    fn verdict(&self) -> Option<MatchVerdict> {
        Some(verdict(self.choices?, EvenOrOdd::of(self.drawn)))
    }

    fn outcome(&self, verdict: MatchVerdict) -> Outcome {
        let winner = verdict.winner().map(|seat| [A, B][seat]);
        let name = winner.map(|seat| Parity::SEATS[usize::from(seat.0)]);
        let drawn = self.drawn;
        let text = match (name, verdict.is_forfeit()) {
            (Some(name), false) => format!("{name} wins: {drawn} was drawn"),
            (Some(name), true) => format!("{name} wins by forfeit"),
            (None, false) => format!("Draw: {drawn} was drawn"),
            (None, true) => "Double forfeit".to_owned(),
        };
        Outcome::of_two(winner, text)
    }
}

impl Rules for Parity {
    const KIND: &'static str = "parity";
    const SEATS: &'static [&'static str] = &["A", "B"];
    const CARD: Option<Card> = Some(Card {
        title: "Parity",
        sentence: "Two foretell whether a drawn number is even or odd.",
        rules: "Both players say even or odd without hearing the other. Then a number from 1 to 10 \
            is drawn. Who alone was right has won; otherwise it is a draw.",
        moves: "even, or odd",
        tags: &[Tag::Simultaneous, Tag::Chance, Tag::Hidden],
        ..Card::PLAIN
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(_: &Setup, dice: &mut Dice) -> Result<Parity, Illegal> {
        Ok(Parity { drawn: draw(dice), choices: None })
    }

    fn due(&self) -> Due {
        match self.verdict() {
            Some(verdict) => Due::Over(self.outcome(verdict)),
            None => Due::Each(vec![A, B]),
        }
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        MOVES.legal(&self.due(), seat)
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        MOVES.parse(self.due(), seat, text, "neither even nor odd")
    }

    fn write(&self, mv: &Move) -> String {
        MOVES.write(*mv)
    }

    fn play(&mut self, moves: &[(Seat, Move)], _: &mut Dice) {
        let of = |seat| match moves.iter().find(|(s, _)| *s == seat).expect("both have moved").1 {
            Move::Say(choice) => Some(choice),
            Move::Default => None,
        };
        self.choices = Some([of(A), of(B)]);
    }

    fn revealed(&self) -> Option<String> {
        self.choices.map(|_| format!("Drawn: {}.", self.drawn))
    }

    fn guess(&self, _: Seat, dice: &mut Dice) -> Option<Parity> {
        let drawn = if self.choices.is_some() { self.drawn } else { draw(dice) };
        Some(Parity { drawn, ..self.clone() })
    }

    fn late(&self, _: Seat) -> Option<Move> {
        Some(Move::Default)
    }

    fn show(&self, eye: Eye) -> Shown {
        let View { choices, drawn_number, .. } = self.view(eye);
        let said = choices.map(|choices| {
            choices.map(|choice| choice.map_or("-".to_owned(), |said| MOVES.write(Move::Say(said))))
        });
        let [a, b] = said.unwrap_or(["?".to_owned(), "?".to_owned()]);
        let drawn = drawn_number.map_or("?".to_owned(), |number| number.to_string());
        Shown {
            text: format!("A {a}, B {b}, drawn {drawn}."),
            drawing: vec![Part::Numbers(Numbers {
                head: ["A", "B", "Drawn"].map(str::to_owned).into(),
                rows: vec![vec![a, b, drawn]],
            })],
        }
    }

    fn view(&self, _: Eye) -> View {
        let verdict = self.verdict();
        let drawn = verdict.map(|_| self.drawn);
        let forfeits = verdict.map_or([false; 2], |verdict| verdict.forfeits);
        View {
            choices: self.choices,
            drawn_number: drawn,
            number_parity: drawn.map(EvenOrOdd::of),
            winner: verdict.and_then(MatchVerdict::winner).map(|seat| [A, B][seat]),
            forfeited: [A, B].into_iter().filter(|s| forfeits[usize::from(s.0)]).collect(),
            match_points: verdict.map(MatchVerdict::points),
        }
    }
}
