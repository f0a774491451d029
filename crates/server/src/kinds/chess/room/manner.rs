//! How a seat wants to be spoken to. Kept with the seat, so that it holds for every answer.

use serde::{Deserialize, Serialize};

use crate::{mcp::ask::BoardStyle, store::SavedSeat};

/// When a page for a person comes with the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ui {
    Always,
    #[default]
    HumansTurn,
    Never,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChessManner {
    pub board: BoardStyle,
    pub ui: Ui,
    /// Whether it agreed to hints (`hints::Agreement` reads that too).
    pub hints: bool,
}

impl ChessManner {
    pub fn of(seat: &SavedSeat) -> ChessManner {
        serde_json::from_str(&seat.manner).unwrap_or_default()
    }

    /// Whether a board was asked for, so that one counts as open.
    pub fn has_board(seat: &SavedSeat) -> bool {
        ChessManner::of(seat).ui == Ui::Always
    }

    pub fn write(self) -> String {
        serde_json::to_string(&self).expect("a manner can be written")
    }
}
