//! Which moves to try first. A good guess lets the search skip most of the others.

use shakmaty::{Chess, Color, Move, MoveList, Position, Square};

use crate::exchange::{gain, pays, price};
use crate::noisy::is_noisy;
use crate::search::MOST_PLIES;
use crate::table::ShortMove;

/// What a move is ranked by, from the surest to the least likely; other quiet moves lie between
/// `COUNTER` and `BAD_CAPTURE` by how well they did.
const TABLE_MOVE: i32 = 4_000_000;
const GOOD_CAPTURE: i32 = 2_000_000;
const KILLER: i32 = 1_000_000;
const COUNTER: i32 = 900_000;
const BAD_CAPTURE: i32 = -1_000_000;
/// How much one entry of what is remembered can say, for or against.
const MOST_HISTORY: i32 = 16_384;

/// A piece and where it went: what is remembered of a move when another follows it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step(u16);

impl Step {
    pub const NONE: Step = Step(0);
    const COUNT: usize = 7 * 64;

    pub fn new(mv: Move) -> Step {
        Step(mv.role() as u16 * 64 + mv.to().to_usize() as u16)
    }
}

/// The last move of the opponent and our own before it.
pub(crate) type Past = [Step; 2];

/// Quiet moves that were strong elsewhere in this search.
pub(crate) struct Experience {
    /// The last two that refuted something at each ply.
    killers: [[Option<ShortMove>; 2]; MOST_PLIES + 1],
    /// The last that refuted each step.
    counters: Vec<Option<ShortMove>>,
    /// How well a move between two squares did, for each colour.
    history: Vec<i16>,
    /// How well a step did after another.
    after: [Vec<i16>; 2],
}

impl Experience {
    pub fn new() -> Experience {
        Experience {
            killers: [[None; 2]; MOST_PLIES + 1],
            counters: vec![None; 2 * Step::COUNT],
            history: vec![0; 2 * 64 * 64],
            after: [(); 2].map(|()| vec![0; Step::COUNT * Step::COUNT]),
        }
    }

    /// Forgets everything.
    pub fn begin(&mut self) {
        self.killers.fill([None; 2]);
        self.counters.fill(None);
        self.history.fill(0);
        for after in &mut self.after {
            after.fill(0);
        }
    }

    /// `good` refuted the position; the quiet moves in `tried` before it did not.
    pub fn learn(
        &mut self,
        turn: Color,
        past: Past,
        good: Move,
        tried: &[Move],
        depth: i32,
        ply: usize,
    ) {
        let short = ShortMove::new(good);
        let [first, second] = &mut self.killers[ply];
        if *first != Some(short) {
            *second = first.replace(short);
        }
        self.counters[counter_index(turn, past)] = Some(short);
        let bonus = (depth * depth * 16 + 32 * depth).min(1_600);
        self.nudge(turn, past, good, bonus);
        for &mv in tried {
            self.nudge(turn, past, mv, -bonus);
        }
    }

    fn nudge(&mut self, turn: Color, past: Past, mv: Move, bonus: i32) {
        nudge(&mut self.history[history_index(turn, mv)], bonus);
        for (after, step) in self.after.iter_mut().zip(past) {
            if step != Step::NONE {
                nudge(&mut after[after_index(step, mv)], bonus);
            }
        }
    }

    /// How well a quiet move did so far, after these steps.
    fn history(&self, turn: Color, past: Past, mv: Move) -> i32 {
        let after = |n: usize| i32::from(self.after[n][after_index(past[n], mv)]);
        i32::from(self.history[history_index(turn, mv)]) + after(0) + after(1)
    }

