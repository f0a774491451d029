//! What is wrong is refused with what would be right, and nothing is lost.

use serde_json::{Value, json};

use crate::{
    house::House,
    players::{Player, Way},
};

#[tokio::test]
async fn a_move_goes_with_no_action_but_a_claim() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Legacy).await;
    let pass = agent.create(json!({ "type": "agent" })).await.pass();
    for action in ["resign", "offerDraw", "acceptDraw", "declineDraw", "takeback", "newLink"] {
        let stray = json!({ "game_id": pass, "action": action, "move": "e4" });
        let refused = agent.call("gameAction", stray).await.no();
        refused.says("Not possible: move goes with claimDraw only").says("finishTurn");
    }
    assert_eq!(agent.see(&pass).await.facts["turn"], 1);
}

/// Posts `body` and gives the status, the JSON-RPC error code and the message.
async fn post(
    house: &House,
    body: impl Into<reqwest::Body>,
    headers: &[(&str, &str)],
) -> (u16, i64, String) {
    let mut request = reqwest::Client::new().post(house.url()).body(body);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.expect("an answer");
    let status = response.status().as_u16();
    let body: Value = response.json().await.expect("the answer is JSON");
    let error = &body["error"];
    (
        status,
        error["code"].as_i64().unwrap_or(0),
        error["message"].as_str().unwrap_or("").to_owned(),
    )
}

#[tokio::test]
async fn what_is_no_message_gets_a_json_rpc_error() {
    let house = House::open().await;
    let mcp = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2025-06-18"),
    ];
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{}{}}}}}"#,
        "[".repeat(200),
        "]".repeat(200)
    );
    for headers in [&[] as &[_], &mcp] {
        for (body, status, code) in [
            ("<html></html>", 400, -32700),
            ("[]", 400, -32600),
            // Half a character, and more depth than is read.
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\ud800"}}"#, 400, -32700),
            (deep.as_str(), 400, -32700),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}"#, 400, -32602),
        ] {
            let (found, found_code, why) = post(&house, body.to_owned(), headers).await;
            assert_eq!((found, found_code), (status, code), "{body}: {why}");
            assert!(!why.is_empty());
        }
        let huge = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(5 << 20));
        let (status, code, why) = post(&house, huge, headers).await;
        assert_eq!((status, code), (413, -32600), "{why}");
    }
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
    assert_eq!(post(&house, hello, &mcp).await.1, -32602);
}

#[tokio::test]
async fn pages_that_do_not_exist_say_so() {
    let house = House::open().await;
    for page in ["/api/games/00000000", "/api/games/chess", "/assets/none.js", "/no/where"] {
        assert_eq!(reqwest::get(house.page(page)).await.unwrap().status(), 404, "{page}");
    }
}

#[tokio::test]
async fn what_the_pages_ask_for_in_vain_is_refused_in_one_form() {
    let house = House::open().await;
    let http = reqwest::Client::new();
    let game = "/api/games/00000000";
    for (method, path, body, status) in [
        ("GET", "/api/games?before=x".into(), "", 400),
        ("GET", "/api/games?limit=many".into(), "", 400),
        ("GET", "/api/games?status=lost".into(), "", 400),
        ("GET", "/api/games/%ff".into(), "", 400),
        ("GET", "/api/leagues/00000000/rounds/x".into(), "", 400),
        ("GET", format!("{game}/evals?from=-1"), "", 400),
        ("GET", format!("{game}/pgn?evals=all"), "", 400),
        ("POST", format!("{game}/play"), "{", 400),
        ("POST", format!("{game}/play"), "{\"turn\":\"x\"}", 422),
        ("PUT", "/api/games".into(), "", 405),
    ] {
        let ask = http.request(method.parse().unwrap(), house.page(&path)).body(body);
        let answer = ask.header("content-type", "application/json").send().await.unwrap();
        assert_eq!(answer.status(), status, "{method} {path}");
        let refused: Value = answer.json().await.unwrap_or_default();
        let why = refused["error"].as_str().unwrap_or_default();
        assert!(!why.is_empty(), "{method} {path}: {refused}");
    }
    let unread = http.post(house.page("/api/games")).body("level=3").send().await.unwrap();
    assert_eq!(unread.status(), 415);
    assert!(unread.json::<Value>().await.unwrap()["error"].is_string());
}

#[tokio::test]
async fn what_is_repeated_of_a_call_is_cut() {
    // Nothing is refused for coming too often.
    let pace = ["--league-rate", "1000000", "--referee-rate", "1000000"];
    for url in [&[] as &[&str], &["--url", "https://games.example"]] {
        let house = House::with(&[&pace[..], url].concat()).await;
        check_that_answers_are_cut(&house).await;
    }
}

