//! Poker for two, as a number of hands: cards that are seen or not, chips that are won, the first
//! seat changing. How one hand goes is for each kind to say.

use serde::{Deserialize, Serialize};

use crate::{
    Card, Dice, Due, Eye, GeneralRule, Illegal, Key, Outcome, Rules, Seat,
    drawing::{Hand, Numbers, Part, Shown},
    wording::{by_seat, plain, quoted},
};

const SEATS: [&str; 2] = ["Player 1", "Player 2"];
pub(crate) const KEYS: &[Key] = &[Key { name: "hands", about: "1 to 200; 20" }];

/// What is on a card, in the order of its worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Rank {
    J,
    Q,
    K,
}

/// How one hand goes.
pub trait HandRules: Clone + Send + Sync + 'static {
    const KIND: &'static str;
    const CARD: Card;

    type Move: Copy + PartialEq + Send + Sync;
    /// The hand with the cards that somebody may see.
    type Seen: Serialize + Send + 'static;

    fn deal(first: Seat, dice: &mut Dice) -> Self;
    fn first(&self) -> Seat;
    /// Nobody has acted yet.
    fn is_new(&self) -> bool;
    /// Who acts next, while it goes on.
    fn next(&self) -> Seat;
    fn legal(&self) -> Vec<Self::Move>;
    fn word(&self, mv: Self::Move) -> &'static str;
    /// The move that this word means here.
    fn read(&self, word: &str) -> Option<Self::Move>;
    /// What can be said here, in words.
    fn choices(&self) -> String;
    fn play(&mut self, mv: Self::Move, dice: &mut Dice);
    fn pot(&self) -> i32;
    /// What each seat won by it, once it is over.
    fn won(&self) -> Option<[i32; 2]>;
    fn seen(&self, eye: Eye) -> Self::Seen;
    fn text(seen: &Self::Seen) -> String;
    /// What either holds.
    fn cards(seen: &Self::Seen) -> [Option<Rank>; 2];
    /// What lies on the table, or will.
    fn table(_: &Self::Seen) -> Vec<Option<Rank>> {
        Vec::new()
    }
    /// The card that the last move has brought to the table.
    fn laid(&self) -> Option<Rank> {
        None
    }
    /// The same hand with other cards where `seat` has not seen them.
    fn guess(&self, seat: Seat, dice: &mut Dice) -> Self;
}

/// Chips that one wins and the other loses.
pub(crate) fn paid_to(winner: Seat, chips: i32) -> [i32; 2] {
    if winner == Seat(0) { [chips, -chips] } else { [-chips, chips] }
}

/// Everybody sees their own card, and both once they are shown.
pub(crate) fn seen<C: Copy>(cards: [C; 2], is_shown: bool, eye: Eye) -> [Option<C>; 2] {
    let see =
        |seat: u8| (is_shown || eye == Eye::Seat(Seat(seat))).then_some(cards[usize::from(seat)]);
    [0, 1].map(see)
}

/// One of the cards of a deck that are left.
pub(crate) fn draw(deck: &[Rank], taken: &[Rank], dice: &mut Dice) -> Rank {
    let mut deck = deck.to_vec();
    for card in taken {
        deck.remove(deck.iter().position(|left| left == card).expect("it is in the deck"));
    }
    deck[dice.below(deck.len() as u32) as usize]
}

/// Both cards of a hand, the unseen one drawn again from what its player can see.
pub(crate) fn guess(
    seen: [Option<Rank>; 2],
    cards: [Rank; 2],
    draw: impl FnOnce(Rank) -> Rank,
) -> [Rank; 2] {
    match seen {
        [Some(own), None] => [own, draw(own)],
        [None, Some(own)] => [draw(own), own],
        _ => cards,
    }
}

/// `Player 1 begins, pass, bet, pass; cards J:?, won -1:1`.
pub(crate) fn history(
    first: Seat,
    acts: &str,
    cards: [Option<Rank>; 2],
    won: Option<[i32; 2]>,
) -> String {
    let [one, other] = cards.map(|card| card.map_or("?".into(), |card| format!("{card:?}")));
    let won = won.map_or(String::new(), |[one, other]| format!(", won {one}:{other}"));
    format!("{} begins{acts}; cards {one}:{other}{won}", SEATS[usize::from(first.0)])
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub hands: u32,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { hands: 20 }
    }
}

#[derive(Clone)]
pub struct Poker<H> {
    hands: u32,
    number: u32,
    hand: H,
    previous: Option<H>,
    chips: [i32; 2],
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View<S> {
    pub number: u32,
    pub hands: u32,
    pub chips: [i32; 2],
    pub pot: i32,
    pub hand: S,
    pub previous: Option<S>,
}

impl<H> Poker<H> {
    /// The hand that is being played, or was the last.
    pub fn hand(&self) -> &H {
        &self.hand
    }
}

impl<H: HandRules> Rules for Poker<H> {
    const KIND: &'static str = H::KIND;
    const SEATS: &'static [&'static str] = &SEATS;
    const CARD: Option<Card> = Some(H::CARD);

