//! `agon league run`: a whole league of built-in players on this machine, and of whoever is to play
//! along.

use std::{net::Ipv4Addr, time::Duration};

use anyhow::{Context, Result};
use rules::league::{Event, Phase, View};
use tokio::{net::TcpListener, time::interval};
use tokio_util::sync::CancellationToken;

use super::{leading::entered, native, plan::LeaguePlan, printing};
use crate::{
    league::{
        play::{
            conductor, leagues::Leagues, match_log::Reader, rate_limit::CallerId,
            registration::Applicant,
        },
        programs::{player::LeaguePlayer, strategy::Strategy},
    },
    terminal::progress::ProgressLine,
    web::{self, Guard},
};

/// Each player listens on a port of its own and is called there, as any other would be.
pub async fn run(
    leagues: &Leagues,
    guard: Guard,
    players: usize,
    strategies: &[Strategy],
    with: &[String],
    plan: &LeaguePlan,
) -> Result<View> {
    let dialect = native(plan.game());
    let version = dialect.version();
    let name = format!("run_{:08x}", getrandom::u32().expect("the system has random numbers"));
    let entrants = plan.entrants(leagues)?;
    let mut setup = plan.setup(leagues, &name, false);
    setup.max_players = setup.max_players.max(players + with.len() + entrants.count());
    let league = leagues.open_with(setup, plan.seed).await?;
    entrants.enter(leagues, &league).await?;
    let stop = CancellationToken::new();
    let _ending = stop.clone().drop_guard();
    for (number, strategy) in strategies.iter().cycle().take(players).enumerate() {
        let name = format!("{strategy} {}", number + 1);
        let seed = plan.seed.map(|seed| seed.wrapping_add(number as u64));
        let player = LeaguePlayer::new(&name, strategy.clone(), seed, dialect);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let endpoint = Some(format!("http://{}/mcp", listener.local_addr()?));
        tokio::spawn(web::serve(listener, player.router(guard.clone()), stop.clone()));
        let version_text = env!("CARGO_PKG_VERSION").to_owned();
        let applicant = Applicant {
            name,
            version: version_text,
            endpoint,
            manner: dialect.into(),
            token: None,
            invite: None,
            games: None,
            caller_id: CallerId::Owner,
        };
        let league_id = leagues.view(&league).setup().name.clone();
        leagues.register(Some(&league_id), Some(version), version, applicant).await?;
    }
    for url in with {
        let view = leagues.view(&league);
        let name = format!("agent at {}", url.trim_start_matches("http://"));
        let name = name.chars().take(60).collect();
        leagues.add(&league, entered(name, url.clone(), &view)).await?;
    }
    leagues.tell(&league, &Event::Start).await?;
    leagues.hall.begin_upkeep();
    let conducting = tokio::spawn(conductor::conduct(leagues.clone()));
    let started = tokio::time::Instant::now();
    let mut clock = interval(Duration::from_millis(100));
    let progress = ProgressLine::of("matches", leagues.view(&league).matches().0 as u64);
    let view = loop {
        clock.tick().await;
        let view = leagues.view(&league);
        progress.at(view.matches().1 as u64);
        if view.phase() != Phase::Running {
            break view;
        }
    };
    drop(progress);
    let (all, _) = view.matches();
    let seconds = started.elapsed().as_secs_f64();
    let rates = [all as f64 / seconds, leagues.post.sent() as f64 / seconds];
    eprintln!(
        "{all} matches in {seconds:.1} s: {:.0} matches and {:.0} requests a second",
        rates[0], rates[1]
    );
    leagues.stop.cancel();
    conducting.await.context("the conductor ends")?;
    for id in printing::failed(&view) {
        let Some(fixture) = view.find(id) else { continue };
        let letters = leagues.match_log(&league, &view, &fixture, Reader::Owner).await?;
        for (player, told) in &letters.players {
            if let Some(why) = &told.reason {
                eprintln!("{id} {player}: {why}");
            }
        }
    }
    Ok(view)
}
