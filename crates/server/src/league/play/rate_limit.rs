//! Rate limits for league messages.
//!
//! A player is counted by its token. Without one, a caller is identified by its address and by the
//! endpoint or name that it registers, so that a class behind one address is thirty callers and not
//! one. The sender that a message names is ignored, since anybody can write any name.

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

/// How many callers are remembered. Further newcomers share the limit of their address.
const MOST_CALLERS: usize = 100_000;
/// The most players counted for one address.
const MOST_PLAYERS: usize = 1000;

/// The caller that a message is counted against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// The owner, who has no limit.
    Owner,
    /// A player, by its token.
    Player(Hashed),
    /// An address, with the endpoint or name that it registers.
    Newcomer(IpAddr, Hashed),
    /// One of the players at this address, we cannot tell which.
    Somebody(IpAddr, usize),
}

/// The part of the server that a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ServerPart {
    Manager,
    /// About one match, or about none.
    Referee(Option<MatchId>),
}

pub struct RateLimit {
    manager: Allowance<(Caller, ServerPart)>,
    referee: Allowance<(Caller, ServerPart)>,
    /// Players registered from each address.
    players: Mutex<HashMap<IpAddr, HashSet<Hashed>>>,
    /// Leagues that were opened by a registration.
    openings: Allowance<IpAddr>,
    /// Spreads callers that we cannot tell apart over the players of their address.
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

    /// Counts a message, or answers how long to wait.
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

    /// Remembers a player's address: callers from there without a token may send as much as all of
    /// its known players together.
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

    /// Whether a registration from this address may open one more league.
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
    /// The caller that a message is counted against. A token that no player has is ignored;
    /// otherwise a client could evade the limit with a new token each time.
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

    /// Whether a token is a player's, including one who has just registered at another process.
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
        // The referee has a limit of its own for each match.
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
        // A third of the limit was used up above.
        assert_eq!(uses_up(&limit, || limit.somebody(here), ServerPart::Referee(None)), 9);
        let there = "192.0.2.8".parse().unwrap();
        assert_eq!(uses_up(&limit, || limit.somebody(there), ServerPart::Manager), 5);
    }
}
