//! A game as its set-up and its turns, whatever kind it is.
//!
//! This is the object-safe face over [`Rules`]: the server keeps, saves, replays and shows games
//! of all kinds through [`Record`] and asks for a typed view only where it knows the kind.

mod ask;
mod position;
mod table;

use std::borrow::Cow;

pub(crate) use self::position::Position;
pub use self::{ask::Ask, position::Guess};
use self::{position::turn_seen, table::Table};
use crate::{Dice, Due, Eye, Illegal, Kind, Outcome, Rules, Seat, Tag, drawing::Shown, opening};

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
/// The same where others move at once: what it comes to is seen when all are in.
pub const LATE: &str = "(late)";
/// What the log has of a seat that gave up, where the kind has no move for that.
pub const RESIGNED: &str = "(resigned)";
/// The word by which one gives up.
pub(crate) const RESIGN: &str = "resign";

/// What stands in the log and is nobody's move, in whatever kind.
fn is_no_move(text: &str) -> bool {
    [OUT_OF_TIME, LATE, RESIGNED].contains(&text)
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
    /// What turns brought for everybody to see, with their numbers.
    revealed: Vec<(u32, String)>,
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

impl Record {
    /// `setup` is the kind's own set-up as JSON.
    pub fn start(kind: Kind, setup: &str, seed: u64) -> Result<Record, Illegal> {
        let (seats, position) = (kind.start)(kind.version, setup, &mut Dice::new(seed, 0))?;
        let seats = &kind.seats[..seats];
        let table = Table {
            own_actions: kind.own_actions,
            seats,
            position,
            sealed: Vec::new(),
            given_up: None,
        };
        Ok(Record {
            kind,
            setup: setup.to_owned(),
            seed,
            table,
            turns: Vec::new(),
            rounds: Vec::new(),
            revealed: Vec::new(),
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
            revealed: self.revealed.clone(),
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

    /// What turns brought for everybody to see beside their moves, with their numbers.
    pub fn revealed(&self) -> &[(u32, String)] {
        &self.revealed
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
    pub fn lost_on_time(&self) -> Vec<Seat> {
        if self.due().outcome().is_none() || self.resigned().is_some() {
            return Vec::new();
        }
        let last = self.turns.iter().zip(&self.rounds).rev();
        let last = last.take_while(|(_, round)| Some(*round) == self.rounds.last());
        let late = last.filter(|(turn, _)| [OUT_OF_TIME, LATE].contains(&turn.text.as_str()));
        late.map(|(turn, _)| turn.seat).collect()
    }

    /// Whether the others are still waited for in a round in which `seat` was late.
    pub fn was_late(&self, seat: Seat) -> bool {
        self.table.was_late(seat)
    }

    /// Who has resigned, in a kind that has no move for that.
    pub fn resigned(&self) -> Option<Seat> {
        self.turns.last().filter(|turn| turn.text == RESIGNED).map(|turn| turn.seat)
    }

    /// What its players may do beside the board, in the words for it: what the kind lists, or else
    /// resign, at any time, where two play.
    pub fn actions(&self) -> &'static [&'static str] {
        self.table.actions()
    }

    /// Whether `seat` may move so now. Answers the move in its canonical form.
    pub fn check(&self, seat: Seat, ask: impl Into<Ask>) -> Result<String, Illegal> {
        self.table.read(seat, &ask.into()).map(|(_, text)| text)
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

    /// Tries on a copy what a player asks for.
    pub fn step(&self, seat: Seat, ask: impl Into<Ask>) -> Result<Step, Illegal> {
        let (deed, text) = self.table.read(seat, &ask.into())?;
        let mut turn = Turn::new(self.next_number(), seat, text);
        let mut table = self.table.copy();
        turn.report = table.play(seat, deed, &mut Dice::new(self.seed, turn.number));
        Ok(Step { turn, table })
    }

    /// Whether a step wins for whoever made it, as they claim. Where something is hidden or drawn
    /// nobody may ask: a claim that does not hold would tell it for nothing.
    pub fn check_claim(&self, step: &Step) -> Result<(), Illegal> {
        let tells = |tag| self.kind.card.is_none_or(|card| card.has(tag));
        if [Tag::Chance, Tag::Hidden, Tag::Simultaneous].into_iter().any(tells) {
            return Err(Illegal::rule("nobody can know here that a move wins; claim nothing"));
        }
        match step.outcome().and_then(|outcome| outcome.winner()) {
            Some(winner) if winner == step.turn.seat => Ok(()),
            _ => Err(Illegal::FalseClaim),
        }
    }

    /// Takes over a step that was tried on this very record.
    pub fn take(&mut self, step: Step) {
        assert_eq!(step.turn.number, self.next_number(), "a step belongs to its record");
        self.rounds.push(self.round());
        self.table = step.table;
        self.turns.push(step.turn);
        self.note_revealed();
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
        self.note_revealed();
        Ok(report)
    }

    fn note_revealed(&mut self) {
        let number = self.turns.len() as u32;
        self.revealed.extend(self.table.revealed().map(|text| (number, text)));
    }

    /// What `eye` may see, if this is a game of `R`.
    pub fn view<R: Rules>(&self, eye: Eye) -> Option<R::View> {
        Some(self.table.position.as_any().downcast_ref::<R>()?.view(eye))
    }
}
