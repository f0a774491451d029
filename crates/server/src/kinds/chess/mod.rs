//! Chess: its words and facts, hints and the analyst, the engine and its guests, UCI.

pub mod analyst;
pub mod decisions;
pub mod guest;
pub mod hints;
pub mod room;
pub mod telling;
pub mod uci;
