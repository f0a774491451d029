//! Another engine in a process of its own, spoken to in UCI by whoever measures: the calibration,
//! and `make bench`. What plays for people is another matter, and lives in the server.

use std::io::{BufRead, BufReader, Result, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move};

/// A dead one ends the run: there is nobody to measure against.
pub struct Engine {
    pub child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Engine {
    /// Debian keeps its engines where only players look for them.
    pub fn start(program: &str, options: &[(&str, i32)]) -> Result<Engine> {
        let path = format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default());
        let mut child = Command::new(program)
            .env("PATH", path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut engine = Engine { child, to, from };
        engine.say("uci");
        engine.hear("uciok");
        for (name, value) in options {
            engine.say(&format!("setoption name {name} value {value}"));
        }
        Ok(engine)
    }

    pub fn new_game(&mut self) {
        self.say("ucinewgame");
        self.say("isready");
        self.hear("readyok");
    }

    /// Everything it says about the position after these moves, as far as `limit` lets it look.
    pub fn ask(&mut self, start: &Chess, moves: &[Move], limit: &str) -> String {
        let fen = Fen::from_position(start, EnPassantMode::Legal);
        let moves: Vec<String> =
            moves.iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect();
        self.say(&format!("position fen {fen} moves {}", moves.join(" ")));
        self.say(&format!("go {limit}"));
        self.hear("bestmove")
    }

    pub fn say(&mut self, line: &str) {
        writeln!(self.to, "{line}").expect("an engine that listens");
    }

    /// Up to the first line that starts with this word.
    pub fn hear(&mut self, word: &str) -> String {
        let (mut said, mut last) = (String::new(), 0);
        while !said[last..].starts_with(word) {
            last = said.len();
            let read = self.from.read_line(&mut said).expect("text from the engine");
            assert!(read > 0, "the engine is gone");
        }
        said
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.say("quit");
        self.child.wait().ok();
    }
}

/// The move an engine has named last.
pub fn best(said: &str, now: &Chess) -> Move {
    let mut words = said.split_whitespace().skip_while(|&word| word != "bestmove");
    let uci = words.nth(1).and_then(|text| text.parse::<UciMove>().ok());
    uci.and_then(|uci| uci.to_move(now).ok()).unwrap_or_else(|| panic!("{said} in {now:?}"))
}
