//! Players without an address, who play by tools alone.

use futures_util::future::join_all;
use rmcp::service::ClientLifecycleMode;
use serde_json::{Value, json};

use super::{Cup, call, decision, join, line, nobody_forfeits, operate, play_by_tools, post};
use crate::{
    delver::Luck,
    house::{House, found, until},
    players::{Player, Way},
};

#[tokio::test]
async fn players_without_an_address_play_a_league_by_tools_alone() {
    let house = House::open().await;
    for game in ["even-odd", "parity"] {
        let cup = Cup::open(&house, game, &["--game", game]).await;
        let mut players = Vec::new();
        for way in [Way::Modern, Way::Legacy, Way::Stdio, Way::Plain] {
            let player = Player::new(&house, way).await;
            let (token, _) = join(&player, &format!("{way:?}"), game).await;
            players.push((player, token));
        }
        cup.start(&house).await;
        let playing = players.iter().zip(1..);
        let playing = playing.map(|((p, token), n)| play_by_tools(p, token, game, Luck(n)));
        join_all(playing).await;
        nobody_forfeits(&cup.finish(&house).await);
    }
}

#[tokio::test]
async fn a_move_is_seen_by_nobody_before_the_round_is_over() {
    let house = House::open().await;
    let cup = Cup::open(&house, "sealed", &[]).await;
    let (one, two) =
        (Player::new(&house, Way::Modern).await, Player::new(&house, Way::Plain).await);
    let (first, id) = join(&one, "one", "sealed").await;
    let (second, _) = join(&two, "two", "sealed").await;
    cup.start(&house).await;
    let ask = json!({ "auth_token": first, "league_id": "sealed" });
    let read = found(async || {
        let read = one.call("wait_for_decision", ask.clone()).await.ok();
        (read.facts["status"] == "your_move").then_some(read)
    })
    .await;
    let told = read.facts.clone();
    assert_eq!(told["match_id"], "R1M1");
    let is_empty = |value: &Value| value.is_null() || *value == json!([]);
    assert!(!told.as_object().unwrap().values().any(is_empty), "{told}");
    read.says("Both show one to five fingers").says("submit_move(auth_token, match_id=\"R1M1\"");
    let hand_in = |token: &str, number: Value| {
        json!({ "auth_token": token, "league_id": "sealed", "match_id": "R1M1",
            "game_round": 1, "number": number })
    };
    for (wrong, why) in
        [(json!("3"), "integer"), (json!(2.9), "integer"), (json!(99), "1 to 5"), (json!(0), "")]
    {
        one.call("submit_move", hand_in(&first, wrong)).await.no().says(why);
    }
    one.call("submit_move", hand_in("guess", json!(4))).await.no().says("register_player");
    let mut other = hand_in(&first, json!(4));
    other["match_id"] = "R9M9".into();
    one.call("submit_move", other).await.no().says("get_schedule");
    one.call("submit_move", hand_in(&first, json!(4))).await.ok();
    one.call("submit_move", hand_in(&first, json!(5))).await.no().says("in already");

    let page = house.page(&format!("/api/leagues/{}/matches/R1M1", cup.id));
    let asked = json!({ "match_id": "R1M1" });
    let read = call("resources/read", json!({ "uri": "game://state/R1M1" }));
    let seen = [
        two.call("get_game_state", asked.clone()).await.ok().facts,
        reqwest::get(page).await.unwrap().json().await.unwrap(),
        decision(&two, &second, "sealed").await,
    ];
    for seen in seen {
        assert!(seen["rounds"].as_array().is_none_or(Vec::is_empty), "{seen}");
        assert!(!seen["thinking"].as_array().unwrap().contains(&json!(id)), "{seen}");
    }
    let resource = post(&house, &read).await.1.to_string();
    assert!(resource.contains("thinking") && !resource.contains("moves"), "{resource}");
    two.call("submit_move", hand_in(&second, json!(3))).await.ok();
    decision(&one, &first, "sealed").await;
    let over = two.call("get_game_state", asked).await.ok().facts;
    assert_eq!(over["rounds"][0]["moves"][&id], 4, "{over}");
    // The same move again gets the same answer; another one is too late.
    two.call("submit_move", hand_in(&second, json!(3))).await.ok();
    two.call("submit_move", hand_in(&second, json!(2))).await.no().says("round 1, not 2");
}

