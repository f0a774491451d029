//! The arguments of the tools of every game, as types. A room says what they mean in its games.

use std::borrow::Cow;

use rmcp::model::JsonObject;
use rules::{Ask, Seat, short};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::Value;

use super::{
    arguments::{GameArg, OneOf, Range, WholeNumber, Word, any_object},
    caller::Caller,
    refusals::Refused,
    table,
};
use crate::{
    hall::{Game, Move, Retry},
    player::{Level, plain_text, wanted_seat},
    store::Hashed,
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

/// The seeds' names for seats. Other games have other words for theirs, which are taken too.
#[derive(Clone, Copy)]
pub struct Color;

impl Word for Color {
    const NAME: &'static str = "color";
    const WORDS: &'static [(&'static str, Color)] = &[("white", Color), ("black", Color)];
}

/// Something a player does beside the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The rules know it by this word.
    Deed(&'static str),
    /// Has the person seated by a new link, which ends the old one.
    NewLink,
}

impl Action {
    /// The word for what any kind has, if a person plays.
    pub const NEW_LINK: &'static str = "newLink";
}

/// `action`, as it was sent. Which there are, the game says that it is meant for.
pub struct ActionArg(Value);

impl ActionArg {
    /// The action, if it is known in these; otherwise why it is not.
    pub fn among(&self, known: &[&'static str]) -> Result<Action, String> {
        let word = self.word();
        if word.eq_ignore_ascii_case(Action::NEW_LINK) {
            return Ok(Action::NewLink);
        }
        let found = known.iter().find(|known| known.eq_ignore_ascii_case(word));
        found.map(|found| Action::Deed(found)).ok_or_else(|| {
            let words: Vec<_> = known.iter().copied().chain([Action::NEW_LINK]).collect();
            let sent = short(&self.0.to_string());
            format!("action must be one of {}, not {sent}", words.join(", "))
        })
    }

    /// As it may be repeated to whoever sent it.
    pub fn told(&self) -> String {
        short(self.word())
    }

    fn word(&self) -> &str {
        self.0.as_str().unwrap_or_default().trim()
    }
}

impl<'de> Deserialize<'de> for ActionArg {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ActionArg, D::Error> {
        Value::deserialize(from).map(ActionArg)
    }
}

impl JsonSchema for ActionArg {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "action".into()
    }
    /// All that there are in any game.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut words = actions_of_all();
        words.push(Action::NEW_LINK);
        json_schema!({ "type": "string", "enum": words })
    }
}

/// All actions beside the board in any game, each once.
pub fn actions_of_all() -> Vec<&'static str> {
    let mut words = Vec::new();
    for word in table::kinds().flat_map(|(kind, _)| kind.actions()) {
        if !words.contains(word) {
            words.push(*word);
        }
    }
    words
}

/// For whom the caller acts, if not for itself.
#[derive(Clone, Copy)]
pub struct Human;

impl Word for Human {
    const NAME: &'static str = "by";
    const WORDS: &'static [(&'static str, Human)] = &[("human", Human)];
}

pub struct DifficultyNumber;

impl Range for DifficultyNumber {
    const NAME: &'static str = "difficulty";
    const FROM: i64 = 1;
    const TO: i64 = 10;
}

pub struct TurnNumber;

/// By which turn a call names, the same call is known when it comes again.
pub fn retry(turn: Option<WholeNumber<TurnNumber>>) -> Retry {
    turn.map_or(Retry::Likely, |turn| Retry::Turn(turn.number as u32))
}

impl Range for TurnNumber {
    const NAME: &'static str = "turn";
    const FROM: i64 = 1;
    const TO: i64 = 1_000_000;
}

/// How many tokens a player says its move cost.
pub struct TokenCount;

impl Range for TokenCount {
    const NAME: &'static str = "tokens";
    const FROM: i64 = 0;
    const TO: i64 = 1_000_000_000;
}

/// A turn to look back at; nought is the beginning.
pub struct PastTurn;

impl Range for PastTurn {
    const NAME: &'static str = "turn";
    const FROM: i64 = 0;
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
        if (SHORTEST_KEY..=LONGEST_KEY).contains(&text.chars().count()) {
            Ok(RequestKey(text))
        } else {
            Err(D::Error::custom(format!(
                "requestId must have {SHORTEST_KEY} to {LONGEST_KEY} characters that nobody else \
                 would choose, like a UUID"
            )))
        }
    }
}

/// A player's own words about a move.
pub struct Comment(pub String);

const LONGEST_COMMENT: usize = 500;

impl<'de> Deserialize<'de> for Comment {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Comment, D::Error> {
        let text = String::deserialize(from)?;
        if text.chars().count() <= LONGEST_COMMENT {
            Ok(Comment(plain_text(&text)))
        } else {
            Err(D::Error::custom(format!("comment must have at most {LONGEST_COMMENT} characters")))
        }
    }
}

/// How boards are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardStyle {
    /// A Markdown table.
    #[default]
    Table,
    /// Letters and dots.
    Letters,
    /// Not drawn: the FEN says it all.
    Fen,
}

impl Word for BoardStyle {
    const NAME: &'static str = "board";
    const WORDS: &'static [(&'static str, BoardStyle)] =
        &[("table", BoardStyle::Table), ("letters", BoardStyle::Letters), ("fen", BoardStyle::Fen)];
}

fn computer() -> OneOf<Opponent> {
    OneOf(Opponent::Computer)
}

