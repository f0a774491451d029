//! What the tools promise of every game is kept in every game.

mod answers;
mod readable;
mod resigning;
mod told;

use serde_json::{Value, json};

use crate::{
    house::House,
    players::{Answer, Player, Way},
};

/// A caller behind one door.
fn at(house: &House, path: &str) -> Player {
    Player::Plain { http: reqwest::Client::new(), url: house.page(path) }
}

async fn agent(house: &House) -> Player {
    Player::new(house, Way::Plain).await
}

async fn turn(player: &Player, pass: &str, mv: &str, turn: u32) -> Answer {
    player.call("finishTurn", json!({ "game_id": pass, "move": mv, "turn": turn })).await
}

/// A game between two agents: its id, and the passes of both.
async fn two(agent: &Player, ask: Value) -> (String, String, String) {
    let created = agent.create(ask).await.ok();
    let joined = agent.call("joinGame", json!({ "game_id": created.id() })).await.ok();
    (created.id(), created.pass(), joined.pass())
}

/// Every kind that anybody may sit down to with these tools.
fn played() -> impl Iterator<Item = &'static str> {
    let carded = rules::KINDS.iter().filter(|kind| kind.card.is_some() && kind.seats.len() > 1);
    carded.map(|kind| kind.name)
}

#[tokio::test]
async fn what_means_nothing_in_a_game_is_not_taken_for_something() {
    let house = House::open().await;
    for path in ["/mcp", "/tic-tac-toe/mcp"] {
        let agent = at(&house, path);
        for (more, named) in [
            (json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }), "fen"),
            (json!({ "hints": true }), "hints"),
            (json!({ "board": "letters" }), "board"),
        ] {
            let mut ask = json!({ "type": "agent", "game": "tic-tac-toe" });
            ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let refused = agent.call("createGame", ask).await.no();
            refused.says(&format!("{named} means nothing in tic-tac-toe"));
        }
        // What says no more than is so anyway does no harm.
        let ask = json!({ "type": "agent", "game": "tic-tac-toe", "board": "table",
            "hints": false, "showUi": false });
        let created = agent.create(ask).await.ok();
        let (id, x) = (created.id(), created.pass());
        for more in [json!({ "hints": true }), json!({ "board": "fen" })] {
            let mut ask = json!({ "game_id": id });
            ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            agent.call("joinGame", ask).await.no().says("means nothing in tic-tac-toe");
        }
        let claim = json!({ "game_id": x, "move": "b2", "claim_win": true });
        agent
            .call("finishTurn", claim)
            .await
            .no()
            .says("You claimed to win, but this move does not");
        assert_eq!(agent.see(&x).await.facts["turn"], 1);
        let hint = json!({ "game_id": x, "hint": true });
        let seen = agent.call("getGame", hint).await.ok().says("**Ignored**: hint");
        assert_eq!(seen.facts["ignored"], json!(["hint"]));
    }
}

#[tokio::test]
async fn what_is_said_of_a_move_is_told_of_any_game_when_it_is_over() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let nim = json!({ "type": "agent", "game": "nim", "setup": { "heaps": [2] } });
    let (id, first, second) = two(&agent, nim).await;
    let said = json!({ "game_id": first, "move": "1:1", "comment": "so far so good" });
    agent.call("finishTurn", said).await.ok();
    let page = async || {
        let page = reqwest::get(house.page(&format!("/api/games/{id}"))).await.expect("an answer");
        page.text().await.expect("text")
    };
    let seen = agent.see(&second).await.ok();
    assert!(!seen.facts.to_string().contains("so far"), "not before it is over");
    assert!(!page().await.contains("so far"));
    turn(&agent, &second, "1:1", 2).await.ok();
    let seen = agent.see(&id).await.ok().says("Player 1 on turn 1: \"so far so good\"");
    let comments = json!([{ "turn": 1, "by": "Player 1", "comment": "so far so good" }]);
    assert_eq!(seen.facts["comments"], comments);
    assert!(page().await.contains("so far so good"));
}

