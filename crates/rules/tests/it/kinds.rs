//! Small games: how moves may be written, what is refused and why, how it ends.

mod shown;

use std::collections::BTreeMap;

use rules::{Dice, Due, Eye, Illegal, Record, Seat, kind};
use serde_json::Value;

/// A game of this kind after some moves.
fn played(name: &str, setup: &str, moves: &str) -> Record {
    let mut record = Record::start(kind(name).unwrap(), setup, 1).unwrap();
    for text in moves.split_whitespace() {
        let Due::One(seat) = record.due() else { panic!("it is over before {text}") };
        // Moves of several words are written as one here.
        let step =
            record.step(seat, text.replace('_', " ")).unwrap_or_else(|e| panic!("{text}: {e}"));
        record.take(step);
    }
    record
}

fn next(record: &Record) -> Seat {
    match record.due() {
        Due::One(seat) => seat,
        due => panic!("{due:?}"),
    }
}

#[test]
fn moves_are_read_as_players_write_them() {
    for (name, text, read) in [
        ("tic-tac-toe", "b2", "b2"),
        ("tic-tac-toe", " B2 ", "b2"),
        ("tic-tac-toe", "b 2", "b2"),
        ("tic-tac-toe", "**b2**.", "b2"),
        ("gomoku", "O15", "o15"),
        ("gomoku", "`h8`", "h8"),
        ("connect-four", "4", "4"),
        ("connect-four", " column 4!", "4"),
        ("nim", "3:2", "3:2"),
        ("nim", "3 : 2", "3:2"),
        ("kuhn-poker", "Bet", "bet"),
        ("kuhn-poker", "check", "pass"),
        ("othello", "D3", "d3"),
        ("othello", " f 5.", "f5"),
        ("hex", "K11", "k11"),
        ("leduc-poker", "Check!", "check"),
        ("matrix-game", "**Defect**", "defect"),
        ("breakthrough", "A2A3", "a2a3"),
        ("breakthrough", "a2-b3", "a2b3"),
        ("breakthrough", "`a2xb3`.", "a2b3"),
        ("breakthrough", "a2b3*", "a2b3"),
        ("breakthrough", "a2 to a3", "a2a3"),
        ("breakthrough", "a2 → a3", "a2a3"),
        ("liars-dice", "Fours x 3.", "fours x 3"),
        ("liars-dice", "3 fours", "fours x 3"),
        ("liars-dice", "three ones", "ones x 3"),
        ("liars-dice", "I bid 4 ones", "ones x 4"),
        ("liars-dice", "bid sixes x 10", "sixes x 10"),
    ] {
        let record = played(name, "{}", "");
        assert_eq!(record.check(Seat(0), text).as_deref(), Ok(read), "{name} {text:?}");
    }
}

