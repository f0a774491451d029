//! A room: a set of tools that can be offered alone, and what a model is told of them.

use std::sync::Arc;

use rmcp::{
    handler::server::router::tool::ToolRouter,
    model::{Icon, Tool},
};
use rules::Kind;

use super::{
    McpService,
    apps::BoardPage,
    prompts::{OfferedPrompt, PLAY_LEAGUE},
    table,
};

/// Which games are played with a room's tools.
#[derive(Clone, Copy)]
pub enum Plays {
    /// None: its tools are for something else, or lead a game of their own.
    Nothing,
    Only(Kind),
    /// Every kind that anybody may sit down to.
    Anything,
}

/// How a room speaks of tools that several rooms share.
pub type Dress = Arc<dyn Fn(&mut Tool) + Send + Sync>;

#[derive(Clone)]
pub struct Room {
    /// Its name in `--rooms`, and in the path where it is offered alone.
    pub name: &'static str,
    /// The instructions for a model at the start.
    pub instructions: String,
    /// A small picture for its tools, as the path of an SVG.
    pub picture: &'static str,
    pub prompt: Option<&'static OfferedPrompt>,
    pub tools: fn() -> ToolRouter<McpService>,
    pub dress: Option<Dress>,
    pub plays: Plays,
    /// Kinds whose games `listGames` tells of here.
    pub lists: Vec<&'static str>,
    /// How a game is begun here, after "Start".
    pub begins: Option<&'static str>,
    /// The title under which games of the room's name can be read as resources; where every game is
    /// played, each kind has its own.
    pub resource: Option<&'static str>,
    /// The page that shows its games in the chat, if one does.
    pub board: Option<&'static BoardPage>,
}

impl Room {
    /// Where this room alone is offered.
    pub fn path(&self) -> String {
        format!("/{}/mcp", self.name)
    }

    pub fn icon(&self) -> Icon {
        // An address has no spaces in it.
        let svg = format!(
            "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' \
             fill='%23738a55'%3E%3Cpath d='{}'/%3E%3C/svg%3E",
            self.picture
        );
        Icon::new(svg.replace(' ', "%20"))
            .with_mime_type("image/svg+xml")
            .with_sizes(vec!["any".into()])
    }

    /// The kinds whose games can be read here as resources, each with its title.
    pub fn readable(&self) -> Vec<(&'static str, &'static str)> {
        match (self.resource, self.plays) {
            (Some(title), _) => vec![(self.name, title)],
            (None, Plays::Anything) => {
                table::kinds().map(|(kind, card)| (kind.name, card.title)).collect()
            }
            (None, Plays::Only(_) | Plays::Nothing) => Vec::new(),
        }
    }

    /// Whether games are played here with the tools of every game.
    pub fn has_table(&self) -> bool {
        !matches!(self.plays, Plays::Nothing)
    }

    /// Whether it is for leagues alone.
    pub fn is_of_leagues(&self) -> bool {
        self.is_manager() || self.name == REFEREE
    }

    /// Whether leagues are joined here.
    pub fn is_manager(&self) -> bool {
        self.name == LEAGUE
    }
}

const LEAGUE: &str = "league";
const REFEREE: &str = "referee";
const CUP: &str = "M7 3h10v2h4c0 4-2 6-4.6 6.3A5 5 0 0 1 13 14v3h3v3H8v-3h3v-3a5 5 0 0 \
                   1-3.4-2.7C5 11 3 9 3 5h4z";

/// The rooms in which leagues are joined and steered.
pub fn of_leagues() -> [Room; 2] {
    let room = |name, instructions: &str, prompt, tools| Room {
        name,
        instructions: instructions.into(),
        picture: CUP,
        prompt,
        tools,
        dress: None,
        plays: Plays::Nothing,
        lists: Vec::new(),
        begins: None,
        resource: None,
        board: None,
    };
    [
        room(
            LEAGUE,
            "League: register_player (without endpoint) to join, then wait_for_decision and \
             submit_move until the league is over; a timeout is normal. get_standings shows the \
             table.",
            Some(&PLAY_LEAGUE),
            McpService::league_tools,
        ),
        room(
            REFEREE,
            "Referee: get_game_state shows a match of a league.",
            None,
            McpService::referee_tools,
        ),
    ]
}
