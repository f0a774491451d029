//! Why what others send or answer is of no use, in all dialects: what is told of it, the field at
//! fault, and how the protocols number and name it.
//!
//! None of it is a fault of ours, so nothing here is logged as one: whoever is at fault is told, and
//! a match's log has it.

use std::{net::IpAddr, time::Duration};

use rules::{Illegal, short};

use super::{
    client::{MAX_BODY, MAX_DEPTH},
    endpoint::MAX_URL,
    moves::{NUMBER, PARITY, TEXT},
    rpc::RpcError,
};

/// A fault as league.v2 numbers and names it.
pub type LeagueCode = (&'static str, &'static str);

/// Why a call is not a message we can act on. Names the field at fault.
#[derive(Debug, thiserror::Error)]
pub enum Misread {
    #[error("{0} is neither a method nor a message of the league")]
    Unknown(String),
    #[error("params must hold a league message, as an object")]
    NoMessage,
    #[error("protocol: {0} is not a protocol spoken here; use league.v1 or league.v2")]
    Version(String),
    #[error("{0} is missing")]
    Missing(String),
    #[error("{field} {why}")]
    Wrong { field: String, why: String },
}

impl Misread {
    pub fn wrong(field: &str, why: &str) -> Misread {
        Misread::Wrong { field: field.into(), why: why.into() }
    }

    /// As JSON-RPC numbers it.
    pub fn code(&self) -> i64 {
        if matches!(self, Misread::Unknown(_)) { -32601 } else { -32602 }
    }

    pub fn field(&self) -> Option<&str> {
        match self {
            Misread::Unknown(_) | Misread::NoMessage => None,
            Misread::Version(_) => Some("protocol"),
            Misread::Missing(field) | Misread::Wrong { field, .. } => Some(field),
        }
    }

    pub fn league_code(&self) -> LeagueCode {
        match self {
            Misread::Version(_) => ("E018", "PROTOCOL_VERSION_MISMATCH"),
            Misread::Missing(field) if field == "auth_token" => ("E011", "AUTH_TOKEN_MISSING"),
            Misread::Wrong { field, .. } if field == "timestamp" => ("E021", "INVALID_TIMESTAMP"),
            Misread::Wrong { field, .. } if field.ends_with("player_id") => {
                ("E005", "PLAYER_NOT_REGISTERED")
            }
            _ => ("E003", "MISSING_REQUIRED_FIELD"),
        }
    }

    /// The `error` of a JSON-RPC answer.
    pub fn error(&self) -> RpcError {
        RpcError::at_fault(self.code(), self, self.field(), Some(self.league_code()))
    }
}

/// Why an answer is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMove {
    #[error("the answer holds no move; {0} is missing")]
    Missing(&'static str),
    #[error("{0} is not a whole number from 1 to 5")]
    NotANumber(String),
    #[error("{0} is neither \"even\" nor \"odd\"")]
    NotAParity(String),
    #[error("{0} is not a move, written as text")]
    NotText(String),
    #[error("{reason}{}", legal(.options))]
    Illegal { reason: String, options: Vec<String> },
    #[error("the answer is for match {0}, not {1}")]
    OtherMatch(String, String),
    #[error("the answer is for round {0}, not {1}")]
    OtherRound(String, u32),
}

impl BadMove {
    /// The field that is at fault.
    pub fn field(&self) -> &'static str {
        match self {
            BadMove::Missing(field) => field,
            BadMove::NotANumber(_) => NUMBER,
            BadMove::NotAParity(_) => PARITY,
            BadMove::NotText(_) | BadMove::Illegal { .. } => TEXT,
            BadMove::OtherMatch(..) => "match_id",
            BadMove::OtherRound(..) => "game_round",
        }
    }

    pub fn league_code(&self) -> LeagueCode {
        match self {
            BadMove::Missing(_) => ("E003", "MISSING_REQUIRED_FIELD"),
            BadMove::NotAParity(_) => ("E004", "INVALID_PARITY_CHOICE"),
            _ => ("E004", "INVALID_MOVE"),
        }
    }
}

/// What would be a move, as far as it is known.
fn legal(options: &[String]) -> String {
    match options {
        [] => String::new(),
        options => format!("; legal are {}", options.join(", ")),
    }
}

impl From<Illegal> for BadMove {
    fn from(illegal: Illegal) -> BadMove {
        let reason = short(&illegal.to_string());
        match illegal {
            Illegal::Rule { options, .. } => BadMove::Illegal { reason, options },
            _ => BadMove::Illegal { reason, options: Vec::new() },
        }
    }
}

