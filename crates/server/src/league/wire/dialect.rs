//! The dialects that agents speak: how each wants a message wrapped and named.
//!
//! `answer` reads their answers, all dialects by the same rules.

use std::{fmt, str::FromStr};

use rules::quoted;
use serde_json::{Value, json};

use super::{
    Fields,
    errors::UnknownDialect,
    message::{Message, Version},
    reading::{Parsed, Shape, enveloped},
    rpc,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    S1,
    S1c,
    L1,
    H2,
    M2,
    T2,
    W2,
    P2,
    C2,
    Q2,
    E2,
    B1,
}

use Dialect::*;

/// How a message is wrapped.
enum Carrier {
    /// A method named like the message type.
    Type,
    /// A method named like the tool.
    Method,
    /// `tools/call`.
    Tool,
    /// One method for all, with `{message}`.
    Wrapped(&'static str),
    /// One method for all, with `{envelope, payload}`.
    Enveloped(&'static str),
    /// Nothing.
    Bare,
}

struct Profile {
    dialect: Dialect,
    code: &'static str,
    carrier: Carrier,
    /// Names of its own for methods, tools and types.
    names: &'static [(Message, &'static str)],
    about: &'static str,
}

const INVITED: Message = Message::GameInvitation;

#[rustfmt::skip]
const TABLE: &[Profile] = &[
    Profile { dialect: S1, code: "S1", carrier: Carrier::Type, names: &[],
        about: "methods named like the message type" },
    Profile { dialect: S1c, code: "S1c", carrier: Carrier::Wrapped("protocol/message"),
        names: &[(Message::GameStart, "GAME_INVITE"), (INVITED, "GAME_INVITE"),
                 (Message::RoundResult, "MOVE_RESULT")],
        about: "MCP handshake, then protocol/message with the message inside" },
    Profile { dialect: L1, code: "L1", carrier: Carrier::Tool, names: &[],
        about: "tools/call with the message as arguments" },
    Profile { dialect: H2, code: "H2", carrier: Carrier::Method, names: &[],
        about: "methods named like the tools" },
    Profile { dialect: M2, code: "M2", carrier: Carrier::Type, names: &[],
        about: "methods named like the message type" },
    Profile { dialect: T2, code: "T2", carrier: Carrier::Tool,
        names: &[(INVITED, "receive_game_invitation"), (Message::GameOver, "receive_game_over")],
        about: "tools/call with receive_... names" },
    Profile { dialect: W2, code: "W2", carrier: Carrier::Wrapped("handle_message"), names: &[],
        about: "handle_message with the message inside" },
    Profile { dialect: P2, code: "P2", carrier: Carrier::Method,
        names: &[(Message::ParityCall, "parity_choose")],
        about: "methods named like the tools, with parity_choose" },
    Profile { dialect: C2, code: "C2", carrier: Carrier::Method, names: &[],
        about: "answers that come later, as calls of its own" },
    Profile { dialect: Q2, code: "Q2", carrier: Carrier::Method, names: &[],
        about: "answers in the shape of a request" },
    Profile { dialect: E2, code: "E2", carrier: Carrier::Enveloped("league.handle"),
        names: &[(Message::RegisterPlayer, "REGISTER_PLAYER_REQUEST"),
                 (Message::MoveRequest, "REQUEST_MOVE")],
        about: "league.handle with envelope and payload" },
    Profile { dialect: B1, code: "B1", carrier: Carrier::Bare, names: &[],
        about: "the bare message, without JSON-RPC" },
];

/// The order in which an agent is tried that nobody knows yet.
const ORDER_V1: &[Dialect] = &[S1, H2, L1, W2, S1c, E2, B1];
const ORDER_V2: &[Dialect] = &[H2, M2, L1, T2, W2, S1c, E2, B1];

