//! All that a client opens, sends or begins is bounded, and other clients do not notice.

use std::{process::Command, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::{
    budgets,
    heard::Heard,
    house::{self, House, answers, until},
    players::{Player, Way},
};

/// Longer than anything here may take.
const AMPLE: Duration = Duration::from_secs(60);

/// All that the server says until it hangs up.
async fn answer(mut stream: TcpStream) -> String {
    let mut said = Vec::new();
    let read = timeout(AMPLE, stream.read_to_end(&mut said)).await;
    let _ = read.expect("the server does not wait for ever");
    String::from_utf8_lossy(&said).into_owned()
}

#[tokio::test]
async fn a_client_that_keeps_the_server_waiting_is_hung_up_on() {
    let house = House::with(&["--idle-seconds", "1"]).await;
    let host = format!("Host: {}\r\n", house.address);
    let head = format!("POST /mcp HTTP/1.1\r\n{host}Content-Length: 100\r\n");
    for (what, begun) in [
        ("says nothing", String::new()),
        ("does not end the head", head.clone()),
        ("does not send the body", format!("{head}\r\n{{")),
        ("stays", format!("GET /healthz/live HTTP/1.1\r\n{host}\r\n")),
    ] {
        let mut stream = TcpStream::connect(&house.address).await.unwrap();
        stream.write_all(begun.as_bytes()).await.unwrap();
        let said = answer(stream).await;
        match what {
            "stays" => assert!(said.starts_with("HTTP/1.1 200"), "{what}: {said}"),
            "does not send the body" => assert!(said.starts_with("HTTP/1.1 408"), "{what}: {said}"),
            _ => assert!(said.is_empty(), "{what}: {said}"),
        }
    }
    // A wait says nothing either, and is none of these.
    let player = Player::new(&house, Way::Plain).await;
    let pass = player.create(json!({ "type": "agent", "color": "black" })).await.pass();
    let (joiner, waiter) = (Player::new(&house, Way::Plain).await, player);
    let white = joiner.join(&pass[..8]).await.ok().pass();
    let (waited, _) = tokio::join!(waiter.wait(&pass), async {
        // Long enough for a connection that is only idle to be closed.
        answer(TcpStream::connect(&house.address).await.unwrap()).await;
        // So is the joiner's own.
        Player::new(&house, Way::Plain).await.play(&white, "e2e4").await.ok()
    });
    waited.ok().says("It is your turn.");
}

#[tokio::test]
async fn a_client_that_is_refused_while_sending_can_go_on_over_its_connection() {
    let house = House::open().await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let (host, length) = (format!("Host: {}\r\n", house.address), body.len());
    let refused = format!(
        "POST /mcp HTTP/1.1\r\n{host}Origin: http://evil.example\r\nContent-Length: {length}\r\n\r\n"
    );
    let next = format!("GET /healthz/live HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
    for _ in 0..10 {
        let mut stream = TcpStream::connect(&house.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(refused.as_bytes()).await.unwrap();
        // A client that takes a moment for its body.
        tokio::time::sleep(Duration::from_millis(10)).await;
        stream.write_all(body.as_bytes()).await.unwrap();
        let mut first = [0; 12];
        timeout(AMPLE, stream.read_exact(&mut first)).await.unwrap().unwrap();
        assert_eq!(&first, b"HTTP/1.1 403");
        stream.write_all(next.as_bytes()).await.unwrap();
        let rest = answer(stream).await;
        assert!(rest.contains("HTTP/1.1 200"), "{rest:?}");
    }
}

/// A server with few descriptors.
fn narrow(folder: &tempfile::TempDir) -> Heard {
    let store = format!("sqlite:{}", folder.path().join("agon.db").display());
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -n 256; exec \"$0\" \"$@\"", house::AGON, "--store", &store])
        .args(["--no-browser", "serve", "--listen", "127.0.0.1:0"]);
    Heard::start(&mut command)
}

#[tokio::test]
async fn when_all_connections_are_taken_health_is_still_told_and_the_log_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let narrow = narrow(&folder);
    let page = |path| format!("http://{}{path}", narrow.address);
    let mut slow = Vec::new();
    for _ in 0..250 {
        let mut stream = TcpStream::connect(&narrow.address).await.unwrap();
        let _ = stream.write_all(b"POST /mcp HTTP/1.1\r\n").await;
        slow.push(stream);
    }
    // A store on a busy disk may take no change within a second, and says so.
    answers(&page("/healthz"), 200).await;
    answers(&page("/api/games"), 503).await;
    drop(slow);
    answers(&page("/api/games"), 200).await;
    let log = narrow.close();
    assert_eq!(log.matches("all connections are in use").count(), 1, "{log}");
}

