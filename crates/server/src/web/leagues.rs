//! Leagues as JSON for the pages.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
};
use rules::{
    Eye,
    league::{Glimpse, League, MatchId, PlayerId, View},
};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Web, api, guard::bearer, refusals::Sorry};
use crate::{
    hall::{Game, Look},
    league::play::{handing_in::in_play, letters::Reader, registration::player_of},
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
            "person": player.person,
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
    let reader = bearer(&headers).and_then(|token| player_of(&view, token));
    let reader = reader.map_or(Reader::Anybody, Reader::Player);
    Ok(Json(web.leagues.letters(&league, &view, &fixture, reader).await?))
}

/// What a league has for one of its people.
#[derive(Serialize)]
pub struct Mine {
    player_id: PlayerId,
    name: String,
    /// Has missed too much, and forfeits what follows until she says that she is there.
    suspended: bool,
    r#match: Option<MyMatch>,
}

/// The match that she is to play now.
#[derive(Serialize)]
struct MyMatch {
    match_id: MatchId,
    opponent: String,
    game_id: String,
    pass: String,
}

/// Shows a person, who proves by her link who she is, what is hers.
pub async fn mine(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Mine>, Sorry> {
    let (league, view, player) = person(&web, &id, &headers).await?;
    hers(&web, &league, &view, player).await
}

/// The same for a person who has just come; who was suspended plays again.
pub async fn come(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Mine>, Sorry> {
    let (league, view, player) = person(&web, &id, &headers).await?;
    web.leagues.welcome_back(&league, &view, player).await?;
    hers(&web, &league, &web.leagues.view(&league).await, player).await
}

/// The person whose link it is.
async fn person(
    web: &Web,
    id: &str,
    headers: &HeaderMap,
) -> Result<(Arc<Game>, View, PlayerId), Sorry> {
    let league = find(web, id).await?;
    look(&league).await?;
    let view = web.leagues.view(&league).await;
    let player = bearer(headers).and_then(|token| player_of(&view, token));
    let is_person = |id: &PlayerId| view.player(*id).is_some_and(|player| player.person);
    let player = player.filter(is_person).ok_or_else(|| {
        let text = "This link is nobody's in the league, or no longer. Ask whoever runs the league \
                    for a new one, or watch.";
        Sorry::new(StatusCode::FORBIDDEN, text)
    })?;
    Ok((league, view, player))
}

async fn hers(
    web: &Web,
    league: &Game,
    view: &View,
    player_id: PlayerId,
) -> Result<Json<Mine>, Sorry> {
    let name = |id| view.player(id).map_or_else(String::new, |player| player.name.to_owned());
    let suspended = view.player(player_id).is_some_and(|player| player.suspended);
    let mut mine = Mine { player_id, name: name(player_id), suspended, r#match: None };
    if let Some((fixture, seat)) = in_play(view, player_id)
        && let Some(game) = web.leagues.game_of(league, &fixture).await?
    {
        // Her link may have been taken back elsewhere, and the pass with it.
        game.refresh().await;
        let both = [fixture.player_a, fixture.player_b];
        let opponent = both[usize::from(both[0] == player_id)];
        mine.r#match = Some(MyMatch {
            match_id: fixture.match_id,
            opponent: name(opponent),
            game_id: game.id().to_string(),
            pass: web.hall.pass(game.id(), &game.seats().await, seat).to_string(),
        });
    }
    Ok(Json(mine))
}

fn none(what: &str) -> Sorry {
    Sorry::new(StatusCode::NOT_FOUND, format!("There is no such {what} in this league."))
}
