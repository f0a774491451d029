//! Leagues as JSON for the pages.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderMap, Method, StatusCode},
};
use rules::{
    Eye,
    league::{
        Format, Glimpse, Leader, League, LeagueKind, MatchId, MatchView, Matches, Phase, PlayerId,
        RoundView, Stage, Standing, View,
    },
};
use serde::Serialize;
use serde_json::{Map, Value};
use ts_rs::TS;

use super::{Web, api, guard::bearer, refusals::ApiError};
use crate::{
    hall::{Game, Look},
    league::play::{
        handing_in::in_play,
        match_log::{MatchLog, Reader},
        refusals::LeagueRefusal,
        registration::player_of,
    },
    mcp::league::{MatchState, state_of},
    setting_up::{chosen_in_words, chosen_of},
    store::{ListedGame, Millis},
};

/// Rounds of leagues with more matches than this are told one by one.
const MANY: usize = 2000;
const LISTED: u32 = 50;

/// A league in a list.
#[derive(Serialize, TS)]
#[ts(rename = "Summary")]
pub struct LeagueRow {
    #[serde(flatten)]
    glimpse: Glimpse,
    game_id: String,
    created_at: Millis,
    result: Option<String>,
}

/// A league in full.
#[derive(Serialize, TS)]
#[ts(rename = "League")]
pub struct WholeLeague {
    /// Its name, as the wire calls it.
    league_id: String,
    phase: Phase,
    /// No other match begins for now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<_>")]
    paused: bool,
    game: LeagueKind,
    matches: Matches,
    /// Once a match is over.
    leader: Option<Leader>,
    game_id: String,
    created_at: Millis,
    result: Option<String>,
    /// What the game is called.
    title: &'static str,
    /// What was set up otherwise than usual.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[ts(optional, type = "Record<string, unknown>")]
    setup: Map<String, Value>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    setup_text: Option<String>,
    format: Format,
    rounds_to_win: u8,
    max_rounds: u8,
    time_limit_seconds: u32,
    /// A player chose the seed, so the league rates nobody.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    practice: bool,
    /// Whether players show a code that they were given.
    by_code: bool,
    /// In the order in which they registered.
    players: Vec<ShownPlayer>,
    /// Best first.
    standings: Vec<Standing>,
    champions: Vec<PlayerId>,
    rounds: Vec<Round>,
}

#[derive(Serialize, TS)]
#[ts(rename = "Player")]
struct ShownPlayer {
    player_id: PlayerId,
    name: String,
    version: String,
    dialect: String,
    suspended: bool,
    /// Has a port of its own; who has none asks for its turns.
    reachable: bool,
    /// The computer's level, where it is the player.
    computer: Option<u8>,
    /// Plays at a board in the browser.
    person: bool,
}

#[derive(Serialize, TS)]
pub struct Round {
    round_id: u16,
    /// Left out of a very long league, except where something happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    matches: Option<Vec<MatchView>>,
    /// Who rests.
    bye: Option<PlayerId>,
    /// Every match of it is over.
    completed: bool,
}

impl LeagueRow {
    pub fn of((listed, glimpse): (ListedGame, Glimpse)) -> LeagueRow {
        LeagueRow {
            glimpse,
            game_id: listed.id.to_string(),
            created_at: listed.created_at,
            result: listed.outcome,
        }
    }
}

impl WholeLeague {
    pub fn of(look: &Look<League>) -> WholeLeague {
        let view = &look.view;
        let setup = view.setup();
        let LeagueRow { glimpse, game_id, created_at, result } =
            LeagueRow::of((look.listed(), view.glimpse()));
        let players = view.players().map(|player| ShownPlayer {
            player_id: player.player_id,
            name: player.name.to_owned(),
            version: player.version.to_owned(),
            dialect: player.dialect.to_owned(),
            suspended: player.suspended,
            reachable: player.endpoint.is_some(),
            computer: player.computer,
            person: player.person,
        });
        let chosen = chosen_of(setup.game_setup.clone());
        WholeLeague {
            league_id: glimpse.league_id,
            phase: glimpse.phase,
            paused: view.is_paused(),
            game: glimpse.game,
            matches: glimpse.matches,
            leader: glimpse.leader,
            game_id,
            created_at,
            result,
            title: setup.game.card().title,
            setup_text: chosen_in_words(&chosen),
            setup: chosen,
            format: setup.format,
            rounds_to_win: setup.rounds_to_win,
            max_rounds: setup.max_rounds,
            time_limit_seconds: setup.time_limit_seconds,
            practice: setup.practice,
            by_code: setup.by_code || setup.invitation.is_some(),
            players: players.collect(),
            standings: view.standings(),
            champions: view.champions(),
            rounds: rounds(view),
        }
    }
}

impl From<RoundView> for Round {
    fn from(RoundView { round_id, matches, bye, completed }: RoundView) -> Round {
        Round { round_id, matches: Some(matches), bye, completed }
    }
}

