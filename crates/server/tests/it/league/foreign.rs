//! Strangers' agents, all in one league with the seed's player, ours, and players over MCP: nobody
//! forfeits who plays, and what is said to each is kept as a golden transcript.

use std::{fs, path::PathBuf};

use serde_json::{Map, Value, json};

use super::{
    Cup, call, join, line, nobody_forfeits, operate, play_by_tools, post, registration, try_operate,
};
use crate::{
    agents::{
        Agent, Kind,
        strangers::{Sort, Stranger},
    },
    delver::Luck,
    house::{House, found, until},
    league_player::Fellow,
    players::{Player, Way},
};

const STRANGERS: [(Sort, &str); 4] = [
    (Sort::Titled, "titled"),
    (Sort::MetaOnly, "meta-only"),
    (Sort::Handshaken, "handshaken"),
    (Sort::Waiting, "waiting"),
];

#[tokio::test]
async fn strangers_of_every_kind_play_in_one_league() {
    for (game, protocol) in [("even-odd", "league.v1"), ("parity", "league.v2")] {
        let house = House::open().await;
        let args = ["--game", game, "--time-limit", "10"];
        let cup = Cup::open(&house, "mixed", &args).await;
        let mut transcripts = Vec::new();
        let mut strangers = Vec::new();
        for (sort, name) in STRANGERS {
            let stranger = Stranger::start(sort).await;
            let said = stranger.register(&house.url(), name, protocol, "mixed").await;
            let yes = if sort == Sort::Waiting { "REGISTERED" } else { "ACCEPTED" };
            assert_eq!(said["status"], yes, "{name}: {said}");
            let titled =
                if sort == Sort::Titled { "league_manager:LM01" } else { "league_manager" };
            assert_eq!(said["sender"], titled, "{name}");
            assert!(stranger.token().is_some(), "{name}: {said}");
            transcripts.push((name, said));
            strangers.push(stranger);
        }
        let mute = Stranger::start(Sort::Mute).await;
        let said = operate(&house, &["add", "mute", &mute.url, "mixed"]).await;
        assert!(said.contains("P05 mute plays in mixed"), "{said}");
        let code = if game == "parity" { "M2" } else { "S1" };
        let mut seeds = Vec::new();
        for name in ["Twin", "twin\u{200b}"] {
            let agent = Agent::start(Kind::Speaks(code)).await;
            let said = agent.register(&house.url(), name, "mixed").await;
            assert_eq!(said["result"]["status"], "ACCEPTED", "{said}");
            seeds.push((agent, said["result"].clone()));
        }
        assert_eq!(seeds[0].1["display_name"], Value::Null, "who has the name is told nothing");
        assert_eq!(seeds[1].1["display_name"], "twin 2");
        assert!(seeds[1].1["note"].as_str().unwrap().contains("this name is taken"));
        let ours = Fellow::named("ours", &house.url(), &["--league", "mixed"]).await;
        let mut players = Vec::new();
        for way in [Way::Modern, Way::Legacy] {
            let player = Player::new(&house, way).await;
            let (token, _) = join(&player, &format!("{way:?}"), "mixed").await;
            players.push((player, token));
        }
        until(async || cup.state(&house).await["players"].as_array().unwrap().len() == 10).await;
        cup.start(&house).await;
        cup.play(&players).await;
        nobody_forfeits(&cup.finish(&house).await);
        drop(ours);
        for ((name, said), stranger) in transcripts.iter().zip(&strangers) {
            assert!(stranger.pestered() <= 3, "{name} is left alone: {}", stranger.pestered());
            compare(&format!("{game}-{name}"), said, &stranger.heard());
        }
        compare(&format!("{game}-mute"), &Value::Null, &mute.heard());
        compare(&format!("{game}-seed"), &seeds[0].1, &seeds[0].0.heard());
    }
}

