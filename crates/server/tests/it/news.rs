//! Those who look on hear of everything, however many they are and however slowly they read.

use std::{collections::HashMap, time::Duration};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    house::House,
    players::{Player, Way},
};

/// What does not come within this long does not come.
const IN_VAIN: Duration = Duration::from_secs(60);

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

/// Asks for news of resources, without a session.
pub async fn listen(house: &House, uris: &[&str]) -> reqwest::Response {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "story", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let listen = json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": { "_meta": meta, "notifications": { "resourceSubscriptions": uris } } });
    let request = reqwest::Client::new().post(house.url());
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("mcp-method", "subscriptions/listen");
    let request = request.header("mcp-protocol-version", "2026-07-28");
    request.json(&listen).send().await.unwrap()
}

#[tokio::test]
async fn those_who_look_on_learn_of_a_move_that_nobody_tells_of() {
    let house = House::of_nodes(1, &["--wait-seconds", "1"]).await;
    let player = Player::new(&house, Way::Plain).await;
    let id = player.create(json!({ "type": "agent" })).await.id();
    let number = u32::from_str_radix(&id, 16).unwrap();
    // Of a node that died before it told.
    let play = |turn: u32, mv: &str| {
        let before = turn - 1;
        house.ask(&format!(
            "with saved as (insert into turns (game, number, seat, move, at)
                 select id, {turn}, {before}, '{mv}', created_at + 1000
                 from games where id = {number})
             update games set turns = {turn}, last_at = created_at + 1000 * {turn},
                 card = replace(card, '\"moves\":{before}', '\"moves\":{turn}')
                 where id = {number}"
        ));
    };
    // A second in which nothing happens at the server.
    let other = player.create(json!({ "type": "agent", "color": "black" })).await.pass();
    let pause = async || {
        let waited = player.call("waitForNextTurn", json!({ "game_id": other })).await;
        assert_eq!(waited.facts["status"], "timeout", "{waited:?}");
    };
    // They do not keep each other from reading again, however they came to look.
    let mut games = Vec::new();
    for _ in 0..2 {
        let game = reqwest::get(house.page(&format!("/api/games/{id}/events"))).await;
        let mut game = game.unwrap();
        heard(&mut game, |_, _| true).await;
        games.push(game);
        pause().await;
    }
    pause().await;
    play(1, "e2e4");
    for mut game in games {
        let found = heard(&mut game, |_, game| game.to_string().contains("e2e4"));
        timeout(IN_VAIN, found).await.expect("the game is read again");
    }
    let mut list = reqwest::get(house.page("/api/events")).await.unwrap();
    let mut follower = listen(&house, &[&format!("chess://game/{id}")]).await;
    let text = String::from_utf8_lossy(&follower.chunk().await.unwrap().unwrap()).into_owned();
    assert!(text.contains("acknowledged"), "{text}");
    play(2, "e7e5");
    heard(&mut list, |name, game| name == "game" && game["moves"] == 2).await;
    let mut text = String::new();
    while !text.contains("notifications/resources/updated") {
        text += &String::from_utf8_lossy(&follower.chunk().await.unwrap().unwrap());
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

/// Runs `agon league` on the house's store, as its operator would.
async fn operate(house: &House, deed: &str) {
    let mut command = tokio::process::Command::from(house.neighbour());
    let output = command.args(["league", deed, "told"]).output().await.unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Has the league "told" played by two with these tokens, as each node's stream tells it.
async fn watched_league(house: &House, player: &Player) -> (Vec<String>, Vec<reqwest::Response>) {
    let mut tokens = Vec::new();
    for name in ["one", "two"] {
        let ask = json!({ "player_name": name, "league_id": "told" });
        tokens.push(player.call("register_player", ask).await.ok().fact("auth_token"));
    }
    let leagues: Value =
        reqwest::get(house.page("/api/leagues")).await.unwrap().json().await.unwrap();
    let id = leagues[0]["game_id"].as_str().unwrap();
    let mut streams = Vec::new();
    for node in house.nodes() {
        let page = format!("http://{}/api/leagues/{id}/events?match=R1M1", node.address);
        streams.push(reqwest::get(page).await.unwrap());
    }
    operate(house, "start").await;
    for token in &tokens {
        let ask = json!({ "auth_token": token, "league_id": "told" });
        player.call("wait_for_decision", ask).await.ok();
    }
    (tokens, streams)
}

/// Has the league change again and again.
async fn keep_busy(house: &House) {
    loop {
        operate(house, "stop").await;
        operate(house, "start").await;
    }
}

fn is_running(name: &str, body: &Value) -> bool {
    name == "match" && body["state"] == "running"
}

fn has_round(name: &str, body: &Value) -> bool {
    name == "match" && body["rounds"][0].is_object()
}

#[tokio::test]
async fn a_busy_leagues_stream_learns_of_a_move_that_nobody_tells_of() {
    let house = House::of_nodes(2, &[]).await;
    let player = Player::new(&house, Way::Plain).await;
    let (_, mut streams) = watched_league(&house, &player).await;
    for stream in &mut streams {
        heard(stream, is_running).await;
    }
    // Of a node that died before it told.
    house.ask(
        "insert into turns (game, number, seat, move, at)
         select id, seat + 1, seat, '1', created_at + 1000
         from games cross join generate_series(0, 1) seat where kind = 'even-odd'",
    );
    let found = streams.iter_mut().map(|stream| Box::pin(heard(stream, has_round)));
    tokio::select! {
        found = timeout(IN_VAIN, join_all(found)) => drop(found.expect("the match is read again")),
        () = keep_busy(&house) => {}
    }
}

#[tokio::test]
async fn a_leagues_stream_tells_of_its_matches() {
    let house = House::in_a_file().await;
    let player = Player::new(&house, Way::Plain).await;
    let (tokens, mut streams) = watched_league(&house, &player).await;
    let stream = &mut streams[0];
    let running = heard(stream, is_running).await;
    let (_, running) = running.last().unwrap();
    assert_eq!(running["match_id"], "R1M1", "{running}");
    let turn = running["turn"].as_u64().unwrap();
    // A round is played; the league itself does not change by it.
    for (token, number) in tokens.iter().zip([1, 2]) {
        let mv = json!({ "auth_token": token, "league_id": "told", "match_id": "R1M1",
            "number": number, "game_round": 1 });
        player.call("submit_move", mv).await.ok();
    }
    let later = heard(stream, has_round).await;
    assert!(later.last().unwrap().1["turn"].as_u64().unwrap() > turn);
}
