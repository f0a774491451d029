//! More than two at one table: agents, people and computers at a game of liar's dice, at every door.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    house::House,
    pages::{ask, get, post, text},
    players::{Answer, Player, Way},
};

/// Four seats with two dice each, the computer's last: whoever says liar first ends it.
fn four(seats: Value) -> Value {
    json!({ "game": "liars-dice", "seats": seats, "setup": { "dice": 2 } })
}

async fn seen(house: &House, path: &str, pass: &str) -> Value {
    ask(house, Method::GET, path, pass, Value::Null).await.1
}

/// Which seats' dice are seen.
fn known(dice: &Value) -> Vec<bool> {
    let seats = dice.as_array().expect("dice of every seat").iter();
    seats.map(|dice| dice.as_array().expect("dice").iter().all(Value::is_number)).collect()
}

/// The same on the page.
fn drawn(game: &Value) -> Vec<bool> {
    let parts = game["drawing"].as_array().expect("parts").iter();
    let hands = parts.filter(|part| part["part"] == "hand");
    hands.map(|hand| hand["cards"].as_array().expect("dice").iter().all(Value::is_string)).collect()
}

fn only(seat: usize) -> Vec<bool> {
    (0..4).map(|other| other == seat).collect()
}

/// Who did what since one's own last turn.
fn since(answer: &Answer) -> Vec<(u64, String)> {
    let news = answer.facts["since"].as_array().expect("turns").iter();
    let turns = news.filter(|it| it["revealed"].is_null());
    turns.map(|it| (it["turn"].as_u64().expect("a turn"), text(&it["by"]).to_owned())).collect()
}

async fn bid(player: &Player, pass: &str, mv: &str, turn: u32) -> Answer {
    player.call("finishTurn", json!({ "game_id": pass, "move": mv, "turn": turn })).await
}

#[tokio::test]
async fn an_agent_another_a_person_and_the_computer_play_at_one_table_over_kill_9() {
    let mut house = House::open().await;
    let host = Player::new(&house, Way::Legacy).await;
    let created = host.create(four(json!(["me", "agent", "human", "computer 3"]))).await;
    let created = created.says("- Player 2: nobody yet").says("- Player 3: human");
    let (id, first) = (created.id(), created.pass());
    assert_eq!(created.facts["seats"].as_array().map(Vec::len), Some(4), "the list says how many");
    assert_eq!(created.facts["setup"], json!({ "dice": 2, "seats": 4 }));

    let guest = Player::new(&house, Way::Plain).await;
    let listed = guest.call("listGames", json!({})).await.ok();
    assert_eq!(listed.facts["games"][0]["free_seats"], json!(["Player 2"]));
    assert_eq!(listed.facts["games"][0]["players"].as_array().map(Vec::len), Some(4));
    for taken in ["Player 1", "Player 3", "Player 4"] {
        let ask = json!({ "game_id": id, "seat": taken });
        let refused = guest.call("joinGame", ask).await.no();
        refused.says(&format!("{taken} is taken")).says("Player 2");
    }
    let joined = guest.call("joinGame", json!({ "game_id": id })).await.ok();
    assert_eq!(joined.facts["you"], "Player 2");
    let second = joined.pass();
    let third = created.open().await.expect("the person's seat");
    let path = format!("/api/games/{id}");

    // Everybody sees their own dice, and nobody else's.
    for (seat, pass) in [&first, &second, &third].into_iter().enumerate() {
        let page = seen(&house, &path, pass).await;
        assert_eq!((&page["you"], drawn(&page)), (&json!(seat), only(seat)));
    }
    for (seat, pass) in [&first, &second].into_iter().enumerate() {
        assert_eq!(known(&guest.see(pass).await.facts["view"]["dice"]), only(seat));
    }
    assert_eq!(known(&guest.see(&id).await.facts["view"]["dice"]), [false; 4]);
    assert_eq!(drawn(&get(&house, &path).await), [false; 4]);
    assert_eq!(drawn(&get(&house, "/api/games?kind=liars-dice").await[0]), [false; 4]);

    bid(&guest, &second, "ones x 1", 1).await.no().says("Not your turn");
    bid(&host, &first, "ones x 1", 1).await.ok().says("Waiting for Player 2");
    let waited = guest.wait_for_turn(&second).await.says("Player 1 ones x 1");
    assert_eq!(since(&waited), [(1, "Player 1".to_owned())]);
    bid(&guest, &second, "ones x 1", 2).await.no().says("not higher than ones x 1");
    bid(&guest, &second, "twos x 1", 2).await.ok();
    let page = seen(&house, &path, &third).await;
    assert_eq!((&page["due"], page["legal_moves"][0].as_str()), (&json!([2]), Some("liar")));
    let mv = json!({ "move": "threes x 1", "turn": 3 });
    let (status, played) = post(&house, &format!("{path}/play"), &third, mv).await;
    assert_eq!((status.as_u16(), &played["you"]), (200, &json!(2)), "{played}");

    house.crash_and_restart().await;
    let host = Player::new(&house, Way::Plain).await;
    let mut now = host.wait_for_turn(&first).await;
    let circle = [(2, "Player 2"), (3, "Player 3"), (4, "Player 4")];
    assert_eq!(since(&now), circle.map(|(turn, by)| (turn, by.to_owned())));
    // The computer has bid, or has ended it.
    if now.facts["status"] == "your_turn" {
        bid(&guest, &second, "liar", 5).await.no().says("Not your turn");
        now = bid(&host, &first, "liar", 5).await.ok();
    }
    now = now.says("The game is over: Player ");
    let points = now.facts["points"].clone();
    let mut sorted: Vec<_> = points.as_array().expect("points").iter().map(Value::as_i64).collect();
    sorted.sort();
    assert_eq!(sorted, [Some(-1), Some(0), Some(0), Some(1)]);
    for pass in [&second, &id] {
        let over = guest.see(pass).await.ok();
        assert_eq!((&over.facts["status"], &over.facts["points"]), (&json!("over"), &points));
        assert_eq!(over.facts["result"], now.facts["result"]);
        assert_eq!(known(&over.facts["view"]["dice"]), [true; 4]);
    }
    let told = guest.wait_for_turn(&second).await;
    assert_eq!(since(&told)[0], (3, "Player 3".to_owned()), "{}", told.text);
    let page = seen(&house, &path, &third).await;
    assert_eq!((&page["points"], drawn(&page)), (&points, vec![true; 4]));
    assert_eq!(page["winner"].as_u64().map(|seat| &points[seat as usize]), Some(&json!(1)));
    // Whoever looks back sees what they saw then.
    for (pass, saw) in [(&first, only(0)), (&third, only(2)), (&String::new(), vec![false; 4])] {
        let then = seen(&house, &format!("{path}/turns/3"), pass).await;
        assert_eq!(drawn(&then), saw, "{then}");
    }
    house.verifies(&id);
}

