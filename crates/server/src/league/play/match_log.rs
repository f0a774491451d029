//! The match log: messages to and from each player, and the referee's notes. It tells owners why their
//! agent lost.
//!
//! The log is stored beside the games, bounded in size and time. It is written in the background, and
//! no game depends on it.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use rules::{
    Tag,
    league::{LeagueKind, MatchId, MatchView, PlayerId, View},
    short,
};
use serde::Serialize;
use serde_json::{Map, Value};
use ts_rs::TS;

use super::{leagues::Leagues, referee::contest::made_for, refusals::LeagueRefusal};
use crate::{
    hall::Game,
    ids::GameId,
    league::wire::message_log::{CUT, LogEntry, MessageLog, Said},
    store::{LeagueNotes, LoggedMessages, Millis, now},
};

const DAY: Millis = 24 * 60 * 60 * 1000;
/// How long a log is kept, and how long if a player failed.
const KEPT: Millis = 7 * DAY;
const KEPT_FAILURE: Millis = 60 * DAY;
/// The most refused calls that are logged for one player in a match.
const MOST_REFUSED: usize = 200;
/// How often new entries are stored during a match.
const FLUSH: Duration = Duration::from_secs(1);

/// The log of one player in one match, with the store that keeps it.
pub struct PlayerLog {
    notes: Arc<dyn LeagueNotes>,
    league: GameId,
    contest: MatchId,
    player: PlayerId,
    pub log: MessageLog,
}

impl PlayerLog {
    pub fn new(
        leagues: &Leagues,
        league: GameId,
        contest: MatchId,
        player: PlayerId,
        token: Option<String>,
    ) -> PlayerLog {
        let notes = leagues.hall.store().clone();
        PlayerLog { notes, league, contest, player, log: MessageLog::new(token) }
    }

    fn logged(&self) -> Option<LoggedMessages> {
        let new = self.log.take();
        if new.is_empty() {
            return None;
        }
        let at = now();
        Some(LoggedMessages {
            league: self.league,
            contest: self.contest.to_string(),
            player: self.player.to_string(),
            at,
            until: at + if self.log.has_failed() { KEPT_FAILURE } else { KEPT },
            text: serde_json::to_string(&new).expect("entries can be written"),
        })
    }
}

/// Stores the new entries of these logs.
pub async fn keep(logs: &[&PlayerLog]) {
    let logged: Vec<_> = logs.iter().filter_map(|log| log.logged()).collect();
    let Some(log) = logs.first().filter(|_| !logged.is_empty()) else { return };
    if let Err(error) = log.notes.add_to_match_log(logged).await {
        tracing::debug!(%error, "what was said in a match is not kept");
    }
}

/// Stores a refused call in the background, up to `MOST_REFUSED` of them.
pub fn keep_refused(log: PlayerLog) {
    tokio::spawn(async move {
        let (contest, player) = (log.contest.to_string(), log.player.to_string());
        let kept = log.notes.match_log(log.league, &contest).await.unwrap_or_default();
        if kept.iter().filter(|logged| logged.player == player).count() < MOST_REFUSED {
            keep(&[&log]).await;
        }
    });
}

/// Stores new entries every second while `work` runs.
pub async fn keep_meanwhile<T>(logs: [&PlayerLog; 2], work: impl Future<Output = T>) -> T {
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(FLUSH) => keep(&logs).await,
        }
    }
}

/// Stores the last entries of a match. If a player failed, the whole log is kept longer.
pub async fn close(logs: [&PlayerLog; 2]) {
    keep(&logs).await;
    if logs.iter().any(|log| log.log.has_failed()) {
        let [log, _] = logs;
        let until = now() + KEPT_FAILURE;
        let contest = log.contest.to_string();
        if let Err(error) = log.notes.keep_longer(log.league, &contest, until).await {
            tracing::debug!(%error, "what was said in a match is not kept longer");
        }
    }
}

/// Who reads the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The owner, who sees everything.
    Owner,
    /// A player, by its token.
    Player(PlayerId),
    Anybody,
}

