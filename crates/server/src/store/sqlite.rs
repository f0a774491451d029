//! The store on SQLite: what is written and read, in SQL. Where that happens is in `worker`.

use std::{path::Path, sync::Arc};

use rules::{Outcome, Seat, Turn};
use rusqlite::{Connection, OptionalExtension, Row, params};
use tokio::sync::broadcast;

use super::{Address, Hashed, Millis, OpenError, now, open, watch, worker::Worker};
use crate::hall::{GameId, Player};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the store failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the store could not commit: {0}")]
    Commit(Arc<str>),
    #[error("the store takes no changes now")]
    Unavailable,
    #[error("the log does not fit the game: {0}")]
    Misfit(String),
}

#[derive(Clone)]
pub struct Store {
    writer: Worker,
    reader: Worker,
    elsewhere: broadcast::Sender<(GameId, u32)>,
    secret: Arc<[u8]>,
}

pub struct NewGame {
    pub id: GameId,
    pub kind: &'static str,
    pub rules: u32,
    pub setup: String,
    pub seed: u64,
    pub created_at: Millis,
    /// What its players call it.
    pub name: Option<Hashed>,
}

/// Somebody who sat down.
#[derive(Clone, Debug)]
pub struct SavedSeat {
    pub seat: Seat,
    pub player: Player,
    /// What the player calls itself.
    pub name: String,
    /// How this seat wants to be spoken to; for whoever speaks to it.
    pub manner: String,
    pub at: Millis,
}

#[derive(Clone, Debug)]
pub struct SavedTurn {
    pub turn: Turn,
    pub at: Millis,
    /// The key its caller gave it.
    pub request: Option<String>,
}

/// What became of a wish for a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    New,
    IdTaken,
    /// A game goes by that name already.
    NameTaken(GameId),
}

pub struct SavedGame {
    pub kind: String,
    pub rules: u32,
    pub setup: String,
    pub seed: u64,
    pub created_at: Millis,
    pub outcome: Option<String>,
    pub news: News,
    pub connections: Vec<(Hashed, Seat)>,
}

/// What has been added to a game.
pub struct News {
    pub seats: Vec<SavedSeat>,
    pub turns: Vec<SavedTurn>,
}

/// Which games to list.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Only those that come after this one in the list: when it was created, and its id, which
    /// decides between games of the same millisecond.
    pub before: (Millis, Option<GameId>),
    pub limit: u32,
    /// Only those that are over, or only those that are not.
    pub over: Option<bool>,
    /// Only of these kinds.
    pub kinds: Vec<&'static str>,
    /// In the id, or in who plays.
    pub text: String,
}

impl Store {
    pub fn open(address: &Address) -> Result<Store, OpenError> {
        let Address::Sqlite(path) = address;
        open::prepare(path)?;
        let connect =
            |path: &Path| open::connect(path).map_err(|e| OpenError::Sqlite(path.into(), e));
        let writer = connect(path)?;
        let secret = writer
            .query_row("select key from secret", [], |row| row.get::<_, Vec<u8>>(0))
            .map_err(|e| OpenError::Sqlite(path.into(), e))?;
        Ok(Store {
            writer: Worker::writer(writer),
            reader: Worker::reader(connect(path)?),
            elsewhere: watch::start(connect(path)?),
            secret: secret.into(),
        })
    }

    /// What passes are made from; the same for every process on this store.
    pub fn secret(&self) -> &[u8] {
        &self.secret
    }

    /// Games that have changed on disk, whoever changed them, and up to which turn.
    pub fn changes(&self) -> broadcast::Receiver<(GameId, u32)> {
        self.elsewhere.subscribe()
    }

    pub async fn create(
        &self,
        game: NewGame,
        seats: Vec<SavedSeat>,
        connection: Option<(Hashed, Seat)>,
    ) -> Result<Created, StoreError> {
        self.write(move |db| {
            if let Some(name) = game.name
                && let Some(taken) = named(db, name)?
            {
                return Ok(Created::NameTaken(taken));
            }
            let inserted = db
                .prepare_cached(
                    "insert into games (id, kind, rules, setup, seed, created_at)
                     values (?, ?, ?, ?, ?, ?) on conflict do nothing",
                )?
                .execute(params![
                    game.id.number(),
                    game.kind,
                    game.rules,
                    game.setup,
                    game.seed as i64,
                    game.created_at
                ])?;
            if inserted == 0 {
                return Ok(Created::IdTaken);
            }
            if let Some(name) = game.name {
                db.prepare_cached("insert into names values (?, ?)")?
                    .execute(params![name.0, game.id.number()])?;
            }
            for seat in &seats {
                insert_seat(db, game.id, seat)?;
            }
            insert_connection(db, game.id, connection)?;
            Ok(Created::New)
        })
        .await
    }

