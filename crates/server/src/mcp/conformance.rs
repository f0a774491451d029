//! What the MCP conformance suite wants to find in a server. Offered only with a hidden flag.

use rmcp::{handler::server::router::tool::ToolRouter, tool, tool_router};

use super::Desk;

#[tool_router(router = fixture_router)]
impl Desk {
    /// Says the same thing every time; the benchmark's measure of what a call costs at least.
    #[tool(name = "test_simple_text")]
    async fn test_simple_text(&self) -> String {
        "This is a simple text response for testing.".into()
    }
}

impl Desk {
    pub(super) fn fixture_tools() -> ToolRouter<Desk> {
        Desk::fixture_router()
    }
}
