//! Which league somebody joins who registers, and when a new one is opened for it.

use std::sync::Arc;

use rules::{
    Eye, Rules,
    league::{Event, League, LeagueKind, Phase, Setup, View},
    quoted,
};

use super::{
    leagues::Leagues,
    referee::contest::made_for,
    refusals::LeagueRefusal,
    registration::{Applicant, player_of, same_player},
};
use crate::{
    hall::Game,
    ids::GameId,
    league::wire::message::Version,
    store::{Millis, now},
};

/// Unfinished leagues that anybody may open by registering.
const MOST_OPEN: usize = 50;
/// Leagues that are looked through for one to join.
const LOOKED_AT: u32 = 1000;
const HOUR: Millis = 60 * 60 * 1000;
/// Shorter names may well be one letter apart on purpose.
const SHORTEST_SLIP: usize = 3;
/// And these may well have another letter.
const SHORTEST_OTHER: usize = 4;

/// Who may open a league by registering for one that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Opens {
    /// The first who names it
    Anyone,
    /// Only the owner, with `agon league create`
    Owner,
}

impl Leagues {
    /// The league that is named, which the first to name it opens; or else the owner's newest that
    /// can be joined, or else the newest, or else a new one.
    pub(super) async fn joinable(
        &self,
        league: Option<&str>,
        version: Option<Version>,
        likely: Version,
        applicant: &Applicant,
    ) -> Result<Arc<Game>, LeagueRefusal> {
        let unfinished = self.list(Some(false), LOOKED_AT).await?;
        let mut views = Vec::with_capacity(unfinished.len());
        for league in unfinished {
            let view = self.view(&league);
            views.push((league, view));
        }
        if let Some(name) = league {
            let (last, next) = self.latest(name).await?;
            if let Some(league) = last {
                league.refresh().await;
                if league.due().outcome().is_none() {
                    return Ok(league);
                }
                let over = self.view(&league);
                let may_open = self.may_be_opened_from(applicant.caller_id);
                let setup = continued(name, over.setup(), version, likely).filter(|_| may_open);
                let setup = setup.ok_or_else(|| is_over(&league, &over))?;
                return self.open_for(next, setup, applicant, &views).await;
            }
            if let Some(first) = self.first(name).await? {
                first.refresh().await;
                let is_running = first.due().outcome().is_none();
                return if is_running {
                    Ok(first)
                } else {
                    Err(is_over(&first, &self.view(&first)))
                };
            }
            if let Some(meant) = slip(name, views.iter().map(|(_, view)| view)) {
                return Err(LeagueRefusal::Slip { named: quoted(name), meant });
            }
            let setup = usual(name, version.unwrap_or(likely));
            return self.open_for(next, setup, applicant, &views).await;
        }
        let speaks = |view: &View| match (version, made_for(view.setup().game)) {
            (Some(version), Some(own)) => version == own,
            _ => true,
        };
        let fits = |view: &View| speaks(view) && applicant.plays(view.setup().game);
        let is_back = |view: &View| {
            let shown = applicant.token.as_deref().and_then(|token| player_of(view, token));
            shown.or_else(|| same_player(view, applicant)).is_some()
        };
        let back = views.iter().find(|(_, view)| fits(view) && is_back(view));
        let open = || views.iter().filter(|(_, view)| view.phase() == Phase::Open && fits(view));
        let owners = || open().find(|(_, view)| view.setup().by_owner);
        if let Some((league, _)) = back.or_else(owners).or_else(|| open().next()) {
            return Ok(league.clone());
        }
        let name = self.unused_name().await?;
        let setup = usual(&name, version.unwrap_or(likely));
        self.open_for(name, setup, applicant, &views).await
    }

    /// A league is opened for the one who comes first, if that is allowed.
    async fn open_for(
        &self,
        name: String,
        setup: Setup,
        applicant: &Applicant,
        unfinished: &[(Arc<Game>, View)],
    ) -> Result<Arc<Game>, LeagueRefusal> {
        if !applicant.plays(setup.game) {
            return Err(LeagueRefusal::OtherGame(setup.game));
        }
        if let Some(address) = applicant.caller_id.address() {
            let open = unfinished.iter().filter(|(_, view)| view.phase() == Phase::Open);
            let names: Vec<_> = open.take(5).map(|(_, view)| view.setup().name.clone()).collect();
            if !self.may_be_opened_from(applicant.caller_id) {
                return Err(LeagueRefusal::NotOpened { named: quoted(&setup.name), open: names });
            }
            let theirs = unfinished.iter().filter(|(_, view)| !view.setup().by_owner).count();
            if theirs >= MOST_OPEN {
                return Err(LeagueRefusal::Busy("too many leagues are open; join one of them"));
            }
            if !self.rate_limit.may_open(address) {
                return Err(LeagueRefusal::Busy(
                    "too many leagues were opened from your address; join one of them",
                ));
            }
        }
        self.open_next(name, setup, None).await
    }

    /// Leagues that nobody named are numbered.
    async fn unused_name(&self) -> Result<String, LeagueRefusal> {
        let mut number = self.hall.store().count_kind(League::KIND).await? + 1;
        loop {
            let name = format!("league_{number}");
            if self.latest(&name).await?.0.is_none() {
                return Ok(name);
            }
            number += 1;
        }
    }
}

