//! Draws and takebacks in leagues of chess: what is asked beside the moves, while the clock runs.

use serde_json::{Value, json};

use super::{Cup, fixtures, join, line, nobody_forfeits, stranger::Stranger};
use crate::{
    house::{House, until},
    players::{Player, Way},
};

/// A match of chess in which a player comes by tools, and does as it likes.
struct Challenger {
    player: Player,
    token: String,
    id: String,
    league: &'static str,
}

impl Challenger {
    async fn join(house: &House, name: &str, league: &'static str) -> Challenger {
        let player = Player::new(house, Way::Plain).await;
        let (token, id) = join(&player, name, league).await;
        Challenger { player, token, id, league }
    }

    async fn decision(&self) -> Value {
        super::decision(&self.player, &self.token, self.league).await
    }

    /// Waits until it is told to do so.
    async fn is_told(&self, status: &str) -> Value {
        let told = self.decision().await;
        assert_eq!(told["status"], status, "{told}");
        told
    }

    async fn says(&self, choice: &str) {
        let ask = json!({ "auth_token": self.token, "league_id": self.league,
            "match_id": "R1M1", "choice": choice });
        self.player.call("submit_move", ask).await.ok();
    }
}

/// The texts of a match's log, up to now.
async fn log_of(house: &House, cup: &Cup) -> Vec<String> {
    let state = cup.state(house).await;
    let found = fixtures(&state["rounds"][0])[0]["game"].as_str().expect("it has begun").to_owned();
    house.turns(&found).into_iter().map(|(_, text)| text).collect()
}

/// Waits until the last turn of the only match is this one.
async fn last_is(house: &House, cup: &Cup, text: &str) {
    until(async || log_of(house, cup).await.last().is_some_and(|last| last == text)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_offers_draws_instead_of_moving_is_late_at_the_first_deadline() {
    let house = House::open().await;
    let args = ["--game", "chess", "--computer", "1", "--time-limit", "2"];
    let cup = Cup::open(&house, "offers", &args).await;
    let ann = Challenger::join(&house, "Ann", "offers").await;
    cup.start(&house).await;
    // For as long as she is due: if her clock were set back, that would be for ever.
    loop {
        let told = ann.decision().await;
        if told["status"] == "league_over" {
            break;
        }
        assert_eq!(told["status"], "your_move", "{told}");
        let ask = json!({ "auth_token": ann.token, "league_id": "offers", "match_id": "R1M1",
            "choice": "offerDraw" });
        // The last may come too late, and an offer before the answer to the last one is counted.
        ann.player.try_call("submit_move", ask).await;
    }
    let state = cup.finish(&house).await;
    assert_eq!(line(&state, &ann.id)["forfeits"], 1, "{state}");
    let computer = if ann.id == "P01" { "P02" } else { "P01" };
    assert_eq!(line(&state, computer)["wins"], 1, "{state}");
    let log = log_of(&house, &cup).await;
    assert_eq!(log.last().map(String::as_str), Some("(out of time)"));
    assert!(log.iter().any(|text| text == "declineDraw again"), "she was answered more than once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_offer_is_told_to_the_other_while_the_one_who_is_due_may_play_on() {
    let house = House::open().await;
    let cup = Cup::open(&house, "peace", &["--game", "chess"]).await;
    let one = Challenger::join(&house, "Ann", "peace").await;
    let two = Challenger::join(&house, "Bob", "peace").await;
    cup.start(&house).await;
    let [ann, bob] =
        if fixture_begins_with(&house, &cup, &one.id).await { [one, two] } else { [two, one] };
    let told = ann.is_told("your_move").await;
    assert_eq!(told["answers"], Value::Null);
    assert!(told["text"].as_str().unwrap().contains("\n1 R N B Q K B N R\n"), "{told}");
    ann.says("offerDraw").await;
    let told = bob.is_told("your_answer").await;
    assert_eq!(told["answers"], json!(["acceptDraw", "declineDraw"]), "{told}");
    assert_eq!(told["asked"], *bob.id, "{told}");
    // She is due, whatever he answers.
    let told = ann.is_told("your_move").await;
    assert_eq!(told["asked"], *bob.id, "{told}");
    bob.says("declineDraw").await;
    ann.says("e2e4").await;
    // A move with an offer is a move.
    bob.is_told("your_move").await;
    bob.says("e7e5 offerDraw").await;
    let told = ann.is_told("your_move").await;
    assert_eq!(told["answers"], json!(["acceptDraw", "declineDraw"]), "{told}");
    // A move is taken back if the other agrees, whoever is due.
    ann.says("g1f3").await;
    bob.is_told("your_move").await;
    ann.says("takeback").await;
    let told = bob.is_told("your_move").await;
    assert_eq!(told["answers"], json!(["takeback", "declineTakeback"]), "{told}");
    bob.says("takeback").await;
    ann.is_told("your_move").await;
    ann.says("g1f3 offerDraw").await;
    bob.is_told("your_move").await;
    bob.says("acceptDraw").await;
    assert_eq!(ann.decision().await["status"], "league_over");
    let state = cup.finish(&house).await;
    nobody_forfeits(&state);
    assert_eq!(line(&state, &ann.id)["draws"], 1, "{state}");
}

/// Whether that player has the first move of the first match.
async fn fixture_begins_with(house: &House, cup: &Cup, id: &str) -> bool {
    fixtures(&cup.state(house).await["rounds"][0])[0]["player_a"] == id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_computer_lets_no_move_be_taken_back_in_a_league() {
    let house = House::open().await;
    let cup = Cup::open(&house, "stands", &["--game", "chess", "--computer", "1"]).await;
    let ann = Challenger::join(&house, "Ann", "stands").await;
    cup.start(&house).await;
    let told = ann.is_told("your_move").await;
    ann.says(told["legal_moves"][0].as_str().expect("a move")).await;
    ann.is_told("your_move").await;
    ann.says("takeback").await;
    last_is(&house, &cup, "declineTakeback").await;
    ann.says("resign").await;
    nobody_forfeits(&cup.finish(&house).await);
}

fn only_offers(_: &Value) -> Value {
    json!({ "move": "offerDraw" })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_answers_with_offers_only_is_asked_three_times() {
    let house = House::open().await;
    let cup = Cup::open(&house, "chess", &["--game", "chess", "--computer", "1"]).await;
    let agent = Stranger::start(only_offers).await;
    let answer = agent.register(&house, "Peace", "league.v1", "chess").await;
    let id = answer["result"]["player_id"].as_str().expect("it is let in").to_owned();
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    assert_eq!(line(&state, &id)["forfeits"], 1, "{state}");
    let asked = agent.heard("MOVE_REQUEST");
    assert_eq!(asked.len(), 3);
    // A model has the board to go by, and not the last move alone.
    let text = asked[0]["game_state"]["text"].as_str().expect("it is told how it stands");
    assert!(text.starts_with("8 r n b q k b n r\n7 p p p p p p p p\n"), "{text}");
    assert!(text.contains("\n  a b c d e f g h\n"), "{text}");
    assert!(text.ends_with(" to move."), "{text}");
}
