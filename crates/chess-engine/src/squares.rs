//! What each piece is worth, and on which squares it stands well, early and late in the game.

use std::ops::{Add, AddAssign, Mul, Sub};

/// A value with all pieces on the board, and one with none left. What is between is mixed.
#[derive(Clone, Copy)]
pub(crate) struct Taper {
    pub early: i32,
    pub late: i32,
}

pub(crate) const fn taper(early: i32, late: i32) -> Taper {
    Taper { early, late }
}

impl Add for Taper {
    type Output = Taper;
    fn add(self, other: Taper) -> Taper {
        taper(self.early + other.early, self.late + other.late)
    }
}

impl AddAssign for Taper {
    fn add_assign(&mut self, other: Taper) {
        *self = *self + other;
    }
}

impl Sub for Taper {
    type Output = Taper;
    fn sub(self, other: Taper) -> Taper {
        self + other * -1
    }
}

impl Mul<i32> for Taper {
    type Output = Taper;
    fn mul(self, times: i32) -> Taper {
        taper(self.early * times, self.late * times)
    }
}

/// Material and square together: by role from pawn to king, then by square from a1, for White.
pub(crate) static SQUARES: [[Taper; 64]; 6] = tabulate();

/// A piece's worth is its material, plus something for its rank, its file counted from the edge,
/// and its centrality. Three short lists say it more plainly than 64 numbers.
struct Worth {
    material: i32,
    rank: [i32; 8],
    file: [i32; 4],
    centre: i32,
}

const fn worth(material: i32, rank: [i32; 8], file: [i32; 4], centre: i32) -> Worth {
    Worth { material, rank, file, centre }
}

const EARLY: [Worth; 6] = [
    worth(88, [0, 0, 2, 5, 12, 25, 45, 0], [-8, -2, 2, 4], 8),
    worth(335, [-20, -8, 4, 8, 12, 10, 0, -20], [-14, -4, 4, 6], 5),
    worth(345, [-12, 4, 6, 6, 6, 4, 0, -8], [-4, 2, 2, 2], 4),
    worth(490, [0, -3, -3, 0, 2, 4, 18, 6], [-4, -1, 3, 6], 0),
    worth(1010, [0, 3, 2, 0, -2, -2, -2, -4], [-2, 0, 1, 2], 0),
    worth(0, [8, -8, -28, -45, -55, -60, -60, -60], [12, 18, -4, -14], 0),
];

const LATE: [Worth; 6] = [
    worth(112, [0, 0, 4, 12, 26, 45, 70, 0], [2, 0, 0, 0], 0),
    worth(315, [-12, -6, 0, 4, 6, 4, -4, -12], [-12, -4, 2, 4], 4),
    worth(330, [-6, -2, 0, 2, 2, 2, 0, -4], [-4, 0, 2, 2], 3),
    worth(540, [-4, -2, 0, 2, 4, 6, 10, 6], [0, 0, 0, 0], 0),
    worth(990, [-8, -4, 2, 5, 6, 5, 3, 0], [-5, 0, 2, 3], 5),
    worth(0, [-16, -4, 4, 8, 11, 10, 4, -10], [-10, -2, 3, 5], 8),
];

/// 0 along the edge, up to 3 in the middle of the board.
pub(crate) const fn centrality(square: usize) -> i32 {
    let (file, rank) = (from_edge(square % 8), from_edge(square / 8));
    if file < rank { file as i32 } else { rank as i32 }
}

const fn from_edge(line: usize) -> usize {
    if line < 4 { line } else { 7 - line }
}

const fn value(worth: &Worth, square: usize) -> i32 {
    worth.material
        + worth.rank[square / 8]
        + worth.file[from_edge(square % 8)]
        + worth.centre * centrality(square)
}

const fn tabulate() -> [[Taper; 64]; 6] {
    let mut table = [[taper(0, 0); 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            table[role][square] = taper(value(&EARLY[role], square), value(&LATE[role], square));
            square += 1;
        }
        role += 1;
    }
    table
}
