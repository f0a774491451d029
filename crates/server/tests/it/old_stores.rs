//! Stores that earlier versions have left: all that is in them is verified, looked at with the old
//! passes, and played to its end.
//!
//! They are in `tests/fixtures`, a folder for each version, made by the script there with the
//! program as it was then.

use std::{fs, path::PathBuf, time::SystemTime};

use futures_util::future::join_all;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::{
    cluster::Cluster,
    delver::{Delver, Luck, actions},
    house::House,
    players::{Player, Way},
};

const VERSIONS: [&str; 1] = ["0.1.0"];

/// What an old store was left with, and a house on a copy of it.
struct Heritage {
    house: House,
    games: Vec<String>,
    /// Passes, tokens, names: whatever its players had in hand.
    kept: Value,
}

#[tokio::test]
async fn sqlite_stores_of_earlier_versions_are_played_to_their_end() {
    for version in VERSIONS {
        play_to_the_end(in_a_file(version).await).await;
    }
}

#[tokio::test]
async fn postgres_stores_of_earlier_versions_are_played_to_their_end() {
    for version in VERSIONS {
        play_to_the_end(in_postgres(version).await).await;
    }
}

#[tokio::test]
async fn a_match_that_began_before_matches_were_bounded_goes_on_and_is_verified() {
    let mut house = House::in_a_file().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "agent", "game": "even-odd" })).await;
    let (id, odd) = (created.id(), created.pass());
    let even = agent.join(&id).await.ok().pass();
    assert!(house.stop().success());
    let long = r#"{"rounds_to_win":255,"max_rounds":255}"#;
    house.ask(&format!("update games set rules = 1, setup = '{long}' returning 'done'"));
    house.restart().await;
    for turn in (1..20).step_by(2) {
        for (pass, number, turn) in [(&odd, "1", turn), (&even, "2", turn + 1)] {
            let ask = json!({ "game_id": pass, "move": number, "turn": turn });
            agent.call("finishTurn", ask).await.ok();
        }
    }
    let seen = agent.see(&odd).await.ok();
    assert_eq!(seen.facts["setup"]["max_rounds"], 255);
    assert_eq!(seen.facts["view"]["scores"], json!([10, 0]));
    house.verifies(&id);
}

async fn play_to_the_end(heritage: Heritage) {
    verify(&heritage);
    let news = listen(&heritage).await;
    go_on_in_the_old_session(&heritage).await;
    play_chess(&heritage).await;
    delve(&heritage).await;
    let played = async {
        play_league(&heritage, "spring", json!(3)).await;
        let latecomer = json!({ "player_name": "Finn", "league_id": "autumn",
            "invite_code": "leaves" });
        let latecomer = heritage.anyone().await.call("register_player", latecomer).await.ok();
        operate(&heritage, &["start", "autumn"]);
        let more = [latecomer.fact("auth_token")];
        play_league_with(&heritage, "autumn", &more, json!(1)).await;
    };
    tokio::join!(played, hear_all(news, &heritage));
    verify(&heritage);
}

impl Heritage {
    async fn anyone(&self) -> Player {
        Player::new(&self.house, Way::Plain).await
    }

    fn in_session(&self, request: RequestBuilder) -> RequestBuilder {
        let session = self.kept["session"].as_str().expect("a session");
        request.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25")
    }
}

fn verify(heritage: &Heritage) {
    assert!(!heritage.games.is_empty());
    for game in &heritage.games {
        let output = heritage.house.neighbour().args(["verify", game]).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("every answer holds"), "{output:?}");
    }
}

/// Opens the stream of a session that began before.
async fn listen(heritage: &Heritage) -> Response {
    let request = reqwest::Client::new().get(heritage.house.url());
    let request = heritage.in_session(request).header("accept", "text/event-stream");
    let stream = request.send().await.expect("an answer");
    assert!(stream.status().is_success(), "{stream:?}");
    stream
}

/// Waits until there has been news of everything that session subscribed to.
async fn hear_all(mut stream: Response, heritage: &Heritage) {
    let uris = heritage.kept["subscriptions"].as_array().expect("some");
    let mut heard = String::new();
    let is_told = |heard: &str, uri: &Value| {
        heard
            .lines()
            .any(|line| line.contains("resources/updated") && line.contains(&uri.to_string()))
    };
    while !uris.iter().all(|uri| is_told(&heard, uri)) {
        let chunk = stream.chunk().await.expect("it goes on").expect("news come");
        heard += &String::from_utf8_lossy(&chunk);
    }
}

/// The session is known, and so is the seat it took: the bare id of the game will do.
async fn go_on_in_the_old_session(heritage: &Heritage) {
    let http = reqwest::Client::new();
    let call = async |tool: &str, arguments: Value| {
        let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments } });
        let request = heritage.in_session(http.post(heritage.house.url())).json(&message);
        let request = request.header("accept", "application/json, text/event-stream");
        let answer = request.send().await.expect("an answer").text().await.expect("text");
        assert!(answer.contains("structuredContent") && !answer.contains("isError\":true"));
        answer
    };
    let id = &heritage.kept["chess"]["by_session"]["id"];
    call("finishTurn", json!({ "game_id": id, "move": "e2e4" })).await;
    let end = call("gameAction", json!({ "game_id": id, "action": "resign" })).await;
    assert!(end.contains("Game Over: Black wins by Resignation"), "{end}");
}

