//! Chess: moves, offers, claims, takebacks, and all the ways a game ends.
//!
//! How it starts is in `setup` and `import`. How a move is found in what a player writes is in
//! `reading` and `vocabulary`, which move it is and why one is refused in `notation`; what players
//! do beside the board in `actions` and `draws`; what is seen of a game in `view`, in words in
//! `words`, in a list in `glimpse`; the game as PGN in `pgn`, its name in `openings`; what a position
//! is worth in `eval`.

mod actions;
mod draws;
mod eval;
mod glimpse;
mod import;
mod notation;
mod openings;
mod pgn;
mod reading;
mod san;
mod setup;
mod view;
mod vocabulary;
mod words;

use std::sync::Arc;

use shakmaty::{
    Color, EnPassantMode, KnownOutcome, Move as BoardMove, Position, fen::Fen, san::SanPlus,
    zobrist::Zobrist64,
};

use crate::{Card, Dice, Due, Eye, Illegal, Key, Outcome, Rules, Seat, drawing::Shown};

pub use actions::{Declined, Offer, Takeback, WhyNot, action, decline, is_action};
pub use draws::Claim;
pub use eval::{Eval, MoveGrade};
pub use glimpse::Glimpse;
pub use openings::Opening;
pub use pgn::{Note, Tags};
pub use reading::not_on_the_board;
pub use san::SanText;
pub use setup::{Setup, Variant, impossible, unreadable};
pub use view::View;
pub use words::letters;

pub const WHITE: Seat = Seat(0);
pub const BLACK: Seat = Seat(1);

pub fn seat_of(color: Color) -> Seat {
    color.fold_wb(WHITE, BLACK)
}

pub fn color_of(seat: Seat) -> Color {
    Color::from_white(seat == WHITE)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Board(BoardMove),
    /// A person's move as the agent relayed it.
    Relayed(BoardMove),
    /// On the board, and a draw offered with it.
    BoardOffering(BoardMove),
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw(Option<WhyNot>),
    ClaimDraw,
    /// Claims the draw that this move, which is not played any more, would bring about.
    ClaimDrawWith(BoardMove),
    /// Asks for the seat's last move back; where the other side has asked, agrees.
    Takeback,
    DeclineTakeback,
    /// It did not move in time. No player's text is read as this.
    OutOfTime,
}

/// Written behind a move, says that the agent relayed it for the person who made it.
const RELAYED: &str = "relayed";

#[derive(Clone)]
struct Ply {
    mv: BoardMove,
    san: SanText,
    /// Of the position after the move.
    key: Zobrist64,
    /// Which turn of the log made it; 0 if it was there before the first.
    turn: u32,
    /// The agent played it for the person.
    relayed: bool,
    /// What the game is called up to here, if it began in the usual place.
    opening: Option<Opening>,
}

#[derive(Clone)]
pub struct Chess {
    setup: Arc<Setup>,
    start: shakmaty::Chess,
    /// Whether it started where games usually do.
    is_usual: bool,
    position: shakmaty::Chess,
    line: Vec<Ply>,
    /// How many plies had been played before this game began.
    given: usize,
    draw_offer: Option<Color>,
    offers: Vec<Offer>,
    /// Until whoever offered has heard it on their turn and plays on.
    declined: Option<Declined>,
    takeback_request: Option<Color>,
    /// As long as a draw that was declined.
    takeback_declined: Option<Declined>,
    takebacks: Vec<Takeback>,
    /// An end that the position on the board does not show.
    ended: Option<Ended>,
    /// Worked out once for each position, since everybody asks.
    outcome: Option<Outcome>,
}

#[derive(Clone, Copy)]
enum Ended {
    Resigned(Color),
    OutOfTime(Color),
    Agreed,
    /// By naming this move, where it took one.
    Claimed(Claim, Option<SanText>),
}

