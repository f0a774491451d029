//! A league as it changes, and in the same stream the matches in play that its page shows.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::{Path, Query, State},
    response::{Response, sse::Event},
};
use futures_util::{StreamExt, future::select_all, stream};
use rules::league::{MatchId, MatchView, Stage, View};
use serde::Deserialize;
use tokio::{
    sync::watch,
    time::{Instant, Interval, interval_at, sleep},
};

use super::{
    Web, leagues,
    live::{Watched, event, sse},
    refusals::ApiError,
};
use crate::{
    budgets::CallerId,
    hall::{Game, REREAD},
    ids::GameId,
    mcp::league::state_of,
};

/// A league may change a thousand times a second; nobody can see that.
const PACE: Duration = Duration::from_millis(200);
/// So many of the matches in play are shown.
const SHOWN: usize = 8;

#[derive(Deserialize)]
pub struct Looked {
    /// A match that somebody looks at, whether or not it is among those shown.
    r#match: Option<String>,
}

pub async fn events(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    Query(ask): Query<Looked>,
    by: CallerId,
) -> Result<Response, ApiError> {
    let place = web.hall.budgets().open_stream(by)?;
    let league = leagues::find(&web, &id).await?;
    leagues::look(&league)?;
    let mut changed = league.changes();
    changed.mark_changed();
    let stop = web.stop.clone().cancelled_owned();
    let looked = ask.r#match.and_then(|id| id.parse().ok());
    let reread = interval_at(Instant::now() + REREAD, REREAD);
    let watch = Watch { web, league, changed, looked, reread, shown: Vec::new() };
    let events = stream::unfold(watch, |mut watch| async move {
        let news = watch.next().await?;
        Some((stream::iter(news), watch))
    });
    Ok(sse(events.flatten().take_until(stop), place))
}

/// The league and the matches that one page follows.
struct Watch {
    web: Arc<Web>,
    league: Arc<Game>,
    changed: watch::Receiver<Instant>,
    looked: Option<MatchId>,
    /// When to read all of them again. A busy league must not put that off.
    reread: Interval,
    shown: Vec<WatchedGame>,
}

/// A match in play, which is a game of its own.
struct WatchedGame {
    id: MatchId,
    game: Arc<Game>,
    changed: watch::Receiver<Instant>,
}

impl WatchedGame {
    /// Whether it is still being played, and in that game.
    fn goes_on(&self, view: &View) -> bool {
        let fixture = view.find(self.id).filter(|fixture| fixture.state == Stage::Running);
        fixture.is_some_and(|fixture| game_of(&fixture) == Some(self.game.id()))
    }
}

fn game_of(fixture: &MatchView) -> Option<GameId> {
    fixture.game.map(GameId::from_number)
}

type WatchEvents = Vec<Result<Event, Infallible>>;

impl Watch {
    /// Waits until something changes, and says how it is now. None when there is no more to say.
    async fn next(&mut self) -> Option<WatchEvents> {
        let (heard, first) = loop {
            let matches = self.shown.iter_mut().map(|shown| &mut shown.changed);
            let waits = std::iter::once(&mut self.changed).chain(matches);
            let waits = select_all(waits.map(|changed| Box::pin(changed.changed())));
            tokio::select! {
                (heard, first, _) = waits => break (heard, first),
                _ = self.reread.tick() => {}
            }
            let matches = self.shown.iter().map(|shown| &shown.game);
            for game in std::iter::once(&self.league).chain(matches) {
                self.web.live.reread(game).await;
            }
            self.reread.reset();
        };
        heard.ok()?;
        // The change that was heard counts as seen; it is looked at below, like the others.
        match first.checked_sub(1) {
            None => self.changed.mark_changed(),
            Some(index) => self.shown[index].changed.mark_changed(),
        }
        sleep(PACE).await;
        let mut news = Vec::new();
        let is_news = self.changed.has_changed().ok()?;
        self.changed.mark_unchanged();
        let view = self.web.leagues.view(&self.league);
        if is_news {
            news.push(event("league", &self.web.write(&self.league).await?));
        }
        for shown in &mut self.shown {
            if shown.changed.has_changed().ok()? || !shown.goes_on(&view) {
                shown.changed.mark_unchanged();
                news.extend(tell(&self.web, &self.league, &view, shown).await);
            }
        }
        self.shown.retain(|shown| shown.goes_on(&view));
        if is_news {
            news.extend(self.show_more(&view).await);
        }
        Some(news)
    }

    /// Takes in the matches that have begun.
    async fn show_more(&mut self, view: &View) -> WatchEvents {
        let running = view.running();
        let looked = self.looked.and_then(|id| view.find(id));
        let looked = looked.filter(|fixture| fixture.state == Stage::Running);
        let wanted: Vec<_> = running.into_iter().take(SHOWN).chain(looked).collect();
        self.shown.retain(|shown| wanted.iter().any(|fixture| fixture.match_id == shown.id));
        let mut news = Vec::new();
        for fixture in wanted {
            let id = fixture.match_id;
            if self.shown.iter().any(|shown| shown.id == id) {
                continue;
            }
            let Some(game) = game_of(&fixture) else { continue };
            let Ok(game) = self.web.hall.find(game).await else { continue };
            let shown = WatchedGame { id, changed: game.changes(), game };
            news.extend(tell(&self.web, &self.league, view, &shown).await);
            self.shown.push(shown);
        }
        news
    }
}

/// How a match stands; written once for all who look.
async fn tell(
    web: &Web,
    league: &Game,
    view: &View,
    shown: &WatchedGame,
) -> Option<Result<Event, Infallible>> {
    let fixture = view.find(shown.id)?;
    let write = async || {
        let state = state_of(&web.leagues, league, &fixture).await.ok()?;
        serde_json::to_string(&state).ok()
    };
    let watched = Watched::Match { done: fixture.state == Stage::Done };
    let text = web.live.written(&shown.game, watched, write).await?;
    Some(event("match", &text))
}
