//! What a player thinks of half a point, over positions that another engine has judged.

use std::sync::atomic::AtomicBool;

use chess_engine::{Prospect, Searcher, may_be_dead};
use shakmaty::{CastlingMode, Chess, fen::Fen};

/// Lines of kind, centipawns seen by the side to move, FEN. Chosen from games of Stockfish 15.1
/// against itself with some moves at random, and from endings set up at random; it judged them the
/// same at two depths.
const POSITIONS: &str = include_str!("../suites/prospects.txt");

fn positions(kind: &str) -> impl Iterator<Item = (Chess, &'static str)> {
    let rows = POSITIONS.lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
    rows.filter_map(move |row| {
        let (of, rest) = row.split_once(' ').expect("a kind");
        let (_, fen) = rest.split_once(' ').expect("a score");
        let read: Fen = fen.parse().expect("a fen");
        let position = read.into_position(CastlingMode::Standard).expect("a position");
        (of == kind).then_some((position, fen))
    })
}

/// Of so many positions of this kind, those that are not as they must be.
fn exceptions(kind: &str, least: usize, holds: impl Fn(Prospect) -> bool) -> Vec<String> {
    let mut searcher = Searcher::new();
    assert!(positions(kind).count() >= least, "{kind}");
    positions(kind)
        .filter_map(|(position, fen)| {
            let prospect = searcher.prospect(&position, &[], true, &AtomicBool::new(false));
            let prospect = prospect.expect("nobody stopped it");
            (!holds(prospect)).then(|| format!("{fen}: {prospect:?}"))
        })
        .collect()
}

#[track_caller]
fn all(kind: &str, least: usize, holds: impl Fn(Prospect) -> bool) {
    let exceptions = exceptions(kind, least, holds);
    assert!(exceptions.is_empty(), "{kind}:\n{}", exceptions.join("\n"));
}

/// Two hundred positions in four tests, which can go on at once.
fn plays_on(prospect: Prospect) -> bool {
    !prospect.welcomes_draw() && !prospect.is_hopeless()
}

#[test]
fn nobody_gives_a_draw_who_is_winning() {
    all("winning", 40, plays_on);
}

#[test]
fn nobody_gives_a_draw_who_stands_better() {
    all("better", 60, plays_on);
}

#[test]
fn nobody_gives_a_draw_where_there_is_something_to_play_for() {
    all("level", 70, plays_on);
}

#[test]
fn nobody_gives_a_draw_who_can_still_fight() {
    all("fighting", 30, plays_on);
}

#[test]
fn whoever_is_lost_is_glad_of_a_draw() {
    all("lost", 40, Prospect::welcomes_draw);
}

#[test]
fn the_hopeless_know_it() {
    all("hopeless", 40, |prospect| prospect.is_hopeless() && prospect.welcomes_draw());
}

#[test]
fn who_cannot_win_takes_a_draw() {
    let mut searcher = Searcher::new();
    for (fen, takes) in [
        // The mover has a king, a bishop, two knights; or pawns that nobody gets past.
        ("8/8/8/8/p7/k7/8/K7 w - - 0 60", true),
        ("B7/8/8/3K4/8/3k4/3r4/8 w - - 0 60", true),
        ("8/8/8/3k4/8/3K4/p7/1N4N1 w - - 0 60", true),
        ("4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 60", true),
        // Two bishops, a rook; a wall with a hole in it, or with a pawn to take.
        ("8/8/8/3k4/8/3K4/8/1B4B1 w - - 0 60", false),
        ("8/8/8/3k4/8/3K4/8/R7 w - - 0 60", false),
        ("4k3/8/p1p1p3/P1P1P3/6K1/8/8/8 w - - 0 60", false),
    ] {
        let read: Fen = fen.parse().expect("a fen");
        let position: Chess = read.into_position(CastlingMode::Standard).expect("a position");
        let prospect = searcher.prospect(&position, &[], true, &AtomicBool::new(false));
        assert_eq!(prospect.expect("nobody stopped it").welcomes_draw(), takes, "{fen}");
    }
}

#[test]
fn dead_positions_are_known_by_both_sides() {
    all("dead", 20, |prospect| prospect.dead && prospect.welcomes_draw());
    assert!(positions("dead").all(|(position, _)| may_be_dead(&position)));
    let mut searcher = Searcher::new();
    for (position, fen) in positions("dead") {
        let other = searcher.prospect(&position, &[], false, &AtomicBool::new(false));
        assert!(other.is_some_and(|other| other.dead), "{fen}");
    }
}
