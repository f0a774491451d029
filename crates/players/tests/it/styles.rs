//! Matrix games are played in styles, by their names.

use players::{Level, Style, choose};
use rules::{Record, Seat, kind, matrix::StageGame};

use crate::at;

/// What the computer answers, round by round, to one who plays so.
fn answers(game: &str, level: u8, theirs: &str) -> String {
    let setup = format!(r#"{{"game": "{game}"}}"#);
    let mut record = Record::start(kind("matrix-game").unwrap(), &setup, 1).unwrap();
    let rounds = theirs.split_whitespace().zip(0..).map(|(text, luck)| {
        let answer = choose(&record, Seat(1), at(level), luck).unwrap();
        for (seat, text) in [(Seat(0), text), (Seat(1), answer.as_str())] {
            let step = record.step(seat, text).unwrap();
            record.take(step);
        }
        answer
    });
    rounds.collect::<Vec<_>>().join(" ")
}

fn level_of(game: StageGame, style: Style) -> u8 {
    let level = Level::all().find(|level| Style::of(game, *level) == style);
    level.unwrap_or_else(|| panic!("nobody is {}", style.name())).get()
}

#[test]
fn a_style_answers_as_its_name_says() {
    let theirs = "cooperate defect cooperate cooperate defect defect";
    for (style, expected) in [
        (Style::TitForTat, "cooperate cooperate defect cooperate cooperate defect"),
        (Style::Grim, "cooperate cooperate defect defect defect defect"),
        (Style::Mean, "defect defect defect defect defect defect"),
        (Style::Stubborn, "cooperate cooperate cooperate cooperate cooperate cooperate"),
        (Style::Pavlov, "cooperate cooperate defect defect defect cooperate"),
    ] {
        let level = level_of(StageGame::PrisonersDilemma, style);
        assert_eq!(answers("prisoners-dilemma", level, theirs), expected, "{}", style.name());
    }
}

#[test]
fn the_generous_forgive_now_and_then() {
    let level = level_of(StageGame::PrisonersDilemma, Style::Generous);
    let theirs = "defect ".repeat(20);
    let friendly = answers("prisoners-dilemma", level, &theirs).matches("cooperate").count();
    assert!((3..13).contains(&friendly), "{friendly} of 20");
}

#[test]
fn who_counts_beats_who_always_does_the_same() {
    let level = level_of(StageGame::RockPaperScissors, Style::Counting);
    let answers = answers("rock-paper-scissors", level, "rock rock rock rock rock");
    assert!(answers.ends_with("paper paper paper paper"), "{answers}");
}