#[tokio::test]
async fn whoever_plays_the_computer_has_computers_everywhere_else() {
    let house = House::in_a_file().await;
    let agent = Player::new(&house, Way::Plain).await;
    let ask = json!({ "type": "computer", "game": "liars-dice", "difficulty": 2,
        "seat": "Player 3", "setup": { "seats": 5, "dice": 1 } });
    let created = agent.create(ask).await;
    let players: Vec<_> = created.facts["seats"]
        .as_array()
        .expect("seats")
        .iter()
        .map(|seat| text(&seat["player"]).starts_with("computer, level 2"))
        .collect();
    assert_eq!(players, [true, true, false, true, true]);
    // One agent plays alone, so that it may take up its seat again from another chat.
    let another = Player::new(&house, Way::Stdio).await;
    let listed = another.call("listGames", json!({})).await.ok();
    let listed = listed.facts["games"].as_array().expect("games").iter();
    let listed: Vec<_> = listed.filter(|game| game["game_id"] == *created.id()).collect();
    let mut now = agent.wait_for_turn(&created.pass()).await;
    if now.facts["status"] == "your_turn" {
        now = bid(&agent, &created.pass(), "liar", 3).await.ok();
        assert_eq!(listed[0]["pass"], created.pass(), "{listed:?}");
    }
    assert_eq!(now.facts["points"].as_array().map(Vec::len), Some(5));
    house.verifies(&created.id());
}

