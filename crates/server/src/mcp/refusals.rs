//! Why a tool does not do what it is asked to: what is told to the caller, and what to the owner.

use std::fmt;

use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, ContentBlock, ErrorCode},
};
use serde_json::{Value, json};

use super::envelope::{RETRY_AFTER, TOO_MANY};
use crate::{
    budgets::TooMany,
    hall::{CreateError, FindError, WrongKind},
    ids::GameId,
    league::play::refusals::{LeagueRefusal, MessageRefusal},
    store::StoreError,
};

const NOT_KNOWN: &str = "Error: it is not known whether this was done; the store gave no answer in \
                         time. Make the very same call again: here it counts once, and with a \
                         requestId of your choosing, kept the same, it counts once wherever it \
                         arrives.";

/// Why a call was refused, and what the caller can do instead. A fault of the store is also logged
/// when the answer is sent.
#[derive(Debug)]
pub enum Refused {
    /// In words, with how things stand where that helps.
    Told(String, Option<Value>),
    /// The game is there, and cannot be read.
    Unreadable(GameId, FindError),
    Store(StoreError),
    /// Refused by a league, in the words of its messages. Over a rate limit, the answer says when to
    /// try again.
    League(MessageRefusal),
}

impl Refused {
    pub fn new(text: impl Into<String>) -> Refused {
        Refused::Told(text.into(), None)
    }

    /// An argument of `tool` that will not do.
    pub fn argument(why: impl fmt::Display, tool: &str) -> Refused {
        Refused::new(format!("Error: {why}. Correct it and call {tool} again."))
    }

    /// As the tools of leagues say everything: one JSON object, the same as text and as structure.
    pub fn as_json(why: impl fmt::Display) -> Refused {
        Refused::told_as_json(json!({ "error": why.to_string() }))
    }

    pub fn told_as_json(body: Value) -> Refused {
        Refused::Told(body.to_string(), Some(body))
    }

    pub fn cancelled() -> Refused {
        Refused::new("Cancelled; nothing has changed.")
    }

    fn log(&self) {
        match self {
            Refused::Told(..) => {}
            Refused::Unreadable(_, error) => {
                tracing::error!(%error, "a game is lost to its players");
            }
            Refused::Store(error) => tracing::error!(%error, "a call failed"),
            Refused::League(refusal) => {
                if let Some(fault) = refusal.fault() {
                    tracing::error!(%fault, "a tool of the league was not answered");
                }
            }
        }
    }

    fn told(self) -> (String, Option<Value>) {
        match self {
            Refused::League(refusal) => Refused::as_json(refusal).told(),
            Refused::Told(text, facts) => (text, facts),
            Refused::Unreadable(id, _) => {
                let lost = format!("Error: game {id} cannot be read");
                (format!("{lost}. Start another game with createGame."), None)
            }
            Refused::Store(StoreError::Unknown) => (NOT_KNOWN.into(), None),
            Refused::Store(error) => {
                let remedy = error.remedy();
                (format!("Error: the games could not be read or saved; {remedy}."), None)
            }
        }
    }
}

impl IntoCallToolResult for Refused {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        self.log();
        if let Refused::League(MessageRefusal::TooMany(limited)) = &self {
            let wait = json!({ RETRY_AFTER: limited.seconds() });
            let code = ErrorCode(TOO_MANY as i32);
            return Err(ErrorData::new(code, limited.to_string(), Some(wait)));
        }
        let (text, facts) = self.told();
        let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
        result.structured_content = facts;
        result.into_call_tool_result()
    }
}

impl From<FindError> for Refused {
    fn from(error: FindError) -> Refused {
        match error {
            FindError::NoSuchGame(id) => Refused::new(format!(
                "Error: Game not found. There is no game {id} here: check the id; listGames shows \
                 the games in play, createGame starts another."
            )),
            FindError::WrongPass(id) => Refused::new(format!(
                "Error: that pass opens no seat in game {id}. Use the pass that createGame or \
                 joinGame gave you, exactly as it was (a new link ends the old pass); to watch \
                 only, use {id}."
            )),
            FindError::Unreadable { id, .. } => Refused::Unreadable(id, error),
            FindError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        Refused::Store(error)
    }
}

impl From<MessageRefusal> for Refused {
    fn from(refusal: MessageRefusal) -> Refused {
        Refused::League(refusal)
    }
}

impl From<LeagueRefusal> for Refused {
    fn from(refusal: LeagueRefusal) -> Refused {
        Refused::League(refusal.into())
    }
}

impl From<CreateError> for Refused {
    fn from(error: CreateError) -> Refused {
        match error {
            CreateError::Setup(why) => Refused::new(format!("Error: no game was created: {why}.")),
            CreateError::TooMany(too_many) => too_many.into(),
            CreateError::Find(error) => error.into(),
        }
    }
}

impl From<TooMany> for Refused {
    fn from(too_many: TooMany) -> Refused {
        let TooMany { what, .. } = too_many;
        let seconds = too_many.seconds();
        Refused::new(format!("Error: too many {what}. Wait {seconds} seconds, then call again."))
    }
}

impl From<WrongKind> for Refused {
    fn from(error: WrongKind) -> Refused {
        Refused::new(format!("Error: {error}, which this tool is not for."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::logged;

    #[test]
    fn a_fault_of_ours_is_logged_once_when_the_answer_leaves() {
        let id = GameId::from_number(1);
        for (error, told, line) in [
            (
                FindError::Store(StoreError::Full),
                "Error: the games could not be read or saved; nothing has changed: the disk of \
                 this server's store is full; tell the owner of the server.",
                "ERROR a call failed error=the disk of the store is nearly full\n",
            ),
            (
                FindError::Store(StoreError::Unknown),
                "Error: it is not known whether this was done; the store gave no answer in time. \
                 Make the very same call again: here it counts once, and with a requestId of your \
                 choosing, kept the same, it counts once wherever it arrives.",
                "ERROR a call failed error=it is not known whether the store has made a change\n",
            ),
            (
                FindError::Unreadable { id, why: "of old".into() },
                "Error: game 00000001 cannot be read. Start another game with createGame.",
                "ERROR a game is lost to its players error=game 00000001 cannot be read: of old\n",
            ),
            (
                FindError::NoSuchGame(id),
                "Error: Game not found. There is no game 00000001 here: check the id; listGames \
                 shows the games in play, createGame starts another.",
                "",
            ),
        ] {
            let mut refusal = None;
            assert_eq!(logged(|| refusal = Some(Refused::from(error))), "");
            let mut answer = None;
            let refusal = refusal.expect("it is refused");
            assert_eq!(logged(|| answer = refusal.into_call_tool_result().ok()), line);
            let Some(CallToolResponse::Complete(result)) = answer else { panic!("no answer") };
            assert_eq!(result, CallToolResult::error(vec![ContentBlock::text(told)]));
        }
    }
}
