//! How strong the levels are, as `make calibrate` has found and written into `measured.txt`.

use std::fmt;

use rules::{Dice, Due, KINDS, Kind, Record, Seat};

use crate::{Effort, Level, at, at_random, choose_with, player_of};

const FILE: &str = include_str!("measured.txt");

/// The measured strength of one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    pub level: Level,
    /// Tells whether the level still plays as it did then.
    pub fingerprint: u64,
    pub found: Found,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// By games. Random play is rated 0; the step is what lies between this level and the one below
    /// it. Errors are half of the 95 % interval.
    Rating { rating: i32, error: i32, step: i32, step_error: i32, games: u32 },
    /// By calculation, in chips a hand: what somebody who knew how it plays would win from it, and
    /// what it wins from somebody who plays at random.
    Chips { lost: f64, won: f64 },
}

impl Measured {
    /// As a line of the file, without the name of the game.
    pub fn write(&self) -> String {
        let Measured { level, fingerprint, found } = self;
        let found = match found {
            Found::Rating { rating, error, step, step_error, games } => {
                format!("rating {rating} {error} {step} {step_error} {games}")
            }
            Found::Chips { lost, won } => format!("chips {lost:.5} {won:.4}"),
        };
        format!("{} {fingerprint:016x} {found}", level.get())
    }

    fn read(line: &str) -> Option<Measured> {
        let words: Vec<_> = line.split_whitespace().collect();
        let [level, fingerprint, what, numbers @ ..] = words.as_slice() else { return None };
        let found = match (*what, numbers) {
            ("rating", [rating, error, step, step_error, games]) => Found::Rating {
                rating: rating.parse().ok()?,
                error: error.parse().ok()?,
                step: step.parse().ok()?,
                step_error: step_error.parse().ok()?,
                games: games.parse().ok()?,
            },
            ("chips", [lost, won]) => {
                Found::Chips { lost: lost.parse().ok()?, won: won.parse().ok()? }
            }
            _ => return None,
        };
        let level = Level::new(level.parse().ok()?)?;
        Some(Measured { level, fingerprint: u64::from_str_radix(fingerprint, 16).ok()?, found })
    }
}

/// The measured levels of a kind, the weakest first.
pub fn measured(kind: &str) -> Vec<Measured> {
    let of_kind = |line: &'static str| line.strip_prefix(kind)?.strip_prefix(' ');
    FILE.lines().filter_map(of_kind).filter_map(Measured::read).collect()
}

/// How OpenSpiel's player was rated on the way: simulations a move, rating, error.
pub fn outside(kind: &str) -> Vec<(u32, i32, i32)> {
    let read = |line: &'static str| {
        let numbers = line.strip_prefix(kind)?.strip_prefix(" mcts ")?;
        let mut numbers = numbers.split(' ');
        let simulations = numbers.next()?.parse().ok()?;
        Some((simulations, numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    };
    FILE.lines().filter_map(read).collect()
}

/// How strong a level is, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    Found(Found),
    /// There is no other level.
    Only,
    /// It is not stronger than others, but different.
    Style,
    Unknown,
}

/// How strong the computer is when a kind is played at this level.
pub fn strength(kind: &Kind, level: Level) -> Strength {
    let found = measured(kind.name).into_iter().find(|measured| measured.level == level);
    match (found, player_of(kind.name)) {
        (Some(measured), _) => Strength::Found(measured.found),
        (None, Some(player)) if player.levels.len() == 1 => Strength::Only,
        (None, Some(player)) if player.has_styles => Strength::Style,
        (None, _) => Strength::Unknown,
    }
}

/// The kinds whose levels are measured: a player of their own, and one level stronger than another.
pub fn graded() -> impl Iterator<Item = Kind> {
    let played = KINDS.iter().copied().filter(|kind| player_of(kind.name).is_some());
    played.filter(|kind| !matches!(strength(kind, Level(1)), Strength::Only | Strength::Style))
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Strength::Found(Found::Rating { rating, .. }) => {
                write!(f, "rated {rating}, random play being 0")
            }
            Strength::Found(Found::Chips { lost, .. }) => {
                write!(f, "loses {lost:.4} chips a hand at most")
            }
            Strength::Only => f.write_str("the only level"),
            Strength::Style => f.write_str("a style, for you to find out"),
            Strength::Unknown => f.write_str("not measured yet"),
        }
    }
}

/// How games are set up by which the levels of a kind are measured.
pub fn usual_setup(kind: &Kind) -> &'static str {
    player_of(kind.name).map_or("{}", |player| player.setup)
}

/// After so many moves at random a level is asked for a few of its own.
const STAGES: [u32; 3] = [0, 12, 24];
const MOVES: u64 = 3;

/// A digest of the settings of a level and of a few of its moves. If it changes, the level must be
/// measured again.
pub fn fingerprint(kind: Kind, level: Level) -> u64 {
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |byte: u8| sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    if let Some(player) = player_of(kind.name) {
        let Effort { careless, work } = at(player.levels, level);
        [careless, work].iter().flat_map(|number| number.to_le_bytes()).for_each(&mut add);
    }
    for (stage, seed) in STAGES.into_iter().zip(1..) {
        let mut record = Record::start(kind, "{}", seed).expect("a usual game");
        let mut dice = Dice::new(seed, 0);
        for _ in 0..stage {
            let mut next = record.copy();
            let Some(seat) = due(&next) else { break };
            let text = at_random(&next, seat, &mut dice).expect("it has a move");
            push(&mut next, seat, &text);
            if due(&next).is_none() {
                break;
            }
            record = next;
        }
        for luck in 0..MOVES {
            let Some(seat) = due(&record) else { break };
            let text =
                choose_with(&record, seat, level, &mut Dice::new(luck, 0)).expect("it has a move");
            text.bytes().chain([0]).for_each(&mut add);
            push(&mut record, seat, &text);
        }
    }
    sum
}

/// The first who is due.
fn due(record: &Record) -> Option<Seat> {
    match record.due() {
        Due::One(seat) => Some(seat),
        Due::Each(seats) => seats.first().copied(),
        Due::Over(_) => None,
    }
}

fn push(record: &mut Record, seat: Seat, text: &str) {
    let step = record.step(seat, text).expect("what is offered can be played");
    record.take(step);
}
