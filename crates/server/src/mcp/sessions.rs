//! MCP sessions. They are stored, so that clients do not notice a restart, and cached in memory.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use rmcp::transport::streamable_http_server::session::{
    SessionManager, SessionState, SessionStore, SessionStoreError, local::LocalSessionManager,
};
use serde_json::Value;
use tokio::time::sleep;

use crate::{
    metrics,
    store::{Hashed, Sessions, StoreError},
};

/// Time limit for a client to complete its handshake.
const HANDSHAKE: Duration = Duration::from_secs(60);
/// How many sessions are restored at the same time.
const RESTORING: usize = 32;
/// What a client says of itself is cut to this many characters, each time.
const SAID: usize = 200;
/// And may not be longer than this altogether, in bytes.
const HANDSHAKE_BYTES: usize = 32 << 10;

/// How the SDK gets at them.
pub struct KeptSessions(pub Arc<dyn Sessions>);

#[async_trait::async_trait]
impl SessionStore for KeptSessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let saved = self.0.session(Hashed::of(id)).await.map_err(unavailable)?;
        Ok(saved.map(|json| serde_json::from_str(&json)).transpose()?)
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let state = serde_json::to_string(state)?;
        Ok(self.0.save_session(Hashed::of(id), state).await.map_err(unavailable)?)
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        Ok(self.0.forget_session(Hashed::of(id)).await.map_err(unavailable)?)
    }
}

/// An error that the SDK passes on to the client.
fn unavailable(error: StoreError) -> &'static str {
    tracing::error!(%error, "a session was not read or saved");
    "the session cannot be read or saved now; try again"
}

/// Cuts what a client says of itself; None if it is too much all the same.
pub fn cut_introduction(initialize: &[u8]) -> Option<Vec<u8>> {
    let mut message: Value = serde_json::from_slice(initialize).ok()?;
    if let Some(introduction) = message.pointer_mut("/params/clientInfo") {
        cut(introduction);
    }
    let message = message.to_string().into_bytes();
    (message.len() <= HANDSHAKE_BYTES).then_some(message)
}

fn cut(said: &mut Value) {
    match said {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(SAID) {
                text.truncate(end);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(cut),
        Value::Object(fields) => fields.values_mut().for_each(cut),
        _ => {}
    }
}

/// The sessions in memory at one endpoint, with their last use and open answers.
#[derive(Clone)]
pub struct Connections {
    manager: Arc<LocalSessionManager>,
    open: Arc<Mutex<HashMap<Arc<str>, Connection>>>,
    /// The cache's size. The longest idle sessions are evicted, and restored when they call again.
    most: usize,
    /// Who is being restored from the store; a session has one of them for all its calls.
    restoring: Arc<[tokio::sync::Mutex<()>; RESTORING]>,
}

struct Connection {
    last: Instant,
    /// Number of answers in progress.
    open: usize,
    /// Nothing has come after the beginning of the handshake.
    is_unfinished: bool,
}

/// An answer in progress, which keeps its session in memory.
pub struct Answering {
    connections: Connections,
    session: Arc<str>,
}

impl Drop for Answering {
    fn drop(&mut self) {
        if let Some(connection) = self.connections.open().get_mut(&self.session) {
            connection.open -= 1;
            connection.last = Instant::now();
        }
    }
}

impl Connections {
    pub fn new(manager: Arc<LocalSessionManager>, most: usize) -> Connections {
        let (open, restoring) = Default::default();
        Connections { manager, open, most, restoring }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Arc<str>, Connection>> {
        self.open.lock().expect("nobody panics holding the open")
    }

    /// Registers a session that has begun its handshake.
    pub async fn arrived(&self, session: &str) {
        let session: Arc<str> = session.into();
        let connection = Connection { last: Instant::now(), open: 0, is_unfinished: true };
        self.open().insert(session.clone(), connection);
        metrics::sessions(1);
        self.make_room().await;
        let connections = self.clone();
        tokio::spawn(async move {
            sleep(HANDSHAKE).await;
            let unfinished = connections.open().get(&session).is_some_and(|v| v.is_unfinished);
            // It stays in the store: another node may have heard the end of the handshake.
            if unfinished {
                connections.let_go(&session).await;
            }
        });
    }

    /// Whether the session is in memory, all of it.
    pub fn knows(&self, session: &str) -> bool {
        self.open().contains_key(session)
    }

    /// Locks the session against a second restore while the guard is held.
    pub async fn alone(&self, session: &str) -> impl Drop {
        let which: usize = session.bytes().map(usize::from).sum();
        self.restoring[which % RESTORING].lock().await
    }

    /// Somebody goes on with a session; for as long as what this returns is kept, it stays. Nothing
    /// if it is no session of ours.
    pub async fn answering(&self, session: &str) -> Option<Answering> {
        let session: Arc<str> = session.into();
        if !self.manager.has_session(&session).await.unwrap_or(false) {
            return None;
        }
        {
            let mut open = self.open();
            let connection = open.entry(session.clone()).or_insert_with(|| {
                metrics::sessions(1);
                Connection { last: Instant::now(), open: 0, is_unfinished: false }
            });
            connection.is_unfinished = false;
            connection.last = Instant::now();
            connection.open += 1;
        }
        self.make_room().await;
        Some(Answering { connections: self.clone(), session })
    }

    async fn make_room(&self) {
        loop {
            let oldest = {
                let open = self.open();
                if open.len() <= self.most {
                    return;
                }
                let idle = open.iter().filter(|(_, connection)| connection.open == 0);
                idle.min_by_key(|(_, connection)| connection.last)
                    .map(|(session, _)| session.clone())
            };
            // If all are being answered, they have a connection each, and those are bounded.
            let Some(oldest) = oldest else { return };
            self.let_go(&oldest).await;
        }
    }

    /// Evicts a session from memory.
    pub async fn let_go(&self, session: &Arc<str>) {
        if self.open().remove(session).is_some() {
            metrics::sessions(-1);
        }
        if let Err(error) = self.manager.close_session(session).await {
            tracing::debug!(%error, "a session was gone already");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_says_of_itself_is_cut() {
        let name = "ä".repeat(1 << 20);
        let message = serde_json::json!({ "id": 1, "method": "initialize", "params": {
            "clientInfo": { "name": name, "icons": [{ "src": name }] }, "capabilities": {} } });
        let cut = cut_introduction(message.to_string().as_bytes()).expect("it is cut");
        let cut: Value = serde_json::from_slice(&cut).expect("JSON");
        let info = &cut["params"]["clientInfo"];
        assert_eq!(info["name"].as_str().map(|name| name.chars().count()), Some(SAID));
        assert_eq!(info["name"], info["icons"][0]["src"]);
        let more = serde_json::json!({ "params": { "capabilities": { "experimental": name } } });
        assert!(cut_introduction(more.to_string().as_bytes()).is_none());
    }
}