#[test]
fn a_refusal_names_the_rule_and_what_would_be_right() {
    for (name, moves, text, broken, why, option) in [
        ("tic-tac-toe", "", "22", "NotASquare", "a1 to c3", "a1"),
        ("tic-tac-toe", "", "d1", "OffTheBoard", "a1 to c3", "c1"),
        ("tic-tac-toe", "", "a0", "NotASquare", "a1 to c3", "a1"),
        ("tic-tac-toe", "b2", "b2", "SquareTaken", "b2 is taken by X", "b3"),
        ("gomoku", "o15", "o15", "SquareTaken", "taken by Black", "n14"),
        ("gomoku", "", "p1", "OffTheBoard", "a1 to o15", "o1"),
        ("connect-four", "", "8", "NotAColumn", "from 1 to 7", "7"),
        ("connect-four", "", "0", "NotAColumn", "from 1 to 7", "1"),
        ("connect-four", "4 4 4 4 4 4", "4", "ColumnFull", "column 4 is full", "5"),
        ("nim", "", "two from 3", "NotAMove", "like 3:2", "1:1"),
        ("nim", "", "4:1", "NoSuchHeap", "heaps are 1 to 3", "3:7"),
        ("nim", "1:3", "1:1", "EmptyHeap", "heap 1 is empty", "2:1"),
        ("nim", "", "2:6", "WrongNumber", "1 to 5 stones", "2:5"),
        ("nim", "", "2:0", "WrongNumber", "1 to 5 stones", "2:1"),
        ("kuhn-poker", "", "raise 3", "NotAMove", "pass, or bet one chip", "bet"),
        ("kuhn-poker", "", "fold", "NotAMove", "pass, or bet one chip", "pass"),
        ("kuhn-poker", "bet", "check", "NotAMove", "pass folds, bet calls", "bet"),
        ("othello", "", "d4", "SquareTaken", "d4 is taken by White", "d3"),
        ("othello", "", "a1", "TurnsNothing", "a1 would turn nothing over", "c4"),
        ("othello", "", "i1", "OffTheBoard", "a1 to h8", "f5"),
        ("othello", "", "pass", "MayNotPass", "may not pass", "e6"),
        (
            "othello",
            "d3 e3 f4 g3 f3 c5 h3 f2 c4 c3 e2 e1 b3 h4",
            "e5x",
            "NotASquare",
            "a1 to h8",
            "h5",
        ),
        ("hex", "", "l1", "OffTheBoard", "a1 to k11", "k1"),
        ("hex", "f6", "f6", "SquareTaken", "f6 is taken by Black", "f7"),
        ("hex", "f6", "swap", "MayNotSwap", "without swap", "a1"),
        ("breakthrough", "", "a3", "NotAMove", "from one square to another", "a2a3"),
        ("breakthrough", "", "h2i3", "OffTheBoard", "board of a1 to h8", "a2a3"),
        ("breakthrough", "", "d4d5", "NoPiece", "no piece on d4", "d2d3"),
        ("breakthrough", "", "d7d6", "NotYours", "piece on d7 is Black's", "d2d3"),
        ("breakthrough", "", "d1e2", "SquareTaken", "your own is on e2", "d2e3"),
        ("breakthrough", "", "d2d4", "OutOfReach", "next row ahead", "d2c3"),
        ("breakthrough", "d2d3 a7a6", "d3d2", "OutOfReach", "not from d3 to d2", "d3e4"),
        ("breakthrough", "d2d3 d7d6 d3d4 d6d5", "d4d5", "SquareTaken", "diagonally only", "d4e5"),
        ("leduc-poker", "", "call", "NotAMove", "check, bet", "check"),
        ("leduc-poker", "bet", "check", "NotAMove", "fold, call, raise", "call"),
        ("leduc-poker", "bet raise", "raise", "NotAMove", "fold, call", "fold"),
        ("leduc-poker", "check check", "raise", "NotAMove", "check, bet", "bet"),
        ("liars-dice", "", "liar", "NoBidYet", "no bid yet to doubt", "ones x 1"),
        // Nobody can tell which of the two is the face.
        ("liars-dice", "", "3 x 4", "NotABid", "like fours x 2", "sixes x 1"),
        ("liars-dice", "fours_x_3", "call", "NotABid", "not a bid; a bid looks like", "liar"),
        ("liars-dice", "", "ones x 0", "NoSuchDice", "there are 10 dice", "ones x 1"),
        ("liars-dice", "", "ones x 11", "NoSuchDice", "a bid is on 1 to 10", "twos x 1"),
        (
            "liars-dice",
            "fours_x_3",
            "fours x 3",
            "TooLow",
            "not higher than fours x 3",
            "fives x 3",
        ),
        ("liars-dice", "fours_x_3", "threes x 3", "TooLow", "a higher face", "threes x 4"),
        ("liars-dice", "sixes_x_10", "sixes x 9", "TooLow", "not higher", "liar"),
    ] {
        let record = played(name, "{}", moves);
        let seat = next(&record);
        let refusal = record.check(seat, text).unwrap_err();
        let Illegal::Rule { rule, reason, options } = refusal else { panic!("{refusal:?}") };
        assert_eq!(rule.to_string(), broken, "{name} {text:?}");
        assert!(reason.contains(why), "{reason}");
        assert!(options.contains(&option.to_owned()), "{option} in {options:?}");
        assert!(options.len() <= 20 && options.iter().all(|mv| record.check(seat, mv).is_ok()));
        let other = Seat(1 - seat.0);
        assert_eq!(record.check(other, option), Err(Illegal::NotYourTurn));
    }
}

