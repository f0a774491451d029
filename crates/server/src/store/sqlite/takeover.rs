//! Taking over what another store has kept, into the file.

use async_trait::async_trait;
use rusqlite::params;

use super::Sqlite;
use crate::{
    ids::GameId,
    store::{Hashed, LoggedMessages, Millis, StoreError, Takeover},
};

#[async_trait]
impl Takeover for Sqlite {
    async fn names(&self) -> Result<Vec<(Hashed, GameId)>, StoreError> {
        self.read(|db| {
            db.prepare("select name, game from names")?
                .query_map([], |row| Ok((Hashed(row.get(0)?), GameId::from_number(row.get(1)?))))?
                .collect()
        })
        .await
    }

    async fn all_match_logs(
        &self,
        until: Millis,
        after: i64,
        most: u32,
    ) -> Result<Vec<(i64, LoggedMessages)>, StoreError> {
        self.read(move |db| {
            db.prepare(
                "select rowid, game, contest, player, at, until, text from match_log
                 where until >= ? and rowid > ? order by rowid limit ?",
            )?
            .query_map(params![until, after, most], |row| {
                let logged = LoggedMessages {
                    league: GameId::from_number(row.get(1)?),
                    contest: row.get(2)?,
                    player: row.get(3)?,
                    at: row.get(4)?,
                    until: row.get(5)?,
                    text: row.get(6)?,
                };
                Ok((row.get(0)?, logged))
            })?
            .collect()
        })
        .await
    }

    async fn adopt(&self, secret: &[u8]) -> Result<(), StoreError> {
        let secret = secret.to_owned();
        self.write(move |db| db.execute("update secret set key = ?", [&secret]).map(drop)).await
    }
}
