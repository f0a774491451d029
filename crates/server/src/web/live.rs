//! Games as they change, by Server-Sent Events.
//!
//! Every event carries the whole state, so that a page that was away has missed nothing that
//! matters. A thousand spectators of one game share the writing of it.

use std::{
    collections::{BTreeSet, HashMap},
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
use rules::{Rules, dungeon::Dungeon, league::League};
use serde::Deserialize;
use tokio::{
    sync::{Mutex as AsyncMutex, broadcast::error::RecvError},
    time::{Instant, sleep},
};

use super::{Web, api, dungeons, games::Whole, leagues};
use crate::hall::{Game, GameId};

/// The list need not change faster than people can see.
const PACE: Duration = Duration::from_millis(200);
/// Written games that are remembered; more than anybody watches at once.
const REMEMBERED: usize = 1000;

type Written = Arc<AsyncMutex<Option<(Instant, Arc<str>)>>>;

/// The last thing written about each game that is watched.
#[derive(Default)]
pub struct Live(Mutex<HashMap<GameId, Written>>);

impl Live {
    fn slot(&self, game: &Game) -> Written {
        let mut slots = self.0.lock().expect("nobody panics holding these");
        if slots.len() >= REMEMBERED {
            slots.clear();
        }
        slots.entry(game.id()).or_default().clone()
    }

    /// The game as it is now; written by the first who asks.
    async fn write(&self, game: &Game) -> Option<Arc<str>> {
        let slot = self.slot(game);
        let mut slot = slot.lock().await;
        let version = *game.changes().borrow();
        if let Some((_, text)) = slot.as_ref().filter(|(written, _)| *written == version) {
            return Some(text.clone());
        }
        let text = match game.kind().name {
            Dungeon::KIND => serde_json::to_string(&dungeons::Whole::of(game).await.ok()?),
            League::KIND => {
                serde_json::to_string(&leagues::whole(&leagues::look(game).await.ok()?))
            }
            _ => serde_json::to_string(&Whole::of(&api::chess(game).await.ok()?, None)),
        };
        let text: Arc<str> = text.ok()?.into();
        *slot = Some((version, text.clone()));
        Some(text)
    }
}

/// One game: as it is, then at every change.
pub async fn game(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Response, api::Sorry> {
    let game = web.hall.find(api::handle(&id)?.game).await?;
    game.refresh().await;
    let mut changed = game.changes();
    changed.mark_changed();
    let stop = web.stop.clone().cancelled_owned();
    let events = stream::unfold((web, game, changed), |(web, game, mut changed)| async move {
        changed.changed().await.ok()?;
        changed.mark_unchanged();
        let text = web.live.write(&game).await?;
        let name = match game.kind().name {
            Dungeon::KIND => "dungeon",
            League::KIND => {
                // A league may change a thousand times a second; nobody can see that.
                sleep(PACE).await;
                "league"
            }
            _ => "game",
        };
        Some((event(name, &text), (web, game, changed)))
    });
    Ok(sse(events.take_until(stop)))
}

#[derive(Deserialize)]
pub struct Following {
    /// When the list was true that the page has.
    since: Option<String>,
}

/// All games: a line about each one that changes.
pub async fn games(State(web): State<Arc<Web>>, Query(ask): Query<Following>) -> Response {
    let changes = web.hall.changes();
    let stop = web.stop.clone().cancelled_owned();
    let missed = match ask.since.map(|since| since.parse()) {
        Some(Ok(moment)) => web.recent.since(moment),
        Some(Err(())) => None,
        None => Some(BTreeSet::new()),
    };
    let first = match missed {
        Some(missed) => tell(&web, missed).await,
        // The page asks for the list again.
        None => vec![event("missed", "{}")],
    };
    let batches = stream::unfold((web, changes), |(web, mut changes)| async move {
        let mut changed = BTreeSet::new();
        match changes.recv().await {
            Ok(id) => drop(changed.insert(id)),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return None,
        }
        sleep(PACE).await;
        while let Ok(id) = changes.try_recv() {
            changed.insert(id);
        }
        Some((stream::iter(tell(&web, changed).await), (web, changes)))
    });
    sse(stream::iter(first).chain(batches.flatten()).take_until(stop))
}

/// A line about each of these games.
async fn tell(web: &Web, changed: BTreeSet<GameId>) -> Vec<Result<Event, Infallible>> {
    let mut events = Vec::new();
    for id in changed {
        let Ok(listed) = web.hall.listed(id).await else { continue };
        if listed.kind == League::KIND {
            if let Ok(game) = web.hall.glance(id).await
                && let Ok(look) = leagues::look(&game).await
            {
                events.push(event("league", &leagues::row(&look).to_string()));
            }
        } else if let Some(card) = api::Card::of(&listed)
            && let Ok(text) = serde_json::to_string(&card)
        {
            events.push(event("game", &text));
        }
    }
    events
}

pub fn event(name: &str, text: &str) -> Result<Event, Infallible> {
    Ok(Event::default().event(name).data(text))
}

pub fn sse(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response()
}
