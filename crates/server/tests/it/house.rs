//! A server to play on: the program itself, in a folder of its own; or, if AGON_TEST_NODES says
//! so, several of them on one Postgres behind a balancer that sends every request anywhere.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::json;
use tempfile::TempDir;
use tokio::sync::{oneshot, watch};

use crate::{
    balancer::Balancer,
    cluster::Cluster,
    crowd::{Sql, crowd},
    players::Player,
};

/// Shared, because a client takes long to make.
static HTTP: LazyLock<reqwest::Client> = LazyLock::new(reqwest::Client::new);

pub const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// Longer than anything takes that is not stuck, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until the condition holds.
#[track_caller]
pub fn until(mut holds: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    found(async move || holds().await.then_some(()))
}

/// Waits until there is an answer, looking for it 50 times a second.
#[track_caller]
pub fn found<T>(mut look: impl AsyncFnMut() -> Option<T>) -> impl Future<Output = T> {
    let (place, end) = (std::panic::Location::caller(), Instant::now() + PATIENCE);
    async move {
        loop {
            if let Some(answer) = look().await {
                return answer;
            }
            assert!(Instant::now() < end, "{place} waited in vain for {PATIENCE:?}");
            pause().await;
        }
    }
}

/// Waits until the answer of this address has this status.
#[track_caller]
pub fn answers(url: &str, status: u16) -> impl Future<Output = ()> {
    until(async move || reqwest::get(url).await.is_ok_and(|answer| answer.status() == status))
}

/// Waits before something is looked at again.
pub async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// Where a house keeps its games.
#[derive(Clone)]
pub enum Shelf {
    Sqlite(Arc<TempDir>),
    Postgres(Arc<Cluster>),
}

pub struct House {
    nodes: Vec<Node>,
    pub address: String,
    balancer: Option<Balancer>,
    shelf: Shelf,
    args: Vec<String>,
}

pub struct Node {
    child: Child,
    pub address: String,
    /// What it has said on stderr so far, and who listens.
    log: watch::Receiver<String>,
    listening: Option<JoinHandle<()>>,
}

impl House {
    pub async fn open() -> House {
        House::with(&[]).await
    }

    pub async fn with(args: &[&str]) -> House {
        let nodes = std::env::var("AGON_TEST_NODES").ok().and_then(|nodes| nodes.parse().ok());
        match nodes {
            Some(nodes) => House::of_nodes(nodes, args).await,
            None => House::start(Shelf::file(), 1, args).await,
        }
    }

    /// One server with its games in a file, whatever the others have.
    pub async fn in_a_file() -> House {
        House::alone(&[]).await
    }

    /// One server with flags of its own, and variables of its own like "AGON_TOYS=1" among them.
    pub async fn alone(args: &[&str]) -> House {
        House::start(Shelf::file(), 1, args).await
    }

    /// One server that listens there, whatever the others do.
    pub async fn at(listen: &str, args: &[&str]) -> House {
        let args: Vec<String> = args.iter().map(|s| (*s).to_owned()).collect();
        let shelf = Shelf::file();
        let node = Node::start(&shelf, listen, &args).await;
        let address = node.address.clone();
        House { nodes: vec![node], address, balancer: None, shelf, args }
    }

    /// So many nodes on one Postgres, behind one address.
    pub async fn of_nodes(nodes: usize, args: &[&str]) -> House {
        House::start(Shelf::Postgres(Cluster::database().into()), nodes, args).await
    }

    /// So many nodes on that Postgres.
    pub async fn on(cluster: Cluster, nodes: usize) -> House {
        House::start(Shelf::Postgres(cluster.into()), nodes, &[]).await
    }

    /// The address of its store.
    pub fn store(&self) -> String {
        self.shelf.address()
    }

