//! The store on SQLite: what is written and read, in SQL. Where that happens is in `worker`.

mod file;
mod listing;
mod open;
mod rows;
mod watch;
mod worker;

pub use file::free_space;

use std::{path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use rules::Seat;
use rusqlite::{Connection, OptionalExtension, Row, params};
use tokio::sync::broadcast;

use self::{
    file::StoreFile,
    rows::{
        has_turn, insert_connection, insert_name, insert_seat, insert_terms, insert_turn, named,
        news, speaks_for, touch,
    },
    worker::Worker,
};
use super::{
    Age, Change, Created, Gist, Hashed, Letter, Link, ListedGame, ListedGames, MOST_FOLLOWED,
    MOST_LETTERS, Millis, NewGame, News, OpenError, Opener, SavedGame, SavedSeat, SavedTurn, Store,
    StoreError, Tries, Wanted, listing::COUNT_KIND, now, words,
};
use crate::ids::GameId;

const HOUR: Millis = 60 * 60 * 1000;
/// A store that has taken a change so lately takes another.
const FRESH: Duration = Duration::from_secs(5);

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Failed(error.to_string().into())
    }
}

/// What ends later than any lease can began before the clock was set back.
const LAPSED: &str = "select duty from duties where duty like :duties
     and (until between :now - :within and :now or until > :now + :within)";

const TIDY: [&str; 3] = [
    "delete from subscriptions where session in (select id from sessions where at < ?)",
    "delete from sessions where at < ?",
    "delete from duties where until < ? or until > ?",
];

/// How many questions are read at once.
const READERS: usize = 4;

pub struct Sqlite {
    writer: Worker,
    readers: Worker,
    elsewhere: broadcast::Sender<Change>,
    secret: Arc<[u8]>,
    file: StoreFile,
}

/// Looks, and brings nothing up to date.
pub fn age(path: &Path) -> Result<Age, OpenError> {
    open::age(path)
}

impl Sqlite {
    pub fn open(path: &Path) -> Result<Sqlite, OpenError> {
        open::prepare(path)?;
        let file = StoreFile::find(path).map_err(|e| OpenError::Io(path.into(), e))?;
        let connect =
            |path: &Path| open::connect(path).map_err(|e| OpenError::Sqlite(path.into(), e));
        let writer = connect(path)?;
        let secret = writer
            .query_row("select key from secret", [], |row| row.get::<_, Vec<u8>>(0))
            .map_err(|e| OpenError::Sqlite(path.into(), e))?;
        let readers = (0..READERS).map(|_| connect(path)).collect::<Result<_, _>>()?;
        Ok(Sqlite {
            writer: Worker::writer(writer, file.clone()),
            readers: Worker::readers(readers),
            elsewhere: watch::start(connect(path)?, path),
            secret: secret.into(),
            file,
        })
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.ask(work).await
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers.ask(work).await
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
        "update games set outcome = ?, winner = ?, ended = ?, last_at = ?, turns = ?,
         computer_due = ?, card = ? where id = ?",
    )?
    .execute(params![
        after.outcome.as_ref().map(|outcome| &outcome.text),
        after.outcome.as_ref().and_then(|outcome| Some(outcome.winner()?.0)),
        after.outcome.is_some(),
        saved.at,
        saved.turn.number,
        after.computer_due,
        after.glimpse,
        game.number()
    ])?;
    Ok(true)
}

