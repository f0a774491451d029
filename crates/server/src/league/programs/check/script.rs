//! What the check says to an agent, and what it makes of the answers: a match of each game.

use serde_json::{Value, json};

use super::Check;
use crate::{
    league::wire::{
        Fields,
        dialect::Dialect,
        message::{Message, Version, new_conversation},
        moves::{belongs, number_of, parity_of},
        timestamp,
    },
    store::now,
};

pub const PLAYER: &str = "P01";
const OPPONENT: &str = "P02";
pub const MATCH: &str = "R1M1";

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum CheckedGame {
    /// Both show one to five fingers (league.v1)
    EvenOdd,
    /// Both say even or odd (league.v2)
    Parity,
}

impl CheckedGame {
    pub fn name(self) -> &'static str {
        match self {
            CheckedGame::EvenOdd => "even-odd (league.v1)",
            CheckedGame::Parity => "parity (league.v2)",
        }
    }

    pub fn native(self) -> Dialect {
        match self {
            CheckedGame::EvenOdd => Dialect::S1,
            CheckedGame::Parity => Dialect::H2,
        }
    }

    pub fn answered_by(self) -> Message {
        match self {
            CheckedGame::EvenOdd => Message::MoveResponse,
            CheckedGame::Parity => Message::ParityResponse,
        }
    }

    pub fn judge(self, answer: &Fields, match_id: &str, round: u32) -> Result<String, String> {
        let round = (self == CheckedGame::EvenOdd).then_some(round);
        belongs(answer, match_id, round).map_err(|why| why.to_string())?;
        match self {
            CheckedGame::EvenOdd => number_of(answer).map(|number| number.to_string()),
            CheckedGame::Parity => parity_of(answer).map(|parity| parity.to_string()),
        }
        .map_err(|why| why.to_string())
    }

    pub fn invitation(self, check: &Check) -> (Message, Fields) {
        match self {
            CheckedGame::EvenOdd => check.message(
                Message::GameStart,
                MATCH,
                json!({
                    "game_config": { "game_type": "even_odd", "rounds_to_win": 3, "max_rounds": 5,
                                     "time_limit_seconds": check.limit.as_secs() },
                    "players": [{ "player_id": PLAYER, "role": "ODD" },
                                { "player_id": OPPONENT, "role": "EVEN" }],
                }),
            ),
            CheckedGame::Parity => check.message(
                Message::GameInvitation,
                MATCH,
                json!({
                    "game_type": "even_odd", "role_in_match": "PLAYER_A", "opponent_id": OPPONENT,
                }),
            ),
        }
    }

    pub fn question(self, check: &Check, match_id: &str, round: u32) -> (Message, Fields) {
        let limit = check.limit;
        match self {
            CheckedGame::EvenOdd => check.message(
                Message::MoveRequest,
                match_id,
                json!({
                    "game_round": round,
                    "game_state": { "your_role": "ODD", "scores": { PLAYER: 0, OPPONENT: 0 },
                                    "previous_rounds": [] },
                    "time_limit_seconds": limit.as_secs(),
                }),
            ),
            CheckedGame::Parity => check.message(
                Message::ParityCall,
                match_id,
                json!({
                    "game_type": "even_odd",
                    "context": { "opponent_id": OPPONENT, "round_id": 1,
                                 "your_standings": { "wins": 0, "losses": 0, "draws": 0 } },
                    "deadline": timestamp::write(now() + limit.as_millis() as i64),
                }),
            ),
        }
    }

    pub fn results(self, check: &Check) -> Vec<(Message, Fields)> {
        let scores = json!({ PLAYER: 1, OPPONENT: 0 });
        match self {
            CheckedGame::EvenOdd => vec![
                check.message(
                    Message::RoundResult,
                    MATCH,
                    json!({
                        "game_round": 1, "moves": { PLAYER: 3, OPPONENT: 2 }, "sum": 5,
                        "sum_type": "ODD", "round_winner": PLAYER, "scores": scores,
                    }),
                ),
                check.message(
                    Message::GameEnd,
                    MATCH,
                    json!({
                        "final_scores": scores, "winner": PLAYER,
                        "match_points": { PLAYER: 3, OPPONENT: 0 },
                    }),
                ),
            ],
            CheckedGame::Parity => {
                vec![check.message(Message::GameOver, MATCH, json!({
                "game_type": "even_odd",
                "game_result": { "status": "WIN", "winner_player_id": PLAYER, "drawn_number": 8,
                                 "number_parity": "even",
                                 "choices": { PLAYER: "even", OPPONENT: "odd" },
                                 "reason": "a check" },
            }))]
            }
        }
    }
}

impl Check {
    /// A message of the referee's, with what they all carry.
    fn message(&self, message: Message, match_id: &str, own: Value) -> (Message, Fields) {
        let mut fields = own.as_object().cloned().unwrap_or_default();
        for (name, value) in [
            ("league_id", json!(self.league)),
            ("round_id", json!(1)),
            ("match_id", json!(match_id)),
            ("player_id", json!(PLAYER)),
            ("referee_endpoint", json!(self.referee)),
        ] {
            fields.insert(name.into(), value);
        }
        let version = message.version(Version::V1);
        let fields = message.write(version, "referee:REF01", &new_conversation(), fields);
        (message, fields)
    }
}
