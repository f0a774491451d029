//! How much one caller may do, so that nobody uses up what is there for all.
//!
//! A caller is known by where it calls from, and by whether it showed the token: agents that have
//! it share nothing with strangers at the same address. The token alone would not tell them apart,
//! for there is one for all. Each node counts for itself.

use std::{
    collections::HashMap,
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};

use crate::{limits::Limits, metrics};

/// Idle callers are forgotten once there are more than this.
pub const MANY_CALLERS: usize = 10_000;
/// The retry delay for a refused stream, since another may end at any time.
const STREAM_WAIT: Duration = Duration::from_secs(10);

const STREAMS: &str = "streams from here";

/// The caller that a call is counted against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallerId {
    /// The owner's process over stdio, or this process itself.
    Owner,
    /// A caller with the server's token.
    Bearer(IpAddr),
    Address(IpAddr),
}

impl CallerId {
    pub fn address(self) -> Option<IpAddr> {
        match self {
            CallerId::Owner => None,
            CallerId::Bearer(address) | CallerId::Address(address) => Some(address),
        }
    }

    /// Whether the call came from this machine, not through a proxy that can be detected.
    pub fn is_here(self) -> bool {
        self.address().is_none_or(|address| address.is_loopback())
    }

    /// The identity under which the caller is counted.
    pub fn network(self) -> CallerId {
        match self {
            CallerId::Owner => CallerId::Owner,
            CallerId::Bearer(address) => CallerId::Bearer(network(address)),
            CallerId::Address(address) => CallerId::Address(network(address)),
        }
    }
}

/// An address for counting: the owner of one IPv6 address has all of its network.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64)).into(),
        v4 => v4,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many {what}; wait {} seconds", .wait.as_secs() + 1)]
pub struct TooMany {
    pub what: &'static str,
    pub wait: Duration,
}

impl TooMany {
    /// Seconds until the next attempt may succeed.
    pub fn seconds(&self) -> u64 {
        self.wait.as_secs() + 1
    }
}

/// A rate limit, counted for each caller.
pub struct Allowance<Caller: Clone + Eq + Hash> {
    what: &'static str,
    callers: DefaultKeyedRateLimiter<Caller>,
}

impl<Caller: Clone + Eq + Hash> Allowance<Caller> {
    pub fn per_minute(what: &'static str, most: NonZeroU32) -> Allowance<Caller> {
        Allowance { what, callers: RateLimiter::keyed(Quota::per_minute(most)) }
    }

    pub fn per_hour(what: &'static str, most: NonZeroU32) -> Allowance<Caller> {
        Allowance { what, callers: RateLimiter::keyed(Quota::per_hour(most)) }
    }

    /// Counts one call, or answers how long to wait.
    pub fn count(&self, caller: &Caller) -> Result<(), TooMany> {
        if self.callers.len() > MANY_CALLERS {
            self.callers.retain_recent();
        }
        self.callers.check_key(caller).map_err(|not_yet| {
            metrics::refused(self.what);
            let wait = not_yet.wait_time_from(DefaultClock::default().now());
            TooMany { what: self.what, wait }
        })
    }

    /// Number of callers remembered.
    pub fn callers(&self) -> usize {
        self.callers.len()
    }
}

/// The things that a caller may do only so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    Games,
    Searches,
    Evaluations,
    Sessions,
}

/// The budgets of all callers. If the owner has set neither a token nor limits, and only this
/// machine can call, its own calls are not counted; calls that a proxy passes on are.
#[derive(Clone, Default)]
pub struct Budgets(Option<Arc<Counted>>);

struct Counted {
    counts_here: bool,
    games: Allowance<CallerId>,
    searches: Allowance<CallerId>,
    evaluations: Allowance<CallerId>,
    sessions: Allowance<CallerId>,
    most_streams: u32,
    streams: Mutex<HashMap<CallerId, u32>>,
}