    type Setup = Setup;
    type Move = H::Move;
    type Report = ();
    type View = View<H::Seen>;

    fn start(setup: &Setup, dice: &mut Dice) -> Result<Self, Illegal> {
        let hands = setup.hands;
        if !(1..=200).contains(&hands) {
            return Err(Illegal::set_up(format!("hands is 1 to 200, not {hands}")));
        }
        let hand = H::deal(Seat(0), dice);
        Ok(Poker { hands, number: 1, hand, previous: None, chips: [0, 0] })
    }

    fn due(&self) -> Due {
        if self.hand.won().is_none() {
            return Due::One(self.hand.next());
        }
        Due::Over(Outcome::of_sums(self.chips, "chips", &SEATS))
    }

    fn legal(&self, seat: Seat) -> Vec<H::Move> {
        if self.due().includes(seat) { self.hand.legal() } else { Vec::new() }
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<H::Move, Illegal> {
        self.due().admit(seat)?;
        self.hand.read(&plain(text)).ok_or_else(|| {
            let (title, choices) = (H::CARD.title, self.hand.choices());
            let reason = format!("{} is no move in {title} here: {choices}", quoted(text));
            Illegal::because(GeneralRule::NotAMove, reason, self.offers(seat))
        })
    }

    fn write(&self, mv: &H::Move) -> String {
        self.hand.word(*mv).to_owned()
    }

    fn play(&mut self, moves: &[(Seat, H::Move)], dice: &mut Dice) {
        // Two keys for each hand: the cards that are dealt and the card that comes to the table.
        let next = 2 * self.number;
        moves.iter().for_each(|(_, mv)| self.hand.play(*mv, dice.of(next - 1)));
        let Some(won) = self.hand.won() else { return };
        self.chips = [self.chips[0] + won[0], self.chips[1] + won[1]];
        if self.number < self.hands {
            self.number += 1;
            let next = H::deal(Seat(1 - self.hand.first().0), dice.of(next));
            self.previous = Some(std::mem::replace(&mut self.hand, next));
        }
    }

    fn view(&self, eye: Eye) -> View<H::Seen> {
        View {
            number: self.number,
            hands: self.hands,
            chips: self.chips,
            pot: self.hand.pot(),
            hand: self.hand.seen(eye),
            previous: self.previous.as_ref().map(|hand| hand.seen(eye)),
        }
    }

    fn show(&self, eye: Eye) -> Shown {
        let View { number, hands, chips: [one, other], pot, hand, previous } = self.view(eye);
        let cards = H::cards(&hand);
        let held = (0..).map(Seat).zip(cards).find(|(seat, _)| eye == Eye::Seat(*seat));
        let held = held.and_then(|(_, card)| card).map(|card| format!(" You hold {card:?}."));
        let previous =
            previous.map_or(String::new(), |hand| format!(" Before: {}.", H::text(&hand)));
        let text = format!(
            "Hand {number} of {hands}, chips {one}:{other}, pot {pot}.{} {}.{previous}",
            held.unwrap_or_default(),
            H::text(&hand)
        );
        let lying = |(title, card): (&str, Option<Rank>)| {
            let cards = vec![card.map(|card| format!("{card:?}"))];
            Part::Hand(Hand { title: title.to_owned(), cards })
        };
        let table = H::table(&hand).into_iter().map(|card| ("Table", card));
        let numbers = Part::Numbers(Numbers {
            head: [SEATS[0], SEATS[1], "pot"].map(str::to_owned).into(),
            rows: vec![vec![one.to_string(), other.to_string(), pot.to_string()]],
        });
        let drawing = SEATS.into_iter().zip(cards).chain(table).map(lying);
        Shown { text, drawing: drawing.chain([numbers]).collect() }
    }

    /// `Cards: Player 1 Q, Player 2 K. Player 2 wins the pot of 4.`
    fn revealed(&self) -> Option<String> {
        if let Some(card) = self.hand.laid() {
            return Some(format!("On the table: {card:?}."));
        }
        let ended = if self.hand.is_new() { self.previous.as_ref()? } else { &self.hand };
        let (won, pot) = (ended.won()?, ended.pot());
        let shown = match H::cards(&ended.seen(Eye::Public)) {
            [Some(one), Some(other)] => {
                let cards = [one, other].into_iter().map(|card| format!("{card:?}"));
                format!("Cards: {}. ", by_seat(&SEATS, cards))
            }
            _ => String::new(),
        };
        Some(match won[0].signum() {
            0 => format!("{shown}They share the pot of {pot}."),
            1 => format!("{shown}{} wins the pot of {pot}.", SEATS[0]),
            _ => format!("{shown}{} wins the pot of {pot}.", SEATS[1]),
        })
    }

    fn won_so_far(&self) -> Vec<i32> {
        self.chips.into()
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Self> {
        let previous = self.previous.as_ref().map(|hand| hand.guess(seat, dice));
        Some(Poker { hand: self.hand.guess(seat, dice), previous, ..self.clone() })
    }
}
