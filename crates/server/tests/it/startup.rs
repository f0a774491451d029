//! Starting and stopping, also when something is in the way.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::Path,
    process::{Command, Output, Stdio},
    time::Duration,
};

use serde_json::json;
use tempfile::tempdir;

use crate::{
    house::{AGON, House},
    players::{Player, Way},
};

fn serve(store: &Path, more: &[&str]) -> Output {
    Command::new(AGON)
        .args(["serve", "--no-browser", "--listen", "127.0.0.1:0"])
        .env("AGON_STORE", format!("sqlite:{}", store.display()))
        .args(more)
        .stdin(Stdio::null())
        .output()
        .expect("agon runs")
}

/// `serve` refuses `store`, says `parts`, and leaves the folder as it was.
fn check_refused(store: &Path, parts: &[&str]) {
    let folder = store.parent().expect("it is in a folder");
    let picture = || {
        let mut files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (fs::read(&path).unwrap(), path))
            .collect();
        files.sort();
        files
    };
    let before = picture();
    let output = serve(store, &[]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr}");
    }
    assert!(picture() == before, "nothing was touched");
}

/// A store that has been used and left in good order.
async fn used_store(folder: &Path) -> std::path::PathBuf {
    let store = folder.join("agon.db");
    let mut house = House::open().await;
    Player::new(&house, Way::Plain).await.create(json!({ "type": "agent" })).await;
    assert!(house.stop().success());
    fs::write(&store, house.stored_bytes()).unwrap();
    store
}

#[tokio::test]
async fn a_read_only_store_is_refused() {
    let folder = tempdir().unwrap();
    let store = used_store(folder.path()).await;
    let mut mode = fs::metadata(&store).unwrap().permissions();
    mode.set_readonly(true);
    fs::set_permissions(&store, mode).unwrap();
    check_refused(&store, &["read-only", "--store"]);
}

#[tokio::test]
async fn a_damaged_store_is_refused() {
    let folder = tempdir().unwrap();
    let store = used_store(folder.path()).await;
    let whole = fs::read(&store).unwrap();
    let mut damaged = whole.clone();
    damaged[4096..].fill(0x5a);
    fs::write(&store, &damaged).unwrap();
    check_refused(&store, &["damaged", "backup"]);
    fs::write(&store, &whole[..whole.len() / 2]).unwrap();
    check_refused(&store, &["damaged", "backup"]);
}

#[tokio::test]
async fn a_store_of_a_newer_or_an_unreleased_version_is_refused() {
    let folder = tempdir().unwrap();
    let store = used_store(folder.path()).await;
    let mut other = fs::read(&store).unwrap();
    for (version, said) in
        [(99, "newer agon"), (11, "unreleased agon"), (1, "unreleased agon"), (-1, "unreleased")]
    {
        other[60..64].copy_from_slice(&i32::to_be_bytes(version));
        fs::write(&store, &other).unwrap();
        check_refused(&store, &[said, &format!("version {version}"), "--store"]);
    }
}

#[test]
fn what_is_no_store_is_refused() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("notes.txt");
    fs::write(&store, "Dear log, ".repeat(100)).unwrap();
    check_refused(&store, &["not a store of agon"]);
    fs::write(&store, "short").unwrap();
    check_refused(&store, &["not a store of agon"]);
}

#[test]
fn a_taken_port_is_said() {
    let folder = tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let port = taken.local_addr().unwrap().port().to_string();
    let localhost = format!("localhost:{port}");
    for place in [&address, &localhost, &port] {
        let output = serve(&folder.path().join("a.db"), &["--listen", place]);
        assert!(!output.status.success());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(&address) && stderr.contains("--listen"), "{stderr}");
    }
}

