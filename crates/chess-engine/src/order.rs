//! Which moves to try first. A good guess lets the search skip most of the others.

use shakmaty::{Color, Move, MoveList, Role, Square};

use crate::search::MOST_PLIES;

const TABLE_MOVE: i32 = 1_000_000;
const CAPTURE: i32 = 500_000;
const KILLER: i32 = 400_000;
const FULL_HISTORY: i32 = 100_000;

/// Quiet moves that were strong elsewhere in this search.
pub(crate) struct Experience {
    /// The last two that refuted something at each ply.
    killers: [[Option<Move>; 2]; MOST_PLIES],
    /// How well a move between two squares did, for each colour.
    history: Vec<i32>,
}

impl Experience {
    pub fn new() -> Experience {
        Experience { killers: [[None; 2]; MOST_PLIES], history: vec![0; 2 * 64 * 64] }
    }

    /// `good` refuted the position; the quiet moves in `tried` before it did not.
    pub fn learn(&mut self, turn: Color, good: Move, tried: &[Move], depth: i32, ply: usize) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(good) {
            *second = first.replace(good);
        }
        let bonus = 16 * depth * depth;
        self.nudge(turn, good, bonus);
        for &mv in tried {
            self.nudge(turn, mv, -bonus);
        }
    }

    /// Moves the entry a part of the way to the limit, which it can therefore never pass.
    fn nudge(&mut self, turn: Color, mv: Move, bonus: i32) {
        let bonus = bonus.clamp(-FULL_HISTORY / 4, FULL_HISTORY / 4);
        let entry = &mut self.history[history_index(turn, mv)];
        *entry += bonus - *entry / 256 * bonus.abs() / (FULL_HISTORY / 256);
    }

    pub fn is_killer(&self, mv: Move, ply: usize) -> bool {
        self.killers[ply].contains(&Some(mv))
    }

    /// The moves with the most promising first, lazily: often only a few are taken.
    pub fn order(
        &self,
        turn: Color,
        moves: &MoveList,
        table_move: Option<Move>,
        ply: usize,
    ) -> Ordered {
        let rank = |mv: Move| {
            if Some(mv) == table_move {
                TABLE_MOVE
            } else if !is_quiet(mv) {
                noisy_rank(mv)
            } else if self.is_killer(mv, ply) {
                KILLER
            } else {
                self.history[history_index(turn, mv)]
            }
        };
        Ordered { moves: moves.iter().map(|&mv| (rank(mv), mv)).collect(), next: 0 }
    }
}

pub(crate) fn order_noisy(moves: &MoveList) -> Ordered {
    let ranked = moves.iter().map(|&mv| (noisy_rank(mv), mv));
    Ordered { moves: ranked.collect(), next: 0 }
}

pub(crate) struct Ordered {
    moves: Vec<(i32, Move)>,
    next: usize,
}

impl Iterator for Ordered {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        // The earliest of equals, so that the order depends on nothing but the position.
        let best = (self.next..self.moves.len()).reduce(|best, other| {
            if self.moves[other].0 > self.moves[best].0 { other } else { best }
        })?;
        self.moves.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1].1)
    }
}

/// What a capture or promotion puts in our pocket, roughly.
pub(crate) fn gain(mv: Move) -> i32 {
    mv.capture().map_or(0, price) + mv.promotion().map_or(0, price)
}

fn price(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 980,
        Role::King => 20_000,
    }
}

pub(crate) fn is_quiet(mv: Move) -> bool {
    !mv.is_capture() && !mv.is_promotion()
}

/// Dear victims first, and cheap attackers first among those.
fn noisy_rank(mv: Move) -> i32 {
    CAPTURE + gain(mv) * 16 - price(mv.role()) / 16
}

fn history_index(turn: Color, mv: Move) -> usize {
    let from = mv.from().map_or(0, Square::to_usize);
    (turn as usize * 64 + from) * 64 + mv.to().to_usize()
}
