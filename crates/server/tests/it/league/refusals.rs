//! Messages that are not taken, and why.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{call, post, registration};
use crate::{
    house::House,
    players::{Player, Way},
};

#[tokio::test]
async fn a_message_that_is_wrong_is_refused_with_the_seeds_codes() {
    let house = House::open().await;
    let http = reqwest::Client::new();
    let garbage = http.post(house.url()).body("{").send().await.unwrap();
    assert_eq!(garbage.status(), StatusCode::BAD_REQUEST);
    assert_eq!(garbage.json::<Value>().await.unwrap()["error"]["code"], -32700);
    let (status, answer) = post(&house, &call("no_such_method", json!({}))).await;
    assert_eq!((status, &answer["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));
    // What a referee says to players is not for us.
    let (status, answer) = post(&house, &call("GAME_START", json!({}))).await;
    assert_eq!((status, &answer["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));

    let whole = registration("Alpha", "http://127.0.0.1:9/mcp");
    for path in ["sender", "timestamp", "league_id", "player_meta/version", "protocol"] {
        let mut message = whole.clone();
        *message.pointer_mut(&format!("/{path}")).unwrap() = Value::Null;
        let (_, answer) = post(&house, &call("register_player", message)).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert_eq!(answer["error"]["data"]["field"], path.replace('/', "."), "{answer}");
        assert_eq!(answer["id"], 7);
    }
    let mut message = whole.clone();
    message["player_meta"]["game_types"] = json!(["chess"]);
    let (_, answer) = post(&house, &message).await;
    assert_eq!(answer["error"]["data"]["field"], "player_meta.game_types", "{answer}");
    assert_eq!(answer["error"]["data"]["error_name"], "GAME_TYPE_NOT_SUPPORTED", "{answer}");
    for field in ["display_name", "contact_endpoint", "invite_code"] {
        let mut message = whole.clone();
        message["player_meta"][field] = 5.into();
        let (_, answer) = post(&house, &message).await;
        let why = format!("player_meta.{field} must be a string");
        assert_eq!(answer["error"]["message"], why, "{answer}");
    }
    let mut message = whole.clone();
    message["protocol"] = "league.v9".into();
    let (_, answer) = post(&house, &message).await;
    assert_eq!(answer["error"]["data"]["error_name"], "PROTOCOL_VERSION_MISMATCH", "{answer}");

    post(&house, &whole).await;
    let answer = json!({ "league_id": "spring", "match_id": "R1M1", "game_round": 1,
        "move": { "number": 3 }, "auth_token": "guess" });
    let (_, said) = post(&house, &call("MOVE_RESPONSE", answer)).await;
    assert_eq!(said["error"]["data"]["error_name"], "AUTH_TOKEN_INVALID", "{said}");
}

#[tokio::test]
async fn a_player_nobody_knows_is_refused_by_the_field() {
    let house = House::open().await;
    post(&house, &registration("Alpha", "http://127.0.0.1:9/mcp")).await;
    for kind in ["GET_NEXT_MATCH", "GET_PLAYER_STATS"] {
        let ask = async |player: Value| {
            let query = json!({ "protocol": "league.v2", "message_type": "LEAGUE_QUERY",
                "sender": "player:P01", "league_id": "spring", "query_type": kind,
                "query_params": { "player_id": player } });
            post(&house, &query).await.1
        };
        assert_eq!(ask(json!("P01")).await["success"], true);
        for (player, name) in [
            (json!("P77"), "PLAYER_NOT_REGISTERED"),
            (json!("Alpha"), "PLAYER_NOT_REGISTERED"),
            (Value::Null, "MISSING_REQUIRED_FIELD"),
        ] {
            let said = ask(player).await;
            assert_eq!(said["error"]["data"]["field"], "query_params.player_id", "{said}");
            assert_eq!(said["error"]["data"]["error_name"], name, "{said}");
        }
    }
    let clerk = Player::new(&house, Way::Plain).await;
    let ask = |player: &str, number: Value| json!({ "player_id": player, "move": number });
    clerk.call("validate_move", ask("P77", json!(3))).await.no().says("player_id: nobody");
    let good = clerk.call("validate_move", ask("P01", json!(3))).await.ok().facts;
    assert_eq!(good["valid"], true);
    for bad in [json!(0), json!(6), json!("3"), json!(2.9)] {
        let judged = clerk.call("validate_move", ask("P01", bad)).await.ok().facts;
        assert_eq!(judged["valid"], false, "{judged}");
        assert!(judged["reason"].as_str().unwrap().starts_with("move must be"), "{judged}");
    }
}
