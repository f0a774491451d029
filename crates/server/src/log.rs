//! The log on stderr, for stdout belongs to MCP: short lines without secrets, whatever callers send
//! and whatever level is set.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use tracing::{Level, Metadata};
use tracing_subscriber::{
    EnvFilter, Layer, filter::filter_fn, fmt, layer::SubscriberExt, util::SubscriberInitExt,
};

/// The pool would speak of every connection that a restart of Postgres has cut.
const LOGGED: &str = "warn,agon=info,deadpool=error";
/// Longer lines are cut.
const LONGEST: usize = 2000;
/// As many hexadecimal digits as this in a row are a pass, a link's code, a token or a session.
const SECRET_DIGITS: usize = 16;
/// Of a secret so much is left as names the game.
const LEFT: usize = 8;

/// Begins to log as `AGON_LOG` asks.
pub fn begin() {
    let asked = EnvFilter::try_from_env("AGON_LOG").unwrap_or_else(|_| LOGGED.into());
    let lines = fmt::layer().with_ansi(false).with_writer(|| Lines).with_filter(filter_fn(may_say));
    tracing_subscriber::registry().with(asked).with(lines).init();
}

/// The libraries we use write whole requests to the log when they may say much, with the secrets
/// in them; and to the SDK a player's blunder is a warning.
fn may_say(about: &Metadata) -> bool {
    let loudest = match about.target().split("::").next() {
        Some("agon") => Level::TRACE,
        Some("rmcp") => Level::ERROR,
        _ => Level::WARN,
    };
    *about.level() <= loudest
}

/// Gets one line at a time, with the line break at its end.
struct Lines;

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        io::stderr().write_all(clean(text).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// One line without control characters and secrets, cut where it is too long.
fn clean(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(LONGEST) + 1);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if line.len() >= LONGEST {
            let _ = write!(line, "... ({} bytes more)", rest.len());
            break;
        }
        let word = rest.find(|c: char| !c.is_ascii_hexdigit() && c != '-').unwrap_or(rest.len());
        let (word, after) = rest.split_at(word);
        if word.bytes().filter(|byte| *byte != b'-').count() >= SECRET_DIGITS {
            line.extend([&word[..LEFT], "(secret)"]);
            rest = after;
        } else if !word.is_empty() {
            let fits = word.len().min(LONGEST - line.len());
            line.push_str(&word[..fits]);
            rest = &rest[fits..];
        } else {
            if first.is_control() {
                line.extend(first.escape_default());
            } else {
                line.push(first);
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    line.push('\n');
    line
}

/// The log lines of some work, without their times, for tests.
#[cfg(test)]
pub fn logged(work: impl FnOnce()) -> String {
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("nobody panics holding the log").write(line)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let kept = Kept::default();
    let lines = fmt().with_ansi(false).without_time().with_target(false);
    let lines = lines.with_writer({
        let kept = kept.clone();
        move || kept.clone()
    });
    tracing::subscriber::with_default(lines.finish(), work);
    let kept = kept.0.lock().expect("nobody panics holding the log");
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_without_secrets() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), format!("{expected}\n"));
        check("game 3f9a61c2 is over", "game 3f9a61c2 is over");
        check("2026-11-15T15:20:38.123456Z  WARN agon", "2026-11-15T15:20:38.123456Z  WARN agon");
        check("pass 3f9a61c2-0123456789abcdef!", "pass 3f9a61c2(secret)!");
        check("session 0c7cc1ab-4c45-4f31-90c9-4b4f3b7c9f3a", "session 0c7cc1ab(secret)");
        check("a\nb\r\u{1b}[31mc\u{85}", "a\\nb\\r\\u{1b}[31mc\\u{85}");
        check("---------------------", "---------------------");
        check("schön", "schön");
        check("", "");
    }

    #[test]
    fn a_long_line_is_cut() {
        let line = clean(&"xyz ".repeat(10_000));
        assert!(line.len() < LONGEST + 40 && line.ends_with("(38000 bytes more)\n"), "{line}");
        // However the digits fall.
        assert!(clean(&"f".repeat(1 << 20)).len() < 40);
        assert!(clean(&"-".repeat(1 << 20)).len() < LONGEST + 40);
    }
}
