//! A round of the league: its matches and how far each has come.
//!
//! Rounds are what a copied league shares with the original, so a match is kept small.

use super::schedule::Draw;
use crate::MatchVerdict;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Waiting,
    Running {
        game: u32,
    },
    Done {
        /// None of a match that was forfeited before it began.
        game: Option<u32>,
        verdict: MatchVerdict,
    },
}

/// Two players, counted from zero, Odd first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixture {
    pub players: [u16; 2],
    pub state: State,
    /// How often it was played before.
    pub attempt: u8,
}

impl Fixture {
    pub(super) fn between(odd: usize, even: usize) -> Fixture {
        Fixture { players: [odd as u16, even as u16], state: State::Waiting, attempt: 0 }
    }

    pub(super) fn both(&self) -> [usize; 2] {
        self.players.map(usize::from)
    }

    pub(super) fn verdict(&self) -> Option<MatchVerdict> {
        match self.state {
            State::Done { verdict, .. } => Some(verdict),
            _ => None,
        }
    }

    pub(super) fn game(&self) -> Option<u32> {
        match self.state {
            State::Waiting => None,
            State::Running { game } => Some(game),
            State::Done { game, .. } => game,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    pub fixtures: Vec<Fixture>,
    pub bye: Option<usize>,
    /// How many matches are not over.
    pub open: usize,
}

impl Round {
    pub(super) fn of(draw: &Draw) -> Round {
        let fixtures: Vec<_> = draw.pairs.iter().map(|&(a, b)| Fixture::between(a, b)).collect();
        Round { open: fixtures.len(), fixtures, bye: draw.bye }
    }

    /// Adds a match that the format did not ask for.
    pub(super) fn add(&mut self, fixture: Fixture) {
        self.bye.take_if(|player| fixture.both().contains(player));
        self.fixtures.push(fixture);
        self.open += 1;
    }
}
