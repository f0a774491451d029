//! A request of a player, before it is resolved to a move.

use std::{any::Any, sync::Arc};

use super::position::Move;
use crate::{Illegal, Rules, Seat};

/// A request of a player. The position resolves it to a move, or refuses it.
#[derive(Clone)]
pub enum Ask {
    /// As moves are written: on the wire, on a page.
    Text(String),
    /// In the types of its kind, by whoever knows the kind.
    Typed(TypedAsk),
    /// Beside the board, by one of the words that [`crate::Record::actions`] lists.
    Beside(String),
    /// Nothing, and the time is up.
    Late,
}

/// An ask that knows by itself which move of a position it means.
#[derive(Clone)]
pub struct TypedAsk(Arc<Find>);

/// None for a position of another kind.
type Find = dyn Fn(&dyn Any, Seat) -> Option<Result<Move, Illegal>> + Send + Sync;

impl Ask {
    /// The move of `R` that `find` finds in the position.
    pub fn of<R: Rules>(
        find: impl Fn(&R, Seat) -> Result<R::Move, Illegal> + Send + Sync + 'static,
    ) -> Ask {
        Ask::Typed(TypedAsk(Arc::new(move |position, seat| {
            let position = position.downcast_ref::<R>()?;
            Some(find(position, seat).map(Move::of::<R>))
        })))
    }
}

impl TypedAsk {
    pub(super) fn find(&self, position: &dyn Any, seat: Seat) -> Result<Move, Illegal> {
        (self.0)(position, seat).unwrap_or_else(|| Err(Illegal::rule("this is no move")))
    }
}

impl From<&str> for Ask {
    fn from(text: &str) -> Ask {
        Ask::Text(text.to_owned())
    }
}

impl From<&String> for Ask {
    fn from(text: &String) -> Ask {
        Ask::Text(text.clone())
    }
}

impl From<String> for Ask {
    fn from(text: String) -> Ask {
        Ask::Text(text)
    }
}
