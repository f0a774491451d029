//! Answers that are of no use: whoever gave one is told why, is asked again, and the match goes on.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Cup, call, line, nobody_forfeits, post, registration};
use crate::{
    agents::{Agent, Kind, Misdeed, Odd},
    house::{House, found, until},
};

/// What an agent was sent of this type, wherever it was wrapped.
fn heard(agent: &Agent, kind: &str) -> Vec<Value> {
    let bodies = agent.heard().into_iter();
    let heard =
        bodies.flat_map(|body| [body["params"]["arguments"].clone(), body["params"].clone(), body]);
    heard.filter(|message| message["message_type"] == kind).collect()
}

/// A league of two, one of whom misbehaves. How it ends.
async fn meet(house: &House, game: &str, misdeed: Misdeed) -> (Value, Agent) {
    let cup = Cup::open(house, "spring", &["--game", game, "--time-limit", "10"]).await;
    let agent = Agent::start(Kind::Does(misdeed)).await;
    let honest = Agent::start(Kind::Does(Misdeed::Confused)).await;
    assert_eq!(cup.seat(house, &agent, "Alpha").await, "P01");
    cup.seat(house, &honest, "Beta").await;
    cup.start(house).await;
    (cup.finish(house).await, agent)
}

#[tokio::test]
async fn an_answer_to_another_question_is_told_so_and_asked_for_again() {
    for (game, field, why) in [
        ("even-odd", "game_round", "the answer is for round R7M7, not 1"),
        ("even-odd", "match_id", "the answer is for match R7M7, not R1M1"),
        ("parity", "match_id", "the answer is for match R7M7, not R1M1"),
    ] {
        let house = House::open().await;
        let (state, agent) = meet(&house, game, Misdeed::Slips(field)).await;
        nobody_forfeits(&state);
        let asked = heard(&agent, "MOVE_REQUEST");
        let error = match game {
            "parity" => heard(&agent, "GAME_ERROR")[0].clone(),
            _ => asked[1]["previous_error"]["data"].clone(),
        };
        assert_eq!(error["field"], field, "{error}");
        let rounds: Vec<_> = asked.iter().take(3).map(|asked| &asked["game_round"]).collect();
        assert!(game == "parity" || rounds == [1, 1, 2], "the match goes on: {rounds:?}");
        house.logs(&["P01", "R1M1", "no usable answer", why]).await;
    }
}

#[tokio::test]
async fn a_player_of_league_v2_is_told_of_its_error_in_every_field() {
    let house = House::open().await;
    let (state, agent) = meet(&house, "parity", Misdeed::Plays(Odd::Text("Even"))).await;
    assert_eq!(line(&state, "P01")["forfeits"], 1);
    let errors = heard(&agent, "GAME_ERROR");
    assert_eq!(errors.len(), 2, "after each attempt but the last");
    for (error, count) in errors.iter().zip(1..) {
        assert_eq!(error["protocol"], "league.v2");
        assert_eq!(error["sender"], "referee:REF01");
        assert_eq!(error["match_id"], "R1M1");
        assert_eq!(error["error_code"], "E004");
        assert_eq!(error["error_name"], "INVALID_PARITY_CHOICE");
        let why = "\"Even\" is neither \"even\" nor \"odd\"";
        assert_eq!(error["error_description"], why);
        assert_eq!(error["error_message"], why);
        assert_eq!(error["affected_player"], "P01");
        assert_eq!(error["retry_info"]["retry_count"], count);
        assert_eq!(error["retry_info"]["max_retries"], 2);
        let texts = ["timestamp", "conversation_id", "action_required", "consequence"];
        let missing = texts.iter().find(|name| error[**name].as_str().is_none_or(str::is_empty));
        assert_eq!(missing, None, "{error}");
        let again = error["retry_info"]["next_retry_at"].as_str().expect("a moment");
        assert!(again.len() == 20 && again.ends_with('Z'), "{again}");
    }
    let asked = heard(&agent, "CHOOSE_PARITY_CALL");
    assert_eq!(asked.len(), 3);
    let standings = json!({ "wins": 0, "losses": 0, "draws": 0 });
    assert_eq!(asked[0]["context"]["your_standings"], standings);
}

