//! Reading a game that came as PGN, to go on with it. Comments, variations and marks are passed
//! over; a move that cannot be read is not.

use shakmaty::{Chess, Position};

use super::{
    notation,
    setup::{Beginning, Variant, read_fen},
};
use crate::{Illegal, wording::quoted};

/// Longer than any game worth going on with, comments and all.
const LONGEST: usize = 32_000;
const MOST_PLIES: usize = 600;

pub(super) fn read(pgn: &str, variant: Option<Variant>) -> Result<Beginning, Illegal> {
    if pgn.len() > LONGEST {
        return Err(Illegal::rule(format!(
            "a pgn of {} bytes is too long; {LONGEST} is the most, so leave comments out",
            pgn.len()
        )));
    }
    let (tags, movetext) = split(pgn)?;
    let tag = |name: &str| {
        tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
    };
    let variant = match (variant, tag("Variant")) {
        (None, Some(name)) => Some(Variant::called(name)?),
        (variant, _) => variant,
    };
    let start = match (tag("FEN"), variant) {
        (Some(fen), variant) => {
            // "From Position" says nothing about how castling goes.
            read_fen(fen, variant.filter(|variant| *variant == Variant::Chess960))?
        }
        (None, Some(Variant::Chess960)) => {
            return Err(Illegal::rule("a pgn of Chess960 says in a FEN tag where it starts"));
        }
        (None, _) => Chess::new(),
    };
    let mut position = start.clone();
    let mut moves = Vec::new();
    for word in words(movetext)? {
        if moves.len() == MOST_PLIES {
            return Err(Illegal::rule(format!(
                "the pgn has more than {MOST_PLIES} half-moves, which is too long to go on with"
            )));
        }
        let mv = notation::read(&position, &word).map_err(|why| {
            let dots = position.turn().fold_wb("", "...");
            let number = format!("{}{dots}", position.fullmoves());
            Illegal::rule(format!("move {number} of the pgn, {}: {why}", quoted(&word)))
        })?;
        position.play_unchecked(mv);
        moves.push(mv);
    }
    if moves.is_empty() {
        return Err(Illegal::rule(
            "there is no move in the pgn; to start from a position, send it as fen",
        ));
    }
    Ok(Beginning { start, moves })
}

/// Where the game starts, if a tag says so.
pub(super) fn fen(pgn: &str) -> Option<String> {
    let (tags, _) = split(pgn).ok()?;
    tags.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("FEN")).map(|(_, fen)| fen)
}

type Tag = (String, String);

/// The tags, and the rest.
fn split(pgn: &str) -> Result<(Vec<Tag>, &str), Illegal> {
    let mut tags = Vec::new();
    let mut rest = without_escape(pgn.trim_start_matches('\u{feff}').trim_start());
    while let Some(tag) = rest.strip_prefix('[') {
        let broken =
            || Illegal::rule(format!("{} in the pgn is not a tag", quoted(first_line(rest))));
        let (name, value) = tag.split_once('"').ok_or_else(broken)?;
        let (value, end) = unquoted(value).ok_or_else(broken)?;
        tags.push((name.trim().to_owned(), value));
        let end = end.trim_start().strip_prefix(']').ok_or_else(broken)?;
        rest = without_escape(end.trim_start());
    }
    Ok((tags, rest))
}

/// Without lines that begin with a percent sign: they are for other programs.
fn without_escape(mut text: &str) -> &str {
    while text.starts_with('%') {
        text = text.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    text
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// What stands before the closing quotation mark, and what follows it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(letters.next()?.1),
            '\n' => return None,
            _ => value.push(letter),
        }
    }
    None
}

/// The moves of the main line, each a word, up to the result.
fn words(movetext: &str) -> Result<Vec<String>, Illegal> {
    let bare = without_asides(movetext)?;
    let words = bare.split_whitespace().map(without_number);
    let words = words.take_while(|word| !matches!(*word, "1-0" | "0-1" | "1/2-1/2" | "*"));
    let words = words.map(|word| word.trim_end_matches(['!', '?', '+', '#']));
    Ok(words.filter(|word| !word.is_empty()).map(str::to_owned).collect())
}

/// `e4` of `1.e4`; nothing of `1.`; castling with zeros is no number.
fn without_number(word: &str) -> &str {
    match word.trim_start_matches(|c: char| c.is_ascii_digit()) {
        "" => "",
        rest if rest.starts_with('.') => rest.trim_start_matches('.'),
        _ => word,
    }
}

/// Passes over the rest of a line, and answers how it ends.
fn end_of_line(letters: &mut impl Iterator<Item = char>, bare: &mut String) -> char {
    bare.push(' ');
    letters.find(|letter| *letter == '\n').unwrap_or(' ')
}

/// Without comments, variations and numeric marks.
fn without_asides(movetext: &str) -> Result<String, Illegal> {
    let mut bare = String::with_capacity(movetext.len());
    let mut depth = 0_usize;
    let mut letters = movetext.chars().peekable();
    let mut before = '\n';
    while let Some(letter) = letters.next() {
        let begins_line = std::mem::replace(&mut before, letter) == '\n';
        match letter {
            '{' => {
                if !letters.by_ref().any(|letter| letter == '}') {
                    return Err(Illegal::rule("a comment in the pgn has no end"));
                }
                bare.push(' ');
            }
            ';' => before = end_of_line(&mut letters, &mut bare),
            '%' if begins_line => before = end_of_line(&mut letters, &mut bare),
            '(' => depth += 1,
            ')' => {
                depth = depth
                    .checked_sub(1)
                    .ok_or_else(|| Illegal::rule("a variation in the pgn ends before it begins"))?;
                bare.push(' ');
            }
            '$' => while letters.next_if(char::is_ascii_digit).is_some() {},
            '[' if depth == 0 => {
                return Err(Illegal::rule("there is more than one game in the pgn; send one"));
            }
            letter if depth == 0 => bare.push(letter),
            _ => {}
        }
    }
    match depth {
        0 => Ok(bare),
        _ => Err(Illegal::rule("a variation in the pgn has no end")),
    }
}
