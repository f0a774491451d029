//! How long whoever is due in a match still has, as far as the match is refereed in this process.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rules::Seat;
use tokio::time::Instant;

use crate::{ids::GameId, league::wire::clock::Clock};

type Clocks = HashMap<GameId, [Option<Clock>; 2]>;

#[derive(Clone, Default)]
pub struct Deadlines(Arc<Mutex<Clocks>>);

/// A match that is refereed here, until this is dropped.
pub struct RefereedHere {
    deadlines: Deadlines,
    game: GameId,
}

impl Deadlines {
    pub fn referee(&self, game: GameId) -> RefereedHere {
        self.lock().insert(game, [None, None]);
        RefereedHere { deadlines: self.clone(), game }
    }

    /// The clock that runs for a seat, or that none does any more.
    pub fn set(&self, game: GameId, seat: Seat, clock: Option<Clock>) {
        if let Some(clocks) = self.lock().get_mut(&game) {
            clocks[usize::from(seat.0)] = clock;
        }
    }

    /// What is left to a seat that is due; all of `limit` if its clock does not run yet. Nothing is
    /// known of a match that is refereed elsewhere.
    pub fn left(&self, game: GameId, seat: Seat, limit: Duration) -> Option<Duration> {
        let clocks = self.lock();
        let clock = &clocks.get(&game)?[usize::from(seat.0)];
        let left = |clock: &Clock| clock.until().saturating_duration_since(Instant::now());
        Some(clock.as_ref().map_or(limit, left))
    }

    fn lock(&self) -> MutexGuard<'_, Clocks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RefereedHere {
    fn drop(&mut self) {
        self.deadlines.lock().remove(&self.game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_left_is_told_of_matches_that_are_refereed_here() {
        let (deadlines, game, seat) = (Deadlines::default(), GameId::from_number(7), Seat(1));
        let limit = Duration::from_secs(12);
        let left = || deadlines.left(game, seat, limit);
        assert_eq!(left(), None);
        let refereed = deadlines.referee(game);
        assert_eq!(left(), Some(limit), "its clock is not set yet");
        deadlines.set(game, seat, Some(Clock::running(Duration::ZERO)));
        assert_eq!(left(), Some(Duration::ZERO));
        deadlines.set(game, seat, None);
        assert_eq!(left(), Some(limit));
        drop(refereed);
        assert_eq!(left(), None);
        deadlines.set(game, seat, Some(Clock::running(limit)));
        assert_eq!(left(), None);
    }
}
