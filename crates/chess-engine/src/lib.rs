//! A chess player for agon: given a game, a level and a seed, it names a move.
//!
//! It reads no clock, touches no disk and rolls no dice of its own, so the same question always
//! gets the same answer. Looking ahead is in `search`, judging a position in `evaluate`; here a
//! move is picked among those the search has scored.

mod evaluate;
mod level;
mod order;
mod search;
mod squares;
mod table;

use std::sync::atomic::AtomicBool;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use shakmaty::{Chess, Move, Position};

pub use level::Level;
use search::{Search, is_won};

/// A move, and what it is expected to lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub mv: Move,
    /// In centipawns, seen by the side to move. A forced mate in n plies is 32000 - n.
    pub score: i32,
}

const OPENING_PLIES: usize = 8;
const OPENING_MEN: usize = 28;
const OPENING_TEMPERATURE: i32 = 6;

/// How often a move is picked beside the best one, for each half temperature by which it is worse:
/// falling like e^-x, and written out because floats may round differently elsewhere.
const TEMPTATION: [u64; 15] = [1000, 607, 368, 223, 135, 82, 50, 30, 18, 11, 7, 4, 2, 2, 1];

/// The move to play after the legal `moves` have been played from `start`; repetitions count.
/// None when there is no legal move, or `stop` was set.
pub fn best_move(
    start: &Chess,
    moves: &[Move],
    level: Level,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Choice> {
    let character = level.character();
    let mut search = Search::new(start, moves, character.nodes, stop);
    let temperature = match in_opening(search.position(), moves.len()) {
        true => character.temperature.max(OPENING_TEMPERATURE),
        false => character.temperature,
    };

    let mut choices = search.score_moves(reach(temperature))?;
    let best = *choices.first()?;
    if temperature == 0 || (character.sure_of_mate && is_won(best.score)) {
        return Some(best);
    }

    // One stream for each ply: with a single seed for a whole game the same luck must not return
    // at every move.
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    dice.set_stream(moves.len() as u64);
    overlook_answers(search.position(), &mut choices, character.blindness, &mut dice);
    Some(yield_to_temptation(&choices, temperature, &mut dice))
}

fn in_opening(position: &Chess, plies: usize) -> bool {
    plies < OPENING_PLIES && position.board().occupied().count() >= OPENING_MEN
}

/// By how much a move must be worse than the best never to be picked.
fn reach(temperature: i32) -> i32 {
    temperature * (TEMPTATION.len() as i32 + 1) / 2
}

fn overlook_answers(
    position: &Chess,
    choices: &mut [Choice],
    blindness: u64,
    dice: &mut ChaCha8Rng,
) {
    for choice in choices {
        if dice.next_u64() % 1000 < blindness {
            let mut after = position.clone();
            after.play_unchecked(choice.mv);
            choice.score = -evaluate::evaluate(&after);
        }
    }
}

fn yield_to_temptation(choices: &[Choice], temperature: i32, dice: &mut ChaCha8Rng) -> Choice {
    let best = choices.iter().map(|choice| choice.score).max().unwrap_or(0);
    let weight = |choice: &Choice| {
        let step = (best - choice.score) * 2 / temperature;
        TEMPTATION.get(step as usize).copied().unwrap_or(0)
    };
    let mut left = dice.next_u64() % choices.iter().map(weight).sum::<u64>();
    for choice in choices {
        match left.checked_sub(weight(choice)) {
            Some(rest) => left = rest,
            None => return *choice,
        }
    }
    unreachable!("the draw is below the sum of the weights")
}
