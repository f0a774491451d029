//! The computer as a player.

use serde_json::json;

use crate::{
    house::{House, until},
    players::{Player, Way},
};

#[tokio::test]
async fn what_the_computer_plays_follows_from_its_luck_and_from_nothing_else() {
    let mut house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let openings = [("othello", 1, "d3"), ("connect-four", 2, "4"), ("chess", 10, "e2e4")];
    let mut groups: [Vec<String>; 3] = Default::default();
    for group in &mut groups {
        for (game, level, _) in openings {
            let ask = json!({ "type": "computer", "game": game, "difficulty": level });
            group.push(agent.create(ask).await.pass());
        }
    }
    house.kill();
    // All have one luck, and each another seed.
    house.ask("update games set luck = 7, seed = id returning 'done'");
    house.restart().await;
    let play = async |house: &House, group: &[String]| {
        let agent = Player::new(house, Way::Plain).await;
        for (pass, (_, _, first)) in group.iter().zip(openings) {
            agent.play(pass, first).await.ok();
        }
    };
    let replies = async |house: &House, group: &[String]| {
        let agent = Player::new(house, Way::Plain).await;
        let mut replies = Vec::new();
        for pass in group {
            agent.wait_for_turn(pass).await;
            replies.push(house.turns(&pass[..8])[1].clone());
        }
        replies
    };
    let [calm, crashed, crowded] = &groups;
    play(&house, calm).await;
    let expected = replies(&house, calm).await;
    // Killed in the middle of a thought, and with another number of thinkers after that.
    play(&house, crashed).await;
    house.kill();
    assert_eq!(house.turns(&crashed[2][..8]).len(), 1, "it was still thinking");
    house.restart_with(&["--thinkers", "3"]).await;
    assert_eq!(replies(&house, crashed).await, expected);
    // While it thinks about 64 other games.
    let agent = Player::new(&house, Way::Plain).await;
    for _ in 0..64 {
        agent.create(json!({ "type": "computer", "difficulty": 4, "color": "black" })).await;
    }
    play(&house, crowded).await;
    assert_eq!(replies(&house, crowded).await, expected);
}

#[tokio::test]
async fn a_takeback_while_it_thinks_stops_it() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for _ in 0..5 {
        let pass = agent.create(json!({ "type": "computer", "difficulty": 10 })).await.pass();
        agent.play(&pass, "e2e4").await.ok();
        let back = agent.act(&pass, "takeback").await.ok();
        agent.play(&pass, "a2a3").await.ok();
        let turn = agent.wait_for_turn(&pass).await;
        // Whatever it was doing, it answers the position on the board.
        assert_eq!(turn.facts["history"][0], "a3", "{} then {}", back.text, turn.text);
        assert_eq!(turn.facts["history"].as_array().map(Vec::len), Some(2));
        agent.act(&pass, "resign").await.ok();
    }
}

#[tokio::test]
async fn it_answers_a_draw_offer_at_once() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    // It is a queen ahead.
    let winning = json!({ "type": "computer", "fen": "k2q4/8/8/8/8/8/8/K7 w - - 0 1" });
    let pass = agent.create(winning).await.pass();
    agent.act(&pass, "offerDraw").await.ok().says("You offer a draw.");
    let answer = agent.wait_for_turn(&pass).await.says("It is your turn.");
    assert!(answer.facts.get("draw_offered_by").is_none(), "it has declined");
    answer.says("**Draw offer**: declined by Black: it stands better");
    // Asked again at once, it need not think.
    agent.act(&pass, "offerDraw").await.ok();
    agent.wait_for_turn(&pass).await.says("declined by Black: a draw was offered and declined");
    // It is a queen behind.
    let losing = json!({ "type": "computer", "fen": "k7/8/8/8/8/8/8/K2Q4 w - - 0 1" });
    let pass = agent.create(losing).await.pass();
    agent.act(&pass, "offerDraw").await.ok();
    agent.wait_for_turn(&pass).await.says("Game Over: Draw by agreement");
}

