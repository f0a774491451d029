//! Leads running leagues: begins what is ready, has it refereed, writes down how it ended.
//!
//! All it knows is in the leagues' logs, so another process, or the next one after a crash,
//! goes on where it was. Of several processes on one store one leads a league at a time.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use rules::{
    Eye, MatchVerdict, Rules, Seat,
    league::{Event, League, MatchId, MatchResult, MatchView, Phase, PlayerView, Stage, View},
};
use tokio::{
    sync::broadcast::error::RecvError,
    time::{Instant, MissedTickBehavior, interval, sleep},
};

use super::{
    announce,
    at_work::{AtWork, WorkEnded},
    joining,
    leagues::Leagues,
    referee::{self, contest::made_for},
    refusals::LeagueRefusal,
};
use crate::{
    hall::{FindError, Game, Lease, Plan},
    ids::{GameId, Handle},
    metrics::{self, Woken},
    player::{Level, Player, plain_name, refereed},
    store::{Link, Millis, Progress, SavedSeat, Wanted, now},
};

/// Name of the lease held by the process that leads a league.
const LEASE_NAME: &str = "league";
/// A leader that has not renewed its lease for this long counts as gone.
const LEASE: Duration = Duration::from_millis(1500);
/// How often we look for leagues that began elsewhere or whose process has died.
const LOOK: Duration = Duration::from_secs(1);
/// How many of the latest leagues we look at each time.
const LOOKED_AT: u32 = 100;
/// News of a change arrives within this time, and the clocks of processes differ by less.
const TOLD: Millis = 10_000;
/// Matches of a league that are refereed at once.
const AT_ONCE: usize = 100;
/// A match that ends in a panic is taken up again, and called off when it does so this often.
const PANICS: u32 = 3;
/// How often all leagues are looked at: for those that nobody wants, and for what was not told.
const REREAD: Duration = Duration::from_secs(60);
/// When the store does not answer.
const AGAIN: Duration = Duration::from_secs(1);

/// Leads every running league of this store that nobody else leads, until it is stopped.
pub async fn conduct(leagues: Leagues) {
    let mut changes = leagues.hall.changes_of(League::KIND);
    let mut said = leagues.hall.said();
    let mut leading = AtWork::new();
    let mut reread: Option<Instant> = None;
    // A game has changed that is not in memory here, and may be a league.
    let mut stirred_elsewhere = false;
    let mut clock = interval(LOOK);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let news = tokio::select! {
            change = changes.recv() => {
                let known = change.as_ref().ok().and_then(|id| leagues.hall.in_memory(*id));
                let kind = known.as_ref().map_or("unknown", |game| game.kind().name);
                metrics::lead_woke(Woken::ByNews, kind);
                match (change, known) {
                    (Ok(id), Some(_)) => vec![id],
                    (Err(RecvError::Closed), _) => return,
                    (Ok(_) | Err(RecvError::Lagged(_)), _) => {
                        stirred_elsewhere = true;
                        continue;
                    }
                }
            }
            // Another process leads the leagues that start there, unless it dies.
            _ = clock.tick() => {
                metrics::lead_woke(Woken::ByReading, League::KIND);
                if reread.is_none_or(|last| last.elapsed() > REREAD) {
                    let all = unfinished(&leagues).await;
                    if reread.replace(Instant::now()).is_some() {
                        joining::lapse(&leagues, &all).await;
                        leagues.forget_joins(&all);
                    }
                    all
                } else {
                    let mut news = left_behind(&leagues).await;
                    if stirred_elsewhere {
                        let stirred = stirred(&leagues).await;
                        stirred_elsewhere = stirred.is_none();
                        news.extend(stirred.into_iter().flatten());
                    }
                    // Look again for leagues that could not be read.
                    stirred_elsewhere |= !look_again(&leagues, &news).await;
                    news
                }
            }
            (league, ended) = leading.ended() => {
                if ended == WorkEnded::InPanic {
                    tracing::error!(%league, "leading it ended in a panic; it is taken up again");
                }
                continue;
            }
            words = said.recv() => {
                if let Ok(words) = words {
                    leagues.hear_from_elsewhere(&words);
                }
                continue;
            }
            () = leagues.stop.cancelled() => return,
        };
        let led: HashSet<_> = leading.names().collect();
        for id in news.into_iter().filter(|id| !led.contains(id)).collect::<HashSet<_>>() {
            let Some(league) = running(&leagues, id) else { continue };
            let leagues = leagues.clone();
            leading.begin(id, async move { lead_when_free(&leagues, &league).await });
        }
    }
}

/// Every league that is not over.
async fn unfinished(leagues: &Leagues) -> Vec<GameId> {
    loop {
        match leagues.list(Some(false), 1000).await {
            Ok(unfinished) => {
                // A process may have died before it announced a start.
                for league in &unfinished {
                    league.refresh().await;
                }
                return unfinished.iter().map(|league| league.id()).collect();
            }
            Err(error) => tracing::error!(%error, "leagues do not go on yet"),
        }
        sleep(AGAIN).await;
    }
}

