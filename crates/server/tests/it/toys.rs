//! Games that no room has ever heard of, at every door: three who bid at once from a range for what is
//! drawn, and a thousand moves to choose from.
//!
//! They are listed where AGON_TOYS is set, which these stories do for their servers. The Makefile runs the
//! stories about every listed game with it as well: secrets, leagues, doors, sizes.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    house::House,
    pages::{ask, get, post},
    players::{Player, Way},
};

/// Whose taste is seen.
fn known(tastes: &Value) -> Vec<bool> {
    tastes.as_array().expect("tastes").iter().map(Value::is_number).collect()
}

#[tokio::test]
async fn an_agent_a_person_and_the_computer_bid_at_once_over_kill_9() {
    let mut house = House::alone(&["AGON_TOYS=1"]).await;
    let agent = Player::new(&house, Way::Modern).await;
    let seats = json!(["me", "human", "computer 3"]);
    let created = agent.create(json!({ "game": "toy-auction", "seats": seats })).await;
    let (id, first) = (created.id(), created.pass());
    let second = created.open().await.expect("the person's seat");
    assert!(created.facts["setup"].is_null(), "three are as usual");
    assert_eq!(created.facts["legal_moves"], json!(["bid 0..40"]));
    assert_eq!(known(&created.facts["view"]["tastes"]), [true, false, false]);
    let path = format!("/api/games/{id}");
    let page = ask(&house, Method::GET, &path, &second, Value::Null).await.1;
    assert_eq!((&page["you"], &page["legal_moves"]), (&json!(1), &json!(["bid 0..40"])));
    assert_eq!(page["drawing"][0]["rows"][0][0], "?", "{page}");

    let bid = async |agent: &Player, mv: &str, turn: &Value| {
        let ask = json!({ "game_id": first, "move": mv, "turn": turn });
        agent.call("finishTurn", ask).await
    };
    let turn = created.facts["turn"].clone();
    bid(&agent, "bid 41", &turn).await.no().says("bid 0..40").says("Nothing was played");
    bid(&agent, "bid 8", &turn).await.ok().says("Sealed: bid 8");
    // Nobody sees it before all are in, the person neither.
    let page = ask(&house, Method::GET, &path, &second, Value::Null).await.1;
    assert!(!page.to_string().contains("bid 8"), "{page}");

    house.crash_and_restart().await;
    let agent = Player::new(&house, Way::Plain).await;
    bid(&agent, "bid 8", &turn).await.ok().says("bid 8");
    let (status, _) =
        post(&house, &format!("{path}/play"), &second, json!({ "move": "bid 3" })).await;
    assert_eq!(status.as_u16(), 200);
    let mut now = agent.wait_for_turn(&first).await;
    assert_eq!(now.facts["view"]["bids"].as_array().map(Vec::len), Some(1), "{}", now.text);
    let since = now.facts["since"].to_string();
    assert!(since.contains("The next prize is"), "{since}");
    while now.facts["status"] != "over" {
        bid(&agent, "bid 1", &now.facts["turn"]).await.ok();
        let mv = json!({ "move": "bid 2" });
        let (status, played) = post(&house, &format!("{path}/play"), &second, mv).await;
        assert_eq!(status.as_u16(), 200, "{played}");
        now = agent.wait_for_turn(&first).await;
    }
    let now = now.says("The last prize is sold");
    let points = now.facts["points"].as_array().expect("points").clone();
    assert_eq!(points.len(), 3);
    let sum: i64 = points.iter().filter_map(Value::as_i64).sum();
    assert!(sum > 0, "nobody pays more than there was, and they do not sum to nought: {points:?}");
    let page = get(&house, &path).await;
    assert_eq!(page["points"], json!(points));
    assert_eq!(known(&agent.see(&id).await.facts["view"]["tastes"]), [true; 3]);
    // Whoever looks back sees what they saw then.
    let then = get(&house, &format!("{path}/turns/3")).await;
    assert_eq!(then["drawing"][0]["rows"][0][0], "?", "{then}");
    house.verifies(&id);
}

#[tokio::test]
async fn a_thousand_moves_are_few_words() {
    let house = House::alone(&["AGON_TOYS=1"]).await;
    let agent = Player::new(&house, Way::Legacy).await;
    let created = agent.create(json!({ "game": "toy-thousand", "difficulty": 2 })).await;
    let pass = created.pass();
    assert_eq!(created.facts["legal_moves"].as_array().map(Vec::len), Some(1000));
    let mut now = created;
    let mut number = 999;
    while now.facts["status"] != "over" {
        assert!(now.text.len() < 3000, "{} characters: {}", now.text.len(), now.text);
        let ask = json!({ "game_id": pass, "move": number.to_string(), "wait": true });
        now = agent.call("finishTurn", ask).await;
        // The computer may have named it.
        number -= 1;
    }
    let now = now.ok().says("Six numbers are named");
    assert!(now.facts["result"].is_string());
    let line = &get(&house, "/api/games?kind=toy-thousand&status=all").await[0];
    assert!(line.to_string().len() < 2000, "a line of a list: {line}");
    house.verifies(&now.id());
}
