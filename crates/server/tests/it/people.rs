//! People at games that draw themselves: what the pages are answered, and what nobody is told.

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::{
    house::House,
    pages::{ask, get, post, text},
    players::{Player, Way},
};

/// A game that one person starts and another joins, with the pass of each.
async fn table(house: &House, wish: Value) -> (String, [String; 2]) {
    let (status, one) = post(house, "/api/games", "", wish).await;
    assert_eq!(status, 201, "{one}");
    let id = text(&one["game_id"]).to_owned();
    let (status, other) =
        post(house, &format!("/api/games/{id}/join"), "", json!({ "name": "Grace" })).await;
    assert_eq!(status, 201, "{other}");
    (id, [one, other].map(|seat| text(&seat["pass"]).to_owned()))
}

async fn seen(house: &House, path: &str, pass: &str) -> Value {
    ask(house, Method::GET, path, pass, Value::Null).await.1
}

/// The cards of both players, as somebody sees them.
fn cards(game: &Value) -> [Option<String>; 2] {
    [0, 1].map(|seat| game["drawing"][seat]["cards"][0].as_str().map(str::to_owned))
}

#[tokio::test]
async fn a_card_is_seen_by_whoever_holds_it_and_by_nobody_else() {
    let house = House::open().await;
    let wish = json!({ "opponent": "human", "game": "kuhn-poker", "setup": { "hands": 1 } });
    let (id, [one, other]) = table(&house, wish).await;
    let path = format!("/api/games/{id}");
    let [mine, theirs] = [&one, &other].map(|pass| seen(&house, &path, pass));
    let (mine, theirs) = (cards(&mine.await), cards(&theirs.await));
    assert!(mine[0].is_some() && mine[1].is_none(), "{mine:?}");
    assert!(theirs[0].is_none() && theirs[1].is_some(), "{theirs:?}");
    assert_eq!(cards(&get(&house, &path).await), [None, None]);
    let listed = get(&house, "/api/games?kind=kuhn-poker").await;
    assert_eq!(cards(&listed[0]), [None, None]);
    // The stream is the same for everybody, whatever they bring along.
    let stream = Client::new().get(house.page(&format!("{path}/events"))).bearer_auth(&one);
    let first = stream.send().await.unwrap().chunk().await.unwrap().unwrap();
    let first = String::from_utf8(first.to_vec()).unwrap();
    let public: Value = serde_json::from_str(first.split("data: ").nth(1).unwrap().trim()).unwrap();
    assert_eq!(cards(&public), [None, None]);
    assert_eq!(public["legal_moves"], json!([]));

    for (pass, mv) in [(&one, "bet"), (&other, "bet")] {
        let (status, played) =
            post(&house, &format!("{path}/play"), pass, json!({ "move": mv })).await;
        assert_eq!(status, 200, "{played}");
    }
    let over = get(&house, &path).await;
    assert_eq!(over["status"], "over");
    assert!(cards(&over).iter().all(Option::is_some), "the cards are shown at the end");
    // Who looks back sees what they saw then.
    let then = format!("{path}/turns/1");
    assert_eq!(cards(&get(&house, &then).await), [None, None]);
    assert_eq!(cards(&seen(&house, &then, &one).await), mine);
    assert_eq!(cards(&seen(&house, &then, &other).await), theirs);
    let wrong = post(&house, &format!("{path}/play"), "", json!({ "move": "bet" })).await;
    assert_eq!(wrong.0, 403);
}

#[tokio::test]
async fn a_sealed_move_is_seen_by_whoever_made_it() {
    let house = House::open().await;
    let (id, [odd, even]) =
        table(&house, json!({ "opponent": "human", "game": "even-odd", "seat": "odd" })).await;
    let path = format!("/api/games/{id}");
    post(&house, &format!("{path}/play"), &odd, json!({ "move": "3", "turn": 1 })).await;
    let [own, others, public] = [&odd, &even, ""].map(|pass| seen(&house, &path, pass));
    let (own, others, public) = (own.await, others.await, public.await);
    assert_eq!(own["history"][0]["move"], "3");
    assert_eq!(own["legal_moves"], json!([]));
    assert_eq!(others["legal_moves"], json!(["1", "2", "3", "4", "5"]));
    for blind in [&others, &public, &get(&house, &format!("{path}/turns/1")).await] {
        assert!(blind["history"].as_array().is_none_or(Vec::is_empty), "{blind}");
        assert!(!blind["drawing"].to_string().contains('3'), "{blind}");
    }
    assert_eq!(public["due"], json!([1]));
}