enum Deed {
    Join,
    Play(&'static str),
    Act(&'static str),
    /// Waits for the computer's move.
    Wait,
}

use Deed::*;

/// A game by its name in the store.
struct Left {
    game: &'static str,
    /// Part of what is told of it as it was left.
    seen: &'static str,
    /// Who does what from there on.
    deeds: &'static [(&'static str, Deed)],
    end: &'static str,
}

const CHESS: &[Left] = &[
    Left {
        game: "draw_offered",
        seen: "**Draw offer**: by White",
        deeds: &[("black", Act("acceptDraw"))],
        end: "Draw by agreement",
    },
    Left {
        game: "takeback_asked",
        seen: "**Takeback**: asked for by White",
        deeds: &[("black", Act("takeback")), ("white", Play("g2g4")), ("black", Play("d8h4"))],
        end: "Black wins by Checkmate",
    },
    Left {
        game: "hints_agreed",
        seen: "Hints",
        deeds: &[("black", Play("d7d5")), ("white", Act("resign"))],
        end: "Black wins by Resignation",
    },
    Left {
        game: "over",
        seen: "**Moves**: 1. f3 e5 2. g4 Qh4#",
        deeds: &[],
        end: "Black wins by Checkmate",
    },
    Left {
        game: "seat_free",
        seen: "nobody has joined yet",
        deeds: &[
            ("black", Join),
            ("black", Play("e5")),
            ("white", Play("g4")),
            ("black", Play("Qh4#")),
        ],
        end: "Black wins by Checkmate",
    },
    Left {
        game: "from_a_position",
        seen: "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]",
        deeds: &[("white", Play("a1a8"))],
        end: "White wins by Checkmate",
    },
    Left {
        game: "computer",
        seen: "1. e4",
        deeds: &[("white", Play("a2a3")), ("white", Wait), ("white", Act("resign"))],
        end: "Black wins by Resignation",
    },
    Left {
        game: "computer_is_due",
        seen: "1. e4",
        deeds: &[("white", Wait), ("white", Act("resign"))],
        end: "Black wins by Resignation",
    },
    Left {
        game: "person",
        seen: "Waiting for Human",
        deeds: &[
            ("black", Play("f7f6")),
            ("white", Play("d2d4")),
            ("black", Play("g7g5")),
            ("white", Play("d1h5")),
        ],
        end: "White wins by Checkmate",
    },
];

async fn play_chess(heritage: &Heritage) {
    let player = heritage.anyone().await;
    for Left { game: name, seen, deeds, end } in CHESS {
        let mut game = heritage.kept["chess"][*name].clone();
        let pass = |game: &Value, seat: &str| game[seat].as_str().expect("a pass").to_owned();
        let told = player.see(&pass(&game, "white")).await.ok().says(seen);
        if told.facts["hints"] == "on" {
            let ask = json!({ "game_id": game["white"], "hint": true });
            let told = player.call("getGame", ask).await.ok();
            assert!(told.facts["evaluation"].is_object(), "{}", told.text);
        }
        for (seat, deed) in *deeds {
            match deed {
                Join => game[*seat] = json!(player.join(&pass(&game, "id")).await.ok().pass()),
                Play(mv) => drop(player.play(&pass(&game, seat), mv).await.ok()),
                Act(action) => drop(player.act(&pass(&game, seat), action).await.ok()),
                Wait => {
                    let woken = player.wait_for_turn(&pass(&game, seat)).await;
                    assert_eq!(woken.facts["status"], "your_turn", "{name}: {}", woken.text);
                }
            }
        }
        let over = player.see(&pass(&game, "id")).await.ok();
        assert_eq!(over.facts["status"], "over", "{name}");
        over.says(&format!("Game Over: {end}"));
    }
}

async fn delve(heritage: &Heritage) {
    let player = heritage.anyone().await;
    let hero = |name: &str| heritage.kept["dungeons"][name].as_str().expect("a name").to_owned();
    let over = Delver::new(&player, hero("over"));
    assert!(actions(&over.room().await).is_empty());
    assert!(over.stats().await["score"].is_u64());

    let delver = Delver::new(&player, hero("in_combat"));
    let mut last = delver.room().await;
    assert_eq!(last["gameStatus"], "InCombat", "{last}");
    // A call that is known by its key is not carried out again.
    let again = json!({ "action": "Defend", "requestId": "before the night" });
    assert_eq!(delver.call("combat_action", again).await.ok().facts["turn"], last["turn"]);
    let mut luck = Luck(9);
    while last["gameStatus"] == "InCombat" {
        last = fight_or_walk(&delver, &last, &mut luck).await;
    }
    let checkpoint = actions(&last).into_iter().find(|action| action.starts_with("save_game load"));
    last = delver.act(&checkpoint.expect("the checkpoint is there")).await;
    assert_eq!((&last["success"], &last["gameStatus"]), (&json!(true), &json!("Exploring")));
    while !actions(&last).is_empty() {
        last = fight_or_walk(&delver, &last, &mut luck).await;
    }
    assert!(["Dead", "Victory"].contains(&last["gameStatus"].as_str().unwrap()), "{last}");
}

