//! Whole leagues, in every dialect.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Cup, ended, fixtures, join, kinds::ROOK, nobody_forfeits, operate};
use crate::{
    agents::{
        Agent, DIALECTS, Kind,
        strangers::{Sort, Stranger},
    },
    house::{House, until},
    players::{Player, Way},
};

#[tokio::test]
async fn every_dialect_plays_in_one_league_without_a_forfeit() {
    let house = House::open().await;
    // T2 and P2 have words for parity alone.
    let numbers: Vec<_> = DIALECTS.iter().copied().filter(|c| !["T2", "P2"].contains(c)).collect();
    for (game, protocol, codes) in
        [("even-odd", "league.v1", &numbers[..]), ("parity", "league.v2", DIALECTS)]
    {
        let cup = Cup::open(&house, game, &["--game", game]).await;
        let mut agents = Vec::new();
        for code in codes {
            let agent = Agent::start(Kind::Speaks(code)).await;
            agent.call_back_to(&house.url());
            let answer = agent.register_in(protocol, &house.url(), code, game).await.to_string();
            assert!(answer.contains("ACCEPTED"), "{code}: {answer}");
            agents.push(agent);
        }
        let handshaken = Stranger::start(Sort::Handshaken).await;
        let said = handshaken.register(&house.url(), "S1c", protocol, game).await;
        assert_eq!(said["league_id"], game, "it names no league, and joins the one that is open");
        cup.start(&house).await;
        let state = cup.finish(&house).await;
        nobody_forfeits(&state);
        assert!(state["result"].as_str().unwrap().contains(" the league with "), "{state}");
        // A single round may be lost without a forfeit.
        for found in state["rounds"].as_array().unwrap().iter().flat_map(fixtures) {
            let id = found["match_id"].as_str().unwrap();
            let page = house.page(&format!("/api/leagues/{}/matches/{id}/messages", cup.id));
            let told: Value = reqwest::get(page).await.unwrap().json().await.unwrap();
            for (player, told) in told["players"].as_object().unwrap() {
                // The program of seed 004 has a limit of its own, and is asked again later.
                let reasons = told["reason"].as_str().into_iter().flat_map(|all| all.split("; "));
                let lost = reasons.filter(|why| !why.ends_with("it asks us to slow down"));
                assert_eq!(lost.count(), 0, "{game} {id} {player}: {told}");
            }
        }
    }
}

/// Plays a whole league, and returns its matches as `agon league export` prints them.
async fn run(house: &House, args: &[&str]) -> Vec<Value> {
    operate(house, &[&["run"], args].concat()).await;
    let export = operate(house, &["export", "--format", "jsonl"]).await;
    export.lines().map(|line| serde_json::from_str(line).expect("a match")).collect()
}

fn game_of(found: &Value) -> &str {
    found["game"].as_str().expect("it was played")
}

#[tokio::test]
async fn the_same_seed_plays_the_same_league() {
    let house = House::open().await;
    for (game, setup, computers) in [
        ("even-odd", "{}", "1"),
        ("parity", "{}", "1"),
        ("leduc-poker", r#"{"hands": 3}"#, "1,3,5"),
        ("connect-four", "{}", "1,2,3"),
        ("chess", ROOK, "1,3,5"),
    ] {
        let args = ["--players", "3", "--seed", "1", "--double", "--game", game];
        let args = [&args[..], &["--setup", setup, "--computer", computers]].concat();
        // Where both move at once, either may be in first.
        let moves = |found: &Value| {
            let number = u32::from_str_radix(game_of(found), 16).expect("an id");
            let moves = "select seat || ' ' || move from turns";
            house.ask(&format!("{moves} where game = {number} order by seat, number"))
        };
        let first: Vec<_> = run(&house, &args).await.iter().map(moves).collect();
        let again: Vec<_> = run(&house, &args).await.iter().map(moves).collect();
        assert_eq!(first, again, "{game}");
    }
}

#[tokio::test]
async fn both_matches_of_a_pair_have_one_deal() {
    let house = House::open().await;
    for game in ["leduc-poker", "connect-four", "parity"] {
        let args = ["--players", "3", "--computer", "1", "--double", "--game", game];
        let mut deals: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for found in run(&house, &args).await {
            let mut pair = ["player_a", "player_b"].map(|name| found[name].to_string());
            pair.sort();
            let first = found["player_a"].to_string();
            deals.entry(pair).or_default().push((first, house.seed(game_of(&found))));
        }
        for pair in deals.values() {
            let [(first, deal), (then, again)] = &pair[..] else { panic!("{game}: {pair:?}") };
            assert_eq!(deal, again, "{game}: {pair:?}");
            assert_ne!(first, then, "{game}: seats are exchanged");
        }
        let all: BTreeSet<_> = deals.into_values().flatten().map(|(_, deal)| deal).collect();
        assert_eq!(all.len(), 6, "{game}: every pair has a deal of its own");
    }
}

#[tokio::test]
async fn the_seeds_of_matches_are_told_when_their_league_is_over() {
    let house = House::open().await;
    let args = ["--game", "leduc-poker", "--computer", "1,2", "--double"];
    let cup = Cup::open(&house, "cup", &args).await;
    let player = Player::new(&house, Way::Plain).await;
    join(&player, "Slow", "cup").await;
    cup.start(&house).await;
    until(async || ended(&house, &cup) > 0).await;
    let state = cup.state(&house).await;
    let mut all = state["rounds"].as_array().unwrap().iter().flat_map(fixtures);
    let game = game_of(all.find(|found| found["state"] == "done").expect("one is over"));
    let told = async || player.call("getGame", json!({ "game_id": game })).await.ok().facts;
    let before = told().await;
    assert!(before["seed"].is_null() && before["seed_hash"].is_string(), "{before}");
    operate(&house, &["end", "cup"]).await;
    let seed = house.seed(game).to_string();
    until(async || told().await["seed"] == *seed).await;
}
