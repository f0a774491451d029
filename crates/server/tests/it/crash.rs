//! `kill -9` in the middle of everything.

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use crate::{
    house::House,
    players::{Player, Way},
};

const GAMES: usize = 32;
const CRASHES: usize = 4;

/// The number of a turn and the move that was answered.
type Answered = (usize, u64, String);

/// Plays on until the server dies. Every answered move is written down.
async fn play_on(
    player: Player,
    (game, pass, white): (usize, String, bool),
    (tell, dead): (UnboundedSender<Answered>, CancellationToken),
) {
    loop {
        let waited = tokio::select! {
            waited = player.try_call("waitForNextTurn", json!({ "game_id": pass })) => waited,
            // A wait that was cut off is taken up again when there is a server, and waits for one.
            () = dead.cancelled() => return,
        };
        let Some(turn) = waited else { return };
        if turn.facts["status"] != "your_turn" {
            continue;
        }
        let legal = turn.facts["legal_moves"].as_array().expect("legal moves").clone();
        let index = turn.facts["turn"].as_u64().expect("a turn") as usize * 7 % legal.len();
        let mv = legal[if white { index } else { legal.len() - 1 - index }]["uci"].clone();
        let played = json!({ "game_id": pass, "move": mv });
        match player.try_call("finishTurn", played).await {
            Some(answer) => {
                let number = answer.ok().facts["turn"].as_u64().expect("a turn") - 1;
                let mv = mv.as_str().expect("a move").to_owned();
                tell.send((game, number, mv)).expect("somebody writes it down");
            }
            None => return,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answered_move_is_lost() {
    let mut house = House::open().await;
    let host = Player::new(&house, Way::Plain).await;
    let mut games = Vec::new();
    for _ in 0..GAMES {
        let created = host.create(json!({ "type": "agent" })).await;
        let black = host.join(&created.id()).await.ok().pass();
        games.push((created.id(), created.pass(), black));
    }
    let mut answered: Vec<Answered> = Vec::new();
    for _ in 0..CRASHES {
        let (tell, mut told) = unbounded_channel();
        let dead = CancellationToken::new();
        let mut playing = tokio::task::JoinSet::new();
        for (n, (_, white, black)) in games.iter().enumerate() {
            for (pass, is_white) in [(white, true), (black, false)] {
                let player = Player::new(&house, [Way::Plain, Way::Modern][n % 2]).await;
                let seat = (n, pass.clone(), is_white);
                playing.spawn(play_on(player, seat, (tell.clone(), dead.clone())));
            }
        }
        drop(tell);
        // Until play is in full swing.
        told.recv_many(&mut answered, 1).await;
        let enough = answered.len() + 20 * GAMES;
        while answered.len() < enough && told.recv_many(&mut answered, 64).await > 0 {}
        house.kill();
        dead.cancel();
        playing.join_all().await;
        while told.recv_many(&mut answered, 64).await > 0 {}

        house.restart().await;
        let logs: Vec<_> = games.iter().map(|(id, _, _)| house.turns(id)).collect();
        for log in &logs {
            assert!(log.iter().zip(1..).all(|((number, _), at)| *number == at), "no gap: {log:?}");
        }
        for (game, number, mv) in &answered {
            assert_eq!(&logs[*game][*number as usize - 1].1, mv, "game {game}, turn {number}");
        }
        let host = Player::new(&house, Way::Plain).await;
        for ((id, _, _), log) in games.iter().zip(&logs) {
            assert_eq!(host.see(id).await.ok().facts["turn"], log.len() + 1);
        }
    }
}

#[tokio::test]
async fn clients_go_on_after_a_restart() {
    for way in [Way::Legacy, Way::Modern, Way::Plain] {
        let mut house = House::open().await;
        let (white, black) = (Player::new(&house, way).await, Player::new(&house, way).await);
        let created = white.create(json!({ "type": "agent" })).await;
        let (id, w) = (created.id(), created.pass());
        let b = black.join(&id).await.ok().pass();
        white.play(&w, "e2e4").await.ok();
        house.crash_and_restart().await;
        black.wait_for_turn(&b).await.says("It is your turn.").says("1. e4");
        // A session is still the one that joined.
        let handle = if way == Way::Legacy { &id } else { &b };
        black.play(handle, "e7e5").await.ok();
        white.wait_for_turn(&w).await.says("1. e4 e5");
    }
}

/// What a client asks at once, while the new process has yet to read its session.
#[tokio::test]
async fn calls_that_come_at_once_after_a_restart_are_all_answered() {
    let mut house = House::open().await;
    let (http, url) = (reqwest::Client::new(), house.url());
    let post = |body: Value| {
        let request = http.post(&url).json(&body);
        request.header("accept", "application/json, text/event-stream")
    };
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "hasty", "version": "1" } } });
    let welcome = post(hello).send().await.expect("an answer");
    let session = welcome.headers()["mcp-session-id"].to_str().expect("an id").to_owned();
    for _ in 0..3 {
        house.crash_and_restart().await;
        let ask = async |id| {
            let ping = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
            let answer = post(ping).header("mcp-session-id", &session).send().await;
            let answer = answer.expect("an answer");
            answer.text().await.expect("text").contains("result")
        };
        let answers = futures_util::future::join_all((0..20).map(ask)).await;
        assert_eq!(answers, [true; 20]);
    }
}
