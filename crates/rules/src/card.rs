//! The description of a kind, for players who do not know the game.

use std::fmt;

use serde::Serialize;

/// Models get these texts word for word, so they are short. The limits are in bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Card {
    /// At most 40.
    pub title: &'static str,
    /// Other names of the game, in lower-case letters: `four in a row`. No two kinds share one.
    pub also_called: &'static [&'static str],
    /// One sentence of 10 to 120 that ends with a full stop.
    pub sentence: &'static str,
    /// The rules, written for a model: sentences of 40 to 1,200 in total.
    pub rules: &'static str,
    /// How to write a move, at most 120, ending with an example that the first seat may play at the
    /// start of a game with the default set-up.
    pub moves: &'static str,
    /// Exactly those that apply. The tests look for leaked secrets where `Hidden` is listed, and
    /// expect guesses to equal the game where it is not.
    pub tags: &'static [Tag],
    /// The smallest number of players; the largest is the number of seat names. If they differ, the
    /// key `seats` of the set-up says how many play.
    pub fewest: u8,
    /// All keys of the set-up: what can be chosen when a game is created.
    pub keys: &'static [Key],
}

/// Properties that matter to players before they join, and to a search before it looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tag {
    /// Dice or cards have a part in the result.
    Chance,
    /// Some seats see what others do not.
    Hidden,
    /// Several seats move at the same time, from the first turn on.
    Simultaneous,
    /// A game for one player.
    Solo,
}

/// A key of the set-up.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Key {
    pub name: &'static str,
    /// Its effect and the values it takes; after a semicolon, the default. A refusal of a value
    /// repeats this text.
    pub about: &'static str,
}

impl Key {
    /// Every game takes it beside its own keys. It is not part of what the rules read.
    pub const SEED: Key = Key {
        name: "seed",
        about: "a number or a word; the same one deals the same again, and the game is practice, \
                rated nowhere; drawn by the server",
    };
}

/// The text that players read.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.about.rsplit_once("; ") {
            Some((about, usual)) => write!(f, "{}: {about} (usually {usual})", self.name),
            None => write!(f, "{}: {}", self.name, self.about),
        }
    }
}

impl Card {
    /// Defaults for an open game of two players. Each kind fills in the texts.
    pub const PLAIN: Card = Card {
        title: "",
        also_called: &[],
        sentence: "",
        rules: "",
        moves: "",
        tags: &[],
        fewest: 2,
        keys: &[],
    };

    pub fn has(&self, tag: Tag) -> bool {
        self.tags.contains(&tag)
    }

    /// Whether nothing is hidden, and nothing is drawn after the start.
    pub fn is_open(&self) -> bool {
        let closed = [Tag::Hidden, Tag::Chance, Tag::Simultaneous];
        closed.iter().all(|tag| !self.has(*tag))
    }
}