    async fn start(shelf: Shelf, nodes: usize, args: &[&str]) -> House {
        let mut args: Vec<String> = args.iter().map(|s| (*s).to_owned()).collect();
        let (nodes, address, balancer) = match nodes {
            1 => {
                let node = Node::start(&shelf, "127.0.0.1:0", &args).await;
                let address = node.address.clone();
                (vec![node], address, None)
            }
            _ => {
                let (balancer, address) = Balancer::open();
                args.extend(["--url".into(), format!("http://{address}")]);
                let nodes = Node::several(&shelf, nodes, &args).await;
                balancer.set(nodes.iter().map(|node| node.address.clone()).collect());
                (nodes, address.to_string(), Some(balancer))
            }
        };
        House { nodes, address, balancer, shelf, args }
    }

    pub fn url(&self) -> String {
        self.page("/mcp")
    }

    pub fn page(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// `kill -9`, then the same command again on the same store and port.
    pub async fn crash_and_restart(&mut self) {
        self.kill();
        self.restart().await;
    }

    /// Starts it again after its end, with more flags.
    pub async fn restart_with(&mut self, args: &[&str]) {
        self.args.extend(args.iter().map(|arg| (*arg).to_owned()));
        self.restart().await;
    }

    pub async fn restart(&mut self) {
        match &self.balancer {
            None => {
                self.nodes = vec![Node::start(&self.shelf, &self.address, &self.args).await];
            }
            Some(balancer) => {
                self.nodes = Node::several(&self.shelf, self.nodes.len(), &self.args).await;
                balancer.set(self.nodes.iter().map(|node| node.address.clone()).collect());
            }
        }
    }

    pub fn kill(&mut self) {
        self.nodes.iter_mut().for_each(Node::kill);
    }

    /// `kill -9` for one node, for good.
    pub fn kill_node(&mut self, index: usize) {
        self.nodes[index].kill();
    }

    /// `kill -9` for one node, and a new one in its place.
    pub async fn replace(&mut self, index: usize) {
        self.nodes[index].kill();
        self.nodes[index] = Node::start(&self.shelf, "127.0.0.1:0", &self.args).await;
        let balancer = self.balancer.as_ref().expect("there are several nodes");
        balancer.set(self.nodes.iter().map(|node| node.address.clone()).collect());
    }

    /// Asks the server to stop, as a service manager would.
    pub fn stop(&mut self) -> ExitStatus {
        self.nodes.iter_mut().map(Node::stop).last().expect("there is a node")
    }

    /// Asks the one server to stop, and returns what it has said since it was there.
    pub fn close(mut self) -> Vec<String> {
        let mut node = self.nodes.pop().expect("there is a node");
        assert!(node.stop().success());
        let listening = node.listening.take().expect("it is closed once");
        listening.join().expect("stderr can be read");
        node.log.borrow().lines().map(str::to_owned).collect()
    }

    /// Another server on the same store.
    pub async fn beside(&self) -> House {
        let args: Vec<_> = self.args.iter().map(String::as_str).collect();
        House::start(self.shelf.clone(), 1, &args).await
    }

    /// Waits for a line of its log that holds all of these.
    pub async fn logs(&self, parts: &[&str]) {
        let says =
            |log: &String| log.lines().any(|line| parts.iter().all(|part| line.contains(part)));
        let logs = self.nodes.iter().map(|node| node.log.clone());
        let waiting = logs.map(|mut log| Box::pin(async move { log.wait_for(says).await.is_ok() }));
        let (said, _, _) = futures_util::future::select_all(waiting).await;
        assert!(said, "it ended without saying {parts:?}");
    }

    /// A figure of /metrics, with these labels if any, over all nodes together.
    pub async fn figure(&self, name: &str, label: &str) -> f64 {
        let mut sum = 0.;
        for node in &self.nodes {
            sum += figure(&node.address, name, label).await;
        }
        sum
    }

    /// A player without a session at one of the nodes.
    pub fn player(&self, node: usize) -> Player {
        let url = format!("http://{}/mcp", self.nodes[node].address);
        Player::Plain { http: reqwest::Client::new(), url }
    }

    /// The answer to the first message of a client with a session.
    pub async fn shake_hands(&self, name: &str) -> reqwest::Response {
        let hello = json!({ "jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": name, "version": "1" } } });
        let request = HTTP.post(self.url()).json(&hello);
        let request = request.header("accept", "application/json, text/event-stream");
        request.send().await.expect("an answer")
    }

    /// The one server's process.
    pub fn pid(&self) -> u32 {
        self.nodes[0].child.id()
    }

    /// All that is on disk, with what is still in the write-ahead log.
    pub fn stored_bytes(&self) -> Vec<u8> {
        match &self.shelf {
            Shelf::Sqlite(folder) => {
                let read = |name| std::fs::read(folder.path().join(name)).unwrap_or_default();
                [read("agon.db"), read("agon.db-wal")].concat()
            }
            Shelf::Postgres(cluster) => cluster.everything().into_bytes(),
        }
    }

    /// The turns of a game as the store has them.
    pub fn turns(&self, game: &str) -> Vec<(u32, String)> {
        let game = number(game);
        let sql =
            format!("select number || ' ' || move from turns where game = {game} order by number");
        let turn = |line: String| {
            let (number, text) = line.split_once(' ').expect("a number and a move");
            (number.parse().expect("a number"), text.to_owned())
        };
        self.ask(&sql).into_iter().map(turn).collect()
    }

    /// What a game's chance comes from.
    pub fn seed(&self, game: &str) -> u64 {
        let seed = self.ask(&format!("select seed || '' from games where id = {}", number(game)));
        seed[0].parse::<i64>().expect("a seed") as u64
    }

    /// Puts another answer into a game's log.
    pub fn spoil_a_report(&self, game: &str) {
        let game = number(game);
        let sql = format!(
            "update turns set report = '{{\"message\":\"a lie\"}}'
             where game = {game} and number = 1 returning 'done'"
        );
        assert_eq!(self.ask(&sql).len(), 1);
    }

    /// Everything that was played was played so many milliseconds earlier.
    pub fn wind_back(&self, milliseconds: u64) {
        self.ask(&format!("update turns set at = at - {milliseconds} returning 'done'"));
        self.ask(&format!("update games set last_at = last_at - {milliseconds} returning 'done'"));
    }

    /// One column of text.
    pub fn ask(&self, sql: &str) -> Vec<String> {
        match &self.shelf {
            Shelf::Sqlite(folder) => {
                let db = rusqlite::Connection::open(folder.path().join("agon.db"));
                let db = db.expect("the store");
                let mut statement = db.prepare(sql).expect("the store can be asked");
                let rows = statement.query_map([], |row| row.get(0)).expect("an answer");
                rows.collect::<Result<_, _>>().expect("text")
            }
            Shelf::Postgres(cluster) => cluster.ask(sql),
        }
    }

    /// Fills the store with that many games at once.
    pub fn crowd(&self, games: u32) {
        match &self.shelf {
            Shelf::Sqlite(folder) => {
                let db = rusqlite::Connection::open(folder.path().join("agon.db"));
                let crowd = format!("begin; {} commit;", crowd(Sql::Sqlite, games));
                db.expect("the store").execute_batch(&crowd).expect("a crowd");
            }
            Shelf::Postgres(cluster) => drop(cluster.ask(&crowd(Sql::Postgres, games))),
        }
    }

    /// The Postgres this house is on.
    pub fn cluster(&self) -> Arc<Cluster> {
        match &self.shelf {
            Shelf::Postgres(cluster) => cluster.clone(),
            Shelf::Sqlite(_) => panic!("this house keeps its games in a file"),
        }
    }

    /// Nodes are told nothing of each other, for as long as the answer is held: their line to it is
    /// cut whenever it is mended.
    pub fn deafen(&self) -> Deaf {
        let stop = Arc::new(AtomicBool::new(false));
        let (cutting, cluster) = (stop.clone(), self.cluster());
        let (cuts, cut) = mpsc::channel();
        let cutter = thread::spawn(move || {
            let cut = "select pg_terminate_backend(pid) from pg_stat_activity
                       where datname = current_database() and application_name = 'agon listens'";
            while !cutting.load(Ordering::Relaxed) {
                if !cluster.ask(cut).is_empty() {
                    let _ = cuts.send(());
                }
            }
        });
        cut.recv().expect("it is cut");
        Deaf { stop, cutter: Some(cutter) }
    }

    /// Plays a game over again from its log: every answer holds.
    #[track_caller]
    pub fn verifies(&self, game: &str) {
        let output = self.neighbour().args(["verify", game]).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("every answer holds"), "{said}");
    }

    /// Another `agon` that keeps its games in the same store.
    pub fn neighbour(&self) -> Command {
        let mut command = self.shelf.command();
        command.envs(self.args.iter().filter_map(|arg| variable(arg)));
        command
    }
}

