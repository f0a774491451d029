//! A game as its set-up and its turns, whatever kind it is.
//!
//! This is the object-safe face over [`Rules`]: the server keeps, saves, replays and shows games
//! of all kinds through [`Record`] and asks for a typed view only where it knows the kind.

use std::any::Any;

use crate::{Dice, Due, Eye, Glimpse, Illegal, Kind, Outcome, Rules, Seat, Tag, drawing::Shown};

/// A move that was accepted, numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub number: u32,
    pub seat: Seat,
    pub text: String,
    /// What it did, as JSON, in games whose moves have something to report.
    pub report: Option<String>,
}

impl Turn {
    pub fn new(number: u32, seat: Seat, text: impl Into<String>) -> Turn {
        Turn { number, seat, text: text.into(), report: None }
    }
}

/// What the log has of a seat that did not move in time, where the game does not go on without.
pub const OUT_OF_TIME: &str = "(out of time)";

/// [`Rules::Report`] without its type: JSON, or nothing.
pub(crate) type Report = Option<String>;

/// [`Rules`] without its types.
pub(crate) trait Position: Send + Sync {
    fn due(&self) -> Due;
    fn asked(&self) -> Option<Seat>;
    fn copy(&self) -> Box<dyn Position>;
    fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal>;
    fn late(&self, seat: Seat) -> Option<String>;
    fn offers(&self, seat: Seat) -> Vec<String>;
    fn view(&self, eye: Eye) -> String;
    fn show(&self, eye: Eye) -> Shown;
    fn play(&mut self, moves: &[(Seat, String)], dice: &mut Dice) -> Result<Report, Illegal>;
    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Box<dyn Position>>;
    fn glimpse(&self) -> Option<String>;
    fn as_any(&self) -> &dyn Any;
}

impl<R: Rules> Position for R {
    fn due(&self) -> Due {
        Rules::due(self)
    }

