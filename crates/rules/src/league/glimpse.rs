//! What a list shows of a league.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{LeagueKind, Phase, PlayerId, View};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Glimpse {
    /// Its name, as the wire calls it.
    pub league_id: String,
    pub phase: Phase,
    pub game: LeagueKind,
    pub players: usize,
    pub matches: Matches,
    /// Once a match is over.
    pub leader: Option<Leader>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Matches {
    pub all: usize,
    pub over: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Leader {
    pub player_id: PlayerId,
    pub name: String,
    pub points: u32,
}

impl Glimpse {
    pub(super) fn of(view: &View) -> Glimpse {
        let (all, over) = view.matches();
        let leader = view.standings().into_iter().next().filter(|_| over > 0);
        Glimpse {
            league_id: view.setup().name.clone(),
            phase: view.phase(),
            game: view.setup().game,
            players: view.players().count(),
            matches: Matches { all, over },
            leader: leader.map(|line| Leader {
                player_id: line.player_id,
                name: line.display_name,
                points: line.points,
            }),
        }
    }
}