/// The name and the value of a variable among the flags.
fn variable(arg: &str) -> Option<(&str, &str)> {
    arg.split_once('=').filter(|(name, _)| name.starts_with("AGON_"))
}

impl Node {
    async fn several(shelf: &Shelf, nodes: usize, args: &[String]) -> Vec<Node> {
        let nodes = (0..nodes).map(|_| Node::start(shelf, "127.0.0.1:0", args));
        futures_util::future::join_all(nodes).await
    }

    async fn start(shelf: &Shelf, listen: &str, args: &[String]) -> Node {
        let mut child = shelf
            .command()
            .args(["serve", "--listen", listen])
            .args(args.iter().filter(|arg| variable(arg).is_none()))
            .envs(args.iter().filter_map(|arg| variable(arg)))
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agon starts");
        let (tell, told) = oneshot::channel();
        let (tell_log, log) = watch::channel(String::new());
        let stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
        let listening = thread::spawn(move || {
            let mut tell = Some(tell);
            for line in stderr.lines().map_while(Result::ok) {
                let address = line.split_once("listens on http://").map(|(_, rest)| rest);
                let address = address.and_then(|rest| rest.split(' ').next());
                match (address, tell.take()) {
                    (Some(address), Some(tell)) => drop(tell.send(address.to_owned())),
                    (_, waiting) => {
                        eprintln!("agon says: {line}");
                        tell_log.send_modify(|log| log.extend([line.as_str(), "\n"]));
                        tell = waiting;
                    }
                }
            }
        });
        let address = told.await.expect("agon says where it listens");
        Node { child, address, log, listening: Some(listening) }
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server ends");
    }

