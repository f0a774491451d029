//! Turning what callers send into types, and saying what would have been right.

use std::{borrow::Cow, marker::PhantomData, sync::Arc};

use rmcp::model::{JsonObject, Tool};
use rules::short;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

use crate::ids::Handle;

/// `game_id`: a game's id or a pass.
pub struct GameArg(pub Handle);

impl<'de> Deserialize<'de> for GameArg {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<GameArg, D::Error> {
        let text = match Value::deserialize(from)? {
            Value::String(text) => text,
            // An id without letters looks like a number to some models.
            Value::Number(number) => format!("{number:0>8}"),
            other => other.to_string(),
        };
        // A text that is no id names no game.
        let handle = text.parse().map_err(|why| {
            D::Error::custom(format!("Game not found: {why}; listGames shows the games in play"))
        });
        handle.map(GameArg)
    }
}

impl JsonSchema for GameArg {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "GameId".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "your pass, or the game id" })
    }
}

/// One word of a few, in any case.
pub trait Word: Copy + Sized + 'static {
    /// The name of the argument.
    const NAME: &'static str;
    const WORDS: &'static [(&'static str, Self)];
}

/// An argument that is a [`Word`].
pub struct OneOf<W>(pub W);

impl<'de, W: Word> Deserialize<'de> for OneOf<W> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<OneOf<W>, D::Error> {
        let value = Value::deserialize(from)?;
        let word = value.as_str().unwrap_or_default().trim();
        let found = W::WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        found.map(|(_, word)| OneOf(*word)).ok_or_else(|| {
            let words: Vec<_> = W::WORDS.iter().map(|(name, _)| *name).collect();
            let value = short(&value.to_string());
            D::Error::custom(format!(
                "{} must be one of {}, not {value}",
                W::NAME,
                words.join(", ")
            ))
        })
    }
}

impl<W: Word> JsonSchema for OneOf<W> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        W::NAME.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<_> = W::WORDS.iter().map(|(name, _)| *name).collect();
        json_schema!({ "type": "string", "enum": words })
    }
}

/// The name of a whole number, and its bounds.
pub trait Range {
    const NAME: &'static str;
    const FROM: i64;
    const TO: i64;
}

/// An argument that is a whole number in a range, also when it comes as text or as 5.0.
pub struct WholeNumber<R> {
    pub number: i64,
    range: PhantomData<R>,
}

impl<R> WholeNumber<R> {
    pub const fn new(number: i64) -> WholeNumber<R> {
        WholeNumber { number, range: PhantomData }
    }
}

impl<'de, R: Range> Deserialize<'de> for WholeNumber<R> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<WholeNumber<R>, D::Error> {
        let value = Value::deserialize(from)?;
        let whole = |n: f64| (n.fract() == 0.0).then_some(n as i64);
        let number = match &value {
            Value::Number(n) => n.as_i64().or_else(|| n.as_f64().and_then(whole)),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.filter(|n| (R::FROM..=R::TO).contains(n)).map(WholeNumber::new).ok_or_else(|| {
            let value = short(&value.to_string());
            D::Error::custom(format!(
                "{} must be a whole number from {} to {}, not {value}",
                R::NAME,
                R::FROM,
                R::TO
            ))
        })
    }
}

impl<R: Range> JsonSchema for WholeNumber<R> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        R::NAME.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": R::FROM, "maximum": R::TO })
    }
}

/// The schema of what has keys that are told elsewhere.
pub fn any_object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

/// Says what an argument of a tool means.
pub fn describe(tool: &mut Tool, argument: &str, about: &str) {
    let schema = Arc::make_mut(&mut tool.input_schema);
    let argument = schema.get_mut("properties").and_then(|all| all.get_mut(argument));
    if let Some(argument) = argument {
        argument["description"] = about.into();
    }
}

/// Takes out of a tool's schemas what hosts stumble over and models do not need.
pub fn simplify(tool: &mut Tool) {
    tool.input_schema = simple(&tool.input_schema);
    // Some hosts stumble over a tool without arguments that does not say so.
    let schema = Arc::make_mut(&mut tool.input_schema);
    let arguments = schema.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    let arguments = arguments.as_object_mut().into_iter().flat_map(JsonObject::values_mut);
    arguments.for_each(tell_bounds);
    tool.output_schema = tool.output_schema.as_deref().map(simple);
}

/// Says the range and the default of an argument in its description: some hosts hand on no more.
fn tell_bounds(argument: &mut Value) {
    let about = argument["description"].as_str().unwrap_or_default().trim_end_matches('.');
    let range = argument["minimum"].as_i64().zip(argument["maximum"].as_i64());
    let range = range.map(|(from, to)| format!("{from} to {to}"));
    let mut told: Vec<_> = range.into_iter().filter(|range| !about.contains(range)).collect();
    match &argument["default"] {
        Value::Null => {}
        Value::String(word) => told.push(format!("default {word}")),
        value => told.push(format!("default {value}")),
    }
    if told.is_empty() {
        return;
    }
    let about = if about.is_empty() { String::new() } else { format!("{about}; ") };
    argument["description"] = format!("{about}{}.", told.join(", ")).into();
}

fn simple(schema: &JsonObject) -> Arc<JsonObject> {
    let mut schema = schema.clone();
    schema.retain(|key, value| is_needed(key, value));
    schema.values_mut().for_each(strip);
    Arc::new(schema)
}

fn strip(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.retain(|key, value| is_needed(key, value));
            object.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

fn is_needed(key: &str, value: &Value) -> bool {
    match key {
        // A property may be called `title`; the keyword is a string.
        "$schema" | "title" | "format" => !value.is_string(),
        // Every host expects that.
        "default" => {
            let is_empty = value.as_object().is_some_and(JsonObject::is_empty);
            !value.is_null() && *value != false && *value != "" && !is_empty
        }
        _ => true,
    }
}