/// Leagues that a process led which is gone.
async fn left_behind(leagues: &Leagues) -> Vec<GameId> {
    let lapsed = leagues.hall.store().lapsed(LEASE_NAME, 10 * LEASE).await.unwrap_or_default();
    let ids = lapsed.iter().filter_map(|lease| lease.rsplit(' ').next()?.parse::<Handle>().ok());
    ids.map(|handle| handle.game).collect()
}

/// Leagues in which something has just happened. None if they cannot be read now.
async fn stirred(leagues: &Leagues) -> Option<Vec<GameId>> {
    let progress = Progress::Live;
    let wanted = Wanted { progress, ..Wanted::of(vec![League::KIND], LOOKED_AT) };
    let list = leagues.hall.store().list(wanted).await.ok()?;
    let lately = list.games.iter().filter(|league| league.last_at > now() - TOLD);
    Some(lately.map(|league| league.id).collect())
}

/// False if one of them cannot be read now.
async fn look_again(leagues: &Leagues, ids: &[GameId]) -> bool {
    let mut all = true;
    for id in ids {
        all &= match leagues.hall.find(*id).await {
            Ok(league) => league.refresh().await,
            Err(error) => {
                tracing::warn!(league = %id, %error, "a league cannot be looked at");
                !matches!(error, FindError::Store(_))
            }
        };
    }
    all
}

/// The league, if it is one and it runs.
fn running(leagues: &Leagues, id: GameId) -> Option<Arc<Game>> {
    let league = leagues.hall.in_memory(id)?;
    let view = league.view::<League>(Eye::Public).ok()?;
    (view.phase() == Phase::Running).then_some(league)
}

/// Leads it to the end, or waits for the end while somebody else does.
async fn lead_when_free(leagues: &Leagues, league: &Arc<Game>) {
    let store = leagues.hall.store().clone();
    let mut lease = Lease::new(store, format!("{LEASE_NAME} {}", league.id()), LEASE);
    while leagues.view(league).phase() == Phase::Running {
        tokio::select! {
            led = lease.while_held(lead(leagues, league)) => if led.is_none() {
                tracing::warn!(league = %league.id(), "another process leads it now");
            },
            () = leagues.stop.cancelled() => {}
        }
        lease.give_up().await;
        if leagues.stop.is_cancelled() {
            return;
        }
    }
}

async fn lead(leagues: &Leagues, league: &Arc<Game>) {
    // Somebody else may have led it until now, to the end perhaps, and told everyone.
    league.refresh().await;
    if leagues.view(league).phase() != Phase::Running {
        return;
    }
    let mut changed = league.changes();
    changed.mark_changed();
    let mut matches = AtWork::new();
    let mut panics: HashMap<MatchId, u32> = HashMap::new();
    let view = leagues.view(league);
    let mut announced = begun_rounds(&view);
    loop {
        changed.mark_unchanged();
        let view = leagues.view(league);
        if view.phase() != Phase::Running {
            announce::completed(leagues, &view).await;
            return;
        }
        for walkover in view.walkovers() {
            let (match_id, result) = (walkover.match_id, walkover.result);
            write_down(leagues, league, &Event::End { match_id, result }).await;
        }
        let at_work: HashSet<_> = matches.names().collect();
        let busy = at_work.iter().filter_map(|id| view.find(*id));
        let busy = busy.flat_map(|match_| [match_.player_a, match_.player_b]).collect();
        // Another process may have begun a match just before it noticed that it had lost the lease.
        let mut next = view.running();
        next.retain(|fixture| !at_work.contains(&fixture.match_id));
        next.extend(view.ready_without(&busy).into_iter().filter_map(|id| view.find(id)));
        next.truncate(AT_ONCE.saturating_sub(matches.len()));
        for fixture in next {
            for round in announced + 1..=fixture.round_id {
                announce::round(leagues, &view, round);
            }
            announced = announced.max(fixture.round_id);
            let id = fixture.match_id;
            let (leagues, league) = (leagues.clone(), league.clone());
            matches.begin(id, async move { see_through(&leagues, &league, fixture).await });
        }
        tokio::select! {
            _ = changed.changed() => metrics::lead_woke(Woken::ByNews, league.kind().name),
            (id, ended) = matches.ended() => if ended == WorkEnded::InPanic {
                let times = panics.entry(id).or_default();
                *times += 1;
                tracing::error!(league = %league.id(), match_id = %id, times, "a match ended in a panic");
                if *times >= PANICS {
                    call_off(leagues, league, id).await;
                }
            },
        }
    }
}

/// Ends a match that cannot be seen through by either of its players' fault or merit.
async fn call_off(leagues: &Leagues, league: &Game, match_id: MatchId) {
    let Some(fixture) = leagues.view(league).find(match_id) else { return };
    let players = [fixture.player_a, fixture.player_b];
    let result = MatchResult::new(players, MatchVerdict::walkover([true, true]));
    write_down(leagues, league, &Event::End { match_id, result }).await;
}

