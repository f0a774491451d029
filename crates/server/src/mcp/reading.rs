//! Reading a call's arguments as they were meant, before they become types.
//!
//! Models leave an argument out by sending null or "", and call it by other names. What cannot be
//! meant is refused where a seat would be taken for it, and otherwise told as ignored.

use rmcp::model::{JsonObject, Tool};
use rules::{quoted, short};
use serde_json::{Map, Value};

pub const CONVERSATION: &str = "conversationId";
pub const REQUEST: &str = "requestId";
pub const SEED: &str = "seed";

/// What callers say for an argument, and what it is called.
const MEANT: &[(&str, &str)] = &[
    ("level", "difficulty"),
    ("strength", "difficulty"),
    ("colour", "color"),
    ("side", "color"),
    ("opponent", "type"),
    ("against", "type"),
    ("ui", "showUi"),
    ("id", "game_id"),
    ("pass", "game_id"),
    ("game", "game_id"),
    ("uci", "move"),
    ("san", "move"),
    ("target", "targetMonsterId"),
    ("item", "itemId"),
    ("npc", "npcId"),
];

/// Arguments that tools take without a word in their list, which models pay for. Some are listed
/// where a game has a use for them; what has none says so itself.
const UNLISTED: &[(&str, &[&str])] = &[
    ("createGame", &["fen", "hints", "game", "seat", "seats", "color", "board", "showUi", "model"]),
    ("joinGame", &["seat", "color", "board", "hints", "model"]),
    ("finishTurn", &["claim_win", "by", "tokens"]),
    ("submit_move", &["tokens"]),
    ("gameRules", &["game"]),
    // What the board in the chat asks for.
    ("getGame", &["turn"]),
];

/// The same of tools that have this one.
const UNLISTED_WITH: &[(&str, &[&str])] =
    &[(CONVERSATION, &[SEED, REQUEST]), ("league_id", &["auth_token"])];

/// What those are that no list has a word for, where they are no texts.
const UNLISTED_TYPES: &[(&str, &str)] =
    &[("claim_win", "boolean"), ("hints", "boolean"), ("seats", "array"), ("showUi", "boolean")];

/// Tools that make something which a misunderstanding would spoil.
const STRICT: [&str; 2] = ["createGame", "joinGame"];

/// These take whole messages of a league, in any of their shapes.
const MESSAGES: [&str; 1] = ["register_player"];

/// A call as it was meant.
pub struct CallMeant {
    pub arguments: JsonObject,
    /// What was sent along and means nothing here.
    pub ignored: Vec<String>,
}

/// How many arguments that make no sense are named.
const MOST_IGNORED: usize = 20;

/// Or why it cannot be carried out, naming the argument.
pub fn read(tool: &Tool, sent: JsonObject) -> Result<CallMeant, String> {
    let name = tool.name.as_ref();
    if MESSAGES.contains(&name) {
        return Ok(CallMeant { arguments: sent, ignored: Vec::new() });
    }
    let empty = Map::new();
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    let properties = properties.unwrap_or(&empty);
    let by_name = UNLISTED.iter().find(|(tool, _)| *tool == name);
    let with = || UNLISTED_WITH.iter().find(|(with, _)| properties.contains_key(*with));
    let unlisted = by_name.or_else(with);
    let unlisted = unlisted.map_or(&[][..], |(_, more)| more);
    // Tools that answer in JSON say in it what is wrong with a value.
    let is_fitted = !properties.contains_key(CONVERSATION);
    let known = || properties.keys().map(String::as_str).chain(unlisted.iter().copied());
    let is_strict = STRICT.contains(&name);
    let mut arguments = JsonObject::new();
    let mut ignored = Vec::new();
    for (key, value) in sent.into_iter().filter(|(_, value)| !is_left_out(value)) {
        let meant = known()
            .find(|name| *name == key)
            .or_else(|| known().find(|name| fold(name) == fold(&key)))
            .or_else(|| {
                let meant = MEANT.iter().filter(|(said, _)| *said == fold(&key));
                meant.map(|(_, name)| *name).find(|name| known().any(|known| known == *name))
            });
        let Some(name) = meant else {
            ignored.push(short(&key));
            continue;
        };
        let value = if is_fitted { fit(name, properties.get(name), value)? } else { value };
        match arguments.get(name) {
            Some(same) if as_text(same) == as_text(&value) => {}
            Some(_) if is_strict => {
                return Err(format!("{name} was sent twice, with two values; leave one out"));
            }
            // What was said by its own name goes before a guess.
            Some(_) if name != key => ignored.push(short(&key)),
            _ => drop(arguments.insert(name.to_owned(), value)),
        }
    }
    ignored.truncate(MOST_IGNORED);
    if is_strict && !ignored.is_empty() {
        let known: Vec<_> = properties.keys().map(String::as_str).collect();
        return Err(format!(
            "{name} has no argument {}; it takes {}",
            ignored.join(", "),
            known.join(", ")
        ));
    }
    Ok(CallMeant { arguments, ignored })
}

