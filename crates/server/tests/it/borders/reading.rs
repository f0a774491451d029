//! Rust as far as borders need it: a text less its comments, and the paths that it names.

/// Rust less its comments. What looks like one in a text is none.
pub fn without_comments(text: &str) -> String {
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
pub fn paths(code: &str) -> Vec<Vec<String>> {
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
