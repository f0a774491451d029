//! People at games of any kind: how they start one, and play it again.

use rules::{Eye, Kind, Seat, quoted};
use serde_json::Value;

use super::{
    refusals::{Sorry, bad},
    seats::{NewGame, person},
};
use crate::{
    hall::{CreateError, Game, Plan},
    player::{Player, plain_name},
    store::SavedSeat,
};

/// Seats a person, and the computer everywhere else if that is who they play.
pub fn begin(kind: Kind, ask: &NewGame) -> Result<(Seat, Plan), Sorry> {
    let keys = kind.card.map_or(&[][..], |card| card.keys);
    if let Some(key) = ask.setup.keys().find(|name| keys.iter().all(|key| key.name != **name)) {
        return Err(bad(format!("{} has no set-up {}.", kind.name, quoted(key))));
    }
    let setup = Value::Object(ask.setup.clone()).to_string();
    let names = kind.names(&setup).map_err(CreateError::from)?;
    let seat = match &ask.seat {
        None => Seat(0),
        Some(wanted) => {
            let at = names.iter().position(|name| name.eq_ignore_ascii_case(wanted.trim()));
            let at = at.ok_or_else(|| {
                bad(format!("seat is one of {}, not {:?}.", names.join(", "), plain_name(wanted)))
            })?;
            Seat(at as u8)
        }
    };
    let opponent = ask.opponent()?.map(|player| match player {
        Player::Computer(level) => Player::computer(kind, level),
        player => player,
    });
    let others = (0..names.len() as u8).map(Seat).filter(|other| *other != seat);
    let others = others.filter_map(|other| Some(SavedSeat::new(other, opponent?)));
    let seats = [person(seat, &ask.name)].into_iter().chain(others).collect();
    Ok((seat, Plan::new(kind, setup, seats)))
}

/// Everybody moves on by one seat. Of the others, only the computer is sure to come.
pub async fn begin_again(game: &Game, before: Seat, name: &str) -> (Seat, Plan) {
    let sight = game.see(Eye::Public).await;
    let next = |seat: Seat| Seat((seat.0 + 1) % sight.names.len() as u8);
    let computers = sight.seats.iter().filter(|it| matches!(it.player, Player::Computer(_)));
    let computers = computers.map(|it| SavedSeat::new(next(it.seat), it.player));
    let seats = [person(next(before), name)].into_iter().chain(computers).collect();
    (next(before), Plan::new(game.kind(), game.setup().await, seats))
}
