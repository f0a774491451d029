//! Leagues of games that the protocols were not made for: chess, connect four, poker.

use serde_json::{Value, json};

use super::{
    Cup, ended, fixtures, join, line, nobody_forfeits, operate,
    stranger::{Stranger, first_legal},
    try_operate,
};
use crate::{
    delver::Luck,
    house::{House, pause, until},
    league_player::Fellow,
    players::{Player, Way},
};

/// A rook against none, and twenty half-moves until it is a draw.
pub const ROOK: &str = r#"{"fen":"4k3/8/8/8/8/8/8/R3K3 w - - 130 90"}"#;

/// Plays any legal move by tools until the league is over, also while the server is gone for a while:
/// now by the league's own tool, now by that of every game.
async fn play_by_any_tool(player: Player, token: String, league: String, mut luck: Luck) {
    loop {
        let ask = json!({ "auth_token": token, "league_id": league });
        let Some(told) = player.try_call("wait_for_decision", ask).await else {
            pause().await;
            continue;
        };
        let told = told.facts;
        match told["status"].as_str() {
            Some("league_over") => return,
            Some("your_move") => {}
            _ => continue,
        }
        let moves = told["legal_moves"].as_array().expect("moves").clone();
        // A range begins with a move: of `fours x 2..5`, the first is `fours x 2`.
        let mv = luck.pick(&moves).and_then(Value::as_str).expect("there is one");
        let mv = mv.split("..").next().expect("it begins");
        let by_pass = luck.below(2) == 0;
        let (tool, ask) = match by_pass {
            true => (
                "finishTurn",
                json!({ "game_id": told["game_id"], "move": mv, "turn": told["game_round"] }),
            ),
            false => (
                "submit_move",
                json!({ "auth_token": token, "league_id": league, "match_id": told["match_id"],
                    "game_round": told["game_round"], "choice": mv }),
            ),
        };
        player.try_call(tool, ask).await;
    }
}

async fn listening(house: &House, name: &str, game: &str, league: &str) -> Fellow {
    let args = ["--game", game, "--league", league];
    Fellow::named(name, &house.url(), &args).await.registered().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chess_league_of_four_goes_on_after_kill_9_and_ends_with_its_table() {
    let mut house = House::open().await;
    let args = ["--game", "chess", "--setup", ROOK, "--computer", "3", "--double"];
    let cup = Cup::open(&house, "masters", &args).await;
    let _agent = listening(&house, "Agent", "chess", "masters").await;
    let mut playing = Vec::new();
    for (name, luck) in [("Ann", 3), ("Bob", 4)] {
        let player = Player::new(&house, Way::Plain).await;
        let (token, _) = join(&player, name, "masters").await;
        let play = play_by_any_tool(player, token, "masters".into(), Luck(luck));
        playing.push(tokio::spawn(play));
    }
    cup.start(&house).await;
    for over in [1, 5] {
        until(async || ended(&house, &cup) >= over).await;
        house.crash_and_restart().await;
    }
    let state = cup.finish(&house).await;
    assert_eq!(state["matches"], json!({ "all": 12, "over": 12 }));
    assert_eq!((&state["game"], &state["title"]), (&json!("chess"), &json!("Chess")));
    nobody_forfeits(&state);
    for found in state["rounds"].as_array().unwrap().iter().flat_map(fixtures) {
        let game = found["game"].as_str().expect("it was played");
        house.verifies(game);
        let page: Value = reqwest::get(house.page(&format!("/api/games/{game}")))
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        assert_eq!(page["status"], "over", "{page}");
    }
    for task in playing {
        task.await.expect("it was told that the league is over");
    }
}

/// What makes a game of this kind a short one.
fn short(game: &str) -> &'static str {
    match game {
        "breakthrough" => r#"{"columns": 3, "rows": 4}"#,
        "chess" => ROOK,
        "gomoku" => r#"{"columns": 5, "rows": 5}"#,
        "hex" => r#"{"size": 5}"#,
        "kuhn-poker" | "leduc-poker" => r#"{"hands": 3}"#,
        "liars-dice" => r#"{"seats": 2, "dice": 2}"#,
        "matrix-game" => r#"{"rounds": 3}"#,
        _ if rules::kind(game).is_ok_and(|kind| kind.seats.len() > 2) => r#"{"seats": 2}"#,
        _ => "{}",
    }
}

