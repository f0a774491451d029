//! A game as its set-up and its turns, whatever kind it is.
//!
//! This is the object-safe face over [`Rules`]: the server keeps, saves, replays and shows games
//! of all kinds through [`Record`] and asks for a typed view only where it knows the kind.

use std::any::Any;

use crate::{Dice, Due, Eye, Illegal, Outcome, Rules, Seat, chess::Chess, even_odd::EvenOdd};

/// A move that was accepted, numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub number: u32,
    pub seat: Seat,
    pub text: String,
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
const KINDS: &[Kind] = &[of::<Chess>(), of::<EvenOdd>()];

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

/// [`Rules`] without its types.
trait Position: Send + Sync {
    fn due(&self) -> Due;
    fn asked(&self) -> Option<Seat>;
    fn copy(&self) -> Box<dyn Position>;
    fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal>;
    fn play(&mut self, moves: &[(Seat, String)], dice: &mut Dice) -> Result<(), Illegal>;
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

    fn play(&mut self, moves: &[(Seat, String)], dice: &mut Dice) -> Result<(), Illegal> {
        let moves: Vec<_> = moves
            .iter()
            .map(|(seat, text)| Ok((*seat, self.parse(*seat, text)?)))
            .collect::<Result<_, _>>()?;
        Rules::play(self, &moves, dice);
        Ok(())
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
    position: Box<dyn Position>,
    /// Moves of a simultaneous turn that wait for the others.
    sealed: Vec<(Seat, String)>,
    turns: Vec<Turn>,
}

impl Record {
    /// `setup` is the kind's own set-up as JSON.
    pub fn start(kind: Kind, setup: &str, seed: u64) -> Result<Record, Illegal> {
        Ok(Record {
            kind,
            setup: setup.to_owned(),
            seed,
            position: (kind.start)(setup, &mut Dice::new(seed, 0))?,
            sealed: Vec::new(),
            turns: Vec::new(),
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
        match self.position.due() {
            Due::Each(seats) => Due::Each(
                seats
                    .into_iter()
                    .filter(|seat| self.sealed.iter().all(|(s, _)| s != seat))
                    .collect(),
            ),
            due => due,
        }
    }

    pub fn asked(&self) -> Option<Seat> {
        self.position.asked()
    }

    /// Whether `seat` may move so now. Answers the move in its canonical form.
    pub fn check(&self, seat: Seat, text: &str) -> Result<String, Illegal> {
        if self.sealed.iter().any(|(s, _)| *s == seat) {
            return Err(Illegal::NotYourTurn);
        }
        self.position.check(seat, text)
    }

    /// How the game would end with `turn`, if it would.
    pub fn outcome_after(&self, turn: &Turn) -> Option<Outcome> {
        let mut next = Record {
            kind: self.kind,
            setup: String::new(),
            seed: self.seed,
            position: self.position.copy(),
            sealed: self.sealed.clone(),
            turns: Vec::new(),
        };
        next.apply(turn).ok()?;
        next.due().outcome().cloned()
    }

    /// Adds a turn that [`check`](Record::check) accepted, or that was read from the log.
    pub fn push(&mut self, turn: Turn) -> Result<(), Corrupt> {
        let due = self.next_number();
        let fits = match turn.number == due {
            true => self.apply(&turn),
            false => Err(Illegal::rule(format!("turn {due} is due"))),
        };
        fits.map_err(|why| Corrupt {
            number: turn.number,
            seat: turn.seat,
            text: turn.text.clone(),
            why,
        })?;
        self.turns.push(turn);
        Ok(())
    }

    fn apply(&mut self, turn: &Turn) -> Result<(), Illegal> {
        let mut dice = Dice::new(self.seed, turn.number);
        let Due::Each(seats) = self.position.due() else {
            return self.position.play(&[(turn.seat, turn.text.clone())], &mut dice);
        };
        self.sealed.push((turn.seat, self.check(turn.seat, &turn.text)?));
        if self.sealed.len() == seats.len() {
            let mut moves = std::mem::take(&mut self.sealed);
            moves.sort();
            self.position.play(&moves, &mut dice)?;
        }
        Ok(())
    }

    /// What `eye` may see, if this is a game of `R`.
    pub fn view<R: Rules>(&self, eye: Eye) -> Option<R::View> {
        Some(self.position.as_any().downcast_ref::<R>()?.view(eye))
    }
}
