//! `agon uci`, spoken to as chess programs speak to it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
};

use rules::{Due, Record, chess::WHITE};
use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

use crate::house::AGON;

/// A program that speaks UCI.
struct Engine {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Engine {
    fn start(program: &str, args: &[&str]) -> Engine {
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} does not start: {error}"));
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        Engine { to: child.stdin.take(), child, from }
    }

    fn agon() -> Engine {
        Engine::start(AGON, &["uci"])
    }

    fn say(&mut self, line: impl AsRef<[u8]>) {
        let to = self.to.as_mut().expect("stdin is open");
        to.write_all(&[line.as_ref(), b"\n"].concat()).expect("it listens");
    }

    /// Everything up to the line that begins so, which is the last.
    fn hear(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with(beginning)) {
            let mut line = String::new();
            let read = self.from.read_line(&mut line).expect("text");
            assert!(read > 0, "it ended without {beginning}, after {lines:?}");
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    /// What is thought of a position: the lines told, and the move.
    fn ask(&mut self, position: &str, go: &str) -> (Vec<String>, String) {
        self.say(format!("position {position}"));
        self.say(go);
        self.answer()
    }

    fn answer(&mut self) -> (Vec<String>, String) {
        let mut told = self.hear("bestmove");
        let answer = told.pop().expect("a line");
        (told, answer.split(' ').nth(1).expect("a move").to_owned())
    }

    /// Everything there is still to hear, and how it ended.
    fn end(mut self) -> (Vec<String>, ExitStatus) {
        self.to = None;
        let rest = self.from.by_ref().lines().map(|line| line.expect("text")).collect();
        (rest, self.child.wait().expect("it ends"))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_legal(position: &Chess, mv: &str) -> bool {
    mv.parse::<UciMove>().is_ok_and(|mv| mv.to_move(position).is_ok())
}

/// The word behind this one.
fn word<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|word| *word != name).nth(1)
}

#[test]
fn it_says_who_it_is_and_what_can_be_set() {
    let mut agon = Engine::agon();
    agon.say("uci");
    let told = agon.hear("uciok").join("\n");
    for part in [
        "id name agon ",
        "id author ",
        "option name Level type spin default 10 min 1 max 10",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin ",
        "option name MultiPV type spin default 1 ",
        "option name Hash type spin default 16 min 1 ",
        "option name Threads type spin default 1 min 1 ",
        "option name Ponder type check default false",
        "option name UCI_Chess960 type check default false",
    ] {
        assert!(told.contains(part), "{part:?} is not in {told}");
    }
    agon.say("isready");
    assert_eq!(agon.hear("readyok"), ["readyok"]);
    agon.say("quit");
    let (rest, status) = agon.end();
    assert!(rest.is_empty() && status.success(), "{rest:?} {status}");
}

#[test]
fn every_limit_gets_a_move_and_tells_how_it_was_found() {
    let mut agon = Engine::agon();
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let board: Fen = fen.parse().expect("a FEN");
    let board: Chess = board.into_position(CastlingMode::Standard).expect("a position");
    for go in [
        "go nodes 5000",
        "go depth 5",
        "go movetime 100",
        "go wtime 3000 btime 2000",
        "go wtime 3000 btime 2000 winc 100 binc 100 movestogo 5",
        "go wtime 1 btime 1",
        "go wtime -5 btime -5 winc 0 binc 0",
        "go depth 3 nodes 1000 movetime 1000 wtime 5000 btime 5000",
    ] {
        let (told, mv) = agon.ask(&format!("fen {fen}"), go);
        assert!(is_legal(&board, &mv), "{go}: {mv}");
        let last = told.last().unwrap_or_else(|| panic!("{go} tells nothing"));
        for name in ["depth", "seldepth", "nodes", "nps", "time"] {
            let number = word(last, name).and_then(|number| number.parse::<u64>().ok());
            assert!(number.is_some(), "{name} in {last}");
        }
        assert!(last.contains(" score cp ") || last.contains(" score mate "), "{last}");
        assert_eq!(word(last, "pv"), Some(mv.as_str()), "{last}");
    }
    let (told, _) = agon.ask(&format!("fen {fen}"), "go depth 5");
    let depths: Vec<_> = told.iter().filter_map(|line| word(line, "depth")).collect();
    assert_eq!(depths, ["1", "2", "3", "4", "5"]);
}

#[test]
fn a_mate_is_told_in_moves_for_both_sides() {
    let mut agon = Engine::agon();
    for (fen, score, best) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "mate 1", Some("d1d8")),
        ("7k/8/5K2/8/8/8/8/5Q2 w - - 0 1", "mate 2", None),
        ("7k/8/6K1/8/8/8/8/5Q2 b - - 0 1", "mate -2", Some("h8g8")),
    ] {
        let (told, mv) = agon.ask(&format!("fen {fen}"), "go depth 8");
        let last = told.last().expect("a line");
        assert!(last.contains(&format!("score {score} ")), "{fen}: {last}");
        assert!(best.is_none_or(|best| best == mv), "{fen}: {mv}");
    }
}