/// Those that the protocols were not made for, and that two can play.
fn for_two() -> impl Iterator<Item = &'static str> {
    let two = rules::KINDS.iter().filter(|kind| {
        let fewest = kind.card.map(|card| card.fewest);
        kind.seats.len() >= 2 && fewest.is_some_and(|fewest| fewest <= 2)
    });
    two.map(|kind| kind.name).filter(|name| !["even-odd", "parity"].contains(name))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_game_of_two_is_played_in_leagues_by_agents_of_all_sorts_and_the_computer() {
    let house = House::open().await;
    for game in for_two() {
        let args = ["--game", game, "--setup", short(game), "--computer", "1"];
        let cup = Cup::open(&house, game, &args).await;
        let _one = listening(&house, "One", game, game).await;
        let _two = Fellow::named(
            "Two",
            &house.url(),
            &["--game", game, "--league", game, "--dialect", "H2"],
        )
        .await
        .registered()
        .await;
        let mut playing = Vec::new();
        for (way, luck) in [(Way::Legacy, 5), (Way::Modern, 6)] {
            let player = Player::new(&house, way).await;
            let (token, _) = join(&player, &format!("{way:?}"), game).await;
            let play = play_by_any_tool(player, token, game.to_owned(), Luck(luck));
            playing.push(tokio::spawn(play));
        }
        cup.start(&house).await;
        let state = cup.finish(&house).await;
        assert_eq!((&state["game"], &state["matches"]["all"]), (&json!(game), &json!(10)));
        nobody_forfeits(&state);
        house.verifies(fixtures(&state["rounds"][0])[0]["game"].as_str().expect("it was played"));
        for task in playing {
            task.await.expect("it was told that the league is over");
        }
    }
}

#[tokio::test]
async fn a_match_that_is_resigned_is_lost_and_no_forfeit() {
    let house = House::open().await;
    for game in ["othello", "matrix-game"] {
        let cup = Cup::open(&house, game, &["--game", game]).await;
        let agent = Stranger::start(first_legal).await;
        agent.register(&house, "Patient", "league.v1", game).await;
        let player = Player::new(&house, Way::Plain).await;
        let (token, id) = join(&player, "Ann", game).await;
        cup.start(&house).await;
        let told = super::decision(&player, &token, game).await;
        let pass = told["game_id"].as_str().expect("a pass");
        player.act(pass, "resign").await.ok().says("You have resigned");
        let state = cup.finish(&house).await;
        nobody_forfeits(&state);
        let own = line(&state, &id);
        assert_eq!((&own["losses"], &own["points"]), (&json!(1), &json!(0)), "{game}: {own}");
        let found = &fixtures(&state["rounds"][0])[0];
        assert_eq!(found["match_points"], json!([3, 0]), "{found}");
        house.verifies(found["game"].as_str().unwrap());
        let told = player.call("get_game_state", json!({ "match_id": "R1M1", "league_id": game }));
        let told = told.await.ok().facts;
        assert!(told["ended"].as_str().unwrap().ends_with("wins by resignation"), "{told}");
        let end = agent.heard("GAME_END").pop().expect("it is told the end");
        assert_eq!((&end["winner"], &end["forfeited"]), (&json!("P01"), &json!([])), "{end}");
        assert!(end["result"].as_str().unwrap().ends_with("by resignation"), "{end}");
    }
}

#[tokio::test]
async fn an_agent_that_is_registered_by_the_tool_plays_what_the_named_league_plays() {
    let house = House::open().await;
    for (game, way) in [("chess", Way::Legacy), ("hex", Way::Modern), ("nim", Way::Plain)] {
        let cup = Cup::open(&house, game, &["--game", game, "--setup", short(game)]).await;
        let clerk = Player::new(&house, way).await;
        let mut agents = Vec::new();
        for name in ["One", "Two"] {
            let agent = Stranger::start(first_legal).await;
            let ask = json!({ "player_name": name, "endpoint": agent.url, "league_id": game });
            clerk.call("register_player", ask).await.ok();
            agents.push(agent);
        }
        cup.start(&house).await;
        nobody_forfeits(&cup.finish(&house).await);
    }
    // Who names no league plays what the protocol was made for.
    Cup::open(&house, "again", &["--game", "chess"]).await;
    let clerk = Player::new(&house, Way::Modern).await;
    let agent = Stranger::start(first_legal).await;
    let ask = json!({ "player_name": "Seed", "endpoint": agent.url });
    let joined = clerk.call("register_player", ask).await.ok();
    assert_ne!(joined.fact("league_id"), "again");
}

