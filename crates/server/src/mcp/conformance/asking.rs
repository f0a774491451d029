//! Tools and a prompt that ask back, as the newer protocol has it: instead of an answer the client
//! gets questions, and calls again with what was said to them.

use rmcp::{
    ErrorData,
    handler::server::router::tool::{ToolRoute, ToolRouter},
    model::{
        CallToolResult, ClientCapabilities, ContentBlock, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, InputRequest, InputRequiredResult, InputResponses,
        JsonObject, PromptMessage, Role, Tool,
    },
};
use serde_json::{Value, json};

use super::McpService;

/// What it asks, round by round.
struct AskingTool {
    name: &'static str,
    rounds: &'static [&'static [ClientQuestion]],
}

/// The answer comes under the same key.
struct ClientQuestion {
    key: &'static str,
    asks: Asks,
}

enum Asks {
    /// The user, to fill in this one field.
    User { text: &'static str, field: &'static str, kind: &'static str },
    /// The client's model.
    Model { text: &'static str },
    /// The client, which folders it works in.
    Folders,
}

const NAME: ClientQuestion = ClientQuestion {
    key: "user_name",
    asks: Asks::User { text: "What is your name?", field: "name", kind: "string" },
};
const CONFIRM: ClientQuestion = ClientQuestion {
    key: "confirm",
    asks: Asks::User { text: "Please confirm", field: "ok", kind: "boolean" },
};
const CAPITAL: ClientQuestion = ClientQuestion {
    key: "capital_question",
    asks: Asks::Model { text: "What is the capital of France?" },
};
const GREETING: ClientQuestion =
    ClientQuestion { key: "greeting", asks: Asks::Model { text: "Generate a greeting" } };
const FOLDERS: ClientQuestion = ClientQuestion { key: "client_roots", asks: Asks::Folders };

const TOOLS: &[AskingTool] = &[
    AskingTool { name: "test_input_required_result_elicitation", rounds: &[&[NAME]] },
    AskingTool { name: "test_input_required_result_sampling", rounds: &[&[CAPITAL]] },
    AskingTool { name: "test_input_required_result_list_roots", rounds: &[&[FOLDERS]] },
    AskingTool { name: "test_input_required_result_request_state", rounds: &[&[CONFIRM]] },
    AskingTool { name: "test_input_required_result_tampered_state", rounds: &[&[CONFIRM]] },
    AskingTool { name: "test_input_required_result_capabilities", rounds: &[&[NAME, GREETING]] },
    AskingTool {
        name: "test_input_required_result_multiple_inputs",
        rounds: &[&[NAME, GREETING, FOLDERS]],
    },
    AskingTool {
        name: "test_input_required_result_multi_round",
        rounds: &[
            &[ClientQuestion {
                key: "step1",
                asks: Asks::User {
                    text: "Step 1: What is your name?",
                    field: "name",
                    kind: "string",
                },
            }],
            &[ClientQuestion {
                key: "step2",
                asks: Asks::User {
                    text: "Step 2: What is your favorite color?",
                    field: "color",
                    kind: "string",
                },
            }],
        ],
    },
    AskingTool { name: "test_missing_capability", rounds: &[&[CAPITAL]] },
    AskingTool { name: "test_streaming_elicitation", rounds: &[&[NAME]] },
];

pub const PROMPT: &str = "test_input_required_result_prompt";
const CONTEXT: AskingTool = AskingTool {
    name: PROMPT,
    rounds: &[&[ClientQuestion {
        key: "user_context",
        asks: Asks::User {
            text: "What context should the prompt use?",
            field: "context",
            kind: "string",
        },
    }]],
};

pub fn tools() -> ToolRouter<McpService> {
    let mut router = ToolRouter::new();
    for asker in TOOLS {
        let Value::Object(schema) = json!({ "type": "object", "properties": {} }) else {
            unreachable!("an object is written there");
        };
        let tool = Tool::new(asker.name, "Asks back before it answers.", schema);
        router.add_route(ToolRoute::new_dyn(tool, move |call| {
            Box::pin(async move {
                let client = call.request_context.client_capabilities().unwrap_or_default();
                let answers = call.input_responses.unwrap_or_default();
                let questions = asker.next(&answers, call.request_state.as_deref(), &client)?;
                Ok(questions.map_or_else(|| told(&answers).into(), Into::into))
            })
        }));
    }
    router
}

pub fn prompt(
    ask: GetPromptRequestParams,
    client: &ClientCapabilities,
) -> Result<GetPromptResponse, ErrorData> {
    let answers = ask.input_responses.unwrap_or_default();
    let questions = CONTEXT.next(&answers, ask.request_state.as_deref(), client)?;
    let text = || PromptMessage::new_text(Role::User, said(&answers));
    Ok(questions.map_or_else(|| GetPromptResult::new(vec![text()]).into(), Into::into))
}

fn told(answers: &InputResponses) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(said(answers))])
}

