//! What somebody chooses when a game of any kind is created, whichever door they come by, and what
//! others are told of it.

use rules::{GeneralRule, Illegal, Key, Kind, quoted};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

const LONGEST_SEED: usize = 128;
/// What is said of a game whose seed a player chose.
pub const PRACTICE: &str = "Practice: a player chose the seed, so it is rated nowhere";

/// A set-up that a game can be played with.
pub struct SetUp {
    /// As it is kept, in JSON.
    pub text: String,
    /// What the seats are called.
    pub names: &'static [&'static str],
    /// What the game is dealt by, if somebody chose it.
    pub seed: Option<u64>,
}

/// What comes of `wishes`, or why there can be no such game.
pub fn set_up(kind: Kind, mut wishes: Map<String, Value>) -> Result<SetUp, Illegal> {
    let invalid = |reason: String, keys: &[Key]| {
        Illegal::because(GeneralRule::InvalidSetup, reason, keys.iter().map(Key::to_string))
    };
    let keys = kind.card.map_or(&[][..], |card| card.keys);
    let seed = take_seed(&mut wishes).map_err(|why| invalid(why, &[Key::SEED]))?;
    if let Some(key) = wishes.keys().find(|name| keys.iter().all(|key| key.name != **name)) {
        return Err(invalid(format!("the set-up has no key {}", quoted(key)), keys));
    }
    let meant = wishes.into_iter().map(|(key, value)| (key, meant(value)));
    let text = Value::Object(meant.collect()).to_string();
    let names = kind.names(&text)?;
    Ok(SetUp { text, names, seed })
}

/// Takes the seed out of what somebody wants, if they chose one.
pub fn take_seed(wishes: &mut Map<String, Value>) -> Result<Option<u64>, String> {
    match wishes.remove(Key::SEED.name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(value) => seed(&value).map(Some),
    }
}

/// A number as it is, and any other text as a number made of it; or what is wrong with it.
pub fn seed(value: &Value) -> Result<u64, String> {
    let number = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) if text.chars().count() > LONGEST_SEED => {
            return Err(format!("the seed is longer than {LONGEST_SEED} characters"));
        }
        Value::String(text) => Some(text.trim().parse().unwrap_or_else(|_| {
            let hash = Sha256::digest(text.trim());
            u64::from_be_bytes(*hash.first_chunk().expect("a hash is longer than a number"))
        })),
        _ => None,
    };
    number.ok_or_else(|| "the seed must be a whole number that is not negative, or a text".into())
}

/// Of a set-up, what somebody has chosen: it may be written with nulls and zeros for the rest.
pub fn chosen(setup: &str) -> Map<String, Value> {
    chosen_of(serde_json::from_str(setup).unwrap_or_default())
}

/// The same of one that is read already.
pub fn chosen_of(setup: Map<String, Value>) -> Map<String, Value> {
    let is_chosen = |(_, value): &(String, Value)| !value.is_null() && *value != 0;
    setup.into_iter().filter(is_chosen).collect()
}

/// What was chosen, in words, if anything was: `columns 8, heaps 1 2, rounds to win 3`.
pub fn chosen_in_words(chosen: &Map<String, Value>) -> Option<String> {
    let told: Vec<_> = chosen.iter().map(told_choice).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

fn told_choice((key, value): (&String, &Value)) -> String {
    let told = match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(Value::to_string).collect::<Vec<_>>().join(" "),
        value => value.to_string(),
    };
    format!("{} {told}", key.replace('_', " "))
}

/// Models write numbers, and true and false, as texts.
fn meant(value: Value) -> Value {
    match value {
        Value::String(text) => match text.trim() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            number => number.parse::<i64>().map_or(Value::String(text.clone()), Value::from),
        },
        Value::Array(values) => values.into_iter().map(meant).collect(),
        // 5.0 is 5.
        Value::Number(number) => match number.as_f64() {
            Some(n) if number.is_f64() && n.fract() == 0.0 && n.abs() < 1e9 => {
                Value::from(n as i64)
            }
            _ => Value::Number(number),
        },
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_told_in_words() {
        let check = |setup: &str, told: Option<&str>| {
            assert_eq!(chosen_in_words(&chosen(setup)).as_deref(), told, "{setup}");
        };
        check("{}", None);
        check(r#"{"opening": 0, "variant": null}"#, None);
        check(r#"{"columns": 8, "length": 5}"#, Some("columns 8, length 5"));
        check(r#"{"heaps": [1, 2], "misere": true}"#, Some("heaps 1 2, misere true"));
        check(
            r#"{"rounds_to_win": 3, "game": "stag-hunt"}"#,
            Some("rounds to win 3, game stag-hunt"),
        );
    }
}
