//! The dungeon: its thirteen tools, and how it is told beside them.

pub mod pages;
mod prompt;
pub mod room;
mod seen;

use rules::{Rules, dungeon::Dungeon};

use self::prompt::RUN_DUNGEON;
use crate::{
    mcp::{
        McpService,
        room::{Plays, Room},
    },
    store::Hashed,
};

/// What the hall calls the dungeon of a conversation. Whoever knows the conversation can play in
/// it, so it is kept hashed.
pub fn dungeon_name(conversation: &str) -> Hashed {
    Hashed::of(&format!("dungeon {conversation}"))
}

/// Where a model is the master of the game.
pub fn room() -> Room {
    Room {
        name: Dungeon::KIND,
        instructions: "Dungeon: you are the game master, the server holds the truth. Look with \
                       listGames for an adventure to go on with; otherwise make up one \
                       conversationId for the whole game. Start with get_current_room. Look before \
                       you narrate, do one action a call, read success before you tell the outcome, \
                       and never invent rooms, creatures, items or dice."
            .into(),
        picture: "M4 21V10a8 8 0 0 1 16 0v11h-5v-8a3 3 0 0 0-6 0v8z",
        prompt: Some(&RUN_DUNGEON),
        tools: || McpService::dungeon_tools() + McpService::games_tools(),
        dress: None,
        plays: Plays::Nothing,
        lists: vec![Dungeon::KIND],
        begins: Some("a dungeon with get_current_room and a new conversationId"),
        resource: Some("Dungeon"),
        board: None,
    }
}
