//! Moves that are drawn before anybody makes one, so that two who always play the same do not play
//! the same game for ever.

use std::sync::Arc;

use crate::{Dice, Due, Illegal, Key, Rules, Seat};

const MOST: u8 = 8;

/// The key of the set-up that asks for them.
pub(crate) const KEY: Key = Key {
    name: "opening",
    about: "0 to 8 moves that are drawn first, or fewer, so that nobody can win at once after them; 0",
};

/// How they are written. Shared, for a search copies positions all the time.
pub(crate) type Opening = Arc<[String]>;

pub(crate) fn is_empty(plies: &u8) -> bool {
    *plies == 0
}

/// Plays so many moves at random, one after the other; fewer where whoever is next could win at
/// once after any of them. Answers how they are written too.
pub(crate) fn draw<R: Rules>(
    position: R,
    plies: u8,
    dice: &mut Dice,
) -> Result<(R, Opening), Illegal> {
    draw_evenly(position, plies, dice, |_, _, _| true)
}

/// The same, where the last of them makes up for what the others leave uneven: it is one of those
/// that do by `evens`, if there are any.
pub(crate) fn draw_evenly<R: Rules>(
    mut position: R,
    plies: u8,
    dice: &mut Dice,
    evens: impl Fn(&R, Seat, &R::Move) -> bool,
) -> Result<(R, Opening), Illegal> {
    if plies > MOST {
        return Err(Illegal::set_up(format!("opening is 0 to {MOST} moves, not {plies}")));
    }
    let mut drawn = Vec::new();
    for ply in 1..=plies {
        let Due::One(seat) = position.due() else { break };
        let mut moves = position.legal(seat);
        let evens = |mv: &R::Move| ply < plies || evens(&position, seat, mv);
        if moves.iter().any(evens) {
            moves.retain(evens);
        }
        let next = loop {
            if moves.is_empty() {
                return Ok((position, drawn.into()));
            }
            let mv = moves.swap_remove(dice.below(moves.len() as u32) as usize);
            let next = after(&position, seat, &mv, dice);
            if is_quiet(&next, dice) {
                drawn.push(position.write(&mv));
                break next;
            }
        };
        position = next;
    }
    Ok((position, drawn.into()))
}

fn after<R: Rules>(position: &R, seat: Seat, mv: &R::Move, dice: &mut Dice) -> R {
    let mut next = position.clone();
    next.play(&[(seat, mv.clone())], dice);
    next
}

/// Whether the game goes on, whatever is played next.
fn is_quiet<R: Rules>(position: &R, dice: &mut Dice) -> bool {
    match position.due() {
        Due::One(seat) => {
            let moves = position.legal(seat);
            moves.iter().all(|mv| after(position, seat, mv, dice).due().outcome().is_none())
        }
        _ => false,
    }
}
