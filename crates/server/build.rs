//! Builds the pages in `web/` when they have changed, so that the program can carry them.

#![allow(clippy::print_stdout, reason = "cargo listens there")]

use std::{fs, path::Path, process::Command};

fn main() {
    let web = Path::new("../../web");
    for part in [
        "src",
        "pages",
        "frame.html",
        "package.json",
        "package-lock.json",
        "svelte.config.js",
        "tsconfig.json",
        "light.vite.ts",
        "vite.config.ts",
        "vite.chat.config.ts",
    ] {
        println!("cargo::rerun-if-changed=../../web/{part}");
    }
    let lock = fs::read(web.join("package-lock.json")).expect("web/package-lock.json is there");
    let installed = web.join("node_modules/.installed");
    if fs::read(&installed).ok() != Some(lock.clone()) {
        npm(web, &["ci", "--loglevel=error"]);
        fs::write(installed, lock).expect("web/node_modules can be written");
    }
    let pages = Path::new(&std::env::var("OUT_DIR").expect("cargo says where")).join("pages");
    for (config, name) in [("vite.config.ts", "site"), ("vite.chat.config.ts", "chat")] {
        let folder = pages.join(name).display().to_string();
        let into = ["--config", config, "--outDir", &folder, "--emptyOutDir"];
        npm(web, &[&["exec", "--", "vite", "build", "--logLevel", "warn"], &into[..]].concat());
    }
}

fn npm(web: &Path, arguments: &[&str]) {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let done = Command::new(program).args(arguments).current_dir(web).output();
    match done {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!(
            "npm {} failed in web/:\n{}{}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => panic!(
            "the pages are built with Node.js 20 or newer and npm, and npm did not start ({error}); \
             install Node.js and build again"
        ),
    }
}
