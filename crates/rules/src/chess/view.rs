//! What players and spectators see of a game.

use shakmaty::{Color, Move as BoardMove, Position, san::SanPlus};

use super::{Chess, Claim, MoveText, fen, legal_texts, seat_of, uci};
use crate::{Eye, Outcome, Seat};

/// What there is to see. Chess hides nothing, so every eye sees the same.
#[derive(Clone, Debug)]
pub struct View {
    pub board: shakmaty::Board,
    /// Where the game started, and what was played since.
    pub start: shakmaty::Chess,
    pub moves: Vec<BoardMove>,
    pub fen: String,
    pub start_fen: Option<String>,
    pub turn: Color,
    pub check: bool,
    pub last: Option<MoveText>,
    /// From the start.
    pub history: Vec<SanPlus>,
    /// Which turn of the log made each of these moves.
    pub turns: Vec<u32>,
    /// Which of them the agent relayed for the person who made them.
    pub relayed: Vec<bool>,
    /// Who may take the last move back without asking, because it was relayed and is not answered.
    pub may_take_back: Option<Color>,
    /// What can be played now; empty for the seat that must wait.
    pub legal: Vec<MoveText>,
    /// How often this position has stood on the board.
    pub repetitions: usize,
    pub halfmoves: u32,
    pub claim: Option<Claim>,
    pub draw_offer: Option<Color>,
    pub takeback_request: Option<Color>,
    pub outcome: Option<Outcome>,
    /// As in the set-up.
    pub hints: bool,
    pub typed_moves: Option<Seat>,
}

impl View {
    pub(super) fn of(chess: &Chess, eye: Eye) -> View {
        let open = chess.outcome.is_none();
        let waits = matches!(eye, Eye::Seat(seat) if seat != seat_of(chess.position.turn()));
        View {
            board: chess.position.board().clone(),
            start: chess.start.clone(),
            moves: chess.line.iter().map(|ply| ply.mv).collect(),
            fen: fen(&chess.position),
            start_fen: chess.setup.fen.as_ref().map(|_| fen(&chess.start)),
            turn: chess.position.turn(),
            check: chess.position.is_check(),
            last: chess
                .line
                .last()
                .map(|ply| MoveText { uci: uci(ply.mv), san: ply.san.to_string() }),
            history: chess.line.iter().map(|ply| ply.san).collect(),
            turns: chess.line.iter().map(|ply| ply.turn).collect(),
            relayed: chess.line.iter().map(|ply| ply.relayed).collect(),
            may_take_back: Some(!chess.position.turn())
                .filter(|by| open && chess.was_relayed_for(*by)),
            legal: if waits { Vec::new() } else { chess.legal_texts() },
            repetitions: chess.repetitions(),
            halfmoves: chess.position.halfmoves(),
            claim: chess.claim().filter(|_| open),
            draw_offer: chess.draw_offer.filter(|_| open),
            takeback_request: chess.takeback_request.filter(|_| open),
            outcome: chess.outcome.clone(),
            hints: chess.setup.hints,
            typed_moves: chess.setup.typed_moves,
        }
    }

    /// What the side to move can play, whosever eyes these are.
    pub fn legal_now(&self) -> Vec<MoveText> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let mut position = self.start.clone();
        self.moves.iter().for_each(|mv| position.play_unchecked(*mv));
        legal_texts(&position)
    }
}
