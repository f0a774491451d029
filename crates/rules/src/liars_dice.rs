//! Liar's dice: bids on what all have rolled in secret rise, until somebody does not believe it.

use serde::{Deserialize, Serialize};

use crate::{
    Card, Dice, Due, Eye, Illegal, Key, Outcome, Rules, Seat, Tag,
    drawing::{Hand, Numbers, Part, Shown},
    wording::{by_seat, number, plain, quoted},
};

const FACES: [&str; 6] = ["ones", "twos", "threes", "fours", "fives", "sixes"];
const NOT_A_BID: &str = "is not a bid; a bid looks like fours x 2, or say liar";
/// Of the bids that were made, so many are told.
const IN_WORDS: usize = 4;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub seats: u8,
    /// How many each seat rolls.
    pub dice: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { seats: 2, dice: 5 }
    }
}

/// So many dice of this face, or more. More dice are a higher bid, and as many of a higher face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bid {
    pub count: u32,
    pub face: u8,
}

impl Bid {
    fn text(self) -> String {
        format!("{} x {}", FACES[usize::from(self.face) - 1], self.count)
    }

    /// `fours x 3`, `3 fours` or `I bid three fours`, whether there are so many dice or not.
    fn read(text: &str) -> Option<Bid> {
        let words = text.split_whitespace().filter(|word| !["i", "bid", "say", "x"].contains(word));
        let [one, other] = words.collect::<Vec<_>>()[..] else { return None };
        let named = |word: &str| FACES.iter().position(|face| *face == word);
        let (face, count) = named(one).zip(Some(other)).or_else(|| named(other).zip(Some(one)))?;
        Some(Bid { count: number(count)?, face: face as u8 + 1 })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Bid(Bid),
    Liar,
}

#[derive(Clone)]
pub struct LiarsDice {
    /// What each seat has rolled, the lowest first.
    dice: Vec<Vec<u8>>,
    pub bids: Vec<Bid>,
    is_called: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// What each seat has rolled, as far as it is seen.
    pub dice: Vec<Vec<Option<u8>>>,
    /// In turn, from the first seat.
    pub bids: Vec<String>,
}

fn roll(number: usize, dice: &mut Dice) -> Vec<u8> {
    let mut rolled: Vec<_> = (0..number).map(|_| dice.die()).collect();
    rolled.sort_unstable();
    rolled
}

/// `Player 1 1336, Player 2 ????`
fn rolled(dice: &[Vec<Option<u8>>]) -> String {
    let face = |die: &Option<u8>| die.map_or('?', |die| char::from(b'0' + die));
    by_seat(LiarsDice::SEATS, dice.iter().map(|dice| dice.iter().map(face).collect()))
}

impl LiarsDice {
    fn total(&self) -> u32 {
        self.dice.iter().flatten().count() as u32
    }

    /// What can be said here: liar, where there is a bid, and all that are higher, the lowest first.
    fn moves(&self) -> impl Iterator<Item = Move> {
        let last = self.bids.last().copied();
        let all = (1..=self.total()).flat_map(|count| (1..=6).map(move |face| Bid { count, face }));
        let higher = all.filter(move |bid| last.is_none_or(|last| *bid > last)).map(Move::Bid);
        last.map(|_| Move::Liar).into_iter().chain(higher)
    }

