//! How a person gets a seat at a board: by starting a game, joining one, opening a link, or playing
//! the last opponent again.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
};
use rules::{Eye, Seat, quoted};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    Web,
    api::{enter, handle},
    refusals::{ApiError, bad},
    showing::PageJson,
};
use crate::{
    budgets::CallerId,
    hall::{FindError, Game, Plan},
    player::{Level, Player, plain_name, wanted_seat},
    store::{Hashed, Link, Opener, SavedSeat, now},
};

/// Of so many games at once a browser hears how they stand.
const MOST_PASSES: usize = 100;

#[derive(Deserialize, TS)]
#[ts(optional_fields, rename = "NewGame")]
pub struct GameWanted {
    /// The usual one if left out.
    #[serde(default)]
    game: Option<String>,
    /// Where there is one.
    // Read by `opponent`, which says what would have been right.
    #[serde(default)]
    #[ts(optional, type = "'computer' | 'human' | 'agent'")]
    pub opponent: String,
    #[serde(default)]
    pub color: Option<String>,
    /// The same by its name, which goes first.
    #[serde(default)]
    pub seat: Option<String>,
    /// What else the kind lets its players choose.
    #[serde(default)]
    #[ts(optional, type = "Record<string, unknown>")]
    pub setup: serde_json::Map<String, serde_json::Value>,
    #[serde(default)]
    difficulty: Option<u8>,
    /// Both sides may ask what the position is worth; an agent who joins must agree.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub hints: bool,
    /// What the person wants to be called.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub name: String,
}

impl GameWanted {
    /// Where the person sits, among seats of these names.
    pub fn wanted_seat(&self, names: &[&str]) -> Result<Seat, ApiError> {
        let wanted = wanted_seat(names, self.seat.as_deref(), self.color.as_deref());
        Ok(wanted.map_err(|no| bad(format!("{no}.")))?.unwrap_or(Seat(0)))
    }

    /// The opponent that plays from the start; None where somebody is still to come.
    pub fn opponent(&self) -> Result<Option<Player>, ApiError> {
        let level = self.difficulty.unwrap_or(5);
        match self.opponent.as_str() {
            "computer" => match Level::new(level) {
                Some(level) => Ok(Some(Player::Computer(level))),
                None => Err(bad("difficulty goes from 1 to 10.")),
            },
            "human" | "agent" => Ok(None),
            other => {
                Err(bad(format!("opponent is computer, human or agent, not {}.", quoted(other))))
            }
        }
    }
}

/// A seat, and the secret that opens it.
#[derive(Serialize, TS)]
pub struct SeatTaken {
    game_id: String,
    pass: String,
    /// What the seat is called.
    seat: &'static str,
    /// The same as `color` asks for it.
    color: String,
}

pub async fn create(
    State(web): State<Arc<Web>>,
    by: CallerId,
    Json(ask): Json<GameWanted>,
) -> Result<(StatusCode, Json<SeatTaken>), ApiError> {
    let (kind, showing) = match ask.game.as_deref() {
        None => web.showings.first(),
        Some(name) => web.showings.named(name)?,
    };
    let (seat, plan) = showing.begin(kind, &ask)?;
    let game = web.hall.create(Plan { by, ..plan }).await?;
    Ok(seated(&web, &game, seat))
}

#[derive(Default, Deserialize, TS)]
pub struct Joining {
    /// What the person wants to be called.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    name: String,
}

pub async fn join(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    ask: Option<Json<Joining>>,
) -> Result<(StatusCode, Json<SeatTaken>), ApiError> {
    let game = web.hall.find(handle(&id)?.game).await?;
    game.refresh().await;
    let sight = game.see(Eye::Public);
    // Where nobody sits, a referee plays for others.
    let is_open = sight.seats.iter().next().is_some();
    let seats = || sight.all_seats().filter(|_| is_open);
    let name = ask.unwrap_or_default().0.name;
    // Others may be quicker, once for each seat.
    for _ in seats() {
        let Some(seat) = game.first_free(seats()) else { break };
        if game.sit(person(seat, &name), Vec::new()).await? {
            return Ok(seated(&web, &game, seat));
        }
    }
    Err(ApiError::new(StatusCode::CONFLICT, "All seats are taken; you can watch."))
}

#[derive(Deserialize, TS)]
#[ts(optional_fields)]
pub struct LinkOpening {
    code: String,
    /// Of the browser's own making; by it the same browser is known when it asks again.
    key: Option<String>,
    /// What the person wants to be called.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    name: String,
}

