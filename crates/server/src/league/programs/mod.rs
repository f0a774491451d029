//! The programs around a league: a player, a check of players, and `agon league`. They listen and call
//! as any stranger's would, so nothing but `main` knows them.

pub mod check;
pub mod player;
pub mod steer;
pub mod strategy;

/// What `agon league` does.
#[derive(clap::Subcommand)]
pub enum LeagueCommand {
    /// Tell which dialect an agent speaks and whether it could play a match
    Check(check::CheckFlags),
    #[command(flatten)]
    Steer(steer::Steer),
}
