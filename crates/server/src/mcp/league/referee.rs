//! The Referee's room.

use rmcp::{
    handler::server::{router::tool::ToolRouter, tool::schema_for_output, wrapper::Parameters},
    tool, tool_router,
};
use rules::league::{Event, LeagueKind, Setup};
use serde_json::json;

use super::{
    LeagueFacts, McpService, ToolCaller,
    asks::{GetGameState, StartGame, ValidateMove},
    fixture, known, match_id,
    match_state::state_of,
    told,
};
use crate::{
    league::play::rate_limit::ServerPart,
    mcp::{refusals::Refused, reply::Reply},
};

#[tool_router(router = referee_router)]
impl McpService {
    #[tool(
        name = "start_game",
        title = "Start a match",
        description = "Has two players of a running league meet, beside the schedule. For the \
            operator.",
        output_schema = schema_for_output::<LeagueFacts>()
    )]
    async fn start_game(
        &self,
        Parameters(ask): Parameters<StartGame>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        let part = ServerPart::Referee(ask.match_id.parse().ok());
        self.count_call(&from, &ask.operator_token, &ask.league_id, part).await?;
        self.leagues.is_operator(Some(&ask.operator_token))?;
        let (league, view) = self.league(&ask.league_id).await?;
        let match_id = match_id(&ask.match_id)?;
        let player1 = known(&view, "player1_id", &ask.player1_id)?;
        let player2 = known(&view, "player2_id", &ask.player2_id)?;
        if let Some(fixture) = view.find(match_id) {
            let meet = [fixture.player_a, fixture.player_b];
            if meet != [player1, player2] && meet != [player2, player1] {
                let why = format!("{match_id} is a match of {} and {}", meet[0], meet[1]);
                return Err(Refused::as_json(why));
            }
            return Ok(told(json!({ "status": "scheduled", "match": fixture })));
        }
        let pair = Event::Pair { player1, player2, round: match_id.round() };
        Ok(told(self.leagues.tell(&league, &pair).await?))
    }

    #[tool(
        name = "validate_move",
        title = "Is it a move?",
        description = "Whether a player of the league could play a number in even-odd.",
        output_schema = schema_for_output::<LeagueFacts>(),
        annotations(read_only_hint = true)
    )]
    async fn validate_move(
        &self,
        Parameters(ask): Parameters<ValidateMove>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        self.count_call(&from, &ask.auth_token, &ask.league_id, ServerPart::Referee(None)).await?;
        if let Ok((_, view)) = self.league(&ask.league_id).await {
            known(&view, "player_id", &ask.player_id)?;
            let Setup { name, game, .. } = view.setup();
            if *game != LeagueKind::EVEN_ODD {
                return Err(Refused::as_json(format!(
                    "validate_move knows the numbers of even-odd, and league {name} plays {game:?}; \
                     submit_move refuses what cannot be played, says what can, and costs nothing"
                )));
            }
        }
        let valid = ask.r#move.as_u64().is_some_and(|number| (1..=5).contains(&number));
        let reason =
            (!valid).then(|| format!("move must be an integer from 1 to 5, not {}", ask.r#move));
        Ok(told(json!({ "valid": valid, "player_id": ask.player_id, "reason": reason })))
    }

    #[tool(
        name = "get_game_state",
        title = "Look at a match",
        description = "How a match of a league stands; moves of a round that is not over stay \
            hidden.",
        output_schema = schema_for_output::<LeagueFacts>(),
        annotations(read_only_hint = true)
    )]
    async fn get_game_state(
        &self,
        Parameters(ask): Parameters<GetGameState>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        let part = ServerPart::Referee(ask.match_id.parse().ok());
        self.count_call(&from, &ask.auth_token, &ask.league_id, part).await?;
        let (league, view) = self.league(&ask.league_id).await?;
        let fixture = fixture(&view, match_id(&ask.match_id)?)?;
        Ok(told(json!(state_of(&self.leagues, &league, &fixture).await?)))
    }
}

impl McpService {
    pub(in crate::mcp) fn referee_tools() -> ToolRouter<McpService> {
        McpService::referee_router()
    }
}
