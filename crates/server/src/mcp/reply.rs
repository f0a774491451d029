//! What a tool says: a text for the model, the same facts for a program, perhaps a page.

use std::fmt;

use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{
        Annotations, CallToolResponse, CallToolResult, ContentBlock, EmbeddedResource,
        InputRequiredResult, MetaObject, ResourceContents, Role, TextContent,
    },
};
use serde_json::Value;

use crate::{
    budgets::TooMany,
    hall::{CreateError, FindError, WrongKind},
    store::StoreError,
};

/// An answer to a call that did what it was asked to.
pub struct Reply {
    pub text: String,
    pub facts: Value,
    /// A page for the person.
    pub resource: Option<Resource>,
    /// Where else the person gets to see the game.
    pub link: Option<String>,
    /// For the page that the host has already; the model does not see it.
    pub board: Option<Value>,
    /// What the client must ask its person first; it gets the answer when it calls again.
    pub question: Option<InputRequiredResult>,
    /// What was sent along and means nothing in this game.
    pub ignored: Vec<String>,
}

pub struct Resource {
    pub uri: String,
    pub html: String,
}

impl Reply {
    pub fn new(text: String, facts: Value) -> Reply {
        Reply {
            text,
            facts,
            resource: None,
            link: None,
            board: None,
            question: None,
            ignored: Vec::new(),
        }
    }
}

impl IntoCallToolResult for Reply {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        if let Some(question) = self.question {
            return Ok(question.into());
        }
        let mut result = CallToolResult::success(vec![ContentBlock::text(self.text)]);
        result.structured_content = Some(self.facts);
        if let Some(Resource { uri, html }) = self.resource {
            let page = ResourceContents::text(html, uri).with_mime_type("text/html");
            let page = EmbeddedResource::new(page).with_annotations(for_the_person());
            result.content.push(ContentBlock::Resource(page));
        }
        if let Some(link) = self.link {
            let link = TextContent::new(link).with_annotations(for_the_person());
            result.content.push(ContentBlock::Text(link));
        }
        if let Some(board) = self.board {
            let meta = [("agon/board".to_owned(), board)];
            result.meta = Some(MetaObject(meta.into_iter().collect()));
        }
        tell_ignored(&mut result, &self.ignored);
        result.into_call_tool_result()
    }
}

/// Names what was sent along and means nothing: in a field, and where the text is no JSON in a line.
pub fn tell_ignored(result: &mut CallToolResult, ignored: &[String]) {
    if ignored.is_empty() {
        return;
    }
    let Some(facts) = &mut result.structured_content else { return };
    let was_json = facts.to_string();
    match facts.get_mut("ignored").and_then(Value::as_array_mut) {
        Some(known) => known.extend(ignored.iter().cloned().map(Value::from)),
        None => facts["ignored"] = ignored.into(),
    }
    if let Some(ContentBlock::Text(block)) = result.content.first_mut() {
        if block.text == was_json {
            block.text = facts.to_string();
        } else {
            block.text += &format!("\n**Ignored**: {}", ignored.join(", "));
        }
    }
}

fn for_the_person() -> Annotations {
    let mut annotations = Annotations::default();
    annotations.audience = Some(vec![Role::User]);
    annotations
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

    /// An argument of `tool` that will not do.
    pub fn argument(why: impl fmt::Display, tool: &str) -> Refused {
        Refused::new(format!("Error: {why}. Correct it and call {tool} again."))
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
                 joinGame gave you, exactly as it was (a new link ends the old pass); to watch \
                 only, use {id}."
            )),
            FindError::Unreadable { id, .. } => {
                tracing::error!(%error, "a game is lost to its players");
                let lost = format!("Error: game {id} cannot be read");
                Refused::new(format!("{lost}. Start another game with createGame."))
            }
            FindError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        tracing::error!(%error, "a call failed");
        Refused::new(match error {
            StoreError::Unknown => {
                "Error: it is not known whether this was done; the store gave no answer in time. \
                 Make the very same call again: here it counts once, and with a requestId of your \
                 choosing, kept the same, it counts once wherever it arrives."
            }
            _ => "Error: the games could not be read or saved; nothing has changed. Try again.",
        })
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
