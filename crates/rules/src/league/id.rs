//! What players and matches are called: P01 and R1M1, on the wire and in the log.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::quoted;

#[derive(Debug, thiserror::Error)]
#[error("{0} is not a player's id; they are given out in order, P01, P02 and so on")]
pub struct NotAPlayerId(String);

#[derive(Debug, thiserror::Error)]
#[error("{0} is not a match's id; they tell the round and the match in it, like R1M2")]
pub struct NotAMatchId(String);

/// A player, by the order in which they registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(into = "String", try_from = "String")]
#[ts(as = "String")]
pub struct PlayerId(u16);

impl PlayerId {
    pub(super) fn at(index: usize) -> PlayerId {
        PlayerId(index as u16 + 1)
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0) - 1
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "P{:02}", self.0)
    }
}

impl FromStr for PlayerId {
    type Err = NotAPlayerId;

    fn from_str(text: &str) -> Result<PlayerId, NotAPlayerId> {
        let read = || text.strip_prefix('P')?.parse().ok().filter(|n| *n > 0).map(PlayerId);
        // P1 and P001 are nobody's id, though they can be read as a number.
        read().filter(|id| id.to_string() == text).ok_or_else(|| NotAPlayerId(quoted(text)))
    }
}

/// A match, by its round and its place there, both counted from 1. Matches of earlier rounds come
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(into = "String", try_from = "String")]
#[ts(as = "String")]
pub struct MatchId {
    round: u16,
    number: u16,
}

impl MatchId {
    pub(super) fn at(round: usize, place: usize) -> MatchId {
        MatchId { round: round as u16 + 1, number: place as u16 + 1 }
    }

    /// The wire's round_id.
    pub fn round(self) -> u16 {
        self.round
    }

    pub(super) fn round_index(self) -> usize {
        usize::from(self.round) - 1
    }

    pub(super) fn place(self) -> usize {
        usize::from(self.number) - 1
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "R{}M{}", self.round, self.number)
    }
}

impl FromStr for MatchId {
    type Err = NotAMatchId;

    fn from_str(text: &str) -> Result<MatchId, NotAMatchId> {
        let read = || {
            let (round, number) = text.strip_prefix('R')?.split_once('M')?;
            let id = MatchId { round: round.parse().ok()?, number: number.parse().ok()? };
            (id.round > 0 && id.number > 0 && id.to_string() == text).then_some(id)
        };
        read().ok_or_else(|| NotAMatchId(quoted(text)))
    }
}

impl From<PlayerId> for String {
    fn from(id: PlayerId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for PlayerId {
    type Error = NotAPlayerId;

    fn try_from(text: String) -> Result<PlayerId, NotAPlayerId> {
        text.parse()
    }
}

impl From<MatchId> for String {
    fn from(id: MatchId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for MatchId {
    type Error = NotAMatchId;

    fn try_from(text: String) -> Result<MatchId, NotAMatchId> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_way_to_be_written() {
        for text in ["P01", "P09", "P10", "P99", "P100", "P65535"] {
            assert_eq!(text.parse::<PlayerId>().unwrap().to_string(), text);
        }
        for text in ["", "P", "P0", "P00", "P1", "P001", "P+1", "p01", "P01 ", "P65536", "Ⅷ", "01"]
        {
            assert!(text.parse::<PlayerId>().is_err(), "{text}");
        }
        for text in ["R1M1", "R10M2", "R65535M65535"] {
            assert_eq!(text.parse::<MatchId>().unwrap().to_string(), text);
        }
        for text in ["", "R1", "M1", "R0M1", "R1M0", "R01M1", "R1M+1", "R1M1M1", "r1m1", "R65536M1"]
        {
            assert!(text.parse::<MatchId>().is_err(), "{text}");
        }
    }
}
