//! Lists and searches: they replay no game, however many there are, and go by the last move.

use serde_json::{Value, json};

use crate::{
    house::House,
    pages::{get, text},
    players::{Player, Way},
};

const DAY: u64 = 24 * 60 * 60 * 1000;

async fn ids(house: &House, path: &str) -> Vec<String> {
    let games = get(house, path).await;
    games.as_array().expect("a list").iter().map(|game| text(&game["game_id"]).to_owned()).collect()
}

/// How often the server has read a game with all its turns.
async fn replayed(house: &House) -> f64 {
    house.figure("agon_games_replayed_total", "").await
}

#[tokio::test]
async fn a_hundred_thousand_games_are_listed_and_none_is_replayed() {
    let mut house = House::in_a_file().await;
    house.stop();
    house.crowd(100_000);
    house.restart().await;
    assert_eq!(ids(&house, "/api/games").await.len(), 50);
    assert_eq!(ids(&house, "/api/games?limit=200&status=live").await.len(), 200);
    assert_eq!(ids(&house, "/api/games?limit=200&status=over").await.len(), 200);
    assert_eq!(ids(&house, "/api/games?limit=200&status=asleep&kind=chess").await.len(), 200);
    let found = get(&house, "/api/games?limit=200&q=p7X").await;
    let found = found.as_array().expect("a list");
    // Eighty, less those that are matches of leagues.
    assert_eq!(found.len(), 70);
    assert!(found.iter().all(|game| game["white"] == "agent p7x" && game["moves"] == 2));
    let game = text(&found[0]["game_id"]);
    assert_eq!(ids(&house, &format!("/api/games?q={}", &game[..7])).await[0], *game);
    assert_eq!(ids(&house, "/api/games?q=p7x+nobody").await, [""; 0]);
    let stranger = Player::new(&house, Way::Plain).await;
    let listed = stranger.call("listGames", json!({})).await.ok();
    // Ten, less one that is a match of a league.
    assert_eq!(listed.facts["games"].as_array().map(Vec::len), Some(9));
    assert_eq!(replayed(&house).await, 0.);
    // And this is how it would have shown.
    stranger.see(game).await.ok().says("1. e4 e5");
    assert_eq!(replayed(&house).await, 1.);
}

#[tokio::test]
async fn leagues_that_are_over_are_listed_and_none_is_replayed() {
    let mut house = House::in_a_file().await;
    let run = ["league", "run", "--players", "3", "--listen", "127.0.0.1:0"];
    let played = house.neighbour().args(run).output().unwrap();
    assert!(played.status.success(), "{played:?}");
    let listed = get(&house, "/api/leagues").await;
    assert_eq!(listed[0]["phase"], "finished", "{listed}");
    assert_eq!(listed[0]["matches"], json!({ "all": 3, "over": 3 }));
    assert!(listed[0]["leader"]["points"].is_u64() && listed[0]["result"].is_string(), "{listed}");
    house.crash_and_restart().await;
    assert_eq!(get(&house, "/api/leagues").await, listed);
    assert_eq!(replayed(&house).await, 0.);
    // Its page tells the same of it.
    let page = get(&house, &format!("/api/leagues/{}", text(&listed[0]["game_id"]))).await;
    for field in ["league_id", "phase", "game", "matches", "leader", "created_at", "result"] {
        assert_eq!(page[field], listed[0][field], "{field}");
    }
    assert_eq!(replayed(&house).await, 1.);
}

#[tokio::test]
async fn a_list_goes_on_where_it_was_and_misses_nothing() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let mut passes = Vec::new();
    for _ in 0..5 {
        passes.push(agent.create(json!({ "type": "agent" })).await.pass());
    }
    // The first that began is the last that moved.
    agent.play(&passes[0], "e2e4").await.ok();
    let mut expected: Vec<_> = passes.iter().map(|pass| pass[..8].to_owned()).collect();
    expected[1..].reverse();
    assert_eq!(ids(&house, "/api/games").await, expected);
    let mut seen = Vec::new();
    let mut next = String::new();
    loop {
        let url = house.page(&format!("/api/games?limit=2&{next}"));
        let page = reqwest::get(url).await.expect("a page");
        let after = page.headers().get("x-agon-next").map(|next| next.to_str().unwrap().to_owned());
        let games: Vec<Value> = page.json().await.expect("JSON");
        seen.extend(games.iter().map(|game| text(&game["game_id"]).to_owned()));
        match after {
            Some(after) => next = after,
            None => break,
        }
    }
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_list_says_what_the_games_say() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "agent", "hints": true })).await;
    agent.play(&created.pass(), "e2e4").await.ok();
    let joined = agent.join(&created.id()).await.ok();
    agent.play(&joined.pass(), "e7e5").await.ok();
    agent.act(&created.pass(), "resign").await.ok();
    let conversation = json!({ "conversationId": "a list" });
    agent.call("get_current_room", conversation.clone()).await.ok();
    agent.call("rest", conversation).await;
    for listed in get(&house, "/api/games").await.as_array().expect("a list") {
        let id = text(&listed["game_id"]);
        let whole = match text(&listed["kind"]) {
            "chess" => get(&house, &format!("/api/games/{id}")).await,
            _ => get(&house, &format!("/api/dungeons/{id}")).await,
        };
        for (name, value) in listed.as_object().expect("a game") {
            assert_eq!(*value, whole[name], "{name} of {id}");
        }
    }
    assert_eq!(ids(&house, "/api/games").await.len(), 2);
}

#[tokio::test]
async fn a_game_that_nobody_touches_for_a_day_sleeps_and_wakes_with_the_next_move() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "agent" })).await;
    let other = agent.create(json!({ "type": "agent" })).await;
    agent.play(&created.pass(), "e2e4").await.ok();
    house.wind_back(2 * DAY);
    agent.play(&other.pass(), "d2d4").await.ok();
    let (id, awake) = (created.id(), other.id());
    assert_eq!(ids(&house, "/api/games?status=live").await, [&*awake]);
    assert_eq!(ids(&house, "/api/games?status=asleep").await, [&*id]);
    assert_eq!(ids(&house, "/api/games").await, [awake.clone(), id.clone()]);
    let found = get(&house, &format!("/api/games?status=live&q={id}")).await;
    assert_eq!(found[0]["asleep"], true, "a search finds it: {found}");
    let stranger = Player::new(&house, Way::Plain).await;
    let listed = stranger.call("listGames", json!({})).await.ok().facts.to_string();
    assert!(listed.contains(&awake) && !listed.contains(&id), "{listed}");
    let black = stranger.join(&id).await.ok();
    assert_eq!(ids(&house, "/api/games?status=live").await[0], id, "somebody has touched it");
    house.wind_back(2 * DAY);
    assert_eq!(ids(&house, "/api/games?status=live").await, [""; 0]);
    stranger.play(&black.pass(), "e7e5").await.ok();
    assert_eq!(ids(&house, "/api/games?status=live").await, [id]);
}
