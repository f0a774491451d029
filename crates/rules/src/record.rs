//! A game as its set-up and its turns, whatever kind it is.
//!
//! This is the object-safe face over [`Rules`]: the server keeps, saves, replays and shows games
//! of all kinds through [`Record`] and asks for a typed view only where it knows the kind.

use std::any::Any;

use crate::{
    Dice, Due, Eye, Illegal, Outcome, Rules, Seat, chess::Chess, dungeon::Dungeon,
    even_odd::EvenOdd, league::League, parity::Parity,
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

/// What is the same for all games of one kind.
#[derive(Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    pub version: u32,
    pub seats: &'static [&'static str],
    start: Start,
}

type Start = fn(&str, &mut Dice) -> Result<Box<dyn Position>, Illegal>;

#[derive(Debug, thiserror::Error)]
#[error("no game is called {0:?}")]
pub struct UnknownKind(pub String);

/// Every kind of game there is. A new game is added here.
pub const KINDS: &[Kind] =
    &[of::<Chess>(), of::<Dungeon>(), of::<EvenOdd>(), of::<Parity>(), of::<League>()];

pub fn kind(name: &str) -> Result<Kind, UnknownKind> {
    KINDS.iter().find(|kind| kind.name == name).copied().ok_or_else(|| UnknownKind(name.to_owned()))
}

const fn of<R: Rules>() -> Kind {
    Kind {
        name: R::KIND,
        version: R::VERSION,
        seats: R::SEATS,
        start: |setup, dice| {
            let setup: R::Setup = serde_json::from_str(setup)
                .map_err(|e| Illegal::rule(format!("the set-up cannot be read: {e}")))?;
            Ok(Box::new(R::start(&setup, dice)?))
        },
    }
}

/// [`Rules::Report`] without its type: JSON, or nothing.
type Report = Option<String>;

/// [`Rules`] without its types.
trait Position: Send + Sync {
    fn due(&self) -> Due;
    fn asked(&self) -> Option<Seat>;
    fn copy(&self) -> Box<dyn Position>;
    fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal>;
    fn play(&mut self, moves: &[(Seat, String)], dice: &mut Dice) -> Result<Report, Illegal>;
    fn card(&self) -> String;
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

    fn play(&mut self, moves: &[(Seat, String)], dice: &mut Dice) -> Result<Report, Illegal> {
        let moves: Vec<_> = moves
            .iter()
            .map(|(seat, text)| Ok((*seat, self.parse(*seat, text)?)))
            .collect::<Result<_, _>>()?;
        let report = Rules::play(self, &moves, dice);
        let report = serde_json::to_string(&report).expect("a report can be written");
        Ok(Some(report).filter(|report| report != "null"))
    }

    fn card(&self) -> String {
        Rules::card(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
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
        self.table.position.due().outcome().cloned()
    }

    /// Whom the game waits for after it.
    pub fn due(&self) -> Due {
        self.table.due()
    }

    pub fn asked(&self) -> Option<Seat> {
        self.table.position.asked()
    }

    /// What lists show of the game after it.
    pub fn card(&self) -> String {
        self.table.position.card()
    }
}

/// How things stand.
struct Table {
    position: Box<dyn Position>,
    /// Moves of a simultaneous turn that wait for the others.
    sealed: Vec<(Seat, String)>,
}

impl Table {
    fn copy(&self) -> Table {
        Table { position: self.position.copy(), sealed: self.sealed.clone() }
    }

    /// Whom the game waits for, less those whose sealed move is in.
    fn due(&self) -> Due {
        match self.position.due() {
            Due::Each(mut seats) => {
                seats.retain(|seat| self.sealed.iter().all(|(sealed, _)| sealed != seat));
                Due::Each(seats)
            }
            due => due,
        }
    }

    fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal> {
        if self.sealed.iter().any(|(s, _)| *s == seat) {
            return Err(Illegal::NotYourTurn);
        }
        self.position.check(seat, text)
    }

    fn play(&mut self, seat: Seat, text: &str, dice: &mut Dice) -> Result<Report, Illegal> {
        let Due::Each(seats) = self.position.due() else {
            return self.position.play(&[(seat, text.to_owned())], dice);
        };
        self.sealed.push((seat, self.check(seat, text)?));
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
        let position = (kind.start)(setup, &mut Dice::new(seed, 0))?;
        let table = Table { position, sealed: Vec::new() };
        Ok(Record { kind, setup: setup.to_owned(), seed, table, turns: Vec::new() })
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

    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    pub fn next_number(&self) -> u32 {
        self.turns.len() as u32 + 1
    }

    /// Whom the game waits for, less those whose sealed move is in.
    pub fn due(&self) -> Due {
        self.table.due()
    }

    /// What lists show of the game.
    pub fn card(&self) -> String {
        self.table.position.card()
    }

    pub fn asked(&self) -> Option<Seat> {
        self.table.position.asked()
    }

    /// Whether `seat` may move so now. Answers the move in its canonical form.
    pub fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal> {
        self.table.check(seat, text)
    }

    /// Tries a move on a copy.
    pub fn step(&self, seat: Seat, text: &str) -> Result<Step, Illegal> {
        let text = self.check(seat, text)?;
        let mut turn = Turn::new(self.next_number(), seat, text);
        let mut table = self.table.copy();
        turn.report = table.play(seat, &turn.text, &mut Dice::new(self.seed, turn.number))?;
        Ok(Step { turn, table })
    }

    /// Takes over a step that was tried on this very record.
    pub fn take(&mut self, step: Step) {
        assert_eq!(step.turn.number, self.next_number(), "a step belongs to its record");
        self.table = step.table;
        self.turns.push(step.turn);
    }

    /// Adds a turn from the log. Answers what it did by these rules; what the log says it did is
    /// kept.
    pub fn push(&mut self, mut turn: Turn) -> Result<Option<String>, Corrupt> {
        let due = self.next_number();
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
        Ok(report)
    }

    /// What `eye` may see, if this is a game of `R`.
    pub fn view<R: Rules>(&self, eye: Eye) -> Option<R::View> {
        Some(self.table.position.as_any().downcast_ref::<R>()?.view(eye))
    }
}
