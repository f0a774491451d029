//! The owner's commands: start a league, stop it, play it again, and say who plays in it.

use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use rules::league::{Event, Phase, PlayerId, View};
use serde::Serialize;
use serde_json::json;

use super::{Which, facts::StatusFacts, find, named, native, opening, printing::counted, say};
use crate::{
    hall::Game,
    league::play::{
        leagues::{Leagues, Started},
        rate_limit::CallerId,
        registration::Applicant,
    },
};

/// Leagues that are looked through for the owner's.
const MANY: u32 = 1000;

pub async fn start(leagues: &Leagues, which: &Which) -> Result<()> {
    let (league, view) = owners(leagues, which).await?;
    let started = leagues.start(&league).await?;
    let Started { rounds, matches, unreachable } = &started;
    let (name, matches) = (&view.setup().name, counted(*matches, "match"));
    let mut text = if view.is_paused() {
        format!("{name} goes on: {matches} left\n")
    } else {
        format!("{name} started: {matches} in {}\n", counted(*rounds, "round"))
    };
    for id in unreachable {
        let name = view.player(*id).map_or("", |player| player.name);
        text += &format!("{id} {name} cannot be reached, and forfeits what it misses\n");
    }
    let facts = json!({ "league_id": name, "rounds": started.rounds, "matches": started.matches,
        "unreachable": unreachable });
    Ok(say(which.json, &text, &facts)?)
}

pub async fn stop(leagues: &Leagues, which: &Which) -> Result<()> {
    let (league, view) = owners(leagues, which).await?;
    let name = &view.setup().name;
    ensure!(
        view.phase() != Phase::Open,
        "{name} has not started, so there is nothing to stop; to close it for good use agon league \
         end {name}"
    );
    leagues.tell(&league, &Event::Pause).await?;
    let facts = json!({ "league_id": name, "phase": Phase::Running, "paused": true });
    let text = format!("{name} is paused; agon league start {name} goes on with it");
    Ok(say(which.json, &text, &facts)?)
}

pub async fn end(leagues: &Leagues, which: &Which, reason: String) -> Result<()> {
    let (league, view) = owners(leagues, which).await?;
    leagues.tell(&league, &Event::Stop { reason }).await?;
    let name = &view.setup().name;
    let facts = json!({ "league_id": name, "phase": Phase::Stopped });
    Ok(say(which.json, &format!("{name} has ended"), &facts)?)
}

/// Opens it again as another, with the same players.
pub async fn repeat(leagues: &Leagues, which: &Which, start: bool) -> Result<()> {
    let (league, view) = find(leagues, which).await?;
    let next = leagues.repeat(&league, &view).await?;
    if start {
        leagues.start(&next).await?;
    }
    let facts = StatusFacts::of(leagues, &next, &leagues.view(&next)).await?;
    let name = &view.setup().name;
    let text = format!("league {name} opened again as {:?}{}", facts.league_id, facts.after());
    Ok(say(which.json, &text, &facts)?)
}

/// Something happens to the league, and this is said of it.
pub async fn tell(
    leagues: &Leagues,
    which: &Which,
    event: &Event,
    text: &str,
    facts: &impl Serialize,
) -> Result<()> {
    let (league, _) = find(leagues, which).await?;
    leagues.tell(&league, event).await?;
    Ok(say(which.json, text, facts)?)
}

pub async fn add(leagues: &Leagues, name: String, endpoint: String, which: &Which) -> Result<()> {
    let (league, view) = find(leagues, which).await?;
    let ticket = leagues.add(&league, entered(name, endpoint, &view)).await?;
    let (id, league_id) = (ticket.player_id, ticket.league_id);
    let name = leagues.view(&league).player(id).map(|p| p.name.to_owned());
    let name = name.unwrap_or_default();
    let facts = json!({ "league_id": league_id, "player_id": id, "name": name });
    Ok(say(which.json, &format!("{id} {name} plays in {league_id}"), &facts)?)
}

/// Gives a player another token, and a person another link.
pub async fn revoke(leagues: &Leagues, pages: &str, player: PlayerId, which: &Which) -> Result<()> {
    let (league, view) = find(leagues, which).await?;
    let token = leagues.revoke(&league, player).await?;
    let is_person = view.player(player).is_some_and(|player| player.person);
    let link = is_person.then(|| opening::link(pages, league.id(), &token));
    let mut facts = json!({ "player_id": player, "auth_token": token });
    if let Some(link) = &link {
        facts["link"] = json!(link);
    }
    Ok(say(which.json, link.as_ref().unwrap_or(&token), &facts)?)
}

/// The league that is named, or else the owner's newest that is not over: what strangers opened is
/// theirs, and steered by its name only.
async fn owners(leagues: &Leagues, which: &Which) -> Result<(Arc<Game>, View)> {
    if let Some(name) = &which.league {
        return named(leagues, Some(name)).await;
    }
    let mut theirs = None;
    for league in leagues.list(Some(false), MANY).await? {
        let view = leagues.view(&league);
        if view.setup().by_owner {
            return Ok((league, view));
        }
        theirs.get_or_insert_with(|| view.setup().name.clone());
    }
    match theirs {
        Some(name) => {
            bail!("league {name} was opened by a player; say its name if you mean it")
        }
        None => bail!("no league is open; agon league create NAME opens one"),
    }
}

/// A player of whom nothing is known but where it answers: it is tried in every dialect.
pub fn entered(name: String, endpoint: String, view: &View) -> Applicant {
    let dialect = native(view.setup().game);
    let (version, caller_id) = (String::new(), CallerId::Owner);
    let (endpoint, manner) = (Some(endpoint), dialect.into());
    Applicant { name, version, endpoint, manner, token: None, invite: None, games: None, caller_id }
}
