//! Kuhn poker: three cards, one chip to bet, and a bluff that pays. So many hands make a game.

use serde::{Deserialize, Serialize};

use crate::{
    Card as About, Dice, Due, Eye, Illegal, Key, Outcome, Rules, Seat, Tag,
    drawing::{Hand as Cards, Numbers, Part, Shown},
    wording::{plain, quoted},
};

const DECK: [Card; 3] = [Card::J, Card::Q, Card::K];
const WORDS: [&str; 2] = ["pass", "bet"];

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

/// In the order of their worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Card {
    J,
    Q,
    K,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Move {
    /// To check, or where there is a bet, to fold.
    Pass,
    /// To bet, or where there is a bet, to call it.
    Bet,
}

/// A hand, with both cards or with those that somebody may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hand<C = Option<Card>> {
    pub first: Seat,
    /// In turn, from the first seat.
    pub moves: Vec<Move>,
    pub cards: [C; 2],
    /// What each seat won by it, once it is over.
    pub won: Option<[i32; 2]>,
}

impl Hand<Card> {
    fn deal(first: Seat, dice: &mut Dice) -> Hand<Card> {
        let card = DECK[dice.below(3) as usize];
        Hand { first, moves: Vec::new(), cards: [card, other(card, dice)], won: None }
    }

    fn play(&mut self, mv: Move) {
        self.moves.push(mv);
        let better = if self.cards[0] > self.cards[1] { Seat(0) } else { Seat(1) };
        let (winner, chips) = match self.moves.as_slice() {
            [Move::Pass, Move::Pass] => (better, 1),
            [.., Move::Bet, Move::Bet] => (better, 2),
            // Nobody called, so it is whose turn it is.
            [.., Move::Bet, Move::Pass] => (self.next(), 1),
            _ => return,
        };
        self.won = Some(if winner == Seat(0) { [chips, -chips] } else { [-chips, chips] });
    }

    fn next(&self) -> Seat {
        Seat((self.first.0 + self.moves.len() as u8) % 2)
    }

    /// As `eye` sees it: all is shown at the end, unless there was a bet that nobody called.
    fn seen(&self, eye: Eye) -> Hand {
        let is_shown = self.won.is_some() && !self.moves.ends_with(&[Move::Bet, Move::Pass]);
        let see = |seat: u8| {
            (is_shown || eye == Eye::Seat(Seat(seat))).then_some(self.cards[usize::from(seat)])
        };
        Hand { first: self.first, moves: self.moves.clone(), cards: [0, 1].map(see), won: self.won }
    }

    /// The same hand with another card where `seat` has not seen it.
    fn guess(&self, seat: Seat, dice: &mut Dice) -> Hand<Card> {
        let cards = match self.seen(Eye::Seat(seat)).cards {
            [Some(card), None] => [card, other(card, dice)],
            [None, Some(card)] => [other(card, dice), card],
            _ => self.cards,
        };
        Hand { cards, ..self.clone() }
    }
}

impl Hand {
    /// `Player 1 begins, pass, bet, pass; cards J:?, won -1:1`.
    fn text(&self) -> String {
        let mut text = format!("{} begins", Kuhn::SEATS[usize::from(self.first.0)]);
        self.moves.iter().for_each(|mv| text.extend([", ", WORDS[*mv as usize]]));
        let cards = self.cards.map(|card| card.map_or("?".into(), |card| format!("{card:?}")));
        let won = self.won.map_or(String::new(), |[one, other]| format!(", won {one}:{other}"));
        format!("{text}; cards {}{won}", cards.join(":"))
    }
}

/// One of the two cards that this is not.
fn other(card: Card, dice: &mut Dice) -> Card {
    let mut others = DECK.into_iter().filter(|other| *other != card);
    others.nth(dice.below(2) as usize).expect("there are two others")
}

#[derive(Clone)]
pub struct Kuhn {
    hands: u32,
    number: u32,
    hand: Hand<Card>,
    previous: Option<Hand<Card>>,
    chips: [i32; 2],
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub number: u32,
    pub hands: u32,
    pub chips: [i32; 2],
    pub pot: usize,
    pub hand: Hand,
    pub previous: Option<Hand>,
}

