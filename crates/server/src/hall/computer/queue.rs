//! A fair queue for the computer's searches. Callers take turns, however many searches each of them
//! has; in every round the cheap searches come first.
//!
//! Among one caller's searches, the cheapest and the oldest alternate: a quick game need not wait for
//! many slow ones, and a slow one is never starved.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use crate::budgets::CallerId;

/// How many callers are remembered, unless more have turns in one round.
const MANY_CALLERS: usize = 1000;

/// The caller of a question. It may change while the question waits: a game that a stopped server
/// left behind is nobody's until its player comes back.
#[derive(Clone)]
pub struct Caller(Arc<Mutex<CallerId>>);

impl Caller {
    pub fn new(caller_id: CallerId) -> Caller {
        Caller(Arc::new(Mutex::new(caller_id.network())))
    }

    pub fn becomes(&self, caller_id: CallerId) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = caller_id.network();
    }

    fn id(&self) -> CallerId {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// As many wait as may.
#[derive(Debug, PartialEq, Eq)]
pub struct Crowded;

pub struct Queue(Mutex<QueueState>);

/// Permission to search until it is dropped.
pub struct TurnToThink(Arc<Queue>);

struct QueueState {
    /// Thinkers that are idle.
    free: usize,
    waiting: Vec<Queued>,
    most_waiting: usize,
    callers: HashMap<CallerId, ShareOfTurns>,
    /// Round of the search that was started last.
    round: u64,
    /// Number of searches queued so far.
    asked: u64,
}

struct Queued {
    caller: Caller,
    cost: u64,
    number: u64,
    call: oneshot::Sender<TurnToThink>,
}

/// A caller's turns: one in every round in which the caller waits.
#[derive(Clone, Copy)]
struct ShareOfTurns {
    /// Round of this caller's next turn.
    next: u64,
    had: u64,
}

impl Queue {
    /// A queue for this many thinkers, with room for `most_waiting` searches.
    pub fn new(thinkers: usize, most_waiting: usize) -> Arc<Queue> {
        let (waiting, callers) = (Vec::new(), HashMap::new());
        let state =
            QueueState { free: thinkers, waiting, most_waiting, callers, round: 0, asked: 0 };
        Arc::new(Queue(Mutex::new(state)))
    }

    /// Waits for a turn; `cost` estimates the search.
    pub async fn place(
        self: &Arc<Queue>,
        caller: Caller,
        cost: u64,
    ) -> Result<TurnToThink, Crowded> {
        let called = self.ask(caller, cost)?;
        Ok(called.await.expect("nobody is dropped from the queue who still waits"))
    }

    pub fn is_crowded(&self) -> bool {
        self.state().is_full()
    }

    fn ask(
        self: &Arc<Queue>,
        caller: Caller,
        cost: u64,
    ) -> Result<oneshot::Receiver<TurnToThink>, Crowded> {
        let (call, called) = oneshot::channel();
        let ready = {
            let mut state = self.state();
            if state.is_full() {
                return Err(Crowded);
            }
            state.asked += 1;
            let number = state.asked;
            state.meet(caller.id());
            state.waiting.push(Queued { caller, cost, number, call });
            state.begin_next()
        };
        self.call(ready);
        Ok(called)
    }

    fn call(self: &Arc<Queue>, next: Option<Queued>) {
        // A caller who has gone meanwhile gives its place back by dropping it.
        next.map(|waiting| waiting.call.send(TurnToThink(self.clone())));
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TurnToThink {
    fn drop(&mut self) {
        let next = {
            let mut state = self.0.state();
            state.free += 1;
            state.begin_next()
        };
        self.0.call(next);
    }
}

impl QueueState {
    fn is_full(&mut self) -> bool {
        if self.waiting.len() >= self.most_waiting {
            self.waiting.retain(|waiting| !waiting.call.is_closed());
        }
        self.waiting.len() >= self.most_waiting
    }

    /// A caller who did not wait has its turn in the next round, after those who wait for it
    /// already: otherwise ever new callers would leave nothing to the others.
    fn meet(&mut self, caller: CallerId) {
        if self.waiting.iter().all(|waiting| waiting.caller.id() != caller) {
            let ShareOfTurns { next, had } = self.turns(caller);
            self.callers.insert(caller, ShareOfTurns { next: next.max(self.round + 1), had });
        }
    }

    fn turns(&self, caller: CallerId) -> ShareOfTurns {
        let newcomer = ShareOfTurns { next: self.round + 1, had: 0 };
        self.callers.get(&caller).copied().unwrap_or(newcomer)
    }

    /// The next question, if any may begin.
    fn begin_next(&mut self) -> Option<Queued> {
        if self.free == 0 {
            return None;
        }
        self.waiting.retain(|waiting| !waiting.call.is_closed());
        // The caller of a question may have changed since it was asked.
        for one in &self.waiting {
            let caller = one.caller.id();
            let turns = self.turns(caller);
            self.callers.entry(caller).or_insert(turns);
        }
        let in_turn = |one: &&Queued| (self.turns(one.caller.id()).next, one.cost, one.number);
        let caller = self.waiting.iter().min_by_key(in_turn)?.caller.id();
        let ShareOfTurns { next, had } = self.turns(caller);
        let theirs = self.waiting.iter().enumerate().filter(|(_, one)| one.caller.id() == caller);
        let (index, _) = theirs.min_by_key(|(_, one)| match had % 2 {
            0 => (one.cost, one.number),
            _ => (0, one.number),
        })?;
        self.round = next;
        self.callers.insert(caller, ShareOfTurns { next: next + 1, had: had + 1 });
        if self.callers.len() > MANY_CALLERS {
            // A caller who has had no turn in this round is as good as a newcomer.
            self.callers.retain(|_, turns| turns.next > next);
        }
        self.free -= 1;
        Some(self.waiting.remove(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEAR: u64 = 500_000;

    fn caller_at(last: u8) -> CallerId {
        CallerId::Address([192, 0, 2, last].into())
    }

    /// Questions that wait for one thinker, by name.
    struct Table {
        queue: Arc<Queue>,
        waiting: Vec<(String, oneshot::Receiver<TurnToThink>)>,
    }

    impl Table {
        fn new() -> Table {
            Table { queue: Queue::new(1, 1000), waiting: Vec::new() }
        }

        fn ask(&mut self, name: &str, from: CallerId, cost: u64) {
            let called = self.queue.ask(Caller::new(from), cost).expect("there is room");
            self.waiting.push((name.to_owned(), called));
        }

        /// The next caller; there is one at most.
        fn next(&mut self) -> Option<(String, TurnToThink)> {
            let mut called = Vec::new();
            self.waiting.retain_mut(|(name, ear)| match ear.try_recv() {
                Ok(place) => {
                    called.push((name.clone(), place));
                    false
                }
                Err(_) => true,
            });
            assert!(called.len() <= 1, "one thinker thinks about one question");
            called.pop()
        }

        /// The names in the order in which they are thought about.
        fn order(&mut self) -> Vec<String> {
            let mut names = Vec::new();
            while let Some((name, place)) = self.next() {
                names.push(name);
                drop(place);
            }
            assert!(self.waiting.is_empty(), "everybody has had a turn");
            names
        }
    }

    #[test]
    fn many_slow_games_of_one_caller_keep_no_other_waiting() {
        let mut table = Table::new();
        for n in 0..500 {
            table.ask(&format!("slow {n}"), caller_at(1), DEAR);
        }
        // Some have been thought about when the other comes.
        for _ in 0..20 {
            drop(table.next());
        }
        table.ask("quick", caller_at(2), 100);
        table.ask("slow too", caller_at(3), DEAR);
        let order = table.order();
        let place = |name: &str| order.iter().position(|other| other == name).unwrap();
        // One is being thought about; whoever is slow too waits for that caller's turn as well.
        assert_eq!(place("quick"), 1, "{:?}", &order[..5]);
        assert!(place("slow too") <= 3, "{:?}", &order[..5]);
    }

    #[test]
    fn callers_take_turns() {
        let mut table = Table::new();
        for n in 0..3 {
            for who in 1..=3 {
                table.ask(&format!("{who}"), caller_at(who), if who == 1 { DEAR } else { 1 + n });
            }
        }
        assert_eq!(table.order().concat(), "123".repeat(3));
    }

    #[test]
    fn of_one_callers_own_the_cheapest_and_the_oldest_take_turns() {
        let mut table = Table::new();
        table.ask("first", caller_at(1), DEAR);
        for n in 0..4 {
            table.ask(&format!("slow {n}"), caller_at(1), DEAR);
        }
        for n in 0..4 {
            table.ask(&format!("quick {n}"), caller_at(1), 100);
        }
        let order = table.order();
        let expected = ["first", "slow 0", "quick 0", "slow 1", "quick 1", "slow 2", "quick 2"];
        assert_eq!(order[..7], expected);
    }

    #[test]
    fn ever_new_callers_do_not_keep_an_old_one_waiting() {
        let mut table = Table::new();
        for n in 0..3 {
            table.ask(&format!("old {n}"), caller_at(1), DEAR);
        }
        let mut begun = Vec::new();
        for n in 2..=40 {
            table.ask("new", caller_at(n), 100);
            table.ask("new", caller_at(n), 100);
            begun.extend(table.next().map(|(name, _)| name));
        }
        assert!(begun.contains(&"old 2".to_owned()), "{begun:?}");
    }

    #[test]
    fn a_question_nobody_waits_for_is_passed_over_and_a_full_queue_refuses() {
        let queue = Queue::new(1, 2);
        let ask = |from| queue.ask(Caller::new(caller_at(from)), 1);
        let mut first = ask(1).unwrap();
        let place = first.try_recv().expect("somebody is free");
        let (gone, mut stays) = (ask(1).unwrap(), ask(2).unwrap());
        assert!(queue.is_crowded());
        assert_eq!(ask(3).err(), Some(Crowded));
        drop(gone);
        let mut last = ask(3).expect("there is room again");
        drop(place);
        let second = stays.try_recv().expect("it is its turn");
        assert!(last.try_recv().is_err());
        drop(second);
        drop(last.try_recv().expect("it is its turn"));
    }

    #[test]
    fn whose_a_question_is_may_turn_out_while_it_waits() {
        let mut table = Table::new();
        for n in 0..4 {
            table.ask(&format!("left {n}"), CallerId::Owner, DEAR);
        }
        let caller = Caller::new(CallerId::Owner);
        let called = table.queue.ask(caller.clone(), DEAR).unwrap();
        table.waiting.push(("his".into(), called));
        caller.becomes(caller_at(1));
        let order = table.order();
        // One is being thought about, and one more waits for the same round already.
        assert_eq!(order.iter().position(|name| name == "his"), Some(2), "{order:?}");
    }
}
