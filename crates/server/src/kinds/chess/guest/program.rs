//! Which program to start: a name or a path, and its arguments.

use std::{
    env, fmt,
    path::{Path, PathBuf},
};

use tokio::process::Command;

/// Where Debian puts engines, whether the PATH says so or not.
const GAMES: &str = "/usr/games";

pub struct Program {
    command: String,
    path: PathBuf,
    arguments: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
#[error(
    "there is no engine {0:?} on the PATH or in {GAMES}; install it (on Debian: apt-get install \
     stockfish), name another with --engine, or leave --engine away to play agon's own"
)]
pub struct NoSuchEngine(String);

impl Program {
    /// Looks for it now, so that whoever asked for an engine learns at once that there is none.
    pub fn find(command: &str) -> Result<Program, NoSuchEngine> {
        let mut words = command.split_whitespace().map(str::to_owned);
        let found = if is_program(Path::new(command)) {
            // A path with spaces in it.
            Some((PathBuf::from(command), Vec::new()))
        } else {
            words.next().and_then(|name| Some((look_for(&name)?, words.collect())))
        };
        let (path, arguments) = found.ok_or_else(|| NoSuchEngine(command.to_owned()))?;
        Ok(Program { command: command.to_owned(), path, arguments })
    }

    /// The same command, for whoever starts it in another folder. A name stays one: it is looked
    /// for where it is started.
    pub fn lasting(&self) -> String {
        let first = self.command.split_whitespace().next().unwrap_or_default();
        if self.path != Path::new(&self.command) && !is_path(Path::new(first)) {
            return self.command.clone();
        }
        let path = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        let words = [path.display().to_string()].into_iter().chain(self.arguments.clone());
        words.collect::<Vec<_>>().join(" ")
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments);
        command
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.command)
    }
}

fn look_for(name: &str) -> Option<PathBuf> {
    if is_path(Path::new(name)) {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    let paths = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&paths).chain([PathBuf::from(GAMES)]);
    folders.map(|folder| folder.join(name)).find(|path| is_program(path))
}

/// A bare name is looked for on the PATH, and not here.
fn is_path(text: &Path) -> bool {
    text.components().count() > 1
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    is_path(path)
        && path
            .metadata()
            .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    is_path(path) && (path.is_file() || path.with_extension("exe").is_file())
}
