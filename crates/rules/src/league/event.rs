//! What happens in a league, as the log keeps it: JSON, with the names of the wire.
//!
//! Here events are read and held against what can be said of them alone; whether one fits the
//! league as it stands is in `admit`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    admit::{LeagueRule, refuse},
    id::{MatchId, PlayerId},
};
use crate::{Illegal, MatchVerdict, is_invisible};

/// More than any event needs.
const LONGEST_EVENT: usize = 32 * 1024;
const LONGEST_NAME: usize = 64;
const LONGEST_ENDPOINT: usize = 2048;
const LONGEST_COMMAND: usize = 1024;
const LONGEST_REASON: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The operator gives a student a code; whoever registers with it has this name.
    Enlist {
        student: String,
        name: String,
    },
    Register(Registration),
    /// A player who holds its token comes from elsewhere, or as another version of itself.
    Renew {
        player: PlayerId,
        registration: Registration,
    },
    /// The operator gives a player another token; the one it had is nobody's any more.
    Revoke {
        player: PlayerId,
        token: String,
        nonce: String,
    },
    /// The operator takes a player out: of the schedule before the start, of what is left of it
    /// after.
    Remove {
        player: PlayerId,
    },
    /// The operator has a match that is over played again.
    Replay {
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// No more players; the schedule is fixed. A league that was paused goes on.
    Start,
    /// The operator has no other match begin for now.
    Pause,
    /// A match beside those of the schedule. The first player is Odd.
    Pair {
        player1: PlayerId,
        player2: PlayerId,
        round: u16,
    },
    /// How a player turned out to speak.
    Learn {
        player: PlayerId,
        dialect: String,
    },
    Begin {
        #[serde(rename = "match")]
        match_id: MatchId,
        #[serde(with = "game_id")]
        game: u32,
    },
    End {
        #[serde(rename = "match")]
        match_id: MatchId,
        result: MatchResult,
    },
    Suspend {
        player: PlayerId,
    },
    Return {
        player: PlayerId,
    },
    Stop {
        reason: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registration {
    pub name: String,
    pub version: String,
    /// None of a player who asks for its moves instead of being asked.
    pub endpoint: Option<String>,
    /// The SHA-256 of the player's token, in hexadecimal digits.
    pub token: String,
    pub dialect: String,
    /// The token is made from this and from a secret of the store.
    pub nonce: String,
    /// Who was given the code that let this player in, where everybody has a code of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub student: Option<String>,
    /// The level of the computer, where it is the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computer: Option<u8>,
    /// What starts the program that is the player, on the machine of whoever leads the league.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Whether a person plays, at a board in the browser.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub person: bool,
}

/// A name without what nobody sees of it: two names are the same if these are.
pub fn plain_name(name: &str) -> String {
    let seen: String = name.chars().filter(|c| !is_invisible(*c)).collect();
    seen.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// How a match ended, by the players' ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct MatchResult {
    pub winner: Option<PlayerId>,
    /// Rounds won.
    pub scores: BTreeMap<PlayerId, i32>,
    pub forfeits: BTreeSet<PlayerId>,
}

impl MatchResult {
    /// `players` as the verdict has them: Odd first, or A.
    pub fn new(players: [PlayerId; 2], verdict: MatchVerdict) -> MatchResult {
        MatchResult {
            winner: verdict.winner().map(|seat| players[seat]),
            scores: players.into_iter().zip(verdict.scores).collect(),
            forfeits: (0..2).filter(|n| verdict.forfeits[*n]).map(|n| players[n]).collect(),
        }
    }

    /// The same by seats, if it is a result of these two and does not contradict itself.
    pub(super) fn verdict(&self, players: [PlayerId; 2]) -> Option<MatchVerdict> {
        let score = |player| self.scores.get(&player).copied();
        let verdict = MatchVerdict {
            scores: [score(players[0])?, score(players[1])?],
            forfeits: players.map(|player| self.forfeits.contains(&player)),
        };
        (MatchResult::new(players, verdict) == *self).then_some(verdict)
    }
}

/// What an event did, beyond what it says itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Report {
    Registered {
        player_id: PlayerId,
    },
    Started {
        rounds: usize,
        matches: usize,
    },
    Paired {
        match_id: MatchId,
    },
    Ended {
        match_points: BTreeMap<PlayerId, u8>,
        /// Who was suspended for it.
        suspended: Vec<PlayerId>,
        /// The round this was the last match of.
        round_completed: Option<u16>,
    },
    Nothing,
}

/// Reads an event, whether or not it is well made and fits.
pub(super) fn read(text: &str) -> Result<Event, Illegal> {
    if text.len() > LONGEST_EVENT {
        return Err(invalid(format!("an event is {LONGEST_EVENT} bytes long at most")));
    }
    let read = serde_json::from_str(text);
    read.map_err(|e| invalid(format!("this is not an event of a league: {e}")))
}

fn invalid(reason: String) -> Illegal {
    refuse(LeagueRule::InvalidEvent, reason)
}

/// Whether an event is well made.
pub(super) fn check(event: &Event) -> Result<(), Illegal> {
    let checked = match event {
        Event::Register(new) | Event::Renew { registration: new, .. } => check_registration(new),
        Event::Revoke { token, nonce, .. } => {
            check_token(token).and_then(|()| check_short("a nonce", Some(nonce)))
        }
        Event::Enlist { student, name } => {
            check_short("a student", Some(student)).and_then(|()| check_name("a name", name))
        }
        Event::Learn { dialect, .. } => check_text("a dialect", dialect, 1, LONGEST_NAME),
        Event::Stop { reason } => check_text("a reason", reason, 1, LONGEST_REASON),
        _ => Ok(()),
    };
    checked.map_err(invalid)
}

fn check_registration(new: &Registration) -> Result<(), String> {
    check_name("a name", &new.name)?;
    check_text("a version", &new.version, 0, LONGEST_NAME)?;
    if let Some(endpoint) = &new.endpoint {
        check_text("an endpoint", endpoint, 1, LONGEST_ENDPOINT)?;
    }
    if let Some(command) = &new.engine {
        check_text("the command of an engine", command, 1, LONGEST_COMMAND)?;
    }
    check_token(&new.token)?;
    check_text("a dialect", &new.dialect, 1, LONGEST_NAME)?;
    if plain_name(&new.name).is_empty() {
        return Err("a name has something to be seen".into());
    }
    check_short("a nonce", Some(&new.nonce))?;
    check_short("a student", new.student.as_deref())
}

fn check_short(what: &str, text: Option<&str>) -> Result<(), String> {
    text.map_or(Ok(()), |text| check_text(what, text, 1, LONGEST_NAME))
}

fn check_token(hash: &str) -> Result<(), String> {
    if hash.len() != 64 || !hash.bytes().all(is_hex) {
        return Err("a token's hash is 64 hexadecimal digits, the letters small".into());
    }
    Ok(())
}

/// Names stand in tables and logs, so two that look alike should be alike.
pub(super) fn check_name(what: &str, name: &str) -> Result<(), String> {
    check_text(what, name, 1, LONGEST_NAME)?;
    if name.trim() != name {
        return Err(format!("{what} has no blanks at its ends"));
    }
    Ok(())
}

fn check_text(what: &str, text: &str, least: usize, most: usize) -> Result<(), String> {
    if text.chars().any(char::is_control) {
        return Err(format!("{what} has no control characters"));
    }
    match text.chars().count() {
        0 if least > 0 => Err(format!("{what} is not empty")),
        n if n > most => Err(format!("{what} is {most} characters long at most, not {n}")),
        _ => Ok(()),
    }
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// A game's id as the hall writes it: eight hexadecimal digits.
pub(super) mod game_id {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(game: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{game:08x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.len() != 8 || !text.bytes().all(super::is_hex) {
            return Err(D::Error::custom(format!("{text:?} is not a game's id")));
        }
        u32::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}
