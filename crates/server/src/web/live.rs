//! Games as they change, by Server-Sent Events.
//!
//! Every event carries the whole state, so that a page that was away has missed nothing that
//! matters. A thousand spectators of one game share the writing of it.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    extract::{Path, Query, State},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, StreamExt, stream};
use rules::{Rules, league::League};
use serde::Deserialize;
use tokio::{
    sync::Mutex as AsyncMutex,
    time::{Instant, sleep, timeout},
};

use super::{
    Web, api, leagues,
    recent::{NewsLine, NewsText},
    refusals::ApiError,
};
use crate::{
    budgets::{CallerId, OpenStream},
    hall::{Game, REREAD},
    ids::GameId,
};

/// The list need not change faster than people can see.
const PACE: Duration = Duration::from_millis(200);
/// Written games that are remembered; more than anybody watches at once.
const REMEMBERED: usize = 1000;

/// The subject of an event: a game, or the match of a league that is played as it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Watched {
    Game,
    Match { done: bool },
}

/// The event that was written, and when the game had last changed.
type Written = Arc<AsyncMutex<Option<(Instant, Arc<str>)>>>;

/// The last thing written about each game that is watched.
#[derive(Default)]
pub struct Live {
    written: Mutex<HashMap<(GameId, Watched), Written>>,
    /// When each game was last read again for those who watch it.
    reread: Mutex<HashMap<GameId, Instant>>,
}

impl Live {
    fn slot(&self, game: &Game, watched: Watched) -> Written {
        let mut slots = self.written.lock().expect("nobody panics holding these");
        if slots.len() >= REMEMBERED {
            slots.clear();
        }
        slots.entry((game.id(), watched)).or_default().clone()
    }

    /// Reads a game again, in case another node has played in it and the notification was lost: at
    /// most once in `REREAD`, however many watch it, and not after its end.
    pub async fn reread(&self, game: &Game) {
        if game.due().outcome().is_some() {
            return;
        }
        {
            let mut reread = self.reread.lock().expect("nobody panics holding this");
            reread.retain(|_, at| at.elapsed() < REREAD);
            if reread.contains_key(&game.id()) {
                return;
            }
            reread.insert(game.id(), Instant::now());
        }
        game.refresh().await;
    }

    /// The event for a game as it is now, written by the first caller.
    pub async fn written(
        &self,
        game: &Game,
        watched: Watched,
        write: impl AsyncFnOnce() -> Option<String>,
    ) -> Option<Arc<str>> {
        let slot = self.slot(game, watched);
        let mut slot = slot.lock().await;
        let version = *game.changes().borrow();
        if let Some((_, text)) = slot.as_ref().filter(|(written, _)| *written == version) {
            return Some(text.clone());
        }
        let text: Arc<str> = write().await?.into();
        *slot = Some((version, text.clone()));
        Some(text)
    }
}

impl Web {
    /// The game as it is now. A stream is everybody's.
    pub(super) async fn write(&self, game: &Game) -> Option<Arc<str>> {
        let write = async || match game.kind().name {
            League::KIND => {
                let whole = leagues::WholeLeague::of(&leagues::look(game).ok()?);
                serde_json::to_string(&whole).ok()
            }
            _ => Some(self.show(game, None).await.ok()?.0.to_string()),
        };
        self.live.written(game, Watched::Game, write).await
    }
}

/// One game: as it is, then at every change.
pub async fn game(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    by: CallerId,
) -> Result<Response, ApiError> {
    let place = web.hall.budgets().open_stream(by)?;
    let game = web.hall.find(api::handle(&id)?.game).await?;
    game.refresh().await;
    let mut changed = game.changes();
    changed.mark_changed();
    let stop = web.stop.clone().cancelled_owned();
    let events = stream::unfold((web, game, changed), |(web, game, mut changed)| async move {
        loop {
            match timeout(REREAD, changed.changed()).await {
                Ok(change) => break change.ok()?,
                Err(_) => web.live.reread(&game).await,
            }
        }
        changed.mark_unchanged();
        let text = web.write(&game).await?;
        if game.kind().name == League::KIND {
            // It may change a thousand times a second; nobody can see that.
            sleep(PACE).await;
        }
        let name = web.showings.place(game.kind().name)?;
        Some((event(name, &text), (web, game, changed)))
    });
    Ok(sse(events.take_until(stop), place))
}

