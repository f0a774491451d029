//! What a position is worth: told where all have agreed to it, and to anybody once a game is over.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    house::House,
    pages::{ask, get, post, text},
    players::{Answer, Player, Way},
};

async fn hint(player: &Player, game: &str) -> Answer {
    player.call("getGame", json!({ "game_id": game, "hint": true })).await
}

async fn page_hint(house: &House, id: &str, pass: &str) -> (u16, Value) {
    let path = format!("/api/games/{id}/hint");
    let (status, body) = ask(house, Method::GET, &path, pass, Value::Null).await;
    (status.as_u16(), body)
}

/// Nobody learns anything from an answer that must not tell.
#[track_caller]
fn tells_nothing(answer: &Value) {
    let text = answer.to_string();
    for word in ["evaluation", "Evaluation", "best_line", "Best line", "pawns", "mate_in", "%eval"]
    {
        assert!(!text.contains(word), "{word} in {text}");
    }
}

#[tokio::test]
async fn without_hints_nobody_is_told_anything() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "computer", "difficulty": 1 })).await;
    let (id, pass) = (created.id(), created.pass());
    assert!(created.facts["hints"].is_null() && !created.text.contains("Hints"));
    let refused =
        hint(&agent, &pass).await.no().says("created without them").says("createGame(setup=");
    tells_nothing(&refused.facts);
    agent.play(&pass, "e2e4").await.ok();
    for answer in [agent.wait_for_turn(&pass).await, agent.see(&pass).await.ok()] {
        tells_nothing(&json!([answer.text, answer.facts]));
    }
    for pass in ["", &pass] {
        let (status, why) = page_hint(&house, &id, pass).await;
        assert_eq!(status, 403, "{why}");
        tells_nothing(&why);
    }
    // Not by the doors for finished games either.
    for path in ["evals", "evals?from=1", "pgn?evals=1"] {
        let path = format!("/api/games/{id}/{path}");
        let (status, why) = ask(&house, Method::GET, &path, &pass, Value::Null).await;
        assert_eq!(status, 409, "{why}");
        tells_nothing(&why);
    }
    let page = get(&house, &format!("/api/games/{id}")).await;
    assert_eq!(page["hints"], "off");
    tells_nothing(&page);
    tells_nothing(&get(&house, "/api/games").await);
}

#[tokio::test]
async fn against_the_computer_the_creator_decides() {
    let mut hints = Vec::new();
    for way in [Way::Stdio, Way::Plain] {
        let house = House::open().await;
        let agent = Player::new(&house, way).await;
        let game = json!({ "type": "computer", "difficulty": 1, "hints": true });
        let created = agent.create(game).await.says("- Hints: on for both sides");
        assert_eq!(created.facts["hints"], "on");
        let (id, pass) = (created.id(), created.pass());
        tells_nothing(&json!([agent.see(&pass).await.ok().facts]));

        let told =
            hint(&agent, &pass).await.ok().says("**Evaluation**: +").says("**Best line**: 1. ");
        let evaluation = &told.facts["evaluation"];
        assert!(
            evaluation["pawns"].as_f64().is_some_and(|pawns| pawns.abs() < 2.0),
            "{evaluation}"
        );
        assert!(evaluation["mate_in"].is_null());
        let best = &evaluation["best_line"][0];
        assert!(told.facts["legal_moves"].as_array().unwrap().contains(best), "{best}");
        assert_eq!(hint(&agent, &pass).await, told);
        // The page is told the same.
        let (status, page) = page_hint(&house, &id, &pass).await;
        assert_eq!((status, &page["turn"], &page["best_line"][0]), (200, &json!(1), best));

        // Only those who play are told.
        let (status, why) = page_hint(&house, &id, "").await;
        assert_eq!((status, text(&why["error"])), (403, "Hints are for those who play."));
        let stranger = Player::new(&house, Way::Plain).await;
        let refused = hint(&stranger, &id).await.no().says("Hints are for those who play");
        tells_nothing(&refused.facts);
        hints.push(evaluation.clone());
    }
    assert_eq!(hints[0], hints[1], "the same on every machine and in every process");
}

