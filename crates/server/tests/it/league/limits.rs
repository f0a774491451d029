//! How much may be said in a minute, who pays for it, and who never does.

use std::time::Instant;

use reqwest::{StatusCode, header::RETRY_AFTER};
use serde_json::{Value, json};

use super::{Cup, call, join, nobody_forfeits, operate, post, registration};
use crate::{
    agents::{Agent, Kind},
    house::{House, found},
    players::{Player, Way},
};

fn query(sender: &str, token: Value) -> Value {
    json!({ "protocol": "league.v2", "message_type": "LEAGUE_QUERY", "sender": sender,
        "auth_token": token, "query_type": "GET_STANDINGS" })
}

/// Says one of these after the other until it is told to wait: that many a minute are taken, and
/// what the minute gives back while it goes on.
async fn takes(house: &House, a_minute: u64, body: impl Fn(u64) -> Value) {
    let (http, began) = (reqwest::Client::new(), Instant::now());
    for n in 0.. {
        let answer = http.post(house.url()).json(&body(n)).send().await.expect("an answer");
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            assert!(n >= a_minute, "only {n} were taken");
            return;
        }
        let back = began.elapsed().as_millis() as u64 * a_minute / 60_000;
        assert!(n <= a_minute + back, "{n} were taken");
    }
}

#[tokio::test]
async fn the_seeds_limits_hold_whatever_a_message_says_of_its_sender() {
    // Each node counts for itself.
    let house = House::in_a_file().await;
    post(&house, &registration("Alpha", "http://127.0.0.1:9/mcp")).await;
    // Neither a sender nor an invented token is another's allowance.
    let claim = |n| query(&format!("player:P{n:02}"), json!(format!("invented {n}")));
    takes(&house, 100, claim).await;
    // The referee counts for itself, and a game apart from another.
    for game in ["R1M1", "R1M2"] {
        let state = |_| {
            call(
                "tools/call",
                json!({ "name": "get_game_state",
            "arguments": { "match_id": game } }),
            )
        };
        takes(&house, 50, state).await;
    }
    // Chess shares the door, and is not counted.
    let clerk = Player::new(&house, Way::Plain).await;
    clerk.call("createGame", json!({ "type": "agent" })).await.ok();
}

#[tokio::test]
async fn a_tool_of_the_league_is_limited_on_every_door_but_the_owners_own() {
    let house = House::with(&["--league-rate", "5"]).await;
    for way in [Way::Legacy, Way::Modern, Way::Plain, Way::Stdio] {
        let player = Player::new(&house, way).await;
        let (token, _) = join(&player, &format!("{way:?}"), "spring").await;
        let ask = json!({ "league_id": "spring", "auth_token": token });
        let mut taken = 0;
        // Of three nodes each counts for itself.
        let began = Instant::now();
        let refusal = loop {
            match player.try_call("get_standings", ask.clone()).await {
                Some(told) if taken < 40 && !told.refused => taken += 1,
                told => break told,
            }
        };
        match way {
            // A model is shown the errors of tools alone.
            Way::Legacy | Way::Modern => {
                let told = refusal.expect("an answer").no().says("too many messages");
                assert!(told.facts["retry_after_seconds"].is_u64(), "{told:?}");
            }
            Way::Plain => assert!(refusal.is_none()),
            Way::Stdio => {}
        }
        match way {
            Way::Stdio => assert_eq!(taken, 40),
            _ => {
                let back = began.elapsed().as_secs() / 4;
                assert!((5..=15 + back).contains(&taken), "{way:?}: {taken}");
            }
        }
    }
}

/// A node that has not heard of a registration would have the address pay for the player.
#[tokio::test]
async fn who_has_registered_at_one_node_pays_by_its_token_at_another() {
    let house = House::of_nodes(2, &["--league-rate", "1"]).await;
    let [one, two] = [0, 1].map(|n| {
        let url = format!("http://{}/mcp", house.nodes()[n].address);
        Player::Plain { http: reqwest::Client::new(), url }
    });
    let _deaf = house.deafen();
    for n in 0..20 {
        let (token, _) = join(&one, &format!("player {n}"), "spring").await;
        let ask = json!({ "league_id": "spring", "auth_token": token });
        assert!(two.try_call("get_standings", ask).await.is_some(), "player {n} was refused");
    }
}

