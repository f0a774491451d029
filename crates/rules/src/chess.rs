//! Chess: moves, offers, claims, takebacks, and all the ways a game ends.
//!
//! How a move is read, and why one is refused, is in `notation`; what is seen of a game in `view`;
//! the game as PGN in `pgn`; what a position is worth in `eval`.

mod eval;
mod notation;
mod pgn;
mod view;

use serde::{Deserialize, Serialize};
use shakmaty::{
    CastlingMode, Color, EnPassantMode, KnownOutcome, Move as BoardMove, Position, fen::Fen,
    san::SanPlus, zobrist::Zobrist64,
};

use crate::{Dice, Due, Eye, Illegal, Outcome, Rules, Seat};

pub use eval::{Eval, Mark};
pub use pgn::Tags;
pub use view::View;

pub const WHITE: Seat = Seat(0);
pub const BLACK: Seat = Seat(1);

pub fn seat_of(color: Color) -> Seat {
    color.fold_wb(WHITE, BLACK)
}

pub fn color_of(seat: Seat) -> Color {
    Color::from_white(seat == WHITE)
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// Where the game starts, if not at the usual place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Takebacks are granted without asking, as against the computer.
    #[serde(default)]
    pub free_takebacks: bool,
    /// Whoever created the game agrees to hints; whether all who play do is for the hall to see.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hints: bool,
    /// The seat of the person whose moves, typed in the chat, the agent may relay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed_moves: Option<Seat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Board(BoardMove),
    /// A person's move as the agent relayed it.
    Relayed(BoardMove),
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    ClaimDraw,
    /// Asks for the seat's last move back; where the other side has asked, agrees.
    Takeback,
    DeclineTakeback,
}

/// The moves that are not made on the board, and how they are written.
const ACTIONS: [(Move, &str); 7] = [
    (Move::Resign, "resign"),
    (Move::OfferDraw, "offerDraw"),
    (Move::AcceptDraw, "acceptDraw"),
    (Move::DeclineDraw, "declineDraw"),
    (Move::ClaimDraw, "claimDraw"),
    (Move::Takeback, "takeback"),
    (Move::DeclineTakeback, "declineTakeback"),
];

/// Written behind a move, says that it gives mate; refused if it does not.
pub const CLAIM: &str = "mate";
/// Written behind a move, says that the agent relayed it for the person who made it.
pub const RELAYED: &str = "relayed";

#[derive(Clone)]
struct Ply {
    mv: BoardMove,
    san: SanPlus,
    /// Of the position after the move.
    key: Zobrist64,
    /// Which turn of the log made it.
    turn: u32,
    /// The agent played it for the person.
    relayed: bool,
}

#[derive(Clone)]
pub struct Chess {
    setup: Setup,
    start: shakmaty::Chess,
    position: shakmaty::Chess,
    line: Vec<Ply>,
    draw_offer: Option<Color>,
    takeback_request: Option<Color>,
    /// An end that the position on the board does not show.
    ended: Option<Ended>,
    /// Worked out once for each position, since everybody asks.
    outcome: Option<Outcome>,
}

#[derive(Clone, Copy)]
enum Ended {
    Resigned(Color),
    Agreed,
    Claimed(Claim),
}

/// A draw that a player may claim.
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

/// A move as people and programs write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    pub uci: String,
    pub san: String,
}

