//! Several processes on one store.

use std::process::Stdio;

use serde_json::json;

use crate::{
    house::House,
    players::{Player, Way},
};

#[tokio::test]
async fn two_processes_and_a_server_share_their_games() {
    let house = House::with(&["--wait-seconds", "30"]).await;
    let (white, black) =
        (Player::new(&house, Way::Stdio).await, Player::new(&house, Way::Stdio).await);
    let watcher = Player::new(&house, Way::Plain).await;
    let created = white.create(json!({ "type": "agent" })).await;
    let id = created.id();
    black.join(&id).await.ok();
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O";
    for pair in moves.split(' ').collect::<Vec<_>>().chunks(2) {
        let (waited, _) = tokio::join!(black.wait(&id), white.play(&id, pair[0]));
        waited.ok().says("It is your turn.");
        let (waited, _) = tokio::join!(white.wait(&id), black.play(&id, pair[1]));
        waited.ok().says("It is your turn.");
        watcher.see(&id).await.ok().says(&format!("({})", pair[1]));
    }
}

#[test]
fn many_processes_may_open_a_new_store_at_once() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let start = || {
            let mut agon = crate::house::command(&folder);
            let agon = agon.args(["--listen", "127.0.0.1:0"]).stdin(Stdio::null());
            agon.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let started: Vec<_> = (0..12).map(|_| start()).collect();
        for agon in started {
            let output = agon.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[tokio::test]
async fn when_two_processes_play_one_turn_one_of_them_does() {
    let house = House::open().await;
    let here = Player::new(&house, Way::Plain).await;
    let there = Player::new(&house, Way::Stdio).await;
    for _ in 0..20 {
        let created = here.create(json!({ "type": "agent" })).await;
        let pass = created.pass();
        there.see(&pass).await.ok();
        let (one, two) = tokio::join!(here.play(&pass, "e2e4"), there.play(&pass, "d2d4"));
        assert!(one.refused != two.refused, "{} / {}", one.text, two.text);
        let seen = here.see(&pass).await.ok();
        assert_eq!(seen.facts["history"].as_array().map(Vec::len), Some(1));
    }
}

#[tokio::test]
async fn the_computer_answers_whichever_process_is_asked() {
    let house = House::open().await;
    let here = Player::new(&house, Way::Plain).await;
    let there = Player::new(&house, Way::Stdio).await;
    let pass = here.create(json!({ "type": "computer", "difficulty": 1 })).await.pass();
    // Any legal move: what the computer answers decides which there are.
    let mut turn = there.wait_for_turn(&pass).await;
    for (player, other) in [(&here, &there), (&there, &here), (&here, &there)] {
        let mv = turn.facts["legal_moves"][0]["uci"].as_str().expect("a legal move").to_owned();
        player.play(&pass, &mv).await.ok();
        turn = other.wait_for_turn(&pass).await.says("It is your turn.");
    }
}
