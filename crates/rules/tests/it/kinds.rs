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
        let step = record.step(seat, text).unwrap_or_else(|e| panic!("{text}: {e}"));
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
    ] {
        let record = played(name, "{}", moves);
        let seat = next(&record);
        let refusal = record.check(seat, text).unwrap_err();
        let Illegal::Rule { rule, reason, options } = refusal else { panic!("{refusal:?}") };
        assert_eq!(rule, broken, "{name} {text:?}");
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
        ("gomoku", r#"{"size": 9}"#, "unknown field `size`"),
        ("connect-four", r#"{"columns": 8}"#, "unknown field `columns`"),
        ("nim", r#"{"heaps": []}"#, "1 to 9 heaps, not 0"),
        ("nim", r#"{"heaps": [1, 21]}"#, "1 to 20 stones, not 21"),
        ("nim", r#"{"heaps": [1, 0]}"#, "1 to 20 stones, not 0"),
        ("nim", r#"{"piles": [1]}"#, "unknown field `piles`"),
        ("kuhn-poker", r#"{"hands": 0}"#, "hands is 1 to 200, not 0"),
        ("kuhn-poker", r#"{"hands": 201}"#, "hands is 1 to 200, not 201"),
        ("kuhn-poker", r#"{"hand": 1}"#, "unknown field `hand`"),
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
        text("kuhn-poker", "bet pass"),
        "Hand 2 of 20, chips 1:-1, pot 2. Player 2 begins; cards ?:?. Before: Player 1 begins, \
         bet, pass; cards ?:?, won 1:-1. Player 2 to move."
    );
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
