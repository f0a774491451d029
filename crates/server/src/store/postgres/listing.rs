//! Lists, read from the database.

use std::collections::HashMap;

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use rules::Seat;
use tokio_postgres::{Error, Row, types::ToSql};

use super::{Postgres, connections::Interruptible, rows::saved_seat};
use crate::{
    ids::GameId,
    store::{
        GameLists, ListedGame, ListedGames, SavedSeat, StoreError, Wanted,
        listing::{self, COUNT_KIND, Listing, Query, SqlDialect, Value},
        now,
    },
};

const DIALECT: SqlDialect = SqlDialect { sign: '$', find: "strpos" };

#[async_trait]
impl GameLists for Postgres {
    async fn list(&self, wanted: Wanted) -> Result<ListedGames, StoreError> {
        let wanted = &wanted;
        self.read(|db, _| async move {
            let asked = Interruptible::new(db, self.tls.clone());
            let answer = list(asked.db(), wanted).await;
            asked.release();
            answer
        })
        .await
    }

    async fn entry(&self, game: GameId) -> Result<Option<ListedGame>, StoreError> {
        self.read(|db, _| async move { entry(&db, game).await }).await
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
        let sql = "select id from games where computer_due = true order by last_at limit $1";
        self.read(|db, _| async move {
            let statement = db.prepare_cached(sql).await?;
            let rows = db.query(&statement, &[&i64::from(most)]).await?;
            rows.iter().map(|row| row.try_get(0)).collect()
        })
        .await
    }
}

async fn list(db: &impl GenericClient, wanted: &Wanted) -> Result<ListedGames, Error> {
    if wanted.is_vain() {
        return Ok(ListedGames::default());
    }
    let listing = Listing::new(DIALECT, wanted, now());
    let mut counts = Vec::new();
    if let Some(query) = listing.counts() {
        for row in ask(db, query).await? {
            counts = (0..row.len()).map(|at| row.try_get(at)).collect::<Result<_, _>>()?;
        }
    }
    let rows = ask(db, listing.games(&counts)).await?;
    let mut games: Vec<_> = rows.iter().map(listed).collect::<Result<_, _>>()?;
    let mut ends = Vec::new();
    if let Some(query) = listing.ends(&counts, games.len()) {
        for row in ask(db, query).await? {
            ends.push((row.try_get(0)?, row.try_get(1)?));
        }
    }
    seat_all(db, &mut games).await?;
    Ok(ListedGames::new(wanted, games, ends))
}

async fn entry(db: &impl GenericClient, id: GameId) -> Result<Option<ListedGame>, Error> {
    let statement = db.prepare_cached(&listing::one(DIALECT)).await?;
    let row = db.query_opt(&statement, &[&i64::from(id.number())]).await?;
    let mut games: Vec<_> = row.iter().map(listed).collect::<Result<_, _>>()?;
    seat_all(db, &mut games).await?;
    Ok(games.pop())
}

async fn ask(db: &impl GenericClient, query: Query) -> Result<Vec<Row>, Error> {
    let statement = db.prepare_cached(&query.sql).await?;
    db.query(&statement, &parameters(&query)).await
}

fn parameters(query: &Query) -> Vec<&(dyn ToSql + Sync)> {
    fn parameter(value: &Value) -> &(dyn ToSql + Sync) {
        match value {
            Value::Number(number) => number,
            Value::Text(text) => text,
            Value::Bytes(bytes) => bytes,
        }
    }
    query.values.iter().map(parameter).collect()
}

/// Says of all of them at once who plays.
async fn seat_all(db: &impl GenericClient, games: &mut [ListedGame]) -> Result<(), Error> {
    let ids: Vec<_> = games.iter().map(|game| i64::from(game.id.number())).collect();
    let statement = db
        .prepare_cached(
            "select seat, player, name, manner, at, links, opened, refused, game
             from seats where game = any($1) order by game, seat",
        )
        .await?;
    let mut seats: HashMap<GameId, Vec<SavedSeat>> = HashMap::new();
    for row in db.query(&statement, &[&ids]).await? {
        seats.entry(row.try_get(8)?).or_default().push(saved_seat(&row)?);
    }
    for game in games {
        game.seats = seats.remove(&game.id).unwrap_or_default();
    }
    Ok(())
}

fn listed(row: &Row) -> Result<ListedGame, Error> {
    let seat = |at| Ok(row.try_get::<_, Option<i64>>(at)?.map(|seat| Seat(seat as u8)));
    Ok(ListedGame {
        id: row.try_get(0)?,
        kind: row.try_get(1)?,
        created_at: row.try_get(2)?,
        last_at: row.try_get(3)?,
        turns: row.try_get::<_, i64>(4)? as u32,
        outcome: row.try_get(5)?,
        winner: seat(6)?,
        glimpse: row.try_get(7)?,
        yours: seat(8)?,
        practice: row.try_get(9)?,
        seats: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{
        Address, Order, Progress, Whose, open,
        tests::{
            cluster::Cluster,
            crowd::{Sql, crowd},
        },
    };

    #[tokio::test]
    async fn no_list_goes_through_all_games() {
        let cluster = Cluster::database();
        let address: Address = cluster.address().parse().expect("an address");
        let store = open(&address).await.expect("a store");
        cluster.ask(&crowd(Sql::Postgres, 30_000));
        cluster.ask("analyze");
        let (client, connection) =
            tokio_postgres::connect(&cluster.address(), tokio_postgres::NoTls).await.expect("one");
        tokio::spawn(connection);
        let usual = Wanted::of(vec!["chess", "dungeon"], 50);
        let check = async |found: usize, change: &dyn Fn(&mut Wanted)| {
            let mut wanted = usual.clone();
            change(&mut wanted);
            let list = store.list(wanted.clone()).await.expect("a list");
            assert_eq!(list.games.len(), found, "{wanted:?}");
            let listing = Listing::new(DIALECT, &wanted, now());
            let mut counts = Vec::new();
            let mut plans = Vec::new();
            if let Some(query) = listing.counts() {
                plans.push(plan(&client, &query).await);
                let row = &client.query(&query.sql, &parameters(&query)).await.expect("counts")[0];
                counts = (0..row.len()).map(|at| row.get(at)).collect();
            }
            plans.push(plan(&client, &listing.games(&counts)).await);
            for plan in plans {
                for table in ["games", "terms", "turns", "seats"] {
                    let scan = format!("Seq Scan on {table}");
                    assert!(!plan.contains(&scan), "{wanted:?} goes through {table}: {plan}");
                }
            }
        };
        check(50, &|_| {}).await;
        check(50, &|wanted| wanted.progress = Progress::Live).await;
        check(50, &|wanted| wanted.progress = Progress::Asleep).await;
        check(50, &|wanted| wanted.order = Order::Newest).await;
        check(10, &|wanted| (wanted.limit, wanted.whose) = (10, Whose::LoneAgents)).await;
        check(70, &|wanted| (wanted.limit, wanted.text) = (200, "p7x".into())).await;
        check(50, &|wanted| wanted.text = "claude".into()).await;
        check(0, &|wanted| wanted.text = "agent nobody".into()).await;
    }

    async fn plan(client: &tokio_postgres::Client, query: &Query) -> String {
        let explain = format!("explain {}", query.sql);
        let rows = client.query(&explain, &parameters(query)).await.expect("a plan");
        rows.iter().map(|row| row.get::<_, String>(0) + "\n").collect()
    }
}