    fn asked(&self) -> Option<Seat> {
        Rules::asked(self)
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal> {
        Ok(self.write(&self.parse(seat, text)?))
    }

    fn late(&self, seat: Seat) -> Option<String> {
        Rules::late(self, seat).map(|mv| self.write(&mv))
    }

    fn offers(&self, seat: Seat) -> Vec<String> {
        Rules::offers(self, seat)
    }

    fn view(&self, eye: Eye) -> String {
        serde_json::to_string(&Rules::view(self, eye)).expect("a view can be written")
    }

    fn show(&self, eye: Eye) -> Shown {
        Rules::show(self, eye)
    }

    fn play(&mut self, moves: &[(Seat, String)], dice: &mut Dice) -> Result<Report, Illegal> {
        let moves: Vec<_> = moves
            .iter()
            .map(|(seat, text)| Ok((*seat, recall(self, *seat, text)?)))
            .collect::<Result<_, _>>()?;
        let report = Rules::play(self, &moves, dice);
        let report = serde_json::to_string(&report).expect("a report can be written");
        Ok(Some(report).filter(|report| report != "null"))
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Box<dyn Position>> {
        Some(Box::new(Rules::guess(self, seat, dice)?))
    }

    fn glimpse(&self) -> Option<String> {
        Rules::glimpse(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Reads a move from the log, where that a seat was late may stand too.
fn recall<R: Rules>(position: &R, seat: Seat, text: &str) -> Result<R::Move, Illegal> {
    match position.late(seat) {
        Some(late) if position.write(&late) == text => Ok(late),
        _ => position.parse(seat, text),
    }
}

/// A turn in the log that the rules do not accept: the log is damaged, or was written by other
/// rules than these.
#[derive(Debug, thiserror::Error)]
#[error("turn {number}, {text:?} by seat {}, does not fit the game: {why}", .seat.0)]
pub struct Corrupt {
    number: u32,
    seat: Seat,
    text: String,
    why: Illegal,
}

/// A game up to now.
pub struct Record {
    kind: Kind,
    setup: String,
    seed: u64,
    table: Table,
    turns: Vec<Turn>,
    /// The first turn of the round that each belongs to; its own number, where one moves at a time.
    rounds: Vec<u32>,
}

/// A move that was tried on a copy of the game. Nothing has changed until it is taken over.
pub struct Step {
    turn: Turn,
    table: Table,
}

impl Step {
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// How the game ends with it, if it does.
    pub fn outcome(&self) -> Option<Outcome> {
        self.table.due().outcome().cloned()
    }

    /// Whom the game waits for after it.
    pub fn due(&self) -> Due {
        self.table.due()
    }

    pub fn asked(&self) -> Option<Seat> {
        self.table.asked()
    }

    /// What lists show of the game after it.
    pub fn glimpse(&self) -> String {
        self.table.glimpse()
    }
}

/// A position that a seat might be in, as far as it knows. It belongs to no game: to look ahead from.
pub struct Guess(Box<dyn Position>);

impl Guess {
    /// The same once more.
    pub fn copy(&self) -> Guess {
        Guess(self.0.copy())
    }

    /// What `seat` might be looking at, if this were it.
    pub fn again(&self, seat: Seat, dice: &mut Dice) -> Option<Guess> {
        self.0.guess(seat, dice).map(Guess)
    }

    pub fn due(&self) -> Due {
        self.0.due()
    }

    pub fn offers(&self, seat: Seat) -> Vec<String> {
        self.0.offers(seat)
    }

    /// Whether `seat` may move so. Answers the move in its canonical form.
    pub fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal> {
        self.0.check(seat, text)
    }

    pub fn view_json(&self, eye: Eye) -> String {
        self.0.view(eye)
    }

    pub fn show(&self, eye: Eye) -> Shown {
        self.0.show(eye)
    }

    /// One move, or one for each seat that is due together; with dice that are not the game's.
    pub fn play(&mut self, moves: &[(Seat, String)], dice: &mut Dice) -> Result<(), Illegal> {
        self.0.play(moves, dice).map(|_| ())
    }
}

/// How things stand.
struct Table {
    /// What the seats are called.
    seats: &'static [&'static str],
    position: Box<dyn Position>,
    /// Moves of a simultaneous turn that wait for the others.
    sealed: Vec<(Seat, String)>,
    /// How it ended for somebody who did not move in time, in a kind that knows no such end.
    on_time: Option<Box<Outcome>>,
}

impl Table {
    fn copy(&self) -> Table {
        Table {
            seats: self.seats,
            position: self.position.copy(),
            sealed: self.sealed.clone(),
            on_time: self.on_time.clone(),
        }
    }

    fn asked(&self) -> Option<Seat> {
        self.position.asked().filter(|_| self.on_time.is_none())
    }

    fn show(&self, eye: Eye) -> Shown {
        let mut shown = self.position.show(eye);
        // The position knows neither who is in already nor who was late.
        let due = match self.due() {
            Due::Each(due) if due.len() == 1 => Due::One(due[0]),
            due => due,
        };
        let before = self.position.due().sentence(self.seats);
        shown.text = shown.text.replace(&before, &due.sentence(self.seats));
        shown
    }

    fn glimpse(&self) -> String {
        let plain = || {
            let drawing = self.position.show(Eye::Public).drawing;
            Glimpse::of(self.seats.len(), &self.due(), drawing).write()
        };
        self.position.glimpse().unwrap_or_else(plain)
    }

    /// Whom the game waits for, less those whose sealed move is in.
    fn due(&self) -> Due {
        if let Some(outcome) = &self.on_time {
            return Due::Over(Outcome::clone(outcome));
        }
        match self.position.due() {
            Due::Each(mut seats) => {
                seats.retain(|seat| self.sealed.iter().all(|(sealed, _)| sealed != seat));
                Due::Each(seats)
            }
            due => due,
        }
    }

    fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal> {
        self.may_move(seat)?;
        let written = self.position.check(seat, text)?;
        // Whatever a kind takes for a move: that somebody was late is not for players to say.
        match written == OUT_OF_TIME {
            true => Err(Illegal::rule("this is no move")),
            false => Ok(written),
        }
    }

    fn late(&self, seat: Seat) -> Result<String, Illegal> {
        self.may_move(seat)?;
        self.position.due().admit(seat)?;
        match self.position.late(seat) {
            Some(late) => Ok(late),
            None if self.seats.len() > 1 => Ok(OUT_OF_TIME.to_owned()),
            None => Err(Illegal::rule("nobody can be late in this game")),
        }
    }

    /// Whoever has made a sealed move waits for the others.
    fn may_move(&self, seat: Seat) -> Result<(), Illegal> {
        if let Some(outcome) = &self.on_time {
            return Err(Illegal::Over(Outcome::clone(outcome)));
        }
        let is_in = self.sealed.iter().any(|(sealed, _)| *sealed == seat);
        if is_in { Err(Illegal::NotYourTurn) } else { Ok(()) }
    }

    /// Whoever keeps the others waiting has lost to all of them.
    fn lose_on_time(&mut self, late: Seat) {
        let points =
            (0..self.seats.len()).map(|seat| if seat == usize::from(late.0) { -1 } else { 1 });
        let others = self.seats.iter().zip(0..).filter(|(_, seat)| *seat != late.0);
        let text = match others.map(|(name, _)| *name).collect::<Vec<_>>()[..] {
            [winner] => format!("{winner} wins on time"),
            _ => format!("{} loses on time", self.seats[usize::from(late.0)]),
        };
        self.on_time = Some(Box::new(Outcome::new(points.collect(), text)));
        self.sealed.clear();
    }

    fn play(&mut self, seat: Seat, text: &str, dice: &mut Dice) -> Result<Report, Illegal> {
        if text == OUT_OF_TIME && self.position.late(seat).is_none() && self.late(seat).is_ok() {
            self.lose_on_time(seat);
            return Ok(None);
        }
        self.may_move(seat)?;
        let Due::Each(seats) = self.position.due() else {
            return self.position.play(&[(seat, text.to_owned())], dice);
        };
        if self.position.late(seat).as_deref() != Some(text) {
            self.position.check(seat, text)?;
        }
        self.sealed.push((seat, text.to_owned()));
        if self.sealed.len() < seats.len() {
            return Ok(None);
        }
        let mut moves = std::mem::take(&mut self.sealed);
        moves.sort();
        self.position.play(&moves, dice)
    }
}

impl Record {
    /// `setup` is the kind's own set-up as JSON.
    pub fn start(kind: Kind, setup: &str, seed: u64) -> Result<Record, Illegal> {
        let (seats, position) = (kind.start)(kind.version, setup, &mut Dice::new(seed, 0))?;
        let seats = &kind.seats[..seats];
        let table = Table { seats, position, sealed: Vec::new(), on_time: None };
        Ok(Record {
            kind,
            setup: setup.to_owned(),
            seed,
            table,
            turns: Vec::new(),
            rounds: Vec::new(),
        })
    }

    /// The game as it stood after turn `number`.
    pub fn as_of(&self, number: u32) -> Record {
        let mut past = Record::start(self.kind, &self.setup, self.seed)
            .expect("a set-up that started this game starts it again");
        for turn in self.turns.iter().take_while(|turn| turn.number <= number) {
            past.push(turn.clone()).expect("turns that were played can be played again");
        }
        past
    }

    /// The same once more, to think about elsewhere.
    pub fn copy(&self) -> Record {
        Record {
            kind: self.kind,
            setup: self.setup.clone(),
            seed: self.seed,
            table: self.table.copy(),
            turns: self.turns.clone(),
            rounds: self.rounds.clone(),
        }
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// As the kind writes it, in JSON.
    pub fn setup(&self) -> &str {
        &self.setup
    }

    /// What the seats of this very game are called.
    pub fn seats(&self) -> &'static [&'static str] {
        self.table.seats
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The first turn of the round that each turn belongs to, in their order: its own number, where
    /// one moves at a time.
    pub fn rounds(&self) -> &[u32] {
        &self.rounds
    }

    /// The turns that `eye` may see: not what others have sealed.
    pub fn turns_seen(&self, eye: Eye) -> impl Iterator<Item = &Turn> {
        let open = self.turns.len() - self.table.sealed.len();
        let (open, sealed) = self.turns.split_at(open);
        open.iter().chain(sealed.iter().filter(move |turn| eye == Eye::Seat(turn.seat)))
    }

    /// The turn that `seat` means by `asked`. Where several move at once, others may have been in
    /// before it: it means its own turn of that round.
    pub fn turn_meant(&self, seat: Seat, asked: u32) -> u32 {
        if !self.kind.card.is_some_and(|card| card.has(Tag::Simultaneous)) {
            return asked;
        }
        let own = self.turns.iter().find(|turn| turn.seat == seat && turn.number >= asked);
        match own {
            Some(own) => own.number,
            None if (self.round()..=self.next_number()).contains(&asked) => self.next_number(),
            None => asked,
        }
    }

    /// The first turn of the round that the next turn belongs to.
    fn round(&self) -> u32 {
        self.next_number() - self.table.sealed.len() as u32
    }

    pub fn next_number(&self) -> u32 {
        self.turns.len() as u32 + 1
    }

    /// Whom the game waits for, less those whose sealed move is in.
    pub fn due(&self) -> Due {
        self.table.due()
    }

    /// What lists show of the game.
    pub fn glimpse(&self) -> String {
        self.table.glimpse()
    }

    pub fn asked(&self) -> Option<Seat> {
        self.table.asked()
    }

    /// Who lost by not moving in time.
    pub fn lost_on_time(&self) -> Option<Seat> {
        self.turns.last().filter(|turn| turn.text == OUT_OF_TIME).map(|turn| turn.seat)
    }

    /// Whether `seat` may move so now. Answers the move in its canonical form.
    pub fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal> {
        self.table.check(seat, text)
    }

    /// What is written for `seat` if it does not move in time.
    pub fn late(&self, seat: Seat) -> Result<String, Illegal> {
        self.table.late(seat)
    }

    /// The moves `seat` may make, as it is told them; none if its sealed move is in.
    pub fn offers(&self, seat: Seat) -> Vec<String> {
        if self.due().includes(seat) { self.table.position.offers(seat) } else { Vec::new() }
    }

    /// What `eye` may see, as JSON.
    pub fn view_json(&self, eye: Eye) -> String {
        self.table.position.view(eye)
    }

    /// What `eye` may see, in words and as a drawing.
    pub fn show(&self, eye: Eye) -> Shown {
        self.table.show(eye)
    }

    /// What `seat` might be looking at, given what it has seen, if the kind can say so.
    pub fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Guess> {
        self.table.position.guess(seat, dice).map(Guess)
    }

    /// The same to think about, if this is a game of `R` and `seat` is due. Whoever thinks knows
    /// what the seat knows, and neither the game's seed nor its dice.
    pub fn imagine<R: Rules>(&self, seat: Seat, dice: &mut Dice) -> Option<R> {
        let position = self.table.position.as_any().downcast_ref::<R>()?;
        if self.due().includes(seat) { position.guess(seat, dice) } else { None }
    }

    /// Tries a move on a copy.
    pub fn step(&self, seat: Seat, text: &str) -> Result<Step, Illegal> {
        self.step_written(seat, self.check(seat, text)?)
    }

    /// Tries on a copy what is written for a seat that did not move in time.
    pub fn step_late(&self, seat: Seat) -> Result<Step, Illegal> {
        self.step_written(seat, self.late(seat)?)
    }

    fn step_written(&self, seat: Seat, text: String) -> Result<Step, Illegal> {
        let mut turn = Turn::new(self.next_number(), seat, text);
        let mut table = self.table.copy();
        turn.report = table.play(seat, &turn.text, &mut Dice::new(self.seed, turn.number))?;
        Ok(Step { turn, table })
    }

    /// Takes over a step that was tried on this very record.
    pub fn take(&mut self, step: Step) {
        assert_eq!(step.turn.number, self.next_number(), "a step belongs to its record");
        self.rounds.push(self.round());
        self.table = step.table;
        self.turns.push(step.turn);
    }

    /// Adds a turn from the log. Answers what it did by these rules; what the log says it did is
    /// kept.
    pub fn push(&mut self, mut turn: Turn) -> Result<Option<String>, Corrupt> {
        let (due, round) = (self.next_number(), self.round());
        let played = match turn.number == due {
            true => self.table.play(turn.seat, &turn.text, &mut Dice::new(self.seed, due)),
            false => Err(Illegal::rule(format!("turn {due} is due"))),
        };
        let report = played.map_err(|why| Corrupt {
            number: turn.number,
            seat: turn.seat,
            text: turn.text.clone(),
            why,
        })?;
        turn.report = turn.report.or_else(|| report.clone());
        self.turns.push(turn);
        self.rounds.push(round);
        Ok(report)
    }

    /// What `eye` may see, if this is a game of `R`.
    pub fn view<R: Rules>(&self, eye: Eye) -> Option<R::View> {
        Some(self.table.position.as_any().downcast_ref::<R>()?.view(eye))
    }
}