/// The last round that somebody has played in. Those up to it have been announced.
fn begun_rounds(view: &View) -> u16 {
    let waits = |fixture: &MatchView| fixture.state == Stage::Waiting;
    let begun = view.rounds().filter(|round| !round.matches.iter().all(waits));
    begun.map(|round| round.round_id).max().unwrap_or(0)
}

/// One match from its beginning, or from where it was, to its end.
async fn see_through(leagues: &Leagues, league: &Arc<Game>, fixture: MatchView) {
    let _permit = leagues.match_permits.acquire().await;
    let view = leagues.view(league);
    let match_id = fixture.match_id;
    let game = loop {
        match match_game(leagues, league, &view, match_id).await {
            Ok(game) => break game,
            Err(error) => {
                tracing::error!(%error, %match_id, "a match cannot begin yet");
                sleep(AGAIN).await;
            }
        }
    };
    let _here = leagues.deadlines.referee(game.id());
    if fixture.game.is_none() {
        let begin = Event::Begin { match_id, game: game.id().number() };
        write_down(leagues, league, &begin).await;
    }
    let result = referee::preside(leagues, league, &view, &fixture, &game).await;
    let report = write_down(leagues, league, &Event::End { match_id, result }).await;
    if let Some(round) = report["round_completed"].as_u64() {
        announce::round_completed(leagues, &leagues.view(league), round as u16);
    }
}

/// The game a match is played as. It goes by the match's name, so there is never a second one.
async fn match_game(
    leagues: &Leagues,
    league: &Game,
    view: &View,
    id: MatchId,
) -> Result<Arc<Game>, LeagueRefusal> {
    let Some(fixture) = view.find(id) else { unreachable!("a match of this league") };
    let setup = view.setup();
    let name = Some(match_name(league.id(), &fixture));
    let seed = Some(league.seed_for(&deal(&fixture)));
    let plan =
        Plan::new(setup.game.kind(), setup.match_setup(), seats(league.id(), view, &fixture));
    let practice = setup.practice;
    Ok(leagues.hall.create(Plan { name, seed, practice, ..plan }).await?)
}

/// Names the deal of a match. Two matches of the same players share one, so that each of them plays
/// both sides of it. A match that is played again gets another, because its players know the first.
fn deal(fixture: &MatchView) -> String {
    let (a, b) = (fixture.player_a, fixture.player_b);
    match fixture.attempt {
        0 => format!("deal of {} and {}", a.min(b), a.max(b)),
        _ => format!("match {}", called(fixture)),
    }
}

/// The seats in the game of a match. Agents play the protocols' own games by sealed answers alone,
/// and take a seat only beside those who play at the board, so that no seat is left for others.
fn seats(league: GameId, view: &View, fixture: &MatchView) -> Vec<SavedSeat> {
    let players = [fixture.player_a, fixture.player_b].map(|id| view.player(id));
    let players: Vec<_> = players.into_iter().flatten().collect();
    let at_the_board = |player: &PlayerView| player.computer.is_some() || player.person;
    if made_for(view.setup().game).is_some() && !players.iter().any(at_the_board) {
        return Vec::new();
    }
    let kind = view.setup().game.kind();
    let sits = |(player, seat): (PlayerView, u8)| {
        let level = player.computer.and_then(Level::new);
        let person = if player.person { Player::Human } else { Player::Agent };
        SavedSeat {
            name: if level.is_some() { String::new() } else { plain_name(player.name) },
            manner: refereed(&league.to_string()),
            // Their own link is the league's, and leads them here.
            link: Link { number: 0, opened: player.person },
            ..SavedSeat::new(
                Seat(seat),
                level.map_or(person, |level| Player::computer(kind, level)),
            )
        }
    };
    players.into_iter().zip(0..).map(sits).collect()
}

pub fn match_name(league: GameId, fixture: &MatchView) -> crate::store::Hashed {
    crate::store::Hashed::of(&format!("match {league} {}", called(fixture)))
}

/// A match that is played again is another game.
fn called(fixture: &MatchView) -> String {
    match fixture.attempt {
        0 => fixture.match_id.to_string(),
        attempt => format!("{} again {attempt}", fixture.match_id),
    }
}

/// Keeps trying while the store does not answer. What the rules refuse was written already.
async fn write_down(leagues: &Leagues, league: &Game, event: &Event) -> serde_json::Value {
    loop {
        match leagues.tell(league, event).await {
            Ok(report) => return report,
            Err(LeagueRefusal::Store(error)) => {
                tracing::error!(league = %league.id(), %error, "an event was not saved");
                sleep(AGAIN).await;
            }
            Err(refusal) => {
                tracing::debug!(league = %league.id(), ?event, %refusal, "an event was refused");
                return serde_json::Value::Null;
            }
        }
    }
}
