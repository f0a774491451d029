//! What the check says to an agent, and what it makes of the answers: a match of each game.

use rules::{even_odd, league::PlayerId, parity};
use serde::Serialize;
use serde_json::Value;

use super::PlayerCheck;
use crate::{
    league::wire::{
        Fields,
        contents::{
            Both, Context, EvenOddConfig, EvenOddState, GameEnd, GameInvitation, GameOver,
            GameStart, Joined, MovePlayed, MoveRequest, MoveResponse, ParityCall, ParityResponse,
            ParityResult, Role, RoundTold, Tally, written,
        },
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
/// As both protocols call their game.
const GAME: &str = "even_odd";

/// Who plays: the agent, and one that is only spoken of.
fn players() -> [PlayerId; 2] {
    [PLAYER, OPPONENT].map(|id| id.parse().expect("these are ids"))
}

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
            CheckedGame::Parity => parity_of(answer).map(|parity| parity.name().to_owned()),
        }
        .map_err(|why| why.to_string())
    }

    pub fn invitation(self, check: &PlayerCheck) -> (Message, Fields) {
        let [player_id, opponent_id] = players();
        match self {
            CheckedGame::EvenOdd => {
                let start = GameStart {
                    game_config: EvenOddConfig {
                        game_type: GAME,
                        rounds_to_win: 3,
                        max_rounds: 5,
                        time_limit_seconds: check.limit_seconds(),
                    },
                    players: [
                        Role { player_id, role: "ODD" },
                        Role { player_id: opponent_id, role: "EVEN" },
                    ],
                    player_id,
                    your_role: "ODD",
                    opponent_id,
                };
                check.message(Message::GameStart, MATCH, &start)
            }
            CheckedGame::Parity => {
                let invitation = GameInvitation {
                    game_type: GAME,
                    player_id,
                    role_in_match: "PLAYER_A",
                    opponent_id,
                    referee_endpoint: Some(&check.referee),
                    draw_commitment: None,
                    game_config: None,
                };
                check.message(Message::GameInvitation, MATCH, &invitation)
            }
        }
    }

    pub fn question(self, check: &PlayerCheck, match_id: &str, round: u32) -> (Message, Fields) {
        let [player_id, opponent_id] = players();
        match self {
            CheckedGame::EvenOdd => {
                let request = MoveRequest {
                    player_id,
                    game_round: round,
                    game_state: EvenOddState {
                        your_role: "ODD",
                        scores: Both(players(), [0, 0]),
                        previous_rounds: vec![],
                    },
                    time_limit_seconds: check.limit_seconds(),
                };
                check.message(Message::MoveRequest, match_id, &request)
            }
            CheckedGame::Parity => {
                let call = ParityCall {
                    player_id,
                    game_type: GAME,
                    context: Context {
                        opponent_id,
                        round_id: 1,
                        your_standings: Tally { wins: 0, losses: 0, draws: 0 },
                    },
                    deadline: timestamp::write(now() + check.limit.as_millis() as i64),
                };
                check.message(Message::ParityCall, match_id, &call)
            }
        }
    }

    pub fn results(self, check: &PlayerCheck) -> Vec<(Message, Fields)> {
        let [player_id, _] = players();
        match self {
            CheckedGame::EvenOdd => {
                let scores = Both(players(), [1, 0]);
                let round = RoundTold {
                    game_round: 1,
                    moves: Both(players(), [Some(3), Some(2)]),
                    sum: Some(5),
                    sum_type: Some(even_odd::SumType::Odd),
                    round_winner: Some(player_id),
                    scores: Some(scores),
                };
                let end = GameEnd {
                    final_scores: scores,
                    winner: Some(player_id),
                    match_points: Both(players(), [3, 0]),
                    forfeited: vec![],
                    result: None,
                };
                vec![
                    check.message(Message::RoundResult, MATCH, &round),
                    check.message(Message::GameEnd, MATCH, &end),
                ]
            }
            CheckedGame::Parity => {
                let over = GameOver {
                    game_type: GAME,
                    game_result: ParityResult {
                        status: "WIN",
                        winner_player_id: Some(player_id),
                        drawn_number: Some(8),
                        number_parity: Some(parity::EvenOrOdd::Even),
                        choices: Both(
                            players(),
                            [Some(parity::EvenOrOdd::Even), Some(parity::EvenOrOdd::Odd)],
                        ),
                        reason: "a check".into(),
                    },
                    draw_seed: None,
                };
                vec![check.message(Message::GameOver, MATCH, &over)]
            }
        }
    }
}

/// A whole answer to `asked` that the documents would accept.
fn right(message: Message, asked: &Fields, own: &impl Serialize) -> Fields {
    let mut own = written(own);
    for name in ["league_id", "round_id", "match_id", "game_round"] {
        own.extend(asked.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    own.insert("player_id".into(), PLAYER.into());
    let word = |name: &str| asked.get(name).and_then(Value::as_str).unwrap_or_default();
    let version = if word("protocol") == "league.v2" { Version::V2 } else { Version::V1 };
    message.write(version, &format!("player:{PLAYER}"), word("conversation_id"), own)
}

pub fn right_joining(asked: &Fields) -> Fields {
    let arrival_timestamp = timestamp::now();
    right(Message::JoinAck, asked, &Joined { accept: true, status: "ACCEPTED", arrival_timestamp })
}

pub fn right_moving(game: CheckedGame, asked: &Fields) -> Fields {
    let (message, success) = (game.answered_by(), true);
    match game {
        CheckedGame::EvenOdd => {
            right(message, asked, &MoveResponse { success, played: MovePlayed::Number(3) })
        }
        CheckedGame::Parity => {
            right(message, asked, &ParityResponse { success, parity_choice: "even" })
        }
    }
}

impl PlayerCheck {
    fn limit_seconds(&self) -> u32 {
        self.limit.as_secs() as u32
    }

    /// A message of the referee's, with what they all carry.
    fn message(&self, message: Message, match_id: &str, own: &impl Serialize) -> (Message, Fields) {
        let mut own = written(own);
        own.insert("league_id".into(), self.league.as_str().into());
        own.insert("round_id".into(), 1.into());
        own.insert("match_id".into(), match_id.into());
        own.insert("player_id".into(), PLAYER.into());
        own.insert("referee_endpoint".into(), self.referee.as_str().into());
        let version = message.version(Version::V1);
        (message, message.write(version, "referee:REF01", &new_conversation(), own))
    }
}
