//! Games and their seats, in the database. How turns are saved is in `turns`.

use async_trait::async_trait;
use rules::Seat;
use tokio_postgres::types::ToSql;

use super::{
    Postgres,
    rows::{self, insert_connection, insert_seat},
    turns::Columns,
};
use crate::{
    ids::GameId,
    store::{
        Change, ChangedGame, Created, Games, Gist, Hashed, Link, News, Opener, SavedGame,
        SavedSeat, SavedTurn, StoreError, known_kind,
    },
};

#[async_trait]
impl Games for Postgres {
    async fn create(&self, game: SavedGame) -> Result<Created, StoreError> {
        let game = &game;
        let created = self
            .write(|mut db, attempt| async move {
                let tx = db.transaction().await?;
                if !rows::insert_game(&tx, game).await? {
                    tx.rollback().await?;
                    let same = rows::has_game(&db, game).await?;
                    return Ok(if same { Created::New } else { Created::IdTaken });
                }
                if let Some(name) = game.name
                    && !rows::insert_name(&tx, game.id, name).await?
                {
                    tx.rollback().await?;
                    let taken = rows::named(&db, name).await?;
                    return Ok(taken.map_or(Created::IdTaken, Created::NameTaken));
                }
                let News { seats, turns, connections } = &game.news;
                for seat in seats {
                    insert_seat(&tx, game.id, seat).await?;
                }
                for connection in connections {
                    insert_connection(&tx, game.id, *connection).await?;
                }
                rows::insert_terms(&tx, game.id, seats).await?;
                if !turns.is_empty() {
                    Columns::of_game(game.id, turns).insert(&tx).await?;
                }
                attempt.sends();
                tx.commit().await?;
                Ok(Created::New)
            })
            .await?;
        if created == Created::New {
            let kind = known_kind(&game.kind);
            self.announcer.announce(Change::Game { id: game.id, turn: 0, kind });
        }
        Ok(created)
    }

    async fn sit(
        &self,
        ChangedGame { id: game, kind }: ChangedGame,
        sitting: SavedSeat,
        connections: Vec<Hashed>,
    ) -> Result<bool, StoreError> {
        let (sitting, connections) = (&sitting, &connections);
        let sat = self
            .write(|mut db, attempt| async move {
                let tx = db.transaction().await?;
                if !insert_seat(&tx, game, sitting).await? {
                    tx.rollback().await?;
                    // It may be us who sit there since an attempt before.
                    let speak = rows::connections(&db, game).await?;
                    return Ok(connections.iter().any(|c| speak.contains(&(*c, sitting.seat))));
                }
                for connection in connections {
                    insert_connection(&tx, game, (*connection, sitting.seat)).await?;
                }
                rows::touch(&tx, game, sitting.at).await?;
                attempt.sends();
                tx.commit().await?;
                Ok(true)
            })
            .await?;
        if sat {
            self.announcer.announce(Change::Game { id: game, turn: 0, kind: Some(kind) });
        }
        Ok(sat)
    }

    async fn relink(
        &self,
        ChangedGame { id: game, kind }: ChangedGame,
        seat: Seat,
        (from, to): (Link, Link),
        opener: Option<Opener>,
    ) -> Result<bool, StoreError> {
        let opener = opener.as_ref();
        let changed = self
            .write(|mut db, attempt| async move {
                let tx = db.transaction().await?;
                if rows::relink(&tx, game, seat, (from, to), opener).await? {
                    if let Some(key) = opener.and_then(|opener| opener.key) {
                        insert_connection(&tx, game, (key, seat)).await?;
                    }
                    if let Some(opener) = opener {
                        rows::touch(&tx, game, opener.at).await?;
                    }
                    attempt.sends();
                    tx.commit().await?;
                    return Ok(true);
                }
                tx.rollback().await?;
                // It may be us who changed it in the attempt before.
                let seats = rows::seats(&db, game).await?;
                Ok(attempt.again
                    && seats.iter().any(|saved| saved.seat == seat && saved.link == to))
            })
            .await?;
        if changed {
            self.announcer.announce(Change::Game { id: game, turn: 0, kind: Some(kind) });
        }
        Ok(changed)
    }

    async fn count_refused(&self, game: GameId, seat: Seat) -> Result<(), StoreError> {
        self.write(|db, attempt| async move {
            // An attempt whose answer was lost may have counted it.
            if attempt.again {
                return Ok(());
            }
            attempt.sends();
            let sql = "update seats set refused = refused + 1 where game = $1 and seat = $2";
            let parameters: [&(dyn ToSql + Sync); 2] =
                [&i64::from(game.number()), &i16::from(seat.0)];
            db.execute(&db.prepare_cached(sql).await?, &parameters).await.map(drop)
        })
        .await
    }

    async fn named(&self, name: Hashed) -> Result<Option<GameId>, StoreError> {
        self.read(|db, _| async move { rows::named(&db, name).await }).await
    }

    async fn set_named(&self, name: Hashed, game: GameId) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            let sql = "insert into names values ($1, $2)
                       on conflict (name) do update set game = excluded.game";
            db.execute(sql, &[&&name.0[..], &i64::from(game.number())]).await.map(drop)
        })
        .await
    }

    async fn append(
        &self,
        game: ChangedGame,
        saved: SavedTurn,
        after: Gist,
    ) -> Result<bool, StoreError> {
        self.turns.append(game, saved, after, false).await
    }

    async fn append_again(
        &self,
        game: ChangedGame,
        saved: SavedTurn,
        after: Gist,
    ) -> Result<bool, StoreError> {
        self.turns.append(game, saved, after, true).await
    }

    async fn load(&self, game: GameId) -> Result<Option<SavedGame>, StoreError> {
        self.read(|db, _| async move { rows::game(&db, game).await }).await
    }

    async fn news(&self, game: GameId, known: u32) -> Result<News, StoreError> {
        self.read(|db, _| async move { rows::news(&db, game, known).await }).await
    }
}
