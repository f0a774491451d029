//! How things stand in one game: its position, the sealed moves that wait for the others, and who was
//! late or has resigned. What has been played so far is in the record.

use super::{
    Ask, LATE, OUT_OF_TIME, RESIGN, RESIGNED, is_no_move,
    position::{Move, Position, Report},
};
use crate::{Dice, Due, Eye, Glimpse, Illegal, Outcome, Seat, drawing::Shown};

/// The content of a turn.
pub(super) enum Deed {
    Move(Move),
    /// Nothing was done in time, in a kind that does not go on without.
    OutOfTime,
    /// Out of time where several move at once. It is sealed like a move and ends the game when all
    /// are in, so that a second silent player does not win by it.
    Late,
    /// The game was given up, in a kind that has no move for that.
    Resigned,
}

/// How things stand.
pub(super) struct Table {
    /// The actions off the board that the kind itself lists.
    pub own_actions: &'static [&'static str],
    /// The names of the seats.
    pub seats: &'static [&'static str],
    pub position: Box<dyn Position>,
    /// Moves of a simultaneous turn that wait for the others; none of one who was late.
    pub sealed: Vec<(Seat, Option<Move>)>,
    /// How it ended for somebody who did not move in time or resigned, in a kind that knows no such
    /// end.
    pub given_up: Option<Box<Outcome>>,
}

impl Table {
    pub fn copy(&self) -> Table {
        Table {
            own_actions: self.own_actions,
            seats: self.seats,
            position: self.position.copy(),
            sealed: self.sealed.clone(),
            given_up: self.given_up.clone(),
        }
    }

    pub fn asked(&self) -> Option<Seat> {
        self.position.asked().filter(|_| self.given_up.is_none())
    }

    pub fn show(&self, eye: Eye) -> Shown {
        // The position knows neither who is in already nor who was late or has resigned.
        let due = match self.due() {
            Due::Each(due) if due.len() == 1 => Due::One(due[0]),
            due => due,
        };
        self.position.show(eye, &due)
    }

    /// The text that the last turn revealed to everyone. A sealed move reveals nothing yet; being
    /// late or resigning never does.
    pub fn revealed(&self) -> Option<String> {
        let is_played = self.sealed.is_empty() && self.given_up.is_none();
        if is_played { self.position.revealed() } else { None }
    }

    pub fn glimpse(&self) -> String {
        let plain = || {
            let due = self.due();
            let drawing = self.position.show(Eye::Public, &due).drawing;
            Glimpse::of(self.seats.len(), &due, drawing).write()
        };
        self.position.glimpse().unwrap_or_else(plain)
    }

