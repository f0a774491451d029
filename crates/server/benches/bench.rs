//! `make bench`: what a durable move costs, beside a tool of the same server that only echoes.
//!
//! Everything is measured in one run on one machine, so the ratios mean something where the
//! numbers do not. One table is printed and written to `target/bench.md`.

use std::{
    fmt::Write as _,
    fs,
    io::{BufRead, BufReader, Write as _},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use rmcp::{
    RoleClient,
    model::{
        CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation, ProtocolVersion,
    },
    service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use rules::{Dice, Due, Record, Rules, Turn, chess::Chess};
use serde_json::{Value, json};
use tokio::task::JoinSet;

const AGON: &str = env!("CARGO_BIN_EXE_agon");

#[tokio::main]
async fn main() {
    let line = long_game();
    let mut table = Table::default();
    core(&mut table, &line);
    for way in [Way::Plain, Way::Modern, Way::Legacy, Way::Stdio] {
        cost_of_a_move(&mut table, way, &line).await;
    }
    sixty_four_players(&mut table, &line).await;
    a_thousand_waiters(&mut table).await;
    wake_up(&mut table, Way::Plain, &line).await;
    wake_up(&mut table, Way::Stdio, &line).await;
    a_thousand_spectators(&mut table, &line).await;
    ten_thousand_games(&mut table).await;
    weights(&mut table).await;
    table.finish();
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
            record.push(Turn { number, seat, text }).expect("a legal move");
            moves += 1;
        }
    }
    let rate = moves as f64 / started.elapsed().as_secs_f64();
    table.row("core", "moves/s through the rules alone, one thread", format!("{rate:.0}"));
}

async fn cost_of_a_move(table: &mut Table, way: Way, line: &Arc<Vec<String>>) {
    let server = Server::start();
    let connections = if way == Way::Stdio { 1 } else { 16 };
    let calls = if way == Way::Stdio { 3000 } else { 1000 };
    let mut players = Vec::new();
    for _ in 0..connections {
        players.push(Arc::new(Client::new(&server, way).await));
    }
    let pid = players[0].pid().unwrap_or(server.child.id());
    // Alternately, so that both meet the same machine.
    let (mut echo, mut moves) = (Sample::default(), Sample::default());
    for _ in 0..3 {
        let measured = measure(pid, &players, calls, |player, n| {
            let player = player.clone();
            async move {
                for _ in 0..n {
                    player.timed("test_simple_text", json!({})).await;
                }
            }
        });
        echo.add(measured.await);
        let line = line.clone();
        let measured = measure(pid, &players, calls, move |player, n| {
            let (player, line) = (player.clone(), line.clone());
            async move { play(&player, &line, n).await }
        });
        moves.add(measured.await);
    }
    let name = format!("{way:?}").to_lowercase();
    table.row(&name, &format!("echo, {connections} connections"), echo.to_string());
    table.row(&name, "durable finishTurn", moves.to_string());
    table.row(&name, "finishTurn / echo, CPU", format!("{:.2}", moves.cpu() / echo.cpu()));
}

/// Plays `moves` moves, for both sides, in as many games as it takes.
async fn play(player: &Client, line: &[String], moves: usize) {
    let mut left = moves;
    while left > 0 {
        let passes = player.both_seats().await;
        for (mv, pass) in line.iter().zip(passes.iter().cycle()).take(left) {
            let answer = player.timed("finishTurn", json!({ "game_id": pass, "move": mv })).await;
            assert_eq!(answer["isError"], false, "{answer}");
        }
        left = left.saturating_sub(line.len());
    }
}

