//! The arguments of the league's tools.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use rules::league::{LeagueKind, MatchId};

use crate::{
    league::{
        play::{application::Application, handing_in::Delivered, rate_limit::CallerId},
        wire::{
            Fields,
            errors::Misread,
            moves::{MoveSent, MoveTarget, number, parity, text},
            reading::check_id,
        },
    },
    mcp::{arguments::WholeNumber, ask::TokenCount},
};

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

impl RegisterPlayer {
    pub fn application(&self, caller_id: CallerId) -> Result<Application, Misread> {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let mut application = Application::by_tool(&self.player_name, &self.version, caller_id)?;
        check_id("league_id", &self.league_id)?;
        application.league = given(&self.league_id);
        application.applicant.invite = given(&self.invite_code);
        Ok(application.at(&self.endpoint))
    }

    /// The message that was sent, if it is more than these arguments.
    pub fn message(&self) -> Option<Fields> {
        if self.more.is_empty() {
            return None;
        }
        let mut message = self.more.clone();
        for (name, text) in [
            ("player_name", &self.player_name),
            ("endpoint", &self.endpoint),
            ("version", &self.version),
            ("league_id", &self.league_id),
            ("invite_code", &self.invite_code),
        ] {
            if !text.is_empty() {
                message.insert(name.into(), text.as_str().into());
            }
        }
        Some(message)
    }
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
    /// In other games: your move, as wait_for_decision says it.
    #[serde(default)]
    pub choice: String,
    /// The same by another name.
    #[serde(default)]
    #[schemars(skip)]
    pub r#move: Value,
    /// The round that the move is for, as wait_for_decision said; a call that is repeated then
    /// does not count for the round after it.
    #[serde(default)]
    pub game_round: u32,
    #[serde(default)]
    pub league_id: String,
    /// How many tokens the move cost the player.
    #[serde(default)]
    #[schemars(skip)]
    pub tokens: Option<WholeNumber<TokenCount>>,
}

impl SubmitMove {
    /// The move for match `id` of this game, as a move that any player brings.
    pub fn delivered(&self, id: MatchId, game: LeagueKind) -> Delivered {
        let (_, played) = self.played(game);
        let sent = match game {
            LeagueKind::EVEN_ODD => number(&played).map(MoveSent::Number),
            LeagueKind::PARITY => parity(&played).map(MoveSent::Parity),
            _ => text(&played).map(MoveSent::Text),
        };
        let round = (self.game_round > 0).then(|| self.game_round.to_string());
        let tokens = self.tokens.as_ref().map(|tokens| tokens.number as u32);
        Delivered { meant: MoveTarget { match_id: Some(id.to_string()), round }, sent, tokens }
    }

    /// These arguments as the match's log has them, without the token.
    pub fn said(&self, id: MatchId, game: LeagueKind) -> Fields {
        let (name, played) = self.played(game);
        let round = (self.game_round > 0).then(|| ("game_round".into(), self.game_round.into()));
        let said = [("match_id".into(), id.to_string().into())].into_iter().chain(round);
        said.chain([(name.into(), played)]).collect()
    }

    /// Under which name a game has its move, and what came as that.
    fn played(&self, game: LeagueKind) -> (&'static str, Value) {
        let choice = self.choice.trim();
        match game {
            LeagueKind::EVEN_ODD => {
                // `choice` is text by its schema, so a number in it is meant as one.
                let number = choice.parse::<u64>().map_or_else(|_| choice.into(), Value::from);
                ("number", first([&self.number, &self.r#move, &number]))
            }
            LeagueKind::PARITY => {
                let said = first([&choice.into(), &self.r#move, &self.number]);
                let lower = said.as_str().map(|said| said.trim().to_lowercase().into());
                ("parity_choice", lower.unwrap_or(said))
            }
            // A number is a move in words too.
            _ => ("move", first([&choice.into(), &self.r#move, &self.number])),
        }
    }
}

/// The first that was given.
fn first<const N: usize>(values: [&Value; N]) -> Value {
    let found = values.into_iter().find(|value| !value.is_null() && **value != "");
    found.cloned().unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_move_is_read_under_every_name_it_comes_by() {
        let check = |game: LeagueKind, mut ask: Value, expected: Value| {
            ask["auth_token"] = "t".into();
            ask["match_id"] = "R1M1".into();
            let ask: SubmitMove = serde_json::from_value(ask).expect("a call");
            assert_eq!(ask.played(game).1, expected, "{game:?}");
        };
        let (numbers, parity) = (LeagueKind::EVEN_ODD, LeagueKind::PARITY);
        check(numbers, json!({ "number": 3 }), json!(3));
        check(numbers, json!({ "choice": " 3" }), json!(3));
        check(numbers, json!({ "move": 3 }), json!(3));
        check(numbers, json!({ "move": "3" }), json!("3"));
        check(numbers, json!({ "choice": "three" }), json!("three"));
        check(numbers, json!({}), Value::Null);
        check(parity, json!({ "choice": "Even" }), json!("even"));
        check(parity, json!({ "move": "even" }), json!("even"));
        check(parity, json!({ "number": 3 }), json!(3));
    }
}