/// Why an answer is not taken that a player brings by itself.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unasked {
    #[error("nothing like this is asked of you now, or not any more; wait for the next question")]
    Nothing,
    #[error("your move of this round is in already; wait for the next question")]
    Already,
    #[error("{0}; answer what was asked")]
    Other(BadMove),
}

/// Why a question has no answer: nothing came back that could be read, or no message was in it. Of
/// what could not be read it never tells what it said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    #[error("it cannot be reached")]
    Unreachable,
    #[error("it closed the connection without an answer")]
    Closed,
    #[error("it did not answer within {:.1} s", .0.as_secs_f64())]
    Late(Duration),
    #[error(
        "it acknowledged the question, but the answer did not come within {:.1} s",
        .0.as_secs_f64()
    )]
    Promised(Duration),
    #[error("it sends us elsewhere (HTTP {0}), and we do not follow")]
    Redirect(u16),
    #[error("its answer is larger than {} kB", MAX_BODY >> 10)]
    TooLarge,
    #[error("its answer is nested more than {MAX_DEPTH} levels deep")]
    TooDeep,
    #[error("its answer (HTTP {0}) is not JSON")]
    NotJson(u16),
    #[error("it answered with an error{}: {message}", .code.map_or(String::new(), |c| format!(" {c}")))]
    Refused { code: Option<i64>, message: String },
    #[error("it asks us to slow down")]
    SlowDown,
    #[error("it answered another request (id {0})")]
    OtherId(String),
    #[error("its answer holds no message")]
    NoMessage,
}

impl NoAnswer {
    pub fn league_code(&self) -> LeagueCode {
        match self {
            NoAnswer::Late(_) | NoAnswer::Promised(_) => ("E001", "TIMEOUT_ERROR"),
            NoAnswer::Unreachable
            | NoAnswer::Closed
            | NoAnswer::Redirect(_)
            | NoAnswer::TooLarge
            | NoAnswer::TooDeep
            | NoAnswer::NotJson(_) => ("E009", "CONNECTION_ERROR"),
            NoAnswer::Refused { .. }
            | NoAnswer::SlowDown
            | NoAnswer::OtherId(_)
            | NoAnswer::NoMessage => ("E003", "MISSING_REQUIRED_FIELD"),
        }
    }

    /// Whether other words might have been understood.
    pub(super) fn may_be_dialect(&self) -> bool {
        matches!(self, NoAnswer::NotJson(_) | NoAnswer::Refused { .. } | NoAnswer::NoMessage)
    }

    /// Whether what it misses is in the envelope, and can be put there.
    pub(super) fn misses_title(&self) -> bool {
        let NoAnswer::Refused { message, .. } = self else { return false };
        let said = message.to_ascii_lowercase();
        ["sender", "auth_token", "auth token"].iter().any(|field| said.contains(field))
    }

    pub fn asks_for_rest(&self) -> bool {
        *self == NoAnswer::SlowDown
    }

    /// Whether the agent has no such method: then it was not asked yet.
    pub(super) fn unknown_method(&self) -> bool {
        let NoAnswer::Refused { code, message } = self else { return false };
        let said = message.to_ascii_lowercase();
        *code == Some(-32601)
            || said.contains("method not found")
            || said.contains("unknown method")
    }
}

/// Why a body is not read.
#[derive(Debug, PartialEq, Eq)]
pub enum BadJson {
    TooDeep,
    Invalid,
}

/// Why an address is not called.
#[derive(Debug, thiserror::Error)]
pub enum Forbidden {
    #[error("an endpoint is needed, like http://localhost:8101/mcp")]
    Empty,
    #[error("it is longer than {MAX_URL} characters")]
    TooLong,
    #[error("it is not a URL: {0}")]
    NotAUrl(String),
    #[error("only http and https are called, not {0}")]
    Scheme(String),
    #[error("it must not hold a user or password")]
    Credentials,
    #[error("{0} is not called from here; the owner can open a range of addresses")]
    Address(IpAddr),
    #[error("port 0 is nobody's")]
    NoPort,
    #[error("{0} is where this server listens itself; give your own endpoint")]
    OurDoor(String),
    #[error("{0} cannot be found")]
    Unresolved(String),
}

#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a range of addresses; write it like 10.0.0.0/8 or fd00::/8")]
pub struct NotANet(pub(super) String);

#[derive(Debug, thiserror::Error)]
#[error("{code} is not a dialect; choose one of {}", .known.join(", "))]
pub struct UnknownDialect {
    pub(super) code: String,
    pub(super) known: Vec<&'static str>,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a moment; write it in UTC, like 2026-11-15T10:00:00Z")]
pub struct NotAMoment(pub(super) String);
