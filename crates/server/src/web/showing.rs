//! How the pages show the games of a kind. A kind that says nothing here is shown as it draws
//! itself, by its view and the moves it offers.

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use rules::{
    Ask, Card, Eye, Kind, Rules, Seat,
    league::{League, LeagueKind},
};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use ts_rs::TS;

use super::{
    Web, plain,
    refusals::{ApiError, bad},
    seats::GameWanted,
};
use crate::{
    hall::{Game, Move, Plan, SeenBy},
    league::play::referee::contest::made_for,
    mcp::table,
    player::plain_name,
    seen::{PlainGame, PlainSummary},
    store::ListedGame,
};

/// JSON, written once.
pub type PageJson = Box<RawValue>;

pub fn shown(what: &impl Serialize) -> PageJson {
    to_raw_value(what).expect("what is shown can be written")
}

/// A seat, as its kind's page knows it.
#[derive(Clone, Copy, Serialize, TS)]
#[serde(untagged)]
pub enum You {
    Color(&'static str),
    Seat(Seat),
}

/// A game in a list, for whoever has a seat in it.
#[derive(Serialize, TS)]
pub struct MyGame<G> {
    #[serde(flatten)]
    game: G,
    you: You,
}

/// A line of a list, for whoever has that seat in the game, if anybody.
pub fn line<G: Serialize>(game: &G, you: Option<You>) -> PageJson {
    match you {
        Some(you) => shown(&MyGame { game, you }),
        None => shown(game),
    }
}

/// A level of the computer's, and what it is rated.
#[derive(Clone, Serialize, TS)]
pub struct RatedLevel {
    pub level: u8,
    pub rating: u16,
}

#[async_trait]
pub trait Showing: Send + Sync {
    /// A line in a list, for whoever has the seat `you`. None for a match of a league, at which
    /// nobody sits: it is shown with the league.
    fn listed(
        &self,
        kind: Kind,
        game: &ListedGame,
        you: Option<Seat>,
    ) -> serde_json::Result<Option<PageJson>> {
        if game.seats.is_empty() {
            return Ok(None);
        }
        let glimpse = serde_json::from_str(game.glimpse.as_deref().unwrap_or_default())?;
        Ok(Some(line(&PlainSummary::listed(game, kind, glimpse), you.map(You::Seat))))
    }

    /// A game right after `turn`, as `seat` may see it; as everybody may, where there is none.
    async fn whole(
        &self,
        game: &Game,
        seat: Option<Seat>,
        turn: u32,
    ) -> Result<PageJson, ApiError> {
        let sight = game.see_back(seat.map_or(Eye::Public, Eye::Seat), turn);
        Ok(shown(&PlainGame::of(sight, seat)))
    }

    /// Plays what the person at that seat asks for. Answers with what they see right after it,
    /// whatever others have played since: a retry is told the same, and the page hears the rest by
    /// its stream.
    async fn play(&self, game: &Game, mv: Move) -> Result<PageJson, ApiError> {
        let seat = mv.seat;
        let sight = play_seen(game, mv, Eye::Seat(seat)).await?;
        Ok(shown(&PlainGame::of(sight, Some(seat))))
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

/// Plays a move, and answers with what `eye` sees right after it. A text that is no move counts as
/// a try; what is done beside the board does not.
pub async fn play_seen<S: SeenBy>(game: &Game, mv: Move, eye: Eye) -> Result<S, ApiError> {
    let (seat, is_move) = (mv.seat, matches!(mv.ask, Ask::Text(_)));
    match game.play_seen(mv, eye).await {
        Ok(played) => Ok(played.seen),
        Err(refusal) => {
            if refusal.is_wrong_move() && is_move {
                game.count_refused(seat).await;
            }
            Err(refusal.into())
        }
    }
}

/// Shown as it draws itself.
struct PlainShowing;

impl Showing for PlainShowing {}

/// Where games are shown that have no place of their own, as in `/game/{id}`.
pub const GAME: &str = "game";

/// A kind with pages of its own.
pub struct OwnPages {
    pub kind: Kind,
    /// Where its games are shown; a stream calls them so too.
    pub place: &'static str,
    /// The page that shows them there.
    pub page: &'static str,
    pub showing: Box<dyn Showing>,
}

/// How each kind is shown.
pub struct Showings {
    /// The first is played when nobody says what.
    pub own: Vec<OwnPages>,
    /// Routes besides lists, games and moves.
    pub routes: Router<Arc<Web>>,
    /// How strong the computer is at each level, where that was measured in points. Other kinds
    /// tell theirs in words, with what else they offer.
    pub levels: Vec<RatedLevel>,
}

impl Showings {
    /// The kinds that are shown as they draw themselves.
    pub fn plain(&self) -> impl Iterator<Item = (Kind, &'static Card)> {
        table::kinds().filter(|(kind, _)| self.own(kind.name).is_none())
    }

    /// Every kind that has pages.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.own.iter().map(|own| own.kind).chain(self.plain().map(|(kind, _)| kind))
    }

    /// The kinds that are listed unless another is asked for. Leagues play their first games by the
    /// thousand, and nothing else could be found among them.
    pub fn usual(&self) -> Vec<&'static str> {
        let is_of_leagues = |kind: &Kind| {
            let game = LeagueKind::named(kind.name);
            game.is_ok_and(|game| made_for(game).is_some())
        };
        self.kinds().filter(|kind| !is_of_leagues(kind)).map(|kind| kind.name).collect()
    }

    pub fn first(&self) -> (Kind, &dyn Showing) {
        let own = self.own.first().expect("some kind has pages of its own");
        (own.kind, &*own.showing)
    }

    /// None for a kind that has no pages.
    pub fn of(&self, kind: &str) -> Option<&dyn Showing> {
        self.find(kind).map(|(_, showing)| showing)
    }

    fn own(&self, kind: &str) -> Option<&OwnPages> {
        self.own.iter().find(|own| own.kind.name == kind)
    }

    fn find(&self, name: &str) -> Option<(Kind, &dyn Showing)> {
        let plain = || self.plain().find(|(kind, _)| kind.name == name);
        match self.own(name) {
            Some(own) => Some((own.kind, &*own.showing)),
            None => plain().map(|(kind, _)| (kind, &PlainShowing as _)),
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
            kind => self.of(kind).map(|_| self.own(kind).map_or(GAME, |own| own.place)),
        }
    }

    /// The page that shows them there.
    pub fn page(&self, kind: &str) -> &'static str {
        match kind {
            League::KIND => League::KIND,
            kind => self.own(kind).map_or("plain", |own| own.page),
        }
    }

    /// A game in a list, for whoever has the seat `you`. One that cannot be read does not hide the
    /// others.
    pub fn listed(&self, game: &ListedGame, you: Option<Seat>) -> Option<PageJson> {
        let (kind, showing) = self.find(&game.kind)?;
        let listed = showing.listed(kind, game, you);
        listed.unwrap_or_else(|error| {
            tracing::warn!(id = %game.id, %error, "left out of the list");
            None
        })
    }
}