/// A move as people and programs write it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
        let draw = |how: &str| Outcome::of_two(None, format!("Draw by {how}"));
        let won = |winner: Color, how: &str| {
            Outcome::of_two(Some(seat_of(winner)), format!("{} wins by {how}", name(winner)))
        };
        match self.ended {
            Some(Ended::Resigned(loser)) => return Some(won(!loser, "Resignation")),
            Some(Ended::OutOfTime(loser)) => {
                let text = format!("{} wins on time", name(!loser));
                return Some(Outcome::of_two(Some(seat_of(!loser)), text));
            }
            Some(Ended::Agreed) => return Some(draw("agreement")),
            Some(Ended::Claimed(claim, _)) => return Some(draw(claim.name())),
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

    /// The move on the board that a text means. `is_relayed` says that the agent sends it for the
    /// person who made it.
    pub fn on_board(&self, seat: Seat, text: &str, is_relayed: bool) -> Result<Move, Illegal> {
        let color = self.player(seat)?;
        if !self.is_on_move(color) {
            return Err(Illegal::NotYourTurn);
        }
        let (text, says_relayed) = without_word(text, RELAYED);
        let is_relayed = is_relayed || says_relayed;
        if is_relayed && self.setup.typed_moves != Some(seat) {
            return Err(Illegal::rule("nobody's moves are relayed for this seat"));
        }
        let (text, offers) = without_word(text, actions::OFFER);
        let mv = reading::read(&self.position, text, self.setup.loose)?.mv;
        if offers {
            self.check_action(color, Move::OfferDraw)?;
            return Ok(Move::BoardOffering(mv));
        }
        Ok(if is_relayed { Move::Relayed(mv) } else { Move::Board(mv) })
    }

    /// The colour of whoever sits there, while there is something to play for.
    fn player(&self, seat: Seat) -> Result<Color, Illegal> {
        match &self.outcome {
            Some(outcome) => Err(Illegal::Over(outcome.clone())),
            None if usize::from(seat.0) >= Self::SEATS.len() => Err(Illegal::NotYourTurn),
            None => Ok(color_of(seat)),
        }
    }

    fn mover(&self) -> Color {
        self.position.turn()
    }

    fn is_on_move(&self, color: Color) -> bool {
        self.mover() == color
    }

    fn push(&mut self, mv: BoardMove, turn: u32, relayed: bool) {
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, mv).into();
        let key = key(&self.position);
        // Each position is looked up by itself, so that it counts by whatever way it was reached.
        let before = match self.line.last() {
            Some(ply) => ply.opening,
            None => None,
        };
        let opening = if self.is_usual { openings::named(key).or(before) } else { None };
        self.line.push(Ply { mv, san, key, turn, relayed, opening });
    }

    fn take_back(&mut self, by: Color, plies: usize, turn: u32) {
        let kept = self.line.len() - plies;
        let moves = self.line.drain(kept..).map(|ply| ply.san).collect();
        self.position = self.start.clone();
        for ply in &self.line {
            self.position.play_unchecked(ply.mv);
        }
        // What was noted at moves that are gone is noted where they were.
        self.takebacks.iter_mut().for_each(|earlier| earlier.ply = earlier.ply.min(kept));
        self.offers.iter_mut().for_each(|offer| offer.ply = offer.ply.min(kept));
        self.takebacks.push(Takeback { by, ply: kept, moves, turn });
        self.draw_offer = None;
        self.declined = None;
        self.takeback_request = None;
        self.takeback_declined = None;
    }
}

