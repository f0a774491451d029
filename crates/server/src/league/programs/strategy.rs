//! How the built-in players decide. The same seed decides the same way in the same place.

use std::{fmt, str::FromStr};

use rules::{Dice, parity::EvenOrOdd, quoted};
use sha2::{Digest, Sha256};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Any number from one to five, which favours odd.
    Random,
    Always(u8),
    /// One number after the other, and again from the first.
    Pattern(Vec<u8>),
    /// Expects of the opponent what it did most often.
    Frequency,
    /// Even or odd with equal chance: nobody can gain on it.
    Equilibrium,
    /// Someone else decides, by calling `make_move`.
    Wait,
}

/// Where a decision is made.
#[derive(Clone, Debug, Default)]
pub struct DecisionPoint<'a> {
    pub match_id: &'a str,
    /// Counted from one; in a game of one decision, how many there were before, and one.
    pub round: u32,
    /// The parity of the sum that wins, in the game of fingers.
    pub wanted: Option<EvenOrOdd>,
    /// How often the opponent was seen to play even, and odd.
    pub seen: [u32; 2],
}

impl Strategy {
    /// One to five fingers; None if someone else decides.
    pub fn number(&self, seed: u64, place: &DecisionPoint) -> Option<u8> {
        let mut dice = place.dice(seed);
        let of_parity = |dice: &mut Dice, parity| match parity {
            EvenOrOdd::Even => [2, 4][dice.below(2) as usize],
            EvenOrOdd::Odd => [1, 3, 5][dice.below(3) as usize],
        };
        Some(match self {
            Strategy::Wait => return None,
            Strategy::Random => dice.below(5) as u8 + 1,
            Strategy::Always(number) => *number,
            Strategy::Pattern(numbers) => place.of_pattern(numbers),
            Strategy::Equilibrium => {
                let parity = coin(&mut dice);
                of_parity(&mut dice, parity)
            }
            Strategy::Frequency => {
                let parity = match (place.expected(), place.wanted) {
                    // Odd needs the opposite of the other's, even the same.
                    (Some(expected), Some(EvenOrOdd::Odd)) => expected.other(),
                    (Some(expected), Some(EvenOrOdd::Even)) => expected,
                    _ => coin(&mut dice),
                };
                of_parity(&mut dice, parity)
            }
        })
    }

    /// Even or odd; None if someone else decides.
    pub fn parity(&self, seed: u64, place: &DecisionPoint) -> Option<EvenOrOdd> {
        let mut dice = place.dice(seed);
        Some(match self {
            Strategy::Wait => return None,
            Strategy::Random | Strategy::Equilibrium => coin(&mut dice),
            Strategy::Always(number) => EvenOrOdd::of(*number),
            Strategy::Pattern(numbers) => EvenOrOdd::of(place.of_pattern(numbers)),
            // Saying the same as the opponent can only draw.
            Strategy::Frequency => {
                place.expected().map_or_else(|| coin(&mut dice), EvenOrOdd::other)
            }
        })
    }
}

impl Strategy {
    /// One of the moves that a game offers; None if someone else decides.
    pub fn option(&self, seed: u64, place: &DecisionPoint, options: &[String]) -> Option<String> {
        let mut dice = place.dice(seed);
        let many = options.len().max(1);
        let at = match self {
            Strategy::Wait => return None,
            Strategy::Always(number) => usize::from(*number) - 1,
            Strategy::Pattern(numbers) => usize::from(place.of_pattern(numbers)).saturating_sub(1),
            Strategy::Random | Strategy::Frequency | Strategy::Equilibrium => {
                dice.below(many as u32) as usize
            }
        };
        options.get(at % many).map(|option| one_of(option, &mut dice))
    }
}

/// Where moves are numbers, a range stands for many: `bid 0..40`.
fn one_of(option: &str, dice: &mut Dice) -> String {
    let Some((head, tail)) = option.split_once("..") else { return option.to_owned() };
    let (before, first) = head.split_at(head.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    let (last, after) =
        tail.split_at(tail.len() - tail.trim_start_matches(|c: char| c.is_ascii_digit()).len());
    match (first.parse::<u32>(), last.parse::<u32>()) {
        (Ok(first), Ok(last)) if first <= last => {
            let number = first + dice.below((last - first).saturating_add(1));
            format!("{before}{number}{after}")
        }
        _ => option.to_owned(),
    }
}

impl DecisionPoint<'_> {
    /// Keyed by the place alone, so that a question asked again falls the same way.
    fn dice(&self, seed: u64) -> Dice {
        let digest = Sha256::digest(self.match_id);
        let key = u64::from_be_bytes(digest[..8].try_into().expect("a digest is longer"));
        Dice::new(seed ^ key, self.round)
    }

    fn of_pattern(&self, numbers: &[u8]) -> u8 {
        let turn = self.round.saturating_sub(1) as usize;
        numbers.get(turn % numbers.len().max(1)).copied().unwrap_or(1)
    }

    fn expected(&self) -> Option<EvenOrOdd> {
        let [even, odd] = self.seen;
        match even.cmp(&odd) {
            std::cmp::Ordering::Greater => Some(EvenOrOdd::Even),
            std::cmp::Ordering::Less => Some(EvenOrOdd::Odd),
            std::cmp::Ordering::Equal => None,
        }
    }
}

fn coin(dice: &mut Dice) -> EvenOrOdd {
    if dice.below(2) == 0 { EvenOrOdd::Even } else { EvenOrOdd::Odd }
}

