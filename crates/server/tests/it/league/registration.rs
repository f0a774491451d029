//! Who may play, and who comes back.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{Cup, call, join, line, nobody_forfeits, operate, post, registration};
use crate::{
    agents::{Agent, Kind, Misdeed},
    house::{House, until},
    players::{Player, Way},
};

#[tokio::test]
async fn a_registration_that_will_not_do_is_refused_with_the_reason() {
    let house = House::open().await;
    let here = "http://127.0.0.1:9/mcp";
    let rejected = async |name: &str, endpoint: &str| {
        let (status, answer) =
            post(&house, &call("LEAGUE_REGISTER_REQUEST", registration(name, endpoint))).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        assert_eq!(answer["result"]["status"], "REJECTED", "{answer}");
        answer["result"]["reason"].as_str().expect("a reason").to_owned()
    };
    for (endpoint, why) in [
        ("http://169.254.169.254/", "169.254.169.254"),
        ("file:///etc/passwd", "only http and https"),
        ("", "an endpoint is needed"),
    ] {
        let reason = rejected("Alpha", endpoint).await;
        assert!(reason.contains(why), "{endpoint:?}: {reason}");
        house.logs(&["a registration was rejected", "Alpha", why]).await;
    }
    let reason = rejected(&"x".repeat(900_000), here).await;
    assert!(reason.contains("64") && reason.len() < 300, "{reason}");
    assert!(rejected("", here).await.contains("name"));
}

#[tokio::test]
async fn who_holds_its_token_comes_back_from_elsewhere() {
    let house = House::open().await;
    let cup = Cup::open(&house, "spring", &[]).await;
    let [before, after, other] = [
        Agent::start(Kind::Speaks("S1")).await,
        Agent::start(Kind::Speaks("S1")).await,
        Agent::start(Kind::Speaks("S1")).await,
    ];
    let (_, first) = post(&house, &registration("Alpha", &before.url)).await;
    cup.seat(&house, &other, "Beta").await;
    assert_eq!(before.heard(), Vec::<Value>::new(), "nobody is called while it registers");

    let mut again = registration("Alpha", &after.url);
    again["player_meta"]["version"] = "2.0.0".into();
    for (name, endpoint, token, why) in [
        ("Gamma", &before.url, Value::Null, "with this endpoint already"),
        ("Beta", &after.url, first["auth_token"].clone(), "has registered already"),
    ] {
        let mut refused = registration(name, endpoint);
        refused["auth_token"] = token;
        let (_, said) = post(&house, &refused).await;
        assert_eq!(said["status"], "REJECTED", "{said}");
        let reason = said["reason"].as_str().unwrap();
        assert!(reason.contains(why) && reason.contains("send the auth_token"), "{reason}");
    }
    again["auth_token"] = first["auth_token"].clone();
    for _ in 0..2 {
        let (_, said) = post(&house, &again).await;
        let same = (&said["status"], &said["player_id"], &said["auth_token"]);
        assert_eq!(same, (&json!("ACCEPTED"), &json!("P01"), &first["auth_token"]), "{said}");
    }
    let renewed = house.turns(&cup.id).into_iter().filter(|(_, event)| event.contains("renew"));
    assert_eq!(renewed.count(), 1, "what is not new is not written down");
    drop(before);
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    nobody_forfeits(&state);
    assert_eq!(state["players"][0]["version"], "2.0.0");
    assert!(after.heard().iter().any(|body| body["method"] == "GAME_START"));
}

#[tokio::test]
async fn who_comes_back_in_the_middle_of_a_match_goes_on_with_it() {
    let house = House::open().await;
    let cup = Cup::open(&house, "spring", &["--time-limit", "5"]).await;
    let silent = Agent::start(Kind::Does(Misdeed::Silent)).await;
    let (_, first) = post(&house, &registration("Alpha", &silent.url)).await;
    let other = Agent::start(Kind::Does(Misdeed::Confused)).await;
    cup.seat(&house, &other, "Beta").await;
    cup.start(&house).await;
    let asked = |agent: &Agent| agent.heard().iter().any(|body| body["method"] == "MOVE_REQUEST");
    until(async || asked(&silent)).await;
    let elsewhere = Agent::start(Kind::Speaks("S1")).await;
    let mut again = registration("Alpha", &elsewhere.url);
    again["auth_token"] = first["auth_token"].clone();
    post(&house, &again).await;
    let state = cup.finish(&house).await;
    assert_eq!(line(&state, "P01")["forfeits"], 0, "one round is lost, and not the match");
    assert!(asked(&elsewhere));
}