#[tokio::test]
async fn several_free_seats_are_told_and_each_who_joins_has_the_next() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let ask = json!({ "type": "agent", "game": "liars-dice", "setup": { "seats": 4 } });
    let created = agent.create(ask).await;
    let id = created.id();
    let created = created
        .says("Free: Player 2, Player 3, Player 4")
        .says(&format!("joinGame(game_id=\"{id}\")"));
    let joined = agent.call("joinGame", json!({ "game_id": id, "seat": "player 3" })).await.ok();
    assert_eq!(joined.facts["you"], "Player 3");
    for seat in ["Player 2", "Player 4"] {
        assert_eq!(agent.join(&id).await.ok().facts["you"], seat);
    }
    agent.join(&id).await.no().says("no free seat");
    bid(&agent, &created.pass(), "sixes x 20", 1).await.ok();
    let over = bid(&agent, &joined.pass(), "liar", 2).await.no().says("Not your turn");
    assert_eq!(over.facts["status"], "waiting");

    // One person comes by the link, and the seats after theirs are free.
    let ask = json!({ "type": "human", "game": "liars-dice", "setup": { "seats": 4 } });
    let created = agent.create(ask).await.says("- Player 2: human");
    let created = created.says("Free: Player 3, Player 4");
    assert!(created.link.as_ref().is_some_and(|link| link.contains("#open=")));
    assert_eq!(agent.join(&created.id()).await.ok().facts["you"], "Player 3");
}

#[tokio::test]
async fn all_who_join_at_once_sit_down_and_a_call_that_comes_twice_sits_once() {
    let house = House::open().await;
    let host = Player::new(&house, Way::Plain).await;
    for _ in 0..5 {
        let ask = json!({ "type": "agent", "game": "liars-dice", "setup": { "seats": 6 } });
        let id = host.create(ask).await.id();
        let join = async |n: u32| {
            let ask = json!({ "game_id": id, "requestId": format!("guest number {n}") });
            Player::new(&house, Way::Plain).await.call("joinGame", ask).await.ok()
        };
        let joined = futures_util::future::join_all((0..10).map(|n| join(n % 5))).await;
        let seat = |n: usize| text(&joined[n].facts["you"]).to_owned();
        assert!((0..5).all(|n| seat(n) == seat(n + 5)), "the same call has the same seat");
        let seats: std::collections::BTreeSet<_> = (0..5).map(seat).collect();
        assert_eq!(seats.len(), 5, "{seats:?}");
    }
}

#[tokio::test]
async fn all_people_who_come_at_once_sit_down_as_long_as_there_are_seats() {
    let house = House::open().await;
    let host = Player::new(&house, Way::Plain).await;
    for _ in 0..5 {
        let ask = json!({ "type": "agent", "game": "liars-dice", "setup": { "seats": 6 } });
        let path = format!("/api/games/{}/join", host.create(ask).await.id());
        let joined = futures_util::future::join_all(
            (0..7).map(async |_| post(&house, &path, "", json!({})).await),
        );
        let (sat, stood): (Vec<_>, Vec<_>) =
            joined.await.into_iter().partition(|(status, _)| *status == 201);
        let seats: std::collections::BTreeSet<_> =
            sat.iter().map(|(_, taken)| text(&taken["seat"])).collect();
        assert_eq!(seats.len(), 5, "{sat:?}");
        assert!(stood.len() == 2 && stood.iter().all(|(status, _)| *status == 409), "{stood:?}");
    }
}

#[tokio::test]
async fn a_table_that_cannot_be_is_refused_with_what_would_be_right() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let with = |seats: Value, setup: Value| json!({ "game": "liars-dice", "seats": seats, "setup": setup });
    let me = |more: &[&str]| json!([&["me"], more].concat());
    for (ask, why) in [
        (with(me(&["agent"]), json!({ "seats": 3 })), "not 2 of them"),
        (with(me(&["agent"; 6]), json!({})), "seats is 2 to 6, not 7"),
        (with(me(&[]), json!({})), "seats is 2 to 6, not 1"),
        (with(json!(["agent", "agent", "agent"]), json!({})), "with one me and at most one human"),
        (with(me(&["human", "human"]), json!({})), "at most one human"),
        (with(me(&["computer 11", "agent"]), json!({})), "not \"computer 11\""),
        (with(me(&["agent", "god"]), json!({})), "Player 1, Player 2, Player 3, in this order"),
        (json!({ "game": "liars-dice", "seat": "Player 3" }), "one of Player 1, Player 2, not"),
        (json!({ "game": "nim", "seats": ["me", "agent", "agent"] }), "not 3 of them"),
    ] {
        agent.call("createGame", ask).await.no().says(why);
    }
    let rules = agent.call("gameRules", json!({ "game": "liars-dice" })).await.ok();
    rules.says("Seats: 2 to 6 of Player 1, Player 2");
}

