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
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult,
        CancelledNotificationParam, CompleteRequestParams, CompleteResult, CompletionInfo,
        ConstString, CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
        Reference, Role, ServerCapabilities, ServerConfig, SetLevelRequestMethod,
        SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use serde_json::json;

use self::{
    callers::Callers,
    cancelling::Waits,
    followers::Followers,
    prompts::{LEAGUES, OfferedPrompt},
    refusals::Refused,
    room::{Plays, Room},
    telling::Tellings,
};
use crate::{
    figures::{self, Ended},
    hall::Hall,
    league::play::leagues::Leagues,
    player::plain_name,
    store::Hashed,
};

/// What only those who steer a league need. A model that is asked for another game should not meet
/// it, but who calls it is answered.
const FOR_STEERING: [&str; 4] = ["schedule_match", "start_game", "start_league", "validate_move"];

/// How long a list may be kept: it changes with the program.
const LISTS_KEPT: u64 = 60 * 60 * 1000;

/// How a desk answers, whatever its rooms.
#[derive(Clone)]
pub struct DeskManner {
    /// Where the pages are, if there are any.
    pub pages: Option<String>,
    pub trusts_this_machine: bool,
    /// Who has called.
    pub callers: Callers,
    /// Who is told of news.
    pub followers: Followers,
    /// Who waits.
    pub waits: Waits,
    /// How long a call waits at the most.
    pub wait: Duration,
    /// How each kind is told.
    pub tellings: Tellings,
    pub fixtures: bool,
}

/// Where a client's calls arrive. Cheap to clone: every HTTP request gets its own.
#[derive(Clone)]
pub struct Desk {
    pub hall: Arc<Hall>,
    leagues: Leagues,
    followers: Followers,
    waits: Waits,
    rooms: Arc<[Room]>,
    tellings: Tellings,
    tools: Arc<ToolRouter<Desk>>,
    pub wait: Duration,
    /// Where this process shows its pages, if it does.
    pub pages: Option<Arc<str>>,
    /// Whoever calls from this machine is its user: no token is asked for, and no proxy stands
    /// before it.
    trusts_this_machine: bool,
    callers: Callers,
    /// Stands for the one connection of a process that is spoken to over its stdin.
    process: Hashed,
    fixtures: bool,
}

impl Desk {
    pub fn new(leagues: Leagues, rooms: &[Room], manner: DeskManner) -> Desk {
        let DeskManner {
            pages,
            trusts_this_machine,
            callers,
            followers,
            waits,
            wait,
            tellings,
            fixtures,
        } = manner;
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
            apps::link(&mut route.attr, rooms);
            // What is promised is what is kept.
            let seconds = wait.as_secs().to_string();
            let described = route.attr.description.take();
            route.attr.description = described.map(|text| text.replace("WAIT", &seconds).into());
        }
        if fixtures {
            tools += Desk::fixture_tools();
        }
        let process = Hashed::of(&caller::random_key());
        Desk {
            hall,
            followers,
            waits,
            leagues,
            rooms: rooms.into(),
            tellings,
            tools: Arc::new(tools),
            pages,
            trusts_this_machine,
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
        self.callers.note(context, caller::connection(self.process, context).is_some());
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
        self.rooms.iter().any(Room::is_of_leagues)
    }

    fn instructions(&self) -> String {
        let rooms = self.rooms.iter().map(|room| room.instructions.as_str());
        let all: Vec<_> =
            iter::once("Games with rules and memory on the server.").chain(rooms).collect();
        all.join("\n")
    }

    /// Whether this desk is for those who steer leagues, and not for all games at once.
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
        figures::call(if self.tools.has_route(tool) { tool } else { "unknown" }, ended, took);
    }

    /// What only the conformance suite asks for is granted to it, and to nobody else.
    fn fixture_only<M: ConstString>(&self) -> Result<(), ErrorData> {
        if self.fixtures { Ok(()) } else { Err(ErrorData::method_not_found::<M>()) }
    }
}

/// How the SDK begins when the arguments do not fit.
const MISFIT: &str = "failed to deserialize parameters: ";

