//! How a game of chess starts: the usual way, from a position, at Chess960, or in the middle of a
//! game that came as PGN.

use serde::{Deserialize, Serialize};
use shakmaty::{
    CastlingMode, Chess, Move, Position, PositionErrorKinds,
    fen::{Fen, ParseFenError},
};

use super::import;
use crate::{Dice, Illegal, Seat, wording::quoted};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Where the game starts, if not at the usual place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// `standard` or `chess960`; without it, what the position asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// A game to go on with, moves and all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
    /// Takebacks are granted without asking, as against the computer.
    #[serde(default)]
    pub free_takebacks: bool,
    /// Whoever created the game agrees to hints; whether all who play do is for the hall to see.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hints: bool,
    /// The seat of the person whose moves, typed in the chat, the agent may relay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed_moves: Option<Seat>,
    /// Moves are understood however they are written; otherwise only as they are listed.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub loose: bool,
    /// The computer may resign.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub resigns: bool,
    /// What players say of their moves is heard at once, by their opponents too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub live_comments: bool,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            fen: None,
            variant: None,
            pgn: None,
            free_takebacks: false,
            hints: false,
            typed_moves: None,
            loose: true,
            resigns: true,
            live_comments: false,
        }
    }
}

fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Standard,
    Chess960,
}

impl Variant {
    pub fn name(self) -> &'static str {
        match self {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
        }
    }

    /// By our name for it, or by one that PGN files use.
    pub(super) fn called(name: &str) -> Result<Variant, Illegal> {
        let plain: String =
            name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        match plain.as_str() {
            "" | "standard" | "chess" | "fromposition" => Ok(Variant::Standard),
            "chess960" | "960" | "fischerandom" | "fischerrandom" => Ok(Variant::Chess960),
            _ => Err(Illegal::rule(format!(
                "the variant {} is not played here; standard and chess960 are",
                quoted(name)
            ))),
        }
    }

    pub fn of(position: &Chess) -> Variant {
        match position.castles().mode() {
            CastlingMode::Standard => Variant::Standard,
            CastlingMode::Chess960 => Variant::Chess960,
        }
    }
}

/// Where the pieces stand at first, and what was played before this game began.
pub(super) struct Beginning {
    pub start: Chess,
    pub moves: Vec<Move>,
}

impl Setup {
    /// Refuses a position of a game that is not played here, which FEN can write too.
    fn check(&self) -> Result<(), Illegal> {
        let imported = self.pgn.as_deref().and_then(import::fen);
        let Some(text) = self.fen.as_deref().or(imported.as_deref()) else { return Ok(()) };
        let Ok(fen) = text.trim().parse::<Fen>() else { return Ok(()) };
        let setup = fen.as_setup();
        let what = match setup.remaining_checks {
            Some(_) => "counts checks, as Three-check does",
            None if setup.pockets.is_some() => "has pieces in hand, as Crazyhouse does",
            None if setup.promoted.any() => "marks promoted pieces, as Crazyhouse does",
            None => return Ok(()),
        };
        Err(Illegal::rule(format!(
            "{} {what}; standard and chess960 are played here",
            quoted(text)
        )))
    }

    pub(super) fn begin(&self, dice: &mut Dice) -> Result<Beginning, Illegal> {
        self.check()?;
        let variant = self.variant.as_deref().map(Variant::called).transpose()?;
        if let Some(pgn) = &self.pgn {
            if self.fen.is_some() {
                return Err(Illegal::rule(
                    "fen and pgn both say where the game starts; send one of them",
                ));
            }
            return import::read(pgn, variant);
        }
        let start = match (&self.fen, variant) {
            (Some(fen), variant) => read_fen(fen, variant)?,
            (None, Some(Variant::Chess960)) => shuffled(dice.below(960)),
            (None, _) => Chess::new(),
        };
        Ok(Beginning { start, moves: Vec::new() })
    }
}

