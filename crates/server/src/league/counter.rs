//! The counter of the League Manager and the Referee: where players hand in their messages.

use std::{num::NonZeroU32, time::Duration};

use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use rules::league::{Event, MatchId, PlayerId, View};
use serde_json::{Value, json};

use super::{
    Fields,
    dialect::Dialect,
    leagues::{Applicant, Leagues, No, player_of},
    message::{Message, Version, new_conversation},
    reading::{Heard, Misread},
};

/// Why a message was not taken.
#[derive(Debug, thiserror::Error)]
pub enum Unheard {
    #[error(transparent)]
    Misread(#[from] Misread),
    #[error(transparent)]
    No(#[from] No),
    #[error("{0} is not for the League Manager or the Referee")]
    Misdirected(&'static str),
    #[error("{0}")]
    TooLate(&'static str),
    #[error("too many messages; wait {} seconds", .0.as_secs() + 1)]
    TooMany(Duration),
}

/// How much one sender may say, as long as our own calls do not ask for it.
pub struct Pace(DefaultKeyedRateLimiter<String>);

impl Pace {
    pub fn per_minute(messages: NonZeroU32) -> Pace {
        Pace(RateLimiter::keyed(Quota::per_minute(messages)))
    }

    fn check(&self, heard: &Heard) -> Result<(), Unheard> {
        let sender = heard.word("sender").or(heard.word("player_name"));
        let sender: String = sender.unwrap_or_default().chars().take(64).collect();
        // Senders of long ago need not be remembered.
        if self.0.len() > 10_000 {
            self.0.retain_recent();
        }
        self.0.check_key(&sender).map_err(|not_yet| {
            Unheard::TooMany(not_yet.wait_time_from(DefaultClock::default().now()))
        })
    }
}

impl Leagues {
    /// Takes a message, and answers with one.
    pub async fn hear(&self, heard: &Heard) -> Result<Fields, Unheard> {
        // What we asked for ourselves is answered as fast as we ask.
        let answers = [Message::JoinAck, Message::MoveResponse, Message::ParityResponse];
        if !answers.contains(&heard.message) {
            self.pace.check(heard)?;
        }
        match heard.message {
            Message::RegisterPlayer => self.hear_registration(heard).await,
            Message::JoinAck | Message::MoveResponse | Message::ParityResponse => {
                self.hear_answer(heard).await
            }
            Message::LeagueQuery => self.hear_query(heard).await,
            Message::MatchReport => self.hear_report(heard).await,
            Message::RegisterReferee => self.hear_referee(heard).await,
            other => Err(Unheard::Misdirected(other.name())),
        }
    }

    async fn hear_registration(&self, heard: &Heard) -> Result<Fields, Unheard> {
        // The tool of the same name is content with less than the message, and agents of league.v2
        // leave out what they please.
        if heard.get("player_meta").is_some() && heard.version != Some(Version::V2) {
            heard.complete()?;
        }
        let either = |paths: [&str; 2]| paths.into_iter().find_map(|path| heard.word(path));
        let Some(name) = either(["player_meta.display_name", "player_name"]) else {
            return Err(Misread::Missing("player_name".into()).into());
        };
        // Whoever has no endpoint says nothing of one; an empty one is a mistake.
        let optional = heard.word("endpoint").filter(|endpoint| !endpoint.trim().is_empty());
        let endpoint = heard.word("player_meta.contact_endpoint").or(optional);
        let league = heard.word("league_id");
        let version = match heard.version {
            Some(version) => version,
            None => self.version_of(league).await,
        };
        let applicant = Applicant {
            name: name.trim().to_owned(),
            version: either(["player_meta.version", "version"]).unwrap_or_default().to_owned(),
            endpoint: endpoint.map(str::to_owned),
            dialect: Dialect::guess(heard),
            token: heard.word("auth_token").map(str::to_owned),
        };
        let own = match self.register(league, version, applicant).await {
            Ok(ticket) => json!({
                "status": "ACCEPTED",
                "player_id": ticket.player_id,
                "auth_token": ticket.token,
                "league_id": ticket.league_id,
                "reason": null,
            }),
            Err(no @ No::Store(_)) => return Err(no.into()),
            Err(no) => json!({
                "status": "REJECTED",
                "player_id": null,
                "league_id": league,
                "reason": no.to_string(),
            }),
        };
        Ok(reply(heard, Message::PlayerRegistered, version, own))
    }

    /// What a league that is named without a protocol speaks.
    async fn version_of(&self, league: Option<&str>) -> Version {
        match self.find(league).await {
            Ok(league) => match self.view(&league).await.setup().game {
                rules::league::Game::EvenOdd => Version::V1,
                rules::league::Game::Parity => Version::V2,
            },
            Err(_) => Version::V1,
        }
    }

    /// An answer that comes as a call of its own, from a player who proves who it is.
    async fn hear_answer(&self, heard: &Heard) -> Result<Fields, Unheard> {
        let league = self.find(heard.word("league_id")).await?;
        let view = self.view(&league).await;
        let player = self.sender(&view, heard)?;
        match self.callbacks.deliver(&qualified(&view, player), heard) {
            true => Ok(acknowledged(heard)),
            false => Err(Unheard::TooLate("nobody waits for this answer, or not any more")),
        }
    }

    fn sender(&self, view: &View, heard: &Heard) -> Result<PlayerId, Unheard> {
        let token =
            heard.word("auth_token").ok_or_else(|| Misread::Missing("auth_token".into()))?;
        player_of(view, token).ok_or(No::UnknownToken.into())
    }

    async fn hear_query(&self, heard: &Heard) -> Result<Fields, Unheard> {
        let league = self.find(heard.word("league_id")).await?;
        let view = self.view(&league).await;
        let asked = heard.word("query_params.player_id");
        let player: Option<PlayerId> = asked.and_then(|id| id.parse().ok());
        let data = match heard.text("query_type")? {
            "GET_STANDINGS" => json!({ "standings": view.standings() }),
            "GET_SCHEDULE" => json!({ "rounds": view.rounds().collect::<Vec<_>>() }),
            "GET_NEXT_MATCH" => {
                let next = player.and_then(|player| view.next_of(player));
                json!({ "next_match": next.and_then(|id| view.find(id)) })
            }
            "GET_PLAYER_STATS" => {
                let mut standings = view.standings().into_iter();
                json!({ "stats": standings.find(|line| Some(line.player_id) == player) })
            }
            _ => return Err(wrong("query_type").into()),
        };
        let own = json!({ "success": true, "data": data, "error": null });
        Ok(reply(heard, Message::QueryResponse, Version::V2, own))
    }

    /// A referee registers with the operator's leave, and gets the right to report.
    async fn hear_referee(&self, heard: &Heard) -> Result<Fields, Unheard> {
        let own = match self.is_operator(heard.word("auth_token")) {
            Ok(()) => json!({
                "status": "ACCEPTED",
                "referee_id": "REF01",
                "auth_token": self.operator_token(),
                "reason": null,
            }),
            Err(no) => {
                json!({ "status": "REJECTED", "referee_id": null, "reason": no.to_string() })
            }
        };
        Ok(reply(heard, Message::RefereeRegistered, Version::V2, own))
    }

    async fn hear_report(&self, heard: &Heard) -> Result<Fields, Unheard> {
        self.is_operator(heard.word("auth_token"))?;
        let league = self.find(heard.word("league_id")).await?;
        let match_id: MatchId = heard.text("match_id")?.parse().map_err(|_| wrong("match_id"))?;
        let result = heard.get("result").cloned().unwrap_or_default();
        let result = serde_json::from_value(result).map_err(|_| wrong("result"))?;
        self.tell(&league, &Event::End { match_id, result }).await?;
        Ok(acknowledged(heard))
    }
}

/// Whose answer is waited for, over all leagues.
pub fn qualified(view: &View, player: PlayerId) -> String {
    format!("{} {player}", view.setup().name)
}

fn wrong(field: &str) -> Misread {
    Misread::Wrong { field: field.to_owned(), why: "cannot be read".to_owned() }
}

fn acknowledged(heard: &Heard) -> Fields {
    let Value::Object(own) = json!({ "status": "received", "match_id": heard.get("match_id") })
    else {
        unreachable!("it is written as an object")
    };
    own
}

fn reply(heard: &Heard, message: Message, version: Version, own: Value) -> Fields {
    let Value::Object(own) = own else { unreachable!("messages are objects") };
    let conversation = heard.word("conversation_id").map_or_else(new_conversation, str::to_owned);
    message.write(version, "league_manager", &conversation, own)
}
