//! How a seat wants to be spoken to. Kept with the seat, so that it holds for every answer.

use serde::{Deserialize, Serialize};

use crate::{
    mcp::{ask::BoardStyle, caller::Caller},
    store::SavedSeat,
};

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

    /// Whether a board counts as open because it was asked for, or because the host shows one as
    /// soon as it has the answer.
    pub fn has_board(self, caller: &Caller) -> bool {
        self.ui == Ui::Always || self.ui == Ui::HumansTurn && caller.has_apps()
    }

    pub fn write(self) -> String {
        serde_json::to_string(&self).expect("a manner can be written")
    }
}
