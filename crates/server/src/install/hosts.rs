//! The programs that agon can be added to: where each keeps its list of servers, and in which
//! shape.
//!
//! docs/install.md says which of these files was seen and which was read about.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::{json, toml};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Host {
    ClaudeCode,
    ClaudeDesktop,
    #[value(name = "vscode")]
    VsCode,
    Cursor,
    Windsurf,
    Gemini,
    Codex,
}

/// Where a host keeps its list of servers.
pub struct ConfigPlace {
    pub file: PathBuf,
    /// Is there where the host is.
    pub folder: PathBuf,
}

impl ConfigPlace {
    pub fn is_here(&self) -> bool {
        self.file.exists() || self.folder.is_dir()
    }
}

impl Host {
    pub fn title(self) -> &'static str {
        match self {
            Host::ClaudeCode => "Claude Code",
            Host::ClaudeDesktop => "Claude Desktop",
            Host::VsCode => "VS Code",
            Host::Cursor => "Cursor",
            Host::Windsurf => "Windsurf",
            Host::Gemini => "Gemini CLI",
            Host::Codex => "Codex",
        }
    }

    /// As it is written on the command line.
    pub fn name(self) -> String {
        let value = self.to_possible_value().expect("every host can be named");
        value.get_name().to_owned()
    }

    pub fn place(self, folders: &Folders) -> ConfigPlace {
        let Folders { home, config, .. } = folders;
        let within = |folder: PathBuf, file: &str| ConfigPlace { file: folder.join(file), folder };
        match self {
            Host::ClaudeCode => match &folders.claude {
                Some(own) => within(own.clone(), ".claude.json"),
                None => {
                    ConfigPlace { file: home.join(".claude.json"), folder: home.join(".claude") }
                }
            },
            Host::ClaudeDesktop => {
                let folder = folders.claude_desktop.clone();
                let folder = folder.unwrap_or_else(|| config.join("Claude"));
                within(folder, "claude_desktop_config.json")
            }
            Host::VsCode => within(config.join("Code").join("User"), "mcp.json"),
            Host::Cursor => within(home.join(".cursor"), "mcp.json"),
            Host::Windsurf => within(home.join(".codeium").join("windsurf"), "mcp_config.json"),
            Host::Gemini => {
                let home = folders.gemini.as_ref().unwrap_or(home);
                within(home.join(".gemini"), "settings.json")
            }
            Host::Codex => {
                let folder = folders.codex.clone();
                within(folder.unwrap_or_else(|| home.join(".codex")), "config.toml")
            }
        }
    }

    pub fn format(self) -> FileFormat {
        let plain = json::JsonFlavour {
            servers: "mcpServers",
            says_type: false,
            comments: false,
            trailing_commas: false,
        };
        match self {
            Host::ClaudeCode => FileFormat::Json(json::JsonFlavour { says_type: true, ..plain }),
            Host::ClaudeDesktop => FileFormat::Json(plain),
            Host::VsCode => FileFormat::Json(json::JsonFlavour {
                servers: "servers",
                says_type: true,
                comments: true,
                trailing_commas: true,
            }),
            // Nothing is said of comments; where somebody has written them, they are left alone.
            Host::Cursor | Host::Windsurf => FileFormat::Json(json::JsonFlavour {
                comments: true,
                trailing_commas: true,
                ..plain
            }),
            Host::Gemini => FileFormat::Json(json::JsonFlavour { comments: true, ..plain }),
            Host::Codex => FileFormat::Toml,
        }
    }
}

/// How a host's file is read and written.
#[derive(Clone, Copy)]
pub enum FileFormat {
    Json(json::JsonFlavour),
    Toml,
}

/// How a host starts agon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartCommand {
    pub command: String,
    /// Left out where there are none, and left alone where nothing is said about them.
    pub args: Option<Vec<String>>,
}

/// The entry under our name in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Configured {
    Nothing,
    Program(StartCommand),
    /// Something else, such as the address of a server that runs by itself.
    Other,
}

impl FileFormat {
    pub fn find(self, text: &str) -> Result<Configured, super::text::Fault> {
        match self {
            FileFormat::Json(dialect) => json::find(text, dialect),
            FileFormat::Toml => toml::find(text),
        }
    }

    /// With `entry` under our name, and everything else as it is.
    pub fn put(self, text: &str, entry: &StartCommand) -> Result<String, super::text::Fault> {
        match self {
            FileFormat::Json(dialect) => json::put(text, dialect, entry),
            FileFormat::Toml => toml::put(text, entry),
        }
    }

    /// Without our name, and without the list of servers if that is then empty and `all` is said.
    pub fn take_out(self, text: &str, all: bool) -> Result<String, super::text::Fault> {
        match self {
            FileFormat::Json(dialect) => json::take_out(text, dialect, all),
            FileFormat::Toml => toml::take_out(text),
        }
    }

