//! Whole leagues, in every dialect.

use super::{Cup, nobody_forfeits, operate};
use crate::{
    agents::{Agent, Kind},
    house::House,
    league_player::Fellow,
};

#[tokio::test]
async fn agents_register_in_three_ways_and_play_a_league_to_its_end() {
    let house = House::open().await;
    let cup = Cup::open(&house, "spring", &[]).await;
    let mut agents = Vec::new();
    for (code, name) in [("S1", "by message"), ("L1", "by tool"), ("B1", "by bare body")] {
        let agent = Agent::start(Kind::Speaks(code)).await;
        let answer = agent.register(&house.url(), name, "spring").await.to_string();
        assert!(answer.contains("ACCEPTED"), "{answer}");
        agents.push(agent);
    }
    let mut fellows = Vec::new();
    for name in ["Alpha", "Beta"] {
        let mut fellow = Fellow::named(name, &house.url(), &["--league", "spring"]).await;
        fellow.says(&format!("player {name} is P0")).await;
        fellows.push(fellow);
    }
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    assert_eq!(state["matches"]["all"], 10);
    nobody_forfeits(&state);
    // Won by one, or shared.
    assert!(state["result"].as_str().unwrap().contains(" the league with "), "{state}");
    assert!(operate(&house, &["status"]).await.contains("5 players, 10 of 10 matches over"));
    assert!(operate(&house, &["standings", "spring"]).await.contains("by bare body"));
    assert!(operate(&house, &["schedule"]).await.contains("R1M1 P0"));
}

#[tokio::test]
async fn every_dialect_plays_a_whole_league() {
    let house = House::open().await;
    for (name, game, codes) in [
        ("first", "even-odd", &["S1", "S1c", "L1", "B1"][..]),
        ("second", "parity", &["H2", "M2", "T2", "W2", "P2", "C2", "Q2", "E2"][..]),
    ] {
        let cup = Cup::open(&house, name, &["--game", game]).await;
        let mut agents = Vec::new();
        for code in codes {
            let agent = Agent::start(Kind::Speaks(code)).await;
            agent.call_back_to(&house.url());
            let answer = agent.register(&house.url(), code, name).await.to_string();
            assert!(answer.contains("ACCEPTED"), "{code}: {answer}");
            agents.push(agent);
        }
        cup.start(&house).await;
        nobody_forfeits(&cup.finish(&house).await);
    }
}

#[tokio::test]
async fn the_same_seed_plays_the_same_league() {
    let house = House::open().await;
    for game in ["even-odd", "parity"] {
        let args = ["run", "--players", "6", "--seed", "1", "--game", game];
        let table = operate(&house, &args).await;
        assert_eq!(table.lines().count(), 7, "{table}");
        assert_eq!(operate(&house, &args).await, table);
    }
}
