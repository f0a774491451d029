//! MCP, and the tools that all games share. One file per room; a room is a set of tools offered together.
//!
//! A tool finds, acts, says. What it does to a game is done in `hall`.

pub mod apps;
pub mod arguments;
pub mod ask;
pub mod caller;
pub mod callers;
pub mod cancelling;
pub mod conformance;
pub mod envelope;
pub mod followers;
pub mod games;
pub mod http;
pub mod league;
mod methods;
pub mod person;
pub mod plain;
pub mod prompts;
pub mod reading;
pub mod refusals;
pub mod reply;
mod resources;
mod resuming;
pub mod room;
pub mod seating;
mod sessions;
pub mod table;
pub mod telling;

use rules::cut;
use std::{iter, sync::Arc, time::Duration};

use rmcp::{
    ErrorData, RoleServer,
    handler::server::{
        router::tool::ToolRouter,
        tool::{IntoCallToolResult, ToolCallContext},
    },
    model::{CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, Tool},
    service::RequestContext,
};

use self::{
    callers::Callers,
    cancelling::Waits,
    conformance::Fixtures,
    followers::Followers,
    prompts::OfferedPrompt,
    refusals::Refused,
    room::{Plays, Room},
    telling::Tellings,
};
use crate::{
    hall::Hall,
    league::play::leagues::Leagues,
    metrics::{self, Ended},
    store::Hashed,
};

/// Settings of a service, whatever its rooms.
#[derive(Clone)]
pub struct ServiceSettings {
    /// Where the pages are, if there are any.
    pub pages: Option<String>,
    /// The clients that have called.
    pub callers: Callers,
    /// The listeners that get news.
    pub followers: Followers,
    /// The calls that wait.
    pub waits: Waits,
    /// How long a call waits at the most.
    pub wait: Duration,
    /// How each kind is told.
    pub tellings: Tellings,
    pub fixtures: Option<Arc<Fixtures>>,
}

/// Where a client's calls arrive. Cheap to clone: every HTTP request gets its own.
#[derive(Clone)]
pub struct McpService {
    pub hall: Arc<Hall>,
    leagues: Leagues,
    followers: Followers,
    waits: Waits,
    rooms: Arc<[Room]>,
    tellings: Tellings,
    tools: Arc<ToolRouter<McpService>>,
    pub wait: Duration,
    /// Where this process shows its pages, if it does.
    pub pages: Option<Arc<str>>,
    /// The clients that have called lately; the pages show them.
    callers: Callers,
    /// Stands for the one connection of a process that is spoken to over its stdin.
    process: Hashed,
    fixtures: Option<Arc<Fixtures>>,
}

impl McpService {
    pub fn new(leagues: Leagues, rooms: &[Room], manner: ServiceSettings) -> McpService {
        let ServiceSettings { pages, callers, followers, waits, wait, tellings, fixtures } = manner;
        let (hall, pages) = (leagues.hall.clone(), pages.map(Arc::from));
        let mut tools = ToolRouter::new();
        // Where rooms share a tool, the first is the one it is known from.
        for room in rooms.iter().rev() {
            let mut own = (room.tools)();
            own.map.values_mut().for_each(|route| route.attr.icons = Some(vec![room.icon()]));
            tools += own;
        }
        // Where any game is played, the tools are spoken of so.
        let widest = |room: &&Room| matches!(room.plays, Plays::Anything);
        let speaking = rooms.iter().find(widest).or(rooms.iter().find(|room| room.has_table()));
        let dress = speaking.and_then(|room| room.dress.clone());
        for route in tools.map.values_mut() {
            dress.iter().for_each(|dress| dress(&mut route.attr));
            arguments::simplify(&mut route.attr);
            complete_hints(&mut route.attr);
            apps::link(&mut route.attr, rooms);
            // The description must name the wait that is kept.
            let seconds = wait.as_secs().to_string();
            let described = route.attr.description.take();
            route.attr.description = described.map(|text| text.replace("WAIT", &seconds).into());
        }
        if let Some(fixtures) = &fixtures {
            tools += fixtures.tools();
        }
        let process = Hashed::of(&caller::random_key());
        McpService {
            hall,
            followers,
            waits,
            leagues,
            rooms: rooms.into(),
            tellings,
            tools: Arc::new(tools),
            pages,
            callers,
            wait,
            process,
            fixtures,
        }
    }

    /// Forgets what the process on stdin subscribed to; nobody can come back as it.
    pub async fn close(&self) {
        if let Err(error) = self.hall.store().forget_session(self.process).await {
            tracing::debug!(%error, "what it subscribed to is still in the store");
        }
    }

