//! So many in a row, as a machine sees it: all the lines on which they could lie, and how many stones
//! of either player each has. Who must stop a row has no other choice, so threats are seen far ahead.

use rules::{
    Dice, Seat,
    mnk::{Crosses, InARow, Move, Stones, Variant},
};

use crate::{Computer, Effort, effort};

/// More than any position is worth that is not decided.
const DECIDED: i32 = 10_000_000;

/// Of the moves in one place, so many are looked at; all of them on a small board.
const PROMISING: usize = 12;

/// On a board of more squares than this a position takes longer to look at, so there are fewer.
const SMALL: usize = 16;
const SLOWER: u32 = 10;

/// A variant that has levels of its own.
pub(crate) trait Graded: Variant {
    const LEVELS: &'static [Effort];
    const SETUP: &'static str;
}

impl Graded for Crosses {
    /// The highest looks at every position there is.
    const LEVELS: &'static [Effort] =
        &[effort(70, 130_000), effort(35, 130_000), effort(0, 130_000)];
    /// Little is left to play after moves that are drawn.
    const SETUP: &'static str = "{}";
}

impl Graded for Stones {
    const LEVELS: &'static [Effort] = &[
        effort(96, 500),
        effort(90, 500),
        effort(80, 500),
        effort(68, 1_000),
        effort(54, 1_500),
        effort(40, 2_000),
        effort(26, 4_000),
        effort(13, 8_000),
        effort(4, 15_000),
        effort(0, 130_000),
    ];
    const SETUP: &'static str = r#"{"opening": 4}"#;
}

impl<V: Graded> Computer for InARow<V> {
    const LEVELS: &'static [Effort] = V::LEVELS;
    const SETUP: &'static str = V::SETUP;

    fn think(&self, seat: Seat, work: u32, dice: &mut Dice) -> Option<Move> {
        let lines = Lines::of(self);
        let is_small = lines.cells.len() <= SMALL;
        let slower = if is_small { 1 } else { SLOWER };
        let mut search = Search { lines, left: work / slower };
        search.best(seat.0.into(), dice).map(Move)
    }
}

/// The value of a line with stones of one player only, by the number of missing stones.
fn worth(missing: usize) -> i32 {
    match missing {
        0 => DECIDED,
        1 => 1_000,
        2 => 120,
        3 => 15,
        4 => 2,
        _ => 1,
    }
}

/// Players are 0 and 1 here.
struct Lines {
    length: usize,
    cells: Vec<Option<usize>>,
    empty: usize,
    /// The squares of each line, the lines through each square.
    squares: Vec<Vec<usize>>,
    through: Vec<Vec<usize>>,
    /// How many stones of either are on a line.
    stones: Vec<[usize; 2]>,
    /// The value of the lines for each player.
    worth: [i32; 2],
}

impl Lines {
    fn of<V: Variant>(game: &InARow<V>) -> Lines {
        let (board, length) = (game.board(), game.length());
        let (columns, rows) = (board.columns(), board.rows());
        let mut squares = Vec::new();
        for (square, (right, up)) in (0..columns * rows)
            .flat_map(|square| [(1, 0), (0, 1), (1, 1), (-1, 1)].map(|way| (square, way)))
        {
            let line = (0..length as isize).map(|step| {
                let column = (square % columns).checked_add_signed(step * right)?;
                let row = (square / columns).checked_add_signed(step * up)?;
                (column < columns && row < rows).then_some(row * columns + column)
            });
            squares.extend(line.collect::<Option<Vec<_>>>());
        }
        let mut through = vec![Vec::new(); columns * rows];
        for (line, squares) in squares.iter().enumerate() {
            squares.iter().for_each(|square| through[*square].push(line));
        }
        let mut lines = Lines {
            length,
            cells: vec![None; columns * rows],
            empty: columns * rows,
            stones: vec![[0, 0]; squares.len()],
            squares,
            through,
            worth: [0, 0],
        };
        for square in 0..columns * rows {
            if let Some(owner) = board.at(square) {
                lines.put(square, owner.0.into());
            }
        }
        lines
    }

    fn worth_of(&self, line: usize, player: usize) -> i32 {
        match self.stones[line] {
            stones if stones[player] > 0 && stones[1 - player] == 0 => {
                worth(self.length - stones[player])
            }
            _ => 0,
        }
    }

    /// Changes what lies on a square, and all that follows from it.
    fn change(&mut self, square: usize, player: usize, change: impl Fn(&mut usize)) {
        for at in 0..self.through[square].len() {
            let line = self.through[square][at];
            for player in [0, 1] {
                self.worth[player] -= self.worth_of(line, player);
            }
            change(&mut self.stones[line][player]);
            for player in [0, 1] {
                self.worth[player] += self.worth_of(line, player);
            }
        }
    }