fn rounds(view: &View) -> Vec<Round> {
    let mut rounds: Vec<Round> = view.rounds().map(Round::from).collect();
    if view.matches().0 > MANY {
        let last = rounds.iter().rposition(|round| round.completed);
        let runs = |fixture: &MatchView| fixture.state == Stage::Running;
        for (index, round) in rounds.iter_mut().enumerate() {
            let happens = round.matches.iter().flatten().any(runs) || Some(index) == last;
            round.matches.take_if(|_| !happens);
        }
    }
    rounds
}

pub fn look(game: &Game) -> Result<Look<League>, ApiError> {
    Ok(game.look::<League>(Eye::Public)?)
}

/// The league of that game id or name.
pub async fn find(web: &Web, id: &str) -> Result<Arc<Game>, ApiError> {
    let game = match api::handle(id) {
        Ok(handle) => web.hall.find(handle.game).await?,
        Err(_) => web.leagues.find(Some(id)).await.map_err(|no| match no {
            LeagueRefusal::UnknownLeague(name) => {
                let text = format!("There is no league {name} here; /api/leagues lists them.");
                ApiError::new(StatusCode::NOT_FOUND, text)
            }
            no => no.into(),
        })?,
    };
    game.refresh().await;
    Ok(game)
}

/// The newest first.
pub async fn leagues(State(web): State<Arc<Web>>) -> Result<Json<Vec<LeagueRow>>, ApiError> {
    Ok(Json(web.leagues.glimpses(LISTED).await?.into_iter().map(LeagueRow::of).collect()))
}

pub async fn league(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Json<WholeLeague>, ApiError> {
    let league = find(&web, &id).await?;
    Ok(Json(WholeLeague::of(&look(&league)?)))
}

pub async fn round(
    State(web): State<Arc<Web>>,
    Path((id, round)): Path<(String, u16)>,
) -> Result<Json<Round>, ApiError> {
    let look = look(&*find(&web, &id).await?)?;
    look.view.round(round).map(|round| Json(round.into())).ok_or_else(|| none("round"))
}

pub async fn contest(
    State(web): State<Arc<Web>>,
    Path((id, match_id)): Path<(String, String)>,
) -> Result<Json<MatchState>, ApiError> {
    let league = find(&web, &id).await?;
    let look = look(&league)?;
    let fixture = match_id.parse::<MatchId>().ok().and_then(|id| look.view.find(id));
    let fixture = fixture.ok_or_else(|| none("match"))?;
    Ok(Json(state_of(&web.leagues, &league, &fixture).await?))
}

/// The messages of a match: for everybody once it is over, for a player who shows its token before.
pub async fn messages(
    State(web): State<Arc<Web>>,
    Path((id, match_id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Json<MatchLog>, ApiError> {
    let league = find(&web, &id).await?;
    look(&league)?;
    let view = web.leagues.view(&league);
    let fixture = match_id.parse::<MatchId>().ok().and_then(|id| view.find(id));
    let fixture = fixture.ok_or_else(|| none("match"))?;
    let reader = bearer(&headers).and_then(|token| player_of(&view, token));
    let reader = reader.map_or(Reader::Anybody, Reader::Player);
    Ok(Json(web.leagues.match_log(&league, &view, &fixture, reader).await?))
}

/// What a league has for one of its people.
#[derive(Serialize, TS)]
pub struct Mine {
    player_id: PlayerId,
    name: String,
    /// Has missed too much, and forfeits what follows until she says that she is there.
    suspended: bool,
    r#match: Option<MyMatch>,
}

/// The match that she is to play now, with the secret that lets her.
#[derive(Serialize, TS)]
struct MyMatch {
    match_id: MatchId,
    opponent: String,
    game_id: String,
    pass: String,
}

/// Shows a person, who proves by her link who she is, her match. A POST says that she has come, and
/// ends her suspension.
pub async fn mine(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<Mine>, ApiError> {
    let league = &*find(&web, &id).await?;
    look(league)?;
    let mut view = web.leagues.view(league);
    let player = bearer(&headers).and_then(|token| player_of(&view, token));
    let is_person = |id: &PlayerId| view.player(*id).is_some_and(|player| player.person);
    let player_id = player.filter(is_person).ok_or_else(|| {
        let text = "This link is nobody's in the league, or no longer. Ask whoever runs the league \
                    for a new one, or watch.";
        ApiError::new(StatusCode::FORBIDDEN, text)
    })?;
    if method == Method::POST {
        web.leagues.welcome_back(league, &view, player_id).await?;
        view = web.leagues.view(league);
    }
    let name = |id| view.player(id).map_or_else(String::new, |player| player.name.to_owned());
    let suspended = view.player(player_id).is_some_and(|player| player.suspended);
    let mut mine = Mine { player_id, name: name(player_id), suspended, r#match: None };
    if let Some((fixture, seat)) = in_play(&view, player_id)
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
            pass: web.hall.pass(game.id(), &game.seats(), seat).to_string(),
        });
    }
    Ok(Json(mine))
}

fn none(what: &str) -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, format!("There is no such {what} in this league."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{mcp::league::InPlay, seen::wire::Types};

    #[test]
    fn documents_the_pages_have_the_types_of_leagues() {
        Types::after("")
            .with::<LeagueRow>()
            .with::<WholeLeague>()
            .with::<Mine>()
            .with::<InPlay>()
            .with::<MatchLog>()
            .check("league.ts");
    }
}
