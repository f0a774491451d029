//! Rows of the tables, and what they mean.

use std::error::Error as StdError;

use deadpool_postgres::GenericClient;
use futures_util::try_join;
use rules::{Seat, Turn};
use tokio_postgres::{
    Error, Row,
    types::{FromSql, ToSql, Type, accepts},
};

use crate::{
    ids::GameId,
    player::Player,
    store::{Hashed, Link, Millis, News, Opener, SavedGame, SavedSeat, SavedTurn, words},
};

type BadColumn = Box<dyn StdError + Sync + Send>;

impl<'a> FromSql<'a> for Hashed {
    fn from_sql(of: &Type, raw: &'a [u8]) -> Result<Hashed, BadColumn> {
        Ok(Hashed(<&[u8]>::from_sql(of, raw)?.try_into()?))
    }

    accepts!(BYTEA);
}

impl<'a> FromSql<'a> for GameId {
    fn from_sql(of: &Type, raw: &'a [u8]) -> Result<GameId, BadColumn> {
        Ok(GameId::from_number(i64::from_sql(of, raw)?.try_into()?))
    }

    accepts!(INT8);
}

impl<'a> FromSql<'a> for Player {
    fn from_sql(of: &Type, raw: &'a [u8]) -> Result<Player, BadColumn> {
        Ok(<&str>::from_sql(of, raw)?.parse()?)
    }

    accepts!(TEXT);
}

fn seat(row: &Row, at: usize) -> Result<Seat, Error> {
    Ok(Seat(row.try_get::<_, i16>(at)? as u8))
}

pub async fn named(db: &impl GenericClient, name: Hashed) -> Result<Option<GameId>, Error> {
    let statement = db.prepare_cached("select game from names where name = $1").await?;
    let row = db.query_opt(&statement, &[&&name.0[..]]).await?;
    row.map(|row| row.try_get(0)).transpose()
}

/// False if the id is taken.
pub async fn insert_game(db: &impl GenericClient, game: &SavedGame) -> Result<bool, Error> {
    let insert = db
        .prepare_cached(
            "insert into games
             (id, kind, rules, setup, seed, luck, practice, created_at, outcome, winner, ended,
              last_at, turns, card, computer_due, words, lone)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
             on conflict do nothing",
        )
        .await?;
    let seats = &game.news.seats;
    let row: [&(dyn ToSql + Sync); 17] = [
        &i64::from(game.id.number()),
        &game.kind,
        &(game.rules as i32),
        &game.setup,
        &(game.seed as i64),
        &(game.luck as i64),
        &game.practice,
        &game.created_at,
        &game.outcome,
        &game.winner.map(|seat| i16::from(seat.0)),
        &game.outcome.is_some(),
        &game.last_at,
        &(game.news.turns.len() as i64),
        &game.glimpse,
        &game.computer_due,
        &words::text(game.id, &game.kind, seats),
        &words::is_lone(&game.kind, &game.setup, seats),
    ];
    Ok(db.execute(&insert, &row).await? == 1)
}

/// Whether that very game is there.
pub async fn has_game(db: &impl GenericClient, game: &SavedGame) -> Result<bool, Error> {
    let sql = "select from games where id = $1 and seed = $2 and created_at = $3";
    let statement = db.prepare_cached(sql).await?;
    let parameters: [&(dyn ToSql + Sync); 3] =
        [&i64::from(game.id.number()), &(game.seed as i64), &game.created_at];
    Ok(db.query_opt(&statement, &parameters).await?.is_some())
}

/// False if a game goes by that name.
pub async fn insert_name(
    db: &impl GenericClient,
    game: GameId,
    name: Hashed,
) -> Result<bool, Error> {
    let statement =
        db.prepare_cached("insert into names values ($1, $2) on conflict do nothing").await?;
    let inserted = db.execute(&statement, &[&&name.0[..], &i64::from(game.number())]).await?;
    Ok(inserted == 1)
}

/// False if somebody sits there.
pub async fn insert_seat(
    db: &impl GenericClient,
    game: GameId,
    saved: &SavedSeat,
) -> Result<bool, Error> {
    let statement = db
        .prepare_cached(
            "insert into seats (game, seat, player, name, manner, at, links, opened, refused)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing",
        )
        .await?;
    let (game, seat) = (i64::from(game.number()), i16::from(saved.seat.0));
    let player = saved.player.to_string();
    let SavedSeat { name, manner, at, link, refused, .. } = saved;
    let (links, opened, refused) = (link.number as i32, link.opened, *refused as i32);
    let row: [&(dyn ToSql + Sync); 9] =
        [&game, &seat, &player, name, manner, at, &links, &opened, &refused];
    let inserted = db.execute(&statement, &row).await?;
    Ok(inserted == 1)
}

pub async fn insert_connection(
    db: &impl GenericClient,
    game: GameId,
    (connection, seat): (Hashed, Seat),
) -> Result<(), Error> {
    let statement = db
        .prepare_cached(
            "insert into connections values ($1, $2, $3)
             on conflict (game, connection) do update set seat = $3",
        )
        .await?;
    let (game, seat) = (i64::from(game.number()), i16::from(seat.0));
    db.execute(&statement, &[&game, &&connection.0[..], &seat]).await.map(drop)
}

