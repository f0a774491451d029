//! Which clients have called this process, so that a newcomer sees that theirs is connected.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::{RoleServer, service::RequestContext};
use serde::Serialize;
use ts_rs::TS;

use crate::{
    player::plain_name,
    store::{Millis, now},
};

/// Those who called before all these are forgotten.
const REMEMBERED: usize = 40;

#[derive(Clone, Default)]
pub struct Callers(Arc<Mutex<HashMap<String, Millis>>>);

/// A client, and when it last called.
#[derive(Serialize, TS)]
pub struct Called {
    /// What it calls itself; nothing if it has not said.
    name: String,
    at: Millis,
}

impl Callers {
    /// Somebody has asked for the tools, or called one; over a connection that `lasts`, or not.
    pub fn note(&self, context: &RequestContext<RoleServer>, lasts: bool) {
        let client = if lasts { context.client_info() } else { context.meta.client_info() };
        let name = plain_name(&client.map(|client| client.name).unwrap_or_default());
        let mut callers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        callers.insert(name, now());
        if callers.len() > REMEMBERED {
            let oldest = callers.iter().min_by_key(|(_, at)| **at).map(|(name, _)| name.clone());
            oldest.map(|name| callers.remove(&name));
        }
    }

    pub fn latest(&self) -> Vec<Called> {
        let callers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let called = callers.iter().map(|(name, at)| Called { name: name.clone(), at: *at });
        let mut called: Vec<_> = called.collect();
        called.sort_by_key(|called| std::cmp::Reverse(called.at));
        called
    }
}
