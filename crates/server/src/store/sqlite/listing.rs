//! Lists, read from the file.

use rules::Seat;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params_from_iter, types::ToSqlOutput};

use super::rows::seats;
use crate::{
    hall::GameId,
    store::{
        ListedGame, ListedGames, Millis, Wanted,
        listing::{self, Dialect, Listing, Query, Value},
        now,
    },
};

pub const DIALECT: Dialect = Dialect { sign: '?', find: "instr" };

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Value::Number(number) => number.to_sql(),
            Value::Text(text) => text.to_sql(),
            Value::Bytes(bytes) => bytes.to_sql(),
        }
    }
}

pub fn list(db: &Connection, wanted: &Wanted) -> rusqlite::Result<ListedGames> {
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

pub fn entry(db: &Connection, id: GameId) -> rusqlite::Result<Option<ListedGame>> {
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
        card: row.get(7)?,
        yours: row.get::<_, Option<u8>>(8)?.map(Seat),
        seats: Vec::new(),
    })
}