#[tokio::test]
async fn an_agent_that_refuses_is_not_hammered_and_its_first_reason_stays() {
    let house = House::open().await;
    let cup = Cup::open(&house, "spring", &[]).await;
    let refusing = Stranger::start(Sort::Refusing).await;
    operate(&house, &["add", "Refusing", &refusing.url, "spring"]).await;
    let player = Player::new(&house, Way::Plain).await;
    let (token, _) = join(&player, "Good", "spring").await;
    cup.start(&house).await;
    play_by_tools(&player, &token, "spring", Luck(1)).await;
    cup.finish(&house).await;
    // Whether it answers at all is asked before the league starts.
    let said = refusing.heard();
    let start = said.iter().position(|body| body["method"] == "GAME_START").expect("it is invited");
    let invited = &said[start..];
    let other_way = |body: &Value| body["method"] != "GAME_START";
    let tried = invited.iter().rposition(other_way).expect("other dialects are tried") + 1;
    assert!(tried <= 12, "{tried} requests: {invited:?}");
    let ways = |method: &str| invited.iter().filter(|body| body["method"] == method).count();
    assert_eq!(ways("league.handle"), 1, "other dialects are tried once: {invited:?}");
    let log = operate(&house, &["log", "R1M1", "spring"]).await;
    // Its other refusals are about our words, and about how often it is asked.
    assert!(log.contains("it did not come: it answered with an error -32000: the author"), "{log}");
}