#[tokio::test]
async fn a_seat_is_asked_for_by_its_name_in_every_game_and_at_every_door() {
    let house = House::open().await;
    for path in ["/mcp", "/chess/mcp"] {
        let agent = at(&house, path);
        let black = json!({ "type": "agent", "game": "chess", "seat": "Black" });
        let created = agent.create(black).await.ok();
        assert_eq!(created.fact("you"), "black");
        let join = json!({ "game_id": created.id(), "seat": "black" });
        agent.call("joinGame", join).await.no().says("taken");
        let join = json!({ "game_id": created.id(), "seat": "White" });
        assert_eq!(agent.call("joinGame", join).await.ok().fact("you"), "white");
        let red = json!({ "type": "agent", "game": "chess", "seat": "red" });
        agent.call("createGame", red).await.no().says("seat must be one of White, Black");
        let red = json!({ "type": "agent", "game": "chess", "color": "red" });
        agent.call("createGame", red).await.no().says("color must be one of white, black");
    }
    let http = reqwest::Client::new();
    let post = async |mut ask: Value| {
        ask["opponent"] = "computer".into();
        let answer = http.post(house.page("/api/games")).json(&ask).send().await.expect("it");
        let status = answer.status().as_u16();
        (status, answer.json::<Value>().await.expect("JSON"))
    };
    for (ask, seat) in [
        (json!({ "seat": "Black" }), "Black"),
        (json!({ "color": "black" }), "Black"),
        (json!({ "game": "othello", "color": "white" }), "White"),
        (json!({ "game": "connect-four", "color": "black" }), "Yellow"),
        (json!({ "game": "connect-four", "seat": "yellow" }), "Yellow"),
    ] {
        let (status, told) = post(ask.clone()).await;
        assert_eq!((status, &told["seat"]), (201, &json!(seat)), "{ask}");
    }
    for ask in [
        json!({ "seat": "red" }),
        json!({ "color": "red" }),
        json!({ "game": "othello", "color": "red" }),
        json!({ "game": "othello", "seat": "red" }),
    ] {
        let (status, told) = post(ask.clone()).await;
        assert_eq!(status, 400, "{ask}: {told}");
        assert!(told["error"].as_str().unwrap().to_lowercase().contains("black"), "{told}");
    }
}

#[tokio::test]
async fn everybody_is_told_what_was_set_up() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let setup = json!({ "columns": 8, "rows": 8, "length": 5 });
    let words = "- Set-up: columns 8, rows 8, length 5";
    let ask = json!({ "type": "agent", "game": "tic-tac-toe", "setup": setup });
    let created = agent.create(ask).await.ok().says(words);
    let joined = agent.call("joinGame", json!({ "game_id": created.id() })).await.ok().says(words);
    let seen = agent.see(&created.id()).await.ok().says(words);
    for told in [&created, &joined, &seen] {
        assert_eq!(told.facts["setup"], setup);
    }
    let page = reqwest::get(house.page(&format!("/api/games/{}", created.id()))).await.unwrap();
    let page: Value = page.json().await.unwrap();
    assert_eq!(page["setup"], setup);
    assert_eq!(page["setup_text"], "columns 8, rows 8, length 5");
    let usual = agent.create(json!({ "type": "agent", "game": "tic-tac-toe" })).await.ok();
    assert!(usual.facts["setup"].is_null() && !usual.text.contains("Set-up"), "{}", usual.text);
}