#[test]
fn what_is_no_address_is_refused() {
    let folder = tempdir().unwrap();
    let output = serve(&folder.path().join("a.db"), &["--listen", "here"]);
    assert!(!output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("not like 127.0.0.1:8000, nor a port"), "{stderr}");
    for url in ["games.example/agon", "//games.example", "localhost:8000", "ftp://games.example"] {
        let output = serve(&folder.path().join("a.db"), &["--url", url]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{url}");
        assert!(stderr.contains("write it in full, like https://games.example"), "{stderr}");
    }
    for store in [
        "postgres//ann:s3cret@db/agon",
        "postgres://ann:s3cret/agon",
        "ann:s3cret@db",
        "pg:ann:s3cret",
        "host=db user=ann password=s3cret",
        "postgres://db/agon?sslpassword=s3cret&sslmode=odd",
    ] {
        let output = serve(&folder.path().join("a.db"), &["--store", store]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && !stderr.contains("s3cret"), "{stderr}");
    }
}

#[test]
fn other_machines_are_not_listened_to_without_a_token() {
    let folder = tempdir().unwrap();
    let output = serve(&folder.path().join("a.db"), &["--listen", "0.0.0.0:0"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("AGON_TOKEN"));
}

#[test]
fn help_and_version_are_there() {
    let say = |args: &[&str]| {
        let output = Command::new(AGON).args(args).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(say(&["--version"]).trim(), format!("agon {}", env!("CARGO_PKG_VERSION")));
    let help = say(&["serve", "--help"]);
    for flag in [
        "listen",
        "store",
        "engine",
        "thinkers",
        "rooms",
        "no-browser",
        "wait-seconds",
        "allowed-host",
        "allowed-origin",
    ] {
        assert!(help.contains(&format!("--{flag}")), "{flag}");
        let variable = format!("AGON_{}", flag.to_uppercase().replace('-', "_"));
        assert!(help.contains(&variable), "{variable}");
    }
    assert!(!help.contains("conformance"));
}

#[test]
fn the_environment_can_say_it_all() {
    let folder = tempdir().unwrap();
    let output = Command::new(AGON)
        .env("AGON_LISTEN", "127.0.0.1:0,127.0.0.1:0")
        .env("AGON_STORE", format!("sqlite:{}", folder.path().join("e.db").display()))
        .env("AGON_ROOMS", "chess")
        .env("AGON_NO_BROWSER", "1")
        .env("AGON_WAIT_SECONDS", "5")
        .env("AGON_ALLOWED_HOST", "a.example,b.example")
        .env("AGON_ALLOWED_ORIGIN", "https://a.example")
        .env("AGON_TOKEN", "word")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(stderr.matches("listens on").count(), 2, "{stderr}");
    assert!(stderr.contains("e.db"));
    assert!(!stderr.contains("word"), "the token is a secret");
}

#[tokio::test]
async fn it_stops_when_asked_with_streams_open() {
    let mut house = House::with(&["--wait-seconds", "30"]).await;
    let agent = Player::new(&house, Way::Legacy).await;
    let pass = agent.create(json!({ "type": "agent", "color": "black" })).await.pass();
    // A session's own stream, a wait in the session, and a wait without one.
    let waiting =
        tokio::spawn(
            async move { agent.try_call("waitForNextTurn", json!({ "game_id": pass })).await },
        );
    let plain = Player::new(&house, Way::Plain).await;
    let other = plain.create(json!({ "type": "agent", "color": "black" })).await.pass();
    let plain_waiting = tokio::spawn(async move {
        plain.try_call("waitForNextTurn", json!({ "game_id": other })).await
    });
    tokio::task::yield_now().await;
    let status = tokio::task::spawn_blocking(move || house.stop()).await.unwrap();
    assert!(status.success(), "{status}");
    waiting.abort();
    plain_waiting.abort();
}

#[tokio::test]
async fn it_says_where_it_is_and_how_many_games_it_found() {
    let folder = tempdir().unwrap();
    let store = used_store(folder.path()).await;
    let mut agon = Command::new(AGON)
        .args([
            "serve",
            "--no-browser",
            "--listen",
            "127.0.0.1:0",
            "--listen",
            "127.0.0.1:0",
            "--store",
        ])
        .arg(format!("sqlite:{}", store.display()))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(agon.stderr.take().unwrap()));
    // Besides these there are lines of the log.
    let is_logged = |line: &String| line.contains("WARN") || line.contains("INFO");
    let mut lines = lines.map(Result::unwrap).filter(|line| !is_logged(line));
    let mut line = || lines.next().unwrap();
    assert!(line().contains("listens on http://127.0.0.1:"));
    assert!(line().contains("listens on http://127.0.0.1:"));
    assert_eq!(line(), format!("store: sqlite:{}", store.display()));
    assert_eq!(line(), "games found: 1");
    assert!(line().contains("behind a proxy or tunnel, give --url"));
    agon.kill().unwrap();
    agon.wait().unwrap();
}

#[test]
fn a_process_on_stdin_keeps_stdout_clean_and_ends_with_its_host() {
    let folder = tempdir().unwrap();
    let mut agon = crate::house::command(&folder)
        .args(["--listen", "127.0.0.1:0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = agon.stdin.take().unwrap();
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "this is not JSON",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"createGame","arguments":{"type":"computer","color":"black"}}}"#,
    ] {
        writeln!(stdin, "{line}").unwrap();
    }
    let long = " ".repeat(17 << 20);
    writeln!(stdin, r#"{{"jsonrpc":"2.0","id":4,"method":"tools/list"{long}}}"#).unwrap();
    // The last line may have no end.
    write!(stdin, r#"{{"jsonrpc":"2.0","id":5,"method":"tools/list"}}"#).unwrap();
    drop(stdin);
    let mut stdout = String::new();
    agon.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    let messages: Vec<serde_json::Value> =
        stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    for id in 1..=5 {
        let answer = messages.iter().find(|message| message["id"] == id);
        assert!(answer.is_some_and(|answer| answer["result"].is_object()), "{id} in {stdout}");
    }
    assert!(agon.wait().unwrap().success());
}

#[test]
fn a_host_that_says_nothing_is_no_error() {
    let folder = tempdir().unwrap();
    let status = crate::house::command(&folder)
        .args(["--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}

/// Starts `agon` where there is a desktop, with a browser that writes down what it was shown.
#[cfg(target_os = "linux")]
fn start_on_a_desktop(folder: &Path, more: &[&str], set: &[(&str, &str)]) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let (browser, shown) = (folder.join("xdg-open"), folder.join("shown"));
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > {}\n", shown.display())).unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(AGON)
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .env("HOME", folder)
        .env("DISPLAY", ":0")
        .envs(set.iter().copied())
        .args(["--listen", "127.0.0.1:0"])
        .args(more)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(output.stdout.is_empty(), "stdout is not the browser's");
    shown
}

#[cfg(target_os = "linux")]
#[test]
fn the_browser_opens_once_where_there_is_somebody_to_see_it() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    for (more, set) in [
        (&["--no-browser"] as &[&str], &[] as &[(&str, &str)]),
        (&[], &[("MCP_DISABLE_BROWSER", "1")]),
        (&[], &[("AGON_NO_BROWSER", "1")]),
        (&[], &[("CI", "true")]),
        (&[], &[("SSH_CONNECTION", "there")]),
    ] {
        let shown = start_on_a_desktop(folder, more, set);
        assert!(!shown.exists(), "{more:?} {set:?}");
    }
    let shown = start_on_a_desktop(folder, &[], &[]);
    while !fs::read_to_string(&shown).is_ok_and(|url| url.ends_with("/\n")) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(fs::read_to_string(&shown).unwrap().starts_with("http://127.0.0.1:"));
    fs::remove_file(&shown).unwrap();
    let shown = start_on_a_desktop(folder, &[], &[]);
    assert!(!shown.exists(), "not again");
}
