//! What the tools say of themselves, and the document made from it.

use std::{fmt::Write, fs, path::Path};

use rules::{KINDS, Kind};
use serde_json::{Value, json};

use crate::house::House;

async fn tools(path: &str) -> Vec<Value> {
    tools_at(&House::open().await, path).await
}

async fn tools_at(house: &House, path: &str) -> Vec<Value> {
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let answer = reqwest::Client::new().post(house.page(path)).json(&list).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();
    answer["result"]["tools"].as_array().expect("a list of tools").clone()
}

/// What only those who steer a league are shown.
const FOR_STEERING: [&str; 3] = ["start_game", "start_league", "validate_move"];

/// Calls `visit` with every schema inside `schema`.
fn walk(schema: &Value, visit: &mut dyn FnMut(&Value)) {
    visit(schema);
    match schema {
        Value::Object(object) => object.values().for_each(|value| walk(value, visit)),
        Value::Array(items) => items.iter().for_each(|value| walk(value, visit)),
        _ => {}
    }
}

#[tokio::test]
async fn schemas_are_plain_enough_for_every_host() {
    for tool in tools("/mcp").await {
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{}", tool["name"]);
            walk(&tool[schema], &mut |part| {
                assert!(!part["type"].is_array(), "a union in {tool}");
                for key in ["$ref", "$schema", "anyOf", "oneOf", "allOf", "$defs"] {
                    assert!(part.get(key).is_none(), "{key} in {tool}");
                }
                assert!(!part["format"].is_string(), "a format in {tool}");
            });
        }
        assert!(tool["description"].as_str().is_some_and(|text| text.len() < 400));
    }
}

#[tokio::test]
async fn the_tools_are_those_of_the_protocol() {
    let all = tools("/chess/mcp").await;
    let names: Vec<_> = all.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "createGame",
            "finishTurn",
            "gameAction",
            "gameRules",
            "getGame",
            "joinGame",
            "listGames",
            "waitForNextTurn"
        ]
    );
    let dungeon = tools("/dungeon/mcp").await;
    let (league, referee) = (tools("/league/mcp").await, tools("/referee/mcp").await);
    let games = tools("/games/mcp").await;
    let mut whole = [all.clone(), games, dungeon, league, referee].concat();
    whole.sort_by_key(|tool| tool["name"].as_str().unwrap().to_owned());
    let names: Vec<_> = whole.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in FOR_STEERING {
        assert!(names.contains(&name), "{name}");
    }
    let for_all = |tool: &Value| !FOR_STEERING.contains(&tool["name"].as_str().unwrap());
    let mut shown: Vec<_> = whole.clone().into_iter().filter(for_all).collect();
    // Some stand in several rooms, with the picture of each.
    shown.dedup_by_key(|tool| tool["name"].clone());
    let all_names =
        |tools: &[Value]| -> Vec<Value> { tools.iter().map(|tool| tool["name"].clone()).collect() };
    assert_eq!(all_names(&tools("/mcp").await), all_names(&shown), "every room behind one door");
    for tool in &whole {
        assert!(tool["title"].is_string() && tool["icons"][0]["src"].is_string(), "{tool}");
        let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
        assert!(hints.iter().all(|hint| tool["annotations"][hint].is_boolean()), "{tool}");
        // Hosts that cannot ask refuse tools that destroy something; ours do not.
        assert_eq!(tool["annotations"]["destructiveHint"], false, "{tool}");
    }
}

/// The kinds that these tools play, each with a door of its own.
fn played() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().filter(|kind| kind.card.is_some() && kind.seats.len() > 1)
}

