//! What a player may expect of a position: whether half a point is welcome, whether there is any
//! hope left.
//!
//! It is looked at with the same care at every level. A beginner may play badly, but should not
//! give the game away.

use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::{Bitboard, Chess, Color, Move, Position};

use crate::endings::{has_means, mating, only_opposite_bishops};
use crate::locked::is_locked;
use crate::score::is_won;
use crate::{SearchLimits, Searcher};

/// Enough to see through the tactics of the moment.
const NODES: u64 = 30_000;
/// Before anything is given away, it is looked at again.
const NODES_IN_EARNEST: u64 = 400_000;

/// Who is as far behind as this is glad of a draw.
const CLEARLY_WORSE: i32 = 150;
/// Who is as far ahead as this says so.
const BETTER: i32 = 50;
/// Who is as far behind as this has nothing to hope for but mistakes nobody makes.
const HOPELESS: i32 = 900;
/// The same with nothing left but the king.
const HOPELESS_ALONE: i32 = 600;
/// What dead positions are worth, to one side or the other.
const DEAD: i32 = 40;
/// After so many plies without a capture or pawn move, nobody is getting anywhere.
const STANDSTILL: u32 = 60;
/// What a position at a standstill may be worth.
const STANDSTILL_DEAD: i32 = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// As in `ScoredMove`.
    pub score: i32,
    /// Nobody will win this who is not handed the game.
    pub dead: bool,
    /// Who looks has too little left to win with, and no mate in sight.
    pub cannot_win: bool,
    /// Who looks has a king and nothing else, and is hunted by a queen or rook.
    alone: bool,
}

impl Prospect {
    pub fn welcomes_draw(self) -> bool {
        self.dead || self.cannot_win || self.score <= -CLEARLY_WORSE
    }

    pub fn stands_better(self) -> bool {
        self.score >= BETTER
    }

    pub fn is_hopeless(self) -> bool {
        self.score <= -if self.alone { HOPELESS_ALONE } else { HOPELESS }
    }
}

/// Whether so little is left that the position may be dead. What it is worth is not asked here.
pub fn may_be_dead(position: &Chess) -> bool {
    let board = position.board();
    let pieces = |men: Bitboard| (men & !board.pawns() & !board.kings()).count();
    let few = board.pawns().is_empty() && pieces(board.white()) <= 1 && pieces(board.black()) <= 1;
    let pawns = |men: Bitboard| (men & board.pawns()).count();
    let even_bishops = only_opposite_bishops(board) && pawns(board.white()) == pawns(board.black());
    few || even_bishops || position.halfmoves() >= STANDSTILL || is_locked(position)
}

/// Whether a side has enough left to win with, if the other does not help.
pub fn can_win(position: &Chess, color: Color) -> bool {
    has_means(position.board(), color)
}

/// Whether a score that was found at a glance is worth a closer look before giving up.
pub fn may_be_hopeless(score: i32) -> bool {
    score <= -HOPELESS_ALONE
}

impl Searcher {
    /// What the side to move, or the other, may expect after these moves. None if `stop` was set.
    pub fn prospect(
        &mut self,
        start: &Chess,
        moves: &[Move],
        of_mover: bool,
        stop: &AtomicBool,
    ) -> Option<Prospect> {
        let first = self.look(start, moves, of_mover, NODES, stop)?;
        if first.welcomes_draw() {
            self.look(start, moves, of_mover, NODES_IN_EARNEST, stop)
        } else {
            Some(first)
        }
    }

    fn look(
        &mut self,
        start: &Chess,
        moves: &[Move],
        of_mover: bool,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Option<Prospect> {
        let limits = SearchLimits { nodes, lines: 1, ..SearchLimits::default() };
        let analysis = self.analyse(&[], start, moves, limits, stop, |_| {});
        let stopped = stop.load(Ordering::Relaxed);
        let best = analysis.lines.first().filter(|_| analysis.depth > 0 && !stopped)?;
        let mut position = start.clone();
        moves.iter().for_each(|mv| position.play_unchecked(*mv));
        let color = if of_mover { position.turn() } else { !position.turn() };
        let score = if of_mover { best.score } else { -best.score };
        // The search counts on a draw after fifty moves, which somebody has to claim.
        let certain = mating(position.board()).map(|lead| color.fold_wb(lead, -lead));
        let score = certain.filter(|lead| *lead > 0.max(score)).unwrap_or(score);
        let us = position.board().by_color(color);
        let hunters = position.board().rooks_and_queens() & !us;
        let narrow = if position.halfmoves() >= STANDSTILL { STANDSTILL_DEAD } else { DEAD };
        Some(Prospect {
            score,
            dead: is_locked(&position) || may_be_dead(&position) && score.abs() <= narrow,
            cannot_win: !can_win(&position, color) && !is_won(score),
            alone: us.count() == 1 && hunters.any(),
        })
    }
}
