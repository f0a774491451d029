//! Why a move or a set-up was not accepted.

use std::{any::Any, fmt, sync::Arc};

use crate::Outcome;

/// Why a move was not accepted. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    #[error("the game is over: {0}")]
    Over(Outcome),
    #[error("it is not your turn")]
    NotYourTurn,
    /// `options` are the moves that come nearest to what was asked for; of a set-up, the keys that
    /// there are.
    #[error("{reason}")]
    Rule { rule: BrokenRule, reason: String, options: Vec<String> },
    #[error("the claim does not hold")]
    FalseClaim,
}

impl Illegal {
    /// Of the moves that would be right, so many are named.
    const OPTIONS: usize = 20;

    /// `rule`, a value of the kind's own type, stands in the way; of `options`, the first are told.
    pub fn because(
        rule: impl RuleName,
        reason: impl Into<String>,
        options: impl IntoIterator<Item = String>,
    ) -> Illegal {
        Illegal::broken(rule, reason, options.into_iter().take(Illegal::OPTIONS).collect())
    }

    /// The same where all of `options` are told.
    pub(crate) fn broken(
        rule: impl RuleName,
        reason: impl Into<String>,
        options: Vec<String>,
    ) -> Illegal {
        Illegal::Rule { rule: BrokenRule(Arc::new(rule)), reason: reason.into(), options }
    }

    /// A set-up that cannot be played.
    pub fn set_up(reason: impl Into<String>) -> Illegal {
        Illegal::broken(GeneralRule::InvalidSetup, reason, Vec::new())
    }

    pub(crate) fn rule(reason: impl Into<String>) -> Illegal {
        Illegal::broken(GeneralRule::NotAMove, reason, Vec::new())
    }
}

/// A kind's own name for one of its rules: a value of an enum where somebody tells them apart, a
/// text where nobody does. How Rust writes it is its code.
pub trait RuleName: Any + fmt::Debug + Send + Sync {}

impl<T: Any + fmt::Debug + Send + Sync> RuleName for T {}

/// Rules that have no other name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneralRule {
    InvalidSetup,
    NotAMove,
}

/// The rule in the way, by the name that its kind has for it.
#[derive(Clone)]
pub struct BrokenRule(Arc<dyn RuleName>);

impl BrokenRule {
    /// The name, if it is one of these.
    pub fn of<N: RuleName + Copy>(&self) -> Option<N> {
        let name: &dyn Any = &*self.0;
        name.downcast_ref().copied()
    }
}

impl fmt::Debug for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // Without the marks that Rust puts around a text.
        f.write_str(format!("{:?}", self.0).trim_matches('"'))
    }
}

impl PartialEq for BrokenRule {
    fn eq(&self, other: &BrokenRule) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for BrokenRule {}
