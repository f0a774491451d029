//! A game of chess, an evening in the dungeon and a league, in which every call of the store fails
//! once: whatever happens, callers are told the truth, and the same call again has one effect.

use serde_json::{Value, json};

use super::{Fault, house::House};

/// Tells a story again and again, until it has met every fault at every call.
async fn meet_every_fault(story: impl AsyncFn(&House, Fault)) {
    for fault in Fault::ALL {
        let mut left = 0;
        loop {
            let house = House::open(fault, left).await;
            story(&house, fault).await;
            if !house.store.was_met() {
                break;
            }
            left += 1;
        }
        assert!(left > 5, "{fault:?} was met {left} times only");
    }
}

#[tokio::test]
async fn a_game_of_chess_meets_every_fault() {
    meet_every_fault(async |house, _| {
        let wish = json!({ "type": "agent", "requestId": "create" });
        let created = house.insist("createGame", wish).await;
        let (id, white) = (&created["game_id"], &created["pass"]);
        let join = json!({ "game_id": id, "requestId": "join" });
        let black = house.insist("joinGame", join).await["pass"].clone();
        let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
        for (number, mv) in moves.into_iter().enumerate() {
            let pass = if number % 2 == 0 { white } else { &black };
            let mut call = json!({ "game_id": pass, "move": mv });
            // With a word about the turn, and without.
            if number < 2 {
                call["turn"] = json!(number + 1);
            }
            house.insist("finishTurn", call).await;
        }
        let seen = house.insist("getGame", json!({ "game_id": id })).await;
        assert_eq!(seen["winner"], "black", "{seen}");
        assert_eq!(house.moves("chess"), moves);
        assert_eq!(house.written(), [1, 2, 4]);
    })
    .await;
}

#[tokio::test]
async fn an_evening_in_the_dungeon_meets_every_fault() {
    meet_every_fault(async |house, fault| {
        let call = |key: Option<&str>| {
            let mut call = json!({ "conversationId": "evening" });
            // Who hangs up, and has no key, means another.
            let key = key.or((fault == Fault::Late).then_some("late"));
            call["requestId"] = key.map_or(Value::Null, Value::from);
            call
        };
        house.insist("get_current_room", call(Some("look"))).await;
        house.insist("save_game", call(Some("first"))).await;
        house.insist("save_game", call(None)).await;
        house.insist("save_game", call(Some("third"))).await;
        house.insist("get_map", call(Some("map"))).await;
        assert_eq!(house.moves("dungeon").len(), 3, "{:?}", house.moves("dungeon"));
        assert_eq!(house.written()[0], 1);
    })
    .await;
}
