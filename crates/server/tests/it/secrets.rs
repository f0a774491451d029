//! What is told to nobody: the store's key, passes, tokens, and what our own faults say.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::{
    heard::Heard,
    house::{self, House},
    players::{Player, Way},
};

/// A server that says all it can.
fn loud(folder: &TempDir, level: &str, args: &[&str]) -> Heard {
    let mut command = house::command(folder);
    command.args(["serve", "--listen", "127.0.0.1:0"]).args(args).env("AGON_LOG", level);
    Heard::start(&mut command)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

#[test]
fn a_new_store_is_its_owners_alone() {
    let folder = tempdir().unwrap();
    let home = folder.path().join("games/of/mine");
    let store = home.join("agon.db");
    let address = format!("sqlite:{}", store.display());
    // Whatever the owner's shell would give away.
    let mut command = Command::new("sh");
    command.args(["-c", "umask 000; exec \"$0\" \"$@\""]).arg(house::AGON).args([
        "--store",
        &address,
        "--no-browser",
        "serve",
        "--listen",
        "127.0.0.1:0",
    ]);
    let _server = Heard::start(&mut command);
    for file in ["agon.db", "agon.db-wal", "agon.db-shm"] {
        assert_eq!(mode(&home.join(file)), 0o600, "{file}");
    }
    for folder in [&home, home.parent().unwrap(), &folder.path().join("games")] {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
    }
}

#[test]
fn a_store_that_others_can_read_is_warned_of() {
    let folder = tempdir().unwrap();
    loud(&folder, "info", &[]).close();
    let store = folder.path().join("agon.db");
    let said = loud(&folder, "info", &[]).close();
    assert!(!said.contains("chmod"), "{said}");
    fs::set_permissions(&store, fs::Permissions::from_mode(0o644)).unwrap();
    let said = loud(&folder, "info", &[]).close();
    let warned = said.lines().find(|line| line.contains("chmod 600"));
    assert!(warned.is_some_and(|line| line.contains("WARN") && line.contains("agon.db")), "{said}");
    assert_eq!(mode(&store), 0o644, "it is the owner's to change");
}

#[tokio::test]
async fn the_log_holds_no_pass_and_no_token_however_much_it_says() {
    let folder = tempdir().unwrap();
    let loud = loud(&folder, "trace", &["--token", "open-sesame"]);
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("authorization", "Bearer open-sesame".parse().unwrap());
    let http = reqwest::Client::builder().default_headers(headers).build().unwrap();
    let player = Player::Plain { http, url: format!("http://{}/mcp", loud.address) };
    let white = player.create(json!({ "type": "agent" })).await;
    let black = player.join(&white.id()).await.ok().pass();
    player.play(&white.pass(), "e2e4").await.ok();
    player.play(&black, "e7e4").await.no();
    player.call("getGame", json!({ "game_id": white.pass(), "surprise": black })).await;
    let said = loud.close();
    for secret in [&white.pass()[9..], &black[9..], "open-sesame"] {
        assert!(!said.contains(secret), "{secret} is in the log");
    }
}

#[tokio::test]
async fn nothing_a_caller_sends_forges_or_floods_the_log() {
    for level in ["info", "trace"] {
        let folder = tempdir().unwrap();
        let loud = loud(&folder, level, &[]);
        let forged = "\n2026-01-01T00:00:00Z ERROR agon: all is lost \u{1b}[31m";
        let http = reqwest::Client::new();
        let endless = "x".repeat(1 << 20);
        for text in [forged, &endless] {
            for method in ["tools/call", "no/such", "resources/read"] {
                let body = json!({ "jsonrpc": "2.0", "id": text, "method": method,
                    "params": { "name": text, "uri": text, "arguments": { "game_id": text } } });
                http.post(format!("http://{}/mcp", loud.address)).json(&body).send().await.unwrap();
            }
            let header = text.replace(['\n', '\u{1b}'], "%0a");
            let header = &header[..header.len().min(8000)];
            let asked = http
                .get(format!("http://{}", loud.address))
                .header("host", header)
                .header("origin", header);
            drop(asked.send().await);
            let league = json!({ "message_type": "GAME_ERROR", "protocol": "league.v2",
                "sender": text, "name": text, "league_id": text });
            http.post(format!("http://{}/mcp", loud.address)).json(&league).send().await.unwrap();
        }
        let said = loud.close();
        assert!(!said.lines().any(|line| line.starts_with("2026-01-01")), "{said}");
        assert!(!said.contains('\u{1b}'), "{said}");
        let longest = said.lines().map(str::len).max();
        assert!(longest < Some(4000), "a line of {longest:?} bytes");
    }
}

#[tokio::test]
async fn answers_with_passes_are_kept_by_no_cache() {
    let house = House::open().await;
    let http = reqwest::Client::new();
    let check = |what: &str, answer: &reqwest::Response| {
        let said = answer.headers().get("cache-control").map(|value| value.to_str().unwrap());
        assert_eq!(said, Some("no-store"), "{what}");
    };
    let create = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "createGame", "arguments": { "type": "agent" } } });
    let created = http.post(house.url()).json(&create).send().await.unwrap();
    check("createGame", &created);
    let call = http.post(house.page("/mcp/tools/call")).json(&create["params"]);
    check("a bare call", &call.send().await.unwrap());
    let streamed = http
        .post(house.url())
        .header("accept", "application/json, text/event-stream")
        .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "story", "version": "1" } } }));
    check("a session", &streamed.send().await.unwrap());
    let created = http.post(house.page("/api/games")).json(&json!({ "opponent": "human" }));
    let created = created.send().await.unwrap();
    check("a game of the pages", &created);
    let created: Value = created.json().await.unwrap();
    let id = created["game_id"].as_str().unwrap();
    let joined = http.post(house.page(&format!("/api/games/{id}/join"))).json(&json!({}));
    check("a seat of the pages", &joined.send().await.unwrap());
}

