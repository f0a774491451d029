//! What the pages ask of a kind whose games they show. A kind that says nothing here is shown as it
//! draws itself, by its view and the moves it offers.

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use rules::{Card, Eye, Kind, Rules, Seat, Tag, league::League};
use serde::Serialize;
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};
use ts_rs::TS;

use super::{
    Web, plain,
    refusals::{ApiError, bad},
    seats::GameWanted,
};
use crate::{
    hall::{Game, Plan},
    mcp::table,
    player::plain_name,
    seen::{PlainGame, PlainStep, PlainSummary},
    store::ListedGame,
};

/// JSON, written once.
pub type Shown = Box<RawValue>;

pub fn shown(what: &impl Serialize) -> Shown {
    to_raw_value(what).expect("what is shown can be written")
}

/// A seat, as its kind's page knows it.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub enum You {
    Color(&'static str),
    Seat(Seat),
}

/// A level of the computer's, and what it is rated.
#[derive(Clone, Serialize, TS)]
pub struct RatedLevel {
    pub level: u8,
    pub rating: u16,
}

#[async_trait]
pub trait Showing: Send + Sync {
    /// Where its games are shown, as in `/game/{id}`; a stream calls them so too.
    fn place(&self) -> &'static str {
        "game"
    }

    /// The page that shows them there.
    fn page(&self) -> &'static str {
        "plain"
    }

    /// A line in a list. None for a match of a league, at which nobody sits: it is shown with the
    /// league.
    fn listed(&self, kind: Kind, game: &ListedGame) -> serde_json::Result<Option<Shown>> {
        if game.seats.is_empty() {
            return Ok(None);
        }
        let glimpse = serde_json::from_str(game.glimpse.as_deref().unwrap_or_default())?;
        Ok(Some(shown(&PlainSummary::listed(game, kind, glimpse))))
    }

    /// What whoever has `seat` may see of a game; everybody, where there is none.
    async fn whole(&self, game: &Game, seat: Option<Seat>) -> Result<Shown, ApiError> {
        Ok(shown(&PlainGame::of(game, seat)))
    }

    /// How it looked right after turn `number`; at the beginning, for nought.
    async fn step(&self, game: &Game, seat: Option<Seat>, number: u32) -> Result<Shown, ApiError> {
        Ok(shown(&PlainStep::of(game, seat.map_or(Eye::Public, Eye::Seat), number)))
    }

    fn you(&self, seat: Seat) -> You {
        You::Seat(seat)
    }

    /// The person's seat, and the game that is to begin.
    fn begin(&self, kind: Kind, ask: &GameWanted) -> Result<(Seat, Plan), ApiError> {
        plain::begin(kind, ask)
    }

    /// The seat of whoever had `before`, and the game in which they have it.
    async fn begin_again(
        &self,
        game: &Game,
        before: Seat,
        name: &str,
    ) -> Result<(Seat, Plan), ApiError> {
        Ok(plain::begin_again(game, before, name))
    }
}

/// Shown as it draws itself.
struct Plain;

impl Showing for Plain {}

/// How each kind is shown.
pub struct Showings {
    /// Kinds with pages of their own; the first is played when nobody says what.
    pub own: Vec<(Kind, Box<dyn Showing>)>,
    /// What they have beside lists, games and moves.
    pub routes: Router<Arc<Web>>,
    /// How strong the computer is at each level, where that was measured in points. Other kinds
    /// tell theirs in words, with what else they offer.
    pub levels: Vec<RatedLevel>,
}

impl Showings {
    /// The kinds that are shown as they draw themselves.
    pub fn plain(&self) -> impl Iterator<Item = (Kind, Card)> {
        table::kinds().filter(|(kind, _)| self.own.iter().all(|(own, _)| own.name != kind.name))
    }

    /// Every kind that has pages.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.own.iter().map(|(kind, _)| *kind).chain(self.plain().map(|(kind, _)| kind))
    }

    /// What is listed unless another kind is asked for. Leagues play those with sealed moves by the
    /// thousand, and nothing else could be found among them.
    pub fn usual(&self) -> Vec<&'static str> {
        let own = self.own.iter().map(|(kind, _)| kind.name);
        let plain = self.plain().filter(|(_, card)| !card.has(Tag::Simultaneous));
        own.chain(plain.map(|(kind, _)| kind.name)).collect()
    }

    pub fn first(&self) -> (Kind, &dyn Showing) {
        let (kind, showing) = self.own.first().expect("some kind has pages of its own");
        (*kind, &**showing)
    }

    /// None for a kind that has no pages.
    pub fn of(&self, kind: &str) -> Option<&dyn Showing> {
        self.find(kind).map(|(_, showing)| showing)
    }

    fn find(&self, name: &str) -> Option<(Kind, &dyn Showing)> {
        let own = self.own.iter().find(|(kind, _)| kind.name == name);
        let plain = || self.plain().find(|(kind, _)| kind.name == name);
        match own {
            Some((kind, showing)) => Some((*kind, &**showing)),
            None => plain().map(|(kind, _)| (kind, &Plain as _)),
        }
    }

    /// A kind that a caller names, or which there are.
    pub fn named(&self, name: &str) -> Result<(Kind, &dyn Showing), ApiError> {
        self.find(name).ok_or_else(|| {
            let known: Vec<_> = self.kinds().map(|kind| kind.name).collect();
            bad(format!("game is {}, not {:?}.", known.join(", "), plain_name(name)))
        })
    }

    /// Where games of a kind are shown, if they are.
    pub fn place(&self, kind: &str) -> Option<&'static str> {
        match kind {
            League::KIND => Some(League::KIND),
            kind => self.of(kind).map(Showing::place),
        }
    }

    /// A game in a list. One that cannot be read does not hide the others.
    pub fn listed(&self, game: &ListedGame) -> Option<Shown> {
        let (kind, showing) = self.find(&game.kind)?;
        let listed = showing.listed(kind, game);
        listed.unwrap_or_else(|error| {
            tracing::warn!(id = %game.id, %error, "left out of the list");
            None
        })
    }

    /// A game in a list, for whoever has this seat in it.
    pub fn mine(&self, game: &ListedGame, seat: Seat) -> Option<Shown> {
        #[derive(Serialize)]
        struct Mine {
            #[serde(flatten)]
            game: Map<String, Value>,
            you: You,
        }
        let you = self.of(&game.kind)?.you(seat);
        let game = serde_json::from_str(self.listed(game)?.get()).expect("a line is an object");
        Some(shown(&Mine { game, you }))
    }
}
