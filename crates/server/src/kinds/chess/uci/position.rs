//! The position to think about: where the game began, and what was played since.

use rules::{
    chess::{impossible, unreadable},
    quoted,
};
use shakmaty::{CastlingMode, Chess, Move, Position as _, PositionError, fen::Fen, uci::UciMove};

const STARTPOS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[derive(Clone, Default)]
pub struct Position {
    pub start: Chess,
    pub moves: Vec<Move>,
    pub now: Chess,
}

impl Position {
    /// `startpos`, or `fen` and a FEN; then perhaps `moves` and the moves. Or why not.
    /// `mode` says how castling is meant.
    pub fn read(words: &[String], mode: CastlingMode) -> Result<Position, String> {
        let (place, moves) = match words.iter().position(|word| word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[][..]),
        };
        let start = match place.split_first() {
            Some((word, _)) if word == "startpos" => read_fen(STARTPOS, mode)?,
            Some((word, fen)) if word == "fen" => read_fen(&fen.join(" "), mode)?,
            _ => return Err("position wants startpos, or fen and a FEN".to_owned()),
        };
        let mut position = Position { now: start.clone(), start, moves: Vec::new() };
        for word in moves {
            let mv = word.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&position.now).ok());
            let mv = mv.ok_or_else(|| {
                let played = position.moves.len();
                format!("{} is not legal after {played} moves of these", quoted(word))
            })?;
            position.now.play_unchecked(mv);
            position.moves.push(mv);
        }
        Ok(position)
    }
}

/// Castling rights and en passant squares that do not fit the board are left out: programs write
/// them carelessly, and the game can be played all the same.
fn read_fen(text: &str, mode: CastlingMode) -> Result<Chess, String> {
    let fen: Fen = text
        .parse()
        .map_err(|error| format!("{} is not a FEN: {}", quoted(text), unreadable(&error)))?;
    fen.into_position::<Chess>(mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| {
            format!("{} cannot be played: {}", quoted(text), impossible(error.kinds()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<String, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let position = Position::read(&words, CastlingMode::Standard)?;
        Ok(Fen::from_position(&position.now, shakmaty::EnPassantMode::Legal).to_string())
    }

    #[test]
    fn positions_are_read_with_their_moves() {
        for (line, fen) in [
            ("startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            ("startpos moves e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
            ("fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
            ("fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
            (
                "fen 4k3/P7/8/8/8/8/8/4K3 w KQkq e6 0 1 moves a7a8q",
                "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1",
            ),
        ] {
            assert_eq!(read(line).as_deref(), Ok(fen), "{line}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (line, part) in [
            ("", "startpos"),
            ("fen", "not a FEN"),
            ("fen garbage", "\"garbage\" is not a FEN: its first field is eight ranks"),
            ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "cannot be played"),
            ("startpos moves e2e5", "e2e5"),
            ("startpos moves e2e4 banana", "\"banana\" is not legal after 1"),
            ("startpos moves 0000", "0000"),
        ] {
            let why = read(line).expect_err(line);
            assert!(why.contains(part), "{why}");
        }
        let long = "x".repeat(100_000);
        for line in [format!("fen {long}"), format!("startpos moves {long}")] {
            let why = read(&line).expect_err("it is refused");
            assert!(why.len() < 400, "{} characters", why.len());
        }
    }
}
