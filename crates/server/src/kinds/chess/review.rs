//! What positions are worth, for the pages: a hint in a game that allows them, and every move of a
//! game that is over. Who may know is decided by the analyst.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Extension, Json, Router,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::IntoResponse,
    routing::get,
};
use rules::{
    Eye,
    chess::{Chess, MoveGrade, uci},
};
use serde::{Deserialize, Serialize};
use shakmaty::Position;
use ts_rs::TS;

use super::{
    analyst::{Analyst, Verdict},
    facts::Evaluation,
    hints::NoHint,
    pgn,
};
use crate::{
    budgets::CallerId,
    hall::Look,
    web::{ApiError, Web, api},
    wording::sentence,
};

/// As many positions as are evaluated for one request, and how long another is begun: a page that
/// asks on gets to see something soon, and one that is closed leaves little work behind.
const PART: usize = 16;
const PATIENCE: Duration = Duration::from_secs(2);

pub fn routes(analyst: &Arc<Analyst>) -> Router<Arc<Web>> {
    Router::new()
        .route("/api/games/{id}/hint", get(hint))
        .route("/api/games/{id}/evals", get(evals))
        .route("/api/games/{id}/pgn", get(pgn))
        .layer(Extension(analyst.clone()))
}

impl From<NoHint> for ApiError {
    fn from(why: NoHint) -> ApiError {
        let status = match why {
            NoHint::TooMany(too_many) => return too_many.into(),
            NoHint::Off | NoHint::Declined | NoHint::NoSeat => StatusCode::FORBIDDEN,
            NoHint::NotYet | NoHint::NotOver => StatusCode::CONFLICT,
            NoHint::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            NoHint::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError::new(status, sentence(&why.to_string()))
    }
}

#[derive(Serialize, TS)]
pub struct Hint {
    /// The turn it is for.
    turn: u32,
    #[serde(flatten)]
    evaluation: Evaluation,
}

async fn hint(
    State(web): State<Arc<Web>>,
    Extension(analyst): Extension<Arc<Analyst>>,
    Path(id): Path<String>,
    by: CallerId,
    headers: HeaderMap,
) -> Result<Json<Hint>, ApiError> {
    let (game, seat) = api::enter(&web.hall, &id, &headers).await?;
    game.refresh().await;
    let look = game.look::<Chess>(Eye::Public)?;
    let verdict = analyst.hint(&look, seat, by).await?;
    Ok(Json(Hint { turn: look.next, evaluation: Evaluation::from(&verdict) }))
}

#[derive(Deserialize)]
struct Beginning {
    /// The first position wanted; 0 is the one the game started from.
    #[serde(default)]
    from: usize,
}

/// Some of the positions of a game, in order.
#[derive(Serialize, TS)]
pub struct Evals {
    from: usize,
    /// How many positions there are in all.
    of: usize,
    evals: Vec<Judged>,
}

#[derive(Serialize, TS)]
pub struct Judged {
    #[serde(flatten)]
    evaluation: Evaluation,
    /// What White may hope for, from -1 to 1.
    chance: f64,
    /// What is to be said of the move that led here.
    #[ts(type = "'inaccuracy' | 'mistake' | 'blunder' | null")]
    mark: Option<&'static str>,
}

async fn evals(
    State(web): State<Arc<Web>>,
    Extension(analyst): Extension<Arc<Analyst>>,
    Path(id): Path<String>,
    by: CallerId,
    Query(Beginning { from }): Query<Beginning>,
) -> Result<Json<Evals>, ApiError> {
    let look = look(&web, &id).await?;
    let of = look.view.moves.len() + 1;
    let from = from.min(of);
    // What a move is worth follows from the position before it too.
    let first = from.saturating_sub(1);
    let (mut verdicts, begun) = (Vec::new(), Instant::now());
    for ply in first..of.min(from + PART) {
        if ply > from && begun.elapsed() > PATIENCE {
            break;
        }
        match analyst.review(&look, ply..ply + 1, by).await {
            Ok(verdict) => verdicts.extend(verdict),
            // What is there is shown; whoever asks on is told to wait.
            Err(NoHint::TooMany(_)) if ply > from => break,
            Err(why) => return Err(why.into()),
        }
    }
    let judged = (first..).zip(&verdicts).map(|(ply, verdict)| Judged {
        evaluation: Evaluation::from(verdict),
        chance: (verdict.eval.chance() * 1000.0).round() / 1000.0,
        mark: match ply.checked_sub(first + 1) {
            Some(before) => mark(&look, ply, &verdicts[before], verdict).map(MoveGrade::name),
            None => None,
        },
    });
    Ok(Json(Evals { from, of, evals: judged.skip(from - first).collect() }))
}

/// What is to be said of the move that led to position `ply`.
fn mark(look: &Look<Chess>, ply: usize, before: &Verdict, after: &Verdict) -> Option<MoveGrade> {
    let view = &look.view;
    // Who plays what we would have played is not blamed for what we see only then.
    let best = before.line.first().map(|best| best.uci.as_str());
    if best == Some(&uci(&view.start, view.moves[ply - 1])) {
        return None;
    }
    let first = view.start.turn();
    let mover = if ply % 2 == 1 { first } else { !first };
    MoveGrade::of(mover, before.eval, after.eval)
}

#[derive(Deserialize)]
struct ExportWish {
    /// 1 puts what each move led to into the PGN of a game that is over.
    #[serde(default)]
    evals: u8,
}

async fn pgn(
    State(web): State<Arc<Web>>,
    Extension(analyst): Extension<Arc<Analyst>>,
    Path(id): Path<String>,
    by: CallerId,
    Query(ExportWish { evals }): Query<ExportWish>,
) -> Result<impl IntoResponse, ApiError> {
    let look = look(&web, &id).await?;
    let evals = match evals {
        0 => Vec::new(),
        _ => pgn::evals(&analyst.review(&look, 0..usize::MAX, by).await?),
    };
    let kind = [(header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")];
    Ok((kind, pgn::pgn(&look, &evals)))
}

async fn look(web: &Web, id: &str) -> Result<Look<Chess>, ApiError> {
    let game = web.hall.find(api::handle(id)?.game).await?;
    game.refresh().await;
    Ok(game.look::<Chess>(Eye::Public)?)
}
