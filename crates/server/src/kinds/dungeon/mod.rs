//! The dungeon: its thirteen tools.

pub mod room;
