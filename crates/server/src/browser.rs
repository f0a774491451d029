//! Opening the dashboard in the owner's browser when agon starts: once, and only where there is
//! somebody to see it.

use std::{
    env, fs,
    time::{Duration, SystemTime},
};

/// Hosts start us again and again; the browser opens for the first of them.
const ONCE_IN: Duration = Duration::from_secs(12 * 60 * 60);

pub fn open_once(url: &str) {
    if env::var_os("MCP_DISABLE_BROWSER").is_some_and(|v| v == "1") || is_headless() {
        return;
    }
    let Some(dirs) = directories::ProjectDirs::from("", "", "agon") else { return };
    let mark = dirs.data_dir().join("browser-opened");
    let opened = fs::metadata(&mark).and_then(|mark| mark.modified());
    let recently =
        opened.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|ago| ago < ONCE_IN));
    // Where the mark cannot be left, the browser would open every time.
    if recently || fs::create_dir_all(dirs.data_dir()).and_then(|()| fs::write(&mark, "")).is_err()
    {
        return;
    }
    if let Err(error) = open::that_detached(url) {
        tracing::debug!(%error, "the browser did not open");
    }
}

fn is_headless() -> bool {
    let desktop = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some());
    let remote = env::var_os("SSH_CONNECTION").is_some() || env::var_os("CI").is_some();
    remote || (cfg!(target_os = "linux") && !desktop)
}
