//! Moving house: everything that was ever played, from one store into an empty other one.

use anyhow::{Context, Result, ensure};

use super::{Created, LoggedMessages, Millis, Order, SavedGame, Store, Wanted, now};

/// Games or letters read at once.
const PAGE: u32 = 500;

/// How far it is.
pub enum Copying {
    Copied(u64),
    Compared(u64),
}

/// Copies every game with its turns, seats and names, the match logs of leagues, and the
/// secret that passes are made from; then reads it all again and compares. MCP sessions are not
/// copied: their clients connect again. Returns how many games there are.
pub async fn copy(from: &dyn Store, to: &dyn Store, progress: impl Fn(Copying)) -> Result<u64> {
    ensure!(to.count(1).await? == 0, "there are games in it already; choose an empty store");
    to.adopt(from.secret()).await?;
    let mut copied = 0;
    let mut page = Games::default();
    while let Some(games) = page.next(from).await? {
        for game in games {
            let id = game.id;
            let created = to.create(game).await.with_context(|| format!("game {id}"))?;
            ensure!(created == Created::New, "game {id} cannot be added: {created:?}");
            copied += 1;
            progress(Copying::Copied(copied));
        }
    }
    for (name, game) in from.names().await? {
        to.set_named(name, game).await?;
    }
    let moment = now();
    let mut logged = MatchLog { moment, last: 0 };
    while let Some(some) = logged.next(from).await? {
        to.add_to_match_log(some).await?;
    }
    let (mut here, mut there, mut compared) = (Games::default(), Games::default(), 0);
    let differ = "the copy differs from the original; if a server still uses the first store, stop it \
                  and copy again";
    let tell = |games| {
        compared += games;
        progress(Copying::Compared(compared));
    };
    compare(async || here.next(from).await, async || there.next(to).await, differ, tell).await?;
    let sorted = |mut names: Vec<_>| {
        names.sort_unstable();
        names
    };
    ensure!(
        sorted(from.names().await?) == sorted(to.names().await?),
        "the names of the games are not the same"
    );
    let [mut here, mut there] = [0, 0].map(|last| MatchLog { moment, last });
    let differ = "the match logs in the copy differ from the original";
    compare(async || here.next(from).await, async || there.next(to).await, differ, |_| ()).await?;
    Ok(copied)
}

/// Compares two stores page by page.
async fn compare<T: PartialEq>(
    mut here: impl AsyncFnMut() -> Result<Option<Vec<T>>>,
    mut there: impl AsyncFnMut() -> Result<Option<Vec<T>>>,
    differ: &'static str,
    mut tell: impl FnMut(u64),
) -> Result<()> {
    loop {
        let (one, other) = (here().await?, there().await?);
        ensure!(one == other, differ);
        match one {
            Some(same) => tell(same.len() as u64),
            None => return Ok(()),
        }
    }
}

/// Iterates over the match logs that have not expired, a page at a time.
struct MatchLog {
    moment: Millis,
    last: i64,
}

impl MatchLog {
    async fn next(&mut self, store: &dyn Store) -> Result<Option<Vec<LoggedMessages>>> {
        let page = store.all_match_logs(self.moment, self.last, PAGE).await?;
        self.last = page.last().map_or(self.last, |(last, _)| *last);
        let logged: Vec<_> = page.into_iter().map(|(_, logged)| logged).collect();
        Ok((!logged.is_empty()).then_some(logged))
    }
}

/// Games of every kind, the newest first, a page at a time.
struct Games(Wanted);

impl Default for Games {
    fn default() -> Games {
        let kinds = rules::KINDS.iter().map(|kind| kind.name).collect();
        Games(Wanted { order: Order::Newest, ..Wanted::of(kinds, PAGE) })
    }
}

impl Games {
    async fn next(&mut self, store: &dyn Store) -> Result<Option<Vec<SavedGame>>> {
        let mut games = Vec::new();
        for id in store.list(self.0.clone()).await?.games.iter().map(|listed| listed.id) {
            let mut game = store.load(id).await?.with_context(|| format!("game {id} is gone"))?;
            // In no order of their own.
            game.news.seats.sort_by_key(|seat| seat.seat);
            game.news.connections.sort_unstable();
            self.0.before = Some((game.created_at, id));
            games.push(game);
        }
        Ok((!games.is_empty()).then_some(games))
    }
}
