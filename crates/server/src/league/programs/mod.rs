//! The programs around a league: a player, a check of players, and `agon league`.

pub mod check;
pub mod player;
pub mod steer;
pub mod strategy;
