//! Scores: centipawns, seen by the side to move.

pub(crate) const MATE: i32 = 32_000;
/// Every score from here up is a forced mate.
pub(crate) const MATE_IN_SIGHT: i32 = MATE - 1_000;
pub(crate) const INFINITY: i32 = MATE + 1;

pub(crate) fn is_won(score: i32) -> bool {
    score >= MATE_IN_SIGHT
}

/// In how many moves a score says it is mate; below nothing if the side to move is mated.
pub fn moves_to_mate(score: i32) -> Option<i32> {
    let plies = MATE - score.abs();
    is_won(score.abs()).then_some(score.signum() * (plies + 1) / 2)
}

/// The scores that still matter: below alpha we have better, above beta the opponent has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    pub const OPEN: Window = Window { alpha: -INFINITY, beta: INFINITY };

    pub fn around(score: i32, margin: i32) -> Window {
        Window { alpha: (score - margin).max(-INFINITY), beta: (score + margin).min(INFINITY) }
    }

    pub fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Asks only whether something is better than alpha.
    pub fn narrowed(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    pub fn is_narrow(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// No line from here can be worse than being mated now, or better than mating next.
    pub fn within_mates(self, ply: usize) -> Window {
        let ply = ply as i32;
        Window { alpha: self.alpha.max(ply - MATE), beta: self.beta.min(MATE - ply - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        for (score, moves) in [
            (MATE - 1, Some(1)),
            (MATE - 3, Some(2)),
            (2 - MATE, Some(-1)),
            (4 - MATE, Some(-2)),
            (MATE_IN_SIGHT - 1, None),
            (0, None),
            (-900, None),
        ] {
            assert_eq!(moves_to_mate(score), moves, "{score}");
        }
    }
}
