//! The counter of the League Manager and the Referee: where players hand in their messages.

use std::sync::Arc;

use rules::{
    Eye,
    even_odd::EvenOdd,
    league::{Event, MatchId, MatchView, Phase, PlayerId, View},
};
use serde_json::{Value, json};

use super::{
    Fields,
    callbacks::Unasked,
    conductor::match_name,
    dialect::Dialect,
    leagues::{Leagues, No},
    message::{Message, Version, new_conversation},
    moves::{BadMove, belongs, number_of, parity_of},
    pace::{Origin, Part, Payer, TooMany},
    reading::{Heard, Misread, hear, short, wrong},
    registration::{Applicant, player_of},
    report::read_result,
};
use crate::hall::Game;

/// Why a message was not taken.
#[derive(Debug, thiserror::Error)]
pub enum Unheard {
    #[error(transparent)]
    Misread(#[from] Misread),
    #[error(transparent)]
    No(#[from] No),
    #[error("{0} is not for the League Manager or the Referee")]
    Misdirected(&'static str),
    #[error(transparent)]
    Unasked(#[from] Unasked),
    #[error(transparent)]
    BadMove(#[from] BadMove),
    #[error(transparent)]
    TooMany(#[from] TooMany),
}

impl Unheard {
    /// The field that is at fault, if it is one.
    pub fn field(&self) -> Option<&str> {
        match self {
            Unheard::Misread(misread) => misread.field(),
            Unheard::No(No::UnknownToken | No::NotOperator) => Some("auth_token"),
            Unheard::No(No::UnknownLeague(_)) => Some("league_id"),
            Unheard::Unasked(Unasked::Other(bad)) | Unheard::BadMove(bad) => Some(bad.field()),
            _ => None,
        }
    }

    /// As league.v2 numbers and names it.
    pub fn league_code(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Unheard::Misread(misread) => Some(misread.league_code()),
            Unheard::No(No::UnknownToken | No::NotOperator) => Some(("E012", "AUTH_TOKEN_INVALID")),
            Unheard::Unasked(Unasked::Other(bad)) | Unheard::BadMove(bad) => {
                Some(bad.league_code())
            }
            _ => None,
        }
    }
}

impl Leagues {
    /// Takes a message from there, and answers with one.
    pub async fn hear(&self, heard: &Heard, origin: Origin) -> Result<Fields, Unheard> {
        let payer = self.payer_of(heard, origin).await;
        match heard.message {
            Message::JoinAck | Message::MoveResponse | Message::ParityResponse => {
                let answer = self.hear_answer(heard).await;
                // What we asked for ourselves is answered as fast as we ask.
                if answer.is_err() {
                    let game = heard.word("match_id").and_then(|id| id.parse().ok());
                    self.pace.count(payer, Part::Referee(game))?;
                }
                return answer;
            }
            _ => self.pace.count(payer, Part::Manager)?,
        }
        match heard.message {
            Message::RegisterPlayer => {
                let answer = self.hear_registration(heard).await?;
                if answer.get("player_id").is_some_and(Value::is_string) {
                    self.pace.let_in(payer);
                }
                Ok(answer)
            }
            Message::LeagueQuery => self.hear_query(heard).await,
            Message::MatchReport => self.hear_report(heard).await,
            Message::RegisterReferee => self.hear_referee(heard).await,
            other => Err(Unheard::Misdirected(other.name())),
        }
    }

    async fn payer_of(&self, heard: &Heard, origin: Origin) -> Payer {
        let registers = heard.message == Message::RegisterPlayer;
        let newcomer = applies_as(heard).filter(|_| registers);
        self.payer(origin, heard.word("auth_token"), heard.word("league_id"), newcomer).await
    }

    async fn hear_registration(&self, heard: &Heard) -> Result<Fields, Unheard> {
        // The tool of the same name is content with less than the message, and agents of league.v2
        // leave out what they please.
        if heard.get("player_meta").is_some() && heard.version != Some(Version::V2) {
            heard.complete()?;
            let games = heard.get("player_meta.game_types").and_then(Value::as_array);
            if games.is_none_or(|games| !games.contains(&json!("even_odd"))) {
                return Err(wrong("player_meta.game_types", "must list \"even_odd\"").into());
            }
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
            invite: either(["player_meta.invite_code", "invite_code"]).map(str::to_owned),
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
            Err(no) => {
                tracing::info!(name = short(name), %no, "a registration was rejected");
                json!({
                    "status": "REJECTED",
                    "player_id": null,
                    "league_id": league,
                    "reason": no.to_string(),
                })
            }
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
        let league = self.league_of(heard).await?;
        let view = self.view(&league).await;
        let player = self.sender(&view, heard)?;
        let player_id = qualified(&view, player);
        match self.callbacks.deliver(&player_id, heard) {
            // The referee may sit elsewhere.
            Err(Unasked::Nothing) if !self.leads(&league) && view.phase() == Phase::Running => {
                self.belongs(&league, &view, player, heard).await?;
                let (message, fields) = (heard.message.name(), &heard.fields);
                let words = json!({ "answer_of": player_id, "type": message, "fields": fields });
                self.hall.store().say(words.to_string()).await.map_err(No::from)?;
            }
            taken => taken?,
        }
        // The referee hears of a bad one too: it has cost an attempt.
        match heard.message {
            Message::MoveResponse => number_of(&heard.fields).map(|_| ())?,
            Message::ParityResponse => parity_of(&heard.fields).map(|_| ())?,
            _ => {}
        }
        Ok(acknowledged(heard))
    }

    /// Whether an answer is to what is being asked elsewhere, as far as the logs tell.
    async fn belongs(
        &self,
        league: &Game,
        view: &View,
        player: PlayerId,
        heard: &Heard,
    ) -> Result<(), Unheard> {
        let mut running = view.running().into_iter();
        let plays = |fixture: &MatchView| [fixture.player_a, fixture.player_b].contains(&player);
        let match_id = running.find(plays).ok_or(Unasked::Nothing)?.match_id;
        let game = self.hall.named(match_name(league.id(), match_id)).await.map_err(No::from)?;
        let game = game.ok_or(Unasked::Nothing)?;
        game.refresh().await;
        let even_odd = game.view::<EvenOdd>(Eye::Public).await.ok();
        let round = even_odd.map(|view| view.rounds.len() as u32 + 1);
        let round = round.filter(|_| heard.message == Message::MoveResponse);
        Ok(belongs(&heard.fields, &match_id.to_string(), round).map_err(Unasked::Other)?)
    }

    /// The league a message is about, as it is now, whoever changed it.
    async fn league_of(&self, heard: &Heard) -> Result<Arc<Game>, No> {
        let league = self.find(heard.word("league_id")).await?;
        league.refresh().await;
        Ok(league)
    }

    /// An answer that was handed in elsewhere.
    pub fn hear_from_elsewhere(&self, words: &str) {
        let Ok(words) = serde_json::from_str::<Value>(words) else { return };
        if let Some(player_id) = words["answer_of"].as_str()
            && let Some(message) = words["type"].as_str()
            && let Ok(heard) = hear(message, &words["fields"])
        {
            // If nobody waits for it here either, it is for a third.
            let _ = self.callbacks.deliver(player_id, &heard);
        }
    }

    fn sender(&self, view: &View, heard: &Heard) -> Result<PlayerId, Unheard> {
        let token =
            heard.word("auth_token").ok_or_else(|| Misread::Missing("auth_token".into()))?;
        let player = player_of(view, token).ok_or(No::UnknownToken)?;
        match heard.word("player_id").filter(|said| *said != player.to_string()) {
            Some(_) => Err(wrong("player_id", "is not whose token this is").into()),
            None => Ok(player),
        }
    }

    async fn hear_query(&self, heard: &Heard) -> Result<Fields, Unheard> {
        let league = self.league_of(heard).await?;
        let view = self.view(&league).await;
        let player = || {
            let asked = heard.text("query_params.player_id")?.parse();
            let known = asked.ok().filter(|id| view.player(*id).is_some());
            known.ok_or_else(|| wrong("query_params.player_id", "is nobody's in this league"))
        };
        let data = match heard.text("query_type")? {
            "GET_STANDINGS" => json!({ "standings": view.standings() }),
            "GET_SCHEDULE" => json!({ "rounds": view.rounds().collect::<Vec<_>>() }),
            "GET_NEXT_MATCH" => {
                json!({ "next_match": view.next_of(player()?).and_then(|id| view.find(id)) })
            }
            "GET_PLAYER_STATS" => {
                let (player, mut standings) = (player()?, view.standings().into_iter());
                json!({ "stats": standings.find(|line| line.player_id == player) })
            }
            _ => return Err(wrong("query_type", QUERIES).into()),
        };
        let own = json!({ "success": true, "data": data, "error": null });
        Ok(reply(heard, Message::QueryResponse, Version::V2, own))
    }

    /// A referee registers with the operator's leave, and gets the right to report; no more, for
    /// the matches are refereed here.
    async fn hear_referee(&self, heard: &Heard) -> Result<Fields, Unheard> {
        heard.text("referee_meta.display_name")?;
        let own = match self.is_operator(heard.word("auth_token")) {
            Ok(()) => json!({
                "status": "ACCEPTED",
                "referee_id": "REF01",
                "auth_token": self.operator_token(),
                "league_id": heard.get("league_id"),
                "reason": OWN_REFEREE,
            }),
            Err(no) => json!({
                "status": "REJECTED",
                "referee_id": null,
                "league_id": heard.get("league_id"),
                "reason": format!("{OWN_REFEREE}; {no}"),
            }),
        };
        Ok(reply(heard, Message::RefereeRegistered, Version::V2, own))
    }

    async fn hear_report(&self, heard: &Heard) -> Result<Fields, Unheard> {
        self.is_operator(heard.word("auth_token"))?;
        let league = self.league_of(heard).await?;
        let view = self.view(&league).await;
        let unknown = || wrong("match_id", "is no match of this league");
        let match_id: MatchId = heard.text("match_id")?.parse().map_err(|_| unknown())?;
        let fixture = view.find(match_id).ok_or_else(unknown)?;
        let result = read_result(heard, &fixture, view.setup().game)?;
        self.tell(&league, &Event::End { match_id, result }).await?;
        Ok(acknowledged(heard))
    }
}

/// What one who registers is known by, before it has a token: where it listens, else its name.
fn applies_as(heard: &Heard) -> Option<&str> {
    ["player_meta.contact_endpoint", "endpoint", "player_meta.display_name", "player_name"]
        .into_iter()
        .find_map(|path| heard.word(path).filter(|text| !text.trim().is_empty()))
}

/// Whose answer is waited for, over all leagues.
pub fn qualified(view: &View, player: PlayerId) -> String {
    format!("{} {player}", view.setup().name)
}

const QUERIES: &str = "must be GET_STANDINGS, GET_SCHEDULE, GET_NEXT_MATCH or GET_PLAYER_STATS";
const OWN_REFEREE: &str = "this server referees its matches itself, so none is sent to another \
    referee; the operator's token allows to report results";

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
