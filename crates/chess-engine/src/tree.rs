//! Going down the tree: principal-variation search with a table of what is known.
//!
//! `negamax` asks what a position is worth. Whatever can answer without trying a move comes first:
//! a draw, the table, `cut_short`. `try_moves` does the rest, and `child_score` asks the same
//! question one ply on, where a good score for one side is a bad one for the other. Most questions
//! have a narrow window and only ask whether a move is better than the best so far; those may be
//! answered roughly.

use shakmaty::{Move, MoveList, Position};

use crate::evaluate::evaluate;
use crate::node::Node;
use crate::noisy::is_noisy;
use crate::order::Step;
use crate::prune::{self, Late};
use crate::score::{INFINITY, MATE, MATE_IN_SIGHT, Window};
use crate::search::{BrokenOff, Found, MOST_PLIES, Search};
use crate::table::{Bound, Entry};

/// Near the fifty-move limit a position is worth less than when it was stored.
const OLD_ANSWERS_HOLD: u32 = 80;

impl Search<'_> {
    /// What the position is worth when looked at this deep.
    pub(crate) fn negamax(&mut self, node: &Node, window: Window, depth: i32, ply: usize) -> Found {
        self.lines[ply].clear();
        self.longest = self.longest.max(ply);
        if self.is_draw(node) {
            return Ok(0);
        }
        // A check leaves few answers, and stopping at one hides what it was for.
        let depth = depth + i32::from(node.is_check());
        if depth <= 0 || ply >= MOST_PLIES {
            return self.quiesce(node, window, ply);
        }
        self.spend()?;
        let window = window.within_mates(ply);
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        // Without one of its moves this is another position, of which the table knows nothing.
        let skipping = self.trail[ply].skipped.is_some();
        let known = self.table.find(node.key).filter(|_| !skipping);
        if window.is_narrow()
            && node.position.halfmoves() < OLD_ANSWERS_HOLD
            && let Some(score) = known.and_then(|entry| entry.answer(window, depth, ply))
        {
            return Ok(score);
        }
        let standing = self.stand(node, known, ply);
        if let Some(standing) = standing
            && window.is_narrow()
            && !skipping
            && let Some(score) = self.cut_short(node, window.beta, depth, ply, standing)?
        {
            return Ok(score);
        }
        // With no move to try first the search goes badly; the next time round there will be one.
        let unprepared = depth >= 4 && known.is_none_or(|entry| entry.mv.is_none());
        self.try_moves(node, window, depth - i32::from(unprepared), ply, known)
    }

    /// What the position is worth as it stands, better judged where the table knows more.
    fn stand(&mut self, node: &Node, known: Option<Entry>, ply: usize) -> Option<i32> {
        let standing = match known {
            _ if node.is_check() => None,
            Some(entry) => Some(i32::from(entry.standing)),
            None => Some(evaluate(node)),
        };
        self.trail[ply].standing = standing;
        let (standing, Some(entry)) = (standing?, known) else { return standing };
        let score = entry.score(ply);
        let better = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => score > standing,
            Bound::AtMost => score < standing,
        };
        Some(if better && score.abs() < MATE_IN_SIGHT { score } else { standing })
    }

    /// The most promising move first, until one is better than the opponent would allow, or none
    /// is left.
    fn try_moves(
        &mut self,
        node: &Node,
        mut window: Window,
        depth: i32,
        ply: usize,
        known: Option<Entry>,
    ) -> Found {
        let mut moves = node.position.legal_moves();
        if moves.is_empty() {
            return Ok(if node.is_check() { ply as i32 - MATE } else { 0 });
        }
        let (turn, past, skipped) = (node.position.turn(), self.past(ply), self.trail[ply].skipped);
        let table_move = known.and_then(|entry| entry.mv);
        let mut ordered = self.experience.order(&node.position, &mut moves, table_move, past, ply);
        let floor = window.alpha;
        let (mut best, mut best_move) = (-INFINITY, None);
        let mut quiets = MoveList::new();
        let mut count = 0;
        let checking = node.checking_squares();
        let (standing, improving) = (self.trail[ply].standing, self.is_improving(ply));
        let open = !window.is_narrow();
        while let Some((mv, repute)) = ordered.next(&node.position) {
            if Some(mv) == skipped {
                continue;
            }
            let late =
                Late { count, depth, quiet: !is_noisy(mv), repute, standing, improving, open };
            // While we are being mated every move is tried, and checks always are.
            if best > -MATE_IN_SIGHT
                && !checking.include(mv)
                && late.is_hopeless(&node.position, mv, window.alpha)
            {
                continue;
            }
            count += 1;
            let depth = depth + self.singular(node, mv, known, depth, ply)?;
            let child = self.enter(node, mv, ply);
            let reduction = (count > 1).then(|| late.reduction(child.is_check()));
            let score = self.child_score(&child, window, depth, reduction, ply)?;
            self.leave();
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    self.extend_line(mv, ply);
                }
            }
            window.alpha = window.alpha.max(score);
            if window.alpha >= window.beta {
                if !is_noisy(mv) {
                    self.experience.learn(turn, past, mv, &quiets, depth, ply);
                }
                break;
            }
            if !is_noisy(mv) {
                quiets.push(mv);
            }
        }
        if skipped.is_none() {
            let bound = Bound::of(best, floor, window.beta);
            let entry = Entry::new(best_move, best, standing.unwrap_or(0), depth, bound, ply);
            self.table.keep(node.key, entry);
        } else if count == 0 {
            // There was no other move than the one left out.
            return Ok(floor);
        }
        Ok(best)
    }

    /// A late move, one that came after others, is expected to be no better than they were. So it
    /// is only asked whether it is, less deeply at first, and searched in full if it surprises.
    pub(crate) fn child_score(
        &mut self,
        child: &Node,
        window: Window,
        depth: i32,
        late: Option<i32>,
        ply: usize,
    ) -> Found {
        if let Some(reduction) = late {
            let narrow = window.narrowed().turned();
            let mut score = -self.negamax(child, narrow, depth - 1 - reduction, ply + 1)?;
            if score > window.alpha && reduction > 0 {
                score = -self.negamax(child, narrow, depth - 1, ply + 1)?;
            }
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.negamax(child, window.turned(), depth - 1, ply + 1)?)
    }

    /// One ply more for a move that is much better than all others: everything hangs on it.
    fn singular(
        &mut self,
        node: &Node,
        mv: Move,
        known: Option<Entry>,
        depth: i32,
        ply: usize,
    ) -> Result<i32, BrokenOff> {
        let Some(entry) = known else { return Ok(0) };
        let sure = i32::from(entry.depth) >= depth - 3 && entry.bound != Bound::AtMost;
        let score = entry.score(ply);
        if depth < 7
            || !sure
            || score.abs() >= MATE_IN_SIGHT
            || !entry.mv.is_some_and(|short| short.is(mv))
            // Lines are not to grow without end.
            || ply as i32 >= 2 * self.depth
        {
            return Ok(0);
        }
        let bar = score - 2 * depth;
        self.trail[ply].skipped = Some(mv);
        let window = Window { alpha: bar - 1, beta: bar };
        let others = self.negamax(node, window, (depth - 1) / 2, ply);
        self.trail[ply].skipped = None;
        Ok(i32::from(others? < bar))
    }

    /// Ways to be done with a position without trying its moves.
    fn cut_short(
        &mut self,
        node: &Node,
        beta: i32,
        depth: i32,
        ply: usize,
        standing: i32,
    ) -> Result<Option<i32>, BrokenOff> {
        if beta.abs() >= MATE_IN_SIGHT {
            return Ok(None);
        }
        if prune::is_far_ahead(standing, beta, depth, self.is_improving(ply)) {
            return Ok(Some(standing));
        }
        if prune::is_far_behind(standing, beta, depth) {
            let score = self.quiesce(node, Window { alpha: beta - 1, beta }, ply)?;
            if score < beta {
                return Ok(Some(score));
            }
        }
        self.try_passing(node, beta, depth, ply, standing)
    }

    /// If even passing is good enough, some move will be.
    fn try_passing(
        &mut self,
        node: &Node,
        beta: i32,
        depth: i32,
        ply: usize,
        standing: i32,
    ) -> Result<Option<i32>, BrokenOff> {
        let passed_before = self.past(ply)[0] == Step::NONE;
        if depth < 3 || standing < beta || passed_before || !prune::has_pieces(&node.position) {
            return Ok(None);
        }
        let Some(child) = self.enter_passing(node, ply) else { return Ok(None) };
        let window = Window { alpha: beta - 1, beta }.turned();
        let left = depth - prune::passing_reduction(depth, standing - beta);
        let score = -self.negamax(&child, window, left, ply + 1)?;
        self.leave();
        // A mate found by passing is not proved.
        Ok((score >= beta).then_some(if score >= MATE_IN_SIGHT { beta } else { score }))
    }
}
