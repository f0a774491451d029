//! What the dungeon costs: a round of combat beside an echo, and a call among very many games.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use rules::{
    Due, Eye, Record,
    dungeon::{Dungeon, HERO, Status},
};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    clients::{Client, Server, Way},
    samples::{Sample, Table, measure, quantiles},
};

/// A dungeon in which a fight is near and long: its seed, the way there, the rounds.
#[derive(Clone)]
struct Fight {
    seed: u64,
    way: Vec<&'static str>,
    rounds: Vec<&'static str>,
}

/// The hero holds his shield up five times and then strikes until it is over.
fn long_fight() -> Fight {
    let fights = (0..2000).filter_map(|seed| {
        ["North", "East", "South", "West"].into_iter().find_map(|direction| {
            let mut record = Record::start(rules::kind("dungeon").ok()?, "{}", seed).ok()?;
            let mut play = |text: &str| {
                record.step(HERO, text).map(|step| record.take(step)).ok()?;
                Some((record.due(), record.view::<Dungeon>(Eye::Public)?.status))
            };
            let (_, status) = play(&format!("go {direction}"))?;
            let mut rounds = Vec::new();
            let mut fights = status == Status::InCombat;
            while fights {
                let round = if rounds.len() < 5 { "Defend" } else { "Attack" };
                let (due, status) = play(round)?;
                rounds.push(round);
                fights = status == Status::InCombat && !matches!(due, Due::Over(_));
            }
            Some(Fight { seed, way: vec![direction], rounds })
        })
    });
    fights.max_by_key(|fight| fight.rounds.len()).expect("there is a fight somewhere")
}

static CONVERSATIONS: AtomicUsize = AtomicUsize::new(0);

impl Fight {
    /// A hero who stands before the monster.
    async fn arrange(&self, client: &Client) -> String {
        let id = format!("bench {}", CONVERSATIONS.fetch_add(1, Ordering::Relaxed));
        client.post("get_current_room", json!({ "conversationId": id, "seed": self.seed })).await;
        for direction in &self.way {
            let arguments = json!({ "conversationId": id, "direction": direction });
            client.post("move_to_room", arguments).await;
        }
        id
    }

    /// Enough heroes for so many rounds.
    async fn heroes(&self, client: &Client, rounds: usize) -> Vec<String> {
        let mut heroes = Vec::new();
        for _ in 0..rounds.div_ceil(self.rounds.len()) {
            heroes.push(self.arrange(client).await);
        }
        heroes
    }

    async fn fight(&self, client: &Client, heroes: &[String], rounds: usize) {
        for n in 0..rounds {
            let hero = &heroes[n / self.rounds.len()];
            let round = self.rounds[n % self.rounds.len()];
            let arguments = json!({ "conversationId": hero, "action": round });
            let answer = client.timed("combat_action", arguments).await;
            assert_eq!(answer["structuredContent"]["success"], true, "{answer}");
        }
    }
}

pub async fn cost_of_a_round(table: &mut Table, way: Way) {
    let fight = long_fight();
    let server = Server::start();
    let connections = if way == Way::Stdio { 1 } else { 16 };
    let mut players = Vec::new();
    for _ in 0..connections {
        players.push(Arc::new(Client::new(&server, way).await));
    }
    let pid = players[0].pid().unwrap_or(server.child.id());
    let (mut echo, mut rounds) = (Sample::default(), Sample::default());
    for _ in 0..3 {
        echo.add(
            measure(pid, &players, 1000, |player, n| {
                let player = player.clone();
                async move {
                    for _ in 0..n {
                        player.timed("test_simple_text", json!({})).await;
                    }
                }
            })
            .await,
        );
        rounds.add(fight_on(&fight, pid, &players, 1000).await);
    }
    let name = format!("dungeon, {}", way.name());
    table.row(&name, &format!("echo, {connections} connections"), echo.to_string());
    table.row(&name, "durable combat_action", rounds.to_string());
    table.row(&name, "combat_action / echo, CPU", format!("{:.2}", rounds.cpu() / echo.cpu()));
}

async fn fight_on(fight: &Fight, pid: u32, players: &[Arc<Client>], rounds: usize) -> Sample {
    let mut heroes = Vec::new();
    for player in players {
        heroes.push(fight.heroes(player, rounds).await);
    }
    let mut heroes = heroes.into_iter();
    let start = |player: &Arc<Client>, n| {
        let (player, fight) = (player.clone(), fight.clone());
        let heroes = heroes.next().expect("heroes for each");
        async move { fight.fight(&player, &heroes, n).await }
    };
    measure(pid, players, rounds, start).await
}

/// The same calls in a store with a hundred games, and in one with a hundred thousand.
pub async fn a_hundred_thousand_games(table: &mut Table) {
    let fight = long_fight();
    let mut costs = Vec::new();
    for games in [100, 100_000] {
        let server = Server::start();
        let mut players = Vec::new();
        for _ in 0..16 {
            players.push(Arc::new(Client::new(&server, Way::Plain).await));
        }
        let mut filling = JoinSet::new();
        for (n, player) in players.iter().cloned().enumerate() {
            filling.spawn(async move {
                for number in (n..games).step_by(16) {
                    let id = format!("old {number}");
                    player.post("save_game", json!({ "conversationId": id })).await;
                }
            });
        }
        filling.join_all().await;
        let memory = server.resident_kib() / 1024;
        let sample = fight_on(&fight, server.child.id(), &players, 1000).await;
        let mut looks = Vec::new();
        for number in (0..games).step_by(games / 100) {
            let arguments = json!({ "conversationId": format!("old {number}") });
            let started = Instant::now();
            let room: Value = players[0].post("get_current_room", arguments).await;
            assert_eq!(room["structuredContent"]["success"], true);
            looks.push(started.elapsed());
        }
        let name = format!("a store of {games} dungeons");
        table.row(&name, "durable combat_action, 16 connections", sample.to_string());
        table.row(&name, "get_current_room of any of them, p50 and p99", quantiles(&mut looks));
        table.row(&name, "memory with all of them just made", format!("{memory} MiB"));
        costs.push(sample.cpu());
    }
    table.row(
        "100,000 / 100 dungeons",
        "combat_action, CPU",
        format!("{:.2}", costs[1] / costs[0]),
    );
}
