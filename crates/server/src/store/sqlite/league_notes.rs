//! Match logs of leagues, in the file.

use async_trait::async_trait;
use rusqlite::{Connection, params};

use super::Sqlite;
use crate::{
    ids::GameId,
    store::{LeagueNotes, LoggedMessages, MOST_LOGGED, Millis, StoreError, may_be_too_many, now},
};

#[async_trait]
impl LeagueNotes for Sqlite {
    async fn add_to_match_log(&self, logged: Vec<LoggedMessages>) -> Result<(), StoreError> {
        self.write(move |db| keep(db, &logged)).await
    }

    async fn match_log(
        &self,
        league: GameId,
        contest: &str,
    ) -> Result<Vec<LoggedMessages>, StoreError> {
        let contest = contest.to_owned();
        self.read(move |db| {
            db.prepare_cached(
                "select player, at, until, text from match_log where game = ? and contest = ?
                 order by rowid",
            )?
            .query_map(params![league.number(), contest], |row| {
                let (player, at, until, text) =
                    (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                Ok(LoggedMessages { league, contest: contest.clone(), player, at, until, text })
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
            db.prepare_cached("update match_log set until = ? where game = ? and contest = ?")?
                .execute(params![until, league.number(), contest])
                .map(drop)
        })
        .await
    }
}

fn keep(db: &Connection, logged: &[LoggedMessages]) -> rusqlite::Result<()> {
    for logged in logged {
        db.prepare_cached(
            "insert into match_log (game, contest, player, at, until, text)
             values (?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            logged.league.number(),
            logged.contest,
            logged.player,
            logged.at,
            logged.until,
            logged.text
        ])?;
    }
    db.prepare_cached("delete from match_log where until < ?")?.execute([now()])?;
    let last = db.last_insert_rowid();
    if may_be_too_many(last - logged.len() as i64, last) {
        db.prepare_cached(
            "delete from match_log where rowid not in
             (select rowid from match_log order by until desc, rowid desc limit ?)",
        )?
        .execute([MOST_LOGGED])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };

    use super::{super::open, *};

    #[test]
    fn a_message_that_is_kept_for_long_does_not_make_the_others_dear() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let mut db = open::connect(&path).expect("a connection");
        db.execute_batch(
            "insert into games (id, kind, rules, setup, seed, luck, practice, created_at, last_at,
                                turns, lone, computer_due, words, card)
             values (1, 'league', 1, '', 1, 1, 0, 1, 1, 0, 0, 0, '', '');
             with recursive many (n) as (values (100000) union all select n + 1 from many
                                         where n < 105000)
             insert into match_log select n, 1, 'R1M1', 'P01', 1, 1 << 60, '' from many;
             insert into match_log values (1, 1, 'R1M1', 'P01', 1, 1 << 60, '')",
        )
        .expect("logged");
        let steps = Arc::new(AtomicU32::new(0));
        let counter = steps.clone();
        let count = move || counter.fetch_add(1, Ordering::Relaxed) == u32::MAX;
        db.progress_handler(1, Some(count)).expect("it can be counted");
        let league = GameId::from_number(1);
        let [contest, player, text] = ["R1M1", "P01", "hello"].map(str::to_owned);
        let logged = LoggedMessages { league, contest, player, at: 1, until: 1 << 60, text };
        keep(&db, &[logged]).expect("it is kept");
        let steps = steps.load(Ordering::Relaxed);
        assert!(steps < 1000, "{steps} steps");
    }
}
