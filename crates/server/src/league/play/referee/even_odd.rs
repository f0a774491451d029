//! Even or odd, as league.v1 tells it.

use rules::{
    Eye, MatchVerdict, Record, Seat,
    even_odd::{EvenOdd, PlayedRound, View},
    league::LeagueKind,
};

use super::{
    Case,
    contest::{Contest, MessageSet, wire_name},
};
use crate::league::wire::{
    Fields,
    contents::{
        Both, EvenOddConfig, EvenOddState, GameEnd, GameStart, MoveRequest, Role, RoundTold,
    },
    errors::BadMove,
    message::Message,
    moves::{MoveSent, number_of},
};

const ROLES: [&str; 2] = ["ODD", "EVEN"];

pub struct EvenOddWords;

impl Contest for EvenOddWords {
    fn messages(&self) -> MessageSet {
        MessageSet::V1
    }

    fn invitation(&self, case: &Case, seat: Seat) -> Fields {
        let setup = case.league.setup();
        let start = GameStart {
            game_config: EvenOddConfig {
                game_type: wire_name(LeagueKind::EVEN_ODD),
                rounds_to_win: setup.rounds_to_win,
                max_rounds: setup.max_rounds,
                time_limit_seconds: setup.time_limit_seconds,
            },
            players: [0, 1].map(|at| Role { player_id: case.players[at], role: ROLES[at] }),
            player_id: case.player(seat),
            your_role: ROLES[usize::from(seat.0)],
            opponent_id: case.opponent(seat),
        };
        case.write(Message::GameStart, &start)
    }

    fn question(&self, case: &Case, record: &Record, seat: Seat, _: &str) -> Fields {
        let view = seen(record);
        let rounds = view.rounds.iter().enumerate();
        let request = MoveRequest {
            player_id: case.player(seat),
            game_round: next_round(&view),
            game_state: EvenOddState {
                your_role: ROLES[usize::from(seat.0)],
                scores: Both(case.players, view.scores),
                previous_rounds: rounds.map(|(n, round)| told(case, n, round)).collect(),
            },
            time_limit_seconds: case.league.setup().time_limit_seconds,
        };
        case.write(Message::MoveRequest, &request)
    }

    fn round(&self, record: &Record) -> Option<u32> {
        Some(next_round(&seen(record)))
    }

    fn last_round(&self, record: &Record, seat: Seat) -> Option<(u32, Option<MoveSent>)> {
        let rounds = seen(record).rounds;
        let last = rounds.last().and_then(|round| round.moves[usize::from(seat.0)]);
        Some((rounds.len() as u32, last.map(MoveSent::Number)))
    }

    fn read(&self, answer: &Fields) -> Result<MoveSent, BadMove> {
        number_of(answer).map(MoveSent::Number)
    }

    fn news(&self, case: &Case, record: &Record) -> Option<(Message, Fields)> {
        let view = seen(record);
        let (last, n) = (view.rounds.last()?, view.rounds.len() - 1);
        let scores = Some(Both(case.players, view.scores));
        let news = RoundTold { scores, ..told(case, n, last) };
        Some((Message::RoundResult, case.write(Message::RoundResult, &news)))
    }

    fn ending(&self, case: &Case, record: &Record, verdict: MatchVerdict) -> Fields {
        let view = seen(record);
        let end = GameEnd {
            final_scores: Both(case.players, view.scores),
            winner: verdict.winner().map(|seat| case.players[seat]),
            match_points: Both(case.players, verdict.points()),
            forfeited: view.forfeited.iter().map(|seat| case.player(*seat)).collect(),
            result: None,
        };
        case.write(Message::GameEnd, &end)
    }

    fn verdict(&self, record: &Record) -> Option<MatchVerdict> {
        seen(record).verdict()
    }
}

fn seen(record: &Record) -> View {
    record.view::<EvenOdd>(Eye::Public).expect("a match is of its league's kind")
}

fn next_round(view: &View) -> u32 {
    view.rounds.len() as u32 + 1
}

/// A round that is over, by the players' ids.
fn told(case: &Case, n: usize, round: &PlayedRound) -> RoundTold {
    RoundTold {
        game_round: n + 1,
        moves: Both(case.players, round.moves),
        sum: round.sum,
        sum_type: round.sum_type,
        round_winner: round.winner.map(|seat| case.player(seat)),
        scores: None,
    }
}
