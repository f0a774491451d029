//! MCP sessions kept in the store, so that clients do not notice a restart.

use rmcp::transport::streamable_http_server::session::{
    SessionState, SessionStore, SessionStoreError,
};

use std::sync::Arc;

use crate::store::{Hashed, Store, StoreError};

pub struct Sessions(pub Arc<dyn Store>);

#[async_trait::async_trait]
impl SessionStore for Sessions {
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

/// The SDK tells the client what we say here.
fn unavailable(error: StoreError) -> &'static str {
    tracing::error!(%error, "a session was not read or saved");
    "the session cannot be read or saved now; try again"
}
