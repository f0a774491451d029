//! MCP Apps: the page that hosts show beside a tool's answer.
//!
//! Hosts that know the extension read the page once and hand it every answer.

use rmcp::model::{
    ExtensionCapabilities, JsonObject, MetaObject, Resource, ResourceContents, Tool,
};
use serde_json::{Value, json};

use super::room::Room;

pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
const MIME: &str = "text/html;profile=mcp-app";
/// The one page that shows every game, unless a room has another name for it.
pub const BOARD: BoardPage = BoardPage {
    uri: "ui://agon/board",
    name: "Board",
    about: "The board that is shown beside the tools' answers.",
};
const HTML: &str = include_str!(concat!(env!("OUT_DIR"), "/board.html"));

/// Tools whose answers the board shows.
const LINKED: [&str; 4] = ["createGame", "joinGame", "finishTurn", "waitForNextTurn"];

/// What that page is called somewhere.
pub struct BoardPage {
    pub uri: &'static str,
    pub name: &'static str,
    pub about: &'static str,
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => unreachable!("it is written as an object"),
    }
}

pub fn extension() -> ExtensionCapabilities {
    [(EXTENSION.to_owned(), object(json!({ "mimeTypes": [MIME] })))].into_iter().collect()
}

/// What the page is called in these rooms, if they show it.
fn board(rooms: &[Room]) -> Option<&'static BoardPage> {
    rooms.iter().find_map(|room| room.board)
}

/// Says which page goes with a tool, in the words of today and of yesterday.
pub fn link(tool: &mut Tool, rooms: &[Room]) {
    if let Some(board) = board(rooms).filter(|_| LINKED.contains(&tool.name.as_ref())) {
        let meta = json!({
            "ui": { "resourceUri": board.uri, "visibility": ["model", "app"] },
            "ui/resourceUri": board.uri,
        });
        tool.meta = Some(MetaObject(object(meta)));
    }
}

pub fn resources(rooms: &[Room]) -> Vec<Resource> {
    let told = board(rooms).map(|board| {
        let mut told = Resource::new(board.uri, board.name);
        told.mime_type = Some(MIME.into());
        told.description = Some(board.about.into());
        told
    });
    told.into_iter().collect()
}

pub fn resource(boards: &[&BoardPage], uri: &str) -> Option<ResourceContents> {
    let uri = boards.iter().find(|board| board.uri == uri)?.uri;
    // The pieces are data: pictures, which the standard allows; the Inspector wants to be told.
    let ui = json!({ "prefersBorder": true, "csp": { "resourceDomains": ["data:"] } });
    let meta = MetaObject(object(json!({ "ui": ui })));
    Some(ResourceContents::text(HTML, uri).with_mime_type(MIME).with_meta(meta))
}
