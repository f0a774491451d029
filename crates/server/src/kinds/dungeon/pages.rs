//! The dungeon on its own page: what its hero has seen.

use async_trait::async_trait;
use axum::http::StatusCode;
use rules::{Kind, Rules, Seat, dungeon::Dungeon};

use super::seen::{Summary, Whole};
use crate::{
    hall::{Game, Plan},
    store::ListedGame,
    web::{
        Sorry,
        seats::NewGame,
        showing::{Showing, Shown, You, shown},
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

    fn listed(&self, _: Kind, game: &ListedGame) -> serde_json::Result<Option<Shown>> {
        let glimpse = serde_json::from_str(game.glimpse.as_deref().unwrap_or_default())?;
        Ok(Some(shown(&Summary::listed(game, glimpse))))
    }

    async fn whole(&self, game: &Game, _: Option<Seat>) -> Result<Shown, Sorry> {
        Ok(shown(&Whole::of(game).await?))
    }

    fn you(&self, _: Seat) -> Option<You> {
        None
    }

    fn begin(&self, _: Kind, _: &NewGame) -> Result<(Seat, Plan), Sorry> {
        Err(begun_in_a_chat())
    }

    async fn begin_again(&self, _: &Game, _: Seat, _: &str) -> Result<(Seat, Plan), Sorry> {
        Err(begun_in_a_chat())
    }
}

fn begun_in_a_chat() -> Sorry {
    Sorry::new(StatusCode::CONFLICT, "A dungeon is begun in a chat, by its narrator.")
}
