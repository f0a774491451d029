//! A store that fails when it is told to, round a real one; and stories told on it.
//!
//! For tests only: one call of all that a story makes meets a fault, and then another, until each
//! has.

mod house;
mod stories;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use rules::Seat;
use tokio::sync::{Notify, broadcast};

use super::*;

/// The fault that one call meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not asked.
    Unavailable,
    /// It is asked and says no.
    Failed,
    /// It makes the change, and the answer is lost.
    AnswerLost,
    /// The question is lost, and nobody knows.
    QuestionLost,
    /// Its answer comes after whoever asked has hung up.
    Late,
    /// It is asked at once, and its answer is kept back.
    Slow,
}

impl Fault {
    pub const ALL: [Fault; 5] =
        [Fault::Unavailable, Fault::Failed, Fault::AnswerLost, Fault::QuestionLost, Fault::Late];
}

pub struct Faulty {
    real: Arc<dyn Store>,
    fault: Fault,
    /// Calls that are left before the one that meets the fault.
    left: AtomicUsize,
    met: AtomicBool,
    /// A late call has been made.
    reached: Notify,
    /// It is answered now.
    released: Notify,
}

impl Faulty {
    /// All is well until it is armed.
    pub fn new(real: Arc<dyn Store>, fault: Fault) -> Faulty {
        Faulty {
            real,
            fault,
            left: AtomicUsize::new(usize::MAX),
            met: AtomicBool::new(false),
            reached: Notify::new(),
            released: Notify::new(),
        }
    }

    /// The call after `left` others meets the fault.
    pub fn arm(&self, left: usize) {
        self.left.store(left, Ordering::SeqCst);
    }

    pub fn was_met(&self) -> bool {
        self.met.load(Ordering::SeqCst)
    }

    /// Until a call is kept waiting.
    pub async fn late(&self) {
        self.reached.notified().await;
    }

    pub fn release(&self) {
        self.released.notify_one();
    }

    fn is_due(&self) -> bool {
        let count = |left: usize| left.checked_sub(1);
        let before = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, count);
        before.is_err() && !self.met.swap(true, Ordering::SeqCst)
    }

    /// Every call goes through here. One that changes nothing is never in doubt.
    async fn through<T>(
        &self,
        changes: bool,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        if !self.is_due() {
            return call.await;
        }
        match self.fault {
            Fault::Failed => Err(StoreError::Failed("told to".into())),
            Fault::AnswerLost if changes => {
                call.await?;
                Err(StoreError::Unknown)
            }
            Fault::QuestionLost if changes => Err(StoreError::Unknown),
            Fault::Late => {
                self.reached.notify_one();
                self.released.notified().await;
                call.await
            }
            Fault::Slow => {
                let answer = call.await;
                self.reached.notify_one();
                self.released.notified().await;
                answer
            }
            Fault::Unavailable | Fault::AnswerLost | Fault::QuestionLost => {
                Err(StoreError::Unavailable)
            }
        }
    }
}

/// A part of the store whose calls are each sent through: those that change something, and those
/// that look. What cannot fail is written out.
macro_rules! through {
    ($part:ident { $($plain:tt)* }
     changes { $($change:ident($($given:ident: $of:ty),*) -> $made:ty;)* }
     looks { $($look:ident($($asked:ident: $by:ty),*) -> $found:ty;)* }) => {
        #[async_trait]
        impl $part for Faulty {
            $($plain)*

            $(async fn $change(&self, $($given: $of),*) -> Result<$made, StoreError> {
                self.through(true, self.real.$change($($given),*)).await
            })*

            $(async fn $look(&self, $($asked: $by),*) -> Result<$found, StoreError> {
                self.through(false, self.real.$look($($asked),*)).await
            })*
        }
    };
}

through! {
    Games {}
    changes {
        create(game: SavedGame) -> Created;
        sit(game: ChangedGame, seat: SavedSeat, connections: Vec<Hashed>) -> bool;
        relink(game: ChangedGame, seat: Seat, links: (Link, Link), opener: Option<Opener>) -> bool;
        count_refused(game: GameId, seat: Seat) -> ();
        set_named(name: Hashed, game: GameId) -> ();
        append(game: ChangedGame, saved: SavedTurn, after: Gist) -> bool;
        append_again(game: ChangedGame, saved: SavedTurn, after: Gist) -> bool;
    }
    looks {
        named(name: Hashed) -> Option<GameId>;
        load(game: GameId) -> Option<SavedGame>;
        news(game: GameId, known: u32) -> News;
    }
}

through! {
    GameLists {}
    changes {}
    looks {
        list(wanted: Wanted) -> ListedGames;
        entry(game: GameId) -> Option<ListedGame>;
        count(most: u32) -> i64;
        count_kind(kind: &'static str) -> i64;
        due_to_computer(most: u32) -> Vec<GameId>;
    }
}

through! {
    Leases {}
    changes {
        hold(name: &str, holder: i64, long: Duration) -> bool;
    }
    looks {
        left(name: &str) -> Duration;
        lapsed(kind: &str, within: Duration) -> Vec<String>;
    }
}

through! {
    Sessions {}
    changes {
        save_session(id: Hashed, initialize: String) -> ();
        forget_session(id: Hashed) -> ();
        subscribe(session: Hashed, uri: &str, about: &str) -> bool;
        unsubscribe(session: Hashed, uri: &str) -> ();
    }
    looks {
        session(id: Hashed) -> Option<String>;
        subscriptions(sessions: Vec<Hashed>, about: Option<Vec<String>>) -> Vec<(Hashed, String)>;
    }
}

through! {
    Nodes {
        fn changes(&self) -> broadcast::Receiver<Change> {
            self.real.changes()
        }
    }
    changes {
        say(words: String) -> ();
    }
    looks {}
}

through! {
    LeagueNotes {}
    changes {
        add_to_match_log(logged: Vec<LoggedMessages>) -> ();
        keep_longer(league: GameId, contest: &str, until: Millis) -> ();
    }
    looks {
        match_log(league: GameId, contest: &str) -> Vec<LoggedMessages>;
    }
}

through! {
    Takeover {}
    changes {
        adopt(secret: &[u8]) -> ();
    }
    looks {
        names() -> Vec<(Hashed, GameId)>;
        all_match_logs(until: Millis, after: i64, most: u32) -> Vec<(i64, LoggedMessages)>;
    }
}

through! {
    Store {
        fn secret(&self) -> &[u8] {
            self.real.secret()
        }
    }
    changes {
        tidy(at: Millis) -> ();
        settle() -> ();
    }
    looks {
        ping() -> ();
    }
}
