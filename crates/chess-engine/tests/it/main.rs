//! What a player of the engine may count on. Nothing here looks at a clock.

mod board;
mod childhood;
mod levels;
mod luck;
mod play;
mod prospects;
#[path = "../suites/mod.rs"]
mod suites;
mod tactics;