async fn sixty_four_players(table: &mut Table, line: &Arc<Vec<String>>) {
    let server = Server::start();
    let mut players = Vec::new();
    for _ in 0..64 {
        players.push(Arc::new(Client::new(&server, Way::Plain).await));
    }
    let mut all = Sample::default();
    for _ in 0..3 {
        let line = line.clone();
        let measured = measure(server.child.id(), &players, 300, move |player, n| {
            let (player, line) = (player.clone(), line.clone());
            async move { play(&player, &line, n).await }
        });
        all.add(measured.await);
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
        let name = format!("1,000 waiters, {}", format!("{way:?}").to_lowercase());
        let (before, during) = (before / 1024, during / 1024);
        table.row(&name, "memory before and with them", format!("{before} MiB, {during} MiB"));
        let all = last.duration_since(moved).as_secs_f64() * 1000.0;
        table.row(&name, "from the move to the last answer", format!("{all:.0} ms"));
    }
}

async fn wake_up(table: &mut Table, way: Way, line: &[String]) {
    let server = Server::start();
    let (white, black) = (Client::new(&server, way).await, Client::new(&server, way).await);
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
    let name = if way == Way::Stdio { "wake-up, another process" } else { "wake-up, same process" };
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

fn quantiles(times: &mut [Duration]) -> String {
    times.sort();
    let at = |q: f64| times[((times.len() - 1) as f64 * q) as usize].as_secs_f64() * 1000.0;
    format!("{:.2} ms, {:.2} ms", at(0.5), at(0.99))
}

/// Runs `work` on all players at once; the server's CPU, the time it took, and each call's.
async fn measure<F, W>(pid: u32, players: &[Arc<Client>], calls: usize, work: F) -> Sample
where
    F: Fn(&Arc<Client>, usize) -> W,
    W: Future<Output = ()> + Send + 'static,
{
    for player in players {
        player.times.lock().await.clear();
    }
    let (cpu, started) = (cpu_time(pid), Instant::now());
    let mut running = JoinSet::new();
    for player in players {
        running.spawn(work(player, calls));
    }
    running.join_all().await;
    let mut sample = Sample {
        calls: calls * players.len(),
        elapsed: started.elapsed(),
        cpu: cpu_time(pid) - cpu,
        times: Vec::new(),
    };
    for player in players {
        sample.times.append(&mut *player.times.lock().await);
    }
    sample
}

#[derive(Default)]
struct Sample {
    calls: usize,
    elapsed: Duration,
    cpu: Duration,
    times: Vec<Duration>,
}

impl Sample {
    fn add(&mut self, other: Sample) {
        self.calls += other.calls;
        self.elapsed += other.elapsed;
        self.cpu += other.cpu;
        self.times.extend(other.times);
    }

    /// Microseconds of the server's CPU per call.
    fn cpu(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.calls as f64
    }

    fn rate(&self) -> f64 {
        self.calls as f64 / self.elapsed.as_secs_f64()
    }
}

impl std::fmt::Display for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let times = quantiles(&mut self.times.clone());
        write!(f, "{:.0} µs CPU, {:.0}/s, p50 and p99 {times}", self.cpu(), self.rate())
    }
}

fn cpu_time(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the server runs");
    let (_, fields) = stat.rsplit_once(')').expect("a stat line");
    let tick = |n: usize| fields.split_whitespace().nth(n).and_then(|f| f.parse::<u64>().ok());
    // Clock ticks are hundredths of a second on Linux.
    Duration::from_millis(10 * (tick(11).unwrap_or(0) + tick(12).unwrap_or(0)))
}

