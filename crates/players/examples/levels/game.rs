//! One game, and who can play it.

use std::{
    error::Error,
    fmt,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use players::{Level, at_random, choose, usual_setup};
use rules::{Dice, Due, Eye, Kind, Record};
use serde_json::{Value, json};

/// In the order in which tables name them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    Random,
    Level(Level),
    /// Another program, with so many simulations a move.
    Outside(u32),
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Who::Random => f.write_str("random"),
            Who::Level(level) => write!(f, "level {}", level.get()),
            Who::Outside(simulations) => write!(f, "mcts {simulations}"),
        }
    }
}

/// OpenSpiel's player by Monte Carlo tree search, asked over pipes.
pub struct Outside {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Outside {
    /// None where OpenSpiel is not installed, or does not know the game.
    pub fn start(kind: Kind) -> Result<Option<Outside>, Box<dyn Error>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let python = root.join("target/oracle/venv/bin/python");
        if !python.exists() {
            return Ok(None);
        }
        let mut child = Command::new(python)
            .arg(root.join("tests/oracle/mcts.py"))
            .arg(kind.name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let to = child.stdin.take().ok_or("no way in")?;
        let from = BufReader::new(child.stdout.take().ok_or("no way out")?);
        let mut outside = Outside { child, to, from };
        Ok((outside.hear()? == "ready").then_some(outside))
    }

    fn hear(&mut self) -> Result<String, Box<dyn Error>> {
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }

    fn choose(
        &mut self,
        moves: &[String],
        simulations: u32,
        luck: u64,
    ) -> Result<String, Box<dyn Error>> {
        let luck = luck % (1 << 30);
        let ask = json!({ "moves": moves, "simulations": simulations, "seed": luck });
        writeln!(self.to, "{ask}")?;
        self.hear()
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        // It has nothing to lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the first of the pair has scored, in halves. Every other game it sits second, after the same
/// opening.
pub fn play(
    kind: Kind,
    pair: (Who, Who),
    number: u64,
    mut outside: Option<&mut Outside>,
) -> Result<u32, Box<dyn Error>> {
    let mut record = Record::start(kind, usual_setup(&kind), number / 2)?;
    let view: Value = serde_json::from_str(&record.view_json(Eye::Public))?;
    let drawn = view["opening"].as_array().into_iter().flatten();
    let mut moves: Vec<_> = drawn.filter_map(|mv| mv.as_str().map(str::to_owned)).collect();
    let own = (number % 2) as u8;
    loop {
        let seat = match record.due() {
            Due::One(seat) => seat,
            Due::Each(seats) => seats[0],
            Due::Over(outcome) => {
                let winner = outcome.winner();
                return Ok(winner.map_or(1, |winner| if winner.0 == own { 2 } else { 0 }));
            }
        };
        let luck = number << 20 | u64::from(record.next_number());
        let text = match if seat.0 == own { pair.0 } else { pair.1 } {
            Who::Level(level) => choose(&record, seat, level, number).ok_or("it has no move")?,
            Who::Random => {
                at_random(&record, seat, &mut Dice::new(luck, 1)).ok_or("there is no move")?
            }
            Who::Outside(simulations) => {
                let outside = outside.as_mut().ok_or("there is nobody outside")?;
                outside.choose(&moves, simulations, luck)?
            }
        };
        let step = record.step(seat, &text)?;
        record.take(step);
        moves.push(text);
    }
}
