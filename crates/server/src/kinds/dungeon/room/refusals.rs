//! Why the dungeon tools do not do what they are asked to: what the caller is told, and what the log.

use rules::{Illegal, dungeon::Obstacle};

use crate::{
    hall::{CreateError, FindError, Refusal, WrongKind, open_key},
    store::StoreError,
};

/// Why nothing was done, and what would have been right.
#[derive(Debug)]
pub struct DungeonRefusal {
    pub(super) why: WhyNot,
    pub(super) reason: String,
    pub(super) options: Vec<String>,
    /// What the owner reads of it, where it is ours.
    pub(super) fault: Option<FindError>,
}

/// What stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhyNot {
    /// The rules know it.
    Obstacle(Obstacle),
    ConversationNotFound,
    /// The game cannot be read or saved.
    GameStateCorrupted,
    /// The caller has begun too many games, and is to wait.
    TooMany,
}

impl WhyNot {
    /// The protocol's name for it.
    pub fn condition(self) -> String {
        match self {
            WhyNot::Obstacle(obstacle) => format!("{obstacle:?}"),
            other => format!("{other:?}"),
        }
    }

    pub fn code(self) -> &'static str {
        match self {
            WhyNot::ConversationNotFound => "CONVERSATION_NOT_FOUND",
            WhyNot::GameStateCorrupted => "GAME_STATE_ERROR",
            WhyNot::TooMany => "INVALID_ACTION",
            WhyNot::Obstacle(obstacle) => match obstacle {
                Obstacle::NoExit => "NO_EXIT",
                Obstacle::LockedDoor => "LOCKED_DOOR",
                Obstacle::InCombat => "ALREADY_IN_COMBAT",
                Obstacle::NoCombat => "NOT_IN_COMBAT",
                Obstacle::InvalidTarget => "INVALID_TARGET",
                Obstacle::ItemNotFound => "ITEM_NOT_FOUND",
                Obstacle::NoItems => "NO_ITEMS",
                Obstacle::MultipleItems => "MULTIPLE_ITEMS",
                Obstacle::InventoryFull => "INVENTORY_FULL",
                Obstacle::PlayerDead => "INSUFFICIENT_HP",
                Obstacle::InvalidArgument => "INVALID_ARGUMENT",
                Obstacle::GameOver | Obstacle::InvalidAction => "INVALID_ACTION",
            },
        }
    }
}

impl DungeonRefusal {
    fn new(why: WhyNot, reason: impl Into<String>, options: Vec<String>) -> DungeonRefusal {
        DungeonRefusal { why, reason: reason.into(), options, fault: None }
    }

    pub fn of(
        obstacle: Obstacle,
        reason: impl Into<String>,
        options: Vec<String>,
    ) -> DungeonRefusal {
        DungeonRefusal::new(WhyNot::Obstacle(obstacle), reason, options)
    }

    pub fn argument(reason: String, options: Vec<String>) -> DungeonRefusal {
        DungeonRefusal::of(Obstacle::InvalidArgument, reason, options)
    }

    pub fn conversation(reason: String) -> DungeonRefusal {
        DungeonRefusal::new(WhyNot::ConversationNotFound, reason, Vec::new())
    }

    /// It looks like a pass and opens nothing.
    pub fn wrong_pass() -> DungeonRefusal {
        DungeonRefusal::conversation(
            "that pass opens no dungeon; send it exactly as listGames gave it, or another \
             conversationId to begin a new dungeon"
                .into(),
        )
    }

    /// An item was inspected with a choice.
    pub fn nothing_to_choose(item: &str) -> DungeonRefusal {
        let reason = format!("{item:?} has nothing to choose; leave the choice out");
        DungeonRefusal::argument(reason, Vec::new())
    }

    /// The id of a game, which everybody may know.
    pub fn game_id() -> DungeonRefusal {
        DungeonRefusal::conversation(
            "that is the id of a game, which opens no dungeon; listGames gives the pass of a \
             dungeon to go on with, and any other conversationId begins a new one"
                .into(),
        )
    }

    /// The game cannot be read or saved.
    fn broken(reason: impl Into<String>) -> DungeonRefusal {
        DungeonRefusal::new(WhyNot::GameStateCorrupted, reason, Vec::new())
    }

    /// The call itself was wrong, or we are: unlike a move that the rules do not allow.
    pub fn is_error(&self) -> bool {
        match self.why {
            WhyNot::Obstacle(obstacle) => obstacle == Obstacle::InvalidArgument,
            WhyNot::ConversationNotFound | WhyNot::GameStateCorrupted | WhyNot::TooMany => true,
        }
    }
}

impl From<Refusal> for DungeonRefusal {
    fn from(refusal: Refusal) -> DungeonRefusal {
        match refusal {
            Refusal::Illegal(Illegal::Rule { rule, reason, options }) => {
                DungeonRefusal::of(rule.of().unwrap_or(Obstacle::InvalidAction), reason, options)
            }
            Refusal::Illegal(other) => {
                DungeonRefusal::of(Obstacle::InvalidAction, other.to_string(), Vec::new())
            }
            Refusal::KeyUsed(number) => DungeonRefusal::argument(
                format!("that requestId was given to another action, turn {number}; use a new one"),
                Vec::new(),
            ),
            Refusal::AnotherTurn { .. } => {
                DungeonRefusal::of(Obstacle::InvalidAction, refusal.to_string(), Vec::new())
            }
            Refusal::NotKnown { turn } => DungeonRefusal::broken(format!(
                "it is not known whether this was done; the store gave no answer in time. Make the \
                 very same call again: here it counts once, and with the requestId you gave, or \
                 with {}, it counts once wherever it arrives",
                open_key(turn)
            )),
            Refusal::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for DungeonRefusal {
    fn from(error: StoreError) -> DungeonRefusal {
        FindError::Store(error).into()
    }
}

impl From<FindError> for DungeonRefusal {
    fn from(error: FindError) -> DungeonRefusal {
        let reason = match &error {
            FindError::Store(StoreError::Unknown) => {
                "it is not known whether this was done; make the very same call again, it counts \
                 once"
                    .to_owned()
            }
            FindError::Store(error) => {
                format!("the game could not be read or saved; {}", error.remedy())
            }
            error => format!("{error}; start another with a new conversationId"),
        };
        DungeonRefusal { fault: Some(error), ..DungeonRefusal::broken(reason) }
    }
}

impl From<CreateError> for DungeonRefusal {
    fn from(error: CreateError) -> DungeonRefusal {
        match error {
            CreateError::Setup(why) => {
                DungeonRefusal::broken(format!("no game was created: {why}"))
            }
            CreateError::TooMany(too_many) => {
                let reason = format!("{too_many}, then call again");
                DungeonRefusal::new(WhyNot::TooMany, reason, Vec::new())
            }
            CreateError::Find(error) => error.into(),
        }
    }
}

impl From<WrongKind> for DungeonRefusal {
    fn from(error: WrongKind) -> DungeonRefusal {
        DungeonRefusal::broken(error.to_string())
    }
}
