//! Who follows a league is told of every change.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{Cup, call, join, nobody_forfeits};
use crate::{
    house::House,
    news::listen,
    players::{Player, Way},
};

/// The addresses that news come of, from a stream of events.
async fn news(stream: &mut reqwest::Response, wanted: &[&str]) {
    let mut seen = String::new();
    let updated = |seen: &str, uri: &str| {
        seen.lines()
            .any(|line| line.contains("notifications/resources/updated") && line.contains(uri))
    };
    while !wanted.iter().all(|uri| updated(&seen, uri)) {
        let chunk = stream.chunk().await.expect("it goes on").expect("news come");
        seen += &String::from_utf8_lossy(&chunk);
    }
}

#[tokio::test]
async fn who_follows_a_league_is_told_of_every_change_in_both_eras() {
    let house = House::open().await;
    let cup = Cup::open(&house, "watched", &[]).await;
    let crew = cup.crew(&house, &["one", "two"]).await;
    let uris = ["league://standings", "game://state/R1M1"];
    let http = reqwest::Client::new();
    let both = "application/json, text/event-stream";
    let hello = call(
        "initialize",
        json!({ "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "story", "version": "1" } }),
    );
    let welcome = http.post(house.url()).header("accept", both).json(&hello).send().await.unwrap();
    let session = welcome.headers()["mcp-session-id"].clone();
    let say = async |body: Value| {
        let request = http.post(house.url()).header("accept", both);
        let request = request.header("mcp-session-id", session.clone());
        let answer = request.header("mcp-protocol-version", "2025-11-25").json(&body).send().await;
        let answer = answer.unwrap();
        assert!(answer.status().is_success(), "{answer:?}");
    };
    say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    let request = http.get(house.url()).header("accept", "text/event-stream");
    let request = request.header("mcp-session-id", session.clone());
    let mut legacy = request.send().await.unwrap();
    for uri in uris {
        say(call("resources/subscribe", json!({ "uri": uri }))).await;
    }
    let mut modern = listen(&house, &uris).await;
    assert_eq!(modern.status(), StatusCode::OK);

    cup.start(&house).await;
    tokio::join!(cup.play(&crew), news(&mut legacy, &uris), news(&mut modern, &uris));
    nobody_forfeits(&cup.finish(&house).await);
}

/// Follows an address until something is said there.
async fn hear(house: &House, path: &str, wanted: &str) -> String {
    let mut stream = reqwest::get(house.page(path)).await.expect("an answer");
    let mut heard = String::new();
    while !heard.contains(wanted) {
        let chunk = stream.chunk().await.expect("it goes on").expect("news come");
        heard += &String::from_utf8_lossy(&chunk);
    }
    heard
}

#[tokio::test]
async fn a_match_and_its_game_are_told_apart() {
    let house = House::in_a_file().await;
    let cup = Cup::open(&house, "both", &["--game", "connect-four"]).await;
    let player = Player::new(&house, Way::Plain).await;
    join(&player, "one", "both").await;
    join(&player, "two", "both").await;
    cup.start(&house).await;
    // Somebody who looks at the league has the match written for all who do.
    hear(&house, &format!("/api/leagues/{}/events", cup.id), "event: match").await;
    let state = cup.state(&house).await;
    let game = state["rounds"][0]["matches"][0]["game"].as_str().expect("it has begun").to_owned();
    let heard = hear(&house, &format!("/api/games/{game}/events"), "\n\n").await;
    assert!(heard.contains("\"history\":[]"), "{heard}");
}