/// Seats whoever is the first to open a link.
pub async fn open(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    Json(ask): Json<LinkOpening>,
) -> Result<(StatusCode, Json<SeatTaken>), ApiError> {
    let game = web.hall.find(handle(&id)?.game).await?;
    let ended = "This link opens no seat any more. Ask your agent for a new one, or watch.";
    let ended = || ApiError::new(StatusCode::FORBIDDEN, ended);
    let code = ask.code.parse().map_err(|_| ended())?;
    let key = ask.key.filter(|key| (8..=100).contains(&key.len()));
    let key = key.map(|key| Hashed::of(&format!("open {} {key}", ask.code)));
    game.refresh().await;
    let seats = game.seats();
    let seat = web.hall.linked_seat(&game, &seats, code).ok_or_else(ended)?;
    let name = Some(plain_name(&ask.name)).filter(|name| !name.is_empty());
    let opener = Opener { key, name, at: now() };
    let first = game.open_link(seat, seats.links(seat), opener).await?;
    let again = match key {
        Some(key) => game.seat_of(key).await? == Some(seat),
        None => false,
    };
    if !first && !again {
        let text = "Somebody has opened this link already. If that was not you, ask your agent for \
                    a new one, which ends this one; or watch.";
        return Err(ApiError::new(StatusCode::CONFLICT, text));
    }
    Ok(seated(&web, &game, seat))
}

/// Renames a person who came by a link.
pub async fn rename(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(ask): Json<Joining>,
) -> Result<Json<PageJson>, ApiError> {
    let (game, seat) = enter(&web.hall, &id, &headers).await?;
    let seats = game.seats();
    let is_person = |seat: &Seat| seats.at(*seat).is_some_and(|it| it.player == Player::Human);
    let Some(seat) = seat.filter(is_person) else {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "Only a person who plays is named here."));
    };
    if seats.league().is_some() {
        let text = "In a match of a league you go by the name you have there.";
        return Err(ApiError::new(StatusCode::CONFLICT, text));
    }
    game.rename(seat, plain_name(&ask.name)).await?;
    web.show(&game, Some(seat)).await
}

/// Plays the same opponent once more, colours changed. Both players ask, and meet in one game.
pub async fn rematch(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    by: CallerId,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<SeatTaken>), ApiError> {
    let (game, seat) = enter(&web.hall, &id, &headers).await?;
    let refuse = |status, why: &str| Err(ApiError::new(status, why));
    let Some(before) = seat else {
        return refuse(StatusCode::FORBIDDEN, "Only those who played can ask for a rematch.");
    };
    if game.due().outcome().is_none() {
        return refuse(StatusCode::CONFLICT, "The game is not over yet.");
    }
    let old_seats = game.seats();
    if old_seats.league().is_some() {
        return refuse(StatusCode::CONFLICT, "In a league, the schedule says who meets whom.");
    }
    let name = old_seats.at(before).map(|sitting| sitting.name.clone()).unwrap_or_default();
    let (seat, plan) = web.showing(&game)?.begin_again(&game, before, &name).await?;
    // By this whoever asks twice is known; a stranger may have taken the other's seat meanwhile.
    let pass = web.hall.pass(game.id(), &old_seats, before).to_string();
    let key = Hashed::of(&format!("rematch {pass}"));
    let plan = Plan {
        name: Some(Hashed::of(&format!("rematch {}", game.id()))),
        connection: Some((key, seat)),
        by,
        ..plan
    };
    let again = web.hall.create(plan).await?;
    again.refresh().await;
    let is_ours = again.seat_of(key).await? == Some(seat);
    if is_ours || again.sit(person(seat, &name), vec![key]).await? {
        return Ok(seated(&web, &again, seat));
    }
    refuse(StatusCode::CONFLICT, "Somebody else has taken your seat in the rematch.")
}

#[derive(Deserialize, TS)]
pub struct Passes {
    passes: Vec<String>,
}

/// The games that these passes open. They come in the body, so that no address holds them.
pub async fn mine(
    State(web): State<Arc<Web>>,
    Json(ask): Json<Passes>,
) -> Result<Json<Vec<PageJson>>, ApiError> {
    let mut games = Vec::new();
    for pass in ask.passes.iter().take(MOST_PASSES) {
        let Ok(handle) = handle(pass) else { continue };
        match web.hall.listed_with(&handle).await {
            Ok((game, Some(seat))) => games.extend(web.showings.listed(&game, Some(seat))),
            Err(FindError::Store(error)) => return Err(error.into()),
            Ok((_, None)) | Err(_) => {}
        }
    }
    Ok(Json(games))
}

/// Somebody who comes by the pages needs no link to their seat.
pub fn person(seat: Seat, name: &str) -> SavedSeat {
    SavedSeat {
        name: plain_name(name),
        link: Link { number: 0, opened: true },
        ..SavedSeat::new(seat, Player::Human)
    }
}

fn seated(web: &Web, game: &Game, seat: Seat) -> (StatusCode, Json<SeatTaken>) {
    let pass = web.hall.pass(game.id(), &game.seats(), seat).to_string();
    let name = game.kind().seats.get(usize::from(seat.0)).copied().unwrap_or_default();
    let taken =
        SeatTaken { game_id: game.id().to_string(), pass, seat: name, color: name.to_lowercase() };
    (StatusCode::CREATED, Json(taken))
}
