//! Lists of games, read from what is kept with each turn, so that none of them replays a game.

use rules::{Due, Record, Rules, Seat, Step};

use super::{FindError, Game, Hall, Look, Seats, Sight};
use crate::{
    ids::{GameId, Handle},
    player::Player,
    store::{Gist, ListedGame, ListedGames, Millis, StoreError, Wanted},
};

/// More games than these are not taken up at the start; whoever plays in them wakes them.
const TAKEN_UP: u32 = 100_000;

impl Hall {
    pub async fn list(&self, wanted: Wanted) -> Result<ListedGames, StoreError> {
        self.store.list(wanted).await
    }

    /// One game as a list shows it.
    pub async fn listed(&self, id: GameId) -> Result<ListedGame, FindError> {
        if let Some(game) = self.in_memory(id) {
            return Ok(game.listed());
        }
        self.store.entry(id).await?.ok_or(FindError::NoSuchGame(id))
    }

    /// One game as a list shows it, and the seat that the handle's pass opens.
    pub async fn listed_with(
        &self,
        handle: &Handle,
    ) -> Result<(ListedGame, Option<Seat>), FindError> {
        let listed = self.listed(handle.game).await?;
        let seats: Seats = listed.seats.iter().cloned().collect();
        let seat = handle.pass.as_ref().and_then(|pass| self.fitting(pass, listed.id, &seats));
        Ok((listed, seat))
    }

    /// Goes on with the games that a stopped server left waiting for the computer.
    pub async fn resume(&self) -> Result<(), FindError> {
        for id in self.store.due_to_computer(TAKEN_UP).await? {
            self.resume_game(id).await;
        }
        Ok(())
    }

    pub(super) async fn resume_game(&self, id: GameId) {
        match self.glance(id).await {
            Ok(game) if self.computers.is_due(&game).await => drop(self.keep(game)),
            Ok(_) => {}
            Err(error) => tracing::warn!(%id, %error, "a game cannot go on"),
        }
    }
}

impl Game {
    /// The game as a list shows it.
    pub fn listed(&self) -> ListedGame {
        let state = self.state();
        let due = state.record.due();
        ListedGame {
            id: self.id(),
            kind: self.kind().name.to_owned(),
            created_at: self.created_at(),
            last_at: last_touched(self.created_at(), &state.times, &state.seats),
            turns: state.times.len() as u32,
            outcome: due.outcome().map(|outcome| outcome.text.clone()),
            winner: due.outcome().and_then(|outcome| outcome.winner()),
            seats: state.seats.iter().cloned().collect(),
            glimpse: Some(state.record.glimpse()),
            practice: self.is_practice(),
            yours: None,
        }
    }
}

impl<R: Rules> Look<R> {
    /// The game as a list shows it, without its glimpse, which is in the view.
    pub fn listed(&self) -> ListedGame {
        let outcome = self.due.outcome();
        ListedGame {
            id: self.id,
            kind: R::KIND.to_owned(),
            created_at: self.created_at,
            last_at: last_touched(self.created_at, &self.times, &self.seats),
            turns: self.next - 1,
            outcome: outcome.map(|outcome| outcome.text.clone()),
            winner: outcome.and_then(|outcome| outcome.winner()),
            seats: self.seats.iter().cloned().collect(),
            glimpse: None,
            practice: self.practice,
            yours: None,
        }
    }
}

impl Sight {
    /// The game as a list shows it, without its glimpse.
    pub fn listed(&self) -> ListedGame {
        ListedGame {
            id: self.id,
            kind: self.kind.name.to_owned(),
            created_at: self.created_at,
            last_at: self.last_at,
            turns: self.next - 1,
            outcome: self.outcome().map(|outcome| outcome.text.clone()),
            winner: self.outcome().and_then(|outcome| outcome.winner()),
            seats: self.seats.iter().cloned().collect(),
            glimpse: None,
            practice: self.practice,
            yours: None,
        }
    }
}

pub(super) fn last_touched(created_at: Millis, moves: &[Millis], seats: &Seats) -> Millis {
    let sat = seats.iter().map(|seat| seat.at);
    moves.iter().copied().chain(sat).fold(created_at, Millis::max)
}

/// How a game stands that nobody has replayed.
pub(super) fn gist(record: &Record, seats: &Seats) -> Gist {
    Gist {
        outcome: record.due().outcome().cloned(),
        glimpse: record.glimpse(),
        computer_due: is_computer_due(seats, &record.due(), record.asked()),
    }
}

/// How it stands after a step.
pub(super) fn gist_after(step: &Step, seats: &Seats) -> Gist {
    Gist {
        outcome: step.outcome(),
        glimpse: step.glimpse(),
        computer_due: is_computer_due(seats, &step.due(), step.asked()),
    }
}

fn is_computer_due(seats: &Seats, due: &Due, asked: Option<Seat>) -> bool {
    let is_computer = |player| matches!(player, Player::Computer(_));
    let mut computers = seats.iter().filter(|seat| is_computer(seat.player));
    due.outcome().is_none()
        && computers.any(|seat| due.includes(seat.seat) || asked == Some(seat.seat))
}
