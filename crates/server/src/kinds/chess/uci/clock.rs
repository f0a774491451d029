//! How much of the clock one move may take.

use std::time::Duration;

/// Without a word about it, the game is taken to last this many moves more.
const MOVES_TO_GO: u64 = 30;

/// However much comes back with a move, some time stays in hand for this many.
const IN_HAND: u64 = 5;

/// A share of what is left, and most of what comes back with the move. `overhead` is lost on the
/// way each time, and a busy machine may take more at any moment: hence the limit.
pub fn share(
    left: Duration,
    increment: Duration,
    moves_to_go: Option<u64>,
    overhead: Duration,
) -> Duration {
    let usable = left.saturating_sub(overhead);
    let moves = moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO);
    let limit = usable / moves.min(IN_HAND) as u32 * 4 / 5;
    (usable / moves as u32 + increment * 3 / 4).min(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Milliseconds left and added, moves until more time comes: the share.
    fn check(left: u64, increment: u64, moves: Option<u64>, expected: u64) {
        let millis = Duration::from_millis;
        let share = share(millis(left), millis(increment), moves, millis(50));
        assert_eq!(share.as_millis(), u128::from(expected), "{left} + {increment}, {moves:?}");
    }

    #[test]
    fn a_share_is_sensible_and_never_all_there_is() {
        check(60_050, 0, None, 2000);
        check(60_050, 1000, None, 2750);
        check(60_050, 0, Some(40), 2000);
        check(60_050, 0, Some(10), 6000);
        check(1050, 0, Some(1), 800);
        check(1050, 0, Some(0), 800);
        check(550, 60_000, None, 80);
        check(50, 0, None, 0);
        check(0, 60_000, None, 0);
    }

    #[test]
    fn no_game_is_lost_on_time() {
        let millis = Duration::from_millis;
        for (time, increment) in [(1000, 0), (100, 10), (60_000, 600), (1, 0), (5000, 1)] {
            let mut left = millis(time);
            for _ in 0..500 {
                let spent = share(left, millis(increment), None, millis(50));
                left = left.checked_sub(spent).expect("the flag is up") + millis(increment);
            }
        }
    }
}
