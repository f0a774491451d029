//! The store on Postgres, for any number of nodes: what is written and read, in SQL.
//!
//! How questions are put is in `connections`, how turns are saved in `turns`, how nodes hear of each
//! other's in `news`.

mod connect;
mod connections;
mod listing;
mod news;
mod open;
mod rows;
mod turns;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use rules::Seat;
use tokio::sync::broadcast;
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_util::sync::{CancellationToken, DropGuard};

use self::{
    connect::Database,
    connections::{Attempt, Connections, Db, Interruptible},
    news::Notifier,
    rows::{insert_connection, insert_seat},
    turns::{Columns, Turns},
};
use super::{
    Age, Change, Created, Gist, Hashed, Letter, Link, ListedGame, ListedGames, MOST_FOLLOWED,
    MOST_LETTERS, Millis, NewGame, News, OpenError, Opener, SavedGame, SavedSeat, SavedTurn, Store,
    StoreError, Tries, Wanted, address::Url, listing::COUNT_KIND, now, words,
};
use crate::ids::GameId;

/// A database that has taken a turn so lately takes another.
const FRESH: Duration = Duration::from_secs(5);

pub struct Postgres {
    connections: Connections,
    tls: MakeRustlsConnect,
    turns: Turns,
    crier: Notifier,
    elsewhere: broadcast::Sender<Change>,
    secret: Vec<u8>,
    node: Arc<str>,
    /// Nobody listens to the other nodes any more when this is gone.
    _open: DropGuard,
}

/// Looks, and brings nothing up to date.
pub async fn age(url: &Url) -> Result<Age, OpenError> {
    open::age(&Database::new(url)?, &url.to_string()).await
}

impl Postgres {
    pub async fn open(url: &Url) -> Result<Postgres, OpenError> {
        let line = Database::new(url)?;
        let secret = open::prepare(&line, &url.to_string()).await?;
        let node = getrandom::u64().expect("the system has random numbers");
        let node: Arc<str> = format!("{node:016x}").into();
        let connections = Connections(line.pool());
        let open = CancellationToken::new();
        let crier = Notifier::start(line.clone(), node.clone());
        Ok(Postgres {
            tls: line.tls.clone(),
            turns: Turns::start(connections.clone(), crier.clone()),
            elsewhere: news::listen(line, node.clone(), open.clone()),
            connections,
            crier,
            secret,
            node,
            _open: open.drop_guard(),
        })
    }

    async fn read<T, F>(
        &self,
        question: impl Fn(Db, Attempt) -> F + Send + Sync,
    ) -> Result<T, StoreError>
    where
        T: Send,
        F: Future<Output = Result<T, tokio_postgres::Error>> + Send,
    {
        self.connections.ask("read", question).await
    }

    async fn ids(&self, sql: &str, most: u32) -> Result<Vec<GameId>, StoreError> {
        self.read(|db, _| async move {
            let statement = db.prepare_cached(sql).await?;
            let rows = db.query(&statement, &[&i64::from(most)]).await?;
            rows.iter().map(|row| row.try_get(0)).collect()
        })
        .await
    }

    async fn write<T, F>(
        &self,
        question: impl Fn(Db, Attempt) -> F + Send + Sync,
    ) -> Result<T, StoreError>
    where
        T: Send,
        F: Future<Output = Result<T, tokio_postgres::Error>> + Send,
    {
        self.connections.ask("write", question).await
    }
}

