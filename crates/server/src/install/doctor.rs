//! `agon doctor`: looks at everything agon needs on this machine, plays a game to see that it
//! works, and says what to do about each fault.

mod game;
mod store;

use std::{
    net::{SocketAddr, TcpListener},
    process::ExitCode,
    time::Duration,
};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::{
    hosts::Folders,
    survey::{self, HostState, Surveyed},
};
use crate::{
    store::Address,
    terminal::{self, BAD, DOUBTFUL, GOOD, styled},
};

/// How long the program that has our port may take to identify itself.
const NEIGHBOUR: Duration = Duration::from_secs(10);

#[derive(clap::Args)]
pub struct DoctorFlags {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum CheckVerdict {
    Ok,
    /// Nothing is broken, but somebody may wonder.
    Note,
    Fault,
}

/// One thing that was looked at.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    verdict: CheckVerdict,
    says: String,
    /// Advice for the owner.
    #[serde(rename = "do", skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Check {
    fn ok(name: &'static str, says: impl Into<String>) -> Check {
        Check { name, verdict: CheckVerdict::Ok, says: says.into(), advice: None }
    }

    fn note(name: &'static str, says: impl Into<String>, advice: impl Into<String>) -> Check {
        Check { name, verdict: CheckVerdict::Note, says: says.into(), advice: Some(advice.into()) }
    }

    fn fault(name: &'static str, says: impl Into<String>, advice: impl Into<String>) -> Check {
        Check { name, verdict: CheckVerdict::Fault, says: says.into(), advice: Some(advice.into()) }
    }
}

#[derive(Serialize)]
struct DoctorReport {
    version: &'static str,
    ok: bool,
    checks: Vec<Check>,
}

/// The store and addresses of a server with these flags.
pub struct IntendedServer {
    pub listen: Vec<SocketAddr>,
    /// Whether the owner said so: then nothing else will do.
    pub must_listen: bool,
    pub store: Address,
}

pub async fn run(flags: &DoctorFlags, wanted: &IntendedServer) -> Result<ExitCode> {
    let mut checks = vec![version()];
    for address in &wanted.listen {
        checks.push(port(*address, wanted.must_listen).await);
    }
    checks.extend(store::checks(&wanted.store).await);
    checks.extend(hosts());
    checks.push(game::check().await);
    let ok = checks.iter().all(|check| check.verdict != CheckVerdict::Fault);
    let report = DoctorReport { version: env!("CARGO_PKG_VERSION"), ok, checks };
    if flags.json {
        terminal::say_json(&report)?;
    } else {
        terminal::say(&in_words(&report))?;
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn in_words(report: &DoctorReport) -> String {
    let mut text = String::new();
    for Check { name, verdict, says, advice } in &report.checks {
        let mark = match verdict {
            CheckVerdict::Ok => styled(GOOD, "ok   "),
            CheckVerdict::Note => styled(DOUBTFUL, "note "),
            CheckVerdict::Fault => styled(BAD, "FAULT"),
        };
        text += &format!("{mark} {name:<8} {says}\n");
        if let Some(advice) = advice {
            text += &format!("               {advice}\n");
        }
    }
    let faults = report.checks.iter().filter(|check| check.verdict == CheckVerdict::Fault).count();
    text + &match faults {
        0 => "agon works here.".to_owned(),
        1 => "1 fault.".to_owned(),
        faults => format!("{faults} faults."),
    }
}

fn version() -> Check {
    let path = super::own_path().unwrap_or_else(|_| "somewhere".to_owned());
    Check::ok("version", format!("agon {} at {path}", env!("CARGO_PKG_VERSION")))
}

/// The answer of `/healthz`.
#[derive(Deserialize)]
struct Health {
    ready: bool,
    version: String,
    error: Option<String>,
    check: Option<HealthCheck>,
}

/// When its store was last checked for damage.
#[derive(Deserialize)]
struct HealthCheck {
    seconds_ago: u64,
}

async fn port(address: SocketAddr, must_listen: bool) -> Check {
    let name = "port";
    let error = match TcpListener::bind(address) {
        Ok(_) => return Check::ok(name, format!("{address} is free")),
        Err(error) => error,
    };
    match neighbour(address).await {
        Some(Health { ready: true, version, check, .. }) => {
            let checked = check.map_or_else(String::new, |HealthCheck { seconds_ago }| {
                format!("; it checked its store for damage {seconds_ago} s ago")
            });
            Check::ok(name, format!("agon {version} is running on {address}{checked}"))
        }
        Some(Health { ready: false, version, error, .. }) => Check::fault(
            name,
            format!("agon {version} runs on {address} and cannot save games"),
            error.unwrap_or_else(|| "Read what it says on stderr.".to_owned()),
        ),
        None if must_listen => Check::fault(
            name,
            format!("{address} cannot be listened on: {error}"),
            "Stop what is there, or choose another with --listen ADDR:PORT.",
        ),
        None => Check::note(
            name,
            format!("{address} cannot be listened on: {error}"),
            "MCP hosts are served all the same, with pages on another port. For agon serve, choose \
             one with --listen ADDR:PORT.",
        ),
    }
}

async fn neighbour(address: SocketAddr) -> Option<Health> {
    let client = reqwest::Client::builder().timeout(NEIGHBOUR).no_proxy().build().ok()?;
    let answer = client.get(format!("http://{address}/healthz")).send().await.ok()?;
    answer.json().await.ok()
}

fn hosts() -> Vec<Check> {
    let name = "hosts";
    let Some(folders) = Folders::of_user() else {
        return vec![Check::note(name, "there is no home folder to look in", "Set HOME.")];
    };
    let checks: Vec<_> = survey::all(&folders).into_iter().filter_map(host).collect();
    if checks.is_empty() {
        let advice = "Install one (agon install lists them), or point yours at this program.";
        return vec![Check::note(name, "no MCP host was found", advice)];
    }
    checks
}

fn host(surveyed: Surveyed) -> Option<Check> {
    let Surveyed { host, title, file, standing } = surveyed;
    let name = "hosts";
    let file = file.display();
    Some(match standing {
        HostState::Absent => return None,
        HostState::With { .. } => Check::ok(name, format!("{title} has agon")),
        HostState::Other => Check::ok(name, format!("{title} has agon by other means")),
        HostState::Without => {
            Check::note(name, format!("{title} has no agon"), format!("agon install {host}"))
        }
        HostState::Stale { command } => Check::fault(
            name,
            format!("{title} starts {command}, which is not there"),
            format!("agon install {host}"),
        ),
        HostState::Invalid { fault } => Check::fault(
            name,
            format!("{title} cannot read {file}: {fault}"),
            "Mend the file; until then the host may load no servers at all.",
        ),
    })
}