struct Server {
    child: Child,
    url: String,
    folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(AGON)
            .args(["serve", "--listen", "127.0.0.1:0", "--no-browser", "--conformance-fixtures"])
            .args(["--wait-seconds", "30", "--store", &store(&folder)])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agon starts");
        let mut lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
        let first = lines.next().expect("a line").expect("a line");
        let (_, rest) = first.split_once("listens on ").expect("an address");
        let url = format!("{}/mcp", rest.split(' ').next().expect("an address"));
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, url, folder }
    }

    fn resident_kib(&self) -> u64 {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("status");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
        line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn store(folder: &tempfile::TempDir) -> String {
    format!("sqlite:{}", folder.path().join("bench.db").display())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Plain,
    Modern,
    Legacy,
    Stdio,
}

struct Client {
    kind: Kind,
    http: reqwest::Client,
    url: String,
    times: tokio::sync::Mutex<Vec<Duration>>,
}

enum Kind {
    Mcp(RunningService<RoleClient, ClientConfig>, Option<u32>),
    Plain,
}

impl Client {
    async fn new(server: &Server, way: Way) -> Client {
        let initialize = ClientLifecycleMode::Initialize;
        let modern = ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        };
        let kind = match way {
            Way::Plain => Kind::Plain,
            Way::Modern => Kind::Mcp(over_http(&server.url, modern).await, None),
            Way::Legacy => Kind::Mcp(over_http(&server.url, initialize).await, None),
            Way::Stdio => {
                let mut command = tokio::process::Command::new(AGON);
                command
                    .args(["--listen", "127.0.0.1:0", "--no-browser", "--conformance-fixtures"])
                    .args(["--wait-seconds", "30", "--store", &store(&server.folder)])
                    .stderr(Stdio::null());
                let (process, _) = TokioChildProcess::builder(command)
                    .stderr(Stdio::null())
                    .spawn()
                    .expect("agon starts");
                let pid = process.id();
                let client = serve_client_with_lifecycle(config(), process, initialize).await;
                Kind::Mcp(client.expect("it connects"), pid)
            }
        };
        let (http, url) = (reqwest::Client::new(), server.url.clone());
        Client { kind, http, url, times: Default::default() }
    }

    fn pid(&self) -> Option<u32> {
        match &self.kind {
            Kind::Mcp(_, pid) => *pid,
            Kind::Plain => None,
        }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        match &self.kind {
            Kind::Mcp(client, _) => {
                let mut call = CallToolRequestParams::new(tool.to_owned());
                call.arguments = arguments.as_object().cloned();
                let result = client.call_tool(call).await.expect("an answer");
                serde_json::to_value(result).expect("JSON")
            }
            Kind::Plain => post(&self.http, &self.url, tool, arguments).await,
        }
    }

    async fn timed(&self, tool: &str, arguments: Value) -> Value {
        let started = Instant::now();
        let answer = self.call(tool, arguments).await;
        self.times.lock().await.push(started.elapsed());
        answer
    }

    /// A new game's two passes, white's first. Arranged by a stranger, since a session that
    /// creates a game cannot take the other seat too.
    async fn both_seats(&self) -> [Value; 2] {
        let arrange = async |tool: &str, arguments: Value| {
            let answer = post(&self.http, &self.url, tool, arguments).await;
            answer["structuredContent"].clone()
        };
        let created = arrange("createGame", json!({ "type": "agent" })).await;
        let joined = arrange("joinGame", json!({ "game_id": created["game_id"] })).await;
        [created["pass"].clone(), joined["pass"].clone()]
    }
}

async fn post(http: &reqwest::Client, url: &str, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let answer = http.post(url).json(&call).send().await.expect("an answer");
    answer.json::<Value>().await.expect("JSON")["result"].take()
}

async fn over_http(
    url: &str,
    lifecycle: ClientLifecycleMode,
) -> RunningService<RoleClient, ClientConfig> {
    let transport = StreamableHttpClientTransport::from_uri(url);
    serve_client_with_lifecycle(config(), transport, lifecycle).await.expect("it connects")
}

fn config() -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("bench", "1"))
}

#[derive(Default)]
struct Table(String);

impl Table {
    fn row(&mut self, what: &str, measure: &str, value: String) {
        eprintln!("{what}: {measure}: {value}");
        let _ = writeln!(self.0, "| {what} | {measure} | {value} |");
    }

    fn finish(self) {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let table = format!("| {cores} cores | measure | value |\n|---|---|---|\n{}", self.0);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench.md");
        fs::write(path, &table).expect("the table is written");
        eprintln!("\n{table}");
    }
}
