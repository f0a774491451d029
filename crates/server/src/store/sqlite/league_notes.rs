//! What leagues keep beside their games, in the file.

use async_trait::async_trait;
use rusqlite::{OptionalExtension, params};

use super::Sqlite;
use crate::{
    ids::GameId,
    store::{Hashed, LeagueNotes, Letter, MOST_LETTERS, Millis, StoreError, now},
};

/// Counted by the ids, what is missing in between being few: the first and the last are each found by
/// a look, and by going through all of them where one question asks for both.
pub(super) const KEPT: &str =
    "select (select max(rowid) from letters) - (select min(rowid) from letters) + 1";

#[async_trait]
impl LeagueNotes for Sqlite {
    async fn newest(&self, series: Hashed) -> Result<Option<GameId>, StoreError> {
        self.read(move |db| {
            db.prepare_cached("select game from series where name = ?")?
                .query_row([series.0], |row| Ok(GameId::from_number(row.get(0)?)))
                .optional()
        })
        .await
    }

    async fn set_newest(&self, series: Hashed, game: GameId) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("insert or replace into series values (?, ?)")?
                .execute(params![series.0, game.number()])
                .map(drop)
        })
        .await
    }

    async fn keep_letters(&self, letters: Vec<Letter>) -> Result<(), StoreError> {
        self.write(move |db| {
            for letter in &letters {
                db.prepare_cached(
                    "insert into letters (game, contest, player, at, until, text)
                     values (?, ?, ?, ?, ?, ?)",
                )?
                .execute(params![
                    letter.league.number(),
                    letter.contest,
                    letter.player,
                    letter.at,
                    letter.until,
                    letter.text
                ])?;
            }
            db.prepare_cached("delete from letters where until < ?")?.execute([now()])?;
            let kept: Option<i64> = db.prepare_cached(KEPT)?.query_row([], |row| row.get(0))?;
            if kept.is_some_and(|kept| kept > MOST_LETTERS + MOST_LETTERS / 10) {
                db.prepare_cached(
                    "delete from letters where rowid not in
                     (select rowid from letters order by until desc, rowid desc limit ?)",
                )?
                .execute([MOST_LETTERS])?;
            }
            Ok(())
        })
        .await
    }

    async fn letters(&self, league: GameId, contest: &str) -> Result<Vec<Letter>, StoreError> {
        let contest = contest.to_owned();
        self.read(move |db| {
            db.prepare_cached(
                "select player, at, until, text from letters where game = ? and contest = ?
                 order by rowid",
            )?
            .query_map(params![league.number(), contest], |row| {
                let (player, at, until, text) =
                    (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                Ok(Letter { league, contest: contest.clone(), player, at, until, text })
            })?
            .collect()
        })
        .await
    }

    async fn keep_longer(
        &self,
        league: GameId,
        contest: &str,
        until: Millis,
    ) -> Result<(), StoreError> {
        let contest = contest.to_owned();
        self.write(move |db| {
            db.prepare_cached("update letters set until = ? where game = ? and contest = ?")?
                .execute(params![until, league.number(), contest])
                .map(drop)
        })
        .await
    }
}
