//! What is the same for all games of one kind. Which kinds there are is said in `lib.rs`.

use std::ops::Deref;

use serde_json::{Map, Value};

use crate::{
    Card, Dice, Illegal, KINDS, Key, Rules,
    record::{Position, RESIGN},
    setup_keys::setup_keys,
    wording::quoted,
};

/// One kind of game, under one version of its rules. Every game in play holds it more than once, so
/// what is the same for all of them is kept elsewhere.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Of the rules; the newest, or the one a game began under.
    pub version: u32,
    facts: &'static KindFacts,
}

/// What is the same for all games of one kind.
pub struct KindFacts {
    pub name: &'static str,
    /// What the seats are called, as many as there can be.
    pub seats: &'static [&'static str],
    pub card: Option<&'static Card>,
    /// What it lists by itself of what is done beside the board.
    pub(crate) own_actions: &'static [&'static str],
    table_keys: &'static [Key],
    setup_keys: fn() -> &'static [&'static str],
    pub(crate) start: Start,
}

impl Kind {
    pub const fn of<R: Rules>() -> Kind {
        Kind { version: R::VERSION, facts: const { &KindFacts::of::<R>() } }
    }

    /// The same under the rules of an older version, by which a game goes on that began so.
    pub fn of_version(self, version: u32) -> Result<Kind, UnknownKind> {
        if (1..=self.version).contains(&version) {
            Ok(Kind { version, ..self })
        } else {
            Err(UnknownKind::Version { name: self.name, known: self.version, version })
        }
    }

    /// What the seats of a game with this set-up are called, or why there can be none.
    pub fn names(&self, setup: &str) -> Result<&'static [&'static str], Illegal> {
        let (seats, _) = (self.start)(self.version, setup, &mut Dice::new(0, 0))?;
        Ok(&self.seats[..seats])
    }
}

impl Deref for Kind {
    type Target = KindFacts;

    fn deref(&self) -> &KindFacts {
        self.facts
    }
}

impl KindFacts {
    const fn of<R: Rules>() -> KindFacts {
        KindFacts {
            name: R::KIND,
            seats: R::SEATS,
            card: const { &R::CARD }.as_ref(),
            own_actions: R::ACTIONS,
            table_keys: R::TABLE_KEYS,
            setup_keys: setup_keys::<R::Setup>,
            start: |version, setup, dice| {
                let setup: R::Setup =
                    serde_json::from_str(setup).map_err(|_| unreadable::<R>(setup))?;
                Ok((R::seats(&setup), Box::new(R::start(version, &setup, dice)?)))
            },
        }
    }

    /// What may be done beside the board, in the words for it; in a game with more than two seats,
    /// less (`Record::actions`).
    pub fn actions(&self) -> &'static [&'static str] {
        let two_can_play = self.seats.len() >= 2 && self.card.is_some_and(|card| card.fewest <= 2);
        match self.own_actions {
            [] if two_can_play => &[RESIGN],
            own => own,
        }
    }

    /// All that can be chosen when a game is created with the tools.
    pub fn choices(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.card.map_or(&[][..], |card| card.keys).iter().chain(self.table_keys)
    }

    /// The keys its set-up is read from. The card lists those that players may choose.
    pub fn setup_keys(&self) -> &'static [&'static str] {
        (self.setup_keys)()
    }
}

/// What is wrong with a set-up, in the words of whoever sent it.
fn unreadable<R: Rules>(setup: &str) -> Illegal {
    let sent: Map<String, Value> = serde_json::from_str(setup).unwrap_or_default();
    let is_wrong = |(key, value): &(&String, &Value)| {
        let alone = Map::from_iter([((*key).clone(), (*value).clone())]);
        serde_json::from_value::<R::Setup>(Value::Object(alone)).is_err()
    };
    let Some((key, value)) = sent.iter().find(is_wrong) else {
        return Illegal::set_up("the set-up cannot be read");
    };
    if !setup_keys::<R::Setup>().contains(&key.as_str()) {
        return Illegal::set_up(format!("the set-up has no key {}", quoted(key)));
    }
    let value = match value {
        Value::String(text) => quoted(text),
        value => value.to_string().chars().take(LONGEST_VALUE).collect(),
    };
    let keys = R::CARD.map_or(&[][..], |card| card.keys);
    let right = keys.iter().find(|listed| listed.name == key);
    let right = right.map(|listed| format!("; {listed}")).unwrap_or_default();
    Illegal::set_up(format!("{key} cannot be {value}{right}"))
}

/// Of a value that will not do, so much is repeated.
const LONGEST_VALUE: usize = 80;

/// How many sit down, and what is before them.
type Start = fn(u32, &str, &mut Dice) -> Result<(usize, Box<dyn Position>), Illegal>;

#[derive(Debug, thiserror::Error)]
pub enum UnknownKind {
    #[error("no game is called {0:?}")]
    Name(String),
    #[error("version {version} of the rules of {name} is not known here, only up to {known}")]
    Version { name: &'static str, known: u32, version: u32 },
}

pub fn kind(name: &str) -> Result<Kind, UnknownKind> {
    KINDS
        .iter()
        .find(|kind| kind.name == name)
        .copied()
        .ok_or_else(|| UnknownKind::Name(name.to_owned()))
}
