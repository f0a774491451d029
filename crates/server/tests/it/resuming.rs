//! Calls that are under way when the server is killed: their clients come back and are answered.

use std::time::Duration;

use futures_util::{Stream, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    house::House,
    players::{Player, Way},
};

const AMPLE: Duration = Duration::from_secs(60);

/// A client that speaks of sessions and streams in so many words.
pub struct Raw {
    http: reqwest::Client,
    session: String,
}

impl Raw {
    pub async fn connect(house: &House) -> Raw {
        let http = reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap();
        let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "raw", "version": "1" } } });
        let mut raw = Raw { http, session: String::new() };
        let answer = raw.post(house, &hello).await;
        raw.session = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        answer.bytes().await.unwrap();
        raw.post(house, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        raw
    }

    fn ask(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        let request = request.header("accept", "application/json, text/event-stream");
        match self.session.as_str() {
            "" => request,
            session => request.header("mcp-session-id", session),
        }
    }

    pub async fn post(&self, house: &House, message: &Value) -> reqwest::Response {
        self.ask(self.http.post(house.url())).json(message).send().await.unwrap()
    }

    async fn come_back(&self, house: &House, last: &str) -> reqwest::Response {
        let request = self.ask(self.http.get(house.url())).header("last-event-id", last);
        request.send().await.unwrap()
    }
}

pub fn call(id: &str, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

/// Reads on until there is a line that begins so; the rest of it.
async fn line(
    stream: &mut (impl Stream<Item = reqwest::Result<impl AsRef<[u8]>>> + Unpin),
    begin: &str,
) -> String {
    let mut said = String::new();
    loop {
        let (whole, _) = said.rsplit_once('\n').unwrap_or_default();
        if let Some(rest) = whole.lines().find_map(|line| line.strip_prefix(begin)) {
            return rest.trim().to_owned();
        }
        let more = timeout(AMPLE, stream.next()).await.expect("it is said soon");
        let more = more.unwrap_or_else(|| panic!("{begin:?} was not said but {said:?}")).unwrap();
        said += &String::from_utf8_lossy(more.as_ref());
    }
}

#[tokio::test]
async fn a_wait_under_way_goes_on_after_the_server_was_killed() {
    let mut house = House::in_a_file().await;
    let raw = Raw::connect(&house).await;
    let other = Player::new(&house, Way::Plain).await;
    let white = other.create(json!({ "type": "agent" })).await.pass();
    let black = other.join(&white[..8]).await.ok().pass();
    let wait = call("w1", "waitForNextTurn", json!({ "game_id": black }));
    let mut waiting = raw.post(&house, &wait).await.bytes_stream();
    let last = line(&mut waiting, "id: ").await;
    house.crash_and_restart().await;
    drop(waiting);
    let mut again = raw.come_back(&house, &last).await.bytes_stream();
    // It can be cut off as often as it likes.
    let last = line(&mut again, "id: ").await;
    house.crash_and_restart().await;
    let mut again = raw.come_back(&house, &last).await.bytes_stream();
    let other = Player::new(&house, Way::Plain).await;
    other.play(&white, "e2e4").await.ok();
    let answer: Value =
        serde_json::from_str(&line(&mut again, "data: {").await.replacen("", "{", 1))
            .expect("the answer");
    assert_eq!(answer["id"], "w1");
    assert_eq!(answer["result"]["structuredContent"]["status"], "your_turn", "{answer}");
}

#[tokio::test]
async fn a_call_that_may_have_been_done_is_answered_so_after_the_server_was_killed() {
    let mut house = House::in_a_file().await;
    let raw = Raw::connect(&house).await;
    let pass =
        Player::new(&house, Way::Plain).await.create(json!({ "type": "agent" })).await.pass();
    let play = call("m1", "finishTurn", json!({ "game_id": pass, "move": "e2e4" }));
    let mut playing = raw.post(&house, &play).await.bytes_stream();
    let last = line(&mut playing, "id: ").await;
    drop(playing);
    house.crash_and_restart().await;
    let mut again = raw.come_back(&house, &last).await.bytes_stream();
    let answer: Value =
        serde_json::from_str(&line(&mut again, "data: {").await.replacen("", "{", 1))
            .expect("the answer");
    assert_eq!(answer["id"], "m1");
    let why = answer["error"]["message"].as_str().expect("a reason");
    assert!(why.contains("not known"), "{why}");
    // Nobody is told of calls in a session that there is not.
    let stranger = Raw { http: reqwest::Client::new(), session: "nobody's".into() };
    assert_eq!(stranger.come_back(&house, &last).await.status(), 404);
}

/// A client that speaks the newest protocol, without a session.
struct Modern(reqwest::Client);

impl Modern {
    fn new() -> Modern {
        Modern(reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap())
    }

    fn ask(request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        let request = request.header("accept", "application/json, text/event-stream");
        request.header("mcp-protocol-version", "2026-07-28")
    }

    /// Begins a wait; its stream's first id.
    async fn begin(&self, house: &House, pass: &str) -> String {
        let mut wait = call("w1", "waitForNextTurn", json!({ "game_id": pass }));
        wait["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let post = Modern::ask(self.0.post(house.url())).json(&wait);
        let post = post.header("mcp-method", "tools/call").header("mcp-name", "waitForNextTurn");
        let begun = post.send().await.unwrap();
        assert_eq!(begun.headers()["content-type"], "text/event-stream");
        line(&mut begun.bytes_stream(), "id: ").await
    }

    async fn come_back(&self, house: &House, last: &str) -> reqwest::Response {
        let again = Modern::ask(self.0.get(house.url())).header("last-event-id", last);
        let again = again.send().await.unwrap();
        assert_eq!(again.headers()["content-type"], "text/event-stream");
        again
    }
}

async fn is_told(stream: &mut (impl Stream<Item = reqwest::Result<impl AsRef<[u8]>>> + Unpin)) {
    let answer = line(stream, "data: {").await.replacen("", "{", 1);
    let answer: Value = serde_json::from_str(&answer).expect("the answer");
    assert_eq!(answer["id"], "w1");
    assert_eq!(answer["result"]["structuredContent"]["status"], "your_turn", "{answer}");
}

/// Somebody waits without a session when the server is killed: the house as it is then, who waits, the
/// passes of the other and of the one who waits, and the last event that was seen.
async fn cut_off() -> (House, Modern, [String; 2], String) {
    let mut house = House::in_a_file().await;
    let (other, waiter) = (Player::new(&house, Way::Plain).await, Modern::new());
    let white = other.create(json!({ "type": "agent" })).await.pass();
    let black = other.join(&white[..8]).await.ok().pass();
    let last = waiter.begin(&house, &black).await;
    house.crash_and_restart().await;
    (house, waiter, [white, black], last)
}

#[tokio::test]
async fn a_wait_without_a_session_goes_on_after_the_server_was_killed() {
    let (house, waiter, [white, _], last) = cut_off().await;
    let mut again = waiter.come_back(&house, &last).await.bytes_stream();
    line(&mut again, "id: ").await;
    Player::new(&house, Way::Plain).await.play(&white, "e2e4").await.ok();
    is_told(&mut again).await;
}

#[tokio::test]
async fn a_wait_that_is_over_when_its_client_comes_back_is_answered_on_a_stream() {
    let (house, waiter, [white, black], last) = cut_off().await;
    let other = Player::new(&house, Way::Plain).await;
    other.play(&white, "e2e4").await.ok();
    // The game is in memory, so that there is nothing to wait for.
    other.see(&black).await.ok();
    is_told(&mut waiter.come_back(&house, &last).await.bytes_stream()).await;
}
