//! Finding the move in what a player wrote: `e2e4`, but also `**e4**`, `{"move": "e2e4"}`,
//! `knight to f3` or `Final answer: e4`.
//!
//! Only what can mean one thing is taken. Whatever is in the text beside the move must be known to
//! say nothing; otherwise the text is refused, and the reason says what was in the way.

use serde_json::{Map, Value};
use shakmaty::{Chess, Move, san::San, uci::UciMove};

use super::{
    notation::MoveWord,
    uci,
    vocabulary::{BESIDE, CASTLES, FILLER, LONG, NEGATIONS, PARTS, SHORT, is_separator, plainly},
};
use crate::{GeneralRule, Illegal, wording::quoted};

/// In longer texts no move is looked for.
const LONGEST: usize = 300;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub mv: Move,
    /// What was taken for the move, where the text is not simply one of its two names.
    pub taken: Option<String>,
}

/// The move that the text means. Unless `loose`, only its two names, UCI and SAN, will do.
pub(super) fn read(position: &Chess, text: &str, loose: bool) -> Result<Reading, Illegal> {
    if let Some(mv) = by_name(position, text.trim()) {
        return Ok(Reading { mv, taken: None });
    }
    let (mv, taken) = search(position, text)?;
    if !loose {
        let name = uci(position, mv);
        let reason = format!(
            "in this game a move is sent by its name alone, in UCI or SAN: {name}, not {}",
            quoted(text)
        );
        return Err(Illegal::because(GeneralRule::NotAMove, reason, [name]));
    }
    Ok(Reading { mv, taken: Some(taken) })
}

/// The log has nothing but these, so they come first, and quickly.
fn by_name(position: &Chess, text: &str) -> Option<Move> {
    let by_uci = text.parse::<UciMove>().ok().and_then(|mv| mv.to_move(position).ok());
    if let Some(mv) = by_uci.filter(|mv| uci(position, *mv) == text) {
        return Some(mv);
    }
    let mv = San::from_ascii(text.trim_end_matches(['+', '#']).as_bytes()).ok()?;
    let mv = mv.to_move(position).ok()?;
    let name = super::move_text(position, mv).san;
    (text == name || text == name.trim_end_matches(['+', '#'])).then_some(mv)
}

/// Why a text that names something beside the board is not played as a move.
pub fn not_on_the_board(text: &str) -> Option<Illegal> {
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // Every one of them begins with a word of four letters or more, and hardly any move has one.
    if !words().any(|word| word.len() >= 4 && word.chars().all(char::is_alphabetic)) {
        return None;
    }
    let said = format!(" {} ", words().map(str::to_lowercase).collect::<Vec<_>>().join(" "));
    let (known, action) = BESIDE.iter().find(|(known, _)| said.contains(&format!(" {known} ")))?;
    let written = words().find(|word| word.to_lowercase() == *known).unwrap_or(known);
    Some(Illegal::rule(format!(
        "{written:?} is not a move on the board; send it as gameAction: {action}"
    )))
}

/// The move, and the words it was made of.
fn search(position: &Chess, text: &str) -> Result<(Move, String), Illegal> {
    let length = text.chars().count();
    if length > LONGEST {
        return Err(Illegal::rule(format!(
            "a text of {length} characters is not a move; send the move alone, like e2e4"
        )));
    }
    if let Some(why) = not_on_the_board(text) {
        return Err(why);
    }
    let sent = in_order(text);
    let Found { parts, numbered } = Found::in_text(sent.as_deref().unwrap_or(text))?;
    match parts.as_slice() {
        [] => Err(no_move(text)),
        [Part { word, mv: Some(mv), .. }] => Ok((mv.find_meant(position)?, word.clone())),
        [Part { word: from, mv: Some(first), .. }, Part { word: to, mv: Some(second), .. }]
            if !numbered && first.is_square() && second.is_square() && first.stands(position) =>
        {
            let both = format!("{from}{to}");
            let mv = MoveWord::read(&both).expect("two squares have the form of a move");
            Ok((mv.find(position)?, both))
        }
        parts if parts.iter().all(|part| part.mv.is_some()) => {
            the_same(position, parts).map_err(|unclear| match unclear {
                Unclear::Two(one, other) => Illegal::rule(format!(
                    "there are two moves in that, {one} and {other}; send one"
                )),
                Unclear::Refused(why) => why,
            })
        }
        parts => joined(position, text, parts),
    }
}