#[tokio::test]
async fn who_comes_late_is_told_so_and_who_is_not_there_is_named() {
    let house = House::open().await;
    Cup::open(&house, "spring", &[]).await;
    let agent = Agent::start(Kind::Speaks("S1")).await;
    post(&house, &registration("Alpha", &agent.url)).await;
    // Nobody listens there.
    post(&house, &registration("Beta", "http://127.0.0.1:9/mcp")).await;
    let said = operate(&house, &["start", "spring"]).await;
    assert!(said.contains("P02 Beta cannot be reached"), "{said}");
    assert!(!said.contains("P01"), "{said}");
    let (_, late) = post(&house, &registration("Gamma", "http://127.0.0.1:10/mcp")).await;
    assert_eq!(late["status"], "REJECTED");
    let reason = late["reason"].as_str().unwrap();
    assert!(reason.contains("has started") && reason.contains("to join another"), "{reason}");
}

#[tokio::test]
async fn a_referee_is_told_that_matches_are_refereed_here() {
    let house = House::open().await;
    let referee = |token: Value| {
        json!({ "protocol": "league.v2", "message_type": "REFEREE_REGISTER_REQUEST",
            "sender": "referee:x", "auth_token": token, "league_id": "spring", "referee_meta": {
            "display_name": "x", "version": "1", "game_types": ["even_odd"],
            "contact_endpoint": "http://127.0.0.1:9/", "max_concurrent_matches": 2 } })
    };
    let key = operate(&house, &["key"]).await.trim().to_owned();
    for (token, status) in [(json!(key), "ACCEPTED"), (json!("x"), "REJECTED")] {
        let (_, said) = post(&house, &call("register_referee", referee(token))).await;
        let said = &said["result"];
        assert_eq!(said["message_type"], "REFEREE_REGISTER_RESPONSE");
        assert_eq!((&said["status"], &said["league_id"]), (&json!(status), &json!("spring")));
        let reason = said["reason"].as_str().unwrap();
        assert!(reason.contains("referees its matches itself"), "{reason}");
        assert_eq!(said["auth_token"].as_str().is_some(), status == "ACCEPTED");
    }
}

#[tokio::test]
async fn a_league_by_invitation_lets_in_who_has_the_code() {
    let house = House::open().await;
    Cup::open(&house, "closed", &["--invite", "open sesame"]).await;
    let player = Player::new(&house, Way::Plain).await;
    let ask = |code: &str| {
        let ask = json!({ "player_name": "one", "league_id": "closed", "invite_code": code });
        player.call("register_player", ask)
    };
    for code in ["", "sesame"] {
        ask(code).await.no().says("league closed is by invitation; send as invite_code");
    }
    let token = ask("open sesame").await.ok().fact("auth_token");
    let status = player.call("get_league", json!({ "league_id": "closed" })).await.ok();
    assert!(!status.text.contains("sesame"), "{}", status.text);
    // Who is in comes back without it.
    let again = json!({ "player_name": "one", "league_id": "closed", "auth_token": token });
    assert_eq!(player.call("register_player", again).await.ok().fact("player_id"), "P01");
    // In a message of the protocol it is one of the fields.
    let mut message = registration("two", "http://127.0.0.1:9/mcp");
    message["league_id"] = "closed".into();
    message["player_meta"]["invite_code"] = "open sesame".into();
    let (_, answer) = post(&house, &call("LEAGUE_REGISTER_REQUEST", message)).await;
    assert_eq!(answer["result"]["status"], "ACCEPTED", "{answer}");
}

#[tokio::test]
async fn a_token_that_was_taken_back_opens_nothing() {
    let house = House::open().await;
    Cup::open(&house, "cup", &[]).await;
    let player = Player::new(&house, Way::Plain).await;
    let (old, id) = join(&player, "one", "cup").await;
    let new = operate(&house, &["revoke", &id, "cup"]).await.trim().to_owned();
    let wait = |token: &str| {
        let ask = json!({ "auth_token": token, "league_id": "cup" });
        player.call("wait_for_decision", ask)
    };
    wait(&old).await.no().says("unknown auth_token");
    let back = json!({ "player_name": "one", "league_id": "cup", "auth_token": new });
    assert_eq!(player.call("register_player", back).await.ok().fact("player_id"), id);
}
