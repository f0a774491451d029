//! Tools, prompts and resources that only the MCP conformance suite asks for. A hidden flag names the
//! file they are read from, `tests/clients/fixtures.json`.
//!
//! `{name}` in a fixture stands for the argument of this name, `{said}` for the client's answers, and
//! `{progressToken}` and `{logLevel}` for those of the request.

use std::{fmt::Display, fs, path::Path, sync::Arc};

use anyhow::Context;
use rmcp::{
    ErrorData, RoleServer,
    handler::server::{
        router::tool::{ToolRoute, ToolRouter},
        tool::ToolCallContext,
    },
    model::{
        CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, InputRequiredResult, InputResponses, JsonObject,
        Prompt, PromptArgument, PromptMessage, Resource, ResourceContents, ResourceTemplate, Role,
        ServerCapabilities, ServerNotification, ServerRequest, Tool,
    },
    service::RequestContext,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::McpService;

#[derive(Deserialize)]
pub struct Fixtures {
    pub capabilities: ServerCapabilities,
    tools: Vec<Fixture>,
    prompts: Vec<Fixture>,
    resources: Vec<FixtureResource>,
}

/// A tool or a prompt.
#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Fixture {
    name: String,
    /// Required texts.
    arguments: Vec<String>,
    /// Notifications for the client, if the request has this word or none is needed.
    sends: Vec<Value>,
    needs: Option<String>,
    /// A request to the client, which answers it while the call waits.
    asks: Option<Value>,
    /// Requests that the client answers with its next call, by key, round by round.
    rounds: Vec<JsonObject>,
    content: Value,
    is_error: bool,
}

/// With `{id}` in its address it is a template.
#[derive(Deserialize)]
struct FixtureResource {
    uri: String,
    contents: Value,
}

impl Fixtures {
    pub fn read(file: &Path) -> anyhow::Result<Fixtures> {
        let text = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
        Ok(serde_json::from_slice(&text)?)
    }

    pub fn tools(&self) -> ToolRouter<McpService> {
        let mut router = ToolRouter::new();
        for fixture in &self.tools {
            let text = json!({ "type": "string" });
            let arguments = fixture.arguments.iter().map(|name| (name.clone(), text.clone()));
            let mut schema = JsonObject::new();
            schema.insert("type".into(), "object".into());
            schema.insert("properties".into(), JsonObject::from_iter(arguments).into());
            schema.insert("required".into(), fixture.arguments.clone().into());
            let tool = Tool::new(fixture.name.clone(), "Tries out the protocol.", schema);
            let fixture = Arc::new(fixture.clone());
            router.add_route(ToolRoute::new_dyn(tool, move |call| {
                let fixture = fixture.clone();
                Box::pin(async move { fixture.call(call).await })
            }));
        }
        router
    }

    pub fn prompts(&self) -> impl Iterator<Item = Prompt> {
        self.prompts.iter().map(|fixture| {
            let required = |name| PromptArgument::new(name).with_required(true);
            let arguments = fixture.arguments.iter().map(required).collect();
            Prompt::new(&fixture.name, Some("Tries out prompts."), Some(arguments))
        })
    }

    /// None if there is no such prompt.
    pub fn prompt(
        &self,
        ask: &GetPromptRequestParams,
        client: &ClientCapabilities,
    ) -> Option<Result<GetPromptResponse, ErrorData>> {
        let fixture = self.prompts.iter().find(|fixture| fixture.name == ask.name)?;
        Some(fixture.prompt(ask, client))
    }

    pub fn resources(&self) -> impl Iterator<Item = Resource> {
        let whole = self.resources.iter().filter(|resource| !resource.uri.contains("{id}"));
        whole.map(|resource| Resource::new(&resource.uri, &resource.uri))
    }

    pub fn templates(&self) -> impl Iterator<Item = ResourceTemplate> {
        let templates = self.resources.iter().filter(|resource| resource.uri.contains("{id}"));
        templates.map(|resource| ResourceTemplate::new(&resource.uri, "template"))
    }

    pub fn resource(&self, uri: &str) -> Option<ResourceContents> {
        self.resources.iter().find_map(|resource| {
            let id = match resource.uri.split_once("{id}") {
                Some((before, after)) => uri.strip_prefix(before)?.strip_suffix(after)?,
                None => (uri == resource.uri).then_some("")?,
            };
            let words =
                [("id", id), ("uri", uri)].map(|(name, word)| (name.to_owned(), Value::from(word)));
            filled(&resource.contents, &words.into_iter().collect()).ok()
        })
    }
}

