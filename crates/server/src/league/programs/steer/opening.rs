//! `agon league create`: opens a league, and enters those who do not register. People are told where
//! to play by a link, which is theirs alone.

use anyhow::{Result, bail};
use rules::league::plain_name;
use serde_json::{Value, json};

use super::{
    facts::StatusFacts,
    phase,
    plan::{LeaguePlan, twice},
};
use crate::{
    ids::GameId,
    league::play::{entering::LeaguePerson, leagues::Leagues},
};

/// More than meet at boards.
const MOST_PEOPLE: usize = 200;

/// The report for the owner, in words and as JSON.
pub async fn create(
    leagues: &Leagues,
    pages: &str,
    name: &str,
    plan: &LeaguePlan,
    people: &[String],
) -> Result<(String, Value)> {
    if people.len() > MOST_PEOPLE {
        bail!("at most {MOST_PEOPLE} people play in a league");
    }
    let names: Vec<_> = people.iter().map(|name| plain_name(name)).collect();
    if let Some(name) = twice(names.iter()) {
        bail!("{name:?} is named twice; nobody could tell the two apart");
    }
    if names.iter().any(String::is_empty) {
        bail!("people have names, with commas between them: --people Anna,Ben");
    }
    let entrants = plan.entrants(leagues)?;
    let setup = plan.setup(leagues, name, !people.is_empty());
    let league = leagues.open_again(setup, plan.seed).await?;
    let view = leagues.view(&league);
    if let Some((flag, how)) = plan.contradicts(leagues, view.setup()) {
        let (name, phase) = (&view.setup().name, phase(&view));
        bail!(
            "league {name} {phase} and {how}; leave {flag} out to keep it so, end it with agon league \
             end {name}, or choose another name"
        );
    }
    entrants.enter(leagues, &league).await?;
    let (mut invited, mut links) = (Vec::new(), String::new());
    for name in people {
        let LeaguePerson { player_id, name, token } =
            leagues.add_person(&league, name.trim()).await?;
        let link = link(pages, league.id(), &token);
        links += &format!("{player_id} {name}: {link}\n");
        invited.push(json!({ "player_id": player_id, "name": name, "link": link }));
    }
    let view = leagues.view(&league);
    let (name, phase, id) = (&view.setup().name, phase(&view), league.id());
    let status = StatusFacts::of(leagues, &league, &view).await?;
    let mut text = format!("league {name} {phase}{}: /league/{id}\n{links}", status.after());
    if !invited.is_empty() {
        text += "Give each their own link and nobody else's: whoever has it plays for them.\n";
    }
    let mut facts = json!(status);
    facts["people"] = json!(invited);
    Ok((text, facts))
}

/// Where a person finds her matches. What follows the # is sent to nobody.
pub fn link(pages: &str, league: GameId, token: &str) -> String {
    format!("{pages}/league/{league}#player={token}")
}
