//! A league: players register, everyone meets everyone, and a table says who was best.
//!
//! It is a game of one seat, the manager's, whose moves are the events of `event`. Each match is a
//! game of its own, kept elsewhere; what comes of it arrives here as an event. Whether an event fits
//! is in `admit`, who meets whom in `schedule`, the table in `standings`, what is seen in `view`.

mod admit;
mod event;
mod glimpse;
mod id;
mod ratings;
mod round;
mod schedule;
mod setup;
mod standings;
mod view;

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Card, Dice, Due, Eye, Illegal, Outcome, Rules, Seat};
use ratings::Ratings;
use round::{Fixture, Round, State};

pub use admit::LeagueRule;
pub use event::{Event, MatchResult, Registration, Report, plain_name};
pub use glimpse::{Glimpse, Leader, Matches};
pub use id::{MatchId, NotAMatchId, NotAPlayerId, PlayerId};
pub use setup::{Format, LeagueKind, NotForLeagues, Setup};
pub use standings::{Criterion, Standing};
pub use view::{MatchView, PlayerView, RoundView, Stage, View, Walkover};

pub const MANAGER: Seat = Seat(0);

/// Who fails to play this many matches in a row is suspended.
const PATIENCE: u8 = 2;

/// The key of the lots in the dice of a league.
const LOTS: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Players may register.
    Open,
    Running,
    Finished,
    Stopped,
}

/// How it goes for one player, besides results.
#[derive(Clone, Default)]
struct Form {
    /// Its matches that are not over, in order of the schedule.
    ahead: Arc<Vec<MatchId>>,
    /// The one of them that has begun.
    playing: Option<MatchId>,
    /// Matches forfeited in a row.
    missed: u8,
    suspended: bool,
    /// The operator has taken it out.
    removed: bool,
}

impl Form {
    fn is_away(&self) -> bool {
        self.suspended || self.removed
    }

    /// Whether there is something to come back from.
    fn is_missed(&self) -> bool {
        self.is_away() || self.missed > 0
    }
}

/// A copy shares the rounds, the players, their forms and the lots with the original until they
/// change: a league is copied for every event and every look, and most of it is the same in both.
#[derive(Clone)]
pub struct League {
    setup: Arc<Setup>,
    phase: Phase,
    paused: bool,
    /// Names on the roster, by the student's part of the code.
    students: Arc<BTreeMap<String, String>>,
    players: Arc<Vec<Arc<Registration>>>,
    forms: Arc<Vec<Form>>,
    rounds: Vec<Arc<Round>>,
    /// Each player's place in a drawn order; empty before the start.
    lots: Arc<Vec<u16>>,
    ratings: Arc<Ratings>,
    /// How many matches are not over.
    open: usize,
    outcome: Option<Outcome>,
}

impl League {
    fn fixture(&self, id: MatchId) -> Option<&Fixture> {
        self.rounds.get(id.round_index())?.fixtures.get(id.place())
    }

    fn change(&mut self, id: MatchId) -> &mut Round {
        Arc::make_mut(&mut self.rounds[id.round_index()])
    }

    fn form(&mut self, player: usize) -> &mut Form {
        &mut Arc::make_mut(&mut self.forms)[player]
    }

    fn name(&self, player: PlayerId) -> String {
        format!("{player} {}", self.players[player.index()].name)
    }

    fn begin(&mut self, id: MatchId, game: u32) {
        let fixture = &mut self.change(id).fixtures[id.place()];
        fixture.state = State::Running { game };
        let both = fixture.both();
        both.into_iter().for_each(|player| self.form(player).playing = Some(id));
    }

    fn end(&mut self, id: MatchId, result: &MatchResult) -> Report {
        let round = self.change(id);
        let fixture = &mut round.fixtures[id.place()];
        let both = fixture.both();
        let verdict = result.verdict(both.map(PlayerId::at)).expect("a result that was admitted");
        let game = fixture.game();
        fixture.state = State::Done { game, verdict };
        round.open -= 1;
        let round_completed = (round.open == 0).then_some(id.round());
        self.open -= 1;
        let mut suspended = Vec::new();
        for (player, forfeited) in both.into_iter().zip(verdict.forfeits) {
            let form = self.form(player);
            Arc::make_mut(&mut form.ahead).retain(|other| *other != id);
            // A match that never began shows nothing of who was there for it.
            if game.is_some() {
                form.playing = None;
                form.missed = if forfeited { form.missed.saturating_add(1) } else { 0 };
                if form.missed >= PATIENCE && !form.suspended {
                    form.suspended = true;
                    suspended.push(PlayerId::at(player));
                }
            }
        }
        if self.ratings.are_behind(&self.rounds) {
            Arc::make_mut(&mut self.ratings).catch_up(&self.rounds);
        }
        if self.open == 0 {
            self.extend();
        }
        let points = both.map(PlayerId::at).into_iter().zip(verdict.points());
        Report::Ended { match_points: points.collect(), suspended, round_completed }
    }

