//! A record takes the turns that fit it and no others.

use rules::{
    Ask, Due, Eye, Illegal, Record, Rules, Seat, Turn,
    chess::{BLACK, Chess, WHITE},
    even_odd::{EVEN, EvenOdd, ODD},
    kind, kind_in_log,
};

use crate::{START, picture, record, toys, view};

/// Pushes a turn that does not fit after 1. e4; `why` is a part of the complaint.
fn check(number: u32, seat: Seat, text: &str, why: &str) {
    let mut record = record(START, false);
    record.push(Turn::new(1, WHITE, "e2e4")).unwrap();
    let before = picture(&record);
    let corrupt = record.push(Turn::new(number, seat, text)).unwrap_err().to_string();
    assert!(corrupt.contains(why), "{corrupt}");
    assert!(corrupt.contains(&format!("turn {number}, {text:?} by seat {}", seat.0)), "{corrupt}");
    assert_eq!(picture(&record), before);
    record.push(Turn::new(2, BLACK, "e7e5")).unwrap();
}

#[test]
fn a_turn_with_the_wrong_number_is_corrupt() {
    for number in [0, 1, 3, u32::MAX] {
        check(number, BLACK, "e7e5", "turn 2 is due");
    }
}

#[test]
fn a_turn_of_the_wrong_seat_is_corrupt() {
    check(2, WHITE, "d2d4", "it is not your turn");
    check(2, WHITE, "e7e5", "it is not your turn");
    for nobody in [Seat(2), Seat(255)] {
        check(2, nobody, "e7e5", "it is not your turn");
        check(2, nobody, "resign", "it is not your turn");
    }
}

#[test]
fn a_turn_with_an_illegal_text_is_corrupt() {
    check(2, BLACK, "e7e4", "a pawn does not move from e7 to e4");
    check(2, BLACK, "", "is not a move");
    check(2, BLACK, "acceptDraw", "your opponent has not offered a draw");
    check(2, WHITE, "claimDraw", "on your own turn only");
}

#[test]
fn a_sealed_turn_that_does_not_fit_is_corrupt() {
    let setup = r#"{"rounds_to_win": 3, "max_rounds": 5}"#;
    let mut record = Record::start(kind("even-odd").unwrap(), setup, 1).unwrap();
    let turn = |number, seat, text: &str| Turn::new(number, seat, text);
    record.push(turn(1, ODD, "3")).unwrap();
    for (number, seat, text) in [
        (1, EVEN, "3"),
        (3, EVEN, "3"),
        (2, ODD, "4"),
        (2, EVEN, "6"),
        (2, EVEN, ""),
        (2, Seat(2), "3"),
    ] {
        assert!(record.push(turn(number, seat, text)).is_err(), "{number} {seat:?} {text}");
        assert_eq!(record.due(), Due::Each(vec![EVEN]));
        assert_eq!(record.turns().len(), 1);
    }
    record.push(turn(2, EVEN, "4")).unwrap();
    assert_eq!(record.view::<EvenOdd>(Eye::Public).unwrap().scores, [1, 0]);
    assert!(record.view::<Chess>(Eye::Public).is_none(), "it is no game of chess");
}

#[test]
fn the_end_is_foreseen_from_the_last_sealed_move() {
    let setup = r#"{"rounds_to_win": 1, "max_rounds": 1}"#;
    let mut record = Record::start(kind("even-odd").unwrap(), setup, 1).unwrap();
    let step = record.step(ODD, "3").unwrap();
    assert_eq!(step.outcome(), None);
    record.take(step);
    assert!(record.step(EVEN, "6").is_err(), "no such move");
    let foreseen = record.step(EVEN, "5").unwrap().outcome().unwrap();
    assert_eq!((foreseen.winner(), foreseen.text.as_str()), (Some(EVEN), "Even wins 0-1"));
    assert_eq!(record.due(), Due::Each(vec![EVEN]), "nothing was played");
}

