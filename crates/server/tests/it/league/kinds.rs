//! Leagues of games that the protocols were not made for: chess, connect four, poker.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use axum::{Json, Router, extract::State, routing::post};
use rules::{Due, Eye, Record, Seat};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{Cup, ended, fixtures, join, line, nobody_forfeits};
use crate::{
    delver::Luck,
    house::House,
    league_player::Fellow,
    players::{Player, Way},
};

/// A rook against none, and twenty half-moves until it is a draw.
const ROOK: &str = r#"{"fen":"4k3/8/8/8/8/8/8/R3K3 w - - 130 90"}"#;

/// Plays any legal move by tools until the league is over, also while the server is gone for a while:
/// now by the league's own tool, now by that of every game.
async fn play_by_any_tool(player: Player, token: String, league: String, mut luck: Luck) {
    loop {
        tokio::task::yield_now().await;
        let ask = json!({ "auth_token": token, "league_id": league });
        let Some(told) = player.try_call("wait_for_decision", ask).await else { continue };
        let told = told.facts;
        match told["status"].as_str() {
            Some("league_over") => return,
            Some("your_move") => {}
            _ => continue,
        }
        let moves = told["legal_moves"].as_array().expect("moves").clone();
        let mv = luck.pick(&moves).expect("there is one");
        let by_pass = luck.below(2) == 0;
        let (tool, ask) = match by_pass {
            true => (
                "finishTurn",
                json!({ "game_id": told["game_id"], "move": mv, "turn": told["game_round"] }),
            ),
            false => (
                "submit_move",
                json!({ "auth_token": token, "league_id": league, "match_id": told["match_id"],
                    "game_round": told["game_round"], "choice": mv }),
            ),
        };
        player.try_call(tool, ask).await;
    }
}

