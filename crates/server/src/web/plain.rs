//! People at games of any kind: how they start one, and play it again.

use rules::{Eye, Kind, Seat};

use super::{
    refusals::ApiError,
    seats::{GameWanted, person},
};
use crate::{
    hall::{CreateError, Game, Plan},
    player::Player,
    setting_up::{SetUp, set_up},
    store::SavedSeat,
};

/// Seats a person, and the computer everywhere else if that is who they play.
pub fn begin(kind: Kind, ask: &GameWanted) -> Result<(Seat, Plan), ApiError> {
    let SetUp { text: setup, names, seed } =
        set_up(kind, ask.setup.clone()).map_err(CreateError::from)?;
    let seat = ask.wanted_seat(names)?;
    let opponent = ask.opponent()?.map(|player| match player {
        Player::Computer(level) => Player::computer(kind, level),
        player => player,
    });
    let others = (0..names.len() as u8).map(Seat).filter(|other| *other != seat);
    let others = others.filter_map(|other| Some(SavedSeat::new(other, opponent?)));
    let seats = [person(seat, &ask.name)].into_iter().chain(others).collect();
    Ok((seat, Plan::new(kind, setup, seats).seeded(seed)))
}

/// Everybody moves on by one seat. Of the others, only the computer is sure to come.
pub fn begin_again(game: &Game, before: Seat, name: &str) -> (Seat, Plan) {
    let sight = game.see(Eye::Public);
    let next = |seat: Seat| Seat((seat.0 + 1) % sight.names.len() as u8);
    let computers = sight.seats.iter().filter(|it| matches!(it.player, Player::Computer(_)));
    let computers = computers.map(|it| SavedSeat::new(next(it.seat), it.player));
    let seats = [person(next(before), name)].into_iter().chain(computers).collect();
    (next(before), Plan::new(game.kind(), game.setup(), seats))
}