#[async_trait]
impl Store for Postgres {
    fn secret(&self) -> &[u8] {
        &self.secret
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.elsewhere.subscribe()
    }

    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let game = &game;
        let created = self
            .write(|mut db, attempt| async move {
                let tx = db.transaction().await?;
                let insert = tx
                    .prepare_cached(
                        "insert into games (id, kind, rules, setup, seed, created_at, last_at,
                                            turns, computer_due, card, words, lone, policy)
                         values ($1, $2, $3, $4, $5, $6, $6, 0, $7, $8, $9, $10, $11)
                         on conflict do nothing",
                    )
                    .await?;
                let inserted = tx
                    .execute(
                        &insert,
                        &[
                            &i64::from(game.id.number()),
                            &game.kind,
                            &(game.rules as i32),
                            &game.setup,
                            &(game.seed as i64),
                            &game.created_at,
                            &game.gist.computer_due,
                            &game.gist.glimpse,
                            &words::text(game.id, game.kind, &game.seats),
                            &words::is_lone(game.kind, &game.setup, &game.seats),
                            &game.policy.name(),
                        ],
                    )
                    .await?;
                if inserted == 0 {
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
                for seat in &game.seats {
                    insert_seat(&tx, game.id, seat).await?;
                }
                if let Some(connection) = game.connection {
                    insert_connection(&tx, game.id, connection).await?;
                }
                rows::insert_terms(&tx, game.id, &game.seats).await?;
                attempt.sends();
                tx.commit().await?;
                Ok(Created::New)
            })
            .await?;
        if created == Created::New {
            self.crier.cry(Change::Game(game.id, 0));
        }
        Ok(created)
    }

    async fn sit(
        &self,
        game: GameId,
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
            self.crier.cry(Change::Game(game, 0));
        }
        Ok(sat)
    }

    async fn relink(
        &self,
        game: GameId,
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
            self.crier.cry(Change::Game(game, 0));
        }
        Ok(changed)
    }

    async fn count_tries(&self, game: GameId, seat: Seat, more: Tries) -> Result<(), StoreError> {
        self.write(|db, attempt| async move {
            // One that was cut off may have been counted.
            if attempt.again {
                return Ok(());
            }
            attempt.sends();
            rows::count_tries(&db, game, seat, more).await
        })
        .await
    }

    async fn named(&self, name: Hashed) -> Result<Option<GameId>, StoreError> {
        self.read(|db, _| async move { rows::named(&db, name).await }).await
    }

    async fn append(
        &self,
        game: GameId,
        saved: SavedTurn,
        after: Gist,
    ) -> Result<bool, StoreError> {
        self.turns.append(game, saved, after, false).await
    }

    async fn append_again(
        &self,
        game: GameId,
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

    async fn list(&self, wanted: Wanted) -> Result<ListedGames, StoreError> {
        let wanted = &wanted;
        self.read(|db, _| async move {
            let asked = Interruptible::new(db, self.tls.clone());
            let answer = listing::list(asked.db(), wanted).await;
            asked.release();
            answer
        })
        .await
    }

    async fn entry(&self, game: GameId) -> Result<Option<ListedGame>, StoreError> {
        self.read(|db, _| async move { listing::entry(&db, game).await }).await
    }

    async fn count(&self, most: u32) -> Result<i64, StoreError> {
        self.read(|db, _| async move {
            let sql = "select count(*) from (select from games limit $1) as counted";
            db.query_one(sql, &[&i64::from(most)]).await?.try_get(0)
        })
        .await
    }

    async fn count_kind(&self, kind: &'static str) -> Result<i64, StoreError> {
        self.read(|db, _| async move { db.query_one(COUNT_KIND, &[&kind]).await?.try_get(0) }).await
    }

    async fn due_to_computer(&self, most: u32) -> Result<Vec<GameId>, StoreError> {
        self.ids("select id from games where computer_due = true order by last_at limit $1", most)
            .await
    }

    async fn to_fill_in(&self, most: u32) -> Result<Vec<GameId>, StoreError> {
        self.ids(
            "select id from games where words is null order by kind, created_at desc limit $1",
            most,
        )
        .await
    }

    async fn fill_in(&self, games: Vec<(GameId, Option<Gist>)>) -> Result<(), StoreError> {
        let games = &games;
        self.write(|mut db, _| async move {
            for (game, gist) in games {
                // Each by itself: two nodes that hold several games may wait for each other.
                let tx = db.transaction().await?;
                tx.batch_execute("set local synchronous_commit = off").await?;
                rows::fill_in(&tx, *game, gist.as_ref()).await?;
                tx.commit().await?;
            }
            Ok(())
        })
        .await
    }

    async fn hold(&self, duty: &str, holder: i64, long: Duration) -> Result<bool, StoreError> {
        self.write(|mut db, _| async move {
            // A lease that is lost with the database is taken anew, so no disk is waited for; and
            // its clock is the database's, since nodes need not agree on the time.
            let tx = db.transaction().await?;
            tx.batch_execute("set local synchronous_commit = off").await?;
            let statement = tx
                .prepare_cached(
                    "insert into duties values ($1, $2, clock_timestamp() + $3 * interval '1 s')
                     on conflict (duty) do update
                     set holder = excluded.holder, until = excluded.until
                     where duties.holder = excluded.holder or duties.until <= clock_timestamp()
                     or $3 > 0 and duties.until > clock_timestamp() + 2 * $3 * interval '1 s'",
                )
                .await?;
            let held = tx.execute(&statement, &[&duty, &holder, &long.as_secs_f64()]).await?;
            tx.commit().await?;
            Ok(held == 1)
        })
        .await
    }

    async fn lapsed(&self, kind: &str, within: Duration) -> Result<Vec<String>, StoreError> {
        let duties = &format!("{kind} %");
        self.read(|db, _| async move {
            let statement = db
                .prepare_cached(
                    "select duty from duties where duty like $1
                     and (until between now() - $2 * interval '1 s' and now()
                          or until > now() + $2 * interval '1 s')",
                )
                .await?;
            let rows = db.query(&statement, &[duties, &within.as_secs_f64()]).await?;
            rows.iter().map(|row| row.try_get(0)).collect()
        })
        .await
    }

    async fn save_session(&self, id: Hashed, initialize: String) -> Result<(), StoreError> {
        let initialize = &initialize;
        self.write(|db, _| async move {
            let statement = db
                .prepare_cached(
                    "insert into sessions values ($1, $2, $3)
                     on conflict (id) do update set initialize = $2, at = $3",
                )
                .await?;
            db.execute(&statement, &[&&id.0[..], initialize, &now()]).await.map(drop)
        })
        .await
    }

    async fn session(&self, id: Hashed) -> Result<Option<String>, StoreError> {
        self.read(|db, _| async move {
            let statement =
                db.prepare_cached("select initialize from sessions where id = $1").await?;
            let row = db.query_opt(&statement, &[&&id.0[..]]).await?;
            row.map(|row| row.try_get(0)).transpose()
        })
        .await
    }

    async fn forget_session(&self, id: Hashed) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            db.execute("delete from sessions where id = $1", &[&&id.0[..]]).await?;
            db.execute("delete from subscriptions where session = $1", &[&&id.0[..]])
                .await
                .map(drop)
        })
        .await
    }

    async fn subscribe(&self, session: Hashed, uri: &str, about: &str) -> Result<bool, StoreError> {
        self.write(|db, _| async move {
            let insert = "insert into subscriptions (session, uri, about) select $1, $2, $3
                 where (select count(*) from subscriptions where session = $1) < $4
                 on conflict do nothing";
            db.execute(insert, &[&&session.0[..], &uri, &about, &MOST_FOLLOWED]).await?;
            let look = "select 1 from subscriptions where session = $1 and uri = $2";
            Ok(db.query_opt(look, &[&&session.0[..], &uri]).await?.is_some())
        })
        .await
    }

    async fn unsubscribe(&self, session: Hashed, uri: &str) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            let delete = "delete from subscriptions where session = $1 and uri = $2";
            db.execute(delete, &[&&session.0[..], &uri]).await.map(drop)
        })
        .await
    }

    async fn subscriptions(
        &self,
        about: Option<Vec<String>>,
    ) -> Result<Vec<(Hashed, String)>, StoreError> {
        let about = about.as_deref();
        self.read(|db, _| async move {
            let all = "select session, uri from subscriptions";
            let rows = match about {
                None => db.query(all, &[]).await?,
                Some(about) => {
                    let some = format!("{all} where about = any($1) or about = ''");
                    db.query(&db.prepare_cached(&some).await?, &[&about]).await?
                }
            };
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
        .await
    }

    async fn tidy(&self, at: Millis) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            db.execute(
                "with gone as (delete from sessions where at < $1 returning id)
                 delete from subscriptions where session in (select id from gone)",
                &[&at],
            )
            .await?;
            db.batch_execute("delete from duties where until < now() - interval '1 hour'").await
        })
        .await
    }

    async fn say(&self, words: String) -> Result<(), StoreError> {
        self.crier.cry(Change::Said(words.into()));
        Ok(())
    }

    async fn newest(&self, series: Hashed) -> Result<Option<GameId>, StoreError> {
        self.read(|db, _| async move {
            let statement = db.prepare_cached("select game from series where name = $1").await?;
            let row = db.query_opt(&statement, &[&&series.0[..]]).await?;
            row.map(|row| row.try_get(0)).transpose()
        })
        .await
    }

    async fn set_newest(&self, series: Hashed, game: GameId) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            let sql = "insert into series values ($1, $2)
                       on conflict (name) do update set game = excluded.game";
            db.execute(sql, &[&&series.0[..], &i64::from(game.number())]).await.map(drop)
        })
        .await
    }

    async fn keep_letters(&self, letters: Vec<Letter>) -> Result<(), StoreError> {
        let letters = &letters;
        self.write(|mut db, _| async move {
            let tx = db.transaction().await?;
            tx.batch_execute("set local synchronous_commit = off").await?;
            let insert = tx
                .prepare_cached(
                    "insert into letters (game, contest, player, at, until, text)
                     values ($1, $2, $3, $4, $5, $6)",
                )
                .await?;
            for letter in letters {
                let league = i64::from(letter.league.number());
                let Letter { contest, player, at, until, text, .. } = letter;
                tx.execute(&insert, &[&league, contest, player, at, until, text]).await?;
            }
            tx.execute("delete from letters where until < $1", &[&now()]).await?;
            let sql = "select coalesce(max(id) - min(id) + 1, 0) from letters";
            let kept: i64 = tx.query_one(sql, &[]).await?.try_get(0)?;
            if kept > MOST_LETTERS + MOST_LETTERS / 10 {
                let sql = "delete from letters where id not in
                           (select id from letters order by until desc, id desc limit $1)";
                tx.execute(sql, &[&MOST_LETTERS]).await?;
            }
            tx.commit().await
        })
        .await
    }

    async fn letters(&self, league: GameId, contest: &str) -> Result<Vec<Letter>, StoreError> {
        self.read(|db, _| async move {
            let statement = db
                .prepare_cached(
                    "select player, at, until, text from letters where game = $1 and contest = $2
                     order by id",
                )
                .await?;
            let rows = db.query(&statement, &[&i64::from(league.number()), &contest]).await?;
            let letter = |row: &tokio_postgres::Row| {
                Ok(Letter {
                    league,
                    contest: contest.to_owned(),
                    player: row.try_get(0)?,
                    at: row.try_get(1)?,
                    until: row.try_get(2)?,
                    text: row.try_get(3)?,
                })
            };
            rows.iter().map(letter).collect()
        })
        .await
    }

    async fn keep_longer(
        &self,
        league: GameId,
        contest: &str,
        until: Millis,
    ) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            let sql = "update letters set until = $1 where game = $2 and contest = $3";
            db.execute(sql, &[&until, &i64::from(league.number()), &contest]).await.map(drop)
        })
        .await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        if self.turns.have_been_saved_within(FRESH) {
            return Ok(());
        }
        self.hold(&format!("health {}", self.node), 0, FRESH).await.map(drop)
    }

    async fn settle(&self) -> Result<(), StoreError> {
        self.crier.settle().await;
        Ok(())
    }

    async fn names(&self) -> Result<Vec<(Hashed, GameId)>, StoreError> {
        self.read(|db, _| async move {
            let rows = db.query("select name, game from names", &[]).await?;
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
        .await
    }

    async fn put(
        &self,
        id: GameId,
        game: SavedGame,
        name: Option<Hashed>,
    ) -> Result<(), StoreError> {
        let game = &game;
        self.write(|mut db, attempt| async move {
            let tx = db.transaction().await?;
            let insert = tx
                .prepare_cached(
                    "insert into games
                     (id, kind, rules, setup, seed, created_at, outcome, winner, policy)
                     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                )
                .await?;
            tx.execute(
                &insert,
                &[
                    &i64::from(id.number()),
                    &game.kind,
                    &(game.rules as i32),
                    &game.setup,
                    &(game.seed as i64),
                    &game.created_at,
                    &game.outcome,
                    &game.winner.map(|seat| i16::from(seat.0)),
                    &game.policy,
                ],
            )
            .await?;
            if let Some(name) = name {
                rows::insert_name(&tx, id, name).await?;
            }
            for seat in &game.news.seats {
                insert_seat(&tx, id, seat).await?;
            }
            for connection in &game.news.connections {
                insert_connection(&tx, id, *connection).await?;
            }
            let mut turns = Columns::default();
            game.news.turns.iter().for_each(|turn| turns.push(id, turn, &Gist::default()));
            turns.copy(&tx).await?;
            attempt.sends();
            tx.commit().await
        })
        .await
    }

    async fn adopt(&self, secret: &[u8]) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            db.execute("update secret set key = $1", &[&secret]).await.map(drop)
        })
        .await
    }
}