#[tokio::test]
async fn people_start_any_game_and_play_it_again_from_the_next_seat() {
    let house = House::open().await;
    let (_, info) = ask(&house, Method::GET, "/api/info", "", Value::Null).await;
    for kind in info["kinds"].as_array().expect("kinds") {
        let wish = json!({ "opponent": "computer", "game": kind["game"], "difficulty": 1 });
        let (status, seat) = post(&house, "/api/games", "", wish).await;
        assert_eq!(status, 201, "{kind}: {seat}");
        assert_eq!(seat["seat"], kind["seats"][0]);
        assert_eq!(text(&seat["color"]), text(&seat["seat"]).to_lowercase());
        let path = format!("/api/games/{}", text(&seat["game_id"]));
        let page = reqwest::get(house.page(&path.replace("/api/games", "/game"))).await.unwrap();
        assert_eq!(page.status(), 200);
        let game = seen(&house, &path, text(&seat["pass"])).await;
        assert_eq!(game["you"], 0);
        assert!(!game["drawing"].as_array().expect("a drawing").is_empty(), "{kind}");
        let (_, mine) =
            post(&house, "/api/games/mine", "", json!({ "passes": [seat["pass"]] })).await;
        assert_eq!((&mine[0]["game_id"], &mine[0]["you"]), (&seat["game_id"], &json!(0)));
    }
    for (wish, why) in [
        (json!({ "game": "go" }), "game is chess, dungeon, "),
        (json!({ "game": "nim", "seat": "white" }), "seat must be one of Player 1, Player 2"),
        (json!({ "game": "nim", "setup": { "piles": [1] } }), "has no key \"piles\""),
        (json!({ "game": "nim", "setup": { "heaps": [99] } }), "1 to 20 stones"),
        (json!({ "game": "nim", "opponent": "god" }), "opponent is computer"),
        (json!({ "setup": { "vraiant": "chess960" } }), "Setup has no \"vraiant\"; it takes fen, "),
        (json!({ "setup": { "loose": 7 } }), "Setup.loose must be true or false"),
        (json!({ "setup": { "fen": "x" } }), "is not a FEN"),
    ] {
        let mut asked = json!({ "opponent": "computer" });
        asked.as_object_mut().unwrap().extend(wish.as_object().unwrap().clone());
        let (status, refused) = post(&house, "/api/games", "", asked).await;
        assert_eq!(status, 400, "{wish}");
        assert!(text(&refused["error"]).contains(why), "{wish}: {refused}");
    }

    let wish = json!({ "opponent": "human", "game": "nim", "setup": { "heaps": [1] } });
    let (id, [one, other]) = table(&house, wish).await;
    let (path, won) = (format!("/api/games/{id}"), json!({ "move": "1:1" }));
    let (status, _) = post(&house, &format!("{path}/rematch"), &one, json!({})).await;
    assert_eq!(status, 409, "it is not over");
    let (_, over) = post(&house, &format!("{path}/play"), &one, won).await;
    assert_eq!((&over["winner"], &over["points"]), (&json!(0), &json!([1, -1])));
    let again = [&one, &other].map(|pass| {
        let (house, path) = (&house, format!("{path}/rematch"));
        async move { post(house, &path, pass, json!({})).await.1 }
    });
    let [first, second] = again;
    let (first, second) = (first.await, second.await);
    assert_eq!(first["game_id"], second["game_id"]);
    assert_eq!((&first["seat"], &second["seat"]), (&json!("Player 2"), &json!("Player 1")));
}

#[tokio::test]
async fn an_agent_asks_a_person_to_any_game_by_a_link() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Stdio).await;
    let ask = json!({ "type": "human", "game": "connect-four", "seat": "Yellow" });
    let created = agent.create(ask).await.says("- Red: human");
    let first = created.open().await.expect("a seat");
    let (status, _) = created.open().await.expect_err("it was opened before");
    assert_eq!(status, 409);
    agent.play(&first, "4").await.ok();
    let renewed = agent.act(&created.pass(), "newLink").await.ok().says("there is a new one");
    agent.play(&first, "4").await.no().says("opens no seat");
    let second = renewed.open().await.expect("a seat");
    agent.play(&created.pass(), "4").await.ok();
    agent.play(&second, "3").await.ok();
    agent.act(&created.pass(), "offerDraw").await.no().says("resign");
}

#[tokio::test]
async fn the_board_is_told_of_any_game_where_the_host_shows_it() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "computer", "game": "nim" })).await;
    assert_eq!(created.link, None, "nobody is asked");
    for uri in ["ui://agon/board", "ui://chess/board"] {
        let read = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read",
            "params": { "uri": uri } });
        let (_, page) = post(&house, "/games/mcp", "", read).await;
        assert_eq!(page["result"]["contents"][0]["uri"], uri, "{page}");
    }
}
