//! What the pages are answered with. How they look is told in `tests/browser`.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    house::House,
    players::{Answer, Player, Way},
};

pub async fn ask(
    house: &House,
    method: Method,
    path: &str,
    pass: &str,
    body: Value,
) -> (StatusCode, Value) {
    let mut request = Client::new().request(method.clone(), house.page(path));
    if !pass.is_empty() {
        request = request.bearer_auth(pass);
    }
    if method == Method::POST {
        request = request.json(&body);
    }
    let answer = request.send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

pub async fn get(house: &House, path: &str) -> Value {
    ask(house, Method::GET, path, "", Value::Null).await.1
}

pub async fn post(house: &House, path: &str, pass: &str, body: Value) -> (StatusCode, Value) {
    ask(house, Method::POST, path, pass, body).await
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text"))
}

#[tokio::test]
async fn the_pages_are_there_with_a_strict_policy() {
    let house = House::open().await;
    for (path, status) in [("/", 200), ("/connect", 200), ("/game/00000000", 404)] {
        let page = reqwest::get(house.page(path)).await.unwrap();
        assert_eq!(page.status(), status);
        let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
        for part in ["default-src 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert_eq!(page.headers()["referrer-policy"], "no-referrer");
        let html = page.text().await.unwrap();
        for (_, rest) in html.match_indices("/assets/").map(|(at, _)| html.split_at(at)) {
            let asset = rest.split('"').next().unwrap();
            let asset = reqwest::get(house.page(asset)).await.unwrap();
            assert_eq!(asset.status(), 200);
            assert!(asset.headers()["cache-control"].to_str().unwrap().contains("immutable"));
        }
    }
    assert_eq!(get(&house, "/healthz").await["status"], "ok");
    assert_eq!(get(&house, "/api/info").await["mcp"], house.url());
    // The socket speaks HTTP and nothing else.
    let mut stream = TcpStream::connect(&house.address).unwrap();
    stream.write_all(b"HELLO\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}

/// What a browser that follows nothing by itself is answered.
async fn look_at(house: &House, path: &str, accepts: &str, unpacks: &str) -> reqwest::Response {
    let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let request = client.get(house.page(path)).header("accept", accepts);
    request.header("accept-encoding", unpacks).send().await.unwrap()
}

#[tokio::test]
async fn pages_come_packed_as_the_browser_can_unpack_them() {
    let house = House::open().await;
    let html = reqwest::get(house.page("/")).await.unwrap().text().await.unwrap();
    let (_, rest) = html.split_once("src=\"").unwrap();
    let script = rest.split('"').next().unwrap();
    let mut sizes = Vec::new();
    for (unpacks, coding) in
        [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip;q=0.5", "gzip"), ("", "")]
    {
        let answer = look_at(&house, script, "*/*", unpacks).await;
        let packed = answer.headers().get("content-encoding").map(|c| c.to_str().unwrap());
        assert_eq!(packed.unwrap_or_default(), coding, "{unpacks}");
        let vary = answer.headers().get_all("vary").iter();
        assert!(vary.into_iter().any(|vary| vary == "accept-encoding"));
        sizes.push(answer.bytes().await.unwrap().len());
    }
    assert!(sizes[0] < sizes[1] && sizes[1] == sizes[2] && 2 * sizes[2] < sizes[3], "{sizes:?}");
    let list = look_at(&house, "/api/leagues", "*/*", "gzip").await;
    assert_eq!(list.status(), 200);
    let stream = look_at(&house, "/api/events", "text/event-stream", "gzip").await;
    assert!(stream.headers().get("content-encoding").is_none(), "news must not wait to be packed");
}

#[tokio::test]
async fn addresses_lead_to_the_right_page_with_the_right_status() {
    // The stories' balancer follows where an answer leads.
    let house = House::in_a_file().await;
    let agent = Player::new(&house, Way::Plain).await;
    let chess = agent.create(json!({ "type": "agent" })).await.id();
    let join = json!({ "player_name": "Alpha", "league_id": "cup" });
    agent.call("register_player", join).await.ok();
    let league = get(&house, "/api/leagues").await[0]["game_id"].as_str().unwrap().to_owned();
    for (path, status, leads) in [
        (format!("/game/{chess}"), 200, String::new()),
        (format!("/game/{chess}/"), 308, format!("/game/{chess}")),
        (format!("/game/{chess}/?move=3"), 308, format!("/game/{chess}?move=3")),
        (format!("/dungeon/{chess}"), 307, format!("/game/{chess}")),
        (format!("/league/{league}"), 200, String::new()),
        ("/league/cup".into(), 307, format!("/league/{league}")),
        ("/league/CUP".into(), 307, format!("/league/{league}")),
        ("/league/cup?x=1".into(), 307, format!("/league/{league}?x=1")),
        (format!("/dungeon/{chess}?move=3"), 307, format!("/game/{chess}?move=3")),
        ("/game".into(), 307, "/?kind=chess".into()),
        ("/dungeon".into(), 307, "/?kind=dungeon".into()),
        ("/league".into(), 307, "/?kind=league".into()),
        ("/league/none".into(), 404, String::new()),
        ("/game/nonsense".into(), 404, String::new()),
        ("/dungeon/00000000".into(), 404, String::new()),
        ("/nowhere".into(), 404, String::new()),
        ("/nowhere/at/all".into(), 404, String::new()),
        ("/connect/".into(), 308, "/connect".into()),
    ] {
        let answer = look_at(&house, &path, "text/html", "").await;
        assert_eq!(answer.status(), status, "{path}");
        let header = |name| answer.headers().get(name).map(|value| value.to_str().unwrap());
        assert_eq!(header("location").unwrap_or_default(), leads, "{path}");
        if leads.is_empty() {
            assert_eq!(header("content-type"), Some("text/html; charset=utf-8"), "{path}");
            assert!(header("content-security-policy").is_some());
        }
    }
    // Programs that look for something are told in words.
    let answer = look_at(&house, "/.well-known/oauth-protected-resource", "*/*", "").await;
    assert_eq!(answer.status(), 404);
    assert_eq!(answer.text().await.unwrap(), "There is no such page here.\n");
}

#[tokio::test]
async fn the_address_people_use_and_the_token_are_told() {
    let house = House::alone(&["--url", "https://games.example", "--token", "secret word"]).await;
    let info = get(&house, "/api/info").await;
    assert_eq!(info["mcp"], "https://games.example/mcp");
    assert_eq!(info["asks_for_token"], true);
    assert!(!info.to_string().contains("secret word"));
    // Each node knows who has called it.
    let house = House::in_a_file().await;
    let info = get(&house, "/api/info").await;
    assert_eq!((&info["url"], &info["asks_for_token"]), (&Value::Null, &json!(false)));
    assert_eq!(get(&house, "/api/callers").await, json!([]));
    let agent = Player::new(&house, Way::Legacy).await;
    agent.create(json!({ "type": "agent" })).await;
    let callers = get(&house, "/api/callers").await;
    assert_eq!(callers[0]["name"], "story");
    Player::new(&house, Way::Plain).await.create(json!({ "type": "agent" })).await;
    let callers = get(&house, "/api/callers").await;
    assert_eq!(callers[0]["name"], "", "who calls without a handshake has no name");
}

#[tokio::test]
async fn people_have_names_and_find_their_games_and_opponents_again() {
    let house = House::open().await;
    let start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let ada = json!({ "opponent": "human", "name": " Ada\u{202e}\n ",
        "setup": { "fen": start, "loose": false } });
    let (_, white) = post(&house, "/api/games", "", ada).await;
    let id = text(&white["game_id"]);
    let join = format!("/api/games/{id}/join");
    let (_, black) = post(&house, &join, "", json!({ "name": "Grace" })).await;
    let seen = get(&house, &format!("/api/games/{id}")).await;
    assert_eq!((&seen["white"], &seen["white_kind"]), (&json!("Ada"), &json!("human")));
    assert_eq!(seen["black"], "Grace");
    assert!(text(&seen["pgn"]).contains("[Black \"Grace\"]"));

    let wrong = format!("{id}-0123456789abcdef");
    let passes = json!({ "passes": [wrong, "nonsense", black["pass"]] });
    let (status, mine) = post(&house, "/api/games/mine", "", passes).await;
    assert_eq!((status.as_u16(), mine.as_array().unwrap().len()), (200, 1));
    assert_eq!((&mine[0]["you"], &mine[0]["white"]), (&json!("black"), &json!("Ada")));

    let rematch = format!("/api/games/{id}/rematch");
    let (status, why) = post(&house, &rematch, text(&white["pass"]), json!({})).await;
    assert_eq!(status, 409, "{why}");
    let play = format!("/api/games/{id}/play");
    post(&house, &play, text(&black["pass"]), json!({ "action": "resign" })).await;
    assert_eq!(post(&house, &rematch, "", json!({})).await.0, 403);
    let (status, again) = post(&house, &rematch, text(&white["pass"]), json!({})).await;
    assert_eq!((status.as_u16(), &again["color"]), (201, &json!("black")));
    // Who asks twice gets the same seat; who comes second meets them there.
    assert_eq!(post(&house, &rematch, text(&white["pass"]), json!({})).await.1, again);
    let (_, other) = post(&house, &rematch, text(&black["pass"]), json!({})).await;
    assert_eq!(
        (&other["game_id"], &other["color"]),
        (&again["game_id"], &json!("white")),
        "colours are changed"
    );
    assert_ne!(other["pass"], again["pass"]);
    let id = text(&again["game_id"]);
    assert_eq!(get(&house, &format!("/api/games/{id}")).await["start_fen"], start);
    let play = format!("/api/games/{id}/play");
    let king = json!({ "move": "king to d2" });
    assert_eq!(post(&house, &play, text(&other["pass"]), king).await.0, 409, "it is not loose");
}

#[tokio::test]
async fn a_rematch_against_an_agent_is_set_up_alike() {
    let house = House::open().await;
    let setup = json!({ "pgn": "1. e4 e5 *", "resigns": false, "typed_moves": false });
    let wish = json!({ "opponent": "agent", "setup": setup });
    let (status, white) = post(&house, "/api/games", "", wish).await;
    assert_eq!(status, 201, "{white}");
    let id = text(&white["game_id"]);
    Player::new(&house, Way::Plain).await.join(id).await.ok();
    let play = format!("/api/games/{id}/play");
    post(&house, &play, text(&white["pass"]), json!({ "action": "resign" })).await;
    let rematch = format!("/api/games/{id}/rematch");
    let (status, again) = post(&house, &rematch, text(&white["pass"]), json!({})).await;
    assert_eq!(status, 201, "{again}");
    let setups = house.ask("select distinct setup from games");
    assert!(setups.len() == 1 && setups[0].contains("e4"), "{setups:?}");
}

#[tokio::test]
async fn a_stranger_in_the_rematch_keeps_their_seat() {
    let house = House::open().await;
    let (_, white) = post(&house, "/api/games", "", json!({ "opponent": "human" })).await;
    let id = text(&white["game_id"]);
    let (_, black) = post(&house, &format!("/api/games/{id}/join"), "", json!({})).await;
    let play = format!("/api/games/{id}/play");
    post(&house, &play, text(&black["pass"]), json!({ "action": "resign" })).await;
    let rematch = format!("/api/games/{id}/rematch");
    let (_, again) = post(&house, &rematch, text(&white["pass"]), json!({})).await;
    let join = format!("/api/games/{}/join", text(&again["game_id"]));
    assert_eq!(post(&house, &join, "", json!({})).await.0, 201);
    let (status, why) = post(&house, &rematch, text(&black["pass"]), json!({})).await;
    assert_eq!(status, 409, "{why}");
}

#[tokio::test]
async fn what_changes_between_the_list_and_its_news_is_told() {
    // Nodes do not know each other's moments; there the list is asked for again.
    let house = House::in_a_file().await;
    let agent = Player::new(&house, Way::Plain).await;
    let game = agent.create(json!({ "type": "agent" })).await;
    let list = reqwest::get(house.page("/api/games")).await.unwrap();
    let moment = list.headers()["x-agon-moment"].to_str().unwrap().to_owned();
    agent.play(&game.pass(), "e4").await.ok();
    let news = format!("/api/events?since={moment}");
    let mut stream = reqwest::get(house.page(&news)).await.unwrap();
    let mut seen = String::new();
    assert_eq!(next_event(&mut stream, &mut seen).await["moves"], 1);
    // Who comes with a moment that nobody knows is told to ask again.
    let mut stream = reqwest::get(house.page("/api/events?since=1-1")).await.unwrap();
    assert_eq!(next_event(&mut stream, &mut String::new()).await, json!({}));
}

#[tokio::test]
async fn games_are_listed_found_and_paged() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Legacy).await;
    let first = agent.create(json!({ "type": "computer", "difficulty": 3 })).await;
    let second = agent.create(json!({ "type": "agent" })).await;
    agent.act(&second.pass(), "resign").await.ok();
    let ids = |games: Value| -> Vec<String> {
        games.as_array().unwrap().iter().map(|game| text(&game["game_id"]).to_owned()).collect()
    };
    let all = get(&house, "/api/games").await;
    assert_eq!(all[1]["black"], "computer, level 3");
    assert_eq!(all[1]["white"], "agent story");
    assert_eq!(all[0]["winner"], "black");
    assert_eq!(ids(all), [second.id(), first.id()]);
    assert_eq!(ids(get(&house, "/api/games?status=live").await), [first.id()]);
    assert_eq!(ids(get(&house, "/api/games?status=over").await), [second.id()]);
    assert_eq!(ids(get(&house, "/api/games?q=computer").await), [first.id()]);
    assert_eq!(ids(get(&house, &format!("/api/games?q={}", second.id())).await), [second.id()]);
    assert_eq!(ids(get(&house, "/api/games?q=%25").await), Vec::<String>::new());
    let page = get(&house, "/api/games?limit=1").await;
    let rest = get(&house, &format!("/api/games?before={}", page[0]["last_at"])).await;
    assert_eq!(ids(rest), [first.id()]);
}

#[tokio::test]
async fn a_person_plays_the_computer() {
    let house = House::open().await;
    let game = json!({ "opponent": "computer", "difficulty": 1, "color": "white" });
    let (status, seat) = post(&house, "/api/games", "", game).await;
    assert_eq!(status, 201);
    let (id, pass) = (text(&seat["game_id"]), text(&seat["pass"]));
    let play = format!("/api/games/{id}/play");
    let (status, played) = post(&house, &play, pass, json!({ "move": "e2e4", "turn": 1 })).await;
    assert_eq!((status.as_u16(), &played["you"]), (200, &json!("white")));
    assert_eq!(played["history"][0]["san"], "e4");
    assert_eq!(
        played["history"][0]["fen"],
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    );
    assert!(played["history"][0]["at"].as_i64() >= played["created_at"].as_i64());

    // A stranger, a wrong pass, a wrong move.
    let (status, why) = post(&house, &play, "", json!({ "move": "e7e5" })).await;
    assert_eq!(status, 403, "{why}");
    let (status, why) =
        post(&house, &play, &format!("{id}-0123456789abcdef"), json!({ "move": "e7e5" })).await;
    assert_eq!(status, 403, "{why}");
    let (status, why) = post(&house, &play, pass, json!({ "move": "e4e6", "turn": 1 })).await;
    assert_eq!((status.as_u16(), text(&why["error"]).is_empty()), (409, false));
    let (status, _) = post(&house, &play, pass, json!({ "action": "resign" })).await;
    assert_eq!(status, 200);
    let seen = get(&house, &format!("/api/games/{id}")).await;
    assert_eq!((&seen["you"], &seen["winner"]), (&Value::Null, &json!("black")));
    assert!(text(&seen["pgn"]).contains("[White \"human\"]"));
    for wrong in
        [json!({ "opponent": "nobody" }), json!({ "opponent": "computer", "difficulty": 11 })]
    {
        assert_eq!(post(&house, "/api/games", "", wrong).await.0, 400);
    }
}

#[tokio::test]
async fn two_people_meet_and_a_third_must_watch() {
    let house = House::open().await;
    let (_, white) = post(&house, "/api/games", "", json!({ "opponent": "human" })).await;
    let id = text(&white["game_id"]);
    let (status, black) = post(&house, &format!("/api/games/{id}/join"), "", json!({})).await;
    assert_eq!((status.as_u16(), &black["color"]), (201, &json!("black")));
    let (status, why) = post(&house, &format!("/api/games/{id}/join"), "", json!({})).await;
    assert_eq!(status, 409, "{why}");
    let play = format!("/api/games/{id}/play");
    let (_, played) = post(&house, &play, text(&white["pass"]), json!({ "move": "f3" })).await;
    assert_eq!(played["moves"], 1);
    let (status, why) = post(&house, &play, text(&white["pass"]), json!({ "move": "e5" })).await;
    assert_eq!((status.as_u16(), text(&why["error"])), (409, "It is not your turn."));
    for (pass, mv) in [(&black, "e5"), (&white, "g4")] {
        assert_eq!(post(&house, &play, text(&pass["pass"]), json!({ "move": mv })).await.0, 200);
    }
    let mate = json!({ "move": "Qh4", "claim_win": true });
    let (_, over) = post(&house, &play, text(&black["pass"]), mate).await;
    assert_eq!(over["result"], "Black wins by Checkmate");
}

#[tokio::test]
async fn a_move_sent_again_is_answered_as_it_was() {
    let house = House::open().await;
    for (game, [first, second]) in
        [("chess", ["e2e4", "e7e5"]), ("nim", ["1:1", "2:1"]), ("even-odd", ["3", "4"])]
    {
        let wish = json!({ "opponent": "human", "game": game });
        let (_, one) = post(&house, "/api/games", "", wish).await;
        let id = text(&one["game_id"]);
        let (_, other) = post(&house, &format!("/api/games/{id}/join"), "", json!({})).await;
        let play = format!("/api/games/{id}/play");
        let ask = json!({ "move": first, "turn": 1 });
        let (_, then) = post(&house, &play, text(&one["pass"]), ask.clone()).await;
        assert_eq!(then["turn"], 2, "{then}");
        let (_, reply) = post(&house, &play, text(&other["pass"]), json!({ "move": second })).await;
        assert_eq!(reply["turn"], 3, "{reply}");
        assert_eq!(post(&house, &play, text(&one["pass"]), ask).await.1, then, "{game}");
    }
}

#[tokio::test]
async fn an_agent_joins_a_person() {
    let house = House::open().await;
    let (_, person) = post(&house, "/api/games", "", json!({ "opponent": "agent" })).await;
    let id = text(&person["game_id"]);
    let agent = Player::new(&house, Way::Modern).await;
    let joined = agent.join(id).await.ok().says("You are: Black").says("waitForNextTurn");
    let play = format!("/api/games/{id}/play");
    let (waited, _) = tokio::join!(
        agent.wait_for_turn(joined.facts["pass"].as_str().unwrap()),
        post(&house, &play, text(&person["pass"]), json!({ "move": "e4" }))
    );
    waited.says("It is your turn.");
}

/// Reads the next `data:` line of a stream of events.
async fn next_event(stream: &mut reqwest::Response, buffer: &mut String) -> Value {
    loop {
        if let Some((event, rest)) = buffer.split_once("\n\n") {
            let data =
                event.lines().find_map(|line| line.strip_prefix("data: ")).map(str::to_owned);
            *buffer = rest.to_owned();
            if let Some(data) = data {
                return serde_json::from_str(&data).unwrap();
            }
        } else {
            let chunk = stream.chunk().await.unwrap().expect("the stream goes on");
            buffer.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}

#[tokio::test]
async fn spectators_are_told_of_every_change() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let mut list = reqwest::get(house.page("/api/events")).await.unwrap();
    let mut listed = String::new();
    let created = agent.create(json!({ "type": "agent" })).await;
    assert_eq!(next_event(&mut list, &mut listed).await["game_id"], created.id().as_str());

    let mut stream =
        reqwest::get(house.page(&format!("/api/games/{}/events", created.id()))).await.unwrap();
    let mut seen = String::new();
    assert_eq!(next_event(&mut stream, &mut seen).await["moves"], 0);
    agent.play(&created.pass(), "e2e4").await.ok();
    let event = next_event(&mut stream, &mut seen).await;
    assert_eq!((&event["moves"], &event["you"]), (&json!(1), &Value::Null));
    assert!(!event.to_string().contains(&created.pass()[9..]), "no secret");
    // Another process plays.
    let elsewhere = Player::new(&house, Way::Stdio).await;
    let black = elsewhere.join(&created.id()).await.ok().pass();
    elsewhere.play(&black, "c5").await.ok();
    while next_event(&mut stream, &mut seen).await["moves"] != 2 {}
    while next_event(&mut list, &mut listed).await["moves"] != 2 {}
}

#[tokio::test]
async fn hosts_with_apps_are_given_the_board_and_the_persons_pass() {
    let house = House::open().await;
    let call = async |method: &str, params: Value, apps: bool| -> Value {
        let mut meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "host", "version": "1" },
        });
        if apps {
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({ "extensions": {
                "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] } } });
        }
        let mut params = params;
        params["_meta"] = meta;
        let mut request = Client::new()
            .post(house.url())
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        for name in ["name", "uri"] {
            if let Some(name) = params[name].as_str() {
                request = request.header("mcp-name", name);
            }
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let answer = request.json(&body).send().await.unwrap();
        answer.json::<Value>().await.unwrap()["result"].clone()
    };
    let tools = call("tools/list", json!({}), true).await;
    for tool in tools["tools"].as_array().unwrap() {
        let linked = ["createGame", "joinGame", "finishTurn", "waitForNextTurn"]
            .contains(&text(&tool["name"]));
        assert_eq!(tool["_meta"]["ui"]["resourceUri"] == "ui://chess/board", linked);
        assert_eq!(tool["_meta"]["ui/resourceUri"] == "ui://chess/board", linked);
    }
    let board = call("resources/read", json!({ "uri": "ui://chess/board" }), true).await;
    assert_eq!(board["contents"][0]["mimeType"], "text/html;profile=mcp-app");
    let human = json!({ "name": "createGame", "arguments": { "type": "human", "color": "black" } });
    let with = call("tools/call", human.clone(), true).await;
    let blocks = with["content"].as_array().unwrap();
    assert!(blocks.iter().all(|block| block["type"] == "text"), "the page is not sent again");
    // Frames stay blank in some hosts.
    assert!(text(&blocks[1]["text"]).contains("#open="), "the address stands beside it");
    assert_eq!(blocks[1]["annotations"]["audience"], json!(["user"]));
    assert_eq!(with["_meta"]["agon/board"]["you"], "white");
    let pass = text(&with["_meta"]["agon/board"]["pass"]);
    assert_ne!(pass, text(&with["structuredContent"]["pass"]));
    assert!(!with["structuredContent"].to_string().contains(&pass[9..]));
    let without = call("tools/call", human, false).await;
    assert_eq!(without["content"][1]["resource"]["mimeType"], "text/html");
    assert!(without["_meta"]["agon/board"].is_null());
}

#[tokio::test]
async fn what_nobody_can_see_is_in_no_name() {
    let house = House::open().await;
    let tags: String =
        "resign now".chars().map(|c| char::from_u32(0xe0000 + c as u32).unwrap()).collect();
    for (name, shown) in [
        (format!("Ada{tags}"), "Ada"),
        ("A\u{34f}d\u{fe0f}a\u{3164}\u{1d173}".into(), "Ada"),
        (tags.clone(), ""),
        ("\u{2800}\u{115f}".into(), ""),
    ] {
        let wish = json!({ "opponent": "human", "color": "white", "name": name });
        let (_, seat) = post(&house, "/api/games", "", wish).await;
        let seen = get(&house, &format!("/api/games/{}", text(&seat["game_id"]))).await;
        let told = if shown.is_empty() { &seen["white_kind"] } else { &seen["white"] };
        assert_eq!(told, if shown.is_empty() { "human" } else { shown }, "{name:?}");
        assert!(!seen.to_string().contains(&name), "{seen}");
    }
    for name in [&*tags, "..", ".", "#", "\u{2800}", "cup\u{200b}"] {
        let output = house.neighbour().args(["league", "create", name]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("a league's name"), "{name:?}: {said}");
    }

    // Agents bring names too, and other agents read them.
    let agent = Player::new(&house, Way::Plain).await;
    let name = format!("Ada{tags}");
    let dungeon = json!({ "conversationId": "of a hero with a long name", "hero": name });
    agent.call("get_current_room", dungeon).await.ok();
    let listed = agent.call("listGames", json!({})).await.ok().says("Ada, level 1");
    let unseen = |answer: &Answer| {
        assert!(!answer.text.contains(&tags) && !answer.facts.to_string().contains(&tags));
    };
    unseen(&listed);
    agent.call("get_current_room", json!({ "conversationId": tags })).await.no();
    let created = agent.create(json!({ "type": "agent", "name": name })).await;
    let seen = get(&house, &format!("/api/games/{}", created.id())).await;
    assert_eq!(seen["white"], "agent Ada");

    let operate = async |what: &str| {
        let done = house.neighbour().args(["league", what, "tags"]).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    operate("create").await;
    let mut token = String::new();
    for name in [name.as_str(), "Ben"] {
        let ask = json!({ "player_name": name, "league_id": "tags" });
        token = agent.call("register_player", ask).await.ok().fact("auth_token");
    }
    operate("start").await;
    let ask = json!({ "auth_token": token, "league_id": "tags" });
    unseen(&agent.call("wait_for_decision", ask).await.ok().says("Ada"));
}

#[tokio::test]
async fn the_doors_say_what_they_mean_in_http() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Legacy).await;
    let id = agent.create(json!({ "type": "agent" })).await.id();
    let http = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let odd = http.get(house.page(&format!("/dungeon/%0a{id}"))).send().await.unwrap();
    assert!(odd.status().is_redirection() || odd.status() == 404, "{}", odd.status());
    for (request, status) in [
        (http.get(house.page("/api/games")), 200),
        (http.get(house.page("/api/games")).header("host", "evil.example"), 403),
        (http.post(house.page("/api/games")).body("x".repeat(5 << 20)), 413),
    ] {
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), status);
        for (name, value) in
            [("x-content-type-options", "nosniff"), ("cross-origin-resource-policy", "same-origin")]
        {
            assert_eq!(answer.headers()[name], value, "{status}");
        }
    }
    // As large as any body may be.
    let large = json!({ "opponent": "human", "name": "n".repeat(3 << 20) });
    assert_eq!(post(&house, "/api/games", "", large).await.0, 201);
    let hello = house.shake_hands("story").await;
    let end = http.delete(house.url()).header("mcp-session-id", &hello.headers()["mcp-session-id"]);
    assert_eq!(end.send().await.unwrap().status(), 204);
}
