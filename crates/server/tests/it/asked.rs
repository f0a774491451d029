//! A person and a model in one chat: the model passes on what the person says, and lets them speak.

use serde_json::{Value, json};

use crate::{
    house::House,
    pages::{post, text},
    players::{Answer, Player, Way, call_with_board},
};

/// A game of this kind against a person, who moves first.
fn against_a_person(game: &str, second: &str) -> Value {
    json!({ "type": "human", "game": game, "seat": second })
}

const GAMES: [(&str, &str, &str); 2] = [("chess", "Black", "e2e4"), ("tic-tac-toe", "O", "b2")];

async fn relay(agent: &Player, pass: &str, action: &str) -> Answer {
    let ask = json!({ "game_id": pass, "action": action, "by": "human" });
    agent.call("gameAction", ask).await
}

#[tokio::test]
async fn the_link_for_the_person_stands_in_the_structure_too() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for (game, second, _) in GAMES {
        let created = agent.create(against_a_person(game, second)).await;
        let renewed = agent.act(&created.pass(), "newLink").await.ok();
        for answer in [created, renewed] {
            let link = answer.link.clone().expect("a link");
            assert_eq!(answer.fact("link"), link, "{game}");
            let next = answer.fact("next_action");
            assert!(next.contains(&link), "{next}");
            assert!(next.starts_with("First show the person this link to their board"), "{next}");
            assert!(answer.text.contains(&format!("**Next Action**: {next}")), "{}", answer.text);
        }
        let asked = json!({ "type": "computer", "game": game, "showUi": true });
        let created = agent.create(asked).await;
        let watched = format!("/game/{}", created.id());
        assert!(created.fact("link").ends_with(&watched), "{}", created.facts);
        let next = created.fact("next_action");
        assert!(
            next.starts_with("First show the person this link, where they can watch"),
            "{next}"
        );
    }
}

#[tokio::test]
async fn who_resigns_in_the_chat_loses_and_not_the_model() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for (game, second, _) in GAMES {
        let created = agent.create(against_a_person(game, second)).await;
        let resigned = relay(&agent, &created.pass(), "resign").await.ok();
        assert_eq!(resigned.facts["status"], "over", "{}", resigned.text);
        let points = &resigned.says("The person").facts["points"];
        assert_eq!(*points, json!([-1, 1]), "{game}");
        // Whoever comes by the page speaks for themselves.
        let open = agent.create(json!({ "type": "agent", "game": game })).await;
        let join = house.page(&format!("/api/games/{}/join", open.id()));
        let joined = reqwest::Client::new().post(join).json(&json!({})).send().await.unwrap();
        assert!(joined.status().is_success());
        let alone = agent.create(json!({ "type": "computer", "game": game })).await;
        for pass in [open.pass(), alone.pass()] {
            let refused = relay(&agent, &pass, "resign").await.no().says("Nothing has changed");
            // A model that obeyed would resign for itself.
            assert!(!refused.text.contains("leave by out"), "{}", refused.text);
            assert_ne!(agent.see(&pass).await.facts["status"], "over");
        }
    }
}

#[tokio::test]
async fn an_agent_does_not_speak_for_a_person_whom_it_has_not_invited() {
    let house = House::alone(&["--wait-seconds", "1"]).await;
    let agent = Player::new(&house, Way::Plain).await;
    for game in ["chess", "tic-tac-toe"] {
        // The person begins on the page and the agent joins, or the other way round.
        let ask = json!({ "opponent": "agent", "game": game });
        let begun = post(&house, "/api/games", "", ask).await.1;
        let joined = agent.join(text(&begun["game_id"])).await.ok();
        let open = json!({ "type": "agent", "game": game, "showUi": true });
        let created = agent.create(open).await;
        let join = format!("/api/games/{}/join", created.id());
        let guest = post(&house, &join, "", json!({})).await.1;
        for (pass, person) in [(joined.pass(), begun), (created.pass(), guest)] {
            let person = text(&person["pass"]);
            let mv = json!({ "game_id": pass, "move": "e2e4", "by": "human" });
            agent.call("finishTurn", mv).await.no();
            relay(&agent, &pass, "resign").await.no().says("Nothing has changed");
            agent.act(&pass, "newLink").await.no();
            let seen = agent.wait(&pass).await.ok();
            assert!(!seen.text.contains("by=\"human\""), "{}", seen.text);
            assert!(!seen.page.unwrap_or_default().contains(person), "{game}: their pass is told");
            let id = person.split('-').next().expect("an id");
            assert_eq!(listening(&house, id, person).await, json!(null), "nobody is in a chat");
        }
    }
}

