//! What the pages ask for: lists, one game, a move. Seats are taken in `seats`.
//!
//! A person's pass comes in the `Authorization` header, which no log and no referrer shows.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    body::to_bytes,
    extract::{Path, Query, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use chess_engine::Level;
use rules::{
    Eye, Illegal, Rules, Seat, Tag,
    chess::{CLAIM, Chess, is_action},
    dungeon::Dungeon,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::timeout;

use super::{
    Web, dungeons,
    games::{Summary, Whole},
    guard::bearer,
    plain::{plain_kind, plain_kinds},
};
use crate::{
    budgets::{Origin, TooMany},
    hall::{FindError, Game, Hall, Look, Refusal, Retry},
    ids::{GameId, Handle},
    mcp::callers::Called,
    seen::{KindOffered, PlainGame, PlainSummary},
    store::{ListedGame, Millis, Order, Progress, StoreError, Wanted, Whose},
    telling::sentence,
};

/// A store that takes longer than this is not ready.
const HEALTH: Duration = Duration::from_secs(1);

const NOT_KNOWN: &str = "It is not known whether that was done; the store gave no answer in time. \
                         Do the same again: it counts once.";

/// Longer than anything that axum says, which names one field at the most.
const LONGEST_REFUSAL: usize = 64 << 10;

/// With a list comes when it was true; the stream of news takes up from there.
const MOMENT: HeaderName = HeaderName::from_static("x-agon-moment");

/// And where it goes on, if it does.
const NEXT: HeaderName = HeaderName::from_static("x-agon-next");

/// Why not, in a sentence for a person.
pub struct Sorry {
    status: StatusCode,
    text: String,
    /// When to come back, in seconds, if that is known.
    retry: Option<u64>,
}

impl Sorry {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Sorry {
        Sorry { status, text: text.into(), retry: None }
    }
}

impl IntoResponse for Sorry {
    fn into_response(self) -> Response {
        let retry = self.retry.map(|seconds| [(header::RETRY_AFTER, seconds.to_string())]);
        (self.status, retry, Json(json!({ "error": self.text }))).into_response()
    }
}

impl From<TooMany> for Sorry {
    fn from(too_many: TooMany) -> Sorry {
        let (what, seconds) = (too_many.what, too_many.seconds());
        let text = format!("Too many {what}. Try again in {seconds} seconds.");
        Sorry { retry: Some(seconds), ..Sorry::new(StatusCode::TOO_MANY_REQUESTS, text) }
    }
}

impl From<StoreError> for Sorry {
    fn from(error: StoreError) -> Sorry {
        tracing::error!(%error, "the store does not answer");
        let text = match error {
            StoreError::Unknown => NOT_KNOWN,
            _ => "The games cannot be read or saved now; nothing has changed. Try again.",
        };
        Sorry::new(StatusCode::SERVICE_UNAVAILABLE, text)
    }
}

impl From<FindError> for Sorry {
    fn from(error: FindError) -> Sorry {
        match error {
            FindError::NoSuchGame(id) => {
                Sorry::new(StatusCode::NOT_FOUND, format!("There is no game {id} here."))
            }
            FindError::WrongPass(_) => {
                Sorry::new(StatusCode::FORBIDDEN, "This link opens no seat in the game.")
            }
            FindError::Unreadable { .. } => {
                tracing::error!(%error, "a game cannot be shown");
                Sorry::new(StatusCode::INTERNAL_SERVER_ERROR, "This game cannot be read.")
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
        Sorry::new(StatusCode::CONFLICT, text)
    }
}

pub fn bad(text: impl Into<String>) -> Sorry {
    Sorry::new(StatusCode::BAD_REQUEST, text)
}

/// What axum refuses by itself, a query, a path or a body that it cannot read or a method that is not
/// served, is told like all else.
pub async fn refuse_in_json(request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind == "application/json");
    if !is_api || is_json || !response.status().is_client_error() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let said = to_bytes(body, LONGEST_REFUSAL).await.unwrap_or_default();
    let text = match said.is_empty() {
        true => parts.status.canonical_reason().unwrap_or("Refused").into(),
        false => String::from_utf8_lossy(&said).into_owned(),
    };
    parts.headers.remove(header::CONTENT_TYPE);
    parts.headers.remove(header::CONTENT_LENGTH);
    (parts.headers, Sorry::new(parts.status, text)).into_response()
}

#[derive(Deserialize)]
pub struct Page {
    /// Only games that come after this place in the list: when they last moved, and `id` among
    /// those that moved in the same millisecond.
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
pub enum Listed {
    Chess(Summary),
    Dungeon(dungeons::Summary),
    Plain(PlainSummary),
}

impl Listed {
    /// None for kinds that have no pages, where the glimpse cannot be read, and for a league's
    /// matches, at which nobody sits: they are shown with their league.
    pub fn of(game: &ListedGame) -> Option<Listed> {
        let glimpse = game.glimpse.as_deref().unwrap_or_default();
        let listed = match game.kind.as_str() {
            Chess::KIND => serde_json::from_str(glimpse)
                .map(|glimpse| Listed::Chess(Summary::listed(game, &glimpse))),
            Dungeon::KIND => serde_json::from_str(glimpse)
                .map(|glimpse| Listed::Dungeon(dungeons::Summary::listed(game, glimpse))),
            name => {
                let kind = plain_kind(name).filter(|_| !game.seats.is_empty())?;
                serde_json::from_str(glimpse)
                    .map(|glimpse| Listed::Plain(PlainSummary::listed(game, kind, glimpse)))
            }
        };
        // One game that cannot be read does not hide the others.
        listed
            .inspect_err(|error| tracing::warn!(id = %game.id, %error, "left out of the list"))
            .ok()
    }
}

/// The latest move first.
pub async fn games(
    State(web): State<Arc<Web>>,
    Query(page): Query<Page>,
) -> Result<(HeaderMap, Json<Vec<Listed>>), Sorry> {
    // Read before the list: what changes meanwhile is told twice rather than never.
    let moment = web.recent.now();
    let progress = match page.status.as_deref() {
        None | Some("all") => Progress::Any,
        // Who searches finds what sleeps, too.
        Some("live") if !page.q.trim().is_empty() => Progress::Unfinished,
        Some("live") => Progress::Live,
        Some("asleep") => Progress::Asleep,
        Some("over") => Progress::Over,
        Some(other) => {
            return Err(bad(format!("status is live, asleep, over or all, not {other:?}.")));
        }
    };
    let kinds = match page.kind.as_deref() {
        None | Some("all") => usual_kinds(),
        Some(kind) => vec![listed_kind(kind)?],
    };
    let id = page.id.map(|id| handle(&id)).transpose()?.map(|handle| handle.game);
    let wanted = Wanted {
        before: page.before.map(|before| (before, id.unwrap_or(GameId::from_number(0)))),
        limit: page.limit.unwrap_or(50).clamp(1, 200),
        progress,
        kinds,
        text: page.q.chars().take(100).collect(),
        whose: Whose::Anyones,
        order: Order::LastMove,
    };
    let list = web.hall.list(wanted).await?;
    let mut headers = HeaderMap::new();
    headers.insert(MOMENT, header_value(moment.to_string()));
    if let Some((before, id)) = list.next {
        headers.insert(NEXT, header_value(format!("before={before}&id={id}")));
    }
    Ok((headers, Json(list.games.iter().filter_map(Listed::of).collect())))
}

/// Whether a list that asks for nothing in particular has something to show.
pub async fn has_games(hall: &Hall) -> Result<bool, StoreError> {
    Ok(!hall.list(Wanted::of(usual_kinds(), 1)).await?.games.is_empty())
}

/// What is listed unless another kind is asked for. Leagues play those with sealed moves by the
/// thousand, and nothing else could be found among them.
fn usual_kinds() -> Vec<&'static str> {
    let plain = plain_kinds().filter(|(_, card)| !card.has(Tag::Simultaneous));
    [Chess::KIND, Dungeon::KIND].into_iter().chain(plain.map(|(kind, _)| kind.name)).collect()
}

fn listed_kind(name: &str) -> Result<&'static str, Sorry> {
    let all = || {
        let plain = plain_kinds().map(|(kind, _)| kind.name);
        [Chess::KIND, Dungeon::KIND].into_iter().chain(plain)
    };
    all().find(|kind| *kind == name).ok_or_else(|| {
        let known: Vec<_> = all().collect();
        bad(format!("kind is {} or all, not {name:?}.", known.join(", ")))
    })
}

/// A game in full, as its page wants it.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Full {
    Chess(Box<Whole>),
    Plain(Box<PlainGame>),
}

/// What whoever has `seat` may see of a game; everybody, where there is none.
pub async fn full(game: &Game, seat: Option<Seat>) -> Result<Full, Sorry> {
    if plain_kind(game.kind().name).is_some() {
        return Ok(Full::Plain(Box::new(PlainGame::of(game, seat).await)));
    }
    Ok(Full::Chess(Box::new(Whole::of(&chess(game).await?, seat))))
}

pub async fn game(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Full>, Sorry> {
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
    by: Origin,
    headers: HeaderMap,
    Json(ask): Json<Move>,
) -> Result<Json<Full>, Sorry> {
    let (game, seat) = enter(&web.hall, &id, &headers).await?;
    let Some(seat) = seat else {
        return Err(Sorry::new(StatusCode::FORBIDDEN, "Only those who play can move."));
    };
    let text = match (ask.r#move, ask.action) {
        (Some(mv), None) if ask.claim_win => format!("{mv} {CLAIM}"),
        (Some(text), None) | (None, Some(text)) => text,
        _ => return Err(bad("Send either a move or an action.")),
    };
    game.asked_by(by);
    let retry = ask.turn.map_or(Retry::Likely, Retry::Turn);
    if let Err(refusal) = game.play(seat, &text, retry).await {
        if refusal.is_wrong_move() && !is_action(&text) {
            game.count_refused(seat).await;
        }
        return Err(refusal.into());
    }
    show(&game, Some(seat)).await
}

fn header_value(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("digits and letters are a header's value")
}

pub fn handle(id: &str) -> Result<Handle, Sorry> {
    id.parse().map_err(|error| Sorry::new(StatusCode::NOT_FOUND, sentence(&format!("{error}"))))
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

pub async fn show(game: &Game, seat: Option<Seat>) -> Result<Json<Full>, Sorry> {
    full(game, seat).await.map(Json)
}

pub async fn chess(game: &Game) -> Result<Look<Chess>, Sorry> {
    let look = game.look::<Chess>(Eye::Public).await;
    look.map_err(|error| Sorry::new(StatusCode::NOT_FOUND, sentence(&error.to_string())))
}

/// What a newcomer needs to connect, and how strong the computer is at each level.
pub async fn info(State(web): State<Arc<Web>>, headers: HeaderMap) -> Json<serde_json::Value> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    let home = web.address.url.clone().unwrap_or_else(|| format!("http://{host}"));
    let level = |level: Level| json!({ "level": level.get(), "rating": level.rating() });
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "mcp": format!("{home}/mcp"),
        // Where people come from if the owner says so; a page knows its own address otherwise.
        "url": web.address.url,
        "asks_for_token": web.address.asks_for_token,
        "levels": Level::ALL.map(level),
        "guests_play": web.guests_play,
        // Beside chess.
        "kinds": plain_kinds().map(|(kind, card)| KindOffered::of(kind, card)).collect::<Vec<_>>(),
    }))
}

/// Which clients have called this node over MCP, the latest first.
pub async fn callers(State(web): State<Arc<Web>>) -> Json<Vec<Called>> {
    Json(web.callers.latest())
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
