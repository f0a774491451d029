//! Leagues as JSON for the pages.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
};
use rules::{
    Eye,
    league::{Glimpse, League, MatchId, View},
};
use serde_json::{Value, json};

use super::{Web, api, refusals::Sorry};
use crate::{
    hall::{Game, Look},
    league::play::{letters::Reader, registration::player_of},
    mcp::league::state_of,
    store::ListedGame,
};

/// Rounds of leagues with more matches than this are told one by one.
const MANY: usize = 2000;
const LISTED: u32 = 50;

/// A league in a list.
pub fn row((listed, glimpse): &(ListedGame, Glimpse)) -> Value {
    let mut row = json!(glimpse);
    row["game_id"] = json!(listed.id.to_string());
    row["created_at"] = json!(listed.created_at);
    row["result"] = json!(listed.outcome);
    row
}

pub fn whole(look: &Look<League>) -> Value {
    let view = &look.view;
    let setup = view.setup();
    let players = view.players().map(|player| {
        json!({
            "player_id": player.player_id,
            "name": player.name,
            "version": player.version,
            "dialect": player.dialect,
            "suspended": player.suspended,
            "reachable": player.endpoint.is_some(),
            "computer": player.computer,
        })
    });
    let mut body = row(&(look.listed(), view.glimpse()));
    body["title"] = json!(setup.game.card().title);
    body["format"] = json!(setup.format);
    body["rounds_to_win"] = json!(setup.rounds_to_win);
    body["max_rounds"] = json!(setup.max_rounds);
    body["time_limit_seconds"] = json!(setup.time_limit_seconds);
    body["players"] = players.collect();
    body["standings"] = json!(view.standings());
    body["champions"] = json!(view.champions());
    body["rounds"] = rounds(view);
    body
}

fn rounds(view: &View) -> Value {
    let mut rounds: Vec<Value> = view.rounds().map(|round| json!(round)).collect();
    if view.matches().0 > MANY {
        let last = rounds.iter().rposition(|round| round["completed"] == true);
        for (index, round) in rounds.iter_mut().enumerate() {
            let matches = round["matches"].as_array().into_iter().flatten();
            let runs = matches.into_iter().any(|fixture| fixture["state"] == "running");
            if let (false, false, Some(round)) = (runs, Some(index) == last, round.as_object_mut())
            {
                round.remove("matches");
            }
        }
    }
    rounds.into()
}

pub async fn look(game: &Game) -> Result<Look<League>, Sorry> {
    Ok(game.look::<League>(Eye::Public).await?)
}

pub async fn find(web: &Web, id: &str) -> Result<Arc<Game>, Sorry> {
    let game = web.hall.find(api::handle(id)?.game).await?;
    game.refresh().await;
    Ok(game)
}

/// The newest first.
pub async fn leagues(State(web): State<Arc<Web>>) -> Result<Json<Vec<Value>>, Sorry> {
    Ok(Json(web.leagues.glimpses(LISTED).await?.iter().map(row).collect()))
}

pub async fn league(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Sorry> {
    let league = find(&web, &id).await?;
    Ok(Json(whole(&look(&league).await?)))
}

pub async fn round(
    State(web): State<Arc<Web>>,
    Path((id, round)): Path<(String, u16)>,
) -> Result<Json<Value>, Sorry> {
    let look = look(&*find(&web, &id).await?).await?;
    let round = look.view.round(round);
    round.map(|round| Json(json!(round))).ok_or_else(|| none("round"))
}

pub async fn contest(
    State(web): State<Arc<Web>>,
    Path((id, match_id)): Path<(String, String)>,
) -> Result<Json<Value>, Sorry> {
    let league = find(&web, &id).await?;
    let look = look(&league).await?;
    let fixture = match_id.parse::<MatchId>().ok().and_then(|id| look.view.find(id));
    let fixture = fixture.ok_or_else(|| none("match"))?;
    Ok(Json(state_of(&web.leagues, &league, &fixture).await?))
}

/// What was said in a match: to everybody once it is over, to a player who shows its token before.
pub async fn messages(
    State(web): State<Arc<Web>>,
    Path((id, match_id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Json<Value>, Sorry> {
    let league = find(&web, &id).await?;
    look(&league).await?;
    let view = web.leagues.view(&league).await;
    let fixture = match_id.parse::<MatchId>().ok().and_then(|id| view.find(id));
    let fixture = fixture.ok_or_else(|| none("match"))?;
    let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = shown.and_then(|shown| shown.strip_prefix("Bearer "));
    let reader = token.and_then(|token| player_of(&view, token));
    let reader = reader.map_or(Reader::Anybody, Reader::Player);
    Ok(Json(web.leagues.letters(&league, &view, &fixture, reader).await?))
}

fn none(what: &str) -> Sorry {
    Sorry::new(StatusCode::NOT_FOUND, format!("There is no such {what} in this league."))
}
