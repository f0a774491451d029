//! `kill -9` in the middle of everything.

use serde_json::json;

use crate::{
    house::House,
    nodes::{GAMES, MOVES, Rover, check_games, places, start_games},
    players::{Player, Way},
};

const CRASHES: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answered_move_is_lost() {
    let mut house = House::open().await;
    let places = places(&house);
    let rover = Rover::new(&places);
    let mut games = start_games(&rover, GAMES).await;
    let mut answered = Vec::new();
    for crash in 1..=CRASHES {
        while answered.len() < crash * GAMES * MOVES as usize / (CRASHES + 1) {
            games.2.recv_many(&mut answered, 64).await;
        }
        house.crash_and_restart().await;
        *places.lock().expect("places") = house.nodes().iter().map(|n| n.address.clone()).collect();
    }
    check_games(&house, &rover, games, answered).await;
}

#[tokio::test]
async fn clients_go_on_after_a_restart() {
    for way in [Way::Legacy, Way::Modern, Way::Plain] {
        let mut house = House::open().await;
        let (white, black) = (Player::new(&house, way).await, Player::new(&house, way).await);
        let created = white.create(json!({ "type": "agent" })).await;
        let (id, w) = (created.id(), created.pass());
        let b = black.join(&id).await.ok().pass();
        white.play(&w, "e2e4").await.ok();
        house.crash_and_restart().await;
        black.wait_for_turn(&b).await.says("It is your turn.").says("1. e4");
        // A session is still the one that joined.
        let handle = if way == Way::Legacy { &id } else { &b };
        black.play(handle, "e7e5").await.ok();
        white.wait_for_turn(&w).await.says("1. e4 e5");
    }
}

/// A client may call at once, while the new process has yet to read its session.
#[tokio::test]
async fn calls_that_come_at_once_after_a_restart_are_all_answered() {
    let mut house = House::open().await;
    let session = house.shake_hands("hasty").await.headers()["mcp-session-id"].clone();
    let http = reqwest::Client::new();
    for _ in 0..3 {
        house.crash_and_restart().await;
        let ask = async |id| {
            let ping = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
            let ping = http.post(house.url()).json(&ping).header("mcp-session-id", &session);
            let ping = ping.header("accept", "application/json, text/event-stream");
            let answer = ping.send().await.expect("an answer");
            answer.text().await.expect("text").contains("result")
        };
        let answers = futures_util::future::join_all((0..20).map(ask)).await;
        assert_eq!(answers, [true; 20]);
    }
}
