//! Moves as players write them. Where they are one word each, a table says which.

use crate::{Due, GeneralRule, Illegal, Seat};

/// Of what a player sent, so much is repeated in a refusal.
const QUOTED: usize = 80;

/// In quotation marks, and not longer than is worth reading.
pub fn quoted(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// What was written, without the case and the marks that are put around a move.
pub(crate) fn plain(text: &str) -> String {
    let around = |c: char| c.is_whitespace() || "`*'\"".contains(c);
    text.trim_matches(around).trim_end_matches(['.', '!']).trim_end_matches(around).to_lowercase()
}

/// `Player 1 Q, Player 2 K`
pub(crate) fn by_seat(seats: &[&str], texts: impl Iterator<Item = String>) -> String {
    let told = seats.iter().zip(texts).map(|(seat, text)| format!("{seat} {text}"));
    told.collect::<Vec<_>>().join(", ")
}

/// A whole number in digits and nothing else.
pub(crate) fn number(text: &str) -> Option<u32> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Each move and its word. The last stands for no answer in time, and is offered to nobody.
pub(crate) struct Wording<M: 'static>(pub &'static [(M, &'static str)]);

impl<M: Copy + PartialEq> Wording<M> {
    fn offered(&self) -> &[(M, &'static str)] {
        self.0.split_last().map_or(&[], |(_, offered)| offered)
    }

    pub(crate) fn legal(&self, due: &Due, seat: Seat) -> Vec<M> {
        let offered = self.offered().iter().filter(|_| due.includes(seat));
        offered.map(|(mv, _)| *mv).collect()
    }

    /// `wrong` says what a word that is none of these is not.
    pub(crate) fn parse(
        &self,
        due: Due,
        seat: Seat,
        text: &str,
        wrong: &str,
    ) -> Result<M, Illegal> {
        due.admit(seat)?;
        let read = self.offered().iter().find(|(_, word)| *word == text);
        read.map(|(mv, _)| *mv).ok_or_else(|| {
            let reason = format!("{} is {wrong}", quoted(text));
            let words = self.offered().iter().map(|(_, word)| (*word).to_owned());
            Illegal::because(GeneralRule::NotAMove, reason, words)
        })
    }

    pub(crate) fn write(&self, mv: M) -> String {
        let (_, word) = self.0.iter().find(|(known, _)| *known == mv).expect("every move is there");
        (*word).to_owned()
    }
}
