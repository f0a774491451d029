//! What a tool says: a text for the model, the same facts for a program, perhaps a page.

use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{
        Annotations, CallToolResponse, CallToolResult, ContentBlock, EmbeddedResource,
        InputRequiredResult, MetaObject, ResourceContents, Role, TextContent,
    },
};
use serde_json::Value;

use super::person::PersonLink;

/// Begins the line that says what to do next.
const NEXT_ACTION: &str = "**Next Action**: ";

/// An answer to a call that did what it was asked to.
pub struct Reply {
    pub text: String,
    pub facts: Value,
    /// A page for the person.
    pub resource: Option<Resource>,
    /// Where else the person gets to see the game.
    pub link: Option<PersonLink>,
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
        let (mut text, mut facts) = (self.text, self.facts);
        if let Some(link) = &self.link {
            // Some hosts hand on the structure alone, others the text alone.
            if let Some(at) = text.rfind(NEXT_ACTION) {
                let next = at + NEXT_ACTION.len();
                let end = text[next..].find('\n').map_or(text.len(), |end| next + end);
                let with_link = link.with(&text[next..end]);
                text.replace_range(next..end, &with_link);
            }
            let next = facts["next_action"].as_str().unwrap_or_default();
            facts["next_action"] = link.with(next).into();
            facts["link"] = link.address.clone().into();
        }
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(facts);
        if let Some(Resource { uri, html }) = self.resource {
            let page = ResourceContents::text(html, uri).with_mime_type("text/html");
            let page = EmbeddedResource::new(page).with_annotations(for_the_person());
            result.content.push(ContentBlock::Resource(page));
        }
        if let Some(told) = self.link.and_then(|link| link.told()) {
            let link = TextContent::new(told).with_annotations(for_the_person());
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
