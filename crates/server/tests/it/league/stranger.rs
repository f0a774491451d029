//! An agent that knows no more of a game than it is told, and what becomes of it.

use std::sync::{Arc, Mutex};

use axum::{Json, Router, extract::State, routing::post};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{Cup, line};
use crate::house::House;

/// An agent that listens, remembers what it heard, and answers questions as it was told to.
pub struct Stranger {
    pub url: String,
    pub heard: Arc<Mutex<Vec<Value>>>,
    listening: JoinHandle<()>,
}

type Answers = fn(&Value) -> Value;

impl Stranger {
    pub async fn start(answers: Answers) -> Stranger {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let state = (heard.clone(), answers);
        let router = Router::new().route("/mcp", post(Stranger::answer)).with_state(state);
        let listening = tokio::spawn(async { axum::serve(listener, router).await.unwrap() });
        Stranger { url, heard, listening }
    }

    async fn answer(
        State((heard, answers)): State<(Arc<Mutex<Vec<Value>>>, Answers)>,
        Json(body): Json<Value>,
    ) -> Json<Value> {
        // Whoever was registered by the tool is called by tools.
        let params = &body["params"];
        let said = params.get("arguments").unwrap_or(params);
        heard.lock().unwrap().push(said.clone());
        let result = match said["message_type"].as_str() {
            Some("MOVE_REQUEST" | "GAME_MOVE_CALL") => answers(said),
            _ => json!({ "accept": true }),
        };
        Json(json!({ "jsonrpc": "2.0", "id": body["id"], "result": result }))
    }

    pub async fn register(&self, house: &House, name: &str, version: &str, game: &str) -> Value {
        let message = json!({ "protocol": version, "message_type": "LEAGUE_REGISTER_REQUEST",
            "league_id": game, "conversation_id": "c-1", "sender": format!("player:{name}"),
            "timestamp": "2026-11-15T10:00:00Z",
            "player_meta": { "display_name": name, "version": "1", "game_types": [game],
                "contact_endpoint": self.url } });
        super::post(house, &super::call("LEAGUE_REGISTER_REQUEST", message)).await.1
    }

    pub fn heard(&self, kind: &str) -> Vec<Value> {
        let all = self.heard.lock().unwrap();
        all.iter().filter(|said| said["message_type"] == kind).cloned().collect()
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

pub fn first_legal(said: &Value) -> Value {
    match said["protocol"] == "league.v1" {
        true => json!({ "move": { "text": said["game_state"]["legal_moves"][0] } }),
        false => json!({ "move_data": { "move": said["move_request"]["valid_options"][0] } }),
    }
}

/// Wrong first, and right when it is told so.
fn wrong_first(said: &Value) -> Value {
    match said["previous_error"].is_null() {
        true => json!({ "move": { "text": "99" } }),
        false => json!({ "move": said["game_state"]["legal_moves"][0] }),
    }
}

fn always_wrong(_: &Value) -> Value {
    json!({ "move_data": { "move": "99" } })
}

#[tokio::test]
async fn an_illegal_move_is_refused_with_what_would_be_legal() {
    let house = House::open().await;
    let cup = Cup::open(&house, "connect-four", &["--game", "connect-four"]).await;
    let (wrong, never) = (Stranger::start(wrong_first).await, Stranger::start(always_wrong).await);
    wrong.register(&house, "Wrong", "league.v1", "connect-four").await;
    let answer = never.register(&house, "Never", "league.v2", "connect-four").await;
    let id = answer["result"]["player_id"].as_str().expect("it is let in").to_owned();
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    // The one who does not learn has lost the match, after as many tries as anybody has.
    assert_eq!(line(&state, &id)["forfeits"], 1, "{state}");
    let told = wrong.heard("MOVE_REQUEST");
    let error = told[1]["previous_error"]["message"].as_str().expect("it is told why");
    assert!(error.contains("legal are 1, 2, 3, 4, 5, 6, 7"), "{error}");
    assert_eq!(told[0]["game_state"]["your_role"], "Red");
    assert!(told[0]["game_state"]["text"].as_str().unwrap().contains("Red to move"), "{told:?}");
    let calls = never.heard("GAME_MOVE_CALL");
    assert_eq!(calls.len(), 3, "{calls:?}");
    assert_eq!(calls[0]["move_request"]["move_type"], "connect-four");
    assert_eq!(never.heard("GAME_ERROR").len(), 2);
    assert_eq!(wrong.heard("ROUND_RESULT").len(), 0);
    let end = wrong.heard("GAME_END").pop().expect("it is told the end");
    assert_eq!(end["forfeited"], json!([id]), "{end}");
    assert_eq!(never.heard("GAME_OVER")[0]["game_result"]["status"], "TECHNICAL_LOSS");
}
