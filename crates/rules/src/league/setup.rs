//! What is agreed before a league begins.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};
use ts_rs::TS;

use super::{
    event,
    schedule::{self, Pairings},
};
use crate::{
    Card, Illegal, Kind, MatchVerdict, Record, Rules, Tag, even_odd, kind, parity, quoted,
};

/// More players than this no league admits, whatever its set-up says.
const MOST_PLAYERS: usize = 1000;
const LONGEST_WAIT: u32 = 7 * 24 * 60 * 60;

/// More points than this nobody can be said to have made in a match.
const MOST_POINTS: i32 = 1_000_000;

#[derive(Debug, thiserror::Error)]
#[error("{} is not played in leagues; {} are", quoted(.0), LeagueKind::names().join(", "))]
pub struct NotForLeagues(String);

/// What is played in a league: a kind that two can sit down to, by its name.
#[derive(Clone, Copy, PartialEq, Eq, TS)]
#[ts(as = "String")]
pub struct LeagueKind(&'static str);

impl LeagueKind {
    /// What `league.v1` was made for.
    pub const EVEN_ODD: LeagueKind = LeagueKind(even_odd::EvenOdd::KIND);
    /// What `league.v2` was made for.
    pub const PARITY: LeagueKind = LeagueKind(parity::Parity::KIND);

    pub fn named(name: &str) -> Result<LeagueKind, NotForLeagues> {
        let found = kind(name).ok().filter(is_for_two);
        found.map(|kind| LeagueKind(kind.name)).ok_or_else(|| NotForLeagues(name.to_owned()))
    }

    fn names() -> Vec<&'static str> {
        crate::KINDS.iter().filter(|kind| is_for_two(kind)).map(|kind| kind.name).collect()
    }

    pub fn name(self) -> &'static str {
        self.0
    }

    pub fn kind(self) -> Kind {
        kind(self.0).expect("only kinds that there are have been named")
    }

    pub fn card(self) -> &'static Card {
        self.kind().card.expect("what two sit down to has a card")
    }
}

fn is_for_two(kind: &Kind) -> bool {
    let fits = |card: &Card| !card.has(Tag::Solo) && card.fewest <= 2;
    kind.card.is_some_and(fits) && kind.seats.len() >= 2
}

impl Default for LeagueKind {
    fn default() -> LeagueKind {
        LeagueKind::EVEN_ODD
    }
}

impl fmt::Debug for LeagueKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Serialize for LeagueKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for LeagueKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LeagueKind, D::Error> {
        LeagueKind::named(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    #[default]
    RoundRobin,
    DoubleRoundRobin,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Setup {
    /// The wire's league_id.
    pub name: String,
    pub game: LeagueKind,
    pub format: Format,
    pub rounds_to_win: u8,
    pub max_rounds: u8,
    /// For a move.
    pub time_limit_seconds: u32,
    /// For the answer to an invitation.
    pub join_limit_seconds: u32,
    pub max_players: usize,
    /// What the code of an invitation must come to, where one is asked for. It tells nothing of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Everybody who may play has a code of their own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_code: bool,
    /// The owner opened it, and not the first who named it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_owner: bool,
    /// Its owner chose the seed of its matches, so they rate nobody.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub practice: bool,
    /// How a match is set up, in the words of its kind; even-odd's rounds are above.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub game_setup: Map<String, Value>,
}

impl Default for Setup {
    fn default() -> Setup {
        let even_odd::Setup { rounds_to_win, max_rounds } = even_odd::Setup::default();
        Setup {
            name: "league".to_owned(),
            game: LeagueKind::default(),
            format: Format::default(),
            rounds_to_win,
            max_rounds,
            time_limit_seconds: 30,
            join_limit_seconds: 5,
            max_players: 256,
            invitation: None,
            by_code: false,
            by_owner: false,
            practice: false,
            game_setup: Map::new(),
        }
    }
}

impl Setup {
    /// The set-up of a match, as its kind reads it.
    pub fn match_setup(&self) -> String {
        let (rounds_to_win, max_rounds) = (self.rounds_to_win, self.max_rounds);
        let written = match self.game {
            LeagueKind::EVEN_ODD => {
                serde_json::to_string(&even_odd::Setup { rounds_to_win, max_rounds })
            }
            _ => serde_json::to_string(&self.game_setup),
        };
        written.expect("a set-up can be written")
    }

    /// Whether the same is agreed in both, whatever they are called and whoever opened them.
    pub fn is_like(&self, other: &Setup) -> bool {
        Setup { name: other.name.clone(), by_owner: other.by_owner, ..self.clone() } == *other
    }

    /// Whether a match can be set up so. It is asked when a league is opened.
    pub fn check_match(&self) -> Result<(), Illegal> {
        let known = |name: &str| {
            self.game != LeagueKind::EVEN_ODD
                && self.game.card().keys.iter().any(|key| key.name == name)
        };
        if let Some(key) = self.game_setup.keys().find(|key| !known(key)) {
            let reason = format!("the set-up of {:?} has no key {}", self.game, quoted(key));
            return Err(Illegal::set_up(reason));
        }
        match Record::start(self.game.kind(), &self.match_setup(), 0)?.seats().len() {
            2 => Ok(()),
            seats => {
                Err(Illegal::set_up(format!("a match is for two, and this set-up for {seats}")))
            }
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        event::check_name("a league's name", &self.name)?;
        if self.rounds_to_win == 0 || self.max_rounds < self.rounds_to_win {
            return Err("there must be enough rounds for somebody to win".into());
        }
        let limits = [self.time_limit_seconds, self.join_limit_seconds];
        if limits.iter().any(|limit| !(1..=LONGEST_WAIT).contains(limit)) {
            return Err(format!("time limits are from 1 to {LONGEST_WAIT} seconds"));
        }
        if !(2..=MOST_PLAYERS).contains(&self.max_players) {
            return Err(format!("a league admits from 2 to {MOST_PLAYERS} players"));
        }
        Ok(())
    }

    pub(super) fn pairings(&self) -> &'static dyn Pairings {
        match self.format {
            Format::RoundRobin => &schedule::RoundRobin,
            Format::DoubleRoundRobin => &schedule::DoubleRoundRobin,
        }
    }

    /// Whether a match can end so.
    pub(super) fn allows(&self, verdict: MatchVerdict) -> bool {
        let (to_win, rounds) = match self.game {
            LeagueKind::EVEN_ODD => (i32::from(self.rounds_to_win), i32::from(self.max_rounds)),
            LeagueKind::PARITY => (1, 1),
            _ => return verdict.scores.iter().all(|score| score.abs() <= MOST_POINTS),
        };
        let [low, high] = if verdict.scores[0] < verdict.scores[1] {
            verdict.scores
        } else {
            [verdict.scores[1], verdict.scores[0]]
        };
        let won = low.saturating_add(high);
        // One round at most can be without a winner and neither player have forfeited.
        let played_out = verdict.is_forfeit() || high == to_win || won + 1 >= rounds;
        low >= 0 && high <= to_win && low < to_win && won <= rounds && played_out
    }
}