#[tokio::test]
async fn no_tool_at_any_door_lists_more_than_ten_arguments() {
    let house = House::open().await;
    let rooms = ["games", "dungeon", "league", "referee"].into_iter();
    let rooms = rooms.chain(played().map(|kind| kind.name)).map(|room| format!("/{room}/mcp"));
    for door in rooms.chain(["/mcp".to_owned()]) {
        for tool in tools_at(&house, &door).await {
            let arguments = tool["inputSchema"]["properties"].as_object().unwrap();
            assert!(arguments.len() <= 10, "{door}: {} of {}", arguments.len(), tool["name"]);
            // Some hosts hand on descriptions and no ranges or defaults, and find tools by them.
            for (name, argument) in arguments {
                let about = argument["description"].as_str().unwrap_or_default();
                let most = argument["maximum"].as_i64().map(|most| format!("to {most}"));
                let default = match &argument["default"] {
                    Value::Null => None,
                    Value::String(word) => Some(format!("default {word}")),
                    value => Some(format!("default {value}")),
                };
                let mut told = most.iter().chain(&default);
                assert!(told.all(|part| about.contains(part)), "{door}: {name} is {argument}");
            }
            let about = tool["description"].as_str().unwrap_or_default();
            if door == "/mcp" && tool["name"] == "createGame" {
                let about = about.to_lowercase();
                let cards = played().filter_map(|kind| kind.card.as_ref());
                let names = cards.flat_map(|card| [&[card.title], card.also_called].concat());
                for name in names.chain(["prisoner's dilemma", "rock paper scissors"]) {
                    assert!(about.contains(&name.to_lowercase()), "{name} is not in {about}");
                }
            }
            if tool["name"] == "gameAction" {
                assert!(about.contains("by=human"), "{door}: {about}");
            }
        }
    }
}

#[tokio::test]
async fn who_sits_where_is_asked_at_every_door_behind_which_more_than_two_can_play() {
    let house = House::open().await;
    let create = async |door: &str| {
        let tools = tools_at(&house, door).await;
        let tool = tools.into_iter().find(|tool| tool["name"] == "createGame").unwrap();
        tool["inputSchema"]["properties"].clone()
    };
    for door in ["/mcp", "/games/mcp"] {
        let listed = create(door).await;
        assert!(listed["game"]["description"].is_string(), "{door}: {listed}");
        assert_eq!(listed["seats"]["type"], "array", "{door}: {listed}");
    }
    for kind in played() {
        let listed = create(&format!("/{}/mcp", kind.name)).await;
        let is_listed = listed["seats"]["description"].as_str().is_some_and(|about| {
            ["me", "computer 3", "agent", "human"].iter().all(|who| about.contains(who))
        });
        assert_eq!(is_listed, kind.seats.len() > 2, "{}: {listed}", kind.name);
    }
}

/// `docs/tools.md` is written by this test (`AGON_WRITE_DOCS=1`) and checked by it, so that it
/// cannot drift.
#[tokio::test]
async fn the_document_of_the_tools_is_true() {
    let mut text =
        "# The tools\n\nMade by a test from what the server says; do not edit.\n".to_owned();
    for (title, path) in [
        ("Chess", "/chess/mcp"),
        ("The dungeon", "/dungeon/mcp"),
        ("The league", "/league/mcp"),
        ("The referee", "/referee/mcp"),
    ] {
        let _ = writeln!(text, "\n## {title}");
        tools(path).await.iter().for_each(|tool| describe(&mut text, tool));
    }
    let chess = tools("/chess/mcp").await;
    let _ = writeln!(text, "\n## Other games\n\nThe tools of chess, but for these.");
    let is_own = |tool: &&Value| {
        let told = ["name", "description", "inputSchema", "outputSchema"];
        !chess.iter().any(|known| told.iter().all(|part| known[part] == tool[part]))
    };
    let games = tools("/games/mcp").await;
    games.iter().filter(is_own).for_each(|tool| describe(&mut text, tool));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools.md");
    if std::env::var_os("AGON_WRITE_DOCS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/tools.md is old; run `make docs`");
}

fn describe(text: &mut String, tool: &Value) {
    let [name, about] = ["name", "description"].map(|field| tool[field].as_str().unwrap());
    let _ = write!(text, "\n### `{name}`\n\n{about}\n");
    for (title, schema) in
        [("Arguments", "inputSchema"), ("Answer (`structuredContent`)", "outputSchema")]
    {
        let _ = write!(text, "\n{title}:\n\n| name | type | | |\n|---|---|---|---|\n");
        let required = tool[schema]["required"].as_array().cloned().unwrap_or_default();
        for (name, about) in tool[schema]["properties"].as_object().unwrap() {
            let needed = if required.contains(&json!(name)) { "always" } else { "" };
            let mut kind = about["type"].as_str().unwrap_or("any").to_owned();
            if let Some(words) = about["enum"].as_array() {
                let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
                kind = words.join(" / ");
            }
            if !about["default"].is_null() {
                let _ = write!(kind, " (default {})", about["default"]);
            }
            let note = about["description"].as_str().unwrap_or("");
            let _ = writeln!(text, "| `{name}` | {kind} | {needed} | {note} |");
        }
    }
}
