//! The table of a league, and what separates those who are equal in points.

use rules::{
    Eye, MatchVerdict, Record,
    league::{Event, League, MANAGER, MatchView, Setup, Standing},
};

use crate::league::{begin, end, play, running, view};

/// The match of two players, whichever of them is Odd.
fn find(record: &Record, one: usize, other: usize) -> MatchView {
    let (one, other) = (format!("P{one:02}"), format!("P{other:02}"));
    let mut all = view(record).rounds().flat_map(|round| round.matches).collect::<Vec<_>>();
    all.retain(|found| {
        let both = [found.player_a.to_string(), found.player_b.to_string()];
        both.contains(&one) && both.contains(&other)
    });
    all.pop().unwrap_or_else(|| panic!("{one} and {other} do not meet"))
}

/// `results` are like `1-2 3:1`; who forfeited has a minus, `0:2-`.
fn league(players: usize, results: &str) -> Record {
    let mut record = running(&Setup::default(), players);
    for line in results.split(',').map(str::trim).filter(|line| !line.is_empty()) {
        let (pair, score) = line.split_once(' ').unwrap();
        let (one, other) = pair.split_once('-').unwrap();
        let (one, other): (usize, usize) = (one.parse().unwrap(), other.parse().unwrap());
        let (mine, theirs) = score.split_once(':').unwrap();
        let mut verdict = MatchVerdict {
            scores: [mine, theirs].map(|n| n.trim_end_matches('-').parse().unwrap()),
            forfeits: [mine, theirs].map(|n| n.ends_with('-')),
        };
        let found = find(&record, one, other);
        if found.player_a.to_string() != format!("P{one:02}") {
            verdict.scores.reverse();
            verdict.forfeits.reverse();
        }
        play(&mut record, &begin(found.match_id));
        let event = end(&view(&record), found.match_id, verdict);
        play(&mut record, &event);
    }
    record
}

fn line(standing: &Standing) -> String {
    let decided = serde_json::to_value(standing.decided_by).unwrap();
    let decided = decided.as_str().unwrap_or("-").to_owned();
    format!("{} {} {}", standing.rank, standing.player_id, decided)
}

/// The first lines of the table: rank, player, and what separates them from the line above.
fn check(players: usize, results: &str, expected: &[&str]) {
    let standings = view(&league(players, results)).standings();
    let lines: Vec<_> = standings.iter().map(line).take(expected.len()).collect();
    assert_eq!(lines, expected, "{results}");
}

#[test]
fn what_decides() {
    check(4, "2-1 3:0, 2-3 3:0, 3-1 3:0", &["1 P02 -", "2 P03 points"]);
    check(6, "1-3 2:2, 1-4 2:2, 1-5 2:2, 2-6 3:2", &["1 P02 -", "2 P01 wins"]);
    check(4, "2-1 3:2, 1-3 3:0", &["1 P02 -", "2 P01 head-to-head"]);
    check(6, "1-3 3:2, 2-4 3:0, 3-5 2:2", &["1 P01 -", "2 P02 Sonneborn-Berger"]);
    check(4, "1-3 3:2, 2-4 3:0", &["1 P02 -", "2 P01 round difference"]);
}

#[test]
fn whom_only_the_lot_separates_share_a_rank() {
    let standings = view(&league(4, "1-3 3:0, 2-4 3:0")).standings();
    let ranks: Vec<_> = standings.iter().map(|standing| standing.rank).collect();
    assert_eq!(ranks, [1, 1, 3, 3]);
    let lines: Vec<_> = standings.iter().map(line).collect();
    assert!(lines[1].ends_with("lot") && lines[2].ends_with("points"), "{lines:?}");
    assert!(lines[3].ends_with("lot"), "{lines:?}");
}

#[test]
fn the_lot_is_drawn_once_and_differently_in_every_league() {
    let order = |seed| {
        let setup = serde_json::to_string(&Setup::default()).unwrap();
        let mut record = Record::start(rules::kind("league").unwrap(), &setup, seed).unwrap();
        for n in 0..6 {
            play(&mut record, &crate::league::register(&format!("N{n}")));
        }
        play(&mut record, &Event::Start);
        let standings = view(&record).standings();
        assert!(standings.iter().all(|standing| standing.rank == 1));
        standings.iter().map(|standing| standing.player_id.to_string()).collect::<String>()
    };
    assert_eq!(order(3), order(3));
    let different: std::collections::HashSet<_> = (0..50).map(order).collect();
    assert!(different.len() > 40, "{}", different.len());
}

