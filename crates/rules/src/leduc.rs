//! Leduc poker: six cards, two rounds of betting and a card that both share.

use serde::Serialize;

use crate::{
    Card, Dice, Eye, Seat, Tag,
    poker::{self, Poker, draw},
};

pub use crate::poker::{Rank, Setup, View};

const DECK: [Rank; 6] = [Rank::J, Rank::J, Rank::Q, Rank::Q, Rank::K, Rank::K];
/// What a raise costs in either round.
const RAISES: [i32; 2] = [2, 4];
/// So many raises there may be in a round.
const MOST_RAISES: usize = 2;

pub type Leduc = Poker<LeducHand<Rank>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Move {
    Fold,
    /// To pay as much as the other has, which may be nothing more: a check.
    Call,
    /// To pay more than the other: a bet, if it is the first in its round.
    Raise,
}

impl Move {
    /// Its word after these moves of the same round.
    fn word(self, before: &[Move]) -> &'static str {
        match (self, before.contains(&Move::Raise)) {
            (Move::Fold, _) => "fold",
            (Move::Call, false) => "check",
            (Move::Call, true) => "call",
            (Move::Raise, false) => "bet",
            (Move::Raise, true) => "raise",
        }
    }
}

/// A hand, with both cards or with those that somebody may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeducHand<C = Option<Rank>> {
    pub first: Seat,
    /// Of either round, in turn, from the first seat.
    pub moves: [Vec<Move>; 2],
    pub cards: [C; 2],
    /// The card on the table, which is dealt between the rounds.
    pub table: Option<Rank>,
    /// What each seat has put into the pot.
    pub paid: [i32; 2],
    /// What each seat won by it, once it is over.
    pub won: Option<[i32; 2]>,
}

impl<C> LeducHand<C> {
    fn round(&self) -> usize {
        usize::from(self.table.is_some())
    }

    /// The moves of this round.
    fn said(&self) -> &[Move] {
        &self.moves[self.round()]
    }
}

impl poker::HandRules for LeducHand<Rank> {
    const KIND: &'static str = "leduc-poker";
    const CARD: Card = Card {
        title: "Leduc poker",
        also_called: &["leduc"],
        sentence: "Poker for two with six cards, two rounds of betting and one card on the table.",
        rules: "A game is a number of hands. The deck has two J, two Q and two K, K being the \
            highest. In each hand both players put one chip into the pot and get one card; nobody \
            sees the other's. One player acts first in both rounds of betting, in the next hand the \
            other does. A player may check, or bet; who is bet against folds, calls or raises. A \
            bet or raise is 2 chips more than the other has paid, 4 in the second round, and there \
            are two of them in a round at most. A round is over when both have acted and paid the \
            same. After the first, a card is laid on the table for both; after the second, the \
            cards are shown. Who has a pair with the card on the table wins the pot, otherwise the \
            higher card; two of the same share it. Who folds loses what they have paid, unseen. \
            Points are the chips won, less those lost; nobody runs out.",
        moves: "check or bet; where there is a bet, fold, call or raise: bet",
        tags: &[Tag::Chance, Tag::Hidden],
        keys: poker::KEYS,
        fewest: 2,
    };

    type Move = Move;
    type Seen = LeducHand;

    fn deal(first: Seat, dice: &mut Dice) -> LeducHand<Rank> {
        let card = draw(&DECK, &[], dice);
        let cards = [card, draw(&DECK, &[card], dice)];
        LeducHand { first, moves: [vec![], vec![]], cards, table: None, paid: [1, 1], won: None }
    }

    fn first(&self) -> Seat {
        self.first
    }

    fn is_new(&self) -> bool {
        self.moves[0].is_empty()
    }

    fn next(&self) -> Seat {
        Seat((self.first.0 + self.said().len() as u8) % 2)
    }

    fn legal(&self) -> Vec<Move> {
        let raises = self.said().iter().filter(|mv| **mv == Move::Raise).count();
        let may = |mv: &Move| match mv {
            Move::Fold => raises > 0,
            Move::Call => true,
            Move::Raise => raises < MOST_RAISES,
        };
        [Move::Fold, Move::Call, Move::Raise].into_iter().filter(may).collect()
    }

    fn word(&self, mv: Move) -> &'static str {
        mv.word(self.said())
    }

    fn read(&self, word: &str) -> Option<Move> {
        self.legal().into_iter().find(|mv| self.word(*mv) == word)
    }

    fn choices(&self) -> String {
        self.legal().into_iter().map(|mv| self.word(mv)).collect::<Vec<_>>().join(", ")
    }

    fn play(&mut self, mv: Move, dice: &mut Dice) {
        let (round, own) = (self.round(), self.next());
        let other = Seat(1 - own.0);
        let asked = self.paid[usize::from(other.0)];
        let paid = &mut self.paid[usize::from(own.0)];
        self.moves[round].push(mv);
        match mv {
            Move::Fold => self.won = Some(poker::paid_to(other, *paid)),
            Move::Call => *paid = asked,
            Move::Raise => *paid = asked + RAISES[round],
        }
        if mv != Move::Call || self.moves[round].len() < 2 {
            return;
        }
        let Some(table) = self.table else {
            self.table = Some(draw(&DECK, &self.cards, dice));
            return;
        };
        // A pair with the card on the table is worth more than any card alone.
        let [one, other] = self.cards.map(|card| (card == table, card));
        let better = Seat(u8::from(one < other));
        self.won = Some(poker::paid_to(better, if one == other { 0 } else { asked }));
    }

    fn pot(&self) -> i32 {
        self.paid.iter().sum()
    }

    fn won(&self) -> Option<[i32; 2]> {
        self.won
    }

    /// All is shown at the end, unless somebody folded.
    fn seen(&self, eye: Eye) -> LeducHand {
        let is_shown = self.won.is_some() && self.said().last() != Some(&Move::Fold);
        let cards = poker::seen(self.cards, is_shown, eye);
        let LeducHand { first, ref moves, table, paid, won, .. } = *self;
        LeducHand { first, moves: moves.clone(), cards, table, paid, won }
    }

    /// `Player 1 begins, bet, call; table K, check, bet, fold; cards J:?, won -3:3`.
    fn text(seen: &LeducHand) -> String {
        let mut text = String::new();
        for (round, moves) in seen.moves.iter().enumerate() {
            if let Some(table) = seen.table.filter(|_| round == 1) {
                text.push_str(&format!("; table {table:?}"));
            }
            let words = moves.iter().enumerate().map(|(at, mv)| mv.word(&moves[..at]));
            words.for_each(|word| text.extend([", ", word]));
        }
        poker::history(seen.first, &text, seen.cards, seen.won)
    }

    fn cards(seen: &LeducHand) -> [Option<Rank>; 2] {
        seen.cards
    }

    fn table(seen: &LeducHand) -> Vec<Option<Rank>> {
        vec![seen.table]
    }

    fn laid(&self) -> Option<Rank> {
        self.table.filter(|_| self.moves[1].is_empty())
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> LeducHand<Rank> {
        let seen = self.seen(Eye::Seat(seat)).cards;
        let cards = poker::guess(seen, self.cards, |own| {
            let taken: Vec<_> = self.table.into_iter().chain([own]).collect();
            draw(&DECK, &taken, dice)
        });
        LeducHand { cards, ..self.clone() }
    }
}
