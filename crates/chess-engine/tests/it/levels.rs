//! A higher level is a stronger player.

use std::path::Path;

use chess_engine::EngineLevel;
use shakmaty::{Chess, Color};

use crate::board::winner;

#[test]
fn there_are_ten_levels() {
    assert_eq!(EngineLevel::new(0), None);
    assert_eq!(EngineLevel::new(11), None);
    assert_eq!((1..=10).filter_map(EngineLevel::new).collect::<Vec<_>>(), EngineLevel::ALL);
    assert_eq!(EngineLevel::ALL.map(EngineLevel::get), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
}

/// Half the games with each colour; wins less losses.
fn lead(strong: u8, weak: u8, games: u64) -> i32 {
    (0..games)
        .map(|seed| {
            let colour = Color::from_white(seed % 2 == 0);
            let (white, black) = colour.fold_wb((strong, weak), (weak, strong));
            match winner(&Chess::default(), white, black, seed) {
                Some(winner) if winner == colour => 1,
                Some(_) => -1,
                None => 0,
            }
        })
        .sum()
}

fn check(strong: u8, weak: u8, games: u64) {
    let lead = lead(strong, weak, games);
    assert!(lead * 3 >= games as i32, "level {strong} leads level {weak} by {lead} of {games}");
}

#[test]
fn two_levels_up_wins_clearly() {
    for (strong, games) in [(3, 16), (4, 16), (5, 16), (6, 16), (7, 12), (8, 8), (9, 6)] {
        check(strong, strong - 2, games);
    }
}

#[test]
fn the_highest_level_beats_the_one_two_below() {
    check(10, 8, 2);
}

/// `docs/levels.md` is written by a measurement, the table in the code by hand after it.
#[test]
fn the_ratings_are_those_that_were_measured() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/levels.md");
    let page = std::fs::read_to_string(path).expect("docs/levels.md");
    let chess = page.split("\n## ").find(|part| part.starts_with("Chess")).expect("chess");
    let number = |text: &str| text.trim_matches([' ', '±']).parse::<u16>().ok();
    let mut measured = Vec::new();
    for row in chess.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').collect();
        if let (Some(level), Some(rating), Some(error)) =
            (number(cells[1]), number(cells[2]), number(cells[3]))
        {
            assert!(error <= 70, "level {level} is only known to ±{error}");
            measured.push((level, rating));
        }
    }
    let told = EngineLevel::ALL.map(|level| (u16::from(level.get()), level.rating()));
    assert_eq!(measured, told);
    assert!(told.is_sorted_by(|a, b| a.1 + 80 < b.1));
}
