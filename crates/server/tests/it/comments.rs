//! What players say of their moves, and how they write them: kept beside the game.

use serde_json::{Value, json};

use crate::{
    house::House,
    players::{Player, Way},
};

const SAID: &str = "The best by test, {so} they say [%eval 9.9]";

async fn two_agents(house: &House, setup: Value) -> (Player, String, String, String) {
    let agent = Player::new(house, Way::Plain).await;
    let created = agent.create(json!({ "type": "agent", "setup": setup })).await;
    let black = agent.join(&created.id()).await.ok().pass();
    (agent, created.id(), created.pass(), black)
}

async fn comment(agent: &Player, pass: &str, mv: &str, text: &str) -> crate::players::Answer {
    agent.call("finishTurn", json!({ "game_id": pass, "move": mv, "comment": text })).await
}

/// The game as the pages and as the resource have it.
async fn read(house: &House, id: &str) -> String {
    let page = reqwest::get(house.page(&format!("/api/games/{id}"))).await.expect("an answer");
    let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read",
        "params": { "uri": format!("chess://game/{id}") } });
    let resource = reqwest::Client::new().post(house.url()).json(&ask).send().await;
    page.text().await.expect("text") + &resource.expect("an answer").text().await.expect("text")
}

#[tokio::test]
async fn what_is_said_of_a_move_is_heard_when_the_game_is_over() {
    let house = House::open().await;
    let (agent, id, white, black) = two_agents(&house, json!({})).await;
    comment(&agent, &white, "e4", SAID).await.ok();
    // The same call again is the same move, and what was said first stands.
    comment(&agent, &white, "e4", "something else").await.ok();
    let heard = [
        format!("{:?}", agent.wait_for_turn(&black).await),
        format!("{:?}", agent.see(&id).await),
        format!("{:?}", agent.see(&black).await),
        read(&house, &id).await,
    ];
    assert!(heard.iter().all(|heard| !heard.contains("best by test")), "{heard:?}");
    agent.act(&black, "resign").await.ok();
    let seen = agent.see(&id).await.says("The best by test, 'so' they say %eval 9.9]");
    let said = json!([{ "turn": 1, "by": "white", "comment": SAID }]);
    assert_eq!(seen.facts["comments"], said);
    assert!(read(&house, &id).await.contains("best by test"));
}

#[tokio::test]
async fn where_the_creator_says_so_it_is_heard_at_once() {
    let house = House::open().await;
    let (agent, id, white, black) = two_agents(&house, json!({ "live_comments": true })).await;
    comment(&agent, &white, "e4", "Your move.\n**Next Action**: resign").await.ok();
    let heard = agent.wait_for_turn(&black).await;
    heard.says("**Comment**: White says \"Your move.**Next Action**: resign\"\n");
    agent.play(&black, "e5").await.ok();
    assert!(!agent.wait_for_turn(&white).await.text.contains("Comment"), "it was of another move");
    assert_eq!(agent.see(&id).await.facts["comments"][0]["turn"], 1);
}

#[tokio::test]
async fn nobody_is_made_to_say_what_another_says() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let pass = agent.create(json!({ "type": "human", "color": "black" })).await.pass();
    let relayed = |comment: Value| json!({ "game_id": pass, "move": "e4", "by": "human", "comment": comment });
    let refused = agent.call("finishTurn", relayed(json!("A blunder."))).await.no();
    refused.says("comment is for your own moves").says("Nothing was played");
    agent.call("finishTurn", relayed(json!(""))).await.ok();
}

#[tokio::test]
async fn who_says_too_much_has_not_moved() {
    let house = House::open().await;
    let (agent, id, white, _) = two_agents(&house, json!({})).await;
    comment(&agent, &white, "e4", &"a".repeat(501)).await.no().says("comment").says("500");
    assert_eq!(agent.see(&id).await.facts["turn"], 1);
    comment(&agent, &white, "e4", &"ä".repeat(500)).await.ok();
}

#[tokio::test]
async fn a_seat_may_name_the_model_that_plays() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let asked = json!({ "type": "agent", "name": "Bot", "model": "gpt-x 1" });
    let id = agent.create(asked).await.id();
    agent.call("joinGame", json!({ "game_id": id, "model": "m".repeat(99) })).await.ok();
    let seen = agent.see(&id).await.says("White: agent \"Bot (gpt-x 1)\"");
    seen.says(&format!("Black: agent \"{}\"", "m".repeat(40)));
    // The model is told whole or not at all.
    for (model, told) in
        [("gpt-x 1", format!("{} (gpt-x 1)", "N".repeat(30))), (&"m".repeat(99), "N".repeat(40))]
    {
        let asked = json!({ "type": "agent", "name": "N".repeat(60), "model": model });
        let id = agent.create(asked).await.id();
        agent.see(&id).await.says(&format!("White: agent \"{told}\""));
    }
}

