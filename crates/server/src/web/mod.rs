//! The only folder that knows pages and HTTP: routes, who may call them, what they show.

mod api;
mod games;
mod guard;
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

pub use guard::{Access, Guard};

use crate::{hall::Hall, mcp::http::Door};

/// What the pages are answered from.
struct Web {
    hall: Arc<Hall>,
    live: live::Live,
    stop: CancellationToken,
}

/// Everything that answers on one address. `doors` are MCP endpoints with their paths.
pub fn router(
    hall: Arc<Hall>,
    doors: Vec<(&'static str, Door)>,
    guard: Guard,
    stop: CancellationToken,
) -> Router {
    let mut mcp = Router::new();
    for (path, door) in doors {
        mcp = mcp.route(path, any(async move |request| -> Response { door.answer(request).await }));
    }
    let mcp = mcp.layer(middleware::from_fn_with_state(guard.clone(), guard::check_token));
    Router::new()
        .route("/", get(pages::page))
        .route("/game/{id}", get(pages::page))
        .route("/assets/{*path}", get(pages::asset))
        .route("/{path}", get(pages::beside))
        .route("/api/games", get(api::games).post(api::create))
        .route("/api/games/{id}", get(api::game))
        .route("/api/games/{id}/join", post(api::join))
        .route("/api/games/{id}/play", post(api::play))
        .route("/api/games/{id}/events", get(live::game))
        .route("/api/events", get(live::games))
        .route("/api/info", get(api::info))
        .route("/healthz", get(api::health))
        .with_state(Arc::new(Web { hall, live: live::Live::default(), stop }))
        .merge(mcp)
        .layer(guard.cors())
        .layer(middleware::from_fn_with_state(guard, guard::check))
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