#[tokio::test]
async fn who_missed_a_match_comes_back_by_asking_for_a_move() {
    let house = House::open().await;
    let cup = Cup::open(&house, "cup", &["--time-limit", "6", "--double"]).await;
    let crew = cup.crew(&house, &["Sleeper", "Waker", "Third"]).await;
    cup.start(&house).await;
    let asleep = async {
        until(async || line(&cup.state(&house).await, "P01")["forfeits"] != 0).await;
        cup.play(&crew[..1]).await;
    };
    tokio::join!(cup.play(&crew[1..]), asleep);
    let state = cup.finish(&house).await;
    assert_eq!(line(&state, "P01")["forfeits"], 1, "{}", line(&state, "P01"));
    assert_eq!(line(&state, "P01")["played"], 4);
}

#[tokio::test]
async fn a_view_is_the_same_whichever_tool_tells_it() {
    let house = House::open().await;
    for game in ["kuhn-poker", "matrix-game", "othello"] {
        let cup = Cup::open(&house, game, &["--game", game, "--computer", "1"]).await;
        let player = Player::new(&house, Way::Plain).await;
        let (token, _) = join(&player, "Ann", game).await;
        cup.start(&house).await;
        let told = decision(&player, &token, game).await;
        let looked = player.call("getGame", json!({ "game_id": told["game_id"] })).await.ok();
        assert_eq!(told["view"], looked.facts["view"], "{game}");
        // What the answer itself has nothing to say of is left out.
        let is_empty = |value: &Value| value.is_null() || *value == json!([]);
        assert!(!told.as_object().unwrap().values().any(is_empty), "{told}");
    }
}

#[tokio::test]
async fn only_tools_are_named_that_the_caller_has() {
    let house = House::open().await;
    let args = ["--game", "connect-four", "--computer", "1"];
    let cup = Cup::open(&house, "cup", &args).await;
    let initialize = ClientLifecycleMode::Initialize;
    let player = Player::over_http(&house.page("/league/mcp"), initialize).await;
    let (token, _) = join(&player, "Ann", "cup").await;
    cup.start(&house).await;
    decision(&player, &token, "cup").await;
    let ask = json!({ "auth_token": token, "league_id": "cup" });
    let told = player.call("wait_for_decision", ask.clone()).await.ok().says("`submit_move(");
    assert!(!told.text.contains("finishTurn"), "{}", told.text);
    // Where all games are played, the pass opens the match as any other.
    let everywhere = Player::new(&house, Way::Modern).await;
    everywhere.call("wait_for_decision", ask).await.ok().says("`finishTurn(");
    let round = told.facts["game_round"].clone();
    let played = json!({ "auth_token": token, "league_id": "cup", "match_id": "R1M1",
        "game_round": round, "choice": "4" });
    player.call("submit_move", played).await.ok();
}

