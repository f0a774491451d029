//! A conversation with one process that speaks UCI.

use std::{io, process::Stdio, time::Duration};

use chess_engine::EngineLevel;
use futures_util::StreamExt;
use rules::{
    chess::{Variant, fen, uci},
    short,
};
use shakmaty::{Position, uci::UciMove};
use tokio::{
    io::AsyncWriteExt,
    process::{Child, ChildStdin, ChildStdout},
    sync::OwnedSemaphorePermit,
    time::{sleep, timeout},
};
use tokio_util::{
    codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead},
    sync::CancellationToken,
};

use super::{
    program::Program,
    strength::{Offers, THINK},
};
use crate::{
    ids::GameId,
    kinds::chess::engine::{Answer, Question},
};

/// Big engines read big files first.
const START: Duration = Duration::from_secs(30);
/// How late an answer may be, and how long `stop` or a new game may take.
const GRACE: Duration = Duration::from_secs(3);
const LONGEST_LINE: usize = 64 * 1024;
/// The score of a mate, less the plies to it.
const MATE: i32 = 32_000;

/// Why a process is of no more use.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error("it does not start: {0}")]
    NotStarted(io::Error),
    #[error("it is slow to start: after {0:?} it is not ready")]
    SlowStart(Duration),
    #[error("it has ended")]
    Ended,
    #[error("it hangs and does not answer")]
    Hangs,
    #[error("it talks nonsense: {0:?}")]
    Nonsense(String),
    #[error("it plays {0}, which is not legal")]
    Illegal(UciMove),
    #[error("after its last failure it is not started again yet")]
    NotYet,
}

pub struct Process {
    /// Killed when it is dropped.
    _child: Child,
    _place: OwnedSemaphorePermit,
    to: ChildStdin,
    from: FramedRead<ChildStdout, AnyDelimiterCodec>,
    offers: Offers,
    /// Which game it was asked about last, and at which level.
    last: Option<(GameId, EngineLevel)>,
    /// Whether it was told that the game is Chess960.
    chess960: bool,
}

/// The move as it was said, and the last score before it.
struct SaidMove {
    mv: String,
    score: Option<i32>,
}

impl Process {
    /// One that is ready.
    pub async fn start(program: &Program, place: OwnedSemaphorePermit) -> Result<Process, Trouble> {
        let mut command = program.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.kill_on_drop(true);
        // Ctrl-C in a terminal is meant for us, and we see to our guests.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(Trouble::NotStarted)?;
        let to = child.stdin.take().expect("stdin is piped");
        let from = child.stdout.take().expect("stdout is piped");
        let newline = || b"\n".to_vec();
        let lines = AnyDelimiterCodec::new_with_max_length(newline(), newline(), LONGEST_LINE);
        let from = FramedRead::new(from, lines);
        let (offers, last, chess960) = (Offers::default(), None, false);
        let mut process =
            Process { _child: child, _place: place, to, from, offers, last, chess960 };
        let introduced = timeout(START, process.introduce()).await;
        introduced.unwrap_or(Err(Trouble::SlowStart(START)))?;
        Ok(process)
    }

    async fn introduce(&mut self) -> Result<(), Trouble> {
        self.say("uci").await?;
        loop {
            match self.hear().await?.as_str() {
                "uciok" => return self.wait_until_ready().await,
                line => self.offers.learn(line),
            }
        }
    }

    /// None if it was stopped, or does not know the variant. After an error it must not be asked
    /// again.
    pub async fn ask(
        &mut self,
        question: &Question,
        stop: &CancellationToken,
    ) -> Result<Option<Answer>, Trouble> {
        if is_chess960(question) && !self.offers.chess960 {
            return Ok(None);
        }
        timeout(GRACE, self.prepare(question)).await.unwrap_or(Err(Trouble::Hangs))?;
        self.say(&position(question)).await?;
        self.say(&self.offers.orders(question.level).go).await?;
        let in_time = tokio::select! {
            said = self.hear_move() => Some(said?),
            () = sleep(THINK + GRACE) => None,
            () = stop.cancelled() => None,
        };
        let said = match in_time {
            Some(said) => said,
            None => {
                self.say("stop").await?;
                timeout(GRACE, self.hear_move()).await.unwrap_or(Err(Trouble::Hangs))?
            }
        };
        if stop.is_cancelled() { Ok(None) } else { said.read(question).map(Some) }
    }

