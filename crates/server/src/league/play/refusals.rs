//! Why something about a league, or a message to it, is not done: what the caller is told, and what
//! the owner hears of it.
//!
//! Messages that cannot be read are refused in `wire::errors`.

use rules::{
    Illegal, Outcome,
    league::{LeagueKind, LeagueRule},
};

use super::{rate_limit::TooMany, referee::contest::wire_name, registration::series_of};
use crate::{
    hall::{CreateError, FindError, NoProgram, Refusal},
    ids::GameId,
    league::wire::errors::{BadMove, Forbidden, LeagueCode, Misread, Unasked},
    store::StoreError,
};

/// Why something about a league was not done.
#[derive(Debug, thiserror::Error)]
pub enum LeagueRefusal {
    #[error("there is no league {0} here; leave league_id out for the newest")]
    UnknownLeague(String),
    #[error(
        "no league has been opened here yet; register_player or `agon league create` opens one"
    )]
    NothingOpened,
    #[error("{reason}{}", next_step(*.rule))]
    Rule { rule: InTheWay, reason: String },
    #[error("contact_endpoint: {0}")]
    Endpoint(#[from] Forbidden),
    #[error(
        "unknown auth_token for this league; send the one from register_player, and the league_id \
         that came with it"
    )]
    UnknownToken,
    #[error(
        "only the operator of the league may do that; send as operator_token what `agon league \
         key` prints"
    )]
    NotOperator,
    #[error("there is no league {named}; {meant:?} is open, register for that one")]
    Slip { named: String, meant: String },
    #[error(
        "league {name} ({game:?}) is over; its table is at /league/{id}, and get_standings has it; \
         its owner opens the next with `agon league repeat {0}` or `agon league create {0}`, or \
         register without league_id to join another",
        series_of(.name)
    )]
    NotContinued { name: String, game: LeagueKind, id: GameId },
    #[error(
        "there is no league {named}, and leagues are opened by the owner here{}",
        open_ones(.open)
    )]
    NotOpened { named: String, open: Vec<String> },
    #[error("player_meta.game_types must list {:?}, the game that is played here", wire_name(*.0))]
    OtherGame(LeagueKind),
    #[error(transparent)]
    Program(#[from] NoProgram),
    #[error("{0}")]
    Busy(&'static str),
    #[error("the league could not be read or saved; {}", fate(.0))]
    Store(#[from] FindError),
}

impl LeagueRefusal {
    /// In words that say what to do.
    pub fn because(reason: impl ToString) -> LeagueRefusal {
        LeagueRefusal::Rule { rule: InTheWay::Other, reason: reason.to_string() }
    }

    pub fn over(outcome: &Outcome) -> LeagueRefusal {
        let reason = format!("the league is over: {outcome}");
        LeagueRefusal::Rule { rule: InTheWay::LeagueOver, reason }
    }

    /// A fault of the store: it is logged for the owner, and the caller is only asked to try again.
    pub fn fault(&self) -> Option<&FindError> {
        match self {
            LeagueRefusal::Store(fault) => Some(fault),
            _ => None,
        }
    }
}

/// The kind of a refusal, which decides what we suggest next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTheWay {
    Rule(LeagueRule),
    LeagueOver,
    InviteNeeded,
    /// The reason says what to do.
    Other,
}

/// Why a message was not taken.
#[derive(Debug, thiserror::Error)]
pub enum MessageRefusal {
    #[error(transparent)]
    Misread(#[from] Misread),
    #[error(transparent)]
    League(#[from] LeagueRefusal),
    #[error("{0} is not for the League Manager or the Referee")]
    Misdirected(&'static str),
    #[error(transparent)]
    Unasked(#[from] Unasked),
    #[error(transparent)]
    BadMove(#[from] BadMove),
    #[error(transparent)]
    TooMany(#[from] TooMany),
}

impl MessageRefusal {
    /// A fault to log for the owner.
    pub fn fault(&self) -> Option<&FindError> {
        match self {
            MessageRefusal::League(refusal) => refusal.fault(),
            _ => None,
        }
    }

    /// The field that is at fault, if it is one.
    pub fn field(&self) -> Option<&str> {
        match self {
            MessageRefusal::Misread(misread) => misread.field(),
            MessageRefusal::League(LeagueRefusal::UnknownToken | LeagueRefusal::NotOperator) => {
                Some("auth_token")
            }
            MessageRefusal::League(LeagueRefusal::UnknownLeague(_)) => Some("league_id"),
            MessageRefusal::League(LeagueRefusal::OtherGame(_)) => Some("player_meta.game_types"),
            MessageRefusal::Unasked(Unasked::Other(bad)) | MessageRefusal::BadMove(bad) => {
                Some(bad.field())
            }
            _ => None,
        }
    }

    pub fn league_code(&self) -> Option<LeagueCode> {
        match self {
            MessageRefusal::Misread(misread) => Some(misread.league_code()),
            MessageRefusal::League(LeagueRefusal::UnknownToken | LeagueRefusal::NotOperator) => {
                Some(("E012", "AUTH_TOKEN_INVALID"))
            }
            MessageRefusal::League(LeagueRefusal::OtherGame(_)) => {
                Some(("E006", "GAME_TYPE_NOT_SUPPORTED"))
            }
            MessageRefusal::Unasked(Unasked::Other(bad)) | MessageRefusal::BadMove(bad) => {
                Some(bad.league_code())
            }
            _ => None,
        }
    }
}

impl From<StoreError> for LeagueRefusal {
    fn from(error: StoreError) -> LeagueRefusal {
        LeagueRefusal::Store(error.into())
    }
}

impl From<CreateError> for LeagueRefusal {
    fn from(error: CreateError) -> LeagueRefusal {
        match error {
            CreateError::TooMany(too_many) => LeagueRefusal::because(too_many),
            CreateError::Setup(why) => LeagueRefusal::because(why),
            CreateError::Find(error) => error.into(),
        }
    }
}

impl From<Refusal> for LeagueRefusal {
    fn from(refusal: Refusal) -> LeagueRefusal {
        match refusal {
            Refusal::Store(error) => error.into(),
            Refusal::NotKnown { .. } => StoreError::Unknown.into(),
            Refusal::Illegal(Illegal::Rule { rule, reason, .. }) => {
                let rule = rule.of().map_or(InTheWay::Other, InTheWay::Rule);
                LeagueRefusal::Rule { rule, reason }
            }
            Refusal::Illegal(Illegal::Over(outcome)) => LeagueRefusal::over(&outcome),
            other => LeagueRefusal::because(other),
        }
    }
}

/// Says whether a message that met a fault of the store took effect.
pub fn fate(error: &FindError) -> String {
    match error {
        FindError::Store(StoreError::Unknown) => {
            "it is not known whether this was done; send the same again, it counts once".into()
        }
        FindError::Store(error) => error.remedy(),
        _ => "nothing has changed, try again".into(),
    }
}

fn open_ones(names: &[String]) -> String {
    match names {
        [] => "; ask for one to be opened".into(),
        names => format!("; open are {}", names.join(", ")),
    }
}

/// Suggests what to do about a refusal.
fn next_step(rule: InTheWay) -> &'static str {
    match rule {
        InTheWay::LeagueOver => "; get_standings has the final table",
        InTheWay::InviteNeeded => "; send as invite_code what you were given, or join another",
        InTheWay::Other => "",
        InTheWay::Rule(rule) => match rule {
            LeagueRule::LeagueStarted => "; register without league_id to join another",
            LeagueRule::LeagueNotStarted => "; its operator starts it with start_league",
            LeagueRule::LeagueFull => "; register with another league_id to open another league",
            LeagueRule::EndpointTaken => {
                "; send the auth_token it was given to come back, or the name it has"
            }
            LeagueRule::NameTaken => {
                "; send the auth_token it was given to come back, or choose another"
            }
            LeagueRule::TooFewPlayers => "; players join with register_player",
            LeagueRule::UnknownPlayer => "; get_league lists the players",
            LeagueRule::UnknownMatch | LeagueRule::MatchNotRunning | LeagueRule::MatchRunning => {
                "; get_schedule lists the matches"
            }
            LeagueRule::SuspendedPlayer
            | LeagueRule::RemovedPlayer
            | LeagueRule::NotSuspended
            | LeagueRule::WrongToken
            | LeagueRule::CodeUsed
            | LeagueRule::InvalidEvent
            | LeagueRule::AlreadyReported
            | LeagueRule::PlayerBusy
            | LeagueRule::Conflict => "",
        },
    }
}