async fn listening(house: &House, name: &str, game: &str, league: &str) -> Fellow {
    let args = ["--game", game, "--league", league];
    Fellow::named(name, &house.url(), &args).await.registered().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chess_league_of_four_goes_on_after_kill_9_and_ends_with_its_table() {
    let mut house = House::open().await;
    let args = ["--game", "chess", "--setup", ROOK, "--computer", "3", "--double"];
    let cup = Cup::open(&house, "masters", &args).await;
    let _agent = listening(&house, "Agent", "chess", "masters").await;
    let mut playing = Vec::new();
    for (name, luck) in [("Ann", 3), ("Bob", 4)] {
        let player = Player::new(&house, Way::Plain).await;
        let (token, _) = join(&player, name, "masters").await;
        let play = play_by_any_tool(player, token, "masters".into(), Luck(luck));
        playing.push(tokio::spawn(play));
    }
    cup.start(&house).await;
    for over in [1, 5] {
        while ended(&house, &cup) < over {
            tokio::task::yield_now().await;
        }
        house.crash_and_restart().await;
    }
    let state = cup.finish(&house).await;
    assert_eq!(state["matches"], json!({ "all": 12, "over": 12 }));
    assert_eq!((&state["game"], &state["title"]), (&json!("chess"), &json!("Chess")));
    nobody_forfeits(&state);
    for found in state["rounds"].as_array().unwrap().iter().flat_map(fixtures) {
        let game = found["game"].as_str().expect("it was played");
        house.verifies(game);
        let page: Value = reqwest::get(house.page(&format!("/api/games/{game}")))
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        assert_eq!(page["status"], "over", "{page}");
    }
    for task in playing {
        task.await.expect("it was told that the league is over");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_games_are_played_in_leagues_by_agents_and_computers() {
    let house = House::open().await;
    for game in ["connect-four", "kuhn-poker", "nim"] {
        let cup = Cup::open(&house, game, &["--game", game, "--computer", "1,2"]).await;
        let _one = listening(&house, "One", game, game).await;
        let _two = Fellow::named(
            "Two",
            &house.url(),
            &["--game", game, "--league", game, "--dialect", "H2"],
        )
        .await
        .registered()
        .await;
        cup.start(&house).await;
        let state = cup.finish(&house).await;
        assert_eq!(state["matches"]["all"], 6, "{game}");
        nobody_forfeits(&state);
    }
}

/// What lies on the board of a game before anybody has moved.
async fn opening(house: &House, game: &str) -> String {
    let page = house.page(&format!("/api/games/{game}/turns/0"));
    let step: Value = reqwest::get(page).await.unwrap().json().await.unwrap();
    step["text"].as_str().expect("a board").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_games_of_two_players_begin_from_the_same_opening_with_seats_exchanged() {
    let house = House::open().await;
    let setup = r#"{"opening": 8}"#;
    let args = ["--game", "othello", "--setup", setup, "--computer", "1,2,3", "--double"];
    let cup = Cup::open(&house, "fair", &args).await;
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    let mut met: BTreeMap<BTreeSet<&str>, Vec<(&str, String)>> = BTreeMap::new();
    for found in state["rounds"].as_array().unwrap().iter().flat_map(fixtures) {
        let name = |key: &str| found[key].as_str().unwrap();
        let began = opening(&house, name("game")).await;
        let pair = BTreeSet::from([name("player_a"), name("player_b")]);
        met.entry(pair).or_default().push((name("player_a"), began));
    }
    assert_eq!(met.len(), 3, "{met:?}");
    for (pair, games) in &met {
        let [(first, began), (then, again)] = &games[..] else { panic!("{pair:?}: {games:?}") };
        assert_ne!(first, then, "each begins once");
        assert_eq!(began, again, "{pair:?}");
    }
    let openings: BTreeSet<_> = met.values().map(|games| &games[0].1).collect();
    assert_eq!(openings.len(), 3, "others begin differently: {openings:?}");
}

/// An agent that listens, remembers what it heard, and answers questions as it was told to.
struct Stranger {
    url: String,
    heard: Arc<Mutex<Vec<Value>>>,
    listening: JoinHandle<()>,
}

type Answers = fn(&Value) -> Value;

impl Stranger {
    async fn start(answers: Answers) -> Stranger {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let state = (heard.clone(), answers);
        let router = Router::new().route("/mcp", post(Stranger::answer)).with_state(state);
        let listening = tokio::spawn(async { axum::serve(listener, router).await.unwrap() });
        Stranger { url, heard, listening }
    }

    async fn answer(
        State((heard, answers)): State<(Arc<Mutex<Vec<Value>>>, Answers)>,
        Json(body): Json<Value>,
    ) -> Json<Value> {
        let said = &body["params"];
        heard.lock().unwrap().push(said.clone());
        let result = match said["message_type"].as_str() {
            Some("MOVE_REQUEST" | "GAME_MOVE_CALL") => answers(said),
            _ => json!({ "accept": true }),
        };
        Json(json!({ "jsonrpc": "2.0", "id": body["id"], "result": result }))
    }

    async fn register(&self, house: &House, name: &str, version: &str, game: &str) -> Value {
        let message = json!({ "protocol": version, "message_type": "LEAGUE_REGISTER_REQUEST",
            "league_id": game, "conversation_id": "c-1", "sender": format!("player:{name}"),
            "timestamp": "2026-11-15T10:00:00Z",
            "player_meta": { "display_name": name, "version": "1", "game_types": [game],
                "contact_endpoint": self.url } });
        super::post(house, &super::call("LEAGUE_REGISTER_REQUEST", message)).await.1
    }

    fn heard(&self, kind: &str) -> Vec<Value> {
        let all = self.heard.lock().unwrap();
        all.iter().filter(|said| said["message_type"] == kind).cloned().collect()
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

fn first_legal(said: &Value) -> Value {
    match said["protocol"] == "league.v1" {
        true => json!({ "move": { "text": said["game_state"]["legal_moves"][0] } }),
        false => json!({ "move_data": { "move": said["move_request"]["valid_options"][0] } }),
    }
}

/// Wrong first, and right when it is told so.
fn wrong_first(said: &Value) -> Value {
    match said["previous_error"].is_null() {
        true => json!({ "move": { "text": "99" } }),
        false => json!({ "move": said["game_state"]["legal_moves"][0] }),
    }
}

fn always_wrong(_: &Value) -> Value {
    json!({ "move_data": { "move": "99" } })
}

#[tokio::test]
async fn an_illegal_move_is_refused_with_what_would_be_legal() {
    let house = House::open().await;
    let cup = Cup::open(&house, "connect-four", &["--game", "connect-four"]).await;
    let (wrong, never) = (Stranger::start(wrong_first).await, Stranger::start(always_wrong).await);
    wrong.register(&house, "Wrong", "league.v1", "connect-four").await;
    let answer = never.register(&house, "Never", "league.v2", "connect-four").await;
    let id = answer["result"]["player_id"].as_str().expect("it is let in").to_owned();
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    // The one who does not learn has lost the match, after as many tries as anybody has.
    assert_eq!(line(&state, &id)["forfeits"], 1, "{state}");
    let told = wrong.heard("MOVE_REQUEST");
    let error = told[1]["previous_error"]["message"].as_str().expect("it is told why");
    assert!(error.contains("legal are 1, 2, 3, 4, 5, 6, 7"), "{error}");
    assert_eq!(told[0]["game_state"]["your_role"], "Red");
    assert!(told[0]["game_state"]["text"].as_str().unwrap().contains("Red to move"), "{told:?}");
    let calls = never.heard("GAME_MOVE_CALL");
    assert_eq!(calls.len(), 3, "{calls:?}");
    assert_eq!(calls[0]["move_request"]["move_type"], "connect-four");
    assert_eq!(never.heard("GAME_ERROR").len(), 2);
    assert_eq!(wrong.heard("ROUND_RESULT").len(), 0);
    let end = wrong.heard("GAME_END").pop().expect("it is told the end");
    assert_eq!(end["forfeited"], json!([id]), "{end}");
    assert_eq!(never.heard("GAME_OVER")[0]["game_result"]["status"], "TECHNICAL_LOSS");
}

#[tokio::test]
async fn whoever_does_not_list_the_game_is_told_which_it_is() {
    let house = House::open().await;
    Cup::open(&house, "chess", &["--game", "chess"]).await;
    let agent = Stranger::start(first_legal).await;
    let message = super::registration("Alpha", &agent.url);
    let mut message = super::call("LEAGUE_REGISTER_REQUEST", message);
    message["params"]["league_id"] = "chess".into();
    let answer = super::post(&house, &message).await.1;
    assert_eq!(answer["error"]["data"]["field"], "player_meta.game_types", "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("\"chess\""), "{answer}");
    let output = tokio::process::Command::from(house.neighbour())
        .args(["league", "create", "cup", "--game", "dungeon"])
        .output()
        .await
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("connect-four"), "{said}");
}

#[tokio::test]
async fn a_league_of_games_for_four_is_refused_for_a_match_is_for_two() {
    let house = House::open().await;
    let create = async |setup: &str| {
        let args = ["league", "create", "cup", "--game", "liars-dice", "--setup", setup];
        let output = tokio::process::Command::from(house.neighbour()).args(args).output().await;
        output.expect("the program runs")
    };
    let output = create(r#"{"seats": 4}"#).await;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("a match is for two, and this set-up for 4"), "{said}");
    // For two it is a game like others.
    let output = create(r#"{"seats": 2, "dice": 3}"#).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn whoever_falls_silent_loses_by_time() {
    let house = House::open().await;
    let args = ["--game", "connect-four", "--computer", "1", "--time-limit", "1"];
    let cup = Cup::open(&house, "silence", &args).await;
    let player = Player::new(&house, Way::Plain).await;
    let (_, id) = join(&player, "Sleeper", "silence").await;
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    assert_eq!(line(&state, &id)["forfeits"], 1, "{state}");
    let found = &fixtures(&state["rounds"][0])[0];
    let game = found["game"].as_str().unwrap();
    let (_, last) = house.turns(game).pop().expect("it was played");
    assert_eq!(last, "(out of time)");
    house.verifies(game);
    let told = player.call("get_game_state", json!({ "match_id": "R1M1" })).await.ok().facts;
    assert!(told["ended"].as_str().unwrap().ends_with("wins on time"), "{told}");
}

#[tokio::test]
async fn nobody_is_told_the_cards_of_the_other() {
    let house = House::open().await;
    let cup = Cup::open(&house, "kuhn-poker", &["--game", "kuhn-poker"]).await;
    let agents = [Stranger::start(first_legal).await, Stranger::start(first_legal).await];
    agents[0].register(&house, "One", "league.v1", "kuhn-poker").await;
    agents[1].register(&house, "Two", "league.v2", "kuhn-poker").await;
    cup.start(&house).await;
    nobody_forfeits(&cup.finish(&house).await);
    let first = agents[0].heard("MOVE_REQUEST");
    let views = first.iter().map(|said| (0, &said["game_state"]));
    let second = agents[1].heard("GAME_MOVE_CALL");
    let views = views.chain(second.iter().map(|said| (1, &said["move_request"]["context"])));
    let mut asked = 0;
    for (seat, state) in views {
        asked += 1;
        let cards = &state["view"]["hand"]["cards"];
        let own = cards[seat].as_str().expect("its own card");
        assert!(cards[1 - seat].is_null(), "{state}");
        assert!(state["text"].as_str().unwrap().contains(&format!("You hold {own}")), "{state}");
    }
    assert!(asked > 4, "{asked}");
}

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

#[tokio::test]
async fn the_pass_of_a_match_is_its_players_own() {
    let house = House::open().await;
    let args = ["--game", "connect-four", "--computer", "1"];
    let cup = Cup::open(&house, "passes", &args).await;
    let player = Player::new(&house, Way::Plain).await;
    let (token, _) = join(&player, "Ann", "passes").await;
    cup.start(&house).await;
    let told = super::decision(&player, &token, "passes").await;
    let pass = told["game_id"].as_str().expect("a pass").to_owned();
    // A new chat on this machine may go on with a game that an agent plays alone, but not with this.
    let listed = player.call("listGames", json!({})).await.ok();
    assert!(!listed.facts.to_string().contains(&pass), "{}", listed.text);
    assert!(listed.facts.to_string().contains(&pass[..8]), "it is seen: {}", listed.text);
    let wrong = json!({ "auth_token": token, "league_id": "passes", "match_id": "R1M1",
        "choice": "9" });
    player.call("submit_move", wrong).await.no().says("legal are 1, 2, 3");
    // The numbers of even-odd say nothing of this game.
    let number = json!({ "player_id": "P02", "move": 3, "league_id": "passes" });
    player.call("validate_move", number).await.no().says("plays connect-four");
    let late = json!({ "game_id": pass, "move": "(out of time)" });
    player.call("finishTurn", late).await.no();
    player.call("finishTurn", json!({ "game_id": pass, "move": "4" })).await.ok();
}

/// A match of chess in which a player comes by tools, and does as it likes.
struct Challenger {
    player: Player,
    token: String,
    id: String,
    league: &'static str,
}

impl Challenger {
    async fn join(house: &House, name: &str, league: &'static str) -> Challenger {
        let player = Player::new(house, Way::Plain).await;
        let (token, id) = join(&player, name, league).await;
        Challenger { player, token, id, league }
    }

    async fn decision(&self) -> Value {
        super::decision(&self.player, &self.token, self.league).await
    }

    /// Waits until it is told to do so.
    async fn is_told(&self, status: &str) -> Value {
        let told = self.decision().await;
        assert_eq!(told["status"], status, "{told}");
        told
    }

    async fn says(&self, choice: &str) {
        let ask = json!({ "auth_token": self.token, "league_id": self.league,
            "match_id": "R1M1", "choice": choice });
        self.player.call("submit_move", ask).await.ok();
    }
}

/// The texts of a match's log, up to now.
async fn log_of(house: &House, cup: &Cup) -> Vec<String> {
    let state = cup.state(house).await;
    let found = fixtures(&state["rounds"][0])[0]["game"].as_str().expect("it has begun").to_owned();
    house.turns(&found).into_iter().map(|(_, text)| text).collect()
}

/// Waits until the last turn of the only match is this one.
async fn last_is(house: &House, cup: &Cup, text: &str) {
    while log_of(house, cup).await.last().is_none_or(|last| last != text) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_offers_draws_instead_of_moving_is_late_at_the_first_deadline() {
    let house = House::open().await;
    let args = ["--game", "chess", "--computer", "1", "--time-limit", "2"];
    let cup = Cup::open(&house, "offers", &args).await;
    let ann = Challenger::join(&house, "Ann", "offers").await;
    cup.start(&house).await;
    // For as long as she is due: if her clock were set back, that would be for ever.
    loop {
        let told = ann.decision().await;
        if told["status"] == "league_over" {
            break;
        }
        assert_eq!(told["status"], "your_move", "{told}");
        let ask = json!({ "auth_token": ann.token, "league_id": "offers", "match_id": "R1M1",
            "choice": "offerDraw" });
        // The last may come too late.
        ann.player.call("submit_move", ask).await;
    }
    let state = cup.finish(&house).await;
    assert_eq!(line(&state, &ann.id)["forfeits"], 1, "{state}");
    let computer = if ann.id == "P01" { "P02" } else { "P01" };
    assert_eq!(line(&state, computer)["wins"], 1, "{state}");
    let log = log_of(&house, &cup).await;
    assert_eq!(log.last().map(String::as_str), Some("(out of time)"));
    assert!(log.iter().any(|text| text == "declineDraw again"), "she was answered more than once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_offer_is_told_to_the_other_while_the_one_who_is_due_may_play_on() {
    let house = House::open().await;
    let cup = Cup::open(&house, "peace", &["--game", "chess"]).await;
    let one = Challenger::join(&house, "Ann", "peace").await;
    let two = Challenger::join(&house, "Bob", "peace").await;
    cup.start(&house).await;
    let [ann, bob] =
        if fixture_begins_with(&house, &cup, &one.id).await { [one, two] } else { [two, one] };
    let told = ann.is_told("your_move").await;
    assert_eq!(told["answers"], Value::Null);
    assert!(told["text"].as_str().unwrap().contains("\n1 R N B Q K B N R\n"), "{told}");
    ann.says("offerDraw").await;
    let told = bob.is_told("your_answer").await;
    assert_eq!(told["answers"], json!(["acceptDraw", "declineDraw"]), "{told}");
    assert_eq!(told["asked"], *bob.id, "{told}");
    // She is due, whatever he answers.
    let told = ann.is_told("your_move").await;
    assert_eq!(told["asked"], *bob.id, "{told}");
    bob.says("declineDraw").await;
    ann.says("e2e4").await;
    // A move with an offer is a move.
    bob.is_told("your_move").await;
    bob.says("e7e5 offerDraw").await;
    let told = ann.is_told("your_move").await;
    assert_eq!(told["answers"], json!(["acceptDraw", "declineDraw"]), "{told}");
    // A move is taken back if the other agrees, whoever is due.
    ann.says("g1f3").await;
    bob.is_told("your_move").await;
    ann.says("takeback").await;
    let told = bob.is_told("your_move").await;
    assert_eq!(told["answers"], json!(["takeback", "declineTakeback"]), "{told}");
    bob.says("takeback").await;
    ann.is_told("your_move").await;
    ann.says("g1f3 offerDraw").await;
    bob.is_told("your_move").await;
    bob.says("acceptDraw").await;
    assert_eq!(ann.decision().await["status"], "league_over");
    let state = cup.finish(&house).await;
    nobody_forfeits(&state);
    assert_eq!(line(&state, &ann.id)["draws"], 1, "{state}");
}

/// Whether that player has the first move of the first match.
async fn fixture_begins_with(house: &House, cup: &Cup, id: &str) -> bool {
    fixtures(&cup.state(house).await["rounds"][0])[0]["player_a"] == id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_computer_lets_no_move_be_taken_back_in_a_league() {
    let house = House::open().await;
    let cup = Cup::open(&house, "stands", &["--game", "chess", "--computer", "1"]).await;
    let ann = Challenger::join(&house, "Ann", "stands").await;
    cup.start(&house).await;
    let told = ann.is_told("your_move").await;
    ann.says(told["legal_moves"][0].as_str().expect("a move")).await;
    ann.is_told("your_move").await;
    ann.says("takeback").await;
    last_is(&house, &cup, "declineTakeback").await;
    ann.says("resign").await;
    nobody_forfeits(&cup.finish(&house).await);
}

fn only_offers(_: &Value) -> Value {
    json!({ "move": "offerDraw" })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_answers_with_offers_only_is_asked_three_times() {
    let house = House::open().await;
    let cup = Cup::open(&house, "chess", &["--game", "chess", "--computer", "1"]).await;
    let agent = Stranger::start(only_offers).await;
    let answer = agent.register(&house, "Peace", "league.v1", "chess").await;
    let id = answer["result"]["player_id"].as_str().expect("it is let in").to_owned();
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    assert_eq!(line(&state, &id)["forfeits"], 1, "{state}");
    let asked = agent.heard("MOVE_REQUEST");
    assert_eq!(asked.len(), 3);
    // A model has the board to go by, and not the last move alone.
    let text = asked[0]["game_state"]["text"].as_str().expect("it is told how it stands");
    assert!(text.starts_with("8 r n b q k b n r\n7 p p p p p p p p\n"), "{text}");
    assert!(text.contains("\n  a b c d e f g h\n"), "{text}");
    assert!(text.ends_with(" to move."), "{text}");
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
    assert!(reason.as_str().unwrap().ends_with("chips 1:-1"), "{reason}");
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
