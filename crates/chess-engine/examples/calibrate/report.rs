//! The table people read.

use std::collections::BTreeMap;
use std::fmt::Write;

use chess_engine::EngineLevel;

use crate::fit::{Rating, Results};
use crate::player::Who;

/// Levels that were not measured keep the rows they had.
pub fn table(results: &Results, ratings: &BTreeMap<Who, Rating>, before: &str) -> String {
    let mut text = String::from("| level | rating | error | games | opponents |\n");
    text += "| ---: | ---: | ---: | ---: | --- |\n";
    for level in EngineLevel::ALL {
        let who = Who::EngineLevel(level);
        let Some(rating) = ratings.get(&who) else {
            text += &kept(before, &format!("| {} |", level.get()), "\n");
            continue;
        };
        let (games, opponents) = met(results, who);
        writeln!(
            text,
            "| {} | {:.0} | ±{:.0} | {games} | {opponents} |",
            level.get(),
            rating.value,
            rating.error
        )
        .expect("text takes text");
    }
    text
}

/// What stood between two words, both included.
fn kept(before: &str, from: &str, to: &str) -> String {
    let found = before.find(from).map(|start| &before[start..]);
    found.and_then(|rest| rest.split_inclusive(to).next()).unwrap_or_default().to_owned()
}

/// How many games, and how each opponent was scored against.
fn met(results: &Results, who: Who) -> (u32, String) {
    let mut games = 0;
    let mut opponents = Vec::new();
    for (&(first, second), score) in results {
        let (other, halves) = match who {
            _ if who == first => (second, score.halves),
            _ if who == second => (first, 2 * score.games - score.halves),
            _ => continue,
        };
        games += score.games;
        let percent = f64::from(halves) * 50.0 / f64::from(score.games);
        opponents.push(format!("{} {percent:.0} % of {}", other.name(), score.games));
    }
    (games, opponents.join(", "))
}

/// Who play for the one line that says how strong level 10 is.
pub fn line() -> (Who, Who) {
    (Who::EngineLevel(EngineLevel::ALL[9]), Who::Stockfish(7))
}

/// Level 10 against an engine of about 2500.
fn strength(results: &Results, before: &str) -> String {
    let Some(score) = results.get(&line()) else {
        return kept(before, "Level 10 in one line", "\n\n");
    };
    let games = f64::from(score.games);
    let part = f64::from(score.halves) / 2.0 / games;
    // Were every game decided it would be the first term; each drawn one takes a quarter off.
    let variance = part * (1.0 - part) - f64::from(score.draws) / games / 4.0;
    format!(
        "Level 10 in one line: {:.1} % ±{:.1} of {} games against Stockfish 15.1 at `Skill Level` 7\n\
         (about 2500) and depth 9, {} drawn, at about half a second a move.\n\n",
        part * 100.0,
        196.0 * (variance / games).sqrt(),
        score.games,
        score.draws,
    )
}

/// Others who were measured on the way.
fn others(ratings: &BTreeMap<Who, Rating>) -> String {
    let others = ratings.iter().filter(|(who, _)| !matches!(who, Who::EngineLevel(_)));
    let others: Vec<String> = others
        .map(|(who, rating)| format!("{} {:.0} ±{:.0}", who.name(), rating.value, rating.error))
        .collect();
    others.join(", ")
}

/// They are measured elsewhere and stay as they are.
fn other_games(before: &str) -> &str {
    before.find("## Other games").map_or("", |start| &before[start..])
}

/// `before` is the page so far.
pub fn page(
    results: &Results,
    ratings: &BTreeMap<Who, Rating>,
    machine: &str,
    before: &str,
) -> String {
    let games: u32 = results.values().map(|score| score.games).sum();
    format!(
        "# The levels of the computer\n\n\
         ## Chess\n\n\
         Written by `make calibrate`; do not edit by hand.\n\n\
         Ratings are on the scale of Stockfish's own skill table (CCRL blitz, as its maintainers\n\
         measured it in January 2023). They are not comparable with ratings of Lichess, chess.com\n\
         or FIDE. The error is half of the 95 % interval.\n\n\
         {}\n\
         {}\
         How it was measured: {games} games from 8-ply openings balanced by the engine's own\n\
         judgement (without those of levels that have not changed since they were measured),\n\
         each played with both colours. Opponents are Stockfish 15.1 at `Skill Level` s\n\
         and depth s + 2, whose ratings are taken as given (0 is 1320, 7 is 2500), Fairy-Stockfish\n\
         11.1 at depth 5 and a random mover; the ratings of all but Stockfish are those that\n\
         explain all results best (maximum likelihood), with what 7,535 games before them had found\n\
         of these opponents. Levels are not rated by games among\n\
         themselves, which exaggerate the differences. A level is a number of positions looked at,\n\
         so its strength does not depend on the machine. From level 7 up a game is broken off when\n\
         the level itself has seen a lead of seven pawns, or none at all late in the game, for\n\
         several moves.\n\n\
         Measured on the way: {}.\n\n\
         Machine: {machine}.\n\n\
         To repeat it: `apt-get install stockfish fairy-stockfish`, then `make calibrate`, which\n\
         takes up where it was left and forgets the games of a level that plays differently now.\n\n\
         {}",
        table(results, ratings, before),
        strength(results, before),
        others(ratings),
        other_games(before),
    )
}
