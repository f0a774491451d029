//! What programs may read: the list of games, and whether all is well. Nothing secret.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use rules::{
    Eye,
    chess::{BLACK, Chess, WHITE, name},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    hall::{FindError, GameId, Hall, Look, describe},
    store::{Millis, StoreError},
};

#[derive(Deserialize)]
pub struct Page {
    /// Only games created before this, in milliseconds since 1970.
    #[serde(default = "for_ever")]
    before: Millis,
    #[serde(default = "fifty")]
    limit: u32,
}

fn for_ever() -> Millis {
    Millis::MAX
}

fn fifty() -> u32 {
    50
}

/// One game in the list.
#[derive(Serialize)]
pub struct Summary {
    pub game_id: String,
    pub kind: &'static str,
    pub white: String,
    pub black: String,
    /// Whether somebody may still join.
    pub free_seat: bool,
    pub status: &'static str,
    pub result: Option<String>,
    pub to_move: &'static str,
    pub moves: usize,
    pub fen: String,
    pub created_at: Millis,
    pub moved_at: Option<Millis>,
}

impl From<&Look<Chess>> for Summary {
    fn from(look: &Look<Chess>) -> Summary {
        let outcome = look.due.outcome();
        Summary {
            game_id: look.id.to_string(),
            kind: "chess",
            white: describe(look.seats.at(WHITE)),
            black: describe(look.seats.at(BLACK)),
            free_seat: outcome.is_none() && look.seats.iter().count() < 2,
            status: if outcome.is_some() { "over" } else { "live" },
            result: outcome.map(|outcome| outcome.text.clone()),
            to_move: name(look.view.turn),
            moves: look.view.history.len(),
            fen: look.view.fen.clone(),
            created_at: look.created_at,
            moved_at: look.moved_at,
        }
    }
}

/// The newest games first.
pub async fn games(State(hall): State<Arc<Hall>>, page: Query<Page>) -> Response {
    match list(&hall, page.before, page.limit.clamp(1, 200)).await {
        Ok(games) => Json(games).into_response(),
        Err(error) => unavailable(&error),
    }
}

pub async fn list(hall: &Hall, before: Millis, limit: u32) -> Result<Vec<Summary>, StoreError> {
    let mut games = Vec::new();
    for id in hall.list(before, limit).await? {
        match look(hall, id).await {
            Ok(Some(look)) => games.push(Summary::from(&look)),
            Ok(None) => {}
            // One game that cannot be read does not hide the others.
            Err(error) => tracing::warn!(%error, "left out of the list"),
        }
    }
    Ok(games)
}

/// The game as the public sees it, if it is one of chess.
pub async fn look(hall: &Hall, id: GameId) -> Result<Option<Look<Chess>>, FindError> {
    Ok(hall.glance(id).await?.look::<Chess>(Eye::Public).await.ok())
}

pub async fn health(State(hall): State<Arc<Hall>>) -> Response {
    match hall.store().count().await {
        Ok(games) => {
            let version = env!("CARGO_PKG_VERSION");
            Json(json!({ "status": "ok", "version": version, "games": games })).into_response()
        }
        Err(error) => unavailable(&error),
    }
}

fn unavailable(error: &StoreError) -> Response {
    tracing::error!(%error, "the store does not answer");
    let body = json!({ "status": "unavailable", "error": "the store does not answer; try again" });
    (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response()
}
