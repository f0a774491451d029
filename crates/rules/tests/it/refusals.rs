//! Why a move is refused, and which moves come nearest to it.

use rules::{Due, Illegal, Rules};

use crate::{START, chess};

/// `options` are separated by spaces.
fn check(fen: &str, text: &str, reason: &str, options: &str) {
    let chess = chess(fen);
    let Due::One(seat) = chess.due() else { panic!("{fen} is over") };
    let Err(Illegal::Rule { reason: told, options: named, .. }) = chess.parse(seat, text) else {
        panic!("{text} in {fen}");
    };
    assert_eq!(told, reason, "{text} in {fen}");
    assert_eq!(named.join(" "), options.trim(), "{text} in {fen}");
}

#[test]
fn pieces_that_are_not_there_or_not_yours() {
    check(START, "e4e5", "there is no piece on e4", "");
    check(START, "e7e5", "the pawn on e7 is Black's, and you play White", "");
    check(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "g1f3",
        "the knight on g1 is White's, and you play Black",
        "",
    );
    check("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "Qd4", "you have no queen", "");
    check("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "a4", "you have no pawn", "");
}

#[test]
fn squares_that_are_taken_or_out_of_the_way() {
    check(START, "g1g1", "the knight stands on g1 already", "g1f3 g1h3");
    check(START, "g1e2", "your own pawn stands on e2", "g1f3 g1h3");
    check(START, "a1a2", "your own pawn stands on a2", "");
    check(START, "g1g3", "a knight does not move from g1 to g3", "g1f3 g1h3");
    check(START, "a1b3", "a rook does not move from a1 to b3", "");
    check(START, "c1c3", "a bishop does not move from c1 to c3", "");
    check(START, "d1e3", "a queen does not move from d1 to e3", "");
    check(START, "e1e3", "a king does not move from e1 to e3", "");
    check(START, "a1a4", "the way from a1 to a4 is blocked by the pawn on a2", "");
    check(START, "f1a6", "the way from f1 to a6 is blocked by the pawn on e2", "");
    // The nearest of several.
    check(
        "r3k3/8/n7/8/b7/8/8/R3K3 w - - 0 1",
        "a1a8",
        "the way from a1 to a8 is blocked by the bishop on a4",
        "a1a2 a1a3 a1a4 a1b1 a1c1 a1d1",
    );
}

#[test]
fn pawns() {
    check(START, "e2e5", "a pawn does not move from e2 to e5", "e2e3 e2e4");
    check(START, "e2e1", "your own king stands on e1", "e2e3 e2e4");
    check("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e3", "a pawn does not move from e4 to e3", "e4e5");
    check(
        "4k3/4p3/8/8/8/4P3/8/4K3 w - - 0 1",
        "e3e5",
        "a pawn moves two squares only from where it started",
        "e3e4",
    );
    check(
        START,
        "e2d3",
        "there is nothing to capture on d3, and pawns move diagonally only to capture",
        "e2e3 e2e4",
    );
    let blocked = "4k3/8/8/8/4n3/4P3/4P3/4K3 w - - 0 1";
    check(blocked, "e3e4", "the pawn is blocked by the piece on e4; pawns capture diagonally", "");
    check(blocked, "e2e3", "your own pawn stands on e3", "");
    check(blocked, "e2e4", "the pawn is blocked by the piece on e3; pawns capture diagonally", "");
    check(
        "4k3/4p3/4N3/8/8/8/8/4K3 b - - 0 1",
        "e7e5",
        "the pawn is blocked by the piece on e6; pawns capture diagonally",
        "",
    );
    // The chance to capture en passant is gone after one move.
    check(
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2",
        "e5d6",
        "there is nothing to capture on d6, and pawns move diagonally only to capture",
        "e5e6",
    );
}

#[test]
fn promotions() {
    let fen = "3r4/4P2k/8/8/8/8/8/K7 w - - 0 1";
    check(
        fen,
        "e7e8",
        "the pawn promotes on e8: add q, r, b or n, like e7e8q",
        "e7e8b e7e8n e7e8q e7e8r",
    );
    check(fen, "e7e8k", "a pawn cannot become a king", "e7e8b e7e8n e7e8q e7e8r");
    check(fen, "e8=K", "a pawn cannot become a king", "e7e8b e7e8n e7e8q e7e8r");
    check(
        fen,
        "exd8",
        "a pawn that reaches d8 promotes: add =Q, =R, =B or =N",
        "e7d8b e7d8n e7d8q e7d8r",
    );
    check(START, "e2e4q", "nothing promotes there: send e2e4", "e2e4");
    check(START, "e4=Q", "nothing promotes on e4: leave the last letter out", "e2e4");
    // First things first: this pawn does not get there at all.
    check(
        "4k3/8/4P3/8/8/8/8/4K3 w - - 0 1",
        "e8",
        "a pawn moves two squares only from where it started",
        "e6e7",
    );
}

#[test]
fn kings_in_danger() {
    let checked = "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1";
    check(checked, "e1d2", "the king would be in check on d2", "e1d1 e1e2 e1f1");
    check(checked, "a1a2", "your king is in check, and this does not end it", "");
    check(checked, "O-O", "a king in check cannot castle", "e1d1 e1e2 e1f1");
    check(
        "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1",
        "e2c3",
        "the knight on e2 is pinned: your king would be in check",
        "",
    );
    check(
        "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1",
        "e2d2",
        "the rook on e2 is pinned: your king would be in check",
        "e2e3 e2e4 e2e5 e2e6 e2e7",
    );
    // The pawn could capture en passant, but both pawns would leave the rank of the king.
    check(
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
        "e5d6",
        "the pawn on e5 is pinned: your king would be in check",
        "e5e6",
    );
    // A piece that is covered cannot be taken by the king.
    check(
        "4k3/8/8/8/8/5b2/4n3/4K3 w - - 0 1",
        "e1e2",
        "the king would be in check on e2",
        "e1d1 e1d2 e1f1 e1f2",
    );
}

#[test]
fn castling() {
    let gone = "White may no longer castle on that side: the king or the rook has moved";
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1";
    check(fen, "O-O", gone, "e1d1 e1d2 e1e2 e1f1 e1f2");
    check(fen, "e1c1", gone, "e1d1 e1d2 e1e2 e1f1 e1f2");
    check("r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1", "O-O-O", gone, "e1d1 e1d2 e1e2 e1f1 e1f2 e1g1");
    check(
        "4k3/8/8/8/8/8/8/R4K2 b - - 0 1",
        "O-O-O",
        "Black may no longer castle on that side: the king or the rook has moved",
        "e8d7 e8d8 e8e7 e8f7 e8f8",
    );
    check(START, "O-O", "castling is blocked by the piece on f1", "");
    check(START, "e1c1", "castling is blocked by the piece on d1", "");
    let knight = "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1";
    check(knight, "0-0-0", "castling is blocked by the piece on b1", "e1d1 e1d2 e1e2 e1f1 e1f2");
    check(
        "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1",
        "e1g1",
        "the king cannot castle over or onto f1, which is attacked",
        "e1d1 e1d2 e1e2",
    );
    check(
        "4k3/8/8/8/8/2r5/8/R3K3 w Q - 0 1",
        "O-O-O",
        "the king cannot castle over or onto c1, which is attacked",
        "e1d1 e1d2 e1e2 e1f1 e1f2",
    );
    // It could castle, but this is not how castling is written.
    check(
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "Kg1",
        "to castle, send e1g1",
        "e1d1 e1d2 e1e2 e1f1 e1f2 e1g1",
    );
    check(
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "Kh1",
        "your own rook stands on h1",
        "e1d1 e1d2 e1e2 e1f1 e1f2 e1g1",
    );
}

#[test]
fn short_forms_that_fit_no_move() {
    check(START, "e5", "none of your pawns can go to e5", &pawns_at_the_start());
    check(START, "exd4", "a pawn does not move from e2 to d4", "d2d4");
    check(START, "exd5", "a pawn does not move from e2 to d5", &pawns_at_the_start());
    check(START, "Nd4", "none of your knights can go to d4", "b1a3 b1c3 g1f3 g1h3");
    // There is only one it can be, so the reason can say more.
    check(START, "Qd3", "the way from d1 to d3 is blocked by the pawn on d2", "");
    check(START, "Ke2", "your own pawn stands on e2", "");
    check(START, "N@f3", "\"N@f3\" is not a move of this game", "");
    check(
        START,
        "1. e9",
        "\"e9\" is not a move; write it in UCI, like e2e4 or a7a8q, or in SAN, like Nf3 or O-O",
        "",
    );
}

#[test]
fn short_forms_that_name_the_wrong_piece() {
    check(START, "Nbf3", "a knight does not move from b1 to f3", "g1f3");
    check(START, "Nef3", "another knight can go to f3, not the one you named", "g1f3");
    check(
        START,
        "exd3",
        "there is nothing to capture on d3, and pawns move diagonally only to capture",
        "d2d3",
    );
    let fen = "4k3/8/8/4p3/3P4/8/8/4K3 w - - 0 1";
    check(fen, "fxe5", "another pawn can go to e5, not the one you named", "d4e5");
    check(fen, "e5", "a pawn can go to e5 only by capturing: say from which square", "d4e5");
}

#[test]
fn short_forms_that_fit_two_moves() {
    let fen = "4k3/8/8/R7/8/5N2/8/RN2K3 w - - 0 1";
    check(fen, "Nd2", "more than one knight can go to d2; say from which square", "b1d2 f3d2");
    check(fen, "Ra3", "more than one rook can go to a3; say from which square", "a1a3 a5a3");
    check(
        "8/5k2/8/8/4Q2Q/8/8/K6Q w - - 0 1",
        "Qhe1",
        "more than one queen can go to e1; say from which square",
        "h1e1 h4e1",
    );
}

fn pawns_at_the_start() -> String {
    ('a'..='h').map(|file| format!("{file}2{file}3 {file}2{file}4 ")).collect()
}
