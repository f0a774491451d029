//! The computer as a player of every kind but chess: which move, at this level.
//!
//! It is handed a position as its seat may imagine it and dice of its own, so it can know neither
//! others' cards nor the dice to come. It thinks for a number of positions or games, never for a
//! time: the same question has the same answer on every machine.

mod alpha_beta;
mod any;
mod breakthrough;
mod connect_four;
mod exact;
mod hex;
mod in_a_row;
mod liars_dice;
mod matrix;
mod measured;
mod nim;
mod othello;
mod poker;
mod uct;

use rules::{
    Dice, Record, Rules, Seat,
    breakthrough::Breakthrough,
    connect_four::ConnectFour,
    even_odd::EvenOdd,
    hex::Hex,
    kuhn::Kuhn,
    leduc::Leduc,
    liars_dice::LiarsDice,
    matrix::Matrix,
    mnk::{Gomoku, TicTacToe},
    nim::Nim,
    othello::Othello,
    parity::Parity,
};

pub use any::at_random;
pub use matrix::Style;
pub use measured::{
    Found, Measured, Strength, fingerprint, graded, measured, outside, strength, usual_setup,
};
pub use poker::Solution;

/// The strength that was asked for. Each kind defines what its levels do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    pub const MOST: u8 = 10;

    /// From 1 to 10.
    pub fn new(level: u8) -> Option<Level> {
        (1..=Level::MOST).contains(&level).then_some(Level(level))
    }

    pub fn get(self) -> u8 {
        self.0
    }

    pub fn all() -> impl Iterator<Item = Level> {
        (1..=Level::MOST).map(Level)
    }
}

/// The settings of a level in one kind.
#[derive(Clone, Copy)]
struct Effort {
    /// Percentage of moves that are played without thinking.
    careless: u32,
    /// Search budget of the other moves: positions, games or training rounds, as the kind counts.
    work: u32,
}

const fn effort(careless: u32, work: u32) -> Effort {
    Effort { careless, work }
}

/// A kind that a computer plays.
trait Computer: Rules {
    /// As many levels as can be told apart, the weakest first: see docs/levels.md.
    const LEVELS: &'static [Effort];
    /// How games are set up by which they are measured: where nothing else would make two of them
    /// differ, the first moves are drawn, as many as leave both players the same chances (the
    /// example `openings` says which do).
    const SETUP: &'static str = "{}";
    /// Whether its levels are ways to play, none of them the better one.
    const HAS_STYLES: bool = false;

    /// The move of a weak level that does not think now. Called only if `seat` has a move.
    fn play_anything(&self, seat: Seat, dice: &mut Dice) -> Option<Self::Move> {
        any(&self.legal(seat), dice).cloned()
    }

    /// Called only if `seat` has a move. By default a Monte Carlo tree search of `work` games.
    fn think(&self, seat: Seat, work: u32, dice: &mut Dice) -> Option<Self::Move> {
        uct::choose(self, seat, work, dice)
    }
}

/// One of these, all being equally likely.
fn any<'a, T>(things: &'a [T], dice: &mut Dice) -> Option<&'a T> {
    things.get(dice.below(things.len() as u32) as usize)
}

/// Nobody can predict the other player here, so there is one level.
const GUESSING: &[Effort] = &[effort(0, 128)];

impl Computer for EvenOdd {
    const LEVELS: &'static [Effort] = GUESSING;
}

impl Computer for Parity {
    const LEVELS: &'static [Effort] = GUESSING;
}

type Play = fn(&Record, Seat, Level, &mut Dice) -> Option<String>;

/// The computer player of one kind.
struct Player {
    kind: &'static str,
    levels: &'static [Effort],
    setup: &'static str,
    has_styles: bool,
    play: Play,
}

const PLAYERS: &[Player] = &[
    player::<Breakthrough>(),
    player::<ConnectFour>(),
    player::<EvenOdd>(),
    player::<Gomoku>(),
    player::<Hex>(),
    player::<Kuhn>(),
    player::<Leduc>(),
    player::<LiarsDice>(),
    player::<Matrix>(),
    player::<Nim>(),
    player::<Othello>(),
    player::<Parity>(),
    player::<TicTacToe>(),
];

const fn player<R: Computer>() -> Player {
    Player {
        kind: R::KIND,
        levels: R::LEVELS,
        setup: R::SETUP,
        has_styles: R::HAS_STYLES,
        play: |record, seat, level, dice| {
            let position: R = record.imagine(seat, dice)?;
            let Effort { careless, work } = at(R::LEVELS, level);
            let mv = if dice.below(100) < careless {
                position.play_anything(seat, dice)
            } else {
                position.think(seat, work, dice)
            };
            mv.map(|mv| position.write(&mv))
        },
    }
}

/// A level above the highest of the kind means the highest.
fn at(levels: &[Effort], level: Level) -> Effort {
    levels[usize::from(level.get()).min(levels.len()) - 1]
}

fn player_of(kind: &str) -> Option<&'static Player> {
    PLAYERS.iter().find(|player| player.kind == kind)
}

/// The level that plays a kind if this one is asked for: the highest one if the kind has fewer.
pub fn nearest(kind: &str, level: Level) -> Level {
    player_of(kind).map_or(level, |player| level.min(Level(player.levels.len() as u8)))
}

/// The levels that a kind has, the weakest first.
pub fn levels(kind: &str) -> impl Iterator<Item = Level> {
    (1..=nearest(kind, Level(Level::MOST)).get()).map(Level)
}

/// The search budget of a level for one move: positions, games or training rounds, by kind.
pub fn work(kind: &str, level: Level) -> u32 {
    player_of(kind).map_or(1 << level.get(), |player| at(player.levels, level).work)
}

/// The cost of a move at this level, where the highest level costs `most`.
pub fn cost(kind: &str, level: Level, most: u64) -> u64 {
    most * u64::from(work(kind, level)) / u64::from(work(kind, Level(Level::MOST)).max(1))
}

/// The computer's move for `seat`; none where it has no move, or the kind does not say what may be
/// guessed. `luck` is a seed that belongs to the game and is not the one its cards are dealt by.
///
/// The draws depend on this luck, the round, the seat and the level only. The number of the turn
/// would tell whether another player's sealed move is in already.
pub fn choose(record: &Record, seat: Seat, level: Level, luck: u64) -> Option<String> {
    let level = nearest(record.kind().name, level);
    let player = u64::from(seat.0) << 8 | u64::from(level.get());
    let mut dice = Dice::new(luck ^ player << 48, record.round());
    choose_with(record, seat, level, &mut dice)
}

fn choose_with(record: &Record, seat: Seat, level: Level, dice: &mut Dice) -> Option<String> {
    let play = player_of(record.kind().name).map_or(any::choose as Play, |player| player.play);
    play(record, seat, level, dice)
}
