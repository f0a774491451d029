//! Games that nobody plays. They keep the trait honest: what chess and the others leave unused must
//! work all the same.

use std::cell::Cell;

use rules::{
    Card, Dice, Due, Eye, Illegal, Key, Kind, Outcome, Rules, Seat, Tag, Turn,
    drawing::{Numbers, Part, Shown},
};
use serde::{Deserialize, Serialize};

pub const KINDS: &[Kind] =
    &[Kind::of::<Auction>(), Kind::of::<Boxes<RIGHT>>(), Kind::of::<Thousand>()];

const ROUNDS: usize = 3;

/// Two to six bid for prizes, sealed; what a prize is worth to each, the others do not know.
#[derive(Clone)]
pub struct Auction {
    tastes: Vec<i32>,
    purses: Vec<i32>,
    prizes: Vec<i32>,
    /// Drawn when the bids before are in.
    prize: i32,
    /// Of the rounds that are over.
    bids: Vec<Vec<i32>>,
}

#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bidders {
    seats: u8,
}

impl Default for Bidders {
    fn default() -> Bidders {
        Bidders { seats: 3 }
    }
}

#[derive(Serialize)]
pub struct AuctionView {
    /// One's own, and everybody's in the end.
    tastes: Vec<Option<i32>>,
    purses: Vec<i32>,
    prizes: Vec<i32>,
    prize: i32,
    bids: Vec<Vec<i32>>,
}

impl Auction {
    fn is_over(&self) -> bool {
        self.bids.len() == ROUNDS
    }
}

fn taste(dice: &mut Dice) -> i32 {
    dice.below(3) as i32 + 1
}

fn prize(dice: &mut Dice) -> i32 {
    dice.below(20) as i32 + 1
}

