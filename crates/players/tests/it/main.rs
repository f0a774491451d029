//! What the computer promises: it plays everything there is, knows no more than its seat, and is
//! stronger the higher its level.

mod documents;
mod endings;
mod fitting;
mod levels;
mod liars_dice;
mod playing;
mod poker;
mod repeats;
mod styles;
#[path = "../../../rules/tests/it/toys.rs"]
mod toys;

fn at(level: u8) -> players::Level {
    players::Level::new(level).expect("a level")
}
