//! Poker in leagues: what is told of the cards, and of the chips.

use rules::{Due, Eye, Record, Seat};
use serde_json::{Value, json};

use super::{
    Cup, fixtures, line, nobody_forfeits,
    stranger::{Stranger, first_legal},
};
use crate::house::House;

/// Bets are answered by folding, so no card is ever shown.
fn by_turns(said: &Value) -> Value {
    let turn = said["game_round"].as_u64().expect("a turn") as usize;
    match said["protocol"] == "league.v1" {
        true => json!({ "move": said["game_state"]["legal_moves"][turn % 2] }),
        false => {
            json!({ "move_data": { "move": said["move_request"]["valid_options"][turn % 2] } })
        }
    }
}

/// A message, with what the rules had shown by then to whoever heard it, and to the other.
#[derive(Debug)]
struct Overheard {
    own: Vec<String>,
    other: Vec<String>,
    said: Value,
}

/// What one player has heard of a match before its end.
async fn heard_of_poker(seat: usize) -> Vec<Overheard> {
    let house = House::in_a_file().await;
    let args = ["--game", "kuhn-poker", "--setup", r#"{"hands": 4}"#];
    let cup = Cup::open(&house, "kuhn-poker", &args).await;
    let agents = [Stranger::start(by_turns).await, Stranger::start(by_turns).await];
    agents[0].register(&house, "One", "league.v1", "kuhn-poker").await;
    agents[1].register(&house, "Two", "league.v2", "kuhn-poker").await;
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    nobody_forfeits(&state);
    let game = fixtures(&state["rounds"][0])[0]["game"].as_str().expect("it was played");
    let kind = rules::kind("kuhn-poker").expect("a kind");
    let mut record = Record::start(kind, r#"{"hands":4}"#, house.seed(game)).expect("it begins");
    let [mut own, mut other] = [Vec::new(), Vec::new()];
    let mut turns = house.turns(game).into_iter();
    let mut heard = Vec::new();
    for mut said in agents[seat].heard.lock().unwrap().clone() {
        let is_end = said["message_type"] == "GAME_END" || said["message_type"] == "GAME_OVER";
        if said["match_id"].is_null() || is_end {
            continue;
        }
        let until = said["game_round"].as_u64().unwrap_or(1) as usize;
        while own.len() < until {
            let seats = [seat, 1 - seat].map(|seat| Eye::Seat(Seat(seat as u8)));
            own.push(record.view_json(seats[0]));
            other.push(record.view_json(seats[1]));
            let Due::One(mover) = record.due() else { break };
            let (_, mv) = turns.next().expect("it was played on");
            record.take(record.step(mover, &mv).expect("it was legal"));
        }
        for name in ["conversation_id", "timestamp", "deadline", "referee_endpoint"] {
            said.as_object_mut().expect("an object").remove(name);
        }
        heard.push(Overheard { own: own.clone(), other: other.clone(), said });
    }
    assert!(heard.len() > 4, "{heard:?}");
    heard
}

#[tokio::test]
async fn what_a_player_hears_does_not_depend_on_the_cards_of_the_other() {
    for seat in [0, 1] {
        let mut matches: Vec<Vec<Overheard>> = Vec::new();
        let mut differed = 0;
        while differed == 0 {
            assert!(matches.len() < 60, "no two matches look the same to {seat} and are not");
            let heard = heard_of_poker(seat).await;
            for before in &matches {
                let alike = heard.iter().zip(before).take_while(|(one, then)| one.own == then.own);
                for (one, then) in alike {
                    differed += usize::from(one.other != then.other);
                    assert_eq!(one.said, then.said, "{:?} {:?}", one.other, then.other);
                }
            }
            matches.push(heard);
        }
    }
}

/// What a message says beside its envelope.
fn own_of(mut said: Value) -> Value {
    let envelope = [
        "protocol",
        "message_type",
        "league_id",
        "round_id",
        "match_id",
        "sender",
        "conversation_id",
        "timestamp",
    ];
    let fields = said.as_object_mut().expect("a message is an object");
    fields.retain(|name, _| !envelope.contains(&name.as_str()));
    said
}

#[tokio::test]
async fn a_chip_is_told_as_a_chip() {
    let house = House::open().await;
    let args = ["--game", "kuhn-poker", "--setup", r#"{"hands": 1}"#];
    let cup = Cup::open(&house, "kuhn-poker", &args).await;
    let agents = [Stranger::start(first_legal).await, Stranger::start(first_legal).await];
    agents[0].register(&house, "One", "league.v1", "kuhn-poker").await;
    agents[1].register(&house, "Two", "league.v2", "kuhn-poker").await;
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    // Both pass, so that the higher card wins the other's one chip.
    let scores = fixtures(&state["rounds"][0])[0]["result"]["scores"].clone();
    let won = scores["P01"] == 1;
    let [winner, loser] = if won { ["P01", "P02"] } else { ["P02", "P01"] };
    assert_eq!(scores, json!({ winner: 1, loser: -1 }));
    let end = own_of(agents[0].heard("GAME_END").pop().expect("it is told the end"));
    let reason = end["result"].clone();
    let chips = if won { "chips 1:-1" } else { "chips -1:1" };
    assert!(reason.as_str().unwrap().ends_with(chips), "{reason}");
    assert_eq!(
        end,
        json!({ "final_scores": { winner: 1, loser: -1 }, "winner": winner,
            "winner_player_id": winner, "match_points": { winner: 3, loser: 0 }, "forfeited": [], "result": reason })
    );
    let over = own_of(agents[1].heard("GAME_OVER").pop().expect("it is told the end"));
    assert_eq!(
        over,
        json!({ "game_type": "kuhn-poker", "game_result": { "status": "WIN",
            "winner_player_id": winner, "winner": winner, "scores": { winner: 1, loser: -1 },
            "match_points": { winner: 3, loser: 0 }, "reason": reason } })
    );
    let table = line(&state, winner);
    assert_eq!((&table["rounds_won"], &table["rounds_lost"]), (&json!(1), &json!(-1)), "{table}");
    assert_eq!(table["points"], 3);
}
