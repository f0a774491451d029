//! Picking one of the moves the search has scored, as a player of some level would: not always the
//! best, but never without a reason. What the lowest levels go by instead is in `child`.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use shakmaty::{Chess, Color, Move, Position, Role, Square};

use crate::child::Glance;
use crate::level::Character;
use crate::node::Node;
use crate::root::Breadth;
use crate::score::is_won;
use crate::{DEEPEST, ScoredLine, ScoredMove};

/// So far even the highest levels do not always play the same, lest every game be alike; from a
/// set-up with fewer men, where no opening is played, they do.
const OPENING_PLIES: usize = 8;
const OPENING_MEN: usize = 28;
const OPENING_TEMPERATURE: i32 = 5;

/// How often a move is picked beside the best one, for each half temperature by which it is worse:
/// falling like e^-x, and written out because floats may round differently elsewhere.
const TEMPTATION: [u64; 15] = [1000, 607, 368, 223, 135, 82, 50, 30, 18, 11, 7, 4, 2, 2, 1];

/// A character in a position.
pub(crate) struct Mood<'a> {
    character: &'a Character,
    temperature: i32,
    pub deepest: i32,
}

/// How this character goes about this position.
pub(crate) fn mood<'a>(character: &'a Character, position: &Chess, plies: usize) -> Mood<'a> {
    let opening = plies < OPENING_PLIES && position.board().occupied().count() >= OPENING_MEN;
    let least = if opening { OPENING_TEMPERATURE } else { 0 };
    // With only a king left to mate, whoever knows how to keeps their mind on it.
    let mating = character.sure_of_mate && !position.them().more_than_one();
    // Over a forced move nobody thinks long.
    let forced = position.legal_moves().len() == 1;
    let deepest = if mating { None } else { character.deepest };
    Mood {
        character,
        temperature: if mating { 0 } else { character.temperature.max(least) },
        deepest: if forced { 4 } else { deepest.unwrap_or(DEEPEST) },
    }
}

impl Mood<'_> {
    /// Only moves that can be picked need a score.
    pub fn breadth(&self) -> Breadth {
        match self.temperature {
            0 => Breadth::Best,
            _ if self.character.sight.is_some() => Breadth::Within(i32::MAX / 2),
            _ => Breadth::Within(self.temperature * (TEMPTATION.len() as i32 + 1) / 2),
        }
    }
}

/// One of the lines, which are the best first, as the dice and the mood have it.
pub(crate) fn choose(
    mood: &Mood,
    root: &Node,
    played: &[Move],
    lines: &[ScoredLine],
    seed: u64,
) -> Option<ScoredMove> {
    let best = lines.first().map(|line| ScoredMove { mv: line.mv, score: line.score })?;
    if mood.temperature == 0 || (mood.character.sure_of_mate && is_won(best.score)) {
        return Some(best);
    }
    // One stream for each ply: with a single seed for a whole game the same luck must not return
    // at every move.
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    dice.set_stream(played.len() as u64);
    let glance = mood.character.sight.as_ref().map(|sight| Glance::new(sight, &mut dice));
    let appeals: Vec<i32> = lines
        .iter()
        .map(|line| {
            let promise = match &glance {
                Some(glance) => glance.promise(root, played, line.mv),
                None => line.score,
            };
            promise + charm(root, played, line.mv) * mood.character.habit / 10
        })
        .collect();
    let picked = yield_to_temptation(&appeals, mood.temperature, &mut dice);
    Some(ScoredMove { mv: lines[picked].mv, score: lines[picked].score })
}

/// The most appealing is likeliest, and what lags behind by many temperatures is never picked.
fn yield_to_temptation(appeals: &[i32], temperature: i32, dice: &mut ChaCha8Rng) -> usize {
    let most = appeals.iter().copied().max().unwrap_or(0);
    let weight = |appeal: i32| {
        let step = (most - appeal) * 2 / temperature;
        TEMPTATION.get(step as usize).copied().unwrap_or(0)
    };
    let mut left = dice.next_u64() % appeals.iter().copied().map(weight).sum::<u64>();
    for (index, &appeal) in appeals.iter().enumerate() {
        match left.checked_sub(weight(appeal)) {
            Some(rest) => left = rest,
            None => return index,
        }
    }
    unreachable!("the draw is below the sum of the weights")
}

/// What draws a beginner's eye, whether it is good or not, in tenths of a habit.
fn charm(root: &Node, played: &[Move], mv: Move) -> i32 {
    let position = &root.position;
    let turn = position.turn();
    let mut charm = 0;
    if let Some(taken) = mv.capture() {
        charm += if taken == Role::Pawn { 4 } else { 8 };
        // What just came here asks to be taken back.
        charm += if played.last().is_some_and(|last| last.to() == mv.to()) { 6 } else { 0 };
    }
    charm += if root.play(mv).is_check() { 5 } else { 0 };
    charm += match mv {
        Move::Castle { .. } => 10,
        // A king stays at home until the queens are gone.
        Move::Normal { role: Role::King, .. } if position.board().queens().any() => -12,
        Move::Normal { role, from, to, .. } => going(turn, role, from, to),
        _ => 0,
    };
    charm - if takes_back(played, mv) { 10 } else { 0 }
}

/// Forward and towards the middle; rooks stay where they are.
fn going(turn: Color, role: Role, from: Square, to: Square) -> i32 {
    let rank = |square: Square| turn.fold_wb(1, -1) * square.rank().to_usize() as i32;
    let forward = (rank(to) - rank(from)).signum();
    let inward = centrality(to) - centrality(from);
    match role {
        Role::Pawn => centrality(to),
        Role::Knight | Role::Bishop => 2 * forward + 2 * inward,
        Role::Rook => -4 + forward,
        Role::Queen => forward,
        Role::King => 0,
    }
}

/// 0 along the edge, up to 3 in the middle of the board.
fn centrality(square: Square) -> i32 {
    let from_edge = |line: usize| line.min(7 - line) as i32;
    from_edge(square.file().to_usize()).min(from_edge(square.rank().to_usize()))
}

/// Whether the move goes back to where the piece came from at our last turn.
fn takes_back(played: &[Move], mv: Move) -> bool {
    let last = played.len().checked_sub(2).and_then(|index| played.get(index));
    last.is_some_and(|last| last.from() == Some(mv.to()) && Some(last.to()) == mv.from())
}
