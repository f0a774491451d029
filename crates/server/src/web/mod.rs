//! The only folder that knows pages and HTTP: routes, who may call them, what they show.

pub mod api;
mod bodies;
mod guard;
mod leagues;
pub mod live;
mod matches;
mod pages;
mod places;
mod plain;
mod recent;
mod refusals;
pub mod seats;
pub mod showing;

use std::{collections::BTreeSet, io, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Query, Request, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::Response,
    routing::{any, get, post},
};
use rules::Seat;
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::{compression::CompressionLayer, set_header::SetResponseHeaderLayer};

pub use guard::{Access, Guard, check as check_caller};
pub use leagues::LeagueRow;
pub use places::{Places, serve_in};
pub use refusals::{ApiError, bad};

use self::{
    bodies::Bodies,
    showing::{PageJson, Showing, Showings},
};
use crate::{
    budgets::{Budget, CallerId},
    hall::{Game, Hall},
    league::play::leagues::Leagues,
    limits::Limits,
    mcp::{callers::Callers, http::LazyEndpoint},
    metrics::Metrics,
};

/// How clients reach this server.
pub struct PublicAddress {
    /// The address that the owner gives, if it is not where we listen.
    pub url: Option<String>,
    pub asks_for_token: bool,
}

/// The parts of a server that the pages show.
pub struct App {
    pub leagues: Leagues,
    pub callers: Callers,
    pub showings: Showings,
    pub metrics: Metrics,
    pub address: PublicAddress,
    pub limits: Limits,
}

/// Answers carry passes, and are no cache's to keep.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// No browser guesses what an answer is, nor hands it to a page of another site.
const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

/// The state that all handlers share.
pub struct Web {
    pub hall: Arc<Hall>,
    stop: CancellationToken,
    leagues: Leagues,
    showings: Showings,
    live: live::Live,
    recent: recent::Recent,
    callers: Callers,
    metrics: Metrics,
    address: PublicAddress,
    guests_play: bool,
}

impl Web {
    fn showing(&self, game: &Game) -> Result<&dyn Showing, ApiError> {
        let kind = game.kind().name;
        let no_page = || {
            let why = format!("Game {} has no page: it is {kind}.", game.id());
            ApiError::new(StatusCode::NOT_FOUND, why)
        };
        self.showings.of(kind).ok_or_else(no_page)
    }

    /// A game as it is now, for whoever has `seat`.
    async fn show(&self, game: &Game, seat: Option<Seat>) -> Result<Json<PageJson>, ApiError> {
        self.showing(game)?.whole(game, seat, game.turns()).await.map(Json)
    }
}

/// Everything that answers on one address. `doors` are MCP endpoints with their paths.
pub fn router(
    app: App,
    doors: Vec<(String, LazyEndpoint)>,
    guard: Guard,
    stop: CancellationToken,
) -> Router {
    let App { leagues, callers, showings, metrics, address, limits } = app;
    let bodies = Bodies::new(&limits, guard.patience(&limits));
    let web = Arc::new(Web {
        hall: leagues.hall.clone(),
        stop,
        leagues,
        showings,
        live: live::Live::default(),
        recent: recent::Recent::default(),
        callers,
        metrics,
        address,
        guests_play: guard.lets_guests_play(),
    });
    let sitting_down = Router::new()
        .route("/api/games", post(seats::create))
        .route("/api/games/{id}/rematch", post(seats::rematch))
        .route("/api/games/{id}/join", post(seats::join))
        .layer(middleware::from_fn_with_state(guard.clone(), guard::check_guest));
    let searching = middleware::from_fn_with_state(web.clone(), check_search);
    tokio::spawn(recent::listen(web.clone()));
    tokio::spawn(recent::look_again(web.clone()));
    let watched = Router::new()
        .route("/metrics", get(api::metrics))
        .with_state(web.clone())
        .layer(middleware::from_fn_with_state(guard.clone(), guard::check_token));
    let pages = places_of_games(&web)
        .route("/", get(pages::home))
        .route("/connect", get(pages::connect))
        .route("/league/{id}", get(pages::game))
        .route("/api/games", get(api::games).layer(searching))
        .route("/api/games/mine", post(seats::mine))
        .route("/api/games/{id}/open", post(seats::open))
        .route("/api/games/{id}/name", post(seats::rename))
        .route("/api/games/{id}/play", post(api::play))
        .route("/api/games/{id}/turns/{number}", get(api::step))
        .route("/api/games/{id}/listening", get(api::listening))
        .route("/api/leagues", get(leagues::leagues))
        .route("/api/leagues/{id}", get(leagues::league))
        .route("/api/leagues/{id}/mine", get(leagues::mine).post(leagues::mine))
        .route("/api/leagues/{id}/rounds/{round}", get(leagues::round))
        .route("/api/leagues/{id}/matches/{match}", get(leagues::contest))
        .route("/api/leagues/{id}/matches/{match}/messages", get(leagues::messages))
        .route("/api/leagues/{id}/events", get(matches::events))
        .route("/api/events", get(live::games))
        .route("/api/info", get(api::info))
        .route("/api/callers", get(api::callers))
        .route("/healthz", get(api::health))
        .route("/healthz/live", get(async || "ok\n"))
        .fallback(pages::elsewhere)
        .merge(sitting_down)
        .layer(middleware::from_fn_with_state(bodies.clone(), bodies::send))
        // Not counted: these are in memory anyway, once for all.
        .route("/assets/{*path}", get(pages::asset))
        .with_state(web)
        // How large a body may be was looked at when it was read.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn(refusals::refuse_in_json))
        // Lists and games are packed on the way; pages are already, and streams must not wait.
        .layer(CompressionLayer::new())
        .merge(watched)
        .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, NO_STORE));
    guarded(pages.merge(mcp(doors, &guard, &bodies)), guard, bodies)
}

