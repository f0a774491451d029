//! Stories of `agon player`: it registers with a league, and answers whoever asks in whichever
//! way.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{Html, IntoResponse},
    routing::post,
};
use rmcp::service::ClientLifecycleMode;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::{house::AGON, players::Player};

/// `agon player`, as a process of its own.
pub struct Fellow {
    child: Child,
    pub url: String,
    said: mpsc::UnboundedReceiver<String>,
    http: reqwest::Client,
}

impl Fellow {
    /// With a league that is not there.
    pub async fn start(args: &[&str]) -> Fellow {
        Fellow::of("http://127.0.0.1:9/mcp", args).await
    }

    pub async fn of(manager: &str, args: &[&str]) -> Fellow {
        Fellow::named("Alpha", manager, args).await
    }

    pub async fn named(name: &str, manager: &str, args: &[&str]) -> Fellow {
        let mut child = Command::new(AGON)
            .args(["player", "--name", name, "--manager", manager])
            .args(args)
            .env("AGON_TOKEN", "of-our-own-server")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agon starts");
        let (tell, mut said) = mpsc::unbounded_channel();
        let stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
        let line = said.recv().await.expect("it says where it listens");
        let (_, url) = line.split_once(" listens on ").expect("it says so first");
        Fellow { child, url: url.to_owned(), said, http: reqwest::Client::new() }
    }

    /// Once it has its place in the league.
    pub async fn registered(mut self) -> Fellow {
        self.says(" is P").await;
        self
    }

    /// Waits for a line on stderr that holds `part`.
    pub async fn says(&mut self, part: &str) -> String {
        loop {
            let line = self.said.recv().await.unwrap_or_else(|| panic!("it never said {part:?}"));
            if line.contains(part) {
                return line;
            }
        }
    }

    async fn post(&self, body: &Value) -> (StatusCode, Value) {
        let answer = self.http.post(&self.url).json(body).send().await.expect("an answer");
        let status = answer.status();
        (status, answer.json().await.unwrap_or_default())
    }

    async fn call(&self, method: &str, params: Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let (status, answer) = self.post(&body).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["result"].clone()
    }

