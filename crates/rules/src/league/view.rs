//! What is seen of a league, worked out as far as it is asked for: a league of two hundred is
//! twenty thousand matches, and most who look want one of them.

use std::collections::BTreeSet;

use serde::{Serialize, Serializer};
use ts_rs::TS;

use super::{
    Form, Glimpse, League, MANAGER, MatchId, MatchResult, Phase, PlayerId, Registration, Setup,
    Standing,
    event::game_id,
    round::{Fixture, Round, State},
    standings,
};
use crate::{Eye, MatchVerdict};

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
    /// It was not there for its last match.
    #[serde(skip)]
    pub missed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
    /// The hash of it, for the manager only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<&'a str>,
    /// What it is made from, for the manager only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<&'a str>,
    /// Whose code let it in, for the manager only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub student: Option<&'a str>,
    /// The level of the computer, where it is the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computer: Option<u8>,
    /// What starts the engine that is the player, for the manager only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub person: bool,
}

impl PlayerView<'_> {
    /// As the manager has it written down.
    pub fn registration(&self) -> Registration {
        Registration {
            name: self.name.to_owned(),
            version: self.version.to_owned(),
            endpoint: self.endpoint.map(str::to_owned),
            token: self.token.unwrap_or_default().to_owned(),
            dialect: self.dialect.to_owned(),
            nonce: self.nonce.unwrap_or_default().to_owned(),
            student: self.student.map(str::to_owned),
            computer: self.computer,
            engine: self.engine.map(str::to_owned),
            person: self.person,
        }
    }
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Waiting,
    Running,
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
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
    #[ts(type = "string | null")]
    pub game: Option<u32>,
    pub result: Option<MatchResult>,
    /// To the first player and to the second.
    pub match_points: Option<[u8; 2]>,
    /// How often it was played before.
    #[serde(skip_serializing_if = "is_nought")]
    #[ts(optional, as = "Option<_>")]
    pub attempt: u8,
}

fn is_nought(number: &u8) -> bool {
    *number == 0
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

    pub fn is_paused(&self) -> bool {
        self.league.paused && self.league.phase == Phase::Running
    }

    /// Who was given a code, with the name on the roster. For the manager.
    pub fn students(&self) -> impl Iterator<Item = (&str, &str)> {
        let manages = self.eye == Eye::Seat(MANAGER);
        let all = self.league.students.iter().filter(move |_| manages);
        all.map(|(student, name)| (student.as_str(), name.as_str()))
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
        let manages = self.eye == Eye::Seat(MANAGER);
        PlayerView {
            player_id: PlayerId::at(index),
            name: &player.name,
            version: &player.version,
            endpoint: player.endpoint.as_deref(),
            dialect: &player.dialect,
            suspended: self.league.forms[index].suspended,
            missed: self.league.forms[index].missed > 0,
            removed: self.league.forms[index].removed,
            token: manages.then_some(player.token.as_str()),
            nonce: manages.then_some(player.nonce.as_str()),
            student: player.student.as_deref().filter(|_| manages),
            computer: player.computer,
            engine: player.engine.as_deref().filter(|_| manages),
            person: player.person,
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

    /// The match `player` is in, or else the first of those before it.
    pub fn next_of(&self, player: PlayerId) -> Option<MatchId> {
        let form = self.league.forms.get(player.index())?;
        form.playing.or(form.ahead.first().copied())
    }

    /// How many matches `player` has won, drawn and lost.
    pub fn tally(&self, player: PlayerId) -> [u32; 3] {
        let fixtures = self.league.rounds.iter().flat_map(|round| &round.fixtures);
        let mut tally = [0; 3];
        for fixture in fixtures {
            let seat = fixture.both().iter().position(|index| *index == player.index());
            if let (Some(seat), Some(verdict)) = (seat, fixture.verdict()) {
                let how = match verdict.winner() {
                    Some(winner) if winner == seat => 0,
                    None if verdict.is_draw() => 1,
                    _ => 2,
                };
                tally[how] += 1;
            }
        }
        tally
    }

    /// Matches that may begin now, in order of the schedule, no player in two of them. Whose
    /// opponent is busy is not kept waiting but meets another who is free, so that one who thinks
    /// long holds up one other at a time and not the league. Who missed its last match is met by
    /// those who have nobody else to meet: nobody waits for it who could play.
    pub fn ready(&self) -> Vec<MatchId> {
        self.ready_without(&BTreeSet::new())
    }

    /// The same, for one who knows that these players are about to play.
    pub fn ready_without(&self, busy: &BTreeSet<PlayerId>) -> Vec<MatchId> {
        if self.league.phase != Phase::Running || self.league.paused {
            return Vec::new();
        }
        let forms = &self.league.forms;
        let is_free = |form: &Form| form.playing.is_none() && !form.is_away();
        let mut free: Vec<bool> = forms.iter().map(is_free).collect();
        busy.iter().for_each(|player| free[player.index()] = false);
        let both = |id: MatchId| self.league.fixture(id).map(Fixture::both);
        let mut ready = Vec::new();
        // The earliest first: nobody who rests in this round begins with the next while the other
        // two are wanted in this one.
        loop {
            let fits = |id: &&MatchId| {
                both(**id).is_some_and(|both| {
                    both.iter().all(|p| free[*p]) && self.is_worth_beginning(both)
                })
            };
            let of_free = forms.iter().zip(&free).filter(|(_, free)| **free);
            let next = of_free.filter_map(|(form, _)| form.ahead.iter().find(fits)).min().copied();
            let Some(id) = next else { return ready };
            both(id).into_iter().flatten().for_each(|player| free[player] = false);
            ready.push(id);
        }
    }

    /// Whether neither of the two would do better to wait for another who is there.
    fn is_worth_beginning(&self, both: [usize; 2]) -> bool {
        let forms = &self.league.forms;
        let is_there = |player: usize| forms[player].missed == 0 && !forms[player].is_away();
        if both.iter().all(|player| is_there(*player)) {
            return true;
        }
        let could_meet_another = |player: &usize| {
            let ahead = forms[*player].ahead.iter().filter_map(|id| self.league.fixture(*id));
            ahead.flat_map(Fixture::both).any(|other| other != *player && is_there(other))
        };
        !both.iter().filter(|player| is_there(**player)).any(could_meet_another)
    }

    /// Matches that both players have come to in order of the schedule, one of them suspended. None
    /// while the league is paused.
    pub fn walkovers(&self) -> Vec<Walkover> {
        let forms = &self.league.forms;
        let absent = forms.iter().filter(|form| form.suspended);
        let next: BTreeSet<MatchId> = absent.filter_map(|f| f.ahead.first().copied()).collect();
        let walkover = |match_id| {
            let fixture = self.league.fixture(match_id)?;
            let both = fixture.both();
            let come_to = both.iter().all(|p| forms[*p].ahead.first() == Some(&match_id));
            let verdict = MatchVerdict::walkover(both.map(|player| forms[player].suspended));
            let result = MatchResult::new(both.map(PlayerId::at), verdict);
            (come_to && fixture.game().is_none()).then_some(Walkover { match_id, result })
        };
        let goes_on = self.league.phase == Phase::Running && !self.league.paused;
        next.into_iter().filter(|_| goes_on).filter_map(walkover).collect()
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

    pub fn glimpse(&self) -> Glimpse {
        Glimpse::of(self)
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
        match_points: verdict.map(MatchVerdict::points),
        attempt: fixture.attempt,
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