    fn put(&mut self, square: usize, player: usize) {
        self.cells[square] = Some(player);
        self.empty -= 1;
        self.change(square, player, |stones| *stones += 1);
    }

    fn take(&mut self, square: usize, player: usize) {
        self.cells[square] = None;
        self.empty += 1;
        self.change(square, player, |stones| *stones -= 1);
    }

    /// A square with which `player` completes a row, and whether there is more than one.
    fn completes(&self, player: usize) -> Option<(usize, bool)> {
        let mut found = None;
        for (line, stones) in self.stones.iter().enumerate() {
            if stones[player] + 1 == self.length && stones[1 - player] == 0 {
                let empty = self.squares[line].iter().find(|s| self.cells[**s].is_none());
                match (found, empty) {
                    (Some(known), Some(empty)) if known != *empty => return Some((known, true)),
                    (_, empty) => found = empty.copied().or(found),
                }
            }
        }
        found.map(|square| (square, false))
    }

    /// The gain of a stone here: added to one's own lines and taken from the other's.
    fn urgency(&self, square: usize, player: usize) -> i32 {
        let of = |line: &usize| match self.stones[*line] {
            stones if stones[1 - player] == 0 => 2 * worth(self.length - stones[player] - 1),
            stones if stones[player] == 0 => worth(self.length - stones[1 - player] - 1),
            _ => 0,
        };
        self.through[square].iter().map(of).sum()
    }

    /// The most urgent moves, first of all.
    fn promising(&self, player: usize) -> Vec<usize> {
        let empty = (0..self.cells.len()).filter(|square| self.cells[*square].is_none());
        let mut moves: Vec<_> =
            empty.map(|square| (-self.urgency(square, player), square)).collect();
        if moves.len() > PROMISING {
            moves.select_nth_unstable(PROMISING);
            moves.truncate(PROMISING);
        }
        moves.sort_unstable();
        moves.into_iter().map(|(_, square)| square).collect()
    }
}

struct Search {
    lines: Lines,
    left: u32,
}

impl Search {
    fn best(&mut self, player: usize, dice: &mut Dice) -> Option<usize> {
        for who in [player, 1 - player] {
            if let Some((square, _)) = self.lines.completes(who) {
                return Some(square);
            }
        }
        let mut moves = self.lines.promising(player);
        // Those that are as urgent as the first come in any order.
        let urgency = |square: &usize| self.lines.urgency(*square, player);
        let alike = moves.iter().take_while(|square| urgency(square) == urgency(&moves[0])).count();
        (1..alike).for_each(|at| moves.swap(at, dice.below(at as u32 + 1) as usize));
        for depth in 1..=self.lines.empty as i32 {
            let mut best = (0, -2 * DECIDED);
            for (at, square) in moves.iter().enumerate() {
                self.lines.put(*square, player);
                let worth = self.worth(1 - player, depth - 1, -2 * DECIDED, -best.1);
                self.lines.take(*square, player);
                let Some(worth) = worth else { return moves.first().copied() };
                if -worth > best.1 {
                    best = (at, -worth);
                }
            }
            if !moves.is_empty() {
                moves[..=best.0].rotate_right(1);
            }
            if best.1.abs() >= DECIDED {
                break;
            }
        }
        moves.first().copied()
    }

    /// The value for `player`, who is to move; none if the budget ran out.
    fn worth(&mut self, player: usize, depth: i32, mut least: i32, most: i32) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        let sooner = self.lines.empty as i32;
        if self.lines.empty == 0 {
            return Some(0);
        }
        if self.lines.completes(player).is_some() {
            return Some(DECIDED + sooner);
        }
        let forced = match self.lines.completes(1 - player) {
            Some((_, true)) => return Some(-DECIDED - sooner),
            Some((square, false)) => Some(square),
            None => None,
        };
        if depth <= 0 && forced.is_none() {
            // The player to move is half a move ahead.
            let worth = self.lines.worth;
            return Some(worth[player] + worth[player] / 4 - worth[1 - player]);
        }
        let (moves, depth) = match forced {
            Some(square) => (vec![square], depth),
            None => (self.lines.promising(player), depth - 1),
        };
        for square in moves {
            self.lines.put(square, player);
            let worth = self.worth(1 - player, depth, -most, -least);
            self.lines.take(square, player);
            let worth = -worth?;
            if worth >= most {
                return Some(worth);
            }
            least = least.max(worth);
        }
        Some(least)
    }
}
