//! Liar's dice by what is likely: what the own dice and everybody's bids say of the dice that are
//! not seen. At the highest level every bid is also tried, by playing the game on with dice that the
//! others may have.
//!
//! Others are taken to bid what is likely by their own dice, most of the time: a bid on fours tells
//! of fours, and a bluff may be believed.

use std::iter::repeat_n;

use rules::{
    Dice, Eye, Rules, Seat,
    liars_dice::{Bid, LiarsDice, Move},
};

use crate::{Computer, Effort, effort, exact};

/// A move that is right less often than this is made only where there is no other.
const LEAST: f64 = 0.12;

/// A bid goes so many dice higher than the last one at most.
const RAISE: u32 = 2;

/// Moves that are no further apart than this are made almost as often as each other: whoever always
/// did what is best would be read.
const TEMPER: f64 = 0.05;

/// How much of what others bid is taken to be said for their dice's sake, and how likely any bid is
/// otherwise.
const TRUST: f64 = 0.7;
const ANYHOW: f64 = 0.12;

/// How often in a hundred a seat is taken not to think when a game is played on.
const THOUGHTLESS: u32 = 30;

impl Computer for LiarsDice {
    /// Their work is how often the game is played on after each bid; without any they do what is
    /// most likely right.
    const LEVELS: &'static [Effort] =
        &[effort(100, 0), effort(50, 0), effort(0, 0), effort(0, 200)];

    fn think(&self, seat: Seat, work: u32, dice: &mut Dice) -> Option<Move> {
        let known = Known::of(self, seat);
        let beliefs = known.read_bids();
        let others = beliefs.of_all(known.seat);
        // A bid that one's own dice speak against is not made, whatever the others believe.
        let (possible, _) = known.simple(known.last(), &known.own);
        let moves = possible.into_iter().map(|(mv, _)| mv);
        let mut options = sane(known.last(), moves, |bid| others.holds(&known.own, bid));
        if work > 0 {
            known.try_out(&mut options, &beliefs, work, dice);
        }
        Some(options[draw(&shares(&options), dice)].0)
    }

    /// Liar, or the lowest bid on a face, but nothing that is hardly possible.
    fn play_anything(&self, seat: Seat, dice: &mut Dice) -> Option<Move> {
        let known = Known::of(self, seat);
        known.anything(known.last(), &known.own, dice)
    }
}

/// Liar, where there is a bid, and the bids that are a little higher, the lowest first.
fn near(last: Option<Bid>, total: u32) -> impl Iterator<Item = Move> {
    let (from, to) = last.map_or((1, total / 2), |last| (last.count, last.count + RAISE));
    let counts = from..=to.min(total);
    let bids = counts.flat_map(|count| (1..=6).map(move |face| Bid { count, face }));
    let higher = bids.filter(move |bid| last.is_none_or(|last| *bid > last)).map(Move::Bid);
    last.map(|_| Move::Liar).into_iter().chain(higher)
}

/// Those of the moves that may well be right, with the chance of it; the likeliest, if none may.
/// Nobody says anything else where liar is certain to be right.
fn sane(
    last: Option<Bid>,
    moves: impl Iterator<Item = Move>,
    holds: impl Fn(Bid) -> f64,
) -> Vec<(Move, f64)> {
    let chance = |mv: &Move| match mv {
        Move::Bid(bid) => holds(*bid),
        Move::Liar => last.map_or(0.0, |last| 1.0 - holds(last)),
    };
    let mut options: Vec<_> = moves.map(|mv| (mv, chance(&mv))).collect();
    let best = options.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
    options.retain(|(_, chance)| *chance >= LEAST.min(best));
    match options.first() {
        Some((Move::Liar, 1.0)) => vec![(Move::Liar, 1.0)],
        _ => options,
    }
}

/// How often each is chosen, by what it is worth.
fn shares(options: &[(Move, f64)]) -> Vec<f64> {
    let best = options.iter().map(|(_, worth)| *worth).fold(f64::NEG_INFINITY, f64::max);
    let parts =
        options.iter().map(|(_, worth)| exact::exp_of_minus((best - worth) / TEMPER)).collect();
    of_whole(parts)
}

fn of_whole(mut parts: Vec<f64>) -> Vec<f64> {
    let whole: f64 = parts.iter().sum();
    parts.iter_mut().for_each(|part| *part /= whole);
    parts
}

/// Which of those that have these shares of the whole.
fn draw(shares: &[f64], dice: &mut Dice) -> usize {
    let mut drawn = f64::from(dice.below(1 << 30)) / f64::from(1 << 30);
    let is_it = |share: &f64| {
        drawn -= share;
        drawn < 0.0
    };
    shares.iter().position(is_it).unwrap_or(shares.len() - 1)
}

/// How many dice of each face somebody has.
type Hand = [u8; 6];

