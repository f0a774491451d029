//! Hex: two lay stones on six-sided cells, and whoever joins their two edges has won. A draw is
//! impossible.

use std::{
    collections::{BTreeSet, VecDeque},
    ops::RangeInclusive,
};

use serde::{Deserialize, Serialize};

use crate::{
    Card, Dice, Due, Eye, Illegal, Key, Outcome, Rules, Seat,
    board::{Board, BoardLook, Labels, View},
    drawing::{Ground, PieceShape, Shown},
    opening,
    wording::plain,
};

const SIZES: RangeInclusive<u8> = 5..=13;
const SWAP: &str = "swap";

/// Joins the top and the bottom.
const BLACK: Seat = Seat(0);
/// Joins the left and the right.
const WHITE: Seat = Seat(1);

const LOOK: BoardLook =
    BoardLook { ground: Ground::Hexes, shapes: [PieceShape::Stone; 2], letters: ['B', 'W'] };

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub size: u8,
    pub swap: bool,
    #[serde(skip_serializing_if = "opening::is_empty")]
    pub opening: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { size: 11, swap: false, opening: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// On this cell, counted row by row from the top left.
    Place(u8),
    /// To take the only stone over.
    Swap,
}

/// What can be wrong with a move beside its square.
#[derive(Debug)]
struct MayNotSwap;

#[derive(Clone)]
pub struct Hex {
    board: Board,
    may_swap: bool,
    next: Seat,
    /// The stones that join two edges, empty until then.
    chain: Vec<usize>,
}

impl Hex {
    pub fn size(&self) -> usize {
        self.board.columns()
    }

    pub fn at(&self, cell: usize) -> Option<Seat> {
        self.board.at(cell)
    }

    /// Whether it is played with the swap rule.
    pub fn may_swap(&self) -> bool {
        self.may_swap
    }

    /// The only stone on the board, if it can be taken over now.
    fn swapped(&self) -> Option<usize> {
        if !self.may_swap || self.next != WHITE {
            return None;
        }
        let cells = 0..self.size() * self.size();
        let mut stones = cells.filter(|cell| self.board.at(*cell).is_some());
        stones.next().filter(|_| stones.next().is_none())
    }

    /// The stones on a shortest way from `seat`'s one edge to its other, through `cell`; none if
    /// they are not joined.
    fn joined(&self, cell: usize, seat: Seat) -> Vec<usize> {
        let size = self.size();
        let line = |at: usize| if seat == BLACK { at / size } else { at % size };
        let mut came_from: Vec<Option<usize>> = vec![None; size * size];
        let mut ends = [None; 2];
        let mut waiting = VecDeque::from([cell]);
        came_from[cell] = Some(cell);
        while let Some(at) = waiting.pop_front() {
            for (end, edge) in ends.iter_mut().zip([0, size - 1]) {
                if end.is_none() && line(at) == edge {
                    *end = Some(at);
                }
            }
            for next in neighbours(at, size) {
                if came_from[next].is_none() && self.board.at(next) == Some(seat) {
                    came_from[next] = Some(at);
                    waiting.push_back(next);
                }
            }
        }
        let [Some(one), Some(other)] = ends else { return Vec::new() };
        let back = |at: &usize| came_from[*at].filter(|from| from != at);
        let halves = [one, other].map(|end| std::iter::successors(Some(end), back));
        let chain: BTreeSet<_> = halves.into_iter().flatten().collect();
        chain.into_iter().collect()
    }
}

/// The cells that touch this one.
pub fn neighbours(cell: usize, size: usize) -> impl Iterator<Item = usize> {
    let (column, row) = (cell % size, cell / size);
    let ways = [(0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)];
    ways.into_iter().filter_map(move |(right, down)| {
        let column = column.checked_add_signed(right).filter(|column| *column < size)?;
        let row = row.checked_add_signed(down).filter(|row| *row < size)?;
        Some(row * size + column)
    })
}