    fn note_caller(&self, context: &RequestContext<RoleServer>) {
        self.callers.note(context, caller::session_of(self.process, context).is_some());
    }

    /// Identifies the connection that news can be sent to.
    fn session(&self, context: &RequestContext<RoleServer>) -> Result<Hashed, ErrorData> {
        caller::session_of(self.process, context).ok_or_else(|| {
            let why = "only a client with a session can subscribe; read the resource again instead";
            ErrorData::invalid_request(why, None)
        })
    }

    /// Whether league messages are for this service.
    fn hears_leagues(&self) -> bool {
        self.rooms.iter().any(Room::is_of_leagues)
    }

    fn implementation(&self) -> Implementation {
        let version = env!("CARGO_PKG_VERSION");
        if self.rooms.iter().all(Room::is_manager) {
            // Seed 004 fixes both.
            let manager = Implementation::new("league-manager", "1.0.0");
            manager.with_title(format!("League manager of agon {version}"))
        } else {
            Implementation::new("agon", version)
        }
    }

    fn instructions(&self) -> String {
        let rooms = self.rooms.iter().map(|room| room.instructions.as_str());
        let all: Vec<_> =
            iter::once("Games with rules and memory on the server.").chain(rooms).collect();
        all.join("\n")
    }

    /// Whether this service is for those who steer leagues, and not for all games at once.
    fn is_for_steering(&self) -> bool {
        self.rooms.iter().all(Room::is_of_leagues)
    }

    fn prompts(&self) -> impl Iterator<Item = &'static OfferedPrompt> {
        self.rooms.iter().filter_map(|room| room.prompt)
    }

    async fn league_names(&self) -> Vec<String> {
        let leagues = self.leagues.glimpses(50).await.unwrap_or_default();
        leagues.into_iter().map(|(_, card)| card.league_id).collect()
    }

    /// Reads a call as it was meant, has its tool carry it out, and says what made no sense in it.
    async fn carry_out(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        let wrong = |why: String| {
            Refused::new(format!("Error: {why}. Correct it and call {name} again."))
                .into_call_tool_result()
        };
        let mut ignored = Vec::new();
        if let Some(tool) = self.tools.get(&name) {
            match reading::read(tool, request.arguments.take().unwrap_or_default()) {
                Ok(meant) => {
                    request.arguments = Some(meant.arguments);
                    ignored = meant.ignored;
                }
                Err(why) => return wrong(why),
            }
        }
        let mut answer = self.tools.call(ToolCallContext::new(self, request, context)).await?;
        if let CallToolResponse::Complete(result) = &mut answer {
            if let Some(why) = misfit(result) {
                return wrong(why);
            }
            reply::tell_ignored(result, &ignored);
        }
        Ok(answer)
    }

    fn count(&self, tool: &str, answer: &Result<CallToolResponse, ErrorData>, took: Duration) {
        let ended = match answer {
            Ok(CallToolResponse::Complete(result)) if result.is_error == Some(true) => {
                Ended::Refused
            }
            Ok(_) => Ended::Well,
            Err(_) => Ended::Wrong,
        };
        // Callers may name whatever they like.
        metrics::call(if self.tools.has_route(tool) { tool } else { "unknown" }, ended, took);
    }

    /// Whether the conformance suite subscribes to one of its own resources.
    fn is_fixture(&self, uri: &str) -> bool {
        self.fixtures.as_ref().is_some_and(|fixtures| fixtures.resource(uri).is_some())
    }
}

/// Adds the hints that a tool leaves out. A hero can die and a game can be lost, but nothing outside
/// the game is touched. Hosts refuse destructive tools where they cannot ask their person.
fn complete_hints(tool: &mut Tool) {
    let hints = tool.annotations.get_or_insert_default();
    let only_reads = *hints.read_only_hint.get_or_insert(false);
    hints.destructive_hint.get_or_insert(false);
    hints.idempotent_hint.get_or_insert(only_reads);
    hints.open_world_hint.get_or_insert(false);
}

/// How the SDK begins when the arguments do not fit.
const MISFIT: &str = "failed to deserialize parameters: ";

/// Its words repeat what came; this many characters are more than our own words take.
const MISFIT_WORDS: usize = 400;

/// Why the arguments did not fit, if they did not.
fn misfit(result: &CallToolResult) -> Option<String> {
    let text = &result.content.first()?.as_text()?.text;
    let why = text.strip_prefix(MISFIT).filter(|_| result.is_error == Some(true))?;
    let missing = why.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    Some(
        missing.map_or_else(
            || cut(why, MISFIT_WORDS),
            |name| format!("the argument {name} is missing"),
        ),
    )
}
