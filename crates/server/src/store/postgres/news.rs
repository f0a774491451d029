//! Notifications between nodes: which games have changed.
//!
//! It is told after the turn is durable, and several turns at once: inside the turn's own
//! transaction every NOTIFY waits for a lock of the whole database. News that is lost costs time
//! and nothing else: those who wait read again by themselves, and the other nodes are told that
//! they have missed something as soon as they can be.

use std::{future::poll_fn, sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::{
    sync::{broadcast, mpsc, oneshot},
    time::{Instant, sleep},
};
use tokio_postgres::{AsyncMessage, Client};
use tokio_util::sync::CancellationToken;

use super::{
    Postgres,
    connect::{Database, in_full, was_cut},
};
use crate::{
    ids::GameId,
    store::{Change, Nodes, StoreError, known_kind},
};

/// Postgres takes eight thousand bytes at once; each of these is at most twenty, with its kind
/// forty.
const BATCH: usize = 190;
const AGAIN: Duration = Duration::from_millis(200);

#[async_trait]
impl Nodes for Postgres {
    fn changes(&self) -> broadcast::Receiver<Change> {
        self.elsewhere.subscribe()
    }

    async fn say(&self, words: String) -> Result<(), StoreError> {
        self.announcer.announce(Change::Said(words.into()));
        Ok(())
    }
}

/// Tells the other nodes.
#[derive(Clone)]
pub struct Notifier(mpsc::UnboundedSender<Cry>);

enum Cry {
    Change(Change),
    /// To be answered when all before it has been told.
    Settle(oneshot::Sender<()>),
}

impl Notifier {
    pub fn start(line: Database, node: Arc<str>) -> Notifier {
        let (sender, queue) = mpsc::unbounded_channel();
        tokio::spawn(announce(line, node, queue));
        Notifier(sender)
    }

    pub fn announce(&self, change: Change) {
        // The other end lives as long as this one.
        let _ = self.0.send(Cry::Change(change));
    }

    /// Returns when everybody has been told of everything so far.
    pub async fn settle(&self) {
        let (done, settled) = oneshot::channel();
        let _ = self.0.send(Cry::Settle(done));
        let _ = settled.await;
    }
}

async fn announce(mut line: Database, node: Arc<str>, mut queue: mpsc::UnboundedReceiver<Cry>) {
    line.config.application_name("agon tells");
    let mut client: Option<Client> = None;
    let mut together = Vec::with_capacity(BATCH);
    // Some news could not be told, and the others do not know that yet.
    let mut lost = false;
    loop {
        tokio::select! {
            received = queue.recv_many(&mut together, BATCH) => if received == 0 { return },
            () = sleep(AGAIN), if lost => {}
        }
        let mut changes = Vec::from_iter(lost.then_some(Change::Missed));
        let mut settling = Vec::new();
        for cry in together.drain(..) {
            match cry {
                Cry::Change(change) => changes.push(change),
                Cry::Settle(done) => settling.push(done),
            }
        }
        let told = tell(&line, &mut client, write(&node, changes)).await;
        if let Err(error) = &told
            && !lost
        {
            tracing::warn!(error = in_full(error), "other nodes are not told; trying again");
        }
        lost = told.is_err();
        for done in settling {
            let _ = done.send(());
        }
    }
}

/// Tells the other nodes, over a new connection if there is none. An error means that some of it
/// was not told.
async fn tell(
    line: &Database,
    client: &mut Option<Client>,
    texts: Vec<String>,
) -> Result<(), tokio_postgres::Error> {
    client.take_if(|client| client.is_closed());
    let mut all = Ok(());
    for text in texts {
        let client = match client {
            Some(client) => client,
            None => client.insert(connect(line).await?),
        };
        // Postgres refuses a text that is too long, and takes the next.
        match client.execute("select pg_notify('agon', $1)", &[&text]).await {
            Err(error) if was_cut(&error) => return Err(error),
            told => all = all.and(told.map(drop)),
        }
    }
    all
}

async fn connect(line: &Database) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = line.config.connect(line.tls.clone()).await?;
    tokio::spawn(connection);
    // Notifications are lost with the database anyway; there is no disk to wait for.
    client.batch_execute("set synchronous_commit = off").await?;
    Ok(client)
}

/// Hears the other nodes for as long as the store is open.
pub fn listen(
    mut line: Database,
    node: Arc<str>,
    open: CancellationToken,
) -> broadcast::Sender<Change> {
    line.config.application_name("agon listens");
    let (sender, _) = broadcast::channel(4096);
    let listener = NewsListener { line, node, heard: sender.clone() };
    tokio::spawn(async move { open.run_until_cancelled(listener.listen()).await });
    sender
}

