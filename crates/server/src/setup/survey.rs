//! Which hosts are here, and whether agon is in them.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use super::{
    file::ConfigFile,
    hosts::{Folders, Found, Host},
    text::decode,
};
use crate::terminal::{
    self,
    table::{Column, Table},
};

/// How a host stands to agon.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Standing {
    /// The host itself is not here.
    Absent,
    Without,
    With {
        command: String,
    },
    /// What it would start is no longer there.
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
    pub standing: Standing,
}

pub fn all(folders: &Folders) -> Vec<Surveyed> {
    let surveyed = |host: &Host| {
        let place = host.place(folders);
        let standing =
            if place.is_here() { standing(*host, &place.file) } else { Standing::Absent };
        Surveyed { host: host.name(), title: host.title(), file: place.file, standing }
    };
    Host::value_variants().iter().map(surveyed).collect()
}

fn standing(host: Host, file: &Path) -> Standing {
    let invalid = |fault: String| Standing::Invalid { fault };
    let bytes = match ConfigFile::read(file) {
        Ok(file) => file.bytes.unwrap_or_default(),
        Err(error) => return invalid(format!("{error:#}")),
    };
    let found = decode(&bytes).and_then(|(text, _)| host.format().find(&text));
    match found {
        Err(fault) => invalid(fault.to_string()),
        Ok(Found::Nothing) => Standing::Without,
        Ok(Found::Other) => Standing::Other,
        // A mere name is looked for by the host on its own PATH.
        Ok(Found::Program(entry)) if is_gone(Path::new(&entry.command)) => {
            Standing::Stale { command: entry.command }
        }
        Ok(Found::Program(entry)) => Standing::With { command: entry.command },
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
            Standing::Absent => "host not found".to_owned(),
            Standing::Without => "no".to_owned(),
            Standing::With { .. } => "yes".to_owned(),
            Standing::Stale { .. } => "its path is gone".to_owned(),
            Standing::Other => "by other means".to_owned(),
            Standing::Invalid { .. } => "file not valid".to_owned(),
        };
        let file = match (standing, file.strip_prefix(home)) {
            (Standing::Invalid { fault }, _) => format!("{}: {fault}", file.display()),
            (_, Ok(below)) => format!("~/{}", below.display()),
            (_, Err(_)) => file.display().to_string(),
        };
        table.row([host.clone(), says, file]);
    }
    let here = all.iter().any(|one| one.standing == Standing::Without);
    let hint = if here { "\nagon install HOST adds it." } else { "" };
    format!("{}{hint}", table.fit(terminal::width()))
}
