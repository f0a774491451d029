//! Which games change: all of them, those of one kind, or gathered for a moment, so that several
//! changes are one piece of news.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tokio::{
    sync::{
        broadcast::{
            self,
            error::{RecvError, TryRecvError},
        },
        watch,
    },
    time::{Instant, sleep_until},
};

use crate::ids::GameId;

/// So many changes may happen while somebody who hears of them is busy.
const KEPT: usize = 8192;

/// Where games say that they have changed.
#[derive(Clone)]
pub struct Announcer {
    all: broadcast::Sender<GameId>,
    /// Changes when any game may have changed without being named.
    missed: watch::Sender<()>,
    /// Listeners to one kind alone, who are not woken for others.
    of_kind: Arc<RwLock<HashMap<&'static str, broadcast::Sender<GameId>>>>,
}

impl Announcer {
    pub fn new() -> Announcer {
        Announcer {
            all: broadcast::Sender::new(KEPT),
            missed: watch::Sender::new(()),
            of_kind: Arc::default(),
        }
    }

    /// A game of that kind has changed; of whatever kind, where that is not known.
    pub fn tell(&self, game: GameId, kind: Option<&str>) {
        // Nobody may be listening.
        let _ = self.all.send(game);
        let of_kind = self.of_kind.read().unwrap_or_else(PoisonError::into_inner);
        for (_, ears) in of_kind.iter().filter(|(of, _)| kind.is_none_or(|kind| kind == **of)) {
            let _ = ears.send(game);
        }
    }

    /// Any game may have changed.
    pub fn missed(&self) {
        self.missed.send_replace(());
    }

    pub fn news(&self) -> Changes {
        Changes { all: self.all.subscribe(), missed: self.missed.subscribe() }
    }

    /// Changes of one kind, and of games whose kind is not known here.
    pub fn changes_of(&self, kind: &'static str) -> broadcast::Receiver<GameId> {
        let mut of_kind = self.of_kind.write().unwrap_or_else(PoisonError::into_inner);
        of_kind.entry(kind).or_insert_with(|| broadcast::Sender::new(KEPT)).subscribe()
    }
}

/// Hears of every change.
pub struct Changes {
    all: broadcast::Receiver<GameId>,
    missed: watch::Receiver<()>,
}

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
    /// Waits for a change, and for those that come within `pace` of it: who plays meanwhile wakes
    /// nobody. None when there will be no more. Whoever gives up in the middle loses the first.
    pub async fn next(&mut self, pace: Duration) -> Option<Changed> {
        let mut games = HashSet::new();
        let first = tokio::select! {
            first = self.all.recv() => first,
            Ok(()) = self.missed.changed() => return Some(Changed::Any),
        };
        sleep_until(Instant::now() + pace).await;
        let mut heard = first.map_err(|error| match error {
            RecvError::Closed => TryRecvError::Closed,
            RecvError::Lagged(missed) => TryRecvError::Lagged(missed),
        });
        loop {
            match heard {
                Ok(game) => games.insert(game),
                Err(TryRecvError::Lagged(_)) => {
                    self.all = self.all.resubscribe();
                    return Some(Changed::Any);
                }
                Err(TryRecvError::Closed) if games.is_empty() => return None,
                Err(TryRecvError::Closed | TryRecvError::Empty) => {
                    return Some(Changed::These(games));
                }
            };
            heard = self.all.try_recv();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Duration = Duration::from_millis(1);

    #[tokio::test]
    async fn changes_that_come_together_are_one_and_missed_ones_may_have_been_any() {
        let (tell, all) = broadcast::channel(4);
        let (miss, missed) = watch::channel(());
        let mut changes = Changes { all, missed };
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
        miss.send_replace(());
        assert_eq!(changes.next(PACE).await, Some(Changed::Any));
        drop((tell, miss));
        assert_eq!(changes.next(PACE).await, None);
    }
}
