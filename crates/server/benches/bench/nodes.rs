//! One, two and three nodes on one Postgres, with SQLite beside them.

#[path = "../../tests/it/cluster.rs"]
mod cluster;

use std::{fs, sync::Arc, time::Duration};

use self::cluster::Cluster;
use crate::{
    clients::{Client, Server, Way},
    measure_play,
    samples::{Sample, Table, cpu_time},
};

const PLAYERS: usize = 64;

/// Sixty-four players, shared out among the nodes.
pub async fn moves(table: &mut Table, line: &Arc<Vec<String>>) {
    let file = vec![Server::start()];
    measure_nodes(table, "SQLite, 64 players", &file, line, &|| Duration::ZERO).await;
    drop(file);
    for nodes in 1..=3 {
        // With every flush: what is answered is on the disk.
        let cluster = Cluster::durable();
        let servers: Vec<_> = (0..nodes).map(|_| Server::on(cluster.address(), &[])).collect();
        let name = format!("Postgres, {nodes} nodes, 64 players");
        measure_nodes(table, &name, &servers, line, &|| postgres_cpu(&cluster)).await;
    }
}

async fn measure_nodes(
    table: &mut Table,
    name: &str,
    servers: &[Server],
    line: &Arc<Vec<String>>,
    database: &dyn Fn() -> Duration,
) {
    let mut players = Vec::new();
    for n in 0..PLAYERS {
        players.push(Arc::new(Client::new(&servers[n % servers.len()], Way::Plain).await));
    }
    let pids: Vec<_> = servers.iter().map(|server| server.child.id()).collect();
    let before = database();
    let mut all = Sample::default();
    for _ in 0..3 {
        all.add(measure_play(&pids, &players, 300, line).await);
    }
    table.row(name, "durable finishTurn", all.to_string());
    let spent = (database() - before).as_secs_f64() * 1e6 / all.calls() as f64;
    if spent > 0.0 {
        table.row(name, "CPU in Postgres per move", format!("{spent:.0} µs"));
    }
}

pub async fn wake_up(table: &mut Table, line: &[String]) {
    let cluster = Cluster::durable();
    let [one, two] = [0, 1].map(|_| Server::on(cluster.address(), &[]));
    for (name, other) in [("same", &one), ("another", &two)] {
        let players = [Client::new(&one, Way::Plain).await, Client::new(other, Way::Plain).await];
        crate::wake_up(table, &format!("wake-up, {name} node"), players, line).await;
    }
}

/// What its processes have used, all together.
fn postgres_cpu(cluster: &Cluster) -> Duration {
    let parent = cluster.pid();
    let children = fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, fields) = stat.rsplit_once(')')?;
        (fields.split_whitespace().nth(1)?.parse::<u32>().ok()? == parent).then_some(pid)
    });
    children.chain([parent]).map(cpu_time).sum()
}
