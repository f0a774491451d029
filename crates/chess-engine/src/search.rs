//! Looking ahead: what a search carries along, and the rules of the game it keeps to.
//!
//! Choosing among the moves at hand is in `root`, going down the tree in `tree`, which branches
//! to leave out in `prune`, playing out captures in `quiet`. What a position is worth at the end
//! of a line is in `evaluate`, which move to try first in `order`.

use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Move, Position};

use crate::node::Node;
use crate::order::{Experience, Past, Step};
use crate::table::Table;

/// How long a line may get, with every check and capture that makes it longer.
pub(crate) const MOST_PLIES: usize = 96;
/// Often enough to be heard within a millisecond, too seldom to cost anything.
const NODES_BETWEEN_STOP_CHECKS: u64 = 512;

/// The nodes are spent, or somebody said stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrokenOff;

/// A score, unless the search broke off.
pub(crate) type Found = Result<i32, BrokenOff>;

/// One ply of the line being looked at.
#[derive(Clone, Copy)]
pub(crate) struct Trace {
    /// The move made here.
    pub step: Step,
    /// What the position was worth as it stood; None in check.
    pub standing: Option<i32>,
    /// A move left out, to see what the others are worth without it.
    pub skipped: Option<Move>,
}

const NO_TRACE: Trace = Trace { step: Step::NONE, standing: None, skipped: None };

pub(crate) struct Search<'a> {
    /// Of every position since the game began, then along the line looked at.
    keys: Vec<Zobrist64>,
    /// How many of the keys belong to the game.
    played: usize,
    pub(crate) nodes: u64,
    pub(crate) budget: u64,
    /// Of the current iteration.
    pub(crate) depth: i32,
    /// Plies of the longest line in it.
    pub(crate) longest: usize,
    /// How deep the first iteration goes.
    pub(crate) first_depth: i32,
    /// The moves at hand that are to be looked at; all if there are none.
    pub(crate) among: Vec<Move>,
    stop: &'a AtomicBool,
    pub(crate) stopped: bool,
    pub(crate) table: &'a Table,
    pub(crate) experience: &'a mut Experience,
    pub(crate) trail: [Trace; MOST_PLIES + 1],
    /// The best line found from each ply on.
    pub(crate) lines: Vec<Vec<Move>>,
}

impl<'a> Search<'a> {
    /// A search of the position after these moves, and that position. The table has begun anew.
    pub fn new(
        start: &Chess,
        moves: &[Move],
        budget: u64,
        stop: &'a AtomicBool,
        table: &'a Table,
        experience: &'a mut Experience,
    ) -> (Search<'a>, Node) {
        let mut node = Node::new(start.clone());
        let mut keys = vec![node.key];
        for &mv in moves {
            node = node.play(mv);
            keys.push(node.key);
        }
        experience.begin();
        let search = Search {
            played: keys.len(),
            keys,
            nodes: 0,
            budget,
            depth: 0,
            longest: 0,
            first_depth: 1,
            among: Vec::new(),
            stop,
            stopped: stop.load(Ordering::Relaxed),
            table,
            experience,
            trail: [NO_TRACE; MOST_PLIES + 1],
            lines: vec![Vec::new(); MOST_PLIES + 2],
        };
        (search, node)
    }

    /// Plays a move of the line looked at. What it leads to counts for repetitions until `leave`.
    pub(crate) fn enter(&mut self, node: &Node, mv: Move, ply: usize) -> Node {
        let child = node.play(mv);
        self.keys.push(child.key);
        self.trail[ply].step = Step::new(mv);
        child
    }

    /// Enters the position in which the side to move has passed.
    pub(crate) fn enter_passing(&mut self, node: &Node, ply: usize) -> Option<Node> {
        let child = node.pass()?;
        self.keys.push(child.key);
        self.trail[ply].step = Step::NONE;
        Some(child)
    }

    /// Takes the last move of the line back.
    pub(crate) fn leave(&mut self) {
        self.keys.pop();
    }

