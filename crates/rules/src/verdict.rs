//! How a match between two ended, and what it is worth in a league.

use crate::{Outcome, Seat};

/// The rounds each of the two won, or their points, and who of them forfeited the match. Who won follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchVerdict {
    pub scores: [i32; 2],
    pub forfeits: [bool; 2],
}

impl MatchVerdict {
    const WIN: u8 = 3;
    const DRAW: u8 = 1;

    /// Of a game of two that is over. Where there was no more to win than the game, it counts as one
    /// point; points of the game's own stay as they are.
    pub fn of(outcome: &Outcome, late: &[Seat]) -> MatchVerdict {
        let scores = match outcome.points[..] {
            [a, b] if outcome.counts => [a, b],
            [a, b] => [a.max(0), b.max(0)],
            _ => [0, 0],
        };
        let forfeits = [Seat(0), Seat(1)].map(|seat| late.contains(&seat));
        MatchVerdict { scores: if late.is_empty() { scores } else { [0, 0] }, forfeits }
    }

    /// A match that was not played, because of those who were not there.
    pub fn walkover(forfeits: [bool; 2]) -> MatchVerdict {
        MatchVerdict { scores: [0, 0], forfeits }
    }

    /// The first of the two, the second, or nobody.
    pub fn winner(self) -> Option<usize> {
        match (self.forfeits, self.scores) {
            ([true, true], _) => None,
            ([true, false], _) => Some(1),
            ([false, true], _) => Some(0),
            (_, [a, b]) if a == b => None,
            (_, [a, b]) => Some(usize::from(a < b)),
        }
    }

    /// Played to the end, and nobody was better.
    pub fn is_draw(self) -> bool {
        self.winner().is_none() && !self.is_forfeit()
    }

    pub fn is_forfeit(self) -> bool {
        self.forfeits != [false, false]
    }

    /// Two who both forfeit get nothing.
    pub fn points(self) -> [u8; 2] {
        match self.winner() {
            Some(0) => [MatchVerdict::WIN, 0],
            Some(_) => [0, MatchVerdict::WIN],
            None if self.is_draw() => [MatchVerdict::DRAW; 2],
            None => [0, 0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_match_is_worth() {
        const N: bool = false;
        const Y: bool = true;
        check([3, 1], [N, N], Some(0), [3, 0]);
        check([2, 3], [N, N], Some(1), [0, 3]);
        check([2, 2], [N, N], None, [1, 1]);
        check([0, 0], [N, N], None, [1, 1]);
        // Who forfeits has lost, whatever was won before.
        check([2, 0], [Y, N], Some(1), [0, 3]);
        check([0, 2], [N, Y], Some(0), [3, 0]);
        check([2, 1], [Y, Y], None, [0, 0]);
        check([0, 0], [Y, Y], None, [0, 0]);
    }

    #[test]
    fn a_won_game_is_one_point_and_a_won_chip_is_a_chip() {
        let scores = |outcome: &Outcome| MatchVerdict::of(outcome, &[]).scores;
        assert_eq!(scores(&Outcome::of_two(Some(Seat(0)), "won")), [1, 0]);
        assert_eq!(scores(&Outcome::of_two(Some(Seat(1)), "won")), [0, 1]);
        assert_eq!(scores(&Outcome::of_two(None, "drawn")), [0, 0]);
        assert_eq!(scores(&Outcome::new(vec![1, -1], "a chip")), [1, -1]);
        assert_eq!(scores(&Outcome::new(vec![-2, 2], "two chips")), [-2, 2]);
        assert_eq!(scores(&Outcome::new(vec![9, 11], "points")), [9, 11]);
    }

    fn check(scores: [i32; 2], forfeits: [bool; 2], winner: Option<usize>, points: [u8; 2]) {
        let verdict = MatchVerdict { scores, forfeits };
        assert_eq!((verdict.winner(), verdict.points()), (winner, points), "{verdict:?}");
        assert_eq!(verdict.is_draw(), points == [1, 1]);
    }
}
