//! Who is calling, as far as the connection tells.

use axum::http::request::Parts;
use rmcp::{
    ErrorData, RoleServer,
    handler::server::{common::FromContextPart, tool::ToolCallContext},
    model::{Extensions, ProgressNotificationParam, ProtocolVersion},
    service::RequestContext,
};
use tokio::time::{Duration, Instant, interval_at};

use super::{Desk, apps};
use crate::store::Hashed;

const PROGRESS: Duration = Duration::from_secs(5);

/// One call's connection.
pub struct Caller {
    context: RequestContext<RoleServer>,
    /// What stands for a connection that lasts: a process on stdin, a session over HTTP. A call
    /// that comes alone has none.
    pub connection: Option<Hashed>,
}

impl FromContextPart<ToolCallContext<'_, Desk>> for Caller {
    fn from_context_part(call: &mut ToolCallContext<'_, Desk>) -> Result<Caller, ErrorData> {
        let context = call.request_context.clone();
        let connection = connection(call.service.process, &context);
        Ok(Caller { context, connection })
    }
}

/// What stands for the connection a request came over, if it is one that lasts. `process` stands
/// for the one on stdin.
pub fn connection(process: Hashed, context: &RequestContext<RoleServer>) -> Option<Hashed> {
    if context.extensions.get::<Parts>().is_none() {
        return Some(process);
    }
    // The newest protocol has no sessions, and does not check the header either.
    let legacy = context
        .protocol_version()
        .is_none_or(|version| version.as_str() < ProtocolVersion::V_2026_07_28.as_str());
    session(&context.extensions).filter(|_| legacy)
}

/// The session a message came with, if it came over HTTP.
pub fn session(extensions: &Extensions) -> Option<Hashed> {
    let id = extensions.get::<Parts>()?.headers.get("mcp-session-id")?;
    id.to_str().ok().map(Hashed::of)
}

impl Caller {
    /// What the client calls itself, as a label people can read.
    pub fn name(&self) -> String {
        // Whoever calls without a handshake and without saying so is nobody in particular.
        let client = match self.connection {
            Some(_) => self.context.client_info(),
            None => self.context.meta.client_info(),
        };
        let name = client.map(|client| client.title.unwrap_or(client.name)).unwrap_or_default();
        name.chars().filter(|c| !c.is_control()).take(40).collect()
    }

    /// Whether the client shows pages of its own accord, and need not be sent them.
    pub fn has_apps(&self) -> bool {
        let announced = self.context.client_capabilities().and_then(|client| client.extensions);
        announced.is_some_and(|extensions| extensions.contains_key(apps::EXTENSION))
    }

    /// Waits for `work`, telling the caller every few seconds that it goes on, if they asked to
    /// be told. None when they have lost interest.
    pub async fn patiently<T>(&self, about: &str, work: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(work);
        let started = Instant::now();
        let mut clock = interval_at(started + PROGRESS, PROGRESS);
        let token = self.context.meta.get_progress_token();
        loop {
            tokio::select! {
                done = &mut work => return Some(done),
                () = self.context.ct.cancelled() => return None,
                _ = clock.tick(), if token.is_some() => {
                    let Some(token) = token.clone() else { continue };
                    let seconds = started.elapsed().as_secs_f64();
                    let progress =
                        ProgressNotificationParam::new(token, seconds).with_message(about);
                    // A client that does not listen still gets its answer.
                    let _ = self.context.peer.notify_progress(progress).await;
                }
            }
        }
    }
}
