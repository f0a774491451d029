//! Everything that games of one kind have in common. The list of kinds is in `lib.rs`.

use std::ops::Deref;

use serde_json::{Map, Value};

use crate::{
    Card, Dice, Illegal, KINDS, Key, Rules,
    record::{Position, RESIGN},
    setup_keys::setup_keys,
    wording::{quoted, short},
};

/// One kind of game. A copy is as small as a reference.
#[derive(Clone, Copy)]
pub struct Kind(&'static KindFacts);

pub struct KindFacts {
    pub name: &'static str,
    /// The version of its rules, kept with each game.
    pub version: u32,
    /// The names of the seats, as many as a game can have.
    pub seats: &'static [&'static str],
    pub card: Option<&'static Card>,
    /// The actions off the board that the kind itself lists.
    pub(crate) own_actions: &'static [&'static str],
    table_keys: &'static [Key],
    setup_keys: fn() -> &'static [&'static str],
    pub(crate) start: Start,
}

impl Kind {
    pub const fn of<R: Rules>() -> Kind {
        Kind(const { &KindFacts::of::<R>() })
    }

    /// The names of the seats in a game with this set-up, or why it is refused.
    pub fn names(&self, setup: &str) -> Result<&'static [&'static str], Illegal> {
        let (seats, _) = (self.start)(setup, &mut Dice::new(0, 0))?;
        Ok(&self.seats[..seats])
    }
}

impl Deref for Kind {
    type Target = KindFacts;

    fn deref(&self) -> &KindFacts {
        self.0
    }
}

impl KindFacts {
    const fn of<R: Rules>() -> KindFacts {
        KindFacts {
            name: R::KIND,
            version: R::VERSION,
            seats: R::SEATS,
            card: const { &R::CARD }.as_ref(),
            own_actions: R::ACTIONS,
            table_keys: R::TABLE_KEYS,
            setup_keys: setup_keys::<R::Setup>,
            start: |setup, dice| {
                let setup: R::Setup =
                    serde_json::from_str(setup).map_err(|_| unreadable::<R>(setup))?;
                Ok((R::seats(&setup), Box::new(R::start(&setup, dice)?)))
            },
        }
    }

    /// The words for actions off the board, like `resign`. A game with more than two seats may have
    /// fewer: see `Record::actions`.
    pub fn actions(&self) -> &'static [&'static str] {
        let two_can_play = self.seats.len() >= 2 && self.card.is_some_and(|card| card.fewest <= 2);
        match self.own_actions {
            [] if two_can_play => &[RESIGN],
            own => own,
        }
    }

    /// Everything that can be chosen when a game is created with the tools.
    pub fn choices(&self) -> impl Iterator<Item = &'static Key> + use<> {
        let own = self.card.map_or(&[][..], |card| card.keys);
        own.iter().chain(self.table_keys).chain([&Key::SEED])
    }

    /// All keys that the set-up accepts. The card lists those that players may choose.
    pub fn setup_keys(&self) -> &'static [&'static str] {
        (self.setup_keys)()
    }
}

/// Says which key or value of a set-up is wrong.
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
        value => short(&value.to_string()),
    };
    let keys = R::CARD.map_or(&[][..], |card| card.keys);
    let right = keys.iter().find(|listed| listed.name == key);
    let right = right.map(|listed| format!("; {listed}")).unwrap_or_default();
    Illegal::set_up(format!("{key} cannot be {value}{right}"))
}

/// Reads a set-up and returns the number of seats and the first position.
type Start = fn(&str, &mut Dice) -> Result<(usize, Box<dyn Position>), Illegal>;

#[derive(Debug, thiserror::Error)]
pub enum UnknownKind {
    #[error("no game is called {0:?}")]
    Name(String),
    #[error(
        "the game was kept with version {kept} of the rules of {name}; this program has {known}"
    )]
    Version { name: &'static str, kept: u32, known: u32 },
}

pub fn kind(name: &str) -> Result<Kind, UnknownKind> {
    KINDS
        .iter()
        .find(|kind| kind.name == name)
        .copied()
        .ok_or_else(|| UnknownKind::Name(name.to_owned()))
}

/// The kind of a game in the log, which can be read only by the rules that it was played by.
pub fn kind_in_log(name: &str, version: u32) -> Result<Kind, UnknownKind> {
    let kind = kind(name)?;
    if kind.version == version {
        Ok(kind)
    } else {
        Err(UnknownKind::Version { name: kind.name, kept: version, known: kind.version })
    }
}
