//! What the search has already found out, by position: a table of fixed size.
//!
//! The memory is kept from one search to the next, what was found is not: an answer must not
//! depend on the questions asked before it.

use std::sync::atomic::{AtomicU64, Ordering};

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Move, Square};

use crate::score::{MATE_IN_SIGHT, Window};

/// Two entries of 16 bytes each.
const BUCKET: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl Bound {
    /// What the best score found within a window says.
    pub fn of(best: i32, alpha: i32, beta: i32) -> Bound {
        match best {
            _ if best >= beta => Bound::AtLeast,
            _ if best > alpha => Bound::Exact,
            _ => Bound::AtMost,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub mv: Option<ShortMove>,
    score: i16,
    /// What the position was worth as it stood.
    pub standing: i16,
    pub depth: i8,
    pub bound: Bound,
}

/// Enough to know a move again among the legal ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ShortMove(u16);

impl ShortMove {
    pub fn new(mv: Move) -> ShortMove {
        let from = mv.from().map_or(0, Square::to_usize) as u16;
        let promotion = mv.promotion().map_or(0, |role| role as u16);
        ShortMove(from | (mv.to().to_usize() as u16) << 6 | promotion << 12)
    }

    pub fn is(self, mv: Move) -> bool {
        self == ShortMove::new(mv)
    }
}

/// A key mixed with the content, and the content. Several threads write without waiting for each
/// other; if two halves do not belong together, no key fits.
type Slot = [AtomicU64; 2];

pub(crate) struct Table {
    buckets: Vec<[Slot; 2]>,
    /// Which search we are in, from 1 up; what others left counts as empty.
    search: u64,
}

const LAST_SEARCH: u64 = 31;

impl Table {
    /// Of up to so many megabytes, and at least one.
    pub fn new(megabytes: usize) -> Table {
        let most = (megabytes.max(1) << 20) / BUCKET;
        // A power of two, so that the key's last bits say where to look.
        let buckets = 1 << most.ilog2();
        let buckets = std::iter::repeat_with(Default::default).take(buckets).collect();
        Table { buckets, search: 0 }
    }

    /// Forgets everything. To be called before each search.
    pub fn begin(&mut self) {
        self.search += 1;
        if self.search > LAST_SEARCH {
            self.buckets.fill_with(Default::default);
            self.search = 1;
        }
    }

    pub fn find(&self, key: Zobrist64) -> Option<Entry> {
        let bucket = self.bucket(key);
        let mut contents = bucket.iter().filter_map(|slot| content(slot, key));
        contents.find(|content| self.is_fresh(*content)).map(Entry::unpack)
    }

    /// The deeper entry of a bucket stays until something deeper comes; the other always yields.
    pub fn keep(&self, key: Zobrist64, mut entry: Entry) {
        let bucket = self.bucket(key);
        let same = (0..2).find_map(|n| {
            let content = content(&bucket[n], key).filter(|content| self.is_fresh(*content));
            content.map(|content| (n, Entry::unpack(content)))
        });
        let first = bucket[0][1].load(Ordering::Relaxed);
        let place = match same {
            Some((place, _)) => place,
            None if !self.is_fresh(first) || entry.depth >= Entry::unpack(first).depth => 0,
            None => 1,
        };
        if let Some((_, old)) = same {
            // A glance must not wipe out what a long look has found.
            if entry.bound != Bound::Exact && entry.depth + 4 < old.depth {
                return;
            }
            entry.mv = entry.mv.or(old.mv);
        }
        let content = entry.pack() | self.search << SEARCH_SHIFT;
        bucket[place][0].store(key.0 ^ content, Ordering::Relaxed);
        bucket[place][1].store(content, Ordering::Relaxed);
    }

    fn is_fresh(&self, content: u64) -> bool {
        content >> SEARCH_SHIFT == self.search
    }

    fn bucket(&self, key: Zobrist64) -> &[Slot; 2] {
        &self.buckets[key.0 as usize & (self.buckets.len() - 1)]
    }
}

/// What a slot holds, if it belongs to this key.
fn content(slot: &Slot, key: Zobrist64) -> Option<u64> {
    let content = slot[1].load(Ordering::Relaxed);
    (slot[0].load(Ordering::Relaxed) ^ content == key.0).then_some(content)
}

const SEARCH_SHIFT: u32 = 59;

impl Entry {
    pub fn new(
        mv: Option<Move>,
        score: i32,
        standing: i32,
        depth: i32,
        bound: Bound,
        ply: usize,
    ) -> Entry {
        // A mate is stored as seen from here, since the root is at another distance next time.
        let score = match score {
            MATE_IN_SIGHT.. => score + ply as i32,
            _ if score <= -MATE_IN_SIGHT => score - ply as i32,
            _ => score,
        };
        Entry {
            mv: mv.map(ShortMove::new),
            score: score as i16,
            standing: standing as i16,
            depth: depth.clamp(0, 127) as i8,
            bound,
        }
    }

    pub fn score(&self, ply: usize) -> i32 {
        match i32::from(self.score) {
            score @ MATE_IN_SIGHT.. => score - ply as i32,
            score if score <= -MATE_IN_SIGHT => score + ply as i32,
            score => score,
        }
    }

    /// The score, if it was searched deep enough to answer a question about this window.
    pub fn answer(&self, window: Window, depth: i32, ply: usize) -> Option<i32> {
        let score = self.score(ply);
        let settled = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= window.beta,
            Bound::AtMost => score <= window.alpha,
        };
        (settled && i32::from(self.depth) >= depth).then_some(score)
    }

    fn pack(self) -> u64 {
        let mv = self.mv.map_or(0, |mv| mv.0);
        u64::from(mv)
            | u64::from(self.score as u16) << 16
            | u64::from(self.standing as u16) << 32
            | (self.depth as u64) << 48
            | (self.bound as u64) << 56
    }

    fn unpack(packed: u64) -> Entry {
        let mv = packed as u16;
        Entry {
            // From a1 to a1 is no move.
            mv: (mv != 0).then_some(ShortMove(mv)),
            score: (packed >> 16) as i16,
            standing: (packed >> 32) as i16,
            depth: (packed >> 48) as i8,
            bound: match packed >> 56 & 3 {
                0 => Bound::Exact,
                1 => Bound::AtLeast,
                _ => Bound::AtMost,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    #[test]
    fn what_is_kept_is_found_until_the_next_search() {
        let mv = Move::Normal {
            role: Role::Pawn,
            from: Square::A7,
            capture: None,
            to: Square::A8,
            promotion: Some(Role::Queen),
        };
        let mut table = Table::new(16);
        for _ in 0..100 {
            table.begin();
            let key = Zobrist64(0x1234_5678_9abc_def0);
            assert_eq!(table.find(key), None);
            let entry = Entry::new(Some(mv), -31_990, -77, 9, Bound::AtMost, 4);
            table.keep(key, entry);
            assert_eq!(table.find(key), Some(entry));
            assert_eq!(entry.score(4), -31_990);
            assert!(entry.mv.is_some_and(|short| short.is(mv)));
        }
    }
}
