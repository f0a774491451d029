//! Borders between the folders of the program and of its pages: which may use which, and who may know what.
//! ARCHITECTURE.md says the same in prose.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

/// A folder, or a file at the top, and what it may use of the others. What a league consists of are
/// three places, for its programs listen and call, and so lie above the doors that its play is
/// below.
const MAY_USE: &[(&str, &[&str])] = &[
    ("browser", &[]),
    ("figures", &[]),
    ("ids", &[]),
    ("limits", &[]),
    ("log", &[]),
    ("player", &[]),
    ("policy", &[]),
    ("setting_up", &[]),
    ("telling", &[]),
    ("terminal", &[]),
    ("budgets", &["figures", "limits"]),
    ("store", &["figures", "ids", "player", "policy"]),
    ("hall", &["budgets", "figures", "ids", "limits", "player", "policy", "store"]),
    ("seen", &["hall", "player", "setting_up", "store"]),
    ("league", &[]),
    ("league/wire", &["store"]),
    (
        "league/play",
        &["budgets", "figures", "hall", "ids", "league/wire", "limits", "player", "store"],
    ),
    (
        "mcp",
        &[
            "budgets",
            "figures",
            "hall",
            "ids",
            "league/play",
            "league/wire",
            "limits",
            "player",
            "seen",
            "setting_up",
            "store",
            "telling",
        ],
    ),
    (
        "web",
        &[
            "budgets",
            "figures",
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
            "telling",
        ],
    ),
    (
        "kinds",
        &["budgets", "hall", "ids", "limits", "mcp", "player", "seen", "store", "telling", "web"],
    ),
    (
        "league/programs",
        &["hall", "ids", "league/play", "league/wire", "mcp", "player", "store", "terminal", "web"],
    ),
    ("keeping", &["store", "terminal"]),
    ("listening", &["mcp", "web"]),
    ("setup", &["store", "terminal"]),
    ("verify", &["hall", "ids", "kinds", "store", "terminal"]),
];

/// Where no kind may be named.
const GENERAL: &[&str] = &[
    "budgets",
    "figures",
    "hall",
    "ids",
    "limits",
    "log",
    "mcp",
    "player",
    "policy",
    "league/wire",
    "seen",
    "setting_up",
    "store",
    "telling",
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

/// Rust less its comments. What looks like one in a text is none.
fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
                continue;
            }
            // A quotation mark by itself begins no text.
            '\'' if rest.starts_with("'\"'") => {
                rest = &rest[3..];
                continue;
            }
            '#' if rest.starts_with("#\"") => raw_length(rest),
            '"' => quoted_length(rest),
            c => c.len_utf8(),
        };
        code.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    code
}

/// How long a text is that begins with its quotation mark.
fn quoted_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The same for a raw one, from the mark before its quotation mark on.
fn raw_length(text: &str) -> usize {
    text[2..].find("\"#").map_or(text.len(), |end| end + 4)
}

