//! What `agon league --json` prints: a line of facts for other programs.

use rules::league::{MatchId, MatchView, Phase, PlayerId, View};
use serde::Serialize;

use super::{printing, roster::Student};
use crate::{
    hall::Game,
    league::play::{
        leagues::{Leagues, Started},
        refusals::LeagueRefusal,
    },
    web::LeagueRow,
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

#[derive(Serialize)]
pub struct OpenedFacts {
    #[serde(flatten)]
    pub status: StatusFacts,
    pub people: Vec<InvitedFacts>,
}

/// A person, and where she plays.
#[derive(Serialize)]
pub struct InvitedFacts {
    pub player_id: PlayerId,
    pub name: String,
    pub link: String,
}

#[derive(Serialize)]
pub struct StartedFacts<'a> {
    pub league_id: &'a str,
    #[serde(flatten)]
    pub started: &'a Started,
}

#[derive(Serialize)]
pub struct StoppedFacts<'a> {
    pub league_id: &'a str,
    pub phase: Phase,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
}

#[derive(Serialize)]
pub struct TokenFacts<'a> {
    pub player_id: PlayerId,
    pub auth_token: &'a str,
    /// Where a person plays with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<&'a str>,
}

#[derive(Serialize)]
pub struct ListFacts {
    pub leagues: Vec<LeagueRow>,
}

#[derive(Serialize)]
pub struct EnteredFacts<'a> {
    pub league_id: &'a str,
    pub player_id: PlayerId,
    pub name: &'a str,
}

#[derive(Serialize)]
pub struct PlayerFacts {
    pub player_id: PlayerId,
}

#[derive(Serialize)]
pub struct ReplayFacts {
    pub match_id: MatchId,
}

#[derive(Serialize)]
pub struct ClassFacts<'a> {
    pub students: &'a [Student],
}

#[derive(Serialize)]
pub struct KeyFacts {
    pub operator_token: String,
}

/// A match, and of which league it is.
#[derive(Serialize)]
pub struct ExportedMatch<'a> {
    #[serde(flatten)]
    pub found: &'a MatchView,
    pub league_id: &'a str,
    pub reasons: &'a [String],
}