#[derive(Deserialize)]
pub struct Following {
    /// When the list was true that the page has.
    since: Option<String>,
}

/// All games: a line about each one that changes.
pub async fn games(
    State(web): State<Arc<Web>>,
    by: CallerId,
    Query(ask): Query<Following>,
) -> Result<Response, ApiError> {
    let place = web.hall.budgets().open_stream(by)?;
    let stop = web.stop.clone().cancelled_owned();
    let since = match ask.since {
        Some(since) => since.parse().ok(),
        None => Some(web.recent.now()),
    };
    let mut told = web.recent.told();
    told.mark_changed();
    let news = stream::unfold((web, told, since), |(web, mut told, since)| async move {
        told.changed().await.ok()?;
        sleep(PACE).await;
        told.mark_unchanged();
        let (now, events) = match since.and_then(|moment| web.recent.since(moment)) {
            Some((now, lines)) => (now, tell(&web, lines).await),
            // The page asks for the list again.
            None => (web.recent.now(), vec![event("missed", "{}")]),
        };
        Some((stream::iter(events), (web, told, Some(now))))
    });
    Ok(sse(news.flatten().take_until(stop), place))
}

/// A line about each of these games.
async fn tell(web: &Web, lines: Vec<Arc<NewsLine>>) -> Vec<Result<Event, Infallible>> {
    let mut events = Vec::new();
    for line in lines {
        let told = line.text(|| write_line(web, line.game)).await;
        events.extend(told.map(|(name, text)| event(name, &text)));
    }
    events
}

async fn write_line(web: &Web, id: GameId) -> Option<NewsText> {
    let listed = web.hall.listed(id).await.ok()?;
    if listed.kind == League::KIND {
        let glimpse = web.leagues.glimpse(listed).await.ok()?;
        let row = serde_json::to_string(&leagues::LeagueRow::of(glimpse)).ok()?;
        return Some(("league", row.into()));
    }
    Some(("game", web.showings.listed(&listed, None)?.get().into()))
}

pub fn event(name: &str, text: &str) -> Result<Event, Infallible> {
    Ok(Event::default().event(name).data(text))
}

/// `place` is kept as long as somebody listens.
pub fn sse(
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
    place: OpenStream,
) -> Response {
    let events = events.inspect(move |_| {
        let _place = &place;
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response()
}

#[cfg(test)]
mod tests {
    use rules::{Seat, connect_four::ConnectFour};

    use super::*;
    use crate::{
        budgets::Budgets,
        hall::{
            Computers, Hall, Plan, Retry,
            computer::{Minds, Programs, Thinkers},
        },
        limits::Limits,
        player::Player,
        store::{
            self, Address, SavedSeat,
            faults::{Fault, Faulty},
        },
    };

    #[tokio::test]
    async fn a_game_is_read_again_until_it_is_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let address = Address::Sqlite(folder.path().join("agon.db"));
        let store = store::open(&address).await.expect("a store");
        let store = Arc::new(Faulty::new(store, Fault::Failed));
        let thinkers = Thinkers::new(None, &Limits::default(), Default::default());
        let computers = Computers::new(thinkers, Minds::default(), Programs::default());
        let hall = Hall::new(store.clone(), computers, &Limits::default(), Budgets::default());
        let seats = [0, 1].map(|seat| SavedSeat::new(Seat(seat), Player::Agent)).to_vec();
        let plan = || Plan::of::<ConnectFour>(&Default::default(), seats.clone());
        let [over, goes_on] = [hall.create(plan()).await, hall.create(plan()).await];
        let (over, goes_on) = (over.expect("a game"), goes_on.expect("a game"));
        for turn in 1..=7 {
            let (seat, column) = if turn % 2 == 1 { (Seat(0), "1") } else { (Seat(1), "2") };
            over.play(seat, column, Retry::Turn(turn)).await.expect("it is legal");
        }
        let live = Live::default();
        store.arm(0);
        live.reread(&over).await;
        assert!(!store.was_met());
        live.reread(&goes_on).await;
        assert!(store.was_met());
    }
}
