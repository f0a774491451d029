//! What the tools ask of a kind whose game they are called about. A kind that says nothing here is
//! told in the plain way, by its card, its view and the moves it offers.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use rules::{Eye, Kind, Seat};
use serde_json::Value;

use super::{
    Desk,
    ask::{CreateGame, FinishTurn, GameAction, GetGame, JoinGame},
    caller::Caller,
    games::Listed,
    plain,
    reply::{Refused, Reply},
};
use crate::{
    hall::{Game, WrongKind},
    store::{ListedGame, Whose},
};

#[async_trait]
pub trait Telling: Send + Sync {
    async fn create(
        &self,
        desk: &Desk,
        kind: Kind,
        ask: CreateGame,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::create(desk, kind, ask, caller).await
    }

    /// `seated` is the seat that the caller has already.
    async fn join(
        &self,
        desk: &Desk,
        (game, seated): (&Game, Option<Seat>),
        ask: JoinGame,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::join(desk, (game, seated), ask, caller).await
    }

    async fn wait(
        &self,
        desk: &Desk,
        (game, seat): (&Game, Seat),
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::wait(desk, (game, seat), caller).await
    }

    async fn finish(
        &self,
        desk: &Desk,
        (game, seat): (&Game, Seat),
        ask: FinishTurn,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::finish(desk, (game, seat), ask, caller).await
    }

    async fn get(
        &self,
        desk: &Desk,
        (game, seat): (&Game, Option<Seat>),
        ask: GetGame,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        Ok(plain::get(desk, (game, seat), ask, caller).await)
    }

    /// What is done beside the board.
    async fn act(
        &self,
        desk: &Desk,
        (game, seat): (&Game, Seat),
        ask: GameAction,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::act(desk, (game, seat), ask, caller).await
    }

    /// A line in the list of games. None for a game whose glimpse cannot be read: it does not hide
    /// the others.
    fn listed(&self, desk: &Desk, game: &ListedGame, whose: Whose) -> Option<Listed> {
        plain::listed(desk, game, whose)
    }

    /// The game as anybody may see it.
    async fn read(&self, game: &Game) -> Result<Value, WrongKind> {
        let view = game.see(Eye::Public).await.view;
        Ok(serde_json::from_str(&view).expect("a view is JSON"))
    }
}

/// Told by its card.
struct Plain;

impl Telling for Plain {}

/// How each kind is told.
#[derive(Clone)]
pub struct Tellings {
    own: Arc<HashMap<&'static str, Box<dyn Telling>>>,
    /// What is played when nobody says what.
    pub usual: Kind,
}

impl Tellings {
    pub fn new(usual: Kind, own: HashMap<&'static str, Box<dyn Telling>>) -> Tellings {
        Tellings { own: own.into(), usual }
    }

    pub fn of(&self, kind: &str) -> &dyn Telling {
        self.own.get(kind).map_or(&Plain, |own| &**own)
    }
}