#[tokio::test]
async fn a_setup_that_cannot_be_read_is_refused_in_few_words_that_are_the_cards() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let create = async |game: &str, setup: Value| {
        let ask = json!({ "type": "agent", "game": game, "setup": setup });
        agent.call("createGame", ask).await
    };
    let long = "y".repeat(100_000);
    let refused = create("matrix-game", json!({ "game": long })).await.no();
    assert!(refused.text.len() < 1000, "{} letters", refused.text.len());
    refused.says("game cannot be \"yyyy").says("stag-hunt");
    let refused = create("connect-four", json!({ "opening": "four" })).await.no();
    assert!(!refused.text.contains("u8") && !refused.text.contains("line 1"), "{}", refused.text);
    refused.says("opening cannot be \"four\"").says("0 to 8 moves");
    create("nim", json!({ "heaps": [1, "x"] })).await.no().says("heaps cannot be [1,\"x\"]");
    create("tic-tac-toe", json!({ "rows": -3 })).await.no().says("rows cannot be -3");
    let refused = create("tic-tac-toe", json!({ "rows": 300 })).await.no();
    assert_eq!(
        refused.text, "Error: no game was created: rows cannot be 300; rows: 3 to 19 (usually 3).",
        "what a key takes is told once, and nothing of the others"
    );
    create("tic-tac-toe", json!({ "rows": 2 })).await.no().says("rows is 3 to 19, not 2.");
    // Who names a key that there is not is told which there are.
    let refused = create("tic-tac-toe", json!({ "row": 3 })).await.no();
    refused
        .says("no key \"row\"")
        .says("Its set-up: columns: 3 to 19 (usually 3); rows: 3 to 19 (usually 3); ");
    // Numbers may come as text, as everywhere.
    let created = create("connect-four", json!({ "opening": "4" })).await.ok();
    assert_eq!(created.facts["setup"], json!({ "opening": 4 }));
    let created = create("nim", json!({ "heaps": ["1", "2"], "misere": "true" })).await.ok();
    assert_eq!(created.facts["setup"], json!({ "heaps": [1, 2], "misere": true }));
}

#[tokio::test]
async fn a_door_of_one_kind_serves_that_kind() {
    let house = House::open().await;
    let four = at(&house, "/connect-four/mcp");
    for name in ["Connect four", "connect_four", "CONNECT-FOUR", "Connect 4"] {
        four.create(json!({ "type": "agent", "game": name })).await.ok();
    }
    let created = four.create(json!({ "type": "agent", "color": "yellow" })).await.ok();
    assert_eq!(created.fact("you"), "Yellow");
    let join = json!({ "game_id": created.id(), "seat": "Red" });
    assert_eq!(four.call("joinGame", join).await.ok().fact("you"), "Red");
    for kind in ["connect-four", "chess"] {
        let alone = at(&house, &format!("/{kind}/mcp"));
        let rules = alone.call("gameRules", json!({})).await.ok().says("Rules: ");
        assert_eq!(rules.facts["kinds"].as_array().map(Vec::len), Some(1));
        assert_eq!(rules.facts["kinds"][0]["game"], kind);
    }
    let other = four.call("gameRules", json!({ "game": "nim" })).await.no();
    other.says("connect-four alone is played here");
    let othello = at(&house, "/othello/mcp");
    let white = othello.create(json!({ "type": "agent", "color": "white" })).await.ok();
    assert_eq!(white.fact("you"), "White");
    let green = json!({ "type": "agent", "color": "green" });
    othello.call("createGame", green).await.no().says("color must be one of black, white");
}

#[tokio::test]
async fn a_game_goes_by_the_names_that_people_have_for_it() {
    let house = House::open().await;
    let agent = agent(&house).await;
    for (name, game) in [
        ("Connect 4", "connect-four"),
        ("tictactoe", "tic-tac-toe"),
        ("Tic Tac Toe", "tic-tac-toe"),
        ("reversi", "othello"),
    ] {
        let created = agent.create(json!({ "type": "agent", "game": name })).await.ok();
        assert_eq!(created.fact("game"), game);
        let rules = agent.call("gameRules", json!({ "game": name })).await.ok();
        assert_eq!(rules.facts["kinds"][0]["game"], game);
    }
    for kind in rules::KINDS.iter().filter(|kind| kind.seats.len() > 1) {
        for name in kind.card.iter().flat_map(|card| card.also_called) {
            let rules = agent.call("gameRules", json!({ "game": name })).await.ok();
            assert_eq!(rules.facts["kinds"][0]["game"], kind.name, "{name}");
        }
    }
    for (name, game) in [
        ("otello", "othello"),
        ("gomku", "gomoku"),
        ("tic-tac", "tic-tac-toe"),
        ("Rock Paper Scissors", "matrix-game"),
    ] {
        let refused = agent.call("createGame", json!({ "type": "agent", "game": name })).await.no();
        refused.says(&format!("did you mean {game}?"));
    }
    let refused = agent.call("createGame", json!({ "type": "agent", "game": "zzzz" })).await.no();
    assert!(!refused.text.contains("did you mean"), "{}", refused.text);
}