#[derive(Debug, thiserror::Error)]
#[error(
    "{0} is not a strategy; choose random, always-3 (or another number from 1 to 5, or \
     always-even, always-odd), pattern-1,2,3, frequency, equilibrium, or mcp to decide by make_move"
)]
pub struct UnknownStrategy(String);

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Strategy, UnknownStrategy> {
        let wrong = || UnknownStrategy(quoted(text));
        let number = |text: &str| match text.trim() {
            "even" => Ok(2),
            "odd" => Ok(1),
            text => match text.parse() {
                Ok(number @ 1..=5) => Ok(number),
                _ => Err(wrong()),
            },
        };
        match text {
            "random" => Ok(Strategy::Random),
            "frequency" => Ok(Strategy::Frequency),
            "equilibrium" => Ok(Strategy::Equilibrium),
            "mcp" | "human" => Ok(Strategy::Wait),
            // As people meet it first, without numbers.
            "pattern" => Ok(Strategy::Pattern(vec![1, 2, 3, 4, 5])),
            _ => match text.split_once('-') {
                Some(("always", rest)) => number(rest).map(Strategy::Always),
                Some(("pattern", rest)) => {
                    rest.split(',').map(number).collect::<Result<_, _>>().map(Strategy::Pattern)
                }
                _ => Err(wrong()),
            },
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Strategy::Random => f.write_str("random"),
            Strategy::Always(number) => write!(f, "always-{number}"),
            Strategy::Pattern(numbers) => {
                let numbers: Vec<_> = numbers.iter().map(u8::to_string).collect();
                write!(f, "pattern-{}", numbers.join(","))
            }
            Strategy::Frequency => f.write_str("frequency"),
            Strategy::Equilibrium => f.write_str("equilibrium"),
            Strategy::Wait => f.write_str("mcp"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(strategy: &str, seen: [u32; 2], wanted: EvenOrOdd) -> Vec<u8> {
        let strategy: Strategy = strategy.parse().unwrap();
        let place = |round| DecisionPoint { match_id: "R1M1", round, wanted: Some(wanted), seen };
        (1..=200).map(|round| strategy.number(7, &place(round)).unwrap()).collect()
    }

    #[test]
    fn strategies_are_read_and_written() {
        let names = ["random", "always-3", "pattern-1,2,3", "frequency", "equilibrium", "mcp"];
        for name in names {
            assert_eq!(name.parse::<Strategy>().unwrap().to_string(), name);
        }
        assert_eq!("human".parse::<Strategy>().unwrap(), Strategy::Wait);
        for bad in ["", "always-0", "always-6", "always", "pattern-", "pattern-1,,2", "clever"] {
            assert!(bad.parse::<Strategy>().is_err(), "{bad}");
        }
    }

    #[test]
    fn each_strategy_does_what_it_says() {
        assert!(numbers("always-3", [0, 0], EvenOrOdd::Odd).iter().all(|n| *n == 3));
        assert_eq!(numbers("pattern-1,2,3", [0, 0], EvenOrOdd::Odd)[..5], [1, 2, 3, 1, 2]);
        let random = numbers("random", [0, 0], EvenOrOdd::Odd);
        assert!((1..=5).all(|n| random.iter().filter(|m| **m == n).count() > 15), "{random:?}");
        let even = |numbers: &[u8]| numbers.iter().filter(|n| *n % 2 == 0).count();
        let mixed = even(&numbers("equilibrium", [9, 0], EvenOrOdd::Odd));
        assert!((70..130).contains(&mixed), "{mixed}");
        assert_eq!(even(&numbers("frequency", [9, 1], EvenOrOdd::Odd)), 0);
        assert_eq!(even(&numbers("frequency", [9, 1], EvenOrOdd::Even)), 200);
        assert_eq!(even(&numbers("frequency", [1, 9], EvenOrOdd::Odd)), 200);
        assert!((70..130).contains(&even(&numbers("frequency", [0, 0], EvenOrOdd::Odd))));
    }

    #[test]
    fn of_what_a_game_offers_one_is_chosen() {
        let place = |round| DecisionPoint { match_id: "R1M1", round, ..DecisionPoint::default() };
        let chosen = |options: &[&str]| {
            let options: Vec<_> = options.iter().map(|option| option.to_string()).collect();
            let all = (1..=200).map(|n| Strategy::Random.option(7, &place(n), &options).unwrap());
            all.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(chosen(&["bet", "pass"]), ["bet", "pass"]);
        assert_eq!(chosen(&["bid 9..11 now"]), ["bid 10 now", "bid 11 now", "bid 9 now"]);
        assert_eq!(Strategy::Random.option(7, &place(1), &[]), None);
        assert_eq!(Strategy::Wait.option(7, &place(1), &["bet".into()]), None);
    }

    #[test]
    fn in_the_game_of_parity_frequency_avoids_the_draw() {
        let decide = |strategy: &str, seen| {
            let place = DecisionPoint { match_id: "R1M1", round: 1, wanted: None, seen };
            strategy.parse::<Strategy>().unwrap().parity(7, &place).unwrap()
        };
        assert_eq!(decide("frequency", [5, 1]), EvenOrOdd::Odd);
        assert_eq!(decide("frequency", [1, 5]), EvenOrOdd::Even);
        assert_eq!(decide("always-3", [0, 0]), EvenOrOdd::Odd);
        assert_eq!(decide("always-even", [0, 0]), EvenOrOdd::Even);
    }
}
