//! What a seat is answered, in the same fields and the same words in every game.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{agent, at, played, turn, two};
use crate::{house::House, players::Answer};

/// What the tools behind a door say that they answer.
struct Schemas(HashMap<String, jsonschema::Validator>);

impl Schemas {
    async fn of(house: &House, path: &str) -> Schemas {
        let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let answer = reqwest::Client::new().post(house.page(path)).json(&list).send().await;
        let answer: Value = answer.expect("an answer").json().await.expect("JSON");
        let tools = answer["result"]["tools"].as_array().expect("tools").iter();
        let schema = |tool: &Value| {
            let name = tool["name"].as_str().expect("a name").to_owned();
            let schema = &tool["outputSchema"];
            assert!(schema.is_object(), "{name} at {path} says nothing of its answers");
            (name, jsonschema::validator_for(schema).expect("a schema"))
        };
        Schemas(tools.map(schema).collect())
    }

    #[track_caller]
    fn hold(&self, tool: &str, answer: &Answer) {
        if answer.facts.is_null() {
            assert!(answer.refused, "{tool} has answered with no facts");
            return;
        }
        let wrong: Vec<_> = self.0[tool].iter_errors(&answer.facts).collect();
        let wrong: Vec<_> =
            wrong.iter().map(|it| format!("{}: {it}", it.instance_path())).collect();
        assert!(wrong.is_empty(), "{tool}: {wrong:?} in {}", answer.facts);
    }
}

/// Plays a little of a game of that kind and holds every answer against its schema.
async fn every_answer_fits(house: &House, path: &str, kind: &str) {
    let schemas = Schemas::of(house, path).await;
    let player = at(house, path);
    let ask = async |tool: &'static str, ask: Value| {
        let answer = player.call(tool, ask).await;
        schemas.hold(tool, &answer);
        answer
    };
    ask("gameRules", json!({ "game": kind })).await.ok();
    ask("gameRules", json!({})).await.ok();
    let mut now = ask("createGame", json!({ "game": kind, "difficulty": 1 })).await.ok();
    let pass = now.pass();
    ask("joinGame", json!({ "game_id": pass })).await.ok();
    ask("listGames", json!({})).await.ok();
    ask("finishTurn", json!({ "game_id": pass, "move": "no move" })).await.no();
    ask("gameAction", json!({ "game_id": pass, "action": "newLink" })).await.no();
    // A game that is long is looked at in its middle, and ended where that can be done.
    for _ in 0..40 {
        let seen = ask("getGame", json!({ "game_id": pass })).await.ok();
        ask("getGame", json!({ "game_id": now.id() })).await.ok();
        let first = seen.facts["legal_moves"][0].clone();
        let first = first["uci"].as_str().or(first.as_str());
        // Of a range of numbers the first.
        let first = first.and_then(|offer| offer.split("..").next()).map(str::to_owned);
        now = match (seen.fact("status").as_str(), first) {
            ("over", _) => break,
            ("your_turn", Some(mv)) => {
                let turn = &seen.facts["turn"];
                let mv = json!({ "game_id": pass, "move": mv, "turn": turn, "wait": true });
                ask("finishTurn", mv).await.ok()
            }
            _ => ask("waitForNextTurn", json!({ "game_id": pass })).await.ok(),
        };
    }
}

#[tokio::test]
async fn every_answer_is_what_its_tool_says_it_is() {
    let house = House::open().await;
    for kind in played() {
        for path in ["/mcp".to_owned(), format!("/{kind}/mcp")] {
            every_answer_fits(&house, &path, kind).await;
        }
    }
}

