//! Who may do what: passes, connections, strangers, retries.

use serde_json::json;

use crate::{
    house::House,
    players::{Player, WAYS, Way},
};

#[tokio::test]
async fn clients_written_to_the_protocol_play_with_the_bare_id() {
    for way in [Way::Stdio, Way::Legacy] {
        let house = House::open().await;
        let (white, black) = (Player::new(&house, way).await, Player::new(&house, way).await);
        let id = white.create(json!({ "type": "agent" })).await.id();
        black.join(&id).await.ok();
        white.play(&id, "e2e4").await.ok();
        black.wait_for_turn(&id).await.says("It is your turn.");
        black.play(&id, "c7c5").await.ok();
        white.wait_for_turn(&id).await.says("(c5)");
    }
}

#[tokio::test]
async fn a_call_that_comes_alone_needs_its_pass() {
    for way in [Way::Modern, Way::Plain] {
        let house = House::open().await;
        let agent = Player::new(&house, way).await;
        let created = agent.create(json!({ "type": "computer" })).await;
        agent.play(&created.id(), "e2e4").await.no().says("no seat in game").says("pass");
        agent.see(&created.id()).await.ok().says("White");
        agent.play(&created.pass(), "e2e4").await.ok();
    }
}

#[tokio::test]
async fn nobody_moves_for_somebody_else() {
    let house = House::open().await;
    let white = Player::new(&house, Way::Legacy).await;
    let black = Player::new(&house, Way::Legacy).await;
    let created = white.create(json!({ "type": "agent" })).await;
    let (id, w) = (created.id(), created.pass());
    let b = black.join(&id).await.ok().pass();
    white.play(&w, "e2e4").await.ok();
    white.play(&w, "e7e5").await.no().says("Not your turn").says("waitForNextTurn");
    white.play(&id, "e7e5").await.no().says("Not your turn");

    for way in WAYS {
        let third = Player::new(&house, way).await;
        third.play(&id, "e7e5").await.no().says("no seat in game");
        third.act(&id, "resign").await.no().says("no seat in game");
        third.wait(&id).await.no().says("getGame");
        third.join(&id).await.no().says("is full");
        third.join(&w).await.ok().says("- You are: White").says("You had this seat already");
        let guess = format!("{id}-0123456789abcdef");
        third.play(&guess, "e7e5").await.no().says("that pass opens no seat");
        let seen = third.see(&id).await.ok();
        for secret in [&w, &b] {
            assert!(!seen.text.contains(secret.as_str()));
            assert!(!seen.facts.to_string().contains(secret.as_str()));
        }
    }
    black.play(&b, "e7e5").await.ok();
}

#[tokio::test]
async fn whoever_joins_twice_keeps_the_seat() {
    let house = House::open().await;
    let white = Player::new(&house, Way::Legacy).await;
    let created = white.create(json!({ "type": "agent" })).await;
    // The creator does not become Black in a game of its own.
    let again = white.join(&created.id()).await.ok().says("You are: White");
    assert_eq!(again.pass(), created.pass());
    let black = Player::new(&house, Way::Legacy).await;
    let joined = black.join(&created.id()).await.ok();
    let again = black.join(&created.id()).await.ok().says("You are: Black");
    assert_eq!(again.pass(), joined.pass());
}

#[tokio::test]
async fn of_many_who_join_at_once_one_sits_down() {
    let house = House::open().await;
    let white = Player::new(&house, Way::Plain).await;
    let id = white.create(json!({ "type": "agent" })).await.id();
    let mut players = Vec::new();
    for n in 0..12 {
        players.push(Player::new(&house, WAYS[n % WAYS.len()]).await);
    }
    let mut joining = tokio::task::JoinSet::new();
    for player in players {
        let id = id.clone();
        joining.spawn(async move { !player.join(&id).await.refused });
    }
    let sat = joining.join_all().await.into_iter().filter(|sat| *sat).count();
    assert_eq!(sat, 1);
}

#[tokio::test]
async fn a_retry_gets_the_same_answer_and_plays_nothing_twice() {
    let mut house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let pass = agent.create(json!({ "type": "computer", "difficulty": 1 })).await.pass();
    let first = agent.play(&pass, "Nf3").await.ok();
    assert_eq!(agent.play(&pass, "Nf3").await, first);
    agent.wait_for_turn(&pass).await;
    // Also when the opponent has answered already, and under the move's other name.
    assert_eq!(agent.play(&pass, "g1f3").await, first);
    assert_eq!(agent.see(&pass).await.facts["history"].as_array().map(Vec::len), Some(2));

    house.crash_and_restart().await;
    let agent = Player::new(&house, Way::Plain).await;
    assert_eq!(agent.play(&pass, "Nf3").await, first, "also after a restart");

    agent.act(&pass, "resign").await.ok();
    let resigned = agent.act(&pass, "resign").await.ok().says("Resignation");
    assert_eq!(agent.act(&pass, "resign").await, resigned);
    agent.play(&pass, "e2e4").await.no().says("The game is over");
}

#[tokio::test]
async fn a_numbered_turn_is_played_once() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let pass = agent.create(json!({ "type": "computer", "difficulty": 1 })).await.pass();
    for mv in ["e2e4", "d2d4"] {
        agent.play(&pass, mv).await.ok();
        agent.wait_for_turn(&pass).await;
    }
    let takeback = json!({ "game_id": pass, "action": "takeback", "turn": 5 });
    let first = agent.call("gameAction", takeback.clone()).await.ok().says("granted");
    assert_eq!(agent.call("gameAction", takeback).await, first, "one move is taken back, not two");
    let late = json!({ "game_id": pass, "move": "d2d4", "turn": 5 });
    agent.call("finishTurn", late).await.no().says("turn 6 is");
    let early = json!({ "game_id": pass, "move": "d2d4", "turn": 7 });
    agent.call("finishTurn", early).await.no().says("Nothing was played");
    let now = json!({ "game_id": pass, "move": "d2d4", "turn": 6 });
    agent.call("finishTurn", now).await.ok();
}

#[tokio::test]
async fn passes_are_neither_listed_nor_logged_nor_kept() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Legacy).await;
    let created = agent.create(json!({ "type": "human", "color": "black" })).await;
    let link = created.link.clone().expect("a link");
    let code = link.split("#open=").last().expect("a code").to_owned();
    let board = created.open().await.expect("a seat");
    let passes = [created.pass(), board].map(|pass| pass[9..].to_owned());
    let secrets = [&passes[0], &passes[1], &code];
    let game = format!("/api/games/{}", created.id());
    for page in ["/api/games", &game] {
        let body = reqwest::get(house.page(page)).await.unwrap().text().await.unwrap();
        assert!(body.contains(&created.id()));
        assert!(secrets.iter().all(|secret| !body.contains(secret.as_str())), "{page}");
    }
    let kept = house.stored_bytes();
    assert!(secrets.iter().all(|secret| !kept.windows(16).any(|at| at == secret.as_bytes())));
}
