//! What was measured, and the table it goes into.

use std::{
    fmt::Write as _,
    fs,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use crate::clients::Client;

pub fn quantiles(times: &mut [Duration]) -> String {
    times.sort();
    let at = |q: f64| quantile(times, q).as_secs_f64() * 1000.0;
    format!("{:.2} ms, {:.2} ms", at(0.5), at(0.99))
}

/// Of times in order.
pub fn quantile(times: &[Duration], q: f64) -> Duration {
    times[((times.len() - 1) as f64 * q) as usize]
}

/// Runs `work` on all players at once; the server's CPU, the time it took, and each call's.
pub async fn measure<F, W>(pid: u32, players: &[Arc<Client>], calls: usize, work: F) -> Sample
where
    F: FnMut(&Arc<Client>, usize) -> W,
    W: Future<Output = ()> + Send + 'static,
{
    measure_all(&[pid], players, calls, work).await
}

/// The same for several servers.
pub async fn measure_all<F, W>(
    pids: &[u32],
    players: &[Arc<Client>],
    calls: usize,
    mut work: F,
) -> Sample
where
    F: FnMut(&Arc<Client>, usize) -> W,
    W: Future<Output = ()> + Send + 'static,
{
    for player in players {
        player.times.lock().await.clear();
    }
    let all = || pids.iter().map(|pid| cpu_time(*pid)).sum::<Duration>();
    let (cpu, started) = (all(), Instant::now());
    let mut running = JoinSet::new();
    for player in players {
        running.spawn(work(player, calls));
    }
    running.join_all().await;
    let mut sample = Sample {
        calls: calls * players.len(),
        elapsed: started.elapsed(),
        cpu: all() - cpu,
        times: Vec::new(),
    };
    for player in players {
        sample.times.append(&mut *player.times.lock().await);
    }
    sample
}

#[derive(Default)]
pub struct Sample {
    calls: usize,
    elapsed: Duration,
    cpu: Duration,
    times: Vec<Duration>,
}

impl Sample {
    pub fn add(&mut self, other: Sample) {
        self.calls += other.calls;
        self.elapsed += other.elapsed;
        self.cpu += other.cpu;
        self.times.extend(other.times);
    }

    pub fn calls(&self) -> usize {
        self.calls
    }

    /// Microseconds of the server's CPU per call.
    pub fn cpu(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.calls as f64
    }

    pub fn rate(&self) -> f64 {
        self.calls as f64 / self.elapsed.as_secs_f64()
    }
}

impl std::fmt::Display for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let times = quantiles(&mut self.times.clone());
        write!(f, "{:.0} µs CPU, {:.0}/s, p50 and p99 {times}", self.cpu(), self.rate())
    }
}

pub fn cpu_time(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the server runs");
    let (_, fields) = stat.rsplit_once(')').expect("a stat line");
    let tick = |n: usize| fields.split_whitespace().nth(n).and_then(|f| f.parse::<u64>().ok());
    // Clock ticks are hundredths of a second on Linux.
    Duration::from_millis(10 * (tick(11).unwrap_or(0) + tick(12).unwrap_or(0)))
}

/// Nothing of a process that has ended.
pub fn resident_kib(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

pub fn open_files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}

#[derive(Default)]
pub struct Table(String);

impl Table {
    pub fn row(&mut self, what: &str, measure: &str, value: String) {
        eprintln!("{what}: {measure}: {value}");
        let _ = writeln!(self.0, "| {what} | {measure} | {value} |");
    }

    pub fn finish(self) {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let table = format!("| {cores} cores | measure | value |\n|---|---|---|\n{}", self.0);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench.md");
        fs::write(path, &table).expect("the table is written");
        eprintln!("\n{table}");
    }
}
