//! Parity, as league.v2 tells it.

use rules::{
    Eye, MatchVerdict, Record, Seat,
    league::LeagueKind,
    parity::{Parity, View},
};

use super::{
    Case,
    contest::{Contest, MessageSet, wire_name},
};
use crate::league::wire::{
    Fields,
    contents::{Both, GameInvitation, GameOver, ParityCall, ParityResult},
    errors::BadMove,
    message::Message,
    moves::{MoveSent, parity_of},
};

pub const ROLES: [&str; 2] = ["PLAYER_A", "PLAYER_B"];

pub struct ParityWords;

impl Contest for ParityWords {
    fn messages(&self) -> MessageSet {
        MessageSet { ask: Message::ParityCall, ..MessageSet::V2 }
    }

    fn invitation(&self, case: &Case, seat: Seat) -> Fields {
        let invitation = GameInvitation {
            game_type: wire_name(LeagueKind::PARITY),
            player_id: case.player(seat),
            role_in_match: ROLES[usize::from(seat.0)],
            opponent_id: case.opponent(seat),
            referee_endpoint: case.referee_endpoint,
            draw_commitment: Some(&case.seed_hash),
            game_config: None,
        };
        case.write(Message::GameInvitation, &invitation)
    }

    fn question(&self, case: &Case, _: &Record, seat: Seat, deadline: &str) -> Fields {
        let call = ParityCall {
            player_id: case.player(seat),
            game_type: wire_name(LeagueKind::PARITY),
            context: case.context(seat),
            deadline: deadline.to_owned(),
        };
        case.write(Message::ParityCall, &call)
    }

    fn round(&self, _: &Record) -> Option<u32> {
        None
    }

    fn read(&self, answer: &Fields) -> Result<MoveSent, BadMove> {
        parity_of(answer).map(MoveSent::Parity)
    }

    fn ending(&self, case: &Case, record: &Record, verdict: MatchVerdict) -> Fields {
        let view = seen(record);
        let over = GameOver {
            game_type: wire_name(LeagueKind::PARITY),
            game_result: ParityResult {
                status: status(verdict),
                winner_player_id: verdict.winner().map(|seat| case.players[seat]),
                drawn_number: view.drawn_number,
                number_parity: view.number_parity,
                choices: Both(case.players, view.choices.unwrap_or_default()),
                reason: match record.resigned().and(record.due().outcome()) {
                    Some(resigned) => resigned.to_string(),
                    None => reason(case, &view, verdict),
                },
            },
            draw_seed: Some(case.seed.map(|seed| seed.to_string())),
        };
        case.write(Message::GameOver, &over)
    }

    fn verdict(&self, record: &Record) -> Option<MatchVerdict> {
        seen(record).verdict()
    }
}

fn seen(record: &Record) -> View {
    record.view::<Parity>(Eye::Public).expect("a match is of its league's kind")
}

/// How a match ended, in a word of league.v2.
pub fn status(verdict: MatchVerdict) -> &'static str {
    match (verdict.is_forfeit(), verdict.is_draw()) {
        (true, _) => "TECHNICAL_LOSS",
        (_, true) => "DRAW",
        _ => "WIN",
    }
}

fn reason(case: &Case, view: &View, verdict: MatchVerdict) -> String {
    let drawn = view.drawn_number.unwrap_or_default();
    match (verdict.winner().map(|seat| case.players[seat]), verdict.is_forfeit()) {
        (Some(winner), false) => format!("{winner} alone said what {drawn} is"),
        (None, false) => format!("both said the same; {drawn} was drawn"),
        (Some(winner), true) => format!("{winner} wins; the other gave no usable answer in time"),
        (None, true) => "neither gave a usable answer in time".into(),
    }
}
