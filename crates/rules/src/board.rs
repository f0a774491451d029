//! A board of squares on which two lay pieces that stay: what lies where, who has so many in a row,
//! and how it looks. Which squares may be filled, and what for, is for each kind to say.

use serde::Serialize;

use crate::{
    Seat,
    drawing::{Cell, Grid, Ground, Mark, Part, Shape, Shown},
};

/// How the pieces and the squares look.
pub struct Look {
    pub ground: Ground,
    pub shapes: [Shape; 2],
    /// In words, for either seat.
    pub letters: [char; 2],
}

/// Squares are counted row by row from the bottom left: a1, b1, and so on.
#[derive(Clone, Debug)]
pub struct Board {
    columns: usize,
    cells: Vec<Option<Seat>>,
    filled: usize,
    last: Option<usize>,
}

/// What anyone may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Row by row from the top, a dot for an empty square.
    pub board: Vec<String>,
    pub last: Option<String>,
    /// The squares of the row that has won.
    pub row: Vec<String>,
}

impl Board {
    pub fn new(columns: usize, rows: usize) -> Board {
        Board { columns, cells: vec![None; columns * rows], filled: 0, last: None }
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    pub fn at(&self, square: usize) -> Option<Seat> {
        self.cells[square]
    }

    pub fn is_full(&self) -> bool {
        self.filled == self.cells.len()
    }

    /// Who lays the next piece, where both take turns.
    pub fn next(&self) -> Seat {
        Seat((self.filled % 2) as u8)
    }

    pub fn empty(&self) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(|square| self.cells[*square].is_none())
    }

    pub fn put(&mut self, square: usize, seat: Seat) {
        self.cells[square] = Some(seat);
        self.filled += 1;
        self.last = Some(square);
    }

    /// The squares in rows of at least `length` of one seat's pieces that the last piece is in.
    pub fn row(&self, length: usize) -> Vec<usize> {
        let Some(last) = self.last else { return Vec::new() };
        let mut row = Vec::new();
        for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let ahead = self.run(last, right, up);
            let behind = self.run(last, -right, -up);
            if ahead.len() + behind.len() + 1 >= length {
                row.extend(behind.into_iter().rev().chain([last]).chain(ahead));
            }
        }
        row.sort_unstable();
        row.dedup();
        row
    }

    /// Beyond `square`, the squares of the same seat's pieces one after the other.
    fn run(&self, square: usize, right: isize, up: isize) -> Vec<usize> {
        let owner = self.cells[square];
        let mut run = Vec::new();
        let (mut column, mut row) = (square % self.columns, square / self.columns);
        loop {
            let next = column.checked_add_signed(right).zip(row.checked_add_signed(up));
            match next {
                Some((c, r)) if c < self.columns && r < self.rows() => (column, row) = (c, r),
                _ => return run,
            }
            let square = row * self.columns + column;
            if self.cells[square] != owner {
                return run;
            }
            run.push(square);
        }
    }

    /// The letter of the column and the number of the row.
    pub fn name(&self, square: usize) -> String {
        format!("{}{}", letter(square % self.columns), square / self.columns + 1)
    }

    /// From the top left to the bottom right.
    fn reading_order(&self) -> impl Iterator<Item = usize> {
        (0..self.rows())
            .rev()
            .flat_map(move |row| (0..self.columns).map(move |c| row * self.columns + c))
    }

    pub fn view(&self, look: &Look, row: &[usize]) -> View {
        let board = (0..self.rows()).rev().map(|row| self.line(look, row).collect()).collect();
        View {
            board,
            last: self.last.map(|square| self.name(square)),
            row: row.iter().map(|square| self.name(*square)).collect(),
        }
    }

    fn line(&self, look: &Look, row: usize) -> impl Iterator<Item = char> {
        let squares = row * self.columns..(row + 1) * self.columns;
        squares.map(|square| self.cells[square].map_or('.', |s| look.letters[usize::from(s.0)]))
    }

    /// In words, with `says` under the board, and as a drawing. `target` is the move that a click on
    /// a square makes; the row that has won is bright.
    pub fn show(
        &self,
        look: &Look,
        labels: Labels,
        row: &[usize],
        says: &str,
        target: impl Fn(usize) -> Option<String>,
    ) -> Shown {
        let text = format!("{}\n{says}", self.text(look, &labels));
        let cell = |square: usize| Cell {
            name: self.name(square),
            mark: self.cells[square]
                .map(|seat| Mark { seat, shape: look.shapes[usize::from(seat.0)] }),
            mv: target(square),
            bright: self.last == Some(square) || row.contains(&square),
        };
        let grid = Grid {
            ground: look.ground,
            columns: self.columns as u8,
            cells: self.reading_order().map(cell).collect(),
            column_labels: labels.columns,
            row_labels: labels.rows,
        };
        Shown { text, drawing: vec![Part::Grid(grid)] }
    }

    fn text(&self, look: &Look, labels: &Labels) -> String {
        let wide = labels.rows.iter().map(String::len).max().unwrap_or_default();
        let mut text = String::new();
        for (row, number) in (0..self.rows()).rev().zip(0..) {
            let label = labels.rows.get(number).map_or("", String::as_str);
            text.push_str(&format!("{label:>wide$}"));
            self.line(look, row).for_each(|piece| text.extend([' ', piece]));
            text.push('\n');
        }
        text.push_str(&" ".repeat(wide));
        labels.columns.iter().for_each(|label| text.push_str(&format!(" {label}")));
        text
    }
}

/// What stands under the columns, from the left, and before the rows, from the top.
pub struct Labels {
    pub columns: Vec<String>,
    pub rows: Vec<String>,
}

impl Labels {
    /// Letters and numbers, so that every square has a name.
    pub fn of_squares(board: &Board) -> Labels {
        Labels {
            columns: (0..board.columns()).map(|column| letter(column).to_string()).collect(),
            rows: (1..=board.rows()).rev().map(|row| row.to_string()).collect(),
        }
    }

    /// Numbers under the columns alone.
    pub fn of_columns(board: &Board) -> Labels {
        Labels {
            columns: (1..=board.columns()).map(|column| column.to_string()).collect(),
            rows: Vec::new(),
        }
    }
}

fn letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}