#[tokio::test]
async fn what_the_person_cannot_take_back_they_do_at_their_open_board() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for (game, second, mv) in GAMES {
        let created = agent.create(against_a_person(game, second)).await;
        let pass = created.pass();
        created.open().await.expect("a seat");
        let ask = json!({ "game_id": pass, "move": mv, "by": "human" });
        let moved = agent.call("finishTurn", ask).await;
        assert_eq!(moved.refused, game != "chess", "{}", moved.text);
        relay(&agent, &pass, "resign").await.no().says("they do it on their own board");
    }
    // A card that the model must not see is no matter for the chat.
    let pass = agent.create(against_a_person("kuhn-poker", "Player 2")).await.pass();
    let ask = json!({ "game_id": pass, "move": "bet", "by": "human" });
    agent.call("finishTurn", ask).await.no().says("at their board").says("Nothing was played");
}

#[tokio::test]
async fn a_takeback_that_is_passed_on_twice_has_one_effect() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let pass = agent.create(against_a_person("chess", "Black")).await.pass();
    for (theirs, own) in [("e2e4", "e7e5"), ("g1f3", "b8c6")] {
        let ask = json!({ "game_id": pass, "move": theirs, "by": "human" });
        agent.call("finishTurn", ask).await.ok();
        agent.play(&pass, own).await.ok();
    }
    let ask = json!({ "game_id": pass, "action": "takeback", "by": "human", "turn": 5 });
    let granted = agent.call("gameAction", ask.clone()).await.ok().says("The takeback is granted");
    assert_eq!(granted.facts["history"], json!(["e4", "e5"]));
    assert_eq!(agent.call("gameAction", ask).await, granted);
    assert_eq!(agent.see(&pass).await.facts["turn"], granted.facts["turn"]);
}

#[tokio::test]
async fn draws_and_takebacks_are_passed_on_for_the_person() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(against_a_person("chess", "Black")).await;
    let pass = created.pass();
    let ask = json!({ "game_id": pass, "move": "e2e4", "by": "human" });
    agent.call("finishTurn", ask).await.ok();
    agent.play(&pass, "e7e5").await.ok();
    // The model has heard of it in the chat: nobody else is there to agree.
    let back = relay(&agent, &pass, "takeback").await.ok().says("The takeback is granted");
    assert_eq!((&back.facts["turn"], &back.facts["history"]), (&json!(5), &json!([])));
    let offered = relay(&agent, &pass, "offerDraw").await.ok().says("The person offers a draw");
    assert_eq!(offered.facts["status"], "asked");
    agent.act(&pass, "declineDraw").await.ok();
    agent.act(&pass, "offerDraw").await.ok();
    let agreed = relay(&agent, &pass, "acceptDraw").await.ok();
    agreed.says("The person accepts the draw").says("Draw by agreement");
}

