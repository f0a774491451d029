//! Borders between the folders of the program and of its pages: which may use which, and who may know what.
//! ARCHITECTURE.md says the same in prose.

mod pages;
mod reading;

use std::{
    fs,
    path::{Path, PathBuf},
};

use self::reading::{paths, without_comments};

/// A folder, or a file at the top, and what it may use of the others. What a league consists of are
/// three places, for its programs listen and call, and so lie above the doors that its play is
/// below.
const MAY_USE: &[(&str, &[&str])] = &[
    ("browser", &[]),
    ("metrics", &[]),
    ("ids", &[]),
    ("limits", &[]),
    ("log", &[]),
    ("player", &[]),
    ("setting_up", &[]),
    ("wording", &[]),
    ("terminal", &[]),
    ("budgets", &["metrics", "limits"]),
    ("store", &["metrics", "ids", "player"]),
    ("hall", &["budgets", "metrics", "ids", "limits", "player", "store"]),
    ("seen", &["hall", "player", "setting_up", "store"]),
    ("league", &[]),
    ("league/wire", &["store"]),
    (
        "league/play",
        &["budgets", "metrics", "hall", "ids", "league/wire", "limits", "player", "store"],
    ),
    (
        "mcp",
        &[
            "budgets",
            "metrics",
            "hall",
            "ids",
            "league/play",
            "league/wire",
            "limits",
            "player",
            "seen",
            "setting_up",
            "store",
            "wording",
        ],
    ),
    (
        "web",
        &[
            "budgets",
            "metrics",
            "hall",
            "ids",
            "league/play",
            "league/wire",
            "limits",
            "mcp",
            "player",
            "seen",
            "setting_up",
            "store",
            "wording",
        ],
    ),
    (
        "kinds",
        &[
            "budgets",
            "hall",
            "ids",
            "limits",
            "mcp",
            "player",
            "seen",
            "setting_up",
            "store",
            "wording",
            "web",
        ],
    ),
    (
        "league/programs",
        &["hall", "ids", "league/play", "league/wire", "mcp", "player", "store", "terminal", "web"],
    ),
    ("keeping", &["store", "terminal"]),
    ("listening", &["mcp", "web"]),
    ("install", &["store", "terminal"]),
    ("verify", &["hall", "ids", "kinds", "setting_up", "store", "terminal"]),
];

/// Where no kind may be named.
const GENERAL: &[&str] = &[
    "browser",
    "budgets",
    "metrics",
    "hall",
    "ids",
    "keeping",
    "league/play",
    "league/wire",
    "limits",
    "log",
    "mcp",
    "player",
    "seen",
    "setting_up",
    "store",
    "wording",
    "terminal",
    "web",
];

/// Kinds that are more than games: a league is led, and its first games have messages of their own.
const OF_LEAGUES: &[&str] = &["even-odd", "league", "parity"];

struct File {
    /// Where it lies, in the words of the table.
    place: String,
    path: PathBuf,
    /// Less its comments and its tests.
    code: String,
}

impl File {
    /// The module that it is.
    fn module(&self) -> Vec<String> {
        let parts = self.path.with_extension("");
        let parts = parts.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
        parts.filter(|part| part != "mod" && part != "main").collect()
    }

    /// Every path that it names in the program itself, from the top.
    fn uses(&self) -> Vec<Vec<String>> {
        let from_the_top = |path: Vec<String>| {
            let mut module = match path.first()?.as_str() {
                "crate" => Vec::new(),
                "self" | "super" => self.module(),
                _ => return None,
            };
            for part in path {
                match part.as_str() {
                    "crate" | "self" => {}
                    "super" => drop(module.pop()),
                    _ => module.push(part),
                }
            }
            Some(module)
        };
        paths(&self.code).into_iter().filter_map(from_the_top).collect()
    }
}

/// Every file under a folder, with its path inside.
fn under(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(folder).expect("it is inside").to_owned();
            files.push((inside, fs::read_to_string(&path).expect("a text")));
        }
    }
    files
}