/// Chance is in the dungeon's seed, so this ends as it did when the store was made.
async fn fight_or_walk(delver: &Delver<'_>, last: &Value, luck: &mut Luck) -> Value {
    let all = actions(last);
    let starting = |with: &str| all.iter().filter(|a| a.starts_with(with)).collect::<Vec<_>>();
    let (fights, walks) = (starting("combat_action Attack"), starting("move_to_room"));
    let choice = luck.pick(if fights.is_empty() { &walks } else { &fights });
    delver.act(choice.expect("there is a way")).await
}

async fn play_league(heritage: &Heritage, league: &str, number: Value) {
    play_league_with(heritage, league, &[], number).await;
}

/// All who had a token, and these, play until the league is over.
async fn play_league_with(heritage: &Heritage, league: &str, more: &[String], number: Value) {
    let kept = heritage.kept["leagues"][league].as_object().expect("tokens");
    let tokens = kept.values().map(|token| token.as_str().expect("a token"));
    let tokens: Vec<_> = tokens.chain(more.iter().map(String::as_str)).collect();
    join_all(tokens.iter().map(|token| hand_in_moves(heritage, league, token, &number))).await;
    let table = json!({ "league_id": league });
    let table = heritage.anyone().await.call("get_standings", table).await.ok();
    let lines = table.facts["standings"].as_array().expect("a table");
    assert_eq!(lines.len(), tokens.len());
    for line in lines {
        assert_eq!(line["played"], json!(tokens.len() - 1), "{line}");
        assert_eq!(line["forfeits"], 0, "{line}");
    }
}

async fn hand_in_moves(heritage: &Heritage, league: &str, token: &str, number: &Value) {
    let player = heritage.anyone().await;
    loop {
        let mut ask = json!({ "auth_token": token, "league_id": league });
        let told = player.call("wait_for_decision", ask.clone()).await.ok().facts;
        match told["status"].as_str().expect("a status") {
            "league_over" => return,
            "your_move" => {
                ask["match_id"] = told["match_id"].clone();
                if told["game_round"].is_u64() {
                    ask["number"] = number.clone()
                } else {
                    ask["choice"] = json!("even")
                }
                player.call("submit_move", ask).await.ok();
            }
            _ => {}
        }
    }
}

fn operate(heritage: &Heritage, args: &[&str]) {
    let output = heritage.house.neighbour().arg("league").args(args).output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
}

/// Sessions are forgotten after a month, and these are older.
fn as_if_of_today() -> String {
    let now = SystemTime::UNIX_EPOCH.elapsed().expect("it is later").as_millis();
    format!("update sessions set at = {now}")
}

const GAMES: &str = "select id from games order by id";

async fn in_a_file(version: &str) -> Heritage {
    let mut house = House::in_a_file().await;
    assert!(house.stop().success());
    let store = house.store();
    let file = store.strip_prefix("sqlite:").expect("a file");
    for beside in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{file}{beside}"));
    }
    let db = rusqlite::Connection::open(file).expect("a new store");
    let sql = fs::read_to_string(fixture(version, "sqlite.sql")).expect("a store");
    db.execute_batch(&sql).expect("the store is whole");
    db.execute_batch(&as_if_of_today()).expect("there are sessions");
    let mut statement = db.prepare(GAMES).expect("there are games");
    let games = statement.query_map([], |row| row.get(0)).expect("games");
    let games = games.map(|id| hexadecimal(id.expect("an id"))).collect();
    drop(statement);
    db.close().expect("it can be closed");
    house.restart().await;
    Heritage { house, games, kept: kept(version, "sqlite.json") }
}

async fn in_postgres(version: &str) -> Heritage {
    let cluster = Cluster::start();
    let output = Cluster::psql()
        .args(["-Xq", "-v", "ON_ERROR_STOP=1", "-f"])
        .arg(fixture(version, "postgres.sql"))
        .arg(cluster.address())
        .output()
        .expect("psql runs");
    assert!(output.status.success(), "{output:?}");
    cluster.ask(&as_if_of_today());
    let games = cluster.ask(GAMES);
    let games = games.iter().map(|id| hexadecimal(id.parse().expect("an id"))).collect();
    Heritage { house: House::on(cluster, 1).await, games, kept: kept(version, "postgres.json") }
}

fn hexadecimal(id: i64) -> String {
    format!("{id:08x}")
}

fn kept(version: &str, name: &str) -> Value {
    let text = fs::read_to_string(fixture(version, name)).expect("what was kept of it");
    serde_json::from_str(&text).expect("JSON")
}

fn fixture(version: &str, name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/fixtures", version, name].iter().collect()
}
