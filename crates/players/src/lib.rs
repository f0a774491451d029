//! The computer as a player of every kind but chess: which move, at this level.
//!
//! It is handed a position as its seat may imagine it and dice of its own, so it can know neither
//! others' cards nor the dice to come. It thinks for a number of positions or games, never for a
//! time: the same question has the same answer on every machine.

mod alpha_beta;
mod any;
mod connect_four;
mod hex;
mod in_a_row;
mod matrix;
mod nim;
mod othello;
mod poker;
mod uct;

use rules::{
    Card, Dice, Record, Rules, Seat, Tag,
    connect_four::ConnectFour,
    even_odd::EvenOdd,
    hex::Hex,
    kuhn::Kuhn,
    leduc::Leduc,
    matrix::Matrix,
    mnk::{Gomoku, TicTacToe},
    nim::Nim,
    othello::Othello,
    parity::Parity,
};

pub use matrix::Style;
pub use poker::Solution;

/// How strong it is asked to be. What that comes to in a kind is the kind's to say.
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

/// Of positions that a search looks at, half of those at the weakest level.
const POSITIONS: u32 = 128;

/// A kind that a computer plays.
trait Computer: Rules {
    /// Called only where `seat` has a move. By default it looks ahead by playing many games to their
    /// end.
    fn choose(&self, seat: Seat, level: Level, dice: &mut Dice) -> Option<Self::Move> {
        uct::choose(self, seat, playouts(level), dice)
    }
}

/// Whether all is seen and nothing is drawn.
fn is_open(card: Option<Card>) -> bool {
    let closed = [Tag::Hidden, Tag::Chance, Tag::Simultaneous];
    card.is_some_and(|card| closed.iter().all(|tag| !card.has(*tag)))
}

/// Twice as many at each level.
fn playouts(level: Level) -> u32 {
    4 << level.get()
}

/// So many positions are looked at, twice as many at each level.
fn positions(level: Level) -> u32 {
    POSITIONS << level.get()
}

/// How often in a hundred the weaker levels play whatever comes to mind.
const CARELESS: [u32; 10] = [40, 30, 20, 12, 6, 0, 0, 0, 0, 0];

/// A move without a thought, now and then.
fn careless<R: Rules>(position: &R, seat: Seat, level: Level, dice: &mut Dice) -> Option<R::Move> {
    let is_careless = dice.below(100) < CARELESS[usize::from(level.get()) - 1];
    if is_careless { any(&position.legal(seat), dice).cloned() } else { None }
}

/// One of these, all being equally likely.
fn any<'a, T>(things: &'a [T], dice: &mut Dice) -> Option<&'a T> {
    things.get(dice.below(things.len() as u32) as usize)
}

impl Computer for EvenOdd {}
impl Computer for Parity {}

type Play = fn(&Record, Seat, Level, &mut Dice) -> Option<String>;

/// Who plays what.
const PLAYERS: &[(&str, Play)] = &[
    player::<ConnectFour>(),
    player::<EvenOdd>(),
    player::<Gomoku>(),
    player::<Hex>(),
    player::<Kuhn>(),
    player::<Leduc>(),
    player::<Matrix>(),
    player::<Nim>(),
    player::<Othello>(),
    player::<Parity>(),
    player::<TicTacToe>(),
];

const fn player<R: Computer>() -> (&'static str, Play) {
    (R::KIND, |record, seat, level, dice| {
        let position: R = record.imagine(seat, dice)?;
        position.choose(seat, level, dice).map(|mv| position.write(&mv))
    })
}

/// The computer's move for `seat`, with luck of its own; none where it has no move, or the kind does
/// not say what may be guessed.
pub fn choose(record: &Record, seat: Seat, level: Level, luck: u64) -> Option<String> {
    let own = PLAYERS.iter().find(|(kind, _)| *kind == record.kind().name);
    let play = own.map_or(any::choose as Play, |(_, play)| *play);
    play(record, seat, level, &mut Dice::new(luck, 0))
}