fn table() -> OneOf<BoardStyle> {
    OneOf(BoardStyle::Table)
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("required" = ["type"]))]
pub struct CreateGame {
    /// Who plays against you; human: a person at a board.
    // The computer where nobody says who; the schema asks for it all the same.
    #[serde(default = "computer")]
    pub r#type: OneOf<Opponent>,
    /// Yours.
    #[serde(default)]
    #[schemars(with = "OneOf<Color>", extend("default" = "white"))]
    pub color: Option<String>,
    /// Show the person a board: in chess as HTML, elsewhere by a link.
    #[serde(default, rename = "showUi")]
    #[schemars(with = "bool")]
    pub show_ui: Option<bool>,
    /// The computer's.
    #[serde(default)]
    #[schemars(with = "WholeNumber<DifficultyNumber>", extend("default" = 5))]
    pub difficulty: Option<WholeNumber<DifficultyNumber>>,
    /// How it is drawn; fen is the shortest.
    #[serde(default = "table")]
    #[schemars(extend("default" = "table"))]
    pub board: OneOf<BoardStyle>,
    /// What others may call you.
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    #[schemars(skip)]
    pub model: String,
    /// Idempotency key (a UUID).
    #[serde(default, rename = "requestId")]
    #[schemars(with = "String")]
    pub request_id: Option<RequestKey>,
    /// As the game's rules say.
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
    /// Who sits where, in order, instead of type and seat.
    #[serde(default)]
    #[schemars(skip)]
    pub seats: Option<Vec<String>>,
}

#[derive(Deserialize, JsonSchema)]
pub struct JoinGame {
    pub game_id: GameArg,
    /// Which seat, if you have the other.
    #[serde(default)]
    #[schemars(with = "OneOf<Color>")]
    pub color: Option<String>,
    #[serde(default = "table")]
    #[schemars(extend("default" = "table"))]
    pub board: OneOf<BoardStyle>,
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

impl JoinGame {
    /// The seat that is asked for, among seats of these names.
    pub fn wanted_seat(&self, names: &[&str]) -> Result<Option<Seat>, Refused> {
        let wanted = wanted_seat(names, self.seat.as_deref(), self.color.as_deref());
        wanted.map_err(|no| Refused::argument(no, "joinGame"))
    }

    /// By what the same call is known when it comes again.
    pub fn key(&self, game: &Game, caller: &Caller) -> Option<Hashed> {
        let key = self.request_id.as_ref()?;
        caller.request_key(&format!("joinGame {}", game.id()), &key.0)
    }

    /// What speaks for the seat that is taken. A connection speaks for its first seat; the second
    /// has its pass.
    pub fn speaking(&self, game: &Game, seated: Option<Seat>, caller: &Caller) -> Vec<Hashed> {
        let connection = caller.connection.filter(|_| seated.is_none());
        connection.into_iter().chain(self.key(game, caller)).collect()
    }
}

#[derive(Deserialize, JsonSchema)]
pub struct WaitForNextTurn {
    pub game_id: GameArg,
}

#[derive(Deserialize, JsonSchema)]
pub struct FinishTurn {
    pub game_id: GameArg,
    /// As the game writes it.
    pub r#move: String,
    /// Assert that this move is checkmate; otherwise the move is rejected.
    #[serde(default)]
    pub claim_win: bool,
    /// The last answer's turn; makes a retry safe.
    #[serde(default)]
    #[schemars(with = "i64")]
    pub turn: Option<WholeNumber<TurnNumber>>,
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
    /// How many tokens the move cost you.
    #[serde(default)]
    #[schemars(skip)]
    pub tokens: Option<WholeNumber<TokenCount>>,
}

impl FinishTurn {
    /// Whether the agent passes on a move of its person's. With a comment it is refused, because
    /// readers would take the comment for the person's own.
    pub fn is_relayed(&self) -> Result<bool, Refused> {
        if self.by.is_some() && self.comment.is_some() {
            return Err(Refused::new(
                "Error: comment is for your own moves only; leave it out when you send by. Nothing was played.",
            ));
        }
        Ok(self.by.is_some())
    }

    /// What is to be played at `seat`, read as `meant`.
    pub fn at(self, seat: Seat, meant: impl Into<Ask>) -> Move {
        Move {
            claims_win: self.claim_win,
            comment: self.comment.map(|comment| comment.0).filter(|comment| !comment.is_empty()),
            tokens: self.tokens.map(|tokens| tokens.number as u32),
            ..Move::new(seat, meant, retry(self.turn))
        }
    }
}

#[derive(Deserialize, JsonSchema)]
pub struct GetGame {
    pub game_id: GameArg,
    /// Also evaluate, where hints are on or it is over.
    #[serde(default)]
    pub hint: bool,
    /// How it looked after this turn, for the board in the chat.
    #[serde(default)]
    #[schemars(skip)]
    pub turn: Option<WholeNumber<PastTurn>>,
}

#[derive(Deserialize, JsonSchema)]
pub struct GameAction {
    pub game_id: GameArg,
    /// With claimDraw, if it takes one.
    #[serde(default)]
    #[schemars(with = "String")]
    pub r#move: Option<String>,
    pub action: ActionArg,
    /// The person told you to; without it you act for yourself.
    #[serde(default)]
    #[schemars(with = "OneOf<Human>")]
    pub by: Option<OneOf<Human>>,
    #[serde(default)]
    #[schemars(with = "i64")]
    pub turn: Option<WholeNumber<TurnNumber>>,
}

impl<R> Clone for WholeNumber<R> {
    fn clone(&self) -> WholeNumber<R> {
        *self
    }
}

impl<R> Copy for WholeNumber<R> {}

impl From<WholeNumber<DifficultyNumber>> for Level {
    fn from(level: WholeNumber<DifficultyNumber>) -> Level {
        Level::new(level.number as u8).expect("the range of difficulties is that of levels")
    }
}
