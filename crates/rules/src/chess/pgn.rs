//! A game as PGN, the form every chess program reads.

use std::fmt::Write;

use shakmaty::Position;

use super::{BLACK, View, WHITE};

/// Who played whom, where and when; what the rules do not know.
pub struct Tags<'a> {
    pub event: &'a str,
    pub site: &'a str,
    /// `2026.11.15`
    pub date: &'a str,
    pub white: &'a str,
    pub black: &'a str,
}

impl View {
    pub fn pgn(&self, tags: &Tags) -> String {
        let result = self.result();
        let mut pgn = String::new();
        let mut tag = |name: &str, value: &str| {
            // A tag is one line, whatever the players call themselves.
            let value = value.replace(char::is_control, " ");
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(pgn, "[{name} \"{value}\"]").expect("writing to a string");
        };
        tag("Event", tags.event);
        tag("Site", tags.site);
        tag("Date", tags.date);
        tag("Round", "-");
        tag("White", tags.white);
        tag("Black", tags.black);
        tag("Result", result);
        if let Some(fen) = &self.start_fen {
            tag("SetUp", "1");
            tag("FEN", fen);
        }
        match &self.outcome {
            Some(outcome) => tag("Termination", &outcome.text),
            None => tag("Termination", "unterminated"),
        }
        pgn.push('\n');
        wrap(&mut pgn, self.movetext().split_whitespace().chain([result]));
        pgn
    }

    /// `1. e4 e5 2. Nf3`
    pub fn movetext(&self) -> String {
        // A game from a set position need not begin with White's first move.
        let black_first = self.start.turn().is_black();
        let first = self.start.fullmoves().get() as usize;
        let mut text = String::with_capacity(8 * self.history.len());
        for (n, san) in self.history.iter().enumerate() {
            let ply = n + usize::from(black_first);
            let number = first + ply / 2;
            let space = if n == 0 { "" } else { " " };
            let _ = match (n, ply % 2) {
                (_, 0) => write!(text, "{space}{number}. {san}"),
                (0, _) => write!(text, "{number}... {san}"),
                _ => write!(text, " {san}"),
            };
        }
        text
    }

    fn result(&self) -> &'static str {
        match self.outcome.as_ref().map(|outcome| outcome.winner) {
            None => "*",
            Some(Some(WHITE)) => "1-0",
            Some(Some(BLACK)) => "0-1",
            Some(_) => "1/2-1/2",
        }
    }
}

/// Lines of at most eighty columns, as the standard asks.
fn wrap<'a>(pgn: &mut String, words: impl Iterator<Item = &'a str>) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > 79 {
            pgn.push('\n');
            column = 0;
        } else if column > 0 {
            pgn.push(' ');
            column += 1;
        }
        pgn.push_str(word);
        column += word.len();
    }
    pgn.push('\n');
}