impl Rules for Hex {
    const KIND: &'static str = "hex";
    const SEATS: &'static [&'static str] = &["Black", "White"];
    const CARD: Option<Card> = Some(Card {
        title: "Hex",
        sentence: "Two lay stones on six-sided cells; whoever joins two opposite edges wins.",
        rules: "The board is a rhombus of 11 x 11 six-sided cells unless the set-up says otherwise; \
            a1 is its top left one. Each row lies half a cell further right than the one above it, \
            so that b2 touches b1, c1, a2, c2, a3 and b3. Black begins. The players take turns, and \
            each lays one stone on an empty cell; stones are never moved or taken. Black wins by an \
            unbroken chain of black stones from the top edge to the bottom edge, White by one of \
            white stones from the left edge to the right edge. One of them always does. Where the \
            set-up says swap, White may answer the first stone with swap: it becomes a white one, \
            mirrored (a stone on d2 then lies on b4), and it is Black's turn again.",
        moves: "the letter of the column, then the number of the row from the top, or swap: c3",
        keys: &[
            Key { name: "size", about: "5 to 13 cells a side; 11" },
            Key { name: "swap", about: "true: White may take the first stone over; false" },
            opening::KEY,
        ],
        ..Card::PLAIN
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, dice: &mut Dice) -> Result<Hex, Illegal> {
        if !SIZES.contains(&setup.size) {
            return Err(Illegal::set_up(format!("size is 5 to 13, not {}", setup.size)));
        }
        let board = Board::from_top(setup.size.into(), setup.size.into());
        let empty = Hex { board, may_swap: setup.swap, next: BLACK, chain: Vec::new() };
        let (mut game, opening) = opening::draw(empty, setup.opening, dice)?;
        game.board.opening = opening;
        Ok(game)
    }

    fn due(&self) -> Due {
        if self.chain.is_empty() {
            return Due::One(self.next);
        }
        let (winner, edges) = match self.next {
            BLACK => (WHITE, "left and right"),
            _ => (BLACK, "top and bottom"),
        };
        let text = format!("{} wins: {edges} are joined", Self::SEATS[usize::from(winner.0)]);
        Due::Over(Outcome::of_two(Some(winner), text))
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        if !self.due().includes(seat) {
            return Vec::new();
        }
        let mut moves = Vec::with_capacity(self.size() * self.size());
        moves.extend(self.board.empty().map(|cell| Move::Place(cell as u8)));
        moves.extend(self.swapped().map(|_| Move::Swap));
        moves
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        self.due().admit(seat)?;
        if plain(text) == SWAP {
            let reason = if self.may_swap {
                "only White may swap, and only in answer to the first stone"
            } else {
                "this game is played without swap"
            };
            let refusal = || Illegal::because(MayNotSwap, reason, self.offers(seat));
            return self.swapped().map(|_| Move::Swap).ok_or_else(refusal);
        }
        let empty: Vec<_> = self.board.empty().collect();
        let cell = self.board.empty_square(text, &empty, Self::SEATS)?;
        Ok(Move::Place(cell as u8))
    }

    fn write(&self, mv: &Move) -> String {
        match mv {
            Move::Place(cell) => self.board.name((*cell).into()),
            Move::Swap => SWAP.to_owned(),
        }
    }

    fn play(&mut self, moves: &[(Seat, Move)], _: &mut Dice) {
        for (seat, mv) in moves {
            let cell = match (mv, self.swapped()) {
                (Move::Swap, Some(first)) => {
                    self.board.clear(first);
                    first % self.size() * self.size() + first / self.size()
                }
                (Move::Place(cell), _) => usize::from(*cell),
                (Move::Swap, None) => unreachable!("it was seen that there is a stone to take"),
            };
            self.board.put(cell, *seat);
            self.chain = self.joined(cell, *seat);
            self.next = Seat(1 - seat.0);
        }
    }

    fn view(&self, _: Eye) -> View {
        self.board.view(&LOOK, &self.chain)
    }

    fn show(&self, eye: Eye) -> Shown {
        let due = self.due();
        let may_click = matches!(eye, Eye::Seat(seat) if due.includes(seat));
        let target =
            |cell| (may_click && self.board.at(cell).is_none()).then(|| self.board.name(cell));
        let labels = Labels::of_squares(&self.board);
        self.board.show(&LOOK, labels, &self.chain, "Black joins top and bottom.", target)
    }
}
