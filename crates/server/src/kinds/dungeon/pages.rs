//! The dungeon on its own page: what its hero has seen, and how a person begins one.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{
    Json, Router,
    extract::{Path, State},
    routing::get,
};
use rules::{
    Kind, Rules, Seat,
    dungeon::{Difficulty, Dungeon, HERO, Setup, Theme},
};
use serde::Deserialize;
use serde_json::Value;

use super::seen::{Step, Summary, Whole};
use crate::{
    hall::{Game, Plan},
    player::plain_name,
    store::ListedGame,
    web::{
        Sorry, Web,
        api::handle,
        bad,
        seats::{NewGame, person},
        showing::{Showing, Shown, shown},
    },
};

pub struct DungeonPages;

#[async_trait]
impl Showing for DungeonPages {
    fn place(&self) -> &'static str {
        Dungeon::KIND
    }

    fn page(&self) -> &'static str {
        Dungeon::KIND
    }

    fn routes(&self) -> Router<Arc<Web>> {
        Router::new().route("/api/dungeons/{id}/turns/{number}", get(step))
    }

    fn listed(&self, _: Kind, game: &ListedGame) -> serde_json::Result<Option<Shown>> {
        let glimpse = serde_json::from_str(game.glimpse.as_deref().unwrap_or_default())?;
        Ok(Some(shown(&Summary::listed(game, glimpse))))
    }

    async fn whole(&self, game: &Game, _: Option<Seat>) -> Result<Shown, Sorry> {
        Ok(shown(&Whole::of(game).await?))
    }

    fn begin(&self, _: Kind, ask: &NewGame) -> Result<(Seat, Plan), Sorry> {
        let wish: Wish = serde_json::from_value(Value::Object(ask.setup.clone()))
            .map_err(|error| bad(format!("That is no set-up of a dungeon: {error}.")))?;
        let hero = Some(plain_name(&ask.name)).filter(|name| !name.is_empty());
        let setup = Setup { seeded: false, theme: wish.theme, difficulty: wish.difficulty, hero };
        Ok((HERO, Plan::of::<Dungeon>(&setup, vec![person(HERO, &ask.name)])))
    }
}

/// What a person may choose before going down; the hero is called as they are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    theme: Option<Theme>,
    difficulty: Option<Difficulty>,
}

/// How a dungeon looked right after a turn.
async fn step(
    State(web): State<Arc<Web>>,
    Path((id, number)): Path<(String, u32)>,
) -> Result<Json<Step>, Sorry> {
    let game = web.hall.find(handle(&id)?.game).await?;
    Ok(Json(Step::of(&game, number).await?))
}
