//! A chess player for agon: given a game, a level and a seed, it names a move.
//!
//! It reads no clock, touches no disk and rolls no dice of its own, so the same question always
//! gets the same answer. A caller who needs an answer in time sets `stop` when the time is up.
//!
//! `search` looks ahead (`root`, `tree`, `quiet`, `prune`, `order`, `table`), `evaluate` judges a
//! position (`pawns`, `endings`, `terms`, `weights`), `choose` picks as a player of some level
//! would (`child` for the lowest).

mod child;
mod choose;
mod endings;
mod evaluate;
mod exchange;
mod level;
mod locked;
mod node;
mod noisy;
mod order;
mod pawns;
mod prospects;
mod prune;
mod quiet;
mod root;
mod score;
mod search;
mod squares;
mod table;
mod taper;
mod terms;
mod tree;
mod weights;

use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::{Chess, Move};

pub use level::EngineLevel;
use order::Experience;
pub use prospects::{Prospect, can_win, may_be_dead, may_be_hopeless};
use root::{Breadth, Progress};
pub use score::moves_to_mate;
use search::Search;
use table::Table;

/// A move, and what it is expected to lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    pub mv: Move,
    /// In centipawns, seen by the side to move. A forced mate in n plies is 32000 - n.
    pub score: i32,
}

/// What is to be expected of one of the moves at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredLine {
    pub mv: Move,
    /// As in `ScoredMove`.
    pub score: i32,
    /// Whether the score is right, or the move only known to be no better than that.
    pub exact: bool,
    /// The move, and the best answers of both sides as far as they were seen.
    pub moves: Vec<Move>,
}

impl ScoredLine {
    fn unknown(mv: Move) -> ScoredLine {
        ScoredLine { mv, score: 0, exact: false, moves: vec![mv] }
    }
}

/// Every legal move, the best first; none if the game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    pub lines: Vec<ScoredLine>,
    /// How many plies were looked at in full; 0 when it was stopped before the first.
    pub depth: i32,
    /// How many plies the longest line had.
    pub longest: i32,
    pub nodes: u64,
}

/// How far an analysis goes. Without any limit it goes on until it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    pub nodes: u64,
    pub depth: i32,
    /// How many moves are to get an exact score. One alone is found soonest.
    pub lines: usize,
}

impl Default for SearchLimits {
    fn default() -> SearchLimits {
        SearchLimits { nodes: u64::MAX, depth: DEEPEST, lines: usize::MAX }
    }
}

pub(crate) const DEEPEST: i32 = 64;

/// Somewhere to think: about 17 MB, which whoever asks often keeps from one question to the next.
/// No answer depends on the questions before it.
pub struct Searcher {
    table: Table,
    experience: Experience,
    /// One for each thread that helps an analysis along.
    helpers: Vec<Experience>,
}

/// Of the memory for positions, in megabytes.
pub const USUAL_MEMORY: usize = 16;

impl Default for Searcher {
    fn default() -> Searcher {
        Searcher::with_memory(USUAL_MEMORY)
    }
}

impl Searcher {
    pub fn new() -> Searcher {
        Searcher::default()
    }

    /// With up to so many megabytes for what is known of positions. Levels play as they were
    /// measured only with the usual amount.
    pub fn with_memory(megabytes: usize) -> Searcher {
        let (table, experience) = (Table::new(megabytes), Experience::new());
        Searcher { table, experience, helpers: Vec::new() }
    }

    /// Lets so many threads analyse, which see further together. What they find may then differ
    /// from one time to the next; the nodes told are those of one of them.
    pub fn use_threads(&mut self, threads: usize) {
        self.helpers.resize_with(threads.saturating_sub(1), Experience::new);
    }

    /// Chooses a move after the legal `moves` have been played from `start`; repetitions count. Only
    /// moves of `among` are considered, or all if it is empty. None if there is no legal move, or if
    /// `stop` was set.
    pub fn best_move(
        &mut self,
        among: &[Move],
        start: &Chess,
        moves: &[Move],
        level: EngineLevel,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<ScoredMove> {
        let character = level.character();
        self.table.begin();
        let (table, experience) = (&self.table, &mut self.experience);
        let (mut search, root) =
            Search::new(start, moves, character.nodes, stop, table, experience);
        search.among = among.to_vec();
        let mood = choose::mood(character, &root.position, moves.len());
        let lines = search.think(&root, mood.breadth(), mood.deepest, &mut |_| {});
        if search.stopped {
            return None;
        }
        choose::choose(&mood, &root, moves, &lines, seed)
    }

    /// Scores the moves of `among`, or all if it is empty, at full strength, and calls `report`
    /// after every ply. If it is stopped early, the answer holds what is known by then.
    pub fn analyse(
        &mut self,
        among: &[Move],
        start: &Chess,
        moves: &[Move],
        limits: SearchLimits,
        stop: &AtomicBool,
        mut report: impl FnMut(&Analysis),
    ) -> Analysis {
        let breadth = match limits.lines {
            0 | 1 => Breadth::Best,
            usize::MAX => Breadth::Within(i32::MAX / 2),
            count => Breadth::Lines(count),
        };
        let deepest = limits.depth.clamp(1, DEEPEST);
        let (mut reached, mut longest) = (0, 0);
        let mut tell = |progress: &Progress| {
            (reached, longest) = (progress.depth, progress.longest);
            let Progress { depth, longest, nodes, lines } = *progress;
            report(&Analysis { lines: lines.to_vec(), depth, longest, nodes });
        };
        self.table.begin();
        let Searcher { table, experience, helpers } = self;
        let done = AtomicBool::new(false);
        let (lines, nodes) = std::thread::scope(|scope| {
            for (n, experience) in helpers.iter_mut().enumerate() {
                let (table, done) = (&*table, &done);
                scope.spawn(move || {
                    let (mut search, root) =
                        Search::new(start, moves, u64::MAX, done, table, experience);
                    search.among = among.to_vec();
                    // Some look a ply ahead of the others, so that not all do the same.
                    search.first_depth = (1 + n as i32 % 2).min(deepest);
                    search.think(&root, Breadth::Best, deepest, &mut |_| {});
                });
            }
            let _helpers_stop = SetWhenDropped(&done);
            let (mut search, root) =
                Search::new(start, moves, limits.nodes, stop, table, experience);
            search.among = among.to_vec();
            (search.think(&root, breadth, deepest, &mut tell), search.nodes)
        });
        Analysis { lines, depth: reached, longest, nodes }
    }
}

/// However a search ends, those who help it end with it.
struct SetWhenDropped<'a>(&'a AtomicBool);

impl Drop for SetWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
