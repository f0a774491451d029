//! Games without a room of their own, through the tools that every game has.

use serde_json::{Value, json};

use crate::{
    house::House,
    players::{Answer, Player, WAYS, Way, call_with_board},
};

/// The moves that were offered, of a range of numbers the first.
fn offers(answer: &Answer) -> Vec<String> {
    let moves = answer.facts["legal_moves"].as_array().expect("moves").iter();
    let first = |offer: &str| offer.split("..").next().expect("a move").to_owned();
    moves.map(|mv| first(mv.as_str().expect("a text"))).collect()
}

async fn play(player: &Player, pass: &str, mv: &str, turn: &Value, wait: bool) -> Answer {
    let ask = json!({ "game_id": pass, "move": mv, "turn": turn, "wait": wait });
    player.call("finishTurn", ask).await
}

/// Plays against the computer until it is over, by the first move that is offered.
async fn to_the_end(player: &Player, pass: &str, mut now: Answer) -> Answer {
    while now.facts["status"] != "over" {
        now = match offers(&now).first() {
            Some(mv) => play(player, pass, mv, &now.facts["turn"], true).await.ok(),
            None => player.call("waitForNextTurn", json!({ "game_id": pass })).await.ok(),
        };
    }
    now
}

#[tokio::test]
async fn every_game_is_played_against_the_computer_whichever_way_one_comes() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let listed = agent.call("gameRules", json!({})).await.ok();
    let kinds: Vec<String> = listed.facts["kinds"]
        .as_array()
        .expect("kinds")
        .iter()
        .map(|kind| kind["game"].as_str().expect("a name").to_owned())
        .filter(|game| game != "chess")
        .collect();
    assert!(kinds.len() >= 5, "{kinds:?}");
    for (kind, way) in kinds.iter().zip(WAYS.into_iter().cycle()) {
        let player = Player::new(&house, way).await;
        let rules = player.call("gameRules", json!({ "game": kind })).await.ok();
        assert!(rules.facts["kinds"][0]["rules"].is_string(), "{kind}");
        let ask = json!({ "type": "computer", "game": kind, "difficulty": 1 });
        let created = player.create(ask).await.says("Game Created Successfully!");
        assert_eq!(created.facts["game"], **kind);
        let end = to_the_end(&player, &created.pass(), created.clone()).await;
        let count = |what: &str| end.facts[what].as_array().expect(what).len();
        assert_eq!(count("points"), count("seats"), "{kind}");
        assert!(end.facts["result"].is_string() && offers(&end).is_empty(), "{}", end.text);
        house.verifies(&created.id());
    }
}

#[tokio::test]
async fn two_agents_play_connect_four_and_a_third_watches() {
    let house = House::open().await;
    let [red, yellow, third] = [Way::Legacy, Way::Plain, Way::Modern];
    let red = Player::new(&house, red).await;
    let yellow = Player::new(&house, yellow).await;
    let third = Player::new(&house, third).await;
    let created = red.create(json!({ "type": "agent", "game": "Connect Four" })).await;
    let (id, r) = (created.id(), created.pass());
    let joined = yellow.call("joinGame", json!({ "game_id": id, "seat": "yellow" })).await.ok();
    let y = joined.pass();
    assert_eq!(joined.facts["you"], "Yellow");
    third.call("joinGame", json!({ "game_id": id })).await.no().says("no free seat");
    let refused = play(&yellow, &y, "1", &json!(1), false).await.no();
    refused.says("Not your turn").says("waitForNextTurn");
    play(&red, &r, "9", &json!(1), false).await.no().says("not a column from 1 to 7");
    for turn in 1..=7 {
        let (player, pass, column) =
            if turn % 2 == 1 { (&red, &r, "4") } else { (&yellow, &y, "5") };
        let first = play(player, pass, column, &json!(turn), false).await.ok();
        let again = play(player, pass, column, &json!(turn), false).await.ok();
        assert_eq!(first, again, "the same call has one effect");
        let seen = third.call("getGame", json!({ "game_id": id })).await.ok();
        assert_eq!(seen.facts["turn"], turn + 1);
        assert_eq!(seen.facts["pass"], Value::Null);
    }
    let told = yellow.call("waitForNextTurn", json!({ "game_id": y })).await.ok();
    assert_eq!(told.facts["status"], "over");
    assert_eq!(told.facts["since"], json!([{ "turn": 7, "by": "Red", "move": "4" }]));
    assert_eq!(told.facts["points"], json!([1, -1]));
    told.says("Red wins with four in a row").says("Points: Red 1, Yellow -1");
    house.verifies(&id);
}

