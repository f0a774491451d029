//! What callers send with a request: read before it is looked at, within bounds.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes, HttpBody, to_bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::StreamExt;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout, timeout_at},
};

use crate::{limits::Limits, mcp::envelope::failure};

/// Larger ones share room; almost none are.
const SMALL: usize = 64 << 10;

/// As long is heard out who is refused: the connection of one who is still sending would end, and
/// what they ask next on it would be lost.
const HEARD_OUT: Duration = Duration::from_secs(5);

/// Lets the rest of a small body come in that nobody reads.
pub async fn hear_out(body: Body) {
    let _ = timeout(HEARD_OUT, to_bytes(body, SMALL)).await;
}

#[derive(Clone)]
pub struct Bodies {
    /// The largest there may be, in bytes.
    most: usize,
    /// What large ones share.
    room: Arc<Semaphore>,
    /// How long one may take to arrive.
    patience: Duration,
}

impl Bodies {
    pub fn new(limits: &Limits, patience: Duration) -> Bodies {
        let room = Arc::new(Semaphore::new(limits.large_bodies_bytes.get() as usize));
        Bodies { most: limits.body_bytes.get() as usize, room, patience }
    }

    /// The whole body, and the room it takes up.
    async fn read(&self, body: Body) -> Result<(Bytes, Option<OwnedSemaphorePermit>), Response> {
        let deadline = Instant::now() + self.patience;
        let (mut whole, mut taken) = (Vec::new(), None::<OwnedSemaphorePermit>);
        let announced = body.size_hint().upper().map_or(0, |bytes| bytes as usize).min(self.most);
        let mut chunks = body.into_data_stream();
        while let Some(chunk) = timeout_at(deadline, chunks.next()).await.map_err(|_| late())? {
            let chunk = chunk.map_err(|_| self.too_large())?;
            if whole.len() + chunk.len() > self.most {
                return Err(self.too_large());
            }
            if whole.len() + chunk.len() > SMALL {
                // In one place from now on: one that moves as it grows leaves memory behind.
                whole.reserve_exact(announced.saturating_sub(whole.len()));
            }
            whole.extend_from_slice(&chunk);
            let held = taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
            if whole.len() > SMALL && whole.len() > held {
                let more = (whole.len() - held) as u32;
                let more = self.room.clone().try_acquire_many_owned(more).map_err(|_| crowded())?;
                match &mut taken {
                    Some(taken) => taken.merge(more),
                    None => taken = Some(more),
                }
            }
        }
        Ok((whole.into(), taken))
    }

    fn too_large(&self) -> Response {
        let why = format!("the body is larger than {} bytes, or was cut off", self.most);
        failure(StatusCode::PAYLOAD_TOO_LARGE, -32600, &why)
    }
}

pub async fn read(State(bodies): State<Bodies>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    match bodies.read(body).await {
        // Its room is free again when it was answered.
        Ok((body, _taken)) => next.run(Request::from_parts(parts, Body::from(body))).await,
        Err(refused) => refused,
    }
}

fn late() -> Response {
    failure(StatusCode::REQUEST_TIMEOUT, -32600, "the body took too long to arrive; send it again")
}

fn crowded() -> Response {
    let why = "too many large bodies arrive at once; send it again in a few seconds";
    let refused = failure(StatusCode::SERVICE_UNAVAILABLE, -32000, why);
    ([(header::RETRY_AFTER, "5")], refused).into_response()
}