/// Without a word on the variant, a position whose castling fits only Chess960 is Chess960.
pub(super) fn read_fen(text: &str, variant: Option<Variant>) -> Result<Chess, Illegal> {
    let fen: Fen = text.trim().parse().map_err(|error| {
        Illegal::rule(format!("{} is not a FEN: {}", quoted(text), unreadable(&error)))
    })?;
    let position = |mode| fen.clone().into_position::<Chess>(mode).map_err(|error| error.kinds());
    let started = match variant {
        Some(Variant::Chess960) => position(CastlingMode::Chess960),
        Some(Variant::Standard) => position(CastlingMode::Standard),
        None => position(CastlingMode::Standard)
            .or_else(|error| position(CastlingMode::Chess960).map_err(|_| error)),
    };
    started.map_err(|kinds| {
        let why = impossible(kinds);
        Illegal::rule(format!("{} is not a position that can be played: {why}", quoted(text)))
    })
}

/// What a FEN should have had where it cannot be read.
pub fn unreadable(error: &ParseFenError) -> &'static str {
    match error {
        ParseFenError::InvalidBoard => {
            "its first field is eight ranks from 8 down to 1 with a slash between them, pieces as \
             letters and empty squares as numbers"
        }
        ParseFenError::InvalidTurn => "its second field is w or b, whose turn it is",
        ParseFenError::InvalidCastling => "its third field is who may castle, like KQkq, or -",
        ParseFenError::InvalidEpSquare => {
            "its fourth field is a square to capture en passant, or -"
        }
        ParseFenError::InvalidHalfmoveClock => {
            "its fifth field is the number of half-moves since a capture or pawn move"
        }
        ParseFenError::InvalidFullmoves => "its sixth field is the number of the move, from 1",
        ParseFenError::InvalidFen
        | ParseFenError::InvalidPocket
        | ParseFenError::InvalidRemainingChecks => {
            "it has six fields, like rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        }
    }
}

/// Why a position cannot be played.
pub fn impossible(kinds: PositionErrorKinds) -> &'static str {
    let reasons = [
        (PositionErrorKinds::MISSING_KING, "each side needs a king"),
        (PositionErrorKinds::TOO_MANY_KINGS, "each side has one king only"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "no pawn stands on the first or the last rank"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not on move is in check"),
        (
            PositionErrorKinds::INVALID_CASTLING_RIGHTS,
            "castling is allowed where king and rook do not stand for it",
        ),
        (
            PositionErrorKinds::INVALID_EP_SQUARE,
            "no pawn has just passed the square that is given for en passant",
        ),
        (PositionErrorKinds::IMPOSSIBLE_CHECK, "no move can have given this check"),
        (PositionErrorKinds::TOO_MUCH_MATERIAL, "one side has more pieces than it can have"),
    ];
    let reason = reasons.into_iter().find(|(kind, _)| kinds.contains(*kind));
    reason.map_or("it breaks a rule of chess", |(_, reason)| reason)
}

/// The start with this number, from 0 to 959, as everybody counts them: bishops, then the queen,
/// then the knights; king and rooks fill what is left.
fn shuffled(number: u32) -> Chess {
    const KNIGHTS: [[usize; 2]; 10] =
        [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let number = number as usize;
    let mut files = [' '; 8];
    files[number % 4 * 2 + 1] = 'B';
    files[number / 4 % 4 * 2] = 'B';
    let mut place = |nth: usize, piece: char| {
        let mut free = files.iter_mut().filter(|file| **file == ' ');
        *free.nth(nth).expect("there are that many free files") = piece;
    };
    place(number / 16 % 6, 'Q');
    let [first, second] = KNIGHTS[number / 96];
    place(second, 'N');
    place(first, 'N');
    for piece in ['R', 'K', 'R'] {
        place(0, piece);
    }
    let white: String = files.iter().collect();
    let black = white.to_lowercase();
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
    read_fen(&fen, Some(Variant::Chess960)).expect("every start can be played")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::chess::fen;

    #[test]
    fn the_starts_of_chess960_are_numbered_as_usual() {
        for (number, files) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (95, "NNRKRQBB"),
            (100, "QBBNRNKR"),
            (518, "RNBQKBNR"),
            (777, "QRKBBNRN"),
            (959, "RKRNNQBB"),
        ] {
            let fen = fen(&shuffled(number));
            assert!(fen.contains(&format!("/PPPPPPPP/{files} w ")), "{number}: {fen}");
        }
        let all: HashSet<String> = (0..960).map(|number| fen(&shuffled(number))).collect();
        assert_eq!(all.len(), 960);
    }
}