impl Rules for Chess {
    const KIND: &'static str = "chess";
    const SEATS: &'static [&'static str] = &["White", "Black"];
    const CARD: Option<Card> = Some(Card {
        title: "Chess",
        sentence: "Two armies on 64 squares; whoever gives checkmate wins.",
        rules: "The laws of chess of the FIDE. White begins. A king that is attacked and cannot be \
            saved is checkmate. Stalemate, bare kings, five-fold repetition and 75 moves without a \
            capture or a pawn's move are draws; three-fold repetition and 50 moves can be claimed.",
        moves: "from and to: e2e4, promotion e7e8q; or SAN: e4, Nf3, O-O",
        keys: &[
            Key { name: "fen", about: "the position it begins in" },
            Key { name: "variant", about: "standard, or chess960" },
            Key { name: "pgn", about: "a game that is gone on with" },
        ],
        ..Card::PLAIN
    });
    const ACTIONS: &'static [&'static str] = &actions::WORDS;
    const TABLE_KEYS: &'static [Key] = &[
        Key { name: "hints", about: "true: both may ask getGame for hints; false" },
        Key { name: "typed_moves", about: "false: nobody plays a person's moves for them; true" },
        Key { name: "loose", about: "false: moves are read only as they are listed; true" },
        Key { name: "resigns", about: "false: the computer never resigns; true" },
        Key { name: "live_comments", about: "true: comments are heard at once; false" },
    ];

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, dice: &mut Dice) -> Result<Chess, Illegal> {
        let beginning = setup.begin(dice)?;
        let mut chess = Chess {
            setup: Arc::new(setup.clone()),
            is_usual: beginning.start == shakmaty::Chess::new(),
            position: beginning.start.clone(),
            start: beginning.start,
            line: Vec::new(),
            given: beginning.moves.len(),
            draw_offer: None,
            offers: Vec::new(),
            declined: None,
            takeback_request: None,
            takeback_declined: None,
            takebacks: Vec::new(),
            ended: None,
            outcome: None,
        };
        for mv in beginning.moves {
            chess.push(mv, 0, false);
        }
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

    fn answers(&self, seat: Seat) -> Vec<&'static str> {
        self.answers_of(color_of(seat))
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        if !self.due().includes(seat) {
            return Vec::new();
        }
        self.position.legal_moves().into_iter().map(Move::Board).collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        let color = self.player(seat)?;
        if let Some(action) = self.read_action(color, text)? {
            self.check_action(color, action)?;
            return Ok(action);
        }
        self.on_board(seat, text, false)
    }

    fn write(&self, mv: &Move) -> String {
        actions::write(&self.position, *mv)
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

    fn show(&self, _: Eye) -> Shown {
        // Its own pages draw it.
        Shown { text: words::position(self), drawing: Vec::new() }
    }

    fn late(&self, _: Seat) -> Option<Move> {
        Some(Move::OutOfTime)
    }

    fn glimpse(&self) -> Option<String> {
        Some(serde_json::to_string(&Glimpse::of(self)).expect("a glimpse can be written"))
    }
}

pub fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// Without a word that may stand behind a move, and whether it stood there.
fn without_word<'a>(text: &'a str, word: &str) -> (&'a str, bool) {
    let text = text.trim();
    match text.strip_suffix(word) {
        Some(rest) if rest.ends_with(char::is_whitespace) => (rest.trim_end(), true),
        _ => (text, false),
    }
}

fn legal_texts(position: &shakmaty::Chess) -> Vec<MoveText> {
    let mut texts: Vec<_> =
        position.legal_moves().iter().map(|&mv| move_text(position, mv)).collect();
    texts.sort_by(|a, b| a.uci.cmp(&b.uci));
    texts
}

/// Both names of a move that is legal there.
fn move_text(position: &shakmaty::Chess, mv: BoardMove) -> MoveText {
    let san = SanPlus::from_move(position.clone(), mv).to_string();
    MoveText { uci: uci(position, mv), san }
}

/// The piece as one printed character.
pub fn glyph(piece: shakmaty::Piece) -> char {
    const WHITE: [char; 6] = ['♙', '♘', '♗', '♖', '♕', '♔'];
    const BLACK: [char; 6] = ['♟', '♞', '♝', '♜', '♛', '♚'];
    piece.color.fold_wb(WHITE, BLACK)[usize::from(piece.role) - 1]
}

/// The name of a move in a game that this is a position of. At Chess960 a king castles by taking
/// its own rook, since it may well go no further than any king.
pub fn uci(position: &shakmaty::Chess, mv: BoardMove) -> String {
    // As long as a promotion's is.
    let mut name = String::with_capacity(5);
    mv.to_uci(position.castles().mode()).append_to_string(&mut name);
    name
}

pub fn fen(position: &shakmaty::Chess) -> String {
    // As long as most get.
    let mut text = String::with_capacity(72);
    Fen::from_position(position, EnPassantMode::Legal).append_to_string(&mut text);
    text
}

fn key(position: &shakmaty::Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}
