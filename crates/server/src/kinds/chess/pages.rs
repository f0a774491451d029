//! Chess on its own pages: how a person starts a game, plays it again, and moves.

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use chess_engine::EngineLevel;
use rules::{
    Eye, Kind, Rules, Seat,
    chess::{BLACK, Chess, Setup, WHITE},
};

use super::{
    analyst::Analyst,
    facts::color,
    review,
    room::wishes::Wishes,
    seen::{Summary, Whole},
};
use crate::{
    hall::{Game, Look, Move, Plan, WrongKind},
    player::Player,
    store::{ListedGame, SavedSeat},
    web::{
        ApiError, Web, bad,
        seats::{GameWanted, person},
        showing::{GAME, OwnPages, PageJson, RatedLevel, Showing, You, line, play_seen, shown},
    },
    wording::sentence,
};

struct ChessPages;

pub fn pages() -> OwnPages {
    let kind = Kind::of::<Chess>();
    OwnPages { kind, place: GAME, page: "game", showing: Box::new(ChessPages) }
}

/// The pages that only chess has.
pub fn routes(analyst: &Arc<Analyst>) -> Router<Arc<Web>> {
    review::routes(analyst)
}

/// How strong the computer is.
pub fn levels() -> Vec<RatedLevel> {
    let rated = |level: EngineLevel| RatedLevel { level: level.get(), rating: level.rating() };
    EngineLevel::ALL.map(rated).into()
}

#[async_trait]
impl Showing for ChessPages {
    fn listed(
        &self,
        _: Kind,
        game: &ListedGame,
        you: Option<Seat>,
    ) -> serde_json::Result<Option<PageJson>> {
        let glimpse = serde_json::from_str(game.glimpse.as_deref().unwrap_or_default())?;
        Ok(Some(line(&Summary::listed(game, &glimpse), you.map(|seat| You::Color(color(seat))))))
    }

    async fn whole(
        &self,
        game: &Game,
        seat: Option<Seat>,
        turn: u32,
    ) -> Result<PageJson, ApiError> {
        Ok(shown(&Whole::of(&game.look_back::<Chess>(Eye::Public, turn)?, seat)))
    }

    async fn play(&self, game: &Game, mv: Move) -> Result<PageJson, ApiError> {
        let seat = mv.seat;
        let look: Result<Look<Chess>, WrongKind> = play_seen(game, mv, Eye::Public).await?;
        Ok(shown(&Whole::of(&look?, Some(seat))))
    }

    fn begin(&self, _: Kind, ask: &GameWanted) -> Result<(Seat, Plan), ApiError> {
        let seat = ask.wanted_seat(Chess::SEATS)?;
        let opponent = ask.opponent()?;
        let mut seats = vec![person(seat, &ask.name)];
        seats.extend(opponent.map(|player| SavedSeat { player, ..person(opposite(seat), "") }));
        let free_takebacks = opponent.is_some();
        let usual = Setup { free_takebacks, hints: ask.hints, ..Setup::default() };
        let wishes = Wishes::read(ask.setup.clone()).map_err(|why| bad(sentence(&why)))?;
        let seed = wishes.seed;
        Ok((seat, Plan::of::<Chess>(&wishes.over(usual), seats).seeded(seed)))
    }

    async fn begin_again(
        &self,
        game: &Game,
        before: Seat,
        name: &str,
    ) -> Result<(Seat, Plan), ApiError> {
        Ok(begin_again(&game.look::<Chess>(Eye::Public)?, before, name))
    }
}

/// Colours are changed.
fn begin_again(look: &Look<Chess>, before: Seat, name: &str) -> (Seat, Plan) {
    let seat = opposite(before);
    let opponent = look.seats.at(seat).map(|sitting| sitting.player);
    let computer = opponent.filter(|player| matches!(player, Player::Computer(_)));
    // On a page nobody relays moves.
    let setup = Setup {
        free_takebacks: computer.is_some(),
        typed_moves: None,
        ..Setup::clone(&look.view.setup)
    };
    let mut seats = vec![person(seat, name)];
    seats.extend(computer.map(|player| SavedSeat { player, ..person(before, "") }));
    (seat, Plan::of::<Chess>(&setup, seats))
}

fn opposite(seat: Seat) -> Seat {
    if seat == WHITE { BLACK } else { WHITE }
}
