//! Looks whether the pages are there that the program carries. `make pages` builds them from `web/`; a
//! crate package and the source archive bring them along.

#![allow(clippy::print_stdout, reason = "cargo listens there")]

use std::{fs, io, path::Path, time::SystemTime};

/// Written when the pages are built.
const BUILT: &str = "pages/built";
/// What they are built from, where that is at hand.
const WEB: [&str; 3] = ["../../web/src", "../../web/pages", "../../web/frame.html"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=pages");
    let Ok(built) = fs::metadata(BUILT).and_then(|built| built.modified()) else {
        println!("cargo::error=the pages are not built yet; build them with: make pages");
        return Ok(());
    };
    let mut stale = false;
    for source in WEB.map(Path::new).into_iter().filter(|source| source.exists()) {
        println!("cargo::rerun-if-changed={}", source.display());
        stale |= changed(source)? > built;
    }
    if stale {
        println!("cargo::warning=web/ is newer than its pages; build them with: make pages");
    }
    Ok(())
}

/// When something in here changed last.
fn changed(path: &Path) -> io::Result<SystemTime> {
    let mut last = fs::metadata(path)?.modified()?;
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            last = last.max(changed(&entry?.path())?);
        }
    }
    Ok(last)
}
