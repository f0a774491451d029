//! The moves at hand: one ply deeper each time, until the nodes are spent. What one iteration finds
//! puts the moves in order for the next, which saves more than the iterations before it cost.

use shakmaty::{Move, Position};

use crate::ScoredLine;
use crate::node::Node;
use crate::noisy::is_noisy;
use crate::score::{INFINITY, MATE, Window};
use crate::search::Search;

/// How far from the last score the next is looked for at first: the narrower, the more branches
/// turn out not to matter.
const ASPIRATION: i32 = 20;

/// Which moves are to get an exact score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breadth {
    Best,
    /// Those at most this much worse than the best.
    Within(i32),
    /// The best so many.
    Lines(usize),
}

/// How far a search is after an iteration.
pub(crate) struct Progress<'a> {
    pub depth: i32,
    /// Plies of the longest line looked at in it.
    pub longest: i32,
    pub nodes: u64,
    pub lines: &'a [ScoredLine],
}

pub(crate) type Report<'a> = &'a mut dyn FnMut(&Progress);

impl Search<'_> {
    /// Every legal move that is among those wanted, the best first.
    pub fn think(
        &mut self,
        root: &Node,
        breadth: Breadth,
        deepest: i32,
        report: Report,
    ) -> Vec<ScoredLine> {
        let mut moves = root.position.legal_moves();
        moves.retain(|mv| self.among.is_empty() || self.among.contains(mv));
        let mut ordered = self.experience.order(&root.position, &mut moves, None, self.past(0), 0);
        let mut lines: Vec<ScoredLine> = std::iter::from_fn(|| ordered.next(&root.position))
            .map(|(mv, _)| ScoredLine::unknown(mv))
            .collect();
        if lines.is_empty() {
            return lines;
        }
        for depth in self.first_depth..=deepest {
            self.depth = depth;
            self.longest = 0;
            let whole = self.deepen(root, &mut lines, breadth);
            if !whole {
                break;
            }
            let longest = self.longest as i32;
            report(&Progress { depth, longest, nodes: self.nodes, lines: &lines });
            // A mate within the plies looked at is the shortest; nothing deeper can be better.
            if self.is_spent() || MATE - lines[0].score.abs() <= depth {
                break;
            }
        }
        lines
    }

    /// One iteration. False if it broke off; then the lines are what could be saved of it.
    fn deepen(&mut self, root: &Node, lines: &mut Vec<ScoredLine>, breadth: Breadth) -> bool {
        let expected = lines[0].score;
        let mut margin = match breadth {
            Breadth::Best if self.depth >= 5 => ASPIRATION,
            _ => INFINITY,
        };
        loop {
            let window =
                if margin > 1_000 { Window::OPEN } else { Window::around(expected, margin) };
            let found = self.score_moves(root, lines, window, breadth);
            let whole = found.len() == lines.len();
            let missed = found.iter().all(|line| !line.exact);
            let beyond = found.first().is_some_and(|line| line.score >= window.beta);
            // An iteration cut short has only looked at the moves that were best before. That is
            // fine for finding the best, but unfair to the others if they are to be compared.
            if !missed && (whole || breadth == Breadth::Best) {
                merge(lines, found);
            }
            if self.stopped || (!whole && !beyond) {
                return false;
            }
            if !missed && !beyond {
                return true;
            }
            // Outside its window a score is only known to be lower or higher: look again in a wider
            // one.
            margin *= 3;
        }
    }

    /// The moves looked at within the window, the best first. The rest are missing: the search
    /// broke off before them, or a move beyond the window made it useless to go on.
    fn score_moves(
        &mut self,
        root: &Node,
        lines: &[ScoredLine],
        window: Window,
        breadth: Breadth,
    ) -> Vec<ScoredLine> {
        let mut found: Vec<ScoredLine> = Vec::with_capacity(lines.len());
        for (index, &ScoredLine { mv, .. }) in lines.iter().enumerate() {
            let alpha = window.alpha.max(floor(&found, breadth));
            let window = Window { alpha, beta: window.beta };
            let late =
                (index > 0 && breadth == Breadth::Best).then_some(self.root_reduction(index, mv));
            let child = self.enter(root, mv, 0);
            let score = self.child_score(&child, window, self.depth, late, 0);
            self.return_to_root();
            let Ok(score) = score else { break };
            let mut moves = vec![mv];
            moves.extend_from_slice(&self.lines[1]);
            found.push(ScoredLine { mv, score, exact: score > alpha, moves });
            if score >= window.beta {
                break;
            }
        }
        // Stable: what was not better keeps its place.
        found.sort_by_key(|line| if line.exact { -line.score } else { INFINITY });
        found
    }

    /// As `Late::reduction` in the tree, but never much: a move at hand must not be overlooked.
    fn root_reduction(&self, index: usize, mv: Move) -> i32 {
        i32::from(self.depth >= 4 && index >= 5 && !is_noisy(mv))
    }
}

/// Below this a score need not be exact.
fn floor(found: &[ScoredLine], breadth: Breadth) -> i32 {
    let mut scores: Vec<i32> = found.iter().map(|line| line.score).collect();
    scores.sort_unstable_by_key(|score| -score);
    match breadth {
        Breadth::Best => scores.first().copied(),
        Breadth::Within(reach) => scores.first().map(|best| (best - reach).max(-INFINITY)),
        Breadth::Lines(count) => scores.get(count.saturating_sub(1)).copied(),
    }
    .unwrap_or(-INFINITY)
}

/// Puts what was found before the lines not looked at again.
fn merge(lines: &mut Vec<ScoredLine>, found: Vec<ScoredLine>) {
    let rest: Vec<ScoredLine> =
        lines.drain(..).filter(|line| found.iter().all(|new| new.mv != line.mv)).collect();
    *lines = found;
    lines.extend(rest);
}
