//! Nothing that a player writes can do harm. How a move may be written is in `texts/moves.txt`.

use proptest::prelude::*;
use rules::{Due, Illegal, Rules, chess::WHITE};

use crate::{START, chess};

/// Castling on both sides, for both sides.
const CASTLES: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
const CASTLES_BLACK: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1";
/// Pawns on b7 and e7 that can walk or capture on to the last rank.
const PROMOTES: &str = "n2n4/1P2P2k/8/8/8/8/8/K7 w - - 0 1";
/// Knights on b1 and f3 both see d2; rooks on a1 and a5 both see a3.
const TWINS: &str = "4k3/8/8/R7/8/5N2/8/RN2K3 w - - 0 1";
/// Queens on e4, h4 and h1 all see e1.
const TRIPLETS: &str = "8/5k2/8/8/4Q2Q/8/8/K6Q w - - 0 1";
/// White may capture d6 en passant.
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
/// c3 can be taken by the bishop alone, c4 by the pawn alone.
const BISHOP_OR_PAWN: &str = "4k3/8/8/B7/2p5/1Pp5/8/4K3 w - - 0 1";

#[test]
fn what_is_no_move_is_refused() {
    let long = "e2e4".repeat(10_000);
    for text in [
        "", " ", ".", "1.", "+", "x", "=", "e", "e9", "i4", "e2e9", "e2e4e5", "e2e4x9", "hello",
        "0000", "O-O-O-O", "e4d", "е4", "é", "é4", "Né", "e8é", "\0", "e2e4\0", "🙂", "e8=", "=Q",
        "mate", "claimWin", "--", &long,
    ] {
        let Err(Illegal::Rule { reason, .. }) = chess(START).parse(WHITE, text) else {
            panic!("{text:?} is read");
        };
        assert!(reason.contains("is not a move"), "{text:?} is refused: {reason}");
    }
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
