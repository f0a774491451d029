//! What only the operator may do: steer, and report results.

use serde_json::{Value, json};

use super::{Cup, call, decision, join, line, nobody_forfeits, operate, post, try_operate};
use crate::{
    house::House,
    players::{Player, Way},
};

#[tokio::test]
async fn only_the_operator_steers() {
    let house = House::open().await;
    let cup = Cup::open(&house, "steered", &[]).await;
    let player = Player::new(&house, Way::Plain).await;
    join(&player, "one", "steered").await;
    let key = operate(&house, &["key"]).await.trim().to_owned();
    let start = json!({ "league_id": "steered", "operator_token": key });
    player.call("start_league", start.clone()).await.no().says("register_player");
    join(&player, "two", "steered").await;
    let pair = json!({ "league_id": "steered", "player1_id": "P02", "player2_id": "P01",
        "round_id": 2, "match_id": "R2M1" });
    for tool in ["start_league", "schedule_match", "start_game"] {
        let mut ask = pair.clone();
        player.call(tool, ask.clone()).await.no().says("agon league key");
        ask["operator_token"] = "0".repeat(64).into();
        player.call(tool, ask).await.no().says("only the operator");
    }
    player.call("start_league", start).await.ok();
    let mut pair = pair;
    pair["operator_token"] = key.into();
    player.call("schedule_match", pair.clone()).await.ok().says("R2M1");
    pair["player1_id"] = "P77".into();
    player.call("schedule_match", pair).await.no().says("get_league");
    operate(&house, &["end", "steered", "--reason", "it rains"]).await;
    assert_eq!(cup.state(&house).await["phase"], "stopped");
    assert!(operate(&house, &["status"]).await.contains("was stopped"));
    // The next of that name is another league.
    join(&player, "one", "steered").await;
    assert!(operate(&house, &["status"]).await.contains("steered.2"));
}

#[tokio::test]
async fn a_result_is_taken_in_the_shape_of_its_protocol_once_and_from_the_operator_alone() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let key = operate(&house, &["key"]).await.trim().to_owned();
    let details = json!({ "drawn_number": 8, "choices": { "P01": "even", "P02": "odd" } });
    for (game, result, other) in [
        (
            "parity",
            json!({ "winner": "P01", "score": { "P01": 3, "P02": 0 }, "details": details }),
            json!({ "winner": "P02", "score": { "P01": 0, "P02": 3 }, "details": details }),
        ),
        (
            "even-odd",
            json!({ "final_scores": { "P01": 3, "P02": 2 }, "winner": "P01",
                "match_points": { "P01": 3, "P02": 0 } }),
            json!({ "status": "TECHNICAL_LOSS", "winner": "P02" }),
        ),
    ] {
        let cup = Cup::open(&house, game, &["--game", game, "--double"]).await;
        let (token, _) = join(&player, "one", game).await;
        join(&player, "two", game).await;
        cup.start(&house).await;
        assert_eq!(decision(&player, &token, game).await["match_id"], "R1M1");
        let report = async |token: &str, match_id: &str, result: &Value| {
            let report = json!({ "protocol": "league.v2", "message_type": "MATCH_RESULT_REPORT",
                "sender": "referee:REF01", "timestamp": "2026-11-15T10:00:00Z",
                "conversation_id": "c", "auth_token": token, "league_id": game, "round_id": 1,
                "match_id": match_id, "game_type": "even_odd", "result": result });
            post(&house, &call("report_match_result", report)).await.1
        };
        let refused = |said: &Value, field: &str, why: &str| {
            assert_eq!(said["error"]["code"], -32602, "{said}");
            let found = said["error"]["data"]["field"].as_str().unwrap_or_default();
            assert_eq!(found, field, "{said}");
            assert!(said["error"]["message"].as_str().unwrap().contains(why), "{said}");
        };
        // Forged, by a player even; of no match; against itself.
        refused(&report(&token, "R1M1", &result).await, "auth_token", "only the operator");
        refused(&report("", "R1M1", &result).await, "auth_token", "only the operator");
        refused(&report(&key, "R9M9", &result).await, "match_id", "no match");
        let mut lie = result.clone();
        lie["winner"] = "P02".into();
        let said = report(&key, "R1M1", &lie).await;
        assert!(said["error"]["data"]["field"].as_str().unwrap().starts_with("result."), "{said}");
        refused(&report(&key, "R2M1", &result).await, "", "has not begun");
        assert_eq!(cup.state(&house).await["matches"]["over"], 0);

        assert_eq!(report(&key, "R1M1", &result).await["result"]["status"], "received");
        refused(&report(&key, "R1M1", &result).await, "", "is known");
        refused(&report(&key, "R1M1", &other).await, "", "has ended with another result");
        let state = cup.state(&house).await;
        assert_eq!(state["matches"]["over"], 1);
        assert_eq!(
            (&line(&state, "P01")["points"], &line(&state, "P02")["points"]),
            (&json!(3), &json!(0))
        );
    }
}

