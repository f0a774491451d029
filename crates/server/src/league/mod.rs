//! Leagues: how their messages go over the wire, who leads and referees them, and the programs around
//! them. These are three places and not one: the doors stand between play and programs.
//!
//! Who meets whom and who has won is in `rules`.

pub mod play;
pub mod programs;
pub mod wire;