#[tokio::test]
async fn with_a_token_a_guest_only_watches_unless_guests_may_play() {
    for guests in [false, true] {
        let flags: &[&str] = if guests { &["--guests"] } else { &[] };
        let house = House::with(&[&["--token", "open-sesame"], flags].concat()).await;
        let http = reqwest::Client::new();
        let post = async |path: &str, token: Option<&str>, body: Value| {
            let request = http.post(house.page(path)).json(&body);
            let request = match token {
                Some(token) => request.header("authorization", token),
                None => request,
            };
            request.send().await.unwrap()
        };
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "createGame", "arguments": { "type": "agent" } } });
        // The scheme may be written as anyone likes.
        let created = post("/mcp", Some("bEARER open-sesame"), call).await;
        assert!(created.status().is_success());
        let created: Value = created.json().await.unwrap();
        let facts = &created["result"]["structuredContent"];
        let id = facts["game_id"].as_str().unwrap();
        let join = format!("/api/games/{id}/join");
        let watched = http.get(house.page(&format!("/api/games/{id}"))).send().await.unwrap();
        assert!(watched.status().is_success(), "anyone may watch");
        let new = json!({ "opponent": "computer" });
        for (path, body) in [(join.as_str(), json!({})), ("/api/games", new.clone())] {
            let asked = post(path, None, body).await;
            if guests {
                assert_eq!(asked.status(), 201, "{path}")
            } else {
                assert_eq!(asked.status(), 401, "{path}");
                let why: Value = asked.json().await.unwrap();
                assert!(why["error"].as_str().unwrap().contains("watch"), "{why}");
            }
        }
        let info = http.get(house.page("/api/info")).send().await.unwrap();
        assert_eq!(info.json::<Value>().await.unwrap()["guests_play"], guests);
        let created = post("/api/games", Some("bearer open-sesame"), new).await;
        assert_eq!(created.status(), 201);
        // A seat that was given is played whoever has the token.
        let pass = created.json::<Value>().await.unwrap()["pass"].as_str().unwrap().to_owned();
        let play = format!("/api/games/{}/play", &pass[..8]);
        let played = post(&play, Some(&format!("BEARER {pass}")), json!({ "move": "e2e4" })).await;
        assert!(played.status().is_success());
    }
}

#[tokio::test]
async fn what_a_fault_of_the_store_says_is_told_to_nobody() {
    let house = House::in_a_file().await;
    let session = Player::new(&house, Way::Legacy).await;
    let pass = session.create(json!({ "type": "agent" })).await.pass();
    drop(house.ask("drop table sessions"));
    drop(house.ask("drop table turns"));
    let http = reqwest::Client::new();
    let told = |text: &str| {
        for said in ["no such table", "sqlite", "SQL"] {
            assert!(!text.contains(said), "{text}");
        }
    };
    let stranger = http
        .post(house.url())
        .header("accept", "application/json, text/event-stream")
        .header("mcp-session-id", "0c7cc1ab-4c45-4f31-90c9-4b4f3b7c9f3a")
        .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    told(&stranger.send().await.unwrap().text().await.unwrap());
    let player = Player::new(&house, Way::Plain).await;
    told(&player.play(&pass, "e2e4").await.no().text);
    let play = json!({ "move": "e2e4" });
    let page = http.post(house.page(&format!("/api/games/{}/play", &pass[..8])));
    told(&page.bearer_auth(&pass).json(&play).send().await.unwrap().text().await.unwrap());
    let dungeon = json!({ "conversationId": "lost" });
    told(&player.call("get_current_room", dungeon).await.text);
}
