//! A move as somebody asks for it, and as it was played; how the same call is known when it comes
//! again.

use rules::{Ask, Seat};

/// How a call that came before is known when it comes again, so that it has one effect.
#[derive(Clone, Debug)]
pub enum Retry {
    /// It says which turn is meant.
    Turn(u32),
    /// It says nothing: a move that is not possible now but was this seat's last is taken for one.
    Likely,
    /// By a key of its caller's choosing. Without one it is always a new call.
    Key(Option<String>),
}

/// Begins the key that we give to a call without one when its outcome is unknown. The number of its
/// turn follows, so that any process knows the turn.
const OPEN_KEY: &str = "agon-turn-";

/// A key for a call without one, of which nobody knows whether it was turn `number`.
pub fn open_key(number: u32) -> String {
    format!("{OPEN_KEY}{number}")
}

/// The turn that such a key names.
pub(super) fn open_key_turn(key: &str) -> Option<u32> {
    key.strip_prefix(OPEN_KEY)?.parse().ok()
}

impl Retry {
    pub(super) fn key(&self) -> Option<&String> {
        match self {
            Retry::Key(key) => key.as_ref(),
            Retry::Turn(_) | Retry::Likely => None,
        }
    }
}

/// A move that a player asks for.
pub struct Move {
    pub seat: Seat,
    pub ask: Ask,
    /// If it does not win, it is not to be played.
    pub claims_win: bool,
    /// The player's comment. It is kept beside the turn and changes nothing.
    pub comment: Option<String>,
    /// It is not a move as it stands, and one was found in it.
    pub loose: bool,
    /// How many tokens it cost the player, as they say.
    pub tokens: Option<u32>,
    pub retry: Retry,
}

impl Move {
    pub fn new(seat: Seat, ask: impl Into<Ask>, retry: Retry) -> Move {
        let (claims_win, comment, loose, tokens) = (false, None, false, None);
        Move { seat, ask: ask.into(), claims_win, comment, loose, tokens, retry }
    }
}

/// A turn that was accepted, now or, if the same call came before, then.
#[derive(Clone, Copy, Debug)]
pub struct Played<S = ()> {
    pub number: u32,
    pub is_new: bool,
    /// The game right after it.
    pub seen: S,
}
