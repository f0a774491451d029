//! Waits that are cancelled at another node: a client with a session may say so anywhere.
//!
//! At the node that waits the SDK sees to it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rmcp::model::RequestId;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use crate::{
    hall::Hall,
    store::{Hashed, Nodes},
};

/// The waits under way in this process, each by the hash of its session and request.
#[derive(Clone)]
pub struct Waits {
    nodes: Arc<dyn Nodes>,
    under_way: Arc<Mutex<HashMap<String, CancellationToken>>>,
}

/// What nodes say to each other of it.
#[derive(Serialize, Deserialize)]
struct CancelNotice {
    cancelled: String,
}

impl Waits {
    pub fn new(hall: &Hall) -> Waits {
        let waits = Waits { nodes: hall.store().clone(), under_way: Arc::default() };
        let (mut said, here) = (hall.said(), waits.clone());
        tokio::spawn(async move {
            loop {
                match said.recv().await {
                    Ok(words) => {
                        if let Ok(words) = serde_json::from_str::<CancelNotice>(&words) {
                            here.end(&words.cancelled);
                        }
                    }
                    // A wait that is not told goes on to its own end.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                }
            }
        });
        waits
    }

    /// A wait is under way for as long as what this returns is kept.
    pub fn begin(&self, connection: Hashed, request: &RequestId) -> Wait {
        let (name, end) = (name(connection, request), CancellationToken::new());
        self.under_way().insert(name.clone(), end.clone());
        Wait { waits: self.clone(), name, end }
    }

    /// The caller has lost interest in a request, wherever that waits.
    pub async fn cancel(&self, session: Hashed, request: &RequestId) {
        let cancelled = name(session, request);
        if self.end(&cancelled) {
            return;
        }
        let words =
            serde_json::to_string(&CancelNotice { cancelled }).expect("words can be written");
        if let Err(error) = self.nodes.say(words).await {
            tracing::debug!(%error, "no other node hears that a call was cancelled");
        }
    }

    /// False if nobody waits here under that name.
    fn end(&self, name: &str) -> bool {
        self.under_way().get(name).map(CancellationToken::cancel).is_some()
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A hash, so that a long id of a request makes no long words.
fn name(session: Hashed, request: &RequestId) -> String {
    // The number 1 and the text "1" are two ids.
    let request = serde_json::to_string(request).expect("an id can be written");
    Hashed::of(&format!("{session} {request}")).to_string()
}

/// A wait under way.
pub struct Wait {
    waits: Waits,
    name: String,
    end: CancellationToken,
}

impl Wait {
    pub async fn cancelled(&self) {
        self.end.cancelled().await;
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.waits.under_way().remove(&self.name);
    }
}
