//! The JSON interface of the pages: lists, one game, a move. Seats are taken in `seats`.
//!
//! A person's pass comes in the `Authorization` header, which no log and no referrer shows.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rules::{Ask, Eye, Seat, quoted};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::timeout;
use ts_rs::TS;

use super::{
    Web,
    guard::bearer,
    refusals::{ApiError, bad},
    showing::{PageJson, RatedLevel, Showings},
};
use crate::{
    budgets::CallerId,
    hall::{FindError, Game, Hall, Move, Retry},
    ids::{GameId, Handle},
    mcp::callers::Called,
    player::Player,
    seen::{KindOffered, PlainStep},
    store::{Millis, Order, Progress, SavedSeat, StoreError, Wanted, Whose},
    wording::sentence,
};

/// A store that takes longer than this is not ready.
const HEALTH: Duration = Duration::from_secs(1);

/// With a list comes when it was true; the stream of news takes up from there.
const MOMENT: HeaderName = HeaderName::from_static("x-agon-moment");

/// And where it goes on, if it does.
const NEXT: HeaderName = HeaderName::from_static("x-agon-next");

#[derive(Deserialize, TS)]
#[ts(optional_fields)]
pub struct GameQuery {
    /// Only games that come after this place in the list: when they last moved, and `id` among
    /// those that moved in the same millisecond.
    before: Option<Millis>,
    id: Option<String>,
    limit: Option<u32>,
    // Read by `games`, which says what would have been right.
    #[ts(optional, type = "'live' | 'asleep' | 'over' | 'all'")]
    status: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    q: String,
}

/// The latest move first.
pub async fn games(
    State(web): State<Arc<Web>>,
    Query(page): Query<GameQuery>,
) -> Result<(HeaderMap, Json<Vec<PageJson>>), ApiError> {
    // Read before the list: what changes meanwhile is told twice rather than never.
    let moment = web.recent.now();
    let progress = match page.status.as_deref() {
        None | Some("all") => Progress::Any,
        // A search finds sleeping games, too.
        Some("live") if !page.q.trim().is_empty() => Progress::Unfinished,
        Some("live") => Progress::Live,
        Some("asleep") => Progress::Asleep,
        Some("over") => Progress::Over,
        Some(other) => {
            let other = quoted(other);
            return Err(bad(format!("status is live, asleep, over or all, not {other}.")));
        }
    };
    let kinds = match page.kind.as_deref() {
        None | Some("all") => web.showings.usual(),
        Some(kind) => vec![listed_kind(&web.showings, kind)?],
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
    let lines = list.games.iter().filter_map(|game| web.showings.listed(game, None));
    Ok((headers, Json(lines.collect())))
}

fn listed_kind(showings: &Showings, name: &str) -> Result<&'static str, ApiError> {
    let mut all = showings.kinds().map(|kind| kind.name);
    all.find(|kind| *kind == name).ok_or_else(|| {
        let known: Vec<_> = showings.kinds().map(|kind| kind.name).collect();
        bad(format!("kind is {} or all, not {}.", known.join(", "), quoted(name)))
    })
}

pub async fn game(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<PageJson>, ApiError> {
    let (game, seat) = enter(&web.hall, &id, &headers).await?;
    game.refresh().await;
    web.show(&game, seat).await
}

/// How a game that is shown as it draws itself looked after one of its turns, at the beginning for
/// nought, with the eyes of whoever asks.
pub async fn step(
    State(web): State<Arc<Web>>,
    Path((id, number)): Path<(String, u32)>,
    headers: HeaderMap,
) -> Result<Json<PlainStep>, ApiError> {
    let (game, seat) = enter(&web.hall, &id, &headers).await?;
    let kind = game.kind().name;
    if web.showings.plain().all(|(plain, _)| plain.name != kind) {
        let why = format!("Game {} draws no turns: it is {kind}.", game.id());
        return Err(ApiError::new(StatusCode::NOT_FOUND, why));
    }
    if number > game.turns() {
        // It may have been played on another node a moment ago.
        game.refresh().await;
    }
    if number > game.turns() {
        let why = format!("Game {} has no turn {number}; the last is {}.", game.id(), game.turns());
        return Err(ApiError::new(StatusCode::NOT_FOUND, why));
    }
    Ok(Json(PlainStep::of(&game, seat.map_or(Eye::Public, Eye::Seat), number)))
}

#[derive(Serialize, TS)]
pub struct Listening {
    /// Whether the agent that invited the person will notice what they play; null without one.
    listening: Option<bool>,
}

/// For the page of a person who plays. Its calls also tell that the page is open.
pub async fn listening(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Listening>, ApiError> {
    let (game, person) = enter(&web.hall, &id, &headers).await?;
    let seats = game.seats();
    let has_invited = |sitting: &&SavedSeat| {
        let is_agent = sitting.player == Player::Agent;
        is_agent && person.is_some() && seats.guest_of(sitting.seat) == person
    };
    let agent = seats.iter().find(has_invited);
    let listening = agent.map(|agent| game.is_listening(agent.seat));
    Ok(Json(Listening { listening }))
}

#[derive(Deserialize, TS)]
#[ts(optional_fields)]
pub struct MovePosted {
    r#move: Option<String>,
    action: Option<String>,
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    claim_win: bool,
    turn: Option<u32>,
}

pub async fn play(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    by: CallerId,
    headers: HeaderMap,
    Json(ask): Json<MovePosted>,
) -> Result<Json<PageJson>, ApiError> {
    let (game, seat) = enter(&web.hall, &id, &headers).await?;
    let Some(seat) = seat else {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "Only those who play can move."));
    };
    let showing = web.showing(&game)?;
    let asked = match (ask.r#move, ask.action) {
        (Some(text), None) => Ask::Text(text),
        (None, Some(text)) => Ask::Beside(text),
        _ => return Err(bad("Send either a move or an action.")),
    };
    game.called_by(by);
    let retry = ask.turn.map_or(Retry::Likely, Retry::Turn);
    let mv = Move { claims_win: ask.claim_win, ..Move::new(seat, asked, retry) };
    showing.play(&game, mv).await.map(Json)
}