    fn stop(&mut self) -> ExitStatus {
        let pid = self.child.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs");
        assert!(killed.success());
        self.child.wait().expect("the server ends")
    }
}

pub struct Deaf {
    stop: Arc<AtomicBool>,
    cutter: Option<JoinHandle<()>>,
}

impl Drop for Deaf {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let cutter = self.cutter.take().map(JoinHandle::join);
        assert!(thread::panicking() || matches!(cutter, Some(Ok(()))), "they could hear");
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Shelf {
    fn file() -> Shelf {
        Shelf::Sqlite(tempfile::tempdir().expect("a temporary folder").into())
    }

    fn address(&self) -> String {
        match self {
            Shelf::Sqlite(folder) => file_in(folder),
            Shelf::Postgres(cluster) => cluster.address(),
        }
    }

    fn command(&self) -> Command {
        on_store(&self.address())
    }
}

/// A figure that the process at this address tells.
pub async fn figure(address: &str, name: &str, label: &str) -> f64 {
    let metrics = reqwest::get(format!("http://{address}/metrics")).await.expect("an answer");
    let metrics = metrics.text().await.expect("text");
    let named = |line: &&str| line.starts_with(&format!("{name}{{")) && line.contains(label);
    let value = |line: &str| line.rsplit(' ').next()?.parse::<f64>().ok();
    metrics.lines().filter(named).filter_map(value).sum()
}

fn number(game: &str) -> u32 {
    u32::from_str_radix(game, 16).expect("an id")
}

/// `agon` with its store in `folder` and nothing taken from this machine's environment.
pub fn command(folder: &TempDir) -> Command {
    on_store(&file_in(folder))
}

fn file_in(folder: &TempDir) -> String {
    format!("sqlite:{}", folder.path().join("agon.db").display())
}

fn on_store(address: &str) -> Command {
    let mut command = Command::new(AGON);
    command.args(["--store", address, "--no-browser"]);
    command
}