#[tokio::test]
async fn a_mate_is_told_as_such() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for (fen, color, says, mate_in, line) in [
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 31", "white", "White has mate in 2", 2, "31. R"),
        ("1r5k/r7/8/8/8/8/8/7K b - - 0 31", "black", "Black has mate in 2", -2, "31... R"),
    ] {
        let game = json!({ "type": "computer", "fen": fen, "color": color, "hints": true });
        let pass = agent.create(game).await.pass();
        let told =
            hint(&agent, &pass).await.ok().says(says).says(&format!("**Best line**: {line}"));
        assert_eq!(told.facts["evaluation"]["mate_in"], mate_in);
        assert!(told.facts["evaluation"]["pawns"].is_null());
    }
}

#[tokio::test]
async fn between_agents_both_must_agree() {
    for (offered, agreed) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut house = House::open().await;
        let white = Player::new(&house, Way::Legacy).await;
        let created = white.create(json!({ "type": "agent", "hints": offered })).await;
        let (id, w) = (created.id(), created.pass());
        let alone = hint(&white, &w).await.no();
        if offered {
            assert_eq!(created.clone().says("- Hints: offered").facts["hints"], "offered");
            alone.says("until the other player has joined").says("hints=true");
        }
        let black = Player::new(&house, Way::Plain).await;
        let join = json!({ "game_id": id, "hints": agreed });
        let joined = black.call("joinGame", join).await.ok().says("You are: Black");
        let (b, state) = (joined.pass(), &joined.facts["hints"]);
        match (offered, agreed) {
            (true, true) => assert_eq!(joined.clone().says("- Hints: on").facts["hints"], "on"),
            (true, false) => assert_eq!(state, "declined", "{}", joined.text),
            (false, _) => assert!(state.is_null()),
        }
        match (offered, agreed) {
            (false, false) => assert!(!joined.text.contains("Hints")),
            (true, true) => {}
            _ => drop(joined.says("- Hints: off")),
        }
        // What was agreed holds, also after a crash, and cannot be changed by joining again.
        house.crash_and_restart().await;
        let again = Player::new(&house, Way::Plain).await;
        again.call("joinGame", json!({ "game_id": id, "hints": true })).await.no();
        for pass in [&w, &b] {
            let told = hint(&again, pass).await;
            let (status, page) = page_hint(&house, &id, pass).await;
            if offered && agreed {
                told.ok().says("**Evaluation**");
                assert_eq!(status, 200, "{page}");
            } else {
                tells_nothing(&told.no().facts);
                assert_eq!(status, 403, "{page}");
                tells_nothing(&page);
            }
        }
    }
}

#[tokio::test]
async fn against_a_person_the_creator_decides() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Legacy).await;
    // A person at the agent's board.
    let human = json!({ "type": "human", "color": "black", "hints": true });
    let created = agent.create(human).await.says("- Hints: on");
    let board = created.open().await.expect("a seat");
    for pass in [created.pass(), board] {
        hint(&agent, &pass).await.ok().says("**Best line**");
        assert_eq!(page_hint(&house, &created.id(), &pass).await.0, 200);
    }
    // A person who joins an agent, who asks for hints as getGame says.
    let wish = json!({ "type": "agent", "setup": { "hints": true } });
    let created = agent.create(wish).await.says("- Hints: offered");
    let (_, seat) = post(&house, &format!("/api/games/{}/join", created.id()), "", json!({})).await;
    assert_eq!(page_hint(&house, &created.id(), text(&seat["pass"])).await.0, 200);
    hint(&agent, &created.pass()).await.ok();
}

#[tokio::test]
async fn an_agent_who_joins_a_person_must_agree() {
    let house = House::open().await;
    for agrees in [true, false] {
        let game = json!({ "opponent": "agent", "hints": true });
        let (_, person) = post(&house, "/api/games", "", game).await;
        let (id, pass) = (text(&person["game_id"]), text(&person["pass"]));
        assert_eq!(page_hint(&house, id, pass).await.0, 409, "nobody has joined");
        let agent = Player::new(&house, Way::Modern).await;
        agent.call("joinGame", json!({ "game_id": id, "hints": agrees })).await.ok();
        let (status, page) = page_hint(&house, id, pass).await;
        assert_eq!(status, if agrees { 200 } else { 403 }, "{page}");
        let state = if agrees { "on" } else { "declined" };
        assert_eq!(get(&house, &format!("/api/games/{id}")).await["hints"], state);
    }
}

