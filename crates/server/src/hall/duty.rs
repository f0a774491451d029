//! Work that one process at a time does for all of them: a lease in the store.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, sleep};

use crate::store::Leases;

pub struct Duty {
    leases: Arc<dyn Leases>,
    name: String,
    holder: i64,
    /// Who has it and is not heard of for this long is taken to be gone.
    lease: Duration,
    until: Instant,
}

impl Duty {
    pub fn new(leases: Arc<dyn Leases>, name: String, lease: Duration) -> Duty {
        let holder = super::random() as i64;
        Duty { leases, name, holder, lease, until: Instant::now() }
    }

    /// Does the work once nobody else has the duty, and keeps it meanwhile. None if it was lost
    /// before the end.
    pub async fn fulfil<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        while !self.hold().await {
            sleep(self.lease / 10).await;
        }
        tokio::select! {
            done = work => Some(done),
            () = self.keep() => None,
        }
    }

    /// Whoever comes next need not wait.
    pub async fn give_up(&mut self) {
        self.until = Instant::now();
        // If it fails, they wait.
        let _ = self.leases.hold(&self.name, self.holder, Duration::ZERO).await;
    }

    async fn hold(&mut self) -> bool {
        let now = Instant::now();
        // Two thirds of it are long enough to get to the next look.
        if self.until > now + self.lease * 2 / 3 {
            return true;
        }
        let held = self.leases.hold(&self.name, self.holder, self.lease).await.unwrap_or(false);
        if held {
            self.until = now + self.lease;
        }
        held
    }

    /// Renews it until that has failed for too long.
    async fn keep(&mut self) {
        while Instant::now() < self.until {
            sleep(self.lease / 3).await;
            self.hold().await;
        }
    }
}
