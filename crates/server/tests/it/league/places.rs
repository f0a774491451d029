//! Several nodes: the same message gets the same answer from each, and a move is played wherever it
//! arrives.

use serde_json::{Value, json};

use super::{Cup, call, join, nobody_forfeits, registration};
use crate::{
    agents::{Agent, Kind, Misdeed},
    delver::Luck,
    house::{House, until},
    players::{Player, Way},
};

async fn say(house: &House, node: usize, body: &Value) -> Value {
    let url = format!("http://{}/mcp", house.nodes()[node].address);
    let answer = reqwest::Client::new().post(url).json(body).send().await.expect("an answer");
    let mut answer: Value = answer.json().await.expect("JSON");
    for field in ["timestamp", "conversation_id"] {
        if answer["result"].get(field).is_some() {
            answer["result"][field] = Value::Null;
        }
    }
    answer
}

#[tokio::test]
async fn every_node_gives_the_same_answer_and_plays_what_it_acknowledges() {
    let house = House::of_nodes(2, &[]).await;
    let cup = Cup::open(&house, "spring", &[]).await;
    // It says that it heard; its answers are brought by hand, to either node.
    let agent = Agent::start(Kind::Does(Misdeed::EmptyPromise)).await;
    let hello = call("LEAGUE_REGISTER_REQUEST", registration("Alpha", &agent.url));
    let said = say(&house, 0, &hello).await;
    let token = said["result"]["auth_token"].clone();
    assert_eq!(say(&house, 0, &hello).await, say(&house, 1, &hello).await, "who comes back");
    let player = Player::new(&house, Way::Plain).await;
    let (own, _) = join(&player, "Beta", "spring").await;
    cup.start(&house).await;
    let opponent = super::play_by_tools(&player, &own, "spring", Luck(3));
    let delivered = async {
        let answer = |round: u64, number: u64| {
            call(
                "MOVE_RESPONSE",
                json!({ "protocol": "league.v1", "message_type": "MOVE_RESPONSE",
                    "league_id": "spring", "match_id": "R1M1", "game_round": round,
                    "auth_token": token, "move": { "number": number } }),
            )
        };
        let asked = |round: u64| {
            let heard = agent.heard();
            heard.iter().any(|body| body["params"]["game_round"] == round)
        };
        let over = || agent.heard().iter().any(|body| body["method"] == "GAME_END");
        let mut round = 1;
        loop {
            until(async || asked(round) || over()).await;
            if over() {
                break;
            }
            for bad in [answer(round + 7, 3), answer(round, 9)] {
                let [one, other] = [say(&house, 0, &bad).await, say(&house, 1, &bad).await];
                assert!(one["error"].is_object(), "{one}");
                assert_eq!(one, other);
            }
            // Whichever node it comes to, and if it comes again.
            let node = round as usize % 2;
            let good = answer(round, round % 5 + 1);
            let taken = say(&house, node, &good).await;
            assert_eq!(taken["result"]["status"], "received", "{taken}");
            if round == 1 {
                let again = say(&house, 1 - node, &good).await;
                assert_eq!(taken, again, "the same message, the same answer");
            }
            round += 1;
        }
    };
    tokio::join!(opponent, delivered);
    nobody_forfeits(&cup.finish(&house).await);
    let query = |kind: &str| {
        call(
            "league_query",
            json!({ "protocol": "league.v2", "message_type": "LEAGUE_QUERY", "sender": "x",
                "league_id": "spring", "query_type": kind,
                "query_params": { "player_id": "P01" } }),
        )
    };
    let unasked = |kind: &str| {
        call(
            kind,
            json!({ "league_id": "spring", "match_id": "R1M1", "auth_token": token,
            "move": { "number": 3 }, "parity_choice": "odd", "accept": true }),
        )
    };
    for body in [
        query("GET_STANDINGS"),
        query("GET_SCHEDULE"),
        query("GET_NEXT_MATCH"),
        query("GET_PLAYER_STATS"),
        query("GET_LOST"),
        unasked("MOVE_RESPONSE"),
        unasked("GAME_JOIN_ACK"),
        unasked("choose_parity_response"),
        unasked("report_match_result"),
        call("register_referee", json!({ "referee_meta": { "display_name": "x" } })),
        call("GAME_START", json!({})),
    ] {
        assert_eq!(say(&house, 0, &body).await, say(&house, 1, &body).await, "{body}");
    }
}
