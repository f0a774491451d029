//! Engines that are not ours play for the computer: good ones, and bad ones.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::json;
use tempfile::{TempDir, tempdir};

use crate::{
    house::{House, until},
    players::{Answer, Player, Way},
};

const FAILED: &str = "the engine failed";

/// Plays this turn, one way or another.
async fn play_something(player: &Player, pass: &str, turn: &Answer) {
    let legal = turn.facts["legal_moves"].as_array().expect("legal moves");
    let index = turn.facts["turn"].as_u64().expect("a turn") as usize * 7 % legal.len();
    player.play(pass, legal[index]["uci"].as_str().expect("a move")).await.ok();
}

/// So many moves against the computer, or fewer if the game is over.
async fn play_moves(house: &House, level: u8, moves: usize) -> Answer {
    let player = Player::new(house, Way::Plain).await;
    let pass = player.create(json!({ "type": "computer", "difficulty": level })).await.pass();
    let mut turn = player.wait_for_turn(&pass).await;
    for _ in 0..moves {
        if turn.facts["status"] != "your_turn" {
            break;
        }
        play_something(&player, &pass, &turn).await;
        turn = player.wait_for_turn(&pass).await;
    }
    turn
}

/// A program of this text, in a folder of its own.
fn script(text: &str) -> (TempDir, String) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("engine");
    fs::write(&path, text.replace("$HERE", &folder.path().display().to_string())).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be made to run");
    let path = path.display().to_string();
    (folder, path)
}

/// An engine that is polite until it is to move, and then does this.
pub fn rude(deed: &str) -> (TempDir, String) {
    let manners = "echo $$ >> $HERE/pids
        while read -r line; do
            case \"$line\" in
                uci) echo 'id name Rude'; echo uciok;;
                isready) echo readyok;;
                quit) exit;;
                go*) DEED;;
            esac
        done";
    script(&format!("#!/bin/sh\n{}\n", manners.replace("DEED", deed)))
}

/// The processes that a house has started.
fn children(house: &House) -> Vec<u32> {
    let parent = house.pid().to_string();
    let processes = fs::read_dir("/proc").expect("a list of processes");
    let pids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let stat = |pid: u32| fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let is_child = |pid: &u32| {
        let stat = stat(*pid);
        let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
        fields.split(' ').nth(1) == Some(parent.as_str())
    };
    let mut children: Vec<u32> = pids.filter(is_child).collect();
    children.sort_unstable();
    children
}

