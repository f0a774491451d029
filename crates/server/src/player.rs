//! Who sits: an agent, a person, the computer; where they want to, and what they may call themselves.

use std::{fmt, str::FromStr};

pub use players::Level;
use rules::{Kind, Seat, is_invisible, quoted};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    Agent,
    Human,
    Computer(Level),
}

impl Player {
    /// The computer at a game of this kind. Not all have as many levels; whoever asks for more than
    /// there are meets the highest.
    pub fn computer(kind: Kind, level: Level) -> Player {
        Player::Computer(players::nearest(kind.name, level))
    }
}

/// Nobody can sit there.
#[derive(Debug, thiserror::Error)]
#[error("{what} must be {}{}, not {given:?}", if .names.len() > 1 { "one of " } else { "" }, .names.join(", "))]
pub struct NoSuchSeat {
    what: &'static str,
    names: Vec<String>,
    given: String,
}

/// The seat that somebody asks for, by its name or by its colour, or by both if they say the same.
/// Where no seat is called white or black, they are the first and the second.
pub fn wanted_seat(
    names: &[&str],
    seat: Option<&str>,
    color: Option<&str>,
) -> Result<Option<Seat>, NoSuchSeat> {
    let called = |wanted: &str| {
        let at = names.iter().position(|name| name.eq_ignore_ascii_case(wanted.trim()));
        at.map(|at| Seat(at as u8))
    };
    let by_name = seat.map(|wanted| {
        called(wanted).ok_or_else(|| NoSuchSeat {
            what: "seat",
            names: names.iter().map(|name| name.to_string()).collect(),
            given: plain_name(wanted),
        })
    });
    let by_name = by_name.transpose()?;
    let Some(wanted) = color else { return Ok(by_name) };
    let in_order = || match wanted.trim().to_lowercase().as_str() {
        "white" => Some(Seat(0)),
        "black" => Some(Seat(1)),
        _ => None,
    };
    let by_color = called(wanted).or_else(in_order).ok_or_else(|| NoSuchSeat {
        what: "color",
        names: names.iter().map(|name| name.to_lowercase()).collect(),
        given: plain_name(wanted),
    })?;
    match by_name.filter(|seat| *seat != by_color) {
        Some(seat) => Err(NoSuchSeat {
            what: "color beside seat",
            names: vec![names[usize::from(seat.0)].to_lowercase()],
            given: plain_name(wanted),
        }),
        None => Ok(Some(by_color)),
    }
}

/// The manner of a seat in a match of that league: its pass is told to its player alone.
pub fn refereed(league: &str) -> String {
    format!("{{\"refereed\":\"{league}\"}}")
}

pub fn is_refereed(manner: &str) -> bool {
    league_of(manner).is_some()
}

/// The league whose match a seat is in.
pub fn league_of(manner: &str) -> Option<&str> {
    manner.strip_prefix("{\"refereed\":\"")?.strip_suffix("\"}")
}

#[derive(Debug, thiserror::Error)]
#[error("{0} is no kind of player")]
pub struct NotAPlayer(String);

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Player::Agent => f.write_str("agent"),
            Player::Human => f.write_str("human"),
            Player::Computer(level) => write!(f, "computer {}", level.get()),
        }
    }
}

/// What somebody calls themselves, as one line that is safe to repeat: it may be anything.
pub fn plain_name(text: &str) -> String {
    let name: String = plain_text(text).chars().take(LONGEST_NAME).collect();
    name.trim().to_owned()
}

/// A name and the model behind it: the longer the model's, the shorter the other, unless too little
/// would be left of it.
pub fn name_with_model(name: &str, model: &str) -> String {
    let (name, model) = (plain_name(name), plain_name(model));
    let left = LONGEST_NAME.saturating_sub(model.chars().count() + " ()".len());
    match (name.is_empty(), model.is_empty()) {
        (true, _) => model,
        (false, false) if left >= SHORTENED_NAME => {
            let name: String = name.chars().take(left).collect();
            format!("{} ({model})", name.trim())
        }
        (false, _) => name,
    }
}

/// What somebody says, in one line and without what nobody sees.
pub fn plain_text(text: &str) -> String {
    let unseen =
        |c: char| c.is_control() || is_invisible(c) || matches!(c, '\u{2028}' | '\u{2029}');
    let seen: String = text.chars().filter(|c| !unseen(*c)).collect();
    seen.trim().to_owned()
}

const LONGEST_NAME: usize = 40;
/// Of a name so much is left at least.
const SHORTENED_NAME: usize = 8;

impl FromStr for Player {
    type Err = NotAPlayer;

    fn from_str(text: &str) -> Result<Player, NotAPlayer> {
        let level = |n: &str| Level::new(n.parse().ok()?);
        match (text, text.strip_prefix("computer ").and_then(level)) {
            ("agent", _) => Ok(Player::Agent),
            ("human", _) => Ok(Player::Human),
            (_, Some(level)) => Ok(Player::Computer(level)),
            _ => Err(NotAPlayer(quoted(text))),
        }
    }
}