#[tokio::test]
async fn without_a_board_the_model_asks_for_what_the_person_can_do() {
    let house = House::alone(&["--wait-seconds", "1"]).await;
    let agent = Player::new(&house, Way::Plain).await;
    let offered = agent.create(json!({ "type": "human", "color": "white" })).await;
    agent.act(&offered.pass(), "offerDraw").await.ok();
    let told = agent.wait(&offered.pass()).await.ok().says("Ask the person for their answer");
    told.says("action=\"acceptDraw\", by=\"human\"").says("`action=\"declineDraw\"`");
    relay(&agent, &offered.pass(), "declineDraw").await.ok();
    // What is told in the chat cannot be passed on here.
    let mut unrelayed = against_a_person("chess", "Black");
    unrelayed["setup"] = json!({ "typed_moves": false });
    for ask in [unrelayed, against_a_person("kuhn-poker", "Player 2")] {
        let created = agent.create(ask).await;
        let told = agent.wait(&created.pass()).await.ok().says("open their board and play there");
        assert!(!told.text.contains("by=\"human\""), "{}", told.text);
        let next = told.fact("next_action");
        assert!(next.starts_with("First show the person this link to their board"), "{next}");
    }
}

#[tokio::test]
async fn where_nobody_has_a_board_open_the_model_is_told_to_ask_and_not_to_wait() {
    let house = House::alone(&["--wait-seconds", "1"]).await;
    let agent = Player::new(&house, Way::Plain).await;
    for (game, second, mv) in GAMES {
        let mut shown = against_a_person(game, second);
        shown["showUi"] = json!(true);
        let shown = agent.create(shown).await;
        // The board in the chat is open: the model waits for a move, as long as a call may.
        let told = agent.wait(&shown.pass()).await.ok();
        assert_eq!(told.facts["status"], "timeout", "{}", told.text);
        assert_eq!((&told.link, &told.facts["link"]), (&None, &Value::Null), "it was told before");

        let created = agent.create(against_a_person(game, second)).await;
        let pass = created.pass();
        let told = agent.wait(&pass).await.ok();
        assert_eq!(told.facts["status"], "waiting", "{}", told.text);
        let told = told.says("No board is open").says("end your turn").says("by=\"human\"");
        assert_eq!(told.fact("link"), created.fact("link"));
        // A person who plays in the chat is not shown it each turn.
        let next = told.fact("next_action");
        assert!(next.starts_with("No board is open") && next.contains("If the person wants"));
        let ask = json!({ "game_id": pass, "move": mv, "by": "human", "wait": true });
        let relayed = agent.call("finishTurn", ask).await.ok().says("It is your turn");
        assert_eq!(relayed.link, None, "{game}");
        let own = if game == "chess" { "e7e5" } else { "a1" };
        let ask = json!({ "game_id": pass, "move": own, "wait": true });
        agent.call("finishTurn", ask).await.ok().says("No board is open");

        // With a board open, one waits for what is played there.
        let board = created.open().await.expect("a seat");
        agent.see(&board).await.ok();
        let next = if game == "chess" { "d2d4" } else { "c3" };
        let (waited, _) = tokio::join!(agent.wait_for_turn(&pass), async {
            assert_eq!(listening(&house, &created.id(), &board).await, json!(true), "{game}");
            agent.play(&board, next).await.ok();
        });
        waited.says("It is your turn");
        // Whoever was told of the move thinks about it.
        assert_eq!(listening(&house, &created.id(), &board).await, json!(true), "{game}");
    }
}

#[tokio::test]
async fn a_host_that_shows_boards_waits_for_the_one_it_is_about_to_show() {
    let house = House::alone(&["--wait-seconds", "1"]).await;
    for (game, second, _) in GAMES {
        for (ui, status) in [(json!(null), "timeout"), (json!(false), "waiting")] {
            let mut ask = against_a_person(game, second);
            ask["showUi"] = ui;
            let created = call_with_board(&house, "createGame", ask).await;
            let wait = json!({ "game_id": created["structuredContent"]["pass"] });
            let told = call_with_board(&house, "waitForNextTurn", wait).await;
            assert_eq!(told["structuredContent"]["status"], status, "{game}: {told}");
        }
    }
}

