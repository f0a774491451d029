//! What is seen of a league, worked out as far as it is asked for: a league of two hundred is
//! twenty thousand matches, and most who look want one of them.

use serde::{Serialize, Serializer};

use super::{
    League, MANAGER, MatchId, MatchResult, Phase, PlayerId, Setup, Standing,
    event::game_id,
    round::{Fixture, Round, State},
    standings,
};
use crate::{Eye, Verdict};

/// The league at one moment. It can be kept; it does not change.
#[derive(Clone)]
pub struct View {
    league: League,
    eye: Eye,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerView<'a> {
    pub player_id: PlayerId,
    pub name: &'a str,
    pub version: &'a str,
    pub endpoint: Option<&'a str>,
    pub dialect: &'a str,
    pub suspended: bool,
    /// The hash of it, for the manager only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<&'a str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundView {
    pub round_id: u16,
    pub matches: Vec<MatchView>,
    /// Who rests.
    pub bye: Option<PlayerId>,
    /// Every match of it is over.
    pub completed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Waiting,
    Running,
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchView {
    pub match_id: MatchId,
    pub round_id: u16,
    /// Odd, or A.
    pub player_a: PlayerId,
    /// Even, or B.
    pub player_b: PlayerId,
    pub state: Stage,
    /// The number of the game it is played as; written as the hall writes it.
    #[serde(serialize_with = "write_game")]
    pub game: Option<u32>,
    pub result: Option<MatchResult>,
    /// To the first player and to the second.
    pub match_points: Option<[u8; 2]>,
}

/// A match that cannot be played, and how to end it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Walkover {
    pub match_id: MatchId,
    pub result: MatchResult,
}

fn write_game<S: Serializer>(game: &Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
    match game {
        Some(game) => game_id::serialize(game, serializer),
        None => serializer.serialize_none(),
    }
}

impl View {
    pub(super) fn of(league: League, eye: Eye) -> View {
        View { league, eye }
    }

    pub fn setup(&self) -> &Setup {
        &self.league.setup
    }

    pub fn phase(&self) -> Phase {
        self.league.phase
    }

    /// In the order in which they registered.
    pub fn players(&self) -> impl Iterator<Item = PlayerView<'_>> {
        (0..self.league.players.len()).map(|index| self.player_at(index))
    }

    pub fn player(&self, id: PlayerId) -> Option<PlayerView<'_>> {
        (id.index() < self.league.players.len()).then(|| self.player_at(id.index()))
    }

    fn player_at(&self, index: usize) -> PlayerView<'_> {
        let player = &self.league.players[index];
        PlayerView {
            player_id: PlayerId::at(index),
            name: &player.name,
            version: &player.version,
            endpoint: player.endpoint.as_deref(),
            dialect: &player.dialect,
            suspended: self.league.forms[index].suspended,
            token: (self.eye == Eye::Seat(MANAGER)).then_some(player.token.as_str()),
        }
    }

    pub fn rounds(&self) -> impl Iterator<Item = RoundView> {
        (0..self.league.rounds.len()).map(|index| self.round_at(index))
    }

    /// `round_id` counts from 1.
    pub fn round(&self, round_id: u16) -> Option<RoundView> {
        let index = usize::from(round_id).checked_sub(1)?;
        (index < self.league.rounds.len()).then(|| self.round_at(index))
    }

    fn round_at(&self, index: usize) -> RoundView {
        let round: &Round = &self.league.rounds[index];
        let matches = round.fixtures.iter().enumerate();
        let matches = matches.map(|(place, fixture)| see(MatchId::at(index, place), fixture));
        RoundView {
            round_id: MatchId::at(index, 0).round(),
            matches: matches.collect(),
            bye: round.bye.map(PlayerId::at),
            completed: round.open == 0,
        }
    }

    pub fn find(&self, id: MatchId) -> Option<MatchView> {
        self.league.fixture(id).map(|fixture| see(id, fixture))
    }

    /// The first match of `player` that is not over, running or not.
    pub fn next_of(&self, player: PlayerId) -> Option<MatchId> {
        self.league.forms.get(player.index())?.next
    }

    /// Matches that may begin now, in order of the schedule: both players are there, free, and
    /// done with everything before. No player is in two of them.
    pub fn ready(&self) -> Vec<MatchId> {
        let present = self.league.upcoming().filter(|(_, suspended)| *suspended == [false; 2]);
        let mut ready: Vec<_> = present.map(|(id, _)| id).collect();
        ready.sort_unstable();
        ready
    }

    /// Matches that would be ready, were it not that a player is suspended.
    pub fn walkovers(&self) -> Vec<Walkover> {
        let absent = self.league.upcoming().filter(|(_, suspended)| *suspended != [false; 2]);
        let walkovers = absent.filter_map(|(match_id, suspended)| {
            let players = self.league.fixture(match_id)?.both().map(PlayerId::at);
            let result = MatchResult::new(players, Verdict::walkover(suspended));
            Some(Walkover { match_id, result })
        });
        let mut walkovers: Vec<_> = walkovers.collect();
        walkovers.sort_unstable_by_key(|walkover| walkover.match_id);
        walkovers
    }

    /// Matches in play.
    pub fn running(&self) -> Vec<MatchView> {
        let rounds = self.league.rounds.iter().enumerate().filter(|(_, round)| round.open > 0);
        let fixtures = rounds.flat_map(|(index, round)| {
            let places = round.fixtures.iter().enumerate();
            places.map(move |(place, fixture)| (MatchId::at(index, place), fixture))
        });
        let running = fixtures.filter(|(_, f)| matches!(f.state, State::Running { .. }));
        running.map(|(id, fixture)| see(id, fixture)).collect()
    }

    /// How many matches there are, and how many of them are over.
    pub fn matches(&self) -> (usize, usize) {
        let all = self.league.rounds.iter().map(|round| round.fixtures.len()).sum();
        (all, all - self.league.open)
    }

    pub fn standings(&self) -> Vec<Standing> {
        standings::standings(&self.league)
    }

    /// Who won, once the league is finished; several if they are equal in everything but the lot.
    pub fn champions(&self) -> Vec<PlayerId> {
        match self.league.phase {
            Phase::Finished => standings::champions(&self.league).0,
            _ => Vec::new(),
        }
    }
}

fn see(match_id: MatchId, fixture: &Fixture) -> MatchView {
    let players = fixture.both().map(PlayerId::at);
    let verdict = fixture.verdict();
    MatchView {
        match_id,
        round_id: match_id.round(),
        player_a: players[0],
        player_b: players[1],
        state: match fixture.state {
            State::Waiting => Stage::Waiting,
            State::Running { .. } => Stage::Running,
            State::Done { .. } => Stage::Done,
        },
        game: fixture.game(),
        result: verdict.map(|verdict| MatchResult::new(players, verdict)),
        match_points: verdict.map(Verdict::points),
    }
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'a> {
            setup: &'a Setup,
            phase: Phase,
            players: Vec<PlayerView<'a>>,
            rounds: Vec<RoundView>,
            ready: Vec<MatchId>,
            walkovers: Vec<Walkover>,
            standings: Vec<Standing>,
            champions: Vec<PlayerId>,
        }
        let whole = Whole {
            setup: self.setup(),
            phase: self.phase(),
            players: self.players().collect(),
            rounds: self.rounds().collect(),
            ready: self.ready(),
            walkovers: self.walkovers(),
            standings: self.standings(),
            champions: self.champions(),
        };
        whole.serialize(serializer)
    }
}
