//! The methods of MCP, each as the SDK hands it over: tools, prompts, resources and what is said of
//! them. What a tool does is in its room.

use std::time::Instant;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CancelledNotificationParam,
        CompleteRequestParams, CompleteResult, CompletionInfo, CustomRequest, CustomResult,
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
        Reference, Role, ServerCapabilities, ServerConfig, SubscribeRequestParams,
        SubscriptionFilter, Tool, UnsubscribeRequestParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use rules::{quoted, short};
use serde_json::json;

use super::{
    McpService, apps, caller,
    envelope::no_such_method,
    prompts::{LEAGUES, OfferedPrompt},
    resources,
    room::Room,
};
use crate::player::plain_name;

/// Tools that only the operator of a league needs. Only the league's endpoint lists them, so that
/// models that play other games need not read them; calls to them are answered everywhere.
const FOR_STEERING: [&str; 3] = ["start_game", "start_league", "validate_move"];

/// How long a list may be kept: it changes with the program.
const LISTS_KEPT: u64 = 60 * 60 * 1000;

impl ServerHandler for McpService {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = match &self.fixtures {
            Some(fixtures) => fixtures.capabilities.clone(),
            None => ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .enable_resources_subscribe()
                .build(),
        };
        if self.prompts().next().is_some() {
            capabilities.prompts.get_or_insert_default();
            capabilities.completions.get_or_insert_default();
        }
        if self.rooms.iter().any(Room::has_table) {
            capabilities.extensions = Some(apps::extension());
        }
        ServerConfig::new(capabilities)
            .with_server_info(self.implementation())
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
        prompts.extend(self.fixtures.iter().flat_map(|fixtures| fixtures.prompts()));
        let list = ListPromptsResult::with_all_items(prompts);
        Ok(list.with_ttl_ms(LISTS_KEPT).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let client = context.client_capabilities().unwrap_or_default();
        let fixtures = self.fixtures.as_ref();
        if let Some(filled) = fixtures.and_then(|fixtures| fixtures.prompt(&request, &client)) {
            return filled;
        }
        let Some(prompt) = self.prompts().find(|prompt| prompt.name == request.name) else {
            let names: Vec<_> = self.prompts().map(|prompt| prompt.name).collect();
            let why = format!(
                "there is no prompt {}; there is {}",
                quoted(&request.name),
                names.join(", ")
            );
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
        resources.extend(self.fixtures.iter().flat_map(|fixtures| fixtures.resources()));
        let list = ListResourcesResult::with_all_items(resources);
        Ok(list.with_ttl_ms(LISTS_KEPT).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut templates = resources::templates(&self.rooms);
        templates.extend(self.fixtures.iter().flat_map(|fixtures| fixtures.templates()));
        let list = ListResourceTemplatesResult::with_all_items(templates);
        Ok(list.with_ttl_ms(LISTS_KEPT).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = &request.uri;
        let missing =
            |why: String| ErrorData::resource_not_found(why, Some(json!({ "uri": short(uri) })));
        if let Some(read) = resources::read(&self.leagues, &self.tellings, &self.rooms, uri).await {
            let read = read.map_err(missing)?;
            // It changes with every move.
            let read = ReadResourceResult::new(vec![read]).with_ttl_ms(0);
            return Ok(read.with_cache_scope(CacheScope::Private).into());
        }
        let fixture = || self.fixtures.as_ref()?.resource(uri);
        let Some(resource) = apps::resource(self.tellings.boards, uri).or_else(fixture) else {
            return Err(missing(format!("there is no resource {}", quoted(uri))));
        };
        let read = ReadResourceResult::new(vec![resource]).with_ttl_ms(LISTS_KEPT);
        Ok(read.with_cache_scope(CacheScope::Public).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.is_fixture(&request.uri) {
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
        if self.is_fixture(&request.uri) {
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
        self.fixtures.as_ref().map(|_| ()).ok_or_else(|| no_such_method("logging/setLevel"))
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
        Err(no_such_method(&method))
    }
}

const KNOWN: &[&str] = &["tools/call", "prompts/get", "resources/read", "completion/complete"];
