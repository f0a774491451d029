//! Limits that the owner may set: for one caller, and for all together.
//!
//! All of it is in one file, `--limits FILE`; what the file leaves out is as it is here.

use std::{
    fs, io,
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    // Of one caller.
    pub games_per_hour: NonZeroU32,
    pub searches_per_minute: NonZeroU32,
    /// Positions that are thought about for hints and evaluations.
    pub evaluations_per_hour: NonZeroU32,
    pub sessions_per_hour: NonZeroU32,
    /// Open at once.
    pub streams: NonZeroU32,

    // Of a league's player, or of an address.
    pub league_messages_per_minute: NonZeroU32,
    /// About one match.
    pub referee_messages_per_minute: NonZeroU32,
    /// Opened by registering for them.
    pub leagues_per_hour: NonZeroU32,

    // Of all callers together.
    pub connections: NonZeroU32,
    /// How long a client may be silent.
    pub idle_seconds: NonZeroU32,
    pub body_bytes: NonZeroU32,
    /// Memory for large requests that arrive, and as much again for large answers that clients have
    /// not read yet. One caller may use half of each.
    pub large_bodies_bytes: NonZeroU32,
    /// At each door; the others wait in the store.
    pub sessions_in_memory: NonZeroU32,
    /// A game that nobody asks for in this long waits in the store.
    pub game_idle_seconds: NonZeroU32,
    /// With more than these, games that rest go too.
    pub games_in_memory: NonZeroU32,
    /// Questions that wait for a free thinker.
    pub thoughts_waiting: NonZeroU32,
    /// Matches of leagues that are refereed at once.
    pub matches_at_once: NonZeroU32,
}

impl Default for Limits {
    fn default() -> Limits {
        let number = |n| NonZeroU32::new(n).expect("these are more than nought");
        Limits {
            games_per_hour: number(600),
            searches_per_minute: number(120),
            evaluations_per_hour: number(6000),
            sessions_per_hour: number(600),
            streams: number(500),
            league_messages_per_minute: number(100),
            referee_messages_per_minute: number(50),
            leagues_per_hour: number(20),
            connections: number(10_000),
            idle_seconds: number(60),
            body_bytes: number(4 << 20),
            large_bodies_bytes: number(64 << 20),
            sessions_in_memory: number(1000),
            game_idle_seconds: number(30 * 60),
            games_in_memory: number(10_000),
            thoughts_waiting: number(2000),
            matches_at_once: number(400),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BadLimits {
    #[error("the limits in {0} cannot be read: {1}")]
    Unreadable(PathBuf, io::Error),
    #[error("the limits in {0} make no sense: {1}")]
    Senseless(PathBuf, serde_json::Error),
}

impl Limits {
    pub fn read(file: &Path) -> Result<Limits, BadLimits> {
        let text = fs::read_to_string(file);
        let text = text.map_err(|error| BadLimits::Unreadable(file.to_owned(), error))?;
        serde_json::from_str(&text).map_err(|error| BadLimits::Senseless(file.to_owned(), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document names all of them, as they are.
    #[test]
    fn the_document_has_every_limit() {
        let document = include_str!("../../../docs/running.md");
        let (_, rest) = document.split_once("```json\n").expect("an example");
        let (example, _) = rest.split_once("```").expect("which ends");
        let limits: Limits = serde_json::from_str(example).expect("limits");
        let usual = format!("{:?}", Limits::default());
        assert_eq!(format!("{limits:?}"), usual);
        assert_eq!(example.matches(':').count(), usual.matches(':').count());
    }

    #[test]
    fn what_is_left_out_is_as_usual_and_what_is_unknown_is_named() {
        let limits: Limits = serde_json::from_str(r#"{ "games_per_hour": 3 }"#).unwrap();
        assert_eq!(limits.games_per_hour.get(), 3);
        assert_eq!(limits.streams, Limits::default().streams);
        for (text, named) in [
            (r#"{ "gmaes_per_hour": 3 }"#, "gmaes_per_hour"),
            (r#"{ "games_per_hour": 0 }"#, "nonzero"),
            (r#"{ "games_per_hour": "3" }"#, "string"),
            ("games_per_hour = 3", "line 1"),
        ] {
            let error = serde_json::from_str::<Limits>(text).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
