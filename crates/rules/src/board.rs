//! A board of squares on which two lay or move pieces: what lies where, who has so many in a row,
//! how a square is named and how it looks. What may be moved where, and what for, is for each kind
//! to say.

use serde::Serialize;

use crate::{
    Eye, GeneralRule, Illegal, RuleName, Seat,
    drawing::{Cell, Drag, Grid, Ground, Mark, Part, PieceShape, Shown},
    opening::Opening,
    wording::{number, plain, quoted},
};

/// How the pieces and the squares look.
pub struct BoardLook {
    pub ground: Ground,
    pub shapes: [PieceShape; 2],
    /// In words, for either seat.
    pub letters: [char; 2],
}

/// Squares are counted row by row, a1, b1, and so on: from the bottom left, or on some boards from
/// the top left.
#[derive(Clone, Debug)]
pub struct Board {
    columns: usize,
    is_from_top: bool,
    cells: Vec<Option<Seat>>,
    filled: usize,
    last: Option<usize>,
    /// The moves that were drawn before anybody made one.
    pub(crate) opening: Opening,
}

/// What can be wrong with a square.
#[derive(Debug)]
enum SquareRule {
    NotASquare,
    OffTheBoard,
    SquareTaken,
}

/// What anyone may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Row by row from the top, a dot for an empty square.
    pub board: Vec<String>,
    pub last: Option<String>,
    /// The squares of the row that has won.
    pub row: Vec<String>,
    /// The moves that were drawn before anybody made one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
}

impl Board {
    pub fn new(columns: usize, rows: usize) -> Board {
        Board {
            columns,
            is_from_top: false,
            cells: vec![None; columns * rows],
            filled: 0,
            last: None,
            opening: Opening::default(),
        }
    }