#[tokio::test]
async fn what_cannot_be_done_beside_the_board_is_refused_with_what_can() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let (_, x, o) = two(&agent, json!({ "type": "agent", "game": "tic-tac-toe" })).await;
    agent.act(&x, "takeback").await.no().says("resign").says("It is your turn").says("finishTurn");
    agent.act(&o, "offerDraw").await.no().says("Waiting for X").says("waitForNextTurn");
    agent.act(&o, "newLink").await.no().says("no person");
    let human = json!({ "type": "human", "game": "tic-tac-toe" });
    let pass = agent.create(human).await.ok().pass();
    agent.act(&pass, "offerDraw").await.no().says("resign and newLink");
    let with_move = json!({ "game_id": pass, "action": "resign", "move": "b2" });
    agent.call("gameAction", with_move).await.no().says("leave it out");
}

#[tokio::test]
async fn a_list_counts_one_move_as_one() {
    let house = House::open().await;
    let agent = agent(&house).await;
    for (game, mv) in [("chess", "e2e4"), ("nim", "1:1")] {
        let (id, first, _) = two(&agent, json!({ "type": "agent", "game": game })).await;
        turn(&agent, &first, mv, 1).await.ok();
        let listed = agent.call("listGames", json!({})).await.ok();
        let line = listed.text.lines().find(|line| line.contains(&id)).expect("a line");
        assert!(line.contains("; 1 move") && !line.contains("1 moves"), "{line}");
    }
}

#[tokio::test]
async fn dice_are_bound_before_they_fall_in_every_game_of_chance() {
    let house = House::open().await;
    let agent = agent(&house).await;
    for (ask, drawn) in [
        (json!({ "game": "kuhn-poker", "setup": { "hands": 1 } }), true),
        (json!({ "game": "connect-four", "setup": { "opening": 2 } }), true),
        (json!({ "game": "nim", "setup": { "heaps": [2] } }), false),
        (json!({ "setup": { "variant": "chess960" }, "difficulty": 1 }), true),
        (json!({ "fen": "k7/8/1K6/8/8/8/8/7R w - - 0 1", "difficulty": 1 }), false),
    ] {
        let created = agent.create(ask.clone()).await.ok();
        let hashes = ["seed", "luck"].map(|one| created.facts[format!("{one}_hash")].clone());
        let pass = created.pass();
        assert_eq!(hashes[0].is_string(), drawn, "{ask}");
        assert!(created.facts["seed"].is_null(), "not before the end");
        assert!(created.facts["luck"].is_null(), "not before the end");
        let mut now = created;
        while now.fact("status") != "over" {
            let mv = &now.facts["legal_moves"][0];
            if mv.get("uci").is_some() {
                now = agent.act(&pass, "resign").await.ok();
                continue;
            }
            now = match mv.as_str() {
                Some(mv) => {
                    let turn = &now.facts["turn"];
                    let mv = json!({ "game_id": pass, "move": mv, "turn": turn, "wait": true });
                    agent.call("finishTurn", mv).await.ok()
                }
                None => agent.call("waitForNextTurn", json!({ "game_id": pass })).await.ok(),
            };
        }
        let seen = agent.see(&pass).await.ok();
        for (one, hash) in ["seed", "luck"].into_iter().zip(hashes) {
            assert_eq!(seen.facts[format!("{one}_hash")], hash);
            if one == "luck" || drawn {
                use sha2::Digest;
                let told = sha2::Sha256::digest(seen.fact(one));
                let told: String = told.iter().map(|b| format!("{b:02x}")).collect();
                assert_eq!(json!(told), hash, "{one}");
            }
        }
        assert_eq!(seen.text.contains("- Seed: "), drawn);
        seen.says("- Luck of the computer: ");
    }
}