    async fn ends(&mut self) -> Option<i32> {
        while self.said.recv().await.is_some() {}
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Fellow {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A League Manager that gives these answers, one after the other, and remembers what it heard.
struct Manager {
    url: String,
    heard: Arc<Mutex<Vec<Value>>>,
}

type Script = Arc<Mutex<Vec<(u16, Value)>>>;

impl Manager {
    async fn with(mut answers: Vec<(u16, Value)>) -> Manager {
        answers.reverse();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let state = (Arc::new(Mutex::new(answers)), heard.clone());
        let router = Router::new().route("/mcp", post(Manager::answer)).with_state(state);
        tokio::spawn(async { axum::serve(listener, router).await });
        Manager { url, heard }
    }

    async fn answer(
        State((script, heard)): State<(Script, Arc<Mutex<Vec<Value>>>)>,
        headers: HeaderMap,
        Json(mut body): Json<Value>,
    ) -> (StatusCode, Json<Value>) {
        body["shown"] = headers.get("authorization").map(|shown| shown.to_str().unwrap()).into();
        heard.lock().unwrap().push(body.clone());
        let (status, mut answer) = script.lock().unwrap().pop().expect("it is not asked again");
        answer["jsonrpc"] = "2.0".into();
        answer["id"] = body["id"].clone();
        (StatusCode::from_u16(status).unwrap(), Json(answer))
    }
}

fn accepted() -> Value {
    json!({ "result": { "protocol": "league.v2", "message_type": "LEAGUE_REGISTER_RESPONSE",
        "status": "ACCEPTED", "player_id": "P07", "auth_token": "secret", "reason": null } })
}

fn move_request(round: u32) -> Value {
    json!({ "protocol": "league.v1", "message_type": "MOVE_REQUEST", "league_id": "l",
        "round_id": 1, "match_id": "R1M1", "conversation_id": "c-1", "sender": "referee",
        "timestamp": "2026-11-15T10:00:00Z", "game_round": round, "time_limit_seconds": 30,
        "game_state": { "your_role": "ODD", "scores": {}, "previous_rounds": [] } })
}

fn parity_call() -> Value {
    json!({ "protocol": "league.v2", "message_type": "CHOOSE_PARITY_CALL", "match_id": "R2M1",
        "conversation_id": "c-2", "sender": "referee:REF01", "player_id": "P07",
        "timestamp": "2026-11-15T10:00:00Z", "deadline": "2020-01-01T00:00:00Z",
        "game_type": "even_odd", "context": { "opponent_id": null } })
}

#[tokio::test]
async fn a_player_registers_again_and_again_until_it_is_accepted() {
    let fault = json!({ "error": { "code": -32603, "message": "the store is busy" } });
    let busy = json!({ "error": { "code": -32000, "message": "Rate limit exceeded" } });
    let manager =
        Manager::with(vec![(429, busy.clone()), (500, busy), (500, fault), (200, accepted())])
            .await;
    let mut fellow = Fellow::of(&manager.url, &["--dialect", "H2", "--league", "spring"]).await;
    fellow.says("player Alpha is P07").await;
    let heard = manager.heard.lock().unwrap().clone();
    assert!(heard.iter().all(|body| body["id"].is_i64()));
    let said = &heard[0]["params"];
    assert_eq!(said["player_meta"]["display_name"], "Alpha");
    assert_eq!(said["player_meta"]["contact_endpoint"], json!(fellow.url));
    assert_eq!(said["league_id"], "spring");
    assert_eq!(heard[0]["method"], "register_player");
    assert_eq!(heard[0]["params"]["protocol"], "league.v2");
}

#[tokio::test]
async fn a_player_finds_a_manager_that_was_not_there_yet() {
    // A proxy answers in its place until every dialect was tried. Then it takes tools alone.
    let is_there = Arc::new(AtomicBool::new(false));
    let answer = move |Json(body): Json<Value>| async move {
        let method = body["method"].as_str();
        if !is_there.load(Ordering::Relaxed) {
            is_there.store(method.is_none(), Ordering::Relaxed);
            return (StatusCode::BAD_GATEWAY, Html("<h1>Bad Gateway</h1>")).into_response();
        }
        let mut answer = match method {
            Some("tools/call") => {
                let text = accepted()["result"].to_string();
                json!({ "result": { "content": [{ "type": "text", "text": text }] } })
            }
            _ => json!({ "error": { "code": -32601, "message": "Method not found" } }),
        };
        answer["jsonrpc"] = "2.0".into();
        answer["id"] = body["id"].clone();
        Json(answer).into_response()
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let router = Router::new().route("/mcp", post(answer));
    tokio::spawn(async { axum::serve(listener, router).await });
    Fellow::of(&url, &[]).await.says("player Alpha is P07").await;
}

#[tokio::test]
async fn only_a_token_that_was_written_down_is_shown_to_the_manager() {
    let manager = Manager::with(vec![(200, accepted()), (200, accepted())]).await;
    for args in [&[][..], &["--token", "theirs"]] {
        Fellow::of(&manager.url, args).await.says("player Alpha is P07").await;
    }
    let heard = manager.heard.lock().unwrap();
    assert_eq!(heard[0]["shown"], Value::Null, "AGON_TOKEN is of this machine's own server");
    assert_eq!(heard[1]["shown"], "Bearer theirs");
}

#[tokio::test]
async fn a_player_that_is_rejected_says_why_and_ends() {
    let rejected = json!({ "result": { "status": "REJECTED", "reason": "the league has begun" } });
    let manager = Manager::with(vec![(200, rejected)]).await;
    let mut fellow = Fellow::of(&manager.url, &[]).await;
    fellow.says("the league has begun").await;
    assert_eq!(fellow.ends().await, Some(1));
    assert_eq!(manager.heard.lock().unwrap()[0]["method"], "LEAGUE_REGISTER_REQUEST");
}

#[tokio::test]
async fn a_question_in_any_shape_gets_the_same_answer_in_that_shape() {
    let fellow = Fellow::start(&["--strategy", "random", "--seed", "7"]).await;
    let number = |answer: &Value| answer["move"]["number"].clone();
    let first = fellow.call("MOVE_REQUEST", move_request(1)).await;
    assert!(first["move"]["number"].is_u64(), "{first}");
    assert_eq!(first["message_type"], "MOVE_RESPONSE");
    assert_eq!(first["conversation_id"], "c-1");
    assert_eq!(first["game_round"], 1);
    for method in ["move_request", "request_move", "MOVE_REQUEST", "whatever"] {
        assert_eq!(number(&fellow.call(method, move_request(1)).await), number(&first));
    }
    let wrapped = fellow.call("handle_message", json!({ "message": move_request(1) })).await;
    assert_eq!(number(&wrapped), number(&first));
    let simple = fellow.call("protocol/message", json!({ "message": move_request(1) })).await;
    assert_eq!(simple["move"], number(&first));
    assert_eq!(simple["success"], true);
    let tool = json!({ "name": "move_request", "arguments": move_request(1) });
    let tool = fellow.call("tools/call", tool).await;
    let text: Value = serde_json::from_str(tool["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(number(&text), number(&first));
    let split = json!({ "envelope": { "protocol": "league.v1", "message_type": "REQUEST_MOVE",
        "league_id": "l", "match_id": "R1M1" }, "payload": { "game_round": 1 } });
    let split = fellow.call("league.handle", split).await;
    assert_eq!(number(&split["payload"]), number(&first), "{split}");
    let (status, bare) = fellow.post(&move_request(1)).await;
    assert_eq!((status, number(&bare)), (StatusCode::OK, number(&first)));

    let choice = fellow.call("parity_choose", parity_call()).await;
    assert!(choice["parity_choice"] == "even" || choice["parity_choice"] == "odd", "{choice}");
    assert_eq!(choice["choice"], choice["parity_choice"]);
    assert_eq!(fellow.call("choose_parity", parity_call()).await["choice"], choice["choice"]);
}

#[tokio::test]
async fn a_player_survives_what_leagues_do() {
    let fellow = Fellow::start(&["--strategy", "frequency"]).await;
    let v2 = |kind: &str, mut own: Value| {
        own["protocol"] = "league.v2".into();
        own["message_type"] = kind.into();
        own
    };
    let invitation = v2(
        "GAME_INVITATION",
        json!({ "match_id": "R2M1", "opponent_id": "P02", "round_id": null }),
    );
    for (method, params) in [
        ("handle_game_invitation", invitation.clone()),
        ("handle_game_invitation", invitation),
        ("choose_parity", parity_call()),
        (
            "notify_match_result",
            json!({ "match_id": "R2M1", "game_result": {
            "status": "WIN", "winner_player_id": null, "drawn_number": 11,
            "player_choices": { "P01": "even", "P02": "odd" } } }),
        ),
        ("notify_match_result", json!({ "match_id": "R2M1" })),
        ("notify_match_result", json!({})),
        ("notify_round", v2("ROUND_ANNOUNCEMENT", json!({ "matches": null }))),
        (
            "update_standings",
            v2(
                "LEAGUE_STANDINGS_UPDATE",
                json!({
            "sender": "league_manager:LM01", "standings": [{ "games_played": 3 }] }),
            ),
        ),
        ("notify_game_error", v2("GAME_ERROR", json!({ "error_code": "E001", "match_id": null }))),
        ("LEAGUE_ERROR", json!({ "error_code": null })),
        ("MOVE_REQUEST", json!({ "match_id": null, "game_round": null, "game_state": null })),
        ("MOVE_REQUEST", json!({ "match_id": 5, "game_round": -1, "players": [null, 7] })),
        ("ROUND_RESULT", json!({ "match_id": "R1M1", "game_round": 1, "moves": { "P02": null } })),
        ("ROUND_RESULT", json!({ "match_id": "R1M1", "game_round": 1, "moves": ["P02"] })),
        ("GAME_END", json!({ "match_id": "R1M1", "winner": null })),
        ("notify_round_completed", v2("ROUND_COMPLETED", json!({ "next_round_id": null }))),
        ("notify_league_completed", v2("LEAGUE_COMPLETED", json!({ "champion": null }))),
    ] {
        let answer = fellow.call(method, params.clone()).await;
        assert!(answer["message_type"].is_string(), "{method} {params}: {answer}");
    }
    let state = fellow.call("tools/call", json!({ "name": "get_my_state" })).await;
    assert_eq!(state["structuredContent"]["record"]["played"], 2, "{state}");
    assert!(fellow.call("MOVE_REQUEST", move_request(2)).await["move"]["number"].is_u64());
}

#[tokio::test]
async fn what_is_no_message_is_refused_with_the_codes_of_the_protocol() {
    let fellow = Fellow::start(&[]).await;
    let rpc = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 5, "method": method, "params": params });
    let wrong = json!({ "protocol": "league.v9", "match_id": "R1M1" });
    let deep = (0..40).fold(json!(1), |inner, _| json!([inner]));
    for (body, status, code) in [
        (rpc("no_such_method", json!({})), 404, -32601),
        (rpc("register_player", json!({})), 404, -32601),
        (rpc("MOVE_REQUEST", wrong), 200, -32602),
        (rpc("MOVE_REQUEST", json!({ "protocol": 1 })), 200, -32602),
        (rpc("tools/call", json!({})), 200, -32602),
        (rpc("resources/read", json!({ "uri": "league://standings" })), 200, -32002),
        (json!([rpc("ping", json!({}))]), 400, -32600),
        (json!(5), 400, -32600),
        (json!({ "jsonrpc": "2.0", "id": 1 }), 200, -32602),
        (rpc("MOVE_REQUEST", json!({ "match_id": deep })), 400, -32600),
    ] {
        let (found, answer) = fellow.post(&body).await;
        assert_eq!(
            (found.as_u16(), &answer["error"]["code"]),
            (status, &json!(code)),
            "{body:.90}"
        );
    }
    let send = |body: String| fellow.http.post(&fellow.url).body(body).send();
    assert_eq!(send("{ this is".into()).await.unwrap().status(), 400);
    assert_eq!(send("[".repeat(300_000)).await.unwrap().status(), 413);
    let hello = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(fellow.post(&hello).await.0, 202);
    assert_eq!(fellow.http.get(&fellow.url).send().await.unwrap().status(), 405);
    let page = fellow.http.post(&fellow.url).header("origin", "https://evil.example");
    assert_eq!(page.json(&move_request(1)).send().await.unwrap().status(), 403);
    assert_eq!(fellow.call("ping", json!({})).await, json!({}));
}

#[tokio::test]
async fn a_model_decides_by_make_move() {
    let fellow = Fellow::start(&["--strategy", "mcp"]).await;
    let model = Player::over_http(&fellow.url, ClientLifecycleMode::Initialize).await;
    let Player::Mcp(client) = &model else { unreachable!() };
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["get_my_state", "make_move"]);
    model.call("make_move", json!({ "number": 3 })).await.no().says("No move is asked for now");

    for (method, question, plays) in
        [("MOVE_REQUEST", move_request(1), 4), ("choose_parity", parity_call(), 5)]
    {
        let decide = async {
            let wait = json!({ "wait_seconds": 25 });
            let state = model.call("get_my_state", wait).await.ok();
            assert_eq!(state.facts["moves_asked"][0]["match_id"], question["match_id"]);
            model.call("make_move", json!({ "number": 9 })).await.no().says("from 1 to 5");
            model.call("make_move", json!({ "number": plays })).await.ok()
        };
        // Asked twice at once, it waits for one decision.
        let (one, two, decided) = tokio::join!(
            fellow.call(method, question.clone()),
            fellow.call(method, question.clone()),
            decide
        );
        let played = if plays == 4 { &one["move"]["number"] } else { &one["parity_choice"] };
        assert_eq!(*played, decided.facts["move"]);
        assert_eq!(one["move"], two["move"]);
        assert_eq!(one["choice"], two["choice"]);
    }
    model.call("make_move", json!({ "number": 3 })).await.no();

    let mut hurried = move_request(2);
    hurried["time_limit_seconds"] = json!(0.1);
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "MOVE_REQUEST", "params": hurried });
    let (_, answer) = fellow.post(&body).await;
    assert_eq!(answer["error"]["message"], "nobody called make_move in time");
}

#[tokio::test]
async fn a_player_that_decides_by_itself_says_so() {
    let fellow = Fellow::start(&["--strategy", "always-3"]).await;
    let answer = fellow.call("MOVE_REQUEST", move_request(1)).await;
    assert_eq!(answer["move"]["number"], 3);
    let params = json!({ "name": "make_move", "arguments": { "number": 3 } });
    let answer = fellow.call("tools/call", params).await;
    assert_eq!(answer["isError"], true);
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("always-3"), "{answer}");
}

#[test]
fn a_strategy_or_dialect_nobody_knows_is_said() {
    let check = |args: &[&str], part: &str| {
        let output =
            Command::new(AGON).args(["player", "--name", "A"]).args(args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && stderr.contains(part), "{stderr}");
    };
    check(&["--strategy", "clever"], "choose random, always-3");
    check(&["--dialect", "X9"], "choose one of S1, S1c, L1");
    check(&["--manager", "file:///etc/passwd"], "only http and https are called");
}

#[tokio::test]
async fn a_player_that_is_started_again_shows_the_token_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let file = file.to_str().unwrap();
    let manager = Manager::with(vec![(200, accepted()), (200, accepted())]).await;
    for _ in 0..2 {
        let args = ["--dialect", "H2", "--token-file", file];
        Fellow::of(&manager.url, &args).await.says("player Alpha is P07").await;
    }
    let heard = manager.heard.lock().unwrap().clone();
    assert_eq!(heard[0]["params"]["auth_token"], Value::Null);
    assert_eq!(heard[1]["params"]["auth_token"], "secret");
}
