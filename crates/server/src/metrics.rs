//! Prometheus metrics of this node, served as `GET /metrics`.
//!
//! All metric names are here; other modules call these functions.

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

/// Histogram buckets in seconds, up to the longest wait of a call.
const BUCKETS: &[f64] = &[
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1., 2.5,
    5., 10., 30.,
];

/// The recorder keeps each duration until its upkeep runs. Run it after this many, because perhaps
/// nobody ever scrapes the metrics.
const COUNTED_AFTER: u32 = 10_000;

static TIMED: AtomicU32 = AtomicU32::new(0);
static COUNTER: OnceLock<PrometheusHandle> = OnceLock::new();

#[derive(Clone)]
pub struct Metrics(PrometheusHandle);

impl Metrics {
    /// Installs the recorder. Each line is labelled with this node's name.
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
        // Only one recorder can be installed, so the cell is still empty.
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

/// Outcome of a call.
#[derive(Clone, Copy)]
pub enum Ended {
    Well,
    Refused,
    /// Malformed, or failed through a fault of ours.
    Wrong,
}

/// Adds to the number of sessions in memory; `more` may be negative.
pub fn sessions(more: i32) {
    gauge!("agon_sessions").increment(f64::from(more));
}

/// Adds to the number of open streams; `more` may be negative.
pub fn streams(more: i32) {
    gauge!("agon_streams").increment(f64::from(more));
}

/// Counts a caller refused because a limit was reached.
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

/// Counts a game that was loaded from the store and replayed.
pub fn replayed() {
    counter!("agon_games_replayed_total").increment(1);
}

/// Counts a store request that was dropped because its caller had gone.
pub fn dropped() {
    counter!("agon_store_dropped_total").increment(1);
}

/// The reason why a waiter woke up.
#[derive(Clone, Copy)]
pub enum Woken {
    ByNews,
    /// By polling the store, which waiters do in case a notification was lost.
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

/// Counts a wake-up of a league's conductor, by cause and kind of game.
pub fn lead_woke(by: Woken, of: &'static str) {
    counter!("agon_leads_woken_total", "by" => by.name(), "of" => of).increment(1);
}

/// A gauge raised by one until this value is dropped.
pub struct OneMore(&'static str);

impl OneMore {
    pub fn waiter() -> OneMore {
        OneMore::of("agon_waiters")
    }

    pub fn connection() -> OneMore {
        OneMore::of("agon_connections")
    }

    /// A notification that a subscriber has not accepted yet.
    pub fn news() -> OneMore {
        OneMore::of("agon_news_waiting")
    }

    /// A search that waits for a free thinker.
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
