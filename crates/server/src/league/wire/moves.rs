//! What an answer says: whether a player comes, and what it plays.
//!
//! Coming may be said in many ways. A move is judged to the letter: whoever is generous to one
//! player's slip is unjust to the other.

use rules::{
    Ask, Rules,
    even_odd::{self, EvenOdd},
    parity::{self, EvenOrOdd},
    short,
};
use serde_json::Value;

use super::{Fields, errors::BadMove, message::at};

/// A move as a player sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveSent {
    /// In even-odd.
    Number(u8),
    /// In parity.
    Parity(EvenOrOdd),
    /// In all other games, as the game writes it.
    Text(String),
}

impl From<&MoveSent> for Ask {
    fn from(sent: &MoveSent) -> Ask {
        match sent {
            MoveSent::Number(number) => {
                let fingers = even_odd::Move::Fingers(*number);
                Ask::of(move |game: &EvenOdd, seat| game.due().admit(seat).map(|()| fingers))
            }
            MoveSent::Parity(parity) => {
                let said = parity::Move::Say(*parity);
                Ask::of(move |game: &parity::Parity, seat| game.due().admit(seat).map(|()| said))
            }
            MoveSent::Text(text) => text.into(),
        }
    }
}

/// A move in words is not longer than this.
const LONGEST_TEXT: usize = 200;

/// Where the protocols have a move.
pub(super) const NUMBER: &str = "move.number";
pub(super) const PARITY: &str = "parity_choice";
pub(super) const TEXT: &str = "move.text";

/// The number played, in `move.number`, in `move`, or in `number`.
pub fn number_of(answer: &Fields) -> Result<u8, BadMove> {
    let found = match answer.get("move") {
        Some(Value::Object(inner)) => inner.get("number"),
        Some(value) => Some(value),
        None => at(answer, "move_data.number").or(answer.get("number")),
    };
    number(found.unwrap_or(&Value::Null))
}

pub fn number(found: &Value) -> Result<u8, BadMove> {
    match found.as_u64() {
        None if found.is_null() => Err(BadMove::Missing(NUMBER)),
        Some(number @ 1..=5) => Ok(number as u8),
        _ => Err(BadMove::NotANumber(short(&found.to_string()))),
    }
}

/// The parity chosen, in `parity_choice` or `choice`, also inside `move`.
pub fn parity_of(answer: &Fields) -> Result<EvenOrOdd, BadMove> {
    let places = [PARITY, "choice", "move.parity_choice", "move_data.parity_choice", "move"];
    let found = places.iter().find_map(|place| at(answer, place));
    parity(found.ok_or(BadMove::Missing(PARITY))?)
}

pub fn parity(found: &Value) -> Result<EvenOrOdd, BadMove> {
    match found.as_str() {
        Some("even") => Ok(EvenOrOdd::Even),
        Some("odd") => Ok(EvenOrOdd::Odd),
        _ => Err(BadMove::NotAParity(short(&found.to_string()))),
    }
}

/// The move as its game writes it, in `move.text`, `move`, `move_data.move` or `move_data.text`. A
/// whole number is the text of that number.
pub fn text_of(answer: &Fields) -> Result<String, BadMove> {
    let places = [TEXT, "move.move", "move", "move_data.move", "move_data.text"];
    let found = places.iter().find_map(|place| at(answer, place));
    text(found.unwrap_or(&Value::Null))
}

pub fn text(found: &Value) -> Result<String, BadMove> {
    match found {
        Value::Null => Err(BadMove::Missing(TEXT)),
        Value::String(text) if text.len() <= LONGEST_TEXT => Ok(text.clone()),
        Value::Number(number) if number.is_u64() => Ok(number.to_string()),
        other => Err(BadMove::NotText(short(&other.to_string()))),
    }
}

/// Refuses an answer that says it belongs to another match or round. One that says nothing of it
/// belongs to the request it answers.
pub fn belongs(answer: &Fields, match_id: &str, round: Option<u32>) -> Result<(), BadMove> {
    MoveTarget::read(answer).is_for(match_id, round)
}

