//! Leagues: how their messages go over the wire, in every dialect; who leads and referees them; and
//! the programs around them, a player and a check.
//!
//! Who meets whom and who has won is in `rules`. No MCP, SQL or pages here.

pub mod announce;
pub mod answer;
pub mod application;
pub mod at_work;
pub mod callbacks;
pub mod check;
pub mod clock;
pub mod conductor;
pub mod counter;
pub mod dialect;
pub mod endpoint;
pub mod handing_in;
pub mod joining;
pub mod leagues;
pub mod letters;
pub mod line;
pub mod manner;
pub mod message;
pub mod moves;
pub mod pace;
pub mod player;
pub mod post;
pub mod reading;
pub mod referee;
pub mod registration;
pub mod report;
pub mod steer;
pub mod strategy;
pub mod timestamp;

/// What `agon league` does.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Tell which dialect an agent speaks and whether it could play a match
    Check(check::Flags),
    #[command(flatten)]
    Steer(steer::Steer),
}

/// The members of a JSON object.
pub type Fields = serde_json::Map<String, serde_json::Value>;
