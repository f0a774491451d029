//! Worlds, choices and people in the dungeon, through the tools and on its page.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    delver::{Delver, Luck, actions},
    house::House,
    pages::{get, post, text},
    players::{Player, Way},
};

fn is_wrong(answer: &Value) -> bool {
    answer["error"]["code"] == "INVALID_ARGUMENT"
}

#[tokio::test]
async fn whoever_begins_chooses_the_world_the_difficulty_and_a_name() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Legacy).await;
    let delver = Delver::new(&player, "chosen");
    let chosen = json!({ "theme": "Mine", "difficulty": "GENTLE", "hero": " Mira ", "seed": 3 });
    let first = delver.call("get_current_room", chosen.clone()).await.ok().facts;
    assert!(text(&first["fact"]).contains("is the boss here"), "{first}");
    assert!(first["mood"].is_string());
    let stats = delver.stats().await;
    assert_eq!((&stats["name"], &stats["maxHp"]), (&json!("Mira"), &json!(30)));
    // With the seed they make the same dungeon again.
    assert_eq!((&stats["theme"], &stats["difficulty"]), (&json!("mine"), &json!("gentle")));
    player.call("listGames", json!({})).await.ok().says(" room of a mine, gentle");
    let verified = house.neighbour().args(["verify", text(&stats["gameId"])]).output().unwrap();
    let said = String::from_utf8(verified.stdout).unwrap();
    let setup = "set-up: seeded true, theme mine, difficulty gentle, hero Mira\n";
    assert!(said.contains(setup), "{said}");
    // The first call, made again.
    let again = delver.call("get_current_room", chosen).await.ok().facts;
    assert_eq!(again["description"], first["description"]);
    for late in [
        json!({ "theme": "crypt" }),
        json!({ "difficulty": "grim" }),
        json!({ "hero": "Tom" }),
        json!({ "seed": 4 }),
    ] {
        let answer = delver.call("get_current_room", late.clone()).await.no();
        assert!(is_wrong(&answer.facts), "{late}");
        answer.says("has its dungeon already");
    }
    let page = get(&house, &format!("/api/dungeons/{}", text(&stats["gameId"]))).await;
    assert_eq!((&page["theme"], &page["difficulty"]), (&json!("mine"), &json!("gentle")));
}

#[tokio::test]
async fn what_cannot_be_chosen_is_refused_and_begins_nothing() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let delver = Delver::new(&player, "odd wishes");
    for (wish, said) in [
        (json!({ "theme": "castle" }), "is no theme"),
        (json!({ "difficulty": 3 }), "the difficulty must be a text"),
        (json!({ "hero": "x".repeat(25) }), "longer than 24 characters"),
        (json!({ "hero": "x".repeat(200) }), "longer than 24 characters"),
        (json!({ "seed": "x".repeat(129) }), "longer than 128 characters"),
        (json!({ "seed": -1 }), "must be a whole number"),
    ] {
        let answer = delver.call("get_current_room", wish).await.no();
        assert!(is_wrong(&answer.facts) && answer.text.to_lowercase().contains(said), "{answer:?}");
    }
    let answer = delver.call("get_current_room", json!({ "theme": "castle" })).await.facts;
    let known = json!(["crypt", "mine", "temple"]);
    assert_eq!(answer["error"]["details"]["available"], known);
    assert_eq!(get(&house, "/api/games?kind=dungeon&status=all").await, json!([]));
}

#[tokio::test]
async fn to_look_at_a_thing_costs_nothing_and_tells_its_ways() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let delver = Delver::new(&player, "the sluice");
    delver.call("get_current_room", json!({ "theme": "temple", "seed": 114 })).await.ok();
    for deed in ["move_to_room North", "combat_action Attack", "combat_action Attack"] {
        delver.act(deed).await;
    }
    let (room, stats) = (delver.room().await, delver.stats().await);
    for look in ["Wheel", "Sluice", text(&room["features"][0]["id"])] {
        let told = delver.call("inspect_item", json!({ "itemId": look })).await.ok().facts;
        assert!(text(&told["message"]).starts_with("A sluice roars"), "{told}");
        let ways = json!([
            { "id": "Wheel", "what": "3 HP: what the water hid, a hidden way", "available": true },
            { "id": "Chain", "what": "4 to 6: 40 gold; else a Mud Leech", "available": true },
        ]);
        assert_eq!((&told["feature"], &told["offers"]), (&json!("Sluice"), &ways));
        assert_eq!((delver.room().await, delver.stats().await), (room.clone(), stats.clone()));
    }
    let wheel = actions(&room).into_iter().find(|action| action.ends_with(" Wheel"));
    let wheel = wheel.expect("the ways are listed");
    assert_eq!(wheel, format!("inspect_item {} Wheel", text(&room["features"][0]["id"])));
    let taken = delver.act(&wheel).await;
    assert_eq!((&taken["hpLost"], &taken["feature"]), (&json!(3), &json!("Sluice")), "{taken}");
    delver.call("inspect_item", json!({ "itemId": "Sluice" })).await.says("neither here nor");
    let item = json!({ "itemId": "Rusty Dagger", "choice": "Hilt" });
    delver.call("inspect_item", item).await.no().says("nothing to choose");
}

