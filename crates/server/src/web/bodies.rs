//! Request bodies, which are read whole before they are looked at, and answers until the client has
//! taken them: how large they may be, and how much memory the large ones may use.

use std::{
    collections::HashMap,
    convert::Infallible,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody, to_bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use tokio::time::{Instant, timeout, timeout_at};

use crate::{budgets::CallerId, limits::Limits, mcp::envelope::failure};

/// Larger bodies share room. Almost none are larger.
const SMALL: usize = 64 << 10;

/// Large answers are written in pieces of this many bytes, so that the connection takes the last
/// piece when the client has read nearly all.
const PIECE: usize = 16 << 10;

/// How long we read on from a client that we refuse. If the connection ended while it is still
/// sending, its next request would be lost.
const READ_ON: Duration = Duration::from_secs(5);

/// Reads the rest of a small body that nobody needs.
pub async fn read_on(body: Body) {
    let _ = timeout(READ_ON, to_bytes(body, SMALL)).await;
}

/// The memory that large bodies share. One caller may use half of it, so that a caller who reads
/// nothing does not keep out all others.
#[derive(Clone)]
struct Room {
    bytes: usize,
    used: Arc<Mutex<HashMap<CallerId, usize>>>,
}

impl Room {
    fn new(bytes: usize) -> Room {
        Room { bytes, used: Arc::default() }
    }

    fn none_of(&self, by: CallerId) -> TakenRoom {
        TakenRoom { room: self.clone(), by: by.network(), bytes: 0 }
    }

    fn take(&self, by: CallerId, bytes: usize) -> Option<TakenRoom> {
        let mut taken = self.none_of(by);
        taken.grow_to(bytes).then_some(taken)
    }

    fn used(&self) -> MutexGuard<'_, HashMap<CallerId, usize>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Room that one body uses, until this is dropped.
struct TakenRoom {
    room: Room,
    by: CallerId,
    bytes: usize,
}

impl TakenRoom {
    /// False if there is not that much. A body alone may be larger than the room: otherwise it
    /// could never be sent.
    fn grow_to(&mut self, bytes: usize) -> bool {
        let mut used = self.room.used();
        let own = used.get(&self.by).map_or(0, |own| own - self.bytes);
        let all = used.values().sum::<usize>() - self.bytes;
        let fits = |others: usize, most: usize| others == 0 || others + bytes <= most;
        let fits = fits(own, self.room.bytes / 2) && fits(all, self.room.bytes);
        if fits {
            used.insert(self.by, own + bytes);
            drop(used);
            self.bytes = bytes;
        }
        fits
    }
}

impl Drop for TakenRoom {
    fn drop(&mut self) {
        let mut used = self.room.used();
        if let Some(own) = used.get_mut(&self.by) {
            *own -= self.bytes;
            if *own == 0 {
                used.remove(&self.by);
            }
        }
    }
}

#[derive(Clone)]
pub struct Bodies {
    /// The largest there may be, in bytes.
    most: usize,
    /// Shared by large bodies that arrive.
    requests: Room,
    /// Shared by large answers that clients have not taken yet.
    answers: Room,
    /// How long one may take to arrive.
    patience: Duration,
}

impl Bodies {
    pub fn new(limits: &Limits, patience: Duration) -> Bodies {
        let room = || Room::new(limits.large_bodies_bytes.get() as usize);
        let most = limits.body_bytes.get() as usize;
        Bodies { most, requests: room(), answers: room(), patience }
    }

    /// The whole body, and the room it uses.
    async fn read(&self, by: CallerId, body: Body) -> Result<(Bytes, TakenRoom), Response> {
        let deadline = Instant::now() + self.patience;
        let (mut whole, mut taken) = (Vec::new(), self.requests.none_of(by));
        let announced = body.size_hint().upper().map_or(0, |bytes| bytes as usize).min(self.most);
        let mut chunks = body.into_data_stream();
        while let Some(chunk) = timeout_at(deadline, chunks.next()).await.map_err(|_| late())? {
            let chunk = chunk.map_err(|_| self.too_large())?;
            if whole.len() + chunk.len() > self.most {
                return Err(self.too_large());
            }
            if whole.len() + chunk.len() > SMALL {
                if !taken.grow_to(whole.len() + chunk.len()) {
                    return Err(busy("too many large bodies arrive at once; send it again"));
                }
                // In one place from now on: one that moves as it grows leaves memory behind.
                whole.reserve_exact(announced.saturating_sub(whole.len()));
            }
            whole.extend_from_slice(&chunk);
        }
        Ok((whole.into(), taken))
    }

    fn too_large(&self) -> Response {
        let why = format!("the body is larger than {} bytes, or was cut off", self.most);
        failure(StatusCode::PAYLOAD_TOO_LARGE, -32600, &why)
    }
}

pub async fn read(
    State(bodies): State<Bodies>,
    by: CallerId,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    match bodies.read(by, body).await {
        // Its room is free again when it was answered.
        Ok((body, _taken)) => next.run(Request::from_parts(parts, Body::from(body))).await,
        Err(refused) => refused,
    }
}

/// Keeps room for large answers until the client has taken them.
pub async fn send(
    State(bodies): State<Bodies>,
    by: CallerId,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    let Some(bytes) = response.body().size_hint().exact() else {
        return response.map(|body| Body::from_stream(in_room(bodies.answers, by, body)));
    };
    if bytes <= SMALL as u64 {
        return response;
    }
    let Some(room) = bodies.answers.take(by, bytes as usize) else {
        return busy("too many large answers wait to be read; ask again");
    };
    let (mut parts, body) = response.into_parts();
    let whole = to_bytes(body, usize::MAX).await.expect("an answer of known length is there");
    parts.headers.insert(header::CONTENT_LENGTH, whole.len().into());
    let whole = in_pieces(whole, room).map(Ok::<_, Infallible>);
    Response::from_parts(parts, Body::from_stream(whole))
}

/// A stream whose large events take room too. It is cut off where there is none.
fn in_room(
    room: Room,
    by: CallerId,
    body: Body,
) -> impl Stream<Item = Result<Bytes, io::Error>> + Send {
    let events = body.into_data_stream().map_err(io::Error::other);
    events
        .and_then(move |event| {
            let taken = (event.len() > SMALL).then(|| room.take(by, event.len()));
            std::future::ready(match taken {
                None => Ok(stream::once(async { event }).left_stream()),
                Some(Some(taken)) => Ok(in_pieces(event, taken).right_stream()),
                Some(None) => Err(io::Error::other("too many large answers wait to be read")),
            })
        })
        .map_ok(|pieces| pieces.map(Ok))
        .try_flatten()
}

fn in_pieces(whole: Bytes, taken: TakenRoom) -> impl Stream<Item = Bytes> + Send {
    stream::iter((0..whole.len()).step_by(PIECE)).map(move |at| {
        let _taken = &taken;
        whole.slice(at..whole.len().min(at + PIECE))
    })
}

fn late() -> Response {
    failure(StatusCode::REQUEST_TIMEOUT, -32600, "the body took too long to arrive; send it again")
}

fn busy(why: &str) -> Response {
    let why = format!("{why} in a few seconds");
    let refused = failure(StatusCode::SERVICE_UNAVAILABLE, -32000, &why);
    ([(header::RETRY_AFTER, "5")], refused).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_caller_uses_half_of_the_room_and_one_body_may_be_larger() {
        let room = Room::new(100);
        let [ann, ben, eve] = [1, 2, 3].map(|n| CallerId::Address([10, 0, 0, n].into()));
        let own = room.take(ann, 50).expect("half of it");
        assert!(room.take(ann, 1).is_none());
        let other = room.take(ben, 50).expect("the other half");
        assert!(room.take(eve, 1).is_none(), "all is used");
        drop(own);
        let mut own = room.take(ann, 20).expect("there is room again");
        assert!(own.grow_to(50) && !own.grow_to(51));
        drop((own, other));
        let large = room.take(eve, 1000).expect("it is alone");
        assert!(room.take(ann, 1).is_none());
        drop(large);
        assert!(room.used().is_empty());
    }
}
