//! Output for people at a terminal: tables, colour, questions, progress.
//!
//! Only commands whose product is what they print write to stdout; where agon speaks MCP, stdout
//! belongs to MCP.

pub mod help;
pub mod progress;
pub mod table;

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

pub const GOOD: Style = AnsiColor::Green.on_default();
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
pub const BAD: Style = AnsiColor::Red.on_default();
pub const HEADING: Style = Style::new().bold();

/// `text` in that style. Whether it is coloured is decided where it is printed.
pub fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Prints it as it is on a terminal, and without its colours elsewhere or where `NO_COLOR` says so.
pub fn say(text: &str) -> io::Result<()> {
    writeln!(anstream::stdout(), "{}", text.trim_end())
}

/// For other programs: one line of JSON.
pub fn say_json(facts: &impl Serialize) -> io::Result<()> {
    let line = serde_json::to_string(facts).map_err(io::Error::other)?;
    writeln!(io::stdout(), "{line}")
}

/// How many columns what is printed has to fit into; on a pipe, as many as it likes.
pub fn width() -> Option<usize> {
    let (columns, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(columns.0.into())
}

/// Whether there is somebody to ask.
pub fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Yes, or anything else.
pub fn ask(question: &str) -> io::Result<bool> {
    eprint!("{question} [y/N] ");
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
