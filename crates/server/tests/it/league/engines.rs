//! Engines that play in a league under their own names: good ones, and bad ones.

use serde_json::json;

use super::{Cup, ended, fixtures, line, nobody_forfeits, operate, try_operate};
use crate::{
    engines::{pids, rude, wait_for_end},
    house::{House, until},
};

/// A rook against none, and eight half-moves until it is a draw.
const ROOK: &str = r#"{"fen":"4k3/8/8/8/8/8/8/R3K3 w - - 142 90"}"#;
/// A league against the computer in which a busy machine costs nobody a match.
const PATIENTLY: [&str; 8] =
    ["--game", "chess", "--setup", ROOK, "--computer", "1", "--time-limit", "300"];

#[tokio::test]
async fn engines_play_under_their_own_names() {
    let house = House::open().await;
    let engines = ["--engine", "stockfish", "--engine", "Fairy=/usr/games/fairy-stockfish"];
    let args = [&PATIENTLY[..], &engines].concat();
    let cup = Cup::open(&house, "engines", &args).await;
    // The same again changes nothing.
    let again = Cup::open(&house, "engines", &args).await;
    assert_eq!(again.id, cup.id);
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    nobody_forfeits(&state);
    assert_eq!(state["matches"]["all"], 3);
    let mut names: Vec<_> = state["players"].as_array().unwrap().iter().collect();
    names.sort_by_key(|player| player["player_id"].to_string());
    let names: Vec<_> = names.iter().map(|player| (&player["name"], &player["dialect"])).collect();
    assert_eq!(names[1], (&json!("stockfish"), &json!("uci")));
    assert_eq!(names[2], (&json!("Fairy"), &json!("uci")));
    // What starts it is the owner's own business.
    assert!(!state.to_string().contains("/usr/games"), "{state}");
    for found in state["rounds"].as_array().unwrap().iter().flat_map(fixtures) {
        house.verifies(found["game"].as_str().expect("it was played"));
    }
}

#[tokio::test]
async fn a_league_of_engines_goes_on_after_kill_9() {
    let mut house = House::open().await;
    let engines = ["--engine", "One=stockfish", "--engine", "Two=stockfish"];
    let args = [&PATIENTLY[..], &engines].concat();
    let cup = Cup::open(&house, "killed", &args).await;
    cup.start(&house).await;
    until(async || ended(&house, &cup) > 0).await;
    house.crash_and_restart().await;
    nobody_forfeits(&cup.finish(&house).await);
}

#[tokio::test]
async fn an_engine_that_does_not_play_loses_by_its_time() {
    let house = House::open().await;
    for (deed, why) in [
        ("exit 3", "it has ended"),
        (":", "it does not answer"),
        ("echo bestmove banana", "bestmove banana"),
        ("echo bestmove e1e8", "e1e8, which is not legal"),
    ] {
        let (folder, engine) = rude(deed);
        let name = format!("cup-{}", why.len());
        let args = ["--game", "chess", "--computer", "1", "--time-limit", "1", "--engine", &engine];
        let cup = Cup::open(&house, &name, &args).await;
        cup.start(&house).await;
        let state = cup.finish(&house).await;
        assert_eq!(line(&state, "P02")["forfeits"], 1, "{deed}: {state}");
        let game = fixtures(&state["rounds"][0])[0]["game"].as_str().unwrap();
        assert_eq!(house.turns(game).pop().expect("it was played").1, "(out of time)");
        let log = operate(&house, &["log", "R1M1", &name]).await;
        assert!(log.contains("no move within 1 s") && log.contains(why), "{deed}: {log}");
        assert!(!pids(&folder).is_empty(), "{deed}: it was started");
        pids(&folder).into_iter().for_each(wait_for_end);
    }
}

#[tokio::test]
async fn an_engine_that_cannot_play_is_refused_at_once() {
    let house = House::open().await;
    let create = |game: &'static str, engines: &'static [&'static str]| {
        let engines = engines.iter().flat_map(|engine| ["--engine", engine]);
        let args: Vec<_> = ["create", "cup", "--game", game].into_iter().chain(engines).collect();
        let house = &house;
        async move { try_operate(house, &args).await.expect_err("it is refused") }
    };
    let said = create("chess", &["no-such-engine"]).await;
    for part in ["no-such-engine", "apt-get install", "--engine"] {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
    let said = create("chess", &["stockfish", "/usr/games/stockfish"]).await;
    assert!(said.contains("NAME=COMMAND"), "{said}");
    let said = create("connect-four", &["stockfish"]).await;
    assert!(said.contains("--computer"), "{said}");
    let said = try_operate(&house, &["status"]).await.expect_err("nothing was opened");
    assert!(said.contains("no league has been opened"), "{said}");
}
