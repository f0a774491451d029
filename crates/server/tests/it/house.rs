//! A server to play on: the program itself, in a folder of its own.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, ExitStatus, Stdio},
    sync::Arc,
    thread,
};

use tempfile::TempDir;
use tokio::sync::{oneshot, watch};

pub const AGON: &str = env!("CARGO_BIN_EXE_agon");

pub struct House {
    child: Child,
    pub address: String,
    dungeon: watch::Receiver<Option<String>>,
    folder: Arc<TempDir>,
    args: Vec<String>,
}

impl House {
    pub async fn open() -> House {
        House::with(&[]).await
    }

    pub async fn with(args: &[&str]) -> House {
        let args = args.iter().map(|s| (*s).to_owned()).collect();
        let folder = Arc::new(tempfile::tempdir().expect("a temporary folder"));
        House::start(folder, "127.0.0.1:0", args).await
    }

    async fn start(folder: Arc<TempDir>, listen: &str, args: Vec<String>) -> House {
        let mut child = command(&folder)
            .args(["serve", "--listen", listen])
            .args(&args)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agon starts");
        let (tell, told) = oneshot::channel();
        let (tell_dungeon, dungeon) = watch::channel(None);
        let stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
        thread::spawn(move || {
            let mut tell = Some(tell);
            for line in stderr.lines().map_while(Result::ok) {
                let address = line.split_once("listens on http://").map(|(_, rest)| rest);
                let address = address.and_then(|rest| rest.split(' ').next());
                if line.starts_with("the dungeon") {
                    tell_dungeon.send_replace(address.map(str::to_owned));
                    continue;
                }
                match (address, tell.take()) {
                    (Some(address), Some(tell)) => drop(tell.send(address.to_owned())),
                    (_, waiting) => {
                        eprintln!("agon says: {line}");
                        tell = waiting;
                    }
                }
            }
        });
        let address = told.await.expect("agon says where it listens");
        House { child, address, dungeon, folder, args }
    }

    pub fn url(&self) -> String {
        self.page("/mcp")
    }

    pub fn page(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// `kill -9`, then the same command again on the same store and port.
    pub async fn crash_and_restart(&mut self) {
        self.kill();
        self.restart().await;
    }

    pub async fn restart(&mut self) {
        let again = House::start(self.folder.clone(), &self.address, self.args.clone()).await;
        *self = again;
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server ends");
    }

    /// Asks the server to stop, as a service manager would.
    pub fn stop(&mut self) -> ExitStatus {
        let pid = self.child.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs");
        assert!(killed.success());
        self.child.wait().expect("the server ends")
    }

    /// All that is on disk, with what is still in the write-ahead log.
    pub fn stored_bytes(&self) -> Vec<u8> {
        let read = |name| std::fs::read(self.folder.path().join(name)).unwrap_or_default();
        [read("agon.db"), read("agon.db-wal")].concat()
    }

    /// The turns of a game as the store has them.
    pub fn turns(&self, game: &str) -> Vec<(u32, String)> {
        let db = self.db();
        let sql = "select number, move from turns where game = ? order by number";
        let mut statement = db.prepare(sql).expect("the store can be read");
        let rows = statement.query_map([number(game)], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.expect("turns").collect::<Result<_, _>>().expect("turns")
    }

    /// Where the dungeon alone is offered.
    pub async fn dungeon_address(&self) -> String {
        let mut told = self.dungeon.clone();
        let address = told.wait_for(Option::is_some).await.expect("agon says where it listens");
        address.clone().expect("it was waited for")
    }

    /// What a game's chance comes from.
    pub fn seed(&self, game: &str) -> u64 {
        let sql = "select seed from games where id = ?";
        let seed: i64 = self.db().query_row(sql, [number(game)], |row| row.get(0)).expect("a game");
        seed as u64
    }

    /// Puts another answer into a game's log.
    pub fn spoil_a_report(&self, game: &str) {
        let sql =
            "update turns set report = '{\"message\":\"a lie\"}' where game = ? and number = 1";
        assert_eq!(self.db().execute(sql, [number(game)]).expect("the store"), 1);
    }

    fn db(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.folder.path().join("agon.db")).expect("the store")
    }

    /// Another `agon` that keeps its games in the same store.
    pub fn neighbour(&self) -> Command {
        command(&self.folder)
    }
}

fn number(game: &str) -> u32 {
    u32::from_str_radix(game, 16).expect("an id")
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `agon` with its store in `folder` and nothing taken from this machine's environment.
pub fn command(folder: &TempDir) -> Command {
    let mut command = Command::new(AGON);
    command
        .args(["--store", &format!("sqlite:{}", folder.path().join("agon.db").display())])
        .arg("--no-browser");
    command
}
