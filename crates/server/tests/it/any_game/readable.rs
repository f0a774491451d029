//! What can be read of any game without playing it: the game as a resource, and its rules.

use serde_json::{Value, json};

use super::{agent, at, played, turn, two};
use crate::house::House;

/// What can be read at an address, by one who has no seat.
async fn read(house: &House, path: &str, uri: &str) -> Value {
    let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read",
        "params": { "uri": uri } });
    let answer = reqwest::Client::new().post(house.page(path)).json(&ask).send().await;
    let answer: Value = answer.expect("an answer").json().await.expect("JSON");
    let text = answer["result"]["contents"][0]["text"].as_str();
    text.map_or(answer.clone(), |text| serde_json::from_str(text).expect("JSON"))
}

#[tokio::test]
async fn a_game_of_any_kind_can_be_read_as_anybody_may_see_it() {
    let house = House::open().await;
    let agent = agent(&house).await;
    for game in played() {
        let (id, first, _) = two(&agent, json!({ "type": "agent", "game": game })).await;
        let uri = format!("{game}://game/{id}");
        for path in ["/mcp", "/games/mcp", &format!("/{game}/mcp")] {
            let seen = read(&house, path, &uri).await;
            assert_eq!((&seen["game_id"], &seen["turn"]), (&json!(id), &json!(1)), "{path} {seen}");
            assert!(seen.get("pass").is_none() && !seen.to_string().contains(&first), "{seen}");
            let secret = read(&house, path, &format!("{game}://game/{first}")).await;
            assert!(secret["error"].is_object(), "a pass is no address: {secret}");
        }
        let other = if game == "nim" { "hex" } else { "nim" };
        for wrong in [format!("{other}://game/{id}"), format!("{game}://game/00000000")] {
            let refused = read(&house, "/mcp", &wrong).await;
            assert!(refused["error"].is_object(), "{wrong}: {refused}");
        }
        let elsewhere = read(&house, &format!("/{other}/mcp"), &uri).await;
        assert!(elsewhere["error"].is_object(), "{game} at {other}: {elsewhere}");
    }
    let (id, first, _) = two(&agent, json!({ "type": "agent", "game": "kuhn-poker" })).await;
    turn(&agent, &first, "bet", 1).await.ok();
    let seen = read(&house, "/mcp", &format!("kuhn-poker://game/{id}")).await;
    let public = agent_at_nobodys_seat(&house, &id).await;
    for fact in ["view", "history", "seats", "turn", "status"] {
        assert_eq!(seen[fact], public[fact], "{fact} of {seen}");
    }
    assert_eq!(seen["history"][0]["move"], "bet");
    let listed = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/templates/list" });
    for (path, template) in [("/mcp", "hex://game/{game_id}"), ("/nim/mcp", "nim://game/{game_id}")]
    {
        let answer = reqwest::Client::new().post(house.page(path)).json(&listed).send().await;
        let text = answer.expect("an answer").text().await.expect("text");
        assert!(text.contains(template), "{path}: {text}");
    }
}

/// The game as getGame tells it to one who does not play.
async fn agent_at_nobodys_seat(house: &House, id: &str) -> Value {
    agent(house).await.see(id).await.ok().facts
}

#[tokio::test]
async fn the_rules_of_chess_tell_all_that_can_be_set_up() {
    let house = House::open().await;
    for path in ["/mcp", "/games/mcp", "/chess/mcp"] {
        let agent = at(&house, path);
        let rules = agent.call("gameRules", json!({ "game": "chess" })).await.ok();
        let setup = rules.facts["kinds"][0]["setup"].as_array().expect("keys").clone();
        let keys: Vec<_> = setup.iter().map(|key| key.as_str().unwrap()).collect();
        let keys: Vec<_> = keys.iter().map(|key| key.split(':').next().unwrap()).collect();
        let refused = agent.call("createGame", json!({ "type": "agent", "setup": { "x": 1 } }));
        refused.await.no().says(&format!("it takes {}", keys.join(", ")));
        for key in ["hints", "typed_moves", "loose", "resigns", "live_comments"] {
            assert!(keys.contains(&key), "{key} in {keys:?}");
            let ask = json!({ "type": "human", "setup": { key: false } });
            agent.create(ask).await;
        }
    }
}
