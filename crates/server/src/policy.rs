//! On which terms a game is played.

use thiserror::Error;

/// What may one day say how long a player may think, what is shown and what is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Nothing is at stake.
    #[default]
    Casual,
}

impl Policy {
    pub fn name(self) -> &'static str {
        match self {
            Policy::Casual => "casual",
        }
    }

    pub fn named(name: &str) -> Result<Policy, UnknownPolicy> {
        match name {
            "casual" => Ok(Policy::Casual),
            _ => Err(UnknownPolicy(name.to_owned())),
        }
    }
}

#[derive(Debug, Error)]
#[error("its policy is {0:?}, of which this version of agon knows nothing")]
pub struct UnknownPolicy(String);
