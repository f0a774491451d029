//! Which games change, gathered for a moment, so that several changes are one piece of news.

use std::{collections::HashSet, time::Duration};

use tokio::{
    sync::broadcast::{self, error::RecvError},
    time::{Instant, timeout_at},
};

use crate::ids::GameId;

/// Hears of every change.
pub struct Changes(pub(super) broadcast::Receiver<GameId>);

/// Which games have changed.
#[derive(Debug, PartialEq, Eq)]
pub enum Changed {
    These(HashSet<GameId>),
    /// Some were missed; it may have been any.
    Any,
}

impl Changed {
    pub fn includes(&self, game: GameId) -> bool {
        match self {
            Changed::These(games) => games.contains(&game),
            Changed::Any => true,
        }
    }
}

impl Changes {
    /// Waits for a change, and for those that come within `pace` of it. None when there will be no
    /// more. Whoever gives up in the middle loses what was gathered.
    pub async fn next(&mut self, pace: Duration) -> Option<Changed> {
        let mut heard = self.0.recv().await;
        let end = Instant::now() + pace;
        let mut games = HashSet::new();
        loop {
            match heard {
                Ok(game) => drop(games.insert(game)),
                Err(RecvError::Lagged(_)) => {
                    self.0 = self.0.resubscribe();
                    return Some(Changed::Any);
                }
                Err(RecvError::Closed) if games.is_empty() => return None,
                Err(RecvError::Closed) => return Some(Changed::These(games)),
            }
            if Instant::now() >= end {
                return Some(Changed::These(games));
            }
            match timeout_at(end, self.0.recv()).await {
                Ok(next) => heard = next,
                Err(_) => return Some(Changed::These(games)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Duration = Duration::from_millis(1);

    #[tokio::test]
    async fn changes_that_come_together_are_one_and_missed_ones_may_have_been_any() {
        let (tell, ear) = broadcast::channel(4);
        let mut changes = Changes(ear);
        let [one, two, three] = [1, 2, 3].map(GameId::from_number);
        for game in [one, two, one] {
            tell.send(game).unwrap();
        }
        assert_eq!(changes.next(PACE).await, Some(Changed::These([one, two].into())));
        for _ in 0..9 {
            tell.send(three).unwrap();
        }
        let missed = changes.next(PACE).await.unwrap();
        assert!(missed == Changed::Any && missed.includes(one));
        tell.send(two).unwrap();
        assert_eq!(changes.next(PACE).await, Some(Changed::These([two].into())));
        drop(tell);
        assert_eq!(changes.next(PACE).await, None);
    }
}
