//! Stories of leagues: agents of every dialect, and of every misdeed, meet under our manager and
//! our referee.

use std::{collections::BTreeMap, time::Duration};

use reqwest::{StatusCode, header::RETRY_AFTER};
use serde_json::{Value, json};

use crate::{
    agents::{Agent, Kind, Misdeed, Odd},
    delver::Luck,
    house::House,
    league_player::Fellow,
    players::{Player, Way},
};

/// A league of this name on a house's store.
struct Cup {
    name: String,
    id: String,
}

/// Runs `agon league` on the house's store, as its operator would; what it prints.
async fn operate(house: &House, args: &[&str]) -> String {
    let mut command = tokio::process::Command::from(house.neighbour());
    let output = command.arg("league").args(args).output().await.expect("agon runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
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
        let log = house.turns(&self.id);
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
            assert_eq!(times("end", id), 1, "{id} ended once");
            assert!(times("begin", id) <= 1, "{id} began once");
            for (player, worth) in ["player_a", "player_b"].iter().zip(0..) {
                let worth = found["match_points"][worth].as_u64().unwrap();
                *points.entry(found[*player].as_str().unwrap()).or_default() += worth;
            }
            let page = house.page(&format!("/api/leagues/{}/matches/{id}", self.id));
            let played: Value = reqwest::get(page).await.unwrap().json().await.unwrap();
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

    /// Registers an agent that plays whatever the league plays, by a tool.
    async fn seat(&self, house: &House, agent: &Agent, name: &str) -> String {
        let clerk = Player::new(house, Way::Plain).await;
        let ask = json!({ "player_name": name, "endpoint": agent.url, "league_id": self.name });
        clerk.call("register_player", ask).await.ok().fact("player_id")
    }
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

#[tokio::test]
async fn agents_register_in_three_ways_and_play_a_league_to_its_end() {
    let house = House::open().await;
    let cup = Cup::open(&house, "spring", &[]).await;
    let mut agents = Vec::new();
    for (code, name) in [("S1", "by message"), ("L1", "by tool"), ("B1", "by bare body")] {
        let agent = Agent::start(Kind::Speaks(code)).await;
        let answer = agent.register(&house.url(), name, "spring").await.to_string();
        assert!(answer.contains("ACCEPTED"), "{answer}");
        agents.push(agent);
    }
    let mut fellows = Vec::new();
    for name in ["Alpha", "Beta"] {
        let mut fellow = Fellow::named(name, &house.url(), &["--league", "spring"]).await;
        fellow.says(&format!("player {name} is P0")).await;
        fellows.push(fellow);
    }
    cup.start(&house).await;
    let state = cup.finish(&house).await;
    assert_eq!(state["matches"]["all"], 10);
    nobody_forfeits(&state);
    // Won by one, or shared.
    assert!(state["result"].as_str().unwrap().contains(" the league with "), "{state}");
    assert!(operate(&house, &["status"]).await.contains("5 players, 10 of 10 matches over"));
    assert!(operate(&house, &["standings", "spring"]).await.contains("by bare body"));
    assert!(operate(&house, &["schedule"]).await.contains("R1M1 P0"));
}

#[tokio::test]
async fn every_dialect_plays_a_whole_league() {
    let house = House::open().await;
    for (name, game, codes) in [
        ("first", "even-odd", &["S1", "S1c", "L1", "B1"][..]),
        ("second", "parity", &["H2", "M2", "T2", "W2", "P2", "C2", "Q2", "E2"][..]),
    ] {
        let cup = Cup::open(&house, name, &["--game", game]).await;
        let mut agents = Vec::new();
        for code in codes {
            let agent = Agent::start(Kind::Speaks(code)).await;
            agent.call_back_to(&house.url());
            let answer = agent.register(&house.url(), code, name).await.to_string();
            assert!(answer.contains("ACCEPTED"), "{code}: {answer}");
            agents.push(agent);
        }
        cup.start(&house).await;
        nobody_forfeits(&cup.finish(&house).await);
    }
}

const MISDEEDS: [Misdeed; 17] = [
    Misdeed::NoMove,
    Misdeed::EmptyPromise,
    Misdeed::Plays(Odd::Ninety9),
    Misdeed::Plays(Odd::Zero),
    Misdeed::Plays(Odd::Text("7")),
    Misdeed::Plays(Odd::Text("3")),
    Misdeed::Plays(Odd::Number(2.9)),
    Misdeed::Html,
    Misdeed::OtherId,
    Misdeed::OtherMatch,
    Misdeed::Huge,
    Misdeed::TooDeep,
    Misdeed::Late(Duration::from_secs(60)),
    Misdeed::Silent,
    Misdeed::Closes,
    Misdeed::Redirects,
    Misdeed::SlowDown,
];

#[tokio::test]
async fn whatever_others_do_the_honest_get_what_they_earned() {
    let house = House::open().await;
    for game in ["even-odd", "parity"] {
        let cup = Cup::open(&house, game, &["--game", game, "--time-limit", "1"]).await;
        let honest = [
            Agent::start(Kind::Does(Misdeed::Confused)).await,
            Agent::start(Kind::Does(Misdeed::Wavers)).await,
        ];
        let mut ids = Vec::new();
        for (agent, name) in honest.iter().zip(["confused", "wavering"]) {
            ids.push(cup.seat(&house, agent, name).await);
        }
        let mut bad = Vec::new();
        for misdeed in MISDEEDS.into_iter().chain([Misdeed::Declines]) {
            let agent = Agent::start(Kind::Does(misdeed)).await;
            bad.push((cup.seat(&house, &agent, &format!("{misdeed:?}")).await, agent));
        }
        cup.start(&house).await;
        let state = cup.finish(&house).await;
        for id in &ids {
            assert_eq!(line(&state, id)["forfeits"], 0, "{game}: {}", line(&state, id));
            assert!(line(&state, id)["wins"].as_u64().unwrap() >= bad.len() as u64);
        }
        for (id, _) in &bad {
            let line = line(&state, id);
            assert_eq!(line["forfeits"], line["played"], "{game}: {line}");
        }
    }
}

async fn post(house: &House, body: &Value) -> (StatusCode, Value) {
    let answer = reqwest::Client::new().post(house.url()).json(body).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap_or_default())
}

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

#[tokio::test]
async fn a_registration_that_will_not_do_is_refused_with_the_reason() {
    let house = House::open().await;
    let here = "http://127.0.0.1:9/mcp";
    let rejected = async |name: &str, endpoint: &str| {
        let (status, answer) =
            post(&house, &call("LEAGUE_REGISTER_REQUEST", registration(name, endpoint))).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        assert_eq!(answer["result"]["status"], "REJECTED", "{answer}");
        answer["result"]["reason"].as_str().expect("a reason").to_owned()
    };
    for (endpoint, why) in [
        ("http://169.254.169.254/", "169.254.169.254"),
        ("file:///etc/passwd", "only http and https"),
        ("http://user:secret@127.0.0.1/", "contact_endpoint"),
        ("http://10.0.0.1/mcp", "10.0.0.1"),
        ("nonsense", "not a URL"),
        ("", "an endpoint is needed"),
    ] {
        let reason = rejected("Alpha", endpoint).await;
        assert!(reason.contains(why), "{endpoint:?}: {reason}");
    }
    let reason = rejected(&"x".repeat(900_000), here).await;
    assert!(reason.contains("64") && reason.len() < 300, "{reason}");
    assert!(rejected("", here).await.contains("name"));

    let (_, first) = post(&house, &registration("Alpha", here)).await;
    assert_eq!(first["player_id"], "P01", "{first}");
    assert!(rejected("Alpha", here).await.contains("has registered already"));
    let mut again = registration("Alpha", here);
    again["auth_token"] = first["auth_token"].clone();
    let (_, again) = post(&house, &again).await;
    assert_eq!(again["player_id"], "P01", "{again}");
    again["auth_token"].as_str().expect("a token");
}

#[tokio::test]
async fn a_message_that_is_wrong_is_refused_with_the_seeds_codes() {
    let house = House::open().await;
    let http = reqwest::Client::new();
    let garbage = http.post(house.url()).body("{").send().await.unwrap();
    assert_eq!(garbage.status(), StatusCode::BAD_REQUEST);
    assert_eq!(garbage.json::<Value>().await.unwrap()["error"]["code"], -32700);
    let (status, answer) = post(&house, &call("no_such_method", json!({}))).await;
    assert_eq!((status, &answer["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));
    // What a referee says to players is not for us.
    let (status, answer) = post(&house, &call("GAME_START", json!({}))).await;
    assert_eq!((status, &answer["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));

    let whole = registration("Alpha", "http://127.0.0.1:9/mcp");
    for path in ["sender", "timestamp", "league_id", "player_meta/version", "protocol"] {
        let mut message = whole.clone();
        *message.pointer_mut(&format!("/{path}")).unwrap() = Value::Null;
        let (_, answer) = post(&house, &call("register_player", message)).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert_eq!(answer["error"]["data"]["field"], path.replace('/', "."), "{answer}");
        assert_eq!(answer["id"], 7);
    }
    let mut message = whole.clone();
    message["protocol"] = "league.v9".into();
    let (_, answer) = post(&house, &message).await;
    assert_eq!(answer["error"]["data"]["error_name"], "PROTOCOL_VERSION_MISMATCH", "{answer}");

    post(&house, &whole).await;
    let answer = json!({ "league_id": "spring", "match_id": "R1M1", "game_round": 1,
        "move": { "number": 3 }, "auth_token": "guess" });
    let (_, said) = post(&house, &call("MOVE_RESPONSE", answer)).await;
    assert_eq!(said["error"]["data"]["error_name"], "AUTH_TOKEN_INVALID", "{said}");
}

#[tokio::test]
async fn one_who_says_too_much_is_told_to_wait() {
    let house = House::with(&["--league-pace", "5"]).await;
    let query = json!({ "protocol": "league.v2", "message_type": "LEAGUE_QUERY",
        "sender": "player:P01", "query_type": "GET_STANDINGS" });
    for _ in 0..5 {
        assert_eq!(post(&house, &query).await.0, StatusCode::OK);
    }
    let limited = reqwest::Client::new().post(house.url()).json(&query).send().await.unwrap();
    assert_eq!(limited.status(), StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = limited.headers()[RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((1..=13).contains(&wait), "{wait}");
    assert_eq!(limited.json::<Value>().await.unwrap()["error"]["code"], -32000);
    let mut other = query;
    other["sender"] = "player:P02".into();
    assert_eq!(post(&house, &other).await.0, StatusCode::OK);
}

/// Registers without an address, and answers token and id.
async fn join(player: &Player, name: &str, league: &str) -> (String, String) {
    let ask = json!({ "player_name": name, "league_id": league });
    let answer = player.call("register_player", ask).await.ok();
    (answer.fact("auth_token"), answer.fact("player_id"))
}

async fn decision(player: &Player, token: &str, league: &str) -> Value {
    loop {
        let ask = json!({ "auth_token": token, "league_id": league });
        let told = player.call("wait_for_decision", ask).await.ok().facts;
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
        match told["rounds"].is_array() {
            true => {
                mv["number"] = json!(luck.below(5) + 1);
                mv["game_round"] = told["game_round"].clone();
            }
            false => mv["choice"] = json!(["even", "odd"][luck.below(2)]),
        }
        player.call("submit_move", mv).await.ok();
    }
}

#[tokio::test]
async fn players_without_an_address_play_a_league_by_tools_alone() {
    let house = House::open().await;
    for game in ["even-odd", "parity"] {
        let cup = Cup::open(&house, game, &["--game", game]).await;
        let mut players = Vec::new();
        for way in [Way::Modern, Way::Legacy, Way::Stdio, Way::Plain] {
            let player = Player::new(&house, way).await;
            let (token, _) = join(&player, &format!("{way:?}"), game).await;
            players.push((player, token));
        }
        cup.start(&house).await;
        let playing = players.iter().zip(1..);
        let playing = playing.map(|((p, token), n)| play_by_tools(p, token, game, Luck(n)));
        futures(playing.collect()).await;
        nobody_forfeits(&cup.finish(&house).await);
    }
}

/// All of them at once.
async fn futures<F: Future<Output = ()>>(all: Vec<F>) {
    let mut all: Vec<_> = all.into_iter().map(Box::pin).collect();
    std::future::poll_fn(|context| {
        all.retain_mut(|one| one.as_mut().poll(context).is_pending());
        if all.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

#[tokio::test]
async fn a_move_is_seen_by_nobody_before_the_round_is_over() {
    let house = House::open().await;
    let cup = Cup::open(&house, "sealed", &[]).await;
    let (one, two) =
        (Player::new(&house, Way::Modern).await, Player::new(&house, Way::Plain).await);
    let (first, id) = join(&one, "one", "sealed").await;
    let (second, _) = join(&two, "two", "sealed").await;
    cup.start(&house).await;
    let told = decision(&one, &first, "sealed").await;
    assert_eq!(told["match_id"], "R1M1");
    let hand_in = |token: &str, number: Value| {
        json!({ "auth_token": token, "league_id": "sealed", "match_id": "R1M1",
            "game_round": 1, "number": number })
    };
    for (wrong, why) in
        [(json!("3"), "integer"), (json!(2.9), "integer"), (json!(99), "1 to 5"), (json!(0), "")]
    {
        one.call("submit_move", hand_in(&first, wrong)).await.no().says(why);
    }
    one.call("submit_move", hand_in("guess", json!(4))).await.no().says("register_player");
    let mut other = hand_in(&first, json!(4));
    other["match_id"] = "R9M9".into();
    one.call("submit_move", other).await.no().says("get_schedule");
    one.call("submit_move", hand_in(&first, json!(4))).await.ok();
    one.call("submit_move", hand_in(&first, json!(5))).await.no().says("in already");

    let page = house.page(&format!("/api/leagues/{}/matches/R1M1", cup.id));
    let asked = json!({ "match_id": "R1M1" });
    let read = call("resources/read", json!({ "uri": "game://state/R1M1" }));
    let seen = [
        two.call("get_game_state", asked.clone()).await.ok().facts,
        reqwest::get(page).await.unwrap().json().await.unwrap(),
        decision(&two, &second, "sealed").await,
    ];
    for seen in seen {
        assert_eq!(seen["rounds"], json!([]), "{seen}");
        assert!(!seen["thinking"].as_array().unwrap().contains(&json!(id)), "{seen}");
    }
    let resource = post(&house, &read).await.1.to_string();
    assert!(resource.contains("thinking") && !resource.contains("moves"), "{resource}");
    two.call("submit_move", hand_in(&second, json!(3))).await.ok();
    decision(&one, &first, "sealed").await;
    let over = two.call("get_game_state", asked).await.ok().facts;
    assert_eq!(over["rounds"][0]["moves"][&id], 4, "{over}");
    two.call("submit_move", hand_in(&second, json!(3))).await.no().says("round 1 is not");
}

#[tokio::test]
async fn only_the_operator_steers() {
    let house = House::open().await;
    let cup = Cup::open(&house, "steered", &[]).await;
    let player = Player::new(&house, Way::Plain).await;
    let (token, _) = join(&player, "one", "steered").await;
    let key = operate(&house, &["key"]).await.trim().to_owned();
    let start = json!({ "league_id": "steered", "operator_token": key });
    player.call("start_league", start.clone()).await.no().says("register_player");
    join(&player, "two", "steered").await;
    let pair = json!({ "league_id": "steered", "player1_id": "P02", "player2_id": "P01",
        "round_id": 2, "match_id": "R2M1" });
    for tool in ["start_league", "schedule_match", "start_game"] {
        let mut ask = pair.clone();
        player.call(tool, ask.clone()).await.no().says("agon league key");
        ask["operator_token"] = "0".repeat(64).into();
        player.call(tool, ask).await.no().says("only the operator");
    }
    player.call("start_league", start).await.ok();
    let mut pair = pair;
    pair["operator_token"] = key.clone().into();
    player.call("schedule_match", pair.clone()).await.ok().says("R2M1");
    pair["player1_id"] = "P77".into();
    player.call("schedule_match", pair).await.no().says("get_league");

    let report = |token: Value, winner: &str| {
        call(
            "report_match_result",
            json!({ "protocol": "league.v2", "message_type": "MATCH_RESULT_REPORT",
            "sender": "referee:REF01", "league_id": "steered", "match_id": "R1M1",
            "auth_token": token, "result": { "winner": winner,
            "scores": { "P01": if winner == "P01" { 3 } else { 0 },
                        "P02": if winner == "P02" { 3 } else { 0 } }, "forfeits": [] } }),
        )
    };
    for token in [Value::Null, json!("forged")] {
        let (_, said) = post(&house, &report(token, "P01")).await;
        assert_eq!(said["error"]["data"]["error_name"], "AUTH_TOKEN_INVALID", "{said}");
    }
    let referee = json!({ "protocol": "league.v2", "message_type": "REFEREE_REGISTER_REQUEST",
        "sender": "referee:x", "referee_meta": { "display_name": "x",
        "contact_endpoint": "http://127.0.0.1:9/" } });
    let (_, said) = post(&house, &call("register_referee", referee)).await;
    assert_eq!(said["result"]["status"], "REJECTED", "{said}");
    assert_eq!(cup.state(&house).await["matches"]["over"], 0);
    assert_eq!(decision(&player, &token, "steered").await["match_id"], "R1M1");
    let (_, said) = post(&house, &report(json!(key), "P01")).await;
    assert_eq!(said["result"]["status"], "received", "{said}");
    for (winner, why) in [("P01", "is known"), ("P02", "has ended with another result")] {
        let (_, said) = post(&house, &report(json!(key), winner)).await;
        assert!(said["error"]["message"].as_str().unwrap().contains(why), "{said}");
    }
    assert_eq!(cup.state(&house).await["matches"]["over"], 1);
    operate(&house, &["stop", "steered", "--reason", "it rains"]).await;
    assert_eq!(cup.state(&house).await["phase"], "stopped");
    assert!(operate(&house, &["status"]).await.contains("was stopped"));
    // The next of that name is another league.
    join(&player, "one", "steered").await;
    assert!(operate(&house, &["status"]).await.contains("steered.2"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_league_goes_on_after_every_crash() {
    let mut house = House::open().await;
    let cup = Cup::open(&house, "unlucky", &["--double"]).await;
    let mut agents = Vec::new();
    for name in ["a", "b", "c", "d", "e"] {
        // Slow enough to be in the middle of something.
        let slow = Misdeed::Late(Duration::from_millis(40));
        let agent = Agent::start(Kind::Does(slow)).await;
        cup.seat(&house, &agent, name).await;
        agents.push(agent);
    }
    cup.start(&house).await;
    let mut luck = Luck(5);
    for over in [1, 4, 8, 13] {
        let ended = |house: &House| {
            let log = house.turns(&cup.id);
            log.iter().filter(|(_, event)| event.starts_with("{\"end\"")).count()
        };
        while ended(&house) < over {
            tokio::task::yield_now().await;
        }
        for _ in 0..luck.below(4) {
            ended(&house);
        }
        house.crash_and_restart().await;
    }
    let state = cup.finish(&house).await;
    assert_eq!(state["matches"]["all"], 20);
    nobody_forfeits(&state);
}

#[tokio::test]
async fn the_same_seed_plays_the_same_league() {
    let house = House::open().await;
    for game in ["even-odd", "parity"] {
        let args = ["run", "--players", "6", "--seed", "1", "--game", game];
        let table = operate(&house, &args).await;
        assert_eq!(table.lines().count(), 7, "{table}");
        assert_eq!(operate(&house, &args).await, table);
    }
}

/// The addresses that news come of, from a stream of events.
async fn news(stream: &mut reqwest::Response, wanted: &[&str]) {
    let mut seen = String::new();
    let updated = |seen: &str, uri: &str| {
        seen.lines()
            .any(|line| line.contains("notifications/resources/updated") && line.contains(uri))
    };
    while !wanted.iter().all(|uri| updated(&seen, uri)) {
        let chunk = stream.chunk().await.expect("it goes on").expect("news come");
        seen += &String::from_utf8_lossy(&chunk);
    }
}

#[tokio::test]
async fn who_follows_a_league_is_told_of_every_change_in_both_eras() {
    let house = House::open().await;
    let cup = Cup::open(&house, "watched", &[]).await;
    let mut players = Vec::new();
    for name in ["one", "two"] {
        let player = Player::new(&house, Way::Plain).await;
        let (token, _) = join(&player, name, "watched").await;
        players.push((player, token));
    }
    let uris = ["league://standings", "game://state/R1M1"];
    let http = reqwest::Client::new();
    let both = "application/json, text/event-stream";
    let hello = call(
        "initialize",
        json!({ "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "story", "version": "1" } }),
    );
    let welcome = http.post(house.url()).header("accept", both).json(&hello).send().await.unwrap();
    let session = welcome.headers()["mcp-session-id"].clone();
    let say = async |body: Value| {
        let request = http.post(house.url()).header("accept", both);
        let request = request.header("mcp-session-id", session.clone());
        let answer = request.header("mcp-protocol-version", "2025-11-25").json(&body).send().await;
        let answer = answer.unwrap();
        assert!(answer.status().is_success(), "{answer:?}");
    };
    say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    let request = http.get(house.url()).header("accept", "text/event-stream");
    let request = request.header("mcp-session-id", session.clone());
    let mut legacy = request.send().await.unwrap();
    for uri in uris {
        say(call("resources/subscribe", json!({ "uri": uri }))).await;
    }
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "story", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let listen = call(
        "subscriptions/listen",
        json!({ "_meta": meta,
        "notifications": { "resourceSubscriptions": uris } }),
    );
    let request = http.post(house.url()).header("accept", both);
    let request = request.header("mcp-method", "subscriptions/listen");
    let request = request.header("mcp-protocol-version", "2026-07-28");
    let mut modern = request.json(&listen).send().await.unwrap();
    assert_eq!(modern.status(), StatusCode::OK);

    cup.start(&house).await;
    let playing = players.iter().zip(1..);
    let playing = playing.map(|((p, token), n)| play_by_tools(p, token, "watched", Luck(n)));
    tokio::join!(futures(playing.collect()), news(&mut legacy, &uris), news(&mut modern, &uris));
    nobody_forfeits(&cup.finish(&house).await);
}

#[tokio::test]
async fn who_was_suspended_comes_back_by_asking_for_a_move() {
    let house = House::open().await;
    let cup = Cup::open(&house, "cup", &["--time-limit", "1", "--double"]).await;
    let player = Player::new(&house, Way::Plain).await;
    let (sleeper, _) = join(&player, "Sleeper", "cup").await;
    let (waker, _) = join(&player, "Waker", "cup").await;
    let (third, _) = join(&player, "Third", "cup").await;
    cup.start(&house).await;
    let awake = async {
        tokio::join!(
            play_by_tools(&player, &waker, "cup", Luck(1)),
            play_by_tools(&player, &third, "cup", Luck(2)),
        )
    };
    let suspended = async || {
        let state = cup.state(&house).await;
        state["players"][0]["suspended"] == true
    };
    let asleep = async {
        // Two matches are missed; whoever then asks for its moves has come back.
        while !suspended().await {
            tokio::task::yield_now().await;
        }
        decision(&player, &sleeper, "cup").await;
        assert!(!suspended().await);
    };
    tokio::join!(awake, asleep);
}
