//! What the chess tools are asked, as types.

use chess_engine::Level;
use rmcp::model::JsonObject;
use rules::{
    Seat,
    chess::{BLACK, WHITE},
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

use super::manner::Board;
use crate::{
    mcp::{
        arguments::{GameArg, OneOf, Range, Whole, Word},
        reading::{short, switch, text},
        reply::Refused,
    },
    player::plain_text,
};

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

/// Something a player does beside the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The rules know it by this word.
    Move(&'static str),
    /// Has the person seated by a new link, which ends the old one.
    NewLink,
}

impl Action {
    /// The one that may come with a move.
    pub const CLAIM_DRAW: Action = Action::Move("claimDraw");
}

impl Word for Action {
    const NAME: &'static str = "action";
    const WORDS: &'static [(&'static str, Action)] = &[
        ("resign", Action::Move("resign")),
        ("offerDraw", Action::Move("offerDraw")),
        ("acceptDraw", Action::Move("acceptDraw")),
        ("declineDraw", Action::Move("declineDraw")),
        ("claimDraw", Action::CLAIM_DRAW),
        ("takeback", Action::Move("takeback")),
        ("declineTakeback", Action::Move("declineTakeback")),
        ("newLink", Action::NewLink),
    ];
}

/// Whose move it is that the caller plays, if it is not its own.
#[derive(Clone, Copy)]
pub struct Human;

impl Word for Human {
    const NAME: &'static str = "by";
    const WORDS: &'static [(&'static str, Human)] = &[("human", Human)];
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

/// A key by which the same call is known when it comes again. Whoever knows it gets the same
/// answer, a pass in it, so it must not be one that somebody else may think of.
pub struct RequestKey(pub String);

const SHORTEST_KEY: usize = 8;
const LONGEST_KEY: usize = 100;

impl<'de> Deserialize<'de> for RequestKey {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<RequestKey, D::Error> {
        let text = String::deserialize(from)?;
        match (SHORTEST_KEY..=LONGEST_KEY).contains(&text.chars().count()) {
            true => Ok(RequestKey(text)),
            false => Err(D::Error::custom(format!(
                "requestId must have {SHORTEST_KEY} to {LONGEST_KEY} characters that nobody else \
                 would choose, like a UUID"
            ))),
        }
    }
}

/// What a player says of a move.
pub struct Comment(pub String);

const LONGEST_COMMENT: usize = 500;

impl<'de> Deserialize<'de> for Comment {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Comment, D::Error> {
        let text = String::deserialize(from)?;
        match text.chars().count() <= LONGEST_COMMENT {
            true => Ok(Comment(plain_text(&text))),
            false => Err(D::Error::custom(format!(
                "comment must have at most {LONGEST_COMMENT} characters"
            ))),
        }
    }
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
    /// Who plays against you; human: a person at a board.
    pub r#type: OneOf<Opponent>,
    /// Yours; white moves first.
    #[serde(default = "white")]
    #[schemars(extend("default" = "white"))]
    pub color: OneOf<Color>,
    /// Answer with an interactive HTML board.
    #[serde(default, rename = "showUi")]
    #[schemars(with = "bool")]
    pub show_ui: Option<bool>,
    /// The computer's, from 1 (rated 328) to 10 (2760).
    #[serde(default = "middling")]
    #[schemars(extend("default" = 5))]
    pub difficulty: Whole<Difficulty>,
    /// How it is drawn; fen is the shortest.
    #[serde(default = "table")]
    #[schemars(extend("default" = "table"))]
    pub board: OneOf<Board>,
    /// What others may call you.
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    #[schemars(skip)]
    pub model: String,
    /// Makes a retry safe; a UUID.
    #[serde(default, rename = "requestId")]
    #[schemars(with = "String")]
    pub request_id: Option<RequestKey>,
    /// fen, pgn, variant (chess960); true: hints (both may ask getGame), live_comments; false:
    /// typed_moves, loose (move texts), resigns (computer).
    #[serde(default)]
    #[schemars(schema_with = "any_object")]
    pub setup: JsonObject,
    #[serde(default)]
    #[schemars(skip)]
    pub fen: Option<String>,
    #[serde(default)]
    #[schemars(skip)]
    pub hints: Option<bool>,
    #[serde(default)]
    #[schemars(skip)]
    pub game: Option<String>,
    /// Beside color, in games whose seats are called otherwise.
    #[serde(default)]
    #[schemars(skip)]
    pub seat: Option<String>,
}

