//! How a move may be written, and that nothing a player writes can do harm.

use proptest::prelude::*;
use rules::{Due, Illegal, Rules};

use crate::{START, chess};

/// Castling on both sides, for both sides.
const CASTLES: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
const CASTLES_BLACK: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1";
/// Pawns on b7 and e7 that can walk or capture on to the last rank.
const PROMOTES: &str = "n2n4/1P2P2k/8/8/8/8/8/K7 w - - 0 1";
const PROMOTES_BLACK: &str = "k7/8/8/8/8/8/4p2K/3N4 b - - 0 1";
/// Knights on b1 and f3 both see d2; rooks on a1 and a5 both see a3.
const TWINS: &str = "4k3/8/8/R7/8/5N2/8/RN2K3 w - - 0 1";
/// Queens on e4, h4 and h1 all see e1.
const TRIPLETS: &str = "8/5k2/8/8/4Q2Q/8/8/K6Q w - - 0 1";
/// White may capture d6 en passant.
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
/// c3 can be taken by the pawn on b2 and by the bishop on a5.
const PAWN_AND_BISHOP: &str = "4k3/8/8/B7/8/2p5/1P6/4K3 w - - 0 1";
/// c3 can be taken by the bishop alone, c4 by the pawn alone.
const BISHOP_OR_PAWN: &str = "4k3/8/8/B7/2p5/1Pp5/8/4K3 w - - 0 1";

/// `Ok` is the move as it is kept, `Err` a part of the refusal.
fn check(fen: &str, text: &str, expected: Result<&str, &str>) {
    let chess = chess(fen);
    let Due::One(seat) = chess.due() else { panic!("{fen} is over") };
    let answer = chess.parse(seat, text).map(|mv| chess.write(&mv));
    match (answer, expected) {
        (Ok(uci), Ok(expected)) => assert_eq!(uci, expected, "{text:?} in {fen}"),
        (Err(Illegal::Rule { reason, .. }), Err(part)) => {
            assert!(reason.contains(part), "{text:?} in {fen} is refused: {reason}");
        }
        (answer, _) => panic!("{text:?} in {fen} is {answer:?}, not {expected:?}"),
    }
}

#[test]
fn uci_is_read_in_any_case_and_spacing() {
    for text in [
        "e2e4", "E2E4", "e2E4", " e2e4\n", "e2-e4", "e2 e4", "E2 - E4", "e2e4!", "1. e2e4", "pe2e4",
    ] {
        check(START, text, Ok("e2e4"));
    }
    check("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4xd5", Ok("e4d5"));
}

