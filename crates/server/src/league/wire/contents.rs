//! What our messages carry beside the envelope. Their names are the protocols'; the order
//! of the fields is the order on the wire.

use rules::{
    even_odd,
    league::{MatchId, MatchView, Phase, PlayerId, RoundView, Standing},
    parity,
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value};

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

/// What a player is told of a game that it may never have heard of.
#[derive(Serialize)]
pub struct KindConfig<'a> {
    pub game_type: &'static str,
    pub setup: &'a Map<String, Value>,
    pub rules: &'static str,
    /// How a move is written.
    pub moves: &'static str,
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

/// What one seat may see, and what it may play.
#[derive(Serialize)]
pub struct KindState {
    pub your_role: &'static str,
    pub view: Value,
    pub text: String,
    pub legal_moves: Vec<String>,
    /// To what the other has asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<&'static str>,
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
    pub game_config: Option<KindConfig<'a>>,
}

#[derive(Serialize)]
pub struct ParityCall {
    pub player_id: PlayerId,
    pub game_type: &'static str,
    pub context: Context,
    pub deadline: String,
}

#[derive(Serialize)]
pub struct MoveCall {
    pub player_id: PlayerId,
    pub game_type: &'static str,
    pub game_round: u32,
    pub move_request: MoveWanted,
    pub deadline: String,
}

#[derive(Serialize)]
pub struct MoveWanted {
    pub move_type: &'static str,
    pub valid_options: Vec<String>,
    /// To what the other has asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<&'static str>,
    pub context: KindContext,
}

#[derive(Serialize)]
pub struct Context {
    pub opponent_id: PlayerId,
    pub round_id: u16,
    pub your_standings: Tally,
}

#[derive(Serialize)]
pub struct KindContext {
    #[serde(flatten)]
    pub context: Context,
    pub your_role: &'static str,
    pub view: Value,
    pub text: String,
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

#[derive(Serialize)]
pub struct KindResult {
    pub status: &'static str,
    pub winner_player_id: Option<PlayerId>,
    pub scores: Both<i32>,
    pub match_points: Both<u8>,
    pub reason: String,
}

/// Why an answer was of no use.
#[derive(Serialize)]
pub struct GameError {
    pub error_code: &'static str,
    pub error_name: &'static str,
    pub error_description: String,
    pub field: Option<&'static str>,
    pub affected_player: PlayerId,
    pub action_required: &'static str,
    pub retry_info: RetryInfo,
    pub consequence: &'static str,
}

#[derive(Serialize)]
pub struct RetryInfo {
    pub retry_count: u32,
    pub max_retries: u32,
    pub next_retry_at: String,
}

#[derive(Serialize)]
pub struct RoundAnnouncement<'a> {
    pub round_id: u16,
    pub matches: Vec<MatchAnnounced<'a>>,
}

#[derive(Serialize)]
pub struct MatchAnnounced<'a> {
    pub match_id: MatchId,
    pub game_type: &'static str,
    #[serde(rename = "player_A_id")]
    pub player_a: PlayerId,
    #[serde(rename = "player_B_id")]
    pub player_b: PlayerId,
    pub referee_endpoint: Option<&'a str>,
}

#[derive(Serialize)]
pub struct StandingsUpdate {
    pub round_id: u16,
    pub standings: Vec<Standing>,
}

#[derive(Serialize)]
pub struct RoundCompleted {
    pub round_id: u16,
    pub matches_completed: usize,
    pub next_round_id: Option<u16>,
    pub summary: RoundSummary,
}

#[derive(Serialize)]
pub struct RoundSummary {
    pub total_matches: usize,
    pub wins: usize,
    pub draws: usize,
    pub technical_losses: usize,
}

#[derive(Serialize)]
pub struct LeagueCompleted {
    pub total_rounds: usize,
    pub total_matches: usize,
    pub champion: Option<Champion>,
    pub final_standings: Vec<Standing>,
}

#[derive(Serialize)]
pub struct Champion {
    pub player_id: PlayerId,
    pub display_name: String,
    pub points: u32,
}

/// What came of a question about a league.
#[derive(Serialize)]
pub struct QueryResponse {
    pub success: bool,
    pub data: Queried,
    pub error: Option<String>,
}

/// What was asked for, by its name.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Queried {
    Standings(Vec<Standing>),
    Rounds(Vec<RoundView>),
    NextMatch(Box<Option<MatchView>>),
    Stats(Option<Standing>),
}

/// The table, to whoever looks.
#[derive(Serialize)]
pub struct StandingsTold<'a> {
    pub league_id: &'a str,
    pub standings: Vec<Standing>,
}

/// The same of the schedule.
#[derive(Serialize)]
pub struct ScheduleTold<'a> {
    pub league_id: &'a str,
    pub phase: Phase,
    pub rounds: Vec<RoundView>,
}

/// A player comes.
#[derive(Serialize)]
pub struct Joined {
    pub accept: bool,
    pub status: &'static str,
    pub arrival_timestamp: String,
}

/// A player has heard the news.
#[derive(Serialize)]
pub struct Acknowledged {
    pub status: &'static str,
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

/// A player's move in league.v2.
#[derive(Serialize)]
pub struct MoveCallResponse<'a> {
    pub move_data: MoveData<'a>,
}

#[derive(Serialize)]
pub struct MoveData<'a> {
    pub move_type: Option<&'a str>,
    #[serde(rename = "move")]
    pub played: String,
}

#[derive(Serialize)]
pub struct RefereeRegistered<'a> {
    pub status: &'static str,
    pub referee_id: Option<&'static str>,
    /// Of the operator, who alone may let a referee in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_token: Option<String>,
    pub league_id: Option<&'a Value>,
    pub reason: String,
}

#[derive(Serialize)]
pub struct Received<'a> {
    pub status: &'static str,
    pub match_id: Option<&'a Value>,
}