#[test]
fn only_the_moves_asked_for_are_looked_at() {
    let mut agon = Engine::agon();
    let mate = "fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let (told, mv) = agon.ask(mate, "go searchmoves a1a2 a1b1 depth 4");
    assert!(["a1a2", "a1b1"].contains(&mv.as_str()), "{mv}");
    assert!(told.iter().all(|line| word(line, "pv").is_some_and(|mv| mv.starts_with("a1"))));
    agon.say("setoption name MultiPV value 5");
    let (told, _) = agon.ask(mate, "go depth 3 searchmoves a1a2 a1b1");
    assert_eq!(told.iter().filter(|line| word(line, "depth") == Some("3")).count(), 2, "{told:?}");
    agon.say("setoption name Level value 1");
    for _ in 0..10 {
        agon.say("ucinewgame");
        assert_eq!(agon.ask(mate, "go searchmoves d1d2").1, "d1d2");
    }
}

#[test]
fn memory_and_threads_can_be_set() {
    let mut agon = Engine::agon();
    let single = agon.ask("startpos", "go nodes 20000").1;
    agon.say("setoption name Hash value 1");
    assert!(is_legal(&Chess::default(), &agon.ask("startpos", "go nodes 20000").1));
    agon.say(
        "setoption name Hash value 64\nsetoption name Threads value 3\nsetoption name Clear Hash",
    );
    let (told, mv) = agon.ask("startpos", "go depth 7");
    assert!(is_legal(&Chess::default(), &mv));
    let depths: Vec<_> = told.iter().filter_map(|line| word(line, "depth")).collect();
    assert_eq!(depths, ["1", "2", "3", "4", "5", "6", "7"]);
    agon.say("go infinite");
    agon.hear("info depth 6");
    agon.say("stop");
    assert!(is_legal(&Chess::default(), &agon.answer().1));
    agon.say("setoption name Hash value 16\nsetoption name Threads value 1");
    assert_eq!(agon.ask("startpos", "go nodes 20000").1, single, "alone it always thinks alike");
}

