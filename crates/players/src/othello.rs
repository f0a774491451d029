//! The value of a position of Othello: corners, room to move, few discs at the border, and at the
//! end discs.

use rules::{
    Dice, Seat,
    othello::{Move, Othello},
};

use crate::{Computer, Effort, alpha_beta, effort};

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Beside a corner at the edge, and diagonally.
const BESIDE: u64 = 0x4281_0000_0000_8142;
const BEFORE: u64 = 0x0042_0000_0000_4200;
const EDGES: u64 = 0x3c00_8181_8181_003c;

/// With fewer empty squares than this, discs count.
const LATE: u32 = 12;

/// With so many it is first of all asked how the game ends.
const LAST: u32 = 14;

impl Computer for Othello {
    const LEVELS: &'static [Effort] = &[
        effort(80, 100),
        effort(55, 200),
        effort(32, 400),
        effort(15, 1_000),
        effort(5, 3_000),
        effort(0, 20_000),
        effort(0, 200_000),
    ];
    /// Four moves lead to sixty positions only, and most of these are White's.
    const SETUP: &'static str = r#"{"opening": 8}"#;

    fn think(&self, seat: Seat, work: u32, dice: &mut Dice) -> Option<Move> {
        let [black, white] = self.discs();
        let is_late = (black | white).count_zeros() <= LAST;
        let solved = if is_late { alpha_beta::solve(self, seat, work / 2, dice) } else { None };
        solved.or_else(|| alpha_beta::choose(self, seat, work, dice))
    }
}

/// Squares beside a corner that nobody has.
fn risky(corners: u64) -> u64 {
    let mut near = 0;
    for (corner, squares) in [
        (0, 1 << 1 | 1 << 8 | 1 << 9),
        (7, 1 << 6 | 1 << 15 | 1 << 14),
        (56, 1 << 57 | 1 << 48 | 1 << 49),
        (63, 1 << 62 | 1 << 55 | 1 << 54),
    ] {
        if corners & 1 << corner == 0 {
            near |= squares;
        }
    }
    near
}

/// All squares that touch one of these.
fn around(squares: u64) -> u64 {
    let columns =
        squares | (squares << 1) & 0xfefe_fefe_fefe_fefe | (squares >> 1) & 0x7f7f_7f7f_7f7f_7f7f;
    columns | columns << 8 | columns >> 8
}

impl alpha_beta::Judged for Othello {
    fn worth(&self, seat: Seat) -> i32 {
        let discs = self.discs();
        let (own, theirs) = (discs[usize::from(seat.0)], discs[usize::from(1 - seat.0)]);
        let more = |a: u64, b: u64| a.count_ones() as i32 - b.count_ones() as i32;
        let empty = !(own | theirs);
        let risky = risky(own | theirs);
        let border = around(empty);
        let places = |seat| self.places(seat);
        let mut worth = 60 * more(own & CORNERS, theirs & CORNERS)
            - 20 * more(own & risky & BEFORE, theirs & risky & BEFORE)
            - 8 * more(own & risky & BESIDE, theirs & risky & BESIDE)
            + 3 * more(own & EDGES, theirs & EDGES)
            + 8 * more(places(seat), places(Seat(1 - seat.0)))
            - 3 * more(own & border, theirs & border);
        if empty.count_ones() < LATE {
            worth += 6 * more(own, theirs);
        }
        worth
    }

    fn promising(&self, seat: Seat) -> Vec<Move> {
        let mut moves = rules::Rules::legal(self, seat);
        moves.sort_by_key(|mv| match mv {
            Move::Pass => 0,
            Move::Place(square) => {
                let bit = 1_u64 << square;
                match bit {
                    _ if bit & CORNERS != 0 => 0,
                    _ if bit & BEFORE != 0 => 4,
                    _ if bit & BESIDE != 0 => 3,
                    _ if bit & EDGES != 0 => 1,
                    _ => 2,
                }
            }
        });
        moves
    }
}
