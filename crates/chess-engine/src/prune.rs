//! Which branches can be left out, or looked at less closely. Every rule here can be wrong; each
//! is right often enough that the nodes it saves find more elsewhere.

use shakmaty::{Chess, Move, Position};

use crate::exchange::pays;
use crate::order::Repute;

/// So far ahead of what is needed that the opponent will not make it up in the plies left.
pub(crate) fn is_far_ahead(standing: i32, beta: i32, depth: i32, improving: bool) -> bool {
    depth <= 8 && standing - 80 * (depth - i32::from(improving)) >= beta
}

/// So far behind that only a capture could help; then it is enough to look at those. Further from
/// the end of a line that would miss what sacrifices are made for.
pub(crate) fn is_far_behind(standing: i32, beta: i32, depth: i32) -> bool {
    depth <= 1 && standing + 300 < beta
}

/// How much less deeply to look after passing: the further ahead, the less.
pub(crate) fn passing_reduction(depth: i32, lead: i32) -> i32 {
    4 + depth / 4 + (lead / 200).min(3)
}

/// A rook, a queen, or more than one minor piece. With less, having to move is often what loses.
pub(crate) fn has_pieces(position: &Chess) -> bool {
    let (board, us) = (position.board(), position.us());
    (us & board.rooks_and_queens()).any()
        || (us & (board.knights() | board.bishops())).more_than_one()
}

/// What is known about a move before it is tried.
pub(crate) struct Late {
    /// How many were tried before it.
    pub count: i32,
    pub depth: i32,
    pub quiet: bool,
    pub repute: Repute,
    pub standing: Option<i32>,
    pub improving: bool,
    /// Whether an exact score is wanted here.
    pub open: bool,
}

impl Late {
    /// Whether the move is not worth trying, close to the end of a line.
    pub fn is_hopeless(&self, position: &Chess, mv: Move, alpha: i32) -> bool {
        let Some(standing) = self.standing else { return false };
        if self.count == 0 || self.open {
            return false;
        }
        // As many plies as the move would get to show what it is good for.
        let left = (self.depth - self.plain_reduction()).max(0);
        if self.quiet {
            let many = (4 + self.depth * self.depth) / (2 - i32::from(self.improving));
            let comes_late = self.depth <= 8 && self.count >= many;
            let lies_behind = left <= 6 && standing + 110 + 100 * left <= alpha;
            let did_badly = left <= 3 && self.repute.history < -3_000 * self.depth;
            // Last, because it costs most to find out.
            comes_late
                || lies_behind
                || did_badly
                || left <= 6 && !pays(position, mv, -25 * left * left)
        } else {
            self.depth <= 6 && !pays(position, mv, -90 * self.depth)
        }
    }

    /// What depth and number alone say, in plies.
    fn plain_reduction(&self) -> i32 {
        REDUCTIONS[(self.depth as usize).min(63)][(self.count as usize).min(63)] / 16
    }

    /// How many plies less to look at first. Less is taken off a move that speaks for itself.
    pub fn reduction(&self, gives_check: bool) -> i32 {
        if self.depth < 3 || !self.quiet || self.count < 2 {
            return 0;
        }
        let mut reduction =
            REDUCTIONS[(self.depth as usize).min(63)][(self.count as usize).min(63)];
        reduction -= 16 * i32::from(self.open);
        reduction -= 16 * i32::from(self.repute.killer);
        reduction -= 16 * i32::from(gives_check);
        reduction += 16 * i32::from(!self.improving);
        reduction -= self.repute.history / 500;
        (reduction / 16).clamp(0, self.depth - 2)
    }
}

/// By depth and number of moves tried before, in sixteenths of a ply: growing with the logarithm
/// of both. Whole numbers, because floats may round differently elsewhere.
static REDUCTIONS: [[i32; 64]; 64] = reductions();

const fn reductions() -> [[i32; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut count = 1;
        while count < 64 {
            table[depth][count] = 10 + log2(depth) * log2(count) / (16 * 19 / 4);
            count += 1;
        }
        depth += 1;
    }
    table
}

/// In sixteenths, straight between powers of two.
const fn log2(n: usize) -> i32 {
    let whole = n.ilog2();
    (16 * whole as usize + ((n - (1 << whole)) << 4 >> whole)) as i32
}