#[test]
fn it_ponders_until_the_move_comes() {
    let mut agon = Engine::agon();
    agon.say("setoption name Ponder value true");
    // Long done, but nobody has moved yet.
    agon.say("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\ngo ponder wtime 1000 btime 1000");
    agon.hear("info depth 1 seldepth 1 score mate 1");
    agon.say("isready");
    assert_eq!(agon.hear("readyok"), ["readyok"]);
    agon.say("ponderhit");
    assert_eq!(agon.answer().1, "d1d8");
    // In the middle of a thought, which then has the clock's time.
    agon.say("position startpos\ngo ponder wtime 3000 btime 3000");
    agon.hear("info depth 5");
    agon.say("ponderhit");
    assert!(is_legal(&Chess::default(), &agon.answer().1));
    // Another move than the expected one was played.
    agon.say("position startpos moves e2e4 e7e5\ngo ponder wtime 3000 btime 3000");
    agon.hear("info depth 3");
    agon.say("stop");
    agon.answer();
    let (_, mv) = agon.ask("fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "go depth 2");
    assert_eq!(mv, "d1d8");
}

#[test]
fn at_chess960_a_king_castles_by_taking_its_rook() {
    let mut agon = Engine::agon();
    agon.say("setoption name UCI_Chess960 value true");
    let fen = "k7/8/8/8/8/8/5PPP/4RK1R w H - 0 1";
    let (told, mv) = agon.ask(&format!("fen {fen}"), "go depth 3 searchmoves f1h1");
    assert_eq!(mv, "f1h1", "{told:?}");
    let (_, mv) = agon.ask(&format!("fen {fen} moves f1h1 a8b8"), "go depth 3");
    let after = "1k6/8/8/8/8/8/5PPP/4RRK1 w - - 2 2".parse::<Fen>().expect("a FEN");
    let after: Chess = after.into_position(CastlingMode::Chess960).expect("a position");
    assert!(is_legal(&after, &mv), "{mv}");
    let (_, mv) =
        agon.ask("startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "go depth 3 searchmoves e1h1");
    assert_eq!(mv, "e1h1");
    agon.say("setoption name UCI_Chess960 value false");
    let (_, mv) =
        agon.ask("startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "go depth 3 searchmoves e1g1");
    assert_eq!(mv, "e1g1");
}

#[test]
fn several_lines_are_told_best_first() {
    let mut agon = Engine::agon();
    agon.say("setoption name MultiPV value 3");
    let (told, mv) = agon.ask("startpos", "go depth 4");
    let last = &told[told.len() - 3..];
    let score = |line: &str| word(line, "cp").and_then(|cp| cp.parse::<i32>().ok());
    for (line, number) in last.iter().zip(["1", "2", "3"]) {
        assert_eq!(word(line, "multipv"), Some(number), "{line}");
        assert_eq!(word(line, "depth"), Some("4"), "{line}");
    }
    assert!(score(&last[0]) >= score(&last[1]) && score(&last[1]) >= score(&last[2]), "{last:?}");
    assert_eq!(word(&last[0], "pv"), Some(mv.as_str()));
}

#[test]
fn a_level_plays_in_its_own_way_whatever_the_limits() {
    let mut agon = Engine::agon();
    let moves = |agon: &mut Engine, go: &str| {
        let games = (0..20).map(|_| {
            agon.say("ucinewgame");
            agon.ask("startpos", go).1
        });
        games.collect::<std::collections::HashSet<_>>().len()
    };
    assert_eq!(moves(&mut agon, "go nodes 2000"), 1, "at full strength only the best will do");
    agon.say("setoption name Level value 1");
    assert!(moves(&mut agon, "go nodes 2000") > 2, "the first level plays what it fancies");
    assert!(moves(&mut agon, "go wtime 1 btime 1") > 2, "and has time for it");
    agon.say("setoption name Level value 10");
    agon.say("setoption name UCI_LimitStrength value true");
    agon.say("setoption name UCI_Elo value 400");
    assert!(moves(&mut agon, "go infinite\nstop") > 2, "so does its rating");
}

#[test]
fn stop_is_answered_in_the_middle_of_a_thought() {
    let mut agon = Engine::agon();
    agon.say("position startpos");
    agon.say("go infinite");
    agon.hear("info depth 7");
    agon.say("isready");
    agon.hear("readyok");
    agon.say("stop");
    let (_, mv) = agon.answer();
    assert!(is_legal(&Chess::default(), &mv), "{mv}");
    // Nothing is left of it.
    agon.say("stop");
    agon.say("isready");
    assert_eq!(agon.hear("readyok"), ["readyok"]);
}

#[test]
fn an_endless_search_keeps_its_answer_until_it_is_asked_for() {
    let mut agon = Engine::agon();
    agon.say("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    agon.say("go infinite");
    // There is nothing more to find.
    agon.hear("info depth 1 seldepth 1 score mate 1");
    agon.say("isready");
    assert_eq!(agon.hear("readyok"), ["readyok"]);
    agon.say("stop");
    assert_eq!(agon.answer().1, "d1d8");
}

#[test]
fn a_question_right_behind_a_stop_is_answered_too() {
    let mut agon = Engine::agon();
    agon.say("position startpos\ngo infinite\nstop");
    agon.say("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\ngo depth 2");
    assert!(is_legal(&Chess::default(), &agon.answer().1));
    assert_eq!(agon.answer().1, "d1d8");
}

#[test]
fn it_ends_in_the_middle_of_a_thought() {
    for word in ["quit", ""] {
        let mut agon = Engine::agon();
        agon.say("position startpos");
        agon.say("go infinite");
        agon.hear("info depth 5");
        agon.say(word);
        let (rest, status) = agon.end();
        assert!(status.success(), "{status}");
        let answers = rest.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(answers, 1, "{rest:?}");
    }
}

#[test]
fn garbage_is_passed_over() {
    let mut agon = Engine::agon();
    for line in [
        &b"hello"[..],
        b"",
        b"\xff\xfe\x00\x80",
        b"{\"jsonrpc\":\"2.0\"}",
        b"debug on",
        b"register later",
        b"ponderhit",
        b"stop",
        &[b'x'; 100_000],
    ] {
        agon.say(line);
    }
    agon.say("nonsense isready");
    assert_eq!(agon.hear("readyok"), ["readyok"]);
}

#[test]
fn what_cannot_be_is_told_and_the_position_stays() {
    let mut agon = Engine::agon();
    agon.say("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    for line in [
        "position",
        "position fen",
        "position fen nonsense",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves banana",
        "setoption name Level value 11",
        "setoption name Nothing value 1",
        "setoption",
    ] {
        agon.say(line);
        assert_eq!(agon.hear("info string").len(), 1, "{line}");
    }
    agon.say("go depth 2 searchmoves a1a8 e2e4");
    let (told, mv) = agon.answer();
    assert!(told[0].starts_with("info string none of the searchmoves"), "{told:?}");
    assert_eq!(mv, "d1d8");
    for over in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        assert_eq!(agon.ask(&format!("fen {over}"), "go movetime 50").1, "(none)");
    }
}

#[test]
fn it_plays_whole_games_against_stockfish() {
    let mut agon = Engine::agon();
    let mut stockfish = Engine::start("/usr/games/stockfish", &[]);
    stockfish.say("setoption name Skill Level value 0");
    for agon_is_white in [true, false] {
        let mut record =
            Record::start(rules::kind("chess").expect("a kind"), "{}", 1).expect("a game");
        agon.say("ucinewgame");
        stockfish.say("ucinewgame");
        let mut line = Vec::new();
        while let Due::One(seat) = record.due() {
            let position = format!("startpos moves {}", line.join(" "));
            let (_, mv) = if (seat == WHITE) == agon_is_white {
                agon.ask(&position, "go nodes 3000")
            } else {
                stockfish.ask(&position, "go depth 2")
            };
            let step = record.step(seat, &mv).unwrap_or_else(|why| panic!("{mv}: {why}"));
            record.take(step);
            line.push(mv);
        }
        assert!(line.len() > 6, "{line:?}");
    }
}
