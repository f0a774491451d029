//! What can be read and followed without asking again: games and dungeons, by their public ids, and
//! tables, schedules and matches of leagues.
//!
//! Whoever subscribes without a session has a task that hears of every change in the hall and
//! passes on those that matter to it; one task does so for all sessions.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer,
    model::{
        Resource, ResourceContents, ResourceTemplate, ResourceUpdatedNotificationParam,
        SubscriptionFilter,
    },
    service::{Peer, SubscriptionContext, SubscriptionSink},
};
use rules::{Eye, chess::Chess, dungeon::Dungeon, league::MatchId};
use serde_json::{Value, json};
use tokio::{
    sync::broadcast::{
        self,
        error::{RecvError, TryRecvError},
    },
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    Room, chess,
    league::{schedule, standings, state_of},
};
use crate::{
    hall::{FindError, Game, GameId, Hall, Handle, WrongKind},
    league::leagues::{Leagues, No},
    store::Hashed,
};

/// Several changes that come together are one piece of news.
const PACE: Duration = Duration::from_millis(100);
/// A subscriber who does not take a piece of news for this long has gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// What an address names. Without a league's name it is the newest league.
enum Subject {
    Standings(Option<String>),
    Schedule(Option<String>),
    Match(Option<String>, MatchId),
    Chess(GameId),
    Dungeon(GameId),
}

