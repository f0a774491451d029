//! What docs/levels.md says of every game but chess.

use std::{fmt::Write, fs, path::Path};

use players::{Found, Level, Style, levels, measured, outside};
use rules::{KINDS, Kind, matrix::StageGame};

/// What comes before it is about chess, and written by `make calibrate` alone.
const HERE: &str = "## Other games\n";

const ABOUT: &str = "
Made by a test from what `make calibrate GAME=othello` and its like have measured; do not edit.

Random play is rated 0 in every game; ratings of different games have nothing to do with each other.
Each level has played the one below it and the weakest has played at random, seats exchanged after the
same opening; where it is named under a table, OpenSpiel's player by Monte Carlo tree search
(`pyspiel.MCTSBot`) has played some of them too. The ratings are those that explain all results best
(maximum likelihood). Games among levels exaggerate differences: it is the order that counts, and that no
step is smaller than its error. Errors are half of the 95 % interval. A level is an amount of work, so its
strength does not depend on the machine; the weaker ones also play whatever comes to mind now and then.

Liar's dice is measured by two with five dice each, who both play either's dice. One round is mostly luck, so
its levels are few and near each other.

A game has as many levels as can be told apart. Whoever asks for a higher one than there is meets the
highest.

What was played is kept in `crates/players/examples/levels/played.txt`. Which games those are follows from
their number alone, so that whoever plays as many again finds the same.

Openings: where nothing is left to chance, `make calibrate` has the first moves drawn, 8 in Othello and 4
elsewhere (tic-tac-toe is too short for that). They favour nobody much: over 200 openings with the level below
the highest on both sides, the first player scored 56.5 % in Breakthrough, 50.2 % in connect four, 49.0 % in
gomoku, 53.0 % in Hex and 50.0 % in Othello, each ±7. Four moves of Othello lead to sixty positions only, which White mostly won, and an
odd number in gomoku favours White. To repeat it:
`cargo run --release -p players --example openings -- othello 200 6`.

Outside judges: by `make oracle` in November 2026 the highest level scored 96 of 100 points in connect
four, 100 in Othello and 96 in Hex on 7 x 7 cells against `pyspiel.MCTSBot` with 1,000 simulations a
move, seats exchanged, and let go none of 200 won positions of connect four against a perfect player
(the crate `connect-four-ai`). By OpenSpiel's own measure 0.00009 chips a hand can be won from the highest
level of Kuhn poker, and 0.00025 in Leduc poker.
";

/// `docs/levels.md` is written by this test (`AGON_WRITE_DOCS=1`) and checked by it, so that it cannot
/// drift.
#[test]
fn documents_the_levels_of_every_game_are_those_that_were_measured() {
    let mut text = format!("{HERE}{ABOUT}");
    let has_levels = |kind: &&Kind| kind.card.is_some() && levels(kind.name).count() != 10;
    let rated = |kind: &&Kind| !measured(kind.name).is_empty();
    for kind in KINDS.iter().filter(|kind| rated(kind) || has_levels(kind)) {
        let title = kind.card.expect("who has levels has a card").title;
        let _ = writeln!(text, "\n### {title}\n");
        describe(&mut text, kind);
    }
    let _ = writeln!(text, "\n### Repeated matrix game\n\n{}", styles());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/levels.md");
    let before = fs::read_to_string(&path).unwrap();
    let chess = before.split(HERE).next().unwrap_or_default().trim_end();
    let text = format!("{chess}\n\n{}\n", text.trim_end());
    if std::env::var_os("AGON_WRITE_DOCS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/levels.md is old; run `make docs`");
}

fn describe(text: &mut String, kind: &Kind) {
    let rows = measured(kind.name);
    let _ = match rows.first().map(|row| row.found) {
        None => writeln!(text, "One level: what the other will do is anybody's guess."),
        Some(Found::Rating { .. }) => writeln!(
            text,
            "| level | rating | error | step | its error | games |\n\
             | ---: | ---: | ---: | ---: | ---: | ---: |"
        ),
        Some(Found::Chips { .. }) => writeln!(
            text,
            "Not by games, in which luck decides most, but by calculation.\n\n\
             | level | chips a hand that can be won from it | that it wins from random play |\n\
             | ---: | ---: | ---: |"
        ),
    };
    for row in rows {
        let level = row.level.get();
        let _ = match row.found {
            Found::Rating { rating, error, step, step_error, games } => {
                writeln!(
                    text,
                    "| {level} | {rating} | ±{error} | {step} | ±{step_error} | {games} |"
                )
            }
            Found::Chips { lost, won } => writeln!(text, "| {level} | {lost:.5} | {won:.3} |"),
        };
    }
    let others = outside(kind.name);
    if !others.is_empty() {
        let others: Vec<_> = others
            .iter()
            .map(|(simulations, rating, error)| {
                format!("{rating} ±{error} with {simulations} simulations a move")
            })
            .collect();
        let _ = writeln!(text, "\nOpenSpiel's player: {}.", others.join(", "));
    }
}

/// What each level of the matrix games is.
fn styles() -> String {
    let games = [StageGame::PrisonersDilemma, StageGame::StagHunt, StageGame::RockPaperScissors];
    let mut text = "Styles instead of levels, none of which is the strongest against all.\n\n\
        | level | prisoner's dilemma | stag hunt | rock-paper-scissors |\n\
        | ---: | --- | --- | --- |"
        .to_owned();
    for level in Level::all() {
        let names = games.map(|game| Style::of(game, level).name());
        let _ = write!(text, "\n| {} | {} |", level.get(), names.join(" | "));
    }
    text
}
