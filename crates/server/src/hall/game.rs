//! One game in play: whose turn it is, what has been played, who is watching.
//!
//! How the game goes is in `rules`. How it is told to a player is in `mcp`.

use std::{
    collections::HashMap,
    sync::{Arc, RwLockReadGuard, atomic::Ordering},
    time::Duration,
};

use rules::{Ask, Due, Eye, Kind, Record, Rules, Seat, Turn};
use sha2::{Digest, Sha256};
use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval_at},
};

use super::{
    book::{Begun, Book},
    computer::Caller,
    creating::derived,
    look::Look,
    moves::{Move, Played, Retry},
    news::Announcer,
    presence::{PRESENT, Presence},
    refusals::{Refusal, WrongKind},
    sight::{SeenBy, Sight},
    state::{Seats, State},
};
use crate::{
    budgets::CallerId,
    ids::GameId,
    metrics::{self, OneMore, Woken},
    store::{Games, Hashed, Link, Millis, Opener, SavedGame, SavedSeat, StoreError, now},
};

/// A waiter reads again this often, so that a lost wake-up costs time and nothing else.
pub const REREAD: Duration = Duration::from_secs(2);

/// The SHA-256 of a seed's decimal digits, against which anyone can check the seed.
pub fn seed_hash(seed: u64) -> String {
    hexadecimal::encode(Sha256::digest(seed.to_string()))
}

pub struct Game {
    seed: u64,
    book: Arc<Book>,
    /// Whom the computer thinks for here.
    caller: Caller,
    /// Players who have called lately.
    pub(super) presence: Presence,
}

impl Game {
    /// A game as the store has it, whose record has no turns yet.
    pub(super) fn new(
        games: Arc<dyn Games>,
        hall: Announcer,
        record: Record,
        saved: SavedGame,
    ) -> Result<Game, String> {
        let mut state = State::new(record, Seats::default(), HashMap::new());
        let SavedGame { id, created_at, luck, practice, .. } = saved;
        state.learn(saved.news)?;
        let seed = state.record.seed();
        let book = Book::new(games, hall, Begun { id, created_at, luck, practice }, state);
        // Until its player comes.
        let caller = Caller::new(CallerId::Owner);
        Ok(Game { seed, book: book.into(), caller, presence: Presence::default() })
    }

    pub fn id(&self) -> GameId {
        self.book.begun.id
    }

    pub(super) fn created_at(&self) -> Millis {
        self.book.begun.created_at
    }