impl Subject {
    fn of(uri: &str) -> Option<Subject> {
        let (kind, rest) = uri.split_once("://")?;
        let (what, rest) = rest.split_once('/').map_or((rest, None), |(what, r)| (what, Some(r)));
        match (kind, what, rest) {
            ("league", "standings", league) => Some(Subject::Standings(league.map(str::to_owned))),
            ("league", "schedule", league) => Some(Subject::Schedule(league.map(str::to_owned))),
            ("game", "state", Some(rest)) => match rest.rsplit_once('/') {
                None => Some(Subject::Match(None, rest.parse().ok()?)),
                Some((league, id)) => Some(Subject::Match(Some(league.into()), id.parse().ok()?)),
            },
            // A pass is a secret, and no address.
            ("chess" | "dungeon", "game", Some(id)) => match id.parse::<Handle>().ok()? {
                Handle { game, pass: None } if kind == "chess" => Some(Subject::Chess(game)),
                Handle { game, pass: None } => Some(Subject::Dungeon(game)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What an address names in these rooms.
    fn within(rooms: &[Room], uri: &str) -> Option<Subject> {
        Subject::of(uri).filter(|subject| {
            rooms.iter().any(|room| match subject {
                Subject::Chess(_) => *room == Room::Chess,
                Subject::Dungeon(_) => *room == Room::Dungeon,
                _ => matches!(room, Room::League | Room::Referee),
            })
        })
    }

    fn league(&self) -> Option<&str> {
        match self {
            Subject::Standings(league) | Subject::Schedule(league) | Subject::Match(league, _) => {
                league.as_deref()
            }
            Subject::Chess(_) | Subject::Dungeon(_) => None,
        }
    }

    async fn read(&self, leagues: &Leagues) -> Result<Value, No> {
        match self {
            Subject::Chess(id) => return read_chess(&leagues.hall, *id).await,
            Subject::Dungeon(id) => return read_dungeon(&leagues.hall, *id).await,
            _ => {}
        }
        let league = leagues.find(self.league()).await?;
        let view = leagues.view(&league).await;
        match self {
            Subject::Schedule(_) => Ok(schedule(&view)),
            Subject::Match(_, id) => match view.find(*id) {
                Some(fixture) => state_of(leagues, &league, &fixture).await,
                None => Err(No::Rule {
                    rule: "UnknownMatch",
                    reason: format!("there is no match {id} in this league"),
                }),
            },
            _ => Ok(standings(&view)),
        }
    }

    /// Whether those changes change what is read here.
    async fn is_touched_by(&self, leagues: &Leagues, changed: &Changed) -> bool {
        if let Subject::Chess(id) | Subject::Dungeon(id) = self {
            return changed.includes(*id);
        }
        let Ok(league) = leagues.find(self.league()).await else { return false };
        if changed.includes(league.id()) {
            return true;
        }
        let Subject::Match(_, id) = self else { return false };
        let Some(fixture) = leagues.view(&league).await.find(*id) else { return false };
        let contest = leagues.game_of(&league, &fixture).await;
        contest.ok().flatten().is_some_and(|game| changed.includes(game.id()))
    }
}

async fn read_chess(hall: &Hall, id: GameId) -> Result<Value, No> {
    let game = found(hall, id).await?;
    let look = game.look::<Chess>(Eye::Public).await.map_err(unlike)?;
    Ok(chess::seen_by_all(&look))
}

async fn read_dungeon(hall: &Hall, id: GameId) -> Result<Value, No> {
    let game = found(hall, id).await?;
    let look = game.look::<Dungeon>(Eye::Public).await.map_err(unlike)?;
    let view = &look.view;
    Ok(json!({
        "game_id": id.to_string(),
        "gameStatus": view.status,
        "turn": look.next - 1,
        "ending": view.ending,
        "score": view.score,
        "room": view.room,
        "stats": view.stats,
        "map": view.map,
        "chronicle": view.chronicle,
    }))
}

async fn found(hall: &Hall, id: GameId) -> Result<Arc<Game>, No> {
    let game = hall.find(id).await.map_err(|error| match error {
        FindError::NoSuchGame(_) => No::Rule { rule: "UnknownGame", reason: error.to_string() },
        fault => fault.into(),
    })?;
    game.refresh().await;
    Ok(game)
}

fn unlike(error: WrongKind) -> No {
    No::Rule { rule: "WrongKind", reason: error.to_string() }
}

pub fn list() -> Vec<Resource> {
    let listed = [
        ("league://standings", "League Standings", "Current league standings"),
        ("league://schedule", "League Schedule", "Current and upcoming matches"),
    ];
    let resource = |(uri, name, about): (&str, &str, &str)| {
        let mut resource = Resource::new(uri, name);
        resource.description = Some(about.into());
        resource.mime_type = Some("application/json".into());
        resource
    };
    listed.map(resource).to_vec()
}

pub fn templates(rooms: &[Room]) -> Vec<ResourceTemplate> {
    let listed = [
        ("chess://game/{game_id}", "Chess game", "3f9a61c2"),
        ("dungeon://game/{game_id}", "Dungeon", "3f9a61c2"),
        ("game://state/{match_id}", "Match of the newest league", "R1M1"),
        ("game://state/{league_id}/{match_id}", "Match of a league", "cup/R1M1"),
        ("league://standings/{league_id}", "Standings of a league", "cup"),
        ("league://schedule/{league_id}", "Schedule of a league", "cup"),
    ];
    let here = |uri: &str, example: &str| {
        let beginning = uri.split('{').next().unwrap_or_default();
        Subject::within(rooms, &format!("{beginning}{example}")).is_some()
    };
    let template = |(uri, name, _): (&str, &str, &str)| {
        let mut template = ResourceTemplate::new(uri, name);
        template.mime_type = Some("application/json".into());
        template
    };
    listed.into_iter().filter(|(uri, _, example)| here(uri, example)).map(template).collect()
}

/// None if the address is of something else.
pub async fn read(
    leagues: &Leagues,
    rooms: &[Room],
    uri: &str,
) -> Option<Result<ResourceContents, String>> {
    let subject = Subject::within(rooms, uri)?;
    let read = subject.read(leagues).await;
    Some(match read {
        Ok(body) => {
            let body = ResourceContents::text(body.to_string(), uri);
            Ok(body.with_mime_type("application/json"))
        }
        Err(No::Store(error)) => {
            tracing::error!(%error, "a resource was not read");
            Err("it cannot be read now; try again".into())
        }
        Err(no) => Err(no.to_string()),
    })
}

/// The clients with a session that this process can send news to. What each of them follows is in
/// the store: it may have said so to another node than the one its stream comes from.
#[derive(Clone)]
pub struct Followers {
    leagues: Leagues,
    peers: Arc<Mutex<HashMap<Hashed, Peer<RoleServer>>>>,
}

impl Followers {
    pub fn new(leagues: &Leagues) -> Followers {
        let followers = Followers { leagues: leagues.clone(), peers: Arc::default() };
        tokio::spawn(tell_sessions(leagues.clone(), Arc::downgrade(&followers.peers)));
        followers
    }

    pub fn greet(&self, session: Hashed, peer: Peer<RoleServer>) {
        let mut peers = self.peers.lock().expect("nobody panics holding these");
        peers.retain(|_, peer| !peer.is_transport_closed());
        peers.insert(session, peer);
    }

    pub async fn follow(&self, session: Hashed, uri: &str, wanted: bool) -> Result<(), ErrorData> {
        let said = self.leagues.hall.store().subscribe(session, uri, wanted).await;
        said.map_err(|error| {
            tracing::error!(%error, "a subscription was not saved");
            ErrorData::internal_error("The subscription could not be saved. Try again.", None)
        })
    }
}

/// Brings clients with a session the news they subscribed to, as long as there is anyone.
async fn tell_sessions(leagues: Leagues, peers: Weak<Mutex<HashMap<Hashed, Peer<RoleServer>>>>) {
    let mut changes = leagues.hall.changes();
    loop {
        let Some(changed) = next_changes(&mut changes).await else { return };
        let Some(peers) = peers.upgrade() else { return };
        let here = || peers.lock().expect("nobody panics holding these");
        if here().is_empty() {
            continue;
        }
        let followed = match leagues.hall.store().subscriptions().await {
            Ok(followed) => followed,
            Err(error) => {
                tracing::warn!(%error, "nobody is told of news");
                continue;
            }
        };
        for (session, uri) in followed {
            let Some(peer) = here().get(&session).cloned() else { continue };
            let Some(subject) = Subject::of(&uri) else { continue };
            if !subject.is_touched_by(&leagues, &changed).await {
                continue;
            }
            let ear = Ear::Session(peer);
            let peers = peers.clone();
            tokio::spawn(async move {
                if timeout(PATIENCE, ear.tell(&uri)).await != Ok(true) {
                    peers.lock().expect("nobody panics holding these").remove(&session);
                }
            });
        }
    }
}

/// Which games have changed.
enum Changed {
    These(HashSet<GameId>),
    /// Some were missed; it may have been any.
    Any,
}

impl Changed {
    fn includes(&self, game: GameId) -> bool {
        match self {
            Changed::These(games) => games.contains(&game),
            Changed::Any => true,
        }
    }
}

/// Waits for a change, and for those that come right after it. None when there will be no more.
async fn next_changes(changes: &mut broadcast::Receiver<GameId>) -> Option<Changed> {
    let mut changed = HashSet::new();
    match changes.recv().await {
        Ok(game) => drop(changed.insert(game)),
        Err(RecvError::Lagged(_)) => {
            sleep(PACE).await;
            *changes = changes.resubscribe();
            return Some(Changed::Any);
        }
        Err(RecvError::Closed) => return None,
    }
    sleep(PACE).await;
    loop {
        match changes.try_recv() {
            Ok(game) => drop(changed.insert(game)),
            Err(TryRecvError::Lagged(_)) => return Some(Changed::Any),
            Err(TryRecvError::Empty | TryRecvError::Closed) => {
                return Some(Changed::These(changed));
            }
        }
    }
}

/// Refuses to follow what is not here.
pub fn known(rooms: &[Room], uri: &str) -> Result<(), ErrorData> {
    let subject = Subject::within(rooms, uri);
    subject.map(drop).ok_or_else(|| {
        let why = format!("there is no resource {uri:?} that changes");
        ErrorData::resource_not_found(why, Some(json!({ "uri": uri })))
    })
}

/// Of what was asked for, what can be followed.
pub fn accepted(rooms: &[Room], asked: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = SubscriptionFilter::new();
    let uris = asked.resource_subscriptions.iter().flatten();
    accepted.resource_subscriptions =
        Some(uris.filter(|uri| Subject::within(rooms, uri).is_some()).cloned().collect());
    accepted
}

/// Follows for a client without a session, as long as it listens.
pub async fn listen(leagues: &Leagues, context: SubscriptionContext) {
    let mut following = JoinSet::new();
    for uri in context.accepted().resource_subscriptions.iter().flatten().cloned() {
        let Some(subject) = Subject::of(&uri) else { continue };
        let ear = Ear::Stream(context.sink().clone());
        following.spawn(watch(leagues.clone(), subject, uri, ear));
    }
    tokio::select! {
        () = context.cancelled() => {}
        () = leagues.stop.cancelled() => {}
    }
}

/// Who is told, in either era.
enum Ear {
    Session(Peer<RoleServer>),
    Stream(SubscriptionSink),
}

impl Ear {
    /// False when nobody listens any more.
    async fn tell(&self, uri: &str) -> bool {
        match self {
            Ear::Session(peer) => {
                let news = ResourceUpdatedNotificationParam::new(uri);
                peer.notify_resource_updated(news).await.is_ok()
            }
            Ear::Stream(sink) => sink.notify_resource_updated(uri).await.is_ok(),
        }
    }
}

/// Brings news of every change until nobody takes them.
async fn watch(leagues: Leagues, subject: Subject, uri: String, ear: Ear) {
    let mut changes = leagues.hall.changes();
    while let Some(changed) = next_changes(&mut changes).await {
        if subject.is_touched_by(&leagues, &changed).await
            && timeout(PATIENCE, ear.tell(&uri)).await != Ok(true)
        {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_what_can_be_followed() {
        for uri in ["league://standings", "league://schedule/cup", "game://state/R1M1"] {
            assert!(Subject::of(uri).is_some(), "{uri}");
        }
        assert_eq!(Subject::of("game://state/cup/R2M3").unwrap().league(), Some("cup"));
        assert!(Subject::of("chess://game/3f9a61c2").is_some());
        assert!(Subject::within(&[Room::Dungeon], "chess://game/3f9a61c2").is_none());
        assert!(Subject::of("dungeon://game/3f9a61c2-8e04b7d15ac96f20").is_none());
        for uri in ["", "league://", "league://players", "game://state/", "game://state/M1"] {
            assert!(Subject::of(uri).is_none(), "{uri}");
        }
    }
}
