//! What one game holds, in memory as in the store: both go forward together.
//!
//! A change is carried through by a task of its own, from the saving to the telling, so that a
//! caller who hangs up in the middle does not leave the memory behind the store.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use rules::{Seat, Step};
use tokio::{
    sync::{Mutex, MutexGuard, broadcast, watch},
    time::Instant,
};

use super::{
    game::{Played, Retry},
    lists::gist_after,
    refusals::Refusal,
    state::{OpenSeat, OpenTurn, State},
};
use crate::{
    ids::GameId,
    store::{Hashed, Link, Opener, SavedSeat, SavedTurn, Store, StoreError, now},
};

/// Who was told that the fate of a call is not known makes it again within this time, or not.
const OPEN: Duration = Duration::from_secs(10 * 60);

pub struct Book {
    pub store: Arc<dyn Store>,
    pub id: GameId,
    pub state: Mutex<State>,
    /// Turns known here; readable without waiting for the state.
    pub known: AtomicU32,
    /// Somebody was told that the fate of a call is not known.
    pub unsettled: AtomicBool,
    pub changed: watch::Sender<Instant>,
    /// Where the hall hears of it.
    pub hall: broadcast::Sender<GameId>,
}

impl Book {
    /// Plays a move, or answers again for one that was played: the same call has one effect.
    /// There is no text when the player is late.
    pub async fn play(
        self: &Arc<Book>,
        seat: Seat,
        text: Option<&str>,
        comment: Option<&str>,
        retry: Retry<'_>,
    ) -> Result<Played, Refusal> {
        let (book, key) = (self.clone(), retry.key().map(str::to_owned));
        let (text, comment) = (text.map(str::to_owned), comment.map(str::to_owned));
        let retry: Retry<'static> = retry.with_key(None);
        carry_through(async move {
            let retry = retry.with_key(key.as_deref());
            book.play_through(seat, text.as_deref(), comment.as_deref(), retry).await
        })
        .await
    }

    async fn play_through(
        &self,
        seat: Seat,
        text: Option<&str>,
        comment: Option<&str>,
        retry: Retry<'_>,
    ) -> Result<Played, Refusal> {
        // Held across the insert on purpose: two moves for one game must not both be checked
        // against the same position.
        let mut state = self.state.lock().await;
        loop {
            if let Err(error) = self.settle(&mut state).await {
                let same = state.open_turn(seat, text, retry);
                return Err(same.map_or(error.into(), |turn| Refusal::NotKnown { turn }));
            }
            if let Some(number) = state.open_turn(seat, text, retry) {
                self.close(&mut state);
                return Ok(Played::before(number));
            }
            if let Retry::Key(Some(key)) = retry
                && let Some(number) = state.keyed_turn(key)
            {
                let same = state.was_played(seat, text, number);
                return if same {
                    Ok(Played::before(number))
                } else {
                    Err(Refusal::KeyUsed(number))
                };
            }
            let refusal = match state.step(seat, text, retry) {
                Ok(step) => match self.save(&mut state, step, comment, retry).await? {
                    Some(played) => return Ok(played),
                    // Another process was first; what it played is read below.
                    None => None,
                },
                Err(refusal) => Some(refusal),
            };
            let grown = self.catch_up(&mut state).await?;
            match refusal {
                // It may be legal after what another process has played meanwhile.
                Some(refusal) if !grown => {
                    return state.played_before(seat, text, retry).ok_or(refusal);
                }
                _ => {}
            }
        }
    }

