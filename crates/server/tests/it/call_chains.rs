//! The five call chains of the protocol, played to the end, each over every way in.

use serde_json::json;

use crate::{
    house::House,
    players::{Answer, Player, Way},
};

/// Plays for `player` against the computer until the game is over, taking the first legal move.
async fn to_the_end(player: &Player, pass: &str, mut turn: Answer) -> Answer {
    loop {
        if turn.facts["status"] == "over" {
            return turn.says("No further actions needed");
        }
        let legal = turn.facts["legal_moves"].as_array().expect("legal moves").clone();
        // The last one is often a king's or a rook's move, which ends games sooner.
        let mv = legal[legal.len() - 1]["uci"].as_str().expect("a move").to_owned();
        let moved = player.play(pass, &mv).await.ok();
        turn = if moved.facts["status"] == "over" {
            moved.says("Move accepted. Game Over: ")
        } else {
            moved.says("Waiting for Computer").says("waitForNextTurn");
            player.wait_for_turn(pass).await
        };
    }
}

#[tokio::test]
async fn an_agent_plays_white_against_the_computer_to_the_end() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Legacy).await;
    let created = agent.create(json!({ "type": "computer", "difficulty": 2 })).await;
    let created = created.says("- Type: computer").says("- You are: White").says("finishTurn");
    to_the_end(&agent, &created.pass(), created).await;
}

#[tokio::test]
async fn an_agent_plays_black_against_the_computer_to_the_end() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Stdio).await;
    let game = json!({ "type": "computer", "color": "black", "difficulty": 2 });
    let created = agent.create(game).await.says("- You are: Black").says("waitForNextTurn");
    let pass = created.pass();
    let turn = agent.wait_for_turn(&pass).await.says("It is your turn.").says("finishTurn");
    to_the_end(&agent, &pass, turn).await;
}

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
async fn an_agent_plays_white_against_a_person_at_a_board() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Modern).await;
    let created = agent.create(json!({ "type": "human" })).await.says("- Type: human");
    assert_eq!(created.page, None, "the agent moves first");
    let pass = created.pass();
    let moved = agent.play(&pass, "e2e4").await.ok();
    let moved = moved.says("Waiting for Human").says("UI returned for human");
    let page = moved.page.as_ref().expect("a page for the person");
    assert!(page.len() < 2000, "{} bytes", page.len());
    assert!(page.contains(moved.link.as_ref().expect("a link")), "{page}");
    assert!(!page.contains(&pass), "the board does not know the agent's pass");
    let board = moved.open().await.expect("the first to open it is seated");

    // The agent cannot move for the person, nor the board for the agent.
    agent.play(&pass, "e7e5").await.no().says("Not your turn");
    agent.play(&board, "e2e4").await.no();
    agent.play(&board, "e7e5").await.ok().says("It is your turn.");
    agent.play(&board, "d7d5").await.no().says("Not your turn");

    let turn = agent.wait_for_turn(&pass).await.says("It is your turn.").says("(e5)");
    assert_eq!(turn.page, None);
    agent.act(&pass, "resign").await.ok().says("Game Over: Black wins by Resignation");
}

#[tokio::test]
async fn an_agent_plays_black_against_a_person_at_a_board() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "human", "color": "black" })).await;
    let created = created.says("UI returned for human").says("waitForNextTurn");
    let pass = created.pass();
    let board = created.open().await.expect("the first to open it is seated");
    assert_ne!(pass, board);
    assert!(!created.text.contains(&board), "the text does not give the person's pass away");
    assert!(!created.facts.to_string().contains(&board));
    let (waited, _) = tokio::join!(agent.wait_for_turn(&pass), agent.play(&board, "d2d4"));
    waited.says("It is your turn.").says("**Moves**: 1. d4");
    let moved = agent.play(&pass, "d7d5").await.ok();
    assert!(moved.page.is_some(), "the person sees where to play");
    assert_eq!(moved.link, None, "nobody needs a link any more");
    agent.play(&board, "c2c4").await.ok();
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
async fn agents_are_spoken_to_as_they_ask() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Legacy).await;
    let lean = agent.create(json!({ "type": "agent", "board": "fen" })).await;
    assert!(!lean.text.contains("| Rank |"));
    let moved = agent.play(&lean.pass(), "e2e4").await.ok();
    assert!(!moved.text.contains("| Rank |"), "it is remembered");
    let other = Player::new(&house, Way::Legacy).await;
    let game = json!({ "game_id": lean.id(), "board": "letters" });
    other.call("joinGame", game).await.ok().says("8 r n b q k b n r");
    // The default.
    let full = agent.create(json!({ "type": "agent" })).await;
    full.says("| **8** | ♜ | ♞ |").says("**FEN**: rnbqkbnr").says("**Turn**: White to move");
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