#[tokio::test]
async fn whoever_reads_the_rules_finds_out_how_a_table_is_filled() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    for kind in rules::KINDS.iter().filter(|kind| kind.card.is_some() && kind.seats.len() > 1) {
        let rules = agent.call("gameRules", json!({ "game": kind.name })).await.ok();
        let told = rules.text.split("`createGame(").find_map(|call| call.split_once(")`"));
        let (call, _) = told.expect("a call");
        assert_eq!(call.contains("seats="), kind.seats.len() > 2, "{}", rules.text);
        let Some((_, seats)) = call.split_once("seats=") else { continue };
        let seats: Value = serde_json::from_str(seats).expect("a list");
        agent.create(json!({ "game": kind.name, "seats": seats })).await.ok();
    }
    let skill = include_str!("../../../../skills/agon/SKILL.md");
    assert!(skill.contains("seats=["), "the skill tells it too");
}

#[tokio::test]
async fn a_person_who_comes_by_the_page_is_not_taken_for_the_one_who_was_asked() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let ask = json!({ "game": "liars-dice", "seats": ["me", "agent", "human"] });
    let created = agent.create(ask).await;
    let path = format!("/api/games/{}", created.id());
    let (status, joined) =
        post(&house, &format!("{path}/join"), "", json!({ "name": "Eve" })).await;
    assert_eq!((status.as_u16(), text(&joined["seat"])), (201, "Player 2"), "{joined}");
    let stranger = text(&joined["pass"]);
    let told = agent.see(&created.pass()).await.ok();
    assert_eq!(told.link, created.link, "the link is still the one that nobody has opened");
    // Another agent at the table is not to take the person's seat.
    let ask = json!({ "game": "liars-dice", "seats": ["me", "agent", "human"] });
    let second = agent.create(ask).await;
    let guest = Player::new(&house, Way::Plain).await;
    let joined = guest.join(&second.id()).await.ok();
    for answer in [joined.clone(), guest.see(&joined.pass()).await.ok()] {
        assert!(!answer.text.contains("#open=") && answer.facts["link"].is_null());
    }
    guest.act(&joined.pass(), "newLink").await.no().says("nobody needs a link");
    second.open().await.expect("the link still holds");
    let renewed = agent.act(&created.pass(), "newLink").await.ok();
    let person = renewed.open().await.expect("the seat of the person who was asked");
    assert_eq!(seen(&house, &path, &person).await["you"], 2);
    assert_eq!(seen(&house, &path, stranger).await["you"], 1, "nobody has taken it away");
}

#[tokio::test]
async fn people_begin_a_game_for_several_and_play_it_again() {
    let house = House::open().await;
    let wish = json!({ "opponent": "human", "game": "liars-dice", "seat": "Player 3",
        "setup": { "seats": 3, "dice": 1 }, "name": "Ada" });
    let (status, one) = post(&house, "/api/games", "", wish).await;
    assert_eq!((status.as_u16(), text(&one["seat"])), (201, "Player 3"), "{one}");
    let path = format!("/api/games/{}", text(&one["game_id"]));
    let mut passes = vec![text(&one["pass"]).to_owned()];
    for seat in ["Player 1", "Player 2"] {
        let (_, joined) = post(&house, &format!("{path}/join"), "", json!({})).await;
        assert_eq!(joined["seat"], seat);
        passes.insert(passes.len() - 1, text(&joined["pass"]).to_owned());
    }
    let (status, full) = post(&house, &format!("{path}/join"), "", json!({})).await;
    assert_eq!(status.as_u16(), 409, "{full}");
    for (pass, mv) in passes.iter().zip(["fives x 1", "fives x 3", "liar"]) {
        let (status, played) =
            post(&house, &format!("{path}/play"), pass, json!({ "move": mv })).await;
        assert_eq!(status.as_u16(), 200, "{played}");
    }
    // Everybody moves on by one seat, and all meet in one game.
    let mut again = Vec::new();
    for (pass, seat) in passes.iter().zip(["Player 2", "Player 3", "Player 1"]) {
        let (_, taken) = post(&house, &format!("{path}/rematch"), pass, json!({})).await;
        assert_eq!(taken["seat"], seat, "{taken}");
        again.push(taken["game_id"].clone());
    }
    assert!(again.iter().all(|game| *game == again[0]), "{again:?}");
}
