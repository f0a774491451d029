//! The flags that came with `agon install`, for the host to start agon with.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, parser::ValueSource};

use crate::store::Address;

/// The flags of the server that were written on the command line. What the environment says is left
/// there: it may be meant for this shell alone.
pub fn given(command: &Command, matches: &ArgMatches) -> Vec<String> {
    let written = |arg: &&Arg| {
        let source = matches.value_source(arg.get_id().as_str());
        arg.is_global_set() && source == Some(ValueSource::CommandLine)
    };
    let mut given = Vec::new();
    for arg in command.get_arguments().filter(written) {
        let (id, flag) = (arg.get_id().as_str(), arg.get_long().unwrap_or_default());
        let takes_values = arg.get_action().takes_values();
        for value in matches.get_raw(id).into_iter().flatten() {
            given.push(format!("--{flag}"));
            if takes_values {
                given.push(from_anywhere(id, &value.to_string_lossy()));
            }
        }
    }
    given
}

/// Hosts start us in whichever folder they like.
fn from_anywhere(id: &str, value: &str) -> String {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    match (id, value.parse()) {
        ("store", Ok(Address::Sqlite(path))) => format!("sqlite:{}", whole(&path).display()),
        ("limits", _) => whole(Path::new(value)).display().to_string(),
        _ => value.to_owned(),
    }
}