impl Dialect {
    fn profile(self) -> &'static Profile {
        TABLE.iter().find(|row| row.dialect == self).expect("every dialect has a row")
    }

    pub fn code(self) -> &'static str {
        self.profile().code
    }

    /// In plain words.
    pub fn about(self) -> &'static str {
        self.profile().about
    }

    /// The version an agent of this dialect registers with.
    pub fn version(self) -> Version {
        match self {
            S1 | S1c | L1 | B1 => Version::V1,
            _ => Version::V2,
        }
    }

    /// Whether a conversation begins with `initialize`, as MCP has it.
    pub fn greets(self) -> bool {
        self == S1c || matches!(self.profile().carrier, Carrier::Tool)
    }

    /// Whether its agents take no message without their token.
    pub fn needs_token(self) -> bool {
        self == S1c
    }

    /// The dialect that a registration suggests.
    pub fn guess(parsed: &Parsed) -> Dialect {
        let named = ["player_meta.dialect", "dialect"].iter().find_map(|path| parsed.word(path));
        if let Some(dialect) = named.and_then(|code| code.parse().ok()) {
            return dialect;
        }
        let first = parsed.version == Some(Version::V1);
        match parsed.shape {
            Shape::Bare => B1,
            Shape::Enveloped => E2,
            Shape::Tool => L1,
            Shape::Wrapped if parsed.name == "protocol/message" => S1c,
            Shape::Wrapped => W2,
            Shape::Flat if first => S1,
            Shape::Flat if parsed.name == parsed.message.name() => M2,
            Shape::Flat => H2,
        }
    }

    /// This dialect, then the others in the order they are worth trying.
    pub fn and_fallbacks(self, version: Version) -> impl Iterator<Item = Dialect> {
        let order = match version {
            Version::V1 => ORDER_V1,
            Version::V2 => ORDER_V2,
        };
        let others = order.iter().copied().filter(move |other| !other.asks_like(self));
        std::iter::once(self).chain(others)
    }

    /// Whether an agent cannot tell an invitation in the one from one in the other.
    fn asks_like(self, other: Dialect) -> bool {
        let plain = |dialect| match dialect {
            C2 | Q2 | P2 => H2,
            S1 => M2,
            dialect => dialect,
        };
        plain(self) == plain(other)
    }

    /// A dialect that differs only in what it calls this message. An invitation cannot tell the
    /// two apart.
    pub fn twin(self, message: Message) -> Option<Dialect> {
        match (self, message) {
            (H2 | C2 | Q2, Message::ParityCall) => Some(P2),
            (P2, Message::ParityCall) => Some(H2),
            _ => None,
        }
    }

    /// The HTTP body that says `fields`. Ids are integers: some agents refuse text.
    pub fn request(self, id: u64, message: Message, mut fields: Fields) -> Value {
        let profile = self.profile();
        if self == S1c {
            add_names_of_s1c(&mut fields);
            // Its releases compare the version letter by letter, whatever the game. A registration
            // goes to a league, which chooses the game by it.
            if message != Message::RegisterPlayer {
                fields.insert("protocol".into(), Version::V2.name().into());
            }
        }
        let own = profile.names.iter().find(|(named, _)| *named == message).map(|(_, name)| *name);
        if matches!(profile.carrier, Carrier::Wrapped(_) | Carrier::Enveloped(_)) {
            let kind = own.unwrap_or(message.name());
            fields.insert("message_type".into(), kind.into());
        }
        let name = own.unwrap_or(message.carrier());
        match profile.carrier {
            Carrier::Bare => Value::Object(fields),
            Carrier::Type => rpc::call(id, message.name(), fields),
            Carrier::Method => rpc::call(id, name, fields),
            Carrier::Tool => {
                rpc::call(id, "tools/call", json!({ "name": name, "arguments": fields }))
            }
            Carrier::Wrapped(method) => rpc::call(id, method, json!({ "message": fields })),
            Carrier::Enveloped(method) => rpc::call(id, method, enveloped(fields)),
        }
    }
}

/// Fields of ours under the names that the program of seed 004 reads them by.
const NAMES_OF_S1C: &[(&str, &str)] = &[
    ("match_id", "game_id"),
    ("game_round", "round_number"),
    ("sum", "sum_value"),
    ("round_winner", "round_winner_id"),
    ("winner", "winner_id"),
];

/// Names for the two values of an object with one value per player: its own and the other's.
const SIDES_OF_S1C: &[(&str, [&str; 2])] = &[
    ("moves", ["your_move", "opponent_move"]),
    ("scores", ["your_new_score", "opponent_new_score"]),
];

