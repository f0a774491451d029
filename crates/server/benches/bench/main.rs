//! `make bench`: what a durable move costs, beside a tool of the same server that only echoes; what
//! the chess engine finds, beside another engine; and so on, always beside something.
//!
//! Everything is measured in one run on one machine, so the ratios mean something where the
//! numbers do not. One table is printed and written to `target/bench.md`.

mod clients;
mod computer;
#[path = "../../tests/it/crowd.rs"]
mod crowd;
mod dungeon;
mod engine;
mod games;
mod league;
mod lists;
mod nodes;
mod rivals;
mod samples;

use std::{
    io::Write,
    sync::Arc,
    time::{Duration, Instant},
};

use rules::{Dice, Due, Record, Rules, Turn, chess::Chess};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use self::{
    clients::{Client, Server, Way, agon},
    samples::{Sample, Table, measure, measure_all, quantile, quantiles},
};

const PARTS: [&str; 10] = [
    "moves", "chess", "engine", "computer", "games", "dungeon", "league", "nodes", "lists", "pages",
];

/// `cargo bench -p agon -- dungeon` measures one part alone, `-- moves modern` moves that come in that way.
#[tokio::main]
async fn main() {
    // Cargo itself says --bench.
    let mut wishes = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (only, only_way) = (wishes.next(), wishes.next());
    if let Some(only) = only.as_deref().filter(|only| !PARTS.contains(only)) {
        eprintln!("{only} is no part of what is measured; the parts are {}", PARTS.join(", "));
        std::process::exit(2);
    }
    let ways = [Way::Plain, Way::Modern, Way::Legacy, Way::Stdio];
    let comes = |way: &Way| only_way.as_deref().is_none_or(|only| only == way.name());
    if !ways.iter().any(comes) {
        eprintln!("moves come in by {}", ways.map(Way::name).join(", "));
        std::process::exit(2);
    }
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    let mut table = Table::default();
    if wanted("moves") {
        for way in ways.into_iter().filter(comes) {
            cost_of_a_move(&mut table, way, &long_game()).await;
        }
    }
    if wanted("chess") {
        chess(&mut table).await;
    }
    if wanted("engine") {
        engine::strength(&mut table);
    }
    if wanted("computer") {
        computer::thinking(&mut table).await;
        computer::stopping(&mut table).await;
    }
    if wanted("games") {
        games::core(&mut table);
        games::search(&mut table);
        games::many_tables(&mut table).await;
    }
    if wanted("dungeon") {
        for way in [Way::Plain, Way::Modern, Way::Stdio] {
            dungeon::cost_of_a_round(&mut table, way).await;
        }
        dungeon::a_hundred_thousand_games(&mut table).await;
    }
    if wanted("league") {
        let ceiling = league::ceiling(&mut table).await;
        league::whole_leagues(&mut table);
        league::the_server_alone(&mut table, ceiling).await;
        league::one_who_thinks_long(&mut table).await;
        league::after_a_crash(&mut table).await;
    }
    if wanted("nodes") {
        nodes::moves(&mut table, &long_game()).await;
        nodes::wake_up(&mut table, &long_game()).await;
    }
    if wanted("lists") {
        lists::a_million_games(&mut table).await;
    }
    if wanted("pages") {
        a_thousand_spectators(&mut table, &long_game()).await;
        ten_thousand_games(&mut table).await;
        weights(&mut table).await;
    }
    table.finish();
}

async fn chess(table: &mut Table) {
    let line = long_game();
    core(table, &line);
    start_of_a_process(table).await;
    sixty_four_players(table, &line).await;
    a_thousand_waiters(table).await;
    for way in [Way::Plain, Way::Stdio] {
        let server = Server::start();
        let players = [Client::new(&server, way).await, Client::new(&server, way).await];
        let other = if way == Way::Stdio { "another" } else { "same" };
        wake_up(table, &format!("wake-up, {other} process"), players, &line).await;
    }
}

/// As long as most games get: forty moves of each side.
const PLIES: usize = 80;

/// A game of that length, played by the dice.
fn long_game() -> Arc<Vec<String>> {
    let game = (0..).map(random_game).find(|game| game.len() > PLIES);
    Arc::new(game.expect("some game goes on")[..PLIES].to_vec())
}

