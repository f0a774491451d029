//! News of all games: a line about each one that has changed, written once for all who look.
//!
//! The last lines are kept, so that a page that asks for the list first and for its news a moment
//! later misses nothing between the two, nor one that is slow to read.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{OnceCell, watch},
    time::sleep,
};

use super::Web;
use crate::{
    hall::{Changed, REREAD},
    ids::GameId,
    store::{Millis, Wanted},
};

/// More than change while a page loads; who was away for longer asks for the list again.
const REMEMBERED: usize = 2000;
/// Changes that come together are noted together.
const PACE: Duration = Duration::from_millis(10);

/// How many of the latest games are looked at again.
const LOOKED_AT: u32 = 50;

/// A moment in the life of this process, as a page may give it back to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Nodes do not know each other's moments.
    node: u32,
    changes: u64,
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}-{}", self.node, self.changes)
    }
}

impl std::str::FromStr for Moment {
    type Err = ();

    fn from_str(text: &str) -> Result<Moment, ()> {
        let (node, changes) = text.split_once('-').ok_or(())?;
        let (node, changes) = (node.parse().map_err(drop)?, changes.parse().map_err(drop)?);
        Ok(Moment { node, changes })
    }
}

/// A game that has changed, and what is told of it.
pub struct NewsLine {
    pub game: GameId,
    text: OnceCell<Option<NewsText>>,
}

