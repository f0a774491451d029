//! What leagues cost: whole leagues of built-in players, everything saved, every call real.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    clients::{Server, agon},
    rivals::{News, Rivals},
    samples::{Table, open_files, resident_kib},
};

/// As many questions as one player answers when nothing is saved and nobody decides anything: what
/// the wire alone allows.
pub async fn ceiling(table: &mut Table) -> f64 {
    let mut player = Command::new(agon())
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
    rate
}

/// The server alone: the players are ours, and cost it nothing.
pub async fn the_server_alone(table: &mut Table, ceiling: f64) {
    for players in [50, 200] {
        let server = Server::start();
        let mut rivals = Rivals::listen(players, |_| Duration::ZERO).await;
        rivals.enter(&server, &[]).await;
        let matches = players * (players - 1) / 2;
        let (mut heard, mut ended, mut memory, mut descriptors) = (0, 0, 0, 0);
        let started = Instant::now();
        while ended < 2 * matches {
            let news = rivals.news.recv().await.expect("news come");
            heard += 1;
            ended += usize::from(news.what == "GAME_END");
            if heard % 1000 == 0 {
                memory = memory.max(server.resident_kib());
                descriptors = descriptors.max(open_files(server.child.id()));
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        let (rate, requests) = (matches as f64 / seconds, f64::from(heard) / seconds);
        let name = format!("a league of {players}, players elsewhere");
        let value = format!("{rate:.0} matches and {requests:.0} requests a second");
        table.row(&name, "everything saved", value);
        let share = format!("{:.2}", requests / ceiling);
        table.row(&name, "requests/s, of the wire alone", share);
        let value = format!("{} MiB, {descriptors}", memory / 1024);
        table.row(&name, "memory and descriptors of the server", value);
    }
}

const LONG: Duration = Duration::from_secs(29);

/// One of twenty takes nearly the thirty seconds it has for every move. Whoever meets it waits; how
/// is it for the others?
pub async fn one_who_thinks_long(table: &mut Table) {
    let mut medians = [(); 2].map(|()| (Vec::new(), Vec::new()));
    // Alternately, so that both meet the same machine.
    for _ in 0..7 {
        for (slow, (lasted, over)) in medians.iter_mut().enumerate() {
            others(slow == 1, lasted, over).await;
        }
    }
    let [(a_match, half), (slow_match, slow_half)] = medians.map(|(mut lasted, mut over)| {
        let median = |all: &mut Vec<Duration>| {
            all.sort();
            all[all.len() / 2].as_secs_f64() * 1000.0
        };
        (median(&mut lasted), median(&mut over))
    });
    let row =
        |without: f64, with: f64| format!("{without:.1} ms, {with:.1} ms: {:.2}", with / without);
    let name = "one of 20 answers after 29 s";
    table.row(name, "the others' median match without and with it", row(a_match, slow_match));
    let measure = "half of the others' matches over, without and with it";
    table.row(name, measure, row(half, slow_half));
}

/// Plays a league of twenty as far as it goes without the first player, and notes of every match
/// that it is not in how long it lasted and when it was over.
async fn others(slow: bool, lasted: &mut Vec<Duration>, over: &mut Vec<Duration>) {
    const PLAYERS: usize = 20;
    let server = Server::start();
    let thinks = |player| if slow && player == 0 { LONG } else { Duration::ZERO };
    let mut rivals = Rivals::listen(PLAYERS, thinks).await;
    rivals.enter(&server, &[]).await;
    // The slow one keeps one other from all its matches.
    let free = PLAYERS - 1 - usize::from(slow);
    let mut left = free * (free - 1) / 2;
    let mut began: HashMap<String, (Instant, usize)> = HashMap::new();
    let mut first = None;
    while left > 0 {
        let News { what, match_id, players, at } = rivals.news.recv().await.expect("news");
        let started = *first.get_or_insert(at);
        match what.as_str() {
            "GAME_START" if !players.iter().any(|id| id == "P01") => {
                began.entry(match_id).or_insert((at, 0)).1 += 1;
            }
            "GAME_END" => {
                let Some((since, heard)) = began.get_mut(&match_id) else { continue };
                *heard -= 1;
                // Both have heard of it.
                if *heard == 0 {
                    lasted.push(at - *since);
                    over.push(at - started);
                    left -= 1;
                }
            }
            _ => {}
        }
    }
}

/// From the start of a process to the first move it asks for, where another was killed in the
/// middle of a round.
pub async fn after_a_crash(table: &mut Table) {
    let mut server = Server::start();
    let mut rivals = Rivals::listen(10, |_| Duration::from_millis(50)).await;
    rivals.enter(&server, &["--double"]).await;
    let mut times = Vec::new();
    // At several distances from the last sign of life that the store has of it.
    for asked in [10, 40, 70, 100, 130] {
        for _ in 0..asked {
            rivals.is_asked().await;
        }
        server.kill();
        let started = Instant::now();
        server = server.again();
        // What the other asked has been heard by then, and nobody else can have asked yet.
        let mut next = started;
        while next - started < Duration::from_millis(50) {
            next = rivals.is_asked().await.max(started);
        }
        times.push(next - started);
    }
    times.sort();
    let [best, worst] = [times[0], times[4]].map(|time| time.as_secs_f64());
    let median = times[2].as_secs_f64();
    let value = format!("{median:.2} s ({best:.2} to {worst:.2} s)");
    table.row("killed in mid-round, 5 times", "from the new start to the next move request", value);
}

/// Players, manager and referee are one process here; each player is called on its own port.
pub fn whole_leagues(table: &mut Table) {
    for players in [4, 50, 200] {
        let started = Instant::now();
        let mut child = Command::new(agon())
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
