//! Match logs of leagues, in the database.

use async_trait::async_trait;

use super::Postgres;
use crate::{
    ids::GameId,
    store::{LeagueNotes, LoggedMessages, MOST_LOGGED, Millis, StoreError, may_be_too_many, now},
};

#[async_trait]
impl LeagueNotes for Postgres {
    async fn add_to_match_log(&self, logged: Vec<LoggedMessages>) -> Result<(), StoreError> {
        let logged = &logged;
        self.write(|mut db, _| async move {
            let tx = db.transaction().await?;
            tx.batch_execute("set local synchronous_commit = off").await?;
            let insert = tx
                .prepare_cached(
                    "insert into match_log (game, contest, player, at, until, text)
                     values ($1, $2, $3, $4, $5, $6) returning id",
                )
                .await?;
            let mut ids = Vec::with_capacity(logged.len());
            for logged in logged {
                let league = i64::from(logged.league.number());
                let LoggedMessages { contest, player, at, until, text, .. } = logged;
                let row =
                    tx.query_one(&insert, &[&league, contest, player, at, until, text]).await?;
                ids.push(row.try_get::<_, i64>(0)?);
            }
            tx.execute("delete from match_log where until < $1", &[&now()]).await?;
            if let (Some(first), Some(last)) = (ids.first(), ids.last())
                && may_be_too_many(first - 1, *last)
            {
                let sql = "delete from match_log where id not in
                           (select id from match_log order by until desc, id desc limit $1)";
                tx.execute(sql, &[&MOST_LOGGED]).await?;
            }
            tx.commit().await
        })
        .await
    }

    async fn match_log(
        &self,
        league: GameId,
        contest: &str,
    ) -> Result<Vec<LoggedMessages>, StoreError> {
        self.read(|db, _| async move {
            let statement = db
                .prepare_cached(
                    "select player, at, until, text from match_log where game = $1 and contest = $2
                     order by id",
                )
                .await?;
            let rows = db.query(&statement, &[&i64::from(league.number()), &contest]).await?;
            let logged = |row: &tokio_postgres::Row| {
                Ok(LoggedMessages {
                    league,
                    contest: contest.to_owned(),
                    player: row.try_get(0)?,
                    at: row.try_get(1)?,
                    until: row.try_get(2)?,
                    text: row.try_get(3)?,
                })
            };
            rows.iter().map(logged).collect()
        })
        .await
    }

    async fn keep_longer(
        &self,
        league: GameId,
        contest: &str,
        until: Millis,
    ) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            let sql = "update match_log set until = $1 where game = $2 and contest = $3";
            db.execute(sql, &[&until, &i64::from(league.number()), &contest]).await.map(drop)
        })
        .await
    }
}
