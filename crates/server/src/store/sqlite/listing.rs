//! Lists, read from the file.

use async_trait::async_trait;
use rules::Seat;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params_from_iter, types::ToSqlOutput};

use super::{Sqlite, rows::seats};
use crate::{
    ids::GameId,
    store::{
        GameLists, ListedGame, ListedGames, Millis, StoreError, Wanted,
        listing::{self, COUNT_KIND, Listing, Query, SqlDialect, Value},
        now,
    },
};

pub const DIALECT: SqlDialect = SqlDialect { sign: '?', find: "instr" };

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Value::Number(number) => number.to_sql(),
            Value::Text(text) => text.to_sql(),
            Value::Bytes(bytes) => bytes.to_sql(),
        }
    }
}

#[async_trait]
impl GameLists for Sqlite {
    async fn list(&self, wanted: Wanted) -> Result<ListedGames, StoreError> {
        self.read(move |db| list(db, &wanted)).await
    }

    async fn entry(&self, game: GameId) -> Result<Option<ListedGame>, StoreError> {
        self.read(move |db| entry(db, game)).await
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
        let sql = "select id from games where computer_due = true order by last_at limit ?";
        self.read(move |db| {
            db.prepare_cached(sql)?
                .query_map([most], |row| Ok(GameId::from_number(row.get(0)?)))?
                .collect()
        })
        .await
    }
}

fn list(db: &Connection, wanted: &Wanted) -> rusqlite::Result<ListedGames> {
    if wanted.is_vain() {
        return Ok(ListedGames::default());
    }
    // All of it as it is at one time, and the file is taken once and not for each game.
    let db = &db.unchecked_transaction()?;
    let listing = Listing::new(DIALECT, wanted, now());
    let counts = match listing.counts() {
        Some(query) => ask(db, query, |row| {
            (0..row.as_ref().column_count()).map(|at| row.get(at)).collect::<Result<Vec<i64>, _>>()
        })?
        .concat(),
        None => Vec::new(),
    };
    let mut games = ask(db, listing.games(&counts), listed)?;
    let ends = match listing.ends(&counts, games.len()) {
        Some(query) => {
            ask(db, query, |row| Ok((row.get::<_, Millis>(0)?, GameId::from_number(row.get(1)?))))?
        }
        None => Vec::new(),
    };
    for game in &mut games {
        game.seats = seats(db, game.id)?;
    }
    Ok(ListedGames::new(wanted, games, ends))
}

fn entry(db: &Connection, id: GameId) -> rusqlite::Result<Option<ListedGame>> {
    let sql = listing::one(DIALECT);
    let game = db.prepare_cached(&sql)?.query_row([id.number()], listed).optional()?;
    let Some(game) = game else { return Ok(None) };
    Ok(Some(ListedGame { seats: seats(db, id)?, ..game }))
}

fn ask<T>(
    db: &Connection,
    query: Query,
    read: impl FnMut(&Row) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    db.prepare_cached(&query.sql)?.query_map(params_from_iter(query.values), read)?.collect()
}

