//! A lease in the store: one process at a time does the work that it is for.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, sleep};

use crate::store::Leases;

pub struct Lease {
    leases: Arc<dyn Leases>,
    name: String,
    holder: i64,
    /// The lease expires unless its holder renews it within this time.
    period: Duration,
    until: Instant,
}

impl Lease {
    pub fn new(leases: Arc<dyn Leases>, name: String, period: Duration) -> Lease {
        let holder = super::random() as i64;
        Lease { leases, name, holder, period, until: Instant::now() }
    }

    /// Waits for the lease, then does the work and renews the lease every half period. None if the
    /// lease was lost before the work was done.
    pub async fn while_held<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        while !self.hold().await {
            // Each attempt to take the lease is a write, so poll its expiry by reading.
            let mut left = self.period / 10;
            while !left.is_zero() && left <= 2 * self.period {
                sleep(left.min(self.period / 3)).await;
                left = self.leases.left(&self.name).await.unwrap_or(self.period);
            }
        }
        tokio::select! {
            done = work => Some(done),
            () = self.keep() => None,
        }
    }

    /// Lets the next process take it at once.
    pub async fn give_up(&mut self) {
        self.until = Instant::now();
        // If this fails, the lease expires by itself.
        let _ = self.leases.hold(&self.name, self.holder, Duration::ZERO).await;
    }

    async fn hold(&mut self) -> bool {
        let now = Instant::now();
        // Renewing at half the period leaves time to try again if a renewal fails.
        if self.until > now + self.period / 2 {
            return true;
        }
        let held = self.leases.hold(&self.name, self.holder, self.period).await.unwrap_or(false);
        if held {
            self.until = now + self.period;
        }
        held
    }

    /// Renews the lease until it has expired.
    async fn keep(&mut self) {
        while Instant::now() < self.until {
            sleep(self.period / 6).await;
            self.hold().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{self, Address};

    #[tokio::test]
    async fn a_lease_is_waited_for_without_writing_and_renewed_by_few_writes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        let store = store::open(&Address::Sqlite(path.clone())).await.expect("a store");
        let db = rusqlite::Connection::open(path).expect("its file");
        let note = "create table tries (holder integer);
                    create trigger note before insert on leases
                    begin insert into tries values (new.holder); end";
        db.execute_batch(note).expect("attempts are noted");
        let period = Duration::from_millis(600);
        let mut both = [0, 1].map(|_| Lease::new(store.clone(), "work".into(), period));
        let [first, second] = &mut both;
        let (done, waited) = (sleep(4 * period), second.holder);
        assert_eq!(first.while_held(std::future::ready(())).await, Some(()));
        let began = Instant::now();
        let _ = tokio::join!(first.while_held(done), second.while_held(std::future::ready(())));
        let leases = began.elapsed().as_secs_f64() / period.as_secs_f64();
        let held = first.holder;
        let tries = |holder: i64| -> i64 {
            let sql = "select count(*) from tries where holder = ?";
            db.query_row(sql, [holder], |row| row.get(0)).expect("a count")
        };
        assert!(tries(held) as f64 <= 2.0 * leases + 2.0, "{} in {leases}", tries(held));
        // One attempt at first, and one or two once the lease is free.
        assert!((1..=4).contains(&tries(waited)), "{}", tries(waited));
    }
}