#[tokio::test]
async fn a_declined_draw_is_told_on_every_board_and_not_too_early() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for board in ["table", "letters", "fen"] {
        let game = json!({ "type": "computer", "difficulty": 1, "board": board });
        let pass = agent.create(game).await.pass();
        let told = "**Draw offer**: declined by Black: there is still something to play for\n";
        let fact = "Black declines the draw: there is still something to play for.";
        // The computer answers in the same call.
        for answer in [agent.act(&pass, "offerDraw").await.ok(), agent.wait(&pass).await.ok()] {
            assert_eq!(answer.says(told).facts["draw_declined"], fact);
        }
        // Who plays on without having asked hears it with the reply.
        let play = json!({ "game_id": pass, "move": "e4", "wait": true });
        let answer = agent.call("finishTurn", play).await.ok().says(told);
        assert_eq!(answer.facts["draw_declined"], fact);
        let moved = agent.play(&pass, "a3").await.ok();
        assert_eq!(moved.facts.get("draw_declined"), None);
        assert!(!moved.text.contains("declined"), "{}", moved.text);
    }
}

#[tokio::test]
async fn it_gives_up_when_there_is_no_hope() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let lost = "k7/8/8/8/8/8/8/K2Q3R w - - 0 1";
    for (level, end) in [(4, "Game Over: White wins by Resignation"), (3, "It is your turn.")] {
        let game = json!({ "type": "computer", "difficulty": level, "fen": lost });
        let pass = agent.create(game).await.pass();
        agent.play(&pass, "d1d2").await.ok();
        agent.wait_for_turn(&pass).await.says(end);
    }
}

#[tokio::test]
async fn it_offers_and_claims_draws_that_are_there() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let even = json!({ "type": "computer", "fen": "8/8/8/3k4/8/3K4/R7/7r w - - 0 60" });
    let pass = agent.create(even).await.pass();
    agent.play(&pass, "a2b2").await.ok();
    let turn = agent.wait_for_turn(&pass).await.says("It is your turn.");
    turn.says("Your opponent offers a draw.");
    agent.act(&pass, "acceptDraw").await.ok().says("Game Over: Draw by agreement");
    // Ninety-nine half-moves without a capture: the next one is named, and the draw is claimed.
    let old = json!({ "type": "computer", "fen": "8/8/8/3k4/8/3K4/R7/7r w - - 98 90" });
    let pass = agent.create(old).await.pass();
    agent.play(&pass, "a2b2").await.ok();
    agent.wait_for_turn(&pass).await.says("Game Over: Draw by the fifty-move rule");
}

#[tokio::test]
async fn after_a_crash_it_goes_on_by_itself() {
    let mut house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let mut passes = Vec::new();
    for _ in 0..8 {
        let game = json!({ "type": "computer", "difficulty": 10, "color": "black" });
        passes.push(agent.create(game).await.pass());
    }
    house.crash_and_restart().await;
    let agent = Player::new(&house, Way::Plain).await;
    // Nobody asks for the games; a list of them does not set the computer going either.
    for pass in &passes {
        until(async || {
            let games = reqwest::get(house.page("/api/games")).await.unwrap();
            let games: serde_json::Value = games.json().await.unwrap();
            let game = games.as_array().unwrap().iter().find(|g| g["game_id"] == pass[..8]);
            game.expect("the game is listed")["moves"] == 1
        })
        .await;
        agent.wait(pass).await.ok().says("It is your turn.");
    }
}

#[tokio::test]
async fn others_are_answered_while_it_thinks() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for _ in 0..6 {
        agent.create(json!({ "type": "computer", "difficulty": 10, "color": "black" })).await;
    }
    let created = agent.create(json!({ "type": "agent" })).await;
    agent.play(&created.pass(), "e2e4").await.ok();
    agent.see(&created.id()).await.ok().says("1. e4");
}
