//! Looking ahead: alpha-beta, one ply deeper each time, until the nodes are spent.
//!
//! What a position is worth at the end of a line is in `evaluate`, which move to try first in
//! `order`. Scores are centipawns, seen by the side to move. None means that the search broke off.

use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, MoveList, Position, Role};

use crate::Choice;
use crate::evaluate::evaluate;
use crate::order::{Experience, gain, is_quiet, order_noisy};
use crate::table::{Bound, Table};

pub(crate) const MATE: i32 = 32_000;
/// Every score from here up is a forced mate.
pub(crate) const MATE_IN_SIGHT: i32 = MATE - 1_000;
pub(crate) const MOST_PLIES: usize = 96;
const DEEPEST: i32 = 40;
const INFINITY: i32 = MATE + 1;
/// In centipawns, for each ply left to search.
const WIDE_LEAD: i32 = 90;
/// The most that a capture may gain besides what it takes.
const MORE_THAN_MATERIAL: i32 = 150;
const NODES_BETWEEN_STOP_CHECKS: u64 = 512;

pub(crate) fn is_won(score: i32) -> bool {
    score >= MATE_IN_SIGHT
}

pub(crate) struct Search<'a> {
    position: Chess,
    /// Of every position since the game began, then along the line looked at.
    keys: Vec<Zobrist64>,
    /// How many of the keys belong to the game.
    played: usize,
    nodes: u64,
    budget: u64,
    /// Of the current iteration.
    depth: i32,
    stop: &'a AtomicBool,
    stopped: bool,
    table: Table,
    experience: Experience,
}