    /// Whether there is a list of servers at all.
    pub fn has_servers(self, text: &str) -> bool {
        match self {
            FileFormat::Json(dialect) => json::has_servers(text, dialect),
            FileFormat::Toml => true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Linux,
    Mac,
    Windows,
}

/// Where programs keep what is theirs, on this system and for this user.
#[derive(Debug, PartialEq, Eq)]
pub struct Folders {
    pub home: PathBuf,
    config: PathBuf,
    /// Folders from the hosts' own variables.
    claude: Option<PathBuf>,
    codex: Option<PathBuf>,
    gemini: Option<PathBuf>,
    /// On Windows, where Claude Desktop came as a package.
    claude_desktop: Option<PathBuf>,
}

impl Folders {
    pub fn of_user() -> Option<Folders> {
        let system = if cfg!(windows) {
            System::Windows
        } else if cfg!(target_os = "macos") {
            System::Mac
        } else {
            System::Linux
        };
        Folders::on(system, std::env::home_dir()?, |name| std::env::var_os(name).map(PathBuf::from))
    }

    fn on(
        system: System,
        home: PathBuf,
        variable: impl Fn(&str) -> Option<PathBuf>,
    ) -> Option<Folders> {
        if home.as_os_str().is_empty() {
            return None;
        }
        let said = |name: &str| variable(name).filter(|path| !path.as_os_str().is_empty());
        let config = match system {
            System::Linux => said("XDG_CONFIG_HOME")
                .filter(|path| path.is_absolute())
                .unwrap_or_else(|| home.join(".config")),
            System::Mac => home.join("Library").join("Application Support"),
            System::Windows => {
                said("APPDATA").unwrap_or_else(|| home.join("AppData").join("Roaming"))
            }
        };
        let packages = match system {
            System::Windows => said("LOCALAPPDATA").map(|local| local.join("Packages")),
            System::Linux | System::Mac => None,
        };
        Some(Folders {
            config,
            claude: said("CLAUDE_CONFIG_DIR"),
            codex: said("CODEX_HOME"),
            gemini: said("GEMINI_CLI_HOME"),
            claude_desktop: packages.as_deref().and_then(packaged_claude),
            home,
        })
    }
}

/// Windows shows a packaged program another folder than the one it asks for.
fn packaged_claude(packages: &Path) -> Option<PathBuf> {
    let all = std::fs::read_dir(packages).ok()?.flatten();
    let mut claude = all.filter(|one| one.file_name().to_string_lossy().starts_with("Claude_"));
    claude.find_map(|one| {
        let folder = one.path().join("LocalCache").join("Roaming").join("Claude");
        folder.is_dir().then_some(folder)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(host: Host, system: System, said: &[(&str, &str)]) -> String {
        let variable = |name: &str| {
            let found = said.iter().find(|(one, _)| *one == name);
            found.map(|(_, value)| PathBuf::from(value))
        };
        let folders = Folders::on(system, "/home/ann".into(), variable).expect("a home");
        host.place(&folders).file.to_string_lossy().into_owned()
    }

    #[test]
    fn every_host_has_its_file_on_every_system() {
        let mac = "/home/ann/Library/Application Support";
        let windows = "/home/ann/AppData/Roaming";
        for (host, below_home, below_config) in [
            (Host::ClaudeCode, Some(".claude.json"), ""),
            (Host::Cursor, Some(".cursor/mcp.json"), ""),
            (Host::Windsurf, Some(".codeium/windsurf/mcp_config.json"), ""),
            (Host::Gemini, Some(".gemini/settings.json"), ""),
            (Host::Codex, Some(".codex/config.toml"), ""),
            (Host::ClaudeDesktop, None, "Claude/claude_desktop_config.json"),
            (Host::VsCode, None, "Code/User/mcp.json"),
        ] {
            for (system, config) in [
                (System::Linux, "/home/ann/.config"),
                (System::Mac, mac),
                (System::Windows, windows),
            ] {
                let expected = match below_home {
                    Some(path) => format!("/home/ann/{path}"),
                    None => format!("{config}/{below_config}"),
                };
                assert_eq!(file(host, system, &[]), expected, "{host:?} on {system:?}");
            }
        }
    }

    #[test]
    fn variables_move_the_folders() {
        for (host, system, name, expected) in [
            (Host::VsCode, System::Linux, "XDG_CONFIG_HOME", "/x/Code/User/mcp.json"),
            (Host::VsCode, System::Windows, "APPDATA", "/x/Code/User/mcp.json"),
            (Host::ClaudeCode, System::Mac, "CLAUDE_CONFIG_DIR", "/x/.claude.json"),
            (Host::Codex, System::Linux, "CODEX_HOME", "/x/config.toml"),
            (Host::Gemini, System::Linux, "GEMINI_CLI_HOME", "/x/.gemini/settings.json"),
        ] {
            assert_eq!(file(host, system, &[(name, "/x")]), expected);
        }
        let relative = file(Host::VsCode, System::Linux, &[("XDG_CONFIG_HOME", "x")]);
        assert_eq!(relative, "/home/ann/.config/Code/User/mcp.json");
    }

    #[test]
    fn a_packaged_claude_desktop_is_found_where_windows_puts_it() {
        let local = tempfile::tempdir().expect("a folder");
        let path = local.path().to_str().expect("a plain name");
        let said = [("LOCALAPPDATA", path)];
        let plain = "/home/ann/AppData/Roaming/Claude/claude_desktop_config.json";
        assert_eq!(file(Host::ClaudeDesktop, System::Windows, &said), plain);
        let folder = local.path().join("Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude");
        std::fs::create_dir_all(&folder).expect("folders");
        let packaged = folder.join("claude_desktop_config.json");
        assert_eq!(file(Host::ClaudeDesktop, System::Windows, &said), packaged.to_string_lossy());
        assert!(!file(Host::ClaudeDesktop, System::Linux, &said).contains("Packages"));
    }
}