#[tokio::test]
async fn a_game_id_and_a_pass_of_another_game_are_no_conversations() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let id = text(&Delver::new(&player, "mine").stats().await["gameId"]).to_owned();
    let pass = player.create(json!({ "type": "agent" })).await.pass();
    for wrong in [&id, &pass] {
        let told = player.call("get_current_room", json!({ "conversationId": wrong })).await.no();
        assert_eq!(told.facts["error"]["code"], "CONVERSATION_NOT_FOUND");
        told.says("listGames");
    }
    // Any other text begins a dungeon, though it looks like an id.
    let free = if id == "deadbeef" { "deadbeee" } else { "deadbeef" };
    player.call("get_current_room", json!({ "conversationId": free })).await.ok();
}

#[tokio::test]
async fn whoever_flees_is_told_where_to() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    for number in 0..40 {
        let delver = Delver::with_seed(&player, &format!("flight {number}"), number).await;
        let mut luck = Luck(number);
        let mut last = delver.room().await;
        for _ in 0..60 {
            let all = actions(&last);
            let flee = all.iter().find(|action| *action == "combat_action Flee");
            let walks: Vec<_> = all.iter().filter(|a| a.starts_with("move_to_room")).collect();
            let Some(action) = flee.or(luck.pick(&walks).copied()) else { break };
            last = delver.act(action).await;
            if last["fled"] == true {
                assert_eq!(last["newRoom"]["roomId"], last["newRoomId"], "{last}");
                assert_eq!(delver.room().await["roomId"], last["newRoomId"]);
                assert!(!text(&last["message"]).contains("room-"), "{last}");
                return;
            }
        }
    }
    panic!("nobody has fled");
}

/// Directions are spelled as in the exits, and no sentence holds an id.
#[tokio::test]
async fn one_spelling_and_no_ids_in_sentences() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let ways = ["North", "South", "East", "West"];
    let ids = ["room-", "item-", "monster-", "npc-", "feature-", "save-"];
    let mut told = 0;
    for seed in 0..8 {
        let delver = Delver::with_seed(&player, &format!("spelling {seed}"), seed).await;
        let mut luck = Luck(seed);
        let mut last = delver.room().await;
        for _ in 0..50 {
            for direction in ways {
                let refused = delver.call("move_to_room", json!({ "direction": direction })).await;
                if refused.facts["success"] == true {
                    last = refused.facts;
                    break;
                }
                let offered = refused.facts["error"]["details"]["available"].as_array();
                for way in offered.into_iter().flatten().map(text) {
                    let known = ways.contains(&way)
                        || ["Attack", "Defend", "Flee", "UseItem"].contains(&way);
                    assert!(known, "{}", refused.text);
                }
            }
            let Some(action) = luck.pick(&actions(&last)).cloned() else { break };
            last = delver.act(&action).await;
            let sentences = [&last["message"], &last["newRoom"]["description"]];
            for sentence in sentences.into_iter().filter_map(Value::as_str) {
                assert!(!ids.iter().any(|id| sentence.contains(id)), "{action}: {sentence}");
                told += 1;
            }
        }
    }
    assert!(told > 300, "{told} sentences");
}