/// The dice of a hand that count as this face: sixes are wild.
fn matching(hand: &Hand, face: u8) -> u32 {
    let wild = if face == 6 { 0 } else { hand[5] };
    u32::from(hand[usize::from(face) - 1] + wild)
}

/// Every hand of so many dice, and how likely it is to be rolled.
fn hands(dice: u8) -> Vec<(Hand, f64)> {
    let mut hands = vec![(Hand::default(), 1.0)];
    for face in 0..6 {
        let filled = |(hand, chance): (Hand, f64)| {
            let left = dice - hand.iter().sum::<u8>();
            // All remaining dice show the last face.
            let counts = if face == 5 { left..=left } else { 0..=left };
            counts.map(move |count| {
                let mut hand = hand;
                hand[face] = count;
                let ways = (0..count).map(|n| f64::from(left - n) / f64::from(n + 1) / 6.0);
                (hand, chance * ways.product::<f64>())
            })
        };
        hands = hands.into_iter().flat_map(filled).collect();
    }
    hands
}

/// How likely it is, for each face, that some dice have so many of it or more.
struct AtLeast([Vec<f64>; 6]);

impl AtLeast {
    /// Of hands or dice of which each has none of a face, one or more with these chances.
    fn of<P: AsRef<[f64]>, I: Iterator<Item = P>>(parts: impl Fn(u8) -> I) -> AtLeast {
        AtLeast([1, 2, 3, 4, 5, 6].map(|face| {
            let mut chances = vec![1.0];
            for part in parts(face) {
                let part = part.as_ref();
                let mut sums = vec![0.0; chances.len() + part.len() - 1];
                for (n, chance) in chances.iter().enumerate() {
                    part.iter().enumerate().for_each(|(m, more)| sums[n + m] += chance * more);
                }
                chances = sums;
            }
            (1..chances.len()).rev().for_each(|n| chances[n - 1] += chances[n]);
            chances
        }))
    }

    /// Of so many dice of which nothing is known.
    fn of_unseen(dice: usize) -> AtLeast {
        AtLeast::of(|face| {
            let chance = if face == 6 { 1.0 / 6.0 } else { 1.0 / 3.0 };
            repeat_n([1.0 - chance, chance], dice)
        })
    }

    /// Whether a bid holds, of these dice and those in a hand.
    fn holds(&self, hand: &Hand, bid: Bid) -> f64 {
        let wanted = bid.count.saturating_sub(matching(hand, bid.face));
        self.0[usize::from(bid.face) - 1].get(wanted as usize).copied().unwrap_or(0.0)
    }
}

/// The probability of each hand for each seat, given the bids.
struct Beliefs {
    hands: Vec<(Hand, f64)>,
    seats: Vec<Vec<f64>>,
    each: u8,
}

impl Beliefs {
    /// Of all dice but those of one seat.
    fn of_all(&self, but: usize) -> AtLeast {
        let has = |chances: &Vec<f64>, face| {
            let mut has = vec![0.0; usize::from(self.each) + 1];
            for ((hand, _), chance) in self.hands.iter().zip(chances) {
                has[matching(hand, face) as usize] += chance;
            }
            has
        };
        AtLeast::of(|face| {
            let others = self.seats.iter().enumerate().filter(move |(seat, _)| *seat != but);
            others.map(move |(_, chances)| has(chances, face))
        })
    }
}

/// The knowledge of one seat.
struct Known {
    seat: usize,
    own: Hand,
    bids: Vec<Bid>,
    seats: usize,
    /// How many dice everybody has.
    each: u8,
    /// The expectation of all other dice before anybody bids.
    unseen: AtLeast,
}

impl Known {
    fn of(game: &LiarsDice, seat: Seat) -> Known {
        let dice = game.view(Eye::Seat(seat)).dice;
        let (seat, seats) = (usize::from(seat.0), dice.len());
        let each = dice[seat].len();
        let mut own = Hand::default();
        dice[seat].iter().flatten().for_each(|die| own[usize::from(*die) - 1] += 1);
        let unseen = AtLeast::of_unseen((seats - 1) * each);
        Known { seat, own, bids: game.bids.clone(), seats, each: each as u8, unseen }
    }

    fn last(&self) -> Option<Bid> {
        self.bids.last().copied()
    }

    fn total(&self) -> u32 {
        self.seats as u32 * u32::from(self.each)
    }

    /// The move of a player with these dice who does not think.
    fn anything(&self, last: Option<Bid>, hand: &Hand, dice: &mut Dice) -> Option<Move> {
        let lowest = near(last, self.total()).take(6 + usize::from(last.is_some()));
        let options = sane(last, lowest, |bid| self.unseen.holds(hand, bid));
        crate::any(&options, dice).map(|(mv, _)| *mv)
    }

    /// The candidate moves of a player who considers only these dice of their own.
    fn simple(&self, last: Option<Bid>, hand: &Hand) -> (Vec<(Move, f64)>, Vec<f64>) {
        let options = sane(last, near(last, self.total()), |bid| self.unseen.holds(hand, bid));
        let shares = shares(&options);
        (options, shares)
    }