    /// False if somebody sits there.
    pub async fn sit(
        &self,
        game: GameId,
        seat: SavedSeat,
        connection: Option<(Hashed, Seat)>,
    ) -> Result<bool, StoreError> {
        self.write(move |db| {
            let sat = insert_seat(db, game, &seat)?;
            if sat {
                insert_connection(db, game, connection)?;
            }
            Ok(sat)
        })
        .await
    }

    /// The game that goes by a name.
    pub async fn named(&self, name: Hashed) -> Result<Option<GameId>, StoreError> {
        self.read(move |db| named(db, name)).await
    }

    /// False if that number has been played already, by whomever.
    pub async fn append(
        &self,
        game: GameId,
        saved: SavedTurn,
        outcome: Option<Outcome>,
    ) -> Result<bool, StoreError> {
        self.write(move |db| {
            let SavedTurn { turn, at, request } = saved;
            let appended = db
                .prepare_cached(
                    "insert into turns (game, number, seat, move, at, report, request)
                     values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing",
                )?
                .execute(params![
                    game.number(),
                    turn.number,
                    turn.seat.0,
                    turn.text,
                    at,
                    turn.report,
                    request
                ])?;
            if let Some(outcome) = outcome.filter(|_| appended == 1) {
                db.prepare_cached("update games set outcome = ?, winner = ? where id = ?")?
                    .execute(params![
                        outcome.text,
                        outcome.winner.map(|seat| seat.0),
                        game.number()
                    ])?;
            }
            Ok(appended == 1)
        })
        .await
    }

    pub async fn load(&self, game: GameId) -> Result<Option<SavedGame>, StoreError> {
        self.read(move |db| {
            let saved = db
                .prepare_cached(
                    "select kind, rules, setup, seed, created_at, outcome from games where id = ?",
                )?
                .query_row([game.number()], |row| {
                    Ok(SavedGame {
                        kind: row.get(0)?,
                        rules: row.get(1)?,
                        setup: row.get(2)?,
                        seed: row.get::<_, i64>(3)? as u64,
                        created_at: row.get(4)?,
                        outcome: row.get(5)?,
                        news: News { seats: Vec::new(), turns: Vec::new() },
                        connections: Vec::new(),
                    })
                })
                .optional()?;
            let Some(mut saved) = saved else { return Ok(None) };
            saved.news = news(db, game, 0)?;
            saved.connections = db
                .prepare_cached("select connection, seat from connections where game = ?")?
                .query_map([game.number()], |row| Ok((Hashed(row.get(0)?), Seat(row.get(1)?))))?
                .collect::<Result<_, _>>()?;
            Ok(Some(saved))
        })
        .await
    }

    /// Who sits there now, and the turns after number `known`.
    pub async fn news(&self, game: GameId, known: u32) -> Result<News, StoreError> {
        self.read(move |db| news(db, game, known)).await
    }

    /// The newest games first.
    pub async fn list(&self, wanted: Wanted) -> Result<Vec<GameId>, StoreError> {
        self.read(move |db| {
            // Kinds are names of our own, and each list of them a statement of its own, so that a
            // single one is looked up in its index.
            let kinds: Vec<_> = wanted.kinds.iter().map(|kind| format!("'{kind}'")).collect();
            let kinds = kinds.join(", ");
            db.prepare_cached(&format!(
                "select id from games
                 where kind in ({kinds}) and (created_at, id) < (:before, :id)
                   and (:over is null or (outcome is not null) = :over)
                   and (:text = '' or instr(printf('%08x', id), lower(:text)) = 1 or exists (
                        select 1 from seats where game = id
                        and instr(lower(player || ' ' || name), lower(:text)) > 0))
                 order by created_at desc, id desc limit :limit"
            ))?
            .query_map(
                rusqlite::named_params! {
                    ":before": wanted.before.0,
                    ":id": wanted.before.1.map_or(0, GameId::number),
                    ":over": wanted.over,
                    ":text": wanted.text,
                    ":limit": wanted.limit,
                },
                |row| Ok(GameId::from_number(row.get(0)?)),
            )?
            .collect()
        })
        .await
    }

    pub async fn count(&self) -> Result<i64, StoreError> {
        self.read(|db| db.query_row("select count(*) from games", [], |row| row.get(0))).await
    }

