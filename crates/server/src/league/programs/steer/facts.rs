//! The state of a league, as `agon league --json` prints it.

use rules::league::{Phase, View};
use serde::Serialize;

use super::printing;
use crate::{
    hall::Game,
    league::play::{leagues::Leagues, refusals::LeagueRefusal},
};

/// How far a league is.
#[derive(Serialize)]
pub struct StatusFacts {
    pub league_id: String,
    game_id: String,
    phase: Phase,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    paused: bool,
    pub players: usize,
    pub matches: usize,
    pub over: usize,
    forfeits: usize,
    /// The name of the one before it, of those that go by the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
}

impl StatusFacts {
    pub async fn of(
        leagues: &Leagues,
        league: &Game,
        view: &View,
    ) -> Result<StatusFacts, LeagueRefusal> {
        let (matches, over) = view.matches();
        Ok(StatusFacts {
            league_id: view.setup().name.clone(),
            game_id: league.id().to_string(),
            phase: view.phase(),
            paused: view.is_paused(),
            players: view.players().filter(|player| !player.removed).count(),
            matches,
            over,
            forfeits: printing::failed(view).len(),
            previous: leagues.previous(view).await?,
        })
    }

    /// How the one before it is found, if there is one.
    pub fn after(&self) -> String {
        let previous = self.previous.as_ref();
        previous.map_or_else(String::new, |name| format!(" (the one before it is {name})"))
    }
}