pub async fn game(db: &impl GenericClient, id: GameId) -> Result<Option<SavedGame>, Error> {
    let statement = db
        .prepare_cached(
            "select kind, rules, setup, seed, luck, practice, created_at, outcome, winner, last_at,
             card, computer_due from games where id = $1",
        )
        .await?;
    let id_number = i64::from(id.number());
    let Some(row) = db.query_opt(&statement, &[&id_number]).await? else { return Ok(None) };
    Ok(Some(SavedGame {
        id,
        name: None,
        kind: row.try_get(0)?,
        rules: count(&row, 1)?,
        setup: row.try_get(2)?,
        seed: row.try_get::<_, i64>(3)? as u64,
        luck: row.try_get::<_, i64>(4)? as u64,
        practice: row.try_get(5)?,
        created_at: row.try_get(6)?,
        outcome: row.try_get(7)?,
        winner: row.try_get::<_, Option<i16>>(8)?.map(|seat| Seat(seat as u8)),
        last_at: row.try_get(9)?,
        glimpse: row.try_get(10)?,
        computer_due: row.try_get(11)?,
        news: news(db, id, 0).await?,
    }))
}

/// All three questions travel together.
pub async fn news(db: &impl GenericClient, game: GameId, known: u32) -> Result<News, Error> {
    let (seats, turns, connections) =
        try_join!(seats(db, game), turns(db, game, known), connections(db, game))?;
    Ok(News { seats, turns, connections })
}

pub async fn seats(db: &impl GenericClient, game: GameId) -> Result<Vec<SavedSeat>, Error> {
    let statement = db
        .prepare_cached(
            "select seat, player, name, manner, at, links, opened, refused from seats
             where game = $1",
        )
        .await?;
    let rows = db.query(&statement, &[&i64::from(game.number())]).await?;
    rows.iter().map(saved_seat).collect()
}

pub fn saved_seat(row: &Row) -> Result<SavedSeat, Error> {
    Ok(SavedSeat {
        seat: seat(row, 0)?,
        player: row.try_get(1)?,
        name: row.try_get(2)?,
        manner: row.try_get(3)?,
        at: row.try_get(4)?,
        link: Link { number: count(row, 5)?, opened: row.try_get(6)? },
        refused: count(row, 7)?,
    })
}

fn count(row: &Row, at: usize) -> Result<u32, Error> {
    Ok(row.try_get::<_, i32>(at)? as u32)
}

/// Has the names of those who sit there lead to the game.
pub async fn insert_terms(
    db: &impl GenericClient,
    game: GameId,
    seats: &[SavedSeat],
) -> Result<(), Error> {
    let terms: Vec<_> = seats.iter().flat_map(|seat| words::words(&seat.name)).collect();
    if terms.is_empty() {
        return Ok(());
    }
    let sql = "insert into terms select unnest($1::text[]), $2 on conflict do nothing";
    let insert = db.prepare_cached(sql).await?;
    db.execute(&insert, &[&terms, &i64::from(game.number())]).await.map(drop)
}

/// Notes that somebody has sat down. The game's row is locked from here on: two who sit down at
/// once both count.
pub async fn touch(db: &impl GenericClient, game: GameId, at: Millis) -> Result<(), Error> {
    let sql = "update games set last_at = greatest(last_at, $1) where id = $2
               returning kind, setup";
    let statement = db.prepare_cached(sql).await?;
    let row = db.query_one(&statement, &[&at, &i64::from(game.number())]).await?;
    let (kind, setup): (&str, &str) = (row.try_get(0)?, row.try_get(1)?);
    let seats = seats(db, game).await?;
    let (words, lone) = (words::text(game, kind, &seats), words::is_lone(kind, setup, &seats));
    let sql = "update games set words = $1, lone = $2 where id = $3";
    let update = db.prepare_cached(sql).await?;
    db.execute(&update, &[&words, &lone, &i64::from(game.number())]).await?;
    insert_terms(db, game, &seats).await
}

/// False if the link is not as it was.
pub async fn relink(
    db: &impl GenericClient,
    game: GameId,
    seat: Seat,
    (from, to): (Link, Link),
    opener: Option<&Opener>,
) -> Result<bool, Error> {
    let statement = db
        .prepare_cached(
            "update seats set links = $5, opened = $6, name = coalesce($7, name),
             at = coalesce($8, at)
             where game = $1 and seat = $2 and links = $3 and opened = $4",
        )
        .await?;
    let (game, seat) = (i64::from(game.number()), i16::from(seat.0));
    let (was, is) = (from.number as i32, to.number as i32);
    let name = opener.and_then(|opener| opener.name.as_ref());
    let at = opener.map(|opener| opener.at);
    let changed = db
        .execute(&statement, &[&game, &seat, &was, &from.opened, &is, &to.opened, &name, &at])
        .await?;
    Ok(changed == 1)
}

async fn turns(db: &impl GenericClient, game: GameId, known: u32) -> Result<Vec<SavedTurn>, Error> {
    let statement = db
        .prepare_cached(
            "select number, seat, move, report, at, request, comment, refused, loose, tokens
             from turns where game = $1 and number > $2 order by number",
        )
        .await?;
    let rows = db.query(&statement, &[&i64::from(game.number()), &(known as i32)]).await?;
    let saved = |row: &Row| {
        let turn = Turn {
            number: count(row, 0)?,
            seat: seat(row, 1)?,
            text: row.try_get(2)?,
            report: row.try_get(3)?,
        };
        Ok(SavedTurn {
            turn,
            at: row.try_get(4)?,
            request: row.try_get(5)?,
            comment: row.try_get(6)?,
            refused: Some(count(row, 7)?),
            loose: count(row, 8)?,
            tokens: row.try_get::<_, Option<i32>>(9)?.map(|tokens| tokens as u32),
        })
    };
    rows.iter().map(saved).collect()
}

pub async fn connections(
    db: &impl GenericClient,
    game: GameId,
) -> Result<Vec<(Hashed, Seat)>, Error> {
    let statement =
        db.prepare_cached("select connection, seat from connections where game = $1").await?;
    let rows = db.query(&statement, &[&i64::from(game.number())]).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, seat(row, 1)?))).collect()
}