    /// Back to the root, from wherever the search broke off.
    pub(crate) fn return_to_root(&mut self) {
        self.keys.truncate(self.played);
    }

    /// What led to this ply; nothing is remembered of the game before the root.
    pub(crate) fn past(&self, ply: usize) -> Past {
        let step = |back: usize| match ply.checked_sub(back) {
            Some(then) => self.trail[then].step,
            None => Step::NONE,
        };
        [step(1), step(2)]
    }

    /// Whether the side to move stands better than at its last turn. Then it is likelier to find
    /// something, and less likely to lose everything.
    pub(crate) fn is_improving(&self, ply: usize) -> bool {
        let earlier = ply.checked_sub(2).and_then(|then| self.trail[then].standing);
        match (self.trail[ply].standing, earlier) {
            (Some(now), Some(then)) => now > then,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Counts a node.
    pub(crate) fn spend(&mut self) -> Result<(), BrokenOff> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_STOP_CHECKS) {
            self.stopped |= self.stop.load(Ordering::Relaxed);
        }
        // The first iteration has to finish for there to be a move at all.
        let spent = self.is_spent() && self.depth > 1;
        if self.stopped || spent { Err(BrokenOff) } else { Ok(()) }
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.nodes > self.budget
    }

    /// By the rules, or as good as that. A stalemate shows when there is no move to try.
    pub(crate) fn is_draw(&self, node: &Node) -> bool {
        let position = &node.position;
        position.is_insufficient_material()
            || self.is_repetition(position)
            // A mate with the hundredth ply still counts.
            || position.halfmoves() >= 100 && !position.legal_moves().is_empty()
    }

    /// Whether the position has come up twice in the game before, or once in the line looked at:
    /// who could go round once can go round again.
    fn is_repetition(&self, position: &Chess) -> bool {
        let now = self.keys.len() - 1;
        let reversible = now.min(position.halfmoves() as usize);
        let mut in_game = 0;
        // Nothing repeats in less than four plies, or with the other side to move.
        for then in (4..=reversible).step_by(2).map(|back| now - back) {
            if self.keys[then] == self.keys[now] {
                if then + 1 >= self.played {
                    return true;
                }
                in_game += 1;
            }
        }
        in_game > 1
    }

    /// Remembers that `mv` is the best here, and what follows it.
    pub(crate) fn extend_line(&mut self, mv: Move, ply: usize) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::{Breadth, Progress};
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, PositionError};

    fn scored(position: &Chess, budget: u64, stop: &AtomicBool) -> (usize, u64) {
        let (mut table, mut experience) = (Table::new(16), Experience::new());
        table.begin();
        let (mut search, root) = Search::new(position, &[], budget, stop, &table, &mut experience);
        let lines = search.think(&root, Breadth::Best, 64, &mut |_| {});
        (lines.len(), search.nodes)
    }

    #[test]
    fn a_stop_is_heard_in_the_middle_of_a_search() {
        let (mut table, mut experience) = (Table::new(16), Experience::new());
        table.begin();
        let stop = AtomicBool::new(false);
        let (mut search, root) =
            Search::new(&Chess::default(), &[], 1_000_000, &stop, &table, &mut experience);
        let mut at_stop = 0;
        let mut stop_at_depth_six = |progress: &Progress| {
            if progress.depth == 6 {
                stop.store(true, Ordering::Relaxed);
                at_stop = progress.nodes;
            }
        };
        search.think(&root, Breadth::Best, 64, &mut stop_at_depth_six);
        assert!(search.stopped && search.nodes <= at_stop + NODES_BETWEEN_STOP_CHECKS);
    }

    #[test]
    fn the_budget_is_kept_even_where_captures_never_end() {
        let fen = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";
        let fen: Fen = fen.parse().expect("a fen");
        let position = fen
            .into_position::<Chess>(CastlingMode::Standard)
            .or_else(PositionError::ignore_too_much_material)
            .expect("a position");
        let (moves, nodes) = scored(&position, 200, &AtomicBool::new(false));
        assert!(moves > 0 && nodes < 2_000, "{moves} moves, {nodes} nodes");
    }
}
