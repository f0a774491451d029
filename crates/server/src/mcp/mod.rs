//! The only folder that knows MCP. One file per room; a room is a set of tools offered together.
//!
//! A tool finds, acts, says. What it does to a game is done in `hall`.

mod apps;
mod arguments;
mod caller;
mod chess;
pub mod conformance;
mod dungeon;
pub mod http;
pub mod league;
mod reply;
mod resources;
mod sessions;

use std::{
    iter,
    sync::Arc,
    time::{Duration, Instant},
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    handler::server::{
        router::tool::ToolRouter,
        tool::{IntoCallToolResult, ToolCallContext},
    },
    model::{
        CallToolRequestParams, CallToolResponse, ConstString, CustomRequest, CustomResult,
        ErrorCode, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, Prompt, PromptMessage, ReadResourceRequestParams,
        ReadResourceResponse, ReadResourceResult, Role, ServerCapabilities, ServerConfig,
        SetLevelRequestMethod, SubscribeRequestParams, SubscriptionFilter, Tool,
        UnsubscribeRequestParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};

use self::{dungeon::RUN_DUNGEON, reply::Refused, resources::Followers};
use crate::{
    figures::{self, Ended},
    hall::Hall,
    league::leagues::Leagues,
    store::Hashed,
};

/// A set of tools that can be offered alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Room {
    Chess,
    Dungeon,
    League,
    Referee,
}

impl Room {
    pub const ALL: &[Room] = &[Room::Chess, Room::Dungeon, Room::League, Room::Referee];

    /// Where this room alone is offered.
    pub fn path(self) -> &'static str {
        match self {
            Room::Chess => "/chess/mcp",
            Room::Dungeon => "/dungeon/mcp",
            Room::League => "/league/mcp",
            Room::Referee => "/referee/mcp",
        }
    }

    /// What a model is told of it at the start.
    fn instructions(self) -> &'static str {
        match self {
            Room::Chess => {
                "Chess: start with createGame, or joinGame if you were given a game id. Every \
                 answer ends with the next action; follow it. A timeout of waitForNextTurn is \
                 normal: call it again. Keep your pass to yourself, and send it as game_id."
            }
            Room::Dungeon => {
                "Dungeon: you are the game master, the server holds the truth. Make up one \
                 conversationId for the whole game and start with get_current_room. Look before \
                 you narrate, do one action a call, read success before you tell the outcome, \
                 and never invent rooms, creatures, items or dice."
            }
            Room::League => {
                "League: register_player (without endpoint) to join, then wait_for_decision and \
                 submit_move until the league is over; a timeout is normal. get_standings shows \
                 the table."
            }
            Room::Referee => "Referee: get_game_state shows a match of a league.",
        }
    }

    /// A prompt that sets a model up for it: its name, what it is for, what it says.
    fn prompt(self) -> Option<(&'static str, &'static str, &'static str)> {
        Some(match self {
            Room::Referee => return None,
            Room::League => {
                (PLAY_LEAGUE.0, "Sets a model up to play a whole league.", PLAY_LEAGUE.1)
            }
            Room::Chess => (
                PLAY_CHESS.0,
                "Sets a model up to play a game of chess well and to the end.",
                PLAY_CHESS.1,
            ),
            Room::Dungeon => {
                (RUN_DUNGEON.0, "Sets a model up as the game master of a dungeon.", RUN_DUNGEON.1)
            }
        })
    }
}

/// Where a client's calls arrive. Cheap to clone: every HTTP request gets its own.
#[derive(Clone)]
pub struct Desk {
    hall: Arc<Hall>,
    leagues: Leagues,
    followers: Followers,
    rooms: Arc<[Room]>,
    tools: Arc<ToolRouter<Desk>>,
    wait: Duration,
    /// Where this process shows its pages, if it does.
    pages: Option<Arc<str>>,
    /// Stands for the one connection of a process that is spoken to over its stdin.
    process: Hashed,
    fixtures: bool,
}

