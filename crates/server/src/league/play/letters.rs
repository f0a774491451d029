//! What was said to and by a player in a match, as it was on the wire but for secrets, and what the
//! referee made of it: for whoever asks why its agent lost.
//!
//! It is kept beside the games, in bounded pieces and for a while. Nobody waits for it, and nothing
//! depends on it.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rules::league::{MatchId, MatchView, PlayerId, View};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::leagues::{Leagues, No};
use crate::{
    hall::Game,
    ids::GameId,
    league::wire::post::{NoReply, Reply},
    store::{Letter, Millis, Store, now},
};

/// A message is cut after this many characters, and a match has no more of them for one player.
const LONGEST: usize = 4000;
const MOST: usize = 200;
const DAY: Millis = 24 * 60 * 60 * 1000;
/// How long it is kept, and how long if something went wrong.
const KEPT: Millis = 7 * DAY;
const KEPT_FAILURE: Millis = 60 * DAY;
/// While a match goes on, what is new is kept this often.
const FLUSH: Duration = Duration::from_secs(1);

const HIDDEN: &str = "(hidden)";
const SECRETS: [&str; 4] = ["auth_token", "operator_token", "invite_code", "token"];

/// One thing that was said, or that the referee noted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub at: Millis,
    #[serde(flatten)]
    pub said: Said,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// What we sent.
    Sent(String),
    /// What came back, or came by itself.
    Received(String),
    /// In the referee's words.
    Note(String),
}

/// What is said to and by one player in one match. Clones write into the same.
#[derive(Clone)]
pub struct Journal {
    store: Arc<dyn Store>,
    league: GameId,
    contest: MatchId,
    player: PlayerId,
    token: Option<String>,
    pages: Arc<Mutex<Pages>>,
}

#[derive(Default)]
struct Pages {
    new: Vec<Entry>,
    written: usize,
    failed: bool,
}

impl Journal {
    pub fn new(
        leagues: &Leagues,
        league: GameId,
        contest: MatchId,
        player: PlayerId,
        token: Option<String>,
    ) -> Journal {
        let (store, pages) = (leagues.hall.store().clone(), Arc::default());
        Journal { store, league, contest, player, token, pages }
    }

    pub fn sent(&self, body: &Value) {
        self.write(Said::Sent(self.hide(body)));
    }

    /// Bodies that are no answer are not shown: an endpoint may lead where its owner cannot go.
    pub fn received(&self, reply: &Result<Reply, NoReply>) {
        let said = match reply {
            Ok(reply) if reply.body.is_null() => format!("HTTP {}, nothing", reply.status),
            Ok(reply) if is_answer(&reply.body) => {
                format!("HTTP {} {}", reply.status, self.hide(&reply.body))
            }
            Ok(reply) => format!("HTTP {}, JSON that is no answer", reply.status),
            Err(why) => why.to_string(),
        };
        self.write(Said::Received(said));
    }

    /// What it brought by itself.
    pub fn brought(&self, what: &str, fields: &Map<String, Value>) {
        let body = self.hide(&Value::Object(fields.clone()));
        self.write(Said::Received(format!("{what} {body}")));
    }

    /// Why something went wrong for this player.
    pub fn note(&self, why: String) {
        self.pages().failed = true;
        self.write(Said::Note(why));
    }

    fn write(&self, said: Said) {
        let mut pages = self.pages();
        pages.written += 1;
        match pages.written {
            ..=MOST => pages.new.push(Entry { at: now(), said }),
            n if n == MOST + 1 => {
                let said = Said::Note("more was said, which is not kept".into());
                pages.new.push(Entry { at: now(), said });
            }
            _ => {}
        }
    }

    fn pages(&self) -> std::sync::MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hide(&self, body: &Value) -> String {
        let mut body = body.clone();
        hide(&mut body);
        let mut text = body.to_string();
        if let Some(token) = &self.token {
            text = text.replace(token.as_str(), HIDDEN);
        }
        if let Some((end, _)) = text.char_indices().nth(LONGEST) {
            let whole = text.len();
            text.truncate(end);
            text += &format!("… ({whole} bytes)");
        }
        text
    }

