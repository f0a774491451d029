//! The only folder that knows pages and HTTP: routes, who may call them, what they show.

mod api;
mod dungeons;
mod games;
mod guard;
mod hints;
mod leagues;
mod live;
mod pages;

use std::{io, net::SocketAddr, sync::Arc};

use axum::{
    Router, middleware,
    response::Response,
    routing::{any, get, post},
    serve::ListenerExt,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::compression::CompressionLayer;

pub use guard::{Access, Guard, check as check_caller};

use crate::{figures::Figures, hall::Hall, league::leagues::Leagues, mcp::http::Door};

/// What the pages are answered from.
struct Web {
    hall: Arc<Hall>,
    leagues: Leagues,
    live: live::Live,
    figures: Figures,
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
        stop,
    });
    let watched = Router::new()
        .route("/metrics", get(api::metrics))
        .with_state(web.clone())
        .layer(middleware::from_fn_with_state(guard.clone(), guard::check_token));
    Router::new()
        .route("/", get(pages::home))
        .route("/connect", get(pages::connect))
        .route("/game/{id}", get(pages::game))
        .route("/dungeon/{id}", get(pages::game))
        .route("/league/{id}", get(pages::game))
        .route("/assets/{*path}", get(pages::asset))
        .route("/api/games", get(api::games).post(api::create))
        .route("/api/games/{id}", get(api::game))
        .route("/api/games/{id}/join", post(api::join))
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
        // Lists and games are packed on the way; pages are already, and streams must not wait.
        .layer(CompressionLayer::new())
        .merge(watched)
        .merge(mcp(doors, &guard))
        .fallback(pages::elsewhere)
        .layer(guard.cors())
        .layer(middleware::from_fn_with_state(guard, guard::check))
}

/// One room's endpoint alone, for addresses of its own.
pub fn side_router(door: Door, guard: Guard) -> Router {
    mcp(vec![("/mcp", door)], &guard)
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
    router.layer(middleware::from_fn_with_state(guard.clone(), guard::check_token))
}

/// Serves until `stop`. Streams that are open then are cut off.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: CancellationToken,
) -> io::Result<()> {
    // Without this, small answers wait for the client's next packet.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).with_graceful_shutdown(stop.cancelled_owned()).await
}
