//! How the help is laid out: on the first screen the commands by what people do and the everyday
//! flags, in `agon serve --help` every flag. Completions and manual pages are made from the same.

use std::io::{self, Write};

use anyhow::Context;
use clap::{Arg, ArgAction, Command};
use clap_complete::Shell;
use clap_mangen::Man;

/// The purposes of commands, and the commands for each.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Set up", &["install", "uninstall", "doctor"]),
    ("Play", &["serve", "league", "player", "uci"]),
    ("Look after games", &["verify", "store"]),
    ("In the shell", &["completions", "man", "help"]),
];
/// Shown on the first screen.
const EVERYDAY: [&str; 6] = ["listen", "store", "rooms", "no_browser", "help", "version"];
/// A player asks nobody for a token.
const TOKEN_OF_PLAYER: &str = "Show this token to the manager, which may ask for one";
/// The command whose help has every flag.
const WHOLE: &str = "serve";

/// Lays out the help of a command. Flags that it does not show are accepted too.
pub fn arranged(mut command: Command) -> Command {
    command.build();
    let commands = by_what_people_do(&command);
    let of_server = |arg: Arg| {
        let is_elsewhere = arg.is_global_set() && arg.get_id() != "store";
        let is_hidden = arg.is_hide_set() || is_elsewhere;
        arg.hide(is_hidden)
    };
    for name in names(&command).iter().filter(|name| *name != WHOLE) {
        command = command.mut_subcommand(name, |part| everywhere(part, of_server));
    }
    command = command.mut_subcommand("player", |player| {
        // `mut_arg` would put it at another place, which a command that is built does not notice.
        player.mut_args(|arg| match arg.get_id().as_str() {
            "token" => arg
                .hide(false)
                .hide_env(true)
                .help_heading(None::<&'static str>)
                .help(TOKEN_OF_PLAYER),
            _ => arg,
        })
    });
    command = everywhere(command, brief);
    let rare = |arg: Arg| {
        let is_rare = !EVERYDAY.contains(&arg.get_id().as_str());
        arg.hide(is_rare).hide_env(true)
    };
    let heading = command.get_styles().get_header();
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n\
         Without a command, speaks MCP on stdin and stdout, as MCP hosts want it, and\n\
         serves the pages in the background if their port is free.\n\n\
         {commands}{heading}Flags:{heading:#}\n{{options}}\n\n\
         All flags and their variables: agon {WHOLE} --help, or agon man | man -l -"
    );
    command.mut_args(rare).help_template(template)
}

/// One help, with a line for each flag, whichever way it is asked for.
fn brief(arg: Arg) -> Arg {
    if arg.get_id() == "help" { arg.action(ArgAction::HelpShort).help("Print help") } else { arg }
}

fn names(command: &Command) -> Vec<String> {
    command.get_subcommands().map(|one| one.get_name().to_owned()).collect()
}

/// Changes the flags of a command and of those below it.
fn everywhere(command: Command, change: fn(Arg) -> Arg) -> Command {
    let below = names(&command);
    let command = command.mut_args(change);
    below
        .iter()
        .fold(command, |command, name| command.mut_subcommand(name, |one| everywhere(one, change)))
}

fn by_what_people_do(command: &Command) -> String {
    let styles = command.get_styles();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::new();
    for (title, names) in GROUPS {
        text += &format!("{heading}{title}:{heading:#}\n");
        for name in names {
            let one = command.find_subcommand(name).expect("the groups hold our own commands");
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            text += &format!("  {literal}{name:<12}{literal:#} {about}\n");
        }
        text.push('\n');
    }
    text
}

pub fn write_completions(mut command: Command, shell: Shell) -> io::Result<()> {
    // Made in memory: whoever reads it may stop reading, and that is no panic.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "agon", &mut script);
    io::stdout().write_all(&script)
}

/// The manual page of the program, or of one of its commands.
pub fn write_manual(mut command: Command, path: &[String]) -> anyhow::Result<()> {
    command.build();
    let mut one = &command;
    for name in path {
        let found = one.find_subcommand(name);
        one = found.with_context(|| format!("agon has no command {:?}", path.join(" ")))?;
    }
    let mut page = Vec::new();
    Man::new(one.clone()).render(&mut page)?;
    io::stdout().write_all(&page)?;
    Ok(())
}
