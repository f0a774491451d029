//! The counter of the League Manager and the Referee: where players hand in their messages.

use std::sync::Arc;

use rules::league::{Event, MatchId, PlayerId, View};
use serde_json::{Value, json};

use super::{
    application::Application,
    leagues::Leagues,
    rate_limit::{CallerId, ServerPart},
    refusals::{LeagueRefusal, MessageRefusal},
    registration::player_of,
    report::read_result,
};
use crate::{
    hall::Game,
    league::wire::{
        Fields,
        contents::written,
        errors::Misread,
        message::{Message, Version, new_conversation},
        reading::Parsed,
    },
};

impl Leagues {
    /// Takes a message from there, and answers with one.
    pub async fn hear(
        &self,
        parsed: &Parsed,
        caller_id: CallerId,
    ) -> Result<Fields, MessageRefusal> {
        let caller = self.caller_of(parsed, caller_id).await;
        match parsed.message {
            Message::JoinAck
            | Message::MoveResponse
            | Message::MoveCallResponse
            | Message::ParityResponse => {
                let answer = self.hear_answer(parsed).await;
                // We asked for a first answer ourselves; only repeated or useless ones are counted.
                if !matches!(answer, Ok((_, true))) {
                    let game = parsed.word("match_id").and_then(|id| id.parse().ok());
                    self.rate_limit.count(caller, ServerPart::Referee(game))?;
                }
                return answer.map(|(answer, _)| answer);
            }
            Message::RegisterPlayer => {
                return match Application::read(parsed, caller_id) {
                    Ok(application) => self.enrol(application).await,
                    Err(misread) => {
                        self.rate_limit.count(caller, ServerPart::Manager)?;
                        Err(misread.into())
                    }
                };
            }
            _ => self.rate_limit.count(caller, ServerPart::Manager)?,
        }
        match parsed.message {
            Message::LeagueQuery => self.hear_query(parsed).await,
            Message::MatchReport => self.hear_report(parsed).await,
            Message::RegisterReferee => self.hear_referee(parsed),
            other => Err(MessageRefusal::Misdirected(other.name())),
        }
    }

    /// The league a message is about, as it is now, whoever changed it.
    pub(super) async fn league_of(&self, parsed: &Parsed) -> Result<Arc<Game>, LeagueRefusal> {
        let league = self.find(parsed.word("league_id")).await?;
        league.refresh().await;
        Ok(league)
    }

    pub(super) fn sender(&self, view: &View, parsed: &Parsed) -> Result<PlayerId, MessageRefusal> {
        let token =
            parsed.word("auth_token").ok_or_else(|| Misread::Missing("auth_token".into()))?;
        let player = player_of(view, token).ok_or(LeagueRefusal::UnknownToken)?;
        match parsed.word("player_id").filter(|said| *said != player.to_string()) {
            Some(_) => {
                Err(Misread::wrong("player_id", "does not belong to this auth_token").into())
            }
            None => Ok(player),
        }
    }

    async fn hear_query(&self, parsed: &Parsed) -> Result<Fields, MessageRefusal> {
        let league = self.league_of(parsed).await?;
        let view = self.view(&league);
        let player = || {
            let asked = parsed.text("query_params.player_id")?.parse();
            let known = asked.ok().filter(|id| view.player(*id).is_some());
            known.ok_or_else(|| {
                Misread::wrong("query_params.player_id", "is unknown in this league")
            })
        };
        let data = match parsed.text("query_type")? {
            "GET_STANDINGS" => json!({ "standings": view.standings() }),
            "GET_SCHEDULE" => json!({ "rounds": view.rounds().collect::<Vec<_>>() }),
            "GET_NEXT_MATCH" => {
                let next = view.next_of(player()?).and_then(|id| view.find(id));
                json!({ "next_match": next })
            }
            "GET_PLAYER_STATS" => {
                let (player, mut standings) = (player()?, view.standings().into_iter());
                json!({ "stats": standings.find(|line| line.player_id == player) })
            }
            _ => return Err(Misread::wrong("query_type", QUERIES).into()),
        };
        let own = json!({ "success": true, "data": data, "error": null });
        Ok(reply(parsed, Message::QueryResponse, &own))
    }

    /// A referee registers with the operator's leave, and gets the right to report; no more, for
    /// the matches are refereed here.
    fn hear_referee(&self, parsed: &Parsed) -> Result<Fields, MessageRefusal> {
        parsed.text("referee_meta.display_name")?;
        let league_id = parsed.get("league_id");
        let own = match self.is_operator(parsed.word("auth_token")) {
            Ok(()) => json!({
                "status": "ACCEPTED",
                "referee_id": "REF01",
                "auth_token": self.operator_token(),
                "league_id": league_id,
                "reason": OWN_REFEREE,
            }),
            Err(no) => json!({
                "status": "REJECTED",
                "referee_id": null,
                "league_id": league_id,
                "reason": format!("{OWN_REFEREE}; {no}"),
            }),
        };
        Ok(reply(parsed, Message::RefereeRegistered, &own))
    }

    async fn hear_report(&self, parsed: &Parsed) -> Result<Fields, MessageRefusal> {
        self.is_operator(parsed.word("auth_token"))?;
        let league = self.league_of(parsed).await?;
        let view = self.view(&league);
        let unknown = || Misread::wrong("match_id", "is no match of this league");
        let match_id: MatchId = parsed.text("match_id")?.parse().map_err(|_| unknown())?;
        let fixture = view.find(match_id).ok_or_else(unknown)?;
        let result = read_result(parsed, &fixture, view.setup().game)?;
        self.tell(&league, &Event::End { match_id, result }).await?;
        Ok(acknowledged(parsed))
    }
}

/// Names a player across all leagues, for answers that are waited for.
pub fn qualified(view: &View, player: PlayerId) -> String {
    format!("{} {player}", view.setup().name)
}

const QUERIES: &str = "must be GET_STANDINGS, GET_SCHEDULE, GET_NEXT_MATCH or GET_PLAYER_STATS";
const OWN_REFEREE: &str = "this server referees its matches itself, so none is sent to another \
    referee; the operator's token allows to report results";

pub(super) fn acknowledged(parsed: &Parsed) -> Fields {
    written(&json!({ "status": "received", "match_id": parsed.get("match_id") }))
}

fn reply(parsed: &Parsed, message: Message, own: &Value) -> Fields {
    let conversation = parsed.word("conversation_id").map_or_else(new_conversation, str::to_owned);
    message.write(Version::V2, "league_manager", &conversation, written(own))
}
