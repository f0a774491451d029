//! What can be set: how strong to play, how many lines to tell, how much time is lost on the way,
//! how much memory and how many threads to use.

use std::{fmt::Write, time::Duration};

use chess_engine::{EngineLevel, USUAL_MEMORY};
use rules::quoted;
use shakmaty::CastlingMode;

const TOP: EngineLevel = EngineLevel::ALL[9];
/// More moves than any position has.
const MOST_LINES: u64 = 256;
const LONGEST_OVERHEAD: u64 = 5000;
/// In megabytes.
const MOST_MEMORY: u64 = 4096;
const MOST_THREADS: u64 = 64;

pub struct Options {
    level: EngineLevel,
    limited: bool,
    elo: u16,
    pub lines: usize,
    pub overhead: Duration,
    pub resources: Resources,
    chess960: bool,
}

/// What thinking may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    pub megabytes: usize,
    pub threads: usize,
}

impl Default for Resources {
    fn default() -> Resources {
        Resources { megabytes: USUAL_MEMORY, threads: 1 }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            level: TOP,
            limited: false,
            elo: TOP.rating(),
            lines: 1,
            overhead: Duration::from_millis(50),
            resources: Resources::default(),
            chess960: false,
        }
    }
}

impl Options {
    /// As UCI announces them.
    pub fn offered() -> String {
        let default = Options::default();
        let mut text = String::new();
        let mut spin = |name: &str, default: u64, least: u64, most: u64| {
            let _ = writeln!(
                text,
                "option name {name} type spin default {default} min {least} max {most}"
            );
        };
        spin("Level", default.level.get().into(), 1, TOP.get().into());
        let [least, most] = RATINGS.map(u64::from);
        spin("UCI_Elo", default.elo.into(), least, most);
        spin("MultiPV", default.lines as u64, 1, MOST_LINES);
        spin("Move Overhead", default.overhead.as_millis() as u64, 0, LONGEST_OVERHEAD);
        spin("Hash", default.resources.megabytes as u64, 1, MOST_MEMORY);
        spin("Threads", default.resources.threads as u64, 1, MOST_THREADS);
        for name in ["Ponder", "UCI_Chess960", "UCI_LimitStrength"] {
            let _ = writeln!(text, "option name {name} type check default false");
        }
        text + "option name Clear Hash type button"
    }

    /// Or why not.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |least: u64, most: u64| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number
                .ok_or(format!("{name} is a number from {least} to {most}, not {}", quoted(value)))
        };
        let switch = || {
            let switch = value.to_ascii_lowercase().parse();
            switch.map_err(|_| format!("{name} is true or false, not {}", quoted(value)))
        };
        match name.to_ascii_lowercase().as_str() {
            "level" => {
                let level = number(1, TOP.get().into())? as u8;
                self.level = EngineLevel::new(level).expect("it is within the levels");
            }
            "uci_elo" => {
                let [least, most] = RATINGS.map(u64::from);
                self.elo = number(least, most)? as u16;
            }
            "uci_limitstrength" => self.limited = switch()?,
            "uci_chess960" => self.chess960 = switch()?,
            // Whoever says `go ponder` says enough.
            "ponder" => {
                switch()?;
            }
            "hash" => self.resources.megabytes = number(1, MOST_MEMORY)? as usize,
            "threads" => self.resources.threads = number(1, MOST_THREADS)? as usize,
            // What one search has found is never kept for the next.
            "clear hash" => {}
            "multipv" => self.lines = number(1, MOST_LINES)? as usize,
            "move overhead" => {
                self.overhead = Duration::from_millis(number(0, LONGEST_OVERHEAD)?);
            }
            _ => return Err(format!("there is no option {}; uci lists them", quoted(name))),
        }
        Ok(())
    }

    /// How castling is meant.
    pub fn mode(&self) -> CastlingMode {
        if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    /// Whose character to play in; none to play as well as can be.
    pub fn level(&self) -> Option<EngineLevel> {
        if self.limited {
            EngineLevel::ALL.into_iter().min_by_key(|level| level.rating().abs_diff(self.elo))
        } else {
            Some(self.level).filter(|level| *level != TOP)
        }
    }
}

/// Of the weakest level and of the strongest.
const RATINGS: [u16; 2] = [EngineLevel::ALL[0].rating(), TOP.rating()];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_stands_for_the_nearest_level() {
        let mut options = Options::default();
        assert_eq!(options.level(), None);
        options.set("UCI_LimitStrength", "true").expect("it can be set");
        assert_eq!(options.level(), Some(TOP));
        for level in EngineLevel::ALL {
            let elo = (level.rating() + 1).min(TOP.rating());
            options.set("UCI_Elo", &elo.to_string()).expect("it can be set");
            assert_eq!(options.level(), Some(level));
        }
        options.set("uci_limitstrength", "False").expect("it can be set");
        options.set("Level", "3").expect("it can be set");
        assert_eq!(options.level(), EngineLevel::new(3));
        options.set("Level", "10").expect("it can be set");
        assert_eq!(options.level(), None);
    }

    #[test]
    fn what_cannot_be_set_is_explained() {
        let mut options = Options::default();
        for (name, value, part) in [
            ("Level", "11", "1 to 10"),
            ("Level", "", "1 to 10"),
            ("UCI_Elo", "100", "UCI_Elo"),
            ("UCI_LimitStrength", "perhaps", "true or false"),
            ("MultiPV", "0", "1 to 256"),
            ("Hash", "0", "1 to 4096"),
            ("Threads", "many", "1 to 64"),
            ("UCI_Chess960", "1", "true or false"),
            ("Contempt", "16", "no option"),
        ] {
            let why = options.set(name, value).expect_err(name);
            assert!(why.contains(part), "{why}");
        }
        let long = "x".repeat(100_000);
        for (name, value) in [(long.as_str(), "1"), ("Level", &long), ("Ponder", &long)] {
            let why = options.set(name, value).expect_err("it is refused");
            assert!(why.len() < 200, "{} characters", why.len());
        }
    }
}
