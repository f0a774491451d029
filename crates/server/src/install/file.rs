//! A host's file on disk: read once, written in one step or not at all, with a copy beside it.

use std::{
    ffi::OsString,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

/// The end of the copy's name.
const COPY: &str = ".before-agon";

pub struct ConfigFile {
    /// Where it really is: hosts' files are often links into a folder under version control.
    path: PathBuf,
    /// Nothing, if there is no such file yet.
    pub bytes: Option<Vec<u8>>,
}

impl ConfigFile {
    pub fn read(path: &Path) -> Result<ConfigFile> {
        let path = if path.is_symlink() {
            let leads_nowhere = || format!("{} is a link that leads nowhere", path.display());
            fs::canonicalize(path).with_context(leads_nowhere)?
        } else {
            path.to_owned()
        };
        let bytes = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                let unreadable = format!("{} cannot be read", path.display());
                return Err(anyhow::Error::new(error).context(unreadable));
            }
        };
        Ok(ConfigFile { path, bytes })
    }

    pub fn copy_path(&self) -> PathBuf {
        let mut name = self.path.file_name().map_or_else(OsString::new, OsString::from);
        name.push(COPY);
        self.path.with_file_name(name)
    }

    /// The file as it was before agon was added, if that is still known.
    pub fn copy(&self) -> Option<Vec<u8>> {
        fs::read(self.copy_path()).ok()
    }

    /// Keeps what is there now beside it. It may hold secrets, so only those who can read the file
    /// can read the copy.
    pub fn keep_copy(&self) -> Result<Option<PathBuf>> {
        let copy = self.copy_path();
        match &self.bytes {
            None => match fs::remove_file(&copy) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(None),
            },
            Some(bytes) => write(&copy, bytes, Some(&self.path)).map(|()| Some(copy.clone())),
        }
        .with_context(|| format!("no copy can be kept at {}; nothing was changed", copy.display()))
    }

    pub fn forget_copy(&self) -> Result<()> {
        let copy = self.copy_path();
        fs::remove_file(&copy).with_context(|| format!("{} cannot be deleted", copy.display()))
    }

    /// Whether it may be written, before anybody is asked. A new file could be put in the place of
    /// one that is read-only, but whoever made it so would not like that.
    pub fn may_be_written(&self) -> Result<()> {
        let read_only = fs::metadata(&self.path).is_ok_and(|file| file.permissions().readonly());
        ensure!(
            !read_only,
            "{} is read-only, so it was left alone; make it writable and try again",
            self.path.display()
        );
        Ok(())
    }

    /// Puts `bytes` in its place, or nothing.
    pub fn replace(&self, bytes: Option<&[u8]>) -> Result<()> {
        let now = ConfigFile::read(&self.path)?.bytes;
        if now != self.bytes {
            bail!(
                "{} has changed in the meantime, so it was left alone; try again",
                self.path.display()
            );
        }
        match bytes {
            Some(bytes) => write(&self.path, bytes, self.bytes.as_ref().map(|_| &*self.path)),
            None => fs::remove_file(&self.path),
        }
        .with_context(|| format!("{} cannot be written; it is as it was", self.path.display()))
    }
}

/// All of it or none of it: a host that reads meanwhile sees the old file or the new one.
fn write(path: &Path, bytes: &[u8], like: Option<&Path>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Not readable to others, until it is like the file that is there.
    let mut new = tempfile::Builder::new().prefix(".agon-").tempfile_in(folder)?;
    new.write_all(bytes)?;
    if let Some(like) = like {
        let old = fs::metadata(like)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            // It stays its owner's, also where root has called us.
            fchown(new.as_file(), Some(old.uid()), Some(old.gid()))?;
        }
        new.as_file().set_permissions(old.permissions())?;
    }
    new.as_file().sync_all()?;
    new.persist(path)?;
    Ok(())
}
