//! How things stand in one game: its position, the sealed moves that wait for the others, and who was
//! late. What has been played so far is in the record.

use super::{
    Ask, OUT_OF_TIME,
    position::{Move, Position, Report},
};
use crate::{Dice, Due, Eye, Glimpse, Illegal, Outcome, Seat, drawing::Shown};

/// What a turn is made of.
pub(super) enum Deed {
    Move(Move),
    /// Nothing was done in time, in a kind that does not go on without.
    OutOfTime,
}

impl Deed {
    pub fn text(&self) -> &str {
        match self {
            Deed::Move(mv) => &mv.text,
            Deed::OutOfTime => OUT_OF_TIME,
        }
    }
}

/// How things stand.
pub(super) struct Table {
    /// What the seats are called.
    pub seats: &'static [&'static str],
    pub position: Box<dyn Position>,
    /// Moves of a simultaneous turn that wait for the others.
    pub sealed: Vec<(Seat, Move)>,
    /// How it ended for somebody who did not move in time, in a kind that knows no such end.
    pub on_time: Option<Box<Outcome>>,
}

impl Table {
    pub fn copy(&self) -> Table {
        Table {
            seats: self.seats,
            position: self.position.copy(),
            sealed: self.sealed.clone(),
            on_time: self.on_time.clone(),
        }
    }

    pub fn asked(&self) -> Option<Seat> {
        self.position.asked().filter(|_| self.on_time.is_none())
    }

    pub fn show(&self, eye: Eye) -> Shown {
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

    /// What the last turn brought for everybody to see. One that waits for the others has brought
    /// nothing yet, and one that came too late never does.
    pub fn revealed(&self) -> Option<String> {
        let is_played = self.sealed.is_empty() && self.on_time.is_none();
        if is_played { self.position.revealed() } else { None }
    }

    pub fn glimpse(&self) -> String {
        let plain = || {
            let drawing = self.position.show(Eye::Public).drawing;
            Glimpse::of(self.seats.len(), &self.due(), drawing).write()
        };
        self.position.glimpse().unwrap_or_else(plain)
    }

    /// Whom the game waits for, less those whose sealed move is in.
    pub fn due(&self) -> Due {
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
    pub fn read(&self, seat: Seat, ask: &Ask) -> Result<Deed, Illegal> {
        let mv = match ask {
            Ask::Late => return self.late(seat),
            Ask::Text(text) => {
                self.may_move(seat)?;
                self.position.parse(seat, text)?
            }
            Ask::Typed(typed) => {
                self.may_move(seat)?;
                typed.find(self.position.as_any(), seat)?
            }
        };
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
    pub fn recall(&self, seat: Seat, text: &str) -> Result<Deed, Illegal> {
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

    pub fn play(&mut self, seat: Seat, deed: Deed, dice: &mut Dice) -> Report {
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
