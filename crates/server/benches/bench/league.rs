//! What leagues cost: whole leagues of built-in players, everything saved, every call real.

use std::{
    fs,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::samples::Table;

const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// Players, manager and referee are one process here; each player is called on its own port.
pub fn whole_leagues(table: &mut Table) {
    for players in [4, 50, 200] {
        let started = Instant::now();
        let mut child = Command::new(AGON)
            .args(["league", "run", "--seed", "1", "--players", &players.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agon starts");
        let (mut memory, mut descriptors) = (0, 0);
        while child.try_wait().expect("it runs").is_none() {
            memory = memory.max(resident_kib(child.id()));
            descriptors = descriptors.max(open_files(child.id()));
            std::thread::sleep(Duration::from_millis(50));
        }
        let said = child.wait_with_output().expect("it ends").stderr;
        let said = String::from_utf8_lossy(&said);
        let last = said.rsplit(['\r', '\n']).find(|line| line.contains(" a second"));
        let name = format!("a league of {players}");
        let rate = last.expect("it says how fast it was").trim().to_owned();
        table.row(&name, "everything saved", rate);
        let whole = started.elapsed().as_secs_f64();
        table.row(&name, "from start to the table", format!("{whole:.1} s"));
        let memory = memory / 1024;
        table.row(
            &name,
            "memory and descriptors, the players' included",
            format!("{memory} MiB, {descriptors}"),
        );
    }
}

fn resident_kib(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

fn open_files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}
