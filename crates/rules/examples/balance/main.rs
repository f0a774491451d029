//! Plays many dungeons by several policies and prints how often each wins.
//!
//!     cargo run --release -p rules --example balance [games] [first seed]
//!
//! Every policy plays through a record and its view, so it knows what a caller of the tools may
//! know and nothing else. Where to go is in `explorer`, how to fight in `fighter`.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

mod explorer;
mod fighter;

use explorer::Explorer;
use fighter::{Chance, Style};
use rules::{
    Eye, Record,
    dungeon::{Dungeon, HERO, Status, View},
    kind,
};

/// A game that takes longer than this counts as lost.
const PATIENCE: usize = 600;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Weighs every fight, drinks in time, flees when losing, explores all before the boss.
    Careful(Tools),
    /// Drinks at 45 % of its health, never flees, explores all before the boss.
    Thumb(Tools),
    /// Explores and loots everything, only ever attacks.
    Looter,
    /// Walks at random, only ever attacks, picks things up half the time.
    Walker,
    /// Looks for the key and goes to the boss, only ever attacks.
    Straight,
    /// Any legal move but saving and loading.
    Random,
}

/// Whether a policy plays with the seed's five tools or with all of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tools {
    Core,
    All,
}

const POLICIES: [(Policy, &str); 8] = [
    (Policy::Careful(Tools::All), "Careful, all tools"),
    (Policy::Careful(Tools::Core), "Careful, five core tools"),
    (Policy::Thumb(Tools::All), "Rule of thumb, all tools"),
    (Policy::Thumb(Tools::Core), "Rule of thumb, five core tools"),
    (Policy::Looter, "Explores and loots everything, only attacks"),
    (Policy::Walker, "Random walk, only attacks, loots half the time"),
    (Policy::Straight, "Straight to the key and the boss"),
    (Policy::Random, "Any legal action"),
];

struct Played {
    won: bool,
    calls: usize,
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a whole number"));
    let games: u64 = arguments.next().unwrap_or(2000);
    let first: u64 = arguments.next().unwrap_or(1);
    println!("| Policy | wins | standard error | calls (median) |");
    println!("|---|---|---|---|");
    for (policy, name) in POLICIES {
        let mut played = play_all(policy, first, games);
        let wins = played.iter().filter(|game| game.won).count() as f64 / games as f64;
        let error = (wins * (1.0 - wins) / games as f64).sqrt();
        played.sort_by_key(|game| game.calls);
        let median = played[played.len() / 2].calls;
        println!("| {name} | {:.1} % | {:.1} | {median} |", 100.0 * wins, 100.0 * error);
    }
}

/// Half of the games on either core.
fn play_all(policy: Policy, first: u64, games: u64) -> Vec<Played> {
    let halves = [(first, first + games / 2), (first + games / 2, first + games)];
    std::thread::scope(|scope| {
        let threads = halves.map(|(from, to)| {
            scope.spawn(move || (from..to).map(|seed| play(policy, seed)).collect::<Vec<_>>())
        });
        threads.into_iter().flat_map(|thread| thread.join().expect("no game panics")).collect()
    })
}

fn play(policy: Policy, seed: u64) -> Played {
    let kind = kind("dungeon").expect("it is one of the kinds");
    let mut record = Record::start(kind, "{}", seed).expect("every seed makes a dungeon");
    let mut chance = Chance::new(seed);
    let mut explorer = Explorer::default();
    for calls in 0..PATIENCE {
        let view: View = record.view::<Dungeon>(Eye::Seat(HERO)).expect("it is a dungeon");
        if view.ending.is_some() {
            return Played { won: view.status == Status::Victory, calls };
        }
        let text = choose(policy, &view, &mut explorer, &mut chance);
        let step = record.step(HERO, &text).unwrap_or_else(|e| panic!("{seed}: {text}: {e}"));
        record.take(step);
    }
    Played { won: false, calls: PATIENCE }
}

fn choose(policy: Policy, view: &View, explorer: &mut Explorer, chance: &mut Chance) -> String {
    let style = match policy {
        Policy::Careful(tools) => Style::Weighing(tools),
        Policy::Thumb(tools) => Style::Thumb(tools),
        Policy::Random => return any(view, chance),
        _ => Style::Attacking,
    };
    if view.status == Status::InCombat {
        let text = fighter::fight(style, view, explorer.may_flee(view), chance);
        if text == "flee" {
            explorer.fears(view);
        }
        return text;
    }
    match policy {
        Policy::Walker => wander(view, chance),
        Policy::Straight => explorer.next(view, None, false),
        Policy::Looter => explorer.next(view, None, true),
        Policy::Careful(tools) | Policy::Thumb(tools) => explorer.next(view, Some(tools), true),
        Policy::Random => unreachable!("it has moved"),
    }
}

fn any(view: &View, chance: &mut Chance) -> String {
    let moves: Vec<String> = view
        .actions
        .iter()
        .map(ToString::to_string)
        .filter(|text| !text.starts_with("save") && !text.starts_with("load"))
        .collect();
    moves[chance.below(moves.len())].clone()
}

fn wander(view: &View, chance: &mut Chance) -> String {
    let of = |verb: &str| -> Vec<String> {
        let moves = view.actions.iter().map(ToString::to_string);
        moves.filter(|text| text.starts_with(verb)).collect()
    };
    let (take, go) = (of("take"), of("go"));
    if !take.is_empty() && chance.below(2) == 0 {
        return take[0].clone();
    }
    go[chance.below(go.len())].clone()
}
