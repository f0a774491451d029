//! `agon doctor`: all well, and each thing that can be wrong with what to do about it.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::Stdio,
    thread,
};

use serde_json::Value;

use crate::{cluster::Cluster, house::House, install::Home};

struct Told {
    ok: bool,
    checks: Vec<Value>,
}

impl Told {
    /// What is said about one thing, of that verdict.
    #[track_caller]
    fn says(&self, name: &str, verdict: &str, parts: &[&str]) {
        let named = |check: &&Value| check["name"] == name && check["verdict"] == verdict;
        let found = self.checks.iter().filter(named).any(|check| {
            let text = format!("{} {}", check["says"], check["do"]);
            parts.iter().all(|part| text.contains(part))
        });
        assert!(found, "no {verdict} of {name} with {parts:?} in {:?}", self.checks);
    }
}

fn examine(home: &Home, store: &Path, listen: &str) -> Told {
    examine_at(home, &format!("sqlite:{}", store.display()), listen)
}

fn examine_at(home: &Home, store: &str, listen: &str) -> Told {
    let args = ["doctor", "--json", "--store", store, "--listen", listen];
    let output = home.command(&args).stdin(Stdio::null()).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let ok = report["ok"] == true;
    assert_eq!(output.status.code(), Some(if ok { 0 } else { 1 }), "{report}");
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    Told { ok, checks: report["checks"].as_array().unwrap().clone() }
}

#[test]
fn where_all_is_well_a_game_is_played() {
    let home = Home::new();
    let store = home.path("data/agon.db");
    let told = examine(&home, &store, "127.0.0.1:0");
    assert!(told.ok);
    told.says("store", "ok", &["will be made"]);
    told.says("port", "ok", &["is free"]);
    told.says("disk", "ok", &["MB are free"]);
    told.says("hosts", "note", &["Cursor has no agon", "agon install cursor"]);
    told.says("game", "ok", &["played over MCP", "Black wins by Checkmate"]);
    assert!(!store.exists(), "the doctor leaves no store behind");
    let args = ["doctor", "--listen", "127.0.0.1:0"];
    let said = String::from_utf8(home.run(&args).stdout).unwrap();
    assert!(said.contains("agon works here."), "{said}");
}

#[tokio::test]
async fn a_server_that_runs_is_recognized() {
    let house = House::in_a_file().await;
    let home = Home::new();
    let store = PathBuf::from(house.store().trim_start_matches("sqlite:"));
    let told = examine(&home, &store, &house.address);
    assert!(told.ok);
    told.says("port", "ok", &["is running", &house.address]);
    told.says("store", "ok", &["opens and takes changes"]);
}

#[test]
fn a_port_that_somebody_else_has_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    // Whoever it is knows nothing of games.
    thread::spawn(move || {
        for caller in taken.incoming() {
            let mut caller = caller.unwrap();
            let _ = caller.read(&mut [0; 1024]);
            let _ = caller.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
        }
    });
    let home = Home::new();
    let told = examine(&home, &home.path("agon.db"), &address);
    assert!(!told.ok);
    told.says("port", "fault", &[&address, "--listen"]);
    told.says("game", "ok", &["played"]);
}

#[test]
fn a_store_that_does_not_open_is_told() {
    let home = Home::new();
    let store = home.path("notes.txt");
    fs::write(&store, "Dear log, ".repeat(100)).unwrap();
    let told = examine(&home, &store, "127.0.0.1:0");
    assert!(!told.ok);
    told.says("store", "fault", &["is not a store of agon", "--store"]);
    // A file where the folder should be: nobody can write into that.
    let told = examine(&home, &store.join("below/agon.db"), "127.0.0.1:0");
    assert!(!told.ok);
}

#[test]
fn a_database_is_left_as_it_is_until_a_start() {
    let cluster = Cluster::database();
    let home = Home::new();
    let told = examine_at(&home, &cluster.address(), "127.0.0.1:0");
    told.says("store", "ok", &["first start"]);
    assert!(cluster.ask("select 1 from pg_tables where schemaname = 'public'").is_empty());
}

#[cfg(unix)]
#[test]
fn a_store_that_others_can_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let folder = home.path("data");
    fs::create_dir(&folder).unwrap();
    let store = folder.join("agon.db");
    fs::write(&store, "").unwrap();
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&store, 0o644);
    set(&folder, 0o777);
    let told = examine(&home, &store, "127.0.0.1:0");
    assert!(!told.ok);
    told.says("store", "fault", &["can read", "chmod 600"]);
    told.says("store", "fault", &["another store", "chmod 700"]);
    set(&store, 0o600);
    set(&folder, 0o700);
    assert!(examine(&home, &store, "127.0.0.1:0").ok);
}

#[test]
fn hosts_that_cannot_start_agon_are_told() {
    let home = Home::new();
    let gone = "{ \"mcpServers\": { \"agon\": { \"command\": \"/gone/agon\" } } }";
    fs::write(home.file("cursor"), gone).unwrap();
    fs::write(home.file("codex"), "[tui\n").unwrap();
    let told = examine(&home, &home.path("agon.db"), "127.0.0.1:0");
    assert!(!told.ok);
    told.says("hosts", "fault", &["/gone/agon", "agon install cursor"]);
    told.says("hosts", "fault", &["config.toml", "line 1, column 5"]);
    assert!(home.run(&["install", "cursor", "--yes"]).status.success());
    fs::remove_file(home.file("codex")).unwrap();
    let told = examine(&home, &home.path("agon.db"), "127.0.0.1:0");
    assert!(told.ok);
    told.says("hosts", "ok", &["Cursor has agon"]);
}

#[test]
fn why_no_game_was_played_is_told() {
    let home = Home::new();
    let mut command = home.command(&["doctor", "--listen", "127.0.0.1:0"]);
    command.env("AGON_LIMITS", home.path("nowhere.json")).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("no game was played") && said.contains("nowhere.json"), "{said}");
    assert!(said.ends_with("1 fault.\n"), "{said}");
}
