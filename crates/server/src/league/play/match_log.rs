//! What was said to and by a player in a match, and what the referee made of it: for whoever asks why
//! its agent lost.
//!
//! It is kept beside the games, in bounded pieces and for a while. Nobody waits for it, and nothing
//! depends on it.

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
/// How long it is kept, and how long if something went wrong.
const KEPT: Millis = 7 * DAY;
const KEPT_FAILURE: Millis = 60 * DAY;
/// Who has said this much in a match may still be refused, but that is not kept.
const MOST_REFUSED: usize = 200;
/// While a match goes on, what is new is kept this often.
const FLUSH: Duration = Duration::from_secs(1);

/// The log of one player in one match, and where it is kept.
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

/// Keeps what is new in these, now.
pub async fn keep(logs: &[&PlayerLog]) {
    let logged: Vec<_> = logs.iter().filter_map(|log| log.logged()).collect();
    let Some(log) = logs.first().filter(|_| !logged.is_empty()) else { return };
    if let Err(error) = log.notes.add_to_match_log(logged).await {
        tracing::debug!(%error, "what was said in a match is not kept");
    }
}

/// Keeps what a player brought by itself and was refused, of which there is not more than so much;
/// nobody waits for that.
pub fn keep_refused(log: PlayerLog) {
    tokio::spawn(async move {
        let (contest, player) = (log.contest.to_string(), log.player.to_string());
        let kept = log.notes.match_log(log.league, &contest).await.unwrap_or_default();
        if kept.iter().filter(|logged| logged.player == player).count() < MOST_REFUSED {
            keep(&[&log]).await;
        }
    });
}

/// Keeps what is new in these every second, for as long as a match takes.
pub async fn keep_meanwhile<T>(logs: [&PlayerLog; 2], work: impl Future<Output = T>) -> T {
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(FLUSH) => keep(&logs).await,
        }
    }
}

/// What is left, at the end. Of a match in which something went wrong, all is kept longer.
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

/// Whose messages are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Who sees all: the owner.
    Owner,
    /// A player, by its token.
    Player(PlayerId),
    Anybody,
}

impl Leagues {
    /// What was said in a match, by player, with the reason why each that failed did. Of a match
    /// under way a player sees its own, and others nothing: sealed moves are in there.
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

    /// Writes down what a player brought by itself; nobody waits for that.
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

/// What was said in a match, by player.
#[derive(Serialize, TS)]
pub struct MatchLog {
    match_id: MatchId,
    over: bool,
    pub players: BTreeMap<PlayerId, PlayerMessages>,
}

impl MatchLog {
    /// Why players lost, and which of the moves they brought were refused.
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
    /// Why it lost without playing to the end.
    pub reason: Option<String>,
    pub messages: Vec<LogEntry>,
}

/// Whether what a player was told stays its own: cards that nobody paid to see are not shown when the
/// match is over.
fn keeps_secrets(game: LeagueKind) -> bool {
    made_for(game).is_none() && game.card().has(Tag::Hidden)
}

/// Why a player lost without playing to the end, in words; nothing if it did not.
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