impl<'a> Search<'a> {
    pub fn new(start: &Chess, moves: &[Move], budget: u64, stop: &'a AtomicBool) -> Search<'a> {
        let mut position = start.clone();
        let mut keys = vec![position.zobrist_hash(EnPassantMode::Legal)];
        for &mv in moves {
            position.play_unchecked(mv);
            keys.push(position.zobrist_hash(EnPassantMode::Legal));
        }
        Search {
            position,
            played: keys.len(),
            keys,
            nodes: 0,
            budget,
            depth: 0,
            stop,
            stopped: stop.load(Ordering::Relaxed),
            table: Table::for_nodes(budget),
            experience: Experience::new(),
        }
    }

    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Every legal move, the best first. Scores are exact down to `reach` below the best one, and
    /// only known to be lower than that for the rest.
    pub fn score_moves(&mut self, reach: i32) -> Option<Vec<Choice>> {
        let position = self.position.clone();
        let legal = self.experience.order(position.turn(), &position.legal_moves(), None, 0);
        let mut choices: Vec<Choice> = legal.map(|mv| Choice { mv, score: 0 }).collect();
        for depth in 1..=DEEPEST {
            self.depth = depth;
            let deeper = self.score_deeper(&position, &choices, reach);
            if self.stopped {
                return None;
            }
            // An iteration cut short has only looked at the moves that were best before. That is
            // fine for finding the best, but unfair to the others if they are to be compared.
            let whole = deeper.len() == choices.len();
            if whole || reach == 0 && !deeper.is_empty() {
                choices = deeper;
            }
            let settled = choices.first().is_none_or(|best| MATE - best.score.abs() <= depth);
            if !whole || settled || choices.len() == 1 {
                break;
            }
        }
        Some(choices)
    }

    fn score_deeper(&mut self, position: &Chess, choices: &[Choice], reach: i32) -> Vec<Choice> {
        let mut deeper = Vec::with_capacity(choices.len());
        let mut best = -INFINITY;
        for (index, &Choice { mv, .. }) in choices.iter().enumerate() {
            let window = Window { alpha: (best - reach).max(-INFINITY), beta: INFINITY };
            let late = (reach == 0 && index > 0).then_some(0);
            let child = self.enter(position, mv);
            let score = self.child_score(&child, window, self.depth, late, 0);
            self.keys.truncate(self.played);
            let Some(score) = score else { break };
            best = best.max(score);
            deeper.push(Choice { mv, score });
        }
        deeper.sort_by_key(|choice| -choice.score);
        deeper
    }

    fn negamax(
        &mut self,
        position: &Chess,
        mut window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        if self.is_draw(position) {
            return Some(0);
        }
        let check = position.is_check();
        let depth = depth + i32::from(check);
        if depth <= 0 || ply >= MOST_PLIES {
            return self.quiesce(position, window, ply);
        }
        self.spend()?;

        let key = self.key();
        let known = self.table.find(key);
        // Near the fifty-move limit a position is worth less than when it was stored.
        if position.halfmoves() < 80
            && let Some(score) = known.and_then(|entry| entry.answer(window, depth, ply))
        {
            return Some(score);
        }
        // Close to the end of the line, nothing the opponent can do will make up a wide lead.
        if depth <= 3 && !check && window.is_narrow() && window.beta.abs() < MATE_IN_SIGHT {
            let standing = evaluate(position);
            if standing - WIDE_LEAD * depth >= window.beta {
                return Some(standing);
            }
        }

        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if check { ply as i32 - MATE } else { 0 });
        }
        let floor = window.alpha;
        let mut best = -INFINITY;
        let mut best_move = None;
        let mut quiet_tried = MoveList::new();
        let table_move = known.and_then(|entry| entry.mv);
        let ordered = self.experience.order(position.turn(), &moves, table_move, ply);
        for (index, mv) in ordered.enumerate() {
            let child = self.enter(position, mv);
            let dull = index > 0 && !check && self.is_dull(mv, ply) && !child.is_check();
            let reduction = if dull { reduction(index, depth) } else { 0 };
            let late = (index > 0).then_some(reduction);
            let score = self.child_score(&child, window, depth, late, ply)?;
            self.keys.pop();
            best = best.max(score);
            if score > window.alpha {
                window.alpha = score;
                best_move = Some(mv);
            }
            if score >= window.beta {
                if is_quiet(mv) {
                    self.experience.learn(position.turn(), mv, &quiet_tried, depth, ply);
                }
                break;
            }
            if is_quiet(mv) {
                quiet_tried.push(mv);
            }
        }
        let bound = match best {
            _ if best >= window.beta => Bound::AtLeast,
            _ if best > floor => Bound::Exact,
            _ => Bound::AtMost,
        };
        self.table.keep(key, best_move, best, depth, bound, ply);
        Some(best)
    }

    /// A late move, one that came after others, is expected to be no better than they were. So it
    /// is only asked whether it is, less deeply at first, and searched in full if it surprises.
    fn child_score(
        &mut self,
        child: &Chess,
        window: Window,
        depth: i32,
        late: Option<i32>,
        ply: usize,
    ) -> Option<i32> {
        if let Some(reduction) = late {
            let narrow = window.narrowed().turned();
            let mut score = -self.negamax(child, narrow, depth - 1 - reduction, ply + 1)?;
            if score > window.alpha && reduction > 0 {
                score = -self.negamax(child, narrow, depth - 1, ply + 1)?;
            }
            if score <= window.alpha || score >= window.beta {
                return Some(score);
            }
        }
        Some(-self.negamax(child, window.turned(), depth - 1, ply + 1)?)
    }

    /// Captures are played out, so that no line is judged in the middle of an exchange.
    fn quiesce(&mut self, position: &Chess, mut window: Window, ply: usize) -> Option<i32> {
        self.spend()?;
        let check = position.is_check();
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if check { ply as i32 - MATE } else { 0 });
        }
        let standing = evaluate(position);
        let mut best = if check { -INFINITY } else { standing };
        // The first iteration has to finish for there to be a move at all.
        if best >= window.beta || self.nodes > self.budget {
            return Some(standing);
        }
        window.alpha = window.alpha.max(best);
        if !check {
            moves.retain(|mv| mv.is_capture() || mv.promotion() == Some(Role::Queen));
        }
        for mv in order_noisy(&moves) {
            if !check && standing + gain(mv) + MORE_THAN_MATERIAL <= window.alpha {
                continue;
            }
            let mut child = position.clone();
            child.play_unchecked(mv);
            let score = -self.quiesce(&child, window.turned(), ply + 1)?;
            best = best.max(score);
            window.alpha = window.alpha.max(score);
            if score >= window.beta {
                break;
            }
        }
        Some(best)
    }

    fn enter(&mut self, position: &Chess, mv: Move) -> Chess {
        let mut child = position.clone();
        child.play_unchecked(mv);
        let key = position
            .update_zobrist_hash(self.key(), mv, EnPassantMode::Legal)
            .unwrap_or_else(|| child.zobrist_hash(EnPassantMode::Legal));
        self.keys.push(key);
        child
    }

    fn key(&self) -> Zobrist64 {
        self.keys[self.keys.len() - 1]
    }

    /// Counts a node. None when it was one too many, or somebody said stop.
    fn spend(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_STOP_CHECKS) {
            self.stopped |= self.stop.load(Ordering::Relaxed);
        }
        let spent = self.nodes > self.budget && self.depth > 1;
        (!self.stopped && !spent).then_some(())
    }

    fn is_draw(&self, position: &Chess) -> bool {
        position.is_insufficient_material()
            || self.is_repetition(position)
            // A mate with the hundredth ply still counts.
            || position.halfmoves() >= 100 && !position.legal_moves().is_empty()
    }

    /// Whether the position has come up twice in the game before, or once in the line looked at:
    /// who could go round once can go round again.
    fn is_repetition(&self, position: &Chess) -> bool {
        let now = self.keys.len() - 1;
        let since = now.saturating_sub(position.halfmoves() as usize);
        let same = (since..now).filter(|&then| self.keys[then] == self.keys[now]);
        let (mut in_game, mut in_line) = (0, 0);
        for then in same {
            if then + 1 < self.played { in_game += 1 } else { in_line += 1 }
        }
        in_line > 0 || in_game > 1
    }

    /// Neither a capture nor a promotion, and not known to be strong.
    fn is_dull(&self, mv: Move, ply: usize) -> bool {
        is_quiet(mv) && !self.experience.is_killer(mv, ply)
    }
}

