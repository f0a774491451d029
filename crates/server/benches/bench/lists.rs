//! Lists, searches and the start among a million games, beside the same among a thousand.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::{
    clients::{Client, Server, Way},
    crowd::{Sql, crowd},
    samples::{Table, quantile},
};

const FEW: u32 = 1_000;
const MANY: u32 = 1_000_000;
/// How often each thing is asked for.
const TIMES: u32 = 60;
/// How many searches are begun and hung up at once.
const HUNG_UP: usize = 60;
const STARTS: usize = 5;

struct Shelf {
    server: Server,
    client: Client,
    times: Vec<Duration>,
}

impl Shelf {
    async fn with(games: u32) -> Shelf {
        // The first one makes the store.
        let mut server = Server::start();
        server.kill();
        let db = rusqlite::Connection::open(server.file()).expect("the store");
        db.execute_batch("pragma synchronous = off; pragma cache_size = -1000000").expect("quick");
        db.execute_batch(&format!("begin; {} commit;", crowd(Sql::Sqlite, games)))
            .expect("a crowd");
        drop(db);
        let server = server.again();
        let client = Client::new(&server, Way::Plain).await;
        Shelf { server, client, times: Vec::new() }
    }

    async fn get(&self, path: &str) -> usize {
        let url = format!("{}{path}", self.server.url.trim_end_matches("/mcp"));
        let page = self.client.http.get(url).send().await.expect("a page");
        assert!(page.status().is_success(), "{page:?}");
        page.bytes().await.expect("a page").len()
    }

    async fn list(&mut self, path: &str) {
        let started = Instant::now();
        assert!(self.get(path).await > 5000, "there are games");
        self.times.push(started.elapsed());
    }

    /// Looks at a game that nobody has asked for, while searches go on that nobody waits for.
    async fn look(&mut self, number: u32) {
        let host = self.server.url.trim_start_matches("http://").trim_end_matches("/mcp");
        for n in 0..HUNG_UP {
            let mut search = TcpStream::connect(host).await.expect("a connection");
            let ask = format!("GET /api/games?q=claude&limit={n} HTTP/1.1\r\nhost: {host}\r\n\r\n");
            search.write_all(ask.as_bytes()).await.expect("it is asked");
        }
        let id = u64::from(number) * 2_654_435_761 % (1 << 32);
        let started = Instant::now();
        let game = json!({ "game_id": format!("{id:08x}") });
        let answer = self.client.call("getGame", game).await;
        self.times.push(started.elapsed());
        assert_eq!(answer["isError"], false, "{answer}");
    }

    /// From nothing to the first list.
    async fn start(&mut self) {
        self.server.kill();
        let started = Instant::now();
        self.server = self.server.again();
        self.client = Client::new(&self.server, Way::Plain).await;
        self.get("/api/games?limit=50").await;
        self.times.push(started.elapsed());
    }

    /// The middle of what was measured since the last time.
    fn middle(&mut self) -> f64 {
        self.times.sort();
        let middle = quantile(&self.times, 0.5);
        self.times.clear();
        middle.as_secs_f64() * 1000.0
    }
}

pub async fn a_million_games(table: &mut Table) {
    let (mut few, mut many) = (Shelf::with(FEW).await, Shelf::with(MANY).await);
    for (measure, path) in [
        ("first page", "/api/games?limit=50"),
        ("live games", "/api/games?status=live&limit=50"),
        ("search for a name", "/api/games?q=p7x&limit=50"),
        ("search for a name that a fifth has", "/api/games?q=claude&limit=50"),
        ("search for what all have", "/api/games?q=agent+chess&limit=50"),
    ] {
        for _ in 0..TIMES {
            few.list(path).await;
            many.list(path).await;
        }
        tell(table, measure, &mut few, &mut many);
    }
    // Those of chess that are not over.
    for number in (0..).step_by(30).take(FEW as usize / 30) {
        few.look(number).await;
        many.look(number).await;
    }
    tell(table, &format!("getGame while {HUNG_UP} searches are hung up"), &mut few, &mut many);
    for _ in 0..STARTS {
        few.start().await;
        many.start().await;
    }
    tell(table, "from the start to the first page", &mut few, &mut many);
}

fn tell(table: &mut Table, measure: &str, few: &mut Shelf, many: &mut Shelf) {
    let (few, many) = (few.middle(), many.middle());
    let measure = format!("{measure}, p50, and beside 1,000 games");
    table.row("1,000,000 games", &measure, format!("{many:.2} ms, × {:.2}", many / few));
}