#[tokio::test]
async fn a_player_of_league_v1_is_told_of_its_error_with_the_next_question() {
    let house = House::open().await;
    let (state, agent) = meet(&house, "even-odd", Misdeed::Plays(Odd::Ninety9)).await;
    assert_eq!(line(&state, "P01")["forfeits"], 1);
    let asked = heard(&agent, "MOVE_REQUEST");
    assert_eq!(asked.len(), 6, "three times in each of two rounds");
    for (question, nth) in asked.iter().zip(0..) {
        let error = &question["previous_error"];
        let data = json!({ "field": "move.number", "error_code": "E004",
            "error_name": "INVALID_MOVE" });
        let whole = json!({ "code": -32602, "data": data,
            "message": "99 is not a whole number from 1 to 5" });
        assert_eq!(*error, if nth % 3 == 0 { Value::Null } else { whole });
    }
}

#[tokio::test]
async fn one_who_asks_us_to_slow_down_is_given_time() {
    for game in ["even-odd", "parity"] {
        let house = House::open().await;
        let rest = Misdeed::Rests(Duration::from_millis(700));
        nobody_forfeits(&meet(&house, game, rest).await.0);
    }
}

/// Waits until the agent was asked about this round, or told that the match is over.
async fn is_asked(agent: &Agent, round: u64) -> bool {
    found(async || {
        let asked = heard(agent, "MOVE_REQUEST");
        let is_asked = asked.iter().any(|asked| asked["game_round"] == round);
        (is_asked || !heard(agent, "GAME_END").is_empty()).then_some(is_asked)
    })
    .await
}

#[tokio::test]
async fn an_answer_that_comes_by_itself_is_held_to_the_question() {
    let house = House::with(&["--league-rate", "20"]).await;
    let cup = Cup::open(&house, "spring", &[]).await;
    // It says that it heard; its answers are brought by hand.
    let agent = Agent::start(Kind::Does(Misdeed::EmptyPromise)).await;
    let (_, said) = post(&house, &registration("Alpha", &agent.url)).await;
    let honest = Agent::start(Kind::Does(Misdeed::Wavers)).await;
    cup.seat(&house, &honest, "Beta").await;
    cup.start(&house).await;
    let bring = async |change: &dyn Fn(&mut Value), round: u64| {
        let mut answer = json!({ "protocol": "league.v1", "message_type": "MOVE_RESPONSE",
            "league_id": "spring", "match_id": "R1M1", "game_round": round,
            "sender": "player:P01", "player_id": "P01", "auth_token": said["auth_token"],
            "move": { "number": 3 } });
        change(&mut answer);
        post(&house, &call("MOVE_RESPONSE", answer)).await.1
    };
    assert!(is_asked(&agent, 1).await);
    for (field, value) in [
        ("game_round", json!(2)),
        ("match_id", json!("R7M7")),
        ("player_id", json!("P02")),
        ("auth_token", json!("guess")),
        ("league_id", json!("autumn")),
        ("move", json!({ "number": 99 })),
    ] {
        let said = bring(&|answer| answer[field] = value.clone(), 1).await;
        assert_eq!(said["error"]["code"], -32602, "{said}");
        let at_fault = said["error"]["data"]["field"].as_str().expect("a field");
        assert_eq!(at_fault.split('.').next(), Some(field), "{said}");
    }
    let mut round = 1;
    while is_asked(&agent, round).await {
        // One of the attempts has been used up; between two of them nobody waits.
        until(async || bring(&|_| (), round).await["result"]["status"] == "received").await;
        round += 1;
    }
    nobody_forfeits(&cup.finish(&house).await);
    house.logs(&["MOVE_RESPONSE", "was refused", "the answer is for round 2, not 1"]).await;
    let late = bring(&|_| (), 1).await;
    assert!(
        late["error"]["message"].as_str().unwrap().starts_with("the league is over: "),
        "{late}"
    );
}