/// A move as an object, in whatever order it came: piece, from, to, promotion.
fn in_order(text: &str) -> Option<String> {
    const ORDER: [&str; 4] = ["piece", "from", "to", "promotion"];
    let start = text.rfind('{')?;
    let end = start + text[start..].find('}')? + 1;
    let object: Map<String, Value> = serde_json::from_str(&text[start..end]).ok()?;
    let _ = (object.get("from")?, object.get("to")?);
    let words = ORDER.iter().filter_map(|key| object.get(*key)).filter(|value| !value.is_null());
    let mut words: Vec<String> = words.map(Value::to_string).collect();
    let others = object.iter().filter(|(key, _)| !ORDER.contains(&key.as_str()));
    words.extend(others.map(|(key, value)| format!("{key} {value}")));
    Some(format!("{} {} {}", &text[..start], words.join(" "), &text[end..]))
}

/// Why several moves in a text are not one.
enum Unclear {
    Two(String, String),
    /// Each of them is refused as it would be alone.
    Refused(Illegal),
}

/// Several moves in a text are one if they are the same: `e2e4 (e4)`, `Rd1 (a1d1)`.
fn the_same(position: &Chess, parts: &[Part]) -> Result<(Move, String), Unclear> {
    let words: Vec<(&Part, &MoveWord)> =
        parts.iter().filter_map(|part| Some((part, part.mv.as_ref()?))).collect();
    let found: Vec<_> = words.iter().map(|(_, mv)| mv.find_meant(position)).collect();
    let known = found.iter().position(Result::is_ok).unwrap_or(0);
    let (part, _) = words[known];
    let other = words.iter().zip(&found).position(|((other, word), found_too)| {
        let settles = |mv: &Move| found_too.is_err() && word.could_be(position, *mv);
        *found_too != found[known]
            && other.word != part.word
            && !found[known].as_ref().is_ok_and(settles)
    });
    match (other, &found[known]) {
        (Some(other), _) => {
            let name = |at: usize| words[at].0.word.clone();
            Err(Unclear::Two(name(known.min(other)), name(known.max(other))))
        }
        (None, Ok(mv)) => Ok((*mv, part.word.clone())),
        (None, Err(why)) => Err(Unclear::Refused(why.clone())),
    }
}

/// Parts that make a move together: `N` and `f3`, `e7`, `e8` and `q`.
fn joined(position: &Chess, text: &str, parts: &[Part]) -> Result<(Move, String), Illegal> {
    let whole: String = parts.iter().map(|part| part.word.as_str()).collect();
    if let Some(mv) = MoveWord::read(&whole) {
        return Ok((mv.find_meant(position)?, whole));
    }
    let odd = parts.iter().find(|part| part.mv.is_none());
    let (Some(odd), true) = (odd, parts.iter().any(|part| part.mv.is_some())) else {
        // What to quote of a text in which there is no move.
        return Err(no_move(if let [part] = parts { &part.said } else { text }));
    };
    let odd = quoted(&odd.said);
    let (reason, options) = match the_same(position, parts) {
        Ok((mv, _)) => {
            let name = uci(position, mv);
            let reason = format!(
                "what {odd} says beside the move is not understood; send the move alone, like \
                 {name}"
            );
            (reason, vec![name])
        }
        Err(Unclear::Two(one, other)) => {
            let reason = format!(
                "what {odd} says beside {one} and {other} is not understood; send one move alone"
            );
            (reason, Vec::new())
        }
        Err(Unclear::Refused(_)) => {
            let reason = format!(
                "what {odd} says beside the move is not understood; send the move alone, like e2e4"
            );
            (reason, Vec::new())
        }
    };
    Err(Illegal::broken(GeneralRule::NotAMove, reason, options))
}

