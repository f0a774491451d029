//! Hosts that are pages in a browser, and pages that should not be.

use reqwest::{Client, Method};
use serde_json::json;

use crate::house::House;

#[tokio::test]
async fn a_page_of_this_machine_may_call_and_read_its_session() {
    let house = House::open().await;
    for path in ["/mcp", "/chess/mcp"] {
        let preflight = Client::new()
            .request(Method::OPTIONS, house.page(path))
            .header("origin", "http://localhost:6274")
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "content-type,mcp-session-id,mcp-protocol-version",
            )
            .send()
            .await
            .unwrap();
        assert_eq!(preflight.status(), 200);
        let header = |name| preflight.headers()[name].to_str().unwrap();
        assert_eq!(header("access-control-allow-origin"), "http://localhost:6274");
        assert!(header("access-control-allow-headers").contains("mcp-session-id"));
        let initialize = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": "page", "version": "1" },
            },
        });
        let answer = Client::new()
            .post(house.page(path))
            .header("origin", "http://localhost:6274")
            .header("accept", "application/json, text/event-stream")
            .json(&initialize)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 200);
        assert!(answer.headers().contains_key("mcp-session-id"));
        assert_eq!(answer.headers()["access-control-expose-headers"], "mcp-session-id");
    }
}

#[tokio::test]
async fn foreign_pages_and_foreign_names_are_turned_away() {
    let house = House::with(&[
        "--allowed-host",
        "games.example",
        "--allowed-origin",
        "https://chat.example",
    ])
    .await;
    let check = async |header: &str, value: &str, expected: u16| {
        for path in ["/mcp", "/", "/api/games", "/healthz"] {
            let request = Client::new().get(house.page(path)).header(header, value);
            let answer = request.send().await.unwrap();
            let turned_away = answer.status() == 403;
            assert_eq!(
                turned_away,
                expected == 403,
                "{header}: {value} at {path}: {}",
                answer.status()
            );
            if turned_away {
                let text = answer.text().await.unwrap();
                assert!(text.contains("--allowed-"), "{text}");
            }
        }
    };
    check("origin", "https://evil.example", 403).await;
    check("origin", "null", 403).await;
    check("origin", "https://chat.example", 200).await;
    check("host", "evil.example", 403).await;
    check("host", "games.example", 200).await;
}

#[tokio::test]
async fn a_token_is_asked_for_when_one_is_set() {
    let house = House::with(&["--token", "open-sesame"]).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let post = async |token: Option<&str>| {
        let request = Client::new().post(house.url()).json(&ping);
        let request = token.into_iter().fold(request, |request, token| request.bearer_auth(token));
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(post(None).await, 401);
    assert_eq!(post(Some("open-barley")).await, 401);
    assert_eq!(post(Some("open-sesame")).await, 200);
}
