//! What the tools of the league are asked with.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize, JsonSchema)]
pub(super) struct RegisterPlayer {
    /// The name on the table.
    #[serde(default)]
    pub player_name: String,
    /// Where the player answers MCP; leave out to ask for your moves with wait_for_decision.
    #[serde(default)]
    pub endpoint: String,
    #[serde(default)]
    pub version: String,
    /// Which league; left out, the newest one that can be joined.
    #[serde(default)]
    pub league_id: String,
    /// If the league is by invitation.
    #[serde(default)]
    pub invite_code: String,
    /// The rest of a league message, if that is what was sent.
    #[serde(flatten)]
    #[schemars(skip)]
    pub more: Map<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct WhichLeague {
    /// Left out, the newest.
    #[serde(default)]
    pub league_id: String,
    /// A player's own, so that it is not counted with others at its address.
    #[serde(default)]
    #[schemars(skip)]
    pub auth_token: String,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Operate {
    #[serde(default)]
    pub league_id: String,
    /// What `agon league key` prints.
    #[serde(default)]
    pub operator_token: String,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct ScheduleMatch {
    pub player1_id: String,
    pub player2_id: String,
    pub round_id: u16,
    #[serde(default)]
    pub league_id: String,
    #[serde(default)]
    pub operator_token: String,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct WaitForDecision {
    /// From register_player.
    pub auth_token: String,
    #[serde(default)]
    pub league_id: String,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct SubmitMove {
    /// From register_player.
    pub auth_token: String,
    pub match_id: String,
    /// In even-odd: 1 to 5.
    #[serde(default)]
    #[schemars(with = "i64", range(min = 1, max = 5))]
    pub number: Value,
    /// In parity: even or odd.
    #[serde(default)]
    pub choice: String,
    /// The round that the move is for, as wait_for_decision said; a call that is repeated then
    /// does not count for the round after it.
    #[serde(default)]
    pub game_round: u32,
    #[serde(default)]
    pub league_id: String,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct StartGame {
    pub player1_id: String,
    pub player2_id: String,
    pub match_id: String,
    #[serde(default)]
    pub league_id: String,
    #[serde(default)]
    pub operator_token: String,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct ValidateMove {
    pub player_id: String,
    #[schemars(with = "i64", range(min = 1, max = 5))]
    pub r#move: Value,
    #[serde(default)]
    pub league_id: String,
    #[serde(default)]
    #[schemars(skip)]
    pub auth_token: String,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct GetGameState {
    pub match_id: String,
    #[serde(default)]
    pub league_id: String,
    #[serde(default)]
    #[schemars(skip)]
    pub auth_token: String,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct GetMatchLog {
    /// From register_player.
    pub auth_token: String,
    pub match_id: String,
    #[serde(default)]
    pub league_id: String,
}