/// Waits until there is no such process, or what is left of it does nothing.
pub fn wait_for_end(pid: u32) {
    let stat = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    while !(stat().is_empty() || stat().contains(") Z ")) {
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub fn pids(folder: &TempDir) -> Vec<u32> {
    let pids = fs::read_to_string(folder.path().join("pids")).unwrap_or_default();
    pids.lines().map(|pid| pid.parse().expect("a number")).collect()
}

fn failures(log: &[String]) -> Vec<&String> {
    log.iter().filter(|line| line.contains(FAILED)).collect()
}

/// What went wrong with an engine that is in order. On a busy machine it may be slow to start; then
/// agon's own plays meanwhile, as it should.
fn faults(log: &[String]) -> Vec<&String> {
    let mut failures = failures(log);
    failures.retain(|line| !line.contains("it is slow to start"));
    failures
}

#[tokio::test]
async fn stockfish_fairy_stockfish_and_gnuchess_play_whole_games() {
    for engine in ["stockfish", "/usr/games/fairy-stockfish", "gnuchess --uci"] {
        let house = House::with(&["--engine", engine]).await;
        let end = play_moves(&house, 6, usize::MAX).await;
        assert!(end.text.contains("Game Over"), "{engine}: {}", end.text);
        for level in [1, 9, 10] {
            play_moves(&house, level, 3).await.says("It is your turn.");
        }
        assert_eq!(faults(&house.close()), [""; 0], "{engine}");
    }
}

#[tokio::test]
async fn what_the_engine_says_is_played() {
    let (folder, engine) =
        script("#!/bin/sh\ntee $HERE/heard | /usr/games/stockfish | tee $HERE/said\n");
    let house = House::with(&["--engine", &engine]).await;
    let turn = play_moves(&house, 7, 8).await;
    let history = turn.facts["history"].as_array().expect("a history").len();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it was written");
    let said: Vec<String> = read("said")
        .lines()
        .filter_map(|line| line.strip_prefix("bestmove "))
        .map(|line| line.split(' ').next().expect("a move").to_owned())
        .collect();
    let moves = house.turns(&turn.id());
    let answers: Vec<String> = moves.into_iter().skip(1).step_by(2).map(|(_, mv)| mv).collect();
    // It may well have mated us before.
    assert_eq!(answers.len(), history / 2);
    assert_eq!(answers, said);
    let heard = read("heard");
    assert_eq!(heard.matches("ucinewgame").count(), 1, "{heard}");
    assert!(heard.contains("setoption name Skill Level value 2\n"), "{heard}");
    assert_eq!(faults(&house.close()), [""; 0]);
}

#[tokio::test]
async fn its_score_decides_on_a_draw() {
    for engine in ["stockfish", "gnuchess --uci"] {
        let house = House::with(&["--engine", engine]).await;
        let agent = Player::new(&house, Way::Plain).await;
        for (fen, answer) in [
            ("k2q4/8/8/8/8/8/8/K7 w - - 0 1", "It is your turn."),
            ("k7/8/8/8/8/8/8/K2Q4 w - - 0 1", "Game Over: Draw by agreement"),
        ] {
            let pass = agent.create(json!({ "type": "computer", "fen": fen })).await.pass();
            agent.act(&pass, "offerDraw").await.ok();
            agent.wait_for_turn(&pass).await.says(answer);
        }
        assert_eq!(faults(&house.close()), [""; 0], "{engine}");
    }
}

#[tokio::test]
async fn a_game_that_changes_stops_its_thought() {
    let house = House::with(&["--engine", "stockfish", "--thinkers", "1"]).await;
    let agent = Player::new(&house, Way::Plain).await;
    for _ in 0..3 {
        let pass = agent.create(json!({ "type": "computer", "difficulty": 10 })).await.pass();
        agent.play(&pass, "e2e4").await.ok();
        agent.act(&pass, "takeback").await.ok();
        agent.play(&pass, "a2a3").await.ok();
        let turn = agent.wait_for_turn(&pass).await;
        assert_eq!(turn.facts["history"][0], "a3", "{}", turn.text);
        assert_eq!(turn.facts["history"].as_array().map(Vec::len), Some(2));
        agent.play(&pass, "a3a4").await.ok();
        agent.act(&pass, "resign").await.ok();
    }
    assert_eq!(children(&house).len(), 1, "the same process all the time");
    assert_eq!(faults(&house.close()), [""; 0]);
}

#[tokio::test]
async fn a_thinker_has_one_process_for_all_its_games() {
    let house = House::with(&["--engine", "stockfish", "--thinkers", "2"]).await;
    let agent = Player::new(&house, Way::Plain).await;
    let mut passes = Vec::new();
    for _ in 0..6 {
        let game = json!({ "type": "computer", "difficulty": 10, "color": "black" });
        passes.push(agent.create(game).await.pass());
    }
    for pass in &passes {
        agent.wait_for_turn(pass).await.says("It is your turn.");
    }
    let processes = children(&house);
    assert!((1..=2).contains(&processes.len()), "{processes:?}");
    play_moves(&house, 3, 5).await;
    assert_eq!(children(&house), processes);
}

#[tokio::test]
async fn a_bad_engine_never_costs_a_game() {
    for (deed, trouble) in [
        ("exit 3", "it has ended"),
        (":", "it hangs"),
        ("echo bestmove banana", "bestmove banana"),
        ("echo bestmove", "nonsense"),
        ("echo 'bestmove (none)'", "(none)"),
        ("head -c 100000 /dev/zero", "a line without end"),
        ("yes", "it hangs"),
        ("echo bestmove e2e4", "e2e4, which is not legal"),
        ("echo bestmove 0000", "0000, which is not legal"),
        ("kill -9 $$", "it has ended"),
    ] {
        let (folder, engine) = rude(deed);
        check_failure(&folder, &engine, trouble).await;
        assert_eq!(pids(&folder).len(), 1, "{deed}");
    }
}

/// A game goes on with this engine, whose trouble is logged once and whose process is gone.
async fn check_failure(folder: &TempDir, engine: &str, trouble: &str) {
    let house = House::with(&["--engine", engine]).await;
    play_moves(&house, 4, 1).await.says("It is your turn.");
    let log = house.close();
    let failures = failures(&log);
    assert!(failures.len() == 1 && failures[0].contains(trouble), "{trouble}: {log:?}");
    assert!(failures[0].contains(engine) && failures[0].contains("WARN"), "{log:?}");
    pids(folder).into_iter().for_each(wait_for_end);
}

#[tokio::test]
async fn an_engine_that_does_not_start_never_costs_a_game() {
    for (text, trouble) in [
        ("#!/no/such/shell\n", "it does not start"),
        ("#!/bin/sh\nexit\n", "it has ended"),
        ("#!/bin/sh\necho $$ > $HERE/pids\nexec sleep 1000\n", "it is slow to start"),
        ("#!/bin/sh\nread line; echo uciok; exec sleep 1000\n", "it is slow to start"),
    ] {
        let (folder, engine) = script(text);
        check_failure(&folder, &engine, trouble).await;
    }
}

#[tokio::test]
async fn junk_between_good_answers_is_passed_over() {
    let noise = "printf 'noise \\377\\376\\000\\n'; echo; echo readyok";
    let (_folder, engine) = rude(&format!(
        "{noise}; echo info score cp ten; echo bestmove e7e5; echo bestmove banana; {noise}"
    ));
    let house = House::with(&["--engine", &engine]).await;
    let agent = Player::new(&house, Way::Plain).await;
    for _ in 0..3 {
        let pass = agent.create(json!({ "type": "computer" })).await.pass();
        agent.play(&pass, "e2e4").await.ok();
        let turn = agent.wait_for_turn(&pass).await;
        assert_eq!(turn.facts["history"], json!(["e4", "e5"]));
    }
    assert_eq!(faults(&house.close()), [""; 0]);
}

#[tokio::test]
async fn an_engine_that_failed_is_started_again() {
    let (folder, engine) = script(
        "#!/bin/sh
        echo $$ >> $HERE/pids
        [ $(wc -l < $HERE/pids) = 1 ] && exit
        exec /usr/games/stockfish\n",
    );
    let house = House::with(&["--engine", &engine]).await;
    while pids(&folder).len() < 2 {
        play_moves(&house, 1, 5).await;
    }
    play_moves(&house, 1, 5).await;
    assert_eq!(children(&house), pids(&folder)[1..]);
    assert_eq!(failures(&house.close()).len(), 1);
}

#[tokio::test]
async fn no_engine_outlives_the_server() {
    let forget = "echo bestmove e7e5; exec sleep 1000";
    let think = "exec sleep 1000";
    for (deed, moves) in [(forget, 1), (think, 0)] {
        let (folder, engine) = rude(deed);
        let house = House::with(&["--engine", &engine]).await;
        let agent = Player::new(&house, Way::Plain).await;
        let pass = agent.create(json!({ "type": "computer" })).await.pass();
        agent.play(&pass, "e2e4").await.ok();
        if moves > 0 {
            agent.wait_for_turn(&pass).await.ok();
        }
        until(async || !pids(&folder).is_empty()).await;
        house.close();
        wait_for_end(pids(&folder)[0]);
    }
    // With its server killed, an engine has nobody to listen to.
    let mut house = House::with(&["--engine", "stockfish"]).await;
    play_moves(&house, 2, 1).await;
    let processes = children(&house);
    assert_eq!(processes.len(), 1);
    house.kill();
    processes.into_iter().for_each(wait_for_end);
}

#[test]
fn a_missing_engine_is_refused_at_once() {
    let folder = tempdir().expect("a folder");
    let plain = folder.path().join("plain");
    fs::write(&plain, "no program").expect("a file");
    let missing = |engine: &Path| {
        let output = crate::house::command(&folder)
            .args(["serve", "--listen", "127.0.0.1:0", "--engine"])
            .arg(engine)
            .output()
            .expect("agon runs");
        assert!(!output.status.success() && output.stdout.is_empty());
        String::from_utf8(output.stderr).expect("text")
    };
    for engine in [PathBuf::from("no-such-engine --uci"), folder.path().join("none"), plain] {
        let said = missing(&engine);
        let named = engine.file_name().and_then(|name| name.to_str()).expect("a name");
        for part in [named, "/usr/games", "apt-get install", "--engine"] {
            assert!(said.contains(part), "{part:?} is not in {said}");
        }
    }
    assert!(!folder.path().join("agon.db").exists(), "nothing was begun");
}

#[tokio::test]
async fn the_environment_names_an_engine_too() {
    let folder = tempdir().expect("a folder");
    let output = crate::house::command(&folder)
        .env("AGON_ENGINE", "no-such-engine")
        .env("AGON_THINKERS", "0")
        .arg("serve")
        .output();
    let said = String::from_utf8(output.expect("agon runs").stderr).expect("text");
    assert!(said.contains("--thinkers"), "{said}");
    let output =
        crate::house::command(&folder).env("AGON_ENGINE", "no-such-engine").arg("serve").output();
    let said = String::from_utf8(output.expect("agon runs").stderr).expect("text");
    assert!(said.contains("no-such-engine"), "{said}");
}
