//! Waiting for one's turn.

use std::time::Duration;

use rmcp::model::{CallToolRequestParams, ClientRequest, Request};
use serde_json::json;
use tokio::time::timeout;

use crate::{
    house::{self, House, until},
    players::{Answer, Player, WAYS, Way},
};

/// Long enough for anything that is not stuck.
const AMPLE: Duration = Duration::from_secs(60);

/// A player, and where its calls wait: in the house, or in a process of its own.
struct Waiter<'a> {
    player: Player,
    house: &'a House,
    own: Option<String>,
}

impl Waiter<'_> {
    async fn new(house: &House, way: Way) -> Waiter<'_> {
        if way == Way::Stdio {
            let (player, own) = Player::on_stdio_with_pages(house, &["--wait-seconds", "30"]).await;
            return Waiter { player, house, own: Some(own) };
        }
        Waiter { player: Player::new(house, way).await, house, own: None }
    }

    async fn figure(&self, name: &str, label: &str) -> f64 {
        match &self.own {
            Some(address) => house::figure(address, name, label).await,
            None => self.house.figure(name, label).await,
        }
    }

    /// Until somebody waits there.
    async fn is_waiting(&self) {
        until(async || self.figure("agon_waiters", "").await >= 1.).await;
    }

    /// Waits, and has somebody do something meanwhile.
    async fn wait_for(&self, pass: &str, deed: impl Future<Output = Answer>) -> Answer {
        let deed = async {
            self.is_waiting().await;
            deed.await.ok()
        };
        let (waited, _) = tokio::join!(timeout(AMPLE, self.player.wait(pass)), deed);
        waited.expect("it wakes").ok()
    }

    /// That so many waits were ended by news.
    async fn was_told(&self, times: usize) {
        assert_eq!(self.woken().await, times);
    }

    /// How many waits something has ended, which was news.
    async fn woken(&self) -> usize {
        let by = async |how| self.figure("agon_wakes_total", how).await as usize;
        let (told, found_out) = (by("by=\"news\"").await, by("by=\"reading\"").await);
        if self.own.is_none() && self.house.nodes().len() == 1 {
            assert_eq!(found_out, 0, "it was not told but found out by itself");
        }
        // Between processes a look that happens to be due may be quicker than the news, but not
        // every time.
        assert!(told > 0, "it was never told");
        told + found_out
    }
}

#[tokio::test]
async fn a_timeout_is_a_normal_answer() {
    let house = House::with(&["--wait-seconds", "1"]).await;
    for way in [Way::Legacy, Way::Modern, Way::Plain] {
        let agent = Player::new(&house, way).await;
        let created = agent.create(json!({ "type": "agent", "color": "black" })).await;
        let answer = agent.wait(&created.pass()).await.ok();
        let text = "Timeout: No move received yet. Please call this tool again immediately.";
        assert_eq!(answer.text, text);
        assert_eq!(answer.facts["status"], "timeout");
    }
}

#[tokio::test]
async fn a_waiter_wakes_when_the_opponent_moves_joins_in_or_resigns() {
    for way in WAYS {
        let house = House::with(&["--wait-seconds", "30"]).await;
        let (white, black) =
            (Player::new(&house, Way::Plain).await, Waiter::new(&house, way).await);
        let created = white.create(json!({ "type": "agent" })).await;
        let w = created.pass();
        let b = black.player.join(&created.id()).await.ok().pass();
        for (mv, reply) in [("e2e4", "e7e5"), ("g1f3", "b8c6"), ("f1c4", "f8c5")] {
            black.wait_for(&b, white.play(&w, mv)).await.says("It is your turn.");
            black.player.play(&b, reply).await.ok();
        }
        let ended = black.wait_for(&b, white.act(&w, "resign")).await;
        ended.says("Game Over: Black wins by Resignation");
        black.was_told(4).await;
    }
}

