//! Lists of games, read from what is kept with each turn, so that none of them replays a game; and
//! those of before, filled in little by little.

use std::{sync::Weak, time::Duration};

use rules::{Due, Record, Rules, Seat, Step};

use super::{Duty, FindError, Game, Hall, Look, Seats, Sight};
use crate::{
    ids::{GameId, Handle},
    player::Player,
    store::{Gist, ListedGame, ListedGames, Millis, StoreError, Wanted},
};

/// More games than these are not taken up at the start; whoever plays in them wakes them.
const TAKEN_UP: u32 = 100_000;
/// Games that are filled in at once.
const STEP: u32 = 50;
/// Between two steps, so that those who play do not notice.
const PAUSE: Duration = Duration::from_millis(20);
/// When the store does not answer.
const AGAIN: Duration = Duration::from_secs(5);
const LEASE: Duration = Duration::from_secs(10);

impl Hall {
    pub async fn list(&self, wanted: Wanted) -> Result<ListedGames, StoreError> {
        let mut list = self.store.list(wanted).await?;
        let mut games = Vec::with_capacity(list.games.len());
        for listed in list.games {
            if listed.glimpse.is_some() {
                games.push(listed);
                continue;
            }
            // One game that cannot be read does not hide the others.
            match self.read_out(&listed).await {
                Ok(listed) => games.push(listed),
                Err(error) => tracing::warn!(%error, "left out of the list"),
            }
        }
        list.games = games;
        Ok(list)
    }

    /// What a list shows of one game.
    pub async fn listed(&self, id: GameId) -> Result<ListedGame, FindError> {
        if let Some(game) = self.in_memory(id) {
            return Ok(game.listed());
        }
        let listed = self.store.entry(id).await?.ok_or(FindError::NoSuchGame(id))?;
        match listed.glimpse {
            Some(_) => Ok(listed),
            None => self.read_out(&listed).await,
        }
    }

    /// The same, and the seat that the handle's pass opens.
    pub async fn listed_with(
        &self,
        handle: &Handle,
    ) -> Result<(ListedGame, Option<Seat>), FindError> {
        let listed = self.listed(handle.game).await?;
        let seats: Seats = listed.seats.iter().cloned().collect();
        let seat = handle.pass.as_ref().and_then(|pass| self.fitting(pass, listed.id, &seats));
        Ok((listed, seat))
    }

    /// A game that is not filled in yet.
    async fn read_out(&self, listed: &ListedGame) -> Result<ListedGame, FindError> {
        let game = self.glance(listed.id).await?;
        Ok(ListedGame { last_at: listed.last_at, yours: listed.yours, ..game.listed() })
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

    /// Fills in some games of before. False if there are none left.
    async fn fill_in_some(&self) -> Result<bool, StoreError> {
        let ids = self.store.to_fill_in(STEP).await?;
        let mut games = Vec::with_capacity(ids.len());
        let mut due = Vec::new();
        for id in ids {
            let game = match self.glance(id).await {
                Ok(game) => game,
                Err(FindError::Store(error)) => return Err(error),
                // It is listed by what is known without reading it.
                Err(error) => {
                    tracing::warn!(%error, "nothing but its players is listed");
                    games.push((id, None));
                    continue;
                }
            };
            let gist = game.gist();
            due.extend(gist.computer_due.then(|| game.clone()));
            games.push((id, Some(gist)));
        }
        let any = !games.is_empty();
        self.store.fill_in(games).await?;
        due.into_iter().for_each(|game| drop(self.keep(game)));
        Ok(any)
    }
}

/// Fills in the games of before there were lists, in one process at a time.
pub(super) async fn fill_in(hall: Weak<Hall>) {
    let Some(store) = hall.upgrade().map(|hall| hall.store.clone()) else { return };
    loop {
        match store.to_fill_in(1).await {
            Ok(left) if left.is_empty() => return,
            Ok(_) => {
                let mut duty = Duty::new(store.clone(), "lists".into(), LEASE);
                let filled = duty.fulfil(fill_in_all(&hall)).await;
                duty.give_up().await;
                if let Some(Ok(())) = filled {
                    return;
                }
            }
            Err(error) => tracing::warn!(%error, "lists are not filled in yet"),
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn fill_in_all(hall: &Weak<Hall>) -> Result<(), StoreError> {
    while let Some(hall) = hall.upgrade() {
        if !hall.fill_in_some().await? {
            break;
        }
        drop(hall);
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

impl Game {
    /// How it stands now.
    fn gist(&self) -> Gist {
        let state = self.state();
        gist(&state.record, &state.seats)
    }

    /// What a list shows of it.
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
            yours: None,
        }
    }
}

impl<R: Rules> Look<R> {
    /// What a list shows of the game, less its glimpse, which is in the view.
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
            yours: None,
        }
    }
}

impl Sight {
    /// What a list shows of the game, less its glimpse.
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
