//! How agents of other authors speak, as data.

use self::{Act::*, Carrier::*, Shape::*};

/// All dialects there is an agent for; for S1c there is `Sort::Handshaken`.
pub const DIALECTS: &[&str] = &["S1", "L1", "H2", "M2", "T2", "W2", "P2", "C2", "Q2", "E2", "B1"];

/// What an agent is asked to do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Act {
    Join,
    Number,
    Parity,
    Note,
}

/// Where an agent looks for the message, and nowhere else.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Carrier {
    Method,
    Tool,
    Wrapped(&'static str),
    Enveloped,
    Bare,
    Anywhere,
}

/// How it wraps its answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    Flat,
    Text,
    InEnvelope,
    AsRequest,
    Naked,
    /// As a call of its own to the referee.
    Later,
}

pub type Names = &'static [(&'static str, Act)];

pub const TYPES: Names = &[
    ("GAME_START", Join),
    ("GAME_INVITATION", Join),
    ("MOVE_REQUEST", Number),
    ("CHOOSE_PARITY_CALL", Parity),
    ("ROUND_RESULT", Note),
    ("GAME_END", Note),
    ("GAME_OVER", Note),
    ("ROUND_ANNOUNCEMENT", Note),
    ("LEAGUE_STANDINGS_UPDATE", Note),
    ("ROUND_COMPLETED", Note),
    ("LEAGUE_COMPLETED", Note),
    ("GAME_ERROR", Note),
];
pub const TOOLS: Names = &[
    ("handle_game_invitation", Join),
    ("choose_parity", Parity),
    ("notify_match_result", Note),
    ("game_start", Join),
    ("move_request", Number),
    ("round_result", Note),
    ("game_end", Note),
    ("notify_round", Note),
    ("update_standings", Note),
    ("notify_round_completed", Note),
    ("notify_league_completed", Note),
    ("notify_game_error", Note),
];
pub const RECEIVING: Names =
    &[("receive_game_invitation", Join), ("choose_parity", Parity), ("receive_game_over", Note)];
pub const CHOOSING: Names =
    &[("handle_game_invitation", Join), ("parity_choose", Parity), ("notify_match_result", Note)];
pub const REQUESTING: Names = &[
    ("GAME_START", Join),
    ("GAME_INVITATION", Join),
    ("REQUEST_MOVE", Number),
    ("CHOOSE_PARITY_CALL", Parity),
    ("ROUND_RESULT", Note),
    ("GAME_END", Note),
    ("GAME_OVER", Note),
];

/// An agent's way of speaking, as data.
#[derive(Clone, Copy)]
pub struct Manner {
    pub code: &'static str,
    pub carrier: Carrier,
    pub names: Names,
    pub shape: Shape,
    /// What it says to an invitation.
    pub joins: &'static str,
    /// Where it puts a number; a parity goes to `parity_choice` or this.
    pub plays: &'static str,
}

const fn manner(
    code: &'static str,
    carrier: Carrier,
    names: Names,
    shape: Shape,
    joins: &'static str,
    plays: &'static str,
) -> Manner {
    Manner { code, carrier, names, shape, joins, plays }
}

#[rustfmt::skip]
pub const MANNERS: &[Manner] = &[
    manner("S1",  Method, TYPES, Flat, r#"{}"#, "move.number"),
    manner("L1",  Tool, TOOLS, Text, r#"{"accept":true}"#, "move.number"),
    manner("H2",  Method, TOOLS, Flat, r#"{"accept":true}"#, "move.number"),
    manner("M2",  Method, TYPES, Flat, r#"{"status":"ACK"}"#, "move.number"),
    manner("T2",  Tool, RECEIVING, Text, r#"{"status":"joined"}"#, "choice"),
    manner("W2",  Wrapped("handle_message"), TYPES, Flat, r#"{"accepted":true}"#, "move"),
    manner("P2",  Method, CHOOSING, Flat, r#"{"accept":true}"#, "choice"),
    manner("C2",  Method, TOOLS, Later, r#"{"accept":true}"#, "move.number"),
    manner("Q2",  Method, TOOLS, AsRequest, r#"{"accept":true}"#, "move.number"),
    manner("E2",  Enveloped, REQUESTING, InEnvelope, r#"{"accept":true}"#, "move.number"),
    manner("B1",  Bare, TYPES, Naked, r#"{"status":"ACCEPTED"}"#, "move.number"),
    manner("any", Anywhere, TYPES, Flat, r#"{"accept":true}"#, "move.number"),
];
