//! What can be read and followed without asking again: games and dungeons, by their public ids, and
//! tables, schedules and matches of leagues. Who is told of changes is in `followers`.

use std::{collections::HashSet, sync::Arc};

use rmcp::{
    ErrorData,
    model::{Resource, ResourceContents, ResourceTemplate, SubscriptionFilter},
};
use rules::{
    league::{LeagueRule, MatchId},
    quoted, short,
};
use serde_json::{Value, json};

use super::{league::state_of, room::Room, telling::Tellings};
use crate::{
    hall::{Changed, FindError, Game, Hall, WrongKind},
    ids::{GameId, Handle},
    league::play::{
        leagues::Leagues,
        refusals::{InTheWay, LeagueRefusal, fate},
        tables::{schedule, standings},
    },
    player::is_refereed,
    store::MOST_FOLLOWED,
};

/// The subject of all addresses of leagues.
const LEAGUES: &str = "leagues";

/// The thing that an address names. Without a league's name it is the newest league.
pub enum Subject {
    Standings(Option<String>),
    Schedule(Option<String>),
    Match(Option<String>, MatchId),
    /// A game of the kind that has this name.
    Game(String, GameId),
}

impl Subject {
    pub fn of(uri: &str) -> Option<Subject> {
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
            (kind, "game", Some(id)) => match id.parse::<Handle>().ok()? {
                Handle { game, pass: None } => Some(Subject::Game(kind.to_owned(), game)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The news that a follower of it wants: of one game, or of leagues and their matches.
    pub fn about(&self) -> String {
        match self {
            Subject::Game(_, id) => id.to_string(),
            Subject::Standings(_) | Subject::Schedule(_) | Subject::Match(..) => LEAGUES.into(),
        }
    }

    /// The thing that an address names in these rooms.
    fn within(rooms: &[Room], uri: &str) -> Option<Subject> {
        Subject::of(uri).filter(|subject| {
            rooms.iter().any(|room| match subject {
                Subject::Game(kind, _) => room.readable().iter().any(|(name, _)| name == kind),
                _ => room.is_of_leagues(),
            })
        })
    }

    fn league(&self) -> Option<&str> {
        match self {
            Subject::Standings(league) | Subject::Schedule(league) | Subject::Match(league, _) => {
                league.as_deref()
            }
            Subject::Game(..) => None,
        }
    }

    async fn read(&self, leagues: &Leagues, tellings: &Tellings) -> Result<Value, LeagueRefusal> {
        if let Subject::Game(kind, id) = self {
            let game = found(&leagues.hall, *id).await?;
            let own = game.kind().name;
            if own != kind {
                return Err(LeagueRefusal::because(format!("game {id} is a game of {own}")));
            }
            return tellings.of(kind).read(&leagues.hall, &game).await.map_err(unlike);
        }
        let league = leagues.find(self.league()).await?;
        let view = leagues.view(&league);
        match self {
            Subject::Schedule(_) => Ok(schedule(&view)),
            Subject::Match(_, id) => match view.find(*id) {
                Some(fixture) => Ok(json!(state_of(leagues, &league, &fixture).await?)),
                None => Err(LeagueRefusal::Rule {
                    rule: InTheWay::Rule(LeagueRule::UnknownMatch),
                    reason: format!("there is no match {id} in this league"),
                }),
            },
            _ => Ok(standings(&view)),
        }
    }

    /// Whether those changes change what is read here.
    pub async fn is_touched_by(&self, leagues: &Leagues, changed: &Changed) -> bool {
        match self {
            Subject::Game(_, id) => changed.includes(*id),
            _ => self.games(leagues).await.iter().any(|game| changed.includes(game.id())),
        }
    }

    /// The games that it is told of: one, or a league and perhaps a match of it.
    pub async fn games(&self, leagues: &Leagues) -> Vec<Arc<Game>> {
        if let Subject::Game(_, id) = self {
            return leagues.hall.find(*id).await.into_iter().collect();
        }
        let Ok(league) = leagues.find(self.league()).await else { return Vec::new() };
        let fixture = match self {
            Subject::Match(_, id) => leagues.view(&league).find(*id),
            _ => None,
        };
        let contest = match fixture {
            Some(fixture) => leagues.game_of(&league, &fixture).await.ok().flatten(),
            None => None,
        };
        std::iter::once(league).chain(contest).collect()
    }
}

async fn found(hall: &Hall, id: GameId) -> Result<Arc<Game>, LeagueRefusal> {
    let game = hall.find(id).await.map_err(|error| match error {
        FindError::NoSuchGame(_) => LeagueRefusal::because(error),
        fault => fault.into(),
    })?;
    game.refresh().await;
    Ok(game)
}

fn unlike(error: WrongKind) -> LeagueRefusal {
    LeagueRefusal::because(error)
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
    let template = |uri: &str, name: &str| {
        let mut template = ResourceTemplate::new(uri, name);
        template.mime_type = Some("application/json".into());
        template
    };
    let mut games: Vec<_> = rooms.iter().flat_map(Room::readable).collect();
    // Chess has a room of its own and is played where every game is.
    let mut known = HashSet::new();
    games.retain(|(kind, _)| known.insert(*kind));
    let games = games.into_iter();
    let games = games.map(|(kind, title)| template(&format!("{kind}://game/{{game_id}}"), title));
    let of_leagues = [
        ("game://state/{match_id}", "Match of the newest league"),
        ("game://state/{league_id}/{match_id}", "Match of a league"),
        ("league://standings/{league_id}", "Standings of a league"),
        ("league://schedule/{league_id}", "Schedule of a league"),
    ];
    let here = rooms.iter().any(Room::is_of_leagues);
    let of_leagues = of_leagues.into_iter().filter(|_| here);
    games.chain(of_leagues.map(|(uri, name)| template(uri, name))).collect()
}

/// None if the address is of something else.
pub async fn read(
    leagues: &Leagues,
    tellings: &Tellings,
    rooms: &[Room],
    uri: &str,
) -> Option<Result<ResourceContents, String>> {
    let subject = Subject::within(rooms, uri)?;
    let read = subject.read(leagues, tellings).await;
    Some(match read {
        Ok(body) => {
            let body = ResourceContents::text(body.to_string(), uri);
            Ok(body.with_mime_type("application/json"))
        }
        Err(LeagueRefusal::Store(error)) => {
            tracing::error!(%error, "a resource was not read");
            Err(format!("it cannot be read now; {}", fate(&error)))
        }
        Err(no) => Err(no.to_string()),
    })
}

/// The subjects that a change to these games may touch. None if it may be any.
pub async fn touched_by(hall: &Hall, changed: &Changed) -> Option<Vec<String>> {
    let Changed::These(games) = changed else { return None };
    let mut about: Vec<_> = games.iter().map(GameId::to_string).collect();
    for id in games {
        if !is_alone(hall, *id) {
            about.push(LEAGUES.to_owned());
            break;
        }
    }
    Some(about)
}

/// Whether a game is neither a league nor a match of one. One that is not in memory may be either.
fn is_alone(hall: &Hall, id: GameId) -> bool {
    let Some(game) = hall.in_memory(id).filter(|game| game.kind().card.is_some()) else {
        return false;
    };
    let seats = game.seats();
    let mut sitting = seats.iter().peekable();
    sitting.peek().is_some() && sitting.all(|seat| !is_refereed(&seat.manner))
}

/// Refuses to follow what is not here.
pub fn known(rooms: &[Room], uri: &str) -> Result<Subject, ErrorData> {
    let subject = Subject::within(rooms, uri);
    subject.ok_or_else(|| {
        let why = format!("there is no resource {} that changes", quoted(uri));
        ErrorData::resource_not_found(why, Some(json!({ "uri": short(uri) })))
    })
}

/// Of what was asked for, what can be followed.
pub fn accepted(rooms: &[Room], asked: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = SubscriptionFilter::new();
    let uris = asked.resource_subscriptions.iter().flatten();
    let known = uris.filter(|uri| Subject::within(rooms, uri).is_some());
    accepted.resource_subscriptions = Some(known.take(MOST_FOLLOWED as usize).cloned().collect());
    accepted
}

#[cfg(test)]
mod tests {
    use super::{super::room, *};

    #[test]
    fn addresses_name_what_can_be_followed() {
        for uri in ["league://standings", "league://schedule/cup", "game://state/R1M1"] {
            assert!(Subject::of(uri).is_some(), "{uri}");
        }
        assert_eq!(Subject::of("game://state/cup/R2M3").unwrap().league(), Some("cup"));
        assert!(Subject::of("chess://game/3f9a61c2").is_some());
        assert!(Subject::within(&room::of_leagues(), "chess://game/3f9a61c2").is_none());
        assert!(Subject::of("dungeon://game/3f9a61c2-8e04b7d15ac96f20").is_none());
        for uri in ["", "league://", "league://players", "game://state/", "game://state/M1"] {
            assert!(Subject::of(uri).is_none(), "{uri}");
        }
    }
}
