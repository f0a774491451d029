//! What can be read and followed without asking again: tables, schedules and matches of leagues.
//!
//! Each subscription is a task of its own that hears of every change in the hall and passes on
//! those that matter to it, in both eras of the protocol.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
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
use rules::league::MatchId;
use serde_json::Value;
use tokio::{
    sync::broadcast::error::RecvError,
    task::{AbortHandle, JoinSet},
    time::{sleep, timeout},
};

use super::league::{schedule, standings, state_of};
use crate::{
    hall::GameId,
    league::{
        conductor::match_name,
        leagues::{Leagues, No},
    },
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
            _ => None,
        }
    }

    fn league(&self) -> Option<&str> {
        match self {
            Subject::Standings(league) | Subject::Schedule(league) | Subject::Match(league, _) => {
                league.as_deref()
            }
        }
    }

    async fn read(&self, leagues: &Leagues) -> Result<Value, No> {
        let league = leagues.find(self.league()).await?;
        let view = leagues.view(&league).await;
        match self {
            Subject::Standings(_) => Ok(standings(&view)),
            Subject::Schedule(_) => Ok(schedule(&view)),
            Subject::Match(_, id) => match view.find(*id) {
                Some(fixture) => state_of(leagues, &league, &fixture).await,
                None => Err(No::Rule {
                    rule: "UnknownMatch",
                    reason: format!("there is no match {id} in this league"),
                }),
            },
        }
    }

    /// Whether a change of that game changes what is read here.
    async fn is_touched_by(&self, leagues: &Leagues, game: GameId) -> bool {
        let Ok(league) = leagues.find(self.league()).await else { return false };
        let contest = match self {
            Subject::Match(_, id) => {
                let named = leagues.hall.named(match_name(league.id(), *id)).await;
                named.ok().flatten().map(|game| game.id())
            }
            _ => None,
        };
        league.id() == game || contest == Some(game)
    }
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

pub fn templates() -> Vec<ResourceTemplate> {
    let listed = [
        ("game://state/{match_id}", "Match of the newest league"),
        ("game://state/{league_id}/{match_id}", "Match of a league"),
        ("league://standings/{league_id}", "Standings of a league"),
        ("league://schedule/{league_id}", "Schedule of a league"),
    ];
    let template = |(uri, name): (&str, &str)| {
        let mut template = ResourceTemplate::new(uri, name);
        template.mime_type = Some("application/json".into());
        template
    };
    listed.map(template).to_vec()
}

/// None if the address is of something else.
pub async fn read(leagues: &Leagues, uri: &str) -> Option<Result<ResourceContents, No>> {
    let subject = Subject::of(uri)?;
    let read = subject.read(leagues).await;
    Some(read.map(|body| {
        ResourceContents::text(body.to_string(), uri).with_mime_type("application/json")
    }))
}

/// Who follows what with a session; keyed by both, so that one client's change of mind is no
/// other's.
#[derive(Clone, Default)]
pub struct Followers(Arc<Mutex<HashMap<(Hashed, String), AbortHandle>>>);

impl Followers {
    pub fn follow(
        &self,
        leagues: &Leagues,
        session: Hashed,
        uri: &str,
        peer: Peer<RoleServer>,
    ) -> Result<(), ErrorData> {
        let subject = known(uri)?;
        let ear = Ear::Session(peer);
        let task = tokio::spawn(watch(leagues.clone(), subject, uri.to_owned(), ear));
        let mut followers = self.0.lock().expect("nobody panics holding these");
        followers.retain(|_, task| !task.is_finished());
        if let Some(before) = followers.insert((session, uri.to_owned()), task.abort_handle()) {
            before.abort();
        }
        Ok(())
    }

    pub fn leave(&self, session: Hashed, uri: &str) {
        let mut followers = self.0.lock().expect("nobody panics holding these");
        if let Some(task) = followers.remove(&(session, uri.to_owned())) {
            task.abort();
        }
    }
}

fn known(uri: &str) -> Result<Subject, ErrorData> {
    Subject::of(uri).ok_or_else(|| {
        let why = format!("there is no resource {uri:?} that changes");
        ErrorData::resource_not_found(why, None)
    })
}

/// Of what was asked for, what can be followed.
pub fn accepted(asked: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = SubscriptionFilter::new();
    let uris = asked.resource_subscriptions.iter().flatten();
    accepted.resource_subscriptions =
        Some(uris.filter(|uri| Subject::of(uri).is_some()).cloned().collect());
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
    loop {
        let touched = match changes.recv().await {
            Ok(game) => subject.is_touched_by(&leagues, game).await,
            // Something was missed; it may have been this.
            Err(RecvError::Lagged(_)) => true,
            Err(RecvError::Closed) => return,
        };
        if !touched {
            continue;
        }
        sleep(PACE).await;
        // What happened meanwhile is part of the same news.
        changes = changes.resubscribe();
        if timeout(PATIENCE, ear.tell(&uri)).await != Ok(true) {
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
        for uri in ["", "league://", "league://players", "game://state/", "game://state/M1"] {
            assert!(Subject::of(uri).is_none(), "{uri}");
        }
    }
}
