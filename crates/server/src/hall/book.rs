//! One game in memory, which goes forward together with the store.
//!
//! A change holds `changing` from its first look at the game until waiters are woken. Readers hold
//! `state` for as long as they look, and never wait for what is being saved. A change goes on when
//! its caller hangs up, so that the memory does not fall behind the store.

use std::{
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use rules::{Eye, Kind, Seat, Step};
use tokio::{
    sync::{Mutex, watch},
    time::Instant,
};

use super::{
    lists::gist_after,
    moves::{Move, Played},
    news::Announcer,
    refusals::Refusal,
    sight::SeenBy,
    state::{AskedTurn, OpenSeat, OpenTurn, State},
};
use crate::{
    ids::GameId,
    store::{
        ChangedGame, Games, Hashed, Link, Millis, Opener, SavedSeat, SavedTurn, StoreError, now,
    },
};

/// How long we remember a call whose outcome is unknown, so that a retry gets the same answer.
const OPEN: Duration = Duration::from_secs(10 * 60);

/// Facts of a game that never change, besides its record.
#[derive(Clone, Copy)]
pub struct Begun {
    pub id: GameId,
    pub created_at: Millis,
    /// The computer's choices come from this.
    pub luck: u64,
    /// A player chose the seed, so the game is rated nowhere.
    pub practice: bool,
}

pub struct Book {
    pub games: Arc<dyn Games>,
    pub begun: Begun,
    pub kind: Kind,
    state: RwLock<State>,
    /// Two moves for one game must not both be checked against the same position.
    pub changing: Mutex<()>,
    /// Turns known here; readable without a look at the state.
    pub known: AtomicU32,
    /// Somebody was told that the fate of a call is not known.
    pub unsettled: AtomicBool,
    /// The league that this game is a match of is over, so nobody gains by its seeds any more.
    pub league_is_over: AtomicBool,
    pub changed: watch::Sender<Instant>,
    /// Where the hall hears of it.
    pub hall: Announcer,
}

impl Book {
    pub fn new(games: Arc<dyn Games>, hall: Announcer, begun: Begun, state: State) -> Book {
        Book {
            games,
            begun,
            kind: state.record.kind(),
            known: AtomicU32::new(state.times.len() as u32),
            unsettled: AtomicBool::new(false),
            league_is_over: AtomicBool::new(false),
            state: RwLock::new(state),
            changing: Mutex::new(()),
            changed: watch::Sender::new(Instant::now()),
            hall,
        }
    }

    fn changed_game(&self) -> ChangedGame {
        ChangedGame { id: self.begun.id, kind: self.kind.name }
    }

    pub fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody keeps it from being changed by looking at it.
    #[cfg(test)]
    pub fn is_looked_at(&self) -> bool {
        self.state.try_write().is_err()
    }

    /// A snapshot of the game now, for `eye`.
    pub fn see<S: SeenBy>(&self, eye: Eye) -> S {
        S::seen_by(eye, self, &self.state())
    }

    /// The game as it is, to be played over again: that takes long, and nobody need wait for it.
    fn copy(&self) -> State {
        self.state().copy()
    }

    /// A snapshot of the game right after turn `number`, for `eye`.
    pub fn see_back<S: SeenBy>(&self, eye: Eye, number: u32) -> S {
        let state = self.state();
        if state.record.next_number() <= number + 1 {
            return S::seen_by(eye, self, &state);
        }
        drop(state);
        S::seen_by(eye, self, &self.copy().back_to(number))
    }

    /// Plays a move, or answers again for one that was played: the same call has one effect.
    /// Answers with what `eye` sees right after it.
    pub async fn play<S: SeenBy>(
        self: &Arc<Book>,
        mv: Move,
        eye: Eye,
    ) -> Result<Played<S>, Refusal> {
        let book = self.clone();
        carried_through(async move {
            let _changing = book.changing.lock().await;
            let (number, is_new) = book.play_through(&mv).await?;
            // Somebody may have sat down by way of another process, who is seen now.
            if book.state().has_free_seat()
                && let Err(error) = book.catch_up().await
            {
                tracing::warn!(game = %book.begun.id, %error, "who has sat down could not be read");
            }
            Ok(Played { number, is_new, seen: book.see_back(eye, number) })
        })
        .await
    }

    /// The number of the turn, and whether it was made by this call.
    async fn play_through(&self, mv: &Move) -> Result<(u32, bool), Refusal> {
        loop {
            if let Err(error) = self.settle().await {
                let same = self.state().open_turn(mv);
                return Err(same.map_or(error.into(), |turn| Refusal::NotKnown { turn }));
            }
            let open = self.state().open_turn(mv);
            if let Some(number) = open {
                self.close();
                return Ok((number, false));
            }
            let keyed = self.state().keyed(mv);
            if let Some(number) = keyed {
                let same = self.copy().was_played(mv.seat, &mv.ask, number);
                return if same { Ok((number, false)) } else { Err(Refusal::KeyUsed(number)) };
            }
            let (tried, known) = {
                let state = self.state();
                (state.step(mv), state.times.len())
            };
            let refusal = match tried {
                Ok(step) => match self.save(step, mv).await? {
                    Some(number) => return Ok((number, true)),
                    // Another process was first; what it played is read below.
                    None => None,
                },
                Err(refusal) => Some(refusal),
            };
            self.catch_up().await?;
            let known_now = self.state().times.len();
            // It may be legal after what another process has played meanwhile.
            if let Some(refusal) = refusal
                && known_now == known
            {
                let before = self.copy().played_before(mv);
                return before.map(|number| (number, false)).ok_or(refusal);
            }
        }
    }

    /// Save, then show. None if the number is taken.
    async fn save(&self, step: Step, mv: &Move) -> Result<Option<u32>, Refusal> {
        let (turn, number) = (step.turn().clone(), step.turn().number);
        let (request, comment) = (mv.retry.key().cloned(), mv.comment.clone());
        let (refused, loose, tokens) = (None, u32::from(mv.loose), mv.tokens);
        let saved = SavedTurn { turn, at: now(), request, comment, refused, loose, tokens };
        let after = gist_after(&step, &self.state().seats);
        match self.games.append(self.changed_game(), saved.clone(), after).await {
            Ok(true) => {
                self.take_over(step, saved);
                Ok(Some(number))
            }
            Ok(false) => Ok(None),
            Err(StoreError::Unknown) => {
                let asked = AskedTurn { step, saved };
                self.state_mut().open_turn = Some(OpenTurn::Asked(asked.into()));
                self.unsettled.store(true, Ordering::Relaxed);
                Err(Refusal::NotKnown { turn: number })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn take_over(&self, step: Step, saved: SavedTurn) {
        let is_news = self.state_mut().take_over(step, saved);
        // Telling it twice would stop a search that has begun since.
        if is_news {
            self.tell();
        }
    }

    /// Learns what became of a turn whose fate is open, by asking for it once more: either it is
    /// there then, or another has its number. What is asked for now has not been touched if that
    /// fails. For those who hold `changing`.
    async fn settle(&self) -> Result<(), StoreError> {
        let Some((saved, after)) = self.state().asked_again() else { return Ok(()) };
        let again = self.games.append_again(self.changed_game(), saved, after).await;
        let played = again.map_err(|error| match error {
            StoreError::Unknown => StoreError::Unavailable,
            error => error,
        })?;
        let open = self.state_mut().open_turn.take();
        let Some(OpenTurn::Asked(asked)) = open else { return Ok(()) };
        let AskedTurn { step, saved } = *asked;
        if played {
            let (number, seat) = (saved.turn.number, saved.turn.seat);
            let key = saved.request.clone();
            self.take_over(step, saved);
            let since = Instant::now();
            self.state_mut().open_turn = Some(OpenTurn::Played { number, seat, key, since });
        } else {
            self.close();
        }
        Ok(())
    }

    /// Nobody need remember any more that a call's fate was open.
    fn close(&self) {
        let mut state = self.state_mut();
        state.open_turn = None;
        self.unsettled.store(state.open_seat.is_some(), Ordering::Relaxed);
    }

    /// Sees to calls whose fate is open though nobody asks.
    pub async fn look_after_open_calls(&self) -> Result<(), StoreError> {
        let _changing = self.changing.lock().await;
        self.settle().await?;
        self.catch_up().await?;
        let mut state = self.state_mut();
        if let Some(OpenTurn::Played { since, .. }) = state.open_turn
            && since.elapsed() > OPEN
        {
            state.open_turn = None;
        }
        state.open_seat.take_if(|open| open.since.elapsed() > OPEN);
        let open = state.open_turn.is_some() || state.open_seat.is_some();
        self.unsettled.store(open, Ordering::Relaxed);
        Ok(())
    }

    /// Sits down, unless somebody sits there. The connections speak for the seat from now on.
    pub async fn sit(
        self: &Arc<Book>,
        seat: SavedSeat,
        connections: Vec<Hashed>,
    ) -> Result<bool, StoreError> {
        let book = self.clone();
        carried_through(async move {
            let _changing = book.changing.lock().await;
            let same = |open: &mut Box<OpenSeat>| open.is_wish(&seat, &connections);
            let open = book.state_mut().open_seat.take_if(same);
            let open = open.map_or_else(|| OpenSeat::new(seat, connections), |open| *open);
            let sat = book
                .games
                .sit(book.changed_game(), open.seat.clone(), open.connections.clone())
                .await;
            if let Err(StoreError::Unknown) = sat {
                book.state_mut().open_seat = Some(open.into());
                book.unsettled.store(true, Ordering::Relaxed);
                return Err(StoreError::Unknown);
            }
            let sat = sat?;
            let read = book.catch_up().await;
            if sat {
                // It is done, and must not be denied because nothing can be read now.
                book.state_mut().take_seat(open);
            } else {
                read?;
            }
            book.tell();
            Ok(sat)
        })
        .await
    }

    /// Changes the link to a seat, as long as `change` has another for the one there is.
    pub async fn relink(
        self: &Arc<Book>,
        seat: Seat,
        change: impl Fn(Link) -> Option<Link> + Send + 'static,
        opener: Option<Opener>,
    ) -> Result<bool, StoreError> {
        let book = self.clone();
        carried_through(async move {
            loop {
                book.catch_up().await?;
                let link = book.state().seats.at(seat).map(|sitting| sitting.link);
                let Some(from) = link else { return Ok(false) };
                let Some(to) = change(from) else { return Ok(false) };
                // If it was changed meanwhile, what it is now is looked at again.
                if book.games.relink(book.changed_game(), seat, (from, to), opener.clone()).await? {
                    book.state_mut().relink(seat, to, opener);
                    book.tell();
                    return Ok(true);
                }
            }
        })
        .await
    }

    /// Counts a refused move, and wakes nobody. The game goes on if the store cannot count it.
    pub async fn count_refused(&self, seat: Seat) {
        let counted = self.games.count_refused(self.begun.id, seat).await;
        if let Err(error) = counted.and(self.catch_up().await) {
            tracing::warn!(game = %self.begun.id, %error, "a refused move was not counted");
        }
    }

    /// Takes in what other processes have added. True if there was any.
    pub async fn catch_up(&self) -> Result<bool, StoreError> {
        loop {
            let (known, seatings) = {
                let state = self.state();
                (state.times.len() as u32, state.seatings)
            };
            let news = self.games.news(self.begun.id, known).await?;
            let grown = {
                let mut state = self.state_mut();
                if state.seatings != seatings {
                    // Somebody has sat down here meanwhile, of whom the news may not know.
                    continue;
                }
                state.learn(news).map_err(StoreError::Misfit)?
            };
            if grown {
                self.tell();
            }
            return Ok(grown);
        }
    }

    fn tell(&self) {
        self.known.store(self.state().times.len() as u32, Ordering::Relaxed);
        self.changed.send_replace(Instant::now());
        self.hall.tell(self.begun.id, Some(self.kind.name));
    }
}

/// Runs a change that goes on if its caller hangs up.
async fn carried_through<T: Send + 'static>(change: impl Future<Output = T> + Send + 'static) -> T {
    tokio::spawn(change).await.expect("a change does not panic")
}