fn first_part(path: &Path) -> String {
    path.components().next().expect("a name").as_os_str().to_string_lossy().into_owned()
}

/// The place that a path from the top lies in: the innermost that is listed.
fn place(path: &[String]) -> String {
    let inside = |place: &&str| place.split('/').zip(path).all(|(name, part)| name == part);
    let depth = |place: &&str| place.split('/').count();
    let listed = MAY_USE.iter().map(|(place, _)| *place).filter(|place| depth(place) <= path.len());
    let innermost = listed.filter(inside).max_by_key(depth);
    innermost.map_or_else(|| path.first().cloned().unwrap_or_default(), str::to_owned)
}

fn files() -> Vec<File> {
    let read = |(path, code): (PathBuf, String)| {
        let mut file = File { place: String::new(), path, code };
        file.place = place(&file.module());
        file
    };
    code_of("server").into_iter().map(read).collect()
}

/// Every file of a crate, less comments and tests.
fn code_of(name: &str) -> Vec<(PathBuf, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
    let read = |(path, text): (PathBuf, String)| {
        let is_test = path
            .with_extension("")
            .components()
            .any(|part| matches!(part.as_os_str().to_string_lossy().as_ref(), "tests" | "faults"));
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        (path, if is_test { String::new() } else { without_comments(code) })
    };
    under(&source).into_iter().map(read).collect()
}

/// The kinds that games are of, each with its module and its type in the rules.
fn all_kinds() -> Vec<(&'static str, String, String)> {
    let listed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/src/lib.rs");
    let listed = paths(&without_comments(&fs::read_to_string(listed).expect("the list")));
    // `Kind::of::<nim::Nim>()`: the module and the type are the path after it.
    let types = listed.windows(2).filter(|two| two[0] == ["Kind", "of"]).map(|two| &two[1]);
    let types: Vec<_> = types.collect();
    assert_eq!(types.len(), rules::KINDS.len(), "each kind is listed as Kind::of::<nim::Nim>()");
    let kinds = rules::KINDS.iter().zip(types);
    kinds.map(|(kind, path)| (kind.name, path[0].clone(), path[1].clone())).collect()
}

/// Those that are no more than games, each with the module that has its rules.
fn kinds() -> Vec<(&'static str, String)> {
    let games = all_kinds().into_iter().filter(|(name, ..)| !OF_LEAGUES.contains(name));
    games.map(|(name, module, _)| (name, module)).collect()
}

#[test]
fn folders_use_only_what_lies_below_them() {
    for file in files().iter().filter(|file| !file.module().is_empty()) {
        let allowed = MAY_USE.iter().find(|(place, _)| *place == file.place);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{} is nowhere listed", file.place));
        for path in file.uses().iter().filter(|path| !path.is_empty()) {
            let used = place(path);
            assert!(
                used == file.place || allowed.contains(&used.as_str()),
                "{} uses {}, which {} may not",
                file.path.display(),
                path.join("::"),
                file.place
            );
        }
    }
}

/// Whoever may use something in a ring lies both above it and below.
#[test]
fn what_may_use_what_has_no_ring() {
    let mut left = MAY_USE.to_vec();
    loop {
        let is_left = |place: &str| left.iter().any(|(other, _)| *other == place);
        let above: Vec<_> = left
            .iter()
            .copied()
            .filter(|(_, uses)| uses.iter().any(|used| is_left(used)))
            .collect();
        if above.len() == left.len() {
            break;
        }
        left = above;
    }
    let ring: Vec<_> = left.iter().map(|(place, _)| place).collect();
    assert!(ring.is_empty(), "there is a ring among {ring:?}");
    for used in MAY_USE.iter().flat_map(|(_, uses)| *uses) {
        assert!(MAY_USE.iter().any(|(place, _)| place == used), "{used} is nowhere listed");
    }
}

