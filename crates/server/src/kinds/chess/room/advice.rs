//! What the chess tools say is to be done next.

use rules::chess::{BLACK, WHITE};

use super::{facts::Status, manner::Ui, words::Scene};
use crate::{
    mcp::person::{Owed, ask_them},
    player::Player,
};

impl Scene<'_> {
    /// What the caller is to send as game_id.
    pub(super) fn own_id(&self) -> String {
        self.pass.map_or_else(|| self.look.id.to_string(), |pass| pass.to_string())
    }

    pub(super) fn next_action(&self) -> String {
        let id = self.own_id();
        if self.asks {
            let (yes, no) = self.answers();
            return ask_them(
                &id,
                &match self.look.asked {
                    Some(_) => Owed::Answer(yes, no),
                    None if self.look.view.setup.typed_moves.is_some() => Owed::Move,
                    None => Owed::MoveOnBoard,
                },
            );
        }
        if self.is_lean() {
            return self.lean_action();
        }
        let wait = format!("call `waitForNextTurn(game_id=\"{id}\")`");
        let mine = self.is_due();
        match Status::of(self.look, self.seat) {
            Status::Over => "No further actions needed.".into(),
            Status::YourTurn if self.look.asked.is_some() => {
                format!("To hear the answer, {wait}; or play on with `finishTurn`.")
            }
            Status::YourTurn => {
                format!("Decide your move and call `finishTurn(game_id=\"{id}\", move)`.")
            }
            Status::Asked => {
                let (yes, no) = self.answers();
                let or = if mine { ", or play on with `finishTurn`" } else { "" };
                format!(
                    "Answer with `gameAction(game_id=\"{id}\", action=\"{yes}\")` or \
                     `action=\"{no}\"`{or}."
                )
            }
            Status::Watching => match self.look.seats.at(WHITE).and(self.look.seats.at(BLACK)) {
                Some(_) => format!("Call `getGame(game_id=\"{id}\")` again to follow the game."),
                None => format!("Call `joinGame(game_id=\"{id}\")` to take the free seat."),
            },
            Status::Waiting | Status::Timeout => match self.opponent() {
                Some(Player::Human) => {
                    let ui = match (self.manner.ui, self.person()) {
                        (Ui::Never, _) | (_, None) => "",
                        (_, Some(_)) => "UI returned for human. ",
                    };
                    let told = match self.look.view.setup.typed_moves {
                        Some(_) => format!(
                            " If they tell you their move, call `finishTurn(game_id=\"{id}\", \
                             move, by=\"human\")`; if they resign, offer a draw or want a move \
                             back, `gameAction` with by=\"human\"."
                        ),
                        None => String::new(),
                    };
                    format!("{ui}To learn their move, {wait}.{told}")
                }
                Some(Player::Agent) if self.is_human(self.seat) => {
                    format!("The agent decides a move and calls `finishTurn`, or may {wait} first.")
                }
                None => format!(
                    "Give the other player the game id {} to join with `joinGame`, then {wait}.",
                    self.look.id
                ),
                _ => format!("Now {wait}."),
            },
        }
    }

    /// The same in few words.
    fn lean_action(&self) -> String {
        let id = self.own_id();
        let wait = || format!("waitForNextTurn(game_id=\"{id}\")");
        match Status::of(self.look, self.seat) {
            Status::Over => "none".into(),
            Status::YourTurn if self.look.asked.is_some() => format!("{}, or finishTurn", wait()),
            Status::YourTurn => format!("finishTurn(game_id=\"{id}\", move)"),
            Status::Asked => {
                let (yes, no) = self.answers();
                format!("gameAction(game_id=\"{id}\", action=\"{yes}\" or \"{no}\")")
            }
            Status::Watching => format!("getGame(game_id=\"{id}\")"),
            Status::Waiting | Status::Timeout => wait(),
        }
    }

    /// How a question is answered, yes and no.
    fn answers(&self) -> (&'static str, &'static str) {
        match self.look.view.draw_offer {
            Some(_) => ("acceptDraw", "declineDraw"),
            None => ("takeback", "declineTakeback"),
        }
    }
}
