//! Waiting for one's turn.

use std::time::Duration;

use rmcp::model::{CallToolRequestParams, ClientRequest, Request};
use serde_json::json;
use tokio::time::timeout;

use crate::{
    house::House,
    players::{Player, WAYS, Way},
};

/// Long enough for anything that is not stuck.
const AMPLE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_timeout_is_a_normal_answer() {
    let house = House::with(&["--wait-seconds", "1"]).await;
    for way in [Way::Legacy, Way::Modern, Way::Plain] {
        let agent = Player::new(&house, way).await;
        let created = agent.create(json!({ "type": "agent", "color": "black" })).await;
        let answer = agent.wait(&created.pass()).await.ok();
        let text = "Timeout: No move received yet. Please call this tool again immediately.";
        assert_eq!(answer.text, text);
        assert_eq!(answer.facts["status"], "timeout");
    }
}

#[tokio::test]
async fn a_waiter_wakes_when_the_opponent_moves_joins_in_or_resigns() {
    for way in WAYS {
        let house = House::with(&["--wait-seconds", "30"]).await;
        let (white, black) =
            (Player::new(&house, Way::Plain).await, Player::new(&house, way).await);
        let created = white.create(json!({ "type": "agent" })).await;
        let w = created.pass();
        let b = black.join(&created.id()).await.ok().pass();
        let (waited, _) = tokio::join!(timeout(AMPLE, black.wait(&b)), white.play(&w, "e2e4"));
        waited.expect("it wakes").ok().says("It is your turn.");
        black.play(&b, "e7e5").await.ok();
        let (waited, _) = tokio::join!(timeout(AMPLE, black.wait(&b)), white.act(&w, "resign"));
        waited.expect("it wakes").ok().says("Game Over: Black wins by Resignation");
    }
}

#[tokio::test]
async fn a_question_wakes_the_one_who_is_asked() {
    let house = House::with(&["--wait-seconds", "30"]).await;
    let (white, black) =
        (Player::new(&house, Way::Legacy).await, Player::new(&house, Way::Modern).await);
    let created = white.create(json!({ "type": "agent" })).await;
    let (w, b) = (created.pass(), black.join(&created.id()).await.ok().pass());
    let (asked, _) = tokio::join!(timeout(AMPLE, black.wait(&b)), white.act(&w, "offerDraw"));
    asked.expect("it wakes").ok().says("offers a draw").says("declineDraw");
    white.see(&w).await.ok().says("To hear the answer, call `waitForNextTurn");
    // Whoever has asked waits for the answer, also on their own turn.
    let (answered, _) = tokio::join!(timeout(AMPLE, white.wait(&w)), black.act(&b, "declineDraw"));
    answered.expect("it wakes").ok().says("It is your turn.");
    white.play(&w, "e2e4").await.ok();
    let (asked, _) = tokio::join!(timeout(AMPLE, black.wait(&b)), white.act(&w, "takeback"));
    asked.expect("it is Black's turn anyway").ok();
    black.wait(&b).await.ok().says("take back").says("declineTakeback").says("finishTurn");
    black.act(&b, "takeback").await.ok().says("granted").says("**Turn**: White to move");
    white.wait(&w).await.ok().says("It is your turn.");
    white.see(&w).await.ok().says("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w");
}

#[tokio::test]
async fn whoever_hangs_up_can_call_again() {
    let house = House::with(&["--wait-seconds", "30"]).await;
    for way in WAYS {
        let (white, black) =
            (Player::new(&house, way).await, Player::new(&house, Way::Plain).await);
        let created = white.create(json!({ "type": "agent", "color": "black" })).await;
        let pass = created.pass();
        let other = black.join(&created.id()).await.ok().pass();
        // Dropping the call is what a client does that has lost patience.
        let given_up = timeout(Duration::from_millis(50), white.wait(&pass)).await;
        assert!(given_up.is_err());
        let (waited, _) = tokio::join!(timeout(AMPLE, white.wait(&pass)), black.play(&other, "e4"));
        waited.expect("it wakes").ok().says("It is your turn.");
    }
}

#[tokio::test]
async fn a_cancelled_wait_ends() {
    let house = House::with(&["--wait-seconds", "30"]).await;
    for way in [Way::Stdio, Way::Legacy] {
        let agent = Player::new(&house, way).await;
        let created = agent.create(json!({ "type": "agent", "color": "black" })).await;
        let Player::Mcp(client) = &agent else { panic!("an MCP client") };
        let mut call = CallToolRequestParams::new("waitForNextTurn");
        call.arguments = json!({ "game_id": created.pass() }).as_object().cloned();
        let request = ClientRequest::CallToolRequest(Request::new(call));
        let sent = client
            .send_cancellable_request(request, Default::default())
            .await
            .expect("the request goes out");
        sent.cancel(Some("changed my mind".into())).await.expect("it can be cancelled");
        agent.see(&created.id()).await.ok();
    }
}

#[tokio::test]
async fn a_thousand_wait_and_one_move_wakes_them() {
    let house = House::with(&["--wait-seconds", "30"]).await;
    let white = Player::new(&house, Way::Plain).await;
    let created = white.create(json!({ "type": "agent" })).await;
    let pass = created.pass();
    let black = white.join(&created.id()).await.ok().pass();
    let http = reqwest::Client::new();
    let mut waiting = tokio::task::JoinSet::new();
    for id in 0..1000 {
        let call = json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": "waitForNextTurn", "arguments": { "game_id": black } },
        });
        let asked = http.post(house.url()).json(&call).send();
        waiting.spawn(async move { asked.await.unwrap().text().await.unwrap() });
    }
    // The server still answers others at once.
    white.see(&created.id()).await.ok();
    white.play(&pass, "e2e4").await.ok();
    let answers = timeout(AMPLE, waiting.join_all()).await.expect("all wake");
    assert_eq!(answers.iter().filter(|a| a.contains("It is your turn.")).count(), 1000);
}
