//! Both are to move at once, in a game that does not go on without: who is silent has lost, and of
//! two who are silent neither has won.

use serde_json::{Value, json};

use super::{Cup, decision, fixtures, join, line, stranger::Stranger};
use crate::{
    house::{House, until},
    players::{Player, Way},
};

const GAME: &str = "matrix-game";

async fn cup(house: &House, seconds: &str) -> Cup {
    Cup::open(house, GAME, &["--game", GAME, "--time-limit", seconds]).await
}

/// What no game of this kind takes for a move, so that it is given up before its time is over.
fn nonsense(said: &Value) -> Value {
    if said["protocol"] == "league.v1" {
        json!({ "move": { "text": "99" } })
    } else {
        json!({ "move_data": { "move": "99" } })
    }
}

/// Who forfeited the only match, and what each has of it.
fn judged(state: &Value) -> (Value, Value) {
    let found = &fixtures(&state["rounds"][0])[0];
    (found["result"]["forfeits"].clone(), found["match_points"].clone())
}

#[tokio::test]
async fn of_two_who_are_silent_at_once_neither_wins() {
    let house = House::open().await;
    let cup = cup(&house, "1").await;
    let player = Player::new(&house, Way::Plain).await;
    for name in ["Ann", "Bob"] {
        join(&player, name, GAME).await;
    }
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    assert_eq!(judged(&state), (json!(["P01", "P02"]), json!([0, 0])), "{state}");
    for id in ["P01", "P02"] {
        let own = line(&state, id);
        assert_eq!((&own["forfeits"], &own["points"]), (&json!(1), &json!(0)), "{own}");
    }
    let game = fixtures(&state["rounds"][0])[0]["game"].as_str().unwrap();
    house.verifies(game);
    let seen = player.call("getGame", json!({ "game_id": game })).await;
    assert_eq!(seen.facts["result"], "nobody wins on time", "{seen:?}");
    assert_eq!(seen.facts["points"], json!([0, 0]), "{seen:?}");
}

#[tokio::test]
async fn whoever_is_given_up_early_does_not_win_for_the_other_who_is_silent() {
    let house = House::open().await;
    let cup = cup(&house, "2").await;
    let agent = Stranger::start(nonsense).await;
    agent.register(&house, "Nonsense", "league.v1", GAME).await;
    let player = Player::new(&house, Way::Plain).await;
    join(&player, "Sleeper", GAME).await;
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    assert_eq!(judged(&state), (json!(["P01", "P02"]), json!([0, 0])), "{state}");
    let end = agent.heard("GAME_END").pop().expect("it is told the end");
    assert_eq!((&end["winner"], &end["forfeited"]), (&Value::Null, &json!(["P01", "P02"])));
    assert_eq!(end["match_points"], json!({ "P01": 0, "P02": 0 }), "{end}");
    assert_eq!(end["result"], "neither moved in time", "{end}");
}

#[tokio::test]
async fn who_was_late_hands_nothing_in_any_more() {
    let house = House::open().await;
    let cup = cup(&house, "60").await;
    let wrong = Stranger::start(nonsense).await;
    let registered = wrong.register(&house, "Nonsense", "league.v1", GAME).await;
    let token = &registered["result"]["auth_token"];
    let player = Player::new(&house, Way::Plain).await;
    let (patient, _) = join(&player, "Patient", GAME).await;
    cup.start(&house).await;
    let asked = decision(&player, &patient, GAME).await;
    let game = asked["game_id"].as_str().expect("a pass")[..8].to_owned();
    let log = || house.turns(&game).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
    until(async || !log().is_empty()).await;
    assert_eq!(log(), ["(late)"], "the game goes on until the other is in");
    let mv = asked["legal_moves"][0].clone();
    let hand_in = async |token: &Value| {
        let mv = json!({ "auth_token": token, "league_id": GAME, "match_id": asked["match_id"],
            "game_round": asked["game_round"], "choice": mv });
        player.call("submit_move", mv).await
    };
    let late = hand_in(token).await.text;
    assert!(late.contains("not any more"), "{late}");
    assert_eq!(log(), ["(late)"]);
    assert_eq!(hand_in(&json!(patient)).await.facts["status"], "received");
    let state = cup.finish(&house).await;
    assert_eq!(judged(&state), (json!(["P01"]), json!([0, 3])), "{state}");
    assert_eq!(log(), ["(late)", mv.as_str().unwrap()]);
    house.verifies(&game);
}

#[tokio::test]
async fn who_has_handed_in_cannot_change_it() {
    let house = House::open().await;
    let cup = cup(&house, "60").await;
    let player = Player::new(&house, Way::Plain).await;
    let (ann, _) = join(&player, "Ann", GAME).await;
    join(&player, "Bob", GAME).await;
    cup.start(&house).await;
    let asked = decision(&player, &ann, GAME).await;
    let hand_in = async |choice: &Value| {
        let mv = json!({ "auth_token": ann, "league_id": GAME, "match_id": asked["match_id"],
            "game_round": asked["game_round"], "choice": choice });
        player.call("submit_move", mv).await
    };
    let [one, other] = [0, 1].map(|n| &asked["legal_moves"][n]);
    for _ in 0..2 {
        assert_eq!(hand_in(one).await.facts["status"], "received", "the same call counts once");
    }
    let why = hand_in(other).await.text;
    assert!(why.contains("your move of this round is in already"), "{why}");
}
