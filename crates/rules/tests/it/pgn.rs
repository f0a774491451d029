//! A game as PGN, read back by a program that is not ours.

use std::{io::Cursor, ops::ControlFlow, time::Duration};

use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use proptest::{prelude::*, sample::Index};
use rules::{
    Due, Record,
    chess::{BLACK, Eval, Note, Tags, View, WHITE},
    kind,
};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, fen::Fen};

use crate::{START, record, turn, view};

const TAGS: Tags = Tags {
    event: "Casual game",
    site: "agon",
    date: "2026.11.15",
    white: "Ann \"The\\Knife\" Ott",
    black: "Bé",
    others: &[],
};

/// What another program makes of a PGN: its tags, its moves in SAN, where they lead, what is said
/// of each, the result.
#[derive(Debug, Default)]
struct Read {
    tags: Vec<(String, String)>,
    position: Chess,
    moves: Vec<String>,
    comments: Vec<(usize, String)>,
    result: String,
}

impl Read {
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| &**value)
    }

    fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }
}

struct Eyes;

impl Visitor for Eyes {
    type Tags = Read;
    type Movetext = Read;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Read> {
        ControlFlow::Continue(Read::default())
    }

    fn tag(&mut self, read: &mut Read, name: &[u8], value: RawTag) -> ControlFlow<Read> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        let value = value.decode_utf8().unwrap().into_owned();
        if name == "FEN" {
            let fen: Fen = value.parse().unwrap();
            read.position = fen.into_position(CastlingMode::Standard).unwrap();
        }
        read.tags.push((name, value));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, read: Read) -> ControlFlow<Read, Read> {
        ControlFlow::Continue(read)
    }

    fn san(&mut self, read: &mut Read, san: SanPlus) -> ControlFlow<Read> {
        read.position.play_unchecked(san.san.to_move(&read.position).unwrap());
        read.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, read: &mut Read, comment: RawComment) -> ControlFlow<Read> {
        let comment = String::from_utf8(comment.as_bytes().to_vec()).unwrap();
        read.comments.push((read.moves.len(), comment));
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, read: &mut Read, outcome: Outcome) -> ControlFlow<Read> {
        read.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, read: Read) -> Read {
        read
    }
}

fn read(pgn: &str) -> Read {
    Reader::new(Cursor::new(pgn)).read_game(&mut Eyes).unwrap().expect("one game")
}

fn check(view: &View, result: &str, evals: &[Eval]) {
    let notes: Vec<Note> = evals.iter().copied().map(Note::from).collect();
    let pgn = view.pgn(&TAGS, &notes);
    let read = read(&pgn);
    let history = view.sans();
    assert_eq!(read.moves, history, "{pgn}");
    assert_eq!(read.fen(), view.fen, "{pgn}");
    assert_eq!(read.result, result, "{pgn}");
    let comments = evals.iter().take(history.len()).enumerate();
    let comments = comments.map(|(n, eval)| (n + 1, format!(" [%eval {eval}] ")));
    let ended = view.outcome.iter().map(|how| (history.len(), format!(" {how} ")));
    assert_eq!(read.comments, comments.chain(ended).collect::<Vec<_>>(), "{pgn}");
    assert_eq!(read.tag("Result"), Some(result));
    assert_eq!(read.tag("White"), Some(TAGS.white));
    assert_eq!(read.tag("Black"), Some(TAGS.black));
    assert_eq!(read.tag("FEN"), view.start_fen.as_deref());
    assert!(pgn.lines().filter(|line| !line.starts_with('[')).all(|line| line.len() < 80), "{pgn}");
}

#[test]
fn a_short_game_reads_like_this() {
    let mut game = Record::start(kind("chess").unwrap(), "{}", 1).unwrap();
    for (seat, text) in [(WHITE, "f2f3"), (BLACK, "e7e5"), (WHITE, "g2g4"), (BLACK, "d8h4")] {
        game.push(turn(&game, seat, text.into())).unwrap();
    }
    let expected = r#"[Event "Casual game"]
[Site "agon"]
[Date "2026.11.15"]
[Round "-"]
[White "Ann \"The\\Knife\" Ott"]
[Black "Bé"]
[Result "0-1"]
[ECO "A00"]
[Opening "Barnes Opening: Fool's Mate"]
[Termination "normal"]

1. f3 e5 2. g4 Qh4# { Black wins by Checkmate } 0-1
"#;
    assert_eq!(view(&game).pgn(&TAGS, &[]), expected);
}

#[test]
fn a_game_from_a_set_position_says_so() {
    let fen = "4k3/8/8/8/8/8/P7/4K3 b - - 3 40";
    let mut game = record(fen, false);
    let expected = |end: &str| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n{end}");
    let pgn = view(&game).pgn(&TAGS, &[]);
    assert!(pgn.ends_with(&expected("[Termination \"unterminated\"]\n\n*\n")), "{pgn}");
    for (seat, text) in [
        (BLACK, "e8d7"),
        (WHITE, "a2a4"),
        (BLACK, "d7c6"),
        (WHITE, "offerDraw"),
        (BLACK, "acceptDraw"),
    ] {
        game.push(turn(&game, seat, text.into())).unwrap();
    }
    let pgn = view(&game).pgn(&TAGS, &[]);
    let end = "[Termination \"normal\"]\n\n40... Kd7 41. a4 Kc6 { Draw by agreement } 1/2-1/2\n";
    assert!(pgn.ends_with(&expected(end)), "{pgn}");
    check(&view(&game), "1/2-1/2", &[]);
}

