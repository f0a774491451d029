//! Both are to move at once, in a game that does not go on without: who is silent has lost, and of
//! two who are silent neither has won.

use serde_json::{Value, json};

use super::{
    Cup, fixtures, join, line,
    stranger::{Stranger, first_legal},
};
use crate::{
    house::House,
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
async fn who_moves_in_time_wins_of_one_who_was_given_up_before() {
    let house = House::open().await;
    // Nobody's clock runs out: the one is given up for its answers, the other has time enough.
    let cup = cup(&house, "60").await;
    let wrong = Stranger::start(nonsense).await;
    wrong.register(&house, "Nonsense", "league.v2", GAME).await;
    let right = Stranger::start(first_legal).await;
    right.register(&house, "Patient", "league.v1", GAME).await;
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    assert_eq!(judged(&state), (json!(["P01"]), json!([0, 3])), "{state}");
    let end = right.heard("GAME_END").pop().expect("it is told the end");
    assert_eq!((&end["winner"], &end["forfeited"]), (&json!("P02"), &json!(["P01"])), "{end}");
    assert!(end["result"].as_str().unwrap().ends_with("wins on time"), "{end}");
    assert_eq!(wrong.heard("GAME_OVER")[0]["game_result"]["status"], "TECHNICAL_LOSS");
}