    fn pair(&mut self, one: PlayerId, other: PlayerId, round: u16) -> MatchId {
        let index = usize::from(round) - 1;
        if index == self.rounds.len() {
            self.rounds.push(Arc::default());
        }
        let round = Arc::make_mut(&mut self.rounds[index]);
        let id = MatchId::at(index, round.fixtures.len());
        round.add(Fixture::between(one.index(), other.index()));
        self.open += 1;
        self.await_again(id, [one.index(), other.index()]);
        id
    }

    /// Makes a match that is over one that is still to be played.
    fn play_again(&mut self, id: MatchId) {
        let round = self.change(id);
        let fixture = &mut round.fixtures[id.place()];
        let both = fixture.both();
        (fixture.state, fixture.attempt) = (State::Waiting, fixture.attempt + 1);
        round.open += 1;
        self.open += 1;
        self.await_again(id, both);
    }

    /// Puts a match back among those before its players, and what was rated since aside.
    fn await_again(&mut self, id: MatchId, both: [usize; 2]) {
        if self.ratings.cover(id.round_index()) {
            self.ratings = Arc::new(Ratings::new(self.players.len()));
        }
        for player in both {
            let ahead = Arc::make_mut(&mut self.form(player).ahead);
            ahead.insert(ahead.partition_point(|other| *other < id), id);
        }
    }

    /// Asks the format for more, when every match so far is over.
    fn extend(&mut self) {
        // Who was taken out before the start is not paired; of the others the order stays.
        let all = self.forms.iter().enumerate();
        let there: Vec<usize> = all.filter(|(_, form)| !form.removed).map(|(at, _)| at).collect();
        let draws = self.setup.pairings().next(there.len(), &self.rounds);
        if draws.is_empty() {
            return self.finish();
        }
        for draw in draws {
            let round = Round::of(&draw.among(&there));
            for (place, fixture) in round.fixtures.iter().enumerate() {
                for player in fixture.both() {
                    let id = MatchId::at(self.rounds.len(), place);
                    Arc::make_mut(&mut self.form(player).ahead).push(id);
                }
            }
            self.open += round.open;
            self.rounds.push(Arc::new(round));
        }
    }

    fn finish(&mut self) {
        let (champions, points) = standings::champions(self);
        let names: Vec<_> = champions.iter().map(|player| self.name(*player)).collect();
        let who = match names.as_slice() {
            [one] => format!("{one} wins"),
            [one, other] => format!("{one} and {other} share"),
            _ => format!("{} players share", names.len()),
        };
        let points = if points == 1 { "1 point".to_owned() } else { format!("{points} points") };
        self.phase = Phase::Finished;
        // Nobody beats the manager of a league.
        self.outcome = Some(Outcome::new(vec![0], format!("{who} the league with {points}")));
    }
}

/// An order of `players`, all orders equally likely.
fn draw_lots(players: usize, dice: &mut Dice) -> Vec<u16> {
    let mut lots: Vec<u16> = (0..players as u16).collect();
    for left in (1..players).rev() {
        lots.swap(left, dice.below(left as u32 + 1) as usize);
    }
    lots
}

impl League {
    /// The event, if the manager may write it down now.
    pub fn fitting(&self, seat: Seat, event: Event) -> Result<Event, Illegal> {
        if seat != MANAGER {
            return Err(Illegal::NotYourTurn);
        }
        match (&self.outcome, &event) {
            // A referee may not have heard that its report arrived, be it the last.
            (Some(_), Event::End { match_id, .. })
                if self.fixture(*match_id).is_some_and(|fixture| fixture.verdict().is_some()) => {}
            (Some(outcome), _) => return Err(Illegal::Over(outcome.clone())),
            (None, _) => {}
        }
        event::check(&event)?;
        self.admit(&event)?;
        Ok(event)
    }
}

