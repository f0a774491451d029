//! A game that agon plays against itself, over MCP and as a host would start it: this program, on
//! stdin and stdout, with a store of its own that is thrown away.

use std::{
    env,
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use rmcp::{RoleClient, ServiceExt, model::CallToolRequestParams, service::RunningService};
use serde_json::{Value, json};
use tokio::{
    io::AsyncReadExt,
    process::{ChildStdin, ChildStdout, Command},
    time::timeout,
};

use super::Check;

const NAME: &str = "game";
const LONGEST: Duration = Duration::from_secs(30);
/// The shortest game of chess that ends in mate.
const MOVES: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

pub async fn check() -> Check {
    let began = Instant::now();
    let advice =
        "Start agon by hand in a terminal and read what it says: this is how hosts start it.";
    match timeout(LONGEST, play()).await {
        Ok(Ok(outcome)) => {
            let seconds = began.elapsed().as_secs_f64();
            Check::ok(NAME, format!("played over MCP in {seconds:.1} s: {outcome}"))
        }
        Ok(Err(error)) => Check::fault(NAME, format!("no game was played: {error:#}"), advice),
        Err(_) => Check::fault(NAME, format!("no game was over after {LONGEST:?}"), advice),
    }
}

/// Starts agon, plays, and ends it.
async fn play() -> Result<String> {
    let folder = tempfile::tempdir().context("there is no place for a store")?;
    let mut agon = Command::new(env::current_exe()?)
        .args(["--no-browser", "--listen", "127.0.0.1:0", "--rooms", "chess", "--store"])
        .arg(format!("sqlite:{}", folder.path().join("agon.db").display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("agon does not start")?;
    let pipes = agon.stdout.take().zip(agon.stdin.take()).context("agon has no stdin or stdout")?;
    let mut stderr = agon.stderr.take().context("agon has no stderr")?;
    let log = tokio::spawn(async move {
        let mut log = String::new();
        let _ = stderr.read_to_string(&mut log).await;
        log
    });
    match play_through(pipes).await {
        Ok(result) => {
            let ended = agon.wait().await?;
            ensure!(ended.success(), "agon ended with {ended}");
            Ok(result)
        }
        Err(error) => {
            // The last line is most likely the reason.
            agon.kill().await?;
            let log = log.await.unwrap_or_default();
            match log.lines().last() {
                Some(last) => Err(error.context(last.to_owned())),
                None => Err(error),
            }
        }
    }
}

async fn play_through(pipes: (ChildStdout, ChildStdin)) -> Result<String> {
    let client = ().serve(pipes).await.context("agon does not shake hands")?;
    let created = call(&client, "createGame", json!({ "type": "agent" })).await?;
    let white = text(&created, "pass")?;
    let seat = json!({ "game_id": text(&created, "game_id")?, "color": "black" });
    let joined = call(&client, "joinGame", seat).await?;
    let black = text(&joined, "pass")?;
    let mut last = Value::Null;
    for (mv, pass) in MOVES.iter().zip([&white, &black].into_iter().cycle()) {
        last = call(&client, "finishTurn", json!({ "game_id": pass, "move": mv })).await?;
    }
    client.cancel().await.context("agon does not hang up")?;
    let result = text(&last, "result")?;
    ensure!(result.contains("Checkmate"), "the game should have ended in mate, not in {result:?}");
    Ok(result)
}

async fn call(
    client: &RunningService<RoleClient, ()>,
    tool: &'static str,
    arguments: Value,
) -> Result<Value> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let call = CallToolRequestParams::new(tool).with_arguments(arguments);
    let answer =
        client.call_tool(call).await.with_context(|| format!("{tool} was not answered"))?;
    if answer.is_error == Some(true) {
        bail!("{tool} was refused: {:?}", answer.content);
    }
    answer.structured_content.with_context(|| format!("{tool} was answered without facts"))
}

fn text(facts: &Value, name: &str) -> Result<String> {
    let text = facts[name].as_str().map(str::to_owned);
    text.with_context(|| format!("there is no {name} in {facts}"))
}
