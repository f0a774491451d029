//! What a kind says of itself, to players who have never heard of it.

use std::fmt;

use serde::Serialize;

/// A card is told to models word for word, so its texts are short; the limits are in bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Card {
    /// At most 40.
    pub title: &'static str,
    /// What people call it beside its name and its title, each as one word of small letters and
    /// digits: `fourinarow`. No two kinds share one.
    pub also_called: &'static [&'static str],
    /// What it is, in one sentence of 10 to 120 that ends with a full stop.
    pub sentence: &'static str,
    /// How it goes, as a model should be told, in sentences of 40 to 1,200 together.
    pub rules: &'static str,
    /// How a move is written, with an example that the first seat may play at the start of a game
    /// without any choices; at most 120.
    pub moves: &'static str,
    /// All that are true, and no others: secrets are looked for where `Hidden` says so, guesses are
    /// held to be the game where it does not.
    pub tags: &'static [Tag],
    /// The fewest who can play it; the most are as many as it has names for seats. Where these
    /// differ, the key `seats` of the set-up says how many there are.
    pub fewest: u8,
    /// What can be chosen when a game is created: all keys of the set-up.
    pub keys: &'static [Key],
}

/// What a player should know before sitting down, and a search before it looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tag {
    /// Dice or cards decide with the players.
    Chance,
    /// A seat does not see all that others do.
    Hidden,
    /// Several move at once, from the first turn on.
    Simultaneous,
    /// One plays alone.
    Solo,
}

/// A key of the set-up.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Key {
    pub name: &'static str,
    /// What it does, the values it takes, and after a semicolon what it is when left out. A refusal
    /// of a value repeats it.
    pub about: &'static str,
}

/// As it is told.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.about.rsplit_once("; ") {
            Some((about, usual)) => write!(f, "{}: {about} (usually {usual})", self.name),
            None => write!(f, "{}: {}", self.name, self.about),
        }
    }
}

impl Card {
    pub fn has(&self, tag: Tag) -> bool {
        self.tags.contains(&tag)
    }

    /// Whether all is seen and nothing is drawn once it has begun.
    pub fn is_open(&self) -> bool {
        let closed = [Tag::Hidden, Tag::Chance, Tag::Simultaneous];
        closed.iter().all(|tag| !self.has(*tag))
    }
}
