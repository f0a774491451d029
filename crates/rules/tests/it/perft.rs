//! How many games there are of so many plies, against the published counts.
//! <https://www.chessprogramming.org/Perft_Results>

use rules::{
    Dice, Rules, Seat,
    chess::{Chess, WHITE},
};

/// White begins; `counts` are for depth 1, 2, 3, ...
fn check(fen: &str, counts: &[u64]) {
    let chess = crate::chess(fen);
    for (depth, &count) in (1..).zip(counts) {
        let counted = perft(&chess, WHITE, depth, &mut Dice::new(1, 0));
        assert_eq!(counted, count, "{fen} to depth {depth}");
    }
}

fn perft(chess: &Chess, seat: Seat, depth: u32, dice: &mut Dice) -> u64 {
    let legal = chess.legal(seat);
    if depth == 1 {
        return legal.len() as u64;
    }
    let after = |mv| {
        let mut next = chess.clone();
        next.play(&[(seat, mv)], dice);
        perft(&next, Seat(1 - seat.0), depth - 1, dice)
    };
    legal.into_iter().map(after).sum()
}

#[test]
fn the_usual_start() {
    check(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609],
    );
}

#[test]
fn kiwipete() {
    check(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    );
}

#[test]
fn pinned_en_passant() {
    check("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]);
}

#[test]
fn promotions_and_castling() {
    check(
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    );
}

#[test]
fn a_knight_that_takes_the_castling_right() {
    check(
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    );
}

#[test]
fn a_middle_game() {
    check(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    );
}
