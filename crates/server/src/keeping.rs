//! `agon store`: seeing to where games are kept.

use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::{
    store::{self, Address, Copying},
    terminal::{self, progress::ProgressLine},
};

#[derive(clap::Subcommand)]
pub enum StoreCommand {
    /// Copy every game from one store into another, empty one, and compare
    Copy {
        /// Where the games are, like sqlite:agon.db
        from: Address,
        /// Where they go, like postgres://USER:PASSWORD@HOST/DATABASE
        to: Address,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct Copied {
    games: u64,
    from: String,
    to: String,
}

pub async fn run(what: StoreCommand) -> Result<ExitCode> {
    let StoreCommand::Copy { from, to, json } = what;
    let (one, other) = (store::open(&from).await?, store::open(&to).await?);
    let all = one.count(u32::MAX).await?.unsigned_abs();
    // Everything is read twice: to be copied, and to be compared.
    let progress = ProgressLine::of("games copied and read back", 2 * all);
    let tell = |step| match step {
        Copying::Copied(games) => progress.at(games),
        Copying::Compared(games) => progress.at(all + games),
    };
    let copied = store::copy(&*one, &*other, tell).await;
    drop(progress);
    let games = copied.with_context(|| format!("{from} was not copied to {to}"))?;
    other.settle().await?;
    if json {
        terminal::say_json(&Copied { games, from: from.to_string(), to: to.to_string() })?;
    } else {
        eprintln!("{games} games copied from {from} to {to}, and read back the same");
    }
    Ok(ExitCode::SUCCESS)
}
