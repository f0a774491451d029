//! What a tool says: a text for the model, the same facts for a program, perhaps a page.

use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, ContentBlock, MetaObject, ResourceContents},
};
use serde_json::Value;

use crate::{
    hall::{CreateError, FindError, WrongKind},
    store::StoreError,
};

/// An answer to a call that did what it was asked to.
pub struct Reply {
    pub text: String,
    pub facts: Value,
    pub page: Option<Page>,
}

/// How a person gets to see the game.
pub enum Page {
    /// By a page that comes with the answer.
    Embedded { uri: String, html: String },
    /// By the page the host has already; this is for it alone, and the model does not see it.
    App(Value),
}

impl IntoCallToolResult for Reply {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let mut result = CallToolResult::success(vec![ContentBlock::text(self.text)]);
        result.structured_content = Some(self.facts);
        match self.page {
            Some(Page::Embedded { uri, html }) => {
                let resource = ResourceContents::text(html, uri).with_mime_type("text/html");
                result.content.push(ContentBlock::resource(resource));
            }
            Some(Page::App(board)) => {
                let meta = [("agon/board".to_owned(), board)];
                result.meta = Some(MetaObject(meta.into_iter().collect()));
            }
            None => {}
        }
        result.into_call_tool_result()
    }
}

/// What we say when we will not do it, and what to do instead.
#[derive(Debug)]
pub struct Refused {
    pub text: String,
    /// How things stand, where that helps.
    pub facts: Option<Value>,
}

impl Refused {
    pub fn new(text: impl Into<String>) -> Refused {
        Refused { text: text.into(), facts: None }
    }

    pub fn cancelled() -> Refused {
        Refused::new("Cancelled; nothing has changed.")
    }
}

impl IntoCallToolResult for Refused {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let mut result = CallToolResult::error(vec![ContentBlock::text(self.text)]);
        result.structured_content = self.facts;
        result.into_call_tool_result()
    }
}

impl From<FindError> for Refused {
    fn from(error: FindError) -> Refused {
        match error {
            FindError::NoSuchGame(id) => Refused::new(format!(
                "Error: Game not found. There is no game {id} here: check the id, or start a game \
                 with createGame."
            )),
            FindError::WrongPass(id) => Refused::new(format!(
                "Error: that pass opens no seat in game {id}. Use the pass that createGame or \
                 joinGame gave you, exactly as it was; to watch only, use {id}."
            )),
            FindError::Unreadable { .. } => {
                tracing::error!(%error, "a game is lost to its players");
                Refused::new(format!("Error: {error}. Start another game with createGame."))
            }
            FindError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        tracing::error!(%error, "a call failed");
        Refused::new("Error: the games could not be read or saved; nothing has changed. Try again.")
    }
}

impl From<CreateError> for Refused {
    fn from(error: CreateError) -> Refused {
        match error {
            CreateError::Setup(why) => Refused::new(format!("Error: no game was created: {why}.")),
            CreateError::Find(error) => error.into(),
        }
    }
}

impl From<WrongKind> for Refused {
    fn from(error: WrongKind) -> Refused {
        Refused::new(format!("Error: {error}; these tools are for chess."))
    }
}
