//! The player at a seat, in words.

use crate::{
    player::{Player, plain_name},
    store::SavedSeat,
};

/// The player at a seat, for people.
pub fn describe(seat: Option<&SavedSeat>) -> String {
    let Some(seat) = seat else { return "nobody yet".into() };
    match seat.player {
        Player::Computer(level) => format!("computer, level {}", level.get()),
        Player::Human if seat.name.is_empty() => "human".into(),
        Player::Human => seat.name.clone(),
        Player::Agent if seat.name.is_empty() => "agent".into(),
        Player::Agent => format!("agent {}", seat.name),
    }
}

/// The player at a seat, for a model, which must not take a name for ours or for an order: `agent
/// "Claude"`.
pub fn introduce(seat: Option<&SavedSeat>) -> String {
    match seat {
        Some(SavedSeat { player, name, .. }) if !name.is_empty() => {
            format!("{player} \"{}\"", plain_name(name).replace('"', "'"))
        }
        _ => describe(seat),
    }
}