#[tokio::test]
async fn a_seed_that_a_player_chose_makes_a_game_again_and_makes_it_practice() {
    let house = House::open().await;
    let agent = agent(&house).await;
    // With the first move that is offered each time, to the end or to the twentieth turn.
    let play = async |ask: &Value| {
        let created = agent.create(ask.clone()).await.ok();
        assert_eq!(created.facts["practice"], true, "{ask}");
        let pass = created.pass();
        let mut now = agent.wait_for_turn(&pass).await;
        while now.fact("status") == "your_turn" && now.facts["turn"].as_u64() < Some(20) {
            let mv = &now.facts["legal_moves"][0];
            let mv = mv.get("uci").unwrap_or(mv).as_str().expect("a move");
            // Of a range the first.
            let mv = mv.split("..").next();
            agent.call("finishTurn", json!({ "game_id": pass, "move": mv })).await.ok();
            now = agent.wait_for_turn(&pass).await;
        }
        let seen = agent.see(&pass).await.says("Practice: a player chose the seed");
        if let Some(pgn) = seen.facts["pgn"].as_str() {
            let event = format!("[Event \"agon {}, practice\"]", created.id());
            assert!(pgn.contains(&event) && !pgn.contains("Elo"), "rated by nobody: {pgn}");
        }
        house.turns(&created.id())
    };
    for game in ["kuhn-poker", "leduc-poker", "liars-dice", "connect-four", "hex", "chess"] {
        let ask = |seed: Value| json!({ "game": game, "setup": { "seed": seed }, "difficulty": 3 });
        let first = play(&ask(json!("rainy day"))).await;
        assert_eq!(play(&ask(json!(" rainy day"))).await, first, "{game}");
    }
    let listed = agent.call("listGames", json!({})).await.ok();
    assert!(listed.facts["games"][0]["about"].as_str().unwrap().contains("practice"));
    // The same call is the same game, and one with another seed is not.
    let key = "x".repeat(20);
    let ask = |seed: i64| json!({ "game": "nim", "setup": { "seed": seed }, "requestId": key });
    let created = agent.create(ask(7)).await.ok();
    assert_eq!(agent.create(ask(7)).await.ok().id(), created.id());
    agent.call("createGame", ask(8)).await.no();
    agent.call("createGame", ask(-8)).await.no().says("the seed must be a whole number");
}

#[tokio::test]
async fn a_table_is_filled_in_order() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let seats = async |game: &str, seats: Value| {
        let ask = json!({ "game": game, "seats": seats, "requestId": format!("{game} {seats}") });
        agent.call("createGame", ask).await
    };
    let created = seats("connect-four", json!(["computer 2", "me"])).await.ok();
    assert_eq!(created.fact("you"), "Yellow");
    assert_eq!(created.facts["seats"][0]["player"], "computer, level 2");
    let again = seats("connect-four", json!(["computer 2", "me"])).await.ok();
    assert_eq!(created.id(), again.id(), "the same call is the same game");
    let created = seats("othello", json!(["me", "agent"])).await.ok();
    assert_eq!(
        (created.fact("you"), &created.facts["seats"][1]["player"]),
        ("Black".into(), &json!("nobody yet"))
    );
    assert!(seats("nim", json!(["human", "me"])).await.ok().link.is_some());
    let created = seats("chess", json!(["Computer 3", "Me"])).await.ok();
    assert_eq!(created.fact("you"), "black");
    assert!(created.fact("white").contains("level 3"), "{}", created.text);
    // A list may come as a text, like everything.
    let listed = seats("nim", json!("[\"me\", \"computer\"]")).await.ok();
    assert_eq!(listed.facts["seats"][1]["player"], "computer, level 5");
    for (wrong, why) in [
        (json!(["me"]), "not 1 of them"),
        (json!(["me", "me"]), "one me"),
        (json!(["agent", "computer"]), "one me"),
        (json!(["me", "god"]), "not \"god\""),
        (json!(["me", "computer 11"]), "not \"computer 11\""),
    ] {
        seats("nim", wrong).await.no().says(why).says("Player 1 and Player 2");
    }
}
