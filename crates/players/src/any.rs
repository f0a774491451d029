//! A kind that nobody has written a player for, by its texts alone: the moves it offers are tried as
//! a person would try them.

use rules::{Dice, Due, Guess, Record, Seat};

use crate::{Level, uct};

/// Of a range of numbers so many are looked at.
const OF_RANGE: i64 = 12;

pub(crate) fn choose(record: &Record, seat: Seat, level: Level, dice: &mut Dice) -> Option<String> {
    if !record.due().includes(seat) {
        return None;
    }
    let position = record.guess(seat, dice)?;
    let is_open = record.kind().card.is_some_and(|card| card.is_open());
    let any = Any { position, is_open };
    // Twice as many games at each level.
    uct::choose(&any, seat, 1 << level.get(), dice)
}

/// A move of `seat` that is drawn from what it is offered, of a range any number; none if it is
/// offered nothing.
pub fn at_random(record: &Record, seat: Seat, dice: &mut Dice) -> Option<String> {
    let offers = record.offers(seat);
    match &spread(crate::any(&offers, dice)?)[..] {
        [only] => Some(only.clone()),
        numbers => crate::any(numbers, dice).cloned(),
    }
}

struct Any {
    position: Guess,
    is_open: bool,
}

impl Clone for Any {
    fn clone(&self) -> Any {
        Any { position: self.position.copy(), is_open: self.is_open }
    }
}

impl uct::Playable for Any {
    type Move = String;

    fn due(&self) -> Due {
        self.position.due()
    }

    fn legal(&self, seat: Seat) -> Vec<String> {
        self.position.offers(seat).iter().flat_map(|offer| spread(offer)).collect()
    }

    fn play(&mut self, moves: &[(Seat, String)], dice: &mut Dice) {
        self.position.play(moves, dice).expect("what is offered can be played");
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Any> {
        Some(Any { position: self.position.again(seat, dice)?, is_open: self.is_open })
    }

    fn is_open(&self) -> bool {
        self.is_open
    }
}

/// Moves that an offer stands for: itself, or of a range like `bid 0..40` both ends and some between.
fn spread(offer: &str) -> Vec<String> {
    let range = || {
        let (rest, range) = offer.rsplit_once(' ').unwrap_or(("", offer));
        let (from, to) = range.split_once("..")?;
        Some((rest, from.parse::<i64>().ok()?, to.parse::<i64>().ok()?))
    };
    let Some((rest, from, to)) = range().filter(|(_, from, to)| from <= to) else {
        return vec![offer.to_owned()];
    };
    let steps = (to - from).clamp(1, OF_RANGE - 1);
    let mut numbers: Vec<_> = (0..=steps).map(|step| from + (to - from) * step / steps).collect();
    numbers.dedup();
    numbers.into_iter().map(|number| format!("{rest} {number}").trim_start().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_stands_for_a_few_of_its_numbers() {
        assert_eq!(spread("pass"), ["pass"]);
        assert_eq!(spread("bid 0..2"), ["bid 0", "bid 1", "bid 2"]);
        assert_eq!(spread("7..7"), ["7"]);
        let many = spread("raise 40..400");
        assert_eq!((many.len(), &*many[0], &*many[11]), (12, "raise 40", "raise 400"));
    }
}