impl Rules for Kuhn {
    const KIND: &'static str = "kuhn-poker";
    const VERSION: u32 = 1;
    const SEATS: &'static [&'static str] = &["Player 1", "Player 2"];
    const CARD: Option<About> = Some(About {
        title: "Kuhn poker",
        sentence: "Poker for two with three cards and one bet: the smallest game with a bluff.",
        rules: "A game is a number of hands. In each, both players put one chip into the pot and \
            get one card of J, Q and K, K being the highest; nobody sees the other's. One player \
            acts first, in the next hand the other. A player passes, or bets one chip more. After \
            pass and pass, and after a bet that is answered by a bet (a call), the cards are shown \
            and the higher wins the pot. A bet answered by a pass (a fold) wins the pot unseen. \
            After pass and bet the first player answers once more. Points are the chips won, less \
            those lost; nobody runs out.",
        moves: "pass, or bet; where there is a bet, pass folds and bet calls: bet",
        tags: &[Tag::Chance, Tag::Hidden],
        fewest: 2,
        keys: &[Key { name: "hands", about: "1 to 200; 20" }],
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(_: u32, setup: &Setup, dice: &mut Dice) -> Result<Kuhn, Illegal> {
        let hands = setup.hands;
        if !(1..=200).contains(&hands) {
            return Err(Illegal::set_up(format!("hands is 1 to 200, not {hands}")));
        }
        let hand = Hand::deal(Seat(0), dice);
        Ok(Kuhn { hands, number: 1, hand, previous: None, chips: [0, 0] })
    }

    fn due(&self) -> Due {
        if self.hand.won.is_none() {
            return Due::One(self.hand.next());
        }
        let [one, other] = self.chips;
        let text = match one.signum() {
            0 => "Draw: nobody has won more".to_owned(),
            1 => format!("{} wins, chips {one}:{other}", Self::SEATS[0]),
            _ => format!("{} wins, chips {other}:{one}", Self::SEATS[1]),
        };
        Due::Over(Outcome::new(self.chips.into(), text))
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        [Move::Pass, Move::Bet].into_iter().filter(|_| self.due().includes(seat)).collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        self.due().admit(seat)?;
        let is_bet = self.hand.moves.last() == Some(&Move::Bet);
        match (plain(text).as_str(), is_bet) {
            ("pass", _) | ("check", false) | ("fold", true) => Ok(Move::Pass),
            ("bet", _) | ("call", true) => Ok(Move::Bet),
            (_, is_bet) => {
                let moves = if is_bet { "pass folds, bet calls" } else { "pass, or bet one chip" };
                let reason = format!("{} is no move in Kuhn poker here: {moves}", quoted(text));
                Err(Illegal::because("NotAMove", reason, self.offers(seat)))
            }
        }
    }

    fn write(&self, mv: &Move) -> String {
        WORDS[*mv as usize].to_owned()
    }

    fn play(&mut self, moves: &[(Seat, Move)], dice: &mut Dice) {
        moves.iter().for_each(|(_, mv)| self.hand.play(*mv));
        let Some(won) = self.hand.won else { return };
        self.chips = [self.chips[0] + won[0], self.chips[1] + won[1]];
        if self.number < self.hands {
            self.number += 1;
            let next = Hand::deal(Seat(1 - self.hand.first.0), dice);
            self.previous = Some(std::mem::replace(&mut self.hand, next));
        }
    }

    fn view(&self, eye: Eye) -> View {
        View {
            number: self.number,
            hands: self.hands,
            chips: self.chips,
            pot: 2 + self.hand.moves.iter().filter(|mv| **mv == Move::Bet).count(),
            hand: self.hand.seen(eye),
            previous: self.previous.as_ref().map(|hand| hand.seen(eye)),
        }
    }

    fn show(&self, eye: Eye) -> Shown {
        let View { number, hands, chips: [one, other], pot, hand, previous } = self.view(eye);
        let held = (0..).map(Seat).zip(hand.cards).find(|(seat, _)| eye == Eye::Seat(*seat));
        let held = held.and_then(|(_, card)| card).map(|card| format!(" You hold {card:?}."));
        let previous = previous.map_or(String::new(), |hand| format!(" Before: {}.", hand.text()));
        let text = format!(
            "Hand {number} of {hands}, chips {one}:{other}, pot {pot}.{} {}.{previous} {}",
            held.unwrap_or_default(),
            hand.text(),
            self.due().sentence(Self::SEATS)
        );
        let cards = Self::SEATS.iter().zip(hand.cards).map(|(seat, card)| {
            let cards = vec![card.map(|card| format!("{card:?}"))];
            Part::Hand(Cards { title: seat.to_string(), cards })
        });
        let numbers = Part::Numbers(Numbers {
            head: [Self::SEATS[0], Self::SEATS[1], "pot"].map(str::to_owned).into(),
            rows: vec![vec![one.to_string(), other.to_string(), pot.to_string()]],
        });
        Shown { text, drawing: cards.chain([numbers]).collect() }
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Kuhn> {
        let previous = self.previous.as_ref().map(|hand| hand.guess(seat, dice));
        Some(Kuhn { hand: self.hand.guess(seat, dice), previous, ..self.clone() })
    }
}
