//! Work that goes on by itself, each piece under a name that is known again when it ends, also if
//! it ends in a panic.

use std::collections::HashMap;

use tokio::task::{Id, JoinSet};

pub struct AtWork<K> {
    tasks: JoinSet<()>,
    names: HashMap<Id, K>,
}

/// How a piece of work ended.
#[derive(Debug, PartialEq, Eq)]
pub enum WorkEnded {
    Well,
    InPanic,
}

impl<K: Copy> AtWork<K> {
    pub fn new() -> AtWork<K> {
        AtWork { tasks: JoinSet::new(), names: HashMap::new() }
    }

    pub fn begin(&mut self, name: K, work: impl Future<Output = ()> + Send + 'static) {
        let task = self.tasks.spawn(work);
        self.names.insert(task.id(), name);
    }

    pub fn names(&self) -> impl Iterator<Item = K> {
        self.names.values().copied()
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The next that ends; never while there is none.
    pub async fn ended(&mut self) -> (K, WorkEnded) {
        loop {
            let (id, ended) = match self.tasks.join_next_with_id().await {
                Some(Ok((id, ()))) => (id, WorkEnded::Well),
                Some(Err(error)) => (error.id(), WorkEnded::InPanic),
                None => std::future::pending().await,
            };
            if let Some(name) = self.names.remove(&id) {
                return (name, ended);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_panics_is_known_by_its_name() {
        let mut work = AtWork::new();
        work.begin("bad", async { panic!("this is a test of what a panic does") });
        assert_eq!(work.ended().await, ("bad", WorkEnded::InPanic));
        work.begin("good", async {});
        assert_eq!(work.ended().await, ("good", WorkEnded::Well));
        assert_eq!(work.len(), 0);
    }
}
