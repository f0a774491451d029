//! A position as people see it: a small language that one component of the pages draws, whatever
//! the game. It says what lies where and which click or drag is which move; it knows no rules.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Due, Seat};

/// A position as one observer sees it, in words and as a drawing.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Shown {
    /// For a model. [`Record::show`](crate::Record::show) appends whose turn it is or how the game
    /// ended, on a new line if this text ends a line. Together they have at most 300 characters, or
    /// 1,000 with a board of more than eight by eight.
    pub text: String,
    /// For people, from top to bottom. Nothing is drawn only where a kind has pages of its own.
    pub drawing: Vec<Part>,
}

impl Shown {
    /// Appends whose turn it is, or how the game ended.
    pub(crate) fn with_due(mut self, due: &Due, seats: &[&str]) -> Shown {
        if self.text.is_empty() {
            return self;
        }
        if !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        self.text += &due.sentence(seats);
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "part", rename_all = "lowercase")]
pub enum Part {
    Grid(Grid),
    Hand(Hand),
    Track(Track),
    Numbers(Numbers),
}

impl Part {
    /// A copy for a thumbnail: without moves and labels.
    pub fn small(self) -> Part {
        match self {
            Part::Grid(mut grid) => {
                for cell in &mut grid.cells {
                    *cell = Cell { mark: cell.mark, bright: cell.bright, ..Cell::default() };
                }
                let (column_labels, row_labels, shapes) = Default::default();
                Part::Grid(Grid { column_labels, row_labels, shapes, ..grid })
            }
            Part::Track(track) => Part::Track(Track { moves: Vec::new(), ..track }),
            part @ (Part::Hand(_) | Part::Numbers(_)) => part,
        }
    }
}

/// Squares in rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Grid {
    pub ground: Ground,
    pub columns: u8,
    /// Row by row, the top one first.
    pub cells: Vec<Cell>,
    /// Under the columns, and before the rows.
    pub column_labels: Vec<String>,
    pub row_labels: Vec<String>,
    /// The shape of each seat's pieces, also while none is on the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<PieceShape>>", optional)]
    pub shapes: Vec<PieceShape>,
}

impl Grid {
    /// The board seen from the other side.
    pub fn turned(mut self) -> Grid {
        let last = self.cells.len() as u16 - 1;
        self.cells.reverse();
        self.column_labels.reverse();
        self.row_labels.reverse();
        for drag in self.cells.iter_mut().flat_map(|cell| &mut cell.drags) {
            drag.to = last - drag.to;
        }
        self
    }
}

/// The look of the squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// Squares, drawn by the lines between them.
    Squares,
    /// Squares, light and dark in turn.
    Checkered,
    /// Stones lie where lines cross.
    Lines,
    /// An upright board with holes.
    Holes,
    /// Six-sided cells, each row half a cell further right than the one above it. A cell touches
    /// those beside it, the two above (straight up and to the right of that) and the two below
    /// (straight down and to the left of that). The top and the bottom edge belong to the first
    /// seat, the left and the right one to the second.
    Hexes,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Cell {
    /// The name of the cell in moves.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(as = "Option<String>", optional)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mark: Option<Mark>,
    /// The move that a click here makes, if there is one.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mv: Option<String>,
    /// The moves that begin here, each ending on another cell: where there are any, a click makes
    /// none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Drag>>", optional)]
    pub drags: Vec<Drag>,
    /// It belongs to the last move, or to what has won.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub bright: bool,
}

/// The move that a drag to another cell makes, or a click on the one and then on the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Drag {
    /// The cell where it ends, counted as they are in the grid.
    pub to: u16,
    #[serde(rename = "move")]
    pub mv: String,
}

/// A seat's piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Mark {
    pub seat: Seat,
    pub shape: PieceShape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PieceShape {
    Cross,
    Ring,
    /// In the seat's colour.
    Disc,
    /// Black for the first seat, white for the second.
    Stone,
    /// White for the first seat, black for the second.
    Pawn,
}

/// Cards that somebody holds, or that lie on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Hand {
    pub title: String,
    /// None for a card that lies face down.
    pub cards: Vec<Option<String>>,
}

/// So many of something, in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Track {
    pub title: String,
    pub filled: u32,
    pub places: u32,
    /// The move that a click on each of those filled makes, from the first to the last.
    // The filled ones come first. None where a click makes no move; nothing at all where nobody who
    // looks may play on it, as in lists. The pages' types repeat the sentence above.
    pub moves: Vec<Option<String>>,
}

/// A small table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Numbers {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}