impl Rules for League {
    const KIND: &'static str = "league";
    const SEATS: &'static [&'static str] = &["Manager"];
    const CARD: Option<Card> = None;

    type Setup = Setup;
    type Move = Event;
    type Report = Report;
    type View = View;

    fn start(setup: &Setup, _: &mut Dice) -> Result<League, Illegal> {
        setup.check().map_err(Illegal::rule)?;
        Ok(League {
            setup: Arc::new(setup.clone()),
            phase: Phase::Open,
            paused: false,
            students: Arc::default(),
            players: Arc::default(),
            forms: Arc::default(),
            rounds: Vec::new(),
            lots: Arc::default(),
            ratings: Arc::new(Ratings::new(0)),
            open: 0,
            outcome: None,
        })
    }

    fn due(&self) -> Due {
        self.outcome.clone().map_or(Due::One(MANAGER), Due::Over)
    }

    /// Only once it is over: the table is not worked out for every event, and a league that goes on is
    /// in memory wherever it is led.
    fn glimpse(&self) -> Option<String> {
        if self.outcome.is_none() {
            return Some(String::new());
        }
        let glimpse = self.view(Eye::Public).glimpse();
        Some(serde_json::to_string(&glimpse).expect("a glimpse can be written"))
    }

    fn legal(&self, _: Seat) -> Vec<Event> {
        Vec::new()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Event, Illegal> {
        let read = event::read(text);
        match (&self.outcome, read) {
            (Some(outcome), Err(_)) if seat == MANAGER => Err(Illegal::Over(outcome.clone())),
            (_, read) => self.fitting(seat, read?),
        }
    }

    fn write(&self, event: &Event) -> String {
        serde_json::to_string(event).expect("an event can be written")
    }

    fn play(&mut self, moves: &[(Seat, Event)], dice: &mut Dice) -> Report {
        let [(_, event)] = moves else { unreachable!("one seat makes one move") };
        match event {
            Event::Register(new) => {
                Arc::make_mut(&mut self.players).push(Arc::new(new.clone()));
                Arc::make_mut(&mut self.forms).push(Form::default());
                self.ratings = Arc::new(Ratings::new(self.forms.len()));
                return Report::Registered { player_id: PlayerId::at(self.forms.len() - 1) };
            }
            Event::Enlist { student, name } => {
                Arc::make_mut(&mut self.students).insert(student.clone(), name.clone());
            }
            Event::Renew { player, registration } => {
                let player = &mut Arc::make_mut(&mut self.players)[player.index()];
                *player = Arc::new(registration.clone());
            }
            Event::Revoke { player, token, nonce } => {
                let player = &mut Arc::make_mut(&mut self.players)[player.index()];
                let player = Arc::make_mut(player);
                player.token.clone_from(token);
                player.nonce.clone_from(nonce);
            }
            Event::Remove { player } => {
                let running = self.phase == Phase::Running;
                let form = self.form(player.index());
                (form.removed, form.suspended) = (true, running);
            }
            Event::Replay { match_id } => self.play_again(*match_id),
            Event::Pause => self.paused = true,
            Event::Start if self.paused => {
                self.paused = false;
                return Report::Started { rounds: self.rounds.len(), matches: self.open };
            }
            Event::Start => {
                self.phase = Phase::Running;
                self.lots = Arc::new(draw_lots(self.players.len(), dice.of(LOTS)));
                self.extend();
                return Report::Started { rounds: self.rounds.len(), matches: self.open };
            }
            Event::Pair { player1, player2, round } => {
                return Report::Paired { match_id: self.pair(*player1, *player2, *round) };
            }
            Event::End { match_id, result } => return self.end(*match_id, result),
            Event::Begin { match_id, game } => self.begin(*match_id, *game),
            Event::Learn { player, dialect } => {
                let player = &mut Arc::make_mut(&mut self.players)[player.index()];
                Arc::make_mut(player).dialect.clone_from(dialect);
            }
            Event::Suspend { player } => self.form(player.index()).suspended = true,
            Event::Return { player } => {
                let form = self.form(player.index());
                (form.suspended, form.removed, form.missed) = (false, false, 0);
            }
            Event::Stop { reason } => {
                self.phase = Phase::Stopped;
                let text = format!("The league was stopped: {reason}");
                self.outcome = Some(Outcome::new(vec![0], text));
            }
        }
        Report::Nothing
    }

    fn guess(&self, _: Seat, _: &mut Dice) -> Option<League> {
        None
    }

    fn view(&self, eye: Eye) -> View {
        View::of(self.clone(), eye)
    }
}
