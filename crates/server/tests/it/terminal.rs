//! What agon is like in a terminal: help, completions, manual, tables that fit, colour where there
//! is somebody to see it, and JSON for other programs.

use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::tempdir;

use crate::house::{self, AGON};

/// A terminal that a program runs in.
#[cfg(unix)]
pub struct Terminal;

#[cfg(unix)]
impl Terminal {
    /// What it showed, with so many columns, to somebody who types that.
    pub fn run(command: Command, columns: u16, typed: &'static str) -> String {
        Terminal::answer(command, columns, "", || typed)
    }

    /// The same to somebody who waits until `question` is asked.
    pub fn answer(
        mut command: Command,
        columns: u16,
        question: &str,
        typed: impl FnOnce() -> &'static str,
    ) -> String {
        use std::{
            fs::File,
            io::{Read, Write},
        };

        use rustix::{
            fs::{Mode, OFlags},
            pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
            termios::{Winsize, tcsetwinsize},
        };
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let size = Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let path = ptsname(&ours, Vec::new()).unwrap();
        let theirs = rustix::fs::open(path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        tcsetwinsize(&theirs, size).unwrap();
        let theirs = File::from(theirs);
        let mut child = command
            .stdin(theirs.try_clone().unwrap())
            .stdout(theirs.try_clone().unwrap())
            .stderr(theirs)
            .spawn()
            .unwrap();
        // The command holds the terminal too; nothing is at its end before all have let go.
        drop(command);
        let mut ours = File::from(ours);
        let (mut shown, mut byte) = (Vec::new(), [0]);
        while !String::from_utf8_lossy(&shown).contains(question) {
            ours.read_exact(&mut byte).unwrap();
            shown.push(byte[0]);
        }
        ours.write_all(typed().as_bytes()).unwrap();
        // Ends with an error on Linux, once nobody has the terminal any more.
        let _ = ours.read_to_end(&mut shown);
        child.wait().unwrap();
        String::from_utf8(shown).unwrap()
    }
}

fn say(args: &[&str]) -> String {
    let output = Command::new(AGON).args(args).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

const COMMANDS: [&str; 11] = [
    "install",
    "uninstall",
    "doctor",
    "serve",
    "league",
    "player",
    "uci",
    "verify",
    "store",
    "completions",
    "man",
];

#[test]
fn help_fits_on_one_screen_and_has_every_command() {
    let help = say(&["--help"]);
    assert_eq!(help, say(&["-h"]));
    #[cfg(unix)]
    {
        let mut command = Command::new(AGON);
        command.arg("--help").env("NO_COLOR", "1");
        let screen = Terminal::run(command, 80, "");
        assert!(screen.lines().count() <= 45, "{} lines", screen.lines().count());
        assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
    }
    for command in COMMANDS {
        let named = |line: &str| line.split_whitespace().next() == Some(command);
        assert!(help.lines().any(named), "{command}");
        let own = say(&[command, "--help"]);
        assert!(own.contains("Usage: agon"), "{own}");
        assert!(command == "serve" || !own.contains("--allowed-origin"), "{own}");
    }
    assert!(help.contains("--store") && !help.contains("--referee-rate"), "{help}");
    assert!(say(&["player", "--help"]).contains("Show this token to the manager"));
}

#[test]
fn what_the_help_leaves_out_is_taken_all_the_same() {
    let folder = tempdir().unwrap();
    let output = house::command(&folder)
        .args(["--listen", "127.0.0.1:0", "--league-rate", "7", "--thinkers", "1"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn completions_and_manual_are_made_from_the_flags() {
    let bash = say(&["completions", "bash"]);
    let manual = say(&["man"]).replace('\\', "");
    for command in COMMANDS {
        assert!(bash.contains(&format!("agon,{command})")), "{command}");
        assert!(manual.contains(&format!("agon-{command}(1)")), "{command}");
        assert!(say(&["man", command]).contains(".SH SYNOPSIS"), "{command}");
    }
    for flag in ["--listen", "--store", "--allowed-origin", "--referee-rate"] {
        assert!(bash.contains(flag), "{flag}");
        assert!(manual.contains(flag), "{flag}");
    }
    assert!(!manual.contains("conformance"));
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        assert!(say(&["completions", shell]).contains("uninstall"), "{shell}");
    }
    assert!(say(&["man", "league", "create"]).contains("agon league create"));
    let output = Command::new(AGON).args(["man", "league", "crate"]).output().unwrap();
    assert!(!output.status.success());
}

#[test]
fn the_script_for_bash_is_one() {
    let folder = tempdir().unwrap();
    let script = folder.path().join("agon.bash");
    std::fs::write(&script, say(&["completions", "bash"])).unwrap();
    let check = "source \"$1\"; COMP_WORDS=(agon inst); COMP_CWORD=1; _agon agon inst agon; \
                 echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", check, "bash"]).arg(&script).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "install", "{output:?}");
}

/// A league of three that has been played, and the store it is in.
fn played_league(folder: &tempfile::TempDir) {
    let mut command = house::command(folder);
    command.args(["league", "run", "--players", "3", "--seed", "1", "--json"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let facts: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(facts["standings"].as_array().unwrap().len(), 3);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!told.contains('\r'), "no bar is drawn on a pipe: {told:?}");
}

#[test]
fn whatever_prints_a_table_prints_json_too() {
    let folder = tempdir().unwrap();
    played_league(&folder);
    let json = |args: &[&str]| -> Value {
        let output = house::command(&folder).args(args).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {output:?}"))
    };
    let status = json(&["league", "status", "--json"]);
    assert_eq!(status["over"], 3);
    let listed = json(&["league", "list", "--json"]);
    assert_eq!(listed["leagues"][0]["league_id"], status["league_id"]);
    assert_eq!(listed["leagues"][0]["game_id"], status["game_id"]);
    assert_eq!(listed["leagues"][0]["matches"]["over"], 3);
    assert_eq!(json(&["league", "standings", "--json"])["standings"][0]["rank"], 1);
    assert!(json(&["league", "schedule", "--json"])["rounds"].is_array());
    assert!(json(&["league", "log", "R1M1", "--json"])["players"].is_object());
    let verified = json(&["verify", status["game_id"].as_str().unwrap(), "--json"]);
    assert_eq!(verified["holds"], true, "{verified}");
    assert!(verified["turns"].as_u64().unwrap() > 3, "{verified}");
    let [from, to] =
        ["agon.db", "copy.db"].map(|name| format!("sqlite:{}", folder.path().join(name).display()));
    let copied = json(&["store", "copy", &from, &to, "--json"]);
    assert_eq!(copied["games"], 4, "the league and its matches");
    assert_eq!(copied["to"], to.as_str());
}

#[test]
fn leagues_are_listed_and_a_wrong_name_says_so() {
    let folder = tempdir().unwrap();
    let run = |args: &[&str]| {
        let output = house::command(&folder).args(args).stdin(Stdio::null()).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert!(run(&["league", "list"]).contains("agon league create"));
    run(&["league", "create", "hands", "--game", "leduc-poker", "--computer", "1,2"]);
    let listed = run(&["league", "list"]);
    let line = listed.lines().nth(1).unwrap_or_default();
    let words: Vec<_> = line.split_whitespace().collect();
    assert_eq!((words[0], words[2], words[3], words[4]), ("hands", "leduc-poker", "open", "2"));
    // None of them are not all there are.
    assert!(run(&["league", "list", "--most", "0"]).contains("invalid value '0'"));
    assert!(run(&["league", "status", "hand"]).contains("agon league list"));
}

#[test]
fn a_check_of_an_agent_can_be_read_by_programs() {
    // Nobody listens there.
    let check = ["league", "check", "http://127.0.0.1:1/mcp", "--json"];
    let output = Command::new(AGON).args(check).stdin(Stdio::null()).output().unwrap();
    assert!(!output.status.success());
    let told = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> =
        told.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let failed = |line: &Value| {
        line["mark"] == "FAIL" && line["says"].as_str().unwrap().contains("cannot be reached")
    };
    assert!(lines.iter().any(failed), "{told}");
}

#[cfg(unix)]
#[test]
fn tables_fit_and_colour_is_for_those_who_want_it() {
    let folder = tempdir().unwrap();
    played_league(&folder);
    let standings = || {
        let mut command = house::command(&folder);
        command.args(["league", "standings"]).env_remove("NO_COLOR").env("TERM", "xterm");
        command
    };
    let plain = String::from_utf8(standings().output().unwrap().stdout).unwrap();
    assert!(plain.contains("pattern-1,2,4 3") && !plain.contains('\u{1b}'), "{plain}");
    let coloured = Terminal::run(standings(), 200, "");
    assert!(coloured.contains("\u{1b}[1m") && coloured.contains("pattern-1,2,4 3"), "{coloured}");
    let mut command = standings();
    command.env("NO_COLOR", "1");
    let narrow = Terminal::run(command, 85, "");
    assert!(!narrow.contains('\u{1b}'), "{narrow:?}");
    assert!(narrow.contains("...") && narrow.lines().all(|line| line.len() <= 85), "{narrow}");
}

#[test]
fn whoever_has_read_enough_is_no_fault() {
    let check = format!("{AGON} man | head -1; echo ${{PIPESTATUS[0]}}");
    let output = Command::new("bash").args(["-c", &check]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("\n0\n"), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}
