//! How much one caller may do, and what it is told when that is used up. Each node counts for
//! itself, so every story has one.

use reqwest::{Client, StatusCode, header::RETRY_AFTER};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::{
    house::{House, command, until},
    players::{Player, Way},
};

/// A file of limits.
pub fn limits(said: &Value) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), said.to_string()).unwrap();
    file
}

/// A server with these limits and flags.
async fn house(said: Value, flags: &[&str]) -> House {
    let file = limits(&said);
    let args = [&["--limits", file.path().to_str().unwrap()], flags].concat();
    House::alone(&args).await
}

/// Somebody at another address of this machine.
fn from(address: &str) -> Client {
    Client::builder().local_address(Some(address.parse().unwrap())).build().unwrap()
}

async fn start_on_a_page(http: &Client, house: &House) -> reqwest::Response {
    let wish = json!({ "opponent": "human", "color": "white" });
    http.post(house.page("/api/games")).json(&wish).send().await.unwrap()
}

/// When to come back, as a page is told.
async fn refused(answer: reqwest::Response, what: &str) -> u64 {
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    let seconds = answer.headers()[RETRY_AFTER].to_str().unwrap().parse().unwrap();
    let why = answer.json::<Value>().await.unwrap()["error"].as_str().unwrap().to_owned();
    let told = format!("Too many {what} from here. Try again in {seconds} seconds.");
    assert_eq!(why, told);
    seconds
}

#[tokio::test]
async fn a_caller_who_has_begun_too_many_games_is_told_when_to_come_back() {
    let house = house(json!({ "games_per_hour": 3 }), &[]).await;
    let plain = Player::new(&house, Way::Plain).await;
    plain.create(json!({ "type": "agent", "requestId": "this-one-is-mine" })).await;
    plain.call("get_current_room", json!({ "conversationId": "one" })).await.ok();
    let here = Client::new();
    let begun = start_on_a_page(&here, &house).await;
    assert_eq!(begun.status(), StatusCode::CREATED);
    // Whatever is begun counts, by tool or on a page, in a session or without.
    for way in [Way::Plain, Way::Modern, Way::Legacy] {
        let player = Player::new(&house, way).await;
        let told = player.call("createGame", json!({ "type": "agent" })).await.no();
        told.says("too many games from here. Wait ").says(" seconds, then call again.");
        let another = json!({ "conversationId": "another" });
        player.call("get_current_room", another).await.no().says("Too many games from here; wait ");
    }
    assert!((1..=1200).contains(&refused(start_on_a_page(&here, &house).await, "games").await));
    // What is there goes on.
    plain.create(json!({ "type": "agent", "requestId": "this-one-is-mine" })).await;
    plain.call("get_current_room", json!({ "conversationId": "one" })).await.ok();
    // Others have their own, and so has the owner.
    let elsewhere = start_on_a_page(&from("127.0.0.2"), &house).await;
    assert_eq!(elsewhere.status(), StatusCode::CREATED);
    let owner = Player::new(&house, Way::Stdio).await;
    owner.create(json!({ "type": "agent" })).await;
}

#[tokio::test]
async fn whoever_shows_the_token_shares_nothing_with_strangers() {
    let flags = ["--token", "open-sesame", "--guests"];
    let house = house(json!({ "games_per_hour": 2 }), &flags).await;
    let stranger = Client::new();
    for _ in 0..2 {
        assert_eq!(start_on_a_page(&stranger, &house).await.status(), StatusCode::CREATED);
    }
    refused(start_on_a_page(&stranger, &house).await, "games").await;
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "createGame", "arguments": { "type": "agent" } } });
    for expected in [false, false, true] {
        let request = stranger.post(house.url()).bearer_auth("open-sesame").json(&call);
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        assert_eq!(answer["result"]["isError"] == true, expected, "{answer}");
    }
}

#[tokio::test]
async fn at_home_nothing_is_counted() {
    let house = House::in_a_file().await;
    let player = Player::new(&house, Way::Plain).await;
    // More than the usual limit for an hour.
    let games = (0..700).map(|_| player.create(json!({ "type": "agent" })));
    futures_util::future::join_all(games).await;
}

#[tokio::test]
async fn searches_are_counted_and_lists_are_not() {
    let house = house(json!({ "searches_per_minute": 3 }), &[]).await;
    let get = async |path: &str| Client::new().get(house.page(path)).send().await.unwrap();
    for _ in 0..3 {
        assert_eq!(get("/api/games?q=al").await.status(), StatusCode::OK);
    }
    refused(get("/api/games?limit=5&q=al").await, "searches").await;
    for _ in 0..5 {
        assert_eq!(get("/api/games?q=%20&limit=5").await.status(), StatusCode::OK);
    }
}

