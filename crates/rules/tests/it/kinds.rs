//! Small games: how moves may be written, what is refused and why, how it looks.

use rules::{
    Due, Eye, Illegal, Record, Seat,
    drawing::{Grid, Part},
    kind,
};

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
        ("liars-dice", "fours_x_3", "call", "NotABid", "no bid like fours x 2", "liar"),
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
            "heaps cannot be [-1]; heaps: 1 to 9 numbers of stones from 1 to 20; [3, 5, 7]",
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

#[test]
fn boards_are_told_in_a_few_lines() {
    let text = |name, moves| played(name, "{}", moves).show(Eye::Public).text;
    assert_eq!(text("tic-tac-toe", "b2 a3"), "3 O . .\n2 . X .\n1 . . .\n  a b c\nX to move.");
    assert_eq!(
        text("connect-four", "4 4 5"),
        " . . . . . . .\n . . . . . . .\n . . . . . . .\n . . . . . . .\n . . . Y . . .\n \
         . . . R R . .\n 1 2 3 4 5 6 7\nYellow to move."
    );
    assert_eq!(
        text("nim", "2:4"),
        "heap 1: 3, heap 2: 1, heap 3: 7. The last stone wins. Player 2 to move."
    );
    assert_eq!(
        text("othello", "f5"),
        "1 . . . . . . . .\n2 . . . . . . . .\n3 . . . . . . . .\n4 . . . W B . . .\n\
         5 . . . B B B . .\n6 . . . . . . . .\n7 . . . . . . . .\n8 . . . . . . . .\n  \
         a b c d e f g h\nDiscs 4:1. White to move."
    );
    assert_eq!(
        played("hex", r#"{"size": 5}"#, "c1 b2").show(Eye::Public).text,
        "1 . . B . .\n 2 . W . . .\n  3 . . . . .\n   4 . . . . .\n    5 . . . . .\n       \
         a b c d e\nBlack joins top and bottom. Black to move."
    );
    assert_eq!(
        text("breakthrough", "a2a3 h7g6"),
        "8 B B B B B B B B\n7 B B B B B B B .\n6 . . . . . . B .\n5 . . . . . . . .\n\
         4 . . . . . . . .\n3 W . . . . . . .\n2 . W W W W W W W\n1 W W W W W W W W\n  \
         a b c d e f g h\nWhite moves up. White to move."
    );
    assert_eq!(
        text("chess", "e2e4 a7a6 e4e5 d7d5"),
        "8 r n b q k b n r\n7 . p p . p p p p\n6 p . . . . . . .\n5 . . . p P . . .\n\
         4 . . . . . . . .\n3 . . . . . . . .\n2 P P P P . P P P\n1 R N B Q K B N R\n  \
         a b c d e f g h\nCastling KQkq. En passant d6. Last move: d7d5. White to move."
    );
    for (moves, told) in [
        ("", "White to move."),
        ("e2e4 f7f6 d1h5", "Last move: d1h5. Check. Black to move."),
        ("e2e4_offerDraw", "Last move: e2e4. White offers a draw. Black to move."),
        ("e2e4_offerDraw declineDraw", "Last move: e2e4. Black declined a draw. Black to move."),
        ("f2f3 e7e5 g2g4 d8h4", "Last move: d8h4. Check. Black wins by Checkmate."),
    ] {
        let shown = text("chess", moves);
        assert!(shown.ends_with(&format!(" g h\nCastling KQkq. {told}")), "{moves}: {shown}");
    }
    assert_eq!(
        text("kuhn-poker", "bet pass"),
        "Hand 2 of 20, chips 1:-1, pot 2. Player 2 begins; cards ?:?. Before: Player 1 begins, \
         bet, pass; cards ?:?, won 1:-1. Player 2 to move."
    );
}

#[test]
fn a_hand_of_leduc_poker_is_told_round_by_round() {
    let record = played("leduc-poker", "{}", "check bet call");
    let text = record.show(Eye::Public).text;
    let (before, table) = text.split_once("table ").expect("a card lies on the table");
    assert_eq!(before, "Hand 1 of 20, chips 0:0, pot 6. Player 1 begins, check, bet, call; ");
    assert_eq!(&table[1..], "; cards ?:?. Player 1 to move.");
    let folded = played("leduc-poker", "{}", "check bet call bet fold").show(Eye::Public).text;
    assert!(folded.starts_with("Hand 2 of 20, chips 3:-3, pot 2. Player 2 begins; cards ?:?."));
    assert!(folded.ends_with("bet, fold; cards ?:?, won 3:-3. Player 2 to move."), "{folded}");
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
fn rounds_are_told_and_their_table_is_drawn() {
    let record = played_at_once("matrix-game", "{}", 1, "cooperate:defect defect:defect");
    let shown = record.show(Eye::Seat(Seat(0)));
    assert_eq!(
        shown.text,
        "Prisoner's dilemma, round 3 of 20, points 1:6. Before: cooperate:defect, defect:defect. \
         Player 1, Player 2 to move, at once."
    );
    let Part::Numbers(table) = &shown.drawing[0] else { panic!("{:?}", shown.drawing) };
    assert_eq!(table.head, ["1 ↓ 2 →", "cooperate", "defect"]);
    assert_eq!(table.rows, [["cooperate", "3:3", "0:5"], ["defect", "5:0", "1:1"]]);
    let refusal = record.check(Seat(0), "rock").unwrap_err();
    let Illegal::Rule { rule, reason, options } = refusal else { panic!("{refusal:?}") };
    assert_eq!(
        (rule.to_string().as_str(), options.join(" ").as_str()),
        ("NotAChoice", "cooperate defect")
    );
    assert!(reason.contains("no choice in Prisoner's dilemma"), "{reason}");
}

#[test]
fn a_die_ends_the_rounds_at_no_known_time() {
    let lengths: Vec<_> = (0..200)
        .map(|seed| {
            let mut rounds = 0;
            let mut record = played_at_once("matrix-game", r#"{"die": 6}"#, seed, "");
            while record.due().outcome().is_none() {
                for seat in [Seat(0), Seat(1)] {
                    let step = record.step(seat, "cooperate").unwrap();
                    record.take(step);
                }
                rounds += 1;
            }
            rounds
        })
        .collect();
    let mean = f64::from(lengths.iter().sum::<u32>()) / 200.0;
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
    // Games that began before go on as they began.
    let before = Record::start(gomoku.of_version(1).unwrap(), r#"{"opening": 4}"#, 7).unwrap();
    assert_eq!(drawn(&before), [(3, 7), (6, 1), (2, 3), (10, 5)], "d7, g1, c3, k5");
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

#[test]
fn dice_are_seen_by_who_rolled_them_until_somebody_says_liar() {
    let setup = r#"{"seats": 4, "dice": 3}"#;
    let record = played("liars-dice", setup, "ones_x_1 twos_x_1");
    let public = record.show(Eye::Public).text;
    assert_eq!(
        public,
        "12 dice: Player 1 ???, Player 2 ???, Player 3 ???, Player 4 ???. Bids: Player 1 ones x 1, \
         Player 2 twos x 1. Player 3 to move."
    );
    for seat in 0..4 {
        let shown = record.show(Eye::Seat(Seat(seat)));
        let hands = shown.drawing.iter().filter_map(|part| match part {
            Part::Hand(hand) => Some(hand),
            _ => None,
        });
        for (other, hand) in (0..).zip(hands) {
            let is_seen = hand.cards.iter().all(Option::is_some);
            let is_hidden = hand.cards.iter().all(Option::is_none);
            assert_eq!((is_seen, is_hidden), (other == seat, other != seat), "{hand:?}");
            assert_eq!(hand.title, format!("Player {}", other + 1));
        }
    }
    let over = played("liars-dice", setup, "ones_x_1 liar").show(Eye::Public);
    assert!(!over.text.contains('?'), "{}", over.text);
    let start = played("liars-dice", setup, "").show(Eye::Public).text;
    assert!(start.ends_with("No bid yet. Player 1 to move."), "{start}");
}

#[test]
fn a_card_is_shown_to_who_holds_it_and_to_nobody_else() {
    let record = played("kuhn-poker", "{}", "pass");
    for seat in [Seat(0), Seat(1)] {
        let shown = record.show(Eye::Seat(seat));
        let hands: Vec<_> = shown
            .drawing
            .iter()
            .filter_map(|part| match part {
                Part::Hand(hand) => Some(hand.cards[0].clone()),
                _ => None,
            })
            .collect();
        let own = hands[usize::from(seat.0)].clone().expect("one's own card is seen");
        assert_eq!(hands[usize::from(1 - seat.0)], None);
        assert!(shown.text.contains(&format!("You hold {own}.")), "{}", shown.text);
    }
}

#[test]
fn what_a_turn_brings_to_light_is_told_to_everybody() {
    let check = |name: &str, setup: &str, moves: &str, expected: &[(u32, &str)]| {
        let record = played(name, setup, moves);
        let told = record.revealed().iter().map(|(turn, text)| (*turn, text.as_str()));
        assert_eq!(told.collect::<Vec<_>>(), expected, "{name} {moves}");
        assert_eq!(record.as_of(u32::MAX).revealed(), record.revealed(), "played over again");
    };
    check("kuhn-poker", "{}", "pass bet", &[]);
    check("kuhn-poker", "{}", "bet fold pass", &[(2, "Player 1 wins the pot of 3.")]);
    let called = (2, "Cards: Player 1 K, Player 2 Q. Player 1 wins the pot of 4.");
    check("kuhn-poker", "{}", "bet call", &[called]);
    let last = r#"{"hands": 1}"#;
    check("kuhn-poker", last, "bet call", &[called]);
    let table = (2, "On the table: Q.");
    check("leduc-poker", "{}", "check check", &[table]);
    let shared = (4, "Cards: Player 1 K, Player 2 K. They share the pot of 2.");
    check("leduc-poker", last, "check check check check", &[table, shared]);
    check("leduc-poker", "{}", "bet fold", &[(2, "Player 1 wins the pot of 4.")]);
    let setup = r#"{"seats": 3, "dice": 2}"#;
    check("liars-dice", setup, "ones_x_1 twos_x_1", &[]);
    let dice = (3, "Dice: Player 1 56, Player 2 55, Player 3 23.");
    check("liars-dice", setup, "ones_x_1 twos_x_1 liar", &[dice]);
    check("nim", "{}", "1:1", &[]);
    let drawn = played_at_once("parity", "{}", 1, "even:odd");
    assert_eq!(drawn.revealed(), [(2, "Drawn: 9.".to_owned())]);
}

#[test]
fn a_click_is_a_move_for_whoever_is_due_and_what_won_is_bright() {
    let grid = |moves, eye| match played("connect-four", "{}", moves).show(eye).drawing.remove(0) {
        Part::Grid(grid) => grid,
        part => panic!("{part:?}"),
    };
    let clicks = |grid: &Grid| grid.cells.iter().filter(|cell| cell.mv.is_some()).count();
    let full = "4 4 4 4 4 4";
    assert_eq!(clicks(&grid(full, Eye::Seat(Seat(0)))), 36, "every hole of a column with room");
    assert_eq!(clicks(&grid(full, Eye::Seat(Seat(1)))), 0);
    assert_eq!(clicks(&grid(full, Eye::Public)), 0);
    let won = grid("1 2 1 2 1 2 1", Eye::Seat(Seat(0)));
    let bright = won.cells.iter().filter(|cell| cell.bright).map(|cell| cell.name.as_str());
    assert_eq!(bright.collect::<Vec<_>>(), ["a4", "a3", "a2", "a1"]);
    assert_eq!(clicks(&won), 0);
}

#[test]
fn a_drag_is_a_move_and_everybody_sees_the_board_from_their_own_side() {
    let grid = |eye| {
        let moves = "d2d3 e7e6 d3d4 e6e5";
        match played("breakthrough", "{}", moves).show(eye).drawing.remove(0) {
            Part::Grid(grid) => grid,
            part => panic!("{part:?}"),
        }
    };
    let drags = |grid: &Grid, name| {
        let cell = grid.cells.iter().find(|cell| cell.name == name).unwrap();
        let ends = cell.drags.iter().map(|drag| (&grid.cells[usize::from(drag.to)].name, &drag.mv));
        ends.map(|(end, mv)| format!("{end} {mv}")).collect::<Vec<_>>()
    };
    let white = grid(Eye::Seat(Seat(0)));
    assert_eq!(drags(&white, "d4"), ["c5 d4c5", "d5 d4d5", "e5 d4e5"]);
    assert_eq!(drags(&white, "e5"), [""; 0]);
    assert_eq!((white.cells[0].name.as_str(), white.row_labels[0].as_str()), ("a8", "8"));
    let bright = white.cells.iter().filter(|cell| cell.bright).map(|cell| cell.name.as_str());
    assert_eq!(bright.collect::<Vec<_>>(), ["e6", "e5"]);
    let black = grid(Eye::Seat(Seat(1)));
    assert!(black.cells.iter().all(|cell| cell.drags.is_empty()));
    assert_eq!((black.cells[0].name.as_str(), black.row_labels[0].as_str()), ("h1", "1"));
    assert_eq!(black.column_labels[0], "h");
    let back = white.clone().turned();
    assert_eq!(drags(&back, "d4"), drags(&white, "d4"));
    assert_eq!(back.turned(), white);
}

#[test]
fn a_list_carries_nothing_of_what_may_be_played() {
    let record = played("breakthrough", "{}", "");
    let part = record.show(Eye::Seat(Seat(0))).drawing.remove(0).small();
    let public = record.show(Eye::Public).drawing.remove(0).small();
    assert_eq!(part, public);
    let long = serde_json::to_string(&part).unwrap().len();
    assert!(long < 2_000, "{long} bytes");
    let record = played("nim", "{}", "");
    for eye in [Eye::Seat(Seat(0)), Eye::Public] {
        let Part::Track(track) = record.show(eye).drawing.remove(0).small() else {
            panic!("a heap is a track")
        };
        assert_eq!((track.filled, track.places, track.moves.len()), (3, 3, 0), "{eye:?}");
    }
}
