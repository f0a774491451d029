//! A player's answers in MCP's own words: its welcome, its two tools, its state. The order of the
//! fields is the order on the wire. Its answers to a league are in `wire`.

use serde_json::{Value, json};

/// The versions of MCP that a player speaks.
const PROTOCOLS: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", NEWEST];
const NEWEST: &str = "2025-11-25";
/// Below what most MCP hosts wait for.
pub const LONGEST_WAIT: u64 = 25;
/// The only resource.
pub const STATE: &str = "player://state";

/// Tools and resources, with nothing special about either.
pub fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {} })
}

/// The answer to `initialize`, in the version that was asked for if it is one of ours.
pub fn welcome(asked: Option<&str>) -> Value {
    let known = PROTOCOLS.iter().find(|known| Some(**known) == asked);
    let server = json!({ "name": "agon-player", "version": env!("CARGO_PKG_VERSION") });
    json!({ "protocolVersion": known.unwrap_or(&NEWEST), "capabilities": capabilities(),
        "serverInfo": server })
}

pub fn tools() -> Value {
    let state = "The player's state: its id, the moves that are asked of it now, its last match \
                 and its record. With wait_seconds, waits for a move to be asked for.";
    let moving = "Plays the move that is asked for: one to five. Where even or odd is to be said, \
                  an even number says even and an odd one odd.";
    let seconds = json!({ "type": "integer", "minimum": 0, "maximum": LONGEST_WAIT });
    let number = json!({ "type": "integer", "minimum": 1, "maximum": 5 });
    let move_arguments = json!({ "type": "object",
        "properties": { "number": number, "match_id": { "type": "string" } },
        "required": ["number"] });
    json!({ "tools": [
        { "name": "get_my_state", "description": state,
            "inputSchema": { "type": "object", "properties": { "wait_seconds": seconds } } },
        { "name": "make_move", "description": moving, "inputSchema": move_arguments },
    ] })
}

pub fn resources() -> Value {
    let state = json!({ "uri": STATE, "name": "My state", "mimeType": "application/json" });
    json!({ "resources": [state] })
}

/// The resource, read.
pub fn state_read(state: &Value) -> Value {
    let text = state.to_string();
    json!({ "contents": [{ "uri": STATE, "mimeType": "application/json", "text": text }] })
}