#[tokio::test]
async fn evaluations_are_counted_by_what_is_thought_about() {
    let house = house(json!({ "evaluations_per_hour": 2 }), &[]).await;
    let player = Player::new(&house, Way::Plain).await;
    let white = player.create(json!({ "type": "agent" })).await.pass();
    let black = player.join(&white[..8]).await.ok().pass();
    for (pass, mv) in [(&white, "f2f3"), (&black, "e7e5"), (&white, "g2g4"), (&black, "d8h4")] {
        player.play(pass, mv).await.ok();
    }
    let review = json!({ "game_id": white, "hint": true });
    let told = player.call("getGame", review).await.no();
    told.says("Too many evaluations from here; wait ").says("what was thought about is remembered");
    let evals = async |from: usize| {
        let path = format!("/api/games/{}/evals?from={from}", &white[..8]);
        Client::new().get(house.page(&path)).send().await.unwrap()
    };
    let first: Value = evals(0).await.json().await.unwrap();
    assert_eq!(first["evals"].as_array().unwrap().len(), 2, "{first}");
    refused(evals(2).await, "evaluations").await;
    let path = format!("/api/games/{}/pgn?evals=1", &white[..8]);
    refused(Client::new().get(house.page(&path)).send().await.unwrap(), "evaluations").await;
}

#[tokio::test]
async fn a_caller_with_too_many_sessions_is_told_when_to_come_back() {
    let house = house(json!({ "sessions_per_hour": 2 }), &[]).await;
    for _ in 0..2 {
        assert!(house.shake_hands("story").await.headers().contains_key("mcp-session-id"));
    }
    let answer = house.shake_hands("story").await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    let seconds: u64 = answer.headers()[RETRY_AFTER].to_str().unwrap().parse().unwrap();
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["id"], 7);
    let error = &answer["error"];
    assert_eq!(error["message"], format!("too many sessions from here; wait {seconds} seconds"));
    assert_eq!(error["data"]["retry_after_seconds"], seconds);
}

#[tokio::test]
async fn streams_are_counted_while_they_are_open() {
    let house = house(json!({ "streams": 2 }), &[]).await;
    let session = house.shake_hands("story").await.headers()["mcp-session-id"].clone();
    let of_session = Client::new().get(house.url()).header("accept", "text/event-stream");
    let of_session = of_session.header("mcp-session-id", session).send().await.unwrap();
    assert_eq!(of_session.status(), StatusCode::OK);
    let follow = async |path: &str| Client::new().get(house.page(path)).send().await.unwrap();
    let of_page = follow("/api/events").await;
    assert_eq!(of_page.status(), StatusCode::OK);
    assert_eq!(refused(follow("/api/events").await, "streams").await, 11);
    let listen = json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "story", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {} },
        "notifications": { "toolsListChanged": true } } });
    let post = Client::new().post(house.page("/mcp/tools/call")).json(&listen);
    let post = post.header("mcp-protocol-version", "2026-07-28");
    let post = post.header("mcp-method", "subscriptions/listen").send().await.unwrap();
    assert_eq!(post.status(), StatusCode::BAD_REQUEST, "{:?}", post.headers());
    let elsewhere = from("127.0.0.2").get(house.page("/api/events")).send().await.unwrap();
    assert_eq!(elsewhere.status(), StatusCode::OK);
    drop(of_page);
    // It is noticed soon that nobody listens.
    until(async || follow("/api/events").await.status() == StatusCode::OK).await;
    drop(of_session);
}

#[tokio::test]
async fn many_slow_games_of_one_caller_keep_no_other_waiting() {
    let house = House::alone(&["--thinkers", "1"]).await;
    let (greedy, other) = (from("127.0.0.2"), from("127.0.0.3"));
    let call = async |http: &Client, tool: &str, arguments: Value| -> Value {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments } });
        let answer = http.post(house.url()).json(&call).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        assert_ne!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["structuredContent"].clone()
    };
    // The computer begins, and has all of them to think about.
    let slow = json!({ "type": "computer", "color": "black", "difficulty": 10 });
    for _ in 0..200 {
        call(&greedy, "createGame", slow.clone()).await;
    }
    let quick = json!({ "type": "computer", "color": "white", "difficulty": 1 });
    let game = call(&other, "createGame", quick).await;
    let pass = &game["pass"];
    call(&other, "finishTurn", json!({ "game_id": pass, "move": "e2e4" })).await;
    while call(&other, "waitForNextTurn", json!({ "game_id": pass })).await["status"] == "timeout" {
    }
    // In the order in which turns were saved.
    let turns: Vec<String> = house.ask("select printf('%08x', game) from turns order by rowid");
    let game = game["game_id"].as_str().unwrap();
    let of_game: Vec<_> =
        (0..).zip(&turns).filter(|(_, of)| *of == game).map(|(at, _)| at).collect();
    let between = of_game[1] - of_game[0] - 1;
    // One was under way; a busy machine may be slow to ask.
    assert!(between <= 10, "{between} slow thoughts came first");
    assert!(turns.len() < 150, "many still wait: {}", turns.len());
}

#[test]
fn limits_that_make_no_sense_are_refused_by_name() {
    for (said, told) in [
        (json!({ "gmaes_per_hour": 3 }), "unknown field `gmaes_per_hour`"),
        (json!({ "games_per_hour": 0 }), "expected a nonzero u32"),
        (json!("3"), "make no sense"),
    ] {
        let (folder, file) = (tempfile::tempdir().unwrap(), limits(&said));
        let mut agon = command(&folder);
        agon.args(["serve", "--listen", "127.0.0.1:0", "--limits"]).arg(file.path());
        let ended = agon.output().unwrap();
        let why = String::from_utf8(ended.stderr).unwrap();
        assert!(!ended.status.success() && why.contains(told), "{why}");
    }
}