#[async_trait]
impl Store for Sqlite {
    fn secret(&self) -> &[u8] {
        &self.secret
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.elsewhere.subscribe()
    }

    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        self.write(move |db| {
            if let Some(name) = game.name
                && let Some(taken) = named(db, name)?
            {
                return Ok(Created::NameTaken(taken));
            }
            let inserted = db
                .prepare_cached(
                    "insert into games
                     (id, kind, rules, setup, seed, created_at, last_at, turns, computer_due, card,
                      words, lone, policy)
                     values (?1, ?2, ?3, ?4, ?5, ?6, ?6, 0, ?7, ?8, ?9, ?10, ?11)
                     on conflict do nothing",
                )?
                .execute(params![
                    game.id.number(),
                    game.kind,
                    game.rules,
                    game.setup,
                    game.seed as i64,
                    game.created_at,
                    game.gist.computer_due,
                    game.gist.glimpse,
                    words::text(game.id, game.kind, &game.seats),
                    words::is_lone(game.kind, &game.setup, &game.seats),
                    game.policy.name()
                ])?;
            if inserted == 0 {
                let same = db
                    .prepare_cached(
                        "select 1 from games where id = ? and seed = ? and created_at = ?",
                    )?
                    .exists(params![game.id.number(), game.seed as i64, game.created_at])?;
                return Ok(if same { Created::New } else { Created::IdTaken });
            }
            insert_name(db, game.id, game.name)?;
            for seat in &game.seats {
                insert_seat(db, game.id, seat)?;
            }
            insert_connection(db, game.id, game.connection)?;
            insert_terms(db, game.id, &game.seats)?;
            Ok(Created::New)
        })
        .await
    }

    async fn sit(
        &self,
        game: GameId,
        seat: SavedSeat,
        connections: Vec<Hashed>,
    ) -> Result<bool, StoreError> {
        self.write(move |db| {
            if !insert_seat(db, game, &seat)? {
                return speaks_for(db, game, seat.seat, &connections);
            }
            for connection in connections {
                insert_connection(db, game, Some((connection, seat.seat)))?;
            }
            touch(db, game, seat.at)?;
            Ok(true)
        })
        .await
    }

    async fn relink(
        &self,
        game: GameId,
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
            if let Some(opener) = opener.filter(|_| changed == 1) {
                insert_connection(db, game, opener.key.map(|key| (key, seat)))?;
                touch(db, game, opener.at)?;
            }
            Ok(changed == 1)
        })
        .await
    }

    async fn count_tries(&self, game: GameId, seat: Seat, more: Tries) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached(
                "update seats set refused = refused + ?, loose = loose + ?
                 where game = ? and seat = ?",
            )?
            .execute(params![more.refused, more.loose, game.number(), seat.0])
            .map(drop)
        })
        .await
    }

    async fn named(&self, name: Hashed) -> Result<Option<GameId>, StoreError> {
        self.read(move |db| named(db, name)).await
    }

    async fn append(
        &self,
        game: GameId,
        saved: SavedTurn,
        after: Gist,
    ) -> Result<bool, StoreError> {
        self.write(move |db| append_turn(db, game, &saved, &after)).await
    }

    async fn append_again(
        &self,
        game: GameId,
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
                    "select kind, rules, setup, seed, created_at, outcome, winner, policy
                     from games where id = ?",
                )?
                .query_row([game.number()], |row| {
                    Ok(SavedGame {
                        kind: row.get(0)?,
                        rules: row.get(1)?,
                        setup: row.get(2)?,
                        seed: row.get::<_, i64>(3)? as u64,
                        created_at: row.get(4)?,
                        outcome: row.get(5)?,
                        winner: row.get::<_, Option<u8>>(6)?.map(Seat),
                        policy: row.get(7)?,
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

    async fn list(&self, wanted: Wanted) -> Result<ListedGames, StoreError> {
        self.read(move |db| listing::list(db, &wanted)).await
    }

    async fn entry(&self, game: GameId) -> Result<Option<ListedGame>, StoreError> {
        self.read(move |db| listing::entry(db, game)).await
    }

    async fn count(&self, most: u32) -> Result<i64, StoreError> {
        self.read(move |db| {
            db.prepare_cached("select count(*) from (select 1 from games limit ?)")?
                .query_row([most], |row| row.get(0))
        })
        .await
    }

    async fn count_kind(&self, kind: &'static str) -> Result<i64, StoreError> {
        self.read(move |db| db.prepare_cached(COUNT_KIND)?.query_row([kind], |row| row.get(0)))
            .await
    }

    async fn due_to_computer(&self, most: u32) -> Result<Vec<GameId>, StoreError> {
        self.read(move |db| listing::due_to_computer(db, most)).await
    }

    async fn to_fill_in(&self, most: u32) -> Result<Vec<GameId>, StoreError> {
        self.read(move |db| listing::to_fill_in(db, most)).await
    }

    async fn fill_in(&self, games: Vec<(GameId, Option<Gist>)>) -> Result<(), StoreError> {
        self.write(move |db| {
            games.iter().try_for_each(|(game, gist)| listing::fill_in(db, *game, gist.as_ref()))
        })
        .await
    }

    async fn hold(&self, duty: &str, holder: i64, long: Duration) -> Result<bool, StoreError> {
        let duty = duty.to_owned();
        self.write(move |db| {
            let now = now();
            let long = long.as_millis() as Millis;
            let until = if long == 0 { 0 } else { now + long };
            // Nobody's lease reaches that far, unless the clock was set back since it began.
            let too_far = if long == 0 { Millis::MAX } else { now + 2 * long };
            let held = db
                .prepare_cached(
                    "insert into duties values (:duty, :holder, :until)
                     on conflict (duty) do update set holder = :holder, until = :until
                     where holder = :holder or until < :now or until > :too_far",
                )?
                .execute(rusqlite::named_params! {
                    ":duty": duty,
                    ":holder": holder,
                    ":until": until,
                    ":now": now,
                    ":too_far": too_far,
                })?;
            Ok(held == 1)
        })
        .await
    }

    async fn lapsed(&self, kind: &str, within: Duration) -> Result<Vec<String>, StoreError> {
        let duties = format!("{kind} %");
        self.read(move |db| {
            let (now, within) = (now(), within.as_millis() as Millis);
            db.prepare_cached(LAPSED)?
                .query_map(
                    rusqlite::named_params! { ":duties": duties, ":now": now, ":within": within },
                    |row| row.get(0),
                )?
                .collect()
        })
        .await
    }

    async fn save_session(&self, id: Hashed, initialize: String) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("insert or replace into sessions values (?, ?, ?)")?
                .execute(params![id.0, initialize, now()])
                .map(drop)
        })
        .await
    }

    async fn session(&self, id: Hashed) -> Result<Option<String>, StoreError> {
        self.read(move |db| {
            db.prepare_cached("select initialize from sessions where id = ?")?
                .query_row([id.0], |row| row.get(0))
                .optional()
        })
        .await
    }

    async fn forget_session(&self, id: Hashed) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("delete from subscriptions where session = ?")?.execute([id.0])?;
            db.prepare_cached("delete from sessions where id = ?")?.execute([id.0]).map(drop)
        })
        .await
    }

    async fn subscribe(&self, session: Hashed, uri: &str, about: &str) -> Result<bool, StoreError> {
        let (uri, about) = (uri.to_owned(), about.to_owned());
        self.write(move |db| {
            db.prepare_cached(
                "insert or ignore into subscriptions (session, uri, about) select ?1, ?2, ?3
                 where (select count(*) from subscriptions where session = ?1) < ?4",
            )?
            .execute(params![session.0, uri, about, MOST_FOLLOWED])?;
            db.prepare_cached("select 1 from subscriptions where session = ? and uri = ?")?
                .exists(params![session.0, uri])
        })
        .await
    }

    async fn unsubscribe(&self, session: Hashed, uri: &str) -> Result<(), StoreError> {
        let uri = uri.to_owned();
        self.write(move |db| {
            db.prepare_cached("delete from subscriptions where session = ? and uri = ?")?
                .execute(params![session.0, uri])
                .map(drop)
        })
        .await
    }

    async fn subscriptions(
        &self,
        about: Option<Vec<String>>,
    ) -> Result<Vec<(Hashed, String)>, StoreError> {
        let all = "select session, uri from subscriptions";
        self.read(move |db| {
            let row = |row: &Row| Ok((Hashed(row.get(0)?), row.get(1)?));
            let Some(about) = &about else {
                return db.prepare_cached(all)?.query_map([], row)?.collect();
            };
            let mut some = db.prepare_cached(&format!("{all} where about = ?"))?;
            let mut found = Vec::new();
            for about in about.iter().map(String::as_str).chain([""]) {
                found.extend(some.query_map([about], row)?.collect::<Result<Vec<_>, _>>()?);
            }
            Ok(found)
        })
        .await
    }

    async fn tidy(&self, at: Millis) -> Result<(), StoreError> {
        self.write(move |db| {
            let now = now();
            db.execute(TIDY[0], [at])?;
            db.execute(TIDY[1], [at])?;
            db.execute(TIDY[2], [now - HOUR, now + HOUR]).map(drop)
        })
        .await
    }

    async fn say(&self, words: String) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("insert into words (text) values (?)")?.execute([words])?;
            db.prepare_cached("delete from words where rowid <= last_insert_rowid() - 1000")?
                .execute([])
                .map(drop)
        })
        .await
    }

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
            // Counted by the ids, which costs nothing; what is missing in between is few.
            let sql = "select max(rowid) - min(rowid) + 1 from letters";
            let kept: Option<i64> = db.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
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

    async fn ping(&self) -> Result<(), StoreError> {
        self.file.check()?;
        if self.writer.has_saved_within(FRESH) {
            return Ok(());
        }
        self.hold("health", 0, FRESH).await.map(drop)
    }

    async fn settle(&self) -> Result<(), StoreError> {
        self.read(|db| db.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))).await
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upkeep_finds_what_it_needs_by_an_index() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let db = open::connect(&path).expect("a connection");
        for sql in [LAPSED, TIDY[0], TIDY[1], TIDY[2]] {
            let mut plan = db.prepare(&format!("explain query plan {sql}")).expect("a plan");
            let steps = plan.raw_query().mapped(|row| row.get::<_, String>(3));
            let steps: Vec<_> = steps.map(|step| step.expect("a step")).collect();
            let scans = |table| steps.iter().any(|step| step == &format!("SCAN {table}"));
            assert!(!scans("duties") && !scans("sessions"), "{sql}: {steps:?}");
        }
    }
}
