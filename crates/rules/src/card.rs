//! What a kind says of itself, to players who have never heard of it.

use serde::Serialize;

/// A card is told to models word for word, so its texts are short: see the limits in its test.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Card {
    pub title: &'static str,
    /// What it is, in one sentence.
    pub sentence: &'static str,
    /// How it goes, as a model should be told.
    pub rules: &'static str,
    /// How a move is written, with an example.
    pub moves: &'static str,
    pub tags: &'static [Tag],
    /// The fewest who can play it; the most are as many as it has names for seats. Where these
    /// differ, the key `seats` of the set-up says how many there are.
    pub fewest: u8,
    /// What can be chosen when a game is created.
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
    /// Several move at once.
    Simultaneous,
    /// One plays alone.
    Solo,
}

/// A key of the set-up.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Key {
    pub name: &'static str,
    /// What it does, the values it takes, and what it is when left out.
    pub about: &'static str,
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