#[tokio::test]
async fn a_league_that_the_owner_set_up_is_continued_by_the_owner_alone() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let join = async |league: &str, code: &str| {
        let ask = json!({ "player_name": "Late", "league_id": league, "invite_code": code });
        player.call("register_player", ask).await
    };
    for (name, args) in [
        ("cup", &["--game", "connect-four"][..]),
        ("twice", &["--double"]),
        ("closed", &["--invite", "sesame"]),
    ] {
        let cup = Cup::open(&house, name, args).await;
        operate(&house, &["end", name]).await;
        let said = join(name, "").await.no();
        let said = said.says(&format!("league {name} (")).says("is over").says(&cup.id);
        said.says(&format!("agon league repeat {name}")).says("register without league_id");
    }
    // The owner opens the next one, otherwise if she likes.
    let next = Cup::open(&house, "cup", &["--game", "hex", "--invite", "sesame"]).await;
    assert_eq!(next.state(&house).await["game"], "hex");
    assert_eq!(join("cup", "sesame").await.ok().fact("league_id"), "cup.2");
    // Both have a name.
    let status = operate(&house, &["status", "cup"]).await;
    assert!(status.contains("league cup.2") && status.contains("cup.1"), "{status}");
    assert!(operate(&house, &["status", "cup.1"]).await.contains("league cup (connect-four, "));
    let told = player.call("get_league", json!({ "league_id": "cup" })).await.ok().facts;
    assert_eq!((&told["league_id"], &told["previous"]), (&json!("cup.2"), &json!("cup.1")));
    let told = player.call("get_league", json!({ "league_id": "cup.1" })).await.ok().facts;
    assert_eq!((&told["league_id"], told.get("previous")), (&json!("cup"), None));
    join("cup.1", "").await.no().says("league cup (").says("is over");
}

#[tokio::test]
async fn a_league_of_the_protocols_own_games_goes_on_with_the_same_game() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    for game in ["even-odd", "parity"] {
        Cup::open(&house, game, &["--game", game]).await;
        operate(&house, &["end", game]).await;
        let ask = json!({ "player_name": "Late", "league_id": game });
        let next = player.call("register_player", ask).await.ok().fact("league_id");
        assert_eq!(next, format!("{game}.2"));
        let told = player.call("get_league", json!({ "league_id": game })).await.ok().facts;
        assert_eq!(told["setup"]["game"], game, "{told}");
    }
}

