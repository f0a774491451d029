//! A value that changes as pieces leave the board.

use std::ops::{Add, AddAssign, Mul, Sub};

/// A value with all pieces on the board, and one with none left; what is between is mixed.
///
/// Both lie in one number, the late half above the early one, so that a single addition adds both.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Taper(i32);

pub(crate) const fn taper(early: i32, late: i32) -> Taper {
    Taper((late << 16) + early)
}

impl Taper {
    pub fn early(self) -> i32 {
        i32::from(self.0 as i16)
    }

    pub fn late(self) -> i32 {
        // A negative early half has borrowed one from the late half.
        i32::from(((self.0 + 0x8000) >> 16) as i16)
    }

    /// Mixed for a position with this much left on the board.
    pub fn at(self, phase: i32) -> i32 {
        let phase = phase.min(FULL_PHASE);
        (self.early() * phase + self.late() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

/// Four knights, four bishops, four rooks counted double, two queens counted fourfold.
pub(crate) const FULL_PHASE: i32 = 24;

impl Add for Taper {
    type Output = Taper;
    fn add(self, other: Taper) -> Taper {
        Taper(self.0 + other.0)
    }
}

impl AddAssign for Taper {
    fn add_assign(&mut self, other: Taper) {
        self.0 += other.0;
    }
}

impl Sub for Taper {
    type Output = Taper;
    fn sub(self, other: Taper) -> Taper {
        Taper(self.0 - other.0)
    }
}

impl Mul<i32> for Taper {
    type Output = Taper;
    fn mul(self, times: i32) -> Taper {
        Taper(self.0 * times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_do_not_disturb_each_other() {
        for (early, late) in [(3, 5), (-3, 5), (3, -5), (-3, -5), (-900, 1200), (0, -1)] {
            let sum = taper(early, late) * 3 - taper(7, -7) + taper(0, 2);
            assert_eq!((sum.early(), sum.late()), (3 * early - 7, 3 * late + 9));
        }
    }
}