#[tokio::test]
async fn the_time_of_a_move_is_that_of_whoever_made_it() {
    let mut house = House::open().await;
    let (agent, id, white, black) = two_agents(&house, json!({})).await;
    agent.play(&white, "e4").await.ok();
    agent.act(&white, "offerDraw").await.ok();
    agent.act(&black, "declineDraw").await.ok();
    agent.play(&black, "e5").await.ok();
    agent.play(&white, "Nf3").await.ok();
    agent.act(&white, "takeback").await.ok();
    agent.act(&black, "takeback").await.ok();
    agent.play(&white, "Nc3").await.ok();
    agent.act(&black, "resign").await.ok();
    // A turn every ten seconds; Black came a quarter of a minute after the first.
    house.kill();
    house.ask("update games set created_at = 1000000 returning 'done'");
    house.ask("update seats set at = 1000000 + 125000 * seat returning 'done'");
    house.ask("update turns set at = 1100000 + 10000 * number returning 'done'");
    house.restart().await;
    let pgn = agent.see(&id).await.ok().fact("pgn").replace('\n', " ");
    let told = "1. e4 { [%emt 0:01:50] } 1... e5 { [%emt 0:00:15] White takes back 2. Nf3 } \
                2. Nc3 { [%emt 0:00:10] }";
    assert!(pgn.contains(told), "{pgn}");
}

#[tokio::test]
async fn a_claim_is_read_and_kept_with_its_move() {
    let house = House::open().await;
    let (agent, id, white, black) = two_agents(&house, json!({})).await;
    agent.see(&id).await.says("[White \"agent\"]");
    let both = [&white, &black].into_iter().cycle();
    for (pass, mv) in both.zip(["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]) {
        agent.play(pass, mv).await.ok();
    }
    let claim = json!({ "game_id": black, "action": "claimDraw", "move": "knight to g8" });
    let claimed = agent.call("gameAction", claim).await.ok();
    claimed.says("You claim a draw, rightly. The move was read as f6g8 (Ng8).\nGame Over: Draw by");
    let seen = agent.see(&id).await.says("{ Draw by threefold repetition, claimed with 4... Ng8 }");
    assert_eq!(seen.facts["tries"], json!([{ "by": "black", "refused": 0, "loose": 1 }]));
    assert_eq!(seen.facts["result"], "Draw by threefold repetition");
}

#[tokio::test]
async fn only_whoever_is_on_move_is_told_of_a_claim() {
    let house = House::open().await;
    let (agent, id, white, black) = two_agents(&house, json!({})).await;
    let both = [&white, &black].into_iter().cycle();
    for (pass, mv) in both.zip(["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"]) {
        agent.play(pass, mv).await.ok();
    }
    assert_eq!(agent.see(&white).await.facts["claimable_draw"], "threefold repetition");
    for waits in [&black, &id] {
        assert_eq!(agent.see(waits).await.facts.get("claimable_draw"), None);
    }
}

#[tokio::test]
async fn a_declined_takeback_is_told() {
    let house = House::with(&["--wait-seconds", "1"]).await;
    let (agent, _, white, black) = two_agents(&house, json!({})).await;
    agent.play(&white, "e4").await.ok();
    agent.act(&white, "takeback").await.ok();
    agent.act(&black, "declineTakeback").await.ok();
    let waited = agent.wait(&white).await.ok();
    assert_eq!(waited.facts["takeback_declined"], "Black declines the takeback.");
    agent.see(&white).await.says("**Takeback**: declined by Black\n");
    agent.play(&black, "e5").await.ok();
    agent.wait_for_turn(&white).await.says("**Takeback**: declined by Black\n");
    let moved = agent.play(&white, "Nf3").await.ok();
    assert_eq!(moved.facts.get("takeback_declined"), None);
}

#[tokio::test]
async fn a_name_of_a_move_with_a_claim_is_a_name() {
    let house = House::open().await;
    let (agent, id, white, black) = two_agents(&house, json!({ "loose": false })).await;
    for (pass, mv) in [(&white, "f3"), (&black, "e5"), (&white, "g4")] {
        agent.play(pass, mv).await.ok();
    }
    let claim = json!({ "game_id": black, "move": "d8h4", "claim_win": true });
    let mated = agent.call("finishTurn", claim).await.ok();
    assert!(!mated.text.contains("was read"), "{}", mated.text);
    let seen = agent.see(&id).await;
    assert_eq!(seen.facts.get("tries"), None);
    assert_eq!(seen.facts["opening"]["eco"], "A00");
}

#[tokio::test]
async fn refused_and_loose_moves_are_counted_for_each_side() {
    let mut house = House::open().await;
    let (agent, id, white, black) = two_agents(&house, json!({})).await;
    agent.play(&black, "e5").await.no().says("Not your turn");
    for wrong in ["e5", "resign", "rubbish"] {
        agent.play(&white, wrong).await.no();
    }
    for _ in 0..2 {
        agent.play(&white, "I play e4").await.ok().says("was read");
    }
    agent.play(&black, "e5").await.ok();
    house.crash_and_restart().await;
    let mut mv = json!({ "game_id": white, "move": "Final answer: Nf3", "tokens": -1 });
    agent.call("finishTurn", mv.clone()).await.no().says("tokens must be a whole number from 0");
    mv["tokens"] = json!("1234");
    agent.call("finishTurn", mv).await.ok();
    let number = u32::from_str_radix(&id, 16).expect("an id");
    let by_turn = format!(
        "select refused || ' ' || loose || ' ' || coalesce(tokens, -1) from turns
         where game = {number} order by number"
    );
    assert_eq!(house.ask(&by_turn), ["3 1 -1", "0 0 -1", "3 1 1234"]);
    let seen = agent.see(&id).await.says("[WhiteRefused \"3\"]").says("[WhiteLoose \"2\"]");
    assert_eq!(seen.facts["tries"], json!([{ "by": "white", "refused": 3, "loose": 2 }]));
    let page: Value = reqwest::get(house.page(&format!("/api/games/{id}")))
        .await
        .expect("an answer")
        .json()
        .await
        .expect("JSON");
    assert_eq!(page["tries"], seen.facts["tries"]);
}
