//! Sessions of MCP, and what they follow, in the file.

use std::collections::HashSet;

use async_trait::async_trait;
use rusqlite::{OptionalExtension, Row, params};

use super::Sqlite;
use crate::store::{Hashed, MOST_FOLLOWED, Sessions, StoreError, now};

#[async_trait]
impl Sessions for Sqlite {
    async fn save_session(&self, id: Hashed, initialize: String) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("insert or replace into sessions values (?, ?, ?)")?
                .execute(params![id.0, initialize, now()])
                .map(drop)
        })
        .await
    }

    async fn session(&self, id: Hashed) -> Result<Option<String>, StoreError> {
        self.read(move |db| {
            db.prepare_cached("select initialize from sessions where id = ?")?
                .query_row([id.0], |row| row.get(0))
                .optional()
        })
        .await
    }

    async fn forget_session(&self, id: Hashed) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("delete from subscriptions where session = ?")?.execute([id.0])?;
            db.prepare_cached("delete from sessions where id = ?")?.execute([id.0]).map(drop)
        })
        .await
    }

    async fn subscribe(&self, session: Hashed, uri: &str, about: &str) -> Result<bool, StoreError> {
        let (uri, about) = (uri.to_owned(), about.to_owned());
        self.write(move |db| {
            db.prepare_cached(
                "insert or ignore into subscriptions (session, uri, about) select ?1, ?2, ?3
                 where (select count(*) from subscriptions where session = ?1) < ?4",
            )?
            .execute(params![session.0, uri, about, MOST_FOLLOWED])?;
            db.prepare_cached("select 1 from subscriptions where session = ? and uri = ?")?
                .exists(params![session.0, uri])
        })
        .await
    }

    async fn unsubscribe(&self, session: Hashed, uri: &str) -> Result<(), StoreError> {
        let uri = uri.to_owned();
        self.write(move |db| {
            db.prepare_cached("delete from subscriptions where session = ? and uri = ?")?
                .execute(params![session.0, uri])
                .map(drop)
        })
        .await
    }

    async fn subscriptions(
        &self,
        sessions: Vec<Hashed>,
        about: Option<Vec<String>>,
    ) -> Result<Vec<(Hashed, String)>, StoreError> {
        let all = "select session, uri from subscriptions";
        self.read(move |db| {
            let row = |row: &Row| Ok((Hashed(row.get(0)?), row.get(1)?));
            let mut found: Vec<(Hashed, String)> = Vec::new();
            if let Some(about) = &about {
                let mut some = db.prepare_cached(&format!("{all} where about = ?"))?;
                for about in about {
                    found.extend(some.query_map([about], row)?.collect::<Result<Vec<_>, _>>()?);
                }
                let sessions: HashSet<_> = sessions.iter().collect();
                found.retain(|(session, _)| sessions.contains(session));
            } else {
                let mut some = db.prepare_cached(&format!("{all} where session = ?"))?;
                for session in &sessions {
                    found.extend(some.query_map([session.0], row)?.collect::<Result<Vec<_>, _>>()?);
                }
            }
            Ok(found)
        })
        .await
    }
}
