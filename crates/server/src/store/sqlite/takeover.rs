//! Taking over what another store has kept, into the file.

use async_trait::async_trait;
use rusqlite::params;

use super::{
    Sqlite,
    rows::{insert_connection, insert_name, insert_seat, insert_turn},
};
use crate::{
    ids::GameId,
    store::{Hashed, SavedGame, StoreError, Takeover},
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

    async fn put(
        &self,
        id: GameId,
        game: SavedGame,
        name: Option<Hashed>,
    ) -> Result<(), StoreError> {
        self.write(move |db| {
            // What lists show of it is filled in later.
            db.prepare_cached(
                "insert into games
                 (id, kind, rules, setup, seed, created_at, outcome, winner, policy)
                 values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![
                id.number(),
                game.kind,
                game.rules,
                game.setup,
                game.seed as i64,
                game.created_at,
                game.outcome,
                game.winner.map(|seat| seat.0),
                game.policy
            ])?;
            insert_name(db, id, name)?;
            for seat in &game.news.seats {
                insert_seat(db, id, seat)?;
            }
            for connection in game.news.connections {
                insert_connection(db, id, Some(connection))?;
            }
            for saved in &game.news.turns {
                insert_turn(db, id, saved)?;
            }
            Ok(())
        })
        .await
    }

    async fn adopt(&self, secret: &[u8]) -> Result<(), StoreError> {
        let secret = secret.to_owned();
        self.write(move |db| db.execute("update secret set key = ?", [secret]).map(drop)).await
    }
}
