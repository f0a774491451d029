//! Connections: how many there may be at once, and how long one may keep us waiting.

use std::{
    io::{self, IoSlice},
    net::SocketAddr,
    pin::{Pin, pin},
    sync::{Arc, Mutex},
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    body::Body,
    extract::ConnectInfo,
    http::{Request, StatusCode, header},
    response::{IntoResponse, Response},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
    time::{Sleep, sleep},
};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::{limits::Limits, metrics::OneMore};

/// Descriptors that are left for the store, for engines and for calls of our own.
const OURS: usize = 48;
/// When all places are taken, so many more may ask whether we are well.
const SPARE: usize = 16;
/// How long such a request may take.
const SPARE_PATIENCE: Duration = Duration::from_secs(2);
/// The log tells this often that all places are taken.
const TOLD: Duration = Duration::from_secs(60);
/// When the system gives us no connection, it is asked again after this long.
const AGAIN: Duration = Duration::from_millis(100);

/// The size of one read of a connection, and of the largest head of a request.
const BUFFER: usize = 64 << 10;

#[derive(Clone)]
pub struct Places {
    all: Arc<Semaphore>,
    spare: Arc<Semaphore>,
    count: usize,
    /// How long a client may take for a request's head, be silent between two, and read nothing of
    /// an answer.
    patience: Duration,
    told: Arc<Mutex<Option<Instant>>>,
}

/// Kept as long as the connection lasts.
struct TakenPlace {
    _permit: OwnedSemaphorePermit,
    _counted: OneMore,
    /// Only health checks are answered.
    spare: bool,
}

impl Places {
    pub fn new(limits: &Limits, patience: Duration) -> Places {
        let allowed = descriptors().saturating_sub(OURS + SPARE);
        let count = allowed.clamp(1, limits.connections.get() as usize);
        Places {
            all: Arc::new(Semaphore::new(count)),
            spare: Arc::new(Semaphore::new(SPARE)),
            count,
            patience,
            told: Arc::default(),
        }
    }

    fn take(&self) -> Option<TakenPlace> {
        if let Ok(permit) = self.all.clone().try_acquire_owned() {
            return Some(TakenPlace {
                _permit: permit,
                _counted: OneMore::connection(),
                spare: false,
            });
        }
        self.tell();
        let permit = self.spare.clone().try_acquire_owned().ok()?;
        Some(TakenPlace { _permit: permit, _counted: OneMore::connection(), spare: true })
    }

    fn tell(&self) {
        let mut told = self.told.lock().expect("nobody panics holding this");
        if told.is_none_or(|at| at.elapsed() > TOLD) {
            *told = Some(Instant::now());
            let places = self.count;
            tracing::warn!(places, "all connections are in use; others are turned away");
        }
    }

    fn patience(&self, place: &TakenPlace) -> Duration {
        if place.spare { SPARE_PATIENCE } else { self.patience }
    }
}

/// How many descriptors we may have, having asked for as many as we can get.
#[cfg(unix)]
fn descriptors() -> usize {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        limit.current = limit.maximum;
        // Where that is not allowed, what there was must do.
        let _ = setrlimit(Resource::Nofile, limit);
    }
    getrlimit(Resource::Nofile).current.map_or(usize::MAX, |most| most as usize)
}

#[cfg(not(unix))]
fn descriptors() -> usize {
    usize::MAX
}

/// Serves until `stop`. Streams that are open then are cut off.
pub async fn serve_in(
    places: Places,
    listener: TcpListener,
    router: Router,
    stop: CancellationToken,
) -> io::Result<()> {
    let mut open = JoinSet::new();
    loop {
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    sleep(AGAIN).await;
                    continue;
                }
            },
            Some(_) = open.join_next() => continue,
            () = stop.cancelled() => break,
        };
        // Without a place it is closed at once.
        if let Some(place) = places.take() {
            let patience = places.patience(&place);
            let visitor = Visitor { stream, address, place, patience };
            open.spawn(converse(visitor, router.clone(), stop.clone()));
        }
    }
    while open.join_next().await.is_some() {}
    Ok(())
}

/// A client that reads slowly has to take this many bytes in its time, not just one now and then.
const PROGRESS: usize = 16 << 10;

/// A connection that fails when its client does not read what we write.
struct WriteDeadline<Connection> {
    stream: Connection,
    patience: Duration,
    /// How long we may still wait for the client to take PROGRESS bytes, and how many it has taken.
    left: Duration,
    taken: usize,
    /// Since when we wait, and until when.
    blocked: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<Connection> WriteDeadline<Connection> {
    fn new(stream: Connection, patience: Duration) -> WriteDeadline<Connection> {
        WriteDeadline { stream, patience, left: patience, taken: 0, blocked: None }
    }

    fn watch(
        &mut self,
        context: &mut Context,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = &written {
            if let Some((since, _)) = self.blocked.take() {
                self.left = self.left.saturating_sub(since.elapsed());
            }
            self.taken += written.as_ref().map_or(0, |bytes| *bytes);
            if self.taken >= PROGRESS {
                (self.left, self.taken) = (self.patience, 0);
            }
        } else {
            let wait = || (Instant::now(), Box::pin(sleep(self.left)));
            let (_, deadline) = self.blocked.get_or_insert_with(wait);
            ready!(deadline.as_mut().poll(context));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        written
    }
}

impl<Connection: AsyncRead + Unpin> AsyncRead for WriteDeadline<Connection> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<Connection: AsyncWrite + Unpin> AsyncWrite for WriteDeadline<Connection> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        bytes: &[IoSlice],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

struct Visitor {
    stream: TcpStream,
    address: SocketAddr,
    place: TakenPlace,
    patience: Duration,
}

async fn converse(visitor: Visitor, router: Router, stop: CancellationToken) {
    let Visitor { stream, address, place, patience } = visitor;
    // Without this, small answers wait for the client's next packet.
    let _ = stream.set_nodelay(true);
    let stream = WriteDeadline::new(stream, patience);
    let spare = place.spare;
    let answer = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(address));
        let router = router.clone();
        async move {
            if spare && !request.uri().path().starts_with("/healthz") {
                return Ok(turned_away());
            }
            router.oneshot(request).await
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .keep_alive(!spare)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), answer);
    let mut connection = pin!(connection);
    tokio::select! {
        // A client that breaks off, or takes too long, is no fault of ours.
        _ = connection.as_mut() => return,
        () = stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

fn turned_away() -> Response {
    let why = json!({ "error": "All connections are in use. Try again in a few seconds." });
    let retry = [(header::RETRY_AFTER, "5")];
    (StatusCode::SERVICE_UNAVAILABLE, retry, Json(why)).into_response()
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::interval,
    };

    use super::*;

    #[tokio::test]
    async fn a_client_that_takes_a_little_does_not_get_more_time() {
        let (ours, mut theirs) = duplex(1 << 10);
        let mut ours = WriteDeadline::new(ours, Duration::from_millis(200));
        let reads_slowly = async {
            let mut pause = interval(Duration::from_millis(10));
            while theirs.read_u8().await.is_ok() {
                pause.tick().await;
            }
        };
        tokio::select! {
            written = ours.write_all(&[0; PROGRESS]) => {
                assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
            }
            () = reads_slowly => unreachable!("the connection stays open"),
        }
    }
}
