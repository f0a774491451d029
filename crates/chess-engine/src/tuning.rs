//! The evaluation taken apart, for the tuner in `examples/tune.rs`. Nothing that plays needs it.

use shakmaty::{Chess, Color, Position};

use crate::evaluate::{Scales, phase, weigh};
use crate::taper::FULL_PHASE;
use crate::terms;
use crate::weights::WEIGHTS;

/// What a position is judged by, before it is weighed.
pub struct Reasons {
    /// Places in the table of weights, and how often they count for White less for Black.
    pub terms: Vec<(u16, i8)>,
    /// How much is left on the board, from 0 to 1.
    pub phase: f32,
}

struct Counts([i8; terms::COUNT]);

impl Scales for Counts {
    fn put(&mut self, color: Color, term: usize, times: i32) {
        self.0[term] += color.fold_wb(1, -1) * times as i8;
    }
}

pub fn reasons(position: &Chess) -> Reasons {
    let mut counts = Counts([0; terms::COUNT]);
    let board = position.board();
    for (square, piece) in board {
        let seen = piece.color.fold_wb(square, square.flip_vertical());
        counts.put(piece.color, terms::square(piece.role, seen), 1);
    }
    weigh(position, &mut counts);
    let all = (0_u16..).zip(counts.0);
    let phase = phase(board).min(FULL_PHASE);
    Reasons {
        terms: all.filter(|&(_, times)| times != 0).collect(),
        phase: phase as f32 / FULL_PHASE as f32,
    }
}

/// Early and late, by place.
pub fn weights() -> Vec<[f32; 2]> {
    WEIGHTS.iter().map(|weight| [weight.early() as f32, weight.late() as f32]).collect()
}

/// What each list of the table holds, and where it begins.
pub fn lists() -> &'static [(&'static str, usize)] {
    &terms::LISTS
}
