//! Sessions of MCP, and what they follow, in the database.

use async_trait::async_trait;

use super::Postgres;
use crate::store::{Hashed, MOST_FOLLOWED, Sessions, StoreError, now};

#[async_trait]
impl Sessions for Postgres {
    async fn save_session(&self, id: Hashed, initialize: String) -> Result<(), StoreError> {
        let initialize = &initialize;
        self.write(|db, _| async move {
            let statement = db
                .prepare_cached(
                    "insert into sessions values ($1, $2, $3)
                     on conflict (id) do update set initialize = $2, at = $3",
                )
                .await?;
            db.execute(&statement, &[&&id.0[..], initialize, &now()]).await.map(drop)
        })
        .await
    }

    async fn session(&self, id: Hashed) -> Result<Option<String>, StoreError> {
        self.read(|db, _| async move {
            let statement =
                db.prepare_cached("select initialize from sessions where id = $1").await?;
            let row = db.query_opt(&statement, &[&&id.0[..]]).await?;
            row.map(|row| row.try_get(0)).transpose()
        })
        .await
    }

    async fn forget_session(&self, id: Hashed) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            db.execute("delete from sessions where id = $1", &[&&id.0[..]]).await?;
            db.execute("delete from subscriptions where session = $1", &[&&id.0[..]])
                .await
                .map(drop)
        })
        .await
    }

    async fn subscribe(&self, session: Hashed, uri: &str, about: &str) -> Result<bool, StoreError> {
        self.write(|db, _| async move {
            let insert = "insert into subscriptions (session, uri, about) select $1, $2, $3
                 where (select count(*) from subscriptions where session = $1) < $4
                 on conflict do nothing";
            db.execute(insert, &[&&session.0[..], &uri, &about, &MOST_FOLLOWED]).await?;
            let look = "select 1 from subscriptions where session = $1 and uri = $2";
            Ok(db.query_opt(look, &[&&session.0[..], &uri]).await?.is_some())
        })
        .await
    }

    async fn unsubscribe(&self, session: Hashed, uri: &str) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            let delete = "delete from subscriptions where session = $1 and uri = $2";
            db.execute(delete, &[&&session.0[..], &uri]).await.map(drop)
        })
        .await
    }

    async fn subscriptions(
        &self,
        sessions: Vec<Hashed>,
        about: Option<Vec<String>>,
    ) -> Result<Vec<(Hashed, String)>, StoreError> {
        let (sessions, about): (Vec<_>, _) =
            (sessions.iter().map(|id| &id.0[..]).collect(), &about);
        let sessions = &sessions;
        self.read(|db, _| async move {
            let all = "select session, uri from subscriptions where session = any($1)";
            let rows = match about {
                None => db.query(&db.prepare_cached(all).await?, &[sessions]).await?,
                Some(about) => {
                    let some = format!("{all} and about = any($2)");
                    db.query(&db.prepare_cached(&some).await?, &[sessions, about]).await?
                }
            };
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
        .await
    }
}
