//! The store on Postgres, for any number of nodes: a file for each part of what is asked of it, in
//! SQL.
//!
//! How questions are put is in `connections`, how turns are saved in `turns`, how nodes hear of
//! each other's in `news`.

mod connect;
mod connections;
mod games;
mod league_notes;
mod leases;
mod listing;
mod news;
mod open;
mod rows;
mod sessions;
mod takeover;
mod turns;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::sync::broadcast;
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_util::sync::{CancellationToken, DropGuard};

use self::{
    connect::Database,
    connections::{Attempt, Connections, Db},
    news::Notifier,
    turns::Turns,
};
use super::{Age, Change, Leases, Millis, OpenError, Store, StoreError, address::Url};

/// A database that has taken a turn so lately takes another.
const FRESH: Duration = Duration::from_secs(5);

pub struct Postgres {
    connections: Connections,
    tls: MakeRustlsConnect,
    turns: Turns,
    announcer: Notifier,
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
        let announcer = Notifier::start(line.clone(), node.clone());
        Ok(Postgres {
            tls: line.tls.clone(),
            turns: Turns::start(connections.clone(), announcer.clone()),
            elsewhere: news::listen(line, node.clone(), open.clone()),
            connections,
            announcer,
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

    async fn ping(&self) -> Result<(), StoreError> {
        if self.turns.have_been_saved_within(FRESH) {
            return Ok(());
        }
        self.hold(&format!("health {}", self.node), 0, FRESH).await.map(drop)
    }

    async fn settle(&self) -> Result<(), StoreError> {
        self.announcer.settle().await;
        Ok(())
    }

    async fn tidy(&self, at: Millis) -> Result<(), StoreError> {
        self.write(|db, _| async move {
            db.execute(
                "with gone as (delete from sessions where at < $1 returning id)
                 delete from subscriptions where session in (select id from gone)",
                &[&at],
            )
            .await?;
            db.batch_execute("delete from leases where until < now() - interval '1 hour'").await
        })
        .await
    }
}