/// The match and round that an answer names, if it does.
#[derive(Clone, Debug, Default)]
pub struct MoveTarget {
    pub match_id: Option<String>,
    pub round: Option<String>,
}

impl MoveTarget {
    pub fn read(answer: &Fields) -> MoveTarget {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        MoveTarget {
            match_id: at(answer, "match_id").map(text),
            round: at(answer, "game_round").map(text),
        }
    }

    pub fn is_for(&self, match_id: &str, round: Option<u32>) -> Result<(), BadMove> {
        if let Some(other) = self.match_id.as_ref().filter(|id| *id != match_id) {
            return Err(BadMove::OtherMatch(short(other), match_id.to_owned()));
        }
        let Some(round) = round else { return Ok(()) };
        match self.round.as_ref().filter(|found| **found != round.to_string()) {
            Some(other) => Err(BadMove::OtherRound(short(other), round)),
            None => Ok(()),
        }
    }

    pub fn round(&self) -> Option<u32> {
        self.round.as_ref()?.parse().ok()
    }
}

/// What an answer to an invitation or a registration comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    Yes,
    No,
    /// It says no more than that it heard us; the real answer may come later.
    Parsed,
}

const YES: &[&str] = &[
    "accepted",
    "accept",
    "ack",
    "acknowledged",
    "joined",
    "registered",
    "ready",
    "ok",
    "success",
];
const NO: &[&str] = &["rejected", "reject", "declined", "refused", "denied", "failed", "failure"];

