//! Draws that a player may claim: the position stood three times, or fifty moves were played
//! without a capture or a pawn move; already, or with the move that comes next.

use shakmaty::{Move as BoardMove, Position, zobrist::Zobrist64};

use super::{Chess, MoveText, key, move_text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    Threefold,
    FiftyMoves,
}

impl Claim {
    pub fn name(self) -> &'static str {
        match self {
            Claim::Threefold => "threefold repetition",
            Claim::FiftyMoves => "the fifty-move rule",
        }
    }
}

impl Chess {
    /// What can be claimed as things stand.
    pub(super) fn claim(&self) -> Option<Claim> {
        if self.repetitions() >= 3 {
            return Some(Claim::Threefold);
        }
        (self.position.halfmoves() >= 100).then_some(Claim::FiftyMoves)
    }

    /// What can be claimed by whoever means to play this legal move.
    pub(super) fn claim_with(&self, mv: BoardMove) -> Option<Claim> {
        let mut next = self.position.clone();
        next.play_unchecked(mv);
        let reversible = (next.halfmoves() as usize).checked_sub(1)?;
        if 1 + self.stood(key(&next), reversible) >= 3 {
            return Some(Claim::Threefold);
        }
        // A mate with the hundredth half-move is a mate.
        (next.halfmoves() >= 100 && !next.legal_moves().is_empty()).then_some(Claim::FiftyMoves)
    }

    /// The moves with which a draw can be claimed.
    pub(super) fn claims_with(&self) -> Vec<(MoveText, Claim)> {
        // To come for the third time takes eight half-moves.
        if self.outcome.is_some() || self.position.halfmoves() < 7 {
            return Vec::new();
        }
        let claim = |mv: &BoardMove| Some((move_text(&self.position, *mv), self.claim_with(*mv)?));
        let mut claims: Vec<_> = self.position.legal_moves().iter().filter_map(claim).collect();
        claims.sort_by(|(a, _), (b, _)| a.uci.cmp(&b.uci));
        claims
    }

    /// How often the position on the board has stood there.
    pub(super) fn repetitions(&self) -> usize {
        self.stood(key(&self.position), self.position.halfmoves() as usize)
    }

    /// How often this position has stood, now and up to so many half-moves ago: what came before
    /// the last capture or pawn move cannot come again.
    fn stood(&self, position: Zobrist64, reversible: usize) -> usize {
        let first = self.line.len() - reversible.min(self.line.len());
        let then = match first {
            0 => key(&self.start),
            n => self.line[n - 1].key,
        };
        let later = self.line[first..].iter().map(|ply| ply.key);
        std::iter::once(then).chain(later).filter(|key| *key == position).count()
    }
}