impl Chess {
    /// The legal moves with both their names, in the order of the first.
    pub fn legal_texts(&self) -> Vec<MoveText> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        legal_texts(&self.position)
    }

    fn judge(&self) -> Option<Outcome> {
        let draw = |how: &str| Outcome { winner: None, text: format!("Draw by {how}") };
        let won = |winner: Color, how: &str| Outcome {
            winner: Some(seat_of(winner)),
            text: format!("{} wins by {how}", name(winner)),
        };
        match self.ended {
            Some(Ended::Resigned(loser)) => return Some(won(!loser, "Resignation")),
            Some(Ended::Agreed) => return Some(draw("agreement")),
            Some(Ended::Claimed(claim)) => return Some(draw(claim.name())),
            None => {}
        }
        match self.position.outcome().known() {
            Some(KnownOutcome::Decisive { winner }) => return Some(won(winner, "Checkmate")),
            Some(KnownOutcome::Draw) if self.position.is_stalemate() => {
                return Some(draw("stalemate"));
            }
            Some(KnownOutcome::Draw) => return Some(draw("insufficient material")),
            None => {}
        }
        if self.position.halfmoves() >= 150 {
            return Some(draw("the seventy-five-move rule"));
        }
        (self.repetitions() >= 5).then(|| draw("fivefold repetition"))
    }

    fn claim(&self) -> Option<Claim> {
        if self.repetitions() >= 3 {
            return Some(Claim::Threefold);
        }
        (self.position.halfmoves() >= 100).then_some(Claim::FiftyMoves)
    }

    fn repetitions(&self) -> usize {
        let now = key(&self.position);
        // What came before the last capture or pawn move cannot come again.
        let reversible = (self.position.halfmoves() as usize).min(self.line.len());
        let seen =
            self.line[self.line.len() - reversible..].iter().filter(|p| p.key == now).count();
        // The position the reversible moves began with.
        let first = match self.line.len() - reversible {
            0 => key(&self.start),
            n => self.line[n - 1].key,
        };
        seen + usize::from(first == now && reversible > 0) + usize::from(reversible == 0)
    }

    fn play_on_board(&mut self, mv: BoardMove, turn: u32, relayed: bool) {
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, mv);
        self.line.push(Ply { mv, san, key: key(&self.position), turn, relayed });
        // To play on is to let the other side's question pass.
        let mover = !self.position.turn();
        self.draw_offer.take_if(|by| *by != mover);
        self.takeback_request = None;
    }

    /// How many plies must go for `color` to be on move again, if it has moved at all.
    fn plies_back(&self, color: Color) -> Option<usize> {
        let plies = if self.position.turn() == color { 2 } else { 1 };
        (self.line.len() >= plies).then_some(plies)
    }

    /// Whether the last move was relayed for this side: it may be taken back without asking until
    /// it is answered.
    fn was_relayed_for(&self, color: Color) -> bool {
        let last = self.line.last();
        self.position.turn() != color && last.is_some_and(|ply| ply.relayed)
    }

    fn take_back(&mut self, plies: usize) {
        self.line.truncate(self.line.len() - plies);
        self.position = self.start.clone();
        for ply in &self.line {
            self.position.play_unchecked(ply.mv);
        }
        self.draw_offer = None;
        self.takeback_request = None;
    }

    fn check_action(&self, by: Color, action: Move) -> Result<(), Illegal> {
        let refusal = match action {
            Move::OfferDraw if self.draw_offer == Some(by) => "you have offered a draw already",
            Move::OfferDraw if self.draw_offer == Some(!by) => {
                "your opponent has offered a draw; accept it with acceptDraw"
            }
            Move::OfferDraw if self.takeback_request == Some(!by) => {
                "answer your opponent's wish for a takeback first, with takeback or declineTakeback"
            }
            Move::Takeback
                if self.draw_offer == Some(!by)
                    && self.takeback_request != Some(!by)
                    && !self.setup.free_takebacks
                    && !self.was_relayed_for(by) =>
            {
                "answer your opponent's draw offer first, with acceptDraw or declineDraw"
            }
            Move::AcceptDraw | Move::DeclineDraw if self.draw_offer != Some(!by) => {
                "your opponent has not offered a draw"
            }
            Move::ClaimDraw if self.position.turn() != by => {
                "a draw can be claimed on your own turn only"
            }
            Move::ClaimDraw if self.claim().is_none() => {
                "there is nothing to claim: the position has not stood three times, and fifty \
                 moves without a capture or a pawn move have not been played"
            }
            Move::DeclineTakeback if self.takeback_request != Some(!by) => {
                "your opponent has not asked for a takeback"
            }
            Move::Takeback if self.takeback_request == Some(by) => {
                "you have asked for a takeback already; your opponent agrees by calling takeback"
            }
            Move::Takeback if self.takeback_request.is_none() && self.plies_back(by).is_none() => {
                "you have not moved yet, so there is nothing to take back"
            }
            _ => return Ok(()),
        };
        Err(Illegal::rule(refusal))
    }

    fn act(&mut self, by: Color, action: Move, turn: u32) {
        match action {
            Move::Board(mv) => self.play_on_board(mv, turn, false),
            Move::Relayed(mv) => self.play_on_board(mv, turn, true),
            Move::Resign => self.ended = Some(Ended::Resigned(by)),
            Move::OfferDraw => self.draw_offer = Some(by),
            Move::AcceptDraw => self.ended = Some(Ended::Agreed),
            Move::DeclineDraw => self.draw_offer = None,
            Move::ClaimDraw => self.ended = self.claim().map(Ended::Claimed),
            Move::DeclineTakeback => self.takeback_request = None,
            Move::Takeback => {
                let agreed = self.takeback_request.filter(|asker| *asker != by);
                let free = self.setup.free_takebacks || self.was_relayed_for(by);
                let granted = agreed.or(free.then_some(by));
                match granted.and_then(|asker| self.plies_back(asker)) {
                    Some(plies) => self.take_back(plies),
                    None => self.takeback_request = Some(by),
                }
            }
        }
    }
}

