//! Looking ahead where two take turns, all is seen and a kind can say what a position is worth: one
//! move deeper each time (alpha-beta), until so many positions have been looked at. Where that
//! reaches the end of the game the answer is exact.

use rules::{Dice, Due, Rules, Seat};

/// More than any position is worth that is not decided.
pub(crate) const DECIDED: i32 = 1_000_000;

/// Nobody looks further ahead.
const DEEPEST: i32 = 250;

/// A kind whose positions can be judged without looking ahead.
pub(crate) trait Judged: Rules {
    /// The value for `seat`, which is to move.
    fn worth(&self, seat: Seat) -> i32;

    /// The moves of `seat` that are worth looking at, the most promising first.
    fn promising(&self, seat: Seat) -> Vec<Self::Move> {
        self.legal(seat)
    }
}

/// The best move that was found among so many positions.
pub(crate) fn choose<R: Judged>(
    position: &R,
    seat: Seat,
    positions: u32,
    dice: &mut Dice,
) -> Option<R::Move> {
    let mut moves = position.promising(seat);
    let mut search = Search { left: positions, saw_all: true, dice };
    for depth in 1..=DEEPEST {
        search.saw_all = true;
        let Some(best) = search.best(position, seat, &moves, depth) else { break };
        // The best move so far is searched first at the next depth.
        moves[..=best].rotate_right(1);
        if search.saw_all {
            break;
        }
    }
    if moves.is_empty() { None } else { Some(moves.swap_remove(0)) }
}

/// A move that wins, or else one that does not lose, if that is seen in so many positions.
pub(crate) fn solve<R: Rules>(
    position: &R,
    seat: Seat,
    positions: u32,
    dice: &mut Dice,
) -> Option<R::Move> {
    let mut search = Search { left: positions, saw_all: true, dice };
    for points in [1, 0] {
        for (mv, next) in search.narrowing(position, seat) {
            if !search.reaches(&next, other(seat), 1 - points)? {
                return Some(mv);
            }
        }
    }
    None
}

struct Search<'a> {
    /// How many positions may still be looked at.
    left: u32,
    /// Whether nothing had to be judged before the end of the game.
    saw_all: bool,
    /// Rules want dice, though nothing is drawn.
    dice: &'a mut Dice,
}

impl Search<'_> {
    /// Which of these moves is best; none if there was no time to see.
    fn best<R: Judged>(
        &mut self,
        position: &R,
        seat: Seat,
        moves: &[R::Move],
        depth: i32,
    ) -> Option<usize> {
        let mut best = (0, i32::MIN + 1);
        for (at, mv) in moves.iter().enumerate() {
            let next = self.after(position, seat, mv);
            // Nothing is worth less than what is known to be had: equals are not looked into.
            let worth = -self.worth(&next, other(seat), depth - 1, i32::MIN + 1, -best.1)?;
            if worth > best.1 {
                best = (at, worth);
            }
        }
        Some(best.0)
    }

    /// The value of `position` for `seat`, if that is between `least` and `most`; none if there was
    /// no time to see.
    fn worth<R: Judged>(
        &mut self,
        position: &R,
        seat: Seat,
        depth: i32,
        mut least: i32,
        most: i32,
    ) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        match position.due() {
            Due::Over(outcome) => {
                let points = outcome.points[usize::from(seat.0)].signum();
                // Sooner is better if it is won, later if it is lost.
                return Some(points * (DECIDED + DEEPEST + depth));
            }
            Due::One(due) if due != seat => {
                return Some(-self.worth(position, due, depth, -most, -least)?);
            }
            _ if depth <= 0 => {
                self.saw_all = false;
                return Some(position.worth(seat));
            }
            _ => {}
        }
        for mv in position.promising(seat) {
            let next = self.after(position, seat, &mv);
            let worth = -self.worth(&next, other(seat), depth - 1, -most, -least)?;
            if worth >= most {
                return Some(worth);
            }
            least = least.max(worth);
        }
        Some(least)
    }

    /// Whether `seat` can get so many points; none if there was no time to see.
    fn reaches<R: Rules>(&mut self, position: &R, seat: Seat, points: i32) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        match position.due() {
            Due::Over(outcome) => return Some(outcome.points[usize::from(seat.0)] >= points),
            Due::One(due) if due != seat => {
                return Some(!self.reaches(position, due, 1 - points)?);
            }
            _ => {}
        }
        for (_, next) in self.narrowing(position, seat) {
            if !self.reaches(&next, other(seat), 1 - points)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Every move and what comes of it; those first that leave the other the least choice.
    fn narrowing<R: Rules>(&mut self, position: &R, seat: Seat) -> Vec<(R::Move, R)> {
        let moves = position.legal(seat).into_iter();
        let mut moves: Vec<_> = moves
            .map(|mv| {
                let next = self.after(position, seat, &mv);
                (mv, next)
            })
            .collect();
        moves.sort_by_cached_key(|(_, next)| next.legal(other(seat)).len());
        moves
    }

    fn after<R: Rules>(&mut self, position: &R, seat: Seat, mv: &R::Move) -> R {
        let mut next = position.clone();
        next.play(&[(seat, mv.clone())], self.dice);
        next
    }
}

fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}