#[test]
fn a_name_does_not_leave_its_tag() {
    let tags = Tags { white: "Ann\n[Result \"1-0\"]\r\n\n1. e4 *", ..TAGS };
    let read = read(&view(&record(START, false)).pgn(&tags, &[]));
    assert_eq!(read.tag("White"), Some("Ann [Result \"1-0\"]   1. e4 *"));
    assert_eq!((read.tag("Result"), read.moves.len()), (Some("*"), 0));
}

#[test]
fn an_evaluated_game_reads_like_this() {
    let mut game = record("4k3/8/8/8/8/8/P7/4K2R b K - 3 40", false);
    for (seat, text) in [(BLACK, "e8e7"), (WHITE, "e1g1"), (BLACK, "e7d8"), (WHITE, "resign")] {
        game.push(turn(&game, seat, text.into())).unwrap();
    }
    let evals = [540, 512, 530].map(Eval::Centipawns).map(Note::from);
    let pgn = view(&game).pgn(&TAGS, &evals);
    let end = "40... Ke7 { [%eval 5.40] } 41. O-O { [%eval 5.12] } 41... Kd8 { [%eval 5.30] } \
               { Black wins by Resignation } 0-1 ";
    assert!(pgn.replace('\n', " ").ends_with(end), "{pgn}");
}

#[test]
fn the_mating_move_needs_no_evaluation() {
    let mut game = Record::start(kind("chess").unwrap(), "{}", 1).unwrap();
    for (seat, text) in [(WHITE, "f2f3"), (BLACK, "e7e5"), (WHITE, "g2g4"), (BLACK, "d8h4")] {
        game.push(turn(&game, seat, text.into())).unwrap();
    }
    let mate = |moves| Eval::Mate { by: Color::Black, moves };
    let evals = [Eval::Centipawns(-80), Eval::Centipawns(-75), mate(1), mate(0)];
    let pgn = view(&game).pgn(&TAGS, &evals.map(Note::from));
    let end = " 2. g4 { [%eval #-1] } 2... Qh4# { Black wins by Checkmate } 0-1 ";
    assert!(pgn.replace('\n', " ").ends_with(end), "{pgn}");
}

#[test]
fn time_remarks_and_takebacks_are_told() {
    let mut game = record(START, true);
    for (seat, text) in [
        (WHITE, "e2e4"),
        (BLACK, "e7e5"),
        (WHITE, "g1f3"),
        (BLACK, "b8c6"),
        (WHITE, "takeback"),
        (WHITE, "f2f4"),
        (BLACK, "e5f4"),
    ] {
        game.push(turn(&game, seat, text.into())).unwrap();
    }
    let millis = Duration::from_millis;
    let notes = [
        Note { elapsed: Some(millis(3_250)), ..Note::default() },
        Note { remark: Some("relayed {by\n the} agent".into()), ..Note::default() },
        Note { elapsed: Some(millis(3_661_000)), eval: Some(Eval::Centipawns(-40)), remark: None },
    ];
    let tags =
        Tags { others: &[("WhiteElo", "1113".into()), ("UTCTime", "12:00:01".into())], ..TAGS };
    let pgn = view(&game).pgn(&tags, &notes);
    let end = "1. e4 { [%emt 0:00:03.25] } 1... e5 \
               { relayed 'by the' agent White takes back 2. Nf3 Nc6 } 2. f4 \
               { [%eval -0.40] [%emt 1:01:01] } 2... exf4 * ";
    assert!(pgn.replace('\n', " ").ends_with(end), "{pgn}");
    assert!(pgn.contains("[Result \"*\"]\n[WhiteElo \"1113\"]\n[UTCTime \"12:00:01\"]\n"), "{pgn}");
    let read = read(&pgn);
    assert_eq!(read.tag("ECO"), Some("C33"));
    assert_eq!(read.tag("Opening"), Some("King's Gambit Accepted"));
    assert_eq!((read.moves.len(), read.fen()), (4, view(&game).fen));
}

fn eval() -> impl Strategy<Value = Eval> {
    let color = any::<bool>().prop_map(Color::from_white);
    prop_oneof![
        (-3_000..3_000).prop_map(Eval::Centipawns),
        (color, 1_u32..40).prop_map(|(by, moves)| Eval::Mate { by, moves }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn another_program_reads_the_same_game(
        picks in prop::collection::vec(any::<Index>(), 0..200),
        fen in prop::sample::select(vec![START, "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 17"]),
        end in prop::sample::select(vec!["", "resign", "claimDraw"]),
        evals in prop_oneof![Just(Vec::new()), prop::collection::vec(eval(), 200)],
    ) {
        let mut game = record(fen, false);
        for pick in picks {
            let Due::One(seat) = game.due() else { break };
            let text = pick.get(&view(&game).legal).uci.clone();
            game.push(turn(&game, seat, text)).unwrap();
        }
        if let Due::One(seat) = game.due() && game.check(seat, end).is_ok() {
            game.push(turn(&game, seat, end.into())).unwrap();
        }
        let result = match game.due().outcome().map(|outcome| outcome.winner()) {
            None => "*",
            Some(None) => "1/2-1/2",
            Some(Some(WHITE)) => "1-0",
            Some(Some(_)) => "0-1",
        };
        check(&view(&game), result, &evals);
    }
}
