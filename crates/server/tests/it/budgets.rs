//! How much one caller may do, and what it is told when that is used up. Each node counts for
//! itself, so every story has one.

use reqwest::{Client, StatusCode, header::RETRY_AFTER};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::{
    house::{House, command},
    players::{Player, Way},
};

/// A file of limits.
fn limits(said: &Value) -> NamedTempFile {
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
    let told = format!("Too many {what} from your address. Try again in {seconds} seconds.");
    assert_eq!(why, told);
    seconds
}

#[tokio::test]
async fn a_caller_who_has_begun_too_many_games_is_told_when_to_come_back() {
    let house = house(json!({ "games_per_hour": 3 }), &[]).await;
    let plain = Player::new(&house, Way::Plain).await;
    plain.create(json!({ "type": "agent", "requestId": "mine" })).await;
    plain.call("get_current_room", json!({ "conversationId": "one" })).await.ok();
    let here = Client::new();
    let begun = start_on_a_page(&here, &house).await;
    assert_eq!(begun.status(), StatusCode::CREATED);
    // Whatever is begun counts, by tool or on a page, in a session or without.
    for way in [Way::Plain, Way::Modern, Way::Legacy] {
        let player = Player::new(&house, way).await;
        let told = player.call("createGame", json!({ "type": "agent" })).await.no();
        told.says("too many games").says("Wait ").says(" seconds, then call again");
        let another = json!({ "conversationId": "another" });
        player.call("get_current_room", another).await.no().says("too many games");
    }
    assert!((1..=1200).contains(&refused(start_on_a_page(&here, &house).await, "games").await));
    // What is there goes on.
    plain.create(json!({ "type": "agent", "requestId": "mine" })).await;
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
    for _ in 0..700 {
        player.create(json!({ "type": "agent" })).await;
    }
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
