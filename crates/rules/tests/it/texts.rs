//! A table of what players write, and what comes of it.

use rules::{Due, Illegal, Record, Rules, chess::Setup, kind};

use crate::{chess, record, view};

const TABLE: &str = include_str!("texts/moves.txt");

/// The position and the text, and what is to come of it.
fn rows() -> impl Iterator<Item = (&'static str, String, &'static str)> {
    let mut fen = "";
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(move |line| {
        if let Some(place) = line.strip_prefix("at ") {
            fen = place;
            return None;
        }
        let (text, expected) = line.rsplit_once(" -> ").expect("an arrow");
        Some((fen, text.replace("\\n", "\n"), expected))
    })
}

/// As `moves.txt` writes it.
fn outcome(fen: &str, text: &str) -> String {
    let mut game = record(fen, false);
    let Due::One(seat) = game.due() else { panic!("{fen} is over") };
    match game.step(seat, text) {
        Ok(step) => {
            let kept = step.turn().text.clone();
            game.take(step);
            match view(&game).how_read(text) {
                Some(_) => format!("~{kept}"),
                None => kept,
            }
        }
        Err(Illegal::Rule { reason, options, .. }) => {
            format!("!{reason} => {}", options.join(" ")).trim_end().to_owned()
        }
        Err(refusal) => format!("!{refusal}"),
    }
}

#[test]
fn every_text_is_read_or_refused_as_the_table_has_it() {
    let mut wrong = Vec::new();
    for (fen, text, expected) in rows() {
        let outcome = outcome(fen, &text);
        let fits = match expected.strip_prefix('!') {
            Some(part) if !part.contains(" =>") => {
                outcome.strip_prefix('!').is_some_and(|why| why.contains(part))
            }
            _ => outcome == expected,
        };
        if !fits {
            wrong.push(format!("{text:?} is {outcome}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows().count() >= 200);
}

#[test]
fn where_moves_are_sent_by_name_alone_nothing_else_is_read() {
    for (fen, text, expected) in rows() {
        let setup = Setup { fen: Some(fen.into()), loose: false, ..Setup::default() };
        let setup = serde_json::to_string(&setup).unwrap();
        let strict = Record::start(kind("chess").unwrap(), &setup, 1).unwrap();
        let Due::One(seat) = strict.due() else { panic!("{fen} is over") };
        let outcome = strict.check(seat, &text);
        let is_name = !expected.starts_with(['~', '!']);
        assert_eq!(outcome.is_ok(), is_name, "{text:?} is {outcome:?}, not {expected}");
        if let (Err(Illegal::Rule { options, .. }), Some(mv)) =
            (outcome, expected.strip_prefix('~'))
        {
            assert_eq!(options, [mv], "{text:?}: the reason says what would have been right");
        }
    }
}

#[test]
fn long_texts_are_not_searched() {
    let text = |length: usize| format!("I play{}e4", " ".repeat(length - 8));
    let game = chess(crate::START);
    let read = |length| game.parse(rules::chess::WHITE, &text(length));
    assert!(read(300).is_ok());
    let Err(Illegal::Rule { reason, .. }) = read(301) else { panic!("it was read") };
    assert!(reason.contains("301 characters"), "{reason}");
}
