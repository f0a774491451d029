//! How a league is to be, as its owner says it on the command line.

use rules::league::{Format, Game as Contest, Setup};

use crate::{
    league::{play::leagues::Leagues, wire::Fields},
    player::Level,
};

#[derive(clap::Args)]
pub struct Plan {
    /// even-odd (league.v1), parity (league.v2), or any game that two play: chess, connect-four, ...
    #[arg(long, default_value = "even-odd", value_parser = contest)]
    pub game: Contest,
    /// How each match is set up, as JSON: '{"variant": "chess960"}'
    #[arg(long, value_name = "JSON", value_parser = game_setup, default_value = "{}")]
    setup: Fields,
    /// Let the computer play too, at these levels: 3,5,7
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', value_parser = level)]
    pub computer: Vec<Level>,
    /// Everyone meets everyone twice
    #[arg(long)]
    double: bool,
    /// Seconds a player may take for a move
    #[arg(long, default_value_t = 30)]
    time_limit: u32,
    /// Let in only those who send this invite_code
    #[arg(long, value_name = "CODE")]
    invite: Option<String>,
    /// Let in only those who have a code of their own, from `agon league codes`
    #[arg(long)]
    codes: bool,
}

fn contest(text: &str) -> Result<Contest, String> {
    Contest::named(text).map_err(|unknown| unknown.to_string())
}

fn game_setup(text: &str) -> Result<Fields, String> {
    serde_json::from_str(text).map_err(|why| format!("a set-up is a JSON object: {why}"))
}

fn level(text: &str) -> Result<Level, String> {
    let level = text.trim().parse().ok().and_then(Level::new);
    level.ok_or_else(|| "levels are from 1 to 10".to_owned())
}

impl Plan {
    /// The computer plays at each level once, and at those that the game has.
    pub fn check_levels(&self) -> anyhow::Result<()> {
        let name = self.game.kind().name;
        for (at, level) in self.computer.iter().enumerate() {
            let (number, highest) = (level.get(), players::nearest(name, *level).get());
            if self.computer[..at].contains(level) {
                anyhow::bail!(
                    "level {number} is named twice; the computer plays at each level once"
                );
            }
            if number > highest {
                anyhow::bail!("{name} has no level {number}; its levels are from 1 to {highest}");
            }
        }
        Ok(())
    }

    pub fn setup(&self, leagues: &Leagues, name: &str) -> Setup {
        let invitation = self.invite.as_deref().map(|code| leagues.seal(name, code));
        let format = if self.double { Format::DoubleRoundRobin } else { Format::RoundRobin };
        let (game, time_limit_seconds) = (self.game, self.time_limit);
        let name = name.to_owned();
        Setup {
            name,
            game,
            format,
            time_limit_seconds,
            invitation,
            by_code: self.codes,
            by_owner: true,
            game_setup: self.setup.clone(),
            ..Setup::default()
        }
    }
}
