//! Parity, as league.v2 tells it.

use rules::{
    Seat, Verdict,
    parity::{Parity, View},
};
use serde_json::{Map, Value, json};

use super::{Case, Contest};
use crate::league::wire::{
    Fields,
    message::Message,
    moves::{BadMove, parity_of},
    timestamp,
};

const ROLES: [&str; 2] = ["PLAYER_A", "PLAYER_B"];
const GAME_TYPE: &str = "even_odd";

impl Contest for Parity {
    const INVITE: Message = Message::GameInvitation;
    const ASK: Message = Message::ParityCall;
    const ANSWER: Message = Message::ParityResponse;
    const COMPLAINT: Option<Message> = Some(Message::GameError);
    const END: Message = Message::GameOver;

    fn invitation(case: &Case, seat: Seat) -> Fields {
        case.write(
            Message::GameInvitation,
            json!({
                "game_type": GAME_TYPE,
                "player_id": case.player(seat),
                "role_in_match": ROLES[usize::from(seat.0)],
                "opponent_id": case.opponent(seat),
                "referee_endpoint": case.referee_endpoint,
                // The number to be drawn follows from the seed, and this binds us to it.
                "draw_commitment": case.seed_hash,
            }),
        )
    }

    fn question(case: &Case, _: &View, seat: Seat) -> Fields {
        let limit = i64::from(case.league.setup().time_limit_seconds) * 1000;
        let [wins, draws, losses] = case.league.tally(case.player(seat));
        case.write(
            Message::ParityCall,
            json!({
                "player_id": case.player(seat),
                "game_type": GAME_TYPE,
                "context": {
                    "opponent_id": case.opponent(seat),
                    "round_id": case.fixture.round_id,
                    "your_standings": { "wins": wins, "losses": losses, "draws": draws },
                },
                "deadline": timestamp::write(crate::store::now() + limit),
            }),
        )
    }

    fn round(_: &View) -> Option<u32> {
        None
    }

    fn read(answer: &Fields) -> Result<String, BadMove> {
        Ok(parity_of(answer)?.name().to_owned())
    }

    fn news(_: &Case, _: &View) -> Option<(Message, Fields)> {
        None
    }

    fn ending(case: &Case, view: &View, verdict: Verdict) -> Fields {
        let status = match (verdict.is_forfeit(), verdict.is_draw()) {
            (true, _) => "TECHNICAL_LOSS",
            (_, true) => "DRAW",
            _ => "WIN",
        };
        let choices = case.players.iter().zip(view.choices.unwrap_or_default());
        let choices: Map<String, Value> =
            choices.map(|(id, choice)| (id.to_string(), json!(choice))).collect();
        case.write(
            Message::GameOver,
            json!({
                "game_type": GAME_TYPE,
                "game_result": {
                    "status": status,
                    "winner_player_id": verdict.winner().map(|seat| case.players[seat]),
                    "drawn_number": view.drawn_number,
                    "number_parity": view.number_parity,
                    "choices": choices,
                    "reason": reason(case, view, verdict),
                },
                "draw_seed": case.seed.map(|seed| seed.to_string()),
            }),
        )
    }

    fn verdict(view: &View) -> Option<Verdict> {
        view.verdict()
    }
}

fn reason(case: &Case, view: &View, verdict: Verdict) -> String {
    let drawn = view.drawn_number.unwrap_or_default();
    match (verdict.winner().map(|seat| case.players[seat]), verdict.is_forfeit()) {
        (Some(winner), false) => format!("{winner} alone said what {drawn} is"),
        (None, false) => format!("both said the same; {drawn} was drawn"),
        (Some(winner), true) => format!("{winner} wins; the other gave no usable answer in time"),
        (None, true) => "neither gave a usable answer in time".into(),
    }
}