struct NewsListener {
    line: Database,
    node: Arc<str>,
    heard: broadcast::Sender<Change>,
}

impl NewsListener {
    async fn listen(&self) {
        let mut first = true;
        let mut silent = false;
        loop {
            let before = Instant::now();
            let error = self.hear(first).await.err();
            // Said once, however long it lasts.
            silent = silent && before.elapsed() < AGAIN;
            if let Some(error) = error.filter(|_| !silent) {
                tracing::warn!(error = in_full(&error), "other nodes are not heard; trying again");
                silent = true;
            }
            first = false;
            sleep(AGAIN).await;
        }
    }

    /// Passes on what is heard for as long as the connection holds.
    async fn hear(&self, first: bool) -> Result<(), tokio_postgres::Error> {
        let (client, mut connection) = self.line.config.connect(self.line.tls.clone()).await?;
        let listening = client.batch_execute("listen agon");
        tokio::pin!(listening);
        let mut is_listening = false;
        loop {
            let message = tokio::select! {
                message = poll_fn(|context| connection.poll_message(context)) => message,
                listens = &mut listening, if !is_listening => {
                    listens?;
                    is_listening = true;
                    if !first {
                        self.pass_on(Change::Missed);
                    }
                    continue;
                }
            };
            match message {
                Some(Ok(AsyncMessage::Notification(told))) => {
                    let changes = read(&self.node, told.payload());
                    changes.into_iter().for_each(|change| self.pass_on(change));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            }
        }
    }

    fn pass_on(&self, change: Change) {
        // Nobody may be listening.
        let _ = self.heard.send(change);
    }
}

/// The sender, then each game and its newest turn: `5f.. chess 3f9a61c2:7 00c41b22:0`. A kind is
/// that of all that follow it, up to the next; a dash is none that is known. Words go alone, behind
/// a `!`. A `?` alone says that some of it was lost.
fn write(node: &str, changes: Vec<Change>) -> Vec<String> {
    let mut games = node.to_owned();
    let mut texts = Vec::new();
    let mut told = None;
    for change in changes {
        match change {
            Change::Game { id, turn, kind } => {
                if told != kind {
                    games.push_str(&format!(" {}", kind.unwrap_or("-")));
                    told = kind;
                }
                games.push_str(&format!(" {id}:{turn}"));
            }
            Change::Said(words) => texts.push(format!("{node} !{words}")),
            Change::Missed => texts.push(format!("{node} ?")),
        }
    }
    texts.extend((games.len() > node.len()).then_some(games));
    texts
}

fn read(node: &str, text: &str) -> Vec<Change> {
    let mut kind = None;
    let mut game = |word: &str| {
        let Some((game, turn)) = word.split_once(':') else {
            kind = known_kind(word);
            return None;
        };
        let id = GameId::from_number(u32::from_str_radix(game, 16).ok()?);
        Some(Change::Game { id, turn: turn.parse().ok()?, kind })
    };
    match text.split_once(' ') {
        Some((who, _)) if who == node => Vec::new(),
        Some((_, "?")) => vec![Change::Missed],
        Some((_, rest)) => match rest.strip_prefix('!') {
            Some(words) => vec![Change::Said(words.into())],
            None => rest.split(' ').filter_map(&mut game).collect(),
        },
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood_elsewhere_and_not_heard_at_home() {
        let game =
            |number, turn, kind| Change::Game { id: GameId::from_number(number), turn, kind };
        let told = vec![
            Change::Missed,
            Change::Said("{\"a\": \"b c\"}".into()),
            game(0x3f9a61c2, 7, None),
            game(1, 0, Some("chess")),
            game(2, 1, Some("chess")),
            game(3, 2, Some("league")),
            game(4, 3, None),
        ];
        let texts = write("me", told.clone());
        assert_eq!(texts.iter().flat_map(|text| read("you", text)).collect::<Vec<_>>(), told);
        assert!(texts.iter().all(|text| read("me", text).is_empty()));
        assert!(read("you", "them x:1 00000001 00000001:z").is_empty());
        assert!(write("me", Vec::new()).is_empty());
        let names = rules::KINDS.iter().map(|kind| kind.name);
        let mut names: Vec<_> = names.map(Some).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.map(str::len)));
        let longest = (0..BATCH).map(|n| game(u32::MAX, u32::MAX, names[n % 2])).collect();
        assert!(write("0123456789abcdef", longest)[0].len() < 8000);
    }
}
