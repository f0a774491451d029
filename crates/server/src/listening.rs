//! Where the program is spoken to: the addresses it listens on, and stdin and stdout.

use std::{io, net::SocketAddr};

use anyhow::{Context, Result};
use reqwest::Url;
use rmcp::{ServiceExt, transport::async_rw::AsyncRwTransport};
use tokio::{io::AsyncReadExt, net::TcpListener};

use crate::{
    mcp::{McpService, room::Room},
    web::Guard,
};

pub const ADDRESS: &str = "127.0.0.1:8000";
/// Where clients of these rooms look for them.
const DUNGEON_ADDRESS: &str = "127.0.0.1:5002";
const REFEREE_ADDRESS: &str = "127.0.0.1:8001";

/// Where we listen if nothing is said.
pub fn usual_address() -> SocketAddr {
    ADDRESS.parse().expect("our own address is one")
}

/// An address as people write it; of a port alone, ours.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    match port.parse() {
        Ok(port) => Ok(SocketAddr::new(usual_address().ip(), port)),
        Err(_) => text.parse().map_err(|_| format!("that is not like {ADDRESS}, nor a port")),
    }
}

/// Where people reach the pages, as `--url` says it.
pub fn web_address(text: &str) -> Result<Url, String> {
    let url = text.parse::<Url>().ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| "write it in full, like https://games.example".to_owned())
}

/// The addresses asked for. Without a word, a host that speaks to us on stdin gets its pages
/// elsewhere if somebody has the port.
pub async fn listen(asked: &[SocketAddr], must: bool, guard: &Guard) -> Result<Vec<TcpListener>> {
    let default = usual_address();
    if asked.is_empty() && !must {
        let anywhere = SocketAddr::new(default.ip(), 0);
        let listener = match TcpListener::bind(default).await {
            Err(_) => TcpListener::bind(anywhere).await,
            bound => bound,
        };
        let listener = listener.inspect_err(|error| tracing::info!(%error, "there are no pages"));
        return Ok(listener.into_iter().collect());
    }
    let asked = if asked.is_empty() { &[default] } else { asked };
    let mut listeners = Vec::new();
    for &address in asked {
        guard.permits(address)?;
        match TcpListener::bind(address).await {
            Ok(listener) => listeners.push(listener),
            Err(error) if must => {
                return Err(error).with_context(|| {
                    format!("cannot listen on {address}; choose another with --listen ADDR:PORT")
                });
            }
            Err(error) => tracing::info!(%address, %error, "no pages from this process"),
        }
    }
    Ok(listeners)
}

/// The rooms' own addresses, where they are wanted and free: nothing else depends on them.
/// Without a word, at the usual addresses if that is `usual`.
pub async fn listen_aside(
    dungeon: Option<SocketAddr>,
    referee: Option<SocketAddr>,
    usual: bool,
    rooms: &[Room],
    guard: &Guard,
) -> Result<Vec<(Room, TcpListener)>> {
    let mut listeners = Vec::new();
    for (room, asked, default) in
        [("dungeon", dungeon, DUNGEON_ADDRESS), ("referee", referee, REFEREE_ADDRESS)]
    {
        let default = || usual.then(|| default.parse().expect("our own address is one"));
        let Some(room) = rooms.iter().find(|one| one.name == room).cloned() else { continue };
        let Some(address) = asked.or_else(default) else { continue };
        guard.permits(address)?;
        match TcpListener::bind(address).await {
            Ok(listener) => listeners.push((room, listener)),
            Err(error) => {
                let path = room.path();
                tracing::warn!(%address, %error, path, "a room has no address of its own");
            }
        }
    }
    Ok(listeners)
}

pub async fn speak_on_stdio(service: McpService) -> Result<()> {
    let here = service.clone();
    let (stdin, stdout) = rmcp::transport::stdio_pipes();
    // The last message may end without a line break. Every line is answered: its length is the
    // business of whoever started us.
    let stdin = stdin.chain(&b"\n"[..]);
    let lines = AsyncRwTransport::new_server(stdin, stdout).with_max_line_length(usize::MAX);
    match service.serve(lines).await {
        Ok(service) => {
            service.waiting().await?;
            here.close().await;
            Ok(())
        }
        // A host that starts us and says nothing has changed its mind.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Listens for signals from now on, and not only when this is awaited: we may be asked to stop as
/// soon as we have said where we listen.
#[cfg(unix)]
pub fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(windows)]
pub fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        interrupt.recv().await;
    })
}
