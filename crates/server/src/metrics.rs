//! What this node does, in metrics, for Prometheus: `GET /metrics`.
//!
//! Every figure has its name here; the places that know when to count call these functions.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use metrics::{
    Histogram, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge,
    histogram,
};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};

/// From a tenth of a millisecond to as long as a call may wait.
const BUCKETS: &[f64] = &[
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1., 2.5,
    5., 10., 30.,
];

/// How long each thing took is kept one by one until it is counted. That is done after so many, for
/// perhaps nobody ever asks for the metrics.
const COUNTED_AFTER: u32 = 10_000;

static TIMED: AtomicU32 = AtomicU32::new(0);
static COUNTER: OnceLock<PrometheusHandle> = OnceLock::new();

#[derive(Clone)]
pub struct Metrics(PrometheusHandle);

impl Metrics {
    /// From here on everything is counted; each line says which node it comes from.
    pub fn start(node: &str) -> Result<Metrics, BuildError> {
        let builder = PrometheusBuilder::new().add_global_label("node", node);
        let handle = builder.set_buckets(BUCKETS)?.install_recorder()?;
        describe_counter!("agon_calls_total", "Calls by tool or message, and how they ended");
        describe_histogram!("agon_call_seconds", Unit::Seconds, "How long calls took");
        describe_gauge!("agon_games", "Games in memory");
        describe_gauge!("agon_sessions", "Sessions in memory");
        describe_gauge!("agon_connections", "Connections that are open");
        describe_gauge!("agon_news_waiting", "News that subscribers have not taken yet");
        describe_gauge!("agon_streams", "Streams of news that are open");
        describe_counter!("agon_refused_total", "Callers who were told to come back later");
        describe_gauge!("agon_waiters", "Calls that wait for somebody's move");
        describe_histogram!("agon_store_seconds", Unit::Seconds, "How long the store took");
        describe_counter!("agon_store_faults_total", "Questions the store did not answer");
        describe_counter!("agon_games_replayed_total", "Games read from the store, turn by turn");
        describe_counter!("agon_store_dropped_total", "Questions nobody waited for any more");
        describe_histogram!(
            "agon_wake_seconds",
            Unit::Seconds,
            "From a turn being played, on any node, to a waiter here hearing of it"
        );
        describe_counter!("agon_wakes_total", "Waiters who heard of it, and how they did");
        describe_counter!(
            "agon_leads_woken_total",
            "How often those who lead leagues looked up, and what kind of game made them"
        );
        describe_gauge!("agon_engine_waiting", "Questions that wait for a free thinker");
        describe_gauge!("agon_engine_thinking", "Searches under way");
        // Nobody else has, for only one recorder can be installed.
        let _ = COUNTER.set(handle.clone());
        Ok(Metrics(handle))
    }

    pub fn text(&self, games: usize) -> String {
        gauge!("agon_games").set(games as f64);
        self.0.render()
    }
}

fn timed(what: &Histogram, took: Duration) {
    what.record(took);
    if TIMED.fetch_add(1, Ordering::Relaxed) % COUNTED_AFTER == COUNTED_AFTER - 1
        && let Some(counter) = COUNTER.get()
    {
        counter.run_upkeep();
    }
}

/// How a call ended.
#[derive(Clone, Copy)]
pub enum Ended {
    Well,
    Refused,
    /// It could not be understood, or it was our fault.
    Wrong,
}

/// So many sessions more in memory, or less.
pub fn sessions(more: i32) {
    gauge!("agon_sessions").increment(f64::from(more));
}

/// So many streams more, or less.
pub fn streams(more: i32) {
    gauge!("agon_streams").increment(f64::from(more));
}

/// Somebody has used up what a caller may have of something, or all of it is taken.
pub fn refused(what: &'static str) {
    let what = what.split(' ').next().unwrap_or(what);
    counter!("agon_refused_total", "what" => what).increment(1);
}

pub fn call(what: &str, ended: Ended, took: Duration) {
    let outcome = match ended {
        Ended::Well => "ok",
        Ended::Refused => "refused",
        Ended::Wrong => "error",
    };
    counter!("agon_calls_total", "tool" => what.to_owned(), "outcome" => outcome).increment(1);
    timed(&histogram!("agon_call_seconds", "tool" => what.to_owned()), took);
}

pub fn asked_store(what: &'static str, answered: bool, took: Duration) {
    timed(&histogram!("agon_store_seconds", "op" => what), took);
    if !answered {
        counter!("agon_store_faults_total", "op" => what).increment(1);
    }
}

/// A game was read from the store with all its turns.
pub fn replayed() {
    counter!("agon_games_replayed_total").increment(1);
}

/// A question nobody waits for any more, which is not answered.
pub fn dropped() {
    counter!("agon_store_dropped_total").increment(1);
}

/// What ended a wait.
#[derive(Clone, Copy)]
pub enum Woken {
    ByNews,
    /// By looking for itself, as waiters do now and then.
    ByReading,
}

impl Woken {
    fn name(self) -> &'static str {
        match self {
            Woken::ByNews => "news",
            Woken::ByReading => "reading",
        }
    }
}

pub fn woke(by: Woken, after: Duration) {
    timed(&histogram!("agon_wake_seconds"), after);
    counter!("agon_wakes_total", "by" => by.name()).increment(1);
}

/// Somebody who leads leagues has looked up, for games of that kind.
pub fn lead_woke(by: Woken, of: &'static str) {
    counter!("agon_leads_woken_total", "by" => by.name(), "of" => of).increment(1);
}

/// Counts one more of something for as long as it is held.
pub struct OneMore(&'static str);

impl OneMore {
    pub fn waiter() -> OneMore {
        OneMore::of("agon_waiters")
    }

    pub fn connection() -> OneMore {
        OneMore::of("agon_connections")
    }

    /// A piece of news that a subscriber has not taken yet.
    pub fn news() -> OneMore {
        OneMore::of("agon_news_waiting")
    }

    /// A question that waits for a free thinker.
    pub fn queued() -> OneMore {
        OneMore::of("agon_engine_waiting")
    }

    pub fn thinker() -> OneMore {
        OneMore::of("agon_engine_thinking")
    }

    fn of(what: &'static str) -> OneMore {
        gauge!(what).increment(1.);
        OneMore(what)
    }
}

impl Drop for OneMore {
    fn drop(&mut self) {
        gauge!(self.0).decrement(1.);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn resident_mib() -> usize {
        let pages = std::fs::read_to_string("/proc/self/statm").expect("the system tells");
        let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
        pages.expect("a number") * 4 / 1024
    }

    #[test]
    fn what_nobody_asks_for_takes_no_memory() {
        let metrics = Metrics::start("here").expect("nobody else counts");
        let before = resident_mib();
        for _ in 0..4_000_000 {
            asked_store("write", true, Duration::from_millis(1));
        }
        let grown = resident_mib().saturating_sub(before);
        assert!(grown < 32, "{grown} MiB are kept");
        let counted = r#"agon_store_seconds_count{node="here",op="write"} 4000000"#;
        assert!(metrics.text(0).contains(counted), "{}", metrics.text(0));
    }
}
