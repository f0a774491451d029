//! The value of a position of Breakthrough: pieces, how far they have come and who can take them;
//! above all whether one can no longer be stopped.

use rules::{
    Dice, Rules, Seat,
    board::Board,
    breakthrough::{Breakthrough, Move},
};

use crate::{Computer, Effort, alpha_beta, effort};

const PIECE: i32 = 100;

/// The value of a piece by its distance to the far row, from one row on.
const NEAR: [i32; 6] = [300, 120, 55, 28, 14, 6];

/// A piece at home keeps others from coming through there.
const AT_HOME: i32 = 12;

/// A piece that can be taken back, for each that can.
const COVERED: i32 = 5;

/// Value of a certain win, less for each move it takes.
const AS_GOOD_AS_WON: i32 = 50_000;
const A_MOVE: i32 = 1_000;

impl Computer for Breakthrough {
    /// Their work is how many positions are looked at.
    const LEVELS: &'static [Effort] = &[
        effort(90, 100),
        effort(75, 100),
        effort(58, 200),
        effort(42, 400),
        effort(28, 600),
        effort(15, 1_000),
        effort(5, 2_000),
        effort(0, 6_000),
        effort(0, 200_000),
    ];
    const SETUP: &'static str = r#"{"opening": 4}"#;

    fn think(&self, seat: Seat, work: u32, dice: &mut Dice) -> Option<Move> {
        alpha_beta::choose(self, seat, work, dice)
    }
}

/// The pieces of both, and where their own home is.
struct Field<'a> {
    board: &'a Board,
    pieces: [Vec<Piece>; 2],
}

#[derive(Clone, Copy)]
struct Piece {
    row: i32,
    column: i32,
}

impl Field<'_> {
    fn of(board: &Board) -> Field<'_> {
        let mut pieces = [const { Vec::new() }; 2];
        for row in 0..board.rows() {
            for column in 0..board.columns() {
                if let Some(owner) = board.at(row * board.columns() + column) {
                    let piece = Piece { row: row as i32, column: column as i32 };
                    pieces[usize::from(owner.0)].push(piece);
                }
            }
        }
        Field { board, pieces }
    }

    fn of_seat(&self, seat: Seat) -> &[Piece] {
        &self.pieces[usize::from(seat.0)]
    }

    /// How many rows a piece of `seat` has still to go.
    fn to_go(&self, seat: Seat, piece: Piece) -> i32 {
        if seat.0 == 0 { self.board.rows() as i32 - 1 - piece.row } else { piece.row }
    }

    /// How many pieces of `owner` stand diagonally in the row before this one, as `seat` moves, or
    /// with -1 behind it.
    fn beside(&self, seat: Seat, piece: Piece, ahead: i32, owner: Seat) -> i32 {
        let row = piece.row + ahead * forward(seat);
        let columns = self.board.columns() as i32;
        if !(0..self.board.rows() as i32).contains(&row) {
            return 0;
        }
        let on_board = [piece.column - 1, piece.column + 1].into_iter();
        let on_board = on_board.filter(|column| (0..columns).contains(column));
        let squares = on_board.map(|column| (row * columns + column) as usize);
        squares.filter(|square| self.board.at(*square) == Some(owner)).count() as i32
    }

    /// Whether no piece of the other's can come near enough to take it on its way.
    fn is_free(&self, seat: Seat, piece: Piece) -> bool {
        let stops = |other: &Piece| {
            let ahead = (other.row - piece.row) * forward(seat);
            ahead > 0 && (other.column - piece.column).abs() <= ahead
        };
        !self.of_seat(other(seat)).iter().any(stops)
    }

    /// In how many moves the first of the pieces arrives that cannot be stopped any more.
    fn arrives(&self, seat: Seat) -> Option<i32> {
        let free = self.of_seat(seat).iter().filter(|piece| self.is_free(seat, **piece));
        free.map(|piece| self.to_go(seat, *piece)).min()
    }

    /// The value of the pieces of `seat`. Where the other is next, one that can be taken is as
    /// good as gone.
    fn worth(&self, seat: Seat, is_next: bool) -> i32 {
        let rows = self.board.rows() as i32;
        let worth = |piece: &Piece| {
            let to_go = self.to_go(seat, *piece);
            let takers = self.beside(seat, *piece, 1, other(seat));
            let covers = self.beside(seat, *piece, -1, seat);
            let home = if to_go == rows - 1 { AT_HOME } else { 0 };
            let near = NEAR.get(to_go as usize - 1).copied().unwrap_or_default();
            let quarters = if takers <= covers {
                4
            } else if is_next {
                3
            } else {
                1
            };
            (PIECE + near + home + COVERED * covers) * quarters / 4
        };
        self.of_seat(seat).iter().map(worth).sum()
    }
}

impl alpha_beta::Judged for Breakthrough {
    fn worth(&self, seat: Seat) -> i32 {
        let field = Field::of(&self.board);
        let race = match (field.arrives(seat), field.arrives(other(seat))) {
            // The player to move arrives first if both have as far to go.
            (Some(own), theirs) if theirs.is_none_or(|theirs| own <= theirs) => {
                AS_GOOD_AS_WON - A_MOVE * own
            }
            (_, Some(theirs)) => A_MOVE * theirs - AS_GOOD_AS_WON,
            (_, None) => 0,
        };
        race + field.worth(seat, true) - field.worth(other(seat), false)
    }

    fn promising(&self, seat: Seat) -> Vec<Move> {
        let (board, mut moves) = (&self.board, self.legal(seat));
        let to_go = |mv: &Move| {
            let row = usize::from(mv.to) / board.columns();
            if seat.0 == 0 { board.rows() - 1 - row } else { row }
        };
        let takes = |mv: &Move| board.at(mv.to.into()).is_some();
        moves.sort_by_key(|mv| (to_go(mv) > 0, !takes(mv), to_go(mv)));
        moves
    }
}

/// The way its rows are counted when a piece of `seat` moves.
fn forward(seat: Seat) -> i32 {
    if seat.0 == 0 { 1 } else { -1 }
}

fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}
