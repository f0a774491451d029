//! Games as text files, replayed line by line.
//!
//! ```text
//! # What the file shows.
//! start                           a new game; a FEN may follow
//! start with free takebacks       the same, without asking
//! play e4 e5 Nf3                  moves of the two sides in turn
//! White: offerDraw                a move of one side, on its turn or not
//! White: e2e5 -> the pawn is      the same, refused for a reason that reads so
//! White claims: h5f7              a move with the claim that it wins, held or refused alike
//! = due: Black                    what is to be seen now
//! ```

use std::{fs, path::Path};

use rules::{
    Due, Illegal, Record, Seat,
    chess::{Claim, MoveText, WHITE, WhyNot, name},
    kind,
};
use shakmaty::Color;

use crate::{START, picture, record, turn, view};

#[test]
fn every_transcript_is_replayed_to_its_end() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/transcripts");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 12, "transcripts are missing: {files:?}");
    for file in files {
        let mut game = None;
        for (line, text) in (1..).zip(fs::read_to_string(&file).unwrap().lines()) {
            let at = format!("{}:{line}", file.display());
            check(&mut game, text.trim(), &at);
        }
        finish(game, &file.display().to_string());
    }
}

fn check(game: &mut Option<Record>, line: &str, at: &str) {
    if line.is_empty() || line.starts_with('#') {
        return;
    }
    if let Some(start) = line.strip_prefix("start") {
        finish(game.take(), at);
        let (fen, free) = match start.strip_suffix("with free takebacks") {
            Some(fen) => (fen.trim(), true),
            None => (start.trim(), false),
        };
        *game = Some(record(if fen.is_empty() { START } else { fen }, free));
        return;
    }
    let game = game.as_mut().unwrap_or_else(|| panic!("{at}: no game has started"));
    if let Some(moves) = line.strip_prefix("play ") {
        for text in moves.split_whitespace() {
            let Due::One(seat) = game.due() else { panic!("{at}: over before {text}") };
            accept(game, seat, text, at);
        }
    } else if let Some(fact) = line.strip_prefix("= ") {
        let (fact, expected) = fact.split_once(": ").unwrap_or_else(|| panic!("{at}: {line}"));
        assert_eq!(see(game, fact), expected, "{at}: {fact}");
    } else {
        let (seat, text) = line.split_once(": ").unwrap_or_else(|| panic!("{at}: {line}"));
        let claimant = seat.strip_suffix(" claims");
        let seat = claimant.unwrap_or(seat);
        let seat = seat_called(seat).unwrap_or_else(|| panic!("{at}: nobody is called {seat}"));
        let claim = |text: &str| game.step(seat, text).and_then(|step| game.check_claim(&step));
        match (text.split_once(" -> "), claimant.is_some()) {
            (Some((text, reason)), false) => refuse(game, seat, text, reason, at),
            (Some((text, reason)), true) => {
                let refusal = claim(text).expect_err(at).to_string();
                assert!(refusal.contains(reason), "{at}: {text} was refused because {refusal}");
            }
            (None, false) => accept(game, seat, text, at),
            (None, true) => {
                claim(text).unwrap_or_else(|e| panic!("{at}: {text}: {e}"));
                accept(game, seat, text, at);
            }
        }
    }
}

fn accept(game: &mut Record, seat: Seat, text: &str, at: &str) {
    let before = game.turns().len();
    let canonical = game.check(seat, text).unwrap_or_else(|e| panic!("{at}: {text}: {e}"));
    game.push(turn(game, seat, canonical)).unwrap_or_else(|e| panic!("{at}: {e}"));
    assert_eq!(game.turns().len(), before + 1, "{at}: every turn is kept");
}

fn refuse(game: &Record, seat: Seat, text: &str, reason: &str, at: &str) {
    let before = picture(game);
    let refusal = game.check(seat, text).expect_err(at).to_string();
    assert!(refusal.contains(reason), "{at}: {text} was refused because {refusal}");
    assert_eq!(picture(game), before, "{at}: a refusal changes nothing");
}

/// Whatever the game, it is its turns over again, and nothing is played after its end.
fn finish(game: Option<Record>, at: &str) {
    let Some(game) = game else { return };
    assert_eq!(picture(&game.as_of(game.next_number())), picture(&game), "{at}: replayed");
    if let Due::Over(outcome) = game.due() {
        for seat in [Seat(0), Seat(1)] {
            for text in ["e2e4", "resign", "offerDraw", "acceptDraw", "claimDraw", "takeback", ""] {
                assert_eq!(game.check(seat, text), Err(Illegal::Over(outcome.clone())), "{at}");
            }
        }
    }
}

fn see(game: &Record, fact: &str) -> String {
    let view = view(game);
    let who = |color: Option<Color>| color.map_or("nobody", name).to_string();
    match fact {
        "due" => match game.due() {
            Due::One(seat) => seat_name(seat).into(),
            due => format!("{due:?}"),
        },
        "over" => game.due().outcome().map_or("no".into(), ToString::to_string),
        "winner" => game
            .due()
            .outcome()
            .and_then(|outcome| outcome.winner())
            .map_or("nobody", seat_name)
            .into(),
        "fen" => view.fen,
        "history" if view.history.is_empty() => "none".into(),
        "history" => view.sans().join(" "),
        "last" => view.last.map_or("none".into(), |last| format!("{} {}", last.uci, last.san)),
        "check" => if view.check { "yes" } else { "no" }.into(),
        "turns" => game.turns().iter().map(|turn| &*turn.text).collect::<Vec<_>>().join(" "),
        "times seen" => view.repetitions.to_string(),
        "claims with" if view.claims_with.is_empty() => "nothing".into(),
        "claims with" => {
            let claim = |(mv, claim): &(MoveText, Claim)| format!("{} {}", mv.uci, claim.name());
            view.claims_with.iter().map(claim).collect::<Vec<_>>().join(", ")
        }
        "declined" => view.declined.map_or("nobody".into(), |declined| {
            let why = declined.why.map_or("without a word", WhyNot::reason);
            format!("{}, {why}", name(declined.by))
        }),
        "claim" => view.claim.map_or("nothing", Claim::name).into(),
        "asked" => game.asked().map_or("nobody", seat_name).into(),
        "offer" => who(view.draw_offer),
        "request" => who(view.takeback_request),
        _ => panic!("nothing is called {fact}"),
    }
}

fn seat_called(name: &str) -> Option<Seat> {
    let seats = kind("chess").unwrap().seats;
    seats.iter().position(|seat| *seat == name).map(|n| Seat(n as u8))
}

fn seat_name(seat: Seat) -> &'static str {
    name(Color::from_white(seat == WHITE))
}
