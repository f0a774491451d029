//! Bodies of messages that are written in several places. Their names are the protocols'; the order
//! of the fields is the order on the wire.

use rules::{even_odd, league::PlayerId, parity};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::Value;

use super::Fields;

/// Something for each of the two, by their ids, who sits first first.
#[derive(Clone, Copy)]
pub struct Both<T>(pub [PlayerId; 2], pub [T; 2]);

impl<T: Serialize> Serialize for Both<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        for (player, value) in self.0.iter().zip(&self.1) {
            map.serialize_entry(player, value)?;
        }
        map.end()
    }
}

/// One of these as the fields of a message.
pub fn written(own: &impl Serialize) -> Fields {
    match serde_json::to_value(own) {
        Ok(Value::Object(own)) => own,
        _ => unreachable!("what we say is an object"),
    }
}

#[derive(Serialize)]
pub struct GameStart<Config> {
    pub game_config: Config,
    pub players: [Role; 2],
    pub player_id: PlayerId,
    pub your_role: &'static str,
    pub opponent_id: PlayerId,
}

#[derive(Serialize)]
pub struct Role {
    pub player_id: PlayerId,
    pub role: &'static str,
}

#[derive(Serialize)]
pub struct EvenOddConfig {
    pub game_type: &'static str,
    pub rounds_to_win: u8,
    pub max_rounds: u8,
    pub time_limit_seconds: u32,
}

#[derive(Serialize)]
pub struct MoveRequest<State> {
    pub player_id: PlayerId,
    pub game_round: u32,
    pub game_state: State,
    pub time_limit_seconds: u32,
}

#[derive(Serialize)]
pub struct EvenOddState {
    pub your_role: &'static str,
    pub scores: Both<i32>,
    pub previous_rounds: Vec<RoundTold>,
}

/// A round of even-odd that is over.
#[derive(Serialize)]
pub struct RoundTold {
    pub game_round: usize,
    /// Nothing from one who gave no answer.
    pub moves: Both<Option<u8>>,
    pub sum: Option<u8>,
    pub sum_type: Option<even_odd::SumType>,
    pub round_winner: Option<PlayerId>,
    /// In the news of a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Both<i32>>,
}

#[derive(Serialize)]
pub struct GameEnd {
    pub final_scores: Both<i32>,
    pub winner: Option<PlayerId>,
    pub match_points: Both<u8>,
    pub forfeited: Vec<PlayerId>,
    /// How it ended, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

#[derive(Serialize)]
pub struct GameInvitation<'a> {
    pub game_type: &'static str,
    pub player_id: PlayerId,
    pub role_in_match: &'static str,
    pub opponent_id: PlayerId,
    pub referee_endpoint: Option<&'a str>,
    /// The number to be drawn follows from the seed, and this binds us to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_commitment: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_config: Option<Value>,
}

#[derive(Serialize)]
pub struct ParityCall {
    pub player_id: PlayerId,
    pub game_type: &'static str,
    pub context: Context,
    pub deadline: String,
}

#[derive(Serialize)]
pub struct Context {
    pub opponent_id: PlayerId,
    pub round_id: u16,
    pub your_standings: Tally,
}

#[derive(Serialize)]
pub struct Tally {
    pub wins: u32,
    pub losses: u32,
    pub draws: u32,
}

#[derive(Serialize)]
pub struct GameOver<Result> {
    pub game_type: &'static str,
    pub game_result: Result,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_seed: Option<Option<String>>,
}

#[derive(Serialize)]
pub struct ParityResult {
    pub status: &'static str,
    pub winner_player_id: Option<PlayerId>,
    pub drawn_number: Option<u8>,
    pub number_parity: Option<parity::EvenOrOdd>,
    pub choices: Both<Option<parity::EvenOrOdd>>,
    pub reason: String,
}

/// A player comes.
#[derive(Serialize)]
pub struct Joined {
    pub accept: bool,
    pub status: &'static str,
    pub arrival_timestamp: String,
}

/// A player's move in league.v1.
#[derive(Serialize)]
pub struct MoveResponse {
    pub success: bool,
    #[serde(rename = "move")]
    pub played: MovePlayed,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MovePlayed {
    Number(u8),
    Text(String),
    /// As one dialect has it: the number itself.
    #[serde(untagged)]
    Bare(u8),
}

#[derive(Serialize)]
pub struct ParityResponse {
    pub success: bool,
    pub parity_choice: &'static str,
}
