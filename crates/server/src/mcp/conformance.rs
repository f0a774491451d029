//! What the MCP conformance suite wants to find in a server, word for word: tools, prompts and
//! resources that try out the protocol and have nothing to do with games.
//!
//! Offered only with a hidden flag. `tests/clients` runs the suite against it.

mod asking;

use rmcp::{
    ErrorData, Peer, RoleServer,
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    model::{
        CallToolResult, ClientCapabilities, ContentBlock, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, JsonObject, ProgressNotificationParam, Prompt,
        PromptArgument, PromptMessage, RequestMetaObject, Resource, ResourceContents,
        ResourceTemplate, Role, ServerCapabilities, ServerRequest,
    },
    tool, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{McpService, refusals::Refused};

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElF\
                   TkSuQmCC";
/// No sound at all.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/// What the client's model is to be asked.
#[derive(Deserialize, JsonSchema)]
struct Sampling {
    prompt: String,
}

/// What the user is to be asked.
#[derive(Deserialize, JsonSchema)]
struct Elicitation {
    message: String,
}

#[tool_router(router = fixture_router)]
impl McpService {
    /// Says the same thing every time; the benchmark's measure of what a call costs at least.
    #[tool(name = "test_simple_text")]
    async fn test_simple_text(&self) -> String {
        "This is a simple text response for testing.".into()
    }

    /// Shows a picture.
    #[tool(name = "test_image_content")]
    async fn test_image_content(&self) -> ContentBlock {
        ContentBlock::image(PNG, "image/png")
    }

    /// Plays a sound.
    #[tool(name = "test_audio_content")]
    async fn test_audio_content(&self) -> ContentBlock {
        ContentBlock::audio(WAV, "audio/wav")
    }

    /// Embeds a resource.
    #[tool(name = "test_embedded_resource")]
    async fn test_embedded_resource(&self) -> ContentBlock {
        let text = "This is an embedded resource content.";
        embedded("test://embedded-resource", "text/plain", text)
    }

    /// Answers with a text, a picture and a resource.
    #[tool(name = "test_multiple_content_types")]
    async fn test_multiple_content_types(&self) -> CallToolResult {
        let json = r#"{"test":"data","value":123}"#;
        CallToolResult::success(vec![
            ContentBlock::text("Multiple content types test:"),
            ContentBlock::image(PNG, "image/png"),
            embedded("test://mixed-content-resource", "application/json", json),
        ])
    }

    /// Fails.
    #[tool(name = "test_error_handling")]
    async fn test_error_handling(&self) -> Refused {
        Refused::new("This tool intentionally returns an error for testing")
    }

    /// Logs to the client while it works.
    #[tool(name = "test_tool_with_logging")]
    async fn test_tool_with_logging(&self, client: Peer<RoleServer>) -> Result<String, Refused> {
        for text in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
            log(&client, text).await?;
        }
        Ok("Logged three times.".into())
    }

    /// Logs only where the call asks for it, as the newer protocol has it.
    #[tool(name = "test_logging_tool")]
    async fn test_logging_tool(
        &self,
        client: Peer<RoleServer>,
        meta: RequestMetaObject,
    ) -> Result<String, Refused> {
        if meta.log_level().is_some() {
            log(&client, "Tool execution started").await?;
        }
        Ok("Done.".into())
    }

    /// Tells how far it is.
    #[tool(name = "test_tool_with_progress")]
    async fn test_tool_with_progress(
        &self,
        client: Peer<RoleServer>,
        meta: RequestMetaObject,
    ) -> Result<String, Refused> {
        if let Some(token) = meta.get_progress_token() {
            for percent in [0.0, 50.0, 100.0] {
                let progress =
                    ProgressNotificationParam::new(token.clone(), percent).with_total(100.0);
                client.notify_progress(progress).await.map_err(failed)?;
            }
        }
        Ok("Done.".into())
    }

    /// Has the client's model say something.
    #[tool(name = "test_sampling")]
    async fn test_sampling(
        &self,
        Parameters(Sampling { prompt }): Parameters<Sampling>,
        client: Peer<RoleServer>,
    ) -> Result<String, Refused> {
        let content = json!({ "type": "text", "text": prompt });
        let messages = [json!({ "role": "user", "content": content })];
        let params = json!({ "messages": messages, "maxTokens": 100 });
        let said = request(&client, "sampling/createMessage", params).await?;
        Ok(format!("LLM response: {said}"))
    }

    /// Asks the user who they are.
    #[tool(name = "test_elicitation")]
    async fn test_elicitation(
        &self,
        Parameters(Elicitation { message }): Parameters<Elicitation>,
        client: Peer<RoleServer>,
    ) -> Result<String, Refused> {
        let properties = json!({
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        });
        elicit(&client, &message, properties).await
    }

    /// Asks the user with an answer already filled in for each type.
    #[tool(name = "test_elicitation_sep1034_defaults")]
    async fn test_elicitation_sep1034_defaults(
        &self,
        client: Peer<RoleServer>,
    ) -> Result<String, Refused> {
        let statuses = ["active", "inactive", "pending"];
        let properties = json!({
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": statuses, "default": "active" },
            "verified": { "type": "boolean", "default": true },
        });
        elicit(&client, "Is this right?", properties).await
    }

    /// Asks the user to choose, in each way there is.
    #[tool(name = "test_elicitation_sep1330_enums")]
    async fn test_elicitation_sep1330_enums(
        &self,
        client: Peer<RoleServer>,
    ) -> Result<String, Refused> {
        let plain = ["option1", "option2", "option3"];
        let titled = [
            json!({ "const": "value1", "title": "First Option" }),
            json!({ "const": "value2", "title": "Second Option" }),
            json!({ "const": "value3", "title": "Third Option" }),
        ];
        let properties = json!({
            "untitledSingle": { "type": "string", "enum": plain },
            "titledSingle": { "type": "string", "oneOf": titled },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled } },
        });
        elicit(&client, "Which ones?", properties).await
    }
}