/// Every path in a text, those in braces one by one: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut words: Vec<&str> = Vec::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => quoted_length(rest),
            '#' if rest.starts_with("#\"") => raw_length(rest),
            c if is_name(c) => rest.find(|c: char| !is_name(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        if !c.is_whitespace() {
            words.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    let mut paths = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let before = at.checked_sub(1).map(|before| words[before]);
        if words[at].starts_with(is_name) && before != Some("::") {
            at = follow(&words, at, Vec::new(), &mut paths);
        } else {
            at += 1;
        }
    }
    paths
}

/// Reads one path, or all that begin with `path`, and says where it ends.
fn follow(
    words: &[&str],
    mut at: usize,
    mut path: Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    while let Some(word) = words.get(at).filter(|word| is_name(word)) {
        path.push((*word).to_owned());
        at += 1;
        if words.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    if words.get(at) != Some(&"{") || words[at - 1] != "::" {
        found.push(path);
        return at;
    }
    at += 1;
    while let Some(word) = words.get(at) {
        match *word {
            "}" => return at + 1,
            word if is_name(word) && word != "as" && words[at - 1] != "as" => {
                at = follow(words, at, path.clone(), found);
            }
            _ => at += 1,
        }
    }
    at
}

#[test]
fn paths_are_read_as_they_are_meant() {
    let check = |code: &str, expected: &[&str]| {
        let found = paths(&without_comments(code));
        let found: Vec<_> = found.iter().map(|path| path.join("::")).collect();
        assert_eq!(found, expected, "{code}");
    };
    check("a::b", &["a::b"]);
    check(
        "crate::{a, b::{c, d as e}, f::g}",
        &["crate::a", "crate::b::c", "crate::b::d", "crate::f::g"],
    );
    check("super::super::a(b)", &["super::super::a", "b"]);
    check("\"http://a\" + b::c // d::e", &["b::c"]);
    check("'\"' + a::b + '\"'", &["a::b"]);
    check("r#\"a \" b::c\"# + d::e", &["r", "d::e"]);
    check("{a::b}", &["a::b"]);
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
    let kinds = kinds();
    for file in files().iter().filter(|file| GENERAL.contains(&file.place.as_str())) {
        // The rooms of leagues speak of leagues.
        if file.path.starts_with("mcp/league") {
            continue;
        }
        let paths = paths(&file.code);
        for (kind, module) in &kinds {
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
        let is_client = file.place == "league/programs" || file.path.starts_with("setup/doctor");
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

/// What every kind has of its own, under the same name: the types of `Rules`, and its glimpse.
const OF_EVERY_KIND: &[&str] = &["Glimpse", "Move", "Report", "Setup", "View"];

/// The files of all crates, with the kind that each is about, if there is one: its file or folder
/// in `rules`, `players` and the server's `kinds`. The engine is of chess.
fn files_of_all() -> Vec<(Option<String>, PathBuf, String)> {
    let modules: Vec<_> = kinds().into_iter().map(|(_, module)| module).collect();
    let mut all = Vec::new();
    for name in ["chess-engine", "players", "rules", "server"] {
        for (path, code) in code_of(name) {
            let inside = path.strip_prefix("kinds").unwrap_or(&path);
            let module = first_part(&inside.with_extension(""));
            let kind = match name {
                "chess-engine" => Some("chess".to_owned()),
                "server" if !path.starts_with("kinds") => None,
                _ => Some(module).filter(|module| modules.contains(module)),
            };
            all.push((kind, Path::new(name).join(path), code));
        }
    }
    all
}

/// The types that a file hands to others.
fn types_of(code: &str) -> impl Iterator<Item = &str> {
    let public = code.lines().filter_map(|line| line.strip_prefix("pub "));
    let types = public.filter_map(|declared| declared.split_once(' '));
    let types = types.filter(|(what, _)| ["struct", "enum", "trait", "type"].contains(what));
    types.filter_map(|(_, rest)| rest.split(|c: char| !c.is_alphanumeric()).next())
}

/// What is known beyond its own file goes by a name of its own, in all crates. A kind has a
/// language of its own, so that two kinds may use one word; but none that means something to
/// everybody, and none twice.
#[test]
fn one_word_is_one_type() {
    let mut places: HashMap<&str, Vec<(&Option<String>, &Path)>> = HashMap::new();
    let files = files_of_all();
    for (kind, path, code) in &files {
        let is_every_kinds =
            |word: &&str| path.starts_with("rules") && OF_EVERY_KIND.contains(word);
        for word in types_of(code).filter(|word| !is_every_kinds(word)) {
            let others = places.entry(word).or_default();
            for (other, file) in others.iter() {
                let is_apart = kind.is_some() && other.is_some() && kind != *other;
                assert!(is_apart, "{word} is one thing in {file:?} and another in {path:?}");
            }
            others.push((kind, path));
        }
    }
    assert!(places.len() > 500, "the types are found: {}", places.len());
}

/// The folders of the pages. Each uses only those before it.
const PAGES: &[&str] = &["wire", "net", "parts", "drawing", "chat", "games", "site", "pages"];

/// Those among them where no kind may be named.
const GENERAL_PAGES: &[&str] = &["net", "parts", "drawing", "chat", "site"];

/// A file of the pages, with the parts of everything that it takes from others, as paths from the top.
struct Script {
    path: PathBuf,
    code: String,
    takes: Vec<Vec<String>>,
}

fn scripts() -> Vec<Script> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src");
    let is_script = |path: &Path| {
        let name = path.to_string_lossy();
        (name.ends_with(".ts") || name.ends_with(".svelte")) && !name.ends_with(".test.ts")
    };
    let read = |(path, text): (PathBuf, String)| {
        let code = without(&without(&text, "<!--", "-->"), "/*", "*/");
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        let texts = code.split(['\'', '"', '`']).filter(|text| text.starts_with('.'));
        let takes = texts.filter(|text| text.contains('/')).map(|text| from_the_top(&path, text));
        Script { takes: takes.collect(), path, code }
    };
    let scripts: Vec<_> = under(&source).into_iter().filter(|(path, _)| is_script(path)).collect();
    scripts.into_iter().map(read).collect()
}

/// A text less everything from one mark to another.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut parts = text.split(from);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once(to).map_or("", |(_, after)| after))
}

/// `../parts/times`, said in `site/Strip.svelte`, is `parts`, `times`.
fn from_the_top(file: &Path, said: &str) -> Vec<String> {
    let folder = file.parent().expect("a folder").components();
    let mut parts: Vec<_> =
        folder.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    for part in said.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part.to_owned()),
        }
    }
    parts
}

#[test]
fn folders_of_the_pages_use_only_those_before_them() {
    let order = |place: &str| PAGES.iter().position(|known| *known == place);
    for script in scripts() {
        let place = first_part(&script.path);
        let own = order(&place).unwrap_or_else(|| panic!("{place} is nowhere listed"));
        // What lies beside the folders is everybody's.
        for taken in script.takes.iter().filter(|taken| taken.len() > 1) {
            let told = taken.join("/");
            let below = order(&taken[0]).unwrap_or_else(|| panic!("{told} is nowhere listed"));
            assert!(below <= own, "{} uses {told}, which comes after it", script.path.display());
            let is_other_kind = place == "games"
                && taken[0] == "games"
                && !script.path.starts_with(Path::new("games").join(&taken[1]));
            assert!(!is_other_kind, "{} uses {told}, another kind", script.path.display());
        }
    }
}

#[test]
fn general_folders_of_the_pages_name_no_kind() {
    let kinds = kinds();
    let is_general = |script: &Script| GENERAL_PAGES.contains(&first_part(&script.path).as_str());
    for script in scripts().into_iter().filter(is_general) {
        for (kind, _) in &kinds {
            let is_kind = |part: &String| part.split('.').next() == Some(*kind);
            let is_taken = script.takes.iter().any(|taken| taken.iter().any(is_kind));
            let quoted = ["'", "\"", "`"].map(|mark| format!("{mark}{kind}{mark}"));
            let is_said = quoted.iter().any(|said| script.code.contains(said));
            assert!(!is_taken && !is_said, "{} names {kind}", script.path.display());
        }
    }
}
