//! What the tools ask of a kind whose game they are called about. A kind that says nothing here is
//! told in the plain way, by its card, its view and the moves it offers.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use rules::{Card, Kind, Seat};
use serde_json::Value;

use super::{
    McpService,
    apps::BoardPage,
    ask::{CreateGame, FinishTurn, GameAction, GetGame, JoinGame},
    caller::Caller,
    games::Listed,
    plain,
    refusals::Refused,
    reply::Reply,
    table,
};
use crate::{
    hall::{Game, Hall, WrongKind},
    player::plain_name,
    store::{ListedGame, Whose},
};

/// How the six tools of every game play a kind and say so: in the plain way, or in one that a
/// protocol has fixed for it.
#[async_trait]
pub trait Playing: Send + Sync {
    async fn create(
        &self,
        service: &McpService,
        kind: Kind,
        ask: CreateGame,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::create(service, kind, ask, caller).await
    }

    /// `seated` is the seat that the caller has already.
    async fn join(
        &self,
        service: &McpService,
        (game, seated): (&Game, Option<Seat>),
        ask: JoinGame,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::join(service, (game, seated), ask, caller).await
    }

    async fn wait(
        &self,
        service: &McpService,
        (game, seat): (&Game, Seat),
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::wait(service, (game, seat), caller).await
    }

    async fn finish(
        &self,
        service: &McpService,
        (game, seat): (&Game, Seat),
        ask: FinishTurn,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::finish(service, (game, seat), ask, caller).await
    }

    async fn get(
        &self,
        service: &McpService,
        (game, seat): (&Game, Option<Seat>),
        ask: GetGame,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        Ok(plain::get(service, (game, seat), ask, caller).await)
    }

    /// What is done beside the board.
    async fn act(
        &self,
        service: &McpService,
        (game, seat): (&Game, Seat),
        ask: GameAction,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        plain::act(service, (game, seat), ask, caller).await
    }
}

/// What is told of games of a kind by whoever tells of many.
#[async_trait]
pub trait Telling: Send + Sync {
    /// A line in the list of games. None for a game whose glimpse cannot be read: it does not hide
    /// the others.
    fn listed(&self, service: &McpService, game: &ListedGame, whose: Whose) -> Option<Listed> {
        plain::listed(service, game, whose)
    }

    /// How strong the computer is at each level.
    fn levels(&self, kind: &Kind) -> Vec<String> {
        plain::levels(kind)
    }

    /// The game as anybody may see it.
    async fn read(&self, hall: &Hall, game: &Game) -> Result<Value, WrongKind> {
        Ok(plain::read(hall, game))
    }
}

/// Played and told by its card.
struct PlainTelling;

impl Telling for PlainTelling {}

impl Playing for PlainTelling {}

/// Nobody plays a game of that name here.
#[derive(Debug, thiserror::Error)]
#[error("no game is called {name:?} here{nearest}; there are {}. gameRules tells how each goes.", .names.join(", "))]
pub struct NoSuchGame {
    name: String,
    nearest: String,
    names: Vec<&'static str>,
}

/// How each kind is told.
#[derive(Clone)]
pub struct Tellings {
    own: Arc<HashMap<&'static str, Box<dyn Telling>>>,
    played: Arc<HashMap<&'static str, Box<dyn Playing>>>,
    /// The names of the page with the board, all of which are known everywhere.
    pub boards: &'static [&'static BoardPage],
    /// What is played when nobody says what.
    pub usual: Kind,
}

impl Tellings {
    pub fn new(
        usual: Kind,
        own: HashMap<&'static str, Box<dyn Telling>>,
        played: HashMap<&'static str, Box<dyn Playing>>,
        boards: &'static [&'static BoardPage],
    ) -> Tellings {
        Tellings { own: own.into(), played: played.into(), boards, usual }
    }

    /// The kind that somebody names, or which there are.
    pub fn named(&self, name: &str) -> Result<Kind, NoSuchGame> {
        let (name, wanted) = (plain_name(name), fold(&plain_name(name)));
        let found = table::kinds().find(|(kind, card)| {
            let names = [fold(kind.name), fold(card.title)];
            names.contains(&wanted) || card.also_called.iter().any(|name| fold(name) == wanted)
        });
        found.map(|(kind, _)| kind).ok_or_else(|| {
            let names: Vec<_> = table::kinds().map(|(kind, _)| kind.name).collect();
            let is_near = |(kind, card): &(Kind, &Card)| {
                let known = fold(kind.name);
                let wrong = strsim::damerau_levenshtein(&known, &wanted);
                // Like rock paper scissors, which is one of the matrix games.
                let in_setup = || card.keys.iter().any(|key| fold(key.about).contains(&wanted));
                wanted.len() > 2 && (known.contains(&wanted) || 3 * wrong <= wanted.len())
                    || wanted.len() > 7 && in_setup()
            };
            let nearest: Vec<_> =
                table::kinds().filter(is_near).map(|(kind, _)| kind.name).collect();
            let nearest = match &nearest[..] {
                [] => String::new(),
                near => format!(" (did you mean {}?)", near.join(" or ")),
            };
            NoSuchGame { name, nearest, names }
        })
    }

    pub fn of(&self, kind: &str) -> &dyn Telling {
        self.own.get(kind).map_or(&PlainTelling, |own| &**own)
    }

    pub fn playing(&self, kind: &str) -> &dyn Playing {
        self.played.get(kind).map_or(&PlainTelling, |own| &**own)
    }
}

/// `Tic-tac-toe`, `tic tac toe` and `TicTacToe` are one name.
fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}
