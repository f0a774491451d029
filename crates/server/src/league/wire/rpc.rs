//! JSON-RPC and the few words of MCP that go with it, as we write them. The order of the fields is
//! the order on the wire. `reading` and `answer` read the messages of others.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Fields, errors::LeagueCode};

/// Why a call has no result.
#[derive(Debug, Serialize)]
pub struct RpcError {
    pub code: i64,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl RpcError {
    /// With the field at fault, and the fault as league.v2 numbers and names it.
    pub fn at_fault(
        code: i64,
        why: &impl ToString,
        field: Option<&str>,
        league_code: Option<LeagueCode>,
    ) -> RpcError {
        let (error_code, error_name) = league_code.unzip();
        let data = json!({ "field": field, "error_code": error_code, "error_name": error_name });
        RpcError { code, message: why.to_string(), data: Some(data) }
    }

    /// An error that is about no field and that the league has no number for.
    pub fn plain(code: i64, message: &str) -> RpcError {
        RpcError { code, message: message.into(), data: None }
    }
}

/// How an MCP client introduces itself.
pub fn initialize(id: u64, protocol_version: &str, capabilities: Value) -> Value {
    let client = json!({ "name": "agon", "version": env!("CARGO_PKG_VERSION") });
    let params = json!({ "protocolVersion": protocol_version, "capabilities": capabilities,
        "clientInfo": client });
    call(id, "initialize", params)
}

/// In the newest protocol, without capabilities.
pub fn initialize_newest(id: u64) -> Value {
    initialize(id, "2025-11-25", json!({}))
}

/// The result of a tool, as text and as the object that the text is.
pub fn tool_result(fields: &Fields) -> Value {
    let text = json!(fields).to_string();
    json!({ "content": [{ "type": "text", "text": text }], "structuredContent": fields })
}

/// The result of a tool that refuses, with the reason.
pub fn tool_refusal(why: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": why }], "isError": true })
}

/// A body that calls `method`. Ids are integers: some agents refuse text.
pub fn call(id: u64, method: &str, params: impl Serialize) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// A call without parameters.
pub fn bare_call(id: u64, method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method })
}

/// A call that wants no answer.
pub fn notice(method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": method })
}

/// The body that answers a call.
pub fn answer(id: &Value, result: impl Serialize) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The body that says why there is no answer.
pub fn refusal(id: &Value, error: &RpcError) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}