fn said(answers: &InputResponses) -> String {
    format!("state-ok, this was said: {}", json!(answers))
}

impl AskingTool {
    /// What is still to be asked; nothing when all has been answered. The state tells how far the
    /// client has come, and is refused when it is not one of ours.
    fn next(
        &self,
        answers: &InputResponses,
        state: Option<&str>,
        client: &ClientCapabilities,
    ) -> Result<Option<InputRequiredResult>, ErrorData> {
        let known = |state| (0..self.rounds.len()).find(|round| self.state(*round) == state);
        let mut round = match state {
            None => 0,
            Some(state) => known(state).ok_or_else(|| {
                ErrorData::invalid_params("that requestState was not given out here", None)
            })?,
        };
        let mut asked = self.asked(round, client)?;
        if asked.iter().all(|asked| answers.get(asked.key).is_some_and(Value::is_object)) {
            round += 1;
            if round == self.rounds.len() {
                return Ok(None);
            }
            asked = self.asked(round, client)?;
        }
        let asked = asked.iter().map(|asked| (asked.key.to_owned(), asked.request())).collect();
        Ok(Some(InputRequiredResult::new(Some(asked), Some(self.state(round)))))
    }

    fn state(&self, round: usize) -> String {
        format!("{} {round}", self.name)
    }

    /// Of a round's questions those that the client has announced it can be asked; there must be
    /// one.
    fn asked(
        &self,
        round: usize,
        client: &ClientCapabilities,
    ) -> Result<Vec<&ClientQuestion>, ErrorData> {
        let all = self.rounds[round];
        let asked: Vec<_> = all.iter().filter(|asked| asked.is_for(client)).collect();
        match (all.first(), asked.is_empty()) {
            (Some(first), true) => {
                Err(ErrorData::missing_required_client_capability(first.required()))
            }
            _ => Ok(asked),
        }
    }
}

impl ClientQuestion {
    fn is_for(&self, client: &ClientCapabilities) -> bool {
        match self.asks {
            Asks::User { .. } => client.elicitation.is_some(),
            Asks::Model { .. } => client.sampling.is_some(),
            Asks::Folders => client.roots.is_some(),
        }
    }

    /// What a client must announce to be asked this.
    fn required(&self) -> ClientCapabilities {
        let capability = match self.asks {
            Asks::User { .. } => "elicitation",
            Asks::Model { .. } => "sampling",
            Asks::Folders => "roots",
        };
        let mut required = JsonObject::new();
        required.insert(capability.into(), json!({}));
        serde_json::from_value(required.into()).expect("these are capabilities")
    }

    fn request(&self) -> InputRequest {
        let (method, params) = match self.asks {
            Asks::User { text, field, kind } => {
                let mut properties = JsonObject::new();
                properties.insert(field.into(), json!({ "type": kind }));
                let schema =
                    json!({ "type": "object", "properties": properties, "required": [field] });
                let form = json!({ "mode": "form", "message": text, "requestedSchema": schema });
                ("elicitation/create", form)
            }
            Asks::Model { text } => {
                let content = json!({ "type": "text", "text": text });
                let messages = [json!({ "role": "user", "content": content })];
                ("sampling/createMessage", json!({ "messages": messages, "maxTokens": 100 }))
            }
            Asks::Folders => ("roots/list", json!({})),
        };
        let request = json!({ "method": method, "params": params });
        serde_json::from_value(request).expect("these are requests")
    }
}
