//! Leases, by the clock of the database.

use std::time::Duration;

use async_trait::async_trait;

use super::Postgres;
use crate::store::{Leases, StoreError};

#[async_trait]
impl Leases for Postgres {
    async fn hold(&self, name: &str, holder: i64, long: Duration) -> Result<bool, StoreError> {
        self.write(|mut db, _| async move {
            // A lease that is lost with the database is taken anew, so no disk is waited for; and
            // its clock is the database's, since nodes need not agree on the time.
            let tx = db.transaction().await?;
            tx.batch_execute("set local synchronous_commit = off").await?;
            let statement = tx
                .prepare_cached(
                    "insert into leases values ($1, $2, clock_timestamp() + $3 * interval '1 s')
                     on conflict (name) do update
                     set holder = excluded.holder, until = excluded.until
                     where leases.holder = excluded.holder or leases.until <= clock_timestamp()
                     or $3 > 0 and leases.until > clock_timestamp() + 2 * $3 * interval '1 s'",
                )
                .await?;
            let held = tx.execute(&statement, &[&name, &holder, &long.as_secs_f64()]).await?;
            tx.commit().await?;
            Ok(held == 1)
        })
        .await
    }

    async fn left(&self, name: &str) -> Result<Duration, StoreError> {
        self.read(|db, _| async move {
            let statement = db
                .prepare_cached(
                    "select greatest(extract(epoch from until - clock_timestamp()), 0)::float8
                     from leases where name = $1",
                )
                .await?;
            let row = db.query_opt(&statement, &[&name]).await?;
            let left = row.map_or(Ok(0.), |row| row.try_get(0))?;
            Ok(Duration::from_secs_f64(left))
        })
        .await
    }

    async fn lapsed(&self, kind: &str, within: Duration) -> Result<Vec<String>, StoreError> {
        let names = &format!("{kind} %");
        self.read(|db, _| async move {
            let statement = db
                .prepare_cached(
                    "select name from leases where name like $1
                     and (until between now() - $2 * interval '1 s' and now()
                          or until > now() + $2 * interval '1 s')",
                )
                .await?;
            let rows = db.query(&statement, &[names, &within.as_secs_f64()]).await?;
            rows.iter().map(|row| row.try_get(0)).collect()
        })
        .await
    }
}
