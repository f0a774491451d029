//! What a caller is told is so: which moves there are, who is waited for, why there is no seat.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{agent, turn, two};
use crate::{house::House, pages::get, players::Player};

#[tokio::test]
async fn a_refusal_tells_all_moves_as_every_answer_does() {
    let house = House::open().await;
    let agent = agent(&house).await;
    for (game, setup) in [("hex", json!({ "size": 5 })), ("liars-dice", json!({ "dice": 3 }))] {
        let ask = json!({ "type": "agent", "game": game, "setup": setup });
        let (_, first, _) = two(&agent, ask).await;
        let refused = turn(&agent, &first, "nonsense", 1).await.no();
        let moves = refused.facts["legal_moves"].as_array().expect("moves").iter();
        let moves: Vec<_> = moves.map(|mv| mv.as_str().expect("a text")).collect();
        let told = format!("Moves: {}. Nothing was played.", moves.join(", "));
        refused.says(&told);
    }
    // Where there are too many, it says so.
    let (_, first, _) = two(&agent, json!({ "type": "agent", "game": "hex" })).await;
    turn(&agent, &first, "nonsense", 1).await.no().says(", and others, 121 in all.");
}

/// Bids as soon as it is to move, and tells when that was done.
async fn answer(player: &Player, pass: &str) -> Instant {
    player.call("waitForNextTurn", json!({ "game_id": pass })).await.ok();
    turn(player, pass, "twos x 1", 2).await.ok();
    Instant::now()
}

#[tokio::test]
async fn who_waits_in_vain_is_told_what_happened_meanwhile() {
    const WAIT: Duration = Duration::from_secs(2);
    let house = House::with(&["--wait-seconds", "2"]).await;
    let agent = agent(&house).await;
    let ask = json!({ "game": "liars-dice", "seats": ["me", "agent", "agent"] });
    let (id, first, second) = two(&agent, ask).await;
    agent.call("joinGame", json!({ "game_id": id })).await.ok();
    let started = Instant::now();
    let bid = json!({ "game_id": first, "move": "ones x 1", "turn": 1, "wait": true });
    let (bid, answered) = tokio::join!(agent.call("finishTurn", bid), answer(&agent, &second));
    let bid = bid.ok().says("Move accepted: ones x 1.");
    // On a very slow machine nobody has answered by the time the wait is over.
    if answered < started + WAIT {
        assert_eq!(bid.facts["turn"], 3, "{}", bid.text);
        bid.says("Waiting for Player 3.").says("**Since**: Player 2 twos x 1");
    }
    let waited = agent.call("waitForNextTurn", json!({ "game_id": first })).await.ok();
    assert_eq!(waited.facts["status"], "timeout");
    waited.says("Timeout: It is not your turn yet. Since: Player 2 twos x 1. Please call");
}

#[tokio::test]
async fn who_starts_a_game_is_told_how_another_joins_and_who_comes_late_why_there_is_no_seat() {
    let house = House::open().await;
    let agent = agent(&house).await;
    for (game, told) in [("nim", "Player 2; who calls `joinGame("), ("chess", "Black; who joins")] {
        let created = agent.create(json!({ "type": "agent", "game": game })).await.ok();
        let (id, first) = (created.id(), created.pass());
        created.says(&format!("- Free: {told}"));
        let second = agent.call("joinGame", json!({ "game_id": id })).await.ok();
        assert!(!second.text.contains("Free:"), "{}", second.text);
        let full = agent.call("joinGame", json!({ "game_id": id })).await.no();
        full.says(&format!("game {id}")).says("getGame");
        agent.act(&first, "resign").await.ok();
    }
    let created = agent.create(json!({ "type": "agent", "game": "nim" })).await.ok();
    turn(&agent, &created.pass(), "1:1", 1)
        .await
        .ok()
        .says("Waiting for Player 2 (nobody has joined yet).");
    let (id, _, second) = two(&agent, json!({ "type": "agent", "game": "nim" })).await;
    let full = agent.call("joinGame", json!({ "game_id": id })).await.no();
    full.says(&format!("there is no free seat in game {id}. Watch it"));
    agent.act(&second, "resign").await.ok();
    let over = agent.call("joinGame", json!({ "game_id": id })).await.no();
    over.says(&format!("game {id} is over: Player 1 wins by resignation."));
}

#[tokio::test]
async fn what_contradicts_itself_or_is_played_otherwise_is_refused_with_what_to_do() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let ask = |color: &str| json!({ "game": "connect-four", "color": color, "seat": "yellow" });
    agent.call("createGame", ask("red")).await.no().says("color beside seat must be yellow, not");
    agent.call("createGame", ask("Yellow")).await.ok();
    for tool in ["gameRules", "createGame"] {
        let refused = agent.call(tool, json!({ "game": "dungeon" })).await.no();
        refused.says("tools of its own").says("get_current_room");
    }
    let usual = json!({ "game": "liars-dice", "seats": ["me", "computer"] });
    assert!(agent.create(usual).await.ok().facts["setup"].is_null(), "two are as usual");
}

#[tokio::test]
async fn a_game_that_is_played_at_once_by_all_is_listed_and_has_the_turns_that_it_has() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let (id, first, second) = two(&agent, json!({ "type": "agent", "game": "matrix-game" })).await;
    let listed = get(&house, "/api/games").await;
    assert_eq!(listed[0]["game_id"], id.as_str(), "{listed}");
    for pass in [&first, &second] {
        turn(&agent, pass, "cooperate", 1).await.ok();
    }
    assert_eq!(get(&house, &format!("/api/games/{id}/turns/2")).await["turn"], 2);
    let missing = reqwest::get(house.page(&format!("/api/games/{id}/turns/3"))).await.unwrap();
    assert_eq!(missing.status(), 404);
    let why: Value = missing.json().await.unwrap();
    assert!(why.to_string().contains("the last is 2"), "{why}");
}