impl Rules for Auction {
    const KIND: &'static str = "toy-auction";
    const SEATS: &'static [&'static str] = &["Ann", "Ben", "Cem", "Dag", "Eva", "Fay"];
    const CARD: Option<Card> = Some(Card {
        title: "Auction",
        sentence: "Two to six bid for prizes at once.",
        rules: "Whoever bids most alone pays it and has the prize.",
        moves: "bid and a number: bid 7",
        tags: &[Tag::Chance, Tag::Hidden, Tag::Simultaneous],
        keys: &[Key { name: "seats", about: "2 to 6; 3" }],
        ..Card::PLAIN
    });

    type Setup = Bidders;
    type Move = i32;
    type Report = ();
    type View = AuctionView;

    fn seats(setup: &Bidders) -> usize {
        setup.seats.into()
    }

    fn start(setup: &Bidders, dice: &mut Dice) -> Result<Auction, Illegal> {
        if !(2..=6).contains(&setup.seats) {
            return Err(Illegal::set_up(format!("seats is 2 to 6, not {}", setup.seats)));
        }
        let seats = Self::seats(setup);
        Ok(Auction {
            tastes: (0..seats).map(|_| taste(dice)).collect(),
            purses: vec![40; seats],
            prizes: vec![0; seats],
            prize: prize(dice),
            bids: Vec::new(),
        })
    }

    fn due(&self) -> Due {
        if !self.is_over() {
            return Due::Each((0..self.purses.len()).map(|seat| Seat(seat as u8)).collect());
        }
        let worth = self.tastes.iter().zip(&self.prizes).map(|(taste, prizes)| taste * prizes);
        let points = self.purses.iter().zip(worth).map(|(purse, worth)| purse + worth).collect();
        Due::Over(Outcome::new(points, "The last prize is sold"))
    }

    fn legal(&self, seat: Seat) -> Vec<i32> {
        if !self.due().includes(seat) {
            return Vec::new();
        }
        (0..=self.purses[usize::from(seat.0)]).collect()
    }

    fn offers(&self, seat: Seat) -> Vec<String> {
        self.legal(seat).last().map(|most| format!("bid 0..{most}")).into_iter().collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<i32, Illegal> {
        self.due().admit(seat)?;
        let bid = text.trim().strip_prefix("bid ").and_then(|bid| bid.parse().ok());
        bid.filter(|bid| self.legal(seat).contains(bid)).ok_or_else(|| {
            Illegal::because("NotABid", "that is not a bid you can pay", self.offers(seat))
        })
    }

    fn write(&self, bid: &i32) -> String {
        format!("bid {bid}")
    }

    fn play(&mut self, moves: &[(Seat, i32)], dice: &mut Dice) {
        let bids: Vec<_> = moves.iter().map(|(_, bid)| *bid).collect();
        let most = *bids.iter().max().expect("somebody bids");
        if let [winner] = (0..bids.len()).filter(|seat| bids[*seat] == most).collect::<Vec<_>>()[..]
        {
            self.purses[winner] -= most;
            self.prizes[winner] += self.prize;
        }
        self.bids.push(bids);
        self.prize = prize(dice.of(self.bids.len() as u32));
    }

    fn view(&self, eye: Eye) -> AuctionView {
        let sees = |seat: usize| self.is_over() || eye == Eye::Seat(Seat(seat as u8));
        let tastes = self.tastes.iter().enumerate();
        AuctionView {
            tastes: tastes.map(|(seat, taste)| sees(seat).then_some(*taste)).collect(),
            purses: self.purses.clone(),
            prizes: self.prizes.clone(),
            prize: self.prize,
            bids: self.bids.clone(),
        }
    }

    fn show(&self, eye: Eye) -> Shown {
        let AuctionView { tastes, purses, prize, .. } = self.view(eye);
        let rows = tastes.iter().zip(&purses).map(|(taste, purse)| {
            vec![taste.map_or("?".to_owned(), |taste| taste.to_string()), purse.to_string()]
        });
        let rows = rows.collect();
        let numbers = Numbers { head: vec!["taste".to_owned(), "purse".to_owned()], rows };
        Shown {
            text: format!("Prize {prize}, purses {purses:?}, tastes {tastes:?}."),
            drawing: vec![Part::Numbers(numbers)],
        }
    }

    fn revealed(&self) -> Option<String> {
        let is_drawn = !self.bids.is_empty() && !self.is_over();
        is_drawn.then(|| format!("The next prize is {}.", self.prize))
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Auction> {
        let mut guess = self.clone();
        for (other, guessed) in guess.tastes.iter_mut().enumerate() {
            if other != usize::from(seat.0) && !self.is_over() {
                *guessed = taste(dice);
            }
        }
        Some(guess)
    }
}

thread_local! {
    /// How often a game of a thousand was asked to read a move.
    pub static READ: Cell<u32> = const { Cell::new(0) };
}

/// Two name numbers from 1 to 1,000 that nobody has named, three each; the larger sum of last digits
/// wins.
#[derive(Clone)]
pub struct Thousand {
    named: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

#[derive(Serialize)]
pub struct ThousandView {
    named: Vec<u32>,
}

impl Rules for Thousand {
    const KIND: &'static str = "toy-thousand";
    const SEATS: &'static [&'static str] = &["First", "Second"];
    const CARD: Option<Card> = Some(Card {
        title: "A thousand",
        sentence: "Two name numbers from 1 to 1,000.",
        rules: "Three numbers each, none twice; the larger sum of last digits wins.",
        moves: "a number: 999",
        ..Card::PLAIN
    });

    type Setup = Nothing;
    type Move = u32;
    type Report = ();
    type View = ThousandView;

    fn start(_: &Nothing, _: &mut Dice) -> Result<Thousand, Illegal> {
        Ok(Thousand { named: Vec::new() })
    }

    fn due(&self) -> Due {
        if self.named.len() < 6 {
            return Due::One(Seat(self.named.len() as u8 % 2));
        }
        let sum = |seat: usize| -> u32 {
            self.named.iter().skip(seat).step_by(2).map(|number| number % 10).sum()
        };
        let winner = match sum(0).cmp(&sum(1)) {
            std::cmp::Ordering::Greater => Some(Seat(0)),
            std::cmp::Ordering::Less => Some(Seat(1)),
            std::cmp::Ordering::Equal => None,
        };
        Due::Over(Outcome::of_two(winner, "Six numbers are named"))
    }

    fn legal(&self, seat: Seat) -> Vec<u32> {
        let is_due = self.due().includes(seat);
        (1..=1000).filter(|number| is_due && !self.named.contains(number)).collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<u32, Illegal> {
        READ.set(READ.get() + 1);
        self.due().admit(seat)?;
        let number = text.parse().ok().filter(|number| self.legal(seat).contains(number));
        number.ok_or_else(|| {
            Illegal::because("NotANumber", "that number cannot be named", self.offers(seat))
        })
    }

    fn write(&self, number: &u32) -> String {
        number.to_string()
    }

    fn play(&mut self, moves: &[(Seat, u32)], _: &mut Dice) {
        self.named.extend(moves.iter().map(|(_, number)| *number));
    }

    fn view(&self, _: Eye) -> ThousandView {
        ThousandView { named: self.named.clone() }
    }
}

/// As many as the boxes, and what a coin is worth at most: too many to hit upon by chance.
const MANY: u32 = 100;
/// So often each may open a box.
const TRIES: usize = 3;

/// What a game of boxes gets wrong, to see whether it is found out.
pub const RIGHT: u8 = 0;
pub const TELLS_MOVES: u8 = 1;
pub const TELLS_IN_REPORT: u8 = 2;
pub const TELLS_IN_GLIMPSE: u8 = 3;
pub const PEEKS_AT_MOVE: u8 = 4;
pub const PEEKS_AT_CHANCE: u8 = 5;
pub const PEEKS_A_LITTLE: u8 = 6;
pub const REVEALS_TOO_MUCH: u8 = 7;

/// Two hide a coin each, in secret, and look for the other's.
#[derive(Clone)]
pub struct Boxes<const FAULT: u8> {
    /// What the coins are worth. Only whoever hides it knows.
    worth: [u32; 2],
    hidden: [Option<u32>; 2],
    opened: [Vec<u32>; 2],
}

#[derive(Clone, Copy, PartialEq)]
pub enum BoxMove {
    Hide(u32),
    Open(u32),
}

#[derive(Serialize)]
pub struct BoxesView {
    /// One's own, and both in the end.
    worth: [Option<u32>; 2],
    hidden: [Option<u32>; 2],
    opened: [Vec<u32>; 2],
}

impl<const FAULT: u8> Boxes<FAULT> {
    fn finder(&self) -> Option<usize> {
        (0..2).find(|seat| self.hidden[1 - seat].is_some_and(|at| self.opened[*seat].contains(&at)))
    }

    fn is_over(&self) -> bool {
        self.finder().is_some() || self.opened.iter().all(|opened| opened.len() == TRIES)
    }

    fn word(&self) -> &'static str {
        if self.hidden[1].is_none() { "hide" } else { "open" }
    }
}

impl<const FAULT: u8> Rules for Boxes<FAULT> {
    const KIND: &'static str = "toy-boxes";
    const SEATS: &'static [&'static str] = &["Ann", "Ben"];
    const CARD: Option<Card> = Some(Card {
        title: "Boxes",
        sentence: "Two hide a coin each and look for the other's.",
        rules: "There are a hundred boxes. Whoever finds the other's coin has what it is worth.",
        moves: "hide or open and the number of a box: hide 7",
        tags: &[Tag::Chance, Tag::Hidden],
        ..Card::PLAIN
    });

    type Setup = Nothing;
    type Move = BoxMove;
    type Report = Option<String>;
    type View = BoxesView;

    fn start(_: &Nothing, dice: &mut Dice) -> Result<Self, Illegal> {
        let worth = [(); 2].map(|()| dice.below(MANY) + 1);
        Ok(Boxes { worth, hidden: [None; 2], opened: [Vec::new(), Vec::new()] })
    }

    fn due(&self) -> Due {
        if self.is_over() {
            let won = |seat| if self.finder() == Some(seat) { self.worth[1 - seat] } else { 0 };
            return Due::Over(Outcome::new([0, 1].map(|seat| won(seat) as i32).into(), "Enough"));
        }
        let made = |seat: usize| usize::from(self.hidden[seat].is_some()) + self.opened[seat].len();
        Due::One(Seat(u8::from(made(0) > made(1))))
    }

    fn legal(&self, seat: Seat) -> Vec<BoxMove> {
        let mv = |at| if self.word() == "hide" { BoxMove::Hide(at) } else { BoxMove::Open(at) };
        (1..=MANY).filter(|_| self.due().includes(seat)).map(mv).collect()
    }

    fn offers(&self, seat: Seat) -> Vec<String> {
        let offer = format!("{} 1..{MANY}", self.word());
        self.due().includes(seat).then_some(offer).into_iter().collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<BoxMove, Illegal> {
        self.due().admit(seat)?;
        let mut legal = self.legal(seat).into_iter();
        legal.find(|mv| self.write(mv) == text).ok_or_else(|| {
            Illegal::because("NotABox", "that is not a box, or nothing to do", self.offers(seat))
        })
    }

    fn write(&self, mv: &BoxMove) -> String {
        match mv {
            BoxMove::Hide(at) => format!("hide {at}"),
            BoxMove::Open(at) => format!("open {at}"),
        }
    }

    fn play(&mut self, moves: &[(Seat, BoxMove)], _: &mut Dice) -> Option<String> {
        let [(Seat(seat), mv)] = moves else { panic!("one moves at a time") };
        let seat = usize::from(*seat);
        match mv {
            BoxMove::Hide(at) => self.hidden[seat] = Some(*at),
            BoxMove::Open(at) => self.opened[seat].push(*at),
        }
        (FAULT == TELLS_IN_REPORT).then(|| format!("{:?}", self.hidden))
    }

    fn view(&self, eye: Eye) -> BoxesView {
        let sees = |seat: usize| self.is_over() || eye == Eye::Seat(Seat(seat as u8));
        BoxesView {
            worth: [0, 1].map(|seat| sees(seat).then_some(self.worth[seat])),
            hidden: [0, 1].map(|seat| self.hidden[seat].filter(|_| sees(seat))),
            opened: self.opened.clone(),
        }
    }

    fn turn_hidden_as(&self, turn: &Turn, eye: Eye) -> Option<String> {
        let is_hidden = !self.is_over() && turn.text.starts_with("hide");
        let is_own = eye == Eye::Seat(turn.seat);
        (is_hidden && !is_own && FAULT != TELLS_MOVES).then(|| "hide".to_owned())
    }

    fn revealed(&self) -> Option<String> {
        (FAULT == REVEALS_TOO_MUCH).then(|| format!("{:?}.", self.worth))
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Self> {
        let (own, other) = (usize::from(seat.0), 1 - usize::from(seat.0));
        let mut guess = self.clone();
        if self.is_over() {
            return Some(guess);
        }
        let unopened: Vec<_> = (1..=MANY).filter(|at| !self.opened[own].contains(at)).collect();
        let drawn = unopened[dice.below(unopened.len() as u32) as usize];
        if FAULT != PEEKS_AT_MOVE {
            guess.hidden[other] = self.hidden[other].map(|_| drawn);
        }
        let worth = dice.below(MANY) + 1;
        guess.worth[other] = match FAULT {
            PEEKS_AT_CHANCE => self.worth[other],
            PEEKS_A_LITTLE => (self.worth[other] + worth) % MANY + 1,
            _ => worth,
        };
        Some(guess)
    }

    fn glimpse(&self) -> Option<String> {
        (FAULT == TELLS_IN_GLIMPSE).then(|| format!("{:?}", self.worth))
    }
}
