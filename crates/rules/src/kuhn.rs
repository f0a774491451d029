//! Kuhn poker: three cards, one chip to bet, and a bluff that pays.

use serde::Serialize;

use crate::{
    Card, Dice, Eye, Seat, Tag,
    poker::{self, Poker, draw},
};

pub use crate::poker::{Rank, Setup, View};

const DECK: [Rank; 3] = [Rank::J, Rank::Q, Rank::K];
const WORDS: [&str; 2] = ["pass", "bet"];

pub type Kuhn = Poker<KuhnHand<Rank>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Move {
    /// To check, or where there is a bet, to fold.
    Pass,
    /// To bet, or where there is a bet, to call it.
    Bet,
}

/// A hand, with both cards or with those that somebody may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KuhnHand<C = Option<Rank>> {
    pub first: Seat,
    /// In turn, from the first seat.
    pub moves: Vec<Move>,
    pub cards: [C; 2],
    /// What each seat won by it, once it is over.
    pub won: Option<[i32; 2]>,
}

impl poker::HandRules for KuhnHand<Rank> {
    const KIND: &'static str = "kuhn-poker";
    const CARD: Card = Card {
        title: "Kuhn poker",
        also_called: &["kuhn"],
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
        keys: poker::KEYS,
        fewest: 2,
    };

    type Move = Move;
    type Seen = KuhnHand;

    fn deal(first: Seat, dice: &mut Dice) -> KuhnHand<Rank> {
        let card = draw(&DECK, &[], dice);
        let cards = [card, draw(&DECK, &[card], dice)];
        KuhnHand { first, moves: Vec::new(), cards, won: None }
    }

    fn first(&self) -> Seat {
        self.first
    }

    fn is_new(&self) -> bool {
        self.moves.is_empty()
    }

    fn next(&self) -> Seat {
        Seat((self.first.0 + self.moves.len() as u8) % 2)
    }

    fn legal(&self) -> Vec<Move> {
        vec![Move::Pass, Move::Bet]
    }

    fn word(&self, mv: Move) -> &'static str {
        WORDS[mv as usize]
    }

    fn read(&self, word: &str) -> Option<Move> {
        let is_bet = self.moves.last() == Some(&Move::Bet);
        match (word, is_bet) {
            ("pass", _) | ("check", false) | ("fold", true) => Some(Move::Pass),
            ("bet", _) | ("call", true) => Some(Move::Bet),
            _ => None,
        }
    }

    fn choices(&self) -> String {
        let is_bet = self.moves.last() == Some(&Move::Bet);
        if is_bet { "pass folds, bet calls" } else { "pass, or bet one chip" }.to_owned()
    }

    fn play(&mut self, mv: Move, _: &mut Dice) {
        self.moves.push(mv);
        let better = if self.cards[0] > self.cards[1] { Seat(0) } else { Seat(1) };
        self.won = match self.moves.as_slice() {
            [Move::Pass, Move::Pass] => Some(poker::paid_to(better, 1)),
            [.., Move::Bet, Move::Bet] => Some(poker::paid_to(better, 2)),
            // Nobody called, so it is whose turn it is.
            [.., Move::Bet, Move::Pass] => Some(poker::paid_to(self.next(), 1)),
            _ => None,
        };
    }

    fn pot(&self) -> i32 {
        2 + self.moves.iter().filter(|mv| **mv == Move::Bet).count() as i32
    }

    fn won(&self) -> Option<[i32; 2]> {
        self.won
    }

    /// All is shown at the end, unless there was a bet that nobody called.
    fn seen(&self, eye: Eye) -> KuhnHand {
        let is_shown = self.won.is_some() && !self.moves.ends_with(&[Move::Bet, Move::Pass]);
        let cards = poker::seen(self.cards, is_shown, eye);
        KuhnHand { first: self.first, moves: self.moves.clone(), cards, won: self.won }
    }

    fn text(seen: &KuhnHand) -> String {
        let acts: String = seen.moves.iter().flat_map(|mv| [", ", WORDS[*mv as usize]]).collect();
        poker::history(seen.first, &acts, seen.cards, seen.won)
    }

    fn cards(seen: &KuhnHand) -> [Option<Rank>; 2] {
        seen.cards
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> KuhnHand<Rank> {
        let seen = self.seen(Eye::Seat(seat)).cards;
        let cards = poker::guess(seen, self.cards, |own| draw(&DECK, &[own], dice));
        KuhnHand { cards, ..self.clone() }
    }
}
