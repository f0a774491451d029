//! Resource subscriptions: one task notifies all subscribers of this process, at every endpoint.
//!
//! Subscriptions of sessions are stored, since a client may subscribe at one node and have its stream
//! at another. A client without a session names its subscriptions when it opens its stream.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer,
    model::ResourceUpdatedNotificationParam,
    service::{Peer, SubscriptionContext, SubscriptionSink},
};
use tokio::time::{sleep, timeout};

use super::resources::{Subject, touched_by};
use crate::{
    hall::{Changed, Game, REREAD},
    ids::GameId,
    league::play::leagues::Leagues,
    metrics::OneMore,
    store::{Hashed, MOST_FOLLOWED, StoreError},
};

/// Changes within this time become one notification.
const PACE: Duration = Duration::from_millis(100);
/// A subscriber that does not accept a notification within this time is dropped.
const PATIENCE: Duration = Duration::from_secs(5);

/// All subscribers that this process can notify.
#[derive(Clone)]
pub struct Followers {
    leagues: Leagues,
    subscribers: Arc<Mutex<Subscribers>>,
}

#[derive(Default)]
struct Subscribers {
    sessions: HashMap<Hashed, Peer<RoleServer>>,
    streams: BTreeMap<u64, Stream>,
    next_stream: u64,
    /// The news being sent to each listener, and whether it has changed again meanwhile.
    telling: HashMap<(Listener, String), bool>,
}

/// A client without a session, with its subscriptions.
struct Stream {
    sink: SubscriptionSink,
    uris: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Listener {
    Session(Hashed),
    Stream(u64),
}

/// How a listener is notified, with or without a session.
#[derive(Clone)]
enum Channel {
    Session(Peer<RoleServer>),
    Stream(SubscriptionSink),
}

impl Channel {
    /// Sends a notification; false if the listener has gone.
    async fn hears(&self, uri: &str) -> bool {
        match self {
            Channel::Session(peer) => {
                let news = ResourceUpdatedNotificationParam::new(uri);
                peer.notify_resource_updated(news).await.is_ok()
            }
            Channel::Stream(sink) => sink.notify_resource_updated(uri).await.is_ok(),
        }
    }
}

impl Subscribers {
    fn channel(&self, listener: Listener) -> Option<Channel> {
        match listener {
            Listener::Session(session) => {
                self.sessions.get(&session).cloned().map(Channel::Session)
            }
            Listener::Stream(number) => {
                self.streams.get(&number).map(|stream| Channel::Stream(stream.sink.clone()))
            }
        }
    }

    fn forget(&mut self, listener: Listener) {
        match listener {
            Listener::Session(session) => drop(self.sessions.remove(&session)),
            Listener::Stream(number) => drop(self.streams.remove(&number)),
        }
    }
}

impl Followers {
    pub fn new(leagues: &Leagues) -> Followers {
        let followers = Followers { leagues: leagues.clone(), subscribers: Arc::default() };
        tokio::spawn(tell_all(leagues.clone(), Arc::downgrade(&followers.subscribers)));
        tokio::spawn(reread_all(leagues.clone(), Arc::downgrade(&followers.subscribers)));
        followers
    }

    /// Registers a client with a session.
    pub fn greet(&self, session: Hashed, peer: Peer<RoleServer>) {
        let mut subscribers = lock(&self.subscribers);
        subscribers.sessions.retain(|_, peer| !peer.is_transport_closed());
        subscribers.sessions.insert(session, peer);
    }

    pub async fn follow(&self, session: Hashed, uri: &str, about: &str) -> Result<(), ErrorData> {
        match self.leagues.hall.store().subscribe(session, uri, about).await {
            Ok(true) => Ok(()),
            Ok(false) => {
                let why = format!(
                    "a session follows {MOST_FOLLOWED} things at the most; unsubscribe from some"
                );
                Err(ErrorData::invalid_request(why, None))
            }
            Err(error) => Err(unsaved(&error)),
        }
    }

    pub async fn unfollow(&self, session: Hashed, uri: &str) -> Result<(), ErrorData> {
        let said = self.leagues.hall.store().unsubscribe(session, uri).await;
        said.map_err(|error| unsaved(&error))
    }

    /// Notifies a client without a session until its stream ends.
    pub async fn listen(&self, context: SubscriptionContext) {
        let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        let listener = {
            let mut subscribers = lock(&self.subscribers);
            subscribers.next_stream += 1;
            let number = subscribers.next_stream;
            subscribers.streams.insert(number, Stream { sink: context.sink().clone(), uris });
            Listener::Stream(number)
        };
        let _leaves = Leaving { followers: self, listener };
        tokio::select! {
            () = context.cancelled() => {}
            () = self.leagues.stop.cancelled() => {}
        }
    }
}

fn unsaved(error: &StoreError) -> ErrorData {
    tracing::error!(%error, "a subscription was not saved");
    let why = format!("the subscription could not be saved; {}", error.remedy());
    ErrorData::internal_error(why, None)
}

/// Removes a listener when it is dropped.
struct Leaving<'a> {
    followers: &'a Followers,
    listener: Listener,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        lock(&self.followers.subscribers).forget(self.listener);
    }
}

