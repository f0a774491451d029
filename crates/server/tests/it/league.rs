//! Stories of leagues: agents of every dialect, and of every misdeed, meet under our manager and
//! our referee. Here is what the stories share.

mod answers;
mod class;
mod crash;
mod engines;
mod foreign;
mod kinds;
mod leading;
mod lesson;
mod limits;
mod live;
mod misdeeds;
mod offers;
mod operator;
mod people;
mod places;
mod poker;
mod refusals;
mod registration;
mod silence;
mod stranger;
mod tools;
mod whole;

use std::collections::BTreeMap;

use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    agents::Agent,
    delver::Luck,
    house::House,
    players::{Player, Way},
};

/// A league of this name on a house's store.
struct Cup {
    name: String,
    id: String,
}

/// Runs `agon league` on the house's store, as its operator would; what it prints.
async fn operate(house: &House, args: &[&str]) -> String {
    try_operate(house, args).await.unwrap_or_else(|why| panic!("{args:?}: {why}"))
}

/// The same, or why not.
async fn try_operate(house: &House, args: &[&str]) -> Result<String, String> {
    let mut command = tokio::process::Command::from(house.neighbour());
    let output = command.arg("league").args(args).output().await.expect("agon runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

impl Cup {
    async fn open(house: &House, name: &str, args: &[&str]) -> Cup {
        let said = operate(house, &[&["create", name], args].concat()).await;
        let (_, id) = said.trim().rsplit_once("/league/").expect("it says where it is");
        Cup { name: name.to_owned(), id: id.to_owned() }
    }

    async fn start(&self, house: &House) {
        operate(house, &["start", &self.name]).await;
    }

    /// As the pages have it.
    async fn state(&self, house: &House) -> Value {
        let page = house.page(&format!("/api/leagues/{}", self.id));
        reqwest::get(page).await.expect("an answer").json().await.expect("JSON")
    }

    /// Waits for the end, and holds everything against everything.
    async fn finish(&self, house: &House) -> Value {
        let page = house.page(&format!("/api/leagues/{}/events", self.id));
        let mut events = reqwest::get(page).await.expect("an answer");
        let mut seen = String::new();
        while !seen.contains("\"phase\":\"finished\"") {
            let chunk = events.chunk().await.expect("it goes on").expect("until it is over");
            seen += &String::from_utf8_lossy(&chunk);
        }
        let state = self.state(house).await;
        self.audit(house, &state).await;
        state
    }

    async fn audit(&self, house: &House, state: &Value) {
        let (log, http) = (house.turns(&self.id), reqwest::Client::new());
        let times = |what: &str, id: &str| {
            let start = format!("{{\"{what}\":{{\"match\":\"{id}\",");
            log.iter().filter(|(_, event)| event.starts_with(&start)).count()
        };
        let mut points: BTreeMap<&str, u64> = BTreeMap::new();
        let mut matches = 0;
        for found in state["rounds"].as_array().unwrap().iter().flat_map(fixtures) {
            matches += 1;
            let id = found["match_id"].as_str().unwrap();
            assert_eq!(found["state"], "done", "{found}");
            let again = found["attempt"].as_u64().unwrap_or(0) as usize;
            assert_eq!(times("end", id), 1 + again, "{id} ended once");
            assert!(times("begin", id) <= 1 + again, "{id} began once");
            for (player, worth) in ["player_a", "player_b"].iter().zip(0..) {
                let worth = found["match_points"][worth].as_u64().unwrap();
                *points.entry(found[*player].as_str().unwrap()).or_default() += worth;
            }
            let page = house.page(&format!("/api/leagues/{}/matches/{id}", self.id));
            let played: Value = http.get(page).send().await.unwrap().json().await.unwrap();
            let no_forfeit = found["result"]["forfeits"] == json!([]);
            if let (Some(rounds), true) = (played["rounds"].as_array(), no_forfeit) {
                for (player, won) in found["result"]["scores"].as_object().unwrap() {
                    let own = |round: &&Value| round["round_winner"] == player.as_str();
                    let in_its_log = rounds.iter().filter(own).count();
                    assert_eq!(json!(in_its_log), *won, "{id}, {player}: {played}");
                }
            }
        }
        assert_eq!(state["matches"], json!({ "all": matches, "over": matches }));
        for line in state["standings"].as_array().unwrap() {
            let id = line["player_id"].as_str().unwrap();
            assert_eq!(line["points"], json!(points[id]), "{line}");
            let sum = ["wins", "draws", "losses"].iter().map(|n| line[*n].as_u64().unwrap());
            assert_eq!(json!(sum.sum::<u64>()), line["played"], "{line}");
        }
    }

    /// Players without an address who join, with their tokens.
    async fn crew(&self, house: &House, names: &[&str]) -> Vec<(Player, String)> {
        let mut crew = Vec::new();
        for name in names {
            let player = Player::new(house, Way::Plain).await;
            let (token, _) = join(&player, name, &self.name).await;
            crew.push((player, token));
        }
        crew
    }

    /// They play to the end, all at once.
    async fn play(&self, crew: &[(Player, String)]) {
        let crew = crew.iter().zip(1..);
        let all =
            crew.map(|((player, token), n)| play_by_tools(player, token, &self.name, Luck(n)));
        join_all(all).await;
    }

    /// Registers an agent that plays whatever the league plays, by a tool.
    async fn seat(&self, house: &House, agent: &Agent, name: &str) -> String {
        let clerk = Player::new(house, Way::Plain).await;
        let ask = json!({ "player_name": name, "endpoint": agent.url, "league_id": self.name });
        clerk.call("register_player", ask).await.ok().fact("player_id")
    }
}

/// How many matches are over, as the store has it.
fn ended(house: &House, cup: &Cup) -> usize {
    events(house, cup, "end")
}

fn events(house: &House, cup: &Cup, name: &str) -> usize {
    let begins = format!("{{\"{name}\"");
    house.turns(&cup.id).iter().filter(|(_, event)| event.starts_with(&begins)).count()
}

fn fixtures(round: &Value) -> &[Value] {
    round["matches"].as_array().expect("matches")
}

/// The line of a player in the table.
fn line<'a>(state: &'a Value, id: &str) -> &'a Value {
    let mut table = state["standings"].as_array().expect("a table").iter();
    table.find(|line| line["player_id"] == id).expect("everyone is in it")
}

