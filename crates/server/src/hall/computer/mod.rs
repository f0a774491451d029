//! The computer as a player: it looks, has somebody think, and plays through the same door as
//! everyone.
//!
//! How it plays a kind is a `Mind`, which the kind may bring along; `plain` plays all others. Who
//! thinks, and how many at once, is in `thinkers`.

mod plain;
mod queue;
mod thinkers;

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
    time::Duration,
};

use async_trait::async_trait;
use rules::{Kind, Seat};
use sha2::{Digest, Sha256};
use tokio::{sync::watch, time::Instant};

use self::plain::PlainMind;
use super::{Duty, Game, Refusal, Retry};
use crate::{ids::GameId, store::Leases};

pub use self::{
    queue::Asker,
    thinkers::{NoThought, Thinkers, on_a_thread},
};

/// What it is called that one process at a time thinks about a game.
pub(super) const DUTY: &str = "computer";
/// A process that thinks and is not heard of for this long is taken to be gone.
const LEASE: Duration = Duration::from_secs(3);
/// When its move could not be saved, or too many wait for a thinker, the computer tries again after
/// this long.
const RETRY: Duration = Duration::from_secs(1);

/// The computer's luck for a turn of a game. It is its own: whatever the game's seed is, the same
/// position gets the same move.
pub fn luck(game: GameId, turn: u32) -> u64 {
    let digest = Sha256::digest(format!("{game} {turn}"));
    u64::from_le_bytes(*digest.first_chunk().expect("a hash is longer than a number"))
}

/// How the computer plays games of one kind.
#[async_trait]
pub trait Mind: Send + Sync {
    /// Where it sits in a game, if it does and the game is not over.
    async fn sit(&self, game: &Game) -> Option<Box<dyn Sitting>>;
}

/// Somebody else's program, which plays under its own name.
#[async_trait]
pub trait PlayingProgram: Send + Sync {
    /// What starts it, from whichever folder.
    fn command(&self) -> String;

    /// A move for whoever is due, within so much time of its own; or why there is none.
    async fn choose(&self, game: &Game, limit: Duration) -> Result<String, String>;
}

/// Why no program plays.
#[derive(Debug, thiserror::Error)]
pub enum NoProgram {
    #[error(
        "no engines are known that play this game; leave --engine away, or let the computer play \
         with --computer"
    )]
    Unheard,
    #[error("{0}")]
    Missing(String),
}

/// The computer before one turn of a game.
#[async_trait]
pub trait Sitting: Send + Sync {
    fn seat(&self) -> Seat;
    /// The number of the turn that it thinks about.
    fn turn(&self) -> u32;
    fn has_something_to_do(&self) -> bool;
    /// What to do, once that is thought about.
    async fn decide(&self, game: &Game) -> Result<String, NoThought>;
}

/// The minds of kinds that bring their own.
pub type Minds = HashMap<&'static str, Box<dyn Mind>>;

/// Finds the program that a command starts.
pub type FindProgram =
    Box<dyn Fn(&str) -> Result<Arc<dyn PlayingProgram>, NoProgram> + Send + Sync>;

/// How programs are found, of kinds that know how to talk to such.
pub type Programs = HashMap<&'static str, FindProgram>;

#[derive(Clone)]
pub struct Computers {
    thinkers: Arc<Thinkers>,
    plain: Arc<PlainMind>,
    minds: Arc<Minds>,
    programs: Arc<Programs>,
}

impl Computers {
    pub fn new(thinkers: Arc<Thinkers>, minds: Minds, programs: Programs) -> Computers {
        let plain = PlainMind { thinkers: thinkers.clone() };
        Computers { thinkers, plain: plain.into(), minds: minds.into(), programs: programs.into() }
    }

    /// Lets the computer play in `game` if it has a seat there, for as long as the game is in
    /// memory and not over.
    pub(super) fn seat(&self, game: &Arc<Game>, leases: Arc<dyn Leases>) {
        let duty = Duty::new(leases, format!("{DUTY} {}", game.id()), LEASE);
        tokio::spawn(play(self.clone(), Arc::downgrade(game), game.changes(), duty));
    }

    /// Whether no more games can wait for the computer.
    pub(super) fn is_crowded(&self) -> bool {
        self.thinkers.is_crowded()
    }

    /// Whether the computer has something to do.
    pub(super) async fn is_due(&self, game: &Game) -> bool {
        self.sit(game).await.is_some_and(|sitting| sitting.has_something_to_do())
    }

    /// The program that a command starts, for games of this kind.
    pub(super) fn program(
        &self,
        kind: Kind,
        command: &str,
    ) -> Result<Arc<dyn PlayingProgram>, NoProgram> {
        let find = self.programs.get(kind.name).ok_or(NoProgram::Unheard)?;
        find(command)
    }

    async fn sit(&self, game: &Game) -> Option<Box<dyn Sitting>> {
        self.mind(game.kind()).sit(game).await
    }

    fn mind(&self, kind: Kind) -> &dyn Mind {
        match self.minds.get(kind.name) {
            Some(mind) => &**mind,
            None => &*self.plain,
        }
    }
}

async fn play(
    computers: Computers,
    game: Weak<Game>,
    mut changed: watch::Receiver<Instant>,
    mut duty: Duty,
) {
    loop {
        changed.mark_unchanged();
        {
            // Not held while waiting, so that an idle game can leave the memory.
            let Some(game) = game.upgrade() else { return };
            let Some(sitting) = computers.sit(&game).await else { return };
            if sitting.has_something_to_do() {
                tokio::select! {
                    _ = duty.fulfil(take_turn(&game, &*sitting)) => {}
                    // Resigned, taken back, offered: whatever it was, look again.
                    _ = changed.changed() => continue,
                    () = computers.thinkers.stopped() => return,
                }
            }
        }
        if changed.changed().await.is_err() {
            return;
        }
    }
}

async fn take_turn(game: &Game, sitting: &dyn Sitting) {
    let (seat, turn) = (sitting.seat(), sitting.turn());
    let text = loop {
        match sitting.decide(game).await {
            Ok(text) => break text,
            Err(NoThought::Crowded) => tokio::time::sleep(RETRY).await,
            Err(NoThought::Stopped) => return,
        }
    };
    loop {
        // It names the turn it thought about; an answer for an older position is refused.
        match game.play(seat, &text, Retry::Turn(turn)).await {
            Err(error @ (Refusal::Store(_) | Refusal::NotKnown { .. })) => {
                tracing::error!(game = %game.id(), %error, "the computer's move was not saved");
                tokio::time::sleep(RETRY).await;
            }
            Err(refusal @ Refusal::Illegal(_)) => {
                tracing::error!(game = %game.id(), text, %refusal, "the computer's move was refused");
                return;
            }
            Ok(_) | Err(Refusal::AnotherTurn { .. } | Refusal::KeyUsed(_)) => return,
        }
    }
}
