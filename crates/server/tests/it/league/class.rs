//! A class: thirty agents of eight kinds at one address. Every match ends, the honest get what they
//! earned, and why each failure was one is on its page.

use std::{process::Stdio, time::Duration};

use axum::{Router, http::StatusCode, response::Html, routing::post};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

use super::{Cup, fixtures, join, line, nobody_forfeits};
use crate::{
    agents::{
        Agent, Kind, Misdeed, Odd,
        strangers::{Sort, Stranger},
    },
    house::House,
    league_player::Fellow,
    players::{Player, Way},
};

/// The starter in Python, as a student would run it.
struct Starter(#[expect(dead_code, reason = "it is ended when dropped")] tokio::process::Child);

impl Starter {
    fn command(name: &str, manager: &str, league: &str) -> tokio::process::Command {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/player.py");
        let mut command = tokio::process::Command::new("python3");
        command.args([script, "--name", name, "--port", "0", "--manager", manager]);
        command.args(["--league", league]);
        command
    }

    async fn run(house: &House, name: &str, league: &str, args: &[&str]) -> Starter {
        let mut child = Starter::command(name, &house.url(), league)
            .args(args)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("python3 runs");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let first = lines.next_line().await.expect("it speaks").expect("until it is registered");
        assert!(first.starts_with("registered as P"), "{first}");
        // What it prints is read, so that it never waits for us.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Starter(child)
    }
}

#[tokio::test]
async fn the_starter_plays_any_game_in_either_protocol() {
    let house = House::open().await;
    for (game, setup) in [
        ("tic-tac-toe", "{}"),
        ("liars-dice", r#"{"seats": 2, "dice": 2}"#),
        ("matrix-game", r#"{"rounds": 2}"#),
        ("even-odd", "{}"),
    ] {
        // Only one of the protocols was made for even-odd.
        let second = if game == "even-odd" { "league.v1" } else { "league.v2" };
        let cup = Cup::open(&house, game, &["--game", game, "--setup", setup]).await;
        let mut starters = Vec::new();
        for (name, protocol) in [("one", "league.v1"), ("two", second)] {
            let args = ["--game", game, "--protocol", protocol];
            starters.push(Starter::run(&house, name, game, &args).await);
        }
        cup.start(&house).await;
        nobody_forfeits(&cup.finish(&house).await);
    }
}

#[tokio::test]
async fn a_starter_that_is_refused_says_why_and_ends() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let manager = format!("http://{}/mcp", listener.local_addr().unwrap());
    let page = (StatusCode::BAD_GATEWAY, Html("<h1>Bad Gateway</h1>"));
    let router = Router::new().route("/mcp", post(page));
    tokio::spawn(async { axum::serve(listener, router).await });
    let starter = Starter::command("one", &manager, "cup").output().await.expect("python3 runs");
    let said = String::from_utf8_lossy(&starter.stderr);
    assert_eq!(starter.status.code(), Some(1), "{said}");
    assert_eq!(said.trim(), format!("not registered: HTTP 502 from {manager}"));
}

#[tokio::test]
async fn a_class_of_thirty_plays_to_the_end() {
    use Misdeed::*;
    let house = House::open().await;
    let cup = Cup::open(&house, "class", &["--game", "parity", "--time-limit", "5"]).await;
    let manager = house.url();
    let mut fellows = Vec::new();
    for n in 0..4 {
        let args = ["--league", "class", "--dialect", "H2"];
        let mut fellow = Fellow::named(&format!("ours {n}"), &manager, &args).await;
        fellow.says(" is P").await;
        fellows.push(fellow);
    }
    let mut starters = Vec::new();
    for n in 0..2 {
        let (name, args) = (format!("starter {n}"), ["--protocol", "league.v2"]);
        starters.push(Starter::run(&house, &name, "class", &args).await);
    }
    let mut agents = Vec::new();
    let mut honest = Vec::new();
    let mut hostile = Vec::new();
    let sloppy = [Confused, Wavers, Slips("match_id"), Late(Duration::from_millis(100))];
    for (n, misdeed) in sloppy.into_iter().cycle().take(8).enumerate() {
        let agent = Agent::start(Kind::Does(misdeed)).await;
        honest.push(cup.seat(&house, &agent, &format!("sloppy {n}")).await);
        agents.push(agent);
    }
    for (n, misdeed) in [NoMove, Html, Huge, Closes, Plays(Odd::Ninety9), Silent].iter().enumerate()
    {
        let agent = Agent::start(Kind::Does(*misdeed)).await;
        hostile.push(cup.seat(&house, &agent, &format!("hostile {n}")).await);
        agents.push(agent);
    }
    let mut strangers = Vec::new();
    for (n, sort) in
        [Sort::Titled, Sort::MetaOnly, Sort::Waiting].iter().cycle().take(6).enumerate()
    {
        let stranger = Stranger::start(*sort).await;
        let name = format!("stranger {n}");
        let said = stranger.register(&manager, &name, "league.v2", "class").await;
        honest.push(said["player_id"].as_str().expect("it is let in").to_owned());
        // Two of them fall over at once, and come back without a token.
        strangers.push(if n < 2 { stranger.crash().await } else { stranger });
    }
    for (n, stranger) in strangers.iter().take(2).enumerate() {
        let name = format!("stranger {n}");
        let said = stranger.register(&manager, &name, "league.v2", "class").await;
        assert_eq!(said["auth_token"], Value::Null, "{said}");
    }
    let mut players = Vec::new();
    for n in 0..4 {
        let player = Player::new(&house, Way::Plain).await;
        let (token, id) = join(&player, &format!("tools {n}"), "class").await;
        honest.push(id);
        players.push((player, token));
    }
    assert_eq!(cup.state(&house).await["players"].as_array().unwrap().len(), 30);
    cup.start(&house).await;
    cup.play(&players).await;
    let state = cup.finish(&house).await;
    honest.extend((1..=6).map(|n| format!("P{n:02}")));
    for id in &honest {
        assert_eq!(line(&state, id)["forfeits"], 0, "{}", line(&state, id));
    }
    for id in &hostile {
        let line = line(&state, id);
        // One that was suspended before it has lost to it too.
        assert_eq!((&line["rounds_won"], &line["draws"]), (&json!(0), &json!(0)), "{line}");
        assert_eq!(line["forfeits"], line["losses"], "{line}");
    }
    let rounds = state["rounds"].as_array().unwrap().iter().flat_map(fixtures);
    for found in rounds.filter(|found| found["result"]["forfeits"] != json!([])) {
        let id = found["match_id"].as_str().unwrap();
        let page = house.page(&format!("/api/leagues/{}/matches/{id}/messages", cup.id));
        for forfeiter in found["result"]["forfeits"].as_array().unwrap() {
            let forfeiter = forfeiter.as_str().unwrap();
            let told: Value = reqwest::get(&page).await.unwrap().json().await.unwrap();
            let reason = told["players"][forfeiter]["reason"].as_str();
            assert!(reason.is_some_and(|why| why.len() > 10), "{id} {forfeiter}: {told}");
        }
    }
}