/// How much less deeply a dull move is searched at first.
fn reduction(index: usize, depth: i32) -> i32 {
    match depth {
        3.. if index >= 3 => 1 + i32::from(index >= 12) + depth / 7,
        _ => 0,
    }
}

/// The scores that still matter: below alpha we have better, above beta the opponent has.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    fn narrowed(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    fn is_narrow(self) -> bool {
        self.beta - self.alpha == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, PositionError};

    #[test]
    fn a_stop_is_heard_in_the_middle_of_a_search() {
        let stop = AtomicBool::new(false);
        let mut search = Search::new(&Chess::default(), &[], 1_000_000, &stop);
        stop.store(true, Ordering::Relaxed);
        assert!(search.score_moves(0).is_none());
        assert!(search.nodes <= NODES_BETWEEN_STOP_CHECKS);
    }

    #[test]
    fn the_budget_is_kept_even_where_captures_never_end() {
        let fen = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";
        let fen: Fen = fen.parse().expect("a fen");
        let position = fen
            .into_position::<Chess>(CastlingMode::Standard)
            .or_else(PositionError::ignore_too_much_material)
            .expect("a position");
        let stop = AtomicBool::new(false);
        let mut search = Search::new(&position, &[], 200, &stop);
        assert!(search.score_moves(0).is_some_and(|choices| !choices.is_empty()));
        assert!(search.nodes < 2_000, "{} nodes", search.nodes);
    }
}
