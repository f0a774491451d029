//! Players of a league for the benchmarks: each listens on a port of its own, takes as long as it
//! is told to, and says what it hears.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{Json, Router, extract::State, routing::post};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc, task::JoinSet};

use crate::clients::Server;

/// What a player was sent, and when.
pub struct News {
    pub what: String,
    pub match_id: String,
    /// The ids of both, where a match begins.
    pub players: Vec<String>,
    pub at: Instant,
}

pub struct Rivals {
    urls: Vec<String>,
    pub news: mpsc::UnboundedReceiver<News>,
    /// They stop listening when this is dropped.
    _listening: JoinSet<()>,
}

struct Rival {
    number: u64,
    thinks: Duration,
    tell: mpsc::UnboundedSender<News>,
}

impl Rivals {
    pub async fn listen(players: usize, thinks: impl Fn(usize) -> Duration) -> Rivals {
        let (tell, news) = mpsc::unbounded_channel();
        let (mut urls, mut listening) = (Vec::new(), JoinSet::new());
        for player in 0..players {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            urls.push(format!("http://{}/mcp", listener.local_addr().expect("an address")));
            let (thinks, tell) = (thinks(player), tell.clone());
            let rival = Arc::new(Rival { number: player as u64, thinks, tell });
            let router = Router::new().route("/mcp", post(answer)).with_state(rival);
            listening.spawn(async { axum::serve(listener, router).await.expect("it listens") });
        }
        Rivals { urls, news, _listening: listening }
    }

    /// Registers everybody for a league, in order, and starts it.
    pub async fn enter(&self, server: &Server, args: &[&str]) {
        server.operate(&[&["create", "cup"], args].concat());
        let http = reqwest::Client::new();
        for (number, url) in self.urls.iter().enumerate() {
            let name = format!("Player {}", number + 1);
            let registration = json!({
                "protocol": "league.v1", "message_type": "LEAGUE_REGISTER_REQUEST",
                "league_id": "cup", "conversation_id": name, "sender": format!("player:{name}"),
                "timestamp": "2026-11-15T10:00:00Z",
                "player_meta": { "display_name": name, "version": "1",
                    "game_types": ["even_odd"], "contact_endpoint": url },
            });
            let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "LEAGUE_REGISTER_REQUEST",
                "params": registration });
            let answer = http.post(&server.url).json(&call).send().await.expect("an answer");
            let answer: Value = answer.json().await.expect("JSON");
            assert_eq!(answer["result"]["status"], "ACCEPTED", "{answer}");
        }
        server.operate(&["start", "cup"]);
    }

    /// When the next move is asked for.
    pub async fn is_asked(&mut self) -> Instant {
        loop {
            let news = self.news.recv().await.expect("news come");
            if news.what == "MOVE_REQUEST" {
                return news.at;
            }
        }
    }
}

async fn answer(State(rival): State<Arc<Rival>>, Json(body): Json<Value>) -> Json<Value> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let message = &body["params"];
    let what = text(&body["method"]);
    let players = message["players"].as_array().into_iter().flatten();
    let players = players.map(|player| text(&player["player_id"])).collect();
    let asks = what == "MOVE_REQUEST";
    // Nobody listens any more once enough was heard.
    let match_id = text(&message["match_id"]);
    let _ = rival.tell.send(News { what, match_id, players, at: Instant::now() });
    let round = message["game_round"].as_u64().unwrap_or(0);
    let result = if asks {
        tokio::time::sleep(rival.thinks).await;
        json!({ "move": { "number": (rival.number + round) % 5 + 1 }, "game_round": round,
                "match_id": message["match_id"] })
    } else {
        json!({ "status": "ok" })
    };
    Json(json!({ "jsonrpc": "2.0", "id": body["id"], "result": result }))
}