#[tokio::test]
async fn what_was_shown_since_ones_own_turn_is_told() {
    let house = House::open().await;
    let one = Player::new(&house, Way::Plain).await;
    let ask = json!({ "type": "agent", "game": "kuhn-poker", "setup": { "hands": 2 } });
    let created = one.create(ask).await;
    let first = created.pass();
    let joined = one.call("joinGame", json!({ "game_id": created.id() })).await.ok();
    let second = joined.pass();
    let holds = |answer: &Answer, seat: usize| {
        answer.facts["view"]["hand"]["cards"][seat].as_str().expect("a card").to_owned()
    };
    let cards = [holds(&created, 0), holds(&joined, 1)];
    let winner = if ["KQ", "KJ", "QJ"].contains(&cards.concat().as_str()) { 1 } else { 2 };
    let shown = format!(
        "Cards: Player 1 {}, Player 2 {}. Player {winner} wins the pot of 4.",
        cards[0], cards[1]
    );
    let bet = json!({ "turn": 2, "by": "Player 2", "move": "bet" });
    let shown_cards = json!({ "turn": 2, "revealed": shown });
    play(&one, &first, "bet", &json!(1), false).await.ok();
    // Whoever has shown them is told too, and begins the next hand.
    let called = play(&one, &second, "bet", &json!(2), false).await.ok();
    called.says(&format!("**Since**: {shown}\n"));
    let seen = one.see(&first).await.ok().says(&format!("**Since**: Player 2 bet. {shown}\n"));
    assert_eq!(seen.facts["since"], json!([bet, shown_cards]));
    play(&one, &second, "pass", &json!(3), false).await.ok();
    let waited = one.wait_for_turn(&first).await;
    let passed = json!({ "turn": 3, "by": "Player 2", "move": "pass" });
    assert_eq!(waited.facts["since"], json!([bet, shown_cards, passed]));
    waited.says(&format!("**Since**: Player 2 bet. {shown} Player 2 pass\n"));
    // What was told once is not told again, nor is a card that nobody has called to see.
    play(&one, &first, "bet", &json!(4), false).await.ok();
    let over = play(&one, &second, "fold", &json!(5), false).await.ok();
    let won = json!({ "turn": 5, "revealed": "Player 1 wins the pot of 3." });
    assert_eq!(over.facts["since"], json!([won]));
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_by_name() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for (wrong, why) in [
        (json!({ "type": "computer", "game": "go" }), "no game is called \"go\" here"),
        (json!({ "type": "computer", "game": "nim", "setup": { "stones": 3 } }), "heaps"),
        (json!({ "type": "computer", "game": "parity", "setup": { "x": 3 } }), "takes no set-up"),
        (json!({ "type": "computer", "game": "kuhn-poker", "setup": { "hands": 0 } }), "1 to 200"),
        (json!({ "type": "computer", "game": "gomoku", "seat": "red" }), "seat must be one of"),
    ] {
        agent.call("createGame", wrong).await.no().says(why);
    }
    let created = agent.create(json!({ "type": "agent", "game": "tic-tac-toe" })).await;
    let draw = json!({ "game_id": created.pass(), "action": "offerDraw" });
    agent.call("gameAction", draw).await.no().says("finishTurn");
}

#[tokio::test]
async fn a_colour_means_the_seat_that_is_called_so_or_else_the_first_or_second() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for (game, color, seat) in [
        ("othello", "white", "White"),
        ("othello", "black", "Black"),
        ("connect-four", "white", "Red"),
        ("connect-four", "black", "Yellow"),
    ] {
        let ask = json!({ "type": "agent", "game": game, "color": color });
        let created = agent.create(ask).await;
        assert_eq!(created.fact("you"), seat, "{game}, {color}");
        let other = if color == "white" { "black" } else { "white" };
        let join = json!({ "game_id": created.id(), "color": other });
        let joined = agent.call("joinGame", join).await.ok();
        assert_ne!(joined.fact("you"), seat, "{game}, {other}");
    }
    let ask = json!({ "type": "agent", "game": "connect-four" });
    assert_eq!(agent.create(ask).await.fact("you"), "Red");
}

