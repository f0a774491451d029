//! Which players have called lately, and which wait. Each process knows its own calls, and hears
//! from the others of calls at tables where a person plays.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rules::Seat;
use tokio::time::Instant;

/// How long a player counts as present after a call: a minute, and some more, since browsers let a
/// hidden page call once a minute.
pub const PRESENT: Duration = Duration::from_secs(75);
/// How often a process announces the calls of a player to the others.
const TELL: Duration = Duration::from_secs(20);
/// How long a player counts as listening after another process announced a call: until the next
/// announcement, and until a call that waits has ended and the next has begun.
const HEARD: Duration = Duration::from_secs(60);
/// The longest pause that a player who waits makes between two calls.
const PAUSE: Duration = Duration::from_secs(10);
/// The longest that a player is expected to think. A model that has not moved by then has ended its
/// chat.
const THINKS: Duration = Duration::from_secs(180);

#[derive(Default)]
pub struct Presence(Mutex<HashMap<Seat, Calls>>);

/// The calls for one seat.
#[derive(Clone, Copy)]
struct Calls {
    last: Instant,
    /// When they were last announced to other processes.
    announced: Option<Instant>,
    /// When another process last announced one.
    heard: Option<Instant>,
    /// How many of them wait now.
    waiting: u32,
    /// The last turn that an answer said was the player's, and when.
    told: Option<(u32, Instant)>,
}

/// A call that waits, until it is dropped.
pub struct WaitingCall<'a> {
    presence: &'a Presence,
    seat: Seat,
}

impl Presence {
    fn calls(&self) -> MutexGuard<'_, HashMap<Seat, Calls>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update<T>(&self, seat: Seat, change: impl FnOnce(&mut Calls) -> T) -> T {
        let last = Instant::now();
        let mut calls = self.calls();
        let new = Calls { last, announced: None, heard: None, waiting: 0, told: None };
        let of_seat = calls.entry(seat).or_insert(new);
        of_seat.last = last;
        change(of_seat)
    }

    pub fn call(&self, seat: Seat) {
        self.update(seat, |_| ());
    }

    /// True if this call should be announced to other processes, because the last announcement is
    /// too old.
    pub fn must_announce(&self, seat: Seat) -> bool {
        self.update(seat, |calls| {
            let is_due = calls.announced.is_none_or(|at| at.elapsed() >= TELL);
            if is_due {
                calls.announced = Some(calls.last);
            }
            is_due
        })
    }

    /// Another process had a call.
    pub fn hear(&self, seat: Seat) {
        self.update(seat, |calls| calls.heard = Some(calls.last));
    }

    pub fn wait(&self, seat: Seat) -> WaitingCall<'_> {
        self.update(seat, |calls| calls.waiting += 1);
        WaitingCall { presence: self, seat }
    }

    /// An answer says that `turn` is the player's.
    pub fn tell(&self, seat: Seat, turn: u32) {
        self.update(seat, |calls| calls.told = Some((turn, calls.last)));
    }

    /// Whether the player has called lately.
    pub fn is_present(&self, seat: Seat) -> bool {
        self.calls()
            .get(&seat)
            .is_some_and(|calls| calls.waiting > 0 || calls.last.elapsed() < PRESENT)
    }

    /// Whether the player notices what the others do: a call waits or has just ended, here or in
    /// another process, or the player has just learnt that `due`, the turn that is theirs now, is.
    pub fn is_listening(&self, seat: Seat, due: Option<u32>) -> bool {
        self.calls().get(&seat).is_some_and(|calls| {
            let is_told = |(turn, at): (u32, Instant)| Some(turn) == due && at.elapsed() < THINKS;
            let elsewhere = calls.heard.is_some_and(|at| at.elapsed() < HEARD);
            let pauses = calls.last.elapsed() < PAUSE;
            calls.waiting > 0 || pauses || elsewhere || calls.told.is_some_and(is_told)
        })
    }
}

impl Drop for WaitingCall<'_> {
    fn drop(&mut self) {
        self.presence.update(self.seat, |calls| calls.waiting -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEAT: Seat = Seat(0);

    impl Presence {
        /// Moves everything that has happened back in time.
        pub fn pass(&self, seconds: u64) {
            for Calls { last, announced, heard, told, .. } in self.calls().values_mut() {
                let told = told.as_mut().map(|(_, at)| at);
                let times = [Some(last), announced.as_mut(), heard.as_mut(), told];
                for at in times.into_iter().flatten() {
                    *at -= Duration::from_secs(seconds);
                }
            }
        }
    }

    #[test]
    fn a_player_is_present_for_a_while_after_a_call_and_while_one_waits() {
        let presence = Presence::default();
        assert!(!presence.is_present(SEAT));
        presence.call(SEAT);
        presence.pass(74);
        assert!(presence.is_present(SEAT) && !presence.is_present(Seat(1)));
        presence.pass(1);
        assert!(!presence.is_present(SEAT));
        let waits = presence.wait(SEAT);
        presence.pass(1_000);
        assert!(presence.is_present(SEAT));
        drop(waits);
        presence.pass(75);
        assert!(!presence.is_present(SEAT));
    }

    #[test]
    fn calls_are_announced_now_and_then() {
        let presence = Presence::default();
        let mut announced = Vec::new();
        for second in 0..50 {
            presence.call(SEAT);
            announced.extend(presence.must_announce(SEAT).then_some(second));
            presence.pass(1);
        }
        assert_eq!(announced, [0, 20, 40]);
    }

    #[test]
    fn a_player_listens_while_a_call_waits_and_in_the_pause_before_the_next() {
        let presence = Presence::default();
        assert!(!presence.is_listening(SEAT, None));
        let waits = presence.wait(SEAT);
        presence.pass(1_000);
        assert!(presence.is_listening(SEAT, None));
        drop(waits);
        presence.pass(9);
        assert!(presence.is_listening(SEAT, None));
        presence.pass(1);
        assert!(!presence.is_listening(SEAT, None));
    }

    #[test]
    fn a_player_who_calls_another_process_listens_until_the_next_announcement() {
        let presence = Presence::default();
        presence.hear(SEAT);
        presence.pass(59);
        assert!(presence.is_listening(SEAT, None));
        presence.pass(1);
        assert!(!presence.is_listening(SEAT, None));
    }

    #[test]
    fn a_player_who_knows_of_their_turn_thinks_for_a_few_minutes_at_most() {
        let presence = Presence::default();
        presence.tell(SEAT, 3);
        presence.pass(179);
        assert!(presence.is_listening(SEAT, Some(3)));
        assert!(!presence.is_listening(SEAT, Some(5)), "another turn");
        assert!(!presence.is_listening(SEAT, None), "no turn of theirs");
        presence.pass(1);
        assert!(!presence.is_listening(SEAT, Some(3)), "the chat has ended");
    }
}
