//! [`Rules`] without its types: the object-safe face that records, guesses and tables are made of.

use std::{
    any::{Any, TypeId},
    borrow::Cow,
    sync::Arc,
};

use super::{Turn, is_no_move};
use crate::{Dice, Due, Eye, Illegal, Rules, Seat, drawing::Shown};

/// [`Rules::Report`] without its type: JSON, or nothing.
pub(crate) type Report = Option<String>;

/// [`Rules::Move`] without its type: as the position that read it understands it.
#[derive(Clone)]
pub(crate) struct Move(Arc<dyn Any + Send + Sync>);

impl Move {
    pub fn of<R: Rules>(mv: R::Move) -> Move {
        Move(Arc::new(mv))
    }

    fn read<R: Rules>(&self) -> &R::Move {
        self.0.downcast_ref().expect("a position plays the moves it has read")
    }
}

/// [`Rules`] without its types.
pub(crate) trait Position: Send + Sync {
    fn due(&self) -> Due;
    fn asked(&self) -> Option<Seat>;
    fn answers(&self, seat: Seat) -> Vec<&'static str>;
    fn copy(&self) -> Box<dyn Position>;
    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal>;
    fn write(&self, mv: &Move) -> String;
    fn late(&self, seat: Seat) -> Option<Move>;
    fn offers(&self, seat: Seat) -> Vec<String>;
    fn view(&self, eye: Eye) -> String;
    /// With whom the game waits for, or how it ended.
    fn show(&self, eye: Eye, due: &Due) -> Shown;
    fn play(&mut self, moves: &[(Seat, Move)], dice: &mut Dice) -> Report;
    fn turn_hidden_as(&self, turn: &Turn, eye: Eye) -> Option<String>;
    fn revealed(&self) -> Option<String>;
    fn won_so_far(&self) -> Vec<i32>;
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
        Rules::parse(self, seat, text).map(Move::of::<R>)
    }

    fn write(&self, mv: &Move) -> String {
        Rules::write(self, mv.read::<R>())
    }

    fn late(&self, seat: Seat) -> Option<Move> {
        Rules::late(self, seat).map(Move::of::<R>)
    }

    fn offers(&self, seat: Seat) -> Vec<String> {
        Rules::offers(self, seat)
    }

    fn view(&self, eye: Eye) -> String {
        serde_json::to_string(&Rules::view(self, eye)).expect("a view can be written")
    }

    fn show(&self, eye: Eye, due: &Due) -> Shown {
        Rules::show(self, eye).with_due(due, R::SEATS)
    }

    fn play(&mut self, moves: &[(Seat, Move)], dice: &mut Dice) -> Report {
        let read = |(seat, mv): &(Seat, Move)| (*seat, mv.read::<R>().clone());
        let report = match moves {
            [one] => Rules::play(self, &[read(one)], dice),
            all => Rules::play(self, &all.iter().map(read).collect::<Vec<_>>(), dice),
        };
        // Most kinds have nothing to report, and need not write it to know that.
        if TypeId::of::<R::Report>() == TypeId::of::<()>() {
            return None;
        }
        let report = serde_json::to_string(&report).expect("a report can be written");
        Some(report).filter(|report| report != "null")
    }

    fn turn_hidden_as(&self, turn: &Turn, eye: Eye) -> Option<String> {
        Rules::turn_hidden_as(self, turn, eye)
    }

    fn revealed(&self) -> Option<String> {
        Rules::revealed(self)
    }

    fn won_so_far(&self) -> Vec<i32> {
        Rules::won_so_far(self)
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
pub(super) fn turn_seen<'a>(position: &dyn Position, turn: &'a Turn, eye: Eye) -> Cow<'a, Turn> {
    match position.turn_hidden_as(turn, eye) {
        // Resigning or being late tells no secret.
        Some(_) if is_no_move(&turn.text) => Cow::Borrowed(turn),
        Some(text) => Cow::Owned(Turn::new(turn.number, turn.seat, text)),
        None => Cow::Borrowed(turn),
    }
}

/// A position that a seat might be in, as far as it knows. It belongs to no game: to look ahead from.
pub struct Guess(pub(super) Box<dyn Position>);

impl Guess {
    pub fn copy(&self) -> Guess {
        Guess(self.0.copy())
    }

    /// A guess of `seat`, made from this guess.
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
        self.0.parse(seat, text).map(|mv| self.0.write(&mv))
    }

    pub fn view_json(&self, eye: Eye) -> String {
        self.0.view(eye)
    }

    pub fn show(&self, eye: Eye) -> Shown {
        self.0.show(eye, &self.0.due())
    }

    /// The text that the last turn would have revealed to everyone.
    pub fn revealed(&self) -> Option<String> {
        self.0.revealed()
    }

    /// The kind's own summary for lists, if it has one.
    pub fn glimpse(&self) -> Option<String> {
        self.0.glimpse()
    }

    /// A turn as `eye` would see it in this position.
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
