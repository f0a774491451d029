//! Hex as a machine sees it: the board is filled at random again and again, more often where that
//! has gone well, and a move is also judged by the games in which it came later (UCT with RAVE).
//! Where few cells are empty it is first of all solved.

mod solver;

use std::cmp::Reverse;

use rules::{
    Dice, Rules, Seat,
    hex::{Hex, Move, neighbours},
};

use crate::{Computer, Effort, effort, exact};

/// While so many cells are filled at random, one position is looked at that may be solved.
const CELLS: u32 = 32;

/// How much is tried that has not gone well so far.
const CURIOSITY: f32 = 0.3;

/// With so many visits, what is known of a move itself counts as much as the games in which it came
/// later.
const EQUAL: f32 = 300.0;

impl Computer for Hex {
    /// Their work is how many cells are filled.
    const LEVELS: &'static [Effort] = &[
        effort(97, 20_000),
        effort(92, 20_000),
        effort(82, 20_000),
        effort(68, 20_000),
        effort(50, 20_000),
        effort(32, 20_000),
        effort(16, 30_000),
        effort(5, 60_000),
        effort(0, 500_000),
    ];
    const SETUP: &'static str = r#"{"opening": 4}"#;

    fn think(&self, seat: Seat, work: u32, dice: &mut Dice) -> Option<Move> {
        let size = self.size();
        let cells: Vec<_> = (0..size * size).map(|cell| self.at(cell)).collect();
        if self.may_swap() && cells.iter().all(Option::is_none) {
            // A stone in the middle would be taken over; one at the side is fair.
            return Some(Move::Place(size as u8));
        }
        let mut tree = Tree::new(size, cells, seat);
        let playouts = (work / (size * size) as u32).max(1);
        (0..playouts).for_each(|_| tree.play_out(dice));
        let mut arms: Vec<_> = tree.arms(0).copied().collect();
        arms.sort_by_key(|arm| Reverse(arm.visits));
        let order: Vec<_> = arms.iter().map(|arm| usize::from(arm.cell)).collect();
        let solved = solver::solve(size, &tree.cells, seat, &order, work / CELLS);
        let best = arms.first()?;
        let can_swap = self.legal(seat).contains(&Move::Swap);
        Some(match solved {
            Some(solver::Solved::Won(cell)) => Move::Place(cell as u8),
            Some(solver::Solved::Lost) if can_swap => Move::Swap,
            None if can_swap && 2 * best.wins < best.visits => Move::Swap,
            _ => Move::Place(best.cell),
        })
    }
}

/// A move in one place, and how it has gone for whoever makes it.
#[derive(Clone, Copy)]
struct Arm {
    cell: u8,
    visits: u32,
    wins: u32,
    /// Games in which the same player made it later.
    later: u32,
    later_wins: u32,
    /// Where it leads, if that has been looked at.
    node: Option<u32>,
}

impl Arm {
    fn promise(&self, curiosity: f32) -> f32 {
        let share = |wins: u32, of: u32| if of == 0 { 0.5 } else { wins as f32 / of as f32 };
        let visits = self.visits as f32;
        let trust = (EQUAL / (3.0 * visits + EQUAL)).sqrt();
        let known = (1.0 - trust) * share(self.wins, self.visits)
            + trust * share(self.later_wins, self.later);
        known + curiosity / (visits + 1.0).sqrt()
    }
}

struct Tree {
    size: usize,
    neighbours: Vec<Vec<usize>>,
    cells: Vec<Option<Seat>>,
    next: Seat,
    /// The arms of a node are those between two numbers.
    nodes: Vec<(u32, u32)>,
    arms: Vec<Arm>,
}

impl Tree {
    fn new(size: usize, cells: Vec<Option<Seat>>, next: Seat) -> Tree {
        let neighbours = (0..size * size).map(|cell| neighbours(cell, size).collect()).collect();
        let mut tree = Tree { size, neighbours, cells, next, nodes: Vec::new(), arms: Vec::new() };
        let empty: Vec<_> = tree.empty(&tree.cells).collect();
        tree.grow(&empty);
        tree
    }