#[tokio::test]
async fn what_others_played_in_a_round_is_told_whoever_was_in_first() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let ask = json!({ "type": "agent", "game": "matrix-game", "setup": { "rounds": 3 } });
    let (_, a, b) = two(&agent, ask).await;
    turn(&agent, &a, "cooperate", 1).await.ok();
    let second = turn(&agent, &b, "defect", 2).await.ok();
    let first = json!([{ "turn": 1, "by": "Player 1", "move": "cooperate" }]);
    assert_eq!(second.facts["since"], first, "{}", second.text);
    let told = agent.call("waitForNextTurn", json!({ "game_id": a })).await.ok();
    let other = json!([{ "turn": 2, "by": "Player 2", "move": "defect" }]);
    assert_eq!(told.facts["since"], other);
    // The round before is over and told.
    let sealed = turn(&agent, &b, "defect", 3).await.ok();
    assert_eq!(sealed.facts["since"], json!([]));
}

#[tokio::test]
async fn whoever_has_moved_is_told_so_and_whoever_comes_too_late_too() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let ask = json!({ "type": "agent", "game": "matrix-game", "setup": { "rounds": 1 } });
    let (id, a, b) = two(&agent, ask).await;
    let sealed = turn(&agent, &a, "defect", 1).await.ok().says("Sealed: defect. 1 of 2 are in");
    assert!(!sealed.text.contains("Player 1, Player 2 to move"), "{}", sealed.text);
    for who in [&id, &b] {
        let seen = agent.see(who).await.ok().says("Player 2 to move.");
        assert!(!seen.text.contains("Player 1, Player 2"), "{}", seen.text);
    }
    for number in [1, 2, 4] {
        let refused = turn(&agent, &a, "cooperate", number).await.no();
        assert!(!refused.text.contains("send turn="), "{}", refused.text);
        refused.says("Your move is in").says("waitForNextTurn").says("Nothing was played");
    }
    turn(&agent, &b, "defect", 2).await.ok().says("The game is over");
    for number in [1, 3, 7] {
        let refused = turn(&agent, &a, "cooperate", number).await.no().says("The game is over");
        assert!(!refused.text.contains("send turn="), "{}", refused.text);
    }
    // In chess too.
    let (_, white, black) = two(&agent, json!({ "type": "agent" })).await;
    agent.act(&white, "resign").await.ok();
    turn(&agent, &black, "e7e5", 9).await.no().says("The game is over");
}

#[tokio::test]
async fn what_was_played_is_told_and_so_is_ones_own_pass() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let (id, x, o) = two(&agent, json!({ "type": "agent", "game": "tic-tac-toe" })).await;
    for (number, pass, mv) in [(1, &x, "b2"), (2, &o, "a1"), (3, &x, "c3")] {
        let moved = turn(&agent, pass, mv, number).await.ok();
        assert_eq!(moved.pass(), **pass);
    }
    let seen = agent.see(&id).await.ok().says("**History**: X b2, O a1, X c3");
    assert!(seen.facts["pass"].is_null());
    let history = json!([
        { "turn": 1, "by": "X", "move": "b2" },
        { "turn": 2, "by": "O", "move": "a1" },
        { "turn": 3, "by": "X", "move": "c3" },
    ]);
    assert_eq!(seen.facts["history"], history);
    let refused = turn(&agent, &x, "b2", 3).await.no();
    assert_eq!(refused.pass(), x);
    // A long game is told from where it is read.
    let rounds = json!({ "type": "agent", "game": "matrix-game", "setup": { "rounds": 80 } });
    let (id, a, b) = two(&agent, rounds).await;
    for round in 0..80 {
        turn(&agent, &a, "cooperate", 2 * round + 1).await.ok();
        turn(&agent, &b, "defect", 2 * round + 2).await.ok();
    }
    let seen = agent.see(&id).await.ok();
    let history = seen.facts["history"].as_array().expect("a history");
    assert_eq!((history.len(), &history[99]["turn"]), (100, &json!(160)));
    assert!(seen.text.len() < 4000, "{}", seen.text);
}

