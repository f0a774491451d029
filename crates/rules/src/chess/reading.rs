//! Finding the move in what a player wrote: `e2e4`, but also `**e4**`, `{"move": "e2e4"}`,
//! `knight to f3` or `Final answer: e4`.
//!
//! Only what can mean one thing is taken. Whatever is in the text beside the move must be known to
//! say nothing; otherwise the text is refused, and the reason says what was in the way.

use shakmaty::{Chess, Move, san::San, uci::UciMove};

use super::{
    notation::{self, MoveWord},
    uci,
};
use crate::{Illegal, wording::quoted};

/// In longer texts no move is looked for.
const LONGEST: usize = 300;

/// Words that say nothing about which move it is.
#[rustfmt::skip]
const FILLER: &[&str] = &[
    "action", "am", "and", "answer", "as", "best", "bestmove", "black", "boxed", "check",
    "checkmate", "choice", "choose", "chosen", "claim", "decide", "decided", "en", "ep", "e.p",
    "false", "final", "finishturn", "for", "from", "game", "go", "going", "goes", "here", "i",
    "i'd", "i'll", "i'm", "in", "is", "it", "json", "lan", "let", "let's", "like", "make",
    "mate", "me", "move", "moves", "moving", "my", "next", "notation", "now", "ok", "okay",
    "on", "our", "passant", "piece", "play", "played", "playing", "plays", "please", "promote",
    "promotes", "promoting", "promotion", "response", "s", "san", "selected", "so", "square",
    "sure", "text", "the", "this", "to", "turn", "uci", "us", "want", "we", "well", "white",
    "will", "win", "with", "would", "your",
];

/// Words that turn a sentence round.
#[rustfmt::skip]
const NEGATIONS: &[&str] = &[
    "avoid", "aren't", "can't", "cannot", "cant", "didn't", "doesn't", "don't", "dont",
    "except", "illegal", "instead", "isn't", "never", "no", "none", "nor", "not", "rather",
    "refuse", "shouldn't", "unless", "without", "won't", "wont", "wouldn't",
];

/// Words for what is done beside the board, and what it is called there.
const BESIDE: &[(&str, &str)] = &[
    ("resign", "resign"),
    ("resigns", "resign"),
    ("resigned", "resign"),
    ("concede", "resign"),
    ("surrender", "resign"),
    ("draw", "offerDraw, acceptDraw or claimDraw"),
    ("offerdraw", "offerDraw"),
    ("acceptdraw", "acceptDraw"),
    ("declinedraw", "declineDraw"),
    ("claimdraw", "claimDraw"),
    ("takeback", "takeback"),
    ("undo", "takeback"),
    ("declinetakeback", "declineTakeback"),
];

/// Words that stand for a part of a move.
const PARTS: &[(&str, &str)] = &[
    ("king", "K"),
    ("queen", "Q"),
    ("rook", "R"),
    ("bishop", "B"),
    ("knight", "N"),
    ("pawn", "P"),
    ("takes", "x"),
    ("captures", "x"),
    ("castle", CASTLES),
    ("castles", CASTLES),
    ("castling", CASTLES),
    ("kingside", SHORT),
    ("short", SHORT),
    ("queenside", LONG),
    ("long", LONG),
    ("oo", "O-O"),
    ("00", "O-O"),
    ("o-o", "O-O"),
    ("0-0", "O-O"),
    ("ooo", "O-O-O"),
    ("000", "O-O-O"),
    ("o-o-o", "O-O-O"),
    ("0-0-0", "O-O-O"),
];
const CASTLES: &str = "castles";
const SHORT: &str = "short";
const LONG: &str = "long";

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
        return Err(Illegal::Rule {
            rule: "",
            reason: format!(
                "in this game a move is sent by its name alone, in UCI or SAN: {name}, not {}",
                quoted(text)
            ),
            options: vec![name],
        });
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
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.find_map(|word| {
        let (_, action) = BESIDE.iter().find(|(known, _)| *known == word)?;
        Some(Illegal::rule(format!(
            "{word:?} is not a move on the board; send it as gameAction: {action}"
        )))
    })
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
    let Found { parts, numbered } = Found::in_text(text)?;
    let words: Vec<Option<MoveWord>> = parts.iter().map(|part| MoveWord::read(part)).collect();
    match (parts.as_slice(), words.as_slice()) {
        ([], _) => Err(no_move(text)),
        ([part], [Some(word)]) => Ok((word.find(position)?, part.clone())),
        ([from, to], [Some(first), Some(second)])
            if !numbered && first.is_square() && second.is_square() && first.stands(position) =>
        {
            let both = format!("{from}{to}");
            Ok((notation::read(position, &both)?, both))
        }
        (_, words) if words.iter().all(Option::is_some) => {
            the_same(position, &parts, words.iter().flatten())
        }
        _ => joined(position, text, &parts, &words),
    }
}