#[tokio::test]
async fn whoever_does_not_list_the_game_is_told_which_it_is() {
    let house = House::open().await;
    Cup::open(&house, "chess", &["--game", "chess"]).await;
    let agent = Stranger::start(first_legal).await;
    let message = super::registration("Alpha", &agent.url);
    let mut message = super::call("LEAGUE_REGISTER_REQUEST", message);
    message["params"]["league_id"] = "chess".into();
    let answer = super::post(&house, &message).await.1;
    assert_eq!(answer["error"]["data"]["field"], "player_meta.game_types", "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("\"chess\""), "{answer}");
    let said = try_operate(&house, &["create", "cup", "--game", "dungeon"]).await;
    assert!(said.is_err_and(|why| why.contains("connect-four")));
}

#[tokio::test]
async fn a_league_of_games_for_four_is_refused_for_a_match_is_for_two() {
    let house = House::open().await;
    let create = ["create", "cup", "--game", "liars-dice", "--setup"];
    let said = try_operate(&house, &[&create[..], &[r#"{"seats": 4}"#]].concat()).await;
    assert!(said.is_err_and(|why| why.contains("a match is for two, and this set-up for 4")));
    // For two it is a game like others.
    operate(&house, &[&create[..], &[r#"{"seats": 2, "dice": 3}"#]].concat()).await;
}

#[tokio::test]
async fn whoever_falls_silent_loses_by_time() {
    let house = House::open().await;
    let args = ["--game", "connect-four", "--computer", "1", "--time-limit", "1"];
    let cup = Cup::open(&house, "silence", &args).await;
    let player = Player::new(&house, Way::Plain).await;
    let (_, id) = join(&player, "Sleeper", "silence").await;
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    assert_eq!(line(&state, &id)["forfeits"], 1, "{state}");
    let found = &fixtures(&state["rounds"][0])[0];
    let game = found["game"].as_str().unwrap();
    let (_, last) = house.turns(game).pop().expect("it was played");
    assert_eq!(last, "(out of time)");
    house.verifies(game);
    let told = player.call("get_game_state", json!({ "match_id": "R1M1" })).await.ok().facts;
    assert!(told["ended"].as_str().unwrap().ends_with("wins on time"), "{told}");
}

#[tokio::test]
async fn the_pass_of_a_match_is_its_players_own() {
    let house = House::open().await;
    let args = ["--game", "connect-four", "--computer", "1"];
    let cup = Cup::open(&house, "passes", &args).await;
    let player = Player::new(&house, Way::Plain).await;
    let (token, _) = join(&player, "Ann", "passes").await;
    cup.start(&house).await;
    let told = super::decision(&player, &token, "passes").await;
    let pass = told["game_id"].as_str().expect("a pass").to_owned();
    let ask = json!({ "auth_token": token, "league_id": "passes" });
    let waited = player.call("wait_for_decision", ask).await.ok().says("submit_move(");
    let round = &told["game_round"];
    waited.says(&format!("finishTurn(game_id=\"{pass}\", move, turn={round})"));
    // A new chat on this machine may go on with a game that an agent plays alone, but not with this.
    let listed = player.call("listGames", json!({})).await.ok();
    assert!(!listed.facts.to_string().contains(&pass), "{}", listed.text);
    assert!(listed.facts.to_string().contains(&pass[..8]), "it is seen: {}", listed.text);
    let wrong = json!({ "auth_token": token, "league_id": "passes", "match_id": "R1M1",
        "choice": "9" });
    player.call("submit_move", wrong).await.no().says("legal are 1, 2, 3");
    // The numbers of even-odd say nothing of this game.
    let number = json!({ "player_id": "P02", "move": 3, "league_id": "passes" });
    player.call("validate_move", number).await.no().says("plays connect-four");
    let late = json!({ "game_id": pass, "move": "(out of time)" });
    player.call("finishTurn", late).await.no();
    player.call("finishTurn", json!({ "game_id": pass, "move": "4" })).await.ok();
}
