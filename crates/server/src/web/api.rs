//! What the pages ask for: lists, one game, a seat, a move.
//!
//! A person's pass comes in the `Authorization` header, which no log and no referrer shows.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use chess_engine::Level;
use rules::{
    Eye, Illegal, Rules, Seat,
    chess::{BLACK, CLAIM, Chess, Setup, WHITE},
    dungeon::Dungeon,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::timeout;

use super::{
    Web, dungeons,
    games::{Summary, Whole},
    guard::bearer,
};
use crate::{
    hall::{
        CreateError, FindError, Game, GameId, Hall, Handle, Look, Plan, Player, Refusal, Retry,
    },
    store::{Hashed, Link, Millis, SavedSeat, StoreError, Wanted, Whose},
    telling::{color, sentence},
};

/// A store that takes longer than this is not ready.
const HEALTH: Duration = Duration::from_secs(1);

const NOT_KNOWN: &str = "It is not known whether that was done; the store gave no answer in time. \
                         Do the same again: it counts once.";

/// Why not, in a sentence for a person.
pub struct Sorry(StatusCode, String);

impl Sorry {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Sorry {
        Sorry(status, text.into())
    }
}

impl IntoResponse for Sorry {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

impl From<StoreError> for Sorry {
    fn from(error: StoreError) -> Sorry {
        tracing::error!(%error, "the store does not answer");
        let text = match error {
            StoreError::Unknown => NOT_KNOWN,
            _ => "The games cannot be read or saved now; nothing has changed. Try again.",
        };
        Sorry(StatusCode::SERVICE_UNAVAILABLE, text.into())
    }
}

impl From<FindError> for Sorry {
    fn from(error: FindError) -> Sorry {
        match error {
            FindError::NoSuchGame(id) => {
                Sorry(StatusCode::NOT_FOUND, format!("There is no game {id} here."))
            }
            FindError::WrongPass(_) => {
                Sorry(StatusCode::FORBIDDEN, "This link opens no seat in the game.".into())
            }
            FindError::Unreadable { .. } => {
                tracing::error!(%error, "a game cannot be shown");
                Sorry(StatusCode::INTERNAL_SERVER_ERROR, "This game cannot be read.".into())
            }
            FindError::Store(error) => error.into(),
        }
    }
}

impl From<Refusal> for Sorry {
    fn from(refusal: Refusal) -> Sorry {
        let text = match refusal {
            Refusal::Store(error) => return error.into(),
            Refusal::NotKnown { .. } => return StoreError::Unknown.into(),
            Refusal::Illegal(Illegal::Rule { reason, .. }) => sentence(&reason),
            Refusal::Illegal(Illegal::FalseClaim) => "That move does not give checkmate.".into(),
            Refusal::Illegal(Illegal::NotYourTurn) => "It is not your turn.".into(),
            Refusal::Illegal(Illegal::Over(outcome)) => format!("The game is over: {outcome}."),
            Refusal::AnotherTurn { .. } | Refusal::KeyUsed(_) => {
                "The game has moved on; look at the board and try again.".into()
            }
        };
        Sorry(StatusCode::CONFLICT, text)
    }
}

fn bad(text: impl Into<String>) -> Sorry {
    Sorry(StatusCode::BAD_REQUEST, text.into())
}

#[derive(Deserialize)]
pub struct Page {
    /// Only games created before this, or together with it but after `id` in the list.
    before: Option<Millis>,
    id: Option<String>,
    limit: Option<u32>,
    status: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    q: String,
}

/// A game of any kind, in a list.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Card {
    Chess(Summary),
    Dungeon(dungeons::Summary),
}

impl Card {
    /// None for kinds that have no pages.
    pub async fn of(hall: &Hall, id: GameId) -> Result<Option<Card>, FindError> {
        let game = hall.glance(id).await?;
        if let Ok(look) = game.look::<Chess>(Eye::Public).await {
            return Ok(Some(Card::Chess(Summary::of(&look))));
        }
        let look = game.look::<Dungeon>(Eye::Public).await;
        Ok(look.ok().map(|look| Card::Dungeon(dungeons::Summary::of(&look))))
    }
}

/// The newest games first.
pub async fn games(
    State(web): State<Arc<Web>>,
    Query(page): Query<Page>,
) -> Result<Json<Vec<Card>>, Sorry> {
    let over = match page.status.as_deref() {
        None | Some("all") => None,
        Some("live") => Some(false),
        Some("over") => Some(true),
        Some(other) => return Err(bad(format!("status is live, over or all, not {other:?}."))),
    };
    let kinds = match page.kind.as_deref() {
        None | Some("all") => vec![Chess::KIND, Dungeon::KIND],
        Some(Chess::KIND) => vec![Chess::KIND],
        Some(Dungeon::KIND) => vec![Dungeon::KIND],
        Some(other) => return Err(bad(format!("kind is chess, dungeon or all, not {other:?}."))),
    };
    let id = page.id.map(|id| handle(&id)).transpose()?.map(|handle| handle.game);
    let wanted = Wanted {
        before: (page.before.unwrap_or(Millis::MAX), id),
        limit: page.limit.unwrap_or(50).clamp(1, 200),
        over,
        kinds,
        text: page.q.trim().chars().take(100).collect(),
        whose: Whose::Anyones,
    };
    let mut games = Vec::new();
    for id in web.hall.list(wanted).await? {
        match Card::of(&web.hall, id).await {
            Ok(card) => games.extend(card),
            // One game that cannot be read does not hide the others.
            Err(error) => tracing::warn!(%error, "left out of the list"),
        }
    }
    Ok(Json(games))
}

pub async fn game(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Whole>, Sorry> {
    let (game, seat) = enter(&web.hall, &id, &headers).await?;
    game.refresh().await;
    show(&game, seat).await
}

#[derive(Deserialize)]
pub struct Move {
    r#move: Option<String>,
    action: Option<String>,
    #[serde(default)]
    claim_win: bool,
    turn: Option<u32>,
}

pub async fn play(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(ask): Json<Move>,
) -> Result<Json<Whole>, Sorry> {
    let (game, seat) = enter(&web.hall, &id, &headers).await?;
    let Some(seat) = seat else {
        return Err(Sorry(StatusCode::FORBIDDEN, "Only those who play can move.".into()));
    };
    let text = match (ask.r#move, ask.action) {
        (Some(mv), None) if ask.claim_win => format!("{mv} {CLAIM}"),
        (Some(text), None) | (None, Some(text)) => text,
        _ => return Err(bad("Send either a move or an action.")),
    };
    game.play(seat, &text, ask.turn.map_or(Retry::Likely, Retry::Turn)).await?;
    show(&game, Some(seat)).await
}

#[derive(Deserialize)]
pub struct NewGame {
    opponent: String,
    #[serde(default)]
    color: Option<String>,
    #[serde(default)]
    difficulty: Option<u8>,
    /// Both sides may ask what the position is worth; an agent who joins must agree.
    #[serde(default)]
    hints: bool,
}

/// A seat, and the secret that opens it.
#[derive(Serialize)]
pub struct Seated {
    game_id: String,
    pass: String,
    color: &'static str,
}

pub async fn create(
    State(web): State<Arc<Web>>,
    Json(ask): Json<NewGame>,
) -> Result<(StatusCode, Json<Seated>), Sorry> {
    let seat = match ask.color.as_deref() {
        None | Some("white") => WHITE,
        Some("black") => BLACK,
        Some(other) => return Err(bad(format!("color is white or black, not {other:?}."))),
    };
    let level = ask.difficulty.unwrap_or(5);
    let opponent = match ask.opponent.as_str() {
        "computer" => Some(Player::Computer(
            Level::new(level).ok_or_else(|| bad("difficulty goes from 1 to 10."))?,
        )),
        "human" | "agent" => None,
        other => return Err(bad(format!("opponent is computer, human or agent, not {other:?}."))),
    };
    let mut seats = vec![person(seat)];
    let other = if seat == WHITE { BLACK } else { WHITE };
    seats.extend(opponent.map(|player| SavedSeat { player, ..person(other) }));
    // Where an agent may come to play, it may relay what the person types in its chat.
    let typed_moves = (ask.opponent == "agent").then_some(seat);
    let free_takebacks = opponent.is_some();
    let setup = Setup { fen: None, free_takebacks, hints: ask.hints, typed_moves };
    match web.hall.create(Plan::<Chess>::new(setup, seats)).await {
        Ok(game) => Ok(seated(&web.hall, &game, seat).await),
        Err(CreateError::Setup(why)) => Err(bad(sentence(&why.to_string()))),
        Err(CreateError::Find(error)) => Err(error.into()),
    }
}

pub async fn join(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Seated>), Sorry> {
    let game = web.hall.find(handle(&id)?.game).await?;
    game.refresh().await;
    let look = chess(&game).await?;
    // A seat whose taker could not be told so is taken by asking again.
    let open = game.open_seat().await;
    let is_free = |seat: &Seat| look.seats.at(*seat).is_none() || open == Some(*seat);
    let free = [WHITE, BLACK].into_iter().find(is_free);
    if let Some(seat) = free
        && game.sit(person(seat), Vec::new()).await?
    {
        return Ok(seated(&web.hall, &game, seat).await);
    }
    Err(Sorry(StatusCode::CONFLICT, "Both seats are taken; you can watch.".into()))
}

#[derive(Deserialize)]
pub struct Opening {
    code: String,
    /// Of the browser's own making; by it the same browser is known when it asks again.
    key: Option<String>,
}

/// Seats whoever is the first to open a link.
pub async fn open(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    Json(ask): Json<Opening>,
) -> Result<(StatusCode, Json<Seated>), Sorry> {
    let game = web.hall.find(handle(&id)?.game).await?;
    let ended = "This link opens no seat any more. Ask your agent for a new one, or watch.";
    let ended = || Sorry(StatusCode::FORBIDDEN, ended.into());
    let code = ask.code.parse().map_err(|_| ended())?;
    let key = ask.key.filter(|key| (8..=100).contains(&key.len()));
    let key = key.map(|key| Hashed::of(&format!("open {} {key}", ask.code)));
    game.refresh().await;
    let seats = game.seats().await;
    let seat = web.hall.linked_seat(&game, &seats, code).ok_or_else(ended)?;
    let first = game.open_link(seat, seats.links(seat), key).await?;
    let again = match key {
        Some(key) => game.seat_of(key).await? == Some(seat),
        None => false,
    };
    if !first && !again {
        let text = "Somebody has opened this link already. If that was not you, ask your agent for \
                    a new one, which ends this one; or watch.";
        return Err(Sorry(StatusCode::CONFLICT, text.into()));
    }
    Ok(seated(&web.hall, &game, seat).await)
}

/// Somebody who comes by the pages needs no link to their seat.
fn person(seat: Seat) -> SavedSeat {
    SavedSeat { link: Link { number: 0, opened: true }, ..SavedSeat::new(seat, Player::Human) }
}

async fn seated(hall: &Hall, game: &Game, seat: Seat) -> (StatusCode, Json<Seated>) {
    let pass = hall.pass(game.id(), &game.seats().await, seat).to_string();
    (StatusCode::CREATED, Json(Seated { game_id: game.id().to_string(), pass, color: color(seat) }))
}

pub fn handle(id: &str) -> Result<Handle, Sorry> {
    id.parse().map_err(|error| Sorry(StatusCode::NOT_FOUND, sentence(&format!("{error}"))))
}

/// The game, and the seat of the pass that came along, if one did.
pub async fn enter(
    hall: &Hall,
    id: &str,
    headers: &HeaderMap,
) -> Result<(Arc<Game>, Option<Seat>), Sorry> {
    let game = handle(id)?.game;
    let handle = match bearer(headers) {
        Some(pass) => handle(pass)?,
        None => Handle { game, pass: None },
    };
    if handle.game != game {
        return Err(FindError::WrongPass(game).into());
    }
    Ok(hall.enter(&handle, None).await?)
}

async fn show(game: &Game, seat: Option<Seat>) -> Result<Json<Whole>, Sorry> {
    Ok(Json(Whole::of(&chess(game).await?, seat)))
}

pub async fn chess(game: &Game) -> Result<Look<Chess>, Sorry> {
    let look = game.look::<Chess>(Eye::Public).await;
    look.map_err(|error| Sorry(StatusCode::NOT_FOUND, sentence(&error.to_string())))
}

/// What a newcomer needs to connect, and how strong the computer is at each level.
pub async fn info(State(web): State<Arc<Web>>, headers: HeaderMap) -> Json<serde_json::Value> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    let level = |level: Level| json!({ "level": level.get(), "rating": level.rating() });
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "mcp": format!("http://{host}/mcp"),
        "levels": Level::ALL.map(level),
        "guests_play": web.guests_play,
    }))
}

/// Whether this node can serve games now. That it lives at all is what `/healthz/live` tells.
pub async fn health(State(web): State<Arc<Web>>) -> Response {
    let unready = match timeout(HEALTH, web.hall.store().ping()).await {
        Ok(Ok(())) => None,
        Ok(Err(error @ (StoreError::Gone | StoreError::Full))) => Some(error.to_string()),
        _ => Some("the store takes no changes".to_owned()),
    };
    let (code, status) = match unready {
        None => (StatusCode::OK, "ok"),
        Some(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
    };
    let mut body = json!({ "status": status, "live": true, "ready": unready.is_none() });
    body["version"] = env!("CARGO_PKG_VERSION").into();
    if let Some(why) = unready {
        body["error"] = why.into();
    }
    (code, Json(body)).into_response()
}

/// What Prometheus reads.
pub async fn metrics(State(web): State<Arc<Web>>) -> Response {
    let kind = (header::CONTENT_TYPE, "text/plain; version=0.0.4");
    ([kind], web.figures.text(web.hall.size())).into_response()
}
