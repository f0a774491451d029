//! Questions to Postgres, asked with patience: a database on its way down or up is asked again.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use deadpool_postgres::{Pool, PoolError};
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::connect::{in_full, may_pass, was_cut};
use crate::{metrics, store::StoreError};

/// A question waits this long for a database that does not answer, and is then given back.
const PATIENCE: Duration = Duration::from_secs(5);
/// The first pause before asking again; they double.
const PAUSE: Duration = Duration::from_millis(25);
const LONGEST_PAUSE: Duration = Duration::from_millis(400);

pub type Db = deadpool_postgres::Object;

/// A connection whose question is called off if nobody waits for the answer any more. The answer
/// is never read then, so the connection ends with it.
pub struct Interruptible {
    db: Option<Db>,
    tls: MakeRustlsConnect,
}

impl Interruptible {
    pub fn new(db: Db, tls: MakeRustlsConnect) -> Interruptible {
        Interruptible { db: Some(db), tls }
    }

    /// For something that changes nothing.
    pub fn db(&self) -> &Db {
        self.db.as_ref().expect("it is there until it is released")
    }

    /// The answer is there.
    pub fn release(mut self) {
        self.db = None;
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        let Some(db) = self.db.take() else { return };
        metrics::dropped();
        let client = Db::take(db);
        let (token, tls) = (client.cancel_token(), self.tls.clone());
        tokio::spawn(async move {
            if let Err(error) = token.cancel_query(tls).await {
                tracing::debug!(error = in_full(&error), "a question was not called off");
            }
            drop(client);
        });
    }
}

/// One time that a question is put.
#[derive(Clone, Default)]
pub struct Attempt {
    /// One before it may have been carried out, though no answer came.
    pub again: bool,
    sent: Arc<AtomicBool>,
}

impl Attempt {
    /// From here on the question may be carried out though no answer comes.
    pub fn sends(&self) {
        self.sent.store(true, Ordering::Relaxed);
    }

    fn was_sent(&self) -> bool {
        self.sent.load(Ordering::Relaxed)
    }
}

#[derive(Clone)]
pub struct Connections(pub Pool);

impl Connections {
    /// Asks until there is an answer, as long as there is hope and patience. Without one, the
    /// error says whether nothing has changed or nobody knows.
    pub async fn ask<T, F>(
        &self,
        what: &'static str,
        question: impl Fn(Db, Attempt) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, tokio_postgres::Error>>,
    {
        let started = Instant::now();
        let answer = self.ask_patiently(question).await;
        metrics::asked_store(what, answer.is_ok(), started.elapsed());
        answer
    }

    async fn ask_patiently<T, F>(
        &self,
        question: impl Fn(Db, Attempt) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, tokio_postgres::Error>>,
    {
        let deadline = Instant::now() + PATIENCE;
        let mut pause = PAUSE;
        let mut unknown = false;
        loop {
            let attempt = Attempt { again: unknown, ..Attempt::default() };
            let fault = match self.0.get().await {
                Ok(db) => match timeout(PATIENCE, question(db, attempt.clone())).await {
                    Ok(Ok(answer)) => return Ok(answer),
                    Ok(Err(error)) => {
                        // A refusal means that nothing was done; a broken connection does not.
                        unknown |= attempt.was_sent() && was_cut(&error);
                        let why = in_full(&error);
                        if !may_pass(&error) {
                            tracing::error!(why, "Postgres refused a question");
                            let failed = StoreError::Failed(why.into());
                            return Err(if unknown { StoreError::Unknown } else { failed });
                        }
                        why
                    }
                    Err(_) => {
                        unknown |= attempt.was_sent();
                        "it does not answer".to_owned()
                    }
                },
                Err(PoolError::Backend(error)) => in_full(&error),
                Err(error) => error.to_string(),
            };
            if Instant::now() + pause > deadline {
                tracing::warn!(why = fault, "Postgres cannot be reached");
                return Err(if unknown { StoreError::Unknown } else { StoreError::Unavailable });
            }
            sleep(pause).await;
            pause = LONGEST_PAUSE.min(2 * pause);
        }
    }
}
