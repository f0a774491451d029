//! Even or odd, move by move: who wins a round, a match, and what a missing answer costs.

use rules::{
    Due, Eye, Illegal, Record, Seat, Turn,
    even_odd::{EVEN, EvenOdd, ODD, Setup, SumType, View},
    kind,
};

fn record(rounds_to_win: u8, max_rounds: u8) -> Record {
    let setup = serde_json::to_string(&Setup { rounds_to_win, max_rounds }).unwrap();
    Record::start(kind("even-odd").unwrap(), &setup, 1).unwrap()
}

fn push(record: &mut Record, seat: Seat, text: &str) {
    let number = record.next_number();
    record.push(Turn::new(number, seat, text)).unwrap();
}

fn view(record: &Record) -> View {
    record.view::<EvenOdd>(Eye::Public).unwrap()
}

/// `rounds` are Odd's and Even's fingers, `-` for no answer; the outcome and what it is worth.
fn check((to_win, max): (u8, u8), rounds: &str, outcome: &str, points: [u8; 2]) {
    let mut record = record(to_win, max);
    let word = |c: char| if c == '-' { "default".to_owned() } else { c.to_string() };
    for round in rounds.split(' ') {
        assert_eq!(view(&record).match_points, None, "{rounds} is over before its end");
        let both: Vec<_> = round.chars().map(word).collect();
        push(&mut record, EVEN, &both[1]);
        push(&mut record, ODD, &both[0]);
    }
    let over = record.due().outcome().cloned().unwrap_or_else(|| panic!("{rounds} is not over"));
    assert_eq!(over.text, outcome, "{rounds}");
    let view = view(&record);
    assert_eq!(view.match_points, Some(points), "{rounds}");
    let verdict = view.verdict().unwrap();
    assert_eq!(verdict.winner().map(|seat| Seat(seat as u8)), over.winner());
    assert_eq!(verdict.points(), points);
    for seat in [ODD, EVEN] {
        assert_eq!(record.check(seat, "1"), Err(Illegal::Over(over.clone())));
    }
}

#[test]
fn a_match_is_bounded() {
    let even_odd = kind("even-odd").unwrap();
    let setup = |rounds: u8| format!(r#"{{"rounds_to_win": {rounds}, "max_rounds": {rounds}}}"#);
    assert!(Record::start(even_odd, &setup(50), 1).is_ok());
    let refusal = Record::start(even_odd, &setup(51), 1).err().unwrap();
    assert_eq!(refusal.to_string(), "max_rounds is 1 to 50, not 51");
}

#[test]
fn how_matches_end() {
    let usual = (3, 5);
    check(usual, "12 12 12", "Odd wins 3-0", [3, 0]);
    check(usual, "12 22 54 34", "Odd wins 3-1", [3, 0]);
    check(usual, "11 12 11 12 55", "Even wins 2-3", [0, 3]);
    // No answer loses the round, and the second time the match.
    check(usual, "-1 12 12 12", "Odd wins 3-1", [3, 0]);
    check(usual, "1- 12 12", "Odd wins 3-0", [3, 0]);
    check(usual, "-1 12 12 -1", "Even wins by forfeit", [0, 3]);
    check(usual, "1- 1-", "Odd wins by forfeit", [3, 0]);
    check(usual, "-- 12 1-", "Odd wins by forfeit", [3, 0]);
    // Where nobody answers nobody wins.
    check(usual, "-- 12 11 12 11", "Draw 2-2", [1, 1]);
    check(usual, "-- --", "Double forfeit", [0, 0]);
    check(usual, "1- -1 --", "Double forfeit", [0, 0]);
    // Where one round decides there is no second chance.
    check((1, 1), "11", "Even wins 0-1", [0, 3]);
    check((1, 1), "1-", "Odd wins by forfeit", [3, 0]);
    check((1, 1), "--", "Double forfeit", [0, 0]);
    check((1, 5), "--", "Double forfeit", [0, 0]);
    check((3, 4), "12 11 12 11", "Draw 2-2", [1, 1]);
    check((3, 3), "12 11 12", "Odd wins 2-1", [3, 0]);
}

#[test]
fn a_round_tells_both_moves_and_their_sum() {
    let mut record = record(3, 5);
    push(&mut record, ODD, "4");
    push(&mut record, EVEN, "3");
    push(&mut record, ODD, "2");
    push(&mut record, EVEN, "default");
    push(&mut record, ODD, "default");
    push(&mut record, EVEN, "default");
    let view = view(&record);
    let [first, second, third] = view.rounds.as_slice() else { panic!("{view:?}") };
    assert_eq!((first.moves, first.sum), ([Some(4), Some(3)], Some(7)));
    assert_eq!((first.sum_type, first.winner), (Some(SumType::Odd), Some(ODD)));
    assert_eq!((second.moves, second.sum), ([Some(2), None], None));
    assert_eq!((second.sum_type, second.winner), (None, Some(ODD)));
    assert_eq!((third.moves, third.winner), ([None, None], None));
    assert_eq!((view.scores, view.forfeited.as_slice()), ([2, 0], [EVEN].as_slice()));
    let written = serde_json::to_value(first).unwrap();
    let expected = r#"{"moves":[4,3],"sum":7,"sum_type":"ODD","winner":0}"#;
    assert_eq!(written, serde_json::from_str::<serde_json::Value>(expected).unwrap());
}

#[test]
fn a_sealed_move_is_neither_seen_nor_changed() {
    let mut record = record(3, 5);
    let before = [Eye::Public, Eye::Seat(ODD)].map(|eye| record.view::<EvenOdd>(eye));
    push(&mut record, EVEN, "3");
    assert_eq!(record.due(), Due::Each(vec![ODD]));
    let after = [Eye::Public, Eye::Seat(ODD)].map(|eye| record.view::<EvenOdd>(eye));
    assert_eq!(before, after);
    for text in ["4", "3", "default"] {
        assert_eq!(record.check(EVEN, text), Err(Illegal::NotYourTurn));
    }
    push(&mut record, ODD, "4");
    assert_eq!(view(&record).rounds[0].moves, [Some(4), Some(3)]);
    assert_eq!(record.due(), Due::Each(vec![ODD, EVEN]));
}

#[test]
fn only_whole_numbers_from_one_to_five_count() {
    for text in ["0", "6", "2.9", "", "three", "-1", "+1", "01", " 1", "99", "Default", "1e0"] {
        let refusal = record(3, 5).check(ODD, text).unwrap_err();
        let Illegal::Rule { options, .. } = refusal else { panic!("{text}") };
        assert_eq!(options, ["1", "2", "3", "4", "5"]);
    }
}
