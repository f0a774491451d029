//! What leagues keep beside their games, in the database.

use async_trait::async_trait;

use super::Postgres;
use crate::{
    ids::GameId,
    store::{Hashed, LeagueNotes, Letter, MOST_LETTERS, Millis, StoreError, now},
};

#[async_trait]
impl LeagueNotes for Postgres {
    async fn newest(&self, series: Hashed) -> Result<Option<GameId>, StoreError> {
        self.read(|db, _| async move {
            let statement = db.prepare_cached("select game from series where name = $1").await?;
            let row = db.query_opt(&statement, &[&&series.0[..]]).await?;
            row.map(|row| row.try_get(0)).transpose()
        })
        .await
    }

    async fn set_newest(&self, series: Hashed, game: GameId) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            let sql = "insert into series values ($1, $2)
                       on conflict (name) do update set game = excluded.game";
            db.execute(sql, &[&&series.0[..], &i64::from(game.number())]).await.map(drop)
        })
        .await
    }

    async fn keep_letters(&self, letters: Vec<Letter>) -> Result<(), StoreError> {
        let letters = &letters;
        self.write(|mut db, _| async move {
            let tx = db.transaction().await?;
            tx.batch_execute("set local synchronous_commit = off").await?;
            let insert = tx
                .prepare_cached(
                    "insert into letters (game, contest, player, at, until, text)
                     values ($1, $2, $3, $4, $5, $6)",
                )
                .await?;
            for letter in letters {
                let league = i64::from(letter.league.number());
                let Letter { contest, player, at, until, text, .. } = letter;
                tx.execute(&insert, &[&league, contest, player, at, until, text]).await?;
            }
            tx.execute("delete from letters where until < $1", &[&now()]).await?;
            let sql = "select coalesce(max(id) - min(id) + 1, 0) from letters";
            let kept: i64 = tx.query_one(sql, &[]).await?.try_get(0)?;
            if kept > MOST_LETTERS + MOST_LETTERS / 10 {
                let sql = "delete from letters where id not in
                           (select id from letters order by until desc, id desc limit $1)";
                tx.execute(sql, &[&MOST_LETTERS]).await?;
            }
            tx.commit().await
        })
        .await
    }

    async fn letters(&self, league: GameId, contest: &str) -> Result<Vec<Letter>, StoreError> {
        self.read(|db, _| async move {
            let statement = db
                .prepare_cached(
                    "select player, at, until, text from letters where game = $1 and contest = $2
                     order by id",
                )
                .await?;
            let rows = db.query(&statement, &[&i64::from(league.number()), &contest]).await?;
            let letter = |row: &tokio_postgres::Row| {
                Ok(Letter {
                    league,
                    contest: contest.to_owned(),
                    player: row.try_get(0)?,
                    at: row.try_get(1)?,
                    until: row.try_get(2)?,
                    text: row.try_get(3)?,
                })
            };
            rows.iter().map(letter).collect()
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
            let sql = "update letters set until = $1 where game = $2 and contest = $3";
            db.execute(sql, &[&until, &i64::from(league.number()), &contest]).await.map(drop)
        })
        .await
    }
}
