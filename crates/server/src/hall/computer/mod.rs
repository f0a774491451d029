//! The computer as a player: it looks, has somebody think, and plays through the same door as
//! everyone.
//!
//! What it does beside the board is in `decisions`; who thinks, and how many at once, in `thinkers`;
//! an engine that is not ours in `guest`.

mod plain;
mod queue;
pub mod thinkers;

use std::{
    num::NonZeroUsize,
    sync::{Arc, Weak, atomic::AtomicBool},
    time::Duration,
};

use chess_engine::{Level, Prospect, Searcher};
use rules::{
    Eye, Rules, Seat,
    chess::{Chess, color_of, uci},
};
use tokio_util::sync::CancellationToken;

use self::{
    plain::PlainSeat,
    thinkers::{Question, Thinkers},
};

use super::{Duty, Game, Look, Refusal, Retry};
use crate::{kinds::chess::decisions::Side, limits::Limits, player::Player};

pub use self::{queue::Asker, thinkers::NoThought};
pub use crate::kinds::chess::guest::NoSuchEngine;

/// What it is called that one process at a time thinks about a game.
pub(super) const DUTY: &str = "computer";
/// A process that thinks and is not heard of for this long is taken to be gone.
const LEASE: Duration = Duration::from_secs(3);
/// A closer look costs so many positions, or a few times that.
const PROSPECT: u64 = 20_000;
/// When its move could not be saved, or too many wait for a thinker, the computer tries again after
/// this long.
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
    pub fn new(
        flags: &Flags,
        limits: &Limits,
        stop: CancellationToken,
    ) -> Result<Computers, NoSuchEngine> {
        let most_waiting = limits.thoughts_waiting.get() as usize;
        let thinkers = Thinkers::new(flags.thinkers, flags.engine.as_deref(), most_waiting)?;
        Ok(Computers { thinkers: Arc::new(thinkers), stop })
    }

    /// Lets the computer play in `game` if it has a seat there, for as long as the game is in
    /// memory and not over.
    pub(super) fn seat(&self, game: &Arc<Game>) {
        tokio::spawn(play(self.clone(), Arc::downgrade(game)));
    }

    /// Whether no more games can wait for the computer.
    pub(super) fn is_crowded(&self) -> bool {
        self.thinkers.is_crowded()
    }

    /// Puts a question beside the games, when it is its turn; `cost` in positions.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        asker: Asker,
        cost: u64,
        question: impl FnOnce(&mut Searcher, &AtomicBool) -> Option<T> + Send + 'static,
    ) -> Result<T, NoThought> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(NoThought::Stopped),
            answer = self.thinkers.ask(asker, cost, question) => answer,
        }
    }
}

/// Whether the computer has something to do.
pub(super) async fn is_due(game: &Game) -> bool {
    matches!(seated(game).await, Some(seat) if seat.has_something_to_do())
}

/// Where the computer sits in a game that is not over.
enum Seated {
    Chess(Box<ChessSeat>),
    Plain(Box<PlainSeat>),
}

async fn seated(game: &Game) -> Option<Seated> {
    match game.kind().name {
        Chess::KIND => ChessSeat::at(game).await.map(Box::new).map(Seated::Chess),
        _ => PlainSeat::at(game).await.map(Box::new).map(Seated::Plain),
    }
}

impl Seated {
    fn has_something_to_do(&self) -> bool {
        match self {
            Seated::Chess(seat) => seat.has_something_to_do(),
            Seated::Plain(seat) => seat.has_something_to_do(),
        }
    }

    /// The seat, and the number of the turn that it thinks about.
    fn place(&self) -> (Seat, u32) {
        match self {
            Seated::Chess(seat) => (seat.seat, seat.look.next),
            Seated::Plain(seat) => (seat.seat(), seat.next()),
        }
    }

    /// What to do, once that is thought about.
    async fn decide(&self, computers: &Computers, game: &Game) -> Result<String, NoThought> {
        match self {
            Seated::Chess(seat) => seat.decide(computers, game).await,
            Seated::Plain(seat) => seat.decide(computers, game).await,
        }
    }
}

struct ChessSeat {
    seat: Seat,
    level: Level,
    look: Look<Chess>,
}

impl ChessSeat {
    async fn at(game: &Game) -> Option<ChessSeat> {
        // Chess hides nothing: what everybody sees is all there is.
        let look = game.look::<Chess>(Eye::Public).await.ok()?;
        let (seat, level) = look.seats.iter().find_map(|seat| match seat.player {
            Player::Computer(level) => Some((seat.seat, level)),
            _ => None,
        })?;
        look.due.outcome().is_none().then_some(ChessSeat { seat, level, look })
    }

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

    /// What to do, once that is thought about.
    async fn decide(&self, computers: &Computers, game: &Game) -> Result<String, NoThought> {
        let side = Side { view: &self.look.view, color: color_of(self.seat), level: self.level };
        if side.is_offered_draw() {
            return match side.rebuff() {
                Some(answer) => Ok(answer),
                None => Ok(side.answer_offer(self.prospect(computers, game).await?)),
            };
        }
        let answer = computers.thinkers.think(game.asker(), self.question(game)).await?;
        let mv = uci(&self.look.view.start, answer.mv);
        match side.wonders(answer.score) {
            true => Ok(side.decide(&mv, self.prospect(computers, game).await?)),
            false => Ok(mv),
        }
    }

    /// A closer look than a level takes for a move, by our own engine, whoever plays.
    async fn prospect(&self, computers: &Computers, game: &Game) -> Result<Prospect, NoThought> {
        let view = &self.look.view;
        let (start, moves) = (view.start.clone(), view.moves.clone());
        let of_mover = view.turn == color_of(self.seat);
        let look = move |searcher: &mut Searcher, stop: &AtomicBool| {
            searcher.prospect(&start, &moves, of_mover, stop)
        };
        computers.thinkers.ask(game.asker(), PROSPECT, look).await
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
    let (seat, turn) = seated.place();
    let text = loop {
        match seated.decide(computers, game).await {
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
