//! Calls of the league's tools are limited like the league's messages.

use axum::http::request::Parts;
use rmcp::{
    ErrorData,
    handler::server::{common::FromContextPart, tool::ToolCallContext},
};

use serde_json::json;

use super::McpService;
use crate::{
    league::play::{
        rate_limit::{CallerId, ServerPart},
        refusals::MessageRefusal,
    },
    mcp::{envelope::RETRY_AFTER, http, refusals::Refused},
};

/// The caller of a tool.
pub(super) struct ToolCaller {
    pub caller_id: CallerId,
    /// Whether the client speaks MCP, and did not just POST JSON-RPC.
    by_mcp: bool,
}

impl ToolCaller {
    /// An MCP client shows tool errors to its model; other clients get an HTTP status.
    pub fn refuse(&self, refusal: MessageRefusal) -> Refused {
        match refusal {
            MessageRefusal::TooMany(limited) if self.by_mcp => Refused::told_as_json(
                json!({ "error": limited.to_string(), RETRY_AFTER: limited.seconds() }),
            ),
            other => other.into(),
        }
    }
}

impl FromContextPart<ToolCallContext<'_, McpService>> for ToolCaller {
    fn from_context_part(
        call: &mut ToolCallContext<'_, McpService>,
    ) -> Result<ToolCaller, ErrorData> {
        let parts = call.request_context.extensions.get::<Parts>();
        let by_mcp = parts.is_none_or(|parts| {
            ["mcp-session-id", "mcp-protocol-version"]
                .iter()
                .any(|h| parts.headers.contains_key(*h))
        });
        // Calls without HTTP come from the owner's host over stdio.
        Ok(ToolCaller { caller_id: parts.map_or(CallerId::Owner, http::caller_id), by_mcp })
    }
}

impl McpService {
    /// Counts a call, or refuses it with how long to wait.
    pub(super) async fn count_call(
        &self,
        from: &ToolCaller,
        token: &str,
        league: &str,
        part: ServerPart,
    ) -> Result<(), Refused> {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (token, league) = (given(token), given(league));
        let caller =
            self.leagues.caller(from.caller_id, token.as_deref(), league.as_deref(), None).await;
        self.leagues.rate_limit.count(caller, part).map_err(|limited| from.refuse(limited.into()))
    }
}