    /// Games in play in which the computer has a seat.
    pub async fn with_computer(&self) -> Result<Vec<GameId>, StoreError> {
        self.read(|db| {
            db.prepare_cached(
                "select id from games where outcome is null and exists
                 (select 1 from seats where game = id and player like 'computer%')",
            )?
            .query_map([], |row| Ok(GameId::from_number(row.get(0)?)))?
            .collect()
        })
        .await
    }

    /// Takes on a duty until then, or goes on with it. False if another has it.
    pub async fn hold(&self, duty: String, holder: i64, until: Millis) -> Result<bool, StoreError> {
        self.write(move |db| {
            let held = db
                .prepare_cached(
                    "insert into duties values (:duty, :holder, :until)
                     on conflict (duty) do update set holder = :holder, until = :until
                     where holder = :holder or until < :now",
                )?
                .execute(rusqlite::named_params! {
                    ":duty": duty,
                    ":holder": holder,
                    ":until": until,
                    ":now": now(),
                })?;
            Ok(held == 1)
        })
        .await
    }

    pub async fn save_session(&self, id: Hashed, initialize: String) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("insert or replace into sessions values (?, ?, ?)")?
                .execute(params![id.0, initialize, now()])
                .map(drop)
        })
        .await
    }

    pub async fn session(&self, id: Hashed) -> Result<Option<String>, StoreError> {
        self.read(move |db| {
            db.prepare_cached("select initialize from sessions where id = ?")?
                .query_row([id.0], |row| row.get(0))
                .optional()
        })
        .await
    }

    pub async fn forget_session(&self, id: Hashed) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("delete from sessions where id = ?")?.execute([id.0]).map(drop)
        })
        .await
    }

    /// Forgets sessions nobody can still be using.
    pub async fn forget_sessions_before(&self, at: Millis) -> Result<(), StoreError> {
        self.write(move |db| db.execute("delete from sessions where at < ?", [at]).map(drop)).await
    }

    /// Brings everything into the one file, so that it can be copied.
    pub async fn settle(&self) -> Result<(), StoreError> {
        self.read(|db| db.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))).await
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
        self.reader.ask(work).await
    }
}

fn insert_seat(db: &Connection, game: GameId, seat: &SavedSeat) -> rusqlite::Result<bool> {
    let inserted = db
        .prepare_cached(
            "insert into seats (game, seat, player, name, manner, at)
             values (?, ?, ?, ?, ?, ?) on conflict do nothing",
        )?
        .execute(params![
            game.number(),
            seat.seat.0,
            seat.player.to_string(),
            seat.name,
            seat.manner,
            seat.at
        ])?;
    Ok(inserted == 1)
}

fn insert_connection(
    db: &Connection,
    game: GameId,
    connection: Option<(Hashed, Seat)>,
) -> rusqlite::Result<()> {
    let Some((connection, seat)) = connection else { return Ok(()) };
    db.prepare_cached("insert or replace into connections values (?, ?, ?)")?
        .execute(params![game.number(), connection.0, seat.0])
        .map(drop)
}

fn named(db: &Connection, name: Hashed) -> rusqlite::Result<Option<GameId>> {
    db.prepare_cached("select game from names where name = ?")?
        .query_row([name.0], |row| Ok(GameId::from_number(row.get(0)?)))
        .optional()
}

fn news(db: &Connection, game: GameId, known: u32) -> rusqlite::Result<News> {
    let seats = db
        .prepare_cached("select seat, player, name, manner, at from seats where game = ?")?
        .query_map([game.number()], seat_row)?
        .collect::<Result<_, _>>()?;
    let turns = db
        .prepare_cached(
            "select number, seat, move, report, at, request from turns
             where game = ? and number > ? order by number",
        )?
        .query_map(params![game.number(), known], |row| {
            let turn = Turn {
                number: row.get(0)?,
                seat: Seat(row.get(1)?),
                text: row.get(2)?,
                report: row.get(3)?,
            };
            Ok(SavedTurn { turn, at: row.get(4)?, request: row.get(5)? })
        })?
        .collect::<Result<_, _>>()?;
    Ok(News { seats, turns })
}

fn seat_row(row: &Row) -> rusqlite::Result<SavedSeat> {
    let player: String = row.get(1)?;
    let player = player.parse().map_err(|e: crate::hall::NotAPlayer| {
        rusqlite::Error::FromSqlConversionFailure(1, rusqlite::types::Type::Text, Box::new(e))
    })?;
    Ok(SavedSeat {
        seat: Seat(row.get(0)?),
        player,
        name: row.get(2)?,
        manner: row.get(3)?,
        at: row.get(4)?,
    })
}
