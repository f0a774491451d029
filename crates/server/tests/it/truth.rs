//! What callers are told is true, also when the store gives no answer: done, not done, or not
//! known, and what was not known is done once.

use std::{
    fs,
    io::{Read, Seek, SeekFrom, Write},
    process::{Child, Command, Stdio},
    time::Duration,
};

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    cluster::Cluster,
    heard::Heard,
    house::{self, House, answers},
};

/// Whoever waits this long for what must come at once waits in vain.
const IN_VAIN: Duration = Duration::from_secs(60);

/// Somebody else at work in Postgres, who can keep others waiting.
struct Session(Child);

impl Session {
    fn begin(house: &House, sql: &str) -> Session {
        let child = Cluster::psql()
            .args(["-XAtq", "-v", "ON_ERROR_STOP=1", &house.cluster().address()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut session = Session(child.expect("psql runs"));
        let begin = format!("begin; {sql};\n\\echo begun\n");
        session.0.stdin.as_mut().expect("stdin is piped").write_all(begin.as_bytes()).unwrap();
        let mut said = [0; 5];
        session.0.stdout.as_mut().expect("stdout is piped").read_exact(&mut said).unwrap();
        assert_eq!(&said, b"begun");
        session
    }

    fn end(mut self) {
        drop(self.0.stdin.take());
        assert!(self.0.wait().expect("psql ends").success());
    }
}

/// From now on a commit that adds to `table` waits until the gate is open.
fn put_gate(house: &House, table: &str) {
    house.ask("create table gate ()");
    house.ask(
        "create function pass_gate() returns trigger language plpgsql as
         $$ begin lock table gate in share mode; return null; end $$",
    );
    house.ask(&format!(
        "create constraint trigger gate after insert on {table}
         deferrable initially deferred for each row execute function pass_gate()"
    ));
}

fn shut_gate(house: &House) -> Session {
    Session::begin(house, "lock table gate in access exclusive mode")
}

#[tokio::test]
async fn a_move_that_may_have_been_played_is_played_once() {
    let house = House::of_nodes(2, &[]).await;
    let [one, two] = [0, 1].map(|n| house.player(n));
    put_gate(&house, "turns");
    for told_turn in [false, true] {
        let pass = one.create(json!({ "type": "agent" })).await.pass();
        let gate = shut_gate(&house);
        let played = one.play(&pass, "e2e4").await.no().says("not known").says("turn: 1");
        assert!(!played.text.contains("nothing has changed"), "{}", played.text);
        gate.end();
        // Without a word about the turn at that node, with it at any.
        let mut call = json!({ "game_id": pass, "move": "e2e4" });
        let node = if told_turn { &two } else { &one };
        if told_turn {
            call["turn"] = 1.into();
        }
        node.call("finishTurn", call).await.ok().says("1. e4");
        assert_eq!(house.turns(&pass[..8]), [(1, "e2e4".to_owned())]);
        one.see(&pass).await.ok().says("1. e4");
    }
}

#[tokio::test]
async fn an_action_without_a_key_that_may_have_been_done_is_done_once() {
    let house = House::of_nodes(2, &[]).await;
    let [one, two] = [0, 1].map(|n| house.player(n));
    put_gate(&house, "turns");
    for conversation in ["here", "elsewhere"] {
        let mut save = json!({ "conversationId": conversation });
        one.call("get_current_room", save.clone()).await.ok();
        let gate = shut_gate(&house);
        let unknown = one.call("save_game", save.clone()).await;
        gate.end();
        let unknown = unknown.no().says("not known").says("agon-turn-1");
        assert!(!unknown.text.contains("nothing has changed"), "{}", unknown.text);
        let count = || house.ask("select count(*) || '' from turns where move like 'save%'");
        let before: usize = if conversation == "here" { 0 } else { 2 };
        match conversation {
            "here" => drop(one.call("save_game", save.clone()).await.ok()),
            _ => {
                save["requestId"] = "agon-turn-1".into();
                two.call("save_game", save.clone()).await.ok();
            }
        }
        assert_eq!(count(), [(before + 1).to_string()]);
        // It is taken for that one once, and then means what it says.
        save.as_object_mut().unwrap().remove("requestId");
        let node = if conversation == "here" { &one } else { &two };
        node.call("save_game", save).await.ok();
        assert_eq!(count(), [(before + 2).to_string()]);
    }
}

#[tokio::test]
async fn a_seat_that_may_have_been_taken_is_its_takers() {
    let house = House::of_nodes(1, &[]).await;
    let one = house.player(0);
    put_gate(&house, "seats");
    let game = one.create(json!({ "type": "agent" })).await;
    let gate = shut_gate(&house);
    one.join(&game.id()).await.no().says("not known");
    gate.end();
    // The one who waits at the gate is let in before the next is looked at.
    let black = one.join(&game.id()).await.ok().pass();
    one.play(&game.pass(), "e2e4").await.ok();
    one.play(&black, "e7e5").await.ok();
    one.join(&game.id()).await.no();
}

#[tokio::test]
async fn a_game_that_may_have_been_created_is_created_once() {
    let house = House::of_nodes(1, &[]).await;
    let one = house.player(0);
    put_gate(&house, "games");
    let gate = shut_gate(&house);
    let wish = json!({ "type": "agent", "color": "black" });
    one.call("createGame", wish.clone()).await.no().says("not known");
    gate.end();
    let game = one.create(wish.clone()).await;
    let count = || house.ask("select count(*) || '' from games");
    assert_eq!(count(), ["1"]);
    one.see(&game.pass()).await.ok();
    assert_ne!(one.create(wish).await.id(), game.id());
    assert_eq!(count(), ["2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_hangs_up_does_not_leave_the_others_behind() {
    let house = House::of_nodes(1, &[]).await;
    let one = house.player(0);
    let pass = one.create(json!({ "type": "agent" })).await.pass();
    let events = house.page(&format!("/api/games/{}/events", &pass[..8]));
    let mut events = reqwest::get(events).await.unwrap().bytes_stream();
    events.next().await.expect("the game as it is").unwrap();
    let others = Session::begin(&house, "lock table turns in share mode");
    let mover = house.player(0);
    let moving = tokio::spawn(async move { mover.play(&pass, "e2e4").await });
    tokio::task::block_in_place(|| house.cluster().wait_for_a_lock());
    moving.abort();
    others.end();
    let mut seen = String::new();
    while !seen.contains("e2e4") {
        let event = timeout(IN_VAIN, events.next()).await.expect("the move is told of");
        seen += &String::from_utf8_lossy(&event.expect("the stream goes on").unwrap());
    }
}

/// A busy machine may take longer than the second that a health check has.
async fn is_ready(house: &House) {
    answers(&house.page("/healthz"), 200).await;
}

async fn health(house: &House) -> (u16, String) {
    let answer = reqwest::get(house.page("/healthz")).await.unwrap();
    let code = answer.status().as_u16();
    let body: Value = answer.json().await.unwrap();
    (code, body["error"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_store_that_takes_no_changes_is_not_ready() {
    let house = House::of_nodes(1, &[]).await;
    is_ready(&house).await;
    let house = House::of_nodes(1, &[]).await;
    let others = Session::begin(&house, "lock table leases, turns in share mode");
    let (code, why) = health(&house).await;
    assert_eq!((code, why.as_str()), (503, "the store takes no changes"));
    others.end();
    is_ready(&house).await;
}

#[tokio::test]
async fn a_store_that_was_deleted_or_replaced_is_not_ready_and_takes_no_moves() {
    let house = House::in_a_file().await;
    let player = house.player(0);
    let pass = player.create(json!({ "type": "agent" })).await.pass();
    player.play(&pass, "e2e4").await.ok();
    is_ready(&house).await;
    let path = house.store().trim_start_matches("sqlite:").to_owned();
    let aside = format!("{path}.aside");
    fs::rename(&path, &aside).unwrap();
    for replaced in [false, true] {
        if replaced {
            fs::copy(&aside, &path).unwrap();
        }
        let (code, why) = health(&house).await;
        assert!(code == 503 && why.contains("deleted or replaced"), "{why}");
        player
            .call("createGame", json!({ "type": "agent" }))
            .await
            .no()
            .says("nothing has changed");
    }
    fs::rename(&aside, &path).unwrap();
    is_ready(&house).await;
    player.create(json!({ "type": "agent" })).await;
}

#[tokio::test]
async fn files_beside_the_store_that_are_deleted_cost_no_answered_move() {
    let mut house = House::in_a_file().await;
    let player = house.player(0);
    let path = house.store().trim_start_matches("sqlite:").to_owned();
    let [aside, log, index] = [".aside", "-wal", "-shm"].map(|end| format!("{path}{end}"));
    fs::rename(&index, &aside).unwrap();
    let refused = async || {
        let (code, why) = health(&house).await;
        assert!(code == 503 && why.contains("beside the store"), "{why}");
        let created = player.call("createGame", json!({ "type": "agent" })).await;
        created.no().says("nothing has changed");
    };
    refused().await;
    fs::rename(&aside, &index).unwrap();
    is_ready(&house).await;
    let pass = player.create(json!({ "type": "agent" })).await.pass();
    player.play(&pass, "e2e4").await.ok();
    fs::remove_file(&log).unwrap();
    refused().await;
    house.logs(&["was deleted", "copied into the store"]).await;
    house.crash_and_restart().await;
    let player = house.player(0);
    player.see(&pass).await.ok().says("1. e4");
    player.create(json!({ "type": "agent" })).await;
}

/// A page of the store's file is filled with nonsense: the first of a table.
fn spoil(path: &str, table: &str) {
    let db = rusqlite::Connection::open(path).unwrap();
    let number = |sql: &str| db.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
    let page = number(&format!("select rootpage from sqlite_schema where name = '{table}'"));
    let size = number("pragma page_size");
    let mut file = fs::File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(u64::from((page - 1) * size))).unwrap();
    file.write_all(&vec![0x5a; size as usize]).unwrap();
}

#[tokio::test]
async fn a_store_that_is_damaged_while_it_runs_is_not_ready_and_nothing_more_is_written() {
    for cut in [true, false] {
        let mut house = House::in_a_file().await;
        house.crowd(2000);
        assert!(house.stop().success());
        house.restart().await;
        let player = house.player(0);
        let path = house.store().trim_start_matches("sqlite:").to_owned();
        let is_noticed = async || {
            let (code, why) = health(&house).await;
            assert!(code == 503 && why.contains("damaged") && why.contains("backup"), "{why}");
        };
        if cut {
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_len(file.metadata().unwrap().len() / 4).unwrap();
            // Without a read or a write that would meet the damage.
            is_noticed().await;
        } else {
            spoil(&path, "games");
        }
        let refused = async || {
            let created = player.call("createGame", json!({ "type": "agent" })).await;
            let told = created.no().says("nothing has changed: this server's store is damaged");
            assert!(told.text.contains("tell the owner") && !told.text.contains("ry again"));
            let entered =
                player.call("get_current_room", json!({ "conversationId": "late" })).await.no();
            entered.says("store is damaged; tell the owner");
            let joined = json!({ "player_name": "late", "league_id": "any" });
            let joined = player.call("register_player", joined).await.no();
            joined.says("store is damaged; tell the owner");
            let page = reqwest::Client::new().post(house.page("/api/games"));
            let page = page.json(&json!({ "opponent": "human" })).send().await.unwrap();
            let told = page.text().await.unwrap();
            assert!(told.contains("store is damaged; tell the owner"), "{told}");
        };
        refused().await;
        is_noticed().await;
        let kept = house.stored_bytes();
        refused().await;
        assert!(house.stop().success());
        assert!(house.stored_bytes() == kept, "nothing more was written");
    }
}

#[tokio::test]
async fn damage_in_a_large_store_is_found_while_it_runs() {
    let mut house = House::in_a_file().await;
    house.logs(&["the store was checked before use"]).await;
    assert!(house.stop().success());
    let path = house.store().trim_start_matches("sqlite:").to_owned();
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch(
        "create table ballast as
            with recursive rows(n) as (select 1 union all select n + 1 from rows where n < 40000)
            select zeroblob(2000) as filler from rows",
    )
    .unwrap();
    db.close().unwrap();
    house.restart().await;
    house.logs(&["the store was checked: no damage"]).await;
    let said: Value = reqwest::get(house.page("/healthz")).await.unwrap().json().await.unwrap();
    assert_eq!(said["check"]["ok"], true, "{said}");
    let doctor = ["doctor", "--listen", &house.nodes()[0].address];
    let told = house.neighbour().args(doctor).output().unwrap();
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("it checked its store for damage"), "{told}");
    assert!(house.stop().success());
    spoil(&path, "names");
    house.restart().await;
    house.logs(&["the store is damaged"]).await;
    assert!(health(&house).await.1.contains("damaged"));
    let doctor = ["doctor", "--listen", "127.0.0.1:0"];
    let told = house.neighbour().args(doctor).output().unwrap();
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("FAULT store") && told.contains("damaged"), "{told}");
    assert!(told.contains("Stop every agon that uses it"), "{told}");
    // The check at start reads the newest table first, and ends before it has read all.
    assert!(house.stop().success());
    spoil(&path, "ballast");
    let refused = house.neighbour().args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && told.contains("damaged"), "{told}");
}

#[tokio::test]
async fn a_full_disk_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display().to_string();
    let script = "mount -t tmpfs -o size=64m none \"$1\" && shift && exec \"$@\"";
    let listen = ["--no-browser", "serve", "--listen", "127.0.0.1:0"];
    let server = Heard::start(
        Command::new("unshare")
            .args(["--map-root-user", "--mount", "sh", "-c", script, "sh", &place, house::AGON])
            .args(["--store", &format!("sqlite:{place}/agon.db")])
            .args(listen),
    );
    let url = format!("http://{}/healthz", server.address);
    answers(&url, 200).await;
    let filler = format!("/proc/{}/root{place}/filler", server.id());
    fs::write(&filler, vec![0; 56 << 20]).unwrap();
    answers(&url, 503).await;
    fs::remove_file(&filler).unwrap();
    answers(&url, 200).await;
}
