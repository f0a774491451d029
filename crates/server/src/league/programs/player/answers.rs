//! What a player says in MCP's own words: its welcome, its two tools, its state. The order of the fields
//! is the order on the wire.
//!
//! What it says to a league is in `wire`.

use serde::Serialize;
use serde_json::Value;

use super::memory::Choice;
use crate::league::wire::rpc::{Capabilities, Empty, SoftwareTold, ToolSpoken};

/// What is spoken here of MCP.
const PROTOCOLS: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", NEWEST];
const NEWEST: &str = "2025-11-25";
/// Below what most MCP hosts wait for.
pub const LONGEST_WAIT: u64 = 25;

/// The result of one of MCP's methods.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum McpAnswer {
    Welcome(Welcome),
    Pong(Empty),
    Tools { tools: Vec<ToolOffered> },
    Called(ToolSpoken),
    Resources { resources: [StateOffered; 1] },
    Templates { resource_templates: [Empty; 0] },
    Prompts { prompts: [Empty; 0] },
    Read { contents: [StateRead; 1] },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    protocol_version: &'static str,
    capabilities: Capabilities,
    server_info: SoftwareTold,
}

impl Welcome {
    /// In the protocol that was asked for, if it is one of ours.
    pub fn to(asked: Option<&str>) -> Welcome {
        let known = PROTOCOLS.iter().find(|known| Some(**known) == asked);
        Welcome {
            protocol_version: known.unwrap_or(&NEWEST),
            capabilities: Capabilities::PLAIN,
            server_info: SoftwareTold { name: "agon-player", version: env!("CARGO_PKG_VERSION") },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolOffered {
    name: &'static str,
    description: &'static str,
    input_schema: InputSchema,
}

#[derive(Serialize)]
struct InputSchema {
    r#type: &'static str,
    properties: Properties,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    required: &'static [&'static str],
}

/// All that either tool can be told.
#[derive(Serialize, Default)]
struct Properties {
    #[serde(skip_serializing_if = "Option::is_none")]
    wait_seconds: Option<PropertySchema>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<PropertySchema>,
    #[serde(skip_serializing_if = "Option::is_none")]
    match_id: Option<PropertySchema>,
}

#[derive(Serialize)]
struct PropertySchema {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<u64>,
}

impl PropertySchema {
    const TEXT: PropertySchema = PropertySchema { r#type: "string", minimum: None, maximum: None };

    const fn whole(minimum: u64, maximum: u64) -> PropertySchema {
        PropertySchema { r#type: "integer", minimum: Some(minimum), maximum: Some(maximum) }
    }
}

pub fn tools() -> Vec<ToolOffered> {
    let waiting = Properties {
        wait_seconds: Some(PropertySchema::whole(0, LONGEST_WAIT)),
        ..Properties::default()
    };
    let moving = Properties {
        number: Some(PropertySchema::whole(1, 5)),
        match_id: Some(PropertySchema::TEXT),
        ..Properties::default()
    };
    vec![
        ToolOffered {
            name: "get_my_state",
            description: "The player's state: its id, the moves that are asked of it now, its \
                          last match and its record. With wait_seconds, waits for a move to be \
                          asked for.",
            input_schema: InputSchema { r#type: "object", properties: waiting, required: &[] },
        },
        ToolOffered {
            name: "make_move",
            description: "Plays the move that is asked for: one to five. Where even or odd is \
                          to be said, an even number says even and an odd one odd.",
            input_schema: InputSchema {
                r#type: "object",
                properties: moving,
                required: &["number"],
            },
        },
    ]
}

/// The one resource there is.
pub const STATE: &str = "player://state";
const JSON: &str = "application/json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StateOffered {
    uri: &'static str,
    name: &'static str,
    mime_type: &'static str,
}

impl StateOffered {
    pub const HERE: StateOffered = StateOffered { uri: STATE, name: "My state", mime_type: JSON };
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StateRead {
    uri: &'static str,
    mime_type: &'static str,
    text: String,
}

impl StateRead {
    pub fn of(state: &PlayerState) -> StateRead {
        let text = serde_json::to_string(state).expect("a state has text for its keys");
        StateRead { uri: STATE, mime_type: JSON, text }
    }
}

/// What `make_move` says when it has made one.
#[derive(Serialize)]
pub struct Moved {
    pub status: &'static str,
    pub match_id: String,
    #[serde(rename = "move")]
    pub played: Choice,
}

/// What `get_my_state` tells.
#[derive(Serialize)]
pub struct PlayerState {
    pub name: String,
    pub player_id: Option<String>,
    pub league_id: Option<String>,
    pub strategy: String,
    pub registered: bool,
    pub moves_asked: Vec<MoveAsked>,
    pub last_match: Option<MatchPlayed>,
    pub record: OwnRecord,
}

/// A move that is asked for.
#[derive(Serialize)]
pub struct MoveAsked {
    pub match_id: String,
    pub game_round: u32,
    pub game: &'static str,
    pub role: Option<String>,
    pub previous_rounds: Vec<RoundPlayed>,
}

#[derive(Serialize)]
pub struct MatchPlayed {
    pub match_id: String,
    pub opponent_id: Option<String>,
    pub over: bool,
    pub rounds: Vec<RoundPlayed>,
}

/// What is remembered of a round, as the referee told it.
#[derive(Serialize, Clone)]
pub struct RoundPlayed {
    pub game_round: u32,
    pub moves: Option<Value>,
    pub winner: Option<Value>,
}

#[derive(Serialize)]
pub struct OwnRecord {
    pub played: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}