impl Rules for Chess {
    const KIND: &'static str = "chess";
    const VERSION: u32 = 1;
    const SEATS: &'static [&'static str] = &["White", "Black"];

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, _: &mut Dice) -> Result<Chess, Illegal> {
        let start = match &setup.fen {
            None => shakmaty::Chess::new(),
            Some(fen) => read_fen(fen)?,
        };
        let mut chess = Chess {
            setup: setup.clone(),
            position: start.clone(),
            start,
            line: Vec::new(),
            draw_offer: None,
            takeback_request: None,
            ended: None,
            outcome: None,
        };
        chess.outcome = chess.judge();
        match chess.outcome {
            Some(outcome) => Err(Illegal::Over(outcome)),
            None => Ok(chess),
        }
    }

    fn due(&self) -> Due {
        match self.outcome.clone() {
            Some(outcome) => Due::Over(outcome),
            None => Due::One(seat_of(self.position.turn())),
        }
    }

    fn asked(&self) -> Option<Seat> {
        let by = self.draw_offer.or(self.takeback_request)?;
        self.outcome.is_none().then_some(seat_of(!by))
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        if !self.due().includes(seat) {
            return Vec::new();
        }
        self.position.legal_moves().into_iter().map(Move::Board).collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        if let Some(outcome) = self.outcome.clone() {
            return Err(Illegal::Over(outcome));
        }
        if usize::from(seat.0) >= Self::SEATS.len() {
            return Err(Illegal::NotYourTurn);
        }
        let text = text.trim();
        if let Some((action, _)) = ACTIONS.iter().find(|(_, name)| name.eq_ignore_ascii_case(text))
        {
            self.check_action(color_of(seat), *action)?;
            return Ok(*action);
        }
        if self.position.turn() != color_of(seat) {
            return Err(Illegal::NotYourTurn);
        }
        let (text, is_relayed) = without(text, RELAYED);
        if is_relayed && self.setup.typed_moves != Some(seat) {
            return Err(Illegal::rule("nobody's moves are relayed for this seat"));
        }
        let (text, claims_mate) = without(text, CLAIM);
        let mv = notation::read(&self.position, text)?;
        let mates = || self.position.clone().play(mv).is_ok_and(|next| next.is_checkmate());
        if claims_mate && !mates() {
            return Err(Illegal::FalseClaim);
        }
        Ok(if is_relayed { Move::Relayed(mv) } else { Move::Board(mv) })
    }

    fn write(&self, mv: &Move) -> String {
        match mv {
            Move::Board(mv) => uci(*mv),
            Move::Relayed(mv) => format!("{} {RELAYED}", uci(*mv)),
            action => {
                ACTIONS.iter().find(|(a, _)| a == action).expect("every action has a name").1.into()
            }
        }
    }

    fn play(&mut self, moves: &[(Seat, Move)], dice: &mut Dice) {
        for (seat, mv) in moves {
            self.act(color_of(*seat), *mv, dice.turn());
        }
        self.outcome = self.judge();
    }

    fn view(&self, eye: Eye) -> View {
        View::of(self, eye)
    }
}

/// The text without the word behind it, and whether that was there.
fn without<'a>(text: &'a str, word: &str) -> (&'a str, bool) {
    match text.strip_suffix(word) {
        Some(rest) if rest.ends_with(char::is_whitespace) => (rest.trim_end(), true),
        _ => (text, false),
    }
}

pub fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn legal_texts(position: &shakmaty::Chess) -> Vec<MoveText> {
    let mut texts: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|&mv| MoveText {
            uci: uci(mv),
            san: SanPlus::from_move(position.clone(), mv).to_string(),
        })
        .collect();
    texts.sort_by(|a, b| a.uci.cmp(&b.uci));
    texts
}

/// The piece as one printed character.
pub fn glyph(piece: shakmaty::Piece) -> char {
    let glyphs = piece.color.fold_wb("♙♘♗♖♕♔", "♟♞♝♜♛♚");
    let role = usize::from(piece.role) - 1;
    glyphs.chars().nth(role).expect("there are six roles")
}

pub fn uci(mv: BoardMove) -> String {
    mv.to_uci(CastlingMode::Standard).to_string()
}

pub fn fen(position: &shakmaty::Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

fn key(position: &shakmaty::Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

fn read_fen(text: &str) -> Result<shakmaty::Chess, Illegal> {
    let fen: Fen =
        text.trim().parse().map_err(|e| Illegal::rule(format!("{text:?} is not a FEN: {e}")))?;
    fen.into_position(CastlingMode::Standard)
        .map_err(|e| Illegal::rule(format!("{text:?} is not a position that can be played: {e}")))
}