fn random_game(seed: u64) -> Vec<String> {
    let mut dice = Dice::new(seed, 0);
    let mut chess = Chess::start(&Default::default(), &mut dice).expect("the usual start");
    let mut line = Vec::new();
    while let Due::One(seat) = chess.due() {
        let legal = chess.legal(seat);
        let mv = legal[(dice.number() % legal.len() as u64) as usize];
        line.push(chess.write(&mv));
        chess.play(&[(seat, mv)], &mut dice);
    }
    line
}

/// Moves through the rules alone: checked, played, written.
fn core(table: &mut Table, line: &[String]) {
    let kind = rules::kind("chess").expect("chess is a kind");
    let started = Instant::now();
    let mut moves = 0;
    while started.elapsed() < Duration::from_secs(2) {
        let mut record = Record::start(kind, "{}", 1).expect("a game");
        for text in line {
            let Due::One(seat) = record.due() else { unreachable!("the game goes on") };
            let text = record.check(seat, text).expect("a legal move");
            let number = record.next_number();
            record.push(Turn::new(number, seat, text)).expect("a legal move");
            moves += 1;
        }
    }
    let rate = moves as f64 / started.elapsed().as_secs_f64();
    table.row("core", "moves/s through the rules alone, one thread", format!("{rate:.0}"));
}

/// So many times an echo and a move are measured beside each other.
const ROUNDS: usize = 9;

async fn cost_of_a_move(table: &mut Table, way: Way, line: &Arc<Vec<String>>) {
    let server = Server::start();
    let connections = if way == Way::Stdio { 1 } else { 16 };
    let calls = if way == Way::Stdio { 1500 } else { 600 };
    let mut players = Vec::new();
    for _ in 0..connections {
        players.push(Arc::new(Client::new(&server, way).await));
    }
    let pid = players[0].pid().unwrap_or(server.child.id());
    // Alternately, so that both meet the same machine. What else that does can make either of them
    // twice as dear for a second: the quotient is the one in the middle.
    let (mut echo, mut moves, mut quotients) = (Sample::default(), Sample::default(), Vec::new());
    for _ in 0..ROUNDS {
        let measured = measure(pid, &players, calls, |player, n| {
            let player = player.clone();
            async move {
                for _ in 0..n {
                    player.timed("test_simple_text", json!({})).await;
                }
            }
        });
        let (echoed, played) = (measured.await, measure_play(&[pid], &players, calls, line).await);
        quotients.push(played.cpu() / echoed.cpu());
        echo.add(echoed);
        moves.add(played);
    }
    quotients.sort_by(f64::total_cmp);
    let name = way.name();
    table.row(name, &format!("echo, {connections} connections"), echo.to_string());
    table.row(name, "durable finishTurn", moves.to_string());
    let [least, middle, most] = [0, ROUNDS / 2, ROUNDS - 1].map(|n| quotients[n]);
    let value = format!("{middle:.2} ({least:.2} to {most:.2} in {ROUNDS} rounds)");
    table.row(name, "finishTurn / echo, CPU", value);
}

/// What moves cost: each player makes so many, for both sides, in games that were made before.
async fn measure_play(
    pids: &[u32],
    players: &[Arc<Client>],
    moves: usize,
    line: &Arc<Vec<String>>,
) -> Sample {
    let mut games = Vec::new();
    for player in players {
        let mut own = Vec::new();
        for _ in 0..moves.div_ceil(line.len()) {
            own.push(player.both_seats().await);
        }
        games.push(own);
    }
    let mut games = games.into_iter();
    measure_all(pids, players, moves, |player, n| {
        let (player, line) = (player.clone(), line.clone());
        let games = games.next().expect("each player has games");
        async move {
            let moves = games.iter().flat_map(|passes| line.iter().zip(passes.iter().cycle()));
            for (mv, pass) in moves.take(n) {
                let call = json!({ "game_id": pass, "move": mv });
                let answer = player.timed("finishTurn", call).await;
                assert_eq!(answer["isError"], false, "{answer}");
            }
        }
    })
    .await
}