impl Leagues {
    /// The messages of a match by player, with the reason why a player failed. During the match a
    /// player sees its own messages and others see none, because the log holds sealed moves.
    pub async fn match_log(
        &self,
        league: &Game,
        view: &View,
        fixture: &MatchView,
        reader: Reader,
    ) -> Result<MatchLog, LeagueRefusal> {
        let contest = fixture.match_id.to_string();
        let logged = self.hall.store().match_log(league.id(), &contest).await?;
        let over = fixture.result.is_some();
        let told = over && !keeps_secrets(view.setup().game);
        let may_read = |player: PlayerId| match reader {
            Reader::Owner => true,
            Reader::Player(own) => told || own == player,
            Reader::Anybody => told,
        };
        let both = [fixture.player_a, fixture.player_b].into_iter().filter(|id| may_read(*id));
        let players = both.map(|player| {
            let own = logged.iter().filter(|logged| logged.player == player.to_string());
            let read =
                |logged: &LoggedMessages| serde_json::from_str::<Vec<LogEntry>>(&logged.text).ok();
            let mut messages: Vec<LogEntry> = own.filter_map(read).flatten().collect();
            messages.sort_by_key(|entry| entry.at);
            let name = view.player(player).map_or("", |player| player.name).to_owned();
            let reason = reason(view, fixture, player, &messages);
            (player, PlayerMessages { name, reason, messages })
        });
        Ok(MatchLog { match_id: fixture.match_id, over, players: players.collect() })
    }

    /// Logs a call that a player made, in the background.
    pub fn log_delivered(
        &self,
        league: GameId,
        contest: MatchId,
        player: PlayerId,
        what: &str,
        fields: &Map<String, Value>,
    ) {
        let log = PlayerLog::new(self, league, contest, player, None);
        log.log.delivered(what, fields);
        tokio::spawn(async move { keep(&[&log]).await });
    }
}

/// The messages of a match, by player.
#[derive(Serialize, TS)]
pub struct MatchLog {
    match_id: MatchId,
    over: bool,
    pub players: BTreeMap<PlayerId, PlayerMessages>,
}

impl MatchLog {
    /// Why players lost, and which of their moves were refused.
    pub fn reasons(&self) -> Vec<String> {
        let refused = |entry: &LogEntry| match &entry.said {
            Said::Refused { said, why } => {
                Some(format!("{}, refused: {}", short(said), short(why)))
            }
            _ => None,
        };
        let of_one = |(id, told): (&PlayerId, &PlayerMessages)| {
            let refused = told.messages.iter().filter_map(refused);
            let all = told.reason.clone().into_iter().chain(refused);
            all.map(|why| format!("{id}: {why}")).collect::<Vec<_>>()
        };
        self.players.iter().flat_map(of_one).collect()
    }
}

#[derive(Serialize, TS)]
pub struct PlayerMessages {
    pub name: String,
    /// Why the player lost without playing to the end.
    pub reason: Option<String>,
    pub messages: Vec<LogEntry>,
}

/// Whether messages stay private after the match: cards that nobody paid to see are never shown.
fn keeps_secrets(game: LeagueKind) -> bool {
    made_for(game).is_none() && game.card().has(Tag::Hidden)
}

/// The reason why a player lost without playing to the end.
fn reason(
    view: &View,
    fixture: &MatchView,
    player: PlayerId,
    entries: &[LogEntry],
) -> Option<String> {
    let notes: Vec<&str> = entries
        .iter()
        .filter_map(|entry| match &entry.said {
            Said::Note(note) if note != CUT => Some(note.as_str()),
            _ => None,
        })
        .collect();
    let forfeited = fixture.result.as_ref().is_some_and(|r| r.forfeits.contains(&player));
    let known = view.player(player);
    match (forfeited, notes.as_slice(), fixture.game) {
        (true, _, None) if known.as_ref().is_some_and(|player| player.removed) => {
            Some("the operator took it out of the league".into())
        }
        (true, _, None) => Some("it was suspended, having missed two matches in a row".into()),
        (true, [], Some(_)) => Some("it gave no usable answer in time".into()),
        (false, [], _) => None,
        (_, notes, _) => Some(notes.join("; ")),
    }
}
