//! People who play in a league at a board in the browser, each by a link of their own.

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use super::{Cup, decision, ended, fixtures, join, nobody_forfeits, operate, try_operate};
use crate::{
    delver::Luck,
    house::{House, found, pause, until},
    pages::{ask, get, post, text},
    players::{Player, Way},
};

/// A league with people in it, and what each of them shows for their matches.
async fn open(house: &House, name: &str, people: &str, args: &[&str]) -> (Cup, Vec<String>) {
    let args = [&["create", name, "--people", people, "--json"], args].concat();
    let said: Value = serde_json::from_str(&operate(house, &args).await).expect("JSON");
    let invited = said["people"].as_array().expect("links").iter();
    let id = text(&said["game_id"]).to_owned();
    let token = |person: &Value| {
        let (page, token) = text(&person["link"]).split_once("#player=").expect("a secret");
        assert_eq!(page, house.page(&format!("/league/{id}")), "where the server of the store is");
        token.to_owned()
    };
    let tokens = invited.map(token).collect();
    (Cup { name: name.to_owned(), id }, tokens)
}

impl Cup {
    /// What the page shows a person.
    async fn mine(&self, house: &House, token: &str) -> Value {
        let path = format!("/api/leagues/{}/mine", self.id);
        let (status, mine) = ask(house, Method::GET, &path, token, Value::Null).await;
        assert_eq!(status, StatusCode::OK, "{mine}");
        mine
    }

    /// Waits for a person's match: the id of its game, and the pass.
    async fn match_of(&self, house: &House, token: &str) -> (String, String) {
        found(async || {
            let mine = self.mine(house, token).await;
            let game = mine["match"]["game_id"].as_str()?;
            Some((game.to_owned(), text(&mine["match"]["pass"]).to_owned()))
        })
        .await
    }
}

/// Plays any legal move at the board until the league is over, also while the server is gone.
async fn play_at_the_board(house: &str, cup: &str, token: &str, mut luck: Luck) {
    let http = Client::new();
    let ask = async |request: reqwest::RequestBuilder| -> Option<Value> {
        request.send().await.ok()?.json().await.ok()
    };
    loop {
        pause().await;
        let league = format!("{house}/api/leagues/{cup}");
        let Some(state) = ask(http.get(&league)).await else { continue };
        if state["phase"] == "finished" {
            return;
        }
        let mine = http.get(format!("{league}/mine")).bearer_auth(token);
        let Some(mine) = ask(mine).await else { continue };
        let (Some(game), Some(pass)) =
            (mine["match"]["game_id"].as_str(), mine["match"]["pass"].as_str())
        else {
            continue;
        };
        let game = format!("{house}/api/games/{game}");
        let Some(seen) = ask(http.get(&game).bearer_auth(pass)).await else { continue };
        let moves = seen["legal_moves"].as_array().cloned().unwrap_or_default();
        if let Some(mv) = luck.pick(&moves) {
            let play = http.post(format!("{game}/play")).bearer_auth(pass);
            ask(play.json(&json!({ "move": mv, "turn": seen["turn"] }))).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_play_at_the_board_and_go_on_after_kill_9() {
    let mut house = House::open().await;
    let args = ["--game", "connect-four", "--computer", "1", "--double"];
    let (cup, people) = open(&house, "evening", "Anna,Ben", &args).await;
    // Asked again, the owner is told the same links.
    assert_eq!(open(&house, "evening", "ben, Anna", &args).await.1, [&*people[1], &people[0]]);
    let mine = cup.mine(&house, &people[0]).await;
    assert_eq!((&mine["name"], &mine["match"]), (&json!("Anna"), &Value::Null));
    let state = cup.state(&house).await;
    assert_eq!(state["time_limit_seconds"], 600, "people are given time");
    cup.start(&house).await;
    let mut playing = Vec::new();
    for (token, luck) in people.into_iter().zip(1..) {
        let (at, cup) = (house.page(""), cup.id.clone());
        let play = async move { play_at_the_board(&at, &cup, &token, Luck(luck)).await };
        playing.push(tokio::spawn(play));
    }
    until(async || ended(&house, &cup) >= 2).await;
    house.crash_and_restart().await;
    let state = cup.finish(&house).await;
    assert_eq!(state["matches"], json!({ "all": 6, "over": 6 }));
    nobody_forfeits(&state);
    for found in state["rounds"].as_array().unwrap().iter().flat_map(fixtures) {
        let game = text(&found["game"]);
        house.verifies(game);
        let seen = get(&house, &format!("/api/games/{game}")).await;
        assert_eq!(seen["league"], *cup.id, "{seen}");
        let kinds: Vec<_> = seen["seats"].as_array().unwrap().iter().map(|s| &s["kind"]).collect();
        assert!(kinds.contains(&&json!("human")), "{kinds:?}");
    }
    for task in playing {
        task.await.expect("the league is over");
    }
}

/// What a host with a board in the chat is told, all of it.
async fn told(house: &House, tool: &str, arguments: Value) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "host", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "extensions": {
            "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] } } },
    });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": tool, "arguments": arguments, "_meta": meta } });
    let post = Client::new()
        .post(house.url())
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool);
    post.json(&call).send().await.expect("an answer").text().await.expect("a text")
}

