//! A game of any kind: its set-up, its seed and its turns.
//!
//! This is the object-safe interface to [`Rules`]. The server saves, replays and shows games of all
//! kinds through [`Record`], and asks for a typed view only in its code for one kind.

mod ask;
mod position;
mod table;

use std::borrow::Cow;

pub(crate) use self::position::Position;
pub use self::{ask::Ask, position::Guess};
use self::{position::turn_seen, table::Table};
use crate::{Dice, Due, Eye, Illegal, Kind, Outcome, Rules, Seat, Tag, drawing::Shown};

/// An accepted move. Turns are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub number: u32,
    pub seat: Seat,
    pub text: String,
    /// The effect of the move, as JSON, in kinds that report it.
    pub report: Option<String>,
}

impl Turn {
    pub fn new(number: u32, seat: Seat, text: impl Into<String>) -> Turn {
        Turn { number, seat, text: text.into(), report: None }
    }
}

/// The log's text for a seat that did not move in time and so lost at once.
pub const OUT_OF_TIME: &str = "(out of time)";
/// The log's text for a seat that did not move in time where several move at once. It counts when
/// all moves are in.
pub const LATE: &str = "(late)";
/// The log's text for a seat that resigned, in a kind without a move for that.
pub const RESIGNED: &str = "(resigned)";
/// The word that players use to resign.
pub(crate) const RESIGN: &str = "resign";

/// Whether a text in the log stands for something other than a move.
fn is_no_move(text: &str) -> bool {
    [OUT_OF_TIME, LATE, RESIGNED].contains(&text)
}

/// A turn in the log that the rules refuse: the log is damaged, or other rules wrote it.
#[derive(Debug, thiserror::Error)]
#[error("turn {number}, {text:?} by seat {}, does not fit the game: {why}", .seat.0)]
pub struct Corrupt {
    number: u32,
    seat: Seat,
    text: String,
    why: Illegal,
}

/// A game so far.
pub struct Record {
    kind: Kind,
    setup: String,
    seed: u64,
    /// Whether the start of the game drew anything.
    is_drawn: bool,
    table: Table,
    turns: Vec<Turn>,
    /// For each turn, the number of the first turn of its round; where one seat moves at a time,
    /// its own number.
    rounds: Vec<u32>,
    /// Texts that turns revealed to everyone, with the numbers of the turns.
    revealed: Vec<(u32, String)>,
}

/// A move that was played on a copy of the position. [`Record::take`] makes it part of the game.
pub struct Step {
    turn: Turn,
    table: Table,
}

impl Step {
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// The outcome, if the move ends the game.
    pub fn outcome(&self) -> Option<Outcome> {
        self.table.due().outcome().cloned()
    }

    /// The seats that are to move afterwards.
    pub fn due(&self) -> Due {
        self.table.due()
    }

    pub fn asked(&self) -> Option<Seat> {
        self.table.asked()
    }

    /// The summary for lists afterwards.
    pub fn glimpse(&self) -> String {
        self.table.glimpse()
    }
}