    fn letter(&self) -> Option<Letter> {
        let mut pages = self.pages();
        if pages.new.is_empty() {
            return None;
        }
        let new = std::mem::take(&mut pages.new);
        let at = now();
        Some(Letter {
            league: self.league,
            contest: self.contest.to_string(),
            player: self.player.to_string(),
            at,
            until: at + if pages.failed { KEPT_FAILURE } else { KEPT },
            text: serde_json::to_string(&new).expect("entries can be written"),
        })
    }
}

/// Keeps what is new in these, now.
pub async fn keep(journals: &[&Journal]) {
    let letters: Vec<_> = journals.iter().filter_map(|journal| journal.letter()).collect();
    let Some(journal) = journals.first().filter(|_| !letters.is_empty()) else { return };
    if let Err(error) = journal.store.keep_letters(letters).await {
        tracing::debug!(%error, "what was said in a match is not kept");
    }
}

/// Keeps what is new in these every second, for as long as a match takes.
pub async fn keep_meanwhile<T>(journals: [&Journal; 2], work: impl Future<Output = T>) -> T {
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(FLUSH) => keep(&journals).await,
        }
    }
}

/// What is left, at the end. Of a match in which something went wrong, all is kept longer.
pub async fn close(journals: [&Journal; 2]) {
    keep(&journals).await;
    if journals.iter().any(|journal| journal.pages().failed) {
        let [journal, _] = journals;
        let until = now() + KEPT_FAILURE;
        let contest = journal.contest.to_string();
        if let Err(error) = journal.store.keep_longer(journal.league, &contest, until).await {
            tracing::debug!(%error, "what was said in a match is not kept longer");
        }
    }
}

fn is_answer(body: &Value) -> bool {
    let known = ["jsonrpc", "result", "error", "message_type", "status", "move", "parity_choice"];
    known.iter().any(|name| body.get(name).is_some())
}

fn hide(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if SECRETS.contains(&name.as_str()) && value.as_str().is_some_and(|s| !s.is_empty())
                {
                    *value = HIDDEN.into();
                } else {
                    hide(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide),
        _ => {}
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
    pub async fn letters(
        &self,
        league: &Game,
        view: &View,
        fixture: &MatchView,
        reader: Reader,
    ) -> Result<Value, No> {
        let contest = fixture.match_id.to_string();
        let letters = self.hall.store().letters(league.id(), &contest).await?;
        let over = fixture.result.is_some();
        let may_read = |player: PlayerId| match reader {
            Reader::Owner => true,
            Reader::Player(own) => over || own == player,
            Reader::Anybody => over,
        };
        let mut players = Map::new();
        for player in [fixture.player_a, fixture.player_b].into_iter().filter(|id| may_read(*id)) {
            let own = letters.iter().filter(|letter| letter.player == player.to_string());
            let read = |letter: &Letter| serde_json::from_str::<Vec<Entry>>(&letter.text).ok();
            let mut entries: Vec<Entry> = own.filter_map(read).flatten().collect();
            entries.sort_by_key(|entry| entry.at);
            let name = view.player(player).map_or("", |player| player.name);
            players.insert(
                player.to_string(),
                json!({
                    "name": name,
                    "reason": reason(view, fixture, player, &entries),
                    "messages": entries,
                }),
            );
        }
        Ok(json!({ "match_id": fixture.match_id, "over": over, "players": players }))
    }

    /// Writes down what a player brought by itself; nobody waits for that.
    pub fn keep_brought(
        &self,
        league: GameId,
        contest: MatchId,
        player: PlayerId,
        what: &str,
        fields: &Map<String, Value>,
    ) {
        let journal = Journal::new(self, league, contest, player, None);
        journal.brought(what, fields);
        tokio::spawn(async move { keep(&[&journal]).await });
    }
}

/// Why a player lost without playing to the end, in words; nothing if it did not.
fn reason(view: &View, fixture: &MatchView, player: PlayerId, entries: &[Entry]) -> Option<String> {
    let notes: Vec<&str> = entries
        .iter()
        .filter_map(|entry| match &entry.said {
            Said::Note(note) => Some(note.as_str()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_wherever_they_are() {
        let mut body = json!({ "auth_token": "a", "params": [{ "token": "b", "auth_token": "" }],
            "operator_token": null, "match_id": "R1M1" });
        hide(&mut body);
        let expected = json!({ "auth_token": HIDDEN,
            "params": [{ "token": HIDDEN, "auth_token": "" }],
            "operator_token": null, "match_id": "R1M1" });
        assert_eq!(body, expected);
    }
}