/// Why the arguments did not fit, if they did not.
fn misfit(result: &CallToolResult) -> Option<String> {
    let text = &result.content.first()?.as_text()?.text;
    let why = text.strip_prefix(MISFIT).filter(|_| result.is_error == Some(true))?;
    let missing = why.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    Some(missing.map_or(why.to_owned(), |name| format!("the argument {name} is missing")))
}

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = if self.fixtures {
            conformance::capabilities()
        } else {
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .enable_resources_subscribe()
                .build()
        };
        if self.prompts().next().is_some() {
            capabilities.prompts.get_or_insert_default();
            capabilities.completions.get_or_insert_default();
        }
        if self.rooms.iter().any(Room::has_table) {
            capabilities.extensions = Some(apps::extension());
        }
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("agon", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.instructions())
    }

    /// Also when a session that began on another node, or before a restart, comes here.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let session = caller::session(&context.extensions);
        self.followers.greet(session.unwrap_or(self.process), context.peer);
    }

    /// The SDK has ended the call, if it is carried out in this process.
    async fn on_cancelled(
        &self,
        cancelled: CancelledNotificationParam,
        context: NotificationContext<RoleServer>,
    ) {
        if let Some(session) = caller::session(&context.extensions)
            && let Some(request) = &cancelled.request_id
        {
            self.waits.cancel(session, request).await;
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.note_caller(&context);
        let mut tools = self.tools.list_all();
        if !self.is_for_steering() {
            tools.retain(|tool| !FOR_STEERING.contains(&tool.name.as_ref()));
        }
        let list = ListToolsResult::with_all_items(tools);
        Ok(list.with_ttl_ms(LISTS_KEPT).with_cache_scope(CacheScope::Public))
    }

    /// The SDK asks with every call, to hold its headers against the schema: the rest, with the words,
    /// the pictures and what is for hosts, is not copied.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        let tool = self.tools.get(name)?;
        Some(Tool::new(tool.name.clone(), "", tool.input_schema.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.note_caller(&context);
        let name = request.name.clone();
        let started = Instant::now();
        let answer = self.carry_out(request, context).await;
        self.count(&name, &answer, started.elapsed());
        answer
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut prompts: Vec<_> = self.prompts().map(OfferedPrompt::prompt).collect();
        if self.fixtures {
            prompts.extend(conformance::prompts());
        }
        let list = ListPromptsResult::with_all_items(prompts);
        Ok(list.with_ttl_ms(LISTS_KEPT).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let client = context.client_capabilities().unwrap_or_default();
        if let Some(fixture) = conformance::prompt(&request, &client).filter(|_| self.fixtures) {
            return fixture;
        }
        let Some(prompt) = self.prompts().find(|prompt| prompt.name == request.name) else {
            let names: Vec<_> = self.prompts().map(|prompt| prompt.name).collect();
            let why =
                format!("there is no prompt {:?}; there is {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(why, None));
        };
        let filled = |name: &str| {
            let value = request.arguments.as_ref()?.get(name)?;
            Some(plain_name(value.as_str()?))
        };
        let text = prompt.text(filled);
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let none = || Ok(CompleteResult::default());
        let Reference::Prompt(asked) = &request.r#ref else { return none() };
        let Some(prompt) = self.prompts().find(|prompt| prompt.name == asked.name) else {
            return none();
        };
        let words = match prompt.words(&request.argument.name) {
            Some(LEAGUES) => self.league_names().await,
            Some(words) => words.iter().map(|word| word.to_string()).collect(),
            None => return none(),
        };
        let begun = request.argument.value.to_lowercase();
        let fitting = words.into_iter().filter(|word| word.to_lowercase().starts_with(&begun));
        let values = fitting.take(CompletionInfo::MAX_VALUES).collect();
        let completion = CompletionInfo::new(values).expect("there are not too many");
        Ok(CompleteResult::new(completion))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut resources = apps::resources(&self.rooms);
        if self.hears_leagues() {
            resources.extend(resources::list());
        }
        if self.fixtures {
            resources.extend(conformance::resources());
        }
        let list = ListResourcesResult::with_all_items(resources);
        Ok(list.with_ttl_ms(LISTS_KEPT).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut templates = resources::templates(&self.rooms);
        if self.fixtures {
            templates.extend(conformance::resource_templates());
        }
        let list = ListResourceTemplatesResult::with_all_items(templates);
        Ok(list.with_ttl_ms(LISTS_KEPT).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = &request.uri;
        let missing = |why: String| ErrorData::resource_not_found(why, Some(json!({ "uri": uri })));
        if let Some(read) = resources::read(&self.leagues, &self.tellings, &self.rooms, uri).await {
            let read = read.map_err(missing)?;
            // It changes with every move.
            let read = ReadResourceResult::new(vec![read]).with_ttl_ms(0);
            return Ok(read.with_cache_scope(CacheScope::Private).into());
        }
        let fixture = || conformance::resource(uri).filter(|_| self.fixtures);
        let Some(resource) = apps::resource(self.tellings.boards, uri).or_else(fixture) else {
            return Err(missing(format!("there is no resource {uri:?}")));
        };
        let read = ReadResourceResult::new(vec![resource]).with_ttl_ms(LISTS_KEPT);
        Ok(read.with_cache_scope(CacheScope::Public).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.fixtures && conformance::is_watched(&request.uri) {
            return Ok(());
        }
        let about = resources::known(&self.rooms, &request.uri)?.about();
        self.followers.follow(self.session(&context)?, &request.uri, &about).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.fixtures && conformance::is_watched(&request.uri) {
            return Ok(());
        }
        self.followers.unfollow(self.session(&context)?, &request.uri).await
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(resources::accepted(&self.rooms, requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.followers.listen(context).await;
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