/// The name of an event, and its text.
pub type NewsText = (&'static str, Arc<str>);

impl NewsLine {
    fn about(game: GameId) -> Arc<NewsLine> {
        Arc::new(NewsLine { game, text: OnceCell::new() })
    }

    /// The event, written by the first caller. None if there is nothing to tell.
    pub async fn text<F>(&self, write: impl FnOnce() -> F) -> Option<NewsText>
    where
        F: Future<Output = Option<NewsText>>,
    {
        self.text.get_or_init(write).await.clone()
    }
}

pub struct Recent {
    node: u32,
    log: Mutex<Log>,
    /// Tells that there is news.
    told: watch::Sender<()>,
}

#[derive(Default)]
struct Log {
    /// Counts the changes.
    changes: u64,
    /// Changes up to this one are forgotten.
    forgotten: u64,
    /// The latest about each game, by when it was.
    lines: BTreeMap<u64, Arc<NewsLine>>,
    latest: HashMap<GameId, u64>,
}

impl Default for Recent {
    fn default() -> Recent {
        let node = getrandom::u32().unwrap_or_default();
        Recent { node, log: Mutex::default(), told: watch::Sender::new(()) }
    }
}

impl Recent {
    pub fn now(&self) -> Moment {
        self.moment(&self.log())
    }

    /// Wakes when there is news.
    pub fn told(&self) -> watch::Receiver<()> {
        self.told.subscribe()
    }

    /// The changes since then, and the moment up to which they are complete; None if that is
    /// unknown.
    pub fn since(&self, moment: Moment) -> Option<(Moment, Vec<Arc<NewsLine>>)> {
        let log = self.log();
        let known = log.forgotten..=log.changes;
        if moment.node != self.node || !known.contains(&moment.changes) {
            return None;
        }
        let lines = log.lines.range(moment.changes + 1..).map(|(_, line)| line.clone());
        Some((self.moment(&log), lines.collect()))
    }

    fn note(&self, game: GameId) {
        let log = &mut *self.log();
        log.changes += 1;
        log.lines.insert(log.changes, NewsLine::about(game));
        if let Some(before) = log.latest.insert(game, log.changes) {
            log.lines.remove(&before);
        }
        if log.lines.len() > REMEMBERED
            && let Some((at, line)) = log.lines.pop_first()
        {
            log.forgotten = at;
            log.latest.remove(&line.game);
        }
    }

    /// Nobody knows what happened before now.
    fn forget(&self) {
        let mut log = self.log();
        let changes = log.changes + 1;
        *log = Log { changes, forgotten: changes, ..Log::default() };
    }

    fn moment(&self, log: &Log) -> Moment {
        Moment { node: self.node, changes: log.changes }
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Listens until the end.
pub async fn listen(web: Arc<Web>) {
    let mut changes = web.hall.news();
    loop {
        tokio::select! {
            () = web.stop.cancelled() => return,
            changed = changes.next(PACE) => match changed {
                Some(Changed::These(games)) => {
                    games.into_iter().for_each(|game| web.recent.note(game));
                }
                Some(Changed::Any) => web.recent.forget(),
                None => return,
            },
        }
        web.recent.told.send_replace(());
    }
}

/// Looks at the latest games again while somebody follows them all, in case another node has
/// changed one and the news was lost.
pub async fn look_again(web: Arc<Web>) {
    let kinds: Vec<_> = rules::KINDS.iter().map(|kind| kind.name).collect();
    let mut known: HashMap<GameId, (u32, Millis)> = HashMap::new();
    let mut before = web.recent.now();
    loop {
        tokio::select! {
            () = web.stop.cancelled() => return,
            () = sleep(REREAD) => {}
        }
        if web.recent.told.receiver_count() == 0 {
            known.clear();
            continue;
        }
        let wanted = Wanted::of(kinds.clone(), LOOKED_AT);
        let Ok(listed) = web.hall.store().list(wanted).await else { continue };
        let told = web.recent.since(before).map(|(_, lines)| lines).unwrap_or_default();
        let told: HashSet<_> = told.iter().map(|line| line.game).collect();
        before = web.recent.now();
        let states = listed.games.iter().map(|game| (game.id, (game.turns, game.last_at)));
        let states: HashMap<_, _> = states.collect();
        let is_news = |id: &GameId| known.get(id) != states.get(id) && !told.contains(id);
        for id in states.keys().copied().filter(|id| !known.is_empty() && is_news(id)) {
            match web.hall.in_memory(id) {
                // A refresh that finds anything new announces the game.
                Some(game) => drop(game.refresh().await),
                None => web.recent.note(id),
            }
            web.recent.told.send_replace(());
        }
        known = states;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn since(recent: &Recent, moment: Moment) -> Option<Vec<GameId>> {
        recent.since(moment).map(|(_, lines)| lines.iter().map(|line| line.game).collect())
    }

    #[test]
    fn what_changed_since_a_moment_is_known_as_long_as_it_is_remembered() {
        let recent = Recent::default();
        let [one, two] = [1, 2].map(GameId::from_number);
        let first: Moment = recent.now().to_string().parse().unwrap();
        recent.note(one);
        let second = recent.now();
        recent.note(two);
        assert_eq!(since(&recent, first), Some(vec![one, two]));
        assert_eq!(since(&recent, second), Some(vec![two]));
        assert_eq!(since(&recent, recent.now()), Some(vec![]));
        recent.note(one);
        assert_eq!(since(&recent, first), Some(vec![two, one]), "each is told as it is last");
        assert_eq!(since(&recent, Moment { node: !recent.node, changes: 0 }), None);
        assert_eq!(since(&recent, Moment { node: recent.node, changes: 9 }), None);
        // One game alone may change as often as it likes.
        for _ in 0..2 * REMEMBERED {
            recent.note(one);
        }
        assert_eq!(since(&recent, second), Some(vec![two, one]));
        for n in 0..REMEMBERED as u32 {
            recent.note(GameId::from_number(n + 10));
        }
        assert_eq!(since(&recent, second), None);
        let third = recent.now();
        assert_eq!(recent.log().latest.len(), REMEMBERED);
        recent.forget();
        assert_eq!(since(&recent, third), None);
        assert_eq!(since(&recent, recent.now()), Some(vec![]));
    }

    #[tokio::test]
    async fn a_change_is_written_once_for_all_who_look() {
        let recent = Recent::default();
        let start = recent.now();
        recent.note(GameId::from_number(1));
        let written = AtomicUsize::new(0);
        let look = async || {
            let (_, lines) = recent.since(start).unwrap();
            let write = || async {
                tokio::task::yield_now().await;
                let times = written.fetch_add(1, Ordering::Relaxed) + 1;
                Some(("game", format!("written {times}").into()))
            };
            lines[0].text(write).await.map(|(_, text)| text)
        };
        let seen = futures_util::future::join_all((0..100).map(|_| look())).await;
        assert!(seen.iter().all(|text| text.as_deref() == Some("written 1")));
        recent.note(GameId::from_number(1));
        assert_eq!(look().await.as_deref(), Some("written 2"), "a later change is written anew");
    }
}