fn add_names_of_s1c(fields: &mut Fields) {
    let mut more = Fields::new();
    for (ours, name) in NAMES_OF_S1C {
        more.extend(fields.get(*ours).map(|value| ((*name).to_owned(), value.clone())));
    }
    if let Some(role) = fields.get("your_role").and_then(Value::as_str) {
        more.insert("assigned_role".into(), role.to_lowercase().into());
    }
    for (ours, [own, other]) in SIDES_OF_S1C {
        for (player, value) in fields.get(*ours).and_then(Value::as_object).into_iter().flatten() {
            let name =
                if fields.get("player_id").is_some_and(|id| id == player) { own } else { other };
            // It computes with a move that was not made, too.
            let value = if value.is_null() { 0.into() } else { value.clone() };
            more.insert((*name).to_owned(), value);
        }
    }
    fields.extend(more);
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Dialect, UnknownDialect> {
        let found = TABLE.iter().find(|row| row.code.eq_ignore_ascii_case(text));
        let known = || TABLE.iter().map(|row| row.code).collect();
        found
            .map(|row| row.dialect)
            .ok_or_else(|| UnknownDialect { code: quoted(text), known: known() })
    }
}

#[cfg(test)]
mod tests {
    use super::{super::reading::hear_body, *};

    fn fields() -> Fields {
        let own = [("match_id".to_owned(), json!("R1M1"))].into_iter().collect();
        Message::ParityCall.write(Version::V2, "referee:REF01", "c", own)
    }

    #[test]
    fn every_dialect_is_a_code_and_back() {
        for row in TABLE {
            assert_eq!(row.code.parse::<Dialect>().unwrap(), row.dialect);
            assert_eq!(row.dialect.to_string(), row.code);
        }
        assert!("X9".parse::<Dialect>().unwrap_err().to_string().contains("S1, S1c, L1"));
    }

    #[test]
    fn the_end_of_a_match_has_a_name_of_its_own_in_t2() {
        let tool = T2.request(1, Message::GameOver, fields());
        assert_eq!(tool["params"]["name"], "receive_game_over");
    }

    #[test]
    fn what_is_said_in_any_dialect_is_heard() {
        let messages = [Message::ParityCall, Message::MoveRequest, Message::GameStart, INVITED];
        for row in TABLE {
            for message in messages {
                let said = message.write(Version::V2, "referee:REF01", "c", fields());
                let parsed = hear_body(row.dialect.request(1, message, said)).unwrap();
                // S1c has one invitation for both games.
                let one_of_both = row.dialect == S1c && message == INVITED;
                let expected = if one_of_both { Message::GameStart } else { message };
                assert_eq!(parsed.message, expected, "{}", row.code);
                assert_eq!(parsed.word("match_id"), Some("R1M1"), "{}", row.code);
                assert_eq!(parsed.version, Some(Version::V2), "{}", row.code);
            }
        }
    }

    #[test]
    fn a_registration_tells_the_dialect() {
        let check = |version: Version, dialect: Dialect, guessed: Dialect| {
            let said = Message::RegisterPlayer.write(version, "player:x", "c", Fields::new());
            let parsed = hear_body(dialect.request(1, Message::RegisterPlayer, said)).unwrap();
            assert_eq!(Dialect::guess(&parsed), guessed, "{dialect}");
        };
        for dialect in [S1, S1c, L1, B1] {
            check(Version::V1, dialect, dialect);
        }
        for dialect in [H2, M2, W2, E2, L1] {
            check(Version::V2, dialect, dialect);
        }
        check(Version::V2, Q2, H2);
        let named = json!({ "method": "register_player",
            "params": { "player_meta": { "dialect": "c2" } } });
        assert_eq!(Dialect::guess(&hear_body(named).unwrap()), C2);
    }

    #[test]
    fn nobody_is_asked_twice_in_the_same_words() {
        let order = |first: Dialect, version| {
            first.and_fallbacks(version).map(Dialect::code).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(order(H2, Version::V2), "H2 M2 L1 T2 W2 S1c E2 B1");
        assert_eq!(order(W2, Version::V2), "W2 H2 M2 L1 T2 S1c E2 B1");
        assert_eq!(order(C2, Version::V2), "C2 M2 L1 T2 W2 S1c E2 B1");
        assert_eq!(order(S1, Version::V1), "S1 H2 L1 W2 S1c E2 B1");
    }
}
