//! Connect four: discs fall in an upright board, and four in a row win.

use serde::{Deserialize, Serialize};

use crate::{
    Card, Dice, Due, Eye, Illegal, Outcome, Rules, Seat,
    board::{Board, BoardLook, Labels, View},
    drawing::{Ground, PieceShape, Shown},
    opening,
    wording::{number, plain, quoted},
};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
const LENGTH: usize = 4;

const LOOK: BoardLook =
    BoardLook { ground: Ground::Holes, shapes: [PieceShape::Disc; 2], letters: ['R', 'Y'] };

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    #[serde(skip_serializing_if = "opening::is_empty")]
    pub opening: u8,
}

/// The column, from 0, that a disc falls into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(pub usize);

/// What can be wrong with a move.
#[derive(Debug)]
enum Rule {
    NotAColumn,
    ColumnFull,
}

#[derive(Clone)]
pub struct ConnectFour {
    board: Board,
    /// The row that has won, empty until then.
    row: Vec<usize>,
}

impl ConnectFour {
    /// Whose disc lies here, both counted from 0, rows from the bottom.
    pub fn at(&self, column: usize, row: usize) -> Option<Seat> {
        self.board.at(row * COLUMNS + column)
    }

    /// Where a disc comes to lie in this column, if there is room.
    fn lands(&self, column: usize) -> Option<usize> {
        (0..ROWS).map(|row| row * COLUMNS + column).find(|square| self.board.at(*square).is_none())
    }
}

impl Rules for ConnectFour {
    const KIND: &'static str = "connect-four";
    const SEATS: &'static [&'static str] = &["Red", "Yellow"];
    const CARD: Option<Card> = Some(Card {
        title: "Connect four",
        also_called: &["connect 4", "four in a row"],
        sentence: "Two drop discs into seven upright columns in turn; four in a row win.",
        rules: "The board stands upright, with 7 columns of 6 holes. Red begins. The players take \
            turns, and each drops one disc into a column that is not full; it falls to the lowest \
            hole that is free. Whoever first has four or more of their own discs in a row, across, \
            upright or diagonally, has won. If the board is full before that, it is a draw.",
        moves: "the number of the column, 1 to 7 from the left: 4",
        keys: &[opening::KEY],
        ..Card::PLAIN
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, dice: &mut Dice) -> Result<ConnectFour, Illegal> {
        let empty = ConnectFour { board: Board::new(COLUMNS, ROWS), row: Vec::new() };
        let (mut game, opening) = opening::draw(empty, setup.opening, dice)?;
        game.board.opening = opening;
        Ok(game)
    }

    fn due(&self) -> Due {
        match self.row.first().and_then(|square| self.board.at(*square)) {
            Some(winner) => {
                let name = Self::SEATS[usize::from(winner.0)];
                let text = format!("{name} wins with four in a row");
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
        (0..COLUMNS).filter(|column| is_due && self.lands(*column).is_some()).map(Move).collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        self.due().admit(seat)?;
        let read = plain(text);
        let column = number(read.strip_prefix("column").unwrap_or(&read).trim_start());
        let Some(column) = column.filter(|column| (1..=COLUMNS as u32).contains(column)) else {
            let reason = format!("{} is not a column from 1 to 7", quoted(text));
            return Err(Illegal::because(Rule::NotAColumn, reason, self.offers(seat)));
        };
        let mv = Move(column as usize - 1);
        if self.lands(mv.0).is_none() {
            let reason = format!("column {column} is full");
            return Err(Illegal::because(Rule::ColumnFull, reason, self.offers(seat)));
        }
        Ok(mv)
    }

    fn write(&self, mv: &Move) -> String {
        (mv.0 + 1).to_string()
    }

    fn play(&mut self, moves: &[(Seat, Move)], _: &mut Dice) {
        for (seat, Move(column)) in moves {
            let square = self.lands(*column).expect("it was seen that there is room");
            self.board.put(square, *seat);
            self.row = self.board.row(LENGTH);
        }
    }

    fn view(&self, _: Eye) -> View {
        self.board.view(&LOOK, &self.row)
    }

    fn show(&self, eye: Eye) -> Shown {
        let due = self.due();
        let may_click = matches!(eye, Eye::Seat(seat) if due.includes(seat));
        let target = |square: usize| {
            let column = square % COLUMNS;
            (may_click && self.lands(column).is_some()).then(|| self.write(&Move(column)))
        };
        let labels = Labels::of_columns(&self.board);
        self.board.show(&LOOK, labels, &self.row, "", target)
    }
}
