//! What the chess tools are asked, as types.

use chess_engine::Level;
use rules::{
    Seat,
    chess::{BLACK, WHITE},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::manner::Board;
use crate::mcp::arguments::{GameArg, OneOf, Range, Whole, Word};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Opponent {
    Computer,
    Agent,
    Human,
}

impl Word for Opponent {
    const NAME: &'static str = "type";
    const WORDS: &'static [(&'static str, Opponent)] =
        &[("computer", Opponent::Computer), ("agent", Opponent::Agent), ("human", Opponent::Human)];
}

#[derive(Clone, Copy)]
pub struct Color(pub Seat);

impl Word for Color {
    const NAME: &'static str = "color";
    const WORDS: &'static [(&'static str, Color)] =
        &[("white", Color(WHITE)), ("black", Color(BLACK))];
}

/// Something a player does beside the board. The rules know it by the same word.
#[derive(Clone, Copy)]
pub struct Action(pub &'static str);

impl Word for Action {
    const NAME: &'static str = "action";
    const WORDS: &'static [(&'static str, Action)] = &[
        ("resign", Action("resign")),
        ("offerDraw", Action("offerDraw")),
        ("acceptDraw", Action("acceptDraw")),
        ("declineDraw", Action("declineDraw")),
        ("claimDraw", Action("claimDraw")),
        ("takeback", Action("takeback")),
        ("declineTakeback", Action("declineTakeback")),
    ];
}

pub struct Difficulty;

impl Range for Difficulty {
    const NAME: &'static str = "difficulty";
    const FROM: i64 = 1;
    const TO: i64 = 10;
}

pub struct TurnNumber;

impl Range for TurnNumber {
    const NAME: &'static str = "turn";
    const FROM: i64 = 1;
    const TO: i64 = 1_000_000;
}

fn white() -> OneOf<Color> {
    OneOf(Color(WHITE))
}

fn middling() -> Whole<Difficulty> {
    Whole::new(5)
}

fn table() -> OneOf<Board> {
    OneOf(Board::Table)
}

#[derive(Deserialize, JsonSchema)]
pub struct CreateGame {
    /// Who plays against you: the computer, another agent who joins, or a person at a board.
    pub r#type: OneOf<Opponent>,
    /// Your colour; white moves first.
    #[serde(default = "white")]
    #[schemars(extend("default" = "white"))]
    pub color: OneOf<Color>,
    /// Also answer with an interactive HTML board. Left out: for games with a person.
    #[serde(default, rename = "showUi")]
    #[schemars(with = "bool")]
    pub show_ui: Option<bool>,
    /// How strong the computer is: 1 beginner (rated 351) to 10 (2760), on the CCRL blitz scale.
    #[serde(default = "middling")]
    #[schemars(extend("default" = 5))]
    pub difficulty: Whole<Difficulty>,
    /// How boards are drawn for you; fen is the shortest.
    #[serde(default = "table")]
    #[schemars(extend("default" = "table"))]
    pub board: OneOf<Board>,
    /// Start from this position instead of the usual one.
    #[serde(default)]
    #[schemars(with = "String")]
    pub fen: Option<String>,
    /// Both sides may ask getGame for hints. An agent who joins must agree.
    #[serde(default)]
    pub hints: bool,
}

#[derive(Deserialize, JsonSchema)]
pub struct JoinGame {
    pub game_id: GameArg,
    /// How boards are drawn for you; fen is the shortest.
    #[serde(default = "table")]
    #[schemars(extend("default" = "table"))]
    pub board: OneOf<Board>,
    /// Agree to hints for both sides, where the game offers them.
    #[serde(default)]
    pub hints: bool,
}

#[derive(Deserialize, JsonSchema)]
pub struct WaitForNextTurn {
    pub game_id: GameArg,
}

#[derive(Deserialize, JsonSchema)]
pub struct FinishTurn {
    pub game_id: GameArg,
    /// In UCI, like e2e4 or a7a8q; SAN, like Nf3 or O-O, is understood too.
    pub r#move: String,
    /// Claim that this move gives checkmate; if it does not, it is not played.
    #[serde(default)]
    pub claim_win: bool,
    /// The number of the turn you mean, from the last answer's `turn`; makes a retry safe.
    #[serde(default)]
    #[schemars(with = "i64")]
    pub turn: Option<Whole<TurnNumber>>,
}

#[derive(Deserialize, JsonSchema)]
pub struct GetGame {
    pub game_id: GameArg,
    /// Also evaluate: the position, where hints are on; once it is over, every move in the PGN.
    #[serde(default)]
    pub hint: bool,
}

#[derive(Deserialize, JsonSchema)]
pub struct GameAction {
    pub game_id: GameArg,
    /// With claimDraw: the move you mean to play, if that is what brings the draw about.
    #[serde(default)]
    #[schemars(with = "String")]
    pub r#move: Option<String>,
    /// takeback asks for your last move back, or agrees when your opponent has asked.
    pub action: OneOf<Action>,
    /// The number of the turn you mean, from the last answer's `turn`; makes a retry safe.
    #[serde(default)]
    #[schemars(with = "i64")]
    pub turn: Option<Whole<TurnNumber>>,
}

impl From<Whole<Difficulty>> for Level {
    fn from(difficulty: Whole<Difficulty>) -> Level {
        let level = u8::try_from(difficulty.number).ok().and_then(Level::new);
        level.expect("there are ten levels")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratings_that_are_told_are_those_measured() {
        let schema = serde_json::to_string(&schemars::schema_for!(CreateGame)).expect("a schema");
        for level in [1, 10].map(|n| Level::new(n).expect("a level")) {
            assert!(schema.contains(&level.rating().to_string()), "level {}", level.get());
        }
    }
}
