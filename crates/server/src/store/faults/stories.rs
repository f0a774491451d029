//! A game of chess, an evening in the dungeon and a league, in which every call of the store fails
//! once: whatever happens, callers are told the truth, and the same call again has one effect.

use std::{collections::BTreeSet, future::ready, time::Duration};

use futures_util::{StreamExt, stream};
use rules::league::{LeagueKind, Setup};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{Fault, house::House};

/// So many stories are told at once.
const AT_ONCE: usize = 32;
/// Long enough for any of them.
const AMPLE: Duration = Duration::from_secs(600);

/// Tells a story again and again, until it has met every fault at every call.
async fn meet_every_fault(story: impl AsyncFn(&House, Fault)) {
    meet(&Fault::ALL, story).await;
}

async fn meet(faults: &[Fault], story: impl AsyncFn(&House, Fault)) {
    for &fault in faults {
        let tell = async |left| {
            let house = House::open(fault, left).await;
            story(&house, fault).await;
            house.store.was_met()
        };
        let met = stream::iter(0..).map(tell).buffered(AT_ONCE).take_while(|met| ready(*met));
        let met = met.count().await;
        assert!(met > 5, "{fault:?} was met {met} times only");
    }
}

#[tokio::test]
async fn a_game_of_chess_meets_every_fault() {
    meet_every_fault(async |house, _| {
        house.arm();
        let wish = json!({ "type": "agent", "requestId": "create it" });
        let created = house.insist("createGame", wish).await;
        let (id, white) = (&created["game_id"], &created["pass"]);
        let join = json!({ "game_id": id, "requestId": "join them" });
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
        house.arm();
        let call = |key: Option<&str>| {
            let mut call = json!({ "conversationId": "evening" });
            // A caller who hangs up and has no key means another call.
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

#[tokio::test]
async fn those_who_register_meet_every_fault() {
    // A caller who hangs up without an address is a new player when it comes again.
    let faults = Fault::ALL.iter().copied().filter(|fault| *fault != Fault::Late);
    meet(&faults.collect::<Vec<_>>(), async |house, _| {
        house.arm();
        for name in ["Ann", "Bob"] {
            let wish = json!({ "player_name": name, "league_id": "cup" });
            house.insist("register_player", wish).await;
        }
        let seen = house.insist("get_league", json!({ "league_id": "cup" })).await;
        let players = seen["players"].as_array().expect("players");
        let names: Vec<_> = players.iter().map(|player| &player["name"]).collect();
        assert_eq!(names, ["Ann", "Bob"]);
        let registered = |event: &&String| event.starts_with("{\"register\"");
        assert_eq!(house.moves("league").iter().filter(registered).count(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_league_meets_every_fault() {
    meet_every_fault(async |house, fault| {
        let setup = Setup { name: "cup".into(), game: LeagueKind::PARITY, ..Setup::default() };
        house.leagues.open_with(setup, None).await.expect("a league");
        let mut tokens = Vec::new();
        for name in ["Ann", "Bob"] {
            let wish = json!({ "player_name": name, "league_id": "cup" });
            tokens.push(house.insist("register_player", wish).await["auth_token"].clone());
        }
        // A caller who hung up hears at the second call that it has started.
        if fault != Fault::Late {
            house.arm();
        }
        let start = json!({ "league_id": "cup", "operator_token": house.leagues.operator_token() });
        house.insist_among_others("start_league", start).await;
        if fault == Fault::Late {
            house.arm();
        }
        let played = async { tokio::join!(play(house, &tokens[0]), play(house, &tokens[1])) };
        timeout(AMPLE, played).await.unwrap_or_else(|_| panic!("{fault:?}: it does not end"));
        let events = house.moves("league");
        let once: BTreeSet<_> = events.iter().collect();
        assert_eq!(once.len(), events.len(), "{events:?}");
        assert!(events.iter().any(|event| event.contains("\"forfeits\":[]")), "{events:?}");
        assert_eq!(house.moves("parity").len(), 2);
    })
    .await;
}

/// Plays whatever the league asks for, to its end.
async fn play(house: &House, token: &Value) {
    loop {
        let ask = json!({ "auth_token": token, "league_id": "cup" });
        let told = house.insist_among_others("wait_for_decision", ask).await;
        match told["status"].as_str() {
            Some("league_over") => return,
            Some("your_move") => {
                let mv = json!({ "auth_token": token, "league_id": "cup", "choice": "odd",
                    "match_id": told["match_id"] });
                house.insist_among_others("submit_move", mv).await;
            }
            _ => {}
        }
    }
}
