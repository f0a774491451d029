//! A chess engine that is not ours, and plays for the computer all the same.
//!
//! It is somebody else's program and trusted with nothing: if it does not start, ends, hangs or
//! plays what cannot be played, that process is killed, our own engine plays that move, and a new
//! process is started after a pause. Talking to one process is in `process`, how strong it is to
//! play in `strength`.

pub mod entrant;
mod process;
mod program;
mod strength;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Semaphore, oneshot},
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use self::{
    process::{Process, Trouble},
    program::Program,
};
use super::engine::{Answer, Question};

pub use self::program::NoSuchEngine;

/// A game waits this long for a process that starts.
const SOON: Duration = Duration::from_secs(5);
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

pub struct Guest {
    program: Program,
    /// How many processes there may be.
    places: Arc<Semaphore>,
    /// Those that nobody asks just now.
    idle: Mutex<Vec<Process>>,
    pause: Mutex<Pause>,
}

/// After a failure nothing is started for a while, and for longer each time, until an answer comes.
#[derive(Default)]
struct Pause {
    length: Duration,
    until: Option<Instant>,
}

impl Guest {
    /// Finds the program, of which so many processes may run.
    pub fn find(command: &str, processes: usize) -> Result<Arc<Guest>, NoSuchEngine> {
        let places = Arc::new(Semaphore::new(processes));
        let (idle, pause) = (Mutex::default(), Mutex::default());
        Ok(Arc::new(Guest { program: Program::find(command)?, places, idle, pause }))
    }

    /// The guest's answer; none if it has none, or was stopped.
    pub async fn answer(
        self: &Arc<Guest>,
        question: &Question,
        stop: &CancellationToken,
    ) -> Option<Answer> {
        let answer = self.ask(question, stop).await;
        answer.inspect_err(|trouble| self.report(trouble)).ok().flatten()
    }

    /// Its answer, or why it has none. Nothing if it was stopped, or does not know the variant.
    pub async fn ask(
        self: &Arc<Guest>,
        question: &Question,
        stop: &CancellationToken,
    ) -> Result<Option<Answer>, Trouble> {
        let idle = self.idle().pop();
        let mut process = match idle {
            Some(process) => process,
            None => self.start().await?,
        };
        let answer = process.ask(question, stop).await.inspect_err(|_| self.lengthen_pause())?;
        if answer.is_some() {
            *self.pause() = Pause::default();
        }
        self.idle().push(process);
        Ok(answer)
    }

    /// How long it is to be left alone.
    pub fn rest(&self) -> Duration {
        let until = self.pause().until;
        until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()))
    }

    /// A new process, if this is the time for one. If it takes too long, it is there for whoever
    /// asks next.
    async fn start(self: &Arc<Guest>) -> Result<Process, Trouble> {
        if !self.rest().is_zero() {
            return Err(Trouble::NotYet);
        }
        let place = self.places.clone().try_acquire_owned().map_err(|_| Trouble::NotYet)?;
        let (hand_over, arrival) = oneshot::channel();
        let guest = self.clone();
        tokio::spawn(async move {
            let started = Process::start(&guest.program, place).await;
            if started.is_err() {
                guest.lengthen_pause();
            }
            if let Err(Ok(late)) = hand_over.send(started) {
                guest.idle().push(late);
            }
        });
        match timeout(SOON, arrival).await {
            Ok(started) => started.unwrap_or(Err(Trouble::NotYet)),
            Err(_) => Err(Trouble::SlowStart(SOON)),
        }
    }

    /// What has failed is told once.
    fn report(&self, trouble: &Trouble) {
        let engine = &self.program;
        if !matches!(trouble, Trouble::NotYet) {
            tracing::warn!(%engine, %trouble, "the engine failed; agon's own plays this move");
        }
    }

    fn lengthen_pause(&self) {
        let mut pause = self.pause();
        pause.length = (pause.length * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        pause.until = Some(Instant::now() + pause.length);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pause(&self) -> MutexGuard<'_, Pause> {
        self.pause.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
