//! Which games have changed lately, so that a page that asks for the list first and for its news a
//! moment later misses nothing between the two.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::broadcast::error::RecvError;

use super::Web;
use crate::hall::GameId;

/// More than change while a page loads; who was away for longer asks for the list again.
const REMEMBERED: usize = 2000;

/// A moment in the life of this process, as a page may give it back to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Nodes do not know each other's moments.
    node: u32,
    changes: u64,
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}-{}", self.node, self.changes)
    }
}

impl std::str::FromStr for Moment {
    type Err = ();

    fn from_str(text: &str) -> Result<Moment, ()> {
        let (node, changes) = text.split_once('-').ok_or(())?;
        let (node, changes) = (node.parse().map_err(drop)?, changes.parse().map_err(drop)?);
        Ok(Moment { node, changes })
    }
}

pub struct Recent {
    node: u32,
    changes: Mutex<(u64, VecDeque<GameId>)>,
}

impl Default for Recent {
    fn default() -> Recent {
        Recent { node: getrandom::u32().unwrap_or_default(), changes: Mutex::default() }
    }
}

impl Recent {
    pub fn now(&self) -> Moment {
        let changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner).0;
        Moment { node: self.node, changes }
    }

    /// What has changed since then; None if nobody knows.
    pub fn since(&self, moment: Moment) -> Option<BTreeSet<GameId>> {
        let changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let missed = changes.0.checked_sub(moment.changes).filter(|_| moment.node == self.node)?;
        let missed = usize::try_from(missed).ok().filter(|missed| *missed <= changes.1.len())?;
        Some(changes.1.range(changes.1.len() - missed..).copied().collect())
    }

    fn note(&self, game: GameId) {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        changes.0 += 1;
        changes.1.push_back(game);
        if changes.1.len() > REMEMBERED {
            changes.1.pop_front();
        }
    }

    /// Nobody knows what happened before now.
    fn forget(&self) {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        changes.0 += 1;
        changes.1.clear();
    }
}

/// Listens until the end.
pub async fn listen(web: Arc<Web>) {
    let mut changes = web.hall.changes();
    loop {
        tokio::select! {
            () = web.stop.cancelled() => return,
            changed = changes.recv() => match changed {
                Ok(game) => web.recent.note(game),
                Err(RecvError::Lagged(_)) => web.recent.forget(),
                Err(RecvError::Closed) => return,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_since_a_moment_is_known_as_long_as_it_is_remembered() {
        let recent = Recent::default();
        let [one, two] = [1, 2].map(GameId::from_number);
        let first: Moment = recent.now().to_string().parse().unwrap();
        recent.note(one);
        let second = recent.now();
        recent.note(two);
        assert_eq!(recent.since(first), Some([one, two].into()));
        assert_eq!(recent.since(second), Some([two].into()));
        assert_eq!(recent.since(recent.now()), Some([].into()));
        assert_eq!(recent.since(Moment { node: !recent.node, changes: 0 }), None);
        assert_eq!(recent.since(Moment { node: recent.node, changes: 9 }), None);
        for _ in 0..REMEMBERED {
            recent.note(one);
        }
        assert_eq!(recent.since(second), None);
        let third = recent.now();
        recent.forget();
        assert_eq!(recent.since(third), None);
    }
}
