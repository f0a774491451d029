//! Background tasks of the hall: following other processes, taking over from those that are gone,
//! letting games go, tidying up.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::{
    sync::broadcast::error::RecvError,
    time::{Instant, MissedTickBehavior, interval, interval_at},
};

use super::{Hall, computer, read_presence};
use crate::{
    ids::Handle,
    store::{Change, now},
};

/// How often somebody looks after what a process left undone that has died.
const TAKE_OVER: Duration = Duration::from_secs(3);
/// Sessions and leases that are over are forgotten this often.
const TIDY: Duration = Duration::from_secs(10 * 60);
/// How long a client may be away and still be known by its session.
const SESSIONS_KEPT: i64 = 30 * 24 * 60 * 60 * 1000;

/// It goes on for as long as there is the hall.
pub fn start(hall: &Arc<Hall>) {
    tokio::spawn(follow_other_processes(Arc::downgrade(hall)));
    tokio::spawn(let_idle_games_go(Arc::downgrade(hall)));
    tokio::spawn(take_over(Arc::downgrade(hall)));
    tokio::spawn(tidy_up(Arc::downgrade(hall)));
}

/// Brings games in memory up to date when another process has played in them.
async fn follow_other_processes(hall: Weak<Hall>) {
    let Some(mut changes) = hall.upgrade().map(|hall| hall.store.changes()) else { return };
    loop {
        let change = changes.recv().await;
        let Some(hall) = hall.upgrade() else { return };
        match change {
            Ok(Change::Game { id, turn, kind }) => match hall.in_memory(id) {
                Some(game) if game.knows(turn) => {}
                Some(game) => drop(tokio::spawn(async move { game.refresh().await })),
                None => hall.announcer.tell(id, kind),
            },
            Ok(Change::Said(words)) => match read_presence(&words) {
                Some((id, seat)) => {
                    if let Some(game) = hall.in_memory(id) {
                        game.presence.hear(seat);
                    }
                }
                None => drop(hall.said.send(words)),
            },
            Ok(Change::Missed) | Err(RecvError::Lagged(_)) => {
                hall.read_again().await;
                // Skip the changes that were missed.
                changes = changes.resubscribe();
            }
            Err(RecvError::Closed) => return,
        }
    }
}

/// Sees to games in which the computer was thinking in a process that is gone. Those in memory see
/// to it by themselves.
async fn take_over(hall: Weak<Hall>) {
    let mut clock = interval(TAKE_OVER);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        clock.tick().await;
        let Some(hall) = hall.upgrade() else { return };
        let lapsed =
            hall.store.lapsed(computer::LEASE_NAME, 10 * TAKE_OVER).await.unwrap_or_default();
        let ids = lapsed.iter().filter_map(|lease| lease.rsplit(' ').next()?.parse().ok());
        for Handle { game, .. } in ids {
            if hall.in_memory(game).is_none() {
                hall.resume_game(game).await;
            }
        }
    }
}

async fn let_idle_games_go(hall: Weak<Hall>) {
    let mut clock = interval(Duration::from_secs(60));
    loop {
        clock.tick().await;
        let Some(hall) = hall.upgrade() else { return };
        hall.let_go(hall.idle);
        hall.look_after_open_calls().await;
    }
}

/// Keeps what nobody needs any more from gathering in the store.
async fn tidy_up(hall: Weak<Hall>) {
    // Not at once: many a process only has a look.
    let mut clock = interval_at(Instant::now() + TIDY, TIDY);
    loop {
        clock.tick().await;
        let Some(hall) = hall.upgrade() else { return };
        if let Err(error) = hall.store.tidy(now() - SESSIONS_KEPT).await {
            tracing::warn!(%error, "the store was not tidied up");
        }
    }
}