    /// One whose row 1 is the topmost.
    pub fn from_top(columns: usize, rows: usize) -> Board {
        Board { is_from_top: true, ..Board::new(columns, rows) }
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

    /// Takes the piece on `square` away.
    pub fn clear(&mut self, square: usize) {
        self.cells[square] = None;
        self.filled -= 1;
    }

    /// The square that the last move was about, if it was about one.
    pub fn mark(&mut self, square: Option<usize>) {
        self.last = square;
    }

    /// Whether a piece of `seat` lies beside this square, also diagonally.
    pub fn touches(&self, square: usize, seat: Seat) -> bool {
        let (column, row) = (square % self.columns, square / self.columns);
        let beside = |other: usize| {
            (other % self.columns).abs_diff(column) <= 1
                && (other / self.columns).abs_diff(row) <= 1
        };
        let mut held = (0..self.cells.len()).filter(|other| self.cells[*other] == Some(seat));
        held.any(beside)
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

    /// The empty square that a text names. A refusal tells of `moves`, those that would be right,
    /// the nearest first.
    pub(crate) fn empty_square(
        &self,
        text: &str,
        moves: &[usize],
        seats: &[&str],
    ) -> Result<usize, Illegal> {
        let last = self.name(self.cells.len() - 1);
        let Some((column, row)) = read(text) else {
            let reason =
                format!("{} is not a square; squares are a1 to {last}, like b2", quoted(text));
            let names = moves.iter().map(|square| self.name(*square));
            return Err(Illegal::because(SquareRule::NotASquare, reason, names));
        };
        if column >= self.columns || row >= self.rows() {
            let reason = format!("{} is not on the board of a1 to {last}", quoted(text));
            return Err(self.refuse(SquareRule::OffTheBoard, reason, moves, (column, row)));
        }
        let square = row * self.columns + column;
        let Some(owner) = self.at(square) else { return Ok(square) };
        let reason = format!("{} is taken by {}", self.name(square), seats[usize::from(owner.0)]);
        Err(self.refuse(SquareRule::SquareTaken, reason, moves, (column, row)))
    }

    /// The two squares that a text names, of a move from one to the other. A refusal tells of
    /// `moves`, those that would be right.
    pub(crate) fn two_squares(
        &self,
        text: &str,
        moves: impl Fn() -> Vec<String>,
    ) -> Result<(usize, usize), Illegal> {
        let Some((from, to)) = read_two(text) else {
            let reason = format!("{} is not a move from one square to another", quoted(text));
            return Err(Illegal::because(GeneralRule::NotAMove, reason, moves()));
        };
        let on_board = |(column, row)| column < self.columns && row < self.rows();
        if !on_board(from) || !on_board(to) {
            let last = self.name(self.cells.len() - 1);
            let reason = format!("{} leads off the board of a1 to {last}", quoted(text));
            return Err(Illegal::because(SquareRule::OffTheBoard, reason, moves()));
        }
        Ok((from.1 * self.columns + from.0, to.1 * self.columns + to.0))
    }

    /// What is told of `moves` instead of this column and row.
    pub(crate) fn refuse(
        &self,
        rule: impl RuleName,
        reason: String,
        moves: &[usize],
        (column, row): (usize, usize),
    ) -> Illegal {
        let columns = self.columns;
        let mut nearest = moves.to_vec();
        nearest.sort_by_key(|s| (s % columns).abs_diff(column).max((s / columns).abs_diff(row)));
        Illegal::because(rule, reason, nearest.into_iter().map(|square| self.name(square)))
    }

    /// Row by row from the top.
    fn rows_seen(&self) -> impl Iterator<Item = usize> {
        let rows = self.rows();
        (0..rows).map(move |row| if self.is_from_top { row } else { rows - 1 - row })
    }

    /// From the top left to the bottom right.
    fn reading_order(&self) -> impl Iterator<Item = usize> {
        self.rows_seen().flat_map(move |row| (0..self.columns).map(move |c| row * self.columns + c))
    }

    pub fn view(&self, look: &BoardLook, row: &[usize]) -> View {
        View {
            board: self.rows_seen().map(|row| self.line(look, row).collect()).collect(),
            last: self.last.map(|square| self.name(square)),
            row: row.iter().map(|square| self.name(*square)).collect(),
            opening: self.opening.to_vec(),
        }
    }

    fn line(&self, look: &BoardLook, row: usize) -> impl Iterator<Item = char> {
        let squares = row * self.columns..(row + 1) * self.columns;
        squares.map(|square| self.cells[square].map_or('.', |s| look.letters[usize::from(s.0)]))
    }

    /// In words, with what `says` more under the board, and as a drawing. `target` is the move that a click on
    /// a square makes; the row that has won is bright.
    pub fn show(
        &self,
        look: &BoardLook,
        labels: Labels,
        row: &[usize],
        says: &str,
        target: impl Fn(usize) -> Option<String>,
    ) -> Shown {
        let text = format!("{}\n{says}", self.text(look, &labels));
        let mut grid = self.grid(look, labels, row);
        for (square, cell) in self.reading_order().zip(&mut grid.cells) {
            cell.mv = target(square);
        }
        Shown { text, drawing: vec![Part::Grid(grid)] }
    }

    /// The same where pieces are moved: from a square, to a square, and how that is written. To the
    /// second seat the board is drawn from its own side.
    pub fn show_drags(
        &self,
        look: &BoardLook,
        eye: Eye,
        bright: &[usize],
        says: &str,
        moves: impl Iterator<Item = (usize, usize, String)>,
    ) -> Shown {
        let labels = Labels::of_squares(self);
        let text = format!("{}\n{says}", self.text(look, &labels));
        let mut grid = self.grid(look, labels, bright);
        let place = |square| self.reading_order().position(|other| other == square);
        for (from, to, mv) in moves {
            let (from, to) = (place(from), place(to));
            let ends = from.zip(to).expect("both squares are on the board");
            grid.cells[ends.0].drags.push(Drag { to: ends.1 as u16, mv });
        }
        let grid = if eye == Eye::Seat(Seat(1)) { grid.turned() } else { grid };
        Shown { text, drawing: vec![Part::Grid(grid)] }
    }

    /// What lies where, with these squares bright beside the last.
    fn grid(&self, look: &BoardLook, labels: Labels, bright: &[usize]) -> Grid {
        let mark = |seat: Seat| Mark { seat, shape: look.shapes[usize::from(seat.0)] };
        let cell = |square: usize| Cell {
            name: self.name(square),
            mark: self.cells[square].map(mark),
            bright: self.last == Some(square) || bright.contains(&square),
            ..Cell::default()
        };
        Grid {
            ground: look.ground,
            columns: self.columns as u8,
            cells: self.reading_order().map(cell).collect(),
            column_labels: labels.columns,
            row_labels: labels.rows,
            shapes: look.shapes.to_vec(),
        }
    }

    fn text(&self, look: &BoardLook, labels: &Labels) -> String {
        let wide = labels.rows.iter().map(String::len).max().unwrap_or_default();
        // What touches what on six-sided cells is seen if every row begins further right.
        let slant = |line: usize| if look.ground == Ground::Hexes { line } else { 0 };
        let mut text = String::new();
        for (row, line) in self.rows_seen().zip(0..) {
            let label = labels.rows.get(line).map_or("", String::as_str);
            text.push_str(&format!("{}{label:>wide$}", " ".repeat(slant(line))));
            self.line(look, row).for_each(|piece| text.extend([' ', piece]));
            text.push('\n');
        }
        text.push_str(&" ".repeat(wide + slant(self.rows())));
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
            rows: board.rows_seen().map(|row| (row + 1).to_string()).collect(),
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

/// The column and the row that a text names, on the board or not.
fn read(text: &str) -> Option<(usize, usize)> {
    let text = plain(text);
    let mut rest = text.chars();
    let column = rest.next().filter(char::is_ascii_lowercase)?;
    let row = number(rest.as_str().trim_start())?;
    Some((usize::from(column as u8 - b'a'), (row as usize).checked_sub(1)?))
}

/// The same of two squares, as in `a2a3`, `a2-a3`, `a2xb3` or `a2 to a3`.
fn read_two(text: &str) -> Option<((usize, usize), (usize, usize))> {
    let text = plain(text);
    let is_column = |c: char| c.is_ascii_lowercase() && !"xto".contains(c);
    let (from, to) = text.split_at(text.rfind(is_column)?);
    let from = from.trim_end_matches(|c: char| c.is_whitespace() || "-–:>→xto".contains(c));
    Some((read(from)?, read(to.trim_end_matches('*'))?))
}

fn letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}
