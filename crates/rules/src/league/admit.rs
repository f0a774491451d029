//! Whether an event fits the league as it stands, and if not, which rule is in the way.

use std::sync::Arc;

use super::{
    Event, Form, League, MatchId, MatchResult, Phase, PlayerId, Registration, plain_name,
    round::{Fixture, Round, State},
};
use crate::{Illegal, MatchVerdict};

/// Rounds in a league, and matches in a round: far above what a schedule needs.
const MOST_ADDED: usize = 10_000;

/// What can stand in the way of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeagueRule {
    UnknownPlayer,
    SuspendedPlayer,
    LeagueNotStarted,
    UnknownMatch,
    LeagueStarted,
    TooFewPlayers,
    RemovedPlayer,
    NotSuspended,
    LeagueFull,
    WrongToken,
    CodeUsed,
    NameTaken,
    EndpointTaken,
    InvalidEvent,
    MatchRunning,
    AlreadyReported,
    PlayerBusy,
    Conflict,
    MatchNotRunning,
}

pub(super) fn refuse(rule: LeagueRule, reason: impl Into<String>) -> Illegal {
    Illegal::broken(rule, reason, Vec::new())
}

impl League {
    fn known(&self, player: PlayerId) -> Result<&Form, Illegal> {
        self.forms.get(player.index()).ok_or_else(|| {
            refuse(LeagueRule::UnknownPlayer, format!("nobody in this league has the id {player}"))
        })
    }

    fn active(&self, player: PlayerId) -> Result<&Form, Illegal> {
        let form = self.known(player)?;
        if form.suspended {
            let reason = format!("{} is suspended", self.name(player));
            return Err(refuse(LeagueRule::SuspendedPlayer, reason));
        }
        Ok(form)
    }

    fn started(&self) -> Result<(), Illegal> {
        match self.phase {
            Phase::Open => Err(refuse(LeagueRule::LeagueNotStarted, "the league has not started")),
            _ => Ok(()),
        }
    }

    fn known_match(&self, id: MatchId) -> Result<&Fixture, Illegal> {
        self.started()?;
        self.fixture(id).ok_or_else(|| {
            refuse(LeagueRule::UnknownMatch, format!("there is no match {id} in this league"))
        })
    }

    /// Whether an event fits the league as it stands.
    pub(super) fn admit(&self, event: &Event) -> Result<(), Illegal> {
        match event {
            Event::Start if self.paused => Ok(()),
            Event::Pause => self.started(),
            Event::Register(_) | Event::Start if self.phase != Phase::Open => Err(refuse(
                LeagueRule::LeagueStarted,
                "the league has started; nobody can join it now",
            )),
            Event::Register(new) => self.admit_player(new),
            Event::Renew { player, registration } => self.admit_again(*player, registration),
            Event::Start if self.forms.iter().filter(|form| !form.removed).count() < 2 => {
                Err(refuse(LeagueRule::TooFewPlayers, "a league needs two players at least"))
            }
            Event::Pair { player1, player2, round } => self.admit_pair(*player1, *player2, *round),
            Event::Learn { player, .. } | Event::Revoke { player, .. } => {
                self.known(*player).map(|_| ())
            }
            Event::Begin { match_id, .. } => self.admit_begin(*match_id),
            Event::End { match_id, result } => self.admit_end(*match_id, result),
            Event::Suspend { player } => {
                self.started()?;
                self.active(*player).map(|_| ())
            }
            Event::Remove { player } => {
                if self.known(*player)?.removed {
                    let reason = format!("{} has been taken out", self.name(*player));
                    return Err(refuse(LeagueRule::RemovedPlayer, reason));
                }
                Ok(())
            }
            Event::Replay { match_id } => self.admit_replay(*match_id),
            Event::Return { player } => {
                if !self.known(*player)?.is_missed() {
                    let reason = format!("{} is not suspended", self.name(*player));
                    return Err(refuse(LeagueRule::NotSuspended, reason));
                }
                Ok(())
            }
            Event::Enlist { .. } | Event::Start | Event::Stop { .. } => Ok(()),
        }
    }

    fn admit_player(&self, new: &Registration) -> Result<(), Illegal> {
        // Places of those who were taken out are free, but ids are not given twice.
        let away = self.forms.iter().filter(|form| form.removed).count();
        let full = self.players.len() - away >= self.setup.max_players;
        if full || self.players.len() >= MOST_ADDED {
            let reason = format!("the league is full with {} players", self.players.len());
            return Err(refuse(LeagueRule::LeagueFull, reason));
        }
        self.admit_profile(new, None)
    }

