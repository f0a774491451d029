//! Connect four as a machine sees it: both players' discs as bits, alpha-beta with a memory, and
//! whoever must stop a four has one move only. Late in the game it is solved.

use rules::{
    Dice, Seat,
    connect_four::{ConnectFour, Move},
};

use crate::{Computer, Effort, effort};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// A column has a bit more than it has holes, so that no row runs on into the next column.
const HIGH: usize = ROWS + 1;
const BOTTOM: u64 = 0x0408_1020_4081;
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// The columns from the middle outwards: most fours run through the middle.
const FROM_MIDDLE: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

/// More than any position is worth that is not decided.
const DECIDED: i32 = 10_000;

/// With so many holes left it is asked whether the game is won.
const LATE: i32 = 28;

/// So many positions are remembered; a power of two.
const MEMORY: usize = 1 << 18;

impl Computer for ConnectFour {
    const LEVELS: &'static [Effort] = &[
        effort(80, 20),
        effort(60, 50),
        effort(42, 100),
        effort(28, 300),
        effort(18, 1_000),
        effort(10, 4_000),
        effort(5, 16_000),
        effort(0, 800_000),
    ];
    const SETUP: &'static str = r#"{"opening": 4}"#;

    fn think(&self, seat: Seat, work: u32, dice: &mut Dice) -> Option<Move> {
        Search::new(work).best(Discs::of(self, seat), dice).map(Move)
    }
}

/// Discs of whoever is next, and of both.
#[derive(Clone, Copy)]
struct Discs {
    own: u64,
    both: u64,
}

impl Discs {
    fn of(game: &ConnectFour, seat: Seat) -> Discs {
        let mut discs = Discs { own: 0, both: 0 };
        for (column, row) in (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| (c, r))) {
            let bit = 1 << (column * HIGH + row);
            if let Some(owner) = game.at(column, row) {
                discs.both |= bit;
                discs.own |= if owner == seat { bit } else { 0 };
            }
        }
        discs
    }

    fn theirs(self) -> u64 {
        self.own ^ self.both
    }

    /// Where a disc would come to lie, a bit for each column that has room.
    fn lands(self) -> u64 {
        (self.both + BOTTOM) & BOARD
    }

    /// With a disc of whoever is next here, seen by the other.
    fn after(self, bit: u64) -> Discs {
        Discs { own: self.theirs(), both: self.both | bit }
    }

    fn left(self) -> i32 {
        (COLUMNS * ROWS) as i32 - self.both.count_ones() as i32
    }

    /// Tells positions apart.
    fn key(self) -> u64 {
        self.own + self.both + BOTTOM
    }
}

/// Holes, free or not, that would make four of these discs.
fn completes(discs: u64) -> u64 {
    // Upright, only on top of three.
    let mut holes = (discs << 1) & (discs << 2) & (discs << 3);
    for by in [HIGH, HIGH - 1, HIGH + 1] {
        let two = (discs << by) & (discs << (2 * by));
        holes |= two & (discs << (3 * by));
        holes |= two & (discs >> by);
        let two = (discs >> by) & (discs >> (2 * by));
        holes |= two & (discs << by);
        holes |= two & (discs >> (3 * by));
    }
    holes & BOARD
}

/// Rows 1, 3 and 5, where the first player's threats are worth more, and the second's elsewhere.
const ODD_ROWS: u64 = BOTTOM * 0b01_0101;

/// A known bound of the value of a position.
#[derive(Clone, Copy, Default)]
struct Known {
    key: u64,
    worth: i16,
    depth: i8,
    /// Whether it is worth exactly this (0), at least (1) or at most (-1).
    bound: i8,
    /// The column that was best.
    best: u8,
}

struct Search {
    left: u32,
    saw_all: bool,
    memory: Vec<Known>,
}

impl Search {
    fn new(positions: u32) -> Search {
        let memory = MEMORY.min((positions as usize).next_power_of_two());
        Search { left: positions, saw_all: false, memory: vec![Known::default(); memory] }
    }

    /// The column to play.
    fn best(&mut self, discs: Discs, dice: &mut Dice) -> Option<usize> {
        let lands = discs.lands();
        let mut columns: Vec<_> =
            FROM_MIDDLE.into_iter().filter(|column| lands & of(*column) != 0).collect();
        // Columns as far from the middle as each other come in any order.
        for pair in [1, 3, 5] {
            if columns.len() == COLUMNS && dice.below(2) == 0 {
                columns.swap(pair, pair + 1);
            }
        }
        let wins = lands & completes(discs.own);
        if let Some(column) = columns.iter().find(|column| wins & of(**column) != 0) {
            return Some(*column);
        }
        if discs.left() > LATE {
            self.look_ahead(discs, &mut columns);
            return columns.first().copied();
        }
        // A short look says which columns to try first, and is the answer if no win is found.
        let all = self.left;
        self.left = all / 4;
        self.look_ahead(discs, &mut columns);
        self.left += all - all / 4;
        // Whether it is won is seen sooner by who does not ask how fast.
        for column in &columns {
            let next = discs.after(lands & of(*column));
            match self.worth(next, discs.left(), -1, 0) {
                Some(worth) if worth < 0 => return Some(*column),
                Some(_) => {}
                None => break,
            }
        }
        columns.first().copied()
    }

