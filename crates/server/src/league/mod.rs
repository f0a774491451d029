//! Leagues: how their messages go over the wire, who leads and referees them, and the programs around
//! them.
//!
//! Who meets whom and who has won is in `rules`. No MCP, SQL or pages here.

pub mod play;
pub mod programs;
pub mod wire;

use programs::{check, steer};

/// What `agon league` does.
#[derive(clap::Subcommand)]
pub enum LeagueCommand {
    /// Tell which dialect an agent speaks and whether it could play a match
    Check(check::CheckFlags),
    #[command(flatten)]
    Steer(steer::Steer),
}