/// A game without hints that two agents have played to its end, or until White did `end`.
async fn finished(house: &House, moves: &str, end: Option<&str>) -> (Player, String) {
    let agent = Player::new(house, Way::Plain).await;
    let created = agent.create(json!({ "type": "agent" })).await;
    let passes = [created.pass(), agent.join(&created.id()).await.ok().pass()];
    for (n, mv) in moves.split(' ').enumerate() {
        agent.play(&passes[n % 2], mv).await.ok();
    }
    if let Some(action) = end {
        agent.act(&passes[0], action).await.ok();
    }
    (agent, created.id())
}

#[tokio::test]
async fn a_finished_game_is_evaluated_for_anybody() {
    let house = House::open().await;
    let (agent, id) = finished(&house, "f2f3 e7e5 g2g4 d8h4", None).await;
    let review = get(&house, &format!("/api/games/{id}/evals")).await;
    assert_eq!((&review["from"], &review["of"]), (&json!(0), &json!(5)));
    let evals = review["evals"].as_array().unwrap();
    let marks: Vec<_> = evals.iter().map(|eval| eval["mark"].as_str().unwrap_or("")).collect();
    assert_eq!(marks[3], "blunder", "{marks:?}");
    assert_eq!((marks[0], marks[2], marks[4]), ("", "", ""));
    assert_eq!((&evals[3]["mate_in"], &evals[3]["chance"]), (&json!(-1), &json!(-1.0)));
    assert_eq!(evals[3]["best_line"][0]["san"], "Qh4#");
    assert_eq!(evals[4]["best_line"], json!([]));

    let url = house.page(&format!("/api/games/{id}/pgn"));
    let pgn = reqwest::get(format!("{url}?evals=1")).await.unwrap();
    assert!(pgn.headers()["content-type"].to_str().unwrap().contains("application/x-chess-pgn"));
    let pgn = pgn.text().await.unwrap();
    assert_eq!(pgn.matches("[%eval ").count(), 3, "{pgn}");
    assert!(pgn.contains("2. g4 { [%eval #-1] [%emt 0:00:"), "{pgn}");
    let told = hint(&agent, &id).await.ok();
    assert_eq!(told.fact("pgn"), pgn);
    // Who does not ask is not told.
    let plain = reqwest::get(url).await.unwrap().text().await.unwrap();
    assert!(plain.ends_with("{ Black wins by Checkmate } 0-1\n"), "{plain}");
    assert_eq!(agent.see(&id).await.ok().fact("pgn"), plain);
}

#[tokio::test]
async fn a_long_game_is_evaluated_in_parts() {
    let house = House::open().await;
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7";
    let (_, id) = finished(&house, moves, Some("resign")).await;
    let played = get(&house, &format!("/api/games/{id}")).await["history"].clone();
    let (mut all, mut parts) = (Vec::new(), 0);
    loop {
        let seen = all.len();
        let part = get(&house, &format!("/api/games/{id}/evals?from={seen}")).await;
        let evals = part["evals"].as_array().unwrap();
        assert_eq!((&part["from"], &part["of"]), (&json!(seen), &json!(23)));
        all.extend(evals.clone());
        parts += 1;
        if evals.is_empty() || all.len() == 23 {
            break;
        }
    }
    assert!(all.len() == 23 && parts > 1, "{} positions in {parts} parts", all.len());
    // Nobody is blamed for the best move.
    let best = |ply: usize| &all[ply]["best_line"][0]["uci"];
    let followed: Vec<_> = (1..23).filter(|ply| *best(ply - 1) == played[ply - 1]["uci"]).collect();
    assert!(!followed.is_empty() && followed.iter().all(|ply| all[*ply]["mark"].is_null()));
    let beyond = get(&house, &format!("/api/games/{id}/evals?from=1000000")).await;
    assert_eq!(beyond["evals"], json!([]));
}

#[tokio::test]
async fn everybody_is_told_how_strong_the_computer_is() {
    let house = House::open().await;
    let levels = get(&house, "/api/info").await["levels"].clone();
    let levels = levels.as_array().unwrap();
    assert_eq!(levels.len(), 10);
    let rating = |level: &Value| level["rating"].as_u64().unwrap();
    assert!(levels.windows(2).all(|pair| rating(&pair[0]) < rating(&pair[1])), "{levels:?}");
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "computer", "difficulty": 3 })).await;
    let game = get(&house, &format!("/api/games/{}", created.id())).await;
    assert_eq!(game["black_rating"], levels[2]["rating"]);
    assert!(game["white_rating"].is_null());
    assert_eq!(created.fact("black"), format!("computer, level 3 (~{})", levels[2]["rating"]));
}
