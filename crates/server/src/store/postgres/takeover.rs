//! Taking over what another store has kept, into the database.

use async_trait::async_trait;

use super::Postgres;
use crate::{
    ids::GameId,
    store::{Hashed, LoggedMessages, Millis, StoreError, Takeover},
};

#[async_trait]
impl Takeover for Postgres {
    async fn names(&self) -> Result<Vec<(Hashed, GameId)>, StoreError> {
        self.read(|db, _| async move {
            let rows = db.query("select name, game from names", &[]).await?;
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
        .await
    }

    async fn all_match_logs(
        &self,
        until: Millis,
        after: i64,
        most: u32,
    ) -> Result<Vec<(i64, LoggedMessages)>, StoreError> {
        self.read(|db, _| async move {
            let sql = "select id, game, contest, player, at, until, text from match_log
                       where until >= $1 and id > $2 order by id limit $3";
            let rows = db.query(sql, &[&until, &after, &i64::from(most)]).await?;
            let logged = |row: &tokio_postgres::Row| {
                let logged = LoggedMessages {
                    league: row.try_get(1)?,
                    contest: row.try_get(2)?,
                    player: row.try_get(3)?,
                    at: row.try_get(4)?,
                    until: row.try_get(5)?,
                    text: row.try_get(6)?,
                };
                Ok((row.try_get(0)?, logged))
            };
            rows.iter().map(logged).collect()
        })
        .await
    }

    async fn adopt(&self, secret: &[u8]) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            db.execute("update secret set key = $1", &[&secret]).await.map(drop)
        })
        .await
    }
}
