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
use rules::{Dice, Kind, Seat};
use tokio::{sync::watch, time::Instant};

use self::plain::PlainMind;
use super::{Game, Lease, Refusal, Retry};
use crate::store::Leases;

pub use self::{
    queue::Caller,
    thinkers::{NoThought, Thinkers, on_a_thread},
};

/// Name of the leases held by the process that thinks about a game.
pub(super) const LEASE_NAME: &str = "computer";
/// A process that thinks and is not heard of for this long is taken to be gone.
const LEASE: Duration = Duration::from_secs(4);
/// When its move could not be saved, or too many wait for a thinker, the computer tries again after
/// this long.
const RETRY: Duration = Duration::from_secs(1);

/// How the computer plays games of one kind.
#[async_trait]
pub trait Mind: Send + Sync {
    /// Where it sits in a game, if it does and the game is not over.
    async fn sit(&self, game: &Game) -> Option<Box<dyn Sitting>>;
}

/// Somebody else's program, which plays under its own name.
#[async_trait]
pub trait PlayingProgram: Send + Sync {
    /// The command that starts it, from any folder.
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
    /// Thinks, and answers with a move or an action.
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
        let lease = Lease::new(leases, format!("{LEASE_NAME} {}", game.id()), LEASE);
        tokio::spawn(play(self.clone(), Arc::downgrade(game), game.changes(), lease));
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
    mut lease: Lease,
) {
    loop {
        changed.mark_unchanged();
        {
            // Not held while waiting, so that an idle game can leave the memory.
            let Some(game) = game.upgrade() else { return };
            let Some(sitting) = computers.sit(&game).await else { return };
            if sitting.has_something_to_do() {
                tokio::select! {
                    done = lease.while_held(take_turn(&game, &*sitting)) => if done.is_none() {
                        // The lease was lost before the move was played.
                        continue;
                    },
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
    let mut text = loop {
        match sitting.decide(game).await {
            Ok(text) => break text,
            Err(NoThought::Crowded) => tokio::time::sleep(RETRY).await,
            Err(NoThought::Stopped) => return,
            // Another search would fail too, so any legal move has to do.
            Err(NoThought::Failed) => match any_answer(game, seat, turn) {
                Some(text) => break text,
                None => return,
            },
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
                tracing::error!(
                    game = %game.id(), text, %refusal, "the computer's move was refused"
                );
                match any_answer(game, seat, turn).filter(|other| *other != text) {
                    Some(other) => text = other,
                    None => return,
                }
            }
            Ok(_) | Err(Refusal::AnotherTurn { .. } | Refusal::KeyUsed(_)) => return,
        }
    }
}

/// Something legal for `seat`, where thinking has failed: no to a question, or any move.
fn any_answer(game: &Game, seat: Seat, turn: u32) -> Option<String> {
    let record = game.record();
    let declines = |answer: &&str| answer.starts_with("decline");
    if let Some(no) = record.answers(seat).into_iter().find(declines) {
        return Some(no.to_owned());
    }
    players::at_random(&record, seat, &mut Dice::new(game.luck(), turn))
        .filter(|text| record.check(seat, text).is_ok())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use futures_util::future::pending;
    use rules::{
        Eye, Rules,
        chess::{BLACK, Chess, WHITE},
        connect_four::ConnectFour,
        liars_dice::LiarsDice,
    };

    use super::*;
    use crate::{
        budgets::Budgets,
        hall::{Hall, Plan},
        limits::Limits,
        player::{Level, Player},
        store::{self, Address, SavedSeat},
    };

    /// Long enough on any machine.
    const AMPLE: Duration = Duration::from_secs(120);

    /// Plays badly: the store fails during its first thought. Of the later ones, some panic and
    /// some come to a move that is not legal.
    #[derive(Clone)]
    struct Unlucky {
        thinkers: Arc<Thinkers>,
        store: Arc<FailingLeases>,
        seat: Seat,
        due: bool,
        turn: u32,
    }

    /// Leases cannot be renewed from the first thought on until that is given up.
    struct FailingLeases {
        path: std::path::PathBuf,
        had: AtomicBool,
    }

    impl FailingLeases {
        fn rename(&self, from: &str, to: &str) {
            let db = rusqlite::Connection::open(&self.path).expect("its file");
            db.execute_batch(&format!("alter table {from} rename to {to}")).expect("renamed");
        }
    }

    struct Failing<'a>(&'a FailingLeases);

    impl Drop for Failing<'_> {
        fn drop(&mut self) {
            self.0.rename("gone", "leases");
        }
    }

    #[async_trait]
    impl Mind for Unlucky {
        async fn sit(&self, game: &Game) -> Option<Box<dyn Sitting>> {
            let sight = game.see(Eye::Public);
            let asked = game.record().asked();
            let is_due = |seat: &Seat| sight.due.includes(*seat) || asked == Some(*seat);
            let computers = sight.seats.iter().filter(|seat| seat.player != Player::Agent);
            // Before its turn too, for whoever sits nowhere is not asked again.
            let seat = computers.map(|sitting| sitting.seat).max_by_key(is_due)?;
            let due = is_due(&seat);
            Some(Box::new(Unlucky { seat, due, turn: sight.next, ..self.clone() }))
        }
    }

    #[async_trait]
    impl Sitting for Unlucky {
        fn seat(&self) -> Seat {
            self.seat
        }

        fn turn(&self) -> u32 {
            self.turn
        }

        fn has_something_to_do(&self) -> bool {
            self.due
        }

        async fn decide(&self, game: &Game) -> Result<String, NoThought> {
            if !self.store.had.swap(true, Ordering::Relaxed) {
                self.store.rename("leases", "gone");
                let _back_in_the_end = Failing(&self.store);
                pending::<()>().await;
            }
            if self.turn % 4 == 2 {
                return Ok("nothing like a move".to_owned());
            }
            self.thinkers.ask(game.caller(), 1, |_| panic!("a thought too many")).await
        }
    }

    /// A hall where the computer has no luck with `kind`.
    async fn unlucky_hall(folder: &tempfile::TempDir, kind: &'static str) -> Arc<Hall> {
        let path = folder.path().join("agon.db");
        let store = store::open(&Address::Sqlite(path.clone())).await.expect("a store");
        let thinkers = Thinkers::new(None, &Limits::default(), Default::default());
        let failing = FailingLeases { path, had: AtomicBool::new(false) };
        let mind = Unlucky {
            thinkers: thinkers.clone(),
            store: failing.into(),
            seat: Seat(0),
            due: false,
            turn: 0,
        };
        let minds = Minds::from([(kind, Box::new(mind) as Box<dyn Mind>)]);
        let computers = Computers::new(thinkers, minds, Programs::default());
        Hall::new(store, computers, &Limits::default(), Budgets::default())
    }

    /// Until the game is as it should be.
    async fn comes_to(game: &Game, is_so: impl Fn(&Game) -> bool) {
        let mut changes = game.changes();
        let comes = async {
            while !is_so(game) {
                changes.changed().await.expect("it goes on");
            }
        };
        tokio::time::timeout(AMPLE, comes).await.expect("the computer plays on");
    }

    async fn is_played_to_its_end<R: Rules>(setup: R::Setup) {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = unlucky_hall(&folder, R::KIND).await;
        let computer = Player::Computer(Level::new(1).expect("a level"));
        let seats = [0, 1].map(|seat| SavedSeat::new(Seat(seat), computer)).to_vec();
        let game = hall.create(Plan::of::<R>(&setup, seats)).await.expect("a game");
        comes_to(&game, |game| game.due().outcome().is_some()).await;
    }

    #[tokio::test]
    async fn the_computer_plays_on_after_a_store_and_searches_that_fail() {
        tokio::join!(
            is_played_to_its_end::<ConnectFour>(Default::default()),
            is_played_to_its_end::<LiarsDice>(Default::default()),
        );
    }

    #[tokio::test]
    async fn the_computer_declines_a_draw_when_its_search_fails() {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = unlucky_hall(&folder, Chess::KIND).await;
        let computer = Player::Computer(Level::new(1).expect("a level"));
        let seats = vec![SavedSeat::new(WHITE, Player::Agent), SavedSeat::new(BLACK, computer)];
        let plan = Plan::of::<Chess>(&Default::default(), seats);
        let game = hall.create(plan).await.expect("a game");
        game.play(WHITE, "offerDraw", Retry::Turn(1)).await.expect("it is legal");
        comes_to(&game, |game| game.turns() > 1).await;
        assert!(game.log()[1].0.text.starts_with("declineDraw"));
    }
}
