//! MCP Apps: the page that hosts show beside a tool's answer.
//!
//! Hosts that know the extension read the page once and hand it every answer; others get it
//! inside the answer, filled in.

use rmcp::model::{
    ExtensionCapabilities, JsonObject, MetaObject, Resource, ResourceContents, Tool,
};
use serde_json::{Value, json};

pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
const MIME: &str = "text/html;profile=mcp-app";
const BOARD: &str = "ui://chess/board";
const HTML: &str = include_str!(concat!(env!("OUT_DIR"), "/pages/chat/board.html"));
/// Where the page finds what it is filled with.
const EMPTY: &str = "<script type=\"application/json\" id=\"agon-state\">null</script>";

/// Tools whose answers the board shows.
const LINKED: [&str; 4] = ["createGame", "joinGame", "finishTurn", "waitForNextTurn"];

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => unreachable!("it is written as an object"),
    }
}

pub fn extension() -> ExtensionCapabilities {
    [(EXTENSION.to_owned(), object(json!({ "mimeTypes": [MIME] })))].into_iter().collect()
}

/// Says which page goes with a tool, in the words of today and of yesterday.
pub fn link(tool: &mut Tool) {
    if LINKED.contains(&tool.name.as_ref()) {
        let meta = json!({
            "ui": { "resourceUri": BOARD, "visibility": ["model", "app"] },
            "ui/resourceUri": BOARD,
        });
        tool.meta = Some(MetaObject(object(meta)));
    }
}

pub fn resources() -> Vec<Resource> {
    let mut board = Resource::new(BOARD, "Chess board");
    board.mime_type = Some(MIME.into());
    board.description = Some("The board that is shown beside the chess tools' answers.".into());
    vec![board]
}

pub fn resource(uri: &str) -> Option<ResourceContents> {
    // The pieces are data: pictures, which the standard allows; the Inspector wants to be told.
    let ui = json!({ "prefersBorder": true, "csp": { "resourceDomains": ["data:"] } });
    let meta = MetaObject(object(json!({ "ui": ui })));
    let page = ResourceContents::text(HTML, BOARD).with_mime_type(MIME).with_meta(meta);
    (uri == BOARD).then_some(page)
}

/// The page with its contents, for hosts that do not hand it any.
pub fn filled(state: &Value) -> String {
    // What is inside a script must not be able to end it.
    let state = state.to_string().replace('<', "\\u003c");
    HTML.replacen(EMPTY, &EMPTY.replacen("null", &state, 1), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_place_for_its_contents() {
        let page = filled(&json!({ "game_id": "</script>" }));
        assert!(page.contains("\"game_id\":\"\\u003c/script>\""));
        assert!(HTML.len() < 150_000, "{} bytes", HTML.len());
    }
}
