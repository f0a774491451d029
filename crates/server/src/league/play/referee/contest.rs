//! How a match is told to a player: in which messages, and what they say.
//!
//! Even-odd and parity have the words that the protocols were made with. Every other kind is told by
//! what it says of itself, in the words of whichever protocol the player speaks.

use rules::{MatchVerdict, Record, Seat, league::LeagueKind};

use super::{
    Case,
    even_odd::EvenOddWords,
    kind::{FirstWords, SecondWords, turn_of, verdict_of},
    parity::ParityWords,
};
use crate::league::wire::{
    Fields,
    errors::BadMove,
    message::{Message, Version},
    moves::{MoveSent, text_of},
};

/// The messages of a match.
pub struct MessageSet {
    pub invite: Message,
    pub ask: Message,
    /// Says that an answer was of no use; without this message, the next question says so.
    pub complaint: Option<Message>,
    pub end: Message,
}

impl MessageSet {
    pub const V1: MessageSet = MessageSet {
        invite: Message::GameStart,
        ask: Message::MoveRequest,
        complaint: None,
        end: Message::GameEnd,
    };
    pub const V2: MessageSet = MessageSet {
        invite: Message::GameInvitation,
        ask: Message::MoveCall,
        complaint: Some(Message::GameError),
        end: Message::GameOver,
    };
}

pub trait Contest: Send + Sync {
    fn messages(&self) -> MessageSet;
    fn invitation(&self, case: &Case, seat: Seat) -> Fields;
    /// `deadline` is when its time is over, if nobody tells it how long it has.
    fn question(&self, case: &Case, record: &Record, seat: Seat, deadline: &str) -> Fields;
    /// The round that is being played, where there are several.
    fn round(&self, record: &Record) -> Option<u32> {
        Some(turn_of(record))
    }
    /// How many rounds are over and what `seat` played in the last, where rounds have numbers of
    /// their own.
    fn last_round(&self, _: &Record, _: Seat) -> Option<(u32, Option<MoveSent>)> {
        None
    }
    fn read(&self, answer: &Fields) -> Result<MoveSent, BadMove> {
        text_of(answer).map(MoveSent::Text)
    }
    /// The news for both players when a round is over.
    fn news(&self, _: &Case, _: &Record) -> Option<(Message, Fields)> {
        None
    }
    fn ending(&self, case: &Case, record: &Record, verdict: MatchVerdict) -> Fields;
    /// How the match ended, if it has.
    fn verdict(&self, record: &Record) -> Option<MatchVerdict> {
        verdict_of(record)
    }
}

/// The games that a protocol was made for, with the words it has for them.
static OWN: [(LeagueKind, Version, &dyn Contest); 2] = [
    (LeagueKind::EVEN_ODD, Version::V1, &EvenOddWords),
    (LeagueKind::PARITY, Version::V2, &ParityWords),
];

/// How a game is told to one who speaks that version.
pub fn contest(game: LeagueKind, version: Version) -> &'static dyn Contest {
    let own = OWN.iter().find(|(own, ..)| *own == game);
    own.map_or_else(|| by_card(version), |(.., words)| *words)
}

/// How a kind is told that no protocol was made for: by what it says of itself.
fn by_card(version: Version) -> &'static dyn Contest {
    match version {
        Version::V1 => &FirstWords,
        Version::V2 => &SecondWords,
    }
}

/// The protocol that was made for a game; none where both carry it.
pub fn made_for(game: LeagueKind) -> Option<Version> {
    OWN.iter().find(|(own, ..)| *own == game).map(|(_, version, _)| *version)
}

/// The name of a game on the wire. Both protocols call their own game `even_odd`.
pub fn wire_name(game: LeagueKind) -> &'static str {
    made_for(game).map_or(game.name(), |_| "even_odd")
}
