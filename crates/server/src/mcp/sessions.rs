//! MCP sessions kept in the store, so that clients do not notice a restart.

use rmcp::transport::streamable_http_server::session::{
    SessionState, SessionStore, SessionStoreError,
};

use std::sync::Arc;

use crate::store::{Hashed, Store};

pub struct Sessions(pub Arc<dyn Store>);

#[async_trait::async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let saved = self.0.session(Hashed::of(id)).await?;
        Ok(saved.map(|json| serde_json::from_str(&json)).transpose()?)
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        Ok(self.0.save_session(Hashed::of(id), serde_json::to_string(state)?).await?)
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        Ok(self.0.forget_session(Hashed::of(id)).await?)
    }
}
