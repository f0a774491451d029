//! What leagues cost: whole leagues of built-in players, everything saved, every call real.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::task::JoinSet;

use crate::samples::Table;

const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// As many questions as one player answers when nothing is saved and nobody decides anything: what
/// the wire alone allows.
pub async fn ceiling(table: &mut Table) {
    let mut player = Command::new(AGON)
        .args(["player", "--name", "Bench", "--port", "0", "--manager", "http://127.0.0.1:9/mcp"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon starts");
    let mut lines = BufReader::new(player.stderr.take().expect("stderr is piped")).lines();
    let first = lines.next().expect("a line").expect("a line");
    let (_, url) = first.split_once("listens on ").expect("an address");
    std::thread::spawn(move || lines.for_each(drop));
    let http = reqwest::Client::new();
    let started = Instant::now();
    let mut asking = JoinSet::new();
    for client in 0..64 {
        let (http, url) = (http.clone(), url.to_owned());
        asking.spawn(async move {
            for round in 0..300 {
                let question = json!({
                    "jsonrpc": "2.0", "id": round, "method": "MOVE_REQUEST",
                    "params": {
                        "protocol": "league.v1", "message_type": "MOVE_REQUEST",
                        "match_id": format!("R{}M1", client + 1), "game_round": round + 1,
                        "game_state": { "your_role": "ODD", "scores": {}, "previous_rounds": [] },
                    },
                });
                let answer = http.post(&url).json(&question).send().await.expect("an answer");
                answer.bytes().await.expect("an answer");
            }
        });
    }
    asking.join_all().await;
    let rate = 64.0 * 300.0 / started.elapsed().as_secs_f64();
    table.row("the wire alone", "move requests/s to one player, 64 at once", format!("{rate:.0}"));
    player.kill().expect("it can be stopped");
    player.wait().expect("it ends");
}

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
        let last = said.rsplit(['\r', '\n']).find(|line| line.contains("requests a second"));
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