    /// The moves, to be taken with the most promising first.
    pub fn order<'a>(
        &self,
        position: &Chess,
        moves: &'a mut MoveList,
        table_move: Option<ShortMove>,
        past: Past,
        ply: usize,
    ) -> Ordered<'a> {
        let turn = position.turn();
        let killers = self.killers[ply];
        let counter = self.counters[counter_index(turn, past)];
        Ordered::new(moves, |mv| {
            let short = Some(ShortMove::new(mv));
            if short == table_move {
                TABLE_MOVE
            } else if is_noisy(mv) {
                // Some look good and turn out to lose; that is seen when their turn comes.
                GOOD_CAPTURE + capture_rank(mv)
            } else if short == killers[0] || short == killers[1] {
                KILLER + i32::from(short == killers[0])
            } else if short == counter {
                COUNTER
            } else {
                self.history(turn, past, mv)
            }
        })
    }
}

/// Moves the entry a part of the way to the limit, which it can therefore never pass.
fn nudge(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / MOST_HISTORY) as i16;
}

/// What a quiet move is known for.
#[derive(Clone, Copy)]
pub(crate) struct Repute {
    /// It refuted something like this before.
    pub killer: bool,
    /// How well it did elsewhere.
    pub history: i32,
}

impl Repute {
    fn of(rank: i32) -> Repute {
        let ordinary = rank.abs() < COUNTER;
        Repute { killer: !ordinary, history: if ordinary { rank } else { 0 } }
    }
}

/// Moves with the most promising first, lazily: often only a few are taken.
pub(crate) struct Ordered<'a> {
    moves: &'a mut MoveList,
    ranks: [i32; 256],
    next: usize,
}

impl<'a> Ordered<'a> {
    fn new(moves: &'a mut MoveList, rank: impl Fn(Move) -> i32) -> Ordered<'a> {
        let mut ranks = [0; 256];
        for (place, &mv) in ranks.iter_mut().zip(&*moves) {
            *place = rank(mv);
        }
        Ordered { moves, ranks, next: 0 }
    }

    /// Captures by what they win.
    pub fn captures(moves: &'a mut MoveList, table_move: Option<ShortMove>) -> Ordered<'a> {
        Ordered::new(moves, |mv| match table_move {
            Some(short) if short.is(mv) => TABLE_MOVE,
            _ => capture_rank(mv),
        })
    }

    /// The next move. Captures that lose material are put off until after the quiet moves.
    pub fn next(&mut self, position: &Chess) -> Option<(Move, Repute)> {
        loop {
            let (mv, rank) = self.best()?;
            let looks_good = (GOOD_CAPTURE..TABLE_MOVE).contains(&rank);
            if looks_good && !pays(position, mv, 0) {
                self.ranks[self.next] = BAD_CAPTURE + capture_rank(mv);
                continue;
            }
            self.next += 1;
            return Some((mv, Repute::of(rank)));
        }
    }

    /// The next move, with no second thoughts.
    pub fn next_capture(&mut self) -> Option<Move> {
        let (mv, _) = self.best()?;
        self.next += 1;
        Some(mv)
    }

    /// Brings the best of those left to the front; the earliest of equals, so that the order
    /// depends on nothing but the position.
    fn best(&mut self) -> Option<(Move, i32)> {
        let left = self.ranks.get(self.next..self.moves.len())?;
        let (mut best, mut rank) = (0, *left.first()?);
        for (index, &other) in left.iter().enumerate() {
            if other > rank {
                (best, rank) = (index, other);
            }
        }
        self.moves.swap(self.next, self.next + best);
        self.ranks.swap(self.next, self.next + best);
        Some((self.moves[self.next], rank))
    }
}

/// Dear victims first, and cheap attackers first among those.
fn capture_rank(mv: Move) -> i32 {
    gain(mv) * 16 - price(mv.role()) / 64
}

fn history_index(turn: Color, mv: Move) -> usize {
    let from = mv.from().map_or(0, Square::to_usize);
    (turn as usize * 64 + from) * 64 + mv.to().to_usize()
}

fn after_index(step: Step, mv: Move) -> usize {
    usize::from(step.0) * Step::COUNT + usize::from(Step::new(mv).0)
}

fn counter_index(turn: Color, past: Past) -> usize {
    turn as usize * Step::COUNT + usize::from(past[0].0)
}