#[test]
fn general_folders_name_no_kind() {
    let kinds = all_kinds();
    for file in files().iter().filter(|file| GENERAL.contains(&file.place.as_str())) {
        // The rooms of leagues speak of leagues and their first games.
        if file.path.starts_with("mcp/league") {
            continue;
        }
        let may_name = |kind: &str| match file.place.as_str() {
            // There are rooms, resources, lists and commands of leagues.
            "mcp" | "web" | "terminal" => kind == "league",
            place => place.starts_with("league/") && OF_LEAGUES.contains(&kind),
        };
        let paths = paths(&file.code);
        for (kind, module, _) in kinds.iter().filter(|(kind, ..)| !may_name(kind)) {
            let is_module = |path: &Vec<String>| {
                let inside = if path[0] == "rules" { &path[1..] } else { &path[..] };
                path.len() > 1 && inside.first() == Some(module)
            };
            // As a word of its own, or as the name of something in an address.
            let said = [format!("\"{kind}\""), format!("//{kind}/"), format!("\"/{kind}/")];
            let named =
                paths.iter().any(is_module) || said.iter().any(|said| file.code.contains(said));
            assert!(!named, "{} names {kind}", file.path.display());
        }
    }
}

/// Whoever names a kind's type can ask a game for what only this kind has (`Record::view`,
/// `Game::look`, `Ask::of`). That is for `kinds/`, and what has to do with leagues asks a league and
/// its first games so. Nobody else guesses what a value is either, errors excepted.
#[test]
fn only_its_own_folder_asks_a_game_as_one_of_its_kind() {
    let kinds = all_kinds();
    for file in files().iter().filter(|file| file.place != "kinds") {
        let module = file.module().join("/");
        let has_leagues =
            ["league/", "mcp/league", "web/leagues"].iter().any(|place| module.starts_with(place));
        let is_import = |part: &&str| part.trim_start().starts_with("use ");
        let (imports, code): (Vec<_>, Vec<_>) = file.code.split(';').partition(is_import);
        let (imports, used) = (paths(&imports.join(";")), paths(&code.join(";")));
        for (name, of, own) in &kinds {
            let is_in_full = |path: &Vec<String>| path.ends_with(&[of.clone(), own.clone()]);
            let is_imported = imports.iter().any(is_in_full);
            // What a kind is called (`League::KIND`) is another path.
            let is_own = |path| is_in_full(path) || is_imported && *path == [own.clone()];
            let may = has_leagues && OF_LEAGUES.contains(name);
            let asks = used.iter().any(is_own);
            assert!(may || !asks, "{} asks a game as {own}, of {name}", file.path.display());
        }
        for two in used.windows(2).filter(|two| two[0][0].starts_with("downcast")) {
            let is_error = two[1].last().is_some_and(|last| last == "Error");
            assert!(is_error, "{} guesses that it is {:?}", file.path.display(), two[1]);
        }
    }
}

#[test]
fn only_mcp_knows_mcp_and_only_the_store_knows_sql() {
    for file in files() {
        let may_know_mcp = matches!(file.place.as_str(), "mcp" | "kinds" | "listening");
        let is_client = file.place == "league/programs" || file.path.starts_with("install/doctor");
        for path in paths(&file.code).iter().filter(|path| path.len() > 1) {
            let knows_mcp = path[0] == "rmcp";
            assert!(!knows_mcp || may_know_mcp || is_client, "{} knows MCP", file.path.display());
            let knows_sql = matches!(path[0].as_str(), "rusqlite" | "tokio_postgres" | "sqlx");
            assert!(!knows_sql || file.place == "store", "{} knows SQL", file.path.display());
        }
    }
}

/// Types stay types in the hall; JSON is for the borders.
#[test]
fn the_hall_handles_no_json_values() {
    for file in files().iter().filter(|file| file.place == "hall") {
        let values = paths(&file.code).into_iter().find(|path| {
            path[0] == "serde_json" && path.get(1).is_some_and(|name| name.starts_with(['V', 'M']))
        });
        assert!(values.is_none(), "{} uses {values:?}", file.path.display());
    }
}
