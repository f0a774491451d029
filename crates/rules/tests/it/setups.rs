//! How games of chess start: positions, variants, games that go on; and what is refused.

use rules::{
    Due, Record,
    chess::{Setup, Variant, WHITE},
    kind,
};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

use crate::{START, picture, turn, view};

fn start(setup: &str, seed: u64) -> Result<Record, String> {
    Record::start(kind("chess").unwrap(), setup, seed).map_err(|why| why.to_string())
}

fn pgn(text: &str) -> Result<Record, String> {
    start(&serde_json::json!({ "pgn": text }).to_string(), 1)
}

#[track_caller]
fn refuse(setup: serde_json::Value, part: &str) {
    let why = start(&setup.to_string(), 1).err().expect("it is refused");
    assert!(why.contains(part), "{part:?} is not in {why}");
    assert!(why.len() < 400, "{why}");
}

#[test]
fn what_is_usual_is_not_written() {
    let written = serde_json::to_string(&Setup::default()).unwrap();
    assert_eq!(written, r#"{"free_takebacks":false}"#, "old set-ups are read, and new ones alike");
    let read: Setup = serde_json::from_str("{}").unwrap();
    assert!(read.loose && read.resigns && !read.hints);
    let odd = r#"{"fen":"x","variant":"y","pgn":"z","free_takebacks":true,"hints":true,"loose":false,"resigns":false}"#;
    let read: Setup = serde_json::from_str(odd).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), odd);
}

