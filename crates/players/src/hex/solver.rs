//! Solves a game of Hex if few cells are empty.
//!
//! A move that loses shows which cells the other's win needs. Moves outside of these change nothing
//! and are skipped.

use std::collections::HashMap;

use rules::{Seat, hex::neighbours};

/// With more empty cells than this nobody tries.
const MOST: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solved {
    /// With a stone on this cell.
    Won(usize),
    /// Whatever is played.
    Lost,
}

/// The winner if `seat` is next; none if the budget of positions ran out. The empty cells are
/// looked at in this order.
pub(crate) fn solve(
    size: usize,
    cells: &[Option<Seat>],
    seat: Seat,
    order: &[usize],
    positions: u32,
) -> Option<Solved> {
    if order.len() > MOST {
        return None;
    }
    let neighbours = (0..cells.len()).map(|cell| neighbours(cell, size).collect()).collect();
    let cells = cells.to_vec();
    let mut solver =
        Solver { size, neighbours, cells, order, left: positions, memory: HashMap::new() };
    let proof = solver.prove(seat)?;
    Some(proof.first.map_or(Solved::Lost, Solved::Won))
}

/// Whether whoever is next wins, and the empty cells that the win needs, a bit for each.
#[derive(Clone, Copy)]
struct Proof {
    /// The move that wins, if there is one.
    first: Option<usize>,
    needs: u32,
}

struct Solver<'a> {
    size: usize,
    neighbours: Vec<Vec<usize>>,
    cells: Vec<Option<Seat>>,
    /// The cells that were empty at first; a bit stands for the place of a cell in this list.
    order: &'a [usize],
    left: u32,
    memory: HashMap<u64, Proof>,
}

impl Solver<'_> {
    fn prove(&mut self, seat: Seat) -> Option<Proof> {
        self.left = self.left.checked_sub(1)?;
        let key = self.key();
        if let Some(proof) = self.memory.get(&key) {
            return Some(*proof);
        }
        let other = Seat(1 - seat.0);
        let order = self.order;
        // Where the other's wins after all moves so far overlap.
        let (mut must, mut needs) = (u32::MAX, 0);
        let mut proof = None;
        for (bit, cell) in order.iter().enumerate().map(|(at, cell)| (1 << at, *cell)) {
            if self.cells[cell].is_some() || must & bit == 0 {
                continue;
            }
            self.cells[cell] = Some(seat);
            let reply = if self.joins(cell, seat) {
                Some(Proof { first: None, needs: 0 })
            } else {
                self.prove(other)
            };
            self.cells[cell] = None;
            let reply = reply?;
            if reply.first.is_none() {
                proof = Some(Proof { first: Some(cell), needs: reply.needs | bit });
                break;
            }
            must &= reply.needs;
            needs |= reply.needs;
        }
        let proof = proof.unwrap_or(Proof { first: None, needs });
        self.memory.insert(key, proof);
        Some(proof)
    }

    /// The owner of each cell that was empty; whose move it is follows from it.
    fn key(&self) -> u64 {
        let bits = |seat: Seat| {
            let cells = self.order.iter().enumerate();
            cells.fold(0_u64, |bits, (at, cell)| {
                bits | u64::from(self.cells[*cell] == Some(seat)) << at
            })
        };
        bits(Seat(0)) << 32 | bits(Seat(1))
    }

    /// Whether the stone on this cell is part of a chain from edge to edge.
    fn joins(&self, cell: usize, seat: Seat) -> bool {
        let across =
            |cell: usize| if seat == Seat(0) { cell / self.size } else { cell % self.size };
        let mut is_seen = vec![false; self.cells.len()];
        is_seen[cell] = true;
        let mut waiting = vec![cell];
        let mut edges = [false; 2];
        while let Some(at) = waiting.pop() {
            edges[0] |= across(at) == 0;
            edges[1] |= across(at) == self.size - 1;
            for next in &self.neighbours[at] {
                if self.cells[*next] == Some(seat) && !is_seen[*next] {
                    is_seen[*next] = true;
                    waiting.push(*next);
                }
            }
        }
        edges == [true, true]
    }
}