#[tokio::test]
async fn a_persons_link_and_seat_are_told_to_nobody_else() {
    let house = House::open().await;
    for game in ["chess", "connect-four"] {
        let (cup, people) = open(&house, game, "Anna", &["--game", game]).await;
        let agent = Player::new(&house, Way::Plain).await;
        let (token, _) = join(&agent, "Bob", game).await;
        cup.start(&house).await;
        let (id, pass) = cup.match_of(&house, &people[0]).await;
        let play = format!("/api/games/{id}/play");
        let seen =
            ask(&house, Method::GET, &format!("/api/games/{id}"), &pass, Value::Null).await.1;
        let first = &seen["legal_moves"][0];
        let first = if first.is_object() { &first["uci"] } else { first };
        let (status, played) = post(&house, &play, &pass, json!({ "move": first })).await;
        assert_eq!(status, StatusCode::OK, "{played}");
        let own = decision(&agent, &token, game).await;
        let own = text(&own["game_id"]).to_owned();

        let mut heard = Vec::new();
        for path in [
            "/api/leagues",
            "/api/games?status=all",
            &format!("/api/leagues/{}", cup.id),
            &format!("/api/games/{id}"),
            &format!("/api/leagues/{}/matches/R1M1", cup.id),
            &format!("/api/leagues/{}/matches/R1M1/messages", cup.id),
        ] {
            heard.push(get(&house, path).await.to_string());
        }
        for handle in [&own, &id] {
            for tool in ["getGame", "waitForNextTurn"] {
                heard.push(told(&house, tool, json!({ "game_id": handle })).await);
            }
            // Nobody else makes a link to her seat.
            let anew = json!({ "game_id": handle, "action": "newLink" });
            heard.push(told(&house, "gameAction", anew).await);
        }
        heard.push(told(&house, "listGames", json!({})).await);
        heard.push(told(&house, "get_league", json!({ "league_id": game })).await);
        let ask_all = json!({ "auth_token": token, "match_id": "R1M1", "league_id": game });
        heard.push(told(&house, "get_match_log", ask_all).await);
        for said in &heard {
            for secret in [&people[0], &pass[9..]] {
                assert!(!said.contains(secret), "{game}: a secret is told: {said}");
            }
            assert!(!said.contains("#open="), "{game}: a link is told: {said}");
        }
        // Her seat is still hers.
        assert_eq!(cup.match_of(&house, &people[0]).await, (id.clone(), pass.clone()));
        let path = format!("/api/leagues/{}/mine", cup.id);
        for wrong in [&token, "", &"0".repeat(64)] {
            let (status, said) = ask(&house, Method::GET, &path, wrong, Value::Null).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{said}");
            assert_eq!(post(&house, &path, wrong, json!({})).await.0, StatusCode::FORBIDDEN);
        }
        for deed in ["name", "join"] {
            let path = format!("/api/games/{id}/{deed}");
            let (status, said) = post(&house, &path, &pass, json!({ "name": "Bob" })).await;
            assert_eq!(status, StatusCode::CONFLICT, "{deed}: {said}");
        }
    }
}

#[tokio::test]
async fn a_link_that_is_taken_back_opens_nothing() {
    let house = House::open().await;
    let (cup, people) = open(&house, "links", "Anna,Ben", &["--game", "nim"]).await;
    let said = operate(&house, &["revoke", "P01", "links"]).await;
    assert!(said.starts_with(&house.page("/league/")), "{said}");
    let (_, new) = said.trim().split_once("#player=").expect("a new link");
    let path = format!("/api/leagues/{}/mine", cup.id);
    let (status, said) = ask(&house, Method::GET, &path, &people[0], Value::Null).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{said}");
    assert_eq!(cup.mine(&house, new).await["name"], "Anna");
    assert_eq!(cup.mine(&house, &people[1]).await["name"], "Ben");

    // In the middle of a match, the seat goes along.
    cup.start(&house).await;
    let (id, old) = cup.match_of(&house, new).await;
    let said = operate(&house, &["revoke", "P01", "links"]).await;
    let (_, newer) = said.trim().split_once("#player=").expect("a new link");
    let game = format!("/api/games/{id}");
    let (status, said) = ask(&house, Method::GET, &game, &old, Value::Null).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{said}");
    let (_, pass) = cup.match_of(&house, newer).await;
    let (status, seen) = ask(&house, Method::GET, &game, &pass, Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{seen}");
    assert!(seen["you"].is_number(), "{seen}");
}

#[tokio::test]
async fn people_have_names_that_can_be_told_apart() {
    let house = House::open().await;
    for (people, why) in [("Anna,anna", "named twice"), ("Anna,,Ben", "have names")] {
        let args = ["create", "cup", "--game", "nim", "--people", people];
        let said = try_operate(&house, &args).await.expect_err("it is refused");
        assert!(said.contains(why), "{said}");
    }
    let said = try_operate(&house, &["status"]).await.expect_err("nothing was opened");
    assert!(said.contains("no league has been opened"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_plays_the_games_of_the_protocols_too() {
    let house = House::open().await;
    for game in ["even-odd", "parity"] {
        let (cup, people) = open(&house, game, "Anna", &["--game", game]).await;
        let agent = Player::new(&house, Way::Plain).await;
        let (token, _) = join(&agent, "Bob", game).await;
        cup.start(&house).await;
        let (id, _) = cup.match_of(&house, &people[0]).await;
        let (status, said) = post(&house, &format!("/api/games/{id}/join"), "", json!({})).await;
        assert_eq!(status, StatusCode::CONFLICT, "no seat is left for others: {said}");
        let at = house.page("");
        tokio::join!(
            play_at_the_board(&at, &cup.id, &people[0], Luck(5)),
            super::play_by_tools(&agent, &token, game, Luck(6))
        );
        nobody_forfeits(&cup.finish(&house).await);
    }
}