impl Desk {
    pub fn new(
        leagues: Leagues,
        rooms: &[Room],
        pages: Option<String>,
        wait: Duration,
        fixtures: bool,
    ) -> Desk {
        let (hall, pages) = (leagues.hall.clone(), pages.map(Arc::from));
        let mut tools = ToolRouter::new();
        for room in rooms {
            tools += match room {
                Room::Chess => Desk::chess_tools(),
                Room::Dungeon => Desk::dungeon_tools(),
                Room::League => Desk::league_tools(),
                Room::Referee => Desk::referee_tools(),
            };
        }
        for route in tools.map.values_mut() {
            arguments::simplify(&mut route.attr);
            apps::link(&mut route.attr);
        }
        if fixtures {
            tools += Desk::fixture_tools();
        }
        let mut id = [0; 16];
        getrandom::fill(&mut id).expect("the system has random numbers");
        let process = Hashed::of(&format!("{:032x}", u128::from_le_bytes(id)));
        Desk {
            hall,
            followers: Followers::new(&leagues),
            leagues,
            rooms: rooms.into(),
            tools: Arc::new(tools),
            pages,
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

    /// What stands for the connection that news can be sent to.
    fn session(&self, context: &RequestContext<RoleServer>) -> Result<Hashed, ErrorData> {
        caller::connection(self.process, context).ok_or_else(|| {
            let why = "only a client with a session can subscribe; read the resource again instead";
            ErrorData::invalid_request(why, None)
        })
    }

    /// Whether league messages are for this desk.
    fn hears_leagues(&self) -> bool {
        self.rooms.iter().any(|room| matches!(room, Room::League | Room::Referee))
    }

    fn instructions(&self) -> String {
        let rooms = self.rooms.iter().map(|room| room.instructions());
        let all: Vec<_> =
            iter::once("Games with rules and memory on the server.").chain(rooms).collect();
        all.join("\n")
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
        figures::call(if self.tools.has_route(tool) { tool } else { "unknown" }, ended, took);
    }

    /// What only the conformance suite asks for is granted to it, and to nobody else.
    fn fixture_only<M: ConstString>(&self) -> Result<(), ErrorData> {
        if self.fixtures { Ok(()) } else { Err(ErrorData::method_not_found::<M>()) }
    }
}

const PLAY_CHESS: (&str, &str) = (
    "play_chess",
    "Play a game of chess against me or whom I name, with the chess tools, to the end, and try to \
     win. Start with createGame, or joinGame if I give you a game id. Before each move read the \
     FEN and the legal moves in the last answer; look for checks, captures and threats of both \
     sides, then choose one move from the list and send it with finishTurn. Never play from \
     memory: the server's board is the truth. After your move call waitForNextTurn until it is \
     your turn again; a timeout only means that you should call it again. Tell me in one sentence \
     why you played what you played. Stop when an answer says that the game is over.",
);

const PLAY_LEAGUE: (&str, &str) = (
    "play_league",
    "Join a league for me and play it to the end. Call register_player with a name of your choice \
     and without endpoint (and the league_id, if I gave you one); keep the auth_token. Then call \
     wait_for_decision with it again and again; a timeout only means that you should call it \
     again. When it says your_move, look at your role, the scores and the earlier rounds, decide, \
     and hand your move in with submit_move. Stop when it says that the league is over, and tell \
     me the table.",
);

/// How the SDK begins when the arguments do not fit.
const MISFIT: &str = "failed to deserialize parameters: ";

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = match self.fixtures {
            true => conformance::capabilities(),
            false => ServerCapabilities::builder()
                .enable_tools()
                .enable_prompts()
                .enable_resources()
                .enable_resources_subscribe()
                .build(),
        };
        capabilities.extensions = Some(apps::extension());
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("agon", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.instructions())
    }

    /// Also when a session that began on another node, or before a restart, comes here.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let session = caller::session(&context.extensions);
        self.followers.greet(session.unwrap_or(self.process), context.peer);
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.list_all()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.get(name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        let started = Instant::now();
        let answer = self.tools.call(ToolCallContext::new(self, request, context)).await;
        self.count(&name, &answer, started.elapsed());
        let answer = answer?;
        let misfit = match &answer {
            CallToolResponse::Complete(result) if result.is_error == Some(true) => {
                result.content.first().and_then(|block| block.as_text()?.text.strip_prefix(MISFIT))
            }
            _ => None,
        };
        match misfit {
            Some(why) => Refused::new(format!("Error: {why}. Correct it and call {name} again."))
                .into_call_tool_result(),
            None => Ok(answer),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompt = |(name, about, _)| Prompt::new(name, Some(about), None);
        let mut prompts: Vec<_> =
            self.rooms.iter().filter_map(|room| room.prompt()).map(prompt).collect();
        if self.fixtures {
            prompts.extend(conformance::prompts());
        }
        Ok(ListPromptsResult::with_all_items(prompts))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if let Some(fixture) = conformance::prompt(&request).filter(|_| self.fixtures) {
            return Ok(fixture.into());
        }
        let prompts = || self.rooms.iter().filter_map(|room| room.prompt());
        let Some((_, _, text)) = prompts().find(|(name, ..)| *name == request.name) else {
            let names: Vec<_> = prompts().map(|(name, ..)| name).collect();
            let why =
                format!("there is no prompt {:?}; there is {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(why, None));
        };
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut resources = match self.rooms.contains(&Room::Chess) {
            true => apps::resources(),
            false => Vec::new(),
        };
        if self.hears_leagues() {
            resources.extend(resources::list());
        }
        if self.fixtures {
            resources.extend(conformance::resources());
        }
        Ok(ListResourcesResult::with_all_items(resources))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut templates = match self.hears_leagues() {
            true => resources::templates(),
            false => Vec::new(),
        };
        if self.fixtures {
            templates.extend(conformance::resource_templates());
        }
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if let Some(read) = resources::read(&self.leagues, &request.uri).await {
            let read = read.map_err(|no| ErrorData::resource_not_found(no.to_string(), None))?;
            return Ok(ReadResourceResult::new(vec![read]).into());
        }
        let fixture = || conformance::resource(&request.uri).filter(|_| self.fixtures);
        let Some(resource) = apps::resource(&request.uri).or_else(fixture) else {
            let why = format!("there is no resource {:?}", request.uri);
            return Err(ErrorData::resource_not_found(why, None));
        };
        Ok(ReadResourceResult::new(vec![resource]).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.fixtures && conformance::is_watched(&request.uri) {
            return Ok(());
        }
        self.followers.follow(self.session(&context)?, &request.uri, true).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.fixtures && conformance::is_watched(&request.uri) {
            return Ok(());
        }
        self.followers.follow(self.session(&context)?, &request.uri, false).await
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(resources::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        resources::listen(&self.leagues, context).await;
        Ok(())
    }

    #[expect(deprecated, reason = "the conformance suite still asks for it")]
    async fn set_level(
        &self,
        _: rmcp::model::SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.fixture_only::<SetLevelRequestMethod>()
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        // A known method ends up here when its parameters do not fit.
        if KNOWN.contains(&method.as_str()) {
            let why = format!("the parameters do not fit {method}");
            return Err(ErrorData::invalid_params(why, None));
        }
        let why = format!("there is no method {method:?}; tools are called with tools/call");
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None))
    }
}

const KNOWN: &[&str] = &["tools/call", "prompts/get", "resources/read", "completion/complete"];
