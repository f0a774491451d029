//! The computer among others: what its thinking costs everybody else, and how soon it stops.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::task::{JoinHandle, JoinSet};

use crate::{
    clients::{Client, Server, Way},
    samples::{Table, quantile, quantiles},
};

const GAMES: usize = 32;
const LONG: Duration = Duration::from_secs(20);

/// `getGame` while nobody thinks, and while everybody does.
pub async fn thinking(table: &mut Table) {
    let server = Server::start();
    let watcher = Client::new(&server, Way::Plain).await;
    let [white, _] = watcher.both_seats().await;
    watcher.call("finishTurn", json!({ "game_id": white, "move": "e2e4" })).await;
    let game = json!({ "game_id": &white.as_str().expect("a pass")[..8] });

    let mut alone = watch(&watcher, &game, |_| false).await;
    let before = server.resident_kib() / 1024;
    let playing = play_many(&server).await;
    let mut among = watch(&watcher, &game, |started| started.elapsed() < LONG).await;
    let with = server.resident_kib() / 1024;
    let mut moves = Vec::new();
    for player in playing {
        moves.push(player.await.expect("it plays"));
    }
    moves.sort_unstable();

    let thinkers = std::thread::available_parallelism().map_or(1, usize::from).max(2) - 1;
    let name = format!("the computer, {thinkers} thinking");
    table.row(&name, "getGame while nobody plays, p50 and p99", quantiles(&mut alone));
    let load = format!("getGame while {GAMES} games against level 10 are played, p50 and p99");
    table.row(&name, &load, quantiles(&mut among));
    let ratio = |q| quantile(&among, q).as_secs_f64() / quantile(&alone, q).as_secs_f64();
    let ratios = format!("{:.2}, {:.2}", ratio(0.5), ratio(0.99));
    table.row(&name, "with / without them, p50 and p99", ratios);
    let rate = moves.iter().sum::<usize>() as f64 / LONG.as_secs_f64();
    let (least, most) = (moves[0], moves[GAMES - 1]);
    let value = format!("{rate:.1}/s; from {least} to {most} in a game");
    table.row(&name, &format!("moves of level 10 in {GAMES} games at once"), value);
    table.row(&name, "memory before and with them", format!("{before} MiB, {with} MiB"));
}

/// Looks at a game a few thousand times, or for as long as it is said to.
async fn watch(client: &Client, game: &Value, on: impl Fn(Instant) -> bool) -> Vec<Duration> {
    let started = Instant::now();
    let mut times = Vec::new();
    while times.len() < 3000 || on(started) {
        let asked = Instant::now();
        let answer = client.call("getGame", game.clone()).await;
        assert_eq!(answer["isError"], false, "{answer}");
        times.push(asked.elapsed());
        // As fast as can be would be a load of its own.
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    times
}

/// Players against level 10, each with the number of answers it gets in time.
async fn play_many(server: &Server) -> Vec<JoinHandle<usize>> {
    let mut playing = Vec::new();
    let until = Instant::now() + LONG;
    for _ in 0..GAMES {
        let player = Client::new(server, Way::Plain).await;
        playing.push(tokio::spawn(async move {
            let mut answers = 0;
            let mut pass = Value::Null;
            while Instant::now() < until {
                if pass.is_null() {
                    let game = json!({ "type": "computer", "difficulty": 10, "board": "letters" });
                    pass = facts(player.call("createGame", game).await)["pass"].take();
                }
                let turn = facts(player.call("waitForNextTurn", json!({ "game_id": pass })).await);
                let count = turn["history"].as_array().map_or(0, Vec::len);
                answers += usize::from(count > 0 && Instant::now() < until);
                match turn["legal_moves"].as_array().filter(|legal| !legal.is_empty()) {
                    Some(legal) => {
                        let mv = &legal[count * 7 % legal.len()]["uci"];
                        player.call("finishTurn", json!({ "game_id": pass, "move": mv })).await;
                    }
                    None => pass = Value::Null,
                }
            }
            answers
        }));
    }
    playing
}

fn facts(mut answer: Value) -> Value {
    answer["structuredContent"].take()
}

/// With one thinker: how soon it is free for another game when its own is resigned.
pub async fn stopping(table: &mut Table) {
    for (name, more) in [("agon", &[] as &[&str]), ("stockfish", &["--engine", "stockfish"])] {
        let server = Server::with(&[more, &["--thinkers", "1"]].concat());
        let client = Arc::new(Client::new(&server, Way::Plain).await);
        let (mut alone, mut behind) = (Vec::new(), Vec::new());
        for _ in 0..100 {
            let quick = new_game(&client, 1).await;
            let asked = Instant::now();
            play(&client, &quick).await;
            client.call("waitForNextTurn", json!({ "game_id": quick })).await;
            alone.push(asked.elapsed());

            let (long, quick) = (new_game(&client, 10).await, new_game(&client, 1).await);
            play(&client, &long).await;
            play(&client, &quick).await;
            let mut waiting = JoinSet::new();
            let waiter = client.clone();
            waiting.spawn(async move {
                waiter.call("waitForNextTurn", json!({ "game_id": quick })).await;
                Instant::now()
            });
            let asked = Instant::now();
            client.call("gameAction", json!({ "game_id": long, "action": "resign" })).await;
            let answered = waiting.join_next().await.expect("it waits").expect("it is answered");
            behind.push(answered.duration_since(asked));
        }
        let name = format!("a thought that is stopped, {name}");
        let quiet = "from finishTurn to level 1's answer, nobody thinking, p50 and p99";
        table.row(&name, quiet, quantiles(&mut alone));
        let busy = "from the resignation of a game level 10 thinks about to that, p50 and p99";
        table.row(&name, busy, quantiles(&mut behind));
    }
}

async fn new_game(client: &Client, level: u8) -> Value {
    let game = json!({ "type": "computer", "difficulty": level, "board": "fen" });
    facts(client.call("createGame", game).await)["pass"].take()
}

async fn play(client: &Client, pass: &Value) {
    let answer = client.call("finishTurn", json!({ "game_id": pass, "move": "e2e4" })).await;
    assert_eq!(answer["isError"], false, "{answer}");
}
