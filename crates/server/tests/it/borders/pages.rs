//! The same for the folders of the pages.

use std::path::{Path, PathBuf};

use super::{first_part, kinds, under};

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
