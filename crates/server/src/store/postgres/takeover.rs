//! Taking over what another store has kept, into the database.

use async_trait::async_trait;

use super::{
    Postgres,
    rows::{self, insert_connection, insert_seat},
    turns::Columns,
};
use crate::{
    ids::GameId,
    store::{Gist, Hashed, SavedGame, StoreError, Takeover},
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

    async fn put(
        &self,
        id: GameId,
        game: SavedGame,
        name: Option<Hashed>,
    ) -> Result<(), StoreError> {
        let game = &game;
        self.write(|mut db, attempt| async move {
            let tx = db.transaction().await?;
            let insert = tx
                .prepare_cached(
                    "insert into games
                     (id, kind, rules, setup, seed, created_at, outcome, winner, policy)
                     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
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
                    &game.created_at,
                    &game.outcome,
                    &game.winner.map(|seat| i16::from(seat.0)),
                    &game.policy,
                ],
            )
            .await?;
            if let Some(name) = name {
                rows::insert_name(&tx, id, name).await?;
            }
            for seat in &game.news.seats {
                insert_seat(&tx, id, seat).await?;
            }
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