/// What else a game is set up with.
#[derive(Default)]
pub struct Wishes {
    pub fen: Option<String>,
    pub variant: Option<String>,
    pub pgn: Option<String>,
    pub hints: Option<bool>,
    pub typed_moves: Option<bool>,
    pub loose: Option<bool>,
    pub resigns: Option<bool>,
    pub live_comments: Option<bool>,
}

impl Wishes {
    pub fn of(setup: JsonObject) -> Result<Wishes, Refused> {
        let mut wishes = Wishes::default();
        for (key, value) in setup {
            wishes.add(&key, value).map_err(|why| {
                Refused::new(format!("Error: {why}. Correct it and call createGame again."))
            })?;
        }
        Ok(wishes)
    }

    /// Or why not, naming the part that is wrong.
    fn add(&mut self, key: &str, value: Value) -> Result<(), String> {
        let name = format!("setup.{key}");
        match key {
            "fen" => self.fen = Some(text(&name, value)?),
            "variant" => self.variant = Some(text(&name, value)?),
            "pgn" => self.pgn = Some(text(&name, value)?),
            "hints" => self.hints = Some(switch(&name, value)?),
            "typed_moves" => self.typed_moves = Some(switch(&name, value)?),
            "loose" => self.loose = Some(switch(&name, value)?),
            "resigns" => self.resigns = Some(switch(&name, value)?),
            "live_comments" => self.live_comments = Some(switch(&name, value)?),
            _ => {
                return Err(format!(
                    "setup has no {:?}; it takes fen, variant, pgn, hints, typed_moves, loose, \
                     resigns, live_comments",
                    short(key)
                ));
            }
        }
        Ok(())
    }
}

fn any_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "object" })
}

#[derive(Deserialize, JsonSchema)]
pub struct JoinGame {
    pub game_id: GameArg,
    /// Which seat, if you have the other.
    #[serde(default)]
    #[schemars(with = "OneOf<Color>")]
    pub color: Option<OneOf<Color>>,
    #[serde(default = "table")]
    #[schemars(extend("default" = "table"))]
    pub board: OneOf<Board>,
    /// Agree to hints, where offered.
    #[serde(default)]
    pub hints: bool,
    #[serde(default)]
    #[schemars(skip)]
    pub seat: Option<String>,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    #[schemars(skip)]
    pub model: String,
    #[serde(default, rename = "requestId")]
    #[schemars(with = "String")]
    pub request_id: Option<RequestKey>,
}

#[derive(Deserialize, JsonSchema)]
pub struct WaitForNextTurn {
    pub game_id: GameArg,
}

#[derive(Deserialize, JsonSchema)]
pub struct FinishTurn {
    pub game_id: GameArg,
    /// UCI, like a7a8q, or SAN, like Nf3.
    pub r#move: String,
    /// Claim checkmate; if it is none, nothing is played.
    #[serde(default)]
    pub claim_win: bool,
    /// The last answer's turn; makes a retry safe.
    #[serde(default)]
    #[schemars(with = "i64")]
    pub turn: Option<Whole<TurnNumber>>,
    /// Wait for the reply.
    #[serde(default)]
    pub wait: bool,
    /// The person told you their move.
    #[serde(default)]
    #[schemars(with = "OneOf<Human>")]
    pub by: Option<OneOf<Human>>,
    /// Shown at the end.
    #[serde(default)]
    #[schemars(with = "String")]
    pub comment: Option<Comment>,
}

#[derive(Deserialize, JsonSchema)]
pub struct GetGame {
    pub game_id: GameArg,
    /// Also evaluate, where hints are on or it is over.
    #[serde(default)]
    pub hint: bool,
}

#[derive(Deserialize, JsonSchema)]
pub struct GameAction {
    pub game_id: GameArg,
    /// With claimDraw, if it takes one.
    #[serde(default)]
    #[schemars(with = "String")]
    pub r#move: Option<String>,
    pub action: OneOf<Action>,
    #[serde(default)]
    #[schemars(with = "i64")]
    pub turn: Option<Whole<TurnNumber>>,
}

impl From<Whole<Difficulty>> for Level {
    fn from(level: Whole<Difficulty>) -> Level {
        Level::new(level.number as u8).expect("the range of difficulties is that of levels")
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