/// Kilobytes of memory.
fn memory(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn unfinished_bodies_do_not_fill_the_memory() {
    let house = House::in_a_file().await;
    let before = memory(house.pid());
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\n", house.address);
    let head = format!("{head}Content-Length: 4000000\r\n\r\n");
    let most = vec![b' '; 2 << 20];
    let mut sending = tokio::task::JoinSet::new();
    for _ in 0..120 {
        let mut stream = TcpStream::connect(&house.address).await.unwrap();
        let (head, most) = (head.clone(), most.clone());
        sending.spawn(async move {
            stream.write_all(head.as_bytes()).await.unwrap();
            let mut said = [0; 12];
            // It may be refused before all of it was sent.
            let sent = stream.write_all(&most).await;
            let read = stream.read_exact(&mut said).await;
            sent.is_err() || read.is_err() || said == *b"HTTP/1.1 503"
        });
    }
    let refused = async {
        for _ in 0..80 {
            assert!(sending.join_next().await.expect("most are refused").unwrap());
        }
    };
    timeout(AMPLE, refused).await.expect("there is room for some only");
    // A small body is read all the while.
    let player = Player::new(&house, Way::Plain).await;
    player.create(json!({ "type": "agent" })).await;
    let grown = memory(house.pid()).saturating_sub(before);
    assert!(grown < 160 << 10, "{grown} kB for what nobody has finished sending");
}

#[tokio::test]
async fn sessions_in_memory_are_bounded_and_come_back_when_they_are_asked_for() {
    let house = House::in_a_file().await;
    let mut first = None;
    for _ in 0..1100 {
        let answer = house.shake_hands("flood").await;
        let session = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        answer.bytes().await.unwrap();
        first.get_or_insert(session);
    }
    assert!(house.figure("agon_sessions", "").await <= 1000.0);
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let listed = reqwest::Client::new()
        .post(house.url())
        .header("accept", "application/json, text/event-stream")
        .header("mcp-session-id", first.unwrap())
        .json(&list);
    let listed = listed.send().await.unwrap().text().await.unwrap();
    assert!(listed.contains("createGame"), "{listed}");
    assert!(house.figure("agon_sessions", "").await <= 1000.0);
}

#[tokio::test]
async fn what_a_client_calls_itself_is_cut() {
    let house = House::in_a_file().await;
    let before = house.stored_bytes().len();
    let answer = house.shake_hands(&"n".repeat(3 << 20)).await;
    assert!(answer.status().is_success());
    assert!(answer.headers().contains_key("mcp-session-id"));
    answer.bytes().await.unwrap();
    let grown = house.stored_bytes().len() - before;
    assert!(grown < 100 << 10, "{grown} bytes for a name");
    let stored: Vec<String> =
        house.ask("select initialize from sessions where initialize like '{%'");
    let stored: Value = serde_json::from_str(&stored[0]).unwrap();
    assert!(stored.to_string().contains("nnn"), "something of it is left");
}

/// A server with a thousand games and these limits.
async fn crowded(limits: Value) -> House {
    let file = budgets::limits(&limits);
    let mut house = House::alone(&["--limits", file.path().to_str().unwrap()]).await;
    house.stop();
    house.crowd(1000);
    house.restart().await;
    house
}

const LIST: &str = "/api/games?limit=200";

fn list(house: &House) -> String {
    format!("GET {LIST} HTTP/1.1\r\nHost: {}\r\n\r\n", house.address)
}

/// Connections on which a request is made hundreds of times, and no answer is read.
async fn ask_and_read_nothing(house: &House, count: usize, request: &str) -> Vec<TcpStream> {
    let mut connections = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(&house.address).await.unwrap();
        // Those that have no place are hung up on.
        let _ = stream.write_all(request.repeat(400).as_bytes()).await;
        connections.push(stream);
    }
    connections
}

#[tokio::test]
async fn connections_that_read_nothing_make_room_for_others() {
    let house = crowded(json!({ "connections": 50, "idle_seconds": 2 })).await;
    let _unread = ask_and_read_nothing(&house, 60, &list(&house)).await;
    answers(&house.page("/api/games"), 503).await;
    answers(&house.page("/api/games"), 200).await;
}

#[tokio::test]
async fn large_answers_that_nobody_reads_share_room() {
    let house = crowded(json!({ "idle_seconds": 600, "large_bodies_bytes": 300_000 })).await;
    let hello = house.shake_hands("reads nothing").await;
    let session = hello.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    drop(hello);
    let board = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read",
        "params": { "uri": "ui://agon/board" } });
    let board = board.to_string();
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\n", house.address);
    let takes = "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n";
    let length = format!("Content-Length: {}\r\n\r\n{board}", board.len());
    let in_session = format!("{head}{takes}Mcp-Session-Id: {session}\r\n{length}");
    for request in [list(&house), format!("{head}{length}"), in_session] {
        // Short refusals hold no room, so ask again until an answer is stuck.
        let mut unread = Vec::new();
        until(async || {
            unread.extend(ask_and_read_nothing(&house, 1, &request).await);
            reqwest::get(house.page(LIST)).await.is_ok_and(|answer| answer.status() == 503)
        })
        .await;
        answers(&house.page("/api/games?limit=1"), 200).await;
        drop(unread);
        answers(&house.page(LIST), 200).await;
    }
}