    pub(super) fn state(&self) -> RwLockReadGuard<'_, State> {
        self.book.state()
    }

    /// Has whoever wants to change the game wait, as if it were being changed.
    #[cfg(test)]
    pub(super) async fn hold_up(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.book.changing.lock().await
    }

    #[cfg(test)]
    pub(super) fn is_looked_at(&self) -> bool {
        self.book.is_looked_at()
    }

    pub fn kind(&self) -> Kind {
        self.book.kind
    }

    /// Whether a player chose the seed; then the game is rated nowhere.
    pub fn is_practice(&self) -> bool {
        self.book.begun.practice
    }

    /// Where the computer's choices come from, in every process that thinks for it.
    pub fn luck(&self) -> u64 {
        self.book.begun.luck
    }

    /// The set-up, as its kind writes it.
    pub fn setup(&self) -> String {
        self.book.state().record.setup().to_owned()
    }

    /// Somebody who plays here has called.
    pub fn called_by(&self, caller_id: CallerId) {
        self.caller.becomes(caller_id);
    }

    pub fn caller(&self) -> Caller {
        self.caller.clone()
    }

    /// How many turns it has had.
    pub fn turns(&self) -> u32 {
        self.book.state().times.len() as u32
    }

    /// Whether turn `number` is known here already; whether somebody has sat down (0) never is.
    pub(super) fn knows(&self, number: u32) -> bool {
        number > 0 && self.book.known.load(Ordering::Relaxed) >= number
    }

    pub(super) fn idle_for(&self, long: Duration) -> bool {
        self.book.changed.borrow().elapsed() > long
    }

    /// Whether somebody was told that the fate of a call is not known, and may make it again.
    pub(super) fn is_unsettled(&self) -> bool {
        self.book.unsettled.load(Ordering::Relaxed)
    }

    pub(super) async fn look_after_open_calls(&self) -> Result<(), StoreError> {
        self.book.look_after_open_calls().await
    }

    /// Whether anybody wants to know when it changes.
    pub(super) fn is_followed(&self) -> bool {
        self.book.changed.receiver_count() > 0
    }

    /// Binds us to the seed without telling it; told with the first answer.
    pub fn seed_hash(&self) -> String {
        seed_hash(self.seed)
    }

    /// Where the chance came from, once it can be of no use any more.
    pub fn revealed_seed(&self) -> Option<u64> {
        let state = self.book.state();
        state.record.due().outcome().map(|_| self.seed)
    }

    pub(super) fn keeps_seeds(&self) -> bool {
        !self.book.league_is_over.load(Ordering::Relaxed)
    }

    /// Tells the seeds of a match, because its league is over.
    pub(super) fn tell_seeds(&self) {
        self.book.league_is_over.store(true, Ordering::Relaxed);
    }

    /// The seed of a game that belongs to this one. It tells nothing of this one's own.
    pub fn seed_for(&self, what: &str) -> u64 {
        derived(self.seed, what)
    }

    /// For whoever asked for a seed and knows it.
    pub fn has_seed(&self, seed: u64) -> bool {
        self.seed == seed
    }

    /// Wakes when anything changes.
    pub fn changes(&self) -> watch::Receiver<Instant> {
        self.book.changed.subscribe()
    }

    /// The seat this connection took, perhaps by way of another process.
    pub async fn seat_of(&self, connection: Hashed) -> Result<Option<Seat>, StoreError> {
        let known = self.book.state().connections.get(&connection).copied();
        match known {
            Some(seat) => Ok(Some(seat)),
            None => {
                self.book.catch_up().await?;
                Ok(self.book.state().connections.get(&connection).copied())
            }
        }
    }

    /// Takes the seat if it is free. The connections speak for it from now on.
    pub async fn sit(&self, seat: SavedSeat, connections: Vec<Hashed>) -> Result<bool, StoreError> {
        self.book.sit(seat, connections).await
    }

    /// The first of these seats that is free. One whose taker could not be told so is that
    /// caller's, who asks again.
    pub fn first_free(&self, mut seats: impl Iterator<Item = Seat>) -> Option<Seat> {
        let state = self.book.state();
        let open = state.open_seat.as_ref().map(|open| open.seat.seat);
        seats.find(|seat| state.seats.at(*seat).is_none() || open == Some(*seat))
    }

    /// The move whose caller was told that nobody knows what became of it; the same call means it.
    pub fn open_move(&self) -> Option<String> {
        self.book.state().open_move().map(str::to_owned)
    }

    pub fn seats(&self) -> Seats {
        self.book.state().seats.clone()
    }

    /// Opens the link to a seat that has this number. False if somebody has opened it before, or
    /// a newer one has ended it.
    pub async fn open_link(
        &self,
        seat: Seat,
        number: u32,
        opener: Opener,
    ) -> Result<bool, StoreError> {
        let shut = Link { number, opened: false };
        let open = move |link| (link == shut).then_some(Link { number, opened: true });
        self.book.relink(seat, open, Some(opener)).await
    }

    /// Calls whoever sits there by another name. False if nobody does.
    pub async fn rename(&self, seat: Seat, name: String) -> Result<bool, StoreError> {
        self.book.catch_up().await?;
        let sitting = self.book.state().seats.at(seat).map(|sitting| sitting.at);
        let Some(at) = sitting else { return Ok(false) };
        self.book.relink(seat, Some, Some(Opener { key: None, name: Some(name), at })).await
    }

    /// Makes a new link to a seat, which ends the old one and the passes it gave.
    pub async fn renew_link(&self, seat: Seat) -> Result<bool, StoreError> {
        let renew = |link: Link| Some(Link { number: link.number + 1, opened: false });
        self.book.relink(seat, renew, None).await
    }

    /// Plays what a player asks for, or answers again for what was played: the same call has one
    /// effect.
    pub async fn play(
        &self,
        seat: Seat,
        ask: impl Into<Ask>,
        retry: Retry,
    ) -> Result<Played, Refusal> {
        self.play_seen(Move::new(seat, ask, retry), Eye::Public).await
    }

    /// Plays like `play`, and answers with a snapshot right after the turn, also to a retry.
    pub async fn play_seen<S: SeenBy>(&self, mv: Move, eye: Eye) -> Result<Played<S>, Refusal> {
        self.book.play(mv, eye).await
    }

    /// One more of the seat's moves was refused.
    pub async fn count_refused(&self, seat: Seat) {
        self.book.count_refused(seat).await;
    }

    /// The view alone, for those who look often at a game of very many turns.
    pub fn view<R: Rules>(&self, eye: Eye) -> Result<R::View, WrongKind> {
        let view = self.book.state().record.view::<R>(eye);
        view.ok_or(WrongKind(self.id(), self.kind().name))
    }

    /// A snapshot of the game now, for `eye`.
    pub fn look<R: Rules>(&self, eye: Eye) -> Result<Look<R>, WrongKind> {
        self.book.see(eye)
    }

    /// A snapshot of the game right after turn `number`, for `eye`.
    pub fn look_back<R: Rules>(&self, eye: Eye, number: u32) -> Result<Look<R>, WrongKind> {
        self.book.see_back(eye, number)
    }

    /// A snapshot of a game of any kind now, for `eye`.
    pub fn see(&self, eye: Eye) -> Sight {
        self.book.see(eye)
    }

    /// A snapshot of a game of any kind right after turn `number`, for `eye`.
    pub fn see_back(&self, eye: Eye, number: u32) -> Sight {
        self.book.see_back(eye, number)
    }

    /// The game up to now, to look at from every side.
    pub fn record(&self) -> Record {
        self.book.state().record.copy()
    }

    /// Whom the game waits for.
    pub fn due(&self) -> Due {
        self.book.state().record.due()
    }

    /// The report of turn `number`, where the kind keeps one.
    pub fn report(&self, number: u32) -> Option<String> {
        let state = self.book.state();
        state.record.turns().get(number as usize - 1)?.report.clone()
    }

    /// All turns, and when each was played.
    pub fn log(&self) -> Vec<(Turn, Millis)> {
        let state = self.book.state();
        state.record.turns().iter().cloned().zip(state.times.iter().copied()).collect()
    }

    /// Waits until there is something for `seat` to do: its turn, a question, the end. False when
    /// it has taken `long` and there is not.
    pub async fn wait(&self, seat: Seat, long: Duration) -> Result<bool, StoreError> {
        let _call = self.presence.wait(seat);
        // Subscribe, read, then wait: what happens in between is not missed.
        let mut changed = self.changes();
        let deadline = tokio::time::sleep(long);
        tokio::pin!(deadline);
        let mut reread = interval_at(Instant::now() + REREAD, REREAD);
        reread.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut must_read = true;
        let mut waited = None;
        loop {
            let told = self.state().concerns(seat);
            if must_read {
                self.book.catch_up().await?;
            }
            if self.state().concerns(seat) {
                if let (Some(_), Some(played)) = (&waited, self.state().times.last()) {
                    let by = if told { Woken::ByNews } else { Woken::ByReading };
                    metrics::woke(by, Duration::from_millis((now() - played).max(0) as u64));
                }
                self.tell_turn(seat);
                return Ok(true);
            }
            waited.get_or_insert_with(OneMore::waiter);
            must_read = tokio::select! {
                _ = changed.changed() => false,
                _ = reread.tick() => true,
                () = &mut deadline => {
                    // Another process may have played since the last reading.
                    self.refresh().await;
                    self.tell_turn(seat);
                    return Ok(self.state().concerns(seat));
                }
            };
        }
    }

    /// Whether the player at `seat` has called lately, or opened their link.
    pub fn is_present(&self, seat: Seat) -> bool {
        let opened = self.seats().at(seat).filter(|sitting| sitting.link.opened).map(|s| s.at);
        let lately = now() - PRESENT.as_millis() as Millis;
        self.presence.is_present(seat) || opened.is_some_and(|at| at > lately)
    }

    /// Whether the player at `seat` notices what the others do, without being told in another way.
    pub fn is_listening(&self, seat: Seat) -> bool {
        self.presence.is_listening(seat, self.turn_for(seat))
    }

    /// The next turn, if the player at `seat` has something to do in it.
    fn turn_for(&self, seat: Seat) -> Option<u32> {
        let state = self.state();
        state.concerns(seat).then(|| state.record.next_number())
    }

    /// An answer tells the player at `seat` how the game stands: if it is their turn, they know.
    pub fn tell_turn(&self, seat: Seat) {
        if let Some(turn) = self.turn_for(seat) {
            self.presence.tell(seat, turn);
        }
    }

    /// Whether nothing happens before the player at `seat` moves or answers.
    pub fn waits_only_for(&self, seat: Seat) -> bool {
        let state = self.state();
        match (state.record.asked(), state.record.due()) {
            (_, Due::Over(_)) => false,
            (Some(asked), _) => asked == seat,
            (None, Due::One(due)) => due == seat,
            (None, Due::Each(due)) => due == [seat],
        }
    }

    /// Reads what other processes have added. False if it cannot be read now.
    pub async fn refresh(&self) -> bool {
        let fresh = self.book.catch_up().await;
        if let Err(error) = &fresh {
            tracing::warn!(game = %self.id(), %error, "a game could not be read again");
        }
        fresh.is_ok()
    }
}
