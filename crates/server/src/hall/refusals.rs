//! Why the hall does not do what it is asked.

use rules::Illegal;

use crate::{budgets::TooMany, ids::GameId, store::StoreError};

#[derive(Debug, thiserror::Error)]
pub enum FindError {
    #[error("there is no game {0}")]
    NoSuchGame(GameId),
    #[error("that pass does not open game {0}")]
    WrongPass(GameId),
    #[error("game {id} cannot be read: {why}")]
    Unreadable { id: GameId, why: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    #[error(transparent)]
    Setup(#[from] Illegal),
    #[error(transparent)]
    TooMany(#[from] TooMany),
    #[error(transparent)]
    Find(#[from] FindError),
}

impl From<StoreError> for CreateError {
    fn from(error: StoreError) -> CreateError {
        FindError::Store(error).into()
    }
}

/// Why nothing was played.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error(transparent)]
    Illegal(#[from] Illegal),
    #[error("turn {asked} is not the turn to be played, {due} is")]
    AnotherTurn { asked: u32, due: u32 },
    #[error("that key was given to another move, turn {0}")]
    KeyUsed(u32),
    /// A repeated call has one effect, whatever became of this one.
    #[error("it is not known whether turn {turn} was saved; send the same again, it counts once")]
    NotKnown { turn: u32 },
    #[error("the turn could not be saved: {0}")]
    Store(#[from] StoreError),
}

impl Refusal {
    /// Whoever is due asked for what the rules do not allow.
    pub fn is_wrong_move(&self) -> bool {
        matches!(self, Refusal::Illegal(Illegal::Rule { .. } | Illegal::FalseClaim))
    }
}

#[derive(Debug, thiserror::Error)]
#[error("game {0} is a game of {1}")]
pub struct WrongKind(pub(super) GameId, pub(super) &'static str);