#[test]
fn the_tied_are_compared_again_when_they_are_fewer() {
    // All of 1 to 4 have two wins. Among them 1 took six points, 2 and 3 took three, 4 none; of 2
    // and 3 the former won.
    let results = "1-2 3:0, 1-3 3:0, 2-3 3:2, 3-4 3:0, 2-5 3:0, 3-6 3:0, 4-7 3:0, 4-8 3:0";
    let decided = "head-to-head";
    check(
        8,
        results,
        &[
            "1 P01 -",
            &format!("2 P02 {decided}"),
            &format!("3 P03 {decided}"),
            &format!("4 P04 {decided}"),
        ],
    );
    // A circle says nothing about who is better, so the rounds decide.
    check(
        4,
        "1-2 3:0, 2-3 3:0, 3-1 3:1",
        &["1 P01 -", "2 P02 round difference", "3 P03 round difference", "4 P04 points"],
    );
    // They put 1 first; and of 2 and 3, who are left, the former won.
    check(
        4,
        "1-2 3:0, 2-3 3:1, 3-1 3:2",
        &["1 P01 -", "2 P02 round difference", "3 P03 head-to-head", "4 P04 points"],
    );
}

#[test]
fn a_forfeit_counts_in_points_and_in_nothing_finer() {
    let record = league(6, "1-3 2:1-, 2-4 3:2, 3-5 2:2, 1-5 1-:0-");
    let standings = view(&record).standings();
    let of = |id: &str| standings.iter().find(|s| s.player_id.to_string() == id).unwrap();
    let (one, two, three, five) = (of("P01"), of("P02"), of("P03"), of("P05"));
    assert_eq!((one.played, one.wins, one.losses, one.points, one.forfeits), (2, 1, 1, 3, 1));
    assert_eq!((one.sonneborn_berger, one.rounds_won, one.rounds_lost), (0.0, 0, 0));
    assert_eq!((one.rating, one.deviation), (Some(1500.0), Some(350.0)), "as before");
    assert_eq!((three.played, three.draws, three.losses, three.forfeits), (2, 1, 1, 1));
    assert_eq!((five.played, five.draws, five.losses, five.forfeits), (2, 1, 1, 1));
    assert_eq!(five.sonneborn_berger, 0.5, "half of the point that 3 has");
    assert_eq!(line(one), "2 P01 round difference", "{two:?}");
    assert!(two.rating > Some(1500.0) && two.deviation < Some(350.0));
}

#[test]
fn everyone_is_listed_before_anything_is_played() {
    let record = crate::league::open(&Setup::default(), 3);
    let lines: Vec<_> = view(&record).standings().iter().map(line).collect();
    assert_eq!(lines, ["1 P01 -", "1 P02 -", "1 P03 -"]);
    assert!(view(&crate::league::open(&Setup::default(), 0)).standings().is_empty());
}

#[test]
fn a_line_has_the_names_of_the_wire() {
    let record = league(2, "1-2 3:1");
    let standing = &view(&record).standings()[0];
    let written = serde_json::to_string(standing).unwrap();
    let expected = r#"{"rank":1,"player_id":"P01","display_name":"Player 1","played":1,"wins":1,"draws":0,"losses":0,"points":3,"forfeits":0,"rounds_won":3,"rounds_lost":1,"sonneborn_berger":0.0,"rating":1662.31,"deviation":290.32,"decided_by":null}"#;
    assert_eq!(written, expected);
}

#[test]
fn the_outcome_names_the_winners() {
    let text = |players, results| {
        let record = league(players, results);
        let text = record.due().outcome().map(|outcome| outcome.text.clone());
        (text.unwrap_or_else(|| panic!("{results} is not over")), view(&record).champions())
    };
    let (one, champions) = text(3, "1-2 3:1, 1-3 3:0, 2-3 3:0");
    assert_eq!(one, "P01 Player 1 wins the league with 6 points");
    assert_eq!(champions.len(), 1);
    let (shared, champions) = text(2, "1-2 0-:0-");
    assert!(shared.ends_with("share the league with 0 points"), "{shared}");
    assert!(shared.contains("P01 Player 1") && shared.contains("P02 Player 2"), "{shared}");
    assert_eq!(champions.len(), 2);
    let (shared, champions) = text(3, "1-2 3:0, 2-3 3:0, 3-1 3:0");
    assert_eq!(shared, "3 players share the league with 3 points");
    assert_eq!(champions.len(), 3);
    let record = league(3, "1-2 3:0");
    assert!(view(&record).champions().is_empty(), "nobody has won yet");
}

#[test]
fn luck_is_not_rated() {
    let setup = Setup { game: rules::league::LeagueKind::PARITY, ..Setup::default() };
    let record = running(&setup, 2);
    let standing = &record.view::<League>(Eye::Seat(MANAGER)).unwrap().standings()[0];
    assert_eq!((standing.rating, standing.deviation), (None, None));
}