    /// Puts the column that looks best first, looking one disc further each time.
    fn look_ahead(&mut self, discs: Discs, columns: &mut [usize]) {
        let lands = discs.lands();
        for depth in 1..=discs.left() {
            self.saw_all = true;
            let mut best = (0, -2 * DECIDED);
            for (at, column) in columns.iter().enumerate() {
                let next = discs.after(lands & of(*column));
                let worth = self.worth(next, depth - 1, -2 * DECIDED, -best.1);
                let Some(worth) = worth else { return };
                if -worth > best.1 {
                    best = (at, -worth);
                }
            }
            columns[..=best.0].rotate_right(1);
            if self.saw_all || best.1.abs() >= DECIDED {
                return;
            }
        }
    }

    /// The value for the player to move; none if the budget ran out.
    fn worth(&mut self, discs: Discs, depth: i32, mut least: i32, mut most: i32) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        let left = discs.left();
        if left == 0 {
            return Some(0);
        }
        let mut lands = discs.lands();
        if lands & completes(discs.own) != 0 {
            return Some(DECIDED + left);
        }
        let theirs = completes(discs.theirs());
        let forced = lands & theirs;
        if forced != 0 {
            if forced.count_ones() > 1 {
                return Some(-DECIDED - left + 1);
            }
            lands = forced;
        }
        // A disc below one of their holes lets them fill it.
        lands &= !(theirs >> 1);
        if lands == 0 {
            return Some(-DECIDED - left + 1);
        }
        if depth <= 0 && forced == 0 {
            self.saw_all = false;
            return Some(judged(discs));
        }
        let slot = (discs.key() as usize).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
            & (self.memory.len() - 1);
        let known = self.memory[slot];
        let is_known = known.key == discs.key();
        if is_known && i32::from(known.depth) >= depth {
            let worth = i32::from(known.worth);
            self.saw_all &= known.depth == i8::MAX;
            match known.bound {
                0 => return Some(worth),
                1 => least = least.max(worth),
                _ => most = most.min(worth),
            }
            if least >= most {
                return Some(worth);
            }
        }
        let first = is_known.then_some(usize::from(known.best));
        let (floor, mut best) = (least, (FROM_MIDDLE[0], -2 * DECIDED));
        let before = std::mem::replace(&mut self.saw_all, true);
        let (order, moves) = ordered(discs, lands, first);
        for column in order.into_iter().take(moves) {
            let bit = lands & of(column);
            let worth = -self.worth(discs.after(bit), depth - 1, -most, -least)?;
            if worth > best.1 {
                best = (column, worth);
            }
            least = least.max(worth);
            if least >= most {
                break;
            }
        }
        // A result that was searched to the end holds at every depth.
        let is_sure = self.saw_all || best.1.abs() >= DECIDED;
        let depth = if is_sure { i8::MAX } else { depth as i8 };
        self.saw_all &= before;
        let bound = if best.1 >= most {
            1
        } else if best.1 <= floor {
            -1
        } else {
            0
        };
        self.memory[slot] =
            Known { key: discs.key(), worth: best.1 as i16, depth, bound, best: best.0 as u8 };
        Some(best.1)
    }
}

/// The columns to look at and how many they are: `first`, then those that make the most threats, then
/// those nearest to the middle.
fn ordered(discs: Discs, lands: u64, first: Option<usize>) -> ([usize; COLUMNS], usize) {
    let (mut order, mut threats, mut moves) = ([0; COLUMNS], [0; COLUMNS], 0);
    for column in FROM_MIDDLE {
        let bit = lands & of(column);
        if bit == 0 {
            continue;
        }
        let made = (completes(discs.own | bit) & !discs.both).count_ones();
        let made = if first == Some(column) { u32::MAX } else { made };
        let mut at = moves;
        while at > 0 && threats[at - 1] < made {
            (order[at], threats[at]) = (order[at - 1], threats[at - 1]);
            at -= 1;
        }
        (order[at], threats[at]) = (column, made);
        moves += 1;
    }
    (order, moves)
}

fn of(column: usize) -> u64 {
    ((1 << ROWS) - 1) << (column * HIGH)
}

/// Holes that would make four are worth most in the rows that will be filled by the right player.
fn judged(discs: Discs) -> i32 {
    let count = |bits: u64| bits.count_ones() as i32;
    let free = BOARD & !discs.both;
    let is_first = discs.both.count_ones().is_multiple_of(2);
    let (own_rows, their_rows) =
        if is_first { (ODD_ROWS, !ODD_ROWS) } else { (!ODD_ROWS, ODD_ROWS) };
    let threats = |of: u64, rows: u64| {
        let holes = completes(of) & free;
        10 * count(holes) + 15 * count(holes & rows)
    };
    let middle = of(3);
    threats(discs.own, own_rows) - threats(discs.theirs(), their_rows)
        + 3 * (count(discs.own & middle) - count(discs.theirs() & middle))
        + (count(discs.own & (of(2) | of(4))) - count(discs.theirs() & (of(2) | of(4))))
}
