//! What must hold in every dungeon and cannot be seen, or set up, from outside.

mod choices;
mod endings;
mod examples;
mod fights;
mod manners;
mod people;
mod secrets;
mod texts;
mod themes;
mod worlds;

use serde_json::Value;

use super::{
    tables::{Breed, breed},
    *,
};

/// Monsters for tests, with no manners of their own.
static RAT: Breed = breed("Giant Rat", [7, 0, 0], [12, 2], &[]);
static KOBOLD: Breed = breed("Kobold", [10, 2, 0], [18, 5], &[]);
static SKELETON: Breed = breed("Skeleton", [18, 3, 2], [40, 8], &[]);
static ORC: Breed = breed("Orc", [28, 5, 2], [65, 18], &[]);
static CHIEFTAIN: Breed = breed("Orc Chieftain", [55, 6, 3], [200, 100], &[]).boss();

/// The seed decides the theme and the difficulty.
fn begin(seed: u64) -> Dungeon {
    let difficulty = Some(Difficulty::ALL[(seed % 3) as usize]);
    start(&Setup { difficulty, ..Setup::default() }, seed)
}

/// Of the usual difficulty.
fn themed(theme: Theme, seed: u64) -> Dungeon {
    start(&Setup { theme: Some(theme), ..Setup::default() }, seed)
}

fn start(setup: &Setup, seed: u64) -> Dungeon {
    Dungeon::start(setup, &mut Dice::new(seed, 0)).expect("every seed will do")
}

fn play(dungeon: &mut Dungeon, text: &str, dice: &mut Dice) -> Value {
    let mv = dungeon.parse(HERO, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    serde_json::to_value(dungeon.play(&[(HERO, mv)], dice)).unwrap()
}

/// Dice that will fall like this when the hero next needs some; the state is told to use them.
fn loaded(dungeon: &mut Dungeon, faces: &[u8]) -> Dice {
    let falls = |turn: &u32| {
        let mut dice = Dice::new(9, *turn);
        faces.iter().all(|face| dice.die() == *face)
    };
    let turn = (1..).find(falls).expect("luck has no end");
    dungeon.now.luck = turn - 1;
    Dice::new(9, 1)
}

/// Which of its moves a wanderer likes how much: he gets about, and sees everything.
fn liking(mv: &Move) -> u32 {
    match mv {
        Move::Go(_) => 8,
        Move::Attack(_) => 12,
        Move::Take(_) => 20,
        Move::Save(_) | Move::Load(_) => 1,
        _ => 2,
    }
}

/// Where a wanderer is after so many steps.
fn wandered(seed: u64, steps: u32) -> Dungeon {
    let mut last = None;
    wander(seed, steps, |dungeon, _| last = Some(dungeon.clone()));
    last.expect("he starts somewhere")
}

/// Plays at random with a hero who cannot die, and shows every state on the way.
fn wander(seed: u64, steps: u32, mut show: impl FnMut(&Dungeon, &str)) {
    let mut dungeon = begin(seed);
    let mut whim = Dice::new(seed, u32::MAX);
    show(&dungeon, "");
    for step in 1..=steps {
        let legal = dungeon.legal(HERO);
        if legal.is_empty() {
            break;
        }
        let mut left = whim.below(legal.iter().map(liking).sum());
        let wish = |mv: &&Move| {
            let weight = liking(mv);
            left.checked_sub(weight).map(|less| left = less).is_none()
        };
        let mv = legal.iter().find(wish).expect("one of them").clone();
        dungeon.now.hero.hp = dungeon.now.hero.hp.max(dungeon.now.hero.max_hp() - 3);
        let Ok(mv) = dungeon.parse(HERO, &mv.to_string()) else { continue };
        let report = dungeon.play(&[(HERO, mv)], &mut Dice::new(seed, step));
        show(&dungeon, &serde_json::to_string(&report).unwrap());
    }
}