#[tokio::test]
async fn a_question_wakes_the_one_who_is_asked() {
    let house = House::with(&["--wait-seconds", "30"]).await;
    let (white, black) =
        (Waiter::new(&house, Way::Legacy).await, Waiter::new(&house, Way::Modern).await);
    let created = white.player.create(json!({ "type": "agent" })).await;
    let (w, b) = (created.pass(), black.player.join(&created.id()).await.ok().pass());
    let asked = black.wait_for(&b, white.player.act(&w, "offerDraw")).await;
    asked.says("offers a draw").says("declineDraw");
    white.player.see(&w).await.ok().says("To hear the answer, call `waitForNextTurn");
    // Whoever has asked waits for the answer, also on their own turn.
    let answered = white.wait_for(&w, black.player.act(&b, "declineDraw")).await;
    answered.says("It is your turn.");
    white.was_told(2).await;
    let (white, black) = (white.player, black.player);
    white.play(&w, "e2e4").await.ok();
    let (asked, _) = tokio::join!(timeout(AMPLE, black.wait(&b)), white.act(&w, "takeback"));
    asked.expect("it is Black's turn anyway").ok();
    black.wait(&b).await.ok().says("take back").says("declineTakeback").says("finishTurn");
    black.act(&b, "takeback").await.ok().says("granted").says("**Turn**: White to move");
    white.wait(&w).await.ok().says("It is your turn.");
    white.see(&w).await.ok().says("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w");
}

#[tokio::test]
async fn whoever_hangs_up_can_call_again() {
    for way in WAYS {
        let house = House::with(&["--wait-seconds", "30"]).await;
        let (white, black) =
            (Waiter::new(&house, way).await, Player::new(&house, Way::Plain).await);
        let created = white.player.create(json!({ "type": "agent", "color": "black" })).await;
        let pass = created.pass();
        let other = black.join(&created.id()).await.ok().pass();
        // Dropping the call is what a client does that has lost patience.
        tokio::select! {
            answer = white.player.wait(&pass) => panic!("nobody has moved: {answer:?}"),
            () = white.is_waiting() => {}
        }
        white.wait_for(&pass, black.play(&other, "e4")).await.says("It is your turn.");
    }
}

#[tokio::test]
async fn a_cancelled_wait_ends() {
    let house = House::alone(&["--wait-seconds", "30"]).await;
    for way in [Way::Stdio, Way::Legacy] {
        let agent = Waiter::new(&house, way).await;
        let created = agent.player.create(json!({ "type": "agent", "color": "black" })).await;
        let Player::Mcp(client) = &agent.player else { panic!("an MCP client") };
        let mut call = CallToolRequestParams::new("waitForNextTurn");
        call.arguments = json!({ "game_id": created.pass() }).as_object().cloned();
        let request = ClientRequest::CallToolRequest(Request::new(call));
        let sent = client
            .send_cancellable_request(request, Default::default())
            .await
            .expect("the request goes out");
        agent.is_waiting().await;
        sent.cancel(Some("changed my mind".into())).await.expect("it can be cancelled");
        // One that goes on to its own end ends well.
        let ended = async || agent.figure("agon_calls_total", "tool=\"waitForNextTurn\"").await;
        until(async || ended().await >= 1.).await;
        let well = "tool=\"waitForNextTurn\",outcome=\"ok\"";
        assert_eq!(agent.figure("agon_calls_total", well).await, 0., "it waited to its end");
        assert_eq!(agent.figure("agon_waiters", "").await, 0.);
        agent.player.see(&created.id()).await.ok();
    }
}

#[tokio::test]
async fn a_thousand_wait_and_one_move_wakes_them() {
    let house = House::with(&["--wait-seconds", "30"]).await;
    let white = Waiter::new(&house, Way::Plain).await;
    let created = white.player.create(json!({ "type": "agent" })).await;
    let pass = created.pass();
    let black = white.player.join(&created.id()).await.ok().pass();
    let http = reqwest::Client::new();
    let mut waiting = tokio::task::JoinSet::new();
    for id in 0..1000 {
        let call = json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": "waitForNextTurn", "arguments": { "game_id": black } },
        });
        let ask = http.post(house.url()).json(&call);
        waiting.spawn(async move {
            // On a busy machine some wait in vain before all do, and wait again.
            for timeouts in 0.. {
                let asked = ask.try_clone().expect("it can be sent again").send();
                let said = asked.await.unwrap().text().await.unwrap();
                if !said.contains("\"timeout\"") {
                    return (said, timeouts);
                }
            }
            unreachable!("there are numbers enough")
        });
    }
    until(async || house.figure("agon_waiters", "").await >= 1000.).await;
    // The server still answers others at once.
    white.player.see(&created.id()).await.ok();
    white.player.play(&pass, "e2e4").await.ok();
    let answers = timeout(AMPLE, waiting.join_all()).await.expect("all wake");
    assert_eq!(answers.iter().filter(|(said, _)| said.contains("It is your turn.")).count(), 1000);
    // Who called again just when the move was played had nothing to wait for.
    let again: usize = answers.iter().map(|(_, timeouts)| timeouts).sum();
    let woken = white.woken().await;
    assert!(woken <= 1000 && woken + again >= 1000, "{woken} were woken, {again} called again");
}
