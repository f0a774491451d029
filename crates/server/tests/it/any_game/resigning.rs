//! Whoever has lost a game need not play it to its end: what is done beside the board, in every kind.

use rules::KINDS;
use serde_json::{Value, json};

use super::{agent, at, played, turn, two};
use crate::{
    house::House,
    players::{Player, Way},
};

/// What a game of two is asked for with.
fn of_two(game: &str) -> Value {
    let kind = rules::kind(game).expect("a kind");
    let is_chosen = usize::from(kind.card.expect("a card").fewest) < kind.seats.len();
    let mut ask = json!({ "type": "agent", "game": game });
    if is_chosen {
        ask["setup"] = json!({ "seats": 2 });
    }
    ask
}

async fn page(house: &House, id: &str) -> Value {
    let answer = reqwest::get(house.page(&format!("/api/games/{id}"))).await.expect("an answer");
    answer.json().await.expect("JSON")
}

#[tokio::test]
async fn every_game_of_two_can_be_resigned_by_either_at_any_time() {
    let house = House::open().await;
    let agent = agent(&house).await;
    for (n, game) in played().filter(|game| *game != "chess").enumerate() {
        let (id, first, second) = two(&agent, of_two(game)).await;
        // Now by whoever is to move, now by who waits, now after a move.
        let (loser, winner) = if n % 2 == 0 { (&first, &second) } else { (&second, &first) };
        if n % 3 == 0 {
            let seen = agent.see(&first).await.ok();
            let mv = seen.facts["legal_moves"][0].as_str().expect("a move").to_owned();
            let mv = mv.split("..").next().expect("a range begins").to_owned();
            turn(&agent, &first, &mv, 1).await.ok();
        }
        let resigned = agent.act(loser, "resign").await.ok().says("You have resigned");
        let name = resigned.fact("you");
        let told = agent.wait(winner).await.ok().says("wins by resignation");
        let won = format!("{} wins by resignation", told.fact("you"));
        for answer in [&resigned, &told, &agent.see(&id).await.ok()] {
            assert_eq!(answer.facts["status"], "over", "{game}");
            assert_eq!(answer.fact("result"), won, "{game}");
            assert!(answer.facts["legal_moves"] == json!([]), "{game}");
        }
        let last = told.facts["since"].as_array().unwrap().last().cloned().expect("news");
        assert_eq!((&last["by"], &last["move"]), (&json!(name), &json!("(resigned)")), "{game}");
        told.says(&format!("{name} (resigned)"));
        agent.see(&id).await.ok().says("**History**").says(&format!("{name} (resigned)"));
        let page = page(&house, &id).await;
        assert_eq!((&page["status"], &page["result"]), (&json!("over"), &json!(won)), "{game}");
        assert_eq!(page["history"].as_array().unwrap().last().unwrap()["move"], "(resigned)");
        let listed = agent.call("listGames", json!({})).await.ok();
        assert!(!listed.text.contains(&id), "it is over: {}", listed.text);
        agent.act(winner, "resign").await.no().says("The game is over").says(&won);
        turn(&agent, winner, "1", 9).await.no().says("The game is over");
        house.verifies(&id);
    }
}

#[tokio::test]
async fn a_resignation_that_comes_again_counts_once() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let (id, x, _) = two(&agent, of_two("othello")).await;
    let resign = json!({ "game_id": x, "action": "Resign", "turn": 1 });
    let resigned = agent.call("gameAction", resign.clone()).await.ok();
    let again = agent.call("gameAction", resign).await.ok();
    assert_eq!(resigned, again);
    assert_eq!(agent.act(&x, "resign").await.ok().text, again.text);
    assert_eq!(house.turns(&id), [(1, "(resigned)".to_owned())]);
}

#[tokio::test]
async fn nobody_resigns_by_a_move_and_a_game_of_three_is_not_resigned() {
    let house = House::open().await;
    let agent = agent(&house).await;
    for game in played() {
        let (id, first, second) = two(&agent, of_two(game)).await;
        for (pass, text) in [(&first, "resign"), (&first, "Resign "), (&second, "resign")] {
            let refused = agent.play(pass, text).await.no();
            refused.says("gameAction").says("resign");
        }
        for pass in [&first, &second] {
            agent.play(pass, "(resigned)").await.no();
        }
        assert!(house.turns(&id).is_empty(), "{game}");
    }
    let three = json!({ "game": "liars-dice", "seats": ["me", "agent", "agent"] });
    let pass = agent.create(three).await.pass();
    agent.act(&pass, "resign").await.no().says("nothing to do in liars-dice but to move");
}

#[tokio::test]
async fn what_may_be_done_beside_the_board_is_listed_at_every_door() {
    let house = House::open().await;
    let listed = async |path: &str| {
        let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let answer = reqwest::Client::new().post(house.page(path)).json(&ask).send().await;
        let tools: Value = answer.expect("an answer").json().await.expect("JSON");
        let tools = tools["result"]["tools"].as_array().expect("tools").clone();
        let tool =
            tools.into_iter().find(|tool| tool["name"] == "gameAction").expect("it is there");
        (tool["inputSchema"]["properties"]["action"]["enum"].clone(), tool["description"].clone())
    };
    let (whole, _) = listed("/mcp").await;
    for kind in KINDS.iter().filter(|kind| played().any(|name| name == kind.name)) {
        let path = format!("/{}/mcp", kind.name);
        let (actions, about) = listed(&path).await;
        let known: Vec<_> = kind.actions().iter().copied().chain(["newLink"]).collect();
        assert_eq!(actions, json!(known), "{path}");
        for action in &known {
            assert!(whole.as_array().unwrap().contains(&json!(action)), "{action} in {whole}");
        }
        assert!(about.as_str().unwrap().contains("esign"), "{path}: {about}");
        if kind.name == "chess" {
            continue;
        }
        let (_, first, _) = two(&at(&house, &path), of_two(kind.name)).await;
        for (wrong, next) in [("offerDraw", "finishTurn"), ("dance", "gameAction")] {
            let refused = at(&house, &path).act(&first, wrong).await.no();
            let refused = refused.says(wrong).says("resign").says(next);
            assert!(!refused.text.contains("takeback"), "{}", refused.text);
        }
    }
}

#[tokio::test]
async fn a_person_may_resign_on_the_page_and_is_told_that_they_may() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "human", "game": "hex" })).await;
    let person = created.open().await.expect("the link opens");
    let http = reqwest::Client::new();
    let path = house.page(&format!("/api/games/{}", created.id()));
    let seen: Value =
        http.get(&path).bearer_auth(&person).send().await.unwrap().json().await.unwrap();
    assert_eq!(seen["actions"], json!(["resign"]), "{seen}");
    let resign = json!({ "action": "resign" });
    let ask = http.post(format!("{path}/play")).bearer_auth(&person).json(&resign);
    let over: Value = ask.send().await.unwrap().json().await.unwrap();
    assert_eq!(over["status"], "over", "{over}");
    assert_eq!(over["actions"], json!([]), "{over}");
    agent.wait(&created.pass()).await.ok().says("wins by resignation");
}
