//! Even or odd, as league.v1 tells it.

use rules::{
    Seat, Verdict,
    even_odd::{EvenOdd, Round, View},
};
use serde_json::{Map, Value, json};

use super::{Case, Contest};
use crate::league::wire::{
    Fields,
    message::Message,
    moves::{BadMove, number_of},
};

const ROLES: [&str; 2] = ["ODD", "EVEN"];

impl Contest for EvenOdd {
    const INVITE: Message = Message::GameStart;
    const ASK: Message = Message::MoveRequest;
    const ANSWER: Message = Message::MoveResponse;
    const COMPLAINT: Option<Message> = None;
    const END: Message = Message::GameEnd;

    fn invitation(case: &Case, seat: Seat) -> Fields {
        let setup = case.league.setup();
        let players = case.players.iter().zip(ROLES);
        let players: Vec<_> =
            players.map(|(id, role)| json!({ "player_id": id, "role": role })).collect();
        case.write(
            Message::GameStart,
            json!({
                "game_config": {
                    "game_type": "even_odd",
                    "rounds_to_win": setup.rounds_to_win,
                    "max_rounds": setup.max_rounds,
                    "time_limit_seconds": setup.time_limit_seconds,
                },
                "players": players,
                "player_id": case.player(seat),
                "your_role": ROLES[usize::from(seat.0)],
                "opponent_id": case.opponent(seat),
            }),
        )
    }

    fn question(case: &Case, view: &View, seat: Seat) -> Fields {
        let rounds = view.rounds.iter().enumerate();
        let previous: Vec<_> = rounds.map(|(n, round)| told(case, n, round)).collect();
        case.write(
            Message::MoveRequest,
            json!({
                "player_id": case.player(seat),
                "game_round": view.rounds.len() + 1,
                "game_state": {
                    "your_role": ROLES[usize::from(seat.0)],
                    "scores": scores(case, view),
                    "previous_rounds": previous,
                },
                "time_limit_seconds": case.league.setup().time_limit_seconds,
            }),
        )
    }

    fn round(view: &View) -> Option<u32> {
        Some(view.rounds.len() as u32 + 1)
    }

    fn read(answer: &Fields) -> Result<String, BadMove> {
        Ok(number_of(answer)?.to_string())
    }

    fn news(case: &Case, view: &View) -> Option<(Message, Fields)> {
        let (last, n) = (view.rounds.last()?, view.rounds.len() - 1);
        let mut news = told(case, n, last);
        news["scores"] = scores(case, view);
        Some((Message::RoundResult, case.write(Message::RoundResult, news)))
    }

    fn ending(case: &Case, view: &View, verdict: Verdict) -> Fields {
        let points = case.players.iter().zip(verdict.points());
        let points: Map<String, Value> =
            points.map(|(id, points)| (id.to_string(), points.into())).collect();
        case.write(
            Message::GameEnd,
            json!({
                "final_scores": scores(case, view),
                "winner": verdict.winner().map(|seat| case.players[seat]),
                "match_points": points,
                "forfeited": view.forfeited.iter().map(|s| case.player(*s)).collect::<Vec<_>>(),
            }),
        )
    }

    fn verdict(view: &View) -> Option<Verdict> {
        view.verdict()
    }
}

fn scores(case: &Case, view: &View) -> Value {
    let scores = case.players.iter().zip(view.scores);
    scores.map(|(id, score)| (id.to_string(), Value::from(score))).collect::<Map<_, _>>().into()
}

/// A round that is over, by the players' ids.
fn told(case: &Case, n: usize, round: &Round) -> Value {
    let moves = case.players.iter().zip(round.moves);
    let moves: Map<String, Value> =
        moves.map(|(id, number)| (id.to_string(), json!(number))).collect();
    json!({
        "game_round": n + 1,
        "moves": moves,
        "sum": round.sum,
        "sum_type": round.sum_type,
        "round_winner": round.winner.map(|seat| case.player(seat)),
    })
}
