//! Plays many dungeons by several policies and prints how often each wins, whether every dungeon
//! can be won, and what is new to somebody who plays a third time.
//!
//!     cargo run --release -p rules --example balance [games] [first seed] [tables]
//!
//! The tables are some of `policies`, `difficulties`, `themes`, `deaths`, `search` and `third`; all, if none
//! is named. Every policy plays through a record and its view, so it knows what a caller of the
//! tools may know and nothing else. Where to go is in `explorer`, how to fight in `fighter`, what is
//! new in `novelty`.

#![expect(clippy::print_stdout, reason = "the tables are what this program is for")]

mod explorer;
mod fighter;
mod novelty;

use std::collections::HashMap;

use explorer::Explorer;
use fighter::{Chance, Style};
use rules::{
    Eye, Record,
    dungeon::{Difficulty, Dungeon, HERO, Setup, Status, Theme, View},
    kind,
};

/// A game that takes longer than this counts as lost.
const PATIENCE: usize = 600;
/// Whoever dies before has hardly begun.
const EARLY: usize = 20;
/// How often a search tries another line of play.
const TRIES: u64 = 90;

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

/// Which dungeons are played.
#[derive(Clone, Default)]
pub struct Sort {
    pub theme: Option<Theme>,
    pub difficulty: Option<Difficulty>,
}

pub struct Played {
    won: bool,
    dead: bool,
    ending: String,
    calls: usize,
    /// Told in all of it.
    characters: usize,
}

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let mut number = |otherwise: u64| {
        let given = arguments.next_if(|text| text.parse::<u64>().is_ok());
        given.map_or(otherwise, |text| text.parse().expect("it was looked at"))
    };
    let (games, first) = (number(2000), number(1));
    let named: Vec<String> = arguments.collect();
    let wanted = |name: &str| named.is_empty() || named.iter().any(|text| text == name);
    if wanted("policies") {
        heading("Policy, standard");
        for (policy, name) in POLICIES {
            line(name, policy, &Sort::default(), first, games);
        }
    }
    if wanted("difficulties") {
        heading("Careful, five core tools");
        for difficulty in Difficulty::ALL {
            let sort = Sort { difficulty: Some(difficulty), ..Sort::default() };
            line(difficulty.word(), Policy::Careful(Tools::Core), &sort, first, games);
        }
    }
    if wanted("themes") {
        heading("Careful, five core tools, standard");
        for theme in Theme::ALL {
            let sort = Sort { theme: Some(theme), ..Sort::default() };
            line(theme.word(), Policy::Careful(Tools::Core), &sort, first, games);
        }
    }
    if wanted("deaths") {
        deaths(first, games);
    }
    if wanted("search") {
        search(first, games.min(100));
    }
    if wanted("third") {
        novelty::table(first, games.min(300));
    }
}

fn heading(what: &str) {
    println!(
        "\n| {what} | wins | standard error | dead before turn {EARLY} | calls (median) | characters (median) |"
    );
    println!("|---|---|---|---|---|---|");
}

fn line(name: &str, policy: Policy, sort: &Sort, first: u64, games: u64) {
    let mut played = play_all(policy, sort, first, games);
    let share = |count: usize| count as f64 / games as f64;
    let wins = share(played.iter().filter(|game| game.won).count());
    let error = (wins * (1.0 - wins) / games as f64).sqrt();
    let early = share(played.iter().filter(|game| game.dead && game.calls < EARLY).count());
    played.sort_by_key(|game| game.characters);
    let characters = played[played.len() / 2].characters;
    played.sort_by_key(|game| game.calls);
    let calls = played[played.len() / 2].calls;
    println!(
        "| {name} | {:.1} % | {:.1} | {:.1} % | {calls} | {characters} |",
        100.0 * wins,
        100.0 * error,
        100.0 * early
    );
}