fn lock(subscribers: &Mutex<Subscribers>) -> MutexGuard<'_, Subscribers> {
    subscribers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notifies all subscribers of all changes, until the server stops.
async fn tell_all(leagues: Leagues, subscribers: Weak<Mutex<Subscribers>>) {
    let mut changes = leagues.hall.news();
    while let Some(changed) = changes.next(PACE).await {
        let Some(subscribers) = subscribers.upgrade() else { return };
        let about = touched_by(&leagues.hall, &changed).await;
        let followed = followed(&leagues, &subscribers, about.clone()).await;
        let mut touched = Touched { leagues: &leagues, changed, about, known: HashMap::new() };
        for (listener, uri) in followed {
            if touched.includes(&uri).await {
                tell(&subscribers, listener, uri);
            }
        }
    }
}

/// Reads games that are followed here again, in case another node has changed them and the
/// notification was lost. A change found so is announced like any other.
async fn reread_all(leagues: Leagues, subscribers: Weak<Mutex<Subscribers>>) {
    // Unfinished games stay in memory in between, to be compared with the store.
    let mut games: HashMap<GameId, Arc<Game>> = HashMap::new();
    let mut finished: HashSet<String> = HashSet::new();
    loop {
        sleep(REREAD).await;
        let Some(subscribers) = subscribers.upgrade() else { return };
        let followed = followed(&leagues, &subscribers, None).await;
        let uris: HashSet<_> = followed.into_iter().map(|(_, uri)| uri).collect();
        finished.retain(|uri| uris.contains(uri));
        let mut still = HashMap::new();
        let unfinished: Vec<_> = uris.into_iter().filter(|uri| !finished.contains(uri)).collect();
        for uri in unfinished {
            let Some(subject) = Subject::of(&uri) else { continue };
            let found = subject.games(&leagues).await.into_iter();
            let (over, unfinished): (Vec<_>, Vec<_>) =
                found.partition(|game| game.due().outcome().is_some());
            still.extend(unfinished.into_iter().map(|game| (game.id(), game)));
            if matches!(subject, Subject::Game(..)) && !over.is_empty() {
                finished.insert(uri);
            }
        }
        for game in still.values().filter(|game| games.contains_key(&game.id())) {
            game.refresh().await;
        }
        games = still;
    }
}

/// All subscriptions here; for sessions, only those about the given subjects.
async fn followed(
    leagues: &Leagues,
    subscribers: &Mutex<Subscribers>,
    about: Option<Vec<String>>,
) -> Vec<(Listener, String)> {
    let mut followed = Vec::new();
    let sessions: Vec<_> = {
        let subscribers = lock(subscribers);
        for (number, stream) in &subscribers.streams {
            let theirs = stream.uris.iter().map(|uri| (Listener::Stream(*number), uri.clone()));
            followed.extend(theirs);
        }
        subscribers.sessions.keys().copied().collect()
    };
    if !sessions.is_empty() {
        match leagues.hall.store().subscriptions(sessions, about).await {
            Ok(said) => {
                let subscribers = lock(subscribers);
                let here = said.into_iter().filter(|(of, _)| subscribers.sessions.contains_key(of));
                followed.extend(here.map(|(session, uri)| (Listener::Session(session), uri)));
            }
            Err(error) => tracing::warn!(%error, "no session is told of news"),
        }
    }
    followed
}

/// Tells which resources a set of changes touches, looking at each once.
struct Touched<'a> {
    leagues: &'a Leagues,
    changed: Changed,
    /// The subjects that they may be about; any, if none.
    about: Option<Vec<String>>,
    known: HashMap<String, bool>,
}

impl Touched<'_> {
    async fn includes(&mut self, uri: &str) -> bool {
        if let Some(known) = self.known.get(uri) {
            return *known;
        }
        let may_be = |subject: &Subject| {
            self.about.as_ref().is_none_or(|about| about.contains(&subject.about()))
        };
        // A move of a game that is none of its does not concern a follower of a league.
        let is_touched = match Subject::of(uri).filter(may_be) {
            Some(subject) => subject.is_touched_by(self.leagues, &self.changed).await,
            None => false,
        };
        self.known.insert(uri.to_owned(), is_touched);
        is_touched
    }
}

/// Notifies one listener. If a notification is in progress, one more follows it, however often the
/// resource changes meanwhile.
fn tell(subscribers: &Arc<Mutex<Subscribers>>, listener: Listener, uri: String) {
    let key = (listener, uri);
    {
        let mut subscribers = lock(subscribers);
        if let Some(again) = subscribers.telling.get_mut(&key) {
            *again = true;
            return;
        }
        subscribers.telling.insert(key.clone(), false);
    }
    let subscribers = subscribers.clone();
    tokio::spawn(async move {
        let _counted = OneMore::news();
        loop {
            let channel = lock(&subscribers).channel(key.0);
            let heard = match channel {
                Some(channel) => timeout(PATIENCE, channel.hears(&key.1)).await == Ok(true),
                None => false,
            };
            let mut subscribers = lock(&subscribers);
            if !heard {
                subscribers.forget(key.0);
            }
            match subscribers.telling.get_mut(&key) {
                Some(again) if *again && heard => *again = false,
                _ => {
                    subscribers.telling.remove(&key);
                    return;
                }
            }
        }
    });
}
