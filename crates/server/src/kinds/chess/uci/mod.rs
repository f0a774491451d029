//! `agon uci`: our engine for other chess programs, over the Universal Chess Interface.
//!
//! One loop hears everything and says everything. Reading stdin and thinking have threads of
//! their own, so that `stop` is heard at any moment. How a line is read is in `command` and
//! `position`, what can be set in `options`, how long to think in `clock`, thinking in `thinker`.

mod clock;
mod command;
mod options;
mod position;
mod thinker;

use std::{
    collections::VecDeque,
    io::{self, BufRead, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use shakmaty::Position as _;

use self::{
    command::{Command, Go},
    options::Options,
    position::Position,
    thinker::{Skill, Told, UciQuestion},
};

/// Until `quit`, or the end of stdin.
pub fn run() -> io::Result<()> {
    let (tell, heard) = mpsc::channel();
    let (ask, questions) = mpsc::channel();
    let told = LastWord(tell.clone());
    thread::spawn(move || {
        thinker::think(questions, |what| drop(told.0.send(UciEvent::Told(what))))
    });
    thread::spawn(move || listen(&mut io::stdin().lock(), &tell));
    let session = Session {
        out: io::stdout(),
        options: Options::default(),
        position: Position::default(),
        seed: seed(),
        ask,
        thoughts: VecDeque::new(),
        leaving: false,
    };
    session.serve(&heard)
}

enum UciEvent {
    Parsed(String),
    End,
    Told(Told),
    /// Nobody thinks any more; only a fault of ours can be the cause.
    Lost,
}

/// Nobody waits for the answer of a thread that is gone.
struct LastWord(Sender<UciEvent>);

impl Drop for LastWord {
    fn drop(&mut self) {
        let _ = self.0.send(UciEvent::Lost);
    }
}

/// Lines as they come; what is no text is garbage like any other.
fn listen(stdin: &mut impl BufRead, tell: &Sender<UciEvent>) {
    let mut line = Vec::new();
    while stdin.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let _ = tell.send(UciEvent::Parsed(String::from_utf8_lossy(&line).into_owned()));
        line.clear();
    }
    let _ = tell.send(UciEvent::End);
}

/// The chance of one game: levels below the top play another game each time.
fn seed() -> u64 {
    getrandom::u64().expect("the system has random numbers")
}

struct Session {
    out: io::Stdout,
    options: Options,
    position: Position,
    seed: u64,
    ask: Sender<UciQuestion>,
    /// What was asked and not answered, in order. Only the last is not stopped: some programs say
    /// `stop` and ask the next question without waiting for the answer to the first.
    thoughts: VecDeque<Thought>,
    leaving: bool,
}

struct Thought {
    stop: Arc<AtomicBool>,
    /// When it is stopped.
    until: Option<Instant>,
    /// Asked without a limit: the answer is kept until it is wanted.
    patient: bool,
    /// It is the other side's turn; how to go on once that has moved.
    pondering: Option<Pondering>,
    answer: Option<String>,
}

struct Pondering {
    /// How long to think from then on.
    time: Option<Duration>,
    patient: bool,
}

impl Session {
    fn serve(mut self, heard: &Receiver<UciEvent>) -> io::Result<()> {
        while !(self.leaving && self.thoughts.is_empty()) {
            match self.next(heard) {
                Some(UciEvent::Parsed(line)) => self.hear(&line)?,
                Some(UciEvent::End) => self.leave(),
                Some(UciEvent::Told(Told::Progress(line))) => self.say(line)?,
                Some(UciEvent::Told(Told::Answer(line))) => {
                    if let Some(thought) = self.thoughts.front_mut() {
                        thought.answer = Some(line);
                    }
                }
                Some(UciEvent::Lost) => return Err(io::Error::other("the search has failed")),
                None => self.stop(),
            }
            self.answer()?;
        }
        Ok(())
    }

    /// What happens next; none when the time to think is over.
    fn next(&self, heard: &Receiver<UciEvent>) -> Option<UciEvent> {
        let until = self.thoughts.back().and_then(|thought| thought.until);
        match until.map(|until| until.saturating_duration_since(Instant::now())) {
            Some(left) => match heard.recv_timeout(left) {
                Err(RecvTimeoutError::Timeout) => None,
                event => Some(event.unwrap_or(UciEvent::End)),
            },
            None => Some(heard.recv().unwrap_or(UciEvent::End)),
        }
    }

    /// Says the answers that are wanted by now.
    fn answer(&mut self) -> io::Result<()> {
        let ready = |thought: &mut Thought| !thought.patient && thought.answer.is_some();
        while let Some(thought) = self.thoughts.pop_front_if(ready) {
            self.say(thought.answer.unwrap_or_default())?;
        }
        Ok(())
    }

    fn stop(&mut self) {
        for thought in &mut self.thoughts {
            thought.stop.store(true, Ordering::Relaxed);
            thought.until = None;
            thought.patient = false;
            thought.pondering = None;
        }
    }

    /// The clock runs from now on.
    fn ponder_hit(&mut self) {
        if let Some(thought) = self.thoughts.back_mut()
            && let Some(Pondering { time, patient }) = thought.pondering.take()
        {
            thought.until = time.map(|time| Instant::now() + time);
            thought.patient = patient;
        }
    }

    fn leave(&mut self) {
        self.stop();
        self.leaving = true;
    }

    fn hear(&mut self, line: &str) -> io::Result<()> {
        match command::read(line) {
            Some(Command::Uci) => {
                self.say(format!("id name agon {}", env!("CARGO_PKG_VERSION")))?;
                self.say("id author the authors of agon")?;
                self.say(Options::offered())?;
                self.say("uciok")?;
            }
            Some(Command::IsReady) => self.say("readyok")?,
            Some(Command::NewGame) => self.seed = seed(),
            Some(Command::SetOption { name, value }) => {
                if let Err(why) = self.options.set(&name, &value) {
                    self.say(format!("info string {why}"))?;
                }
            }
            Some(Command::Position(words)) => match Position::read(&words, self.options.mode()) {
                Ok(position) => self.position = position,
                Err(why) => self.say(format!("info string {why}; the position stays as it was"))?,
            },
            Some(Command::Go(go)) => self.go(&go)?,
            Some(Command::PonderHit) => self.ponder_hit(),
            Some(Command::Stop) => self.stop(),
            Some(Command::Quit) => self.leave(),
            None => {}
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        self.stop();
        let position = self.position.clone();
        let among: Vec<_> =
            go.among.iter().filter_map(|mv| mv.to_move(&position.now).ok()).collect();
        if among.is_empty() && !go.among.is_empty() {
            self.say(
                "info string none of the searchmoves is legal: every legal move is looked at",
            )?;
        }
        let time = go.time(position.now.turn(), self.options.overhead);
        let manner = match self.options.level() {
            Some(level) => Skill::Level(level, self.seed),
            None => {
                let mut limits = go.limits(self.options.lines);
                // Over a forced move nobody spends the clock.
                if time.is_some() && position.now.legal_moves().len() == 1 {
                    limits.depth = limits.depth.min(4);
                }
                Skill::Best(limits)
            }
        };
        let stop = Arc::new(AtomicBool::new(false));
        let resources = self.options.resources;
        let question = UciQuestion { position, among, manner, resources, stop: stop.clone() };
        // If nobody hears it, that is told as an event.
        let _ = self.ask.send(question);
        let mut thought = Thought {
            stop,
            until: time.map(|time| Instant::now() + time),
            patient: go.infinite,
            pondering: None,
            answer: None,
        };
        if go.ponder {
            thought.pondering = Some(Pondering { time, patient: go.infinite });
            thought.until = None;
            thought.patient = true;
        }
        self.thoughts.push_back(thought);
        Ok(())
    }

    fn say(&mut self, line: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.out, "{}", line.as_ref())?;
        self.out.flush()
    }
}
