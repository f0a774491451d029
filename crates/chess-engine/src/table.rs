//! What the search has already found out, by position: a table of fixed size, new for every move.

use shakmaty::Move;
use shakmaty::zobrist::Zobrist64;

use crate::search::{MATE_IN_SIGHT, Window};

/// 16 MB at most.
const MOST_ENTRIES: u64 = 1 << 20;
const _: () = assert!(size_of::<Option<Entry>>() == 16);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy)]
pub(crate) struct Entry {
    check: u32,
    pub mv: Option<Move>,
    score: i16,
    depth: i8,
    bound: Bound,
}

pub(crate) struct Table {
    entries: Vec<Option<Entry>>,
}

impl Table {
    pub fn for_nodes(nodes: u64) -> Table {
        let size = nodes.next_power_of_two().min(MOST_ENTRIES);
        Table { entries: vec![None; size as usize] }
    }

    pub fn find(&self, key: Zobrist64) -> Option<Entry> {
        self.entries[self.slot(key)].filter(|entry| entry.check == check(key))
    }

    pub fn keep(
        &mut self,
        key: Zobrist64,
        mv: Option<Move>,
        score: i32,
        depth: i32,
        bound: Bound,
        ply: usize,
    ) {
        // A mate is stored as seen from here, since the root is at another distance next time.
        let score = match score {
            MATE_IN_SIGHT.. => score + ply as i32,
            _ if score <= -MATE_IN_SIGHT => score - ply as i32,
            _ => score,
        };
        let slot = self.slot(key);
        let mv = mv.or_else(|| self.find(key).and_then(|old| old.mv));
        self.entries[slot] = Some(Entry {
            check: check(key),
            mv,
            score: score as i16,
            depth: depth.min(127) as i8,
            bound,
        });
    }

    fn slot(&self, key: Zobrist64) -> usize {
        key.0 as usize & (self.entries.len() - 1)
    }
}

/// The half of the key that does not choose the slot.
fn check(key: Zobrist64) -> u32 {
    (key.0 >> 32) as u32
}

impl Entry {
    /// The score, if it was searched deep enough to answer a question about this window.
    pub fn answer(&self, window: Window, depth: i32, ply: usize) -> Option<i32> {
        let score = match i32::from(self.score) {
            score @ MATE_IN_SIGHT.. => score - ply as i32,
            score if score <= -MATE_IN_SIGHT => score + ply as i32,
            score => score,
        };
        let settled = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= window.beta,
            Bound::AtMost => score <= window.alpha,
        };
        (settled && i32::from(self.depth) >= depth).then_some(score)
    }
}
