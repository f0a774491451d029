//! `kill -9` at any moment.

use std::time::Duration;

use super::{Cup, ended, events, nobody_forfeits, operate};
use crate::{
    agents::{Agent, Kind, Misdeed},
    delver::Luck,
    house::{House, until},
};

/// A league that everybody meets twice in, with players slow enough for it to be in the middle of
/// something.
async fn league(house: &House, players: &[&str]) -> (Cup, Vec<Agent>) {
    let cup = Cup::open(house, "unlucky", &["--double"]).await;
    let mut agents = Vec::new();
    for name in players {
        let slow = Misdeed::Late(Duration::from_millis(40));
        let agent = Agent::start(Kind::Does(slow)).await;
        cup.seat(house, &agent, name).await;
        agents.push(agent);
    }
    cup.start(house).await;
    (cup, agents)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_league_goes_on_after_every_crash() {
    let mut house = House::open().await;
    let (cup, _agents) = league(&house, &["a", "b", "c", "d", "e"]).await;
    let mut luck = Luck(5);
    for over in [1, 4, 8, 13] {
        until(async || ended(&house, &cup) >= over).await;
        for _ in 0..luck.below(4) {
            ended(&house, &cup);
        }
        house.crash_and_restart().await;
    }
    let state = cup.finish(&house).await;
    assert_eq!(state["matches"]["all"], 20);
    nobody_forfeits(&state);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_process_takes_over_from_one_that_died() {
    let mut leader = House::open().await;
    let (cup, _agents) = league(&leader, &["a", "b", "c"]).await;
    let other = leader.beside().await;
    until(async || ended(&leader, &cup) >= 2).await;
    leader.kill();
    nobody_forfeits(&cup.finish(&other).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_that_another_process_began_last_is_played() {
    let house = House::open().await;
    let (cup, _agents) = league(&house, &["a", "b", "c"]).await;
    operate(&house, &["stop", "unlucky"]).await;
    until(async || ended(&house, &cup) == events(&house, &cup, "begin")).await;
    let next = ended(&house, &cup) + 1;
    // As a process does that has not noticed yet that it no longer leads the league.
    house.ask(&format!(
        "insert into turns (game, number, seat, move, at)
         select game, max(number) + 1, max(seat),
            '{{\"begin\":{{\"match\":\"R{next}M1\",\"game\":\"00000001\"}}}}', max(at)
         from turns where game = {} group by game returning 'done'",
        u32::from_str_radix(&cup.id, 16).expect("an id"),
    ));
    operate(&house, &["start", "unlucky"]).await;
    nobody_forfeits(&cup.finish(&house).await);
}
