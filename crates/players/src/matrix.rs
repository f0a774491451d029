//! Repeated matrix games are played in styles that have names: it is for the other to find out which.

use rules::{
    Dice, Seat,
    matrix::{Matrix, Move, StageGame},
};

use crate::{Computer, Effort, Level, effort};

/// The first choice is the friendly one, where there is one: to cooperate, the stag.
const FRIENDLY: Move = Move(0);
const UNFRIENDLY: Move = Move(1);

/// A strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Any choice, all being equally likely.
    Random,
    /// Always the first choice.
    Stubborn,
    /// Always the unfriendly choice.
    Mean,
    /// Friendly at first, then what the other did in the round before.
    TitForTat,
    /// Tit for tat, but forgives one unfriendly answer in three.
    Generous,
    /// Friendly until the other is not, then never again.
    Grim,
    /// Repeats a choice that went well and changes one that did not.
    Pavlov,
    /// The choice that would have been best in the last round.
    Answering,
    /// The best answer to the other player's most frequent choice.
    Counting,
}

impl Style {
    pub fn name(self) -> &'static str {
        match self {
            Style::Random => "random",
            Style::Stubborn => "stubborn",
            Style::Mean => "mean",
            Style::TitForTat => "tit for tat",
            Style::Generous => "generous",
            Style::Grim => "grim",
            Style::Pavlov => "pavlov",
            Style::Answering => "answering",
            Style::Counting => "counting",
        }
    }

    /// There are no levels in these games, so each stands for a style.
    pub fn of(game: StageGame, level: Level) -> Style {
        use Style::{
            Answering, Counting, Generous, Grim, Mean, Pavlov, Random, Stubborn, TitForTat,
        };
        let styles: [Style; 10] = match game {
            StageGame::PrisonersDilemma | StageGame::StagHunt => [
                Random, Stubborn, Mean, Answering, Counting, Generous, Pavlov, Grim, TitForTat,
                TitForTat,
            ],
            StageGame::RockPaperScissors => [
                Stubborn, TitForTat, TitForTat, Answering, Answering, Counting, Counting, Random,
                Random, Random,
            ],
        };
        styles[usize::from(level.get()) - 1]
    }

    fn choose(self, game: &Matrix, seat: Seat, dice: &mut Dice) -> Move {
        let (own, other) = (usize::from(seat.0), usize::from(1 - seat.0));
        let theirs: Vec<_> = game.played().iter().map(|round| round[other]).collect();
        let last = game.played().last();
        let choices = game.game().choices().len();
        let any = |dice: &mut Dice| Move(dice.below(choices as u32) as usize);
        let best = |theirs: &[Move]| {
            let worth = |mv: &Move| theirs.iter().map(|t| game.game().pays(*mv, *t)).sum::<i32>();
            // Of two that are worth the same, the first.
            (0..choices).map(Move).rev().max_by_key(worth).unwrap_or(FRIENDLY)
        };
        match (self, last) {
            (Style::Random, _) => any(dice),
            (Style::Stubborn, _) => FRIENDLY,
            (Style::Mean, _) => UNFRIENDLY,
            (Style::Grim, _) if theirs.contains(&UNFRIENDLY) => UNFRIENDLY,
            (_, None) if game.game() == StageGame::RockPaperScissors => any(dice),
            (Style::Grim, _) | (_, None) => FRIENDLY,
            (Style::TitForTat, Some(round)) => round[other],
            (Style::Generous, Some(round)) => {
                if dice.below(3) == 0 {
                    FRIENDLY
                } else {
                    round[other]
                }
            }
            (Style::Pavlov, Some(round)) => {
                if round[other] == FRIENDLY {
                    round[own]
                } else {
                    Move(1 - round[own].0.min(1))
                }
            }
            (Style::Answering, Some(round)) => best(&[round[other]]),
            (Style::Counting, Some(_)) => best(&theirs),
        }
    }
}

impl Computer for Matrix {
    const HAS_STYLES: bool = true;
    /// Their work is the number of the style.
    const LEVELS: &'static [Effort] = &[
        effort(0, 1),
        effort(0, 2),
        effort(0, 3),
        effort(0, 4),
        effort(0, 5),
        effort(0, 6),
        effort(0, 7),
        effort(0, 8),
        effort(0, 9),
        effort(0, 10),
    ];

    fn think(&self, seat: Seat, work: u32, dice: &mut Dice) -> Option<Move> {
        let style = Style::of(self.game(), Level::new(work as u8)?);
        Some(style.choose(self, seat, dice))
    }
}
