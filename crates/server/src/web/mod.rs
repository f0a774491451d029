//! The only folder that knows pages and HTTP: routes, who may call them, what they show.

mod api;
mod demonstration;
mod dungeons;
mod games;
mod guard;
mod hints;
mod leagues;
mod live;
mod pages;
mod recent;
mod seats;

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

use self::demonstration::Demonstration;
use crate::{
    figures::Figures,
    hall::Hall,
    league::leagues::Leagues,
    mcp::{callers::Callers, http::Door},
};

/// How clients reach this server.
pub struct Address {
    /// What the owner says, if that is not where we listen.
    pub url: Option<String>,
    pub asks_for_token: bool,
}

/// What there is to be shown.
pub struct House {
    pub leagues: Leagues,
    pub callers: Callers,
    pub figures: Figures,
    pub address: Address,
}

/// What the pages are answered from.
struct Web {
    hall: Arc<Hall>,
    leagues: Leagues,
    live: live::Live,
    demonstration: Demonstration,
    recent: recent::Recent,
    callers: Callers,
    figures: Figures,
    address: Address,
    stop: CancellationToken,
}

/// Everything that answers on one address. `doors` are MCP endpoints with their paths.
pub fn router(
    house: House,
    doors: Vec<(&'static str, Door)>,
    guard: Guard,
    stop: CancellationToken,
) -> Router {
    let House { leagues, callers, figures, address } = house;
    let web = Arc::new(Web {
        hall: leagues.hall.clone(),
        leagues,
        live: live::Live::default(),
        demonstration: Demonstration::default(),
        recent: recent::Recent::default(),
        callers,
        figures,
        address,
        stop,
    });
    tokio::spawn(recent::listen(web.clone()));
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
        .route("/api/games", get(api::games).post(seats::create))
        .route("/api/games/mine", post(seats::mine))
        .route("/api/games/{id}", get(api::game))
        .route("/api/games/{id}/rematch", post(seats::rematch))
        .route("/api/games/{id}/join", post(seats::join))
        .route("/api/games/{id}/open", post(seats::open))
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
        .route("/api/demonstration/events", get(demonstration::events))
        .route("/api/info", get(api::info))
        .route("/api/callers", get(api::callers))
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
