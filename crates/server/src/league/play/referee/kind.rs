//! A game of any kind, as either protocol carries it: what the seat sees, and what it may play.

use rules::{Eye, MatchVerdict, Record, Seat};
use serde_json::{Value, json};

use super::{
    Case,
    contest::{Contest, MessageSet, wire_name},
    parity::{ROLES, status},
};
use crate::league::wire::{
    Fields,
    contents::{Both, GameEnd, GameInvitation, GameOver, GameStart, MoveRequest, Role, written},
    message::Message,
};

/// In the words of league.v1.
pub struct FirstWords;

/// In the words of league.v2.
pub struct SecondWords;

impl Contest for FirstWords {
    fn messages(&self) -> MessageSet {
        MessageSet::V1
    }

    fn invitation(&self, case: &Case, seat: Seat) -> Fields {
        let role = |at: usize| role_of(case, Seat(at as u8));
        let start = GameStart {
            game_config: config(case),
            players: [0, 1].map(|at| Role { player_id: case.players[at], role: role(at) }),
            player_id: case.player(seat),
            your_role: role_of(case, seat),
            opponent_id: case.opponent(seat),
        };
        case.write(Message::GameStart, &start)
    }

    fn question(&self, case: &Case, record: &Record, seat: Seat, _: &str) -> Fields {
        let mut state = json!({
            "your_role": role_of(case, seat),
            "view": view_of(record, seat),
            "text": record.show(Eye::Seat(seat)).text,
            "legal_moves": record.offers(seat),
        });
        add_answers(&mut state, record, seat);
        let request = MoveRequest {
            player_id: case.player(seat),
            game_round: turn_of(record),
            game_state: state,
            time_limit_seconds: case.league.setup().time_limit_seconds,
        };
        case.write(Message::MoveRequest, &request)
    }

    fn ending(&self, case: &Case, record: &Record, verdict: MatchVerdict) -> Fields {
        let forfeited = case.players.into_iter().zip(verdict.forfeits);
        let end = GameEnd {
            final_scores: Both(case.players, verdict.scores),
            winner: verdict.winner().map(|seat| case.players[seat]),
            match_points: Both(case.players, verdict.points()),
            forfeited: forfeited.filter(|(_, forfeits)| *forfeits).map(|(id, _)| id).collect(),
            result: Some(reason(record, verdict)),
        };
        case.write(Message::GameEnd, &end)
    }
}

impl Contest for SecondWords {
    fn messages(&self) -> MessageSet {
        MessageSet::V2
    }

    fn invitation(&self, case: &Case, seat: Seat) -> Fields {
        let invitation = GameInvitation {
            game_type: wire_name(case.league.setup().game),
            player_id: case.player(seat),
            role_in_match: ROLES[usize::from(seat.0)],
            opponent_id: case.opponent(seat),
            referee_endpoint: case.referee_endpoint,
            draw_commitment: None,
            game_config: Some(config(case)),
        };
        case.write(Message::GameInvitation, &invitation)
    }

    fn question(&self, case: &Case, record: &Record, seat: Seat, deadline: &str) -> Fields {
        let game_type = wire_name(case.league.setup().game);
        let mut wanted = json!({ "move_type": game_type, "valid_options": record.offers(seat) });
        add_answers(&mut wanted, record, seat);
        let mut context = written(&case.context(seat));
        context.insert("your_role".into(), role_of(case, seat).into());
        context.insert("view".into(), view_of(record, seat));
        context.insert("text".into(), record.show(Eye::Seat(seat)).text.into());
        wanted["context"] = context.into();
        let call = json!({
            "player_id": case.player(seat),
            "game_type": game_type,
            "game_round": turn_of(record),
            "move_request": wanted,
            "deadline": deadline,
        });
        case.write(Message::MoveCall, &call)
    }

    fn ending(&self, case: &Case, record: &Record, verdict: MatchVerdict) -> Fields {
        let over = GameOver {
            game_type: wire_name(case.league.setup().game),
            game_result: json!({
                "status": status(verdict),
                "winner_player_id": verdict.winner().map(|seat| case.players[seat]),
                "scores": Both(case.players, verdict.scores),
                "match_points": Both(case.players, verdict.points()),
                "reason": reason(record, verdict),
            }),
            draw_seed: None,
        };
        case.write(Message::GameOver, &over)
    }
}

/// Explains a game that the player may never have heard of.
fn config(case: &Case) -> Value {
    let setup = case.league.setup();
    let card = setup.game.card();
    json!({
        "game_type": wire_name(setup.game),
        "setup": setup.game_setup,
        "rules": card.rules,
        "moves": card.moves,
        "time_limit_seconds": setup.time_limit_seconds,
    })
}

/// The replies to what the other has asked, if it has asked anything.
fn add_answers(asked: &mut Value, record: &Record, seat: Seat) {
    let answers = record.answers(seat);
    if !answers.is_empty() {
        asked["answers"] = json!(answers);
    }
}

fn role_of(case: &Case, seat: Seat) -> &'static str {
    case.league.setup().game.kind().seats[usize::from(seat.0)]
}

/// The number of the turn that is to be played, as those count who do not see what others have
/// sealed.
pub fn turn_of(record: &Record) -> u32 {
    record.turns_seen(Eye::Public).count() as u32 + 1
}

fn view_of(record: &Record, seat: Seat) -> Value {
    serde_json::from_str(&record.view_json(Eye::Seat(seat))).expect("a view is JSON")
}

fn reason(record: &Record, verdict: MatchVerdict) -> String {
    match record.due().outcome() {
        // In words that are the same in every game.
        Some(_) if verdict.forfeits == [true; 2] => "neither moved in time".to_owned(),
        Some(outcome) => outcome.to_string(),
        None => "it was called off".to_owned(),
    }
}

pub fn verdict_of(record: &Record) -> Option<MatchVerdict> {
    Some(MatchVerdict::of(record.due().outcome()?, &record.lost_on_time()))
}

#[cfg(test)]
mod tests {
    use rules::Ask;

    use super::*;

    const A: Seat = Seat(0);
    const B: Seat = Seat(1);

    #[test]
    fn who_forfeits_follows_from_the_log() {
        let check = |kind: &str, turns: &[(Seat, Option<&str>)], forfeits: [bool; 2]| {
            let kind = rules::kind(kind).expect("it is known");
            let mut game = Record::start(kind, "{}", 1).expect("a game");
            for (seat, text) in turns {
                let ask = text.map_or(Ask::Late, Ask::from);
                game.take(game.step(*seat, ask).expect("a turn"));
            }
            let verdict = verdict_of(&game).expect("it is over");
            assert_eq!(verdict.forfeits, forfeits, "{} {turns:?}", kind.name);
        };
        check("connect-four", &[(A, None)], [true, false]);
        check("connect-four", &[(A, Some("4")), (B, None)], [false, true]);
        check("matrix-game", &[(A, None), (B, None)], [true, true]);
        check("matrix-game", &[(B, None), (A, Some("cooperate"))], [false, true]);
        check("matrix-game", &[(A, Some("cooperate")), (B, None)], [false, true]);
        check("matrix-game", &[(B, Some("cooperate")), (A, None)], [true, false]);
    }
}