/// Whether an answer to a seat has what every one has, in whatever game.
#[track_caller]
fn is_for_a_seat(answer: &Answer, pass: &str, kind: &str) {
    let told = ["game_id", "game", "status", "you", "turn", "since", "next_action"];
    for field in told {
        assert!(!answer.facts[field].is_null(), "{kind}: no {field} in {}", answer.facts);
    }
    assert_eq!((answer.fact("pass").as_str(), answer.fact("game").as_str()), (pass, kind));
    let view = if kind == "chess" { "fen" } else { "view" };
    assert!(!answer.facts[view].is_null(), "{kind}: no {view} in {}", answer.facts);
    assert!(answer.facts["legal_moves"].is_array(), "{kind}: {}", answer.facts);
    let is_over = answer.fact("status") == "over";
    let ended = ["result", "points"].map(|field| !answer.facts[field].is_null());
    assert_eq!(ended, [is_over; 2], "{kind}: {}", answer.facts);
}

#[tokio::test]
async fn every_answer_to_a_seat_has_the_same_fields_in_every_game() {
    let house = House::open().await;
    let agent = agent(&house).await;
    for kind in played() {
        let created = agent.create(json!({ "type": "agent", "game": kind })).await.ok();
        let joined = agent.join(&created.id()).await.ok();
        let (first, second) = (created.pass(), joined.pass());
        let offered = &created.facts["legal_moves"][0];
        let mv = offered["uci"].as_str().or(offered.as_str()).expect("a move");
        let mv = mv.split("..").next().expect("the first of a range");
        let refused = agent.play(&first, "no move").await.no();
        let moved = agent.play(&first, mv).await.ok();
        let waited = agent.wait(&second).await.ok();
        let again = agent.join(&first).await.ok();
        let acted = agent.act(&first, "resign").await;
        let seen = agent.see(&first).await.ok();
        for answer in [created, refused, moved, again, acted, seen] {
            is_for_a_seat(&answer, &first, kind);
        }
        let seen = agent.see(&second).await.ok();
        for answer in [joined, waited, seen] {
            is_for_a_seat(&answer, &second, kind);
        }
        let watched = agent.see(&first[..8]).await.ok();
        let told = (&watched.facts["pass"], &watched.facts["you"]);
        assert_eq!(told, (&Value::Null, &Value::Null), "{kind}");
        assert!(!watched.facts.to_string().contains(&first), "{kind}: {}", watched.facts);
    }
}

#[tokio::test]
async fn chess_tells_what_the_other_did_since_ones_own_last_turn() {
    let house = House::open().await;
    let agent = agent(&house).await;
    let (id, white, black) = two(&agent, json!({ "type": "agent" })).await;
    let did = |turn: u32, by: &str, mv: &str| json!({ "turn": turn, "by": by, "move": mv });
    let moved = agent.play(&white, "e4").await.ok();
    assert_eq!(moved.facts["since"], json!([]));
    let opened = json!([did(1, "white", "e2e4")]);
    assert_eq!(agent.wait(&black).await.ok().facts["since"], opened);
    assert_eq!(agent.see(&black).await.ok().facts["since"], opened);
    assert!(agent.see(&id).await.ok().facts["since"].is_null(), "nothing is new to who watches");
    agent.play(&black, "e5").await.ok();
    agent.act(&black, "takeback").await.ok();
    let asked = json!([did(2, "black", "e7e5"), did(3, "black", "takeback")]);
    assert_eq!(agent.wait(&white).await.ok().facts["since"], asked);
    agent.act(&white, "takeback").await.ok();
    let granted = json!([did(4, "white", "takeback")]);
    assert_eq!(agent.see(&black).await.ok().facts["since"], granted);
    // The same call is told the same, whatever has happened since.
    agent.play(&black, "c5").await.ok();
    assert_eq!(turn(&agent, &white, "e4", 1).await.ok().facts["since"], json!([]));
    // Whoever wants the FEN alone is told what is new, and of nothing no word.
    let lean = json!({ "type": "agent", "board": "fen" });
    let (_, white, black) = two(&agent, lean).await;
    assert!(agent.play(&white, "e4").await.ok().facts["since"].is_null());
    agent.play(&black, "e5").await.ok();
    let replied = json!([did(2, "black", "e7e5")]);
    assert_eq!(agent.wait(&white).await.ok().facts["since"], replied);
}