impl Counted {
    fn streams(&self) -> MutexGuard<'_, HashMap<CallerId, u32>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open stream of a caller; dropping it frees its slot.
pub struct OpenStream(Option<(Arc<Counted>, CallerId)>);

impl Drop for OpenStream {
    fn drop(&mut self) {
        metrics::streams(-1);
        let Some((counted, caller)) = &self.0 else { return };
        let mut streams = counted.streams();
        match streams.get_mut(caller) {
            Some(open) if *open > 1 => *open -= 1,
            _ => drop(streams.remove(caller)),
        }
    }
}

impl Budgets {
    pub fn new(limits: &Limits, counts_here: bool) -> Budgets {
        Budgets(Some(Arc::new(Counted {
            counts_here,
            games: Allowance::per_hour("games from here", limits.games_per_hour),
            searches: Allowance::per_minute("searches from here", limits.searches_per_minute),
            evaluations: Allowance::per_hour("evaluations from here", limits.evaluations_per_hour),
            sessions: Allowance::per_hour("sessions from here", limits.sessions_per_hour),
            most_streams: limits.streams.get(),
            streams: Mutex::default(),
        })))
    }

    /// The counters of a caller's calls, if they are counted.
    fn of(&self, caller: CallerId) -> Option<&Arc<Counted>> {
        let is_counted =
            |counts_here| caller != CallerId::Owner && (counts_here || !caller.is_here());
        self.0.as_ref().filter(|counted| is_counted(counted.counts_here))
    }

    /// Counts one call, or answers how long to wait.
    pub fn count(&self, caller: CallerId, what: Budget) -> Result<(), TooMany> {
        let Some(counted) = self.of(caller) else { return Ok(()) };
        let allowance = match what {
            Budget::Games => &counted.games,
            Budget::Searches => &counted.searches,
            Budget::Evaluations => &counted.evaluations,
            Budget::Sessions => &counted.sessions,
        };
        allowance.count(&caller.network())
    }

    /// Opens one more stream, as long as what this returns is kept.
    pub fn open_stream(&self, caller: CallerId) -> Result<OpenStream, TooMany> {
        let place = self.of(caller).map(|counted| (counted.clone(), caller.network()));
        if let Some((counted, caller)) = &place {
            let mut streams = counted.streams();
            let open = streams.get(caller).copied().unwrap_or_default();
            if open >= counted.most_streams {
                metrics::refused(STREAMS);
                return Err(TooMany { what: STREAMS, wait: STREAM_WAIT });
            }
            streams.insert(*caller, open + 1);
        }
        metrics::streams(1);
        Ok(OpenStream(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budgets() -> Budgets {
        let two = NonZeroU32::new(2).unwrap();
        Budgets::new(&Limits { games_per_hour: two, streams: two, ..Limits::default() }, true)
    }

    fn at(address: &str) -> IpAddr {
        address.parse().unwrap()
    }

    #[test]
    fn each_caller_has_a_budget_of_its_own_and_the_owner_needs_none() {
        let budgets = budgets();
        let here = at("192.0.2.7");
        for caller in
            [CallerId::Address(here), CallerId::Bearer(here), CallerId::Address(at("::1"))]
        {
            for expected in [true, true, false] {
                assert_eq!(budgets.count(caller, Budget::Games).is_ok(), expected, "{caller:?}");
            }
            assert!(budgets.count(caller, Budget::Searches).is_ok());
        }
        for _ in 0..10 {
            assert!(budgets.count(CallerId::Owner, Budget::Games).is_ok());
            assert!(Budgets::default().count(CallerId::Address(here), Budget::Games).is_ok());
        }
        let refused = budgets.count(CallerId::Address(here), Budget::Games).unwrap_err();
        assert!((1..=1800).contains(&refused.seconds()), "{refused}");
    }

    #[test]
    fn a_stream_that_ends_makes_room_for_another() {
        let budgets = budgets();
        let caller = CallerId::Address(at("192.0.2.7"));
        let first = budgets.open_stream(caller).ok();
        let second = budgets.open_stream(caller).ok();
        assert!(first.is_some() && second.is_some());
        assert!(budgets.open_stream(caller).is_err());
        assert!(budgets.open_stream(CallerId::Bearer(at("192.0.2.7"))).is_ok());
        drop(first);
        assert!(budgets.open_stream(caller).is_ok());
        drop(second);
        assert!(budgets.0.unwrap().streams().is_empty(), "nobody who left is remembered");
    }

    #[test]
    fn all_addresses_of_one_household_are_one() {
        let home = |text: &str| network(at(text)).to_string();
        assert_eq!(home("2001:db8::1"), home("2001:db8::ffff:2"));
        assert_ne!(home("2001:db8:0:1::1"), home("2001:db8::1"));
        assert_eq!(home("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