/// What a host waits for before its model can call anything, beside a process that only says its
/// version.
async fn start_of_a_process(table: &mut Table) {
    let server = Server::start();
    let (mut alone, mut connected) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        let started = Instant::now();
        let said = tokio::process::Command::new(agon()).arg("--version").output().await;
        assert!(said.is_ok_and(|said| said.status.success()));
        alone.push(started.elapsed());
        let started = Instant::now();
        let client = Client::new(&server, Way::Stdio).await;
        connected.push(started.elapsed());
        drop(client);
    }
    table.row("stdio", "agon --version, p50 and p99", quantiles(&mut alone));
    table.row("stdio", "from the start to the handshake, p50 and p99", quantiles(&mut connected));
    let ratio = quantile(&connected, 0.5).as_secs_f64() / quantile(&alone, 0.5).as_secs_f64();
    table.row("stdio", "handshake / --version, p50", format!("{ratio:.2}"));
}

async fn sixty_four_players(table: &mut Table, line: &Arc<Vec<String>>) {
    let server = Server::start();
    let mut players = Vec::new();
    for _ in 0..64 {
        players.push(Arc::new(Client::new(&server, Way::Plain).await));
    }
    let mut all = Sample::default();
    for _ in 0..3 {
        all.add(measure_play(&[server.child.id()], &players, 300, line).await);
    }
    table.row(
        "64 players",
        "durable moves/s, client on the same cores",
        format!("{:.0}", all.rate()),
    );
    table.row("64 players", "durable finishTurn", all.to_string());
}

async fn a_thousand_waiters(table: &mut Table) {
    for way in [Way::Plain, Way::Legacy] {
        let server = Server::start();
        let host = Client::new(&server, Way::Plain).await;
        let [white, black] = host.both_seats().await;
        let before = server.resident_kib();
        let mut clients = Vec::new();
        for _ in 0..1000 {
            clients.push(Client::new(&server, way).await);
        }
        let mut waiting = JoinSet::new();
        for client in clients {
            let black = black.clone();
            waiting.spawn(async move {
                client.call("waitForNextTurn", json!({ "game_id": black })).await;
                Instant::now()
            });
        }
        // They have all arrived when the server's count of them says so; it has none, so look
        // for its memory to stop growing.
        let mut during = 0;
        loop {
            tokio::time::sleep(Duration::from_millis(500)).await;
            let now = server.resident_kib();
            if now == during {
                break;
            }
            during = now;
        }
        let moved = Instant::now();
        host.call("finishTurn", json!({ "game_id": white, "move": "e2e4" })).await;
        let last = waiting.join_all().await.into_iter().max().expect("a thousand");
        let name = format!("1,000 waiters, {}", way.name());
        let (before, during) = (before / 1024, during / 1024);
        table.row(&name, "memory before and with them", format!("{before} MiB, {during} MiB"));
        let all = last.duration_since(moved).as_secs_f64() * 1000.0;
        table.row(&name, "from the move to the last answer", format!("{all:.0} ms"));
    }
}

async fn wake_up(table: &mut Table, name: &str, players: [Client; 2], line: &[String]) {
    let [white, black] = players;
    let created = white.call("createGame", json!({ "type": "agent", "board": "fen" })).await;
    let id = created["structuredContent"]["game_id"].clone();
    let joined = black.call("joinGame", json!({ "game_id": id, "board": "fen" })).await;
    let pass = |answer: &Value| answer["structuredContent"]["pass"].clone();
    let players = [(Arc::new(white), pass(&created)), (Arc::new(black), pass(&joined))];
    let mut woken = Vec::new();
    for (n, mv) in line.iter().enumerate() {
        let (mover, waiter) = (&players[n % 2], &players[(n + 1) % 2]);
        let waiting = tokio::spawn({
            let (client, pass) = waiter.clone();
            async move {
                client.call("waitForNextTurn", json!({ "game_id": pass })).await;
                Instant::now()
            }
        });
        // The waiter must be there before the move.
        tokio::time::sleep(Duration::from_millis(5)).await;
        mover.0.call("finishTurn", json!({ "game_id": mover.1, "move": mv })).await;
        let answered = Instant::now();
        woken.push(waiting.await.expect("it wakes").saturating_duration_since(answered));
    }
    table.row(name, "after the mover's own answer, p50 and p99", quantiles(&mut woken));
}