impl McpService {
    pub(super) fn fixture_tools() -> ToolRouter<McpService> {
        McpService::fixture_router() + asking::tools()
    }
}

/// Everything a server of the older protocol can have. (Lists that change are not among it: ours
/// never do.)
pub fn capabilities() -> ServerCapabilities {
    let mut capabilities = ServerCapabilities::builder()
        .enable_tools()
        .enable_prompts()
        .enable_completions()
        .enable_resources()
        .enable_resources_subscribe()
        .build();
    capabilities.logging = Some(JsonObject::new());
    capabilities
}

pub fn prompts() -> Vec<Prompt> {
    let argument = |name: &str| PromptArgument::new(name).with_required(true);
    let prompt = |name: &str, arguments| Prompt::new(name, Some("Tries out prompts."), arguments);
    vec![
        prompt("test_simple_prompt", None),
        prompt("test_prompt_with_arguments", Some(vec![argument("arg1"), argument("arg2")])),
        prompt("test_prompt_with_embedded_resource", Some(vec![argument("resourceUri")])),
        prompt("test_prompt_with_image", None),
        prompt(asking::PROMPT, None),
    ]
}

/// None if it is none of these.
pub fn prompt(
    ask: &GetPromptRequestParams,
    client: &ClientCapabilities,
) -> Option<Result<GetPromptResponse, ErrorData>> {
    if ask.name == asking::PROMPT {
        return Some(asking::prompt(ask.clone(), client));
    }
    let argument = |name: &str| {
        let value = ask.arguments.as_ref().and_then(|arguments| arguments.get(name)?.as_str());
        value.unwrap_or_default().to_owned()
    };
    let content = match ask.name.as_str() {
        "test_simple_prompt" => vec![ContentBlock::text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => vec![ContentBlock::text(format!(
            "Prompt with arguments: arg1='{}', arg2='{}'",
            argument("arg1"),
            argument("arg2")
        ))],
        "test_prompt_with_embedded_resource" => {
            let text = "Embedded resource content for testing.";
            vec![
                embedded(&argument("resourceUri"), "text/plain", text),
                ContentBlock::text("Please process the embedded resource above."),
            ]
        }
        "test_prompt_with_image" => vec![
            ContentBlock::image(PNG, "image/png"),
            ContentBlock::text("Please analyze the image above."),
        ],
        _ => return None,
    };
    let messages = content.into_iter().map(|block| PromptMessage::new(Role::User, block));
    Some(Ok(GetPromptResult::new(messages.collect()).into()))
}

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

pub fn is_watched(uri: &str) -> bool {
    uri == WATCHED
}
/// Around the id.
const TEMPLATE: (&str, &str) = ("test://template/", "/data");

pub fn resources() -> Vec<Resource> {
    let resource = |uri: &str| Resource::new(uri, uri).with_description("Tries out resources.");
    vec![
        resource(TEXT).with_mime_type("text/plain"),
        resource(BINARY).with_mime_type("image/png"),
        resource(WATCHED).with_mime_type("text/plain"),
    ]
}

pub fn resource_templates() -> Vec<ResourceTemplate> {
    let uri = format!("{}{{id}}{}", TEMPLATE.0, TEMPLATE.1);
    vec![ResourceTemplate::new(uri, "template").with_mime_type("application/json")]
}

pub fn resource(uri: &str) -> Option<ResourceContents> {
    let text = |text: &str| ResourceContents::text(text, uri).with_mime_type("text/plain");
    match uri {
        TEXT => Some(text("This is the content of the static text resource.")),
        WATCHED => Some(text("Nothing happens here.")),
        BINARY => Some(ResourceContents::blob(PNG, uri).with_mime_type("image/png")),
        _ => {
            let id = uri.strip_prefix(TEMPLATE.0)?.strip_suffix(TEMPLATE.1)?;
            let data = format!("Data for ID: {id}");
            let json = json!({ "id": id, "templateTest": true, "data": data }).to_string();
            Some(ResourceContents::text(json, uri).with_mime_type("application/json"))
        }
    }
}

fn embedded(uri: &str, mime: &str, text: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type(mime))
}

async fn log(client: &Peer<RoleServer>, text: &str) -> Result<(), Refused> {
    let log = json!({
        "method": "notifications/message",
        "params": { "level": "info", "data": text },
    });
    let log = serde_json::from_value(log).map_err(failed)?;
    client.send_notification(log).await.map_err(failed)
}

async fn elicit(
    client: &Peer<RoleServer>,
    message: &str,
    properties: Value,
) -> Result<String, Refused> {
    let required: Vec<_> = properties.as_object().into_iter().flat_map(JsonObject::keys).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
    let said = request(client, "elicitation/create", params).await?;
    Ok(format!("User response: {said}"))
}

/// What the client answers, as JSON.
async fn request(
    client: &Peer<RoleServer>,
    method: &str,
    params: Value,
) -> Result<String, Refused> {
    let ask = json!({ "method": method, "params": params });
    let ask: ServerRequest = serde_json::from_value(ask).map_err(failed)?;
    let said = client.send_request(ask).await.map_err(failed)?;
    serde_json::to_string(&said).map_err(failed)
}

fn failed(error: impl std::error::Error) -> Refused {
    Refused::new(error.to_string())
}
