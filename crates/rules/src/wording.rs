//! Moves as players write them. Where they are one word each, a table says which.

use crate::{Due, GeneralRule, Illegal, Seat};

/// How many characters of a caller's own words an answer or a log line repeats.
const QUOTED: usize = 120;

/// How many characters an id that a caller chose may have. Answers repeat such ids whole.
pub const LONGEST_ID: usize = 256;

/// The first `most` characters, and a mark if there are more.
fn within(text: &str, most: usize) -> (&str, &str) {
    match text.char_indices().nth(most) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    }
}

/// A caller's words on one line, cut to `most` characters. Everything that is repeated of a call is
/// cut here: callers may send megabytes.
pub fn cut(text: &str, most: usize) -> String {
    let (kept, more) = within(text, most);
    let kept = kept.chars().map(|c| if c.is_control() { ' ' } else { c });
    kept.chain(more.chars()).collect()
}

/// A caller's words, short enough for a sentence or a log line.
pub fn short(text: &str) -> String {
    cut(text, QUOTED)
}

/// A caller's words in quotation marks, cut like `short`, with invisible characters escaped.
pub fn quoted(text: &str) -> String {
    let (kept, more) = within(text.trim(), QUOTED);
    format!("{kept:?}{more}")
}

/// Characters that leave no mark: joiners, marks of direction, fillers, tags.
pub fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0xad | 0x34f | 0x61c | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f
        | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0x2800 | 0x3164
        | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffb | 0x1bca0..=0x1bca3
        | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff)
}

/// The text in lower case, without quotation marks and full stops around it.
pub(crate) fn plain(text: &str) -> String {
    let around = |c: char| c.is_whitespace() || "`*'\"".contains(c);
    text.trim_matches(around).trim_end_matches(['.', '!']).trim_end_matches(around).to_lowercase()
}

/// `Player 1 Q, Player 2 K`
pub(crate) fn by_seat(seats: &[&str], texts: impl Iterator<Item = String>) -> String {
    let told = seats.iter().zip(texts).map(|(seat, text)| format!("{seat} {text}"));
    told.collect::<Vec<_>>().join(", ")
}

const NUMBERS: [&str; 10] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// A whole number: digits and nothing else, or a word up to ten.
pub(crate) fn number(text: &str) -> Option<u32> {
    if let Some(at) = NUMBERS.iter().position(|word| *word == text) {
        return Some(at as u32 + 1);
    }
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