impl Fixture {
    async fn call(
        &self,
        call: ToolCallContext<'_, McpService>,
    ) -> Result<CallToolResponse, ErrorData> {
        let context = call.request_context;
        let mut words = call.arguments.unwrap_or_default();
        let client = context.client_capabilities().unwrap_or_default();
        let answers = call.input_responses.unwrap_or_default();
        if let Some(asked) = self.questions(&answers, call.request_state.as_deref(), &client)? {
            return Ok(asked.into());
        }
        words.insert("said".into(), json!(answers).to_string().into());
        self.talk(&context, &mut words).await?;
        let content: Vec<ContentBlock> = filled(&self.content, &words)?;
        let result = if self.is_error {
            CallToolResult::error(content)
        } else {
            CallToolResult::success(content)
        };
        Ok(result.into())
    }

    /// Sends the client what there is to send, and adds what it answers to `words`.
    async fn talk(
        &self,
        context: &RequestContext<RoleServer>,
        words: &mut JsonObject,
    ) -> Result<(), ErrorData> {
        let token = context.meta.get_progress_token().map(|token| ("progressToken", json!(token)));
        let level = context.meta.log_level().map(|level| ("logLevel", json!(level)));
        words.extend(
            [token, level].into_iter().flatten().map(|(name, word)| (name.to_owned(), word)),
        );
        if self.needs.as_ref().is_none_or(|needed| words.contains_key(needed)) {
            for notification in &self.sends {
                let notification: ServerNotification = filled(notification, words)?;
                context.peer.send_notification(notification).await.map_err(failed)?;
            }
        }
        if let Some(request) = &self.asks {
            let request: ServerRequest = filled(request, words)?;
            let said = context.peer.send_request(request).await.map_err(failed)?;
            words.insert("said".into(), json!(said).to_string().into());
        }
        Ok(())
    }

    fn prompt(
        &self,
        ask: &GetPromptRequestParams,
        client: &ClientCapabilities,
    ) -> Result<GetPromptResponse, ErrorData> {
        let answers = ask.input_responses.clone().unwrap_or_default();
        if let Some(asked) = self.questions(&answers, ask.request_state.as_deref(), client)? {
            return Ok(asked.into());
        }
        let mut words = ask.arguments.clone().unwrap_or_default();
        words.insert("said".into(), json!(answers).to_string().into());
        let content: Vec<ContentBlock> = filled(&self.content, &words)?;
        let messages = content.into_iter().map(|block| PromptMessage::new(Role::User, block));
        Ok(GetPromptResult::new(messages.collect()).into())
    }

    /// The requests that the client has still to answer; none when it has answered all. The state
    /// tells how far it has come.
    fn questions(
        &self,
        answers: &InputResponses,
        state: Option<&str>,
        client: &ClientCapabilities,
    ) -> Result<Option<InputRequiredResult>, ErrorData> {
        let state_of = |round: usize| format!("{} {round}", self.name);
        let known = |state| (0..self.rounds.len()).find(|round| state_of(*round) == state);
        let first = match state {
            None => 0,
            Some(state) => known(state).ok_or_else(|| {
                ErrorData::invalid_params("this requestState was not issued here", None)
            })?,
        };
        for (round, requests) in self.rounds.iter().enumerate().skip(first) {
            let asked = asked(requests, client)?;
            let is_answered = |key: &String| answers.get(key).is_some_and(Value::is_object);
            if round > first || !asked.keys().all(is_answered) {
                let asked = serde_json::from_value(asked.into()).map_err(failed)?;
                return Ok(Some(InputRequiredResult::new(Some(asked), Some(state_of(round)))));
            }
        }
        Ok(None)
    }
}

/// The requests that the client has announced it can answer; there must be one.
fn asked(requests: &JsonObject, client: &ClientCapabilities) -> Result<JsonObject, ErrorData> {
    let client = json!(client);
    let needed = |request: &Value| match request["method"].as_str() {
        Some("elicitation/create") => "elicitation",
        Some("sampling/createMessage") => "sampling",
        _ => "roots",
    };
    let can_answer = |(_, request): &(&String, &Value)| client.get(needed(request)).is_some();
    let asked = requests.iter().filter(can_answer);
    let asked: JsonObject = asked.map(|(key, request)| (key.clone(), request.clone())).collect();
    match requests.values().next().filter(|_| asked.is_empty()) {
        None => Ok(asked),
        Some(request) => {
            let required = serde_json::from_value(json!({ (needed(request)): {} }));
            Err(ErrorData::missing_required_client_capability(required.map_err(failed)?))
        }
    }
}

/// A fixture with its words filled in: one that is a whole value keeps its type.
fn filled<T: DeserializeOwned>(fixture: &Value, words: &JsonObject) -> Result<T, ErrorData> {
    let mut text = fixture.to_string();
    for (name, word) in words {
        text = text.replace(&format!("\"{{{name}}}\""), &word.to_string());
        let inside = json!(word.as_str().unwrap_or_default()).to_string();
        text = text.replace(&format!("{{{name}}}"), &inside[1..inside.len() - 1]);
    }
    serde_json::from_str(&text).map_err(failed)
}

fn failed(error: impl Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
