//! Taking over what another store has kept, into the database.

use async_trait::async_trait;

use super::{
    Postgres,
    rows::{self, insert_connection, insert_seat, insert_terms},
    turns::Columns,
};
use crate::{
    ids::GameId,
    store::{Gist, Hashed, LoggedMessages, Millis, SavedGame, StoreError, Takeover, words},
};

impl Postgres {
    /// All rows of a table of names of games.
    async fn all_named(&self, table: &str) -> Result<Vec<(Hashed, GameId)>, StoreError> {
        self.read(|db, _| async move {
            let rows = db.query(&format!("select name, game from {table}"), &[]).await?;
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
        .await
    }
}

#[async_trait]
impl Takeover for Postgres {
    async fn names(&self) -> Result<Vec<(Hashed, GameId)>, StoreError> {
        self.all_named("names").await
    }

    async fn series(&self) -> Result<Vec<(Hashed, GameId)>, StoreError> {
        self.all_named("series").await
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

    async fn put(
        &self,
        id: GameId,
        game: SavedGame,
        name: Option<Hashed>,
    ) -> Result<(), StoreError> {
        let (game, seats) = (&game, &game.news.seats);
        self.write(|mut db, attempt| async move {
            let tx = db.transaction().await?;
            let insert = tx
                .prepare_cached(
                    "insert into games
                     (id, kind, rules, setup, seed, luck, practice, created_at, outcome, winner,
                      ended, last_at, turns, card, computer_due, words, lone)
                     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                             $16, $17)",
                )
                .await?;
            tx.execute(
                &insert,
                &[
                    &i64::from(id.number()),
                    &game.kind,
                    &(game.rules as i32),
                    &game.setup,
                    &(game.seed as i64),
                    &(game.luck as i64),
                    &game.practice,
                    &game.created_at,
                    &game.outcome,
                    &game.winner.map(|seat| i16::from(seat.0)),
                    &game.outcome.is_some(),
                    &game.last_at,
                    &(game.news.turns.len() as i64),
                    &game.glimpse,
                    &game.computer_due,
                    &words::text(id, &game.kind, seats),
                    &words::is_lone(&game.kind, &game.setup, seats),
                ],
            )
            .await?;
            if let Some(name) = name {
                rows::insert_name(&tx, id, name).await?;
            }
            for seat in seats {
                insert_seat(&tx, id, seat).await?;
            }
            insert_terms(&tx, id, seats).await?;
            for connection in &game.news.connections {
                insert_connection(&tx, id, *connection).await?;
            }
            let mut turns = Columns::default();
            game.news.turns.iter().for_each(|turn| turns.push(id, turn, &Gist::default()));
            turns.copy(&tx).await?;
            attempt.sends();
            tx.commit().await
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
