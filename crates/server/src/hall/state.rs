//! A game in memory: its seats and its turns.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use rules::{Ask, Due, Record, Seat, Step};
use tokio::time::Instant;

use super::{
    lists::gist_after,
    moves::{Move, Retry, open_key_turn},
    random,
    refusals::Refusal,
};
use crate::{
    player::{Player, is_refereed, league_of},
    store::{Gist, Hashed, Link, Millis, News, Opener, SavedSeat, SavedTurn},
};

/// The players at their seats. Every snapshot has a copy, and they hardly ever change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seats(Arc<BTreeMap<Seat, SavedSeat>>);

impl Seats {
    pub fn at(&self, seat: Seat) -> Option<&SavedSeat> {
        self.0.get(&seat)
    }

    /// How many links to a seat have been ended.
    pub fn links(&self, seat: Seat) -> u32 {
        self.at(seat).map_or(0, |sitting| sitting.link.number)
    }

    /// Somebody sits there from now on, unless somebody does.
    pub fn take(&mut self, seat: SavedSeat) {
        Arc::make_mut(&mut self.0).entry(seat.seat).or_insert(seat);
    }

    /// Another link leads to the seat from now on, unless a newer one is known. Whoever opens it
    /// sits down; whoever has opened it may say their name later.
    pub fn relink(&mut self, seat: Seat, link: Link, opener: Option<Opener>) {
        let age = |link: Link| (link.number, link.opened);
        if let Some(sitting) = Arc::make_mut(&mut self.0).get_mut(&seat)
            && age(sitting.link) <= age(link)
        {
            sitting.link = link;
            sitting.at = opener.as_ref().map_or(sitting.at, |opener| opener.at);
            if let Some(name) = opener.and_then(|opener| opener.name) {
                sitting.name = name;
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &SavedSeat> {
        self.0.values()
    }

    /// Whether the seats are taken alike. How often a seat's moves were refused wakes nobody.
    fn has_players_of(&self, other: &Seats) -> bool {
        let player = |seat: &SavedSeat| SavedSeat { refused: 0, ..seat.clone() };
        self.0.len() == other.0.len()
            && self.iter().zip(other.iter()).all(|(one, other)| player(one) == player(other))
    }

    /// The seat of the person whom the other player has at the board, if there is one. In a match
    /// of a league, a person plays for themselves.
    pub fn person(&self) -> Option<Seat> {
        let is_guest =
            |sitting: &&SavedSeat| sitting.player == Player::Human && !is_refereed(&sitting.manner);
        self.iter().find(is_guest).map(|sitting| sitting.seat)
    }

    /// The person for whom the agent at `own` may speak, because it has created the game with them.
    /// A person who came by the page speaks for themselves: only a seat that was created with the
    /// game has a manner.
    pub fn guest_of(&self, own: Seat) -> Option<Seat> {
        let has_manner =
            |sitting: &SavedSeat| !sitting.manner.is_empty() && !is_refereed(&sitting.manner);
        let is_guest =
            |sitting: &&SavedSeat| sitting.player == Player::Human && has_manner(sitting);
        let person = self.iter().find(is_guest)?.seat;
        (person != own && self.at(own).is_some_and(has_manner)).then_some(person)
    }

    /// The league that the game is a match of.
    pub fn league(&self) -> Option<&str> {
        self.iter().find_map(|sitting| league_of(&sitting.manner))
    }
}

impl FromIterator<SavedSeat> for Seats {
    fn from_iter<T: IntoIterator<Item = SavedSeat>>(seats: T) -> Seats {
        Seats(Arc::new(seats.into_iter().map(|seat| (seat.seat, seat)).collect()))
    }
}

pub struct State {
    pub record: Record,
    pub times: Vec<Millis>,
    /// Which turn each key was given to.
    pub requests: HashMap<String, u32>,
    /// The players' comments, by turn.
    pub comments: BTreeMap<u32, (Seat, String)>,
    pub seats: Seats,
    /// How many of each seat's moves were found in a text that was none.
    pub loose: BTreeMap<Seat, u32>,
    /// How often what is known of the seats has changed here.
    pub seatings: u32,
    pub connections: HashMap<Hashed, Seat>,
    /// Calls whose outcome is unknown. Hardly any game has one, so they are kept small.
    pub open_turn: Option<OpenTurn>,
    pub open_seat: Option<Box<OpenSeat>>,
}

/// A turn that was to be saved, and no answer came.
pub enum OpenTurn {
    Asked(Box<AskedTurn>),
    /// It is known by now that it was played; its caller is not told yet.
    Played {
        number: u32,
        seat: Seat,
        key: Option<String>,
        since: Instant,
    },
}

pub struct AskedTurn {
    pub step: Step,
    pub saved: SavedTurn,
}

/// A seat that was to be taken, and no answer came.
pub struct OpenSeat {
    pub seat: SavedSeat,
    /// Connections that are to speak for it. The last is ours and tells this wish from all others.
    pub connections: Vec<Hashed>,
    pub since: Instant,
}

impl OpenSeat {
    pub fn new(seat: SavedSeat, mut connections: Vec<Hashed>) -> OpenSeat {
        connections.push(Hashed::of(&format!("wish {:016x}{:016x}", random(), random())));
        OpenSeat { seat, connections, since: Instant::now() }
    }

    /// Whether that is the same wish, made again.
    pub fn is_wish(&self, seat: &SavedSeat, connections: &[Hashed]) -> bool {
        let same = SavedSeat { at: self.seat.at, ..seat.clone() } == self.seat;
        same && self.connections.split_last().is_some_and(|(_, theirs)| theirs == connections)
    }
}

impl State {
    pub fn new(record: Record, seats: Seats, connections: HashMap<Hashed, Seat>) -> State {
        State {
            record,
            times: Vec::new(),
            requests: HashMap::new(),
            comments: BTreeMap::new(),
            seats,
            loose: BTreeMap::new(),
            seatings: 0,
            connections,
            open_turn: None,
            open_seat: None,
        }
    }

    /// A copy of the turns and the seats.
    pub fn copy(&self) -> State {
        State {
            times: self.times.clone(),
            comments: self.comments.clone(),
            loose: self.loose.clone(),
            ..State::new(self.record.copy(), self.seats.clone(), HashMap::new())
        }
    }

    /// The game right after turn `number`, with the players of now.
    pub fn back_to(mut self, number: u32) -> State {
        self.record = self.record.as_of(number);
        self.times.truncate(number as usize);
        self.comments.retain(|turn, _| *turn <= number);
        self
    }

    /// Takes in what the store has. True if any of it was new.
    pub fn learn(&mut self, news: News) -> Result<bool, String> {
        let known = self.times.len();
        let seats = news.seats.into_iter().collect::<Seats>();
        self.seatings += u32::from(seats != self.seats);
        let reseated = !seats.has_players_of(&self.seats);
        self.seats = seats;
        self.connections.extend(news.connections);
        // Turns that were played here meanwhile are known already.
        for saved in news.turns.into_iter().filter(|saved| saved.turn.number as usize > known) {
            self.requests.extend(saved.request.map(|key| (key, saved.turn.number)));
            let said = saved.comment.map(|text| (saved.turn.number, (saved.turn.seat, text)));
            self.comments.extend(said);
            *self.loose.entry(saved.turn.seat).or_default() += saved.loose;
            self.record.push(saved.turn).map_err(|e| e.to_string())?;
            self.times.push(saved.at);
        }
        Ok(reseated || self.times.len() != known)
    }

    /// Takes in a turn that is saved. False if a reader has found it in the store before.
    pub fn take_over(&mut self, step: Step, saved: SavedTurn) -> bool {
        let (number, seat) = (saved.turn.number, saved.turn.seat);
        if self.record.next_number() > number {
            return false;
        }
        *self.loose.entry(seat).or_default() += saved.loose;
        self.record.take(step);
        self.times.push(saved.at);
        self.comments.extend(saved.comment.map(|text| (number, (seat, text))));
        self.requests.extend(saved.request.map(|key| (key, number)));
        true
    }

    /// Whether somebody may still sit down, as far as is known here. Games for one are nobody
    /// else's.
    pub fn has_free_seat(&self) -> bool {
        let seats = self.record.seats().len();
        seats > 1 && self.seats.iter().count() < seats
    }

    /// Takes in who has sat down.
    pub fn take_seat(&mut self, taken: OpenSeat) {
        let seat = taken.seat.seat;
        self.connections.extend(taken.connections.into_iter().map(|key| (key, seat)));
        self.seats.take(taken.seat);
        self.seatings += 1;
    }

    /// Takes in that another link leads to a seat.
    pub fn relink(&mut self, seat: Seat, link: Link, opener: Option<Opener>) {
        let key = opener.as_ref().and_then(|opener| opener.key);
        self.connections.extend(key.map(|key| (key, seat)));
        self.seats.relink(seat, link, opener);
        self.seatings += 1;
    }

    pub fn step(&self, mv: &Move) -> Result<Step, Refusal> {
        let due = self.record.next_number();
        match mv.retry {
            Retry::Turn(asked) if self.record.turn_meant(mv.seat, asked) != due => {
                Err(Refusal::AnotherTurn { asked, due })
            }
            _ => {
                let step = self.record.step(mv.seat, mv.ask.clone())?;
                if mv.claims_win {
                    self.record.check_claim(&step)?;
                }
                Ok(step)
            }
        }
    }

    /// The turn of this very call, if its caller was told that nobody knows what became of it.
    pub fn open_turn(&self, mv: &Move) -> Option<u32> {
        let Move { seat, ask, retry, .. } = mv;
        let seat = *seat;
        let (number, whose, key) = match self.open_turn.as_ref()? {
            OpenTurn::Asked(asked) => {
                let saved = &asked.saved;
                (saved.turn.number, saved.turn.seat, saved.request.as_deref())
            }
            OpenTurn::Played { number, seat, key, .. } => (*number, *seat, key.as_deref()),
        };
        let meant = match retry {
            Retry::Turn(asked) => self.record.turn_meant(seat, *asked) == number,
            Retry::Likely => true,
            Retry::Key(asked) => {
                let asked = asked.as_deref();
                asked == key || key.is_none() && asked.and_then(open_key_turn) == Some(number)
            }
        };
        let same_text = match &self.open_turn {
            // A reader may have found it in the store meanwhile.
            Some(OpenTurn::Asked(asked)) if self.record.next_number() == number => {
                let written = self.record.check(seat, ask.clone());
                written.is_ok_and(|text| text == asked.saved.turn.text)
            }
            _ => self.was_played(seat, ask, number),
        };
        (whose == seat && meant && same_text).then_some(number)
    }

    /// The move whose caller was told that nobody knows what became of it.
    pub fn open_move(&self) -> Option<&str> {
        match self.open_turn.as_ref()? {
            OpenTurn::Asked(asked) => Some(&asked.saved.turn.text),
            OpenTurn::Played { number, .. } => {
                let turn = self.record.turns().get(number.wrapping_sub(1) as usize);
                turn.map(|turn| turn.text.as_str())
            }
        }
    }

    /// The turn whose fate is open, to be asked for once more.
    pub fn asked_again(&self) -> Option<(SavedTurn, Gist)> {
        match self.open_turn.as_ref()? {
            OpenTurn::Asked(asked) => {
                Some((asked.saved.clone(), gist_after(&asked.step, &self.seats)))
            }
            OpenTurn::Played { .. } => None,
        }
    }

    /// The turn that this call's key was given to: by its caller, or by us when its fate was open.
    pub fn keyed(&self, mv: &Move) -> Option<u32> {
        let key = mv.retry.key()?;
        let by_us = || {
            let number = open_key_turn(key)?;
            let played = (1..self.record.next_number()).contains(&number);
            let keyless = self.requests.values().all(|keyed| *keyed != number);
            (played && keyless).then_some(number)
        };
        self.requests.get(key).copied().or_else(by_us)
    }

    /// The turn that this very move made when it came before.
    pub fn played_before(&self, mv: &Move) -> Option<u32> {
        let seat = mv.seat;
        let number = match mv.retry {
            Retry::Turn(asked) => self.record.turn_meant(seat, asked),
            Retry::Likely => self.record.turns().iter().rfind(|turn| turn.seat == seat)?.number,
            Retry::Key(_) => return None,
        };
        self.was_played(seat, &mv.ask, number).then_some(number)
    }

    pub fn was_played(&self, seat: Seat, ask: &Ask, number: u32) -> bool {
        let Some(turn) = self.record.turns().get(number.wrapping_sub(1) as usize) else {
            return false;
        };
        let written = || self.record.as_of(number - 1).check(seat, ask.clone());
        turn.seat == seat && written().is_ok_and(|text| text == turn.text)
    }

    pub fn concerns(&self, seat: Seat) -> bool {
        match self.record.due() {
            Due::Over(_) => true,
            // A player who has asked something waits for the answer, but not where the clock runs
            // on.
            due => match self.record.asked() {
                Some(asked) if asked == seat => true,
                Some(_) if self.seats.league().is_none() => false,
                _ => due.includes(seat),
            },
        }
    }
}
