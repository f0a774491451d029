//! Just enough HTTP to misbehave in it.

use std::io;

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// The body of the next request on this connection.
pub async fn read_request(stream: &mut BufReader<TcpStream>) -> io::Result<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().map_err(io::Error::other)?;
            }
            None if line.trim_end().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok(body)
}

pub async fn write(stream: &mut BufReader<TcpStream>, status: u16, body: &Value) -> io::Result<()> {
    let is_welcome = body["result"]["protocolVersion"].is_string();
    let session = if is_welcome { "mcp-session-id: a-session\r\n" } else { "" };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\n{session}\
         content-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).await?;
    stream.flush().await
}

/// Sixty megabytes of good JSON.
pub async fn flood(stream: &mut BufReader<TcpStream>) -> io::Result<()> {
    let part = vec![b' '; 60_000];
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 60000000\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    for _ in 0..1000 {
        stream.write_all(&part).await?;
    }
    stream.flush().await
}