    /// Liar, and the lowest higher bid on each face.
    fn nearest(&self) -> impl Iterator<Item = Move> {
        self.moves().take(FACES.len() + usize::from(!self.bids.is_empty()))
    }
}

impl Rules for LiarsDice {
    const KIND: &'static str = "liars-dice";
    const SEATS: &'static [&'static str] =
        &["Player 1", "Player 2", "Player 3", "Player 4", "Player 5", "Player 6"];
    const CARD: Option<Card> = Some(Card {
        title: "Liar's dice",
        sentence: "Two to six roll in secret and bid on all dice together, until one says liar.",
        rules: "Everybody rolls their dice and sees only their own. In turn, from Player 1 on, each \
            makes a bid: that among the dice of all players there are so many of a face, or more. \
            Sixes are wild: they count as any face. A bid must be higher than the one before: on \
            more dice of any face, or on as many of a higher face. Once there is a bid, whoever's turn \
            it is may say liar instead. That ends the game, and all dice are shown. If there are as \
            many as the last bid says, or more, whoever made it wins and whoever said liar loses; \
            otherwise it is the other way round. The winner has 1 point, the loser -1, others 0.",
        moves: "liar, or a bid: the face as a word, x, and how many of it: fours x 2",
        tags: &[Tag::Chance, Tag::Hidden],
        keys: &[
            Key { name: "seats", about: "how many play, 2 to 6; 2" },
            Key { name: "dice", about: "how many each rolls, 1 to 5; 5" },
        ],
        ..Card::PLAIN
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn seats(setup: &Setup) -> usize {
        setup.seats.into()
    }

    fn start(setup: &Setup, dice: &mut Dice) -> Result<LiarsDice, Illegal> {
        let Setup { seats, dice: each } = *setup;
        if !(2..=6).contains(&seats) {
            return Err(Illegal::set_up(format!("seats is 2 to 6, not {seats}")));
        }
        if !(1..=5).contains(&each) {
            return Err(Illegal::set_up(format!("dice is 1 to 5, not {each}")));
        }
        let dice = (0..seats).map(|_| roll(each.into(), dice)).collect();
        Ok(LiarsDice { dice, bids: Vec::new(), is_called: false })
    }

    fn due(&self) -> Due {
        let seat = |moves| moves % self.dice.len();
        let next = seat(self.bids.len());
        let called = self.bids.last().filter(|_| self.is_called);
        let Some(bid) = called else { return Due::One(Seat(next as u8)) };
        let counts = |die: &&u8| [bid.face, 6].contains(*die);
        let found = self.dice.iter().flatten().filter(counts).count() as u32;
        let bidder = seat(self.bids.len() - 1);
        let (winner, loser) = if found >= bid.count { (bidder, next) } else { (next, bidder) };
        let mut points = vec![0; self.dice.len()];
        (points[winner], points[loser]) = (1, -1);
        let (winner, loser, bid) = (Self::SEATS[winner], Self::SEATS[loser], bid.text());
        let text = format!("{winner} wins and {loser} loses: the bid was {bid}, there are {found}");
        Due::Over(Outcome { counts: false, ..Outcome::new(points, text) })
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        if self.due().includes(seat) { self.moves().collect() } else { Vec::new() }
    }

    fn offers(&self, seat: Seat) -> Vec<String> {
        let (is_due, most) = (self.due().includes(seat), self.total());
        let range = |mv| match mv {
            Move::Bid(bid) if bid.count < most => format!("{}..{most}", bid.text()),
            mv => self.write(&mv),
        };
        self.nearest().filter(|_| is_due).map(range).collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        self.due().admit(seat)?;
        let (word, most, last) = (plain(text), self.total(), self.bids.last());
        let (rule, reason) = match (Bid::read(&word), last) {
            _ if word == "liar" && last.is_some() => return Ok(Move::Liar),
            _ if word == "liar" => ("NoBidYet", "there is no bid yet to doubt".to_owned()),
            (None, _) => ("NotABid", format!("{} {NOT_A_BID}", quoted(text))),
            (Some(bid), _) if !(1..=most).contains(&bid.count) => {
                ("NoSuchDice", format!("there are {most} dice; a bid is on 1 to {most} of them"))
            }
            (Some(bid), Some(last)) if bid <= *last => {
                let higher = "bid on more dice, or on as many of a higher face";
                ("TooLow", format!("{} is not higher than {}: {higher}", bid.text(), last.text()))
            }
            (Some(bid), _) => return Ok(Move::Bid(bid)),
        };
        Err(Illegal::because(rule, reason, self.nearest().map(|mv| self.write(&mv))))
    }

    fn write(&self, mv: &Move) -> String {
        match mv {
            Move::Bid(bid) => bid.text(),
            Move::Liar => "liar".to_owned(),
        }
    }

    fn play(&mut self, moves: &[(Seat, Move)], _: &mut Dice) {
        moves.iter().for_each(|(_, mv)| match mv {
            Move::Bid(bid) => self.bids.push(*bid),
            Move::Liar => self.is_called = true,
        });
    }

    fn view(&self, eye: Eye) -> View {
        let seen = |(seat, dice): (u8, &Vec<u8>)| {
            let is_seen = self.is_called || eye == Eye::Seat(Seat(seat));
            dice.iter().map(|die| is_seen.then_some(*die)).collect()
        };
        let bids = self.bids.iter().map(|bid| bid.text()).collect();
        View { dice: (0..).zip(&self.dice).map(seen).collect(), bids }
    }

    fn show(&self, eye: Eye) -> Shown {
        let View { dice, bids } = self.view(eye);
        let seats = &Self::SEATS[..dice.len()];
        let hand = |(seat, dice): (&&str, &Vec<Option<u8>>)| {
            let cards = dice.iter().map(|die| die.map(|die| die.to_string())).collect();
            Part::Hand(Hand { title: seat.to_string(), cards })
        };
        let made = seats.iter().cycle().zip(&bids).map(|(seat, bid)| format!("{seat} {bid}"));
        let last = made.skip(bids.len().saturating_sub(IN_WORDS)).collect::<Vec<_>>().join(", ");
        let made = if bids.is_empty() { "No bid yet".into() } else { format!("Bids: {last}") };
        let text = format!("{} dice: {}. {made}.", self.total(), rolled(&dice));
        let head = seats.iter().map(|seat| seat.to_string()).collect();
        let rows = bids.chunks(seats.len()).map(<[String]>::to_vec).collect();
        let bids = Part::Numbers(Numbers { head, rows });
        Shown { text, drawing: seats.iter().zip(&dice).map(hand).chain([bids]).collect() }
    }

    fn revealed(&self) -> Option<String> {
        self.is_called.then(|| format!("Dice: {}.", rolled(&self.view(Eye::Public).dice)))
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<LiarsDice> {
        let mut guess = self.clone();
        let all = (0..).map(Seat).zip(&mut guess.dice);
        let unseen = all.filter(|(other, _)| *other != seat && !self.is_called);
        unseen.for_each(|(_, rolled)| *rolled = roll(rolled.len(), dice));
        Some(guess)
    }
}
