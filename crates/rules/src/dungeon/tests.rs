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
mod transcripts;
mod worlds;

use std::fmt;

use serde_json::Value;

use super::*;

fn dungeon(seed: u64) -> Dungeon {
    Dungeon::start(1, &Setup::default(), &mut Dice::new(seed, 0)).expect("every seed will do")
}

/// A dungeon to look at: a version of the rules and a seed.
#[derive(Clone, Copy)]
struct Run {
    version: u32,
    seed: u64,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} under version {}", self.seed, self.version)
    }
}

/// The first seeds under every version.
fn runs(seeds: u64) -> impl Iterator<Item = Run> {
    (0..seeds).flat_map(|seed| [1, THEMED].map(|version| Run { version, seed }))
}

/// Under the newer rules as hard as the seed will have it.
fn begin(run: Run) -> Dungeon {
    let difficulty = Some(Difficulty::ALL[(run.seed % 3) as usize]);
    let setup = Setup { difficulty, ..Setup::default() };
    Dungeon::start(run.version, &setup, &mut Dice::new(run.seed, 0)).expect("every seed will do")
}

/// A themed dungeon, of the usual difficulty.
fn themed(theme: Theme, seed: u64) -> Dungeon {
    let setup = Setup { theme: Some(theme), ..Setup::default() };
    Dungeon::start(THEMED, &setup, &mut Dice::new(seed, 0)).expect("every seed will do")
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

fn picture(dungeon: &Dungeon) -> String {
    let luck = dungeon.now.luck;
    serde_json::to_string(&(luck, dungeon.now.steps, dungeon.view(Eye::Public))).unwrap()
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
fn wandered(run: Run, steps: u32) -> Dungeon {
    let mut last = None;
    wander(run, steps, |dungeon, _| last = Some(dungeon.clone()));
    last.expect("he starts somewhere")
}

/// Plays at random with a hero who cannot die, and shows every state on the way.
fn wander(run: Run, steps: u32, mut show: impl FnMut(&Dungeon, &str)) {
    let mut dungeon = begin(run);
    let seed = run.seed;
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