/// Adds the layers that all requests and answers pass, refusals too.
fn guarded(router: Router, guard: Guard, bodies: Bodies) -> Router {
    router
        .layer(middleware::from_fn_with_state(bodies, bodies::read))
        .layer(guard.cors())
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .layer(SetResponseHeaderLayer::overriding(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFF))
        .layer(SetResponseHeaderLayer::overriding(RESOURCE_POLICY, SAME_ORIGIN))
}

/// Where games are shown and followed, and what kinds have beside that.
fn places_of_games(web: &Web) -> Router<Arc<Web>> {
    let own: BTreeSet<_> =
        web.showings.kinds().filter_map(|kind| web.showings.place(kind.name)).collect();
    let mut router = Router::new();
    for place in own {
        router = router
            .route(&format!("/{place}/{{id}}"), get(pages::game))
            .route(&format!("/api/{place}s/{{id}}"), get(api::game))
            .route(&format!("/api/{place}s/{{id}}/events"), get(live::game));
    }
    router.merge(web.showings.routes.clone())
}

/// Counts what makes the store look for words; a list alone costs little.
async fn check_search(
    State(web): State<Arc<Web>>,
    by: CallerId,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    #[derive(Deserialize)]
    struct Asked {
        #[serde(default)]
        q: String,
    }
    let asked = Query::<Asked>::try_from_uri(request.uri());
    if asked.is_ok_and(|Query(asked)| !asked.q.trim().is_empty()) {
        web.hall.budgets().count(by, Budget::Searches)?;
    }
    Ok(next.run(request).await)
}

/// One room's endpoint alone, for addresses of its own.
pub fn side_router(door: LazyEndpoint, guard: Guard, limits: &Limits) -> Router {
    let bodies = Bodies::new(limits, guard.patience(limits));
    guarded(mcp(vec![("/mcp".to_owned(), door)], &guard, &bodies), guard, bodies)
}

fn mcp(doors: Vec<(String, LazyEndpoint)>, guard: &Guard, bodies: &Bodies) -> Router {
    let mut router = Router::new();
    for (path, door) in doors {
        let calls = door.clone();
        let call = async move |request| -> Response { calls.open().answer_call(request).await };
        let answer = async move |request| -> Response { door.open().answer(request).await };
        router = router.route(&path, any(answer)).route(&format!("{path}/tools/call"), post(call));
    }
    router
        .layer(middleware::from_fn_with_state(bodies.clone(), bodies::send))
        .layer(middleware::from_fn(guard::read_key))
        .layer(middleware::from_fn_with_state(guard.clone(), guard::check_token))
        .layer(SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, NO_STORE))
}

/// Serves until `stop`, with the usual limits.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: CancellationToken,
) -> io::Result<()> {
    let limits = Limits::default();
    let patience = Duration::from_secs(limits.idle_seconds.get().into());
    serve_in(Places::new(&limits, patience), listener, router, stop).await
}
