//! JSON-RPC and the few words of MCP that go with it, as we write them: our calls, our answers, and
//! what is said instead of one. The order of the fields is the order on the wire.
//!
//! What others write is read as it comes, in `reading` and `answer`.

use serde::Serialize;
use serde_json::Value;

use super::{Fields, errors::LeagueCode};

const VERSION: &str = "2.0";

#[derive(Serialize)]
struct Call<'a, Params> {
    jsonrpc: &'static str,
    /// None where no answer is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Params>,
}

#[derive(Serialize)]
struct Answered<'a, Result> {
    jsonrpc: &'static str,
    id: &'a Value,
    result: Result,
}

#[derive(Serialize)]
struct ErrorAnswer<'a> {
    jsonrpc: &'static str,
    id: &'a Value,
    error: &'a RpcError,
}

/// Why a call has no result.
#[derive(Debug, Serialize)]
pub struct RpcError {
    pub code: i64,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<AtFault>,
}

/// The field at fault, and the fault as league.v2 numbers and names it.
#[derive(Debug, Serialize)]
pub struct AtFault {
    pub field: Option<String>,
    pub error_code: Option<&'static str>,
    pub error_name: Option<&'static str>,
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
        let data = AtFault { field: field.map(str::to_owned), error_code, error_name };
        RpcError { code, message: why.to_string(), data: Some(data) }
    }

    /// One that is about no field and that the league has no number for.
    pub fn plain(code: i64, message: &str) -> RpcError {
        RpcError { code, message: message.into(), data: None }
    }
}

/// Nothing at all, where JSON wants an object.
#[derive(Serialize)]
pub struct Empty {}

/// Tools and resources, with nothing special about either.
#[derive(Serialize)]
pub struct Capabilities {
    tools: Empty,
    resources: Empty,
}

impl Capabilities {
    pub const PLAIN: Capabilities = Capabilities { tools: Empty {}, resources: Empty {} };
}

/// How an MCP client introduces itself.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Initialize<Can> {
    protocol_version: &'static str,
    capabilities: Can,
    client_info: SoftwareTold,
}

/// A program, as it introduces itself to another.
#[derive(Serialize)]
pub struct SoftwareTold {
    pub name: &'static str,
    pub version: &'static str,
}

impl<Can> Initialize<Can> {
    pub fn with(protocol_version: &'static str, capabilities: Can) -> Initialize<Can> {
        let client_info = SoftwareTold { name: "agon", version: env!("CARGO_PKG_VERSION") };
        Initialize { protocol_version, capabilities, client_info }
    }
}

impl Initialize<Empty> {
    /// In the newest protocol, by one who can do nothing special.
    pub fn newest() -> Initialize<Empty> {
        Initialize::with("2025-11-25", Empty {})
    }
}

/// The result of a tool: what it says as text, and as the object that the text is.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSpoken {
    content: [TextSpoken; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Fields>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
}

#[derive(Serialize)]
struct TextSpoken {
    r#type: &'static str,
    text: String,
}

impl ToolSpoken {
    pub fn of(fields: Fields) -> ToolSpoken {
        let text = json(&fields).to_string();
        let content = [TextSpoken { r#type: "text", text }];
        ToolSpoken { content, structured_content: Some(fields), is_error: false }
    }

    /// Why the tool will not do it, in words alone.
    pub fn refusal(why: &str) -> ToolSpoken {
        let content = [TextSpoken { r#type: "text", text: why.into() }];
        ToolSpoken { content, structured_content: None, is_error: true }
    }
}

/// A body that calls `method`. Ids are integers: some agents refuse text.
pub fn call(id: u64, method: &str, params: impl Serialize) -> Value {
    json(&Call { jsonrpc: VERSION, id: Some(id), method, params: Some(params) })
}

/// One that has nothing to say beside the method.
pub fn bare_call(id: u64, method: &str) -> Value {
    json(&Call::<Empty> { jsonrpc: VERSION, id: Some(id), method, params: None })
}

/// One that wants no answer.
pub fn notice(method: &str) -> Value {
    json(&Call::<Empty> { jsonrpc: VERSION, id: None, method, params: None })
}

/// The body that answers a call.
pub fn answer(id: &Value, result: impl Serialize) -> Value {
    json(&Answered { jsonrpc: VERSION, id, result })
}

/// The body that says why there is no answer.
pub fn refusal(id: &Value, error: &RpcError) -> Value {
    json(&ErrorAnswer { jsonrpc: VERSION, id, error })
}

/// Bodies are handed on as values, for the log hides in them what is secret.
fn json(body: &impl Serialize) -> Value {
    serde_json::to_value(body).expect("what we say has text for its keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_what_the_protocols_show() {
        let check = |body: Value, expected: &str| assert_eq!(body.to_string(), expected);
        check(
            call(7, "tools/list", Empty {}),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}"#,
        );
        check(bare_call(1, "ping"), r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        check(
            notice("notifications/initialized"),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        );
        check(answer(&"a".into(), Empty {}), r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
        check(
            refusal(&Value::Null, &RpcError::plain(-32000, "no")),
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}"#,
        );
        let fields = Fields::from_iter([("status".to_owned(), "ok".into())]);
        check(
            answer(&1.into(), ToolSpoken::of(fields)),
            concat!(
                r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","#,
                r#""text":"{\"status\":\"ok\"}"}],"structuredContent":{"status":"ok"}}}"#
            ),
        );
        check(
            answer(&1.into(), ToolSpoken::refusal("no")),
            concat!(
                r#"{"jsonrpc":"2.0","id":1,"result":"#,
                r#"{"content":[{"type":"text","text":"no"}],"isError":true}}"#
            ),
        );
        let version = env!("CARGO_PKG_VERSION");
        let hello = call(1, "initialize", Initialize::newest()).to_string();
        let expected = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{{\
             \"protocolVersion\":\"2025-11-25\",\"capabilities\":{{}},\
             \"clientInfo\":{{\"name\":\"agon\",\"version\":\"{version}\"}}}}}}"
        );
        assert_eq!(hello, expected);
    }
}
