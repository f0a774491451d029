//! Those who look on hear of everything, however many they are and however slowly they read.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::{
    house::House,
    players::{Player, Way},
};

/// The events of a stream, by name, until `enough` of them have come.
async fn heard(
    stream: &mut reqwest::Response,
    mut enough: impl FnMut(&str, &Value) -> bool,
) -> Vec<(String, Value)> {
    let (mut text, mut events) = (String::new(), Vec::new());
    loop {
        while let Some((event, rest)) = text.split_once("\n\n") {
            let field = |name: &str| {
                let found = event.lines().find_map(|line| line.strip_prefix(name));
                found.map(|value| value.trim_start().to_owned())
            };
            if let (Some(name), Some(data)) = (field("event:"), field("data:")) {
                let data = serde_json::from_str(&data).unwrap();
                let is_enough = enough(&name, &data);
                events.push((name, data));
                if is_enough {
                    return events;
                }
            }
            text = rest.to_owned();
        }
        let chunk = stream.chunk().await.expect("it goes on").expect("there is more");
        text += &String::from_utf8_lossy(&chunk);
    }
}

#[tokio::test]
async fn who_reads_late_is_told_how_every_game_stands() {
    let house = House::in_a_file().await;
    let mut watchers = Vec::new();
    for _ in 0..5 {
        watchers.push(reqwest::get(house.page("/api/events")).await.unwrap());
    }
    let player = Player::new(&house, Way::Plain).await;
    let mut expected = HashMap::new();
    for n in 0..60 {
        let game = player.create(json!({ "type": "agent" })).await;
        if n % 3 == 0 {
            player.play(&game.pass(), "e2e4").await.ok();
        }
        expected.insert(game.id(), u64::from(n % 3 == 0));
    }
    for mut watcher in watchers {
        let mut missing = expected.clone();
        let events = heard(&mut watcher, |name, game| {
            assert_eq!(name, "game", "nothing was missed: {game}");
            let id = game["game_id"].as_str().unwrap();
            if missing.get(id) == game["moves"].as_u64().as_ref() {
                missing.remove(id);
            }
            missing.is_empty()
        });
        events.await;
    }
}

async fn figure(house: &House, name: &str) -> f64 {
    let metrics = reqwest::get(house.page("/metrics")).await.unwrap().text().await.unwrap();
    let line = metrics.lines().find(|line| line.starts_with(&format!("{name}{{")));
    let line = line.unwrap_or_else(|| panic!("no {name} in {metrics}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

const MANY: u32 = 64;

#[tokio::test]
async fn what_waits_and_what_is_open_is_in_the_metrics() {
    let house = House::alone(&["--thinkers", "1"]).await;
    let _stream = reqwest::get(house.page("/api/events")).await.unwrap();
    let player = Player::new(&house, Way::Plain).await;
    // More than are thought about before somebody looks.
    for _ in 0..MANY {
        player.create(json!({ "type": "computer", "color": "black", "difficulty": 10 })).await;
    }
    assert_eq!(figure(&house, "agon_streams").await, 1.0);
    assert!(figure(&house, "agon_connections").await >= 2.0);
    let mut waiting = 0.0;
    // Those who were asked last get in line a moment after they are answered.
    while waiting == 0.0 {
        waiting = figure(&house, "agon_engine_waiting").await;
    }
    assert!(waiting <= f64::from(MANY), "{waiting}");
}

#[tokio::test]
async fn a_leagues_stream_tells_of_its_matches() {
    let house = House::in_a_file().await;
    let player = Player::new(&house, Way::Plain).await;
    let mut tokens = Vec::new();
    for name in ["one", "two"] {
        let ask = json!({ "player_name": name, "league_id": "told" });
        tokens.push(player.call("register_player", ask).await.ok().fact("auth_token"));
    }
    let leagues: Value =
        reqwest::get(house.page("/api/leagues")).await.unwrap().json().await.unwrap();
    let id = leagues[0]["game_id"].as_str().unwrap();
    let page = house.page(&format!("/api/leagues/{id}/events?match=R1M1"));
    let mut stream = reqwest::get(page).await.unwrap();
    let start = house.neighbour().args(["league", "start", "told"]).output().unwrap();
    assert!(start.status.success(), "{start:?}");
    let play = async {
        for token in &tokens {
            let ask = json!({ "auth_token": token, "league_id": "told" });
            player.call("wait_for_decision", ask).await.ok();
        }
    };
    let is_running = |name: &str, body: &Value| name == "match" && body["state"] == "running";
    let (running, ()) = tokio::join!(heard(&mut stream, is_running), play);
    let (_, running) = running.last().unwrap();
    assert_eq!(running["match_id"], "R1M1", "{running}");
    let turn = running["turn"].as_u64().unwrap();
    // A round is played; the league itself does not change by it.
    for (token, number) in tokens.iter().zip([1, 2]) {
        let mv = json!({ "auth_token": token, "league_id": "told", "match_id": "R1M1",
            "number": number, "game_round": 1 });
        player.call("submit_move", mv).await.ok();
    }
    let has_round = |name: &str, body: &Value| name == "match" && body["rounds"][0].is_object();
    let later = heard(&mut stream, has_round).await;
    assert!(later.last().unwrap().1["turn"].as_u64().unwrap() > turn);
}
