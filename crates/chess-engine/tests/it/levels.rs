//! A higher level is a stronger player.

use chess_engine::Level;
use shakmaty::{Chess, Color};

use crate::board::winner;

#[test]
fn there_are_ten_levels() {
    assert_eq!(Level::new(0), None);
    assert_eq!(Level::new(11), None);
    assert_eq!((1..=10).filter_map(Level::new).map(Level::get).sum::<u8>(), 55);
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

#[test]
fn three_levels_up_wins_clearly() {
    for (strong, weak, games) in [(4, 1, 12), (5, 2, 12), (6, 3, 8), (7, 4, 4), (8, 5, 2)] {
        let lead = lead(strong, weak, games);
        assert!(lead * 2 >= games as i32, "level {strong} leads level {weak} by {lead} of {games}");
    }
}
