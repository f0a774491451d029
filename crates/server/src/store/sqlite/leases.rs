//! Leases, by the clock of this machine.

use std::time::Duration;

use async_trait::async_trait;
use rusqlite::OptionalExtension;

use super::Sqlite;
use crate::store::{Leases, Millis, StoreError, now};

/// A lease that ends later than any can was taken before the clock was set back.
pub const LAPSED: &str = "select name from leases where name like :names
     and (until between :now - :within and :now or until > :now + :within)";

#[async_trait]
impl Leases for Sqlite {
    async fn hold(&self, name: &str, holder: i64, long: Duration) -> Result<bool, StoreError> {
        let name = name.to_owned();
        self.write(move |db| {
            let now = now();
            let long = long.as_millis() as Millis;
            let until = if long == 0 { 0 } else { now + long };
            // Nobody's lease reaches that far, unless the clock was set back since it began.
            let too_far = if long == 0 { Millis::MAX } else { now + 2 * long };
            let held = db
                .prepare_cached(
                    "insert into leases values (:name, :holder, :until)
                     on conflict (name) do update set holder = :holder, until = :until
                     where holder = :holder or until < :now or until > :too_far",
                )?
                .execute(rusqlite::named_params! {
                    ":name": name,
                    ":holder": holder,
                    ":until": until,
                    ":now": now,
                    ":too_far": too_far,
                })?;
            Ok(held == 1)
        })
        .await
    }

    async fn left(&self, name: &str) -> Result<Duration, StoreError> {
        let name = name.to_owned();
        self.read(move |db| {
            let mut statement = db.prepare_cached("select until from leases where name = ?")?;
            let until = statement.query_row([&name], |row| row.get(0)).optional()?;
            let left: Millis = until.unwrap_or(0) - now();
            Ok(Duration::from_millis(left.max(0) as u64))
        })
        .await
    }

    async fn lapsed(&self, kind: &str, within: Duration) -> Result<Vec<String>, StoreError> {
        let names = format!("{kind} %");
        self.read(move |db| {
            let (now, within) = (now(), within.as_millis() as Millis);
            db.prepare_cached(LAPSED)?
                .query_map(
                    rusqlite::named_params! { ":names": names, ":now": now, ":within": within },
                    |row| row.get(0),
                )?
                .collect()
        })
        .await
    }
}
