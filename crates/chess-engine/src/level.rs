//! The ten levels: how much each may look at, and how carefully it picks.
//!
//! The numbers give the right order of strength; nobody has put them on a rating scale yet.

/// How strong, 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

pub(crate) struct Character {
    /// Positions looked at before a move is chosen. A count and not a time, so that a slow machine
    /// plays the same game as a fast one.
    pub nodes: u64,
    /// By how many centipawns a move may be worse and still tempt; at 0 only the best will do.
    pub temperature: i32,
    /// How often, in a thousand, the answer to a move is overlooked.
    pub blindness: u64,
    /// Whether a forced mate, once found, is always played.
    pub sure_of_mate: bool,
}

impl Level {
    pub fn new(n: u8) -> Option<Level> {
        (1..=10).contains(&n).then_some(Level(n))
    }

    pub fn get(self) -> u8 {
        self.0
    }

    pub(crate) fn character(self) -> Character {
        let (nodes, temperature, blindness) = match self.0 {
            1 => (100, 120, 250),
            2 => (150, 75, 150),
            3 => (300, 50, 80),
            4 => (800, 28, 30),
            5 => (2_000, 16, 12),
            6 => (6_000, 8, 4),
            7 => (15_000, 4, 0),
            8 => (40_000, 0, 0),
            9 => (200_000, 0, 0),
            _ => (800_000, 0, 0),
        };
        Character { nodes, temperature, blindness, sure_of_mate: self.0 >= 4 }
    }
}