#[test]
fn a_set_up_that_cannot_be_played_is_refused() {
    for (setup, why) in [
        ("", "the set-up cannot be read"),
        ("[1]", "the set-up cannot be read"),
        (r#"{"fen": "nonsense"}"#, "is not a FEN"),
        (r#"{"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}"#, "is not a position that can be played"),
        (r#"{"fen": "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"}"#, "is not a position that can be played"),
        (r#"{"fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}"#, "Draw by insufficient material"),
        (r#"{"fen": "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"}"#, "White wins by Checkmate"),
        (r#"{"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}"#, "Draw by stalemate"),
        (r#"{"fen": "4k3/8/8/8/8/8/P7/4K3 w - - 150 99"}"#, "the seventy-five-move rule"),
    ] {
        let refusal = Record::start(kind("chess").unwrap(), setup, 1).err().expect(setup);
        assert!(refusal.to_string().contains(why), "{setup}: {refusal}");
    }
    let setup = r#"{"rounds_to_win": 3, "max_rounds": 2}"#;
    let refusal = Record::start(kind("even-odd").unwrap(), setup, 1).err().unwrap();
    assert!(matches!(refusal, Illegal::Rule { .. }));
    assert_eq!(kind("draughts").err().unwrap().to_string(), r#"no game is called "draughts""#);
    assert!(kind_in_log("chess", 1).is_ok());
    assert_eq!(
        kind_in_log("chess", 2).err().unwrap().to_string(),
        "the game was kept with version 2 of the rules of chess; this program has 1"
    );
}

#[test]
fn an_en_passant_square_that_nobody_can_use_is_passed_over() {
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(view(&record(after_e4, false)).fen, after_e4.replace("e3", "-"));
}

#[test]
fn an_empty_set_up_is_the_usual_game() {
    let record = Record::start(kind("chess").unwrap(), "{}", 1).unwrap();
    let view = record.view::<Chess>(Eye::Seat(WHITE)).unwrap();
    assert_eq!((view.fen.as_str(), view.start_fen), (START, None));
    assert_eq!(record.due(), Due::One(WHITE));
}

#[test]
fn whoever_is_out_of_time_has_lost_and_no_player_can_say_so() {
    use rules::{MatchVerdict, OUT_OF_TIME, Outcome};
    for (name, text) in [("connect-four", "Yellow wins on time"), ("chess", "Black wins on time")] {
        let mut record = Record::start(kind(name).unwrap(), "{}", 1).unwrap();
        assert!(record.step(Seat(0), OUT_OF_TIME).is_err(), "{name}");
        assert!(record.step(Seat(1), Ask::Late).is_err(), "{name}: it is not due");
        let step = record.step(Seat(0), Ask::Late).unwrap();
        assert_eq!(step.outcome(), Some(Outcome::of_two(Some(Seat(1)), text)));
        record.take(step);
        assert_eq!(record.lost_on_time(), [Seat(0)]);
        assert!(record.offers(Seat(0)).is_empty() && record.offers(Seat(1)).is_empty());
        assert!(matches!(record.step(Seat(0), "4"), Err(Illegal::Over(_))), "{name}");
        let shown = record.show(Eye::Public).text;
        assert!(shown.is_empty() || shown.contains(text) && !shown.contains("to move"), "{shown}");
        assert_eq!(record.as_of(1).due(), record.due(), "it replays");
        let outcome = record.due().outcome().cloned().unwrap();
        let verdict = MatchVerdict::of(&outcome, &record.lost_on_time());
        assert_eq!((verdict.points(), verdict.forfeits), ([0, 3], [true, false]));
    }
}

#[test]
fn where_all_move_at_once_lateness_is_sealed_until_all_are_in() {
    use rules::{LATE, OUT_OF_TIME};
    let toys = toys::KINDS.iter().find(|kind| kind.name == "toy-auction");
    let (two, three) = (kind("matrix-game").unwrap(), *toys.expect("one of three seats"));
    // What each hands in, in order; none is late. Who lost then, and how it is told.
    let check = |kind, handed_in: &[(u8, Option<&str>)], lost: &[u8], told: &str| {
        let mut record = Record::start(kind, "{}", 1).unwrap();
        for (n, (seat, text)) in handed_in.iter().enumerate() {
            let (seat, ask) = (Seat(*seat), text.map_or(Ask::Late, Ask::from));
            assert!(record.step(seat, LATE).is_err(), "no text is read so");
            let step = record.step(seat, ask).unwrap();
            record.take(step);
            let is_last = n + 1 == handed_in.len();
            assert_eq!(record.due().outcome().is_some(), is_last, "{handed_in:?}: when all are in");
            assert_eq!(record.was_late(seat), text.is_none() && !is_last, "{handed_in:?}");
            assert!(record.step(seat, "0").is_err(), "{handed_in:?}: nobody hands in twice");
            let hidden = if is_last { record.turns().len() } else { 0 };
            assert_eq!(record.turns_seen(Eye::Public).count(), hidden, "{handed_in:?}");
        }
        let mut lost_then: Vec<_> = record.lost_on_time().iter().map(|seat| seat.0).collect();
        lost_then.sort_unstable();
        let told_then = record.due().outcome().unwrap().to_string();
        assert_eq!((&lost_then[..], told_then.as_str()), (lost, told), "{handed_in:?}");
        let turns = record.turns().len() as u32;
        assert_eq!(record.as_of(turns).due(), record.due(), "{handed_in:?}: it replays");
    };
    check(two, &[(0, Some("cooperate")), (1, None)], &[1], "Player 1 wins on time");
    check(two, &[(1, None), (0, Some("cooperate"))], &[1], "Player 1 wins on time");
    check(two, &[(0, None), (1, None)], &[0, 1], "nobody wins on time");
    let bid = Some("bid 1");
    check(three, &[(0, bid), (1, None), (2, bid)], &[1], "Ben loses on time");
    check(three, &[(2, None), (0, bid), (1, None)], &[1, 2], "Ann wins on time");
    check(three, &[(0, None), (1, None), (2, None)], &[0, 1, 2], "nobody wins on time");
    let mut open = Record::start(two, "{}", 1).unwrap();
    assert!(open.push(Turn::new(1, Seat(1), OUT_OF_TIME)).is_err(), "where all move at once");
}

#[test]
fn who_resigns_while_the_other_has_sealed_a_move_ends_the_game() {
    use rules::{MatchVerdict, Outcome, RESIGNED};
    let resign = || Ask::Beside("resign".to_owned());
    for loser in [ODD, EVEN] {
        let mut record = Record::start(kind("even-odd").unwrap(), "{}", 1).unwrap();
        record.push(Turn::new(1, ODD, "3")).unwrap();
        // Whether its own move is in already or not.
        record.take(record.step(loser, resign()).unwrap());
        let won = Seat(1 - loser.0);
        let text = format!("{} wins by resignation", record.seats()[usize::from(won.0)]);
        let outcome = Outcome::of_two(Some(won), text);
        assert_eq!(record.due(), Due::Over(outcome.clone()));
        assert_eq!((record.turns()[1].text.as_str(), record.resigned()), (RESIGNED, Some(loser)));
        let verdict = MatchVerdict::of(&outcome, &record.lost_on_time());
        assert!(!verdict.is_forfeit() && verdict.winner() == Some(usize::from(won.0)));
        assert!(record.push(Turn::new(3, EVEN, "2")).is_err(), "it is over");
        assert_eq!(record.as_of(2).due(), record.due(), "it replays");
    }
    // Chess has a move for it, and its log has that alone.
    let mut chess = record(START, false);
    assert!(chess.push(Turn::new(1, WHITE, RESIGNED)).is_err());
    chess.take(chess.step(WHITE, resign()).unwrap());
    assert_eq!((chess.turns()[0].text.as_str(), chess.resigned()), ("resign", None));
}

#[test]
fn who_gives_up_does_not_get_back_what_is_lost_already() {
    use rules::MatchVerdict;
    // The set-up, what both choose in each round, who resigns then, and what each has of it.
    let check = |setup: &str, rounds: &[[&str; 2]], loser: u8, points: [i32; 2]| {
        let mut record = Record::start(kind("matrix-game").unwrap(), setup, 1).unwrap();
        for (both, seat) in rounds.iter().flat_map(|both| [(both, 0), (both, 1)]) {
            record.take(record.step(Seat(seat), both[usize::from(seat)]).unwrap());
        }
        record.take(record.step(Seat(loser), Ask::Beside("resign".to_owned())).unwrap());
        let outcome = record.due().outcome().cloned().unwrap();
        assert_eq!((&outcome.points[..], outcome.winner()), (&points[..], Some(Seat(1 - loser))));
        assert_eq!(MatchVerdict::of(&outcome, &[]).scores, points);
    };
    let rocks = r#"{"game": "rock-paper-scissors"}"#;
    check(rocks, &[], 0, [-1, 1]);
    check(rocks, &[["rock", "paper"]; 3], 0, [-3, 3]);
    check(rocks, &[["rock", "paper"]; 3], 1, [1, -1]);
    check("{}", &[["defect", "cooperate"]; 2], 1, [10, -1]);
    let mut poker = Record::start(kind("kuhn-poker").unwrap(), "{}", 1).unwrap();
    for (number, seat, text) in [(1, 0, "bet"), (2, 1, "pass"), (3, 1, "bet"), (4, 0, "pass")] {
        poker.push(Turn::new(number, Seat(seat), text)).unwrap();
    }
    poker.push(Turn::new(5, Seat(0), "bet")).unwrap();
    poker.push(Turn::new(6, Seat(1), "pass")).unwrap();
    let resigned = poker.step(Seat(1), Ask::Beside("resign".to_owned())).unwrap();
    assert_eq!(resigned.outcome().unwrap().points, [1, -1], "one hand more was won than lost");
}

#[test]
fn a_move_is_read_once() {
    let kind = *toys::KINDS.iter().find(|kind| kind.name == "toy-thousand").unwrap();
    let mut record = Record::start(kind, "{}", 1).unwrap();
    let step = record.step(Seat(0), "17").unwrap();
    record.take(step);
    assert_eq!(toys::READ.get(), 1, "from a player");
    record.push(Turn::new(2, Seat(1), "18")).unwrap();
    assert_eq!(toys::READ.get(), 2, "from the log");
}

#[test]
fn that_somebody_was_late_fits_only_where_they_were_due() {
    let mut record = Record::start(kind("even-odd").unwrap(), "{}", 1).unwrap();
    assert!(record.push(Turn::new(1, Seat(2), "default")).is_err(), "nobody sits there");
    record.push(Turn::new(1, ODD, "default")).unwrap();
    assert!(record.push(Turn::new(2, ODD, "default")).is_err(), "it is in already");
}

#[test]
fn a_claim_to_win_holds_only_if_the_move_wins_and_tells_no_secret() {
    let check = |name: &str, moves: &str, claimed: &str| {
        let mut record = Record::start(kind(name).unwrap(), "{}", 1).unwrap();
        for text in moves.split(' ').filter(|text| !text.is_empty()) {
            let Due::One(seat) = record.due() else { panic!("it is over before {text}") };
            record.take(record.step(seat, text).unwrap());
        }
        let Due::One(seat) = record.due() else { panic!("it is over") };
        let step = record.step(seat, claimed).unwrap();
        record.check_claim(&step)
    };
    assert_eq!(check("tic-tac-toe", "a1 b1 a2 b2", "a3"), Ok(()));
    assert_eq!(check("tic-tac-toe", "a1 b1 a2 b2", "c3"), Err(Illegal::FalseClaim));
    assert_eq!(check("chess", "f2f3 e7e5 g2g4", "d8h4"), Ok(()));
    assert_eq!(check("chess", "f2f3 e7e5", "g2g4"), Err(Illegal::FalseClaim));
    // Whether it wins depends on a card that nobody has seen.
    assert!(matches!(check("kuhn-poker", "", "bet"), Err(Illegal::Rule { .. })));
}

#[test]
fn what_is_asked_in_types_is_written_as_its_text() {
    let mut record = Record::start(kind("chess").unwrap(), "{}", 1).unwrap();
    let ask =
        |text: &'static str| Ask::of(move |chess: &Chess, seat| chess.on_board(seat, text, false));
    assert_eq!(record.check(WHITE, ask("Nf3")).as_deref(), Ok("g1f3"));
    assert_eq!(record.check(BLACK, ask("Nf6")), Err(Illegal::NotYourTurn));
    record.take(record.step(WHITE, ask("Nf3")).unwrap());
    assert_eq!(record.turns()[0].text, "g1f3");
    // Types of another kind are no move here.
    let other = Ask::of(|even_odd: &EvenOdd, seat| Rules::parse(even_odd, seat, "even"));
    assert!(matches!(record.check(BLACK, other), Err(Illegal::Rule { .. })));
}