#[test]
fn chess960_starts_where_the_dice_say() {
    let fen = |seed| view(&start(r#"{"variant":"chess960"}"#, seed).unwrap()).fen;
    assert_eq!(fen(7), fen(7));
    let different: std::collections::HashSet<_> = (0..50).map(fen).collect();
    assert!(different.len() > 40, "{different:?}");
    let game = start(r#"{"variant":"Chess960"}"#, 3).unwrap();
    assert_eq!(view(&game).variant, Variant::Chess960);
    assert_eq!(view(&game).start_fen.as_ref(), Some(&view(&game).fen));
}

#[test]
fn a_position_says_by_itself_that_it_is_chess960() {
    let fen = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1";
    let game = start(&serde_json::json!({ "fen": fen }).to_string(), 1).unwrap();
    assert_eq!(view(&game).variant, Variant::Chess960);
    let game = start(&serde_json::json!({ "fen": START }).to_string(), 1).unwrap();
    assert_eq!(view(&game).variant, Variant::Standard);
    let game =
        start(&serde_json::json!({ "fen": START, "variant": "chess960" }).to_string(), 1).unwrap();
    assert_eq!(view(&game).variant, Variant::Chess960);
    refuse(serde_json::json!({ "fen": fen, "variant": "standard" }), "castling is allowed where");
}

#[test]
fn every_start_of_chess960_can_castle_and_replays() {
    for seed in 0..200 {
        let mut game = start(r#"{"variant":"chess960"}"#, seed).unwrap();
        // Whatever is first in the list, castling as soon as it is there.
        for _ in 0..60 {
            let Due::One(seat) = game.due() else { break };
            let now = view(&game);
            let castles = now.legal.iter().find(|mv| mv.san.starts_with("O-O"));
            let mv = castles.unwrap_or(&now.legal[now.legal.len() * 7 / 11]);
            for text in [&mv.uci, &mv.san] {
                assert_eq!(game.check(seat, text), Ok(mv.uci.clone()), "{}", now.fen);
            }
            let fen: Fen = now.fen.parse().unwrap();
            let alone: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
            assert_eq!(alone.legal_moves().len(), now.legal.len(), "{}", now.fen);
            game.push(turn(&game, seat, mv.uci.clone())).unwrap();
        }
        assert_eq!(picture(&game.as_of(u32::MAX)), picture(&game));
    }
}

#[test]
fn other_variants_are_refused_by_name() {
    for name in ["atomic", "crazyhouse", "antichess", "kingOfTheHill", "horde"] {
        refuse(serde_json::json!({ "variant": name }), &format!("the variant {name:?}"));
    }
    refuse(serde_json::json!({ "variant": "x".repeat(100_000) }), "is not played here");
}

#[test]
fn positions_are_refused_in_plain_words_and_few() {
    for (fen, part) in [
        ("no", "is not a FEN: its first field is eight ranks"),
        ("", "is not a FEN"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "is w or b"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQXq - 0 1", "like KQkq, or -"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "en passant, or -"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", "half-moves"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 x", "number of the move"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2 3", "six fields"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "each side needs a king"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "each side needs a king"),
        ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "one king only"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "no pawn stands on"),
        ("k7/8/8/8/8/8/8/K6r b - - 0 1", "not on move is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "castling is allowed where"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn has just passed"),
    ] {
        refuse(serde_json::json!({ "fen": fen }), part);
    }
    refuse(serde_json::json!({ "fen": "k".repeat(100_000) }), "is not a FEN");
    refuse(serde_json::json!({ "fen": format!("{} w - - 0 1", "8/".repeat(50_000)) }), "FEN");
}

#[test]
fn positions_of_other_games_are_refused() {
    let at = |board: &str, rest: &str| format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/{board} {rest}");
    for (fen, what) in [
        (at("RNBQKBNR[Qq]", "w KQkq - 0 1"), "pieces in hand, as Crazyhouse"),
        (at("RNBQKBNR[]", "w KQkq - 0 1"), "pieces in hand, as Crazyhouse"),
        (at("RNBQKBNR/Qq", "w KQkq - 0 1"), "pieces in hand, as Crazyhouse"),
        (at("RNBQ~KBNR", "w KQkq - 0 1"), "promoted pieces, as Crazyhouse"),
        (at("RNBQKBNR", "w KQkq - 1+3 0 1"), "checks, as Three-check"),
        (at("RNBQKBNR", "w KQkq - 0 1 +2+0"), "checks, as Three-check"),
    ] {
        let pgn = Some(format!("[FEN \"{fen}\"]\n\n1. e4"));
        for setup in [
            Setup { fen: Some(fen.clone()), ..Setup::default() },
            Setup { pgn, ..Setup::default() },
        ] {
            let why = start(&serde_json::to_string(&setup).unwrap(), 1).err().unwrap();
            assert!(why.contains(what) && why.contains("standard and chess960"), "{why}");
        }
    }
}

#[test]
fn a_game_goes_on_with_its_history() {
    let text = "[Event \"x\"]\n[White \"A \\\"b\\\" \\\\c]\"]\n\n1. e4 {a comment (with) [%clk 1:00]} e5 \
                2.Nf3 $1 (2. f4 exf4 (2... d5) 3. Nf3) 2...Nc6 ; to the end\n3. Bb5! a6?! 1-0";
    let mut game = pgn(text).unwrap();
    let now = view(&game);
    let history = now.sans();
    assert_eq!(history, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
    assert_eq!(now.turns, [0; 6]);
    assert_eq!((game.next_number(), game.due()), (1, Due::One(WHITE)));
    assert_eq!(now.opening.unwrap().eco, "C70", "{:?}", now.opening);
    assert_eq!(now.start_fen, None);
    // What was there before is not taken back.
    let why = game.check(WHITE, "takeback").unwrap_err().to_string();
    assert!(why.contains("you have not moved yet"), "{why}");
    game.push(turn(&game, WHITE, "b5a4".into())).unwrap();
    assert_eq!(view(&game).turns, [0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(picture(&game.as_of(1)), picture(&game));
}

#[test]
fn what_came_before_counts_for_repetition() {
    let mut game = pgn("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1").unwrap();
    assert_eq!(view(&game).repetitions, 2);
    let Due::One(seat) = game.due() else { panic!("it is over") };
    game.push(turn(&game, seat, "f6g8".into())).unwrap();
    assert_eq!(view(&game).repetitions, 3);
    assert!(view(&game).claim.is_some());
}

#[test]
fn a_game_may_start_anywhere_and_be_written_in_many_ways() {
    let fen = "[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n[SetUp \"1\"]\n\n";
    for (moves, last) in [("1. 0-0 Kd7", "e8d7"), ("1.O-O Ke7 *", "e8e7"), ("e1c1", "e1c1")] {
        let game = pgn(&format!("{fen}{moves}")).unwrap();
        assert_eq!(view(&game).last.unwrap().uci, last, "{moves}");
        assert!(view(&game).start_fen.is_some());
    }
    let shuffled = "[Variant \"Chess960\"]\n[FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN \
                    w KQkq - 0 1\"]\n\n1. e4 e5 *";
    assert_eq!(view(&pgn(shuffled).unwrap()).variant, Variant::Chess960);
    // Lines for other programs.
    let escaped = "% one\n[Event \"x\"]\n%two 1-0\n\n% e4\n1. d4 d5\n%c4\n2. Nf3 ;\n% Nf6\n";
    assert_eq!(view(&pgn(escaped).unwrap()).movetext(), "1. d4 d5 2. Nf3");
    // What we write ourselves.
    let tags = rules::chess::Tags {
        event: "e",
        site: "s",
        date: "d",
        white: "w",
        black: "b",
        others: &[],
    };
    let game = pgn("1. e4 e5 2. Ke2 Ke7").unwrap();
    let again = pgn(&view(&game).pgn(&tags, &[])).unwrap();
    assert_eq!(view(&again).fen, view(&game).fen);
}

#[test]
fn what_is_no_game_to_go_on_with_is_refused() {
    for (text, part) in [
        ("", "no move in the pgn"),
        ("*", "no move in the pgn"),
        ("1. e4 e5 2. banana", "move 2 of the pgn, \"banana\""),
        ("[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 40\"]\n\n40... Kd8 41. Ke9", "move 41 of the pgn"),
        ("[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 40\"]\n\n40... Ke9", "move 40... of the pgn"),
        ("1. e4 e5 2. e5", "move 2 of the pgn, \"e5\": none of your pawns can go to e5"),
        ("1. e4 {never closed", "a comment in the pgn has no end"),
        ("1. e4 (1. d4", "a variation in the pgn has no end"),
        ("1. e4 ) e5", "ends before it begins"),
        ("[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. d4 *", "more than one game"),
        ("[Event x]\n\n1. e4", "is not a tag"),
        ("[Variant \"Atomic\"]\n\n1. e4", "the variant \"Atomic\""),
        ("[Variant \"Chess960\"]\n\n1. e4", "FEN tag"),
        ("[FEN \"nonsense\"]\n\n1. e4", "is not a FEN"),
        ("1. f3 e5 2. g4 Qh4#", "the game is over: Black wins by Checkmate"),
    ] {
        refuse(serde_json::json!({ "pgn": text }), part);
    }
    refuse(serde_json::json!({ "pgn": "1. e4 ".repeat(10_000) }), "is too long");
    refuse(serde_json::json!({ "pgn": format!("1. e4 {}", "x".repeat(20_000)) }), "is not a move");
    refuse(serde_json::json!({ "pgn": "Nf3 Nf6 Ng1 Ng8 ".repeat(200) }), "more than 600");
    refuse(serde_json::json!({ "pgn": "1. e4", "fen": START }), "send one of them");
}
