//! Questions to Postgres, asked with patience: a database on its way down or up is asked again.

use std::time::Duration;

use deadpool_postgres::{Pool, PoolError};
use tokio::time::{Instant, sleep, timeout};

use super::connect::{in_full, may_pass};
use crate::{figures, store::StoreError};

/// A question waits this long for a database that does not answer, and is then given back.
const PATIENCE: Duration = Duration::from_secs(5);
/// The first pause before asking again; they double.
const PAUSE: Duration = Duration::from_millis(25);
const LONGEST_PAUSE: Duration = Duration::from_millis(400);

pub type Db = deadpool_postgres::Object;

#[derive(Clone)]
pub struct Connections(pub Pool);

impl Connections {
    /// Asks until there is an answer, as long as there is hope and patience. The question is told
    /// which attempt it is: after the first, nobody knows whether the one before went through.
    pub async fn ask<T, F>(
        &self,
        what: &'static str,
        question: impl Fn(Db, u32) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, tokio_postgres::Error>>,
    {
        let started = Instant::now();
        let answer = self.ask_patiently(question).await;
        figures::asked_store(what, answer.is_ok(), started.elapsed());
        answer
    }

    async fn ask_patiently<T, F>(&self, question: impl Fn(Db, u32) -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, tokio_postgres::Error>>,
    {
        let deadline = Instant::now() + PATIENCE;
        let mut pause = PAUSE;
        for attempt in 0.. {
            let fault = match self.0.get().await {
                Ok(db) => match timeout(PATIENCE, question(db, attempt)).await {
                    Ok(Ok(answer)) => return Ok(answer),
                    Ok(Err(error)) if may_pass(&error) => in_full(&error),
                    Ok(Err(error)) => {
                        let why = in_full(&error);
                        tracing::error!(why, "Postgres refused a question");
                        return Err(StoreError::Failed(why.into()));
                    }
                    Err(_) => "it does not answer".to_owned(),
                },
                Err(PoolError::Backend(error)) => in_full(&error),
                Err(error) => error.to_string(),
            };
            if Instant::now() + pause > deadline {
                tracing::warn!(why = fault, "Postgres cannot be reached");
                return Err(StoreError::Unavailable);
            }
            sleep(pause).await;
            pause = LONGEST_PAUSE.min(2 * pause);
        }
        Err(StoreError::Unavailable)
    }
}
