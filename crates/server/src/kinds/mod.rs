//! What is special about a kind of game. Most kinds need no folder here.

pub mod chess;
pub mod dungeon;