#[test]
fn a_set_up_that_cannot_be_played_says_why() {
    for (name, setup, why) in [
        ("tic-tac-toe", r#"{"columns": 2}"#, "columns is 3 to 19, not 2"),
        ("tic-tac-toe", r#"{"rows": 20}"#, "rows is 3 to 19, not 20"),
        ("tic-tac-toe", r#"{"length": 4}"#, "length is 3 to 3 on a board of 3 x 3, not 4"),
        ("gomoku", r#"{"length": 2}"#, "length is 3 to 15"),
        ("gomoku", r#"{"size": 9}"#, "the set-up has no key \"size\""),
        ("connect-four", r#"{"columns": 8}"#, "the set-up has no key \"columns\""),
        ("nim", r#"{"heaps": []}"#, "1 to 9 heaps, not 0"),
        ("nim", r#"{"heaps": [1, 21]}"#, "1 to 20 stones, not 21"),
        ("nim", r#"{"heaps": [1, 0]}"#, "1 to 20 stones, not 0"),
        (
            "nim",
            r#"{"heaps": [-1]}"#,
            "heaps cannot be [-1]; heaps: 1 to 9 numbers of stones from 1 to 20 (usually [3, 5, 7])",
        ),
        ("nim", r#"{"piles": [1]}"#, "the set-up has no key \"piles\""),
        ("kuhn-poker", r#"{"hands": 0}"#, "hands is 1 to 200, not 0"),
        ("kuhn-poker", r#"{"hands": 201}"#, "hands is 1 to 200, not 201"),
        ("kuhn-poker", r#"{"hand": 1}"#, "the set-up has no key \"hand\""),
        ("leduc-poker", r#"{"hands": 201}"#, "hands is 1 to 200, not 201"),
        ("othello", r#"{"size": 6}"#, "the set-up has no key \"size\""),
        ("othello", r#"{"opening": 9}"#, "opening is 0 to 8 moves, not 9"),
        ("connect-four", r#"{"opening": 9}"#, "opening is 0 to 8 moves, not 9"),
        ("gomoku", r#"{"opening": 9}"#, "opening is 0 to 8 moves, not 9"),
        ("hex", r#"{"size": 4}"#, "size is 5 to 13, not 4"),
        ("hex", r#"{"size": 14}"#, "size is 5 to 13, not 14"),
        ("hex", r#"{"swap": 1}"#, "swap cannot be 1"),
        ("breakthrough", r#"{"rows": 3}"#, "rows is 4 to 12, not 3"),
        ("breakthrough", r#"{"columns": 13}"#, "columns is 3 to 12, not 13"),
        ("breakthrough", r#"{"size": 6}"#, "the set-up has no key \"size\""),
        (
            "matrix-game",
            r#"{"game": "chicken"}"#,
            "game cannot be \"chicken\"; game: prisoners-dilemma, stag-hunt",
        ),
        ("matrix-game", r#"{"rounds": 0}"#, "rounds is 1 to 200, not 0"),
        ("matrix-game", r#"{"rounds": 201}"#, "rounds is 1 to 200, not 201"),
        ("matrix-game", r#"{"die": 1}"#, "die is 2 to 100 sides, not 1"),
        ("liars-dice", r#"{"seats": 1}"#, "seats is 2 to 6, not 1"),
        ("liars-dice", r#"{"seats": 7}"#, "seats is 2 to 6, not 7"),
        ("liars-dice", r#"{"dice": 0}"#, "dice is 1 to 5, not 0"),
        ("liars-dice", r#"{"dice": 6}"#, "dice is 1 to 5, not 6"),
        ("liars-dice", r#"{"players": 3}"#, "the set-up has no key \"players\""),
    ] {
        let refusal = Record::start(kind(name).unwrap(), setup, 1).err().expect(setup);
        assert!(refusal.to_string().contains(why), "{setup}: {refusal}");
    }
}

#[test]
fn games_end_as_they_should() {
    for (name, setup, moves, text, points) in [
        ("tic-tac-toe", "{}", "a1 b1 a2 b2 a3", "X wins with 3 in a row", [1, -1]),
        ("tic-tac-toe", "{}", "a1 b2 a2 a3 b3 c1", "O wins with 3 in a row", [-1, 1]),
        ("tic-tac-toe", "{}", "a1 b2 c3 b1 b3 a3 c1 c2 a2", "Draw: the board is full", [0, 0]),
        ("gomoku", "{}", "a1 a2 b1 b2 c1 c2 d1 d2 f1 f2 e1", "Black wins with 5 in a row", [1, -1]),
        ("connect-four", "{}", "1 2 1 2 1 2 1", "Red wins with four in a row", [1, -1]),
        ("connect-four", "{}", "1 2 2 3 3 4 3 4 4 6 4", "Red wins with four in a row", [1, -1]),
        ("nim", "{}", "1:3 2:5 3:7", "Player 1 wins by taking the last stone", [1, -1]),
        (
            "nim",
            r#"{"heaps": [2, 1], "misere": true}"#,
            "1:2 2:1",
            "Player 1 wins by leaving the last stone",
            [1, -1],
        ),
        // The shortest game there is: White has nothing left.
        ("othello", "{}", "e6 f4 e3 f6 g5 d6 e7 f5 c5", "Black wins, discs 13:0", [1, -1]),
        (
            "hex",
            r#"{"size": 5}"#,
            "c1 a1 b2 a2 b3 a3 b4 a4 b5",
            "Black wins: top and bottom are joined",
            [1, -1],
        ),
        (
            "hex",
            r#"{"size": 5, "swap": true}"#,
            "a2 swap e5 c1 e4 d1 e3 e1 e2 a1",
            "White wins: left and right are joined",
            [-1, 1],
        ),
        (
            "breakthrough",
            r#"{"rows": 4, "columns": 3}"#,
            "b1a2 b4b3 a2a3 b3c2 a3b4",
            "White wins by reaching the far row",
            [1, -1],
        ),
        (
            "breakthrough",
            r#"{"rows": 4, "columns": 3}"#,
            "a1b2 a4a3 b2b3 a3a2 b1b2 a2b1",
            "Black wins by reaching the far row",
            [-1, 1],
        ),
        (
            "breakthrough",
            r#"{"rows": 4, "columns": 3}"#,
            "b1b2 c4c3 b2c3 b4b3 c1c2 b3b2 a1b2 a4b3 c2b3",
            "White wins by taking the last piece",
            [1, -1],
        ),
        (
            "breakthrough",
            r#"{"rows": 4, "columns": 3}"#,
            "b1c2 a4b3 a1b2 b3c2 b2a3 b4a3 c1b2 a3b2",
            "Black wins by taking the last piece",
            [-1, 1],
        ),
    ] {
        let record = played(name, setup, moves);
        let Due::Over(outcome) = record.due() else { panic!("{name} {moves} goes on") };
        assert_eq!((outcome.text.as_str(), outcome.points), (text, points.to_vec()));
        assert!(matches!(record.check(Seat(0), "1"), Err(Illegal::Over(_))));
    }
}

/// A game that is played at once, both choosing as they are told, round by round.
fn played_at_once(name: &str, setup: &str, seed: u64, rounds: &str) -> Record {
    let mut record = Record::start(kind(name).unwrap(), setup, seed).unwrap();
    for round in rounds.split_whitespace() {
        for (seat, text) in [Seat(0), Seat(1)].into_iter().zip(round.split(':')) {
            let step = record.step(seat, text).unwrap_or_else(|e| panic!("{text}: {e}"));
            record.take(step);
        }
    }
    record
}

#[test]
fn what_two_choices_are_worth() {
    for (game, rounds, points) in [
        ("prisoners-dilemma", "cooperate:cooperate", [3, 3]),
        ("prisoners-dilemma", "cooperate:defect", [0, 5]),
        ("prisoners-dilemma", "defect:cooperate defect:defect", [6, 1]),
        ("stag-hunt", "stag:stag stag:hare hare:stag hare:hare", [10, 10]),
        ("stag-hunt", "stag:hare", [0, 3]),
        ("rock-paper-scissors", "rock:scissors paper:rock scissors:paper", [3, -3]),
        ("rock-paper-scissors", "rock:paper paper:paper", [-1, 1]),
    ] {
        let number = rounds.split_whitespace().count();
        let setup = format!(r#"{{"game": "{game}", "rounds": {number}}}"#);
        let Due::Over(outcome) = played_at_once("matrix-game", &setup, 1, rounds).due() else {
            panic!("{game} {rounds} goes on")
        };
        assert_eq!(outcome.points, points, "{game} {rounds}");
    }
}

#[test]
fn a_die_ends_the_rounds_at_no_known_time_and_alike_in_both_games_of_a_pair() {
    let rounds = |seed: u64, choice: &str| {
        let mut record = played_at_once("matrix-game", r#"{"die": 6}"#, seed, "");
        while record.due().outcome().is_none() {
            for (seat, text) in [(Seat(1), "cooperate"), (Seat(0), choice)] {
                let step = record.step(seat, text).unwrap();
                record.take(step);
            }
        }
        record.turns().len() / 2
    };
    let lengths: Vec<_> = (0..200).map(|seed| rounds(seed, "cooperate")).collect();
    let others: Vec<_> = (0..200).map(|seed| rounds(seed, "defect")).collect();
    assert_eq!(lengths, others);
    let mean = lengths.iter().sum::<usize>() as f64 / 200.0;
    assert!((5.0..7.0).contains(&mean), "{mean} rounds where six are to be expected");
    assert!(lengths.contains(&1) && lengths.iter().any(|rounds| *rounds > 12), "{lengths:?}");
}

#[test]
fn who_swaps_has_the_mirrored_stone_and_the_other_moves() {
    let setup = r#"{"size": 5, "swap": true}"#;
    let board = |record: &Record| record.show(Eye::Public).text;
    let first = played("hex", setup, "d2");
    assert!(first.offers(Seat(1)).contains(&"swap".to_owned()));
    let swapped = played("hex", setup, "d2 swap");
    assert!(
        board(&swapped).starts_with("1 . . . . .\n 2 . . . . .\n  3 . . . . .\n   4 . W . . .")
    );
    assert_eq!(next(&swapped), Seat(0));
    for (moves, seat) in [("", 0), ("d2 swap", 0), ("d2 swap a1", 1), ("d2 c2", 0)] {
        let record = played("hex", setup, moves);
        assert!(!record.offers(Seat(seat)).contains(&"swap".to_owned()), "{moves}");
        let refusal = record.check(Seat(seat), "swap").unwrap_err().to_string();
        assert!(refusal.contains("answer to the first stone"), "{refusal}");
    }
}

#[test]
fn an_opening_is_drawn_by_the_seed_and_nobody_can_win_at_once() {
    for name in ["tic-tac-toe", "gomoku", "connect-four", "othello", "hex", "breakthrough"] {
        let start = |setup: &str, seed| Record::start(kind(name).unwrap(), setup, seed).unwrap();
        let view = |record: &Record| record.view_json(Eye::Public);
        assert_eq!(view(&start("{}", 1)), view(&start(r#"{"opening": 0}"#, 2)), "{name}");
        let mut views: Vec<_> =
            (0..20).map(|seed| view(&start(r#"{"opening": 4}"#, seed))).collect();
        assert_eq!(views[7], view(&start(r#"{"opening": 4}"#, 7)), "{name}");
        views.sort();
        views.dedup();
        assert!(views.len() > 10, "{name}: {} openings of 20", views.len());
        for seed in 0..5 {
            let record = start(r#"{"opening": 8}"#, seed);
            let seat = next(&record);
            let ends = |mv: &String| record.step(seat, mv).unwrap().outcome().is_some();
            assert!(!record.offers(seat).iter().any(ends), "{name}, seed {seed}");
        }
    }
}

/// The moves that a game began with, as squares: columns and rows.
fn drawn(record: &Record) -> Vec<(i32, i32)> {
    let view: serde_json::Value = serde_json::from_str(&record.view_json(Eye::Public)).unwrap();
    let moves = view["opening"].as_array().unwrap().iter();
    let moves = moves.map(|mv| mv.as_str().unwrap().split_at(1));
    moves.map(|(c, r)| (i32::from(c.as_bytes()[0] - b'a'), r.parse().unwrap())).collect()
}

#[test]
fn an_opening_of_gomoku_ends_with_a_white_stone_beside_a_white_one() {
    let gomoku = kind("gomoku").unwrap();
    for (seed, plies) in (0..40).flat_map(|seed| [(seed, 4), (seed, 6), (seed, 8)]) {
        let setup = format!(r#"{{"opening": {plies}}}"#);
        let stones = drawn(&Record::start(gomoku, &setup, seed).unwrap());
        let (last, white) = (stones[plies - 1], stones[..plies - 1].iter().skip(1).step_by(2));
        let beside = |(c, r): &&(i32, i32)| (c - last.0).abs() <= 1 && (r - last.1).abs() <= 1;
        assert!(white.clone().any(|stone| beside(&stone)), "seed {seed}: {stones:?}");
    }
}

/// What everybody has rolled, as the last who moved sees it when all is shown.
fn all_dice(record: &Record) -> Vec<Vec<u8>> {
    let view: serde_json::Value = serde_json::from_str(&record.view_json(Eye::Public)).unwrap();
    serde_json::from_value(view["dice"].clone()).expect("all dice are shown")
}

#[test]
fn whoever_is_called_a_liar_wins_if_the_dice_are_there_and_nobody_else_has_anything_of_it() {
    let mut ends = [0; 2];
    for seed in 0..40 {
        let setup = r#"{"seats": 4, "dice": 2}"#;
        let mut record = Record::start(kind("liars-dice").unwrap(), setup, seed).unwrap();
        for (seat, text) in (0..).zip(["twos x 1", "fours x 2", "fours x 3", "liar"]) {
            assert_eq!(record.due(), Due::One(Seat(seat)));
            let step = record.step(Seat(seat), text).unwrap();
            record.take(step);
        }
        let dice = all_dice(&record).concat();
        let found = dice.iter().filter(|die| [4, 6].contains(*die)).count();
        let Due::Over(outcome) = record.due() else { panic!("somebody said liar") };
        let (points, winner, loser) =
            if found >= 3 { ([0, 0, 1, -1], 3, 4) } else { ([0, 0, -1, 1], 4, 3) };
        assert_eq!(outcome.points, points, "{dice:?}");
        assert_eq!(
            outcome.text,
            format!(
                "Player {winner} wins and Player {loser} loses: the bid was fours x 3, there are {found}"
            )
        );
        ends[usize::from(found >= 3)] += 1;
    }
    assert!(ends[0] > 0 && ends[1] > 0, "{ends:?}");
}

#[test]
fn after_the_last_seat_the_first_bids_again_and_offers_are_ranges() {
    let setup = r#"{"seats": 3, "dice": 1}"#;
    let record = played("liars-dice", setup, "ones_x_1 fours_x_1 twos_x_2");
    assert_eq!(next(&record), Seat(0));
    let offers = record.offers(Seat(0));
    assert_eq!(
        offers.join(", "),
        "liar, threes x 2..3, fours x 2..3, fives x 2..3, sixes x 2..3, ones x 3, twos x 3"
    );
    assert!(record.offers(Seat(1)).is_empty());
    assert_eq!(played("liars-dice", setup, "sixes_x_3").offers(Seat(1)), ["liar"]);
}

/// The cards of each hand, the two that are held and the one on the table, if it came to that.
fn cards(name: &str, plan: u64) -> BTreeMap<u64, Vec<Value>> {
    let mut record = Record::start(kind(name).unwrap(), "{}", 5).unwrap();
    let mut dice = Dice::new(plan, 0);
    let mut cards = BTreeMap::new();
    while let Due::One(seat) = record.due() {
        let [one, other] = [0, 1].map(|seat| -> Value {
            serde_json::from_str(&record.view_json(Eye::Seat(Seat(seat)))).unwrap()
        });
        let held = [&one["hand"]["cards"][0], &other["hand"]["cards"][1], &one["hand"]["table"]];
        cards.insert(one["number"].as_u64().unwrap(), held.map(Value::clone).to_vec());
        let offers = record.offers(seat);
        let step = record.step(seat, &*offers[dice.below(offers.len() as u32) as usize]).unwrap();
        record.take(step);
    }
    cards
}

#[test]
fn every_hand_has_the_same_cards_however_it_is_played() {
    for name in ["kuhn-poker", "leduc-poker"] {
        let games: Vec<_> = (0..8).map(|plan| cards(name, plan)).collect();
        for (number, hand) in games.iter().flatten() {
            let [one, other, table] = &hand[..] else { unreachable!() };
            for game in &games {
                let again = &game[number];
                assert_eq!([one, other], [&again[0], &again[1]], "{name}, hand {number}");
                let is_laid = !table.is_null() && !again[2].is_null();
                assert!(!is_laid || *table == again[2], "{name}, hand {number}");
            }
        }
    }
}
