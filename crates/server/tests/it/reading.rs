//! How calls are read: keys for retries, arguments left out or called otherwise, lean answers.

use serde_json::{Value, json};

use crate::{
    house::House,
    players::{Player, Way},
};

#[tokio::test]
async fn a_lost_answer_loses_no_seat() {
    let house = House::open().await;
    let (one, other) =
        (Player::new(&house, Way::Plain).await, Player::new(&house, Way::Modern).await);
    let create = json!({ "type": "agent", "requestId": "a key of my own" });
    let created = one.create(create.clone()).await;
    let again = one.create(create.clone()).await;
    assert_eq!(created.pass(), again.pass());
    let another = json!({ "type": "computer", "requestId": "a key of my own" });
    let refused = one.call("createGame", another).await.no();
    refused.says("that requestId was given to game").says("Nothing was created");
    one.call("createGame", json!({ "type": "agent", "requestId": "1" }))
        .await
        .no()
        .says("requestId must have 8 to 100 characters");

    let join = json!({ "game_id": created.id(), "requestId": "a key of another" });
    let joined = other.call("joinGame", join.clone()).await.ok().says("- You are: Black");
    let again = other.call("joinGame", join).await.ok().says("You had this seat already");
    assert_eq!(joined.pass(), again.pass());
    let stranger = json!({ "game_id": created.id(), "requestId": "a stranger's key" });
    other.call("joinGame", stranger).await.no().says("is full");
}

/// Whoever knows another's requestId, or chooses the same by chance, gets nobody's pass by it.
#[tokio::test]
async fn another_callers_request_id_finds_no_game_of_its() {
    let house = House::open().await;
    let ask = json!({ "type": "computer", "color": "black", "requestId": "my first game" });
    let with_key = |letter: &str| format!("{}?key={}", house.url(), letter.repeat(32));
    let mut games = Vec::new();
    for (address, way) in [
        (with_key("a"), Way::Plain),
        (with_key("b"), Way::Plain),
        (house.url(), Way::Legacy),
        (house.url(), Way::Legacy),
        (house.url(), Way::Plain),
    ] {
        let caller = Player::at(&address, way).await;
        let created = caller.create(ask.clone()).await;
        assert_eq!(caller.create(ask.clone()).await.pass(), created.pass(), "{way:?}");
        games.push(created.id());
    }
    // A host is known by its key in every session.
    let again = Player::at(&with_key("a"), Way::Legacy).await.create(ask.clone()).await;
    assert_eq!(again.id(), games[0]);
    games.push(Player::new(&house, Way::Stdio).await.create(ask).await.id());
    let count = games.len();
    games.sort();
    games.dedup();
    assert_eq!(games.len(), count, "{games:?}");
}

#[tokio::test]
async fn a_key_stands_for_the_whole_set_up() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let ending = "[FEN \"8/8/8/3k4/8/3K4/R7/7r w - - 0 60\"]\n\n60. Ra3";
    let setups = [
        json!({}),
        json!({ "variant": "chess960" }),
        json!({ "pgn": ending }),
        json!({ "pgn": "1. e4 e5" }),
        json!({ "fen": "8/8/8/3k4/8/3K4/R7/7r w - - 0 60" }),
        json!({ "fen": "8/8/8/3k4/8/3K4/R7/6r1 w - - 0 60" }),
        json!({ "loose": false }),
        json!({ "resigns": false }),
        json!({ "live_comments": true }),
    ];
    for (n, setup) in setups.iter().enumerate() {
        let ask = |setup: &Value| {
            let key = format!("a key of my own, {n}");
            json!({ "type": "computer", "requestId": key, "setup": setup })
        };
        let created = agent.create(ask(setup)).await;
        assert_eq!(agent.create(ask(setup)).await.pass(), created.pass(), "{setup}");
        let another = agent.call("createGame", ask(&setups[(n + 1) % setups.len()])).await.no();
        another.says("that requestId was given to game").says("Nothing was created");
    }
}

#[tokio::test]
async fn lean_answers_tell_what_is_new() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let lean = json!({ "type": "agent", "board": "fen", "setup": { "live_comments": true } });
    let created = agent.create(lean).await;
    let white = created.pass();
    let join = json!({ "game_id": created.id(), "board": "fen" });
    let black = agent.call("joinGame", join).await.ok().pass();
    let said = json!({ "game_id": white, "move": "Nf3", "comment": "As ever." });
    agent.call("finishTurn", said).await.ok();
    let heard = agent.wait_for_turn(&black).await.says("**Comment**: White says \"As ever.\"\n");
    assert_eq!(heard.facts["comment"], "As ever.");
    agent.play(&black, "Nf6").await.ok();
    agent.act(&black, "offerDraw").await.ok();
    let asked = "It is your turn. Last: g8f6. Your opponent offers a draw.";
    agent.wait_for_turn(&white).await.says(asked);
    agent.act(&white, "declineDraw").await.ok();
    for (pass, mv) in [(&white, "Ng1"), (&black, "Ng8"), (&white, "Nf3"), (&black, "Nf6")] {
        agent.play(pass, mv).await.ok();
    }
    agent.play(&white, "Ng1").await.ok();
    let turn = agent.wait_for_turn(&black).await;
    turn.says("**Draw**: threefold repetition can be claimed with the move f6g8\n");
}