async fn a_thousand_spectators(table: &mut Table, line: &[String]) {
    let server = Server::start();
    let host = Client::new(&server, Way::Plain).await;
    let passes = host.both_seats().await;
    let game = text(&passes[0])[..8].to_owned();
    let before = server.resident_kib() / 1024;
    let url = format!("{}/api/games/{game}/events", server.url.trim_end_matches("/mcp"));
    let mut streams = Vec::new();
    for _ in 0..1000 {
        let mut stream = host.http.get(&url).send().await.expect("a stream");
        read_event(&mut stream).await;
        streams.push(stream);
    }
    let during = server.resident_kib() / 1024;
    let mut reached = Vec::new();
    for (mv, pass) in line.iter().zip(passes.iter().cycle()).take(10) {
        let moved = Instant::now();
        host.call("finishTurn", json!({ "game_id": pass, "move": mv })).await;
        let mut reading = JoinSet::new();
        for mut stream in streams.drain(..) {
            reading.spawn(async move {
                read_event(&mut stream).await;
                stream
            });
        }
        streams = reading.join_all().await;
        reached.push(moved.elapsed());
    }
    let name = "1,000 spectators of one game";
    table.row(name, "memory before and with them", format!("{before} MiB, {during} MiB"));
    table.row(name, "from a move to the last of them, p50 and p99", quantiles(&mut reached));
}

/// Reads until an event is complete.
async fn read_event(stream: &mut reqwest::Response) {
    let mut seen = Vec::new();
    while !seen.ends_with(b"\n\n") {
        let chunk = stream.chunk().await.expect("the stream goes on");
        seen.extend_from_slice(&chunk.expect("the stream goes on"));
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

async fn ten_thousand_games(table: &mut Table) {
    let server = Server::start();
    let host = Arc::new(Client::new(&server, Way::Plain).await);
    let mut creating = JoinSet::new();
    for _ in 0..16 {
        let host = host.clone();
        creating.spawn(async move {
            for _ in 0..625 {
                let [white, _] = host.both_seats().await;
                host.call("finishTurn", json!({ "game_id": white, "move": "e2e4" })).await;
            }
        });
    }
    creating.join_all().await;
    let url = format!("{}/api/games?limit=50", server.url.trim_end_matches("/mcp"));
    let mut times = Vec::new();
    for _ in 0..100 {
        let started = Instant::now();
        let page = host.http.get(&url).send().await.expect("a page").bytes().await;
        assert!(page.is_ok_and(|page| page.len() > 5000));
        times.push(started.elapsed());
    }
    table.row("10,000 games", "first page of the list, p50 and p99", quantiles(&mut times));
}

/// What a browser fetches before it shows the dashboard, and what a chat host fetches.
async fn weights(table: &mut Table) {
    let server = Server::start();
    let host = Client::new(&server, Way::Plain).await;
    let site = server.url.trim_end_matches("/mcp");
    let fetch = async |path: &str| {
        let page = host.http.get(format!("{site}{path}")).send().await.expect("a page");
        page.text().await.expect("a page")
    };
    let page = fetch("/").await;
    let mut parts = vec![page.clone()];
    for (at, _) in page.match_indices("/assets/") {
        parts.push(fetch(page[at..].split('"').next().expect("an address")).await);
    }
    let read = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read",
        "params": { "uri": "ui://chess/board" } });
    let board = host.http.post(&server.url).json(&read).send().await.expect("the board");
    let board: Value = board.json().await.expect("JSON");
    let board = text(&board["result"]["contents"][0]["text"]).to_owned();
    for (name, parts) in [("dashboard, first view", parts), ("chat board", vec![board])] {
        let raw: usize = parts.iter().map(String::len).sum();
        let zipped: usize = parts.iter().map(|part| gzipped(part)).sum();
        let value = format!("{:.0} kB, {:.0} kB", raw as f64 / 1000.0, zipped as f64 / 1000.0);
        table.row(name, "weight, and gzipped", value);
    }
}

fn gzipped(text: &str) -> usize {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).expect("memory can be written");
    gzip.finish().expect("memory can be written").len()
}
