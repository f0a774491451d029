//! Rows of the tables, and what they mean.

use rules::{Seat, Turn};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{
    ids::GameId,
    store::{Hashed, Link, Millis, News, SavedGame, SavedSeat, SavedTurn, words},
};

/// False if the id is taken.
pub fn insert_game(db: &Connection, game: &SavedGame) -> rusqlite::Result<bool> {
    let seats = &game.news.seats;
    let inserted = db
        .prepare_cached(
            "insert into games
             (id, kind, rules, setup, seed, luck, practice, created_at, outcome, winner, ended,
              last_at, turns, card, computer_due, words, lone)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing",
        )?
        .execute(params![
            game.id.number(),
            game.kind,
            game.rules,
            game.setup,
            game.seed as i64,
            game.luck as i64,
            game.practice,
            game.created_at,
            game.outcome,
            game.winner.map(|seat| seat.0),
            game.outcome.is_some(),
            game.last_at,
            game.news.turns.len() as u32,
            game.glimpse,
            game.computer_due,
            words::text(game.id, &game.kind, seats),
            words::is_lone(&game.kind, &game.setup, seats)
        ])?;
    Ok(inserted == 1)
}

pub fn insert_seat(db: &Connection, game: GameId, seat: &SavedSeat) -> rusqlite::Result<bool> {
    let inserted = db
        .prepare_cached(
            "insert into seats
                 (game, seat, player, name, manner, at, links, opened, refused)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing",
        )?
        .execute(params![
            game.number(),
            seat.seat.0,
            seat.player.to_string(),
            seat.name,
            seat.manner,
            seat.at,
            seat.link.number,
            seat.link.opened,
            seat.refused
        ])?;
    Ok(inserted == 1)
}

pub fn insert_connection(
    db: &Connection,
    game: GameId,
    (connection, seat): (Hashed, Seat),
) -> rusqlite::Result<()> {
    db.prepare_cached("insert or replace into connections values (?, ?, ?)")?
        .execute(params![game.number(), connection.0, seat.0])
        .map(drop)
}

pub fn insert_name(db: &Connection, game: GameId, name: Option<Hashed>) -> rusqlite::Result<()> {
    let Some(name) = name else { return Ok(()) };
    db.prepare_cached("insert into names values (?, ?)")?
        .execute(params![name.0, game.number()])
        .map(drop)
}

/// Whether one of the connections speaks for the seat.
pub fn speaks_for(
    db: &Connection,
    game: GameId,
    seat: Seat,
    connections: &[Hashed],
) -> rusqlite::Result<bool> {
    let mut statement = db.prepare_cached(
        "select 1 from connections where game = ? and connection = ? and seat = ?",
    )?;
    for connection in connections {
        if statement.exists(params![game.number(), connection.0, seat.0])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether that turn is there, down to its time and its key.
pub fn has_turn(db: &Connection, game: GameId, saved: &SavedTurn) -> rusqlite::Result<bool> {
    let SavedTurn { turn, at, request, .. } = saved;
    db.prepare_cached(
        "select 1 from turns where game = ? and number = ? and seat = ? and move = ? and at = ?
         and request is ?",
    )?
    .exists(params![game.number(), turn.number, turn.seat.0, turn.text, at, request])
}

/// False if that number is taken.
pub fn insert_turn(db: &Connection, game: GameId, saved: &SavedTurn) -> rusqlite::Result<bool> {
    let SavedTurn { turn, at, request, comment, refused, loose, tokens } = saved;
    let inserted = db
        .prepare_cached(
            "insert into turns (game, number, seat, move, at, report, request, comment, refused,
                                loose, tokens)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, coalesce(
                 ?9, (select refused from seats where game = ?1 and seat = ?3), 0
             ), ?10, ?11) on conflict do nothing",
        )?
        .execute(params![
            game.number(),
            turn.number,
            turn.seat.0,
            turn.text,
            at,
            turn.report,
            request,
            comment,
            refused,
            loose,
            tokens
        ])?;
    Ok(inserted == 1)
}

pub fn named(db: &Connection, name: Hashed) -> rusqlite::Result<Option<GameId>> {
    db.prepare_cached("select game from names where name = ?")?
        .query_row([name.0], |row| Ok(GameId::from_number(row.get(0)?)))
        .optional()
}

pub fn news(db: &Connection, game: GameId, known: u32) -> rusqlite::Result<News> {
    let seats = seats(db, game)?;
    let turns = db
        .prepare_cached(
            "select number, seat, move, report, at, request, comment, refused, loose, tokens
             from turns where game = ? and number > ? order by number",
        )?
        .query_map(params![game.number(), known], |row| {
            let turn = Turn {
                number: row.get(0)?,
                seat: Seat(row.get(1)?),
                text: row.get(2)?,
                report: row.get(3)?,
            };
            Ok(SavedTurn {
                turn,
                at: row.get(4)?,
                request: row.get(5)?,
                comment: row.get(6)?,
                refused: row.get(7)?,
                loose: row.get(8)?,
                tokens: row.get(9)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    let connections = db
        .prepare_cached("select connection, seat from connections where game = ?")?
        .query_map([game.number()], |row| Ok((Hashed(row.get(0)?), Seat(row.get(1)?))))?
        .collect::<Result<_, _>>()?;
    Ok(News { seats, turns, connections })
}

pub fn seats(db: &Connection, game: GameId) -> rusqlite::Result<Vec<SavedSeat>> {
    db.prepare_cached(
        "select seat, player, name, manner, at, links, opened, refused from seats
         where game = ?",
    )?
    .query_map([game.number()], seat_row)?
    .collect()
}

/// Notes that somebody has sat down, by whose name the game is found from now on.
pub fn touch(db: &Connection, game: GameId, at: Millis) -> rusqlite::Result<()> {
    let sql = "update games set last_at = max(last_at, ?) where id = ? returning kind, setup";
    let (kind, setup): (String, String) = db
        .prepare_cached(sql)?
        .query_row(params![at, game.number()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let seats = seats(db, game)?;
    let (words, lone) = (words::text(game, &kind, &seats), words::is_lone(&kind, &setup, &seats));
    db.prepare_cached("update games set words = ?, lone = ? where id = ?")?.execute(params![
        words,
        lone,
        game.number()
    ])?;
    insert_terms(db, game, &seats)
}

/// Has the names of those who sit there lead to the game.
pub fn insert_terms(db: &Connection, game: GameId, seats: &[SavedSeat]) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached("insert or ignore into terms values (?, ?)")?;
    for term in seats.iter().flat_map(|seat| words::words(&seat.name)) {
        insert.execute(params![term, game.number()])?;
    }
    Ok(())
}

fn seat_row(row: &Row) -> rusqlite::Result<SavedSeat> {
    let player: String = row.get(1)?;
    let player = player.parse().map_err(|e: crate::player::NotAPlayer| {
        rusqlite::Error::FromSqlConversionFailure(1, rusqlite::types::Type::Text, Box::new(e))
    })?;
    Ok(SavedSeat {
        seat: Seat(row.get(0)?),
        player,
        name: row.get(2)?,
        manner: row.get(3)?,
        at: row.get(4)?,
        link: Link { number: row.get(5)?, opened: row.get(6)? },
        refused: row.get(7)?,
    })
}
