//! How small games look, in words and as a drawing.

use rules::{
    Eye, Illegal, Seat,
    drawing::{Grid, Part},
};

use super::{played, played_at_once};

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
    let table = (2, "On the table: J.");
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