    fn admit_again(&self, player: PlayerId, new: &Registration) -> Result<(), Illegal> {
        self.known(player)?;
        if self.players[player.index()].token != new.token {
            return Err(refuse(
                LeagueRule::WrongToken,
                format!("that is not the token of {player}"),
            ));
        }
        self.admit_profile(new, Some(player))
    }

    /// Two players have neither a name nor an endpoint in common.
    fn admit_profile(&self, new: &Registration, own: Option<PlayerId>) -> Result<(), Illegal> {
        let others = self.players.iter().enumerate();
        let others = others.filter(|(index, _)| own.map(PlayerId::index) != Some(*index));
        for (_, other) in others.filter(|(index, _)| !self.forms[*index].removed) {
            if new.student.is_some() && other.student == new.student {
                let reason = format!("{:?} has registered with this code already", other.name);
                return Err(refuse(LeagueRule::CodeUsed, reason));
            }
            if plain_name(&new.name) == plain_name(&other.name) {
                let reason = format!("{:?} has registered already", new.name);
                return Err(refuse(LeagueRule::NameTaken, reason));
            }
            if new.endpoint.is_some() && other.endpoint == new.endpoint {
                let reason = format!("{:?} has registered with this endpoint already", other.name);
                return Err(refuse(LeagueRule::EndpointTaken, reason));
            }
        }
        Ok(())
    }

    fn admit_pair(&self, one: PlayerId, other: PlayerId, round: u16) -> Result<(), Illegal> {
        self.started()?;
        self.active(one)?;
        self.active(other)?;
        if one == other {
            return Err(refuse(LeagueRule::InvalidEvent, format!("{one} cannot meet itself")));
        }
        let last = (self.rounds.len() + 1).min(MOST_ADDED);
        let full = |round: &Arc<Round>| round.fixtures.len() >= MOST_ADDED;
        match usize::from(round) {
            round if !(1..=last).contains(&round) => Err(refuse(
                LeagueRule::InvalidEvent,
                format!("the round must be one from 1 to {last}"),
            )),
            round if self.rounds.get(round - 1).is_some_and(full) => {
                Err(refuse(LeagueRule::InvalidEvent, format!("round {round} is full")))
            }
            _ => Ok(()),
        }
    }

    fn admit_replay(&self, id: MatchId) -> Result<(), Illegal> {
        let fixture = self.known_match(id)?;
        match fixture.state {
            State::Done { .. } if fixture.attempt < u8::MAX => Ok(()),
            State::Done { .. } => {
                Err(refuse(LeagueRule::InvalidEvent, format!("match {id} was played too often")))
            }
            _ => Err(refuse(LeagueRule::MatchRunning, format!("match {id} is not over yet"))),
        }
    }

    fn admit_begin(&self, id: MatchId) -> Result<(), Illegal> {
        let fixture = self.known_match(id)?;
        match fixture.state {
            State::Running { .. } => {
                return Err(refuse(LeagueRule::MatchRunning, format!("match {id} has begun")));
            }
            State::Done { .. } => {
                return Err(refuse(LeagueRule::AlreadyReported, format!("match {id} is over")));
            }
            State::Waiting => {}
        }
        for player in fixture.both().map(PlayerId::at) {
            if self.active(player)?.playing.is_some() {
                let reason = format!("{} is in another match", self.name(player));
                return Err(refuse(LeagueRule::PlayerBusy, reason));
            }
        }
        Ok(())
    }

    fn admit_end(&self, id: MatchId, result: &MatchResult) -> Result<(), Illegal> {
        let fixture = self.known_match(id)?;
        let players = fixture.both().map(PlayerId::at);
        let verdict = result.verdict(players).filter(|verdict| self.setup.allows(*verdict));
        if let Some(reported) = fixture.verdict() {
            let (rule, reason) = if verdict == Some(reported) {
                (LeagueRule::AlreadyReported, format!("this result of {id} is known"))
            } else {
                (LeagueRule::Conflict, format!("match {id} has ended with another result"))
            };
            return Err(refuse(rule, reason));
        }
        let Some(verdict) = verdict else {
            let [odd, even] = players;
            let reason = format!("a match of {odd} and {even} cannot end like this");
            return Err(refuse(LeagueRule::InvalidEvent, reason));
        };
        let absent = fixture.both().map(|player| self.forms[player].suspended);
        let walkover = absent != [false; 2] && verdict == MatchVerdict::walkover(absent);
        match fixture.state {
            State::Waiting if !walkover => {
                Err(refuse(LeagueRule::MatchNotRunning, format!("match {id} has not begun")))
            }
            _ => Ok(()),
        }
    }
}
