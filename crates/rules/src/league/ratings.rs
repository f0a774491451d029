//! Glicko-2 ratings. Each round is a rating period, taken in order of the schedule, so that it does
//! not matter which match of a round was over first. Forfeits say nothing of strength.

use std::sync::Arc;

use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period},
};

use super::round::Round;

/// Everyone's rating after the first so many rounds. What it costs to rate a long league again for
/// every look at the table, it costs once to keep this.
#[derive(Clone)]
pub(super) struct Ratings {
    rounds: usize,
    ratings: Vec<Glicko2Rating>,
}

impl Ratings {
    /// Everyone starts as a stranger.
    pub(super) fn new(players: usize) -> Ratings {
        Ratings { rounds: 0, ratings: vec![Glicko2Rating::new(); players] }
    }

    /// Whether the next round is complete.
    pub(super) fn are_behind(&self, rounds: &[Arc<Round>]) -> bool {
        rounds.get(self.rounds).is_some_and(|round| round.open == 0)
    }

    pub(super) fn catch_up(&mut self, rounds: &[Arc<Round>]) {
        while self.are_behind(rounds) {
            rate(&mut self.ratings, &rounds[self.rounds]);
            self.rounds += 1;
        }
    }

    /// Whether the round with this index is behind these ratings already.
    pub(super) fn cover(&self, round: usize) -> bool {
        round < self.rounds
    }

    /// Everyone's rating with every result so far.
    pub(super) fn with(&self, rounds: &[Arc<Round>]) -> Vec<Glicko2Rating> {
        let mut ratings = self.ratings.clone();
        rounds[self.rounds..].iter().for_each(|round| rate(&mut ratings, round));
        ratings
    }
}

fn rate(ratings: &mut [Glicko2Rating], round: &Round) {
    let mut met: Vec<Vec<(Glicko2Rating, Outcomes)>> = vec![Vec::new(); ratings.len()];
    for fixture in &round.fixtures {
        let Some(verdict) = fixture.verdict().filter(|verdict| !verdict.is_forfeit()) else {
            continue;
        };
        let [a, b] = fixture.both();
        let (of_a, of_b) = match verdict.winner() {
            Some(0) => (Outcomes::WIN, Outcomes::LOSS),
            Some(_) => (Outcomes::LOSS, Outcomes::WIN),
            None => (Outcomes::DRAW, Outcomes::DRAW),
        };
        met[a].push((ratings[b], of_a));
        met[b].push((ratings[a], of_b));
    }
    // Who did not play stays as they were: to rest is not to get rusty.
    for (rating, met) in ratings.iter_mut().zip(met).filter(|(_, met)| !met.is_empty()) {
        *rating = glicko2_rating_period(rating, &met, &Glicko2Config::new());
    }
}