fn header_value(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("digits and letters are a header's value")
}

pub fn handle(id: &str) -> Result<Handle, ApiError> {
    id.parse().map_err(|error| ApiError::new(StatusCode::NOT_FOUND, sentence(&format!("{error}"))))
}

/// The game, and the seat of the pass that came along, if one did.
pub async fn enter(
    hall: &Hall,
    id: &str,
    headers: &HeaderMap,
) -> Result<(Arc<Game>, Option<Seat>), ApiError> {
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

/// What a newcomer needs to connect, and what is played here.
#[derive(Serialize, TS)]
pub struct ServerFacts {
    version: &'static str,
    mcp: String,
    /// Where people come from if the owner says so; a page knows its own address otherwise.
    url: Option<String>,
    asks_for_token: bool,
    /// Whether people without the token may start games and take free seats.
    guests_play: bool,
    /// Those that are shown as they draw themselves.
    kinds: Vec<KindOffered>,
    /// How strong the computer is at each level, where that was measured in points.
    levels: Vec<RatedLevel>,
}

pub async fn info(State(web): State<Arc<Web>>, headers: HeaderMap) -> Json<ServerFacts> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    let home = web.address.url.clone().unwrap_or_else(|| format!("http://{host}"));
    let kinds = web.showings.plain().map(|(kind, card)| KindOffered::of(kind, card));
    Json(ServerFacts {
        version: env!("CARGO_PKG_VERSION"),
        mcp: format!("{home}/mcp"),
        url: web.address.url.clone(),
        asks_for_token: web.address.asks_for_token,
        guests_play: web.guests_play,
        kinds: kinds.collect(),
        levels: web.showings.levels.clone(),
    })
}

/// Which clients have called this node over MCP, the latest first.
pub async fn callers(State(web): State<Arc<Web>>) -> Json<Vec<Called>> {
    Json(web.callers.latest())
}

/// Whether this node can serve games now. That it lives at all is what `/healthz/live` tells.
pub async fn health(State(web): State<Arc<Web>>) -> Response {
    let unready = match timeout(HEALTH, web.hall.store().ping()).await {
        Ok(Ok(())) => None,
        Ok(Err(StoreError::Failed(_) | StoreError::Unavailable | StoreError::Unknown)) | Err(_) => {
            Some("the store takes no changes".to_owned())
        }
        Ok(Err(error)) => Some(error.to_string()),
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
    if let Some(check) = web.hall.store().last_check() {
        let ago = check.at.elapsed().as_secs();
        body["check"] = json!({ "ok": check.damage.is_none(), "seconds_ago": ago });
    }
    (code, Json(body)).into_response()
}

/// The metrics, for Prometheus.
pub async fn metrics(State(web): State<Arc<Web>>) -> Response {
    let kind = (header::CONTENT_TYPE, "text/plain; version=0.0.4");
    ([kind], web.metrics.text(web.hall.size())).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        seen::wire::Types,
        web::{
            seats::{GameWanted, Joining, LinkOpening, Passes, SeatTaken},
            showing::MyGame,
        },
    };

    #[test]
    fn documents_the_pages_have_the_types_of_the_house() {
        let before = "
import type { Seat } from './drawing';
import type { KindOffered } from './plain';
";
        Types::after(before)
            .with::<ServerFacts>()
            .with::<Called>()
            .with::<GameQuery>()
            .with::<MyGame<()>>()
            .with::<Passes>()
            .with::<GameWanted>()
            .with::<Joining>()
            .with::<LinkOpening>()
            .with::<SeatTaken>()
            .with::<MovePosted>()
            .with::<Listening>()
            .check("app.ts");
    }
}