/// Several moves in a text are one if they are the same: `e2e4 (e4)`.
fn the_same<'a>(
    position: &Chess,
    parts: &[String],
    mut words: impl Iterator<Item = &'a MoveWord>,
) -> Result<(Move, String), Illegal> {
    let first = words.next().expect("there is more than one").find(position);
    let others: Vec<_> = words.map(|word| word.find(position)).collect();
    let other = parts.iter().zip(std::iter::once(&first).chain(&others)).find(|(part, found)| {
        // What is written twice is refused as it would be once.
        **found != first && **part != parts[0]
    });
    match other {
        None => Ok((first?, parts[0].clone())),
        Some((other, _)) => Err(Illegal::rule(format!(
            "there are two moves in that, {} and {other}; send one",
            parts[0]
        ))),
    }
}

/// Parts that make a move together: `N` and `f3`, `e7`, `e8` and `q`.
fn joined(
    position: &Chess,
    text: &str,
    parts: &[String],
    words: &[Option<MoveWord>],
) -> Result<(Move, String), Illegal> {
    let whole = match parts.concat().as_str() {
        "castlesshort" | "shortcastles" => "O-O".to_owned(),
        "castleslong" | "longcastles" => "O-O-O".to_owned(),
        whole => whole.to_owned(),
    };
    if let Some(word) = MoveWord::read(&whole) {
        return Ok((word.find(position)?, whole));
    }
    let odd = parts.iter().zip(words).find(|(_, word)| word.is_none());
    match (odd, words.iter().flatten().next()) {
        (Some((odd, _)), Some(word)) => {
            let found = word.find(position).map(|mv| uci(position, mv));
            Err(Illegal::Rule {
                rule: "",
                reason: format!(
                    "what {} says beside the move is not understood; send the move alone, like {}",
                    quoted(odd),
                    found.as_deref().unwrap_or("e2e4")
                ),
                options: found.into_iter().collect(),
            })
        }
        _ => Err(no_move(&named(text, parts))),
    }
}

/// What to quote of a text in which there is no move.
fn named(text: &str, parts: &[String]) -> String {
    if parts.len() == 1 { parts[0].clone() } else { text.to_owned() }
}

fn no_move(text: &str) -> Illegal {
    Illegal::rule(format!(
        "{} is not a move; write it in UCI, like e2e4 or a7a8q, or in SAN, like Nf3 or O-O",
        quoted(text)
    ))
}

/// What is left of a text without filler.
struct Found {
    parts: Vec<String>,
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
        let word = self.without_number(word).trim_matches('-');
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
            self.parts.push((*part).to_owned());
            return Ok(());
        }
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.numbered = true;
            return Ok(());
        }
        self.add_move(word)
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
            (Some(read), _) => self.parts.push(read.clone()),
            (None, Some((head, rest))) => {
                self.add(head)?;
                self.add(rest)?;
            }
            (None, None) => self.parts.push(spelled),
        }
        Ok(())
    }

    /// `e4` of `1.e4` and `1...e4`.
    fn without_number<'a>(&mut self, word: &'a str) -> &'a str {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() == word.len() || !rest.starts_with('.') {
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

/// With pieces as letters, dashes and arrows as `-`, and no invisible characters.
fn plainly(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '♔' | '♚' => plain.push('K'),
            '♕' | '♛' => plain.push('Q'),
            '♖' | '♜' => plain.push('R'),
            '♗' | '♝' => plain.push('B'),
            '♘' | '♞' => plain.push('N'),
            '♙' | '♟' => plain.push('P'),
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹣' | '－' | '→' | '⇒' | '➔' | '➜' | '➡' =>
            {
                plain.push('-');
            }
            '×' => plain.push('x'),
            '…' => plain.push_str("..."),
            '†' | '‡' => plain.push('+'),
            '’' | '‘' => plain.push('\''),
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}' => {}
            letter => plain.push(letter),
        }
    }
    // Within a word it belongs to it: let's.
    let quotes = |at: usize| {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        !(is_letter(plain[..at].chars().next_back()) && is_letter(plain[at + 1..].chars().next()))
    };
    let letters = plain.char_indices();
    letters.map(|(at, c)| if c == '\'' && quotes(at) { ' ' } else { c }).collect()
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || "\"`*_<>[](){}\\,;|$~“”„«»".contains(letter)
}
