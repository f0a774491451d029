//! What the beginning of a game is called.
//!
//! The names are those of lichess-org/chess-openings, which its authors gave to the public domain
//! (CC0 1.0). In `openings.tsv` each line has a code, a name, and the moves that lead there: how
//! many of them it shares with the line before, then the others.

use std::{collections::HashMap, sync::LazyLock};

use shakmaty::{Chess, Position, uci::UciMove, zobrist::Zobrist64};

use super::key;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// `C50`, as the Encyclopaedia of Chess Openings counts them.
    pub eco: &'static str,
    /// `Italian Game: Two Knights Defense`
    pub name: &'static str,
}

static OPENINGS: LazyLock<HashMap<Zobrist64, Opening>> =
    LazyLock::new(|| read(include_str!("openings.tsv")));

/// Of the opening whose position this is.
pub(super) fn named(position: Zobrist64) -> Option<Opening> {
    OPENINGS.get(&position).copied()
}

fn read(table: &'static str) -> HashMap<Zobrist64, Opening> {
    let mut line = vec![Chess::new()];
    let mut openings = HashMap::new();
    for row in table.lines() {
        let mut columns = row.split('\t');
        let mut column = || columns.next().expect("a row has three columns");
        let (eco, name, moves) = (column(), column(), column());
        let mut moves = moves.split(' ');
        let shared: usize = moves.next().and_then(|n| n.parse().ok()).expect("a number");
        line.truncate(shared + 1);
        for mv in moves {
            let mut position = line[line.len() - 1].clone();
            let mv: UciMove = mv.parse().expect("a move");
            position.play_unchecked(mv.to_move(&position).expect("a legal move"));
            line.push(position);
        }
        openings.insert(key(&line[line.len() - 1]), Opening { eco, name });
    }
    openings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_position_of_its_own() {
        assert_eq!(OPENINGS.len(), include_str!("openings.tsv").lines().count());
    }
}
