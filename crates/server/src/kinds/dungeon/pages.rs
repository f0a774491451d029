//! The dungeon on its own page: what its hero has seen, and how a person begins one.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{
    Json, Router,
    extract::{Path, State},
    http::HeaderMap,
    routing::get,
};
use rules::{
    Eye, Kind, Rules, Seat,
    dungeon::{Difficulty, Dungeon, HERO, Setup, Theme},
};
use serde::Deserialize;
use serde_json::Value;

use super::seen::{DungeonStep, Summary, Whole};
use crate::{
    hall::{Game, Move, Plan, WrongKind},
    player::plain_name,
    store::ListedGame,
    web::{
        ApiError, Web,
        api::enter,
        bad,
        seats::{GameWanted, person},
        showing::{OwnPages, PageJson, Showing, You, line, play_seen, shown},
    },
};

struct DungeonPages;

pub fn pages() -> OwnPages {
    let (kind, name) = (Kind::of::<Dungeon>(), Dungeon::KIND);
    OwnPages { kind, place: name, page: name, showing: Box::new(DungeonPages) }
}

/// What dungeons have beside lists, games and moves.
pub fn routes() -> Router<Arc<Web>> {
    Router::new().route("/api/dungeons/{id}/turns/{number}", get(step))
}

/// What its hero saw and could do right after a turn; at the beginning, for nought.
async fn step(
    State(web): State<Arc<Web>>,
    Path((id, number)): Path<(String, u32)>,
    headers: HeaderMap,
) -> Result<Json<DungeonStep>, ApiError> {
    let (game, _) = enter(&web.hall, &id, &headers).await?;
    Ok(Json(DungeonStep::of(&game, number)?))
}

#[async_trait]
impl Showing for DungeonPages {
    fn listed(
        &self,
        _: Kind,
        game: &ListedGame,
        you: Option<Seat>,
    ) -> serde_json::Result<Option<PageJson>> {
        let glimpse = serde_json::from_str(game.glimpse.as_deref().unwrap_or_default())?;
        Ok(Some(line(&Summary::listed(game, glimpse), you.map(You::Seat))))
    }

    async fn whole(&self, game: &Game, _: Option<Seat>, turn: u32) -> Result<PageJson, ApiError> {
        Ok(shown(&Whole::of(game, game.look_back(Eye::Public, turn)?)))
    }

    async fn play(&self, game: &Game, mv: Move) -> Result<PageJson, ApiError> {
        let look: Result<_, WrongKind> = play_seen(game, mv, Eye::Public).await?;
        Ok(shown(&Whole::of(game, look?)))
    }

    fn begin(&self, _: Kind, ask: &GameWanted) -> Result<(Seat, Plan), ApiError> {
        let wish: DelveWish = serde_json::from_value(Value::Object(ask.setup.clone()))
            .map_err(|error| bad(format!("That is no set-up of a dungeon: {error}.")))?;
        let hero = Some(plain_name(&ask.name)).filter(|name| !name.is_empty());
        let setup = Setup { seeded: false, theme: wish.theme, difficulty: wish.difficulty, hero };
        Ok((HERO, Plan::of::<Dungeon>(&setup, vec![person(HERO, &ask.name)])))
    }

    /// The same world and difficulty; nobody knows what is to come there.
    async fn begin_again(
        &self,
        game: &Game,
        _: Seat,
        name: &str,
    ) -> Result<(Seat, Plan), ApiError> {
        let setup = game.look::<Dungeon>(Eye::Public)?.view.setup;
        let setup = Setup { seeded: false, ..setup };
        Ok((HERO, Plan::of::<Dungeon>(&setup, vec![person(HERO, name)])))
    }
}

/// What a person may choose before going down; the hero is called as they are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DelveWish {
    theme: Option<Theme>,
    difficulty: Option<Difficulty>,
}