#[tokio::test]
async fn a_page_asks_whether_the_model_listens() {
    let mut house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(against_a_person("nim", "Player 2")).await;
    let board = created.open().await.expect("a seat");
    let id = created.id();
    house.crash_and_restart().await;
    assert_eq!(listening(&house, &id, &board).await, json!(false), "no call waits");
    // Nobody listens at a table with the computer, and nobody need.
    let agent = Player::new(&house, Way::Plain).await;
    let alone = agent.create(json!({ "type": "computer", "game": "nim" })).await;
    assert_eq!(listening(&house, &alone.id(), &alone.pass()).await, json!(null));
}

#[tokio::test]
async fn a_page_knows_that_the_model_calls_another_node() {
    let house = House::of_nodes(2, &[]).await;
    let [one, two] = [0, 1].map(|node| format!("http://{}", house.nodes()[node].address));
    let agent = Player::at(&format!("{one}/mcp"), Way::Plain).await;
    let person = Player::at(&format!("{two}/mcp"), Way::Plain).await;
    let created = agent.create(against_a_person("tic-tac-toe", "O")).await;
    let (id, board) = (created.id(), created.open().await.expect("a seat"));
    assert_eq!(listening_at(&two, &id, &board).await, json!(false), "it has called nobody yet");
    let pass = created.pass();
    let (waited, _) = tokio::join!(agent.wait(&pass), person.play(&board, "b2"));
    waited.ok().says("It is your turn");
    // The announcement of the call that waited precedes the news of the move.
    let (waited, _) = tokio::join!(person.wait(&board), agent.play(&pass, "a1"));
    waited.ok().says("It is your turn");
    assert_eq!(listening_at(&two, &id, &board).await, json!(true));
}

/// Whether the page with this pass is told that the model listens.
async fn listening(house: &House, id: &str, pass: &str) -> Value {
    listening_at(house.page("").trim_end_matches('/'), id, pass).await
}

async fn listening_at(node: &str, id: &str, pass: &str) -> Value {
    let url = format!("{node}/api/games/{id}/listening");
    let told = reqwest::Client::new().get(url).bearer_auth(pass).send().await.expect("an answer");
    told.json::<Value>().await.expect("JSON")["listening"].clone()
}

#[tokio::test]
async fn what_is_asked_for_and_not_to_be_had_is_named() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for more in [
        json!({ "seats": ["me", "computer 9"] }),
        json!({ "seats": ["me", "computer"], "difficulty": 9 }),
        json!({ "difficulty": 9 }),
    ] {
        let mut ask = json!({ "game": "nim", "type": "computer" });
        ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let created = agent.create(ask).await.says("**Ignored**: level 9: the highest in nim is");
        assert!(created.facts["ignored"][0].is_string(), "{}", created.facts);
    }
    let usual = agent.create(json!({ "game": "nim", "seats": ["me", "computer"] })).await;
    assert_eq!(usual.facts["ignored"], Value::Null, "nobody asked for a level");
    let unknown = agent.call("gameRules", json!({ "game": "zzzz" })).await.no().text;
    assert!(!unknown.contains("created"), "{unknown}");
    let refused = async |game: &str| {
        agent.call("createGame", json!({ "type": "agent", "game": game })).await.no().text
    };
    assert!(!refused("checkers").await.contains("did you mean"));
    let poker = refused("poker").await;
    assert!(poker.contains("did you mean kuhn-poker or leduc-poker?"), "{poker}");
    for id in ["00000000", "my game"] {
        agent.see(id).await.no().says("Game not found").says("listGames");
    }
    let rules = agent.call("gameRules", json!({ "game": "chess" })).await.ok();
    rules.says("Computer: difficulty 1 (rated").says("to 10 (rated");
    let created = agent.create(json!({ "type": "agent", "game": "liars-dice" })).await;
    let next = created.fact("next_action");
    let range = "of a range like ones x 1..10, send one move, like `ones x 1`";
    assert!(next.contains(range), "{next}");
    let off = agent.create(json!({ "type": "computer" })).await;
    let hint = json!({ "game_id": off.pass(), "hint": true });
    agent.call("getGame", hint).await.no().says("createGame(setup=");
}