    /// The seats that are to move, without those whose sealed move is in.
    pub fn due(&self) -> Due {
        if let Some(outcome) = &self.given_up {
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

    /// Resolves a request, and returns its text for the log.
    pub fn read(&self, seat: Seat, ask: &Ask) -> Result<(Deed, String), Illegal> {
        let written = |deed: Deed| {
            let text = self.write(&deed);
            (deed, text)
        };
        let mv = match ask {
            Ask::Late => return self.late(seat).map(written),
            Ask::Beside(word) if self.own_actions.is_empty() => {
                return self.beside(seat, word).map(written);
            }
            Ask::Text(text) | Ask::Beside(text) => {
                self.may_move(seat)?;
                self.position.parse(seat, text)?
            }
            Ask::Typed(typed) => {
                self.may_move(seat)?;
                typed.find(self.position.as_any(), seat)?
            }
        };
        // Even if the kind reads such a text: players can neither report lateness nor resign by
        // writing a move.
        match written(Deed::Move(mv)) {
            (_, text) if is_no_move(&text) => Err(Illegal::rule("this is no move")),
            move_and_text => Ok(move_and_text),
        }
    }

    /// The actions off the board in this game.
    pub fn actions(&self) -> &'static [&'static str] {
        match self.own_actions {
            // Of three or more, one who leaves would decide which of the others wins.
            [] if self.seats.len() == 2 => &[RESIGN],
            own => own,
        }
    }

    /// The action off the board with this name, in a kind without such moves. A player may resign
    /// out of turn, and while moves are sealed.
    fn beside(&self, seat: Seat, word: &str) -> Result<Deed, Illegal> {
        if let Due::Over(outcome) = self.due() {
            return Err(Illegal::Over(outcome));
        }
        let is_known = self.actions().iter().any(|known| known.eq_ignore_ascii_case(word.trim()));
        if is_known && usize::from(seat.0) < self.seats.len() {
            Ok(Deed::Resigned)
        } else {
            Err(Illegal::rule("that cannot be done beside the board"))
        }
    }

    /// The turn of a seat that did not move in time.
    fn late(&self, seat: Seat) -> Result<Deed, Illegal> {
        self.may_move(seat)?;
        let due = self.position.due();
        due.admit(seat)?;
        match self.position.late(seat) {
            Some(late) => Ok(Deed::Move(late)),
            None if self.seats.len() == 1 => Err(Illegal::rule("nobody can be late in this game")),
            None if matches!(due, Due::Each(_)) => Ok(Deed::Late),
            None => Ok(Deed::OutOfTime),
        }
    }

    /// Reads a turn of the log, which may also say that a seat was late or resigned.
    pub fn recall(&self, seat: Seat, text: &str) -> Result<Deed, Illegal> {
        if text == RESIGNED && self.own_actions.is_empty() {
            return self.beside(seat, RESIGN);
        }
        self.may_move(seat)?;
        let no = match self.position.parse(seat, text) {
            Ok(mv) if !is_no_move(text) => return Ok(Deed::Move(mv)),
            Ok(_) => Illegal::rule("this is no move"),
            Err(no) => no,
        };
        match self.late(seat) {
            Ok(late) if self.write(&late) == text => Ok(late),
            _ => Err(no),
        }
    }

    fn write(&self, deed: &Deed) -> String {
        match deed {
            Deed::Move(mv) => self.position.write(mv),
            Deed::OutOfTime => OUT_OF_TIME.to_owned(),
            Deed::Late => LATE.to_owned(),
            Deed::Resigned => RESIGNED.to_owned(),
        }
    }

    /// Refuses a seat whose move is sealed already, and everyone once somebody gave up.
    fn may_move(&self, seat: Seat) -> Result<(), Illegal> {
        if let Some(outcome) = &self.given_up {
            return Err(Illegal::Over(Outcome::clone(outcome)));
        }
        let is_in = self.sealed.iter().any(|(sealed, _)| *sealed == seat);
        if is_in { Err(Illegal::NotYourTurn) } else { Ok(()) }
    }

    /// Whether it is sealed that `seat` was late.
    pub fn was_late(&self, seat: Seat) -> bool {
        self.sealed.iter().any(|(sealed, mv)| *sealed == seat && mv.is_none())
    }

    /// Ends the game: `losers` lose to all others, and lose at least what they have lost so far.
    fn lose(&mut self, losers: &[Seat], how: &str) {
        let (lost, others): (Vec<_>, Vec<_>) =
            self.seats.iter().zip(0..).partition(|(_, seat)| losers.contains(&Seat(*seat)));
        let names = |seats: &[(&&str, u8)]| {
            seats.iter().map(|(name, _)| **name).collect::<Vec<_>>().join(" and ")
        };
        let text = match (&lost[..], &others[..]) {
            (_, []) => format!("nobody wins {how}"),
            (_, [_]) => format!("{} wins {how}", names(&others)),
            ([_], _) => format!("{} loses {how}", names(&lost)),
            _ => format!("{} lose {how}", names(&lost)),
        };
        let won = self.position.won_so_far();
        let worth = |seat: u8| {
            let won = won.get(usize::from(seat)).copied().unwrap_or(0);
            if losers.contains(&Seat(seat)) { won.min(-1) } else { won.max(1) }
        };
        let points = match others[..] {
            [] => vec![0; self.seats.len()],
            _ => (0..self.seats.len() as u8).map(worth).collect(),
        };
        let outcome = Outcome { counts: !won.is_empty(), ..Outcome::new(points, text) };
        self.given_up = Some(Box::new(outcome));
        self.sealed.clear();
    }

    pub fn play(&mut self, seat: Seat, deed: Deed, dice: &mut Dice) -> Report {
        let mv = match deed {
            Deed::Move(mv) => Some(mv),
            Deed::Late => None,
            Deed::OutOfTime => {
                self.lose(&[seat], "on time");
                return None;
            }
            Deed::Resigned => {
                self.lose(&[seat], "by resignation");
                return None;
            }
        };
        let Due::Each(seats) = self.position.due() else {
            return mv.and_then(|mv| self.position.play(&[(seat, mv)], dice));
        };
        self.sealed.push((seat, mv));
        if self.sealed.len() < seats.len() {
            return None;
        }
        let mut sealed = std::mem::take(&mut self.sealed);
        sealed.sort_by_key(|(seat, _)| *seat);
        let late: Vec<_> =
            sealed.iter().filter(|(_, mv)| mv.is_none()).map(|(seat, _)| *seat).collect();
        if !late.is_empty() {
            self.lose(&late, "on time");
            return None;
        }
        let moves: Vec<_> = sealed.into_iter().filter_map(|(seat, mv)| Some((seat, mv?))).collect();
        self.position.play(&moves, dice)
    }
}
