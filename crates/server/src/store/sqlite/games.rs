//! Games and their turns, in the file.

use async_trait::async_trait;
use rules::Seat;
use rusqlite::{Connection, OptionalExtension, params};

use super::{
    Sqlite,
    rows::{
        has_turn, insert_connection, insert_game, insert_name, insert_seat, insert_terms,
        insert_turn, named, news, speaks_for, touch,
    },
};
use crate::{
    ids::GameId,
    store::{
        ChangedGame, Created, Games, Gist, Hashed, Link, News, Opener, SavedGame, SavedSeat,
        SavedTurn, StoreError,
    },
};

#[async_trait]
impl Games for Sqlite {
    async fn create(&self, game: SavedGame) -> Result<Created, StoreError> {
        self.write(move |db| {
            if let Some(name) = game.name
                && let Some(taken) = named(db, name)?
            {
                return Ok(Created::NameTaken(taken));
            }
            if !insert_game(db, &game)? {
                let same = db
                    .prepare_cached(
                        "select 1 from games where id = ? and seed = ? and created_at = ?",
                    )?
                    .exists(params![game.id.number(), game.seed as i64, game.created_at])?;
                return Ok(if same { Created::New } else { Created::IdTaken });
            }
            insert_name(db, game.id, game.name)?;
            let News { seats, turns, connections } = &game.news;
            for seat in seats {
                insert_seat(db, game.id, seat)?;
            }
            for connection in connections {
                insert_connection(db, game.id, *connection)?;
            }
            insert_terms(db, game.id, seats)?;
            for turn in turns {
                insert_turn(db, game.id, turn)?;
            }
            Ok(Created::New)
        })
        .await
    }

    async fn sit(
        &self,
        ChangedGame { id: game, .. }: ChangedGame,
        seat: SavedSeat,
        connections: Vec<Hashed>,
    ) -> Result<bool, StoreError> {
        self.write(move |db| {
            if !insert_seat(db, game, &seat)? {
                return speaks_for(db, game, seat.seat, &connections);
            }
            for connection in &connections {
                insert_connection(db, game, (*connection, seat.seat))?;
            }
            touch(db, game, seat.at)?;
            Ok(true)
        })
        .await
    }

    async fn relink(
        &self,
        ChangedGame { id: game, .. }: ChangedGame,
        seat: Seat,
        (from, to): (Link, Link),
        opener: Option<Opener>,
    ) -> Result<bool, StoreError> {
        self.write(move |db| {
            // As the newest row it is noticed by the other processes.
            let changed = db
                .prepare_cached(
                    "update seats
                     set rowid = (select max(rowid) + 1 from seats), links = ?, opened = ?,
                     name = coalesce(?, name), at = coalesce(?, at)
                     where game = ? and seat = ? and links = ? and opened = ?",
                )?
                .execute(params![
                    to.number,
                    to.opened,
                    opener.as_ref().and_then(|opener| opener.name.as_ref()),
                    opener.as_ref().map(|opener| opener.at),
                    game.number(),
                    seat.0,
                    from.number,
                    from.opened
                ])?;
            if let Some(opener) = opener.as_ref().filter(|_| changed == 1) {
                if let Some(key) = opener.key {
                    insert_connection(db, game, (key, seat))?;
                }
                touch(db, game, opener.at)?;
            }
            Ok(changed == 1)
        })
        .await
    }

    async fn count_refused(&self, game: GameId, seat: Seat) -> Result<(), StoreError> {
        self.write(move |db| {
            let sql = "update seats set refused = refused + 1 where game = ? and seat = ?";
            db.prepare_cached(sql)?.execute(params![game.number(), seat.0]).map(drop)
        })
        .await
    }

    async fn named(&self, name: Hashed) -> Result<Option<GameId>, StoreError> {
        self.read(move |db| named(db, name)).await
    }

    async fn set_named(&self, name: Hashed, game: GameId) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("insert or replace into names values (?, ?)")?
                .execute(params![name.0, game.number()])
                .map(drop)
        })
        .await
    }

    async fn append(
        &self,
        ChangedGame { id: game, .. }: ChangedGame,
        saved: SavedTurn,
        after: Gist,
    ) -> Result<bool, StoreError> {
        self.write(move |db| append_turn(db, game, &saved, &after)).await
    }

    async fn append_again(
        &self,
        ChangedGame { id: game, .. }: ChangedGame,
        saved: SavedTurn,
        after: Gist,
    ) -> Result<bool, StoreError> {
        self.write(move |db| {
            Ok(append_turn(db, game, &saved, &after)? || has_turn(db, game, &saved)?)
        })
        .await
    }

    async fn load(&self, game: GameId) -> Result<Option<SavedGame>, StoreError> {
        self.read(move |db| {
            let saved = db
                .prepare_cached(
                    "select kind, rules, setup, seed, luck, practice, created_at, outcome, winner,
                     last_at, card, computer_due from games where id = ?",
                )?
                .query_row([game.number()], |row| {
                    Ok(SavedGame {
                        id: game,
                        name: None,
                        kind: row.get(0)?,
                        rules: row.get(1)?,
                        setup: row.get(2)?,
                        seed: row.get::<_, i64>(3)? as u64,
                        luck: row.get::<_, i64>(4)? as u64,
                        practice: row.get(5)?,
                        created_at: row.get(6)?,
                        outcome: row.get(7)?,
                        winner: row.get::<_, Option<u8>>(8)?.map(Seat),
                        last_at: row.get(9)?,
                        glimpse: row.get(10)?,
                        computer_due: row.get(11)?,
                        news: News::default(),
                    })
                })
                .optional()?;
            let Some(mut saved) = saved else { return Ok(None) };
            saved.news = news(db, game, 0)?;
            Ok(Some(saved))
        })
        .await
    }

    async fn news(&self, game: GameId, known: u32) -> Result<News, StoreError> {
        self.read(move |db| news(db, game, known)).await
    }
}

/// False if that number is taken.
fn append_turn(
    db: &Connection,
    game: GameId,
    saved: &SavedTurn,
    after: &Gist,
) -> rusqlite::Result<bool> {
    if !insert_turn(db, game, saved)? {
        return Ok(false);
    }
    db.prepare_cached(
        "update games set last_at = ?, turns = ?, computer_due = ?, card = ? where id = ?",
    )?
    .execute(params![
        saved.at,
        saved.turn.number,
        after.computer_due,
        after.glimpse,
        game.number()
    ])?;
    // Apart, for an index goes by it, which would be written anew with every turn.
    if let Some(outcome) = &after.outcome {
        db.prepare_cached("update games set outcome = ?, winner = ?, ended = 1 where id = ?")?
            .execute(params![outcome.text, outcome.winner().map(|seat| seat.0), game.number()])?;
    }
    Ok(true)
}
