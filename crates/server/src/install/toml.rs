//! agon in Codex's list of servers, which is TOML. Whatever else is in the file stays as it is.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

use super::{
    NAME,
    hosts::{Configured, StartCommand},
    text::{Fault, keep_line_ends, line_end},
};

const SERVERS: &str = "mcp_servers";

pub fn find(text: &str) -> Result<Configured, Fault> {
    let document = parse(text)?;
    let Some(ours) = document.get(SERVERS).and_then(|servers| servers.get(NAME)) else {
        return Ok(Configured::Nothing);
    };
    let command = ours.get("command").and_then(Item::as_str);
    let args = ours.get("args").and_then(Item::as_array);
    let args = args.map(|args| args.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    let program =
        |command: &str| Configured::Program(StartCommand { command: command.to_owned(), args });
    Ok(command.map_or(Configured::Other, program))
}

pub fn put(text: &str, entry: &StartCommand) -> Result<String, Fault> {
    let mut document = parse(text)?;
    let servers = match document.get_mut(SERVERS) {
        // A table of its own goes to the end, where no comment of another's comes to stand below
        // it.
        None => return Ok(with_table(text, entry)),
        Some(servers) => servers,
    };
    let is_table = servers.is_table();
    let Some(servers) = servers.as_table_like_mut() else {
        let at = text.find(SERVERS).unwrap_or_default();
        return Err(Fault::at(text, at, format!("{SERVERS} is not a table")));
    };
    match servers.get_mut(NAME).and_then(Item::as_table_like_mut) {
        Some(ours) => {
            set(ours, "command", entry.command.as_str().into());
            if let Some(args) = &entry.args {
                set(ours, "args", Array::from_iter(args).into());
            }
        }
        None if is_table => return Ok(with_table(text, entry)),
        None => {
            servers.insert(NAME, value(table(entry).into_inline_table()));
        }
    }
    Ok(keep_line_ends(text, &document.to_string()))
}

pub fn take_out(text: &str) -> Result<String, Fault> {
    let mut document = parse(text)?;
    if let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_like_mut) {
        servers.remove(NAME);
    }
    Ok(keep_line_ends(text, &document.to_string()))
}

fn parse(text: &str) -> Result<DocumentMut, Fault> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let at = error.span().map_or(0, |span| span.start);
        Fault::at(text, at, error.message().lines().next().unwrap_or_default())
    })
}

fn table(entry: &StartCommand) -> Table {
    let mut table = Table::new();
    table.insert("command", value(entry.command.as_str()));
    if let Some(args) = entry.args.as_ref().filter(|args| !args.is_empty()) {
        table.insert("args", value(Array::from_iter(args)));
    }
    table
}

fn with_table(text: &str, entry: &StartCommand) -> String {
    let end = line_end(text);
    let ours = format!("[{SERVERS}.{NAME}]\n{}", table(entry)).replace('\n', end);
    let gap = if text.is_empty() { 0 } else { 2 - usize::from(text.ends_with('\n')) };
    format!("{text}{}{ours}", end.repeat(gap))
}

/// In place of what was there, with the comment behind it.
fn set(table: &mut dyn TableLike, name: &str, mut new: Value) {
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(old) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        None => {
            table.insert(name, value(new));
        }
    }
}
