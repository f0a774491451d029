//! Warns if the pages that the program carries are missing or old. `make pages` builds them from `web/`; crate
//! packages and the source archive contain them. Without them the program still builds, and says so where a
//! page would be.

#![allow(clippy::print_stdout, reason = "cargo listens there")]

use std::{env, fs, io, path::Path, time::SystemTime};

/// The board in the chat.
const BOARD: &str = "pages/chat/board.html";
/// Written when the pages are built.
const BUILT: &str = "pages/built";
/// What they are built from, where that is at hand.
const WEB: [&str; 3] = ["../../web/src", "../../web/pages", "../../web/frame.html"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=pages");
    let board = fs::read_to_string(BOARD)
        .unwrap_or_else(|_| "<p>The pages are not built. Run <code>make pages</code>.</p>".into());
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("board.html"), board)?;
    let Ok(built) = fs::metadata(BUILT).and_then(|built| built.modified()) else {
        println!("cargo::warning=the pages are not built; build them with: make pages");
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