pub fn accepts(answer: &Fields) -> Acceptance {
    let told = ["accept", "accepted"].iter().find_map(|name| at(answer, name));
    let status = at(answer, "status").and_then(Value::as_str).map(str::to_ascii_lowercase);
    let said = |words: &[&str]| status.as_deref().is_some_and(|status| words.contains(&status));
    match told {
        Some(Value::Bool(true)) => return Acceptance::Yes,
        Some(Value::Bool(false)) => return Acceptance::No,
        _ => {}
    }
    match at(answer, "success") {
        _ if said(NO) => Acceptance::No,
        _ if said(YES) => Acceptance::Yes,
        Some(Value::Bool(success)) => {
            if *success {
                Acceptance::Yes
            } else {
                Acceptance::No
            }
        }
        _ if at(answer, "message_type").is_some_and(|kind| kind == "GAME_JOIN_ACK") => {
            Acceptance::Yes
        }
        _ => Acceptance::Parsed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Fields {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_number_is_a_json_integer_from_one_to_five() {
        let check = |answer: &str, expected: Result<u8, &str>| {
            let found = number_of(&fields(answer)).map_err(|why| why.to_string());
            assert_eq!(
                found.as_ref().map_err(String::as_str),
                expected.as_ref().map_err(|w| *w),
                "{answer}"
            );
        };
        check(r#"{"move":{"number":3}}"#, Ok(3));
        check(r#"{"success":true,"move":1}"#, Ok(1));
        check(r#"{"number":5}"#, Ok(5));
        check(r#"{"move_data":{"number":5}}"#, Ok(5));
        check(r#"{"move":{"number":"3"}}"#, Err("\"3\" is not a whole number from 1 to 5"));
        check(r#"{"move":{"number":2.9}}"#, Err("2.9 is not a whole number from 1 to 5"));
        check(r#"{"move":{"number":3.0}}"#, Err("3.0 is not a whole number from 1 to 5"));
        check(r#"{"move":{"number":0}}"#, Err("0 is not a whole number from 1 to 5"));
        check(r#"{"move":{"number":6}}"#, Err("6 is not a whole number from 1 to 5"));
        check(r#"{"move":{"number":-1}}"#, Err("-1 is not a whole number from 1 to 5"));
        check(r#"{"move":99}"#, Err("99 is not a whole number from 1 to 5"));
        check(r#"{"move":true}"#, Err("true is not a whole number from 1 to 5"));
        check(r#"{"move":[3]}"#, Err("[3] is not a whole number from 1 to 5"));
        check(r#"{"move":1e0}"#, Err("1.0 is not a whole number from 1 to 5"));
        let missing = "the answer holds no move; move.number is missing";
        check(r#"{"move":null,"number":3}"#, Err(missing));
        check(r#"{"move":{}}"#, Err(missing));
        check("{}", Err(missing));
    }

    #[test]
    fn a_parity_is_exactly_even_or_odd() {
        let check = |answer: &str, expected: Option<EvenOrOdd>| {
            assert_eq!(parity_of(&fields(answer)).ok(), expected, "{answer}");
        };
        check(r#"{"parity_choice":"even"}"#, Some(EvenOrOdd::Even));
        check(r#"{"choice":"odd"}"#, Some(EvenOrOdd::Odd));
        check(r#"{"parity_choice":null,"choice":"odd"}"#, Some(EvenOrOdd::Odd));
        check(r#"{"move":{"parity_choice":"odd"}}"#, Some(EvenOrOdd::Odd));
        check(r#"{"parity_choice":"Even"}"#, None);
        check(r#"{"parity_choice":" odd"}"#, None);
        check(r#"{"parity_choice":"EVEN","choice":"even"}"#, None);
        check(r#"{"parity_choice":2}"#, None);
        check(r#"{"parity_choice":["even"]}"#, None);
        check("{}", None);
    }

    #[test]
    fn a_move_is_text_wherever_it_is() {
        let check = |answer: &str, expected: Option<&str>| {
            assert_eq!(text_of(&fields(answer)).ok().as_deref(), expected, "{answer}");
        };
        check(r#"{"move":{"text":"e2e4"}}"#, Some("e2e4"));
        check(r#"{"move":"e2e4"}"#, Some("e2e4"));
        check(r#"{"move_data":{"move":"e2e4"}}"#, Some("e2e4"));
        check(r#"{"move":4}"#, Some("4"));
        check(r#"{"move":4.5}"#, None);
        check(r#"{"move":{"number":4}}"#, None);
        check(r#"{"move":null}"#, None);
        check(&format!(r#"{{"move":"{}"}}"#, "x".repeat(10_000)), None);
    }

    #[test]
    fn coming_is_said_in_many_ways() {
        let check = |answer: &str, word| assert_eq!(accepts(&fields(answer)), word, "{answer}");
        check(r#"{"accept":true}"#, Acceptance::Yes);
        check(r#"{"accepted":true,"status":"whatever"}"#, Acceptance::Yes);
        check(r#"{"status":"ACCEPTED"}"#, Acceptance::Yes);
        check(r#"{"status":"ACK"}"#, Acceptance::Yes);
        check(r#"{"status":"joined"}"#, Acceptance::Yes);
        check(r#"{"status":"REGISTERED"}"#, Acceptance::Yes);
        check(r#"{"success":true}"#, Acceptance::Yes);
        check(r#"{"message_type":"GAME_JOIN_ACK","match_id":"R1M1"}"#, Acceptance::Yes);
        check(r#"{"accept":false,"status":"ACK"}"#, Acceptance::No);
        check(r#"{"status":"REJECTED"}"#, Acceptance::No);
        check(r#"{"success":false}"#, Acceptance::No);
        check(r#"{"accept":"true"}"#, Acceptance::Parsed);
        check(r#"{"status":"received"}"#, Acceptance::Parsed);
        check("{}", Acceptance::Parsed);
    }

    #[test]
    fn an_answer_for_another_match_or_round_is_none() {
        let check = |answer: &str, at_fault| {
            let found = belongs(&fields(answer), "R1M1", Some(2)).err();
            assert_eq!(found.map(|bad| bad.field()), at_fault, "{answer}");
        };
        check("{}", None);
        check(r#"{"match_id":"R1M1","game_round":2}"#, None);
        check(r#"{"match_id":null,"game_round":null}"#, None);
        check(r#"{"match_id":"R1M2"}"#, Some("match_id"));
        check(r#"{"match_id":"R1M1","game_round":1}"#, Some("game_round"));
        check(r#"{"match_id":["R1M1"]}"#, Some("match_id"));
    }
}