impl Record {
    /// Starts a game. `setup` is the kind's set-up as JSON.
    pub fn start(kind: Kind, setup: &str, seed: u64) -> Result<Record, Illegal> {
        let mut dice = Dice::of_game(seed, 0);
        let (seats, position) = (kind.start)(setup, &mut dice)?;
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
            is_drawn: !dice.are_untouched(),
            table,
            turns: Vec::new(),
            rounds: Vec::new(),
            revealed: Vec::new(),
        })
    }

    /// The game as it was after turn `number`.
    pub fn as_of(&self, number: u32) -> Record {
        let mut past = Record::start(self.kind, &self.setup, self.seed)
            .expect("a set-up that started this game starts it again");
        for turn in self.turns.iter().take_while(|turn| turn.number <= number) {
            past.push(turn.clone()).expect("turns that were played can be played again");
        }
        past
    }

    /// A copy, for a search on another thread.
    pub fn copy(&self) -> Record {
        Record {
            kind: self.kind,
            setup: self.setup.clone(),
            seed: self.seed,
            is_drawn: self.is_drawn,
            table: self.table.copy(),
            turns: self.turns.clone(),
            rounds: self.rounds.clone(),
            revealed: self.revealed.clone(),
        }
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The set-up as JSON.
    pub fn setup(&self) -> &str {
        &self.setup
    }

    /// The names of the seats in this game.
    pub fn seats(&self) -> &'static [&'static str] {
        self.table.seats
    }

    /// Whether the seed decides anything in this game.
    pub fn draws(&self) -> bool {
        self.kind.card.is_some_and(|card| self.is_drawn || card.has(Tag::Chance))
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// For each turn, in order, the number of the first turn of its round; where one seat moves at
    /// a time, its own number.
    pub fn rounds(&self) -> &[u32] {
        &self.rounds
    }

    /// Texts that turns revealed to everyone besides their moves, with the numbers of the turns.
    pub fn revealed(&self) -> &[(u32, String)] {
        &self.revealed
    }

    /// The turns that `eye` may see: without the sealed moves of others, and with secret moves as
    /// the kind shows them.
    pub fn turns_seen(&self, eye: Eye) -> impl Iterator<Item = Cow<'_, Turn>> {
        let open = self.turns.len() - self.table.sealed.len();
        let (open, sealed) = self.turns.split_at(open);
        let own = sealed.iter().filter(move |turn| eye == Eye::Seat(turn.seat));
        open.iter().chain(own).map(move |turn| turn_seen(&*self.table.position, turn, eye))
    }

    /// The number of the turn that `seat` means by `asked`. Where several move at once, another
    /// seat's turn may have taken that number, so `seat` means its own turn of that round.
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

    /// The number of the first turn of the round that the next turn belongs to.
    pub fn round(&self) -> u32 {
        self.next_number() - self.table.sealed.len() as u32
    }

    pub fn next_number(&self) -> u32 {
        self.turns.len() as u32 + 1
    }

    /// The seats that are to move, without those whose sealed move is in.
    pub fn due(&self) -> Due {
        self.table.due()
    }

    /// The summary of the game for lists.
    pub fn glimpse(&self) -> String {
        self.table.glimpse()
    }

    pub fn asked(&self) -> Option<Seat> {
        self.table.asked()
    }

    /// The answers open to `seat`, if it was asked something.
    pub fn answers(&self, seat: Seat) -> Vec<&'static str> {
        let is_asked = self.asked() == Some(seat);
        if is_asked { self.table.position.answers(seat) } else { Vec::new() }
    }

    /// The seats that lost on time.
    pub fn lost_on_time(&self) -> Vec<Seat> {
        if self.due().outcome().is_none() || self.resigned().is_some() {
            return Vec::new();
        }
        let last = self.turns.iter().zip(&self.rounds).rev();
        let last = last.take_while(|(_, round)| Some(*round) == self.rounds.last());
        let late = last.filter(|(turn, _)| [OUT_OF_TIME, LATE].contains(&turn.text.as_str()));
        late.map(|(turn, _)| turn.seat).collect()
    }

    /// Whether `seat` was late in a round that still waits for others.
    pub fn was_late(&self, seat: Seat) -> bool {
        self.table.was_late(seat)
    }

    /// The seat that resigned, in a kind without a move for that.
    pub fn resigned(&self) -> Option<Seat> {
        self.turns.last().filter(|turn| turn.text == RESIGNED).map(|turn| turn.seat)
    }

    /// The words for actions off the board: those of the kind, or else `resign` if two play.
    pub fn actions(&self) -> &'static [&'static str] {
        self.table.actions()
    }

    /// Checks whether `seat` may make this move now. Returns its canonical text.
    pub fn check(&self, seat: Seat, ask: impl Into<Ask>) -> Result<String, Illegal> {
        self.table.read(seat, &ask.into()).map(|(_, text)| text)
    }

    /// The legal moves of `seat` as text; empty if its sealed move is in.
    pub fn offers(&self, seat: Seat) -> Vec<String> {
        if self.due().includes(seat) { self.table.position.offers(seat) } else { Vec::new() }
    }

    /// The view for `eye`, as JSON.
    pub fn view_json(&self, eye: Eye) -> String {
        self.table.position.view(eye)
    }

    /// The position as `eye` may see it, as text and as a drawing.
    pub fn show(&self, eye: Eye) -> Shown {
        self.table.show(eye)
    }

    /// A position that fits what `seat` has seen, if the kind can guess one.
    pub fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Guess> {
        self.table.position.guess(seat, dice).map(Guess)
    }

    /// A typed guess for a search, if this is a game of `R` and `seat` is due. The search knows
    /// what the seat knows, and neither the game's seed nor its dice.
    pub fn imagine<R: Rules>(&self, seat: Seat, dice: &mut Dice) -> Option<R> {
        let position = self.table.position.as_any().downcast_ref::<R>()?;
        if self.due().includes(seat) { position.guess(seat, dice) } else { None }
    }

    /// Plays on a copy what a player asks for.
    pub fn step(&self, seat: Seat, ask: impl Into<Ask>) -> Result<Step, Illegal> {
        let (deed, text) = self.table.read(seat, &ask.into())?;
        let mut turn = Turn::new(self.next_number(), seat, text);
        let mut table = self.table.copy();
        turn.report = table.play(seat, deed, &mut Dice::of_game(self.seed, turn.number));
        Ok(Step { turn, table })
    }

    /// Checks a player's claim that their step wins. Refused in games with hidden or random parts,
    /// because the answer would give away a secret.
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

    /// Makes a step part of the game. The step must come from this record as it is now.
    pub fn take(&mut self, step: Step) {
        assert_eq!(step.turn.number, self.next_number(), "a step belongs to its record");
        self.rounds.push(self.round());
        self.table = step.table;
        self.turns.push(step.turn);
        self.note_revealed();
    }

    /// Adds a turn from the log. Returns the report of these rules; the turn keeps the report that
    /// the log has, if any.
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
        let report = self.table.play(turn.seat, deed, &mut Dice::of_game(self.seed, due));
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

    /// The view for `eye`, if this is a game of `R`.
    pub fn view<R: Rules>(&self, eye: Eye) -> Option<R::View> {
        Some(self.table.position.as_any().downcast_ref::<R>()?.view(eye))
    }
}
