//! The first evening: somebody with any host plays chess and a dungeon, and goes on tomorrow in
//! another chat.

use std::{net::TcpListener, process::Command};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    house::{AGON, House},
    players::{Player, Way},
};

/// The program as a host starts it: no flags, a home of its own.
async fn chat(home: &TempDir) -> Player {
    let mut command = Command::new(AGON);
    command
        .env("HOME", home.path())
        .env("XDG_DATA_HOME", home.path().join("data"))
        .env("MCP_DISABLE_BROWSER", "1")
        .env_remove("AGON_STORE")
        .env_remove("AGON_LISTEN");
    Player::of(command).await
}

async fn play_at_the_board(link: &str, pass: &str, mv: &str) -> Value {
    let page = link.split('#').next().expect("an address").replace("/game/", "/api/games/");
    let post = reqwest::Client::new().post(format!("{page}/play")).bearer_auth(pass);
    let played = post.json(&json!({ "move": mv })).send().await.expect("the pages answer");
    assert!(played.status().is_success(), "{}", played.text().await.expect("a text"));
    played.json().await.expect("JSON")
}

#[tokio::test]
async fn a_person_types_and_plays_and_goes_on_tomorrow() {
    let home = tempfile::tempdir().expect("a folder");
    // Whether by us or by somebody else, the usual port is taken.
    let _taken = TcpListener::bind("127.0.0.1:8000");
    let agent = chat(&home).await;
    let created = agent.create(json!({ "type": "human", "color": "black" })).await;
    let (id, pass) = (created.id(), created.pass());
    let link = created.link.clone().expect("the pages are somewhere else, and the link says where");
    assert!(!link.contains(":8000/"), "{link}");

    for (white, black) in [("e4", "e5"), ("Nf3", "Nc6"), ("Bb5", "a6")] {
        let typed = json!({ "game_id": pass, "move": white, "by": "human" });
        agent.call("finishTurn", typed).await.ok().says("It is your turn.");
        agent.play(&pass, black).await.ok().says("by=\"human\"");
    }
    let seat = created.open().await.expect("the person is seated");
    for (white, black) in [("Bxc6", "dxc6"), ("O-O", "f6")] {
        let (waited, played) =
            tokio::join!(agent.wait_for_turn(&pass), play_at_the_board(&link, &seat, white));
        assert_eq!(played["you"], "white");
        waited.says("It is your turn.");
        agent.play(&pass, black).await.ok();
    }
    drop(agent);

    let agent = chat(&home).await;
    let found = agent.call("listGames", json!({})).await.ok();
    let listed = &found.facts["games"][0];
    assert_eq!((listed["game_id"].as_str(), listed["you"].as_str()), (Some(&*id), Some("black")));
    let pass = listed["pass"].as_str().expect("the seat can be taken up again").to_owned();
    let typed = json!({ "game_id": pass, "move": "d4", "by": "human" });
    agent.call("finishTurn", typed).await.ok().says("It is your turn.");
    agent.play(&pass, "exd4").await.ok();
    let pgn = agent.see(&pass).await.ok().fact("pgn");
    assert_eq!(pgn.matches("relayed by the agent").count(), 4, "{pgn}");
}

#[tokio::test]
async fn a_dungeon_is_found_again_tomorrow() {
    let home = tempfile::tempdir().expect("a folder");
    let agent = chat(&home).await;
    let begun = json!({ "conversationId": "a-secret-of-this-chat", "seed": "evening" });
    let room = agent.call("get_current_room", begun).await.ok();
    let direction = room.facts["exits"][0]["direction"].as_str().expect("an exit").to_owned();
    let go = json!({ "conversationId": "a-secret-of-this-chat", "direction": direction });
    let there = agent.call("move_to_room", go).await.ok().facts["newRoomId"].clone();
    drop(agent);

    let agent = chat(&home).await;
    let found = agent.call("listGames", json!({})).await.ok().says("Adventurer, level 1");
    let listed = &found.facts["games"][0];
    assert_eq!(listed["game"], "dungeon");
    assert!(!found.facts.to_string().contains("a-secret-of-this-chat"));
    let pass = listed["pass"].as_str().expect("a pass").to_owned();
    let room = agent.call("get_current_room", json!({ "conversationId": pass })).await.ok();
    assert_eq!(room.facts["roomId"], there);
    assert_eq!(room.facts["turn"], 1);
    let rest = agent.call("save_game", json!({ "conversationId": pass, "name": "here" })).await;
    assert_eq!(rest.ok().facts["success"], true);
    // What looks like a pass and opens nothing begins no dungeon.
    let (id, _) = pass.split_once('-').expect("a pass");
    let wrong = json!({ "conversationId": format!("{id}-0123456789abcdef") });
    let refused = agent.call("get_current_room", wrong).await.no();
    assert_eq!(refused.facts["error"]["code"], "CONVERSATION_NOT_FOUND");
}