fn no_move(text: &str) -> Illegal {
    Illegal::rule(format!(
        "{} is not a move; write it in UCI, like e2e4 or a7a8q, or in SAN, like Nf3 or O-O",
        quoted(text)
    ))
}

/// A word that says something.
struct Part {
    /// As moves are written.
    word: String,
    /// As it stands in the text.
    said: String,
    /// If it has the form of a move.
    mv: Option<MoveWord>,
}

/// What is left of a text without filler.
struct Found {
    parts: Vec<Part>,
    /// Whether a move's number stands in it: then `e4 e5` is two moves, and not from where to
    /// where.
    numbered: bool,
}

impl Found {
    fn in_text(text: &str) -> Result<Found, Illegal> {
        let mut found = Found { parts: Vec::new(), numbered: false };
        let text = plainly(text);
        for word in text.split(is_separator) {
            found.add(word)?;
        }
        Ok(found)
    }

    fn add(&mut self, word: &str) -> Result<(), Illegal> {
        let word = self.without_number(word).trim_start_matches(['-', '=']);
        let word = word.trim_end_matches(['+', '#', '!', '?', '.', ':', '-']);
        let lower = word.to_lowercase();
        if word.is_empty() || FILLER.contains(&&*lower) {
            return Ok(());
        }
        if NEGATIONS.contains(&&*lower) {
            return Err(Illegal::rule(format!(
                "{word:?} is in that text, so it is not certain what is meant; send only the move \
                 that is to be played, like e2e4"
            )));
        }
        if let Some((_, part)) = PARTS.iter().find(|(known, _)| *known == lower) {
            self.push(part, word);
            return Ok(());
        }
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.numbered = true;
            return Ok(());
        }
        self.add_move(word)
    }

    fn push(&mut self, word: &str, said: &str) {
        let castles = |last: &Part| match (last.word.as_str(), word) {
            (CASTLES, SHORT) | (SHORT, CASTLES) => Some("O-O"),
            (CASTLES, LONG) | (LONG, CASTLES) => Some("O-O-O"),
            _ => None,
        };
        let (word, said) = match self.parts.last().and_then(castles) {
            Some(castles) => {
                let before = self.parts.pop().map(|part| part.said).unwrap_or_default();
                (castles, format!("{before} {said}"))
            }
            None => (word, said.to_owned()),
        };
        self.parts.push(Part { word: word.to_owned(), said, mv: MoveWord::read(word) });
    }

    /// A capture may be written with a colon, a promotion with a slash or in full.
    fn add_move(&mut self, word: &str) -> Result<(), Illegal> {
        let spelled = spelled(word);
        let promotion = match spelled.rsplit_once('/') {
            Some((stem, piece)) if piece.len() == 1 => format!("{stem}={piece}"),
            _ => spelled.clone(),
        };
        let capture = promotion.replace(':', "x");
        let read = [&spelled, &promotion, &capture].into_iter().find(|w| MoveWord::is(w));
        let is_filler = |head: &str| FILLER.contains(&&*head.to_lowercase());
        let named = word.split_once('=').filter(|(head, _)| is_filler(head));
        match (read, word.split_once([':', '/']).or(named)) {
            (Some(read), _) => self.push(read, word),
            (None, Some((head, rest))) => {
                self.add(head)?;
                self.add(rest)?;
            }
            (None, None) => self.push(&spelled, word),
        }
        Ok(())
    }

    /// `e4` of `1.e4`, `1...e4` and `...e4`.
    fn without_number<'a>(&mut self, word: &'a str) -> &'a str {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if !rest.starts_with('.') {
            return word;
        }
        self.numbered = true;
        rest.trim_start_matches('.')
    }
}

/// With the letter of the piece that a pawn becomes: `e8=Q` for `e8=Queen`.
fn spelled(word: &str) -> String {
    let lower = word.to_lowercase();
    let ends = PARTS[..6].iter().find_map(|(name, letter)| {
        let stem = lower.strip_suffix(name)?;
        let stem = word.get(..stem.len())?;
        let promotes = stem.trim_end_matches(['=', '/']).ends_with(['1', '8']);
        promotes.then(|| format!("{stem}{letter}"))
    });
    ends.unwrap_or_else(|| word.to_owned())
}