#[tokio::test]
async fn a_league_that_was_stopped_goes_on() {
    let house = House::open().await;
    let cup = Cup::open(&house, "spring", &[]).await;
    let crew = cup.crew(&house, &["one", "two", "three"]).await;
    let too_early = try_operate(&house, &["stop", "spring"]).await;
    assert!(too_early.is_err_and(|why| why.contains("use agon league end spring")));
    cup.start(&house).await;
    operate(&house, &["stop", "spring"]).await;
    assert!(operate(&house, &["status", "spring"]).await.contains("is paused"));
    assert_eq!(cup.state(&house).await["paused"], true);
    let again = operate(&house, &["start", "spring"]).await;
    assert_eq!(again, "spring goes on: 3 matches left\n");
    assert_eq!(cup.state(&house).await["paused"], Value::Null);
    cup.play(&crew).await;
    nobody_forfeits(&cup.finish(&house).await);
    let cup = Cup::open(&house, "autumn", &[]).await;
    cup.crew(&house, &["one", "two"]).await;
    for command in ["start", "stop", "end"] {
        operate(&house, &[command, "autumn"]).await;
    }
    let never = try_operate(&house, &["start", "autumn"]).await;
    assert!(never.is_err_and(|why| why.contains("the operator ended it")));
    assert_eq!(cup.state(&house).await["phase"], "stopped");
}

#[tokio::test]
async fn what_contradicts_a_league_that_is_not_over_is_refused() {
    let house = House::open().await;
    let args = ["--game", "connect-four", "--time-limit", "20"];
    let cup = Cup::open(&house, "cup", &args).await;
    let setup = r#"{"columns": 8}"#;
    for (otherwise, why) in [
        (&["--game", "hex", "--people", "Zoe"][..], "is open and plays connect-four"),
        (&["--double"], "everyone meets everyone once"),
        (&["--time-limit", "10"], "gives 20 seconds for a move"),
        (&["--setup", setup], "sets its matches up otherwise"),
        (&["--codes"], "lets in players without codes"),
        (&["--invite", "sesame"], "has no such invite_code"),
    ] {
        let said = try_operate(&house, &[&["create", "cup"], otherwise].concat()).await;
        let said = said.expect_err("it is refused");
        assert!(said.contains(why) && said.contains("agon league end cup"), "{said}");
    }
    assert_eq!(cup.state(&house).await["players"], json!([]));
    // What is left out stays as it is.
    assert!(operate(&house, &["create", "cup", "--people", "Zoe"]).await.contains("P01 Zoe"));
}

#[tokio::test]
async fn one_is_one_and_a_league_is_found_by_its_name() {
    let house = House::open().await;
    let cup = Cup::open(&house, "kuhn", &["--game", "kuhn-poker", "--computer", "1"]).await;
    assert!(operate(&house, &["status", "kuhn"]).await.contains("1 player, 0 of 0 matches over"));
    let player = Player::new(&house, Way::Plain).await;
    join(&player, "Ann", "kuhn").await;
    let said = operate(&house, &["start", "kuhn"]).await;
    assert!(said.contains("1 match in 1 round\n"), "{said}");
    let found = reqwest::get(house.page("/api/leagues/kuhn")).await.unwrap();
    assert_eq!(found.json::<Value>().await.unwrap()["game_id"], cup.id);
    let none = reqwest::get(house.page("/api/leagues/kuhnleague")).await.unwrap();
    assert_eq!(none.status(), reqwest::StatusCode::NOT_FOUND);
    let said = none.text().await.unwrap();
    assert!(said.contains("There is no league") && said.contains("/api/leagues"), "{said}");
}

#[tokio::test]
async fn a_command_takes_over_no_game() {
    let mut house = House::in_a_file().await;
    let player = Player::new(&house, Way::Plain).await;
    let game = json!({ "type": "computer", "difficulty": 10, "color": "black" });
    let id = player.create(game).await.id();
    house.kill();
    // The computer was about to move when its process died.
    let number = u32::from_str_radix(&id, 16).expect("an id");
    for sql in [
        format!("delete from turns where game = {number}"),
        format!("update games set turns = 0, computer_due = 1 where id = {number}"),
    ] {
        house.ask(&format!("{sql} returning 'done'"));
    }
    let died = "(unixepoch() - 5) * 1000";
    let lease = format!("insert or replace into leases values ('computer {id}', 7, {died})");
    house.ask(&format!("{lease} returning 'done'"));
    operate(&house, &["create", "cup"]).await;
    operate(&house, &["list"]).await;
    let holders = house.ask("select printf('%d', holder) from leases where name like 'computer %'");
    assert_eq!(holders, ["7"]);
}
