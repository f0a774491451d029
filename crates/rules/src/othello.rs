//! Othello: discs that are enclosed are turned over, and whoever has more of them at the end has won.

use serde::{Deserialize, Serialize};

use crate::{
    Card, Dice, Due, Eye, Illegal, Outcome, Rules, Seat,
    board::{Board, BoardLook, Labels, View},
    drawing::{Ground, PieceShape, Shown},
    opening::{self, Opening},
    wording::{plain, quoted},
};

const SIDE: usize = 8;
const PASS: &str = "pass";
const LOOK: BoardLook =
    BoardLook { ground: Ground::Squares, shapes: [PieceShape::Stone; 2], letters: ['B', 'W'] };

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The eight ways a row can run: how much further the next square is counted.
const WAYS: [i32; 8] = [1, 9, -7, -1, -9, 7, 8, -8];

/// Each of these squares moved on by one, unless that leads over an edge.
fn step(squares: u64, way: i32) -> u64 {
    let moved = if way > 0 { squares << way } else { squares >> -way };
    match way {
        1 | 9 | -7 => moved & NOT_A,
        -1 | -9 | 7 => moved & NOT_H,
        _ => moved,
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    #[serde(skip_serializing_if = "opening::is_empty")]
    pub opening: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// On this square, counted row by row from the top left.
    Place(u8),
    Pass,
}

/// What can be wrong with a move beside its square.
#[derive(Debug)]
enum Rule {
    MayNotPass,
    MustPass,
    TurnsNothing,
}

/// Boards are a bit for every square, counted as in a move.
#[derive(Clone)]
pub struct Othello {
    discs: [u64; 2],
    next: Seat,
    last: Option<Move>,
    opening: Opening,
}

impl Othello {
    /// Where the discs of both seats lie.
    pub fn discs(&self) -> [u64; 2] {
        self.discs
    }

    /// Where `seat` would turn something over.
    pub fn places(&self, seat: Seat) -> u64 {
        let [own, other] = self.seen_by(seat);
        let mut places = 0;
        for way in WAYS {
            let mut run = step(own, way) & other;
            // Six discs at most lie between two others.
            for _ in 0..5 {
                run |= step(run, way) & other;
            }
            places |= step(run, way);
        }
        places & !(own | other)
    }

    /// What `seat` would turn over from here.
    fn turned(&self, seat: Seat, square: u8) -> u64 {
        let [own, other] = self.seen_by(seat);
        let mut turned = 0;
        for way in WAYS {
            let mut run = 0;
            let mut next = step(1 << square, way);
            while next & other != 0 {
                run |= next;
                next = step(next, way);
            }
            if next & own != 0 {
                turned |= run;
            }
        }
        turned
    }

    fn seen_by(&self, seat: Seat) -> [u64; 2] {
        let seat = usize::from(seat.0);
        [self.discs[seat], self.discs[1 - seat]]
    }

    fn board(&self) -> Board {
        let mut board = Board::from_top(SIDE, SIDE);
        for (seat, discs) in [Seat(0), Seat(1)].into_iter().zip(self.discs) {
            squares(discs).for_each(|square| board.put(square, seat));
        }
        board.mark(self.last.and_then(|mv| match mv {
            Move::Place(square) => Some(square.into()),
            Move::Pass => None,
        }));
        board.opening = self.opening.clone();
        board
    }
}

/// The squares whose bits are set.
fn squares(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = bits.trailing_zeros() as usize;
        bits &= bits.checked_sub(1)?;
        Some(square)
    })
}

