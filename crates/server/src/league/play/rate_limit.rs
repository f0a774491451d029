//! How much a caller may say in a minute, and who pays for what is said.
//!
//! Whoever shows a token of its own pays by it. Before that a caller is known by where it calls from
//! and by the endpoint or name it registers, so that a class behind one address is thirty callers and
//! not one. What a message claims to be sent by does not matter: anybody can write that.

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use rules::league::MatchId;

use super::{leagues::Leagues, registration::player_of};
pub use crate::budgets::{CallerId, TooMany};
use crate::{
    budgets::{Allowance, MANY_CALLERS, network},
    hall::Game,
    limits::Limits,
    store::Hashed,
};

/// Callers that are remembered; who would be one more pays together with all of its address.
const MOST_CALLERS: usize = 100_000;
/// Players that one address is taken to have, at most.
const MOST_PLAYERS: usize = 1000;

/// Who pays for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// Nobody: it is the owner's.
    Owner,
    /// A player who showed its token.
    Player(Hashed),
    /// One who says where it can be reached, or what it is called.
    Newcomer(IpAddr, Hashed),
    /// One of those at this address, which one we cannot tell.
    Somebody(IpAddr, usize),
}

/// Which part of the server is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ServerPart {
    Manager,
    /// About a match, or about none in particular.
    Referee(Option<MatchId>),
}

pub struct RateLimit {
    manager: Allowance<(Caller, ServerPart)>,
    referee: Allowance<(Caller, ServerPart)>,
    /// Whom we have let in from where.
    players: Mutex<HashMap<IpAddr, HashSet<Hashed>>>,
    /// Leagues opened by registering for them.
    openings: Allowance<IpAddr>,
    /// Counts those whom we cannot tell apart, so that they take turns in paying.
    next: AtomicUsize,
}

impl RateLimit {
    pub fn new(limits: &Limits) -> RateLimit {
        RateLimit {
            manager: Allowance::per_minute("messages", limits.league_messages_per_minute),
            referee: Allowance::per_minute("messages", limits.referee_messages_per_minute),
            players: Mutex::default(),
            openings: Allowance::per_hour("leagues", limits.leagues_per_hour),
            next: AtomicUsize::new(0),
        }
    }

    /// Counts a call, or says how long to wait.
    pub fn count(&self, caller: Caller, part: ServerPart) -> Result<(), TooMany> {
        let callers = match part {
            ServerPart::Manager => &self.manager,
            ServerPart::Referee(_) => &self.referee,
        };
        let caller = match caller {
            Caller::Owner => return Ok(()),
            Caller::Newcomer(address, _) if callers.callers() > MOST_CALLERS => {
                Caller::Somebody(address, 0)
            }
            caller => caller,
        };
        callers.count(&(caller, part))
    }

    /// Remembers that a player lives at this address: those there who show no token may say more
    /// together, as much as all the players we know of.
    pub fn let_in(&self, caller: Caller) {
        let Caller::Newcomer(address, who) = caller else { return };
        let mut players = self.players.lock().unwrap_or_else(PoisonError::into_inner);
        if players.len() < MANY_CALLERS || players.contains_key(&address) {
            let here = players.entry(address).or_default();
            if here.len() < MOST_PLAYERS {
                here.insert(who);
            }
        }
    }

    /// Whether one more league may be opened from there, by registering for it.
    pub fn may_open(&self, address: IpAddr) -> bool {
        self.openings.count(&network(address)).is_ok()
    }

    fn somebody(&self, address: IpAddr) -> Caller {
        let players = self.players.lock().unwrap_or_else(PoisonError::into_inner);
        let many = players.get(&address).map_or(1, |here| here.len().max(1));
        Caller::Somebody(address, self.next.fetch_add(1, Ordering::Relaxed) % many)
    }
}

impl Leagues {
    /// Who pays for a call from there. A token counts only if it is somebody's: otherwise whoever
    /// invents a new one each time would never pay.
    pub async fn caller(
        &self,
        caller_id: CallerId,
        token: Option<&str>,
        league: Option<&str>,
        newcomer: Option<&str>,
    ) -> Caller {
        let Some(address) = caller_id.address().map(network) else { return Caller::Owner };
        if let Some(token) = token {
            if self.is_operator(Some(token)).is_ok() {
                return Caller::Owner;
            }
            if let Ok(league) = self.find(league).await
                && self.is_players(&league, token).await
            {
                return Caller::Player(Hashed::of(token));
            }
        }
        match newcomer {
            Some(name) => Caller::Newcomer(address, Hashed::of(name)),
            None => self.rate_limit.somebody(address),
        }
    }

    /// Whether a token is a player's, who may have registered at another process just now.
    async fn is_players(&self, league: &Game, token: &str) -> bool {
        let is_known = async || player_of(&self.view(league), token).is_some();
        is_known().await || league.refresh().await && is_known().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(manager: u32, referee: u32) -> RateLimit {
        let [manager, referee] = [manager, referee].map(|n| n.try_into().unwrap());
        RateLimit::new(&Limits {
            league_messages_per_minute: manager,
            referee_messages_per_minute: referee,
            ..Limits::default()
        })
    }

    fn uses_up(limit: &RateLimit, caller: impl Fn() -> Caller, part: ServerPart) -> usize {
        (0..10_000).take_while(|_| limit.count(caller(), part).is_ok()).count()
    }

    #[test]
    fn each_pays_for_itself() {
        let here: IpAddr = "192.0.2.7".parse().unwrap();
        let newcomer = |name: &str| Caller::Newcomer(here, Hashed::of(name));
        let limit = limit(5, 3);
        assert_eq!(uses_up(&limit, || newcomer("one"), ServerPart::Manager), 5);
        assert_eq!(uses_up(&limit, || newcomer("two"), ServerPart::Manager), 5);
        assert_eq!(uses_up(&limit, || Caller::Player(Hashed::of("t")), ServerPart::Manager), 5);
        assert_eq!(uses_up(&limit, || Caller::Owner, ServerPart::Manager), 10_000);
        // The referee counts for itself, and each game apart.
        for game in [None, "R1M1".parse().ok(), "R1M2".parse().ok()] {
            assert_eq!(uses_up(&limit, || newcomer("one"), ServerPart::Referee(game)), 3);
        }
    }

    #[test]
    fn an_address_may_ask_as_much_as_its_players_together() {
        let here: IpAddr = "192.0.2.7".parse().unwrap();
        let limit = limit(5, 3);
        assert_eq!(uses_up(&limit, || limit.somebody(here), ServerPart::Manager), 5);
        for name in ["one", "two", "two", "three"] {
            limit.let_in(Caller::Newcomer(here, Hashed::of(name)));
        }
        // One third of it was used up above.
        assert_eq!(uses_up(&limit, || limit.somebody(here), ServerPart::Referee(None)), 9);
        let there = "192.0.2.8".parse().unwrap();
        assert_eq!(uses_up(&limit, || limit.somebody(there), ServerPart::Manager), 5);
    }
}