/// Holds what an agent was sent against the transcript that is kept. AGON_WRITE_GOLDEN=1 writes it.
fn compare(name: &str, registered: &Value, heard: &[Value]) {
    let mut text = format!("registration {}\n", plain(registered));
    let mut seen = Vec::new();
    for body in heard {
        let kind = kind_of(body);
        // Who asked to be left alone is not told the news.
        if name.ends_with("handshaken")
            && (kind.starts_with("ROUND_") || kind.starts_with("LEAGUE_"))
        {
            continue;
        }
        // News may come before or after a match; of each kind the first is kept, in order of name.
        if !seen.iter().any(|(known, _)| *known == kind) {
            seen.push((kind, plain(body).to_string()));
        }
    }
    seen.sort();
    for (kind, body) in seen {
        text += &format!("{kind} {body}\n");
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = path.join(format!("tests/golden/league/{name}.txt"));
    if std::env::var_os("AGON_WRITE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{} differs; it was\n{kept}\nand is\n{text}", path.display());
}

fn kind_of(body: &Value) -> String {
    let params = &body["params"];
    let places = [params, &params["message"], &params["arguments"], &params["envelope"], body];
    let kind = places.iter().find_map(|place| place["message_type"].as_str());
    kind.or(body["method"].as_str()).unwrap_or("?").to_owned()
}

/// The shape of a message: what differs from one league to the next is left out.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(_) => json!(0),
        Value::String(text) => json!(plain_text(text)),
        Value::Array(items) => items.iter().take(1).map(plain).collect(),
        Value::Object(fields) => {
            let plain = |name: &str, value: &Value| match name {
                // Nobody, where a match or the last round ends so.
                "winner" | "winner_player_id" | "next_round_id" | "decided_by" => {
                    json!("<one or none>")
                }
                "display_name" => json!("<name>"),
                _ => plain(value),
            };
            let fields = fields.iter().map(|(name, value)| (plain_text(name), plain(name, value)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

fn plain_text(text: &str) -> String {
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_hexdigit());
    let is_id = text.len() == 3 && text.starts_with('P') && digits(&text[1..]);
    let is_match =
        text.starts_with('R') && text[1..].chars().all(|c| c == 'M' || c.is_ascii_digit());
    match text {
        _ if is_id => "<player>".into(),
        _ if is_match && text.contains('M') => "<match>".into(),
        "ODD" | "EVEN" | "odd" | "even" => "<parity>".into(),
        "PLAYER_A" | "PLAYER_B" => "<role>".into(),
        "WIN" | "DRAW" => "<result>".into(),
        _ if text.len() == 64 && digits(text) => "<hash>".into(),
        _ if text.len() == 36 && text.matches('-').count() == 4 => "<uuid>".into(),
        _ if text.len() == 20 && text.ends_with('Z') && text.contains('T') => "<time>".into(),
        _ if text.starts_with("http://127.0.0.1:") => "<address>".into(),
        _ if text.len() > 15 && text.chars().all(|c| c.is_ascii_digit()) => "<number>".into(),
        _ if text.contains("was drawn") || text.contains("alone said") => "<reason>".into(),
        _ => text.into(),
    }
}

#[tokio::test]
async fn who_crashed_has_its_place_back_and_its_token_where_it_lives() {
    for (sort, protocol) in [(Sort::Titled, "league.v2"), (Sort::Waiting, "league.v1")] {
        let house = House::open().await;
        let game = if protocol == "league.v2" { "parity" } else { "even-odd" };
        let cup = Cup::open(&house, "spring", &["--game", game]).await;
        let stranger = Stranger::start(sort).await;
        let first = stranger.register(&house.url(), "Crasher", protocol, "spring").await;
        let token = first["auth_token"].as_str().expect("a token").to_owned();
        let stranger = stranger.crash().await;
        let again = stranger.register(&house.url(), "Crasher", protocol, "spring").await;
        assert_eq!(again["status"], first["status"], "{again}");
        assert_eq!(again["player_id"], first["player_id"], "{again}");
        assert_eq!(again["auth_token"], Value::Null, "whoever asks must not be told: {again}");
        let other = Agent::start(Kind::Speaks(if game == "parity" { "H2" } else { "S1" })).await;
        other.register(&house.url(), "Other", "spring").await;
        cup.start(&house).await;
        nobody_forfeits(&cup.finish(&house).await);
        assert_eq!(stranger.token(), Some(token), "it was told with the first call to it");
    }
}

#[tokio::test]
async fn an_agent_that_crashes_in_the_middle_loses_what_it_missed_and_no_more() {
    let house = House::open().await;
    let cup = Cup::open(&house, "spring", &["--double", "--time-limit", "5"]).await;
    let stranger = Stranger::start(Sort::Waiting).await;
    stranger.register(&house.url(), "Crasher", "league.v1", "spring").await;
    let crew = cup.crew(&house, &["one", "two", "three"]).await;
    let address = stranger.url.clone();
    let address = address.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap().to_owned();
    drop(stranger);
    cup.start(&house).await;
    let back = async {
        until(async || line(&cup.state(&house).await, "P01")["forfeits"] != 0).await;
        let listener = found(async || tokio::net::TcpListener::bind(&address).await.ok()).await;
        let stranger = Stranger::on(listener, Sort::Waiting);
        let said = stranger.register(&house.url(), "Crasher", "league.v1", "spring").await;
        assert_eq!(said["player_id"], "P01", "{said}");
        stranger
    };
    let ((), stranger) = tokio::join!(cup.play(&crew), back);
    let state = cup.finish(&house).await;
    assert!(line(&state, "P01")["forfeits"].as_u64().unwrap() <= 2, "{}", line(&state, "P01"));
    assert_eq!(line(&state, "P01")["played"], 6);
    assert!(stranger.token().is_some());
}

#[tokio::test]
async fn the_operator_takes_out_lets_in_and_has_matches_played_again() {
    let house = House::open().await;
    let cup = Cup::open(&house, "spring", &["--time-limit", "8"]).await;
    let crew = cup.crew(&house, &["one", "two", "three"]).await;
    operate(&house, &["remove", "P02", "spring"]).await;
    let wait = json!({ "auth_token": crew[1].1, "league_id": "spring" });
    crew[1].0.call("wait_for_decision", wait).await.no().says("unknown auth_token");
    operate(&house, &["readmit", "P02", "spring"]).await;
    cup.start(&house).await;
    let missed = async || {
        let said = operate(&house, &["schedule", "spring", "--json"]).await;
        let said: Value = serde_json::from_str(&said).unwrap();
        let rounds = said["rounds"].as_array().unwrap().clone();
        let all = rounds.iter().flat_map(|r| r["matches"].as_array().unwrap().clone());
        let all: Vec<_> = all.filter(|m| m["result"]["forfeits"] == json!(["P01"])).collect();
        all.first().map(|m| m["match_id"].as_str().unwrap().to_owned())
    };
    let first = async {
        let id = found(missed).await;
        let schedule = operate(&house, &["schedule", "spring"]).await;
        assert!(schedule.contains("P01 forfeited"), "{schedule}");
        assert!(operate(&house, &["standings", "spring"]).await.contains("forfeits"));
        operate(&house, &["replay", &id, "spring"]).await;
        cup.play(&crew[..1]).await;
    };
    tokio::join!(cup.play(&crew[1..]), first);
    nobody_forfeits(&cup.finish(&house).await);
}

#[tokio::test]
async fn a_name_one_slip_away_is_refused_with_the_name_that_was_meant() {
    let house = House::open().await;
    Cup::open(&house, "spring", &[]).await;
    let mut slip = registration("Alpha", "http://127.0.0.1:9/mcp");
    slip["league_id"] = "sprnig".into();
    let (_, said) = post(&house, &call("LEAGUE_REGISTER_REQUEST", slip)).await;
    let reason = said["result"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("\"spring\" is open"), "{reason}");
    // Who names none joins the owner's.
    let player = Player::new(&house, Way::Plain).await;
    player.call("register_player", json!({ "player_name": "x", "league_id": "theirs" })).await.ok();
    let joined = player.call("register_player", json!({ "player_name": "y" })).await.ok();
    assert_eq!(joined.fact("league_id"), "spring");
    // Without a name the owner starts its own, and never what a stranger opened.
    operate(&house, &["end", "spring"]).await;
    let said = try_operate(&house, &["start"]).await;
    assert!(said.is_err_and(|why| why.contains("theirs was opened by a player")));
}

#[tokio::test]
async fn where_only_the_owner_opens_leagues_others_are_told_which_are_open() {
    let house = House::with(&["--league-open", "owner"]).await;
    let player = Player::new(&house, Way::Plain).await;
    let ask = json!({ "player_name": "x", "league_id": "mine" });
    player.call("register_player", ask.clone()).await.no().says("ask for one to be opened");
    let class = Cup::open(&house, "class", &["--codes"]).await;
    player.call("register_player", ask).await.no().says("open are class");
    let folder = tempfile::tempdir().unwrap();
    let roster = folder.path().join("roster.csv");
    fs::write(&roster, "Name\nAnna\n\"Lee, Kim\"\n").unwrap();
    let codes = operate(&house, &["codes", "class", roster.to_str().unwrap()]).await;
    let code = |name: &str| {
        let row = codes.lines().find(|row| row.contains(name)).expect("a row");
        row.rsplit(',').nth(2).expect("a code").to_owned()
    };
    let join = |name: &str, code: &str| {
        let ask = json!({ "player_name": name, "league_id": "class", "invite_code": code });
        player.call("register_player", ask)
    };
    join("x", "anna-0000000000000000").await.no().says("a code of their own");
    let first = join("Anna's", &code("Anna")).await.ok();
    assert_eq!(join("Kim's", &code("Lee")).await.ok().fact("player_id"), "P02");
    // The same code is the same player, token and all.
    let again = join("Anna's", &code("Anna")).await.ok();
    assert_eq!(again.fact("player_id"), first.fact("player_id"));
    assert_eq!(again.fact("auth_token"), first.fact("auth_token"));
    // Nor does the token give another name, which a program shows that was started again.
    let mut back = registration("Kim", "http://127.0.0.1:9/mcp");
    back["league_id"] = "class".into();
    back["auth_token"] = join("Kim", &code("Lee")).await.ok().fact("auth_token").into();
    let (_, said) = post(&house, &call("LEAGUE_REGISTER_REQUEST", back)).await;
    assert_eq!(said["result"]["player_id"], "P02", "{said}");
    assert_eq!(class.state(&house).await["players"][1]["name"], "Lee, Kim");
}

#[tokio::test]
async fn why_an_agent_lost_is_on_the_page_and_told_to_nobody_else_before() {
    use crate::agents::{Misdeed, Odd};
    let house = House::open().await;
    let cup = Cup::open(&house, "spring", &[]).await;
    let bad = Agent::start(Kind::Does(Misdeed::Plays(Odd::Ninety9))).await;
    let (_, said) = post(&house, &registration("Bad", &bad.url)).await;
    let token = said["auth_token"].as_str().expect("a token").to_owned();
    let player = Player::new(&house, Way::Plain).await;
    let (own, _) = join(&player, "Good", "spring").await;
    cup.start(&house).await;
    super::decision(&player, &own, "spring").await;
    let page = house.page(&format!("/api/leagues/{}/matches/R1M1/messages", cup.id));
    let http = reqwest::Client::new();
    let read = async |token: Option<&str>| -> Value {
        let request = http.get(&page);
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        request.send().await.unwrap().json().await.unwrap()
    };
    // Under way: its own for a player, nothing for others.
    assert_eq!(read(None).await["players"], json!({}));
    let seen = found(async || {
        let seen = read(Some(&token)).await;
        let messages = seen["players"]["P01"]["messages"].to_string();
        messages.contains("MOVE_REQUEST").then_some(seen)
    })
    .await;
    assert_eq!(seen["players"].as_object().unwrap().len(), 1, "{seen}");
    play_by_tools(&player, &own, "spring", Luck(1)).await;
    cup.finish(&house).await;
    let all = found(async || {
        let all = read(None).await;
        let is_told = all["players"]["P01"]["reason"].is_string();
        (is_told && all["players"]["P02"]["messages"][0].is_object()).then_some(all)
    })
    .await;
    let reason = all["players"]["P01"]["reason"].as_str().unwrap();
    assert!(reason.contains("round 1: 99 is not a whole number from 1 to 5"), "{reason}");
    assert!(!all.to_string().contains(&token) && !all.to_string().contains(&own), "{all}");
    let told = player.call("get_match_log", json!({ "auth_token": own, "match_id": "R1M1" }));
    told.await.ok().says("99 is not a whole number");
    let log = operate(&house, &["log", "R1M1", "spring"]).await;
    assert!(log.contains("-> {") && log.contains("<- HTTP 200"), "{log}");
    assert!(!log.contains(&token), "{log}");
    let csv = operate(&house, &["export", "spring"]).await;
    let row = csv.lines().nth(1).unwrap();
    assert!(row.contains(",P01,P01: round 1: 99 is not a whole number"), "{csv}");
    assert!(!csv.contains(&token) && !csv.contains(&own), "{csv}");
}

#[tokio::test]
async fn after_two_hundred_leagues_who_names_none_still_joins_one() {
    let house = House::in_a_file().await;
    // Its own host opens as many as it likes.
    let owner = Player::new(&house, Way::Stdio).await;
    for n in 0..201 {
        let ask = json!({ "player_name": "x", "league_id": format!("cup-{n}") });
        owner.call("register_player", ask).await.ok();
    }
    let mut other = registration("Alpha", "http://127.0.0.1:9/mcp");
    other["protocol"] = "league.v2".into();
    other["league_id"] = Value::Null;
    let (_, said) = post(&house, &call("register_player", other.clone())).await;
    let reason = said["result"]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("too many leagues are open"), "strangers have their bound: {said}");
    let owned = json!({ "player_name": "y", "protocol": "league.v2" });
    let joined = owner.call("register_player", owned).await.ok();
    assert_eq!(joined.fact("league_id"), "league_202");
    let (_, said) = post(&house, &call("register_player", other)).await;
    assert_eq!(said["result"]["league_id"], "league_202", "{said}");
}

#[tokio::test]
async fn a_league_is_played_again_with_the_same_players_and_tokens() {
    let house = House::open().await;
    let cup = Cup::open(&house, "nightly", &[]).await;
    let agents = [Agent::start(Kind::Speaks("S1")).await, Agent::start(Kind::Speaks("S1")).await];
    for (agent, name) in agents.iter().zip(["one", "two"]) {
        agent.register(&house.url(), name, "nightly").await;
    }
    cup.start(&house).await;
    cup.finish(&house).await;
    let said = operate(&house, &["repeat", "nightly", "--start", "--json"]).await;
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["league_id"], &said["players"]), (&json!("nightly.2"), &json!(2)), "{said}");
    let again = Cup { name: "nightly.2".into(), id: said["game_id"].as_str().unwrap().into() };
    nobody_forfeits(&again.finish(&house).await);
    assert!(operate(&house, &["status", "nightly"]).await.contains("nightly.2"));
    let watched = operate(&house, &["watch", "nightly"]).await;
    assert!(watched.contains("forfeits"), "{watched}");
}
