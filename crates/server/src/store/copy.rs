//! Moving house: everything that was ever played, from one store into an empty other one.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};

use super::{LoggedMessages, Millis, Order, Progress, SavedGame, Store, Wanted, Whose, now};
use crate::ids::GameId;

/// Games or letters read at once.
const PAGE: u32 = 500;

/// How far it is.
pub enum Copying {
    Copied(u64),
    Compared(u64),
}

/// Copies every game with its turns, seats and names, the series and match logs of leagues, and the
/// secret that passes are made from; then reads it all again and compares. MCP sessions are not
/// copied: their clients connect again. Returns how many games there are.
pub async fn copy(from: &dyn Store, to: &dyn Store, progress: impl Fn(Copying)) -> Result<u64> {
    ensure!(to.count(1).await? == 0, "there are games in it already; choose an empty store");
    let names: HashMap<GameId, _> =
        from.names().await?.into_iter().map(|(name, id)| (id, name)).collect();
    to.adopt(from.secret()).await?;
    let mut copied = 0;
    let mut page = Page::default();
    while let Some(games) = page.next(from).await? {
        for (id, game) in games {
            let name = names.get(&id).copied();
            to.put(id, game, name).await.with_context(|| format!("game {id}"))?;
            copied += 1;
            progress(Copying::Copied(copied));
        }
    }
    for (name, newest) in from.series().await? {
        to.set_newest(name, newest).await?;
    }
    let mut logged = MatchLog::from(now());
    while let Some(some) = logged.next(from).await? {
        to.add_to_match_log(some).await?;
    }
    compare(from, to, progress).await?;
    Ok(copied)
}

async fn compare(from: &dyn Store, to: &dyn Store, progress: impl Fn(Copying)) -> Result<()> {
    let mut compared = 0;
    let (mut here, mut there) = (Page::default(), Page::default());
    loop {
        let (one, other) = (here.next(from).await?, there.next(to).await?);
        ensure!(
            one == other,
            "what was read back is not what was there; if a server is still using the first \
             store, stop it and copy again"
        );
        let Some(games) = one else { break };
        compared += games.len() as u64;
        progress(Copying::Compared(compared));
    }
    let sorted = |mut names: Vec<_>| {
        names.sort_unstable();
        names
    };
    ensure!(
        sorted(from.names().await?) == sorted(to.names().await?)
            && sorted(from.series().await?) == sorted(to.series().await?),
        "the names of the games are not the same"
    );
    let moment = now();
    let (mut here, mut there) = (MatchLog::from(moment), MatchLog::from(moment));
    loop {
        let (one, other) = (here.next(from).await?, there.next(to).await?);
        ensure!(one == other, "the match logs of leagues are not the same");
        if one.is_none() {
            return Ok(());
        }
    }
}

/// MatchLog that are not old yet at a moment, a page at a time.
struct MatchLog {
    moment: Millis,
    last: i64,
}

impl MatchLog {
    fn from(moment: Millis) -> MatchLog {
        MatchLog { moment, last: 0 }
    }

    async fn next(&mut self, store: &dyn Store) -> Result<Option<Vec<LoggedMessages>>> {
        let page = store.all_match_logs(self.moment, self.last, PAGE).await?;
        self.last = page.last().map_or(self.last, |(last, _)| *last);
        let logged: Vec<_> = page.into_iter().map(|(_, logged)| logged).collect();
        Ok((!logged.is_empty()).then_some(logged))
    }
}

/// Games of every kind, the newest first, a page at a time.
struct Page(Wanted);

impl Default for Page {
    fn default() -> Page {
        let kinds = rules::KINDS.iter().map(|kind| kind.name).collect();
        Page(Wanted {
            before: None,
            limit: PAGE,
            progress: Progress::Any,
            kinds,
            text: String::new(),
            whose: Whose::Anyones,
            order: Order::Newest,
        })
    }
}

impl Page {
    async fn next(&mut self, store: &dyn Store) -> Result<Option<Vec<(GameId, SavedGame)>>> {
        let mut games = Vec::new();
        for id in store.list(self.0.clone()).await?.games.iter().map(|listed| listed.id) {
            let mut game = store.load(id).await?.with_context(|| format!("game {id} is gone"))?;
            // In no order of their own.
            game.news.seats.sort_by_key(|seat| seat.seat);
            game.news.connections.sort_unstable();
            self.0.before = Some((game.created_at, id));
            games.push((id, game));
        }
        Ok((!games.is_empty()).then_some(games))
    }
}