async fn check_that_answers_are_cut(house: &House) {
    let http = reqwest::Client::new();
    let long = "\u{301}".repeat(20_000);
    let ask = async |path: &str, body: Value| {
        let answer = http.post(house.page(path)).json(&body).send().await.unwrap();
        answer.text().await.unwrap()
    };
    let call = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let listed = ask("/mcp", call("tools/list", json!({}))).await;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let mut calls = vec![
        ("/mcp", call(&long, json!({}))),
        ("/mcp", call("tools/call", json!({ "name": long }))),
        ("/mcp", call("prompts/get", json!({ "name": long }))),
        ("/mcp", call("resources/read", json!({ "uri": long }))),
        ("/mcp", call("resources/read", json!({ "uri": format!("game://state/{long}") }))),
        ("/mcp", call("resources/read", json!({ "uri": format!("league://standings/{long}") }))),
        ("/mcp", call("report_move", json!({ "message_type": long }))),
        ("/mcp", json!({ "jsonrpc": "2.0", "id": long, "method": "ping" })),
        ("/mcp", json!({ "jsonrpc": "2.0", "id": long, "method": "no_such" })),
        ("/mcp", json!({ "jsonrpc": "2.0", "id": long, "method": "register_player" })),
        ("/mcp", json!({ "id": long, "message_type": "LEAGUE_QUERY" })),
        ("/api/games", json!({ "opponent": long })),
        ("/api/games", json!({ "opponent": "human", "game": long })),
        ("/api/games", json!({ "opponent": "human", "color": long })),
        ("/api/games", json!({ "opponent": "human", "game": "nim", "setup": { "heaps": long } })),
        ("/api/games", json!({ "opponent": "human", (long.clone()): 1 })),
    ];
    let meta = json!({ "display_name": "Ann", "version": "1", "game_types": ["even_odd"] });
    let messages = [
        ("LEAGUE_REGISTER_REQUEST", json!({ "player_meta": meta })),
        ("REFEREE_REGISTER_REQUEST", json!({ "referee_meta": meta })),
        ("LEAGUE_QUERY", json!({ "query_type": "GET_STANDINGS" })),
        ("MATCH_RESULT_REPORT", json!({ "match_id": "R1M1" })),
        ("GAME_JOIN_ACK", json!({ "match_id": "R1M1" })),
    ];
    let names = [
        "league_id",
        "match_id",
        "conversation_id",
        "auth_token",
        "sender",
        "protocol",
        "timestamp",
    ];
    for (kind, mut message) in messages {
        message["message_type"] = kind.into();
        message["protocol"] = "league.v2".into();
        message["auth_token"] = "none".into();
        for (name, value) in
            names.iter().flat_map(|name| [(name, json!(long)), (name, json!([[long]]))])
        {
            let mut message = message.clone();
            message[*name] = value;
            calls.push(("/mcp", message.clone()));
            calls.push(("/league/mcp", call("league.handle", json!({ "message": message }))));
        }
    }
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let schema = &tool["inputSchema"];
        let fitting = json!({
            "type": "agent", "game_id": "00000000", "match_id": "R1M1", "move": "1",
            "action": "resign", "conversationId": "cut", "player_name": "Ann", "auth_token": "none",
            "player_id": "P01", "player1_id": "P01", "player2_id": "P02", "round_id": 1,
            "direction": "North", "itemId": "i", "spell": "light",
        });
        let needed = schema["required"].as_array().into_iter().flatten();
        // Only so is a call refused for what is long in it.
        let mut needed: Vec<_> = needed.map(|name| name.as_str().unwrap()).collect();
        needed.iter().for_each(|name| assert!(!fitting[*name].is_null(), "{name} of {tool}"));
        if !schema["properties"]["player_name"].is_null() {
            needed.push("player_name");
        }
        for name in schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name) {
            let mut arguments: Value =
                needed.iter().map(|name| ((*name).to_owned(), fitting[*name].clone())).collect();
            arguments[name] = long.clone().into();
            let params = json!({ "name": tool["name"], "arguments": arguments });
            calls.push(("/mcp", call("tools/call", params)));
        }
    }
    for (path, body) in calls {
        let answer = ask(path, body.clone()).await;
        let asked = || body.to_string().replace(&long, "LONG");
        assert!(answer.len() < 16 << 10, "{} is answered with {} bytes", asked(), answer.len());
    }
    let long = "x".repeat(10_000);
    let get = |path: &str| http.get(house.page(path));
    let wrong = [
        get(&format!("/api/games?status={long}")),
        get(&format!("/api/games?kind={long}")),
        get("/api/games").header("host", &long),
        get("/api/games").header("origin", &long),
    ];
    for request in wrong {
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_client_error());
        let text = answer.text().await.unwrap();
        assert!(text.len() < 1000, "{} bytes", text.len());
    }
}