/// Ends leagues that a player opened and nobody is in, or that nobody has started for a week: their
/// names and places are for those who play.
pub(super) async fn lapse(leagues: &Leagues, unfinished: &[GameId]) {
    for id in unfinished {
        let Some(league) = leagues.hall.in_memory(*id) else { continue };
        let Ok(look) = league.look::<League>(Eye::Public) else { continue };
        let age = now() - look.created_at;
        if let Some(reason) = lapses(&look.view, age)
            && let Err(error) = leagues.tell(&league, &Event::Stop { reason: reason.into() }).await
        {
            tracing::debug!(league = %id, %error, "a league does not lapse yet");
        }
    }
}

/// Why a league of that age is not kept open, if it is not.
fn lapses(view: &View, age: Millis) -> Option<&'static str> {
    let nobody = view.players().all(|player| player.removed);
    let (patience, reason) = match (view.setup().by_owner, nobody) {
        (false, true) => (HOUR / 4, "nobody joined it"),
        (false, false) => (7 * 24 * HOUR, "nobody started it for a week"),
        (true, true) => (30 * 24 * HOUR, "nobody joined it for a month"),
        (true, false) => return None,
    };
    (view.phase() == Phase::Open && age > patience).then_some(reason)
}

fn usual(name: &str, version: Version) -> Setup {
    let game = match version {
        Version::V1 => LeagueKind::EVEN_ODD,
        Version::V2 => LeagueKind::PARITY,
    };
    Setup { name: name.to_owned(), game, ..Setup::default() }
}

/// How the league goes on that agents open by coming back for another: as the last one did, if that
/// was one of the protocols' own games as it usually is. What the owner set up, the owner opens again.
fn continued(name: &str, last: &Setup, version: Option<Version>, likely: Version) -> Option<Setup> {
    let own = made_for(last.game)?;
    let is_usual = usual(name, own).is_like(last);
    // The older protocol is what is likely of those who say nothing at all.
    let hinted = (likely == Version::V2).then_some(likely);
    let spoken = version.or(hinted).unwrap_or(own);
    let is_same = spoken == own || !last.by_owner;
    (is_usual && is_same).then(|| usual(name, spoken))
}

fn is_over(league: &Game, view: &View) -> LeagueRefusal {
    let Setup { name, game, .. } = view.setup();
    LeagueRefusal::NotContinued { name: name.clone(), game: *game, id: league.id() }
}

/// The open league that was meant, if one slip of the hand explains the name.
fn slip<'a>(name: &str, mut leagues: impl Iterator<Item = &'a View>) -> Option<String> {
    let meant = |view: &&View| view.phase() == Phase::Open && is_slip(name, &view.setup().name);
    leagues.find(meant).map(|view| view.setup().name.clone())
}

/// Whether one letter too many, too few, another one, or two in the wrong order make the one name
/// of the other. Names that differ in a digit differ on purpose.
fn is_slip(one: &str, other: &str) -> bool {
    let [a, b] = [one, other].map(|name| name.to_lowercase().chars().collect::<Vec<_>>());
    if a == b {
        return true;
    }
    let shorter = a.len().min(b.len());
    if shorter < SHORTEST_SLIP || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let head = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (ra, rb) = (&a[head..], &b[head..]);
    let tail = ra.iter().rev().zip(rb.iter().rev()).take_while(|(a, b)| a == b).count();
    let (wrong, right) = (&ra[..ra.len() - tail], &rb[..rb.len() - tail]);
    let numbers = wrong.iter().chain(right).any(char::is_ascii_digit);
    let swapped = matches!((wrong, right), ([a, b], [c, d]) if a == d && b == c);
    let one_off = match (wrong, right) {
        ([_], [_]) => shorter >= SHORTEST_OTHER,
        ([_], []) | ([], [_]) => true,
        _ => false,
    };
    !numbers && (swapped || one_off)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leagues_that_nobody_is_in_lapse() {
        use rules::{Record, kind};
        let check = |by_owner: bool, hours: Millis, lapse: bool| {
            let setup = Setup { by_owner, ..Setup::default() };
            let setup = serde_json::to_string(&setup).unwrap();
            let record = Record::start(kind("league").unwrap(), &setup, 1).unwrap();
            let view = record.view::<League>(Eye::Public).unwrap();
            assert_eq!(lapses(&view, hours * HOUR).is_some(), lapse, "{by_owner} {hours}");
        };
        check(false, 0, false);
        check(false, 1, true);
        check(true, 24, false);
        check(true, 24 * 31, true);
    }

    #[test]
    fn a_slip_is_one_letter_and_no_number() {
        let check = |one: &str, other: &str, expected| {
            assert_eq!(is_slip(one, other), expected, "{one} {other}");
            assert_eq!(is_slip(other, one), expected, "{other} {one}");
        };
        check("spring", "sprnig", true);
        check("spring", "sprin", true);
        check("spring", "sprinng", true);
        check("spring", "sprong", true);
        check("spring", "Spring", true);
        check("spring", "autumn", false);
        check("spring", "sprign2", false);
        check("league_2024_01", "league_2024_02", false);
        check("spring", "spring2", false);
        check("cup", "cap", false);
        check("cup", "cupp", true);
        check("cup", "cpu", true);
        check("cup", "Cup", true);
        check("pd", "PD", true);
        check("pd", "pe", false);
        check("pd", "pdd", false);
        check("cup", "cup2", false);
        check("cup", "cup.2", false);
        check("spring-a", "spring-b", true);
    }
}