#[tokio::test]
async fn a_request_id_stands_for_whom_one_plays_too() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let key = "a-key-of-nobody-else";
    let ask = |more: Value| {
        let mut ask = json!({ "type": "computer", "game": "nim", "requestId": key });
        ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask
    };
    let first = agent.create(ask(json!({}))).await;
    assert_eq!(agent.create(ask(json!({}))).await.id(), first.id());
    for other in [
        json!({ "type": "agent" }),
        json!({ "type": "human" }),
        json!({ "difficulty": 2 }),
        json!({ "seat": "Player 2" }),
        json!({ "setup": { "heaps": [1, 2] } }),
        json!({ "game": "othello" }),
    ] {
        agent.call("createGame", ask(other)).await.no().says("another than you ask for now");
    }
}

#[tokio::test]
async fn every_kind_has_a_door_of_its_own() {
    let house = House::open().await;
    let kinds = rules::KINDS.iter().filter(|kind| kind.card.is_some());
    for kind in kinds.filter(|kind| kind.seats.len() > 1) {
        let url = house.url().replace("/mcp", &format!("/{}/mcp", kind.name));
        let agent = Player::Plain { http: reqwest::Client::new(), url };
        let created = agent.create(json!({ "type": "agent" })).await;
        assert!(created.fact("you").eq_ignore_ascii_case(kind.seats[0]), "{}", kind.name);
        let other = if kind.name == "nim" { "connect-four" } else { "nim" };
        let wrong = json!({ "type": "computer", "game": other });
        let alone = format!("{} alone is played here", kind.name);
        agent.call("createGame", wrong).await.no().says(&alone);
    }
}

#[tokio::test]
async fn a_game_of_any_kind_goes_on_after_a_crash() {
    let mut house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let ask = json!({ "type": "computer", "game": "connect-four", "difficulty": 2 });
    let created = agent.create(ask).await;
    let pass = created.pass();
    let moved = play(&agent, &pass, "4", &json!(1), true).await.ok();
    assert_eq!(moved.facts["turn"], 3, "{}", moved.text);
    house.crash_and_restart().await;
    let agent = Player::new(&house, Way::Plain).await;
    let again = agent.call("getGame", json!({ "game_id": pass })).await.ok();
    assert_eq!(again.facts["view"], moved.facts["view"]);
    let listed = agent.call("listGames", json!({})).await.ok();
    assert_eq!(listed.facts["games"][0]["game"], "connect-four");
    to_the_end(&agent, &pass, again).await;
    house.verifies(&created.id());
}

#[tokio::test]
async fn the_board_in_the_chat_shows_the_moment_that_the_answer_tells() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    // The board is the agent's own, or that of the person who was asked to play.
    for (opponent, shown) in [("agent", 0), ("human", 1)] {
        let ask = json!({ "type": opponent, "game": "tic-tac-toe" });
        let created = call_with_board(&house, "createGame", ask).await;
        let facts = &created["structuredContent"];
        let [id, first] = ["game_id", "pass"].map(|field| facts[field].as_str().unwrap());
        let second = match opponent {
            "agent" => agent.join(id).await.ok().pass(),
            _ => created["_meta"]["agon/board"]["pass"].as_str().unwrap().to_owned(),
        };
        let turn = json!({ "game_id": first, "move": "b2", "turn": 1 });
        call_with_board(&house, "finishTurn", turn.clone()).await;
        play(&agent, &second, "a1", &json!(2), false).await.ok();
        // The same call is answered as it was, with the board that it was answered with.
        let again = call_with_board(&house, "finishTurn", turn).await;
        let board = &again["_meta"]["agon/board"]["facts"];
        assert_eq!(again["structuredContent"]["turn"], 2);
        assert_eq!((&board["turn"], &board["you"]), (&json!(2), &json!(shown)), "{opponent}");
        assert_eq!(board["history"].as_array().map(Vec::len), Some(1), "{opponent}: {board}");
    }
}
