//! The only folder that knows pages and HTTP: routes, who may call them, what they show.

mod api;
mod bodies;
mod dungeons;
mod games;
mod guard;
mod hints;
mod leagues;
mod live;
mod pages;
mod places;

use std::{io, sync::Arc};

use axum::{
    Router,
    http::{HeaderValue, header},
    middleware,
    response::Response,
    routing::{any, get, post},
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::set_header::SetResponseHeaderLayer;

pub use guard::{Access, Guard, check as check_caller};
pub use places::{Places, serve_in};

use self::bodies::Bodies;
use crate::{figures::Figures, hall::Hall, league::leagues::Leagues, mcp::http::Door};

/// Answers carry passes, and are no cache's to keep.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// What the pages are answered from.
struct Web {
    hall: Arc<Hall>,
    leagues: Leagues,
    live: live::Live,
    figures: Figures,
    guests_play: bool,
    stop: CancellationToken,
}

/// Everything that answers on one address. `doors` are MCP endpoints with their paths.
pub fn router(
    leagues: Leagues,
    doors: Vec<(&'static str, Door)>,
    guard: Guard,
    figures: Figures,
    stop: CancellationToken,
) -> Router {
    let web = Arc::new(Web {
        hall: leagues.hall.clone(),
        leagues,
        live: live::Live::default(),
        figures,
        guests_play: guard.lets_guests_play(),
        stop,
    });
    let sitting_down = Router::new()
        .route("/api/games", post(api::create))
        .route("/api/games/{id}/join", post(api::join))
        .with_state(web.clone())
        .layer(middleware::from_fn_with_state(guard.clone(), guard::check_guest));
    let watched = Router::new()
        .route("/metrics", get(api::metrics))
        .with_state(web.clone())
        .layer(middleware::from_fn_with_state(guard.clone(), guard::check_token));
    Router::new()
        .route("/", get(pages::page))
        .route("/game/{id}", get(pages::page))
        .route("/dungeon/{id}", get(pages::page))
        .route("/league/{id}", get(pages::page))
        .route("/assets/{*path}", get(pages::asset))
        .route("/{path}", get(pages::beside))
        .route("/api/games", get(api::games))
        .route("/api/games/{id}", get(api::game))
        .route("/api/games/{id}/open", post(api::open))
        .route("/api/games/{id}/play", post(api::play))
        .route("/api/games/{id}/events", get(live::game))
        .route("/api/games/{id}/hint", get(hints::hint))
        .route("/api/games/{id}/evals", get(hints::evals))
        .route("/api/games/{id}/pgn", get(hints::pgn))
        .route("/api/dungeons/{id}", get(dungeons::dungeon))
        .route("/api/dungeons/{id}/events", get(live::game))
        .route("/api/leagues", get(leagues::leagues))
        .route("/api/leagues/{id}", get(leagues::league))
        .route("/api/leagues/{id}/rounds/{round}", get(leagues::round))
        .route("/api/leagues/{id}/matches/{match}", get(leagues::contest))
        .route("/api/leagues/{id}/events", get(live::game))
        .route("/api/events", get(live::games))
        .route("/api/info", get(api::info))
        .route("/healthz", get(api::health))
        .route("/healthz/live", get(async || "ok\n"))
        .with_state(web)
        .merge(sitting_down)
        .merge(watched)
        .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, NO_STORE))
        .merge(mcp(doors, &guard))
        .layer(middleware::from_fn_with_state(Bodies::new(guard.patience()), bodies::read))
        .layer(guard.cors())
        .layer(middleware::from_fn_with_state(guard, guard::check))
}

/// One room's endpoint alone, for addresses of its own.
pub fn side_router(door: Door, guard: Guard) -> Router {
    mcp(vec![("/mcp", door)], &guard)
        .layer(middleware::from_fn_with_state(Bodies::new(guard.patience()), bodies::read))
        .layer(guard.cors())
        .layer(middleware::from_fn_with_state(guard, guard::check))
}

fn mcp(doors: Vec<(&'static str, Door)>, guard: &Guard) -> Router {
    let mut router = Router::new();
    for (path, door) in doors {
        let calls = door.clone();
        let call = async move |request| -> Response { calls.answer_call(request).await };
        let answer = async move |request| -> Response { door.answer(request).await };
        router = router.route(path, any(answer)).route(&format!("{path}/tools/call"), post(call));
    }
    router
        .layer(middleware::from_fn_with_state(guard.clone(), guard::check_token))
        .layer(SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, NO_STORE))
}

/// Serves until `stop` whoever needs no bounds of their own.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: CancellationToken,
) -> io::Result<()> {
    serve_in(Places::new(guard::PATIENCE), listener, router, stop).await
}