    /// Save, then show. None if the number is taken.
    async fn save(
        &self,
        state: &mut State,
        step: Step,
        comment: Option<&str>,
        retry: Retry<'_>,
    ) -> Result<Option<Played>, Refusal> {
        let turn = step.turn().clone();
        let number = turn.number;
        let (request, comment) = (retry.key().map(str::to_owned), comment.map(str::to_owned));
        let saved = SavedTurn { turn, at: now(), request, comment };
        match self.store.append(self.id, saved.clone(), gist_after(&step, &state.seats)).await {
            Ok(true) => {
                self.take_over(state, step, saved);
                Ok(Some(Played { number, is_new: true }))
            }
            Ok(false) => Ok(None),
            Err(StoreError::Unknown) => {
                state.open_turn = Some(OpenTurn::Asked { step, saved });
                self.unsettled.store(true, Ordering::Relaxed);
                Err(Refusal::NotKnown { turn: number })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn take_over(&self, state: &mut State, step: Step, saved: SavedTurn) {
        let number = saved.turn.number;
        state.record.take(step);
        state.times.push(saved.at);
        state.comments.extend(saved.comment.map(|text| (number, (saved.turn.seat, text))));
        state.requests.extend(saved.request.map(|key| (key, number)));
        self.tell(state);
    }

    /// Learns what became of a turn whose fate is open, by asking for it once more: either it is
    /// there then, or another has its number. What is asked for now has not been touched if that
    /// fails.
    async fn settle(&self, state: &mut State) -> Result<(), StoreError> {
        let Some(OpenTurn::Asked { step, saved }) = &state.open_turn else { return Ok(()) };
        let after = gist_after(step, &state.seats);
        let again = self.store.append_again(self.id, saved.clone(), after).await;
        let played = again.map_err(|error| match error {
            StoreError::Unknown => StoreError::Unavailable,
            error => error,
        })?;
        let Some(OpenTurn::Asked { step, saved }) = state.open_turn.take() else { return Ok(()) };
        if played {
            let (number, seat) = (saved.turn.number, saved.turn.seat);
            let key = saved.request.clone();
            self.take_over(state, step, saved);
            state.open_turn = Some(OpenTurn::Played { number, seat, key, since: Instant::now() });
        } else {
            self.close(state);
        }
        Ok(())
    }

    /// Nobody need remember any more that a call's fate was open.
    fn close(&self, state: &mut State) {
        state.open_turn = None;
        self.unsettled.store(state.open_seat.is_some(), Ordering::Relaxed);
    }

    /// Sees to calls whose fate is open though nobody asks.
    pub async fn look_after_open_calls(&self) -> Result<(), StoreError> {
        let mut state = self.fresh().await?;
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
        carry_through(async move {
            let mut state = book.state.lock().await;
            let same = |open: &mut OpenSeat| open.is_wish(&seat, &connections);
            let open = state.open_seat.take_if(same);
            let open = open.unwrap_or_else(|| OpenSeat::new(seat, connections));
            let sat = book.store.sit(book.id, open.seat.clone(), open.connections.clone()).await;
            if let Err(StoreError::Unknown) = sat {
                state.open_seat = Some(open);
                book.unsettled.store(true, Ordering::Relaxed);
                return Err(StoreError::Unknown);
            }
            let sat = sat?;
            let read = book.catch_up(&mut state).await;
            if sat {
                // It is done, and must not be denied because nothing can be read now.
                state.take_seat(open);
            } else {
                read?;
            }
            book.tell(&state);
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
        carry_through(async move {
            loop {
                let link = book.fresh().await?.seats.at(seat).map(|sitting| sitting.link);
                let Some(from) = link else { return Ok(false) };
                let Some(to) = change(from) else { return Ok(false) };
                // If it was changed meanwhile, what it is now is looked at again.
                if book.store.relink(book.id, seat, (from, to), opener.clone()).await? {
                    let mut state = book.state.lock().await;
                    let key = opener.as_ref().and_then(|opener| opener.key);
                    state.seats.relink(seat, to, opener);
                    state.connections.extend(key.map(|key| (key, seat)));
                    book.tell(&state);
                    return Ok(true);
                }
            }
        })
        .await
    }

    /// The state, with what other processes have added.
    pub async fn fresh(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let mut state = self.state.lock().await;
        self.catch_up(&mut state).await?;
        Ok(state)
    }

    /// Takes in what other processes have added. True if there was any.
    pub async fn catch_up(&self, state: &mut State) -> Result<bool, StoreError> {
        self.settle(state).await?;
        let known = state.times.len() as u32;
        let news = self.store.news(self.id, known).await?;
        let grown = state.learn(news).map_err(StoreError::Misfit)?;
        if grown {
            self.tell(state);
        }
        Ok(grown)
    }

    fn tell(&self, state: &State) {
        self.known.store(state.times.len() as u32, Ordering::Relaxed);
        self.changed.send_replace(Instant::now());
        // Nobody may be listening.
        let _ = self.hall.send(self.id);
    }
}

/// Whoever asked may hang up meanwhile.
async fn carry_through<T: Send + 'static>(change: impl Future<Output = T> + Send + 'static) -> T {
    match tokio::spawn(change).await {
        Ok(done) => done,
        Err(fault) if fault.is_panic() => std::panic::resume_unwind(fault.into_panic()),
        // The program ends, and nobody is told anything any more.
        Err(_) => std::future::pending().await,
    }
}
