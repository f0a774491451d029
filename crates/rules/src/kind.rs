//! What is the same for all games of one kind. Which kinds there are is said in `lib.rs`.

use crate::{Card, Dice, Illegal, KINDS, Rules, record::Position};

/// What is the same for all games of one kind.
#[derive(Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    /// Of the rules; the newest, or the one a game began under.
    pub version: u32,
    /// What the seats are called, as many as there can be.
    pub seats: &'static [&'static str],
    pub card: Option<Card>,
    pub(crate) start: Start,
}

impl Kind {
    pub const fn of<R: Rules>() -> Kind {
        Kind {
            name: R::KIND,
            version: R::VERSION,
            seats: R::SEATS,
            card: R::CARD,
            start: |version, setup, dice| {
                let setup: R::Setup = serde_json::from_str(setup)
                    .map_err(|e| Illegal::rule(format!("the set-up cannot be read: {e}")))?;
                Ok((R::seats(&setup), Box::new(R::start(version, &setup, dice)?)))
            },
        }
    }

    /// What the seats of a game with this set-up are called, or why there can be none.
    pub fn names(&self, setup: &str) -> Result<&'static [&'static str], Illegal> {
        let (seats, _) = (self.start)(self.version, setup, &mut Dice::new(0, 0))?;
        Ok(&self.seats[..seats])
    }

    /// The same under the rules of an older version, by which a game goes on that began so.
    pub fn of_version(self, version: u32) -> Result<Kind, UnknownKind> {
        if (1..=self.version).contains(&version) {
            Ok(Kind { version, ..self })
        } else {
            Err(UnknownKind::Version { name: self.name, known: self.version, version })
        }
    }
}

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
