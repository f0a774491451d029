//! What a position is worth, as chess programs write it, and how bad a move was by that measure.
//!
//! Nothing here judges a position; that is an engine's work.

use std::fmt;

use shakmaty::Color;

/// Seen by White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// White's lead, in hundredths of a pawn.
    Centipawns(i32),
    /// Mate by force in so many moves; in none when it stands on the board.
    Mate { by: Color, moves: u32 },
}

/// The form of `[%eval]` in PGN: `0.17`, `-1.20`, `#3`, `#-2`.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Eval::Centipawns(lead) => write!(f, "{:.2}", f64::from(lead) / 100.0),
            Eval::Mate { by, moves } => write!(f, "#{}{moves}", by.fold_wb("", "-")),
        }
    }
}

impl Eval {
    /// What White may hope for, from -1, a loss, to 1, a win.
    pub fn chance(self) -> f64 {
        // How leads turned into results in many games between people, as Lichess counted.
        const SLOPE: f64 = 0.003_682_08;
        match self {
            Eval::Centipawns(lead) => 2.0 / (1.0 + (-SLOPE * f64::from(lead)).exp()) - 1.0,
            Eval::Mate { by, .. } => by.fold_wb(1.0, -1.0),
        }
    }
}

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveGrade {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl MoveGrade {
    /// Of a move by `mover` that led from one position to another. A pawn lost matters while the
    /// game is even and no more when it is decided, so chances are compared and not leads.
    pub fn of(mover: Color, before: Eval, after: Eval) -> Option<MoveGrade> {
        let lost = (before.chance() - after.chance()) * mover.fold_wb(1.0, -1.0);
        match lost {
            lost if lost >= 0.3 => Some(MoveGrade::Blunder),
            lost if lost >= 0.2 => Some(MoveGrade::Mistake),
            lost if lost >= 0.1 => Some(MoveGrade::Inaccuracy),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            MoveGrade::Inaccuracy => "inaccuracy",
            MoveGrade::Mistake => "mistake",
            MoveGrade::Blunder => "blunder",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATED: Eval = Eval::Mate { by: Color::Black, moves: 0 };

    #[test]
    fn evaluations_are_written_as_other_programs_read_them() {
        for (eval, text) in [
            (Eval::Centipawns(17), "0.17"),
            (Eval::Centipawns(0), "0.00"),
            (Eval::Centipawns(-120), "-1.20"),
            (Eval::Centipawns(-5), "-0.05"),
            (Eval::Mate { by: Color::White, moves: 3 }, "#3"),
            (Eval::Mate { by: Color::Black, moves: 2 }, "#-2"),
        ] {
            assert_eq!(eval.to_string(), text);
        }
    }

    #[test]
    fn a_move_is_marked_by_the_chances_it_gives_away() {
        use Eval::Centipawns as Pawns;
        for (mover, before, after, mark) in [
            (Color::White, Pawns(20), Pawns(10), None),
            (Color::White, Pawns(30), Pawns(-30), Some(MoveGrade::Inaccuracy)),
            (Color::White, Pawns(0), Pawns(-120), Some(MoveGrade::Mistake)),
            (Color::White, Pawns(0), Pawns(-300), Some(MoveGrade::Blunder)),
            // What helps White is bad for Black only.
            (Color::White, Pawns(0), Pawns(300), None),
            (Color::Black, Pawns(0), Pawns(300), Some(MoveGrade::Blunder)),
            // Who is lost anyway, or still winning, has lost little.
            (Color::White, Pawns(-900), Pawns(-1_400), None),
            (Color::White, Eval::Mate { by: Color::White, moves: 2 }, Pawns(1_100), None),
            (Color::White, Pawns(0), MATED, Some(MoveGrade::Blunder)),
            (Color::Black, Eval::Mate { by: Color::Black, moves: 1 }, MATED, None),
        ] {
            assert_eq!(MoveGrade::of(mover, before, after), mark, "{before} to {after}");
        }
    }
}