    fn empty(&self, cells: &[Option<Seat>]) -> impl Iterator<Item = u8> + use<> {
        let empty: Vec<_> = cells.iter().map(Option::is_none).collect();
        (0..).zip(empty).filter(|(_, is_empty)| *is_empty).map(|(cell, _)| cell)
    }

    fn arms(&self, node: u32) -> impl Iterator<Item = &Arm> {
        let (from, to) = self.nodes[node as usize];
        self.arms[from as usize..to as usize].iter()
    }

    /// A node in which these cells can be filled.
    fn grow(&mut self, empty: &[u8]) -> u32 {
        let from = self.arms.len() as u32;
        self.arms.extend(empty.iter().map(|cell| Arm {
            cell: *cell,
            visits: 0,
            wins: 0,
            later: 0,
            later_wins: 0,
            node: None,
        }));
        self.nodes.push((from, self.arms.len() as u32));
        self.nodes.len() as u32 - 1
    }

    /// One game: by what is known as far as the tree goes and one step further, then at random.
    fn play_out(&mut self, dice: &mut Dice) {
        let mut cells = self.cells.clone();
        let (mut seat, mut node) = (self.next, Some(0));
        let mut path = Vec::new();
        while let Some(at) = node {
            let (from, to) = self.nodes[at as usize];
            let visits: u32 = self.arms(at).map(|arm| arm.visits).sum();
            let curiosity = CURIOSITY * (exact::ln(visits + 1) as f32).sqrt();
            let promise = |arm: &u32| self.arms[*arm as usize].promise(curiosity);
            let best = (from..to).max_by(|a, b| promise(a).total_cmp(&promise(b)));
            let Some(best) = best else { break };
            path.push((at, best, seat));
            let arm = self.arms[best as usize];
            cells[usize::from(arm.cell)] = Some(seat);
            seat = Seat(1 - seat.0);
            node = arm.node;
            // A place is looked into when it is come to for the second time.
            if node.is_none() && arm.visits > 0 {
                let empty: Vec<_> = self.empty(&cells).collect();
                node = Some(self.grow(&empty));
                self.arms[best as usize].node = node;
            }
        }
        let mut empty: Vec<_> = self.empty(&cells).collect();
        for at in (0..empty.len()).rev() {
            let drawn = empty.swap_remove(dice.below(at as u32 + 1) as usize);
            cells[usize::from(drawn)] = Some(seat);
            seat = Seat(1 - seat.0);
        }
        let winner = if self.joins_top_and_bottom(&cells) { Seat(0) } else { Seat(1) };
        self.learn(&path, &cells, winner);
    }

    /// On a full board Black's stones do, or White's join left and right.
    fn joins_top_and_bottom(&self, cells: &[Option<Seat>]) -> bool {
        let black = Some(Seat(0));
        let mut is_seen = vec![false; cells.len()];
        let mut waiting: Vec<_> = (0..self.size).filter(|cell| cells[*cell] == black).collect();
        waiting.iter().for_each(|cell| is_seen[*cell] = true);
        while let Some(cell) = waiting.pop() {
            if cell >= cells.len() - self.size {
                return true;
            }
            for next in &self.neighbours[cell] {
                if cells[*next] == black && !is_seen[*next] {
                    is_seen[*next] = true;
                    waiting.push(*next);
                }
            }
        }
        false
    }

    fn learn(&mut self, path: &[(u32, u32, Seat)], cells: &[Option<Seat>], winner: Seat) {
        for (node, arm, seat) in path {
            let won = u32::from(*seat == winner);
            let arm = &mut self.arms[*arm as usize];
            arm.visits += 1;
            arm.wins += won;
            let (from, to) = self.nodes[*node as usize];
            for arm in &mut self.arms[from as usize..to as usize] {
                if cells[usize::from(arm.cell)] == Some(*seat) {
                    arm.later += 1;
                    arm.later_wins += won;
                }
            }
        }
    }
}
