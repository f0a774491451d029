//! What players and spectators see of a game.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use shakmaty::{Color, Move as BoardMove, Position};

use super::{
    Chess, Claim, Declined, Ended, Glimpse, MoveText, Offer, Opening, SanText, Setup, Takeback,
    Variant, fen, legal_texts, move_text, reading, seat_of, uci,
};
use crate::{Eye, Outcome};

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
    pub history: Vec<SanText>,
    /// Which turn of the log made each of these moves; 0 for those the game began with.
    pub turns: Vec<u32>,
    /// Which of them the agent relayed for the person who made them.
    pub relayed: Vec<bool>,
    /// Who may take the last move back without asking, because it was relayed and is not answered.
    pub may_take_back: Option<Color>,
    pub variant: Variant,
    /// What the game is called, as far as it has a name.
    pub opening: Option<Opening>,
    /// What can be played now; empty for the seat that must wait.
    pub legal: Vec<MoveText>,
    /// How often this position has stood on the board.
    pub repetitions: usize,
    pub halfmoves: u32,
    /// What the side to move may claim; nothing for the seat that must wait.
    pub claim: Option<Claim>,
    /// What it may claim by naming the move it means to play.
    pub claims_with: Vec<(MoveText, Claim)>,
    pub draw_offer: Option<Color>,
    /// Every offer so far.
    pub offers: Vec<Offer>,
    /// The answer to the last one, until whoever made it has heard it and plays on.
    pub declined: Option<Declined>,
    pub takeback_request: Option<Color>,
    /// The answer to the last request, as long.
    pub takeback_declined: Option<Declined>,
    /// In the order they were granted.
    pub takebacks: Vec<Takeback>,
    pub outcome: Option<Outcome>,
    /// Whoever lost did so by not moving in time.
    pub on_time: bool,
    /// The move that was named, and not played, to claim the draw it ended with.
    pub claimed_with: Option<SanText>,
    pub setup: Arc<Setup>,
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
            start_fen: (!chess.is_usual || chess.setup.fen.is_some()).then(|| fen(&chess.start)),
            turn: chess.position.turn(),
            check: chess.position.is_check(),
            last: chess
                .line
                .last()
                .map(|ply| MoveText { uci: uci(&chess.start, ply.mv), san: ply.san.to_string() }),
            history: chess.line.iter().map(|ply| ply.san).collect(),
            turns: chess.line.iter().map(|ply| ply.turn).collect(),
            relayed: chess.line.iter().map(|ply| ply.relayed).collect(),
            may_take_back: Some(!chess.mover()).filter(|by| open && chess.was_relayed_for(*by)),
            variant: Variant::of(&chess.start),
            opening: chess.line.last().and_then(|ply| ply.opening),
            legal: if waits { Vec::new() } else { chess.legal_texts() },
            repetitions: chess.repetitions(),
            halfmoves: chess.position.halfmoves(),
            claim: chess.claim().filter(|_| open && !waits),
            claims_with: if waits { Vec::new() } else { chess.claims_with() },
            draw_offer: chess.draw_offer.filter(|_| open),
            offers: chess.offers.clone(),
            declined: chess.declined.filter(|_| open),
            takeback_request: chess.takeback_request.filter(|_| open),
            takeback_declined: chess.takeback_declined.filter(|_| open),
            takebacks: chess.takebacks.clone(),
            outcome: chess.outcome.clone(),
            on_time: matches!(chess.ended, Some(Ended::OutOfTime(_))),
            claimed_with: match chess.ended {
                Some(Ended::Claimed(_, with)) => with,
                _ => None,
            },
            setup: chess.setup.clone(),
        }
    }

    /// What a list shows.
    pub fn glimpse(&self) -> Glimpse {
        Glimpse {
            to_move: seat_of(self.turn),
            moves: self.moves.len(),
            fen: self.fen.clone(),
            last: self.last.clone(),
            hints: self.setup.hints,
        }
    }

    /// What the side to move can play, whosever eyes these are.
    pub fn legal_now(&self) -> Vec<MoveText> {
        match self.outcome {
            Some(_) => Vec::new(),
            None => legal_texts(&self.position()),
        }
    }

    /// The moves so far, as they are written.
    pub fn sans(&self) -> Vec<String> {
        self.history.iter().map(|san| str::to_owned(san)).collect()
    }

    /// What was taken for the last move when it was sent as `text`; None if that is simply a name
    /// of the move, or is another one.
    pub fn how_read(&self, text: &str) -> Option<String> {
        let (last, before) = self.moves.split_last()?;
        // Most are, and the game need not be played again to see it.
        if self.last.as_ref().is_some_and(|last| text == last.uci || text == last.san) {
            return None;
        }
        let reading = reading::read(&self.after(before.len()), text, true).ok()?;
        reading.taken.filter(|_| reading.mv == *last)
    }

    /// Whether `text` is not a move as it stands, and one can be found in it.
    pub fn is_loose(&self, text: &str) -> bool {
        let is_exact = self.legal.iter().any(|mv| text == mv.uci || text == mv.san);
        !is_exact && self.how_named(text).is_some()
    }

    /// The move that was named as `text` to claim a draw; None if that is simply a name of it.
    pub fn how_named(&self, text: &str) -> Option<MoveText> {
        let position = self.position();
        let reading = reading::read(&position, text, true).ok()?;
        reading.taken.map(|_| move_text(&position, reading.mv))
    }

    /// The position on the board.
    pub fn position(&self) -> shakmaty::Chess {
        self.after(self.moves.len())
    }

    /// The position after so many half-moves.
    fn after(&self, plies: usize) -> shakmaty::Chess {
        let mut position = self.start.clone();
        self.moves[..plies].iter().for_each(|mv| position.play_unchecked(*mv));
        position
    }
}

/// What a room that knows no chess is told of it.
impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Plain<'a> {
            fen: &'a str,
            turn: &'static str,
            check: bool,
            last: &'a Option<MoveText>,
            history: Vec<String>,
            result: Option<&'a str>,
        }
        let plain = Plain {
            fen: &self.fen,
            turn: self.turn.fold_wb("white", "black"),
            check: self.check,
            last: &self.last,
            history: self.sans(),
            result: self.outcome.as_ref().map(|outcome| outcome.text.as_str()),
        };
        plain.serialize(serializer)
    }
}