    fn read_bids(&self) -> Beliefs {
        let hands = hands(self.each);
        let rolled: Vec<_> = hands.iter().map(|(_, chance)| *chance).collect();
        let mut seats = vec![rolled; self.seats];
        let mut last = None;
        for (number, bid) in self.bids.iter().enumerate() {
            let chances = &mut seats[number % self.seats];
            for (chance, (hand, _)) in chances.iter_mut().zip(&hands) {
                let (options, shares) = self.simple(last, hand);
                let said = options.iter().position(|(mv, _)| *mv == Move::Bid(*bid));
                *chance *= TRUST * said.map_or(0.0, |at| shares[at]) + (1.0 - TRUST) * ANYHOW;
            }
            *chances = of_whole(std::mem::take(chances));
            last = Some(*bid);
        }
        Beliefs { hands, seats, each: self.each }
    }

    /// Puts in place of each move's chance what it wins on average, from -1 to 1.
    fn try_out(&self, options: &mut [(Move, f64)], beliefs: &Beliefs, games: u32, dice: &mut Dice) {
        for (mv, worth) in options.iter_mut() {
            *worth = if *mv == Move::Liar { 2.0 * *worth - 1.0 } else { 0.0 };
        }
        for _ in 0..games {
            let drawn = beliefs.seats.iter().map(|chances| beliefs.hands[draw(chances, dice)].0);
            let mut hands: Vec<_> = drawn.collect();
            hands[self.seat] = self.own;
            for (mv, worth) in options.iter_mut() {
                if let Move::Bid(bid) = mv {
                    *worth += f64::from(self.play_on(&hands, *bid, dice)) / f64::from(games);
                }
            }
        }
    }

    /// The result of a bid with these dice, if everybody plays on as assumed.
    fn play_on(&self, hands: &[Hand], mut bid: Bid, dice: &mut Dice) -> i32 {
        let mut bidder = self.seat;
        loop {
            let next = (bidder + 1) % self.seats;
            let mv = if dice.below(100) < THOUGHTLESS {
                self.anything(Some(bid), &hands[next], dice)
            } else {
                let (options, shares) = self.simple(Some(bid), &hands[next]);
                Some(options[draw(&shares, dice)].0)
            };
            if let Some(Move::Bid(higher)) = mv {
                (bid, bidder) = (higher, next);
                continue;
            }
            let found: u32 = hands.iter().map(|hand| matching(hand, bid.face)).sum();
            let (winner, loser) = if found >= bid.count { (bidder, next) } else { (next, bidder) };
            return i32::from(winner == self.seat) - i32::from(loser == self.seat);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bid(count: u32, face: u8) -> Bid {
        Bid { count, face }
    }

    #[test]
    fn all_hands_together_are_certain_and_have_as_many_dice_as_chance_has_it() {
        for each in 1..=5 {
            let rolled = hands(each);
            let whole: f64 = rolled.iter().map(|(_, chance)| chance).sum();
            let twos = rolled.iter().map(|(hand, chance)| f64::from(matching(hand, 2)) * chance);
            assert!((whole - 1.0).abs() < 1e-9, "{whole}");
            assert!((twos.sum::<f64>() - f64::from(each) / 3.0).abs() < 1e-9);
        }
    }

    #[test]
    fn the_chance_of_a_bid_is_the_binomial_one() {
        let own = [0, 1, 0, 0, 2, 1];
        for (unseen, bid, chance) in [
            (5, bid(1, 2), 1.0),
            (5, bid(2, 2), 1.0),
            (2, bid(3, 2), 5.0 / 9.0),
            (2, bid(4, 2), 1.0 / 9.0),
            (2, bid(5, 2), 0.0),
            (2, bid(3, 5), 1.0),
            (1, bid(2, 6), 1.0 / 6.0),
            (3, bid(4, 1), 1.0 / 27.0),
        ] {
            let found = AtLeast::of_unseen(unseen).holds(&own, bid);
            assert!((found - chance).abs() < 1e-9, "{bid:?} of {unseen}: {found}");
        }
    }

    #[test]
    fn a_bid_tells_of_the_dice_of_who_made_it() {
        let before = vec![bid(1, 2), bid(3, 4)];
        for (bids, face, is_likelier) in [
            (vec![], 4, false),
            (vec![bid(3, 4)], 4, true),
            (vec![bid(3, 4)], 2, false),
            (before, 4, false),
        ] {
            let (own, unseen) = ([1, 1, 1, 1, 1, 0], AtLeast::of_unseen(5));
            let known = Known { seat: 1, own, bids, seats: 2, each: 5, unseen };
            let wanted = bid(4, face);
            let told = known.read_bids().of_all(1).holds(&own, wanted);
            let untold = known.unseen.holds(&own, wanted);
            assert_eq!(told > untold + 0.1, is_likelier, "{:?}: {told} {untold}", known.bids);
        }
    }
}
