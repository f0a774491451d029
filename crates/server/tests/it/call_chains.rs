//! Two agents that came in different ways, boards, and versions of the protocol. The chains of calls
//! themselves are rows of seed 002.

use serde_json::json;

use crate::{
    house::House,
    players::{Player, Way},
};

#[tokio::test]
async fn two_agents_play_each_other_whichever_way_they_came() {
    for (white, black) in [
        (Way::Stdio, Way::Stdio),
        (Way::Legacy, Way::Modern),
        (Way::Plain, Way::Legacy),
        (Way::Modern, Way::Stdio),
    ] {
        let house = House::open().await;
        let (white, black) = (Player::new(&house, white).await, Player::new(&house, black).await);
        let created = white.create(json!({ "type": "agent" })).await;
        let (id, w) = (created.id(), created.pass());
        // White may move before anybody has joined.
        white.play(&w, "f2f3").await.ok().says("nobody has joined yet").says(&id);
        let joined = black.join(&id).await.ok().says("Successfully").says("You are: Black");
        let joined = joined.says("finishTurn");
        let b = joined.pass();
        black.play(&b, "e7e5").await.ok().says("Waiting for opponent...").says("waitForNextTurn");
        white.wait_for_turn(&w).await.says("It is your turn.").says("**Last move**: e7e5 (e5)");
        white.play(&w, "g2g4").await.ok();
        black.wait_for_turn(&b).await.says("It is your turn.");
        let end = "Game Over: Black wins by Checkmate";
        let mate = json!({ "game_id": b, "move": "d8h4", "claim_win": true });
        black
            .call("finishTurn", mate)
            .await
            .ok()
            .says("Move accepted. Game Over: Black wins by Checkmate.");
        white.wait_for_turn(&w).await.says(end).says("No further actions needed");
        let seen = white.see(&id).await.ok().says("1. f3 e5 2. g4 Qh4#\n");
        seen.says("[Termination \"normal\"]").says("{ Black wins by Checkmate } 0-1");
    }
}

#[tokio::test]
async fn a_board_is_shown_when_it_is_asked_for() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "computer", "showUi": true })).await;
    assert_eq!(created.page_pass(), created.pass(), "the board shows the agent's own seat");
    let page = created.page.clone().expect("a page");
    for part in ["chkWaitMate", "finishTurn", "claim_win"] {
        assert!(page.contains(part), "{part}");
    }
    let created = agent.create(json!({ "type": "human", "color": "black", "showUi": false })).await;
    assert_eq!(created.page, None);
    let created = agent.create(json!({ "type": "human", "showUi": true })).await;
    assert!(created.page.is_some());
    for game in ["chess", "tic-tac-toe"] {
        let shown = json!(game != "chess");
        let ask = json!({ "type": "computer", "game": game, "showUi": shown });
        assert_eq!(agent.create(ask).await.page, None, "{game}");
    }
}

#[tokio::test]
async fn every_version_of_the_protocol_is_spoken() {
    let house = House::open().await;
    let post = async |body: serde_json::Value, headers: &[(&str, &str)]| {
        let mut request = reqwest::Client::new().post(house.url()).json(&body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let both = "application/json, text/event-stream";
        request.header("accept", both).send().await.unwrap()
    };
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {},
            "clientInfo": { "name": "old", "version": "1" } } });
        let answer = post(hello, &[]).await;
        let session = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let text = answer.text().await.unwrap();
        assert!(text.contains(&format!("\"protocolVersion\":\"{version}\"")), "{text}");
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "createGame", "arguments": { "type": "agent" } } });
        let headers = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", version)];
        assert_eq!(post(ready, &headers).await.status(), 202);
        let text = post(call, &headers).await.text().await.unwrap();
        assert!(text.contains("Game Created Successfully!"), "{version}: {text}");
    }
}