#[tokio::test]
async fn who_has_a_seat_takes_the_other_only_by_its_name() {
    for way in [Way::Legacy, Way::Plain] {
        let house = House::open().await;
        let agent = Player::new(&house, way).await;
        let created = agent.create(json!({ "type": "agent" })).await;
        let pass = created.pass();
        agent.join(&pass).await.ok().says("- You are: White").says("You had this seat already");
        agent.see(&pass).await.ok().says("- Black: nobody yet").says("[Black \"?\"]");
        let both = json!({ "game_id": pass, "color": "black" });
        let black = agent.call("joinGame", both).await.ok().says("- You are: Black").pass();
        agent.play(&pass, "e4").await.ok();
        agent.play(&black, "e5").await.ok();
        // The bare id still means the first seat, where a connection means anything.
        if way == Way::Legacy {
            agent.play(&created.id(), "Nf3").await.ok();
        }
    }
}

#[tokio::test]
async fn what_is_null_or_empty_is_left_out() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent
        .create(json!({
            "type": "computer", "color": null, "difficulty": "", "showUi": null, "fen": "",
            "hints": null, "board": "", "name": null, "requestId": "", "setup": { "fen": null },
        }))
        .await
        .says("- You are: White")
        .says("- Difficulty: 5");
    let pass = created.pass();
    let mv = json!({ "game_id": pass, "move": "e4", "claim_win": "", "turn": null, "by": "" });
    agent.call("finishTurn", mv).await.ok();
    let none = json!({ "game_id": pass, "move": null });
    agent.call("finishTurn", none).await.no().says("the argument move is missing");
    let dungeon = json!({ "conversationId": "d", "seed": null });
    agent.call("get_current_room", dungeon).await.ok();
    let standings = json!({ "league_id": "" });
    agent.call("get_standings", standings).await.no().says("no league");
}

#[tokio::test]
async fn arguments_are_taken_for_what_was_meant_or_refused_by_name() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Legacy).await;
    let long = "x".repeat(100_000);
    let meant = json!({ "opponent": "computer", "level": 2, "colour": "black", "game": "chess" });
    let created = agent.create(meant).await.says("- You are: Black").says("- Difficulty: 2");
    for (wrong, why) in [
        (json!({ "type": "computer", "clock": "5+3" }), "createGame has no argument clock"),
        (json!({ "type": "computer", "game": "go" }), "no game is called"),
        (json!({ "type": "computer", "showUi": "perhaps" }), "showUi must be true or false"),
        (
            json!({ "type": "computer", "setup": { "colour": "red" } }),
            "setup has no \"colour\"; it",
        ),
        (
            json!({ "type": "computer", "setup": { "fen": [5] } }),
            "setup.fen must be a text, not [5]",
        ),
        (json!({ "type": "computer", "setup": { "fen": 5 } }), "\"5\" is not a FEN"),
        (
            json!({ "type": "computer", "setup": { "loose": 5 } }),
            "setup.loose must be true or false",
        ),
        (json!({ "type": "computer", "setup": { "loose": long } }), "setup.loose must be true or"),
        (json!({ "type": "computer", "setup": { long.clone(): 1 } }), "setup has no \"xxx"),
        (json!({ "type": "computer", "setup": { "pgn": format!("1. e4 {long}") } }), "too long"),
        (json!({ "type": "computer", "difficulty": 11 }), "difficulty must be a whole number"),
    ] {
        let answer = agent.call("createGame", wrong).await.no().says(why);
        assert!(answer.text.len() < 400, "it does not repeat everything: {}", answer.text);
    }
    let odd = json!({ "gameId": created.id(), "verbose": true, "format": "json" });
    let seen = agent.call("getGame", odd).await.ok().says("**Ignored**: verbose, format");
    assert_eq!(seen.facts["ignored"], json!(["verbose", "format"]));
    // Where the text is JSON, it is a field of it.
    let odd = json!({ "conversationId": "d", "why": "curious" });
    let room = agent.call("get_current_room", odd).await.ok();
    let text: Value = serde_json::from_str(&room.text).expect("the text is JSON");
    assert_eq!(text, room.facts);
    assert_eq!(text["ignored"], json!(["why"]));
}

#[tokio::test]
async fn how_a_move_was_read_is_not_told_of_the_reply() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let asked = json!({ "type": "computer", "difficulty": 1, "board": "fen" });
    let pass = agent.create(asked).await.pass();
    let ask = json!({ "game_id": pass, "move": "I play e4", "wait": true });
    let answer = agent.call("finishTurn", ask).await.ok();
    answer.says("Move accepted: e2e4. That is how \"e4\" was read. It is your turn. Last: ");
}
