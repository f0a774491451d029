//! Playing out captures, so that no line is judged in the middle of an exchange.

use shakmaty::Position;

use crate::evaluate::evaluate;
use crate::exchange::{gain, pays};
use crate::node::Node;
use crate::noisy::noisy_moves;
use crate::order::Ordered;
use crate::score::{INFINITY, MATE, MATE_IN_SIGHT, Window};
use crate::search::{Found, MOST_PLIES, Search};
use crate::table::{Bound, Entry};

/// The most that a capture may gain besides what it takes.
const MORE_THAN_MATERIAL: i32 = 160;

impl Search<'_> {
    /// What the position is worth once no capture pays any more.
    pub(crate) fn quiesce(&mut self, node: &Node, mut window: Window, ply: usize) -> Found {
        self.spend()?;
        self.longest = self.longest.max(ply);
        // The first iteration goes on when the nodes are spent, and captures could go on for ever.
        if ply >= MOST_PLIES || self.is_spent() {
            return Ok(evaluate(node));
        }
        self.lines[ply].clear();
        let known = self.table.find(node.key);
        if window.is_narrow()
            && let Some(score) = known.and_then(|entry| entry.answer(window, 0, ply))
        {
            return Ok(score);
        }
        if node.is_check() {
            return self.escape(node, window, ply);
        }
        let standing = known.map_or_else(|| evaluate(node), |entry| i32::from(entry.standing));
        // Nobody has to capture, so what stands now is the least we get.
        let mut best = standing;
        let (floor, mut best_move) = (window.alpha, None);
        window.alpha = window.alpha.max(best);
        if best < window.beta {
            let table_move = known.and_then(|entry| entry.mv);
            let mut moves = noisy_moves(&node.position);
            let mut captures = Ordered::captures(&mut moves, table_move);
            while let Some(mv) = captures.next_capture() {
                // Too little to matter, or lost again on the same square.
                if standing + gain(mv) + MORE_THAN_MATERIAL <= window.alpha
                    || !pays(&node.position, mv, 0)
                {
                    continue;
                }
                let score = -self.quiesce(&node.play(mv), window.turned(), ply + 1)?;
                if score > best {
                    best = score;
                    best_move = Some(mv);
                }
                window.alpha = window.alpha.max(score);
                if score >= window.beta {
                    break;
                }
            }
        }
        // What the rules above left out makes it exact for this window only.
        let bound = match Bound::of(best, floor, window.beta) {
            Bound::Exact => Bound::AtMost,
            bound => bound,
        };
        self.table.keep(node.key, Entry::new(best_move, best, standing, 0, bound, ply));
        Ok(best)
    }

    /// In check no capture can be declined: every move is tried.
    fn escape(&mut self, node: &Node, mut window: Window, ply: usize) -> Found {
        let mut moves = node.position.legal_moves();
        let past = self.past(ply);
        let mut ordered = self.experience.order(&node.position, &mut moves, None, past, ply);
        let mut best = -INFINITY;
        while let Some((mv, _)) = ordered.next(&node.position) {
            // Once there is a way out, a quiet way is not looked for.
            if best > -MATE_IN_SIGHT && !mv.is_capture() {
                continue;
            }
            let child = self.enter(node, mv, ply);
            let score = -self.quiesce(&child, window.turned(), ply + 1)?;
            self.leave();
            best = best.max(score);
            window.alpha = window.alpha.max(score);
            if score >= window.beta {
                break;
            }
        }
        Ok(if best == -INFINITY { ply as i32 - MATE } else { best })
    }
}
