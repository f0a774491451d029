//! A game of any kind as facts for programs: what `structuredContent` carries.

use std::sync::Arc;

use rmcp::model::JsonObject;
use rules::Turn;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json, value::RawValue};
use ts_rs::TS;

use crate::{
    hall::{Sight, introduce},
    mcp::arguments::any_object,
};

/// Of what was played and said, so much is told; the pages have it all.
const MOST_TURNS: usize = 100;

/// The game as it stands.
#[derive(Serialize, JsonSchema)]
pub struct PlainFacts<'a> {
    pub game_id: String,
    /// Your secret: send it as game_id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub pass: Option<String>,
    /// Which one it is.
    pub game: &'static str,
    pub status: &'static str,
    /// Why the call was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub error: Option<String>,
    /// Your seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub you: Option<&'static str>,
    pub seats: Vec<SeatFacts>,
    /// What was set up otherwise than usual.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schemars(schema_with = "any_object")]
    pub setup: Map<String, Value>,
    /// A player chose the seed, so the game is rated nowhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(skip)]
    pub practice: bool,
    /// The number of the turn to be played next.
    pub turn: u32,
    /// What others did since your own last turn, and what was drawn or shown.
    pub since: Vec<NewsFacts>,
    /// As this kind of game is seen from your seat.
    #[schemars(schema_with = "any_object")]
    pub view: &'a RawValue,
    pub legal_moves: &'a [String],
    /// The last 100 turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<TurnFacts>")]
    pub history: Option<Vec<TurnFacts>>,
    /// What players say of their moves, once it is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<RemarkFacts>,
    /// How the game ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub result: Option<&'a str>,
    /// One for each seat, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<i32>")]
    pub points: Option<&'a [i32]>,
    /// The SHA-256 of the seed, where something is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub seed_hash: Option<&'a str>,
    /// What everything was drawn by, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub seed: Option<String>,
    /// The SHA-256 of the number the computer's choices come from, where it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub luck_hash: Option<&'a str>,
    /// That number, once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub luck: Option<String>,
    pub next_action: String,
}

/// Who sits at a seat, in words.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub struct SeatFacts {
    seat: &'static str,
    player: String,
}

/// What somebody did.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
#[schemars(inline)]
pub struct TurnFacts {
    pub turn: u32,
    pub by: &'static str,
    pub r#move: String,
}

/// What somebody did, or what a turn brought for everybody to see.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged)]
pub enum NewsFacts {
    Turn(TurnFacts),
    Revealed { turn: u32, revealed: String },
}

/// What somebody says of a turn.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub struct RemarkFacts {
    pub turn: u32,
    pub by: &'static str,
    pub comment: String,
}

impl NewsFacts {
    pub fn revealed(turn: u32, text: &str) -> NewsFacts {
        NewsFacts::Revealed { turn, revealed: text.to_owned() }
    }

    /// Which it belongs to.
    pub fn turn(&self) -> u32 {
        match self {
            NewsFacts::Turn(TurnFacts { turn, .. }) | NewsFacts::Revealed { turn, .. } => *turn,
        }
    }
}

impl TurnFacts {
    pub fn of(sight: &Sight, turn: &Turn) -> TurnFacts {
        TurnFacts { turn: turn.number, by: sight.name(turn.seat), r#move: turn.text.clone() }
    }
}

pub fn seats(sight: &Sight) -> Vec<SeatFacts> {
    let told = sight
        .all_seats()
        .map(|seat| SeatFacts { seat: sight.name(seat), player: introduce(sight.seats.at(seat)) });
    told.collect()
}

/// The last of what was played.
pub fn history(sight: &Sight) -> Vec<TurnFacts> {
    let told = &sight.turns[sight.turns.len().saturating_sub(MOST_TURNS)..];
    told.iter().map(|(turn, _)| TurnFacts::of(sight, turn)).collect()
}

pub fn comments(sight: &Sight) -> Vec<RemarkFacts> {
    let last = &sight.comments[sight.comments.len().saturating_sub(MOST_TURNS)..];
    let told = last.iter().map(|(turn, by, comment)| RemarkFacts {
        turn: *turn,
        by: sight.name(*by),
        comment: comment.clone(),
    });
    told.collect()
}

/// The output schema of a tool of every game, if it is one, in games of the plain kind.
pub fn answers(tool: &str) -> Option<Arc<JsonObject>> {
    answers_like::<PlainFacts>(tool, &[("view", "object"), ("legal_moves", "array")])
}

/// The output schema of a tool of every game, where `F` is the whole answer and `own` are the fields
/// that every answer of this kind has. Models pay for schemas: only `getGame` gets the whole one.
pub fn answers_like<F: JsonSchema + 'static>(
    tool: &str,
    own: &[(&str, &str)],
) -> Option<Arc<JsonObject>> {
    match tool {
        "getGame" => {
            let mut schema = rmcp::handler::server::tool::schema_for_output::<F>();
            let properties = Arc::make_mut(&mut schema).get_mut("properties");
            let properties = properties.and_then(Value::as_object_mut).expect("facts have fields");
            properties.extend([typed(&LINK)]);
            Some(schema)
        }
        "createGame" | "joinGame" | "waitForNextTurn" | "finishTurn" | "gameAction" => {
            Some(Arc::new(short_schema(own)))
        }
        _ => None,
    }
}

/// The person's link to their board, which every answer may have.
const LINK: (&str, &str) = ("link", "string");

fn short_schema(own: &[(&str, &str)]) -> JsonObject {
    let before = [
        ("game_id", "string"),
        ("pass", "string"),
        ("game", "string"),
        ("status", "string"),
        ("you", "string"),
        ("turn", "integer"),
        ("since", "array"),
    ];
    let after = [("result", "string"), ("points", "array"), LINK, ("next_action", "string")];
    let properties: JsonObject = before.iter().chain(own).chain(&after).map(typed).collect();
    let always = ["game_id", "game", "status", "turn"].iter();
    let own = own.iter().map(|(name, _)| name);
    let required: Vec<_> = always.chain(own).chain(&["next_action"]).collect();
    JsonObject::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), Value::Object(properties)),
        ("required".to_owned(), json!(required)),
    ])
}

fn typed((name, kind): &(&str, &str)) -> (String, Value) {
    ((*name).to_owned(), json!({ "type": kind }))
}