#[tokio::test]
async fn a_limited_tool_says_when_to_come_again() {
    let house = House::with(&["--league-rate", "1"]).await;
    let ask = call("tools/call", json!({ "name": "get_standings", "arguments": {} }));
    let limited = loop {
        let answer = reqwest::Client::new().post(house.url()).json(&ask).send().await.unwrap();
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            break answer;
        }
    };
    let wait: u64 = limited.headers()[RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((1..=61).contains(&wait), "{wait}");
    let body: Value = limited.json().await.unwrap();
    assert_eq!((&body["error"]["code"], &body["id"]), (&json!(-32000), &json!(7)), "{body}");
}

#[tokio::test]
async fn thirty_agents_at_one_address_register_ask_and_play_without_a_limit() {
    let house = House::open().await;
    let cup = Cup::open(&house, "class", &["--game", "parity"]).await;
    let mut agents = Vec::new();
    for n in 0..30 {
        let agent = Agent::start(Kind::Speaks("C2")).await;
        agent.call_back_to(&house.url());
        let said = agent.register(&house.url(), &format!("agent {n}"), "class").await;
        assert_eq!(said["result"]["status"], "ACCEPTED", "{said}");
        agents.push((agent, said["result"]["auth_token"].clone()));
    }
    let http = reqwest::Client::new();
    for _ in 0..5 {
        for (_, token) in &agents {
            for token in [token.clone(), Value::Null] {
                let mut ask = query("player", token);
                ask["league_id"] = "class".into();
                let answer = http.post(house.url()).json(&ask).send().await.unwrap();
                assert_eq!(answer.status(), StatusCode::OK);
            }
        }
    }
    cup.start(&house).await;
    nobody_forfeits(&cup.finish(&house).await);
}

#[tokio::test]
async fn a_move_that_is_said_again_costs_and_fills_no_log() {
    let house = House::with(&["--referee-rate", "5"]).await;
    let cup = Cup::open(&house, "spring", &[]).await;
    let player = Player::new(&house, Way::Plain).await;
    let (token, _) = join(&player, "one", "spring").await;
    let (other, _) = join(&player, "two", "spring").await;
    cup.start(&house).await;
    super::decision(&player, &token, "spring").await;
    let same = json!({ "auth_token": token, "match_id": "R1M1", "game_round": 1, "number": 3 });
    let mut taken = 0;
    while taken < 100 && player.try_call("submit_move", same.clone()).await.is_some() {
        taken += 1;
    }
    assert!((2..100).contains(&taken), "{taken}");
    // As messages too, of which the first is new though no referee waits for it here.
    let message = |kind| {
        call(
            kind,
            json!({ "league_id": "spring", "match_id": "R1M1", "game_round": 1,
                "auth_token": other, "accept": true, "move": { "number": 3 } }),
        )
    };
    let said = async |kind| post(&house, &message(kind)).await.0 != StatusCode::TOO_MANY_REQUESTS;
    assert!(said("GAME_JOIN_ACK").await && said("GAME_JOIN_ACK").await);
    let mut taken = 0;
    while taken < 100 && said("MOVE_RESPONSE").await {
        taken += 1;
    }
    assert!((2..100).contains(&taken), "{taken}");
    let kinds = ["submit_move", "GAME_JOIN_ACK", "MOVE_RESPONSE"];
    let log = found(async || {
        let log = operate(&house, &["log", "R1M1", "spring"]).await;
        kinds.iter().all(|kind| log.contains(kind)).then_some(log)
    })
    .await;
    let [moved, joined, answered] = kinds.map(|kind| log.matches(kind).count());
    assert_eq!((moved, answered), (1, 1), "{log}");
    // A node does not know what another one has heard already.
    assert!(joined <= house.nodes().len(), "{log}");
}

#[tokio::test]
async fn neither_a_move_that_is_due_nor_waiting_for_it_costs_anything() {
    let house = House::with(&["--league-rate", "1", "--referee-rate", "1"]).await;
    let cup = Cup::open(&house, "tools", &["--double"]).await;
    let crew = cup.crew(&house, &["one", "two", "three"]).await;
    cup.start(&house).await;
    cup.play(&crew).await;
    nobody_forfeits(&cup.finish(&house).await);
}
