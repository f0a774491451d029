//! The computer as a player: it looks, thinks on a thread of its own, and plays through the same
//! door as everyone.

use std::{
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    thread::available_parallelism,
    time::Duration,
};

use chess_engine::{Choice, Level, Searcher};
use rules::{
    Eye, Seat,
    chess::{Chess, color_of},
};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::{Duty, Game, Look, Player, Refusal, Retry};
use crate::figures::OneMore;

/// What it is called that one process at a time thinks about a game.
pub(super) const DUTY: &str = "computer";
/// A process that thinks and is not heard of for this long is taken to be gone.
const LEASE: Duration = Duration::from_secs(3);
/// When its move could not be saved, the computer tries again after this long.
const RETRY: Duration = Duration::from_secs(1);

/// As many searches at once as there are cores to spare, first come, first served.
#[derive(Clone)]
pub struct Computers {
    thinking: Arc<Semaphore>,
    /// Where nobody thinks just now; as many as ever thought at once.
    desks: Arc<Mutex<Vec<Searcher>>>,
    stop: CancellationToken,
}

impl Computers {
    pub fn new(stop: CancellationToken) -> Computers {
        let cores = available_parallelism().map_or(1, usize::from);
        let thinking = Arc::new(Semaphore::new(cores.saturating_sub(1).max(1)));
        Computers { thinking, desks: Arc::default(), stop }
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
        let _permit = self.thinking.acquire().await.ok()?;
        tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            answer = self.at_a_desk(question) => answer,
        }
    }

    /// Thinks where it blocks nobody; is told to stop when dropped.
    async fn at_a_desk<T: Send + 'static>(
        &self,
        think: impl FnOnce(&mut Searcher, &AtomicBool) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        struct StopOnDrop(Arc<AtomicBool>);
        impl Drop for StopOnDrop {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let stop = StopOnDrop(Arc::default());
        let flag = stop.0.clone();
        let desks = self.desks.clone();
        let search = move || {
            let free = || desks.lock().unwrap_or_else(PoisonError::into_inner);
            let mut searcher = free().pop().unwrap_or_default();
            let thought = think(&mut searcher, &flag);
            free().push(searcher);
            thought
        };
        tokio::task::spawn_blocking(search).await.unwrap_or_else(|error| {
            tracing::error!(%error, "the computer stopped in the middle of a thought");
            None
        })
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
    // Seen through a player's eyes, like any player's; which seat's makes no difference in chess.
    let look = game.look::<Chess>(Eye::Seat(Seat(0))).await.ok()?;
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

    /// What to answer, having thought of `choice`.
    fn decide(&self, choice: Choice) -> String {
        let offered = self.look.view.draw_offer == Some(!color_of(self.seat));
        let on_move = self.look.due.includes(self.seat);
        // The score is the mover's.
        let mine = if on_move { choice.score } else { -choice.score };
        match offered {
            true if mine <= 0 => "acceptDraw".to_owned(),
            true => "declineDraw".to_owned(),
            false => choice.mv.to_uci(shakmaty::CastlingMode::Standard).to_string(),
        }
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
    let turn = seated.look.next;
    let queued = OneMore::queued();
    let Ok(_permit) = computers.thinking.acquire().await else { return };
    drop(queued);
    let _thinking = OneMore::thinker();
    let thought = think(computers, seated, game.dice(turn).number()).await;
    let Some((seated, choice)) = thought else { return };
    let text = seated.decide(choice);
    loop {
        // It names the turn it thought about; an answer for an older position is refused.
        match game.play(seated.seat, &text, Retry::Turn(turn)).await {
            Err(Refusal::Store(error)) => {
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

async fn think(computers: &Computers, seated: Seated, seed: u64) -> Option<(Seated, Choice)> {
    let search = move |searcher: &mut Searcher, stop: &AtomicBool| {
        let view = &seated.look.view;
        let choice = searcher.best_move(&view.start, &view.moves, seated.level, seed, stop);
        Some((seated, choice?))
    };
    computers.at_a_desk(search).await
}