impl Rules for Othello {
    const KIND: &'static str = "othello";
    const SEATS: &'static [&'static str] = &["Black", "White"];
    const CARD: Option<Card> = Some(Card {
        title: "Othello",
        also_called: &["reversi"],
        sentence: "Two lay discs and turn over those they enclose; the most discs win.",
        rules: "The board has 8 x 8 squares; a1 is the top left one. White discs lie on d4 and e5, \
            black ones on e4 and d5. Black begins. A player lays a disc on an empty square so that, \
            in at least one straight line across, upright or diagonally, one or more of the \
            opponent's discs lie without a gap between it and another disc of the player's own. All \
            discs enclosed so, in every direction, are turned over and are the player's. Who cannot \
            do that says pass, and nobody may pass otherwise. When neither can, it is over, and \
            whoever has more discs has won.",
        moves: "the letter of the column, then the number of the row from the top, or pass: d3",
        keys: &[opening::KEY],
        ..Card::PLAIN
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, dice: &mut Dice) -> Result<Othello, Illegal> {
        let bit = |column: u32, row: u32| 1 << (row * 8 + column);
        let discs = [bit(4, 3) | bit(3, 4), bit(3, 3) | bit(4, 4)];
        let begun = Othello { discs, next: Seat(0), last: None, opening: Opening::default() };
        let (game, opening) = opening::draw(begun, setup.opening, dice)?;
        Ok(Othello { opening, ..game })
    }

    fn due(&self) -> Due {
        if self.places(self.next) != 0 || self.places(Seat(1 - self.next.0)) != 0 {
            return Due::One(self.next);
        }
        let discs = self.discs.map(|discs| discs.count_ones() as i32);
        let counted = Outcome::of_sums(discs, "discs", Self::SEATS);
        Due::Over(Outcome::of_two(counted.winner(), counted.text))
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        match self.places(seat) {
            _ if seat != self.next => Vec::new(),
            0 if self.places(Seat(1 - seat.0)) == 0 => Vec::new(),
            0 => vec![Move::Pass],
            places => squares(places).map(|square| Move::Place(square as u8)).collect(),
        }
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        self.due().admit(seat)?;
        let (board, places) = (self.board(), self.places(seat));
        let moves: Vec<_> = squares(places).collect();
        match (plain(text) == PASS, places) {
            (true, 0) => Ok(Move::Pass),
            (true, _) => {
                let reason = "who can turn a disc over may not pass";
                Err(Illegal::because(Rule::MayNotPass, reason, self.offers(seat)))
            }
            (false, 0) => {
                let reason = format!("{} turns nothing over, nor does any other", quoted(text));
                Err(Illegal::because(Rule::MustPass, reason, [PASS.to_owned()]))
            }
            (false, _) => {
                let square = board.empty_square(text, &moves, Self::SEATS)?;
                if places & 1 << square != 0 {
                    return Ok(Move::Place(square as u8));
                }
                let reason = format!("{} would turn nothing over", board.name(square));
                let at = (square % SIDE, square / SIDE);
                Err(board.refuse(Rule::TurnsNothing, reason, &moves, at))
            }
        }
    }

    fn write(&self, mv: &Move) -> String {
        match mv {
            Move::Place(square) => Board::from_top(SIDE, SIDE).name((*square).into()),
            Move::Pass => PASS.to_owned(),
        }
    }

    fn play(&mut self, moves: &[(Seat, Move)], _: &mut Dice) {
        for (seat, mv) in moves {
            if let Move::Place(square) = *mv {
                let turned = self.turned(*seat, square);
                let (own, other) = (usize::from(seat.0), usize::from(1 - seat.0));
                self.discs[own] |= turned | 1 << square;
                self.discs[other] &= !turned;
            }
            self.last = Some(*mv);
            self.next = Seat(1 - seat.0);
        }
    }

    fn view(&self, _: Eye) -> View {
        self.board().view(&LOOK, &[])
    }

    fn show(&self, eye: Eye) -> Shown {
        let (board, due) = (self.board(), self.due());
        let places = match eye {
            Eye::Seat(seat) if due.includes(seat) => self.places(seat),
            _ => 0,
        };
        let target = |square: usize| (places & 1 << square != 0).then(|| board.name(square));
        let [black, white] = self.discs.map(u64::count_ones);
        let passed = if self.last == Some(Move::Pass) { " There was a pass." } else { "" };
        let says = format!("Discs {black}:{white}.{passed}");
        board.show(&LOOK, Labels::of_squares(&board), &[], &says, target)
    }
}
