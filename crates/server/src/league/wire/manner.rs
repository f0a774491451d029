//! How one agent is spoken to: in which dialect, and what else it showed that it wants.

use std::{fmt, str::FromStr};

use serde_json::Value;

use super::{
    Fields,
    dialect::Dialect,
    errors::UnknownDialect,
    message::{Message, Version},
    reading::{Parsed, Shape},
};

/// Written like `S1` or `M2+titles+token`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    pub dialect: Dialect,
    /// Senders with their ids: `league_manager:LM01`, `referee:REF01`.
    pub titles: bool,
    /// Its token in whatever is said to it.
    pub token: bool,
    /// It speaks league.v2 in a dialect that is usually league.v1's.
    pub second: bool,
}

const TITLES: &str = "+titles";
const TOKEN: &str = "+token";
const SECOND: &str = "+v2";

impl From<Dialect> for Manner {
    fn from(dialect: Dialect) -> Manner {
        Manner { dialect, titles: false, token: false, second: false }
    }
}

impl Manner {
    /// What a registration tells of the one who sent it.
    pub fn guess(parsed: &Parsed) -> Manner {
        // An envelope in which even the token has its place, before there is one, is held to a
        // schema that wants every field filled.
        let strict = by_type(parsed) && !parsed.text_id && parsed.word("auth_token") == Some("");
        let after_handshake = parsed.shape == Shape::Tool
            && parsed.word("display_name").is_some()
            && parsed.get("player_meta").is_none();
        let dialect = if after_handshake && parsed.word("dialect").is_none() {
            Dialect::S1c
        } else {
            Dialect::guess(parsed)
        };
        Manner { dialect, titles: strict, token: strict, second: false }
    }

    /// The same of one who speaks that version, in a league where both are spoken.
    pub fn speaking(self, version: Version) -> Manner {
        let second = version == Version::V2 && self.dialect.version() == Version::V1;
        Manner { second, ..self }
    }

    pub fn version(self) -> Version {
        if self.second { Version::V2 } else { self.dialect.version() }
    }

    /// The fields as this agent wants them.
    pub fn address(self, mut fields: Fields, token: Option<&str>) -> Fields {
        if self.titles
            && let Some(title) = fields.get("sender").and_then(Value::as_str).and_then(title)
        {
            fields.insert("sender".into(), title.into());
        }
        if let Some(token) = token.filter(|_| self.token || self.dialect.needs_token()) {
            fields.insert("auth_token".into(), token.into());
        }
        fields
    }
}

/// Whether a registration came by a method called like its type, and so asks for a word of its own
/// in the answer if its id is text.
pub fn by_type(parsed: &Parsed) -> bool {
    parsed.shape == Shape::Flat && parsed.name == Message::RegisterPlayer.name()
}

fn title(sender: &str) -> Option<&'static str> {
    match sender {
        "league_manager" => Some("league_manager:LM01"),
        "referee" => Some("referee:REF01"),
        _ => None,
    }
}

impl fmt::Display for Manner {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let more = [(self.titles, TITLES), (self.token, TOKEN), (self.second, SECOND)];
        write!(f, "{}", self.dialect)?;
        more.iter().filter(|(wanted, _)| *wanted).try_for_each(|(_, word)| f.write_str(word))
    }
}

impl FromStr for Manner {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Manner, UnknownDialect> {
        let code = text.split('+').next().unwrap_or_default();
        let (titles, token) = (text.contains(TITLES), text.contains(TOKEN));
        Ok(Manner { dialect: code.parse()?, titles, token, second: text.contains(SECOND) })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::reading::hear_body, *};

    #[test]
    fn a_manner_is_written_and_read() {
        for text in ["S1", "M2+titles+token", "S1c+token", "H2+titles", "L1+token+v2"] {
            assert_eq!(text.parse::<Manner>().unwrap().to_string(), text);
        }
        assert!("X9+titles".parse::<Manner>().is_err());
    }

    #[test]
    fn a_registration_shows_what_its_sender_wants() {
        let check = |body: Value, expected: &str| {
            assert_eq!(
                Manner::guess(&hear_body(body.clone()).unwrap()).to_string(),
                expected,
                "{body}"
            );
        };
        let by_type = |id: Value, token: Value| {
            json!({ "id": id, "method": "LEAGUE_REGISTER_REQUEST", "params": {
                "protocol": "league.v2", "auth_token": token, "player_meta": {} } })
        };
        check(by_type(json!(1), json!("")), "M2+titles+token");
        check(by_type(json!(1), Value::Null), "M2");
        check(by_type(json!("a"), json!("")), "M2");
        let tool = |arguments: Value| {
            json!({ "id": 1, "method": "tools/call",
                "params": { "name": "register_player", "arguments": arguments } })
        };
        check(tool(json!({ "display_name": "x", "endpoint": "y" })), "S1c");
        check(tool(json!({ "player_name": "x", "endpoint": "y" })), "L1");
        check(tool(json!({ "player_meta": { "display_name": "x" } })), "L1");
    }

    #[test]
    fn what_is_said_is_addressed_as_wanted() {
        let said = |sender: &str| {
            let own = [("sender".to_owned(), json!(sender))].into_iter().collect();
            Value::Object("S1+titles+token".parse::<Manner>().unwrap().address(own, Some("t")))
        };
        assert_eq!(said("referee"), json!({ "sender": "referee:REF01", "auth_token": "t" }));
        assert_eq!(said("league_manager")["sender"], "league_manager:LM01");
        assert_eq!(said("referee:REF01")["sender"], "referee:REF01");
        let s1c = Manner::from(Dialect::S1c).address(Fields::new(), Some("t"));
        assert_eq!(s1c["auth_token"], "t");
    }
}
