//! Positions of connect four that a perfect player (the crate `connect-four-ai`) knows to be won are
//! played on by our highest level against that player. It must not let go of one of them.

use connect_four_ai::{Position, Solver};
use players::{Level, choose};
use rules::{Dice, Due, Record, kind};

const POSITIONS: u64 = 200;
/// So many discs lie at least, and at most.
const PLIES: (usize, u32) = (16, 10);
/// With more than this it is won at once, or nearly: no test.
const NEAR: i8 = 11;

fn main() {
    let mut solver = Solver::new();
    let mut dice = Dice::new(16, 0);
    let (mut kept, mut lost) = (0, Vec::new());
    while kept + (lost.len() as u64) < POSITIONS {
        let plies = PLIES.0 + dice.below(PLIES.1) as usize;
        let Some(moves) = random_moves(plies, &mut dice) else { continue };
        let worth = solver.solve(&position(&moves));
        if (1..=NEAR).contains(&worth) {
            match play_on(&mut solver, moves, kept) {
                Ok(()) => kept += 1,
                Err(moves) => lost.push(moves),
            }
        }
    }
    println!("connect-four: {kept} of {POSITIONS} won positions of 16 plies or more stayed won");
    assert!(lost.is_empty(), "not these, whose last move let it go: {lost:?}");
}

fn position(moves: &str) -> Position {
    Position::from_moves(moves).expect("moves that can be played")
}

/// A game of so many moves that is not over.
fn random_moves(plies: usize, dice: &mut Dice) -> Option<String> {
    let mut moves = String::new();
    while moves.len() < plies {
        let here = position(&moves);
        let column = dice.below(7) as usize;
        if here.is_playable(column) {
            if here.is_winning_move(column) {
                return None;
            }
            moves += &(column + 1).to_string();
        }
    }
    Some(moves)
}

/// Until our player has won; otherwise the moves up to the one that lets the win go.
fn play_on(solver: &mut Solver, mut moves: String, luck: u64) -> Result<(), String> {
    let top = Level::new(Level::MOST).expect("there are levels");
    let mut record = Record::start(kind("connect-four").expect("a kind"), "{}", 1).expect("a game");
    for column in moves.chars() {
        push(&mut record, &column.to_string());
    }
    loop {
        let Due::One(seat) = record.due() else { return Err(moves) };
        let column = choose(&record, seat, top, luck).expect("it has a move");
        let wins = position(&moves).is_winning_move(index(&column));
        push(&mut record, &column);
        moves += &column;
        if wins {
            return Ok(());
        }
        if solver.solve(&position(&moves)) >= 0 {
            return Err(moves);
        }
        let scores = solver.get_all_move_scores(&position(&moves));
        let best = (0..7).filter(|column| scores[*column].is_some()).max_by_key(|c| scores[*c]);
        let reply = (best.expect("it is not over") + 1).to_string();
        push(&mut record, &reply);
        moves += &reply;
    }
}

fn index(column: &str) -> usize {
    column.parse::<usize>().expect("a column") - 1
}

fn push(record: &mut Record, text: &str) {
    let Due::One(seat) = record.due() else { panic!("the game goes on") };
    let step = record.step(seat, text).expect("a legal move");
    record.take(step);
}
