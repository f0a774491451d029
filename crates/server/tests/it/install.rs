//! `agon install` and `agon uninstall` on files as people have them: only ours is added, once, and
//! taken out again without a trace.

mod files;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use self::files::{CASES, INVALID};
use crate::{house::AGON, terminal::Terminal};

/// A person's home folder, with nothing of this machine's in it.
pub struct Home(TempDir);

impl Home {
    /// Where every host has been started once.
    pub fn new() -> Home {
        let home = Home(tempdir().unwrap());
        for host in HOSTS {
            fs::create_dir_all(home.file(host).parent().unwrap()).unwrap();
        }
        fs::create_dir(home.path(".claude")).unwrap();
        home
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    pub fn file(&self, host: &str) -> PathBuf {
        let config =
            if cfg!(target_os = "macos") { "Library/Application Support" } else { ".config" };
        match host {
            "claude-code" => self.path(".claude.json"),
            "claude-desktop" => self.path(config).join("Claude/claude_desktop_config.json"),
            "vscode" => self.path(config).join("Code/User/mcp.json"),
            "cursor" => self.path(".cursor/mcp.json"),
            "windsurf" => self.path(".codeium/windsurf/mcp_config.json"),
            "gemini" => self.path(".gemini/settings.json"),
            "codex" => self.path(".codex/config.toml"),
            other => panic!("{other} is no host"),
        }
    }

    /// The same file beside it, as it was before.
    fn copy(&self, host: &str) -> PathBuf {
        let file = self.file(host);
        let name = format!("{}.before-agon", file.file_name().unwrap().to_str().unwrap());
        file.with_file_name(name)
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(AGON);
        command.args(args).env_clear().env("HOME", self.0.path()).current_dir(self.0.path());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().unwrap()
    }

    #[track_caller]
    fn succeed(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Fails, and says why.
    #[track_caller]
    fn fail(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(!output.status.success(), "{args:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// Everything that is in it.
    fn picture(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut picture, mut folders) = (BTreeMap::new(), vec![self.0.path().to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    picture.insert(path.clone(), fs::read(path).unwrap());
                }
            }
        }
        picture
    }

    /// How a host stands to agon, as the list has it.
    fn state(&self, host: &str) -> String {
        let list: Value = serde_json::from_str(&self.succeed(&["install", "--json"])).unwrap();
        let found = list.as_array().unwrap().iter().find(|one| one["host"] == host).unwrap();
        found["state"].as_str().unwrap().to_owned()
    }
}

const HOSTS: [&str; 7] =
    ["claude-code", "claude-desktop", "vscode", "cursor", "windsurf", "gemini", "codex"];

fn with_path(text: &str) -> String {
    text.replace("AGON", AGON)
}

/// Installs twice, uninstalls twice, and looks each time.
fn check(host: &str, what: &str, before: &[u8], after: &[u8]) {
    let home = Home::new();
    let file = home.file(host);
    fs::write(&file, before).unwrap();
    home.succeed(&["install", host, "--yes"]);
    let text = String::from_utf8_lossy;
    assert_eq!(text(&fs::read(&file).unwrap()), text(after), "{host}: {what}");
    assert_eq!(fs::read(home.copy(host)).unwrap(), before, "{host}: {what}");
    assert_eq!(home.state(host), "with");
    let once = home.picture();
    assert!(home.succeed(&["install", host, "--yes"]).contains("already"));
    assert!(home.picture() == once, "{host}: {what}: twice is once");
    home.succeed(&["uninstall", host, "--yes"]);
    assert_eq!(text(&fs::read(&file).unwrap()), text(before), "{host}: {what}");
    assert!(fs::read(&file).unwrap() == before, "{host}: {what}: the same bytes");
    assert_eq!(home.picture().len(), 1, "{host}: {what}: nothing else is left");
    assert!(home.succeed(&["uninstall", host, "--yes"]).contains("not in it"));
}

#[test]
fn only_ours_is_added_and_taken_out_again_without_a_trace() {
    for case in CASES {
        let after = with_path(case.after);
        check(case.host, case.what, case.before.as_bytes(), after.as_bytes());
    }
}

#[test]
fn odd_encodings_are_kept() {
    let marked: fn(&str) -> Vec<u8> = |text| format!("\u{feff}{text}").into_bytes();
    let utf16: [fn(&str) -> Vec<u8>; 2] = [
        |text| format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        |text| format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect(),
    ];
    let codex = "# J\u{fc}rgens Einstellungen\nmodel = \"o3\"\n";
    let with_codex = with_path(&format!("{codex}\n[mcp_servers.agon]\ncommand = \"AGON\"\n"));
    check("codex", "a mark before UTF-8", &marked(codex), &marked(&with_codex));
    let case = CASES.iter().find(|case| case.what == "tabs and the line ends of Windows").unwrap();
    let after = with_path(case.after);
    for encode in [marked, utf16[0], utf16[1]] {
        check(case.host, "another encoding", &encode(case.before), &encode(&after));
    }
}

#[test]
fn a_file_that_is_not_there_is_made_and_goes_again() {
    for host in HOSTS {
        let home = Home::new();
        assert_eq!(home.state(host), "without");
        home.succeed(&["install", host, "--yes"]);
        assert_eq!(home.state(host), "with", "{host}");
        home.succeed(&["uninstall", host, "--yes"]);
        assert!(home.picture().is_empty(), "{host}");
    }
}

#[test]
fn what_others_have_written_since_stays() {
    let check = |host: &str, before: &str, change: fn(String) -> String, after: &str| {
        let home = Home::new();
        fs::write(home.file(host), before).unwrap();
        home.succeed(&["install", host, "--yes"]);
        let changed = change(fs::read_to_string(home.file(host)).unwrap());
        fs::write(home.file(host), changed).unwrap();
        home.succeed(&["uninstall", host, "--yes"]);
        assert_eq!(fs::read_to_string(home.file(host)).unwrap(), after, "{host}");
    };
    // The host counts its starts; the list of servers was ours.
    check(
        "claude-code",
        "{\n  \"numStartups\": 1\n}\n",
        |text| text.replace("\"numStartups\": 1", "\"numStartups\": 2"),
        "{\n  \"numStartups\": 2\n}\n",
    );
    // Another server came after us.
    check(
        "cursor",
        "{\n  \"mcpServers\": {}\n}\n",
        |text| text.replace("    }\n  }\n", "    },\n    \"b\": { \"command\": \"b\" }\n  }\n"),
        "{\n  \"mcpServers\": {\n    \"b\": { \"command\": \"b\" }\n  }\n}\n",
    );
    check(
        "codex",
        "model = \"o3\" # good\r\n",
        |text| text + "\r\n# more\r\n[mcp_servers.b]\r\ncommand = \"b\"\r\n",
        "model = \"o3\" # good\r\n\r\n# more\r\n[mcp_servers.b]\r\ncommand = \"b\"\r\n",
    );
}

#[test]
fn a_path_that_is_gone_is_found_and_mended() {
    for (host, before, after) in [
        (
            "vscode",
            "{\n  \"servers\": {\n    \"agon\": {\n      \"command\": \"/gone/agon\", // old\n      \
             \"env\": { \"RUST_LOG\": \"debug\" }\n    }\n  }\n}\n",
            "{\n  \"servers\": {\n    \"agon\": {\n      \"command\": \"AGON\", // old\n      \
             \"env\": { \"RUST_LOG\": \"debug\" }\n    }\n  }\n}\n",
        ),
        (
            "codex",
            "[mcp_servers.agon]\ncommand = \"/gone/agon\" # old\nargs = [\"--rooms\", \"chess\"]\n",
            "[mcp_servers.agon]\ncommand = \"AGON\" # old\nargs = [\"--rooms\", \"chess\"]\n",
        ),
    ] {
        let home = Home::new();
        fs::write(home.file(host), before).unwrap();
        assert_eq!(home.state(host), "stale");
        assert!(home.succeed(&["install"]).contains("its path is gone"));
        home.succeed(&["install", host, "--yes"]);
        assert_eq!(fs::read_to_string(home.file(host)).unwrap(), with_path(after));
        assert_eq!(home.state(host), "with");
    }
}

#[test]
fn a_program_that_has_moved_leaves_no_trace_either() {
    let home = Home::new();
    let before = "{ \"mcpServers\": { } }";
    fs::write(home.file("cursor"), before).unwrap();
    home.succeed(&["install", "cursor", "--yes"]);
    let moved = fs::read_to_string(home.file("cursor")).unwrap().replace(AGON, "/old/place/agon");
    fs::write(home.file("cursor"), moved).unwrap();
    home.succeed(&["install", "cursor", "--yes"]);
    home.succeed(&["uninstall", "cursor", "--yes"]);
    assert_eq!(fs::read_to_string(home.file("cursor")).unwrap(), before);
}

#[test]
fn a_file_that_is_not_valid_is_left_alone_and_the_fault_told() {
    for (host, text, fault) in INVALID {
        let home = Home::new();
        fs::write(home.file(host), text).unwrap();
        let before = home.picture();
        let said = home.fail(&["install", host, "--yes"]);
        assert!(said.contains(fault), "{fault:?} is not in {said}");
        assert!(said.contains(home.file(host).to_str().unwrap()), "{said}");
        assert!(home.picture() == before, "{host}: {text}");
    }
    let home = Home::new();
    fs::write(home.file("gemini"), b"{\n  \"a\": \"\xe9\"\n}").unwrap();
    assert!(
        home.fail(&["install", "gemini", "-y"]).contains("line 2, column 9: this is not UTF-8")
    );
    assert_eq!(home.state("gemini"), "invalid");
}

#[test]
fn an_agon_of_another_kind_is_left_alone() {
    let home = Home::new();
    let text = "{ \"mcpServers\": { \"agon\": { \"url\": \"http://127.0.0.1:8000/mcp\" } } }";
    fs::write(home.file("cursor"), text).unwrap();
    assert!(home.fail(&["install", "cursor", "--yes"]).contains("of another kind"));
    assert_eq!(home.state("cursor"), "other");
    assert_eq!(fs::read_to_string(home.file("cursor")).unwrap(), text);
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let home = Home::new();
    let file = home.file("windsurf");
    fs::write(&file, "{}").unwrap();
    let mut mode = fs::metadata(&file).unwrap().permissions();
    mode.set_readonly(true);
    fs::set_permissions(&file, mode).unwrap();
    let before = home.picture();
    assert!(home.fail(&["install", "windsurf", "--yes"]).contains("is read-only"));
    assert!(home.picture() == before);
    // Nobody writes a file where a folder is, root neither.
    fs::write(home.file("cursor"), "{}").unwrap();
    fs::create_dir(home.copy("cursor")).unwrap();
    let said = home.fail(&["install", "cursor", "--yes"]);
    assert!(said.contains("no copy can be kept") && said.contains("nothing was changed"), "{said}");
    assert_eq!(fs::read(home.file("cursor")).unwrap(), b"{}");
    fs::create_dir(home.file("gemini")).unwrap();
    assert!(home.fail(&["install", "gemini", "--yes"]).contains("cannot be read"));
    assert_eq!(home.picture().len(), 2, "no half-written file is left");
}

#[cfg(unix)]
#[test]
fn links_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let home = Home::new();
    let real = home.path("dotfiles.json");
    fs::write(&real, "{}\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, home.file("cursor")).unwrap();
    home.succeed(&["install", "cursor", "--yes"]);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert!(home.file("cursor").is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("agon"));
    assert_eq!(mode(&real), 0o640);
    assert_eq!(
        mode(&home.path("dotfiles.json.before-agon")),
        0o640,
        "the copy has its secrets too"
    );
    home.succeed(&["install", "codex", "--yes"]);
    assert_eq!(mode(&home.file("codex")), 0o600, "a new file is its owner's");
    fs::remove_file(&real).unwrap();
    assert!(home.fail(&["install", "cursor", "--yes"]).contains("leads nowhere"));
}

#[test]
fn a_host_that_is_not_here_is_not_made_up() {
    let home = Home(tempdir().unwrap());
    for host in HOSTS {
        let said = home.fail(&["install", host, "--yes"]);
        assert!(said.contains("is not here") && said.contains("Start it once"), "{said}");
        assert_eq!(home.state(host), "absent");
    }
    assert!(home.picture().is_empty());
    assert!(home.succeed(&["install"]).contains("host not found"));
}

#[test]
fn nothing_is_written_that_nobody_has_agreed_to() {
    let home = Home::new();
    let text = "{\n  \"mcpServers\": {\n    \"a\": { \"env\": { \"KEY\": \"s3cret\" } }\n  },\n  \"x\": 1\n}\n";
    fs::write(home.file("gemini"), text).unwrap();
    let said = home.fail(&["install", "gemini"]);
    assert!(said.contains(&format!("+       \"command\": \"{AGON}\"")), "{said}");
    assert!(said.contains("--yes") && !said.contains("s3cret"), "others' secrets: {said}");
    assert_eq!(fs::read_to_string(home.file("gemini")).unwrap(), text);
    home.succeed(&["install", "gemini", "--yes"]);
    let said = home.fail(&["uninstall", "gemini"]);
    assert!(said.contains(&format!("-       \"command\": \"{AGON}\"")), "{said}");
    assert_eq!(home.state("gemini"), "with");
}

#[cfg(unix)]
#[test]
fn at_a_terminal_the_owner_is_asked() {
    let home = Home::new();
    let before = home.picture();
    let said = Terminal::run(home.command(&["install", "cursor"]), 100, "n\n");
    assert!(said.contains("Add agon to it? [y/N]") && said.contains("No changes made"), "{said}");
    assert!(home.picture() == before);
    Terminal::run(home.command(&["install", "cursor"]), 100, "y\n");
    assert_eq!(home.state("cursor"), "with");
}

#[cfg(unix)]
#[test]
fn a_file_that_changes_while_the_owner_thinks_is_left_alone() {
    let home = Home::new();
    fs::write(home.file("cursor"), "{}").unwrap();
    let install = home.command(&["install", "cursor"]);
    let said = Terminal::answer(install, 100, "[y/N]", || {
        fs::write(home.file("cursor"), "{ \"mine\": 1 }").unwrap();
        "y\n"
    });
    assert!(said.contains("has changed in the meantime"), "{said}");
    assert_eq!(fs::read_to_string(home.file("cursor")).unwrap(), "{ \"mine\": 1 }");
}

#[cfg(unix)]
#[test]
fn the_link_on_the_path_is_what_hosts_start() {
    let home = Home::new();
    let bin = home.path("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(AGON, bin.join("agon")).unwrap();
    let mut install = home.command(&["install", "codex", "--yes"]);
    assert!(install.env("PATH", &bin).stdin(Stdio::null()).output().unwrap().status.success());
    let text = fs::read_to_string(home.file("codex")).unwrap();
    assert!(text.contains(&format!("command = {:?}", bin.join("agon"))), "{text}");
    assert_eq!(home.state("codex"), "with");
}

#[test]
fn flags_that_come_along_are_for_the_host_to_say() {
    let home = Home::new();
    let flags = ["--store", "sqlite:games.db", "--rooms", "chess,dungeon", "--no-browser"];
    let mut command = home.command(&["install", "claude-desktop", "--yes"]);
    command.args(flags).env("AGON_TOKEN", "not written down");
    assert!(command.stdin(Stdio::null()).output().unwrap().status.success());
    let text = fs::read_to_string(home.file("claude-desktop")).unwrap();
    let config: Value = serde_json::from_str(&text).unwrap();
    let store =
        format!("sqlite:{}", fs::canonicalize(home.0.path()).unwrap().join("games.db").display());
    let args = config["mcpServers"]["agon"]["args"].as_array().unwrap();
    for flag in ["--store", &store, "--rooms", "chess", "dungeon", "--no-browser"] {
        assert!(args.iter().any(|arg| arg == flag), "{flag} is not in {args:?}");
    }
    assert!(!text.contains("not written down"));
    // The host's way of starting it works.
    let mut agon = Command::new(config["mcpServers"]["agon"]["command"].as_str().unwrap());
    agon.args(args.iter().map(|arg| arg.as_str().unwrap())).args(["--listen", "127.0.0.1:0"]);
    let output = agon.env("HOME", home.0.path()).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(home.path("games.db").exists());
    home.succeed(&["install", "claude-desktop", "--yes"]);
    assert_eq!(fs::read_to_string(home.file("claude-desktop")).unwrap(), text, "they stay");
}