#[tokio::test]
async fn whoever_comes_back_after_a_long_pause_is_told_what_went_before() {
    let house = House::in_a_file().await;
    let agent = Player::new(&house, Way::Plain).await;
    let room = json!({ "conversationId": "long ago", "theme": "temple", "seed": 114 });
    agent.call("get_current_room", room.clone()).await.ok();
    for (tool, mut deed) in [
        ("move_to_room", json!({ "direction": "North" })),
        ("combat_action", json!({ "action": "Attack" })),
        ("combat_action", json!({ "action": "Attack" })),
        ("inspect_item", json!({ "itemId": "Sluice", "choice": "Wheel" })),
    ] {
        deed["conversationId"] = json!("long ago");
        agent.call(tool, deed).await.ok();
    }
    let now = agent.call("get_current_room", room.clone()).await.ok();
    assert_eq!(now.facts.get("recap"), None);
    house.wind_back(60 * 60 * 1000);
    let mut house = house;
    house.crash_and_restart().await;
    let later = agent.call("get_current_room", room).await.ok();
    let recap = later.facts["recap"].as_array().expect("a recap").clone();
    assert!((1..=5).contains(&recap.len()), "{recap:?}");
    assert!(recap[0].as_str().expect("text").starts_with("Adventurer, level 1"), "{recap:?}");
    let is_the_choice = |line: &Value| line.as_str().expect("text").starts_with("Turn 4: Sluice: ");
    assert!(recap.iter().any(is_the_choice), "{recap:?}");
}

#[tokio::test]
async fn a_host_with_a_key_goes_on_in_every_chat_and_after_a_restart() {
    let mut house = House::open().await;
    for (n, way) in [Way::Legacy, Way::Modern, Way::Plain].into_iter().enumerate() {
        let url = format!("{}?key=a-random-word-of-this-host-{n}", house.url());
        let today = Player::at(&url, way).await;
        let alone = today.create(json!({ "type": "computer", "color": "black" })).await;
        let agents = today.create(json!({ "type": "agent" })).await;
        Player::new(&house, Way::Plain).await.join(&agents.id()).await.ok();
        let dungeon = json!({ "conversationId": format!("of this chat, {n}"), "seed": 7 });
        let room = today.call("get_current_room", dungeon).await.ok();
        house.crash_and_restart().await;

        let tomorrow = Player::at(&url, way).await;
        let list = tomorrow.call("listGames", json!({})).await.ok();
        let games = list.facts["games"].as_array().expect("a list").iter();
        let own: Vec<_> = games.filter(|game| game.get("you").is_some()).collect();
        assert_eq!(own.len(), 3, "{way:?}: {}", list.facts);
        for game in own {
            match game["pass"].as_str() {
                None => {
                    assert_eq!(game["game_id"], agents.id(), "where agents meet, none is given")
                }
                Some(pass) if game["game"] == "dungeon" => {
                    let on = json!({ "conversationId": pass });
                    let on = tomorrow.call("get_current_room", on).await.ok();
                    assert_eq!(on.facts["roomId"], room.facts["roomId"]);
                }
                Some(pass) => assert_eq!(pass, alone.pass()),
            }
        }
        // A game's id alone speaks for its own seat.
        tomorrow.wait_for_turn(&alone.id()).await;
        tomorrow.play(&agents.id(), "e2e4").await.ok();
        // Nobody else's chat is told any of it.
        for url in [house.url(), format!("{}?key=a-random-word-of-another-host", house.url())] {
            let other = Player::at(&url, way).await;
            let list = other.call("listGames", json!({})).await.ok().facts.to_string();
            assert!(list.contains(&alone.id()) && !list.contains("\"pass\""), "{way:?}: {list}");
            other.play(&agents.id(), "d2d4").await.no().says("send your pass");
        }
    }
    let short = format!("{}?key=short", house.url());
    let refused = reqwest::Client::new().post(short).json(&json!({})).send().await.unwrap();
    assert_eq!(refused.status(), 400);
    let why = refused.text().await.unwrap();
    assert!(why.contains("at least 22") && !why.contains("short\""), "{why}");
}
