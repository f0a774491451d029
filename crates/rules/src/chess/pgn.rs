//! A game as PGN, the form every chess program reads.

use std::fmt::{Display, Write};

use shakmaty::Position;

use super::{BLACK, Eval, MoveText, View, WHITE};

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
    /// With what is known of the position after each move, if anything is.
    pub fn pgn(&self, tags: &Tags, evals: &[Eval]) -> String {
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
        let comment = |n: usize| {
            // That it is mate, the move says itself.
            let told = evals.get(n).filter(|eval| !matches!(eval, Eval::Mate { moves: 0, .. }));
            let eval = told.map(|eval| format!("[%eval {eval}]"));
            let relayed = self.relayed[n].then(|| "relayed by the agent".to_owned());
            let all: Vec<_> = eval.into_iter().chain(relayed).collect();
            (!all.is_empty()).then(|| format!("{{ {} }}", all.join(" ")))
        };
        let words = self.numbered(0, &self.history, comment);
        wrap(&mut pgn, words.iter().map(String::as_str).chain([result]));
        pgn
    }

    /// `1. e4 e5 2. Nf3`
    pub fn movetext(&self) -> String {
        self.numbered(0, &self.history, |_| None).join(" ")
    }

    /// Moves that could follow now, as `movetext` would write them: `2... Nc6 3. Bb5`.
    pub fn continuation(&self, line: &[MoveText]) -> String {
        let sans: Vec<_> = line.iter().map(|mv| &mv.san).collect();
        self.numbered(self.history.len(), &sans, |_| None).join(" ")
    }

    /// Moves from ply `from` on and their numbers, each a word, and each comment one.
    fn numbered(
        &self,
        from: usize,
        sans: &[impl Display],
        comment: impl Fn(usize) -> Option<String>,
    ) -> Vec<String> {
        // A game from a set position need not begin with White's first move.
        let black_first = usize::from(self.start.turn().is_black());
        let first = self.start.fullmoves().get() as usize;
        let mut words = Vec::with_capacity(2 * sans.len());
        let mut is_interrupted = true;
        for (n, san) in sans.iter().enumerate() {
            let ply = from + n + black_first;
            let number = first + ply / 2;
            match ply % 2 {
                0 => words.push(format!("{number}.")),
                _ if is_interrupted => words.push(format!("{number}...")),
                _ => {}
            }
            words.push(san.to_string());
            let comment = comment(n);
            is_interrupted = comment.is_some();
            words.extend(comment);
        }
        words
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
