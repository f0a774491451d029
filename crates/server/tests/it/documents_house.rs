//! What the documents say of the pages' JSON and of the store is what there is.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use reqwest::{Client, Method, StatusCode};
use serde_json::json;

use crate::{
    house::House,
    pages::{get, post, text},
    players::{Player, Way},
};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The cells of every line of the tables in a document, but for their heads.
fn rows(document: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("docs").join(document)).expect("it is there");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = |line: &str| line.split('|').skip(1).map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

/// What stands between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// The addresses under /api that the sources serve, each as often as it has methods.
fn routes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            routes(&entry.path(), found);
            continue;
        }
        let text = fs::read_to_string(entry.path()).expect("a source");
        for (at, _) in text.match_indices(".route(\"/api/") {
            let (path, handlers) = text[at..].split_once(", ").expect("a path and who answers");
            let path = path.trim_start_matches(".route(").trim_matches('"');
            let handlers = handlers.lines().next().unwrap_or_default();
            for (verb, method) in [("get(", "GET"), ("post(", "POST")] {
                if handlers.contains(verb) {
                    found.insert(format!("{method} {path}"));
                }
            }
        }
    }
}

#[tokio::test]
async fn every_route_is_documented_and_every_documented_route_answers() {
    let rows = rows("api.md");
    let documented: BTreeSet<_> = rows.iter().flat_map(|row| quoted(&row[0])).collect();
    let mut served = BTreeSet::new();
    routes(&root().join("crates/server/src"), &mut served);
    // Written once for every place of games.
    for place in ["games", "dungeons"] {
        for rest in ["", "/events"] {
            served.insert(format!("GET /api/{place}/{{id}}{rest}"));
        }
    }
    assert_eq!(documented, served);

    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let new = |game: &str| json!({ "game": game, "opponent": "computer", "difficulty": 1 });
    let (_, chess) = post(&house, "/api/games", "", new("chess")).await;
    let (_, dungeon) = post(&house, "/api/games", "", new("dungeon")).await;
    let league = json!({ "league_id": "cup", "player_meta": { "display_name": "one" } });
    player.call("register_player", league).await.ok();
    let league = text(&get(&house, "/api/leagues").await[0]["game_id"]).to_owned();
    for line in &documented {
        let (method, path) = line.split_once(' ').expect("a method and a path");
        let id = match path {
            _ if path.starts_with("/api/leagues") => &league,
            _ if path.starts_with("/api/dungeons") => text(&dungeon["game_id"]),
            _ => text(&chess["game_id"]),
        };
        let path = path.replace("{id}", id).replace("{number}", "0");
        let path = path.replace("{round}", "1").replace("{match}", "R1M1");
        let method: Method = method.parse().expect("a method");
        let request = Client::new().request(method.clone(), house.page(&path)).json(&json!({}));
        let answer = request.send().await.expect("an answer");
        let (status, kind) = (answer.status(), answer.headers().get("content-type"));
        if kind.is_some_and(|kind| kind == "text/event-stream") {
            assert_eq!(status, StatusCode::OK, "{method} {path}");
            continue;
        }
        let said = answer.text().await.expect("a text");
        // Not begun, nobody's, not to be read: each says so in a sentence of its own.
        let refused = said.contains("\"error\"") && !said.contains("There is no such page");
        assert!(status.is_success() || refused, "{method} {path}: {status} {said}");
        assert_ne!(status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
    }
}

#[tokio::test]
async fn every_table_and_column_of_the_store_is_documented() {
    let house = House::in_a_file().await;
    let store = house.store();
    let file = rusqlite::Connection::open(store.strip_prefix("sqlite:").expect("a file")).unwrap();
    let columns = "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c
                   where m.type = 'table' and m.name not like 'sqlite_%' and m.name <> 'migrations'";
    let mut asked = file.prepare(columns).unwrap();
    let mut kept: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let found = asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    for (table, column) in found.map(Result::unwrap) {
        kept.entry(table).or_default().insert(column);
    }
    let documented: BTreeMap<String, BTreeSet<String>> = rows("store.md")
        .iter()
        .map(|row| (quoted(&row[0]).next().expect("a table"), quoted(&row[1]).collect()))
        .collect();
    assert_eq!(documented, kept);
}
