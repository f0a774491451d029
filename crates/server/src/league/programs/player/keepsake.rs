//! The token of a player, in a file: a player that is started again is the same player.

use std::{fs, io::Write, path::PathBuf};

use directories::ProjectDirs;
use sha2::{Digest, Sha256};

use super::PlayerFlags;

/// Where a token is kept, if there is a place for it.
pub struct Keepsake(Option<PathBuf>);

impl Keepsake {
    /// A file for each league and name, so that two players do not share one.
    pub fn of(flags: &PlayerFlags) -> Keepsake {
        let own = || {
            let league = flags.league.as_deref().unwrap_or_default();
            let who = format!("{} {league} {} {}", flags.manager, flags.name, flags.port);
            let folder = ProjectDirs::from("", "", "agon")?.data_dir().join("players");
            Some(folder.join(hexadecimal::encode(&Sha256::digest(who)[..8])))
        };
        // A port that changes each time is another player each time, unless a file is named.
        let usual = || (flags.port != 0).then(own).flatten();
        Keepsake(flags.token_file.clone().or_else(usual))
    }

    pub fn token(&self) -> Option<String> {
        let text = fs::read_to_string(self.0.as_ref()?).ok()?;
        Some(text.trim().to_owned()).filter(|token| !token.is_empty())
    }

    pub fn keep(&self, token: Option<&str>) {
        if let (Some(path), Some(token)) = (&self.0, token)
            && let Err(error) = write(path, token)
        {
            tracing::warn!(path = %path.display(), %error, "the token is not kept");
        }
    }
}

/// For nobody else to read.
fn write(path: &PathBuf, token: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(token.as_bytes())
}
