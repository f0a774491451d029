//! Borders between the folders of the program: which may use which, and who may know what.
//! ARCHITECTURE.md says the same in prose.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// A folder, or a file at the top, and what it may use of the others.
const MAY_USE: &[(&str, &[&str])] = &[
    ("browser", &[]),
    ("figures", &[]),
    ("ids", &[]),
    ("limits", &[]),
    ("log", &[]),
    ("player", &[]),
    ("policy", &[]),
    ("telling", &[]),
    ("terminal", &[]),
    ("budgets", &["figures", "limits"]),
    ("store", &["figures", "ids", "player", "policy"]),
    ("hall", &["budgets", "figures", "ids", "limits", "player", "policy", "store"]),
    ("seen", &["hall", "player", "store"]),
    // Its programs are players that listen, and MCP clients.
    ("league", &["budgets", "hall", "ids", "limits", "mcp", "player", "store", "terminal", "web"]),
    (
        "mcp",
        &[
            "budgets", "figures", "hall", "ids", "league", "limits", "player", "seen", "store",
            "telling",
        ],
    ),
    (
        "web",
        &[
            "budgets", "figures", "hall", "ids", "league", "limits", "mcp", "player", "seen",
            "store", "telling",
        ],
    ),
    (
        "kinds",
        &["budgets", "hall", "ids", "limits", "mcp", "player", "seen", "store", "telling", "web"],
    ),
    ("keeping", &["store", "terminal"]),
    ("listening", &["mcp", "web"]),
    ("setup", &["store", "terminal"]),
    ("verify", &["hall", "ids", "kinds", "store", "terminal"]),
];

/// Where no kind may be named.
const GENERAL: &[&str] = &[
    "budgets", "figures", "hall", "ids", "limits", "log", "mcp", "player", "policy", "seen",
    "store", "telling", "terminal", "web",
];

/// Kinds that are more than games: a league is led, and its first games have messages of their own.
const OF_LEAGUES: &[&str] = &["even-odd", "league", "parity"];

struct File {
    /// The folder, or the file at the top.
    place: String,
    path: PathBuf,
    /// Less its comments and its tests.
    code: String,
}

fn files() -> Vec<File> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(&source).expect("it is inside").to_owned();
            let place = inside.components().next().expect("a name").as_os_str();
            let place = place.to_string_lossy().trim_end_matches(".rs").to_owned();
            let text = fs::read_to_string(&path).expect("a text");
            let is_test = inside.components().any(|part| {
                let part = part.as_os_str().to_string_lossy();
                matches!(part.trim_end_matches(".rs"), "tests" | "faults")
            });
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
            let code = if is_test { String::new() } else { lines.collect::<Vec<_>>().join("\n") };
            files.push(File { place, path: inside, code });
        }
    }
    files
}

/// The folders that a text names after `crate::`, alone or in braces.
fn used(code: &str) -> BTreeSet<String> {
    let name = |text: &str| {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    };
    let mut used = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        let Some(list) = after.strip_prefix('{') else {
            used.insert(name(after));
            continue;
        };
        let (mut depth, mut item) = (0, String::new());
        for c in list.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    used.insert(name(std::mem::take(&mut item).trim()));
                }
                c if depth == 0 => item.push(c),
                _ => {}
            }
        }
        used.insert(name(item.trim()));
    }
    used.remove("");
    used
}

#[test]
fn folders_use_only_what_lies_below_them() {
    for file in files().iter().filter(|file| file.place != "main") {
        let allowed = MAY_USE.iter().find(|(place, _)| *place == file.place);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{} is nowhere listed", file.place));
        for other in used(&file.code).iter().filter(|other| **other != file.place) {
            assert!(
                allowed.contains(&other.as_str()),
                "{} uses {other}, which {} may not",
                file.path.display(),
                file.place
            );
        }
    }
}

#[test]
fn general_folders_name_no_kind() {
    let kinds = rules::KINDS.iter().map(|kind| kind.name);
    let kinds: Vec<_> = kinds.filter(|kind| !OF_LEAGUES.contains(kind)).collect();
    for file in files().iter().filter(|file| GENERAL.contains(&file.place.as_str())) {
        // The rooms of leagues speak of leagues.
        if file.path.starts_with("mcp/league") {
            continue;
        }
        for kind in &kinds {
            let module = kind.replace('-', "_");
            for named in [format!("\"{kind}\""), format!("{module}::"), format!("rules::{module}")]
            {
                assert!(
                    !file.code.contains(&named),
                    "{} names {kind}: {named}",
                    file.path.display()
                );
            }
        }
    }
}

#[test]
fn only_mcp_knows_mcp_and_only_the_store_knows_sql() {
    for file in files() {
        let may_know_mcp = matches!(file.place.as_str(), "mcp" | "kinds" | "listening" | "log");
        let is_client =
            file.path.starts_with("league/programs") || file.path.starts_with("setup/doctor");
        assert!(
            may_know_mcp || is_client || !file.code.contains("rmcp::"),
            "{} knows MCP",
            file.path.display()
        );
        let knows_sql = ["rusqlite::", "tokio_postgres::", "sqlx::"];
        let may_know_sql = file.place == "store";
        for sql in knows_sql {
            assert!(may_know_sql || !file.code.contains(sql), "{} knows SQL", file.path.display());
        }
    }
}

#[test]
fn what_goes_over_the_wire_of_a_league_knows_no_league() {
    let inside = |folder: &str| {
        let folder = Path::new("league").join(folder);
        files().into_iter().filter(move |file| file.path.starts_with(&folder))
    };
    let borders: [(&str, &[&str]); 2] = [
        ("wire", &["hall", "mcp", "web", "play", "programs"]),
        ("play", &["mcp", "web", "programs"]),
    ];
    for (folder, others) in borders {
        for file in inside(folder) {
            let code = file.code.replace(|c: char| c.is_whitespace(), "");
            for other in others {
                let uses = |before: &str| code.contains(&format!("{before}{other}::"));
                let found = ["::", "{", ","].iter().any(|before| uses(before));
                assert!(!found, "{} uses {other}", file.path.display());
            }
        }
    }
}
