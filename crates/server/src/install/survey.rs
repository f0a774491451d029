//! Which hosts are here, and whether agon is in them.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use super::{
    file::ConfigFile,
    hosts::{Configured, Folders, Host},
    text::decode,
};
use crate::terminal::{
    self,
    table::{Column, Table},
};

/// How a host stands to agon.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum HostState {
    /// The host itself is not here.
    Absent,
    Without,
    With {
        command: String,
    },
    /// The program that it would start is gone.
    Stale {
        command: String,
    },
    /// Something else goes by our name, such as the address of a server.
    Other,
    Invalid {
        fault: String,
    },
}

#[derive(Serialize)]
pub struct Surveyed {
    pub host: String,
    pub title: &'static str,
    pub file: PathBuf,
    #[serde(flatten)]
    pub standing: HostState,
}

pub fn all(folders: &Folders) -> Vec<Surveyed> {
    let surveyed = |host: &Host| {
        let place = host.place(folders);
        let standing =
            if place.is_here() { standing(*host, &place.file) } else { HostState::Absent };
        Surveyed { host: host.name(), title: host.title(), file: place.file, standing }
    };
    Host::value_variants().iter().map(surveyed).collect()
}

fn standing(host: Host, file: &Path) -> HostState {
    let invalid = |fault: String| HostState::Invalid { fault };
    let bytes = match ConfigFile::read(file) {
        Ok(file) => file.bytes.unwrap_or_default(),
        Err(error) => return invalid(format!("{error:#}")),
    };
    let found = decode(&bytes).and_then(|(text, _)| host.format().find(&text));
    match found {
        Err(fault) => invalid(fault.to_string()),
        Ok(Configured::Nothing) => HostState::Without,
        Ok(Configured::Other) => HostState::Other,
        // A mere name is looked for by the host on its own PATH.
        Ok(Configured::Program(entry)) if is_gone(Path::new(&entry.command)) => {
            HostState::Stale { command: entry.command }
        }
        Ok(Configured::Program(entry)) => HostState::With { command: entry.command },
    }
}

fn is_gone(command: &Path) -> bool {
    command.is_absolute() && !command.is_file()
}

pub fn table(all: &[Surveyed], home: &Path) -> String {
    let mut table =
        Table::new([Column::Left("host"), Column::Left("agon"), Column::GivesWay("file")]);
    for Surveyed { host, file, standing, .. } in all {
        let says = match standing {
            HostState::Absent => "host not found".to_owned(),
            HostState::Without => "no".to_owned(),
            HostState::With { .. } => "yes".to_owned(),
            HostState::Stale { .. } => "its path is gone".to_owned(),
            HostState::Other => "by other means".to_owned(),
            HostState::Invalid { .. } => "file not valid".to_owned(),
        };
        let file = match (standing, file.strip_prefix(home)) {
            (HostState::Invalid { fault }, _) => format!("{}: {fault}", file.display()),
            (_, Ok(below)) => format!("~/{}", below.display()),
            (_, Err(_)) => file.display().to_string(),
        };
        table.row([host.clone(), says, file]);
    }
    let here = all.iter().any(|one| one.standing == HostState::Without);
    let hint = if here { "\nagon install HOST adds it." } else { "" };
    format!("{}{hint}", table.fit(terminal::width()))
}