/// What the careful die of, the commonest first, and how the others are remembered.
fn deaths(first: u64, games: u64) {
    println!("\n| Theme | ends of {games} games, careful with five tools, standard |");
    println!("|---|---|");
    for theme in Theme::ALL {
        let sort = Sort { theme: Some(theme), ..Sort::default() };
        let mut counted: HashMap<String, usize> = HashMap::new();
        for game in play_all(Policy::Careful(Tools::Core), &sort, first, games) {
            let short = game.ending.split(" is no more").next().unwrap_or_default().to_owned();
            *counted.entry(short).or_default() += 1;
        }
        let mut counted: Vec<_> = counted.into_iter().collect();
        counted.sort_by_key(|(ending, times)| (std::cmp::Reverse(*times), ending.clone()));
        let told = counted.iter().map(|(ending, times)| format!("{times} {ending}"));
        println!("| {} | {} |", theme.word(), told.collect::<Vec<_>>().join("; "));
    }
}

/// Of how many dungeons some line of play wins: other whims, other lines.
fn search(first: u64, games: u64) {
    println!("\n| Won by some line of play, of {games} | gentle | standard | grim |");
    println!("|---|---|---|---|");
    for theme in Theme::ALL {
        let found = Difficulty::ALL.map(|difficulty| {
            let sort = Sort { theme: Some(theme), difficulty: Some(difficulty) };
            let won = |seed: &u64| {
                (0..TRIES).any(|whim| {
                    let policy = match whim % 3 {
                        0 | 1 => Policy::Careful(Tools::All),
                        _ => Policy::Careful(Tools::Core),
                    };
                    play(policy, &sort, *seed, whim, &mut |_| ()).won
                })
            };
            (first..first + games).filter(won).count()
        });
        println!("| {} | {} | {} | {} |", theme.word(), found[0], found[1], found[2]);
    }
}

/// Half of the games on either core.
fn play_all(policy: Policy, sort: &Sort, first: u64, games: u64) -> Vec<Played> {
    let halves = [(first, first + games / 2), (first + games / 2, first + games)];
    std::thread::scope(|scope| {
        let threads = halves.map(|(from, to)| {
            let one = move |seed| play(policy, sort, seed, 0, &mut |_| ());
            scope.spawn(move || (from..to).map(one).collect::<Vec<_>>())
        });
        threads.into_iter().flat_map(|thread| thread.join().expect("no game panics")).collect()
    })
}

/// One game; `whim` chooses among the lines of play that a policy would follow.
pub fn play(
    policy: Policy,
    sort: &Sort,
    seed: u64,
    whim: u64,
    look: &mut dyn FnMut(&View),
) -> Played {
    let kind = kind("dungeon").expect("it is one of the kinds");
    let setup = Setup { theme: sort.theme, difficulty: sort.difficulty, ..Setup::default() };
    let setup = serde_json::to_string(&setup).expect("a set-up can be written");
    let mut record = Record::start(kind, &setup, seed).expect("every seed makes a dungeon");
    let mut chance = Chance::new(seed + 7919 * whim);
    let whims = (whim > 0).then_some(whim as usize);
    let mut explorer = Explorer::new(whims);
    let mut characters = 0;
    for calls in 0..PATIENCE {
        let view: View = record.view::<Dungeon>(Eye::Seat(HERO)).expect("it is a dungeon");
        look(&view);
        if view.ending.is_some() {
            let won = view.status == Status::Victory;
            let ending = view.ending.unwrap_or_default();
            return Played { won, dead: !won, ending, calls, characters };
        }
        let text = choose(policy, &view, &mut explorer, &mut chance);
        let step = record.step(HERO, &text).unwrap_or_else(|e| panic!("{seed}: {text}: {e}"));
        // A room is told when it is entered, everything else by what it did.
        characters += step.turn().report.as_ref().map_or(0, String::len);
        characters += serde_json::to_string(&view.actions).map_or(0, |actions| actions.len());
        if text.starts_with("go") {
            characters += serde_json::to_string(&view.room).map_or(0, |room| room.len());
        }
        record.take(step);
    }
    Played { won: false, dead: false, ending: String::new(), calls: PATIENCE, characters }
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