#[test]
fn san_is_read() {
    check(START, "e4", Ok("e2e4"));
    check(START, "E4", Ok("e2e4"));
    check(START, "B3", Ok("b2b3"));
    check(START, "Pe4", Ok("e2e4"));
    check(START, "Nf3", Ok("g1f3"));
    check(START, "nf3", Ok("g1f3"));
    check(START, "NF3", Ok("g1f3"));
    check(TWINS, "Nbd2", Ok("b1d2"));
    check(TWINS, "Nfd2", Ok("f3d2"));
    check(TWINS, "nfd2", Ok("f3d2"));
    check(TWINS, "N1d2", Ok("b1d2"));
    check(TWINS, "R5a3", Ok("a5a3"));
    check(TWINS, "Ra5a3", Ok("a5a3"));
    check(TRIPLETS, "Qh4e1", Ok("h4e1"));
    check("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", Ok("e4d5"));
    check("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "EXD5", Ok("e4d5"));
}

#[test]
fn long_forms_are_read() {
    for text in ["Ng1f3", "Ng1-f3", "ng1f3", "NG1F3", "N g1 f3"] {
        check(START, text, Ok("g1f3"));
    }
    check(PAWN_AND_BISHOP, "Ba5xc3", Ok("a5c3"));
    check(PAWN_AND_BISHOP, "b2xc3", Ok("b2c3"));
    check("4k3/8/8/8/8/8/7P/1B2K3 w - - 0 1", "Bb1a2", Ok("b1a2"));
}

#[test]
fn numbers_before_and_marks_behind_are_passed_over() {
    for text in ["1. e4", "1.e4", "1... e4", "17.e4", "e4.", "e4!", "e4!?", "e4 +", "1.e4+?!"] {
        check(START, text, Ok("e2e4"));
    }
    check("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "1...e5", Ok("e7e5"));
    check(START, "12.Nf3", Ok("g1f3"));
    check(START, "Nf3+!", Ok("g1f3"));
    check(START, "Nf3#", Ok("g1f3"));
    for text in ["exd6", "exd6 e.p.", "exd6e.p.", "exd6 e.p", "exd6ep", "e5d6", "e5xd6 e.p."] {
        check(EN_PASSANT, text, Ok("e5d6"));
    }
}

#[test]
fn castling_is_read_in_every_form() {
    for text in ["O-O", "0-0", "o-o", "O-O+", "1. O-O", "e1g1", "E1G1", "e1-g1", "e1h1", "Ke1g1"] {
        check(CASTLES, text, Ok("e1g1"));
    }
    for text in ["O-O-O", "0-0-0", "o-o-o", "e1c1", "e1a1", "O-O-O!?"] {
        check(CASTLES, text, Ok("e1c1"));
    }
    check(CASTLES_BLACK, "O-O", Ok("e8g8"));
    check(CASTLES_BLACK, "0-0-0", Ok("e8c8"));
    check(CASTLES_BLACK, "e8h8", Ok("e8g8"));
    check(CASTLES_BLACK, "e8a8", Ok("e8c8"));
    // A king that walks to the rook's neighbour does not castle.
    check("4k3/8/8/8/8/8/8/5K1R w - - 0 1", "Kg1", Ok("f1g1"));
}

#[test]
fn promotions_are_read_in_every_form() {
    for text in
        ["e7e8q", "e7e8Q", "E7E8Q", "e7-e8=Q", "e7e8=q", "e8=Q", "e8Q", "e8q", "e8=q", "E8=Q"]
    {
        check(PROMOTES, text, Ok("e7e8q"));
    }
    for text in ["exd8=N", "exd8N", "exd8n", "exd8=n", "e7d8n", "e7xd8=N+", "EXD8=N"] {
        check(PROMOTES, text, Ok("e7d8n"));
    }
    // The file b is also the letter of the bishop.
    for text in ["b7b8q", "B7B8Q", "b7b8=Q", "b7-b8q", "b8=Q", "b8q", "B8Q"] {
        check(PROMOTES, text, Ok("b7b8q"));
    }
    for text in ["b7b8b", "b8b", "b8=B", "B7B8B"] {
        check(PROMOTES, text, Ok("b7b8b"));
    }
    check(PROMOTES, "bxa8=R", Ok("b7a8r"));
    check(PROMOTES_BLACK, "e1=N", Ok("e2e1n"));
    check(PROMOTES_BLACK, "exd1q", Ok("e2d1q"));
}

#[test]
fn a_promotion_is_never_guessed_nor_made_up() {
    check(PROMOTES, "e7e8", Err("add q, r, b or n"));
    check(PROMOTES, "e8", Err("add =Q, =R, =B or =N"));
    check(PROMOTES, "exd8", Err("add =Q, =R, =B or =N"));
    check(PROMOTES, "b7b8", Err("add q, r, b or n"));
    check(PROMOTES, "e7e8k", Err("a pawn cannot become a king"));
    check(PROMOTES, "e8=K", Err("a pawn cannot become a king"));
    check(PROMOTES, "e7e8p", Err("a pawn cannot become a pawn"));
    check(START, "e2e4q", Err("nothing promotes there: send e2e4"));
    check(START, "e4=Q", Err("nothing promotes on e4"));
    check(START, "Nf3=Q", Err("nothing promotes on f3"));
    check(START, "g1f3q", Err("nothing promotes there: send g1f3"));
    check(CASTLES, "e1g1q", Err("nothing promotes there: send e1g1"));
}

#[test]
fn a_small_b_is_a_pawn_first_and_a_bishop_second() {
    check(PAWN_AND_BISHOP, "bxc3", Ok("b2c3"));
    check(PAWN_AND_BISHOP, "Bxc3", Ok("a5c3"));
    check(BISHOP_OR_PAWN, "bxc3", Ok("a5c3"));
    check(BISHOP_OR_PAWN, "bb4", Ok("a5b4"));
    check(START, "bb5", Err("none of your bishops can go to b5"));
}

#[test]
fn a_capital_b_is_a_bishop() {
    check(BISHOP_OR_PAWN, "bxc4", Ok("b3c4"));
    check(BISHOP_OR_PAWN, "Bxc4", Err("a bishop does not move from a5 to c4"));
    // Bishops on h1 and h5 both see f3; in UCI, b1 is a square.
    let bishops = "2k5/8/8/7B/8/8/8/1N2K2B w - - 0 1";
    check(bishops, "B1f3", Ok("h1f3"));
    check(bishops, "B1g3", Err("a bishop does not move from h1 to g3"));
    check(bishops, "b1c3", Ok("b1c3"));
    check(bishops, "B1C3", Ok("b1c3"));
}

#[test]
fn the_mark_of_a_capture_may_be_missing_or_too_much() {
    check(PAWN_AND_BISHOP, "Bc3", Ok("a5c3"));
    check(START, "Nxf3", Ok("g1f3"));
    check(BISHOP_OR_PAWN, "bc4", Ok("b3c4"));
    check(EN_PASSANT, "ed6", Ok("e5d6"));
}

#[test]
fn what_could_be_two_moves_is_refused() {
    check(TWINS, "Nd2", Err("more than one knight can go to d2"));
    check(TWINS, "nd2", Err("more than one knight can go to d2"));
    check(TWINS, "Ra3", Err("more than one rook can go to a3"));
    check(TWINS, "Rxa3", Err("more than one rook can go to a3"));
    check(TRIPLETS, "Qhe1", Err("more than one queen can go to e1"));
}

#[test]
fn what_is_no_move_is_refused() {
    let long = "e2e4".repeat(10_000);
    for text in [
        "", " ", ".", "1.", "+", "x", "=", "e", "e9", "i4", "e2e9", "e2e4e5", "e2e4x9", "hello",
        "0000", "O-O-O-O", "e4d", "е4", "é", "é4", "Né", "e8é", "\0", "e2e4\0", "🙂", "e8=", "=Q",
        "mate", "claimWin", "--", &long,
    ] {
        check(START, text, Err("is not a move"));
    }
    check(START, "N@f3", Err("is not a move of this game"));
}

proptest! {
    /// Whatever is written, the answer is a legal move or a refusal whose options are legal.
    #[test]
    fn nothing_that_is_written_does_harm(
        text in prop_oneof![any::<String>(), "[a-hA-H1-8xKQRBNPknqroO0=+#!?. -]{0,9}"],
        fen in prop::sample::select(vec![
            START, CASTLES, CASTLES_BLACK, PROMOTES, TWINS, TRIPLETS, EN_PASSANT, BISHOP_OR_PAWN,
        ]),
    ) {
        let chess = chess(fen);
        let Due::One(seat) = chess.due() else { panic!("{fen} is over") };
        let legal = chess.legal(seat);
        match chess.parse(seat, &text) {
            Ok(mv) => prop_assert!(legal.contains(&mv), "{mv:?}"),
            Err(Illegal::Rule { reason, options, .. }) => {
                prop_assert!(!reason.is_empty());
                for option in options {
                    let mv = chess.parse(seat, &option).unwrap();
                    prop_assert!(legal.contains(&mv), "{option}");
                }
            }
            Err(refusal) => prop_assert!(false, "{refusal}"),
        }
    }
}
