//! The rooms of the League Manager and the Referee.
//!
//! Players with an address of their own send messages (see `league::play::counter`); these tools are for
//! those who come over MCP: to join without an address, to look, and to steer.

mod asks;
mod deciding;
mod decision;
mod match_state;
mod rate_limit;
mod referee;

use std::sync::Arc;

use rmcp::{
    handler::server::{router::tool::ToolRouter, tool::schema_for_output, wrapper::Parameters},
    tool, tool_router,
};
use rules::{
    league::{Event, MatchId, MatchView, PlayerId, View},
    quoted,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

#[cfg(test)]
pub use self::match_state::InPlay;
pub use self::match_state::{MatchState, state_of};
use self::{
    asks::{Operate, RegisterPlayer, ScheduleMatch, WhichLeague},
    rate_limit::ToolCaller,
};
use super::{McpService, refusals::Refused, reply::Reply};
use crate::{
    hall::Game,
    league::{
        play::{
            rate_limit::ServerPart,
            refusals::{LeagueRefusal, MessageRefusal},
            tables::{schedule, standings},
        },
        wire::reading::hear_arguments,
    },
};

/// An answer: one JSON object, the same as text and as structure.
fn told(body: Value) -> Reply {
    Reply::new(body.to_string(), body)
}

/// What each answer has, beside what is its own.
#[derive(Serialize, JsonSchema)]
struct LeagueFacts {
    /// Why not, if it was not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    error: Option<String>,
}

#[tool_router(router = league_router)]
impl McpService {
    #[tool(
        name = "register_player",
        title = "Join a league",
        description = "Registers a player for a league that has not started. Keep auth_token to \
            yourself. Without endpoint, go on with wait_for_decision and submit_move.",
        output_schema = schema_for_output::<LeagueFacts>()
    )]
    async fn register_player(
        &self,
        Parameters(ask): Parameters<RegisterPlayer>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        let answer = match ask.message() {
            // Agents send the league's own message as the tool's arguments.
            Some(message) => {
                let parsed = hear_arguments("register_player", message);
                self.leagues.hear(&parsed.map_err(MessageRefusal::from)?, from.caller_id).await
            }
            None => {
                let application = ask.application(from.caller_id).map_err(MessageRefusal::from)?;
                self.leagues.enrol(application).await
            }
        };
        let answer = Value::from(answer.map_err(|refusal| from.refuse(refusal))?);
        if answer["status"] == "REJECTED" {
            return Err(Refused::told_as_json(answer));
        }
        Ok(told(answer))
    }

    #[tool(
        name = "get_standings",
        title = "League table",
        description = "The table of a league: rank, points, wins, and what decided between equals.",
        output_schema = schema_for_output::<LeagueFacts>(),
        annotations(read_only_hint = true)
    )]
    async fn get_standings(
        &self,
        Parameters(ask): Parameters<WhichLeague>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        self.count_call(&from, &ask.auth_token, &ask.league_id, ServerPart::Manager).await?;
        let (_, view) = self.league(&ask.league_id).await?;
        Ok(told(standings(&view)))
    }

    #[tool(
        name = "get_schedule",
        title = "League schedule",
        description = "Who meets whom in which round, and how it ended.",
        output_schema = schema_for_output::<LeagueFacts>(),
        annotations(read_only_hint = true)
    )]
    async fn get_schedule(
        &self,
        Parameters(ask): Parameters<WhichLeague>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        self.count_call(&from, &ask.auth_token, &ask.league_id, ServerPart::Manager).await?;
        let (_, view) = self.league(&ask.league_id).await?;
        Ok(told(schedule(&view)))
    }

    #[tool(
        name = "get_league",
        title = "Look at a league",
        description = "What is played in a league, who plays, how far it is.",
        output_schema = schema_for_output::<LeagueFacts>(),
        annotations(read_only_hint = true)
    )]
    async fn get_league(
        &self,
        Parameters(ask): Parameters<WhichLeague>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        self.count_call(&from, &ask.auth_token, &ask.league_id, ServerPart::Manager).await?;
        let (league, view) = self.league(&ask.league_id).await?;
        let (all, over) = view.matches();
        let names = view.players().map(|p| json!({ "player_id": p.player_id, "name": p.name }));
        let mut facts = json!({
            "league_id": view.setup().name,
            "game_id": league.id().to_string(),
            "phase": view.phase(),
            "setup": view.setup(),
            "players": names.collect::<Vec<_>>(),
            "matches": all,
            "matches_over": over,
            "champions": view.champions(),
        });
        if let Some(previous) = self.leagues.previous(&view).await? {
            facts["previous"] = previous.into();
        }
        Ok(told(facts))
    }

    #[tool(
        name = "start_league",
        title = "Start a league",
        description = "Closes the registration and starts the matches. For the operator.",
        output_schema = schema_for_output::<LeagueFacts>()
    )]
    async fn start_league(
        &self,
        Parameters(ask): Parameters<Operate>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        self.count_call(&from, &ask.operator_token, &ask.league_id, ServerPart::Manager).await?;
        self.leagues.is_operator(Some(&ask.operator_token))?;
        let (league, _) = self.league(&ask.league_id).await?;
        Ok(told(json!(self.leagues.start(&league).await?)))
    }

    #[tool(
        name = "schedule_match",
        title = "Schedule a match",
        description = "Adds a match between two players to a running league. For the operator.",
        output_schema = schema_for_output::<LeagueFacts>()
    )]
    async fn schedule_match(
        &self,
        Parameters(ask): Parameters<ScheduleMatch>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        self.count_call(&from, &ask.operator_token, &ask.league_id, ServerPart::Manager).await?;
        self.leagues.is_operator(Some(&ask.operator_token))?;
        let (league, view) = self.league(&ask.league_id).await?;
        let player1 = known(&view, "player1_id", &ask.player1_id)?;
        let player2 = known(&view, "player2_id", &ask.player2_id)?;
        let pair = Event::Pair { player1, player2, round: ask.round_id };
        Ok(told(self.leagues.tell(&league, &pair).await?))
    }
}

impl McpService {
    pub(super) fn league_tools() -> ToolRouter<McpService> {
        McpService::league_router() + McpService::deciding_router()
    }

    async fn league(&self, id: &str) -> Result<(Arc<Game>, View), LeagueRefusal> {
        let league = self.leagues.find(Some(id).filter(|id| !id.is_empty())).await?;
        league.refresh().await;
        let view = self.leagues.view(&league);
        Ok((league, view))
    }
}

/// The player that a field names.
fn known(view: &View, field: &str, id: &str) -> Result<PlayerId, Refused> {
    let player = id.parse().ok().filter(|id| view.player(*id).is_some());
    let id = quoted(id);
    player.ok_or_else(|| {
        Refused::as_json(format!("{field}: nobody in this league is {id}; get_league lists who is"))
    })
}

fn match_id(text: &str) -> Result<MatchId, Refused> {
    text.parse::<MatchId>().map_err(|not| Refused::as_json(format!("match_id: {not}")))
}

/// The match that a call names.
fn fixture(view: &View, id: MatchId) -> Result<MatchView, Refused> {
    view.find(id).ok_or_else(|| {
        Refused::as_json(format!(
            "match_id: there is no match {id} in this league; get_schedule lists the matches"
        ))
    })
}
