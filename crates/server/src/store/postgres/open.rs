//! Making sure the database is a store this program can use, and bringing its schema up to date.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use tokio_postgres::{Client, Transaction};

use super::connect::{Database, in_full, may_pass};
use crate::store::{Age, OpenError, migrations_after};

/// In order, never edited once released.
const MIGRATIONS: &[&str] = &[include_str!("../../../migrations/postgres/0001.sql")];

/// A database that is only just starting is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
const AGAIN: Duration = Duration::from_millis(200);

/// Of all who start together one migrates while the others wait; the number is "agon".
const LOCK: &str = "select pg_advisory_xact_lock(x'61676f6e'::bigint)";

/// Brings the schema up to date, and answers with the store's secret.
pub async fn prepare(line: &Database, name: &str) -> Result<Vec<u8>, OpenError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match attempt(line, name).await {
            Err(OpenFault::Postgres(error)) if may_pass(&error) && Instant::now() < deadline => {
                sleep(AGAIN).await;
            }
            Err(OpenFault::Postgres(error)) => {
                return Err(OpenError::Postgres(name.into(), in_full(&error)));
            }
            Err(OpenFault::Refused(error)) => return Err(error),
            Ok(secret) => return Ok(secret),
        }
    }
}

enum OpenFault {
    Postgres(tokio_postgres::Error),
    Refused(OpenError),
}

impl From<tokio_postgres::Error> for OpenFault {
    fn from(error: tokio_postgres::Error) -> OpenFault {
        OpenFault::Postgres(error)
    }
}

async fn attempt(line: &Database, name: &str) -> Result<Vec<u8>, OpenFault> {
    let (mut client, connection) = line.config.connect(line.tls.clone()).await?;
    let connection = tokio::spawn(connection);
    let prepared = migrate(&mut client, name).await;
    drop(client);
    let _ = connection.await;
    prepared
}

/// The state of the store, which is not brought up to date.
pub async fn age(line: &Database, name: &str) -> Result<Age, OpenError> {
    look(line, name).await.map_err(|fault| match fault {
        OpenFault::Postgres(error) => OpenError::Postgres(name.into(), in_full(&error)),
        OpenFault::Refused(error) => error,
    })
}

async fn look(line: &Database, name: &str) -> Result<Age, OpenFault> {
    let (mut client, connection) = line.config.connect(line.tls.clone()).await?;
    tokio::spawn(connection);
    let tx = client.build_transaction().read_only(true).start().await?;
    let version = version(&tx, name).await?;
    Ok(Age::of(version.unwrap_or(0)))
}

/// The version of the store in this database, if there is one.
async fn version(tx: &Transaction<'_>, name: &str) -> Result<Option<i64>, OpenFault> {
    let exists = async |table: &str| {
        let row = tx.query_one("select to_regclass($1::text) is not null", &[&table]).await?;
        row.try_get::<_, bool>(0)
    };
    if !exists("agon_schema").await? {
        if exists("games").await? || exists("turns").await? {
            return Err(OpenFault::Refused(OpenError::Foreign(name.into())));
        }
        return Ok(None);
    }
    let version: i32 = tx.query_one("select version from agon_schema", &[]).await?.try_get(0)?;
    migrations_after(version.into(), MIGRATIONS, name).map(drop).map_err(OpenFault::Refused)?;
    Ok(Some(version.into()))
}

async fn migrate(client: &mut Client, name: &str) -> Result<Vec<u8>, OpenFault> {
    let tx = client.transaction().await?;
    tx.batch_execute(LOCK).await?;
    let version = match version(&tx, name).await? {
        Some(version) => version,
        None => {
            tx.batch_execute(
                "create table agon_schema (version integer not null);
                 insert into agon_schema values (0)",
            )
            .await?;
            0
        }
    };
    for (version, migration) in
        migrations_after(version, MIGRATIONS, name).map_err(OpenFault::Refused)?
    {
        tx.batch_execute(migration).await?;
        tx.execute("update agon_schema set version = $1", &[&(version as i32)]).await?;
    }
    let secret = tx.query_one("select key from secret", &[]).await?.try_get(0)?;
    tx.commit().await?;
    Ok(secret)
}