#[tokio::test]
async fn a_person_plays_on_the_page_with_the_secret_and_nobody_without() {
    let house = House::open().await;
    let setup = json!({ "theme": "temple", "difficulty": "gentle" });
    let wish = json!({ "game": "dungeon", "setup": setup, "name": "Ann" });
    let (status, seat) = post(&house, "/api/games", "", wish).await;
    assert_eq!(status, StatusCode::CREATED, "{seat}");
    let (id, pass) = (text(&seat["game_id"]), text(&seat["pass"]));
    let (page, play) = (format!("/api/dungeons/{id}"), format!("/api/games/{id}/play"));
    let before = get(&house, &page).await;
    assert_eq!((&before["stats"]["name"], &before["theme"]), (&json!("Ann"), &json!("temple")));
    let deed = json!({ "move": before["actions"][0], "turn": before["turn"] });
    for stranger in ["", "ffffffff-0000000000000000"] {
        let (status, told) = post(&house, &play, stranger, deed.clone()).await;
        assert!(status.is_client_error(), "{told}");
    }
    // Nobody fights where one comes in: that is no reason.
    let (status, told) = post(&house, &play, pass, json!({ "move": "go up", "turn": 1 })).await;
    assert_eq!(status, StatusCode::CONFLICT, "{told}");
    assert!(text(&told["error"]).contains("is not a direction"), "{told}");
    assert_eq!(get(&house, &page).await, before, "nothing has happened");
    let (status, after) = post(&house, &play, pass, deed.clone()).await;
    assert_eq!(status, StatusCode::OK, "{after}");
    assert_eq!(after["log"].as_array().unwrap().len(), 1);
    // The same deed for the same turn happens once, and is told as it was then.
    let next = json!({ "move": after["actions"][0], "turn": after["turn"] });
    let (_, later) = post(&house, &play, pass, next).await;
    assert_eq!(later["turn"], 3, "{later}");
    assert_eq!(post(&house, &play, pass, deed).await.1, after);
    // What was stays to be looked at.
    let then = get(&house, &format!("{page}/turns/0")).await;
    assert_eq!((&then["room"], &then["turn"]), (&before["room"], &json!(0)));
    assert_eq!(get(&house, &format!("{page}/turns/1")).await["stats"], after["stats"]);
    // It does not draw itself, and nobody is told of an empty board.
    let plainly = get(&house, &format!("/api/games/{id}/turns/0")).await;
    assert!(text(&plainly["error"]).contains("it is dungeon"), "{plainly}");
    // The pass opens it for an assistant, too, and it is one of the browser's own games.
    let player = Player::new(&house, Way::Plain).await;
    let room = Delver::new(&player, pass).room().await;
    assert_eq!(room["roomId"], later["room"]["roomId"]);
    let (_, mine) = post(&house, "/api/games/mine", "", json!({ "passes": [pass] })).await;
    assert_eq!(mine[0]["game_id"], seat["game_id"]);
}

#[tokio::test]
async fn who_plays_by_tools_gets_a_link_to_play_on_the_page() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let delver = Delver::with_seed(&player, "by tools", 2).await;
    let stats = delver.stats().await;
    let (page, pass) = text(&stats["playPage"]).split_once('#').expect("a secret behind the #");
    assert_eq!(page, text(&stats["page"]));
    let id = text(&stats["gameId"]);
    let state = get(&house, &format!("/api/dungeons/{id}")).await;
    let deed = json!({ "move": state["actions"][0], "turn": state["turn"] });
    let (status, _) = post(&house, &format!("/api/games/{id}/play"), pass, deed).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(delver.stats().await["turn"], 1);
}

#[tokio::test]
async fn who_plays_again_gets_another_dungeon_of_the_sort() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let delver = Delver::new(&player, "again");
    let chosen = json!({ "theme": "mine", "difficulty": "grim", "hero": "Mira", "seed": 11 });
    let mut last = delver.call("get_current_room", chosen).await.ok().facts;
    let (room, map) = (last.clone(), delver.call("get_map", json!({})).await.facts);
    let mut luck = Luck(11);
    while last["gameStatus"] != "Dead" {
        let actions = actions(&last);
        let careless = |action: &&String| action.starts_with("combat_action Attack");
        let action = actions.iter().find(careless).or_else(|| luck.pick(&actions));
        last = delver.act(action.expect("something can be done")).await;
    }
    let stats = delver.stats().await;
    // The stats at the end say how to make the same dungeon.
    let told = ["seed", "theme", "difficulty"].map(|name| (name, stats[name].clone()));
    let same = Delver::new(&player, "the same");
    let told = json!(std::collections::BTreeMap::from(told));
    assert_eq!(same.call("get_current_room", told).await.ok().facts, room);
    assert_eq!(same.call("get_map", json!({})).await.facts, map);
    let (_, pass) = text(&stats["playPage"]).split_once('#').expect("a secret behind the #");
    let id = text(&stats["gameId"]);
    let before = get(&house, &format!("/api/dungeons/{id}")).await;
    assert_eq!(before["seed_chosen"], true);
    let again = format!("/api/games/{id}/rematch");
    let (status, seat) = post(&house, &again, pass, json!({})).await;
    assert_eq!(status, StatusCode::CREATED, "{seat}");
    let after = get(&house, &format!("/api/dungeons/{}", text(&seat["game_id"]))).await;
    assert_eq!((&after["theme"], &after["difficulty"]), (&json!("mine"), &json!("grim")));
    assert_eq!((&after["stats"]["name"], &after["seed_chosen"]), (&json!("Mira"), &json!(false)));
    assert_ne!(after["seed_hash"], before["seed_hash"]);
}
