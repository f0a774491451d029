//! Chess: its words and facts, hints and the analyst, the engine and its guests, UCI.

pub mod analyst;
pub mod computer;
mod decisions;
pub mod engine;
pub mod facts;
pub mod guest;
pub mod hints;
pub mod pages;
pub mod pgn;
mod prompt;
mod review;
pub mod room;
mod seen;
pub mod uci;

use std::sync::Arc;

use chess_engine::EngineLevel;
use rules::{Kind, Rules, chess::Chess};

use self::prompt::PLAY_CHESS;
use crate::{
    hall::{self, describe},
    mcp::{
        McpService,
        apps::BoardPage,
        room::{Plays, Room},
    },
    player::{self, Player},
    store::SavedSeat,
};

/// What the page with the board is called where chess is at home, as it always was.
pub const BOARD: BoardPage = BoardPage {
    uri: "ui://chess/board",
    name: "Chess board",
    about: "The board that is shown beside the chess tools' answers.",
};

/// Where chess alone is played.
pub fn room() -> Room {
    Room {
        name: Chess::KIND,
        instructions: "Chess: start with createGame, or joinGame if you were given a game id; \
                       listGames finds a game to go on with. Every answer ends with the next \
                       action; follow it. A timeout of waitForNextTurn is normal: call it again. \
                       Keep your pass to yourself, and send it as game_id."
            .into(),
        picture: "M12 3a3 3 0 0 0-2 5.2L9 9v2h1.3c0 3-1 5-3.3 6v2h10v-2c-2.3-1-3.3-3-3.3-6H15V9l-1-.8A3 3 \
                  0 0 0 12 3z",
        prompt: Some(&PLAY_CHESS),
        tools: || McpService::table_tools() + McpService::games_tools() + McpService::plain_tools(),
        dress: Some(Arc::new(room::dress)),
        plays: Plays::Only(Kind::of::<Chess>()),
        lists: vec![Chess::KIND],
        begins: Some("one with createGame"),
        resource: Some("Chess game"),
        board: Some(&BOARD),
    }
}

/// What a level comes to at the chessboard.
pub fn level(level: player::Level) -> EngineLevel {
    EngineLevel::new(level.get()).expect("levels go from 1 to 10 everywhere")
}

/// How strong the computer at a seat is, on the scale of docs/levels.md.
pub fn rating(seat: Option<&SavedSeat>) -> Option<u16> {
    match seat?.player {
        Player::Computer(strength) => Some(level(strength).rating()),
        Player::Human | Player::Agent => None,
    }
}

/// Who sits there, for a model, and how strong they are where that is known: `computer, level 3
/// (~700)`.
pub fn introduce(seat: Option<&SavedSeat>) -> String {
    match rating(seat) {
        Some(rating) => format!("{} (~{rating})", describe(seat)),
        None => hall::introduce(seat),
    }
}
