//! How long an agent may take: a clock that starts when the question was written to it, so that
//! nobody pays for how busy we are or how far away they live.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::{
    sync::SetOnce,
    time::{Instant, sleep_until, timeout},
};

use super::errors::NoAnswer;

/// The time for one answer. Clones are the same clock.
#[derive(Clone)]
pub struct Clock {
    pub limit: Duration,
    started: Arc<SetOnce<Instant>>,
}

impl Clock {
    /// It stands still until a question is written.
    pub fn of(limit: Duration) -> Clock {
        Clock { limit, started: Arc::default() }
    }

    /// For those who are not written to.
    pub fn running(limit: Duration) -> Clock {
        let clock = Clock::of(limit);
        clock.start();
        clock
    }

    /// A question that is put again does not set it back.
    fn start(&self) {
        let _ = self.started.set(Instant::now());
    }

    #[cfg(test)]
    pub fn is_running(&self) -> bool {
        self.started.initialized()
    }

    /// When the time is over, or would be if it began now.
    pub fn until(&self) -> Instant {
        self.started.get().copied().unwrap_or_else(Instant::now) + self.limit
    }

    /// Waits until the time is over. Who cannot even be written to has no longer.
    pub async fn runs_out(&self) {
        if let Ok(started) = timeout(self.limit, self.started.wait()).await {
            sleep_until(*started + self.limit).await;
        }
    }

    /// What comes in time.
    pub async fn within<T>(&self, coming: impl Future<Output = T>) -> Result<T, NoAnswer> {
        tokio::select! {
            come = coming => Ok(come),
            () = self.runs_out() => Err(NoAnswer::Late(self.limit)),
        }
    }

    /// A body that starts the clock when the connection takes it to be written.
    pub(super) fn on_writing(&self, text: String) -> reqwest::Body {
        reqwest::Body::wrap(OpenQuestion { text, clock: self.clone() })
    }
}

struct OpenQuestion {
    text: String,
    clock: Clock,
}

impl Body for OpenQuestion {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.clock.start();
        Pin::new(&mut self.text).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.text.is_end_stream()
    }

    /// Known, so that it is not sent in chunks: not every agent can read those.
    fn size_hint(&self) -> SizeHint {
        self.text.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_question_that_is_put_again_has_no_more_time() {
        let clock = Clock::running(Duration::from_secs(60));
        let until = clock.until();
        clock.clone().start();
        assert_eq!(clock.until(), until);
        let short = Clock::of(Duration::from_millis(1));
        let never = short.within(std::future::pending::<()>()).await;
        assert_eq!(never, Err(NoAnswer::Late(short.limit)), "nobody was ever asked");
    }
}
