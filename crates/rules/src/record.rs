//! A game as its set-up and its turns, whatever kind it is.
//!
//! This is the object-safe face over [`Rules`]: the server keeps, saves, replays and shows games
//! of all kinds through [`Record`] and asks for a typed view only where it knows the kind.

use std::{any::Any, borrow::Cow, sync::Arc};

use crate::{
    Dice, Due, Eye, Glimpse, Illegal, Kind, Outcome, Rules, Seat, Tag, drawing::Shown, opening,
};

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

/// [`Rules::Move`] without its type: as the position that read it understands it, and as it is
/// written.
#[derive(Clone)]
pub(crate) struct Move {
    text: String,
    mv: Arc<dyn Any + Send + Sync>,
}

impl Move {
    fn of<R: Rules>(position: &R, mv: R::Move) -> Move {
        Move { text: position.write(&mv), mv: Arc::new(mv) }
    }

    fn read<R: Rules>(&self) -> R::Move {
        self.mv.downcast_ref::<R::Move>().expect("a position plays the moves it has read").clone()
    }
}

/// [`Rules`] without its types.
pub(crate) trait Position: Send + Sync {
    fn due(&self) -> Due;
    fn asked(&self) -> Option<Seat>;
    fn answers(&self, seat: Seat) -> Vec<&'static str>;
    fn copy(&self) -> Box<dyn Position>;
    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal>;
    fn late(&self, seat: Seat) -> Option<Move>;
    fn offers(&self, seat: Seat) -> Vec<String>;
    fn view(&self, eye: Eye) -> String;
    fn show(&self, eye: Eye) -> Shown;
    fn play(&mut self, moves: &[(Seat, Move)], dice: &mut Dice) -> Report;
    fn turn_hidden_as(&self, turn: &Turn, eye: Eye) -> Option<String>;
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

    fn answers(&self, seat: Seat) -> Vec<&'static str> {
        Rules::answers(self, seat)
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        Rules::parse(self, seat, text).map(|mv| Move::of(self, mv))
    }

    fn late(&self, seat: Seat) -> Option<Move> {
        Rules::late(self, seat).map(|mv| Move::of(self, mv))
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

    fn play(&mut self, moves: &[(Seat, Move)], dice: &mut Dice) -> Report {
        let moves: Vec<_> = moves.iter().map(|(seat, mv)| (*seat, mv.read::<R>())).collect();
        let report = Rules::play(self, &moves, dice);
        let report = serde_json::to_string(&report).expect("a report can be written");
        Some(report).filter(|report| report != "null")
    }

    fn turn_hidden_as(&self, turn: &Turn, eye: Eye) -> Option<String> {
        Rules::turn_hidden_as(self, turn, eye)
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

/// A turn as `eye` is told it.
fn turn_seen<'a>(position: &dyn Position, turn: &'a Turn, eye: Eye) -> Cow<'a, Turn> {
    match position.turn_hidden_as(turn, eye) {
        Some(text) => Cow::Owned(Turn::new(turn.number, turn.seat, text)),
        None => Cow::Borrowed(turn),
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
        self.0.parse(seat, text).map(|mv| mv.text)
    }

    pub fn view_json(&self, eye: Eye) -> String {
        self.0.view(eye)
    }

    pub fn show(&self, eye: Eye) -> Shown {
        self.0.show(eye)
    }

    /// What lists show of it, where its kind says so.
    pub fn glimpse(&self) -> Option<String> {
        self.0.glimpse()
    }

    /// What `eye` would be told of a turn, if this were how things stand.
    pub fn turn_seen<'a>(&self, turn: &'a Turn, eye: Eye) -> Cow<'a, Turn> {
        turn_seen(&*self.0, turn, eye)
    }

    /// One move, or one for each seat that is due together; with dice that are not the game's.
    pub fn play(&mut self, moves: &[(Seat, String)], dice: &mut Dice) -> Result<(), Illegal> {
        let read = |(seat, text): &(Seat, String)| Ok((*seat, self.0.parse(*seat, text)?));
        let moves = moves.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        self.0.play(&moves, dice);
        Ok(())
    }
}

/// What a turn is made of.
enum Deed {
    Move(Move),
    /// Nothing was done in time, in a kind that does not go on without.
    OutOfTime,
}

impl Deed {
    fn text(&self) -> &str {
        match self {
            Deed::Move(mv) => &mv.text,
            Deed::OutOfTime => OUT_OF_TIME,
        }
    }
}

