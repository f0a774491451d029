//! A league as its manager keeps it, for the tests beside this.

use rules::{
    Eye, MatchVerdict, Record, kind,
    league::{Event, League, MANAGER, MatchId, MatchResult, Registration, Report, Setup, View},
};

/// A league that is open, with players called after their ids.
pub fn open(setup: &Setup, players: usize) -> Record {
    let setup = serde_json::to_string(setup).unwrap();
    let mut record = Record::start(kind("league").unwrap(), &setup, 1).unwrap();
    for number in 1..=players {
        play(&mut record, &register(&format!("Player {number}")));
    }
    record
}

pub fn running(setup: &Setup, players: usize) -> Record {
    let mut record = open(setup, players);
    play(&mut record, &Event::Start);
    record
}

pub fn register(name: &str) -> Event {
    Event::Register(registration(name))
}

pub fn registration(name: &str) -> Registration {
    Registration {
        name: name.to_owned(),
        version: "1.0.0".to_owned(),
        endpoint: Some(format!("http://localhost:8101/{}", name.replace(' ', "-"))),
        token: "0123456789abcdef".repeat(4),
        dialect: "S1".to_owned(),
        nonce: "0123456789abcdef".to_owned(),
        student: None,
        computer: None,
        engine: None,
        person: false,
    }
}

pub fn play(record: &mut Record, event: &Event) -> Report {
    let text = serde_json::to_string(event).unwrap();
    let step = record.step(MANAGER, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(step.turn().text, text, "an event is written in one way");
    let report = step.turn().report.as_ref();
    let report = report.map_or(Report::Nothing, |report| serde_json::from_str(report).unwrap());
    record.take(step);
    report
}

pub fn view(record: &Record) -> View {
    record.view::<League>(Eye::Public).unwrap()
}

pub fn begin(match_id: MatchId) -> Event {
    Event::Begin { match_id, game: 0x3f9a_61c2 }
}

pub fn end(view: &View, match_id: MatchId, verdict: MatchVerdict) -> Event {
    Event::End { match_id, result: result(view, match_id, verdict) }
}

pub fn result(view: &View, match_id: MatchId, verdict: MatchVerdict) -> MatchResult {
    let seen = view.find(match_id).unwrap();
    MatchResult::new([seen.player_a, seen.player_b], verdict)
}

/// Everything there is to see, to be compared with another league.
pub fn picture(record: &Record) -> String {
    let seen = record.view::<League>(Eye::Seat(MANAGER)).unwrap();
    format!("{:?} {} {:?}", record.due(), serde_json::to_string(&seen).unwrap(), record.turns())
}

pub fn won(odd: i32, even: i32) -> MatchVerdict {
    MatchVerdict { scores: [odd, even], forfeits: [false; 2] }
}
