//! Several nodes on one Postgres, and what becomes of games when nodes or Postgres fail.

use std::{
    env, fs,
    process::Command,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tokio::{sync::mpsc, task::JoinSet};

use crate::{
    cluster::Cluster,
    house::{House, found, pause, until},
    players::{Answer, Player},
    resuming::{Raw, call},
};

pub const GAMES: usize = 32;
/// Long enough that nodes die in the middle of every game, short enough to see the end.
pub const MOVES: u64 = 60;
/// So many nodes die meanwhile.
const KILLS: usize = 6;

/// Where the nodes are now; they come and go.
pub type Places = Arc<Mutex<Vec<String>>>;

pub fn places(house: &House) -> Places {
    Arc::new(Mutex::new(house.nodes().iter().map(|node| node.address.clone()).collect()))
}

/// A client who speaks to any node, and asks another one when that does not answer or says that it
/// cannot now.
#[derive(Clone)]
pub struct Rover {
    http: reqwest::Client,
    places: Places,
}

impl Rover {
    pub fn new(places: &Places) -> Rover {
        Rover { http: reqwest::Client::new(), places: places.clone() }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Answer {
        loop {
            let address = {
                let places = self.places.lock().expect("places");
                places[getrandom::u64().expect("chance") as usize % places.len()].clone()
            };
            let node =
                Player::Plain { http: self.http.clone(), url: format!("http://{address}/mcp") };
            match node.try_call(tool, arguments.clone()).await {
                Some(answer) if answer.refused && answer.text.contains("try again") => {}
                Some(answer) if answer.refused && answer.text.contains("not known") => {}
                Some(answer) => return answer.ok(),
                None => {}
            }
            pause().await;
        }
    }

    async fn play_to_the_end(self, pass: String, tell: mpsc::UnboundedSender<Answered>) {
        loop {
            let seen = self.call("waitForNextTurn", json!({ "game_id": pass })).await;
            if seen.facts["status"] == "over" {
                return;
            }
            if seen.facts["status"] != "your_turn" {
                continue;
            }
            let turn = seen.facts["turn"].as_u64().expect("a turn");
            if turn > MOVES {
                let resign = json!({ "game_id": pass, "action": "resign", "turn": turn });
                self.call("gameAction", resign).await;
                return;
            }
            let legal = seen.facts["legal_moves"].as_array().expect("legal moves");
            let mv = legal[turn as usize * 7 % legal.len()]["uci"].as_str().expect("a move");
            let play = json!({ "game_id": pass, "move": mv, "turn": turn });
            let played = self.call("finishTurn", play).await;
            assert_eq!(played.facts["turn"], turn + 1);
            tell.send((pass[..8].to_owned(), turn, mv.to_owned())).expect("it is written down");
        }
    }
}

/// A game, the number of a turn and the move that was answered.
type Answered = (String, u64, String);
/// Games by their ids, those who play them, and what they are answered.
type Games = (Vec<String>, JoinSet<()>, mpsc::UnboundedReceiver<Answered>);

/// Starts games in which both sides play on whatever happens.
pub async fn start_games(rover: &Rover, games: usize) -> Games {
    let (tell, told) = mpsc::unbounded_channel();
    let mut playing = JoinSet::new();
    let mut ids = Vec::new();
    for _ in 0..games {
        let created = rover.call("createGame", json!({ "type": "agent" })).await;
        let black = rover.call("joinGame", json!({ "game_id": created.id() })).await.pass();
        for pass in [created.pass(), black] {
            playing.spawn(rover.clone().play_to_the_end(pass, tell.clone()));
        }
        ids.push(created.id());
    }
    (ids, playing, told)
}

/// Plays to the end. Every answered turn is in the log, there are no gaps, and every game is over.
pub async fn check_games(
    house: &House,
    rover: &Rover,
    (ids, playing, mut told): Games,
    mut answered: Vec<Answered>,
) {
    while told.recv_many(&mut answered, 64).await > 0 {}
    playing.join_all().await;
    assert_eq!(answered.len(), ids.len() * MOVES as usize);
    for id in &ids {
        let log = house.turns(id);
        assert!(log.iter().zip(1..).all(|((number, _), at)| *number == at), "no gap: {log:?}");
        for (_, number, mv) in answered.iter().filter(|(game, _, _)| game == id) {
            assert_eq!(&log[*number as usize - 1].1, mv, "game {id}, turn {number}");
        }
        let seen = rover.call("getGame", json!({ "game_id": id })).await;
        assert_eq!(seen.facts["status"], "over");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_are_killed_and_nothing_is_lost() {
    let mut house = House::of_nodes(3, &[]).await;
    let places = places(&house);
    let rover = Rover::new(&places);
    let (ids, playing, mut told) = start_games(&rover, GAMES).await;
    let mut answered = Vec::new();
    // After so many answers a node is gone without a word, and another one comes.
    for victim in 0..KILLS {
        while answered.len() < (victim + 1) * GAMES * MOVES as usize / (KILLS + 1) {
            told.recv_many(&mut answered, 64).await;
        }
        let index = victim % 3;
        let gone = house.nodes()[index].address.clone();
        house.replace(index).await;
        let mut places = places.lock().expect("places");
        places.retain(|place| *place != gone);
        places.push(house.nodes()[index].address.clone());
    }
    check_games(&house, &rover, (ids, playing, told), answered).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_restarts_and_nothing_is_lost() {
    let house = House::on(Cluster::start(), 2).await;
    let rover = Rover::new(&places(&house));
    let (ids, playing, mut told) = start_games(&rover, 8).await;
    let mut answered = Vec::new();
    let health = || async { reqwest::get(house.page("/healthz")).await.unwrap() };
    for _ in 0..3 {
        told.recv_many(&mut answered, 20).await;
        house.cluster().stop();
        // The other node may have written something a moment ago, which counts.
        let down = found(async || Some(health().await).filter(|it| it.status() == 503)).await;
        let down: Value = down.json().await.unwrap();
        assert_eq!((&down["live"], &down["ready"]), (&json!(true), &json!(false)));
        assert!(reqwest::get(house.page("/healthz/live")).await.unwrap().status().is_success());
        house.cluster().go_on();
        until(async || health().await.status() == 200).await;
    }
    check_games(&house, &rover, (ids, playing, told), answered).await;
}

#[tokio::test]
async fn while_postgres_is_gone_calls_say_so_and_nothing_is_half_played() {
    let house = House::on(Cluster::start(), 2).await;
    let [one, two] = [0, 1].map(|n| house.player(n));
    let pass = one.create(json!({ "type": "agent" })).await.pass();
    two.see(&pass).await.ok();
    let here = json!({ "conversationId": "behind" });
    two.call("get_current_room", here.clone()).await.ok();
    house.cluster().stop();
    // A node does not refuse by what it remembers: it may have missed something.
    for (tool, what) in [("talk_to_npc", "npcId"), ("inspect_item", "itemId")] {
        let mut ask = here.clone();
        ask[what] = "npc-001".into();
        two.call(tool, ask).await.no().says("nothing has changed, try again");
    }
    let (played, seen) = tokio::join!(one.play(&pass, "e2e4"), two.see(&pass));
    played.no().says("try again");
    // What is in memory can be looked at; it does not pretend to have heard of the move.
    assert!(seen.refused || seen.facts["history"] == json!([]), "{}", seen.text);
    house.cluster().go_on();
    until(async || {
        let played = two.play(&pass, "e2e4").await;
        !played.refused || !played.says("try again").refused
    })
    .await;
    assert_eq!(house.turns(&pass[..8]), [(1, "e2e4".to_owned())]);
    one.see(&pass).await.ok().says("1. e4");
}

#[tokio::test]
async fn a_wait_ends_though_nobody_tells_of_the_move() {
    let house = House::of_nodes(2, &[]).await;
    let [one, two] = [0, 1].map(|n| house.player(n));
    let white = one.create(json!({ "type": "agent" })).await.pass();
    let black = two.join(&white[..8]).await.ok().pass();
    let _deaf = house.deafen();
    for pair in [["e2e4", "e7e5"], ["g1f3", "b8c6"]] {
        let (waited, _) = tokio::join!(two.wait(&black), one.play(&white, pair[0]));
        waited.ok().says("It is your turn.");
        let (waited, _) = tokio::join!(one.wait(&white), two.play(&black, pair[1]));
        waited.ok().says("It is your turn.");
    }
}

#[tokio::test]
async fn a_wait_is_cancelled_at_another_node() {
    let one = House::of_nodes(1, &["--wait-seconds", "30"]).await;
    let two = one.beside().await;
    let pass = one.player(0).create(json!({ "type": "agent", "color": "black" })).await.pass();
    // Both call their waits the same, each in its own session.
    let (client, other) = (Raw::connect(&one).await, Raw::connect(&one).await);
    let wait = call("w1", "waitForNextTurn", json!({ "game_id": pass }));
    let (waiting, _goes_on) = (client.post(&one, &wait).await, other.post(&one, &wait).await);
    until(async || one.figure("agon_waiters", "").await == 2.).await;
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": "w1" } });
    client.post(&two, &cancel).await;
    let answer = waiting.text().await.unwrap();
    assert!(answer.contains("Cancelled; nothing has changed."), "{answer}");
    // One that goes on to its own end ends well.
    let ended = async |how| one.figure("agon_calls_total", how).await;
    assert_eq!(ended("tool=\"waitForNextTurn\",outcome=\"refused\"").await, 1.);
    assert_eq!(ended("tool=\"waitForNextTurn\",outcome=\"ok\"").await, 0.);
    assert_eq!(one.figure("agon_waiters", "").await, 1.);
}

#[tokio::test]
async fn when_the_node_that_thinks_dies_another_plays_its_move() {
    let mut house = House::of_nodes(2, &[]).await;
    let two = house.player(1);
    let mut passes = Vec::new();
    for _ in 0..4 {
        // Several, so that some are still being thought about.
        let one = house.player(0);
        let game = json!({ "type": "computer", "difficulty": 10, "color": "black" });
        passes.push(one.create(game).await.pass());
    }
    house.kill_node(0);
    for pass in passes {
        two.wait_for_turn(&pass).await.ok().says("It is your turn.");
        assert_eq!(house.turns(&pass[..8]).len(), 1, "it was played once");
    }
}

#[tokio::test]
async fn a_node_tells_what_it_does_in_figures() {
    let house = House::of_nodes(2, &["--node", "north"]).await;
    let one = house.player(0);
    let created = one.create(json!({ "type": "agent" })).await;
    one.play(&created.pass(), "e2e4").await.ok();
    one.play(&created.pass(), "e2e5").await.no();
    let metrics = reqwest::get(format!("http://{}/metrics", house.nodes()[0].address)).await;
    let metrics = metrics.unwrap().text().await.unwrap();
    for line in [
        "agon_calls_total{node=\"north\",tool=\"createGame\",outcome=\"ok\"} 1",
        "agon_calls_total{node=\"north\",tool=\"finishTurn\",outcome=\"ok\"} 1",
        "agon_calls_total{node=\"north\",tool=\"finishTurn\",outcome=\"refused\"} 1",
        "agon_call_seconds_count{node=\"north\",tool=\"finishTurn\"} 2",
        "agon_games{node=\"north\"} 1",
        "agon_store_seconds_count{node=\"north\",op=\"write\"}",
    ] {
        assert!(metrics.contains(line), "{line} is not in\n{metrics}");
    }
}

#[tokio::test]
async fn games_move_from_a_file_to_postgres_and_are_played_on_with_the_same_passes() {
    let mut house = House::in_a_file().await;
    let here = house.player(0);
    let white = here.create(json!({ "type": "agent" })).await.pass();
    let black = here.join(&white[..8]).await.ok().pass();
    here.play(&white, "e2e4").await.ok();
    assert!(house.stop().success());
    let cluster = Cluster::database();
    let (from, to) = (house.store(), cluster.address().replace("agon@", "agon:s3cret@"));
    let copy = || house.neighbour().args(["store", "copy", &from, &to]).output().unwrap();
    let said = String::from_utf8(copy().stderr).unwrap();
    assert!(said.contains("1 games copied"), "{said}");
    assert!(!said.contains("s3cret"), "{said}");
    let again = copy();
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(!again.status.success() && said.contains("choose an empty store"), "{said}");
    assert!(!said.contains("s3cret"), "{said}");
    let moved = House::on(cluster, 1).await;
    let there = moved.player(0);
    there.play(&black, "e7e5").await.ok().says("1. e4 e5");
}

/// Otherwise a story that is renamed would no longer be run on three nodes, and nobody would notice.
#[test]
fn every_story_that_is_named_for_three_nodes_exists() {
    let all = Command::new(env::current_exe().unwrap()).arg("--list").output().unwrap();
    let all = String::from_utf8(all.stdout).unwrap();
    let named = fs::read_to_string("../../.config/nextest.toml").unwrap();
    let named: Vec<_> = named.lines().filter_map(|line| line.split_once("test(/^")).collect();
    assert!(named.len() > 50, "{named:?}");
    for (_, name) in named {
        let name = name.trim_end_matches("/)");
        assert!(all.lines().any(|story| story.starts_with(name)), "there is no {name}");
    }
}