#[tokio::test]
async fn what_is_otherwise_than_usual_is_told_to_players_and_on_the_page() {
    let house = House::open().await;
    let setup = r#"{"columns": 8, "rows": 8, "length": 5}"#;
    let args = ["--game", "tic-tac-toe", "--setup", setup, "--computer", "1"];
    let cup = Cup::open(&house, "wide", &args).await;
    let usual = Cup::open(&house, "usual", &["--game", "tic-tac-toe", "--computer", "1"]).await;
    let player = Player::new(&house, Way::Plain).await;
    let (token, _) = join(&player, "Ann", "wide").await;
    let (plain, _) = join(&player, "Ann", "usual").await;
    cup.start(&house).await;
    usual.start(&house).await;
    decision(&player, &token, "wide").await;
    let ask = json!({ "auth_token": token, "league_id": "wide" });
    let told = player.call("wait_for_decision", ask).await.ok();
    told.says("\nSet-up: columns 8, rows 8, length 5.\n");
    let page = cup.state(&house).await;
    assert_eq!(page["setup"].to_string(), r#"{"columns":8,"rows":8,"length":5}"#, "{page}");
    decision(&player, &plain, "usual").await;
    let ask = json!({ "auth_token": plain, "league_id": "usual" });
    let told = player.call("wait_for_decision", ask).await.ok();
    assert!(!told.text.contains("Set-up"), "{}", told.text);
    assert_eq!(usual.state(&house).await.get("setup"), None);
}

#[tokio::test]
async fn what_is_left_of_the_time_is_told_by_the_node_that_has_the_clock() {
    let house = House::of_nodes(2, &[]).await;
    let args = ["--game", "nim", "--computer", "1", "--time-limit", "600"];
    let cup = Cup::open(&house, "cup", &args).await;
    let nodes = [0, 1].map(|n| {
        let url = format!("http://{}/mcp", house.nodes()[n].address);
        Player::Plain { http: reqwest::Client::new(), url }
    });
    let (token, _) = join(&nodes[0], "Ann", "cup").await;
    cup.start(&house).await;
    let ask = json!({ "auth_token": token, "league_id": "cup" });
    // One node leads the league, whichever it is.
    let (known, unknown) = loop {
        let mut told = Vec::new();
        for node in &nodes {
            decision(node, &token, "cup").await;
            told.push(node.call("wait_for_decision", ask.clone()).await.ok());
        }
        let (known, unknown): (Vec<_>, Vec<_>) =
            told.into_iter().partition(|told| told.facts["seconds_left"].is_u64());
        if let ([known], [unknown]) = (&known[..], &unknown[..]) {
            break (known.clone(), unknown.clone());
        }
    };
    for told in [&known, &unknown] {
        assert_eq!(told.facts["time_limit_seconds"], 600, "{}", told.facts);
    }
    let left = known.facts["seconds_left"].as_u64().unwrap();
    assert!(left <= 600, "{left}");
    known.says(&format!("within {left} seconds call `submit_move("));
    assert_eq!(unknown.facts.get("seconds_left"), None);
    unknown.says("within 600 seconds of becoming due, call `submit_move(");
}

#[tokio::test]
async fn a_token_is_enough_though_there_is_a_newer_league() {
    let house = House::open().await;
    let cup = Cup::open(&house, "cup", &["--game", "connect-four", "--computer", "1"]).await;
    let player = Player::new(&house, Way::Plain).await;
    let (token, _) = join(&player, "Ann", "cup").await;
    Cup::open(&house, "newer", &[]).await;
    cup.start(&house).await;
    decision(&player, &token, "cup").await;
    let ask = json!({ "auth_token": token });
    let told = player.call("wait_for_decision", ask).await.ok();
    let told = told.says("choice, league_id=\"cup\")`");
    let told = told.says("`wait_for_decision(auth_token, league_id=\"cup\")`").facts;
    assert_eq!(told["turn"], told["game_round"], "{told}");
    let seen = json!({ "match_id": "R1M1", "league_id": "cup" });
    let seen = player.call("get_game_state", seen).await.ok().facts;
    assert_eq!(seen["turn"], told["game_round"], "{seen}");
    let played = json!({ "auth_token": token, "match_id": "R1M1", "choice": "4",
        "game_round": told["game_round"] });
    player.call("submit_move", played).await.ok();
    let ask = json!({ "auth_token": "guess" });
    player.call("wait_for_decision", ask).await.no().says("league_id");
}

#[tokio::test]
async fn what_was_refused_is_in_the_log_of_the_match_without_secrets() {
    let house = House::open().await;
    let cup = Cup::open(&house, "cup", &["--game", "connect-four", "--time-limit", "600"]).await;
    let player = Player::new(&house, Way::Plain).await;
    let mut tokens = [join(&player, "Ann", "cup").await, join(&player, "Ben", "cup").await];
    cup.start(&house).await;
    let ask = json!({ "match_id": "R1M1", "league_id": "cup" });
    let due = found(async || {
        // The game is there a moment before the league says that the match has begun.
        let state = player.try_call("get_game_state", ask.clone()).await?;
        let thinking = state.facts["thinking"][0].as_str()?;
        (state.facts["state"] == "running").then(|| thinking.to_owned())
    })
    .await;
    tokens.sort_by_key(|(_, id)| *id != due);
    let (due, other) = (&tokens[0].0, &tokens[1].0);
    let submit = async |token: &str, choice: &str| {
        let ask = json!({ "auth_token": token, "league_id": "cup", "match_id": "R1M1",
            "choice": choice });
        player.call("submit_move", ask).await.no()
    };
    submit(due, &"9".repeat(3000)).await.says("call submit_move again");
    submit(due, due).await;
    submit(other, "4").await.says("call wait_for_decision");
    for (token, refused) in [(due, 2), (other, 1)] {
        let ask = json!({ "auth_token": token, "match_id": "R1M1", "league_id": "cup" });
        let log = found(async || {
            let log = player.call("get_match_log", ask.clone()).await.ok().text;
            (log.matches("refused").count() == refused).then_some(log)
        })
        .await;
        assert!(log.contains("submit_move") && !log.contains(token.as_str()), "{log}");
    }
    for format in ["csv", "jsonl"] {
        let export = operate(&house, &["export", "cup", "--format", format]).await;
        assert_eq!(export.matches(", refused: ").count(), 3, "{export}");
        assert!(export.contains(&format!("{}: submit_move {{", tokens[0].1)), "{export}");
        assert!(!export.contains(due) && !export.contains(other), "{export}");
        assert!(export.len() < 2500, "what is repeated is cut: {export}");
    }
}
