//! The computer as a player: it looks, has somebody think, and plays through the same door as
//! everyone.
//!
//! What it does beside the board is in `decisions`; who thinks, and how many at once, in `thinkers`;
//! an engine that is not ours in `guest`.

mod decisions;
mod guest;
mod thinkers;

use std::{
    num::NonZeroUsize,
    sync::{Arc, Weak, atomic::AtomicBool},
    time::Duration,
};

use chess_engine::{Level, Prospect, Searcher};
use rules::{
    Eye, Seat,
    chess::{Chess, color_of, uci},
};
use tokio_util::sync::CancellationToken;

use self::{
    decisions::Side,
    thinkers::{Question, Thinkers},
};
use super::{Duty, Game, Look, Player, Refusal, Retry};

pub use self::guest::NoSuchEngine;

/// What it is called that one process at a time thinks about a game.
pub(super) const DUTY: &str = "computer";
/// A process that thinks and is not heard of for this long is taken to be gone.
const LEASE: Duration = Duration::from_secs(3);
/// When its move could not be saved, the computer tries again after this long.
const RETRY: Duration = Duration::from_secs(1);

#[derive(clap::Args, Default)]
#[command(next_help_heading = "The computer")]
#[group(id = "computer")]
pub struct Flags {
    /// Let this UCI engine play for the computer: a name on the PATH or a path, arguments behind it
    #[arg(long, value_name = "COMMAND", env = "AGON_ENGINE", global = true)]
    engine: Option<String>,
    /// Let the computer think about so many games at once [default: one less than there are cores]
    #[arg(long, value_name = "N", env = "AGON_THINKERS", global = true)]
    thinkers: Option<NonZeroUsize>,
}

#[derive(Clone)]
pub struct Computers {
    thinkers: Arc<Thinkers>,
    stop: CancellationToken,
}

impl Computers {
    /// Until `stop`. The engine asked for must be there.
    pub fn new(flags: &Flags, stop: CancellationToken) -> Result<Computers, NoSuchEngine> {
        let thinkers = Thinkers::new(flags.thinkers, flags.engine.as_deref())?;
        Ok(Computers { thinkers: Arc::new(thinkers), stop })
    }

    /// Lets the computer play in `game` if it has a seat there, for as long as the game is in
    /// memory and not over.
    pub(super) fn seat(&self, game: &Arc<Game>) {
        tokio::spawn(play(self.clone(), Arc::downgrade(game)));
    }

    /// Puts a question beside the games, when a core is free for it. None if the server stops.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Searcher, &AtomicBool) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            answer = self.thinkers.ask(question) => answer,
        }
    }
}

/// Whether the computer has something to do.
pub(super) async fn is_due(game: &Game) -> bool {
    matches!(seated(game).await, Some(seat) if seat.has_something_to_do())
}

/// Where the computer sits in a game that is not over.
struct Seated {
    seat: Seat,
    level: Level,
    look: Look<Chess>,
}

async fn seated(game: &Game) -> Option<Seated> {
    // Chess hides nothing: what everybody sees is all there is.
    let look = game.look::<Chess>(Eye::Public).await.ok()?;
    let (seat, level) = look.seats.iter().find_map(|seat| match seat.player {
        Player::Computer(level) => Some((seat.seat, level)),
        _ => None,
    })?;
    look.due.outcome().is_none().then_some(Seated { seat, level, look })
}

impl Seated {
    fn has_something_to_do(&self) -> bool {
        self.look.due.includes(self.seat) || self.look.asked == Some(self.seat)
    }

    fn question(&self, game: &Game) -> Question {
        let view = &self.look.view;
        Question {
            game: game.id(),
            start: view.start.clone(),
            moves: view.moves.clone(),
            level: self.level,
            seed: game.dice(self.look.next).number(),
        }
    }

    /// What to do, once that is thought about. None if the server stops.
    async fn decide(&self, computers: &Computers, game: &Game) -> Option<String> {
        let side = Side { view: &self.look.view, color: color_of(self.seat), level: self.level };
        if side.is_offered_draw() {
            return match side.rebuff() {
                Some(answer) => Some(answer),
                None => Some(side.answer_offer(self.prospect(computers).await?)),
            };
        }
        let answer = computers.thinkers.think(self.question(game)).await?;
        let mv = uci(&self.look.view.start, answer.mv);
        match side.wonders(answer.score) {
            true => Some(side.decide(&mv, self.prospect(computers).await?)),
            false => Some(mv),
        }
    }

    /// A closer look than a level takes for a move, by our own engine, whoever plays.
    async fn prospect(&self, computers: &Computers) -> Option<Prospect> {
        let view = &self.look.view;
        let (start, moves) = (view.start.clone(), view.moves.clone());
        let of_mover = view.turn == color_of(self.seat);
        let look = move |searcher: &mut Searcher, stop: &AtomicBool| {
            searcher.prospect(&start, &moves, of_mover, stop)
        };
        computers.thinkers.ask(look).await
    }
}

async fn play(computers: Computers, game: Weak<Game>) {
    let Some((mut changed, mut duty)) = game.upgrade().map(|game| {
        let duty = Duty::new(game.store(), format!("{DUTY} {}", game.id()), LEASE);
        (game.changes(), duty)
    }) else {
        return;
    };
    loop {
        changed.mark_unchanged();
        {
            // Not held while waiting, so that an idle game can leave the memory.
            let Some(game) = game.upgrade() else { return };
            let Some(seated) = seated(&game).await else { return };
            if seated.has_something_to_do() {
                tokio::select! {
                    _ = duty.fulfil(take_turn(&computers, &game, seated)) => {}
                    // Resigned, taken back, offered: whatever it was, look again.
                    _ = changed.changed() => continue,
                    () = computers.stop.cancelled() => return,
                }
            }
        }
        if changed.changed().await.is_err() {
            return;
        }
    }
}

async fn take_turn(computers: &Computers, game: &Game, seated: Seated) {
    let Some(text) = seated.decide(computers, game).await else { return };
    loop {
        // It names the turn it thought about; an answer for an older position is refused.
        match game.play(seated.seat, &text, Retry::Turn(seated.look.next)).await {
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