    /// Another game, another level: says so, and lets it say what it still has to say about the
    /// last.
    async fn prepare(&mut self, question: &Question) -> Result<(), Trouble> {
        let (game, level) = self.last.replace((question.game, question.level)).unzip();
        if game != Some(question.game) {
            self.say("ucinewgame").await?;
        }
        if level != Some(question.level) {
            for (name, value) in self.offers.orders(question.level).options {
                self.say(&format!("setoption name {name} value {value}")).await?;
            }
        }
        if self.chess960 != is_chess960(question) {
            self.chess960 = is_chess960(question);
            self.say(&format!("setoption name UCI_Chess960 value {}", self.chess960)).await?;
        }
        self.wait_until_ready().await
    }

    async fn wait_until_ready(&mut self) -> Result<(), Trouble> {
        self.say("isready").await?;
        while self.hear().await? != "readyok" {}
        Ok(())
    }

    async fn hear_move(&mut self) -> Result<SaidMove, Trouble> {
        let mut score = None;
        loop {
            let line = self.hear().await?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => score = read_score(words).or(score),
                Some("bestmove") => {
                    return Ok(SaidMove { mv: words.next().unwrap_or_default().to_owned(), score });
                }
                _ => {}
            }
        }
    }

    async fn hear(&mut self) -> Result<String, Trouble> {
        match self.from.next().await {
            Some(Ok(line)) => Ok(String::from_utf8_lossy(&line).trim().to_owned()),
            Some(Err(AnyDelimiterCodecError::MaxChunkLengthExceeded)) => {
                Err(Trouble::Nonsense("a line without end".to_owned()))
            }
            Some(Err(AnyDelimiterCodecError::Io(_))) | None => Err(Trouble::Ended),
        }
    }

    async fn say(&mut self, line: &str) -> Result<(), Trouble> {
        self.to.write_all(format!("{line}\n").as_bytes()).await.map_err(|_| Trouble::Ended)
    }
}

fn is_chess960(question: &Question) -> bool {
    Variant::of(&question.start) == Variant::Chess960
}

fn position(question: &Question) -> String {
    let moves = question.moves.iter().map(|mv| format!(" {}", uci(&question.start, *mv)));
    format!("position fen {} moves{}", fen(&question.start), moves.collect::<String>())
}

/// Of an `info` line: centipawns, seen by the side to move.
fn read_score<'a>(words: impl Iterator<Item = &'a str>) -> Option<i32> {
    let mut words = words.take_while(|word| *word != "string").skip_while(|word| *word != "score");
    let (unit, number) = (words.nth(1)?, words.next()?.parse::<i32>().ok()?);
    match unit {
        "cp" => Some(number),
        "mate" if number > 0 => Some(MATE.saturating_sub(number.saturating_mul(2))),
        "mate" => Some(MATE.saturating_add(number.saturating_mul(2)).saturating_neg()),
        _ => None,
    }
}

impl SaidMove {
    fn read(self, question: &Question) -> Result<Answer, Trouble> {
        let said = self.mv.parse::<UciMove>();
        let said = said.map_err(|_| Trouble::Nonsense(format!("bestmove {}", short(&self.mv))))?;
        let mut position = question.start.clone();
        question.moves.iter().for_each(|mv| position.play_unchecked(*mv));
        let mv = said.to_move(&position).map_err(|_| Trouble::Illegal(said))?;
        Ok(Answer { mv, score: self.score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_where_they_are() {
        for (line, score) in [
            ("depth 8 seldepth 19 score cp -8 time 310 pv d7d5 e4d5", Some(-8)),
            ("depth 1 multipv 1 score cp 89 upperbound nodes 25", Some(89)),
            ("score mate 1 pv f7g7", Some(31_998)),
            ("score mate -3", Some(-31_994)),
            ("score mate 0", Some(-32_000)),
            ("hashfull 21", None),
            ("score", None),
            ("score cp lots", None),
            ("string a score cp 5", None),
        ] {
            assert_eq!(read_score(line.split(' ')), score, "{line}");
        }
    }
}