/// How things stand.
struct Table {
    /// What the seats are called.
    seats: &'static [&'static str],
    position: Box<dyn Position>,
    /// Moves of a simultaneous turn that wait for the others.
    sealed: Vec<(Seat, Move)>,
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

    /// What a player asks for.
    fn read(&self, seat: Seat, text: &str) -> Result<Deed, Illegal> {
        self.may_move(seat)?;
        let mv = self.position.parse(seat, text)?;
        // Whatever a kind takes for a move: that somebody was late is not for players to say.
        if mv.text == OUT_OF_TIME {
            return Err(Illegal::rule("this is no move"));
        }
        Ok(Deed::Move(mv))
    }

    /// What is written for a seat that did not move in time.
    fn late(&self, seat: Seat) -> Result<Deed, Illegal> {
        self.may_move(seat)?;
        self.position.due().admit(seat)?;
        match self.position.late(seat) {
            Some(late) => Ok(Deed::Move(late)),
            None if self.seats.len() > 1 => Ok(Deed::OutOfTime),
            None => Err(Illegal::rule("nobody can be late in this game")),
        }
    }

    /// What the log has, where that a seat was late may stand too.
    fn recall(&self, seat: Seat, text: &str) -> Result<Deed, Illegal> {
        let is_late = match self.position.late(seat) {
            Some(late) => late.text == text,
            None => text == OUT_OF_TIME,
        };
        if is_late {
            return self.late(seat);
        }
        self.may_move(seat)?;
        self.position.parse(seat, text).map(Deed::Move)
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
        let outcome = Outcome { counts: false, ..Outcome::new(points.collect(), text) };
        self.on_time = Some(Box::new(outcome));
        self.sealed.clear();
    }

    fn play(&mut self, seat: Seat, deed: Deed, dice: &mut Dice) -> Report {
        let Deed::Move(mv) = deed else {
            self.lose_on_time(seat);
            return None;
        };
        let Due::Each(seats) = self.position.due() else {
            return self.position.play(&[(seat, mv)], dice);
        };
        self.sealed.push((seat, mv));
        if self.sealed.len() < seats.len() {
            return None;
        }
        let mut moves = std::mem::take(&mut self.sealed);
        moves.sort_by_key(|(seat, _)| *seat);
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

    /// Whether anything in it is drawn by the seed.
    pub fn draws(&self) -> bool {
        let by_chance = self.kind.card.is_some_and(|card| card.has(Tag::Chance));
        by_chance || opening::is_drawn(&self.setup)
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

    /// The turns that `eye` may see, as it is told them: not what others have sealed, and no more of
    /// a secret move than the kind tells.
    pub fn turns_seen(&self, eye: Eye) -> impl Iterator<Item = Cow<'_, Turn>> {
        let open = self.turns.len() - self.table.sealed.len();
        let (open, sealed) = self.turns.split_at(open);
        let own = sealed.iter().filter(move |turn| eye == Eye::Seat(turn.seat));
        open.iter().chain(own).map(move |turn| turn_seen(&*self.table.position, turn, eye))
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

    /// What `seat` may answer, if it was asked something.
    pub fn answers(&self, seat: Seat) -> Vec<&'static str> {
        let is_asked = self.asked() == Some(seat);
        if is_asked { self.table.position.answers(seat) } else { Vec::new() }
    }

    /// Who lost by not moving in time.
    pub fn lost_on_time(&self) -> Option<Seat> {
        self.turns.last().filter(|turn| turn.text == OUT_OF_TIME).map(|turn| turn.seat)
    }

    /// Whether `seat` may move so now. Answers the move in its canonical form.
    pub fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal> {
        self.table.read(seat, text).map(|deed| deed.text().to_owned())
    }

    /// What is written for `seat` if it does not move in time.
    pub fn late(&self, seat: Seat) -> Result<String, Illegal> {
        self.table.late(seat).map(|deed| deed.text().to_owned())
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
        Ok(self.step_with(seat, self.table.read(seat, text)?))
    }

    /// Tries on a copy what is written for a seat that did not move in time.
    pub fn step_late(&self, seat: Seat) -> Result<Step, Illegal> {
        Ok(self.step_with(seat, self.table.late(seat)?))
    }

    fn step_with(&self, seat: Seat, deed: Deed) -> Step {
        let mut turn = Turn::new(self.next_number(), seat, deed.text());
        let mut table = self.table.copy();
        turn.report = table.play(seat, deed, &mut Dice::new(self.seed, turn.number));
        Step { turn, table }
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
        let recalled = if turn.number == due {
            self.table.recall(turn.seat, &turn.text)
        } else {
            Err(Illegal::rule(format!("turn {due} is due")))
        };
        let deed = recalled.map_err(|why| Corrupt {
            number: turn.number,
            seat: turn.seat,
            text: turn.text.clone(),
            why,
        })?;
        let report = self.table.play(turn.seat, deed, &mut Dice::new(self.seed, due));
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
