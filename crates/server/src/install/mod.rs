//! `agon install`, `agon uninstall` and `agon doctor`: getting agon into the programs people use,
//! out of them again, and finding out why it does not work.
//!
//! Where each host keeps its list of servers is in `hosts.rs`; how the two formats are edited in
//! `json.rs` and `toml.rs`.

mod change;
pub mod doctor;
mod file;
mod given;
mod hosts;
mod json;
mod survey;
mod text;
mod toml;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use serde::Serialize;

pub use self::given::given;
use self::{
    file::ConfigFile,
    hosts::{ConfigPlace, Configured, FileFormat, Folders, Host, StartCommand},
    text::{Encoding, decode, encode},
};
use crate::terminal::{self, GOOD, styled};

/// agon's name in a host's list of servers.
const NAME: &str = "agon";

#[derive(clap::Args)]
pub struct InstallFlags {
    /// The program to add agon to [default: list those that are here]
    host: Option<Host>,
    /// Change the file without asking
    #[arg(long, short)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The change of a host's file.
#[derive(Serialize)]
struct Done {
    host: String,
    file: PathBuf,
    changed: bool,
    /// Beside it, as it was before agon was added.
    copy: Option<PathBuf>,
    says: String,
}

/// `given` are the flags that agon is to be started with.
pub fn install(flags: &InstallFlags, given: Vec<String>) -> Result<ExitCode> {
    let folders = folders()?;
    let Some(host) = flags.host else { return list(flags, &folders) };
    let config = Config::read(host, &folders)?;
    let args = (!given.is_empty()).then_some(given);
    let entry = StartCommand { command: own_path()?, args };
    let found = config.found()?;
    match &found {
        Configured::Program(old) if old.command == entry.command => {
            if entry.args.is_none() || entry.args == old.args {
                return config.nothing_to_do(flags, "agon is in it already");
            }
        }
        Configured::Other => bail!(
            "{} has an agon of another kind, such as the address of a server; it was left alone. \
             Rename it or take it out, and try again",
            config.place.file.display()
        ),
        Configured::Nothing | Configured::Program(_) => {}
    }
    let after = config.with(&entry)?;
    if !config.is_wanted(flags, Some(&after), "Add agon to it?")? {
        return Ok(ExitCode::FAILURE);
    }
    // Keep a copy of the file without agon, also when agon moves from one path to another.
    let copy = if found == Configured::Nothing || config.file.copy().is_none() {
        config.file.keep_copy()?
    } else {
        Some(config.file.copy_path())
    };
    config.file.replace(Some(&after))?;
    let says = format!("agon is in it; start {} again and ask for a game of chess", host.title());
    config.done(flags, true, copy, says)
}

pub fn uninstall(flags: &InstallFlags) -> Result<ExitCode> {
    let folders = folders()?;
    let Some(host) = flags.host else { return list(flags, &folders) };
    let config = Config::read(host, &folders)?;
    let entry = match config.found()? {
        Configured::Nothing => return config.nothing_to_do(flags, "agon is not in it"),
        Configured::Program(entry) => Some(entry),
        Configured::Other => None,
    };
    let before = match &entry {
        Some(entry) => config.before(entry)?,
        None => Before::Unknown,
    };
    let after = match &before {
        Before::File(bytes) => Some(bytes.clone()),
        Before::NoFile => None,
        Before::Unknown => Some(config.without()?),
    };
    if !config.is_wanted(flags, after.as_deref(), "Take agon out of it?")? {
        return Ok(ExitCode::FAILURE);
    }
    config.file.replace(after.as_deref())?;
    let (copy, says) = match before {
        Before::File(_) => {
            config.file.forget_copy()?;
            (None, "agon is out of it; the file is again what it was before")
        }
        Before::NoFile => {
            (None, "agon is out of it; there was no such file before, nor is there now")
        }
        Before::Unknown => {
            let copy = config.file.copy().map(|_| config.file.copy_path());
            (copy, "agon is out of it; what else has changed since is left as it is")
        }
    };
    config.done(flags, true, copy, says.to_owned())
}

fn list(flags: &InstallFlags, folders: &Folders) -> Result<ExitCode> {
    let found = survey::all(folders);
    if flags.json {
        terminal::say_json(&found)?;
    } else {
        terminal::say(&survey::table(&found, &folders.home))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn folders() -> Result<Folders> {
    Folders::of_user().context("there is no home folder to look for hosts in; set HOME")
}

/// The file before agon came into it.
enum Before {
    File(Vec<u8>),
    NoFile,
    /// Others have written into it since.
    Unknown,
}

/// A host's file, read.
struct Config {
    host: Host,
    place: ConfigPlace,
    format: FileFormat,
    file: ConfigFile,
    text: String,
    encoding: Encoding,
}

impl Config {
    fn read(host: Host, folders: &Folders) -> Result<Config> {
        let place = host.place(folders);
        if !place.is_here() {
            bail!(
                "{} is not here: there is no {}. Start it once, and try again",
                host.title(),
                place.folder.display()
            );
        }
        let file = ConfigFile::read(&place.file)?;
        let (text, encoding) = decode(file.bytes.as_deref().unwrap_or_default())
            .with_context(|| invalid(&place.file))?;
        Ok(Config { host, format: host.format(), place, file, text, encoding })
    }

    fn found(&self) -> Result<Configured> {
        self.format.find(&self.text).with_context(|| invalid(&self.place.file))
    }

    fn with(&self, entry: &StartCommand) -> Result<Vec<u8>> {
        let text = self.format.put(&self.text, entry).with_context(|| invalid(&self.place.file))?;
        Ok(encode(&text, self.encoding))
    }

    /// Without agon, for others have changed the file since it was added. A list of servers that
    /// was not there before goes with it.
    fn without(&self) -> Result<Vec<u8>> {
        let copy = self.file.copy().and_then(|copy| decode(&copy).ok());
        let all = copy.is_some_and(|(text, _)| !self.format.has_servers(&text));
        let text = self.format.take_out(&self.text, all);
        Ok(encode(&text.with_context(|| invalid(&self.place.file))?, self.encoding))
    }

    /// The file before agon came into it, if adding agon to that leads to the file of now.
    fn before(&self, entry: &StartCommand) -> Result<Before> {
        let leads_here = |bytes: &[u8]| -> Option<bool> {
            let (text, encoding) = decode(bytes).ok()?;
            let with = self.format.put(&text, entry).ok()?;
            let was_without = self.format.find(&text).ok()? == Configured::Nothing;
            Some(was_without && Some(encode(&with, encoding)) == self.file.bytes)
        };
        Ok(match self.file.copy() {
            Some(copy) if leads_here(&copy) == Some(true) => Before::File(copy),
            None if leads_here(b"") == Some(true) => Before::NoFile,
            Some(_) | None => Before::Unknown,
        })
    }

    /// Shows what would be changed, and asks.
    fn is_wanted(
        &self,
        flags: &InstallFlags,
        after: Option<&[u8]>,
        question: &str,
    ) -> Result<bool> {
        self.file.may_be_written()?;
        let after = decode(after.unwrap_or_default())?.0;
        eprintln!("{}", self.place.file.display());
        let shown = change::shown(&self.text, &after);
        anstream::eprint!("{shown}");
        if flags.yes {
            return Ok(true);
        }
        if !terminal::can_ask() {
            eprintln!("No changes made. Run again with --yes to apply.");
            return Ok(false);
        }
        let wanted = terminal::ask(question)?;
        if !wanted {
            eprintln!("No changes made.");
        }
        Ok(wanted)
    }

    fn nothing_to_do(&self, flags: &InstallFlags, why: &str) -> Result<ExitCode> {
        self.done(flags, false, None, why.to_owned())
    }

    fn done(
        &self,
        flags: &InstallFlags,
        changed: bool,
        copy: Option<PathBuf>,
        says: String,
    ) -> Result<ExitCode> {
        let done =
            Done { host: self.host.name(), file: self.place.file.clone(), changed, copy, says };
        if flags.json {
            terminal::say_json(&done)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut text = format!("{}: {}\n", done.file.display(), styled(GOOD, &done.says));
        if let Some(copy) = &done.copy {
            text += &format!("as it was before: {}\n", copy.display());
        }
        terminal::say(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn invalid(file: &Path) -> String {
    format!("{} is not valid, so it was left alone", file.display())
}

/// Where this program is, for a host to start. Package managers move programs about and keep a link
/// to them where the shell finds it; if there is one, that is what stays.
fn own_path() -> Result<String> {
    let own = env::current_exe().context("this program does not know where it is")?;
    let real = fs::canonicalize(&own).unwrap_or_else(|_| own.clone());
    let folders = env::var_os("PATH").unwrap_or_default();
    let linked = env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .filter_map(|folder| own.file_name().map(|name| folder.join(name)))
        .find(|path| fs::canonicalize(path).is_ok_and(|path| path == real));
    let path = linked.unwrap_or(own);
    let text = path.to_str().map(str::to_owned);
    text.with_context(|| format!("{} cannot be written into a file of text", path.display()))
}