fn listed(row: &Row) -> rusqlite::Result<ListedGame> {
    Ok(ListedGame {
        id: GameId::from_number(row.get(0)?),
        kind: row.get(1)?,
        created_at: row.get(2)?,
        last_at: row.get(3)?,
        turns: row.get(4)?,
        outcome: row.get(5)?,
        winner: row.get::<_, Option<u8>>(6)?.map(Seat),
        glimpse: row.get(7)?,
        yours: row.get::<_, Option<u8>>(8)?.map(Seat),
        practice: row.get(9)?,
        seats: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };

    use rusqlite::StatementStatus;

    use super::{super::open, *};
    use crate::store::{
        Order, Progress, Whose,
        tests::crowd::{Sql, crowd},
    };

    /// The most that one list may take, in steps of SQLite's machine. To go through all games of
    /// the crowd takes several times as many.
    const MOST_STEPS: u32 = 80_000;
    const GAMES: u32 = 100_000;

    #[test]
    fn no_list_goes_through_all_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let mut db = open::connect(&path).expect("a connection");
        db.execute_batch(&format!("begin; {} commit;", crowd(Sql::Sqlite, GAMES)))
            .expect("a crowd");
        let steps = Arc::new(AtomicU32::new(0));
        let counter = steps.clone();
        let count = move || {
            counter.fetch_add(100, Ordering::Relaxed);
            false
        };
        db.progress_handler(100, Some(count)).expect("it can be counted");
        db.query_row("select count(*) from games where words like '%z%'", [], |_| Ok(()))
            .expect("all are gone through");
        let all = steps.swap(0, Ordering::Relaxed);
        assert!(all > 4 * MOST_STEPS, "{all}");
        let usual = Wanted::of(vec!["chess", "dungeon"], 50);
        let check = |found: usize, change: &dyn Fn(&mut Wanted)| {
            let mut wanted = usual.clone();
            change(&mut wanted);
            let list = list(&db, &wanted).expect("a list");
            let taken = steps.swap(0, Ordering::Relaxed);
            assert_eq!(list.games.len(), found, "{wanted:?}");
            assert!(taken < MOST_STEPS, "{taken} steps for {wanted:?}");
            list.next
        };
        let next = check(50, &|_| {});
        check(50, &|wanted| wanted.before = next);
        check(50, &|wanted| wanted.progress = Progress::Live);
        check(50, &|wanted| wanted.progress = Progress::Over);
        check(50, &|wanted| wanted.progress = Progress::Asleep);
        check(50, &|wanted| wanted.order = Order::Newest);
        check(10, &|wanted| {
            (wanted.limit, wanted.whose) = (10, Whose::LoneAgents);
            wanted.progress = Progress::Unfinished;
        });
        check(0, &|wanted| wanted.kinds = vec!["league"]);
        // Seventy of the eighty: the others are matches.
        let found = check(50, &|wanted| wanted.text = "p7x".into());
        assert!(found.is_some(), "there are more");
        check(23, &|wanted| {
            (wanted.text, wanted.limit) = ("p7x".into(), 200);
            wanted.progress = Progress::Unfinished;
        });
        check(50, &|wanted| wanted.text = "claude".into());
        check(50, &|wanted| wanted.text = "ag chess claude".into());
        check(0, &|wanted| wanted.text = "nobody".into());
        check(0, &|wanted| wanted.text = "agent nobody".into());
        check(50, &|wanted| wanted.text = "f".into());
    }

    /// With many kinds that takes longer than to answer it.
    #[test]
    fn how_a_list_is_found_is_worked_out_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let db = open::connect(&path).expect("a connection");
        let wanted = Wanted::of(rules::KINDS.iter().map(|kind| kind.name).collect(), 50);
        let query = Listing::new(DIALECT, &wanted, now()).games(&[]);
        let mut question = db.prepare(&query.sql).expect("a question");
        for _ in 0..3 {
            question
                .query(params_from_iter(&query.values))
                .expect("an answer")
                .next()
                .expect("none");
        }
        assert_eq!(question.get_status(StatementStatus::RePrepare), 0);
    }

    #[test]
    fn a_search_that_leaves_off_goes_on_where_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agon.db");
        open::prepare(&path).expect("a store");
        let db = open::connect(&path).expect("a connection");
        db.execute_batch(&format!("begin; {} commit;", crowd(Sql::Sqlite, 45_000)))
            .expect("a crowd");
        // Of a kind of player that is common elsewhere only the oldest games have any.
        let sql = "update games set words = replace(words, ' computer', ' human') where seed > 9";
        db.execute(sql, []).expect("they are changed");
        let text = "computer".into();
        let mut wanted = Wanted { text, ..Wanted::of(vec!["chess"], 50) };
        let (mut seen, mut parts) = (std::collections::HashSet::new(), 0);
        loop {
            let part = list(&db, &wanted).expect("a list");
            parts += 1;
            seen.extend(part.games.iter().map(|game| game.id));
            match part.next {
                Some(next) => wanted.before = Some(next),
                None => break,
            }
        }
        assert_eq!((seen.len(), parts), (9, 2));
    }
}