fn nobody_forfeits(state: &Value) {
    for line in state["standings"].as_array().unwrap() {
        assert_eq!(line["forfeits"], 0, "{line}");
    }
}

async fn post(house: &House, body: &Value) -> (StatusCode, Value) {
    let answer = reqwest::Client::new().post(house.url()).json(body).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap_or_default())
}

/// A registration for the league "spring", as the seed has it.
fn registration(name: &str, endpoint: &str) -> Value {
    json!({ "protocol": "league.v1", "message_type": "LEAGUE_REGISTER_REQUEST",
        "league_id": "spring", "conversation_id": "c-1", "sender": "player:x",
        "timestamp": "2026-11-15T10:00:00Z",
        "player_meta": { "display_name": name, "version": "1.0.0", "game_types": ["even_odd"],
            "contact_endpoint": endpoint } })
}

fn call(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

/// Registers without an address; the token and the id.
async fn join(player: &Player, name: &str, league: &str) -> (String, String) {
    let ask = json!({ "player_name": name, "league_id": league });
    let answer = player.call("register_player", ask).await.ok();
    (answer.fact("auth_token"), answer.fact("player_id"))
}

async fn decision(player: &Player, token: &str, league: &str) -> Value {
    loop {
        let ask = json!({ "auth_token": token, "league_id": league });
        let answer = player.call("wait_for_decision", ask).await.ok();
        let told = answer.facts.clone();
        if told["status"] == "league_over" {
            // The words tell the same table, though the wait began before it was so.
            for line in told["standings"].as_array().expect("a table").iter().take(10) {
                let name = line["display_name"].as_str().expect("a name");
                answer
                    .clone()
                    .says(&format!("{}. {name}, {} points", line["rank"], line["points"]));
            }
        }
        if told["status"] != "waiting" {
            return told;
        }
    }
}

async fn play_by_tools(player: &Player, token: &str, league: &str, mut luck: Luck) {
    loop {
        let told = decision(player, token, league).await;
        if told["status"] == "league_over" {
            return;
        }
        let mut mv = json!({ "auth_token": token, "league_id": league,
            "match_id": told["match_id"] });
        if told["game_round"].is_u64() {
            mv["number"] = json!(luck.below(5) + 1);
            mv["game_round"] = told["game_round"].clone();
        } else {
            mv["choice"] = json!(["even", "odd"][luck.below(2)])
        }
        player.call("submit_move", mv).await.ok();
    }
}