fn is_left_out(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// A number and the same number as text are one value.
fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The value as its type asks for, where there is no doubt what it should be.
fn fit(name: &str, schema: Option<&Value>, value: Value) -> Result<Value, String> {
    let unlisted = UNLISTED_TYPES.iter().find(|(unlisted, _)| *unlisted == name);
    let listed = schema.and_then(|schema| schema["type"].as_str());
    let kind = listed.or(unlisted.map(|(_, kind)| *kind)).unwrap_or_default();
    match (kind, value) {
        ("boolean", value) => switch(name, value).map(Value::Bool),
        // Some models write an object as a text.
        ("object", Value::String(text)) => match serde_json::from_str(&text) {
            Ok(Value::Object(object)) => Ok(Value::Object(filled(object))),
            _ => Err(format!("{name} must be an object, not {}", quoted(&text))),
        },
        ("object", Value::Object(object)) => Ok(Value::Object(filled(object))),
        ("object", value) => {
            Err(format!("{name} must be an object, not {}", short(&value.to_string())))
        }
        ("array", Value::String(text)) => match serde_json::from_str(&text) {
            Ok(Value::Array(items)) => texts(name, items),
            _ => Err(format!("{name} must be a list, not {}", quoted(&text))),
        },
        ("array", Value::Array(items)) => texts(name, items),
        ("array", value) => {
            Err(format!("{name} must be a list, not {}", short(&value.to_string())))
        }
        // A game's id says itself what it makes of a number.
        ("string", value @ Value::Number(_)) if name == "game_id" => Ok(value),
        ("string", value) => text(name, value).map(Value::String),
        (_, value) => Ok(value),
    }
}

pub fn switch(name: &str, value: Value) -> Result<bool, String> {
    match &value {
        Value::Bool(is_on) => return Ok(*is_on),
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "on" => return Ok(true),
            "false" | "no" | "off" => return Ok(false),
            _ => {}
        },
        Value::Number(number) if number.as_u64() == Some(1) => return Ok(true),
        Value::Number(number) if number.as_u64() == Some(0) => return Ok(false),
        _ => {}
    }
    Err(format!("{name} must be true or false, not {}", short(&value.to_string())))
}

pub fn text(name: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        value => Err(format!("{name} must be a text, not {}", short(&value.to_string()))),
    }
}

fn texts(name: &str, items: Vec<Value>) -> Result<Value, String> {
    items.into_iter().map(|item| text(name, item).map(Value::String)).collect()
}

fn filled(object: JsonObject) -> JsonObject {
    object.into_iter().filter(|(_, value)| !is_left_out(value)).collect()
}

/// `request_id`, `requestID` and `requestId` are one word.
fn fold(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    fn tool(name: &'static str, properties: Value) -> Tool {
        let schema = json!({ "type": "object", "properties": properties });
        let Value::Object(schema) = schema else { unreachable!() };
        Tool::new(name, "", Arc::new(schema))
    }

    fn check(name: &'static str, sent: Value, expected: Result<Value, &str>) {
        let properties = json!({
            "type": { "type": "string" },
            "color": { "type": "string" },
            "difficulty": { "type": "integer" },
            "showUi": { "type": "boolean" },
            "game_id": { "type": "string" },
            "setup": { "type": "object" },
            "requestId": { "type": "string" },
        });
        let Value::Object(sent) = sent else { unreachable!() };
        let meant = read(&tool(name, properties), sent);
        match (meant, expected) {
            (Ok(meant), Ok(expected)) => {
                let mut got = Value::Object(meant.arguments);
                if !meant.ignored.is_empty() {
                    got["ignored"] = json!(meant.ignored);
                }
                assert_eq!(got, expected);
            }
            (Err(why), Err(expected)) => assert!(why.contains(expected), "{why}"),
            (meant, expected) => panic!("{:?}, not {expected:?}", meant.map(|m| m.arguments)),
        }
    }

    #[test]
    fn arguments_are_read_as_they_were_meant() {
        check("getGame", json!({ "game_id": null, "color": "", "type": "  " }), Ok(json!({})));
        check("getGame", json!({ "gameId": "a" }), Ok(json!({ "game_id": "a" })));
        check("getGame", json!({ "pass": "a" }), Ok(json!({ "game_id": "a" })));
        check("getGame", json!({ "game_id": 12 }), Ok(json!({ "game_id": 12 })));
        check(
            "createGame",
            json!({ "opponent": "computer", "colour": "black", "level": 3, "show_ui": "true" }),
            Ok(json!({ "type": "computer", "color": "black", "difficulty": 3, "showUi": true })),
        );
        check(
            "createGame",
            json!({ "difficulty": 4, "level": 3 }),
            Err("difficulty was sent twice, with two values"),
        );
        check("createGame", json!({ "difficulty": 4, "level": 4 }), Ok(json!({ "difficulty": 4 })));
        check(
            "createGame",
            json!({ "difficulty": 4, "level": "4" }),
            Ok(json!({ "difficulty": 4 })),
        );
        check("createGame", json!({ "setup": "{\"fen\": null}" }), Ok(json!({ "setup": {} })));
        check("createGame", json!({ "setup": 3 }), Err("setup must be an object, not 3"));
        check("createGame", json!({ "showUi": "maybe" }), Err("showUi must be true or false"));
        check("createGame", json!({ "clock": "5+3" }), Err("no argument clock"));
        check("createGame", json!({ "clock": null }), Ok(json!({})));
        check("getGame", json!({ "verbose": true }), Ok(json!({ "ignored": ["verbose"] })));
        check("getGame", json!({ "turn": 3 }), Ok(json!({ "turn": 3 })));
        check("waitForNextTurn", json!({ "turn": 3 }), Ok(json!({ "ignored": ["turn"] })));
        check("getGame", json!({ "type": ["a"] }), Err("type must be a text, not [\"a\"]"));
        check("getGame", json!({ "request_id": 7 }), Ok(json!({ "requestId": "7" })));
    }
}
