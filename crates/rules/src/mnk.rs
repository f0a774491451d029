//! So many in a row on an empty board: tic-tac-toe, gomoku, and whatever a set-up makes of them.

use std::{marker::PhantomData, ops::RangeInclusive};

use serde::{Deserialize, Serialize};

use crate::{
    Card, Dice, Due, Eye, Illegal, Key, Outcome, Rules, Seat,
    board::{Board, BoardLook, Labels, View},
    drawing::{Ground, PieceShape, Shown},
    opening,
};

/// How long a side of the board may be. The most are as many as there are letters up to s.
const SIDES: RangeInclusive<u8> = 3..=19;

/// What a well-known game of this family is.
pub trait Variant: Clone + Send + Sync + 'static {
    const KIND: &'static str;
    const SEATS: &'static [&'static str];
    const CARD: Card;
    const LOOK: BoardLook;
    const SIDE: u8;
    /// So many in a row win.
    const LENGTH: u8;
    /// Whether White's last stone of an opening touches another of its own. Stones that are strewn
    /// over a large board do little, and Black, who moves next, would win two games of three.
    const OPENS_TOUCHING: bool = false;
}

#[derive(Clone)]
pub struct Crosses;

impl Variant for Crosses {
    const KIND: &'static str = "tic-tac-toe";
    const SEATS: &'static [&'static str] = &["X", "O"];
    const CARD: Card = Card {
        title: "Tic-tac-toe",
        also_called: &["noughts and crosses"],
        sentence: "Two mark the squares of a small board in turn; three in a row win.",
        rules: "The board has 3 x 3 squares, and a row is three marks long, unless the set-up says \
            otherwise. X begins. The players take turns, and each marks one empty square. Whoever \
            first has a row of their own marks, across, upright or diagonally, has won. If the \
            board is full before that, it is a draw.",
        moves: "the letter of the column, then the number of the row, counted from the bottom: b2",
        keys: &[
            Key { name: "columns", about: "3 to 19; 3" },
            Key { name: "rows", about: "3 to 19; 3" },
            Key { name: "length", about: "so many in a row win, 3 or more; 3" },
            opening::KEY,
        ],
        ..Card::PLAIN
    };
    const LOOK: BoardLook = BoardLook {
        ground: Ground::Squares,
        shapes: [PieceShape::Cross, PieceShape::Ring],
        letters: ['X', 'O'],
    };
    const SIDE: u8 = 3;
    const LENGTH: u8 = 3;
}

#[derive(Clone)]
pub struct Stones;

impl Variant for Stones {
    const KIND: &'static str = "gomoku";
    const SEATS: &'static [&'static str] = &["Black", "White"];
    const CARD: Card = Card {
        title: "Gomoku",
        also_called: &["five in a row"],
        sentence: "Two lay stones on a large board in turn; five in a row win.",
        rules: "The board has 15 x 15 points, and a row is five stones long, unless the set-up says \
            otherwise. Black begins. The players take turns, and each lays one stone on any empty \
            point; stones are never moved or taken. Whoever first has a row of their own stones, or \
            a longer one, across, upright or diagonally, has won. No move is forbidden. If the board \
            is full before that, it is a draw.",
        moves: "the letter of the column, then the number of the row, counted from the bottom: h8",
        keys: &[
            Key { name: "columns", about: "3 to 19; 15" },
            Key { name: "rows", about: "3 to 19; 15" },
            Key { name: "length", about: "so many in a row win, 3 or more; 5" },
            opening::KEY,
        ],
        ..Card::PLAIN
    };
    const LOOK: BoardLook =
        BoardLook { ground: Ground::Lines, shapes: [PieceShape::Stone; 2], letters: ['B', 'W'] };
    const SIDE: u8 = 15;
    const LENGTH: u8 = 5;
    const OPENS_TOUCHING: bool = true;
}

pub type TicTacToe = InARow<Crosses>;
pub type Gomoku = InARow<Stones>;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub columns: Option<u8>,
    pub rows: Option<u8>,
    pub length: Option<u8>,
    #[serde(skip_serializing_if = "opening::is_empty")]
    pub opening: u8,
}

#[derive(Clone)]
pub struct InARow<V> {
    board: Board,
    length: usize,
    /// The row that has won, empty until then.
    row: Vec<usize>,
    variant: PhantomData<V>,
}

/// The square that is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(pub usize);

impl<V: Variant> InARow<V> {
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// So many in a row win.
    pub fn length(&self) -> usize {
        self.length
    }

    fn name_of(seat: Seat) -> &'static str {
        V::SEATS[usize::from(seat.0)]
    }
}

impl<V: Variant> Rules for InARow<V> {
    const KIND: &'static str = V::KIND;
    const SEATS: &'static [&'static str] = V::SEATS;
    const CARD: Option<Card> = Some(V::CARD);

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, dice: &mut Dice) -> Result<Self, Illegal> {
        let [columns, rows] = [setup.columns, setup.rows].map(|side| side.unwrap_or(V::SIDE));
        for (name, side) in [("columns", columns), ("rows", rows)] {
            if !SIDES.contains(&side) {
                return Err(Illegal::set_up(format!("{name} is 3 to 19, not {side}")));
            }
        }
        let (length, most) = (setup.length.unwrap_or(V::LENGTH), columns.max(rows));
        if !(3..=most).contains(&length) {
            return Err(Illegal::set_up(format!(
                "length is 3 to {most} on a board of {columns} x {rows}, not {length}"
            )));
        }
        let board = Board::new(columns.into(), rows.into());
        let empty = InARow { board, length: length.into(), row: Vec::new(), variant: PhantomData };
        let evens = |game: &Self, seat: Seat, mv: &Move| {
            !V::OPENS_TOUCHING || seat == Seat(1) && game.board.touches(mv.0, seat)
        };
        let (mut game, opening) = opening::draw_evenly(empty, setup.opening, dice, evens)?;
        game.board.opening = opening;
        Ok(game)
    }

    fn due(&self) -> Due {
        let winner = self.row.first().and_then(|square| self.board.at(*square));
        match winner {
            Some(winner) => {
                let text = format!("{} wins with {} in a row", Self::name_of(winner), self.length);
                Due::Over(Outcome::of_two(Some(winner), text))
            }
            None if self.board.is_full() => {
                Due::Over(Outcome::of_two(None, "Draw: the board is full"))
            }
            None => Due::One(self.board.next()),
        }
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        let is_due = self.due().includes(seat);
        self.board.empty().filter(|_| is_due).map(Move).collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        self.due().admit(seat)?;
        let empty: Vec<_> = self.board.empty().collect();
        let square = self.board.empty_square(text, &empty, V::SEATS)?;
        Ok(Move(square))
    }

    fn write(&self, mv: &Move) -> String {
        self.board.name(mv.0)
    }

    fn play(&mut self, moves: &[(Seat, Move)], _: &mut Dice) {
        for (seat, Move(square)) in moves {
            self.board.put(*square, *seat);
            self.row = self.board.row(self.length);
        }
    }

    fn view(&self, _: Eye) -> View {
        self.board.view(&V::LOOK, &self.row)
    }

    fn show(&self, eye: Eye) -> Shown {
        let due = self.due();
        let may_click = matches!(eye, Eye::Seat(seat) if due.includes(seat));
        let target = |square| {
            (may_click && self.board.at(square).is_none()).then(|| self.board.name(square))
        };
        let labels = Labels::of_squares(&self.board);
        self.board.show(&V::LOOK, labels, &self.row, "", target)
    }
}
