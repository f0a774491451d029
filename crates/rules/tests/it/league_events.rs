//! What a league admits, what it refuses and why, and what it tells.

use rules::{
    Eye, Illegal, MatchVerdict, Record, Seat, kind,
    league::{
        Event, League, LeagueKind, MANAGER, MatchId, Phase, PlayerId, Registration, Report, Setup,
        Stage,
    },
};

use crate::league::{begin, end, open, picture, play, register, registration, running, view, won};

/// Four players, R1M1 (P01 and P04) over with 3:1, R1M2 (P02 and P03) running; P04 suspended.
fn midway() -> Record {
    let mut record = running(&Setup::default(), 4);
    let [first, second] = ["R1M1", "R1M2"].map(|id| id.parse::<MatchId>().unwrap());
    play(&mut record, &begin(first));
    let event = end(&view(&record), first, won(3, 1));
    play(&mut record, &event);
    play(&mut record, &begin(second));
    play(&mut record, &Event::Suspend { player: "P04".parse().unwrap() });
    record
}

/// `rule` is the one that is in the way, or empty if the event fits.
fn check(record: &Record, text: &str, rule: &str) {
    let before = picture(record);
    match record.check(MANAGER, text) {
        Ok(canonical) => {
            assert_eq!(rule, "", "{text} is admitted");
            assert_eq!(record.check(MANAGER, &canonical).as_ref(), Ok(&canonical));
        }
        Err(Illegal::Rule { rule: named, reason, .. }) => {
            assert_eq!(named.to_string(), rule, "{text}: {reason}");
            assert!(!reason.is_empty() && !reason.ends_with('.'), "{reason}");
        }
        Err(refusal) => panic!("{text}: {refusal}"),
    }
    assert_eq!(picture(record), before);
}

fn end_text(id: &str, winner: &str, scores: &str, forfeits: &str) -> String {
    let winner = if winner.is_empty() { "null".to_owned() } else { format!("{winner:?}") };
    format!(
        r#"{{"end":{{"match":"{id}","result":{{"winner":{winner},"scores":{{{scores}}},"forfeits":[{forfeits}]}}}}}}"#
    )
}

#[test]
fn an_open_league_admits_players_and_can_start() {
    let setup = Setup { max_players: 3, ..Setup::default() };
    let register = |name: &str| serde_json::to_string(&register(name)).unwrap();
    let league = open(&setup, 2);
    check(&league, &register("Alpha"), "");
    check(&league, &register("Player 1"), "NameTaken");
    check(&league, &register("Player-1"), "EndpointTaken");
    check(&open(&setup, 3), &register("Alpha"), "LeagueFull");
    check(&league, r#""start""#, "");
    check(&open(&setup, 1), r#""start""#, "TooFewPlayers");
    check(&open(&setup, 0), r#""start""#, "TooFewPlayers");
    check(&league, r#"{"begin":{"match":"R1M1","game":"3f9a61c2"}}"#, "LeagueNotStarted");
    let scores = r#""P01":3,"P02":0"#;
    check(&league, &end_text("R1M1", "P01", scores, ""), "LeagueNotStarted");
    let pair = r#"{"pair":{"player1":"P01","player2":"P02","round":1}}"#;
    check(&league, pair, "LeagueNotStarted");
    check(&league, r#"{"suspend":{"player":"P01"}}"#, "LeagueNotStarted");
    check(&league, r#"{"return":{"player":"P01"}}"#, "NotSuspended");
    check(&league, r#"{"learn":{"player":"P02","dialect":"M2"}}"#, "");
    check(&league, r#"{"learn":{"player":"P03","dialect":"M2"}}"#, "UnknownPlayer");
    check(&league, r#"{"stop":{"reason":"rain"}}"#, "");
}

#[test]
fn a_running_league_takes_what_fits() {
    let league = midway();
    check(&league, &serde_json::to_string(&register("Alpha")).unwrap(), "LeagueStarted");
    check(&league, r#""start""#, "LeagueStarted");
    let begin = |id: &str| format!(r#"{{"begin":{{"match":"{id}","game":"00000001"}}}}"#);
    check(&league, &begin("R1M1"), "AlreadyReported");
    check(&league, &begin("R1M2"), "MatchRunning");
    check(&league, &begin("R2M1"), "SuspendedPlayer"); // P04 and P03
    check(&league, &begin("R2M2"), "PlayerBusy"); // P01 and P02
    check(&league, &begin("R4M1"), "UnknownMatch");
    check(&league, &begin("R1M3"), "UnknownMatch");
    let pair = |one: &str, other: &str, round: u32| {
        format!(r#"{{"pair":{{"player1":"{one}","player2":"{other}","round":{round}}}}}"#)
    };
    check(&league, &pair("P01", "P02", 1), "");
    check(&league, &pair("P01", "P02", 4), "");
    check(&league, &pair("P01", "P02", 5), "InvalidEvent");
    check(&league, &pair("P01", "P02", 0), "InvalidEvent");
    check(&league, &pair("P01", "P02", 70_000), "InvalidEvent");
    check(&league, &pair("P01", "P01", 1), "InvalidEvent");
    check(&league, &pair("P01", "P04", 1), "SuspendedPlayer");
    check(&league, &pair("P01", "P05", 1), "UnknownPlayer");
    check(&league, r#"{"suspend":{"player":"P04"}}"#, "SuspendedPlayer");
    check(&league, r#"{"suspend":{"player":"P03"}}"#, "");
    check(&league, r#"{"return":{"player":"P04"}}"#, "");
    check(&league, r#"{"return":{"player":"P03"}}"#, "NotSuspended");
}

#[test]
fn who_holds_its_token_comes_back_as_it_likes() {
    let renew = |player: &str, change: fn(&mut Registration)| {
        let mut registration = registration("Player 1");
        change(&mut registration);
        Event::Renew { player: player.parse().unwrap(), registration }
    };
    let mut open = open(&Setup::default(), 2);
    for league in [&open, &midway()] {
        let check = |player: &str, change: fn(&mut Registration), rule: &str| {
            check(league, &serde_json::to_string(&renew(player, change)).unwrap(), rule);
        };
        check("P01", |_| (), "");
        check("P01", |new| new.name = "Another".into(), "");
        check("P01", |new| new.endpoint = None, "");
        check("P01", |new| new.token = "0".repeat(64), "WrongToken");
        check("P01", |new| new.name = "Player 2".into(), "NameTaken");
        let of_the_other = |new: &mut Registration| {
            new.endpoint = Some("http://localhost:8101/Player-2".into());
        };
        check("P01", of_the_other, "EndpointTaken");
        check("P01", |new| new.name = " ".into(), "InvalidEvent");
        check("P09", |_| (), "UnknownPlayer");
    }
    play(&mut open, &renew("P01", |new| new.endpoint = Some("http://localhost:1/".into())));
    let seen = view(&open);
    assert_eq!(seen.players().next().unwrap().endpoint, Some("http://localhost:1/"));
    assert_eq!(seen.players().count(), 2);
}

#[test]
fn a_result_is_taken_once() {
    let league = midway();
    let first = |winner, scores, forfeits| end_text("R1M1", winner, scores, forfeits);
    check(&league, &first("P01", r#""P01":3,"P04":1"#, ""), "AlreadyReported");
    check(&league, &first("P01", r#""P04":1,"P01":3"#, ""), "AlreadyReported");
    check(&league, &first("P01", r#""P01":3,"P04":0"#, ""), "Conflict");
    check(&league, &first("P04", r#""P01":1,"P04":3"#, ""), "Conflict");
    check(&league, &first("P01", r#""P01":3,"P04":1"#, r#""P04""#), "Conflict");
    check(&league, &first("P01", r#""P01":9,"P04":1"#, ""), "Conflict");
    let second = |winner, scores, forfeits| end_text("R1M2", winner, scores, forfeits);
    for (winner, scores, forfeits, rule) in [
        ("P02", r#""P02":3,"P03":1"#, "", ""),
        ("P03", r#""P02":2,"P03":3"#, "", ""),
        ("P02", r#""P03":1,"P02":3"#, "", ""),
        ("", r#""P02":2,"P03":2"#, "", ""),
        ("P03", r#""P02":2,"P03":0"#, r#""P02""#, ""),
        ("", r#""P02":0,"P03":0"#, r#""P02","P03""#, ""),
        ("", r#""P02":0,"P03":0"#, r#""P03","P02","P03""#, ""),
        // Whoever says so: these cannot be.
        ("P03", r#""P02":3,"P03":1"#, "", "InvalidEvent"),
        ("", r#""P02":3,"P03":1"#, "", "InvalidEvent"),
        ("P02", r#""P02":4,"P03":1"#, "", "InvalidEvent"),
        ("", r#""P02":3,"P03":3"#, "", "InvalidEvent"),
        ("P02", r#""P02":2,"P03":1"#, "", "InvalidEvent"),
        ("", r#""P02":0,"P03":0"#, "", "InvalidEvent"),
        ("P02", r#""P02":3"#, "", "InvalidEvent"),
        ("P02", r#""P02":3,"P03":1,"P01":0"#, "", "InvalidEvent"),
        ("P02", r#""P02":3,"P04":1"#, "", "InvalidEvent"),
        ("P02", r#""P02":0,"P03":0"#, r#""P02""#, "InvalidEvent"),
        ("P02", r#""P02":0,"P03":0"#, r#""P02","P03""#, "InvalidEvent"),
        ("P02", r#""P02":3,"P03":0"#, r#""P01""#, "InvalidEvent"),
        ("P02", r#""P02":-3,"P03":0"#, "", "InvalidEvent"),
        ("P02", r#""P02":3.0,"P03":0"#, "", "InvalidEvent"),
        ("P2", r#""P02":3,"P03":0"#, "", "InvalidEvent"),
    ] {
        check(&league, &second(winner, scores, forfeits), rule);
    }
    // The first to win one round has won, so they cannot both.
    let mut short = running(&Setup { rounds_to_win: 1, ..Setup::default() }, 2);
    play(&mut short, &begin("R1M1".parse().unwrap()));
    check(&short, &end_text("R1M1", "", r#""P01":1,"P02":1"#, ""), "InvalidEvent");
    // R2M1 is of P04, who is suspended, and P03; R2M2 is of P01 and P02.
    let none = r#""P03":0,"P04":0"#;
    check(&league, &end_text("R2M1", "P03", none, r#""P04""#), "");
    check(&league, &end_text("R2M1", "P04", none, r#""P03""#), "MatchNotRunning");
    check(&league, &end_text("R2M1", "", none, r#""P03","P04""#), "MatchNotRunning");
    check(&league, &end_text("R2M1", "P03", r#""P03":3,"P04":0"#, ""), "MatchNotRunning");
    let played = r#""P01":3,"P02":0"#;
    check(&league, &end_text("R2M2", "P01", played, ""), "MatchNotRunning");
    check(&league, &end_text("R9M9", "P01", played, ""), "UnknownMatch");
}

#[test]
fn what_is_no_event_is_refused() {
    let token = "0".repeat(64);
    let register = |name: &str, endpoint: &str, token: &str, more: &str| {
        let [name, endpoint] = [name, endpoint].map(|text| serde_json::to_string(text).unwrap());
        format!(
            r#"{{"register":{{"name":{name},"version":"","endpoint":{endpoint},"token":"{token}","nonce":"0","dialect":"S1"{more}}}}}"#
        )
    };
    let league = open(&Setup::default(), 2);
    let url = "http://localhost:8101/mcp";
    check(&league, &register("Alpha", url, &token, ""), "");
    check(&league, &register(&"é".repeat(64), &"x".repeat(2048), &token, ""), "");
    for text in [
        register(&"é".repeat(65), url, &token, ""),
        register(&"A".repeat(900_000), url, &token, ""),
        register("", url, &token, ""),
        register("  ", url, &token, ""),
        register("Alpha ", url, &token, ""),
        register("Al\npha", url, &token, ""),
        register("Al\u{1b}[31mpha", url, &token, ""),
        register("Alpha", "", &token, ""),
        register("Alpha", "http://a\0b", &token, ""),
        register("Alpha", &"x".repeat(2049), &token, ""),
        register("Alpha", url, &"0".repeat(63), ""),
        register("Alpha", url, &"A".repeat(64), ""),
        register("Alpha", url, "secret", ""),
        register("Alpha", url, &token, r#","rank":1"#),
        register("Alpha", url, &token, r#","name":"Beta""#),
        r#"{"learn":{"player":"P01","dialect":""}}"#.to_owned(),
        r#"{"stop":{"reason":""}}"#.to_owned(),
        format!(r#"{{"stop":{{"reason":"{}"}}}}"#, "x".repeat(257)),
        r#"{"begin":{"match":"R1M1","game":"3F9A61C2"}}"#.to_owned(),
        r#"{"begin":{"match":"R1M1","game":"+f9a61c2"}}"#.to_owned(),
        r#"{"begin":{"match":"R1M1","game":1}}"#.to_owned(),
        r#"{"begin":{"match":"r1m1","game":"3f9a61c2"}}"#.to_owned(),
        r#"{"suspend":{"player":"P1"}}"#.to_owned(),
        r#"{"suspend":{"player":"P00"}}"#.to_owned(),
        r#"{"suspend":{"player":"P01","for":"ever"}}"#.to_owned(),
        r#"{"start":{},"stop":{"reason":"x"}}"#.to_owned(),
        "start".to_owned(),
        r#""begin""#.to_owned(),
        "{}".to_owned(),
        "null".to_owned(),
        String::new(),
        "[".repeat(30_000),
        "\u{0}".to_owned(),
    ] {
        check(&league, &text, "InvalidEvent");
    }
    for stranger in [Seat(1), Seat(255)] {
        assert_eq!(league.check(stranger, r#""start""#), Err(Illegal::NotYourTurn));
    }
}

#[test]
fn after_the_end_everything_is_refused_but_a_result_is_still_known() {
    let mut league = running(&Setup::default(), 2);
    let id: MatchId = "R1M1".parse().unwrap();
    play(&mut league, &begin(id));
    let last = end(&view(&league), id, won(3, 0));
    let report = play(&mut league, &last);
    assert!(matches!(report, Report::Ended { round_completed: Some(1), .. }), "{report:?}");
    let over = league.due().outcome().cloned().expect("it is over");
    check(&league, &end_text("R1M1", "P01", r#""P01":3,"P02":0"#, ""), "AlreadyReported");
    check(&league, &end_text("R1M1", "P02", r#""P01":0,"P02":3"#, ""), "Conflict");
    let scores = r#""P01":3,"P02":0"#;
    for text in [
        r#""start""#,
        "nonsense",
        r#"{"stop":{"reason":"x"}}"#,
        r#"{"pair":{"player1":"P01","player2":"P02","round":1}}"#,
        &end_text("R1M2", "P01", scores, ""),
    ] {
        assert_eq!(league.check(MANAGER, text), Err(Illegal::Over(over.clone())), "{text}");
    }
    let mut early = running(&Setup::default(), 4);
    assert_eq!(view(&early).ready().len(), 2);
    play(&mut early, &Event::Stop { reason: "rain".into() });
    assert_eq!((view(&early).phase(), view(&early).ready()), (Phase::Stopped, vec![]));
    let mut stopped = midway();
    play(&mut stopped, &Event::Stop { reason: "rain".into() });
    assert_eq!(stopped.due().outcome().unwrap().text, "The league was stopped: rain");
    let running = end_text("R1M2", "P02", r#""P02":3,"P03":1"#, "");
    assert!(matches!(stopped.check(MANAGER, &running), Err(Illegal::Over(_))));
}

#[test]
fn a_set_up_that_makes_no_league_is_refused() {
    let start = |setup: &str| Record::start(kind("league").unwrap(), setup, 1).err();
    assert!(start("{}").is_none(), "the usual league");
    assert!(start(&serde_json::to_string(&Setup::default()).unwrap()).is_none());
    for setup in [
        r#"{"name":""}"#,
        r#"{"name":"a\nb"}"#,
        r#"{"rounds_to_win":0}"#,
        r#"{"rounds_to_win":6}"#,
        r#"{"max_rounds":256}"#,
        r#"{"max_players":1}"#,
        r#"{"max_players":1001}"#,
        r#"{"time_limit_seconds":0}"#,
        r#"{"join_limit_seconds":4000000}"#,
        r#"{"format":"swiss"}"#,
        r#"{"game":"dungeon"}"#,
    ] {
        assert!(start(setup).is_some(), "{setup}");
    }
}

#[test]
fn the_set_up_of_a_match_can_be_played() {
    for game in [LeagueKind::EVEN_ODD, LeagueKind::PARITY] {
        let setup = Setup { game, ..Setup::default() };
        let kind = setup.game.kind();
        assert!(Record::start(kind, &setup.match_setup(), 1).is_ok());
    }
    let written = serde_json::to_string(&Setup::default()).unwrap();
    assert_eq!(
        written,
        r#"{"name":"league","game":"even-odd","format":"round_robin","rounds_to_win":3,"max_rounds":5,"time_limit_seconds":30,"join_limit_seconds":5,"max_players":256}"#
    );
}

#[test]
fn events_report_what_they_did() {
    let mut league = open(&Setup::default(), 2);
    let turn = |record: &Record| record.turns().last().unwrap().clone();
    assert_eq!(turn(&league).report.unwrap(), r#"{"player_id":"P02"}"#);
    play(&mut league, &register("Gamma"));
    play(&mut league, &Event::Start);
    assert_eq!(turn(&league).report.unwrap(), r#"{"rounds":3,"matches":3}"#);
    let [one, other] = ["P01", "P02"].map(|id| id.parse().unwrap());
    play(&mut league, &Event::Pair { player1: one, player2: other, round: 1 });
    assert_eq!(turn(&league).report.unwrap(), r#"{"match_id":"R1M2"}"#);
    assert_eq!(view(&league).round(1).unwrap().bye, None, "P01 rests no longer");
    play(&mut league, &begin("R1M2".parse().unwrap()));
    assert_eq!(turn(&league).text, r#"{"begin":{"match":"R1M2","game":"3f9a61c2"}}"#);
    assert_eq!(turn(&league).report, None);
    let event = end(&view(&league), "R1M2".parse().unwrap(), won(3, 1));
    play(&mut league, &event);
    assert_eq!(
        turn(&league).text,
        r#"{"end":{"match":"R1M2","result":{"winner":"P01","scores":{"P01":3,"P02":1},"forfeits":[]}}}"#
    );
    assert_eq!(
        turn(&league).report.unwrap(),
        r#"{"match_points":{"P01":3,"P02":0},"suspended":[],"round_completed":null}"#
    );
}

#[test]
fn only_the_manager_sees_tokens() {
    let league = midway();
    let token = "0123456789abcdef".repeat(4);
    let seen = |eye| serde_json::to_string(&league.view::<League>(eye).unwrap()).unwrap();
    assert!(seen(Eye::Seat(MANAGER)).contains(&token));
    assert!(!seen(Eye::Public).contains("token") && !seen(Eye::Public).contains(&token));
    assert!(!seen(Eye::Seat(Seat(1))).contains(&token));
}

#[test]
fn a_match_has_the_names_of_the_wire() {
    let round = view(&midway()).round(1).unwrap();
    let written = serde_json::to_string(&round).unwrap();
    assert_eq!(
        written,
        r#"{"round_id":1,"matches":[{"match_id":"R1M1","round_id":1,"player_a":"P01","player_b":"P04","state":"done","game":"3f9a61c2","result":{"winner":"P01","scores":{"P01":3,"P04":1},"forfeits":[]},"match_points":[3,0]},{"match_id":"R1M2","round_id":1,"player_a":"P02","player_b":"P03","state":"running","game":"3f9a61c2","result":null,"match_points":null}],"bye":null,"completed":false}"#
    );
}

fn refused(record: &Record, event: &Event, rule: &str) {
    check(record, &serde_json::to_string(event).unwrap(), rule);
}

fn id(text: &str) -> PlayerId {
    text.parse().unwrap()
}

#[test]
fn names_that_look_the_same_are_the_same() {
    let mut record = open(&Setup::default(), 0);
    play(&mut record, &register("Agent Alpha"));
    for name in ["agent alpha", "Agent  Alpha", "Agent\u{200b} Al\u{ad}pha", "AGENT ALPHA\u{feff}"]
    {
        let mut again = registration(name);
        again.endpoint = None;
        refused(&record, &Event::Register(again), "NameTaken");
    }
    refused(&record, &register("\u{200b}\u{2060}"), "InvalidEvent");
    play(&mut record, &register("Agent Alpha 2"));
}

#[test]
fn a_code_lets_one_player_in() {
    let mut record = open(&Setup::default(), 0);
    let with = |name: &str| Registration { student: Some("anna".into()), ..registration(name) };
    play(&mut record, &Event::Register(with("one")));
    refused(&record, &Event::Register(with("two")), "CodeUsed");
    play(&mut record, &Event::Remove { player: id("P01") });
    play(&mut record, &Event::Register(with("two")));
}

#[test]
fn who_is_taken_out_before_the_start_meets_nobody() {
    let mut record = open(&Setup::default(), 0);
    for name in ["one", "two", "three", "four"] {
        play(&mut record, &register(name));
    }
    play(&mut record, &Event::Remove { player: id("P02") });
    refused(&record, &Event::Remove { player: id("P02") }, "RemovedPlayer");
    play(&mut record, &Event::Start);
    let seen = view(&record);
    assert_eq!(seen.matches().0, 3);
    assert!(seen.standings().iter().all(|line| line.player_id != id("P02")));
    let all: Vec<_> = seen.rounds().flat_map(|round| round.matches).collect();
    assert!(all.iter().all(|m| m.player_a != id("P02") && m.player_b != id("P02")));
    // Afterwards it forfeits what it would have played.
    play(&mut record, &Event::Remove { player: id("P01") });
    assert!(view(&record).player(id("P01")).unwrap().suspended);
    play(&mut record, &Event::Return { player: id("P01") });
    assert!(!view(&record).player(id("P01")).unwrap().suspended);
}

#[test]
fn a_match_is_played_again_when_the_operator_says_so() {
    let mut record = running(&Setup::default(), 3);
    let first = view(&record).ready()[0];
    refused(&record, &Event::Replay { match_id: first }, "MatchRunning");
    play(&mut record, &begin(first));
    let forfeited = MatchVerdict { scores: [0, 0], forfeits: [true, false] };
    let ended = end(&view(&record), first, forfeited);
    play(&mut record, &ended);
    play(&mut record, &Event::Replay { match_id: first });
    let again = view(&record).find(first).unwrap();
    assert_eq!((again.state, again.attempt, again.result), (Stage::Waiting, 1, None));
    assert_eq!(view(&record).matches(), (3, 0));
    play(&mut record, &begin(first));
    let ended = end(&view(&record), first, won(3, 1));
    play(&mut record, &ended);
    assert_eq!(view(&record).matches(), (3, 1));
    assert!(view(&record).standings().iter().all(|line| line.forfeits == 0));
}

#[test]
fn who_was_not_there_is_met_last() {
    let mut record = running(&Setup::default(), 4);
    let forfeit = |record: &mut Record, id: MatchId, odd: bool| {
        play(record, &begin(id));
        let ended = end(&view(record), id, MatchVerdict { scores: [0, 0], forfeits: [odd, !odd] });
        play(record, &ended);
    };
    let first = view(&record).ready()[0];
    let silent = view(&record).find(first).unwrap().player_a;
    forfeit(&mut record, first, true);
    let mut met = Vec::new();
    while let Some(id) = view(&record).ready().first().copied() {
        let found = view(&record).find(id).unwrap();
        met.push([found.player_a, found.player_b].contains(&silent));
        if met.last() == Some(&true) {
            break;
        }
        play(&mut record, &begin(id));
        let ended = end(&view(&record), id, won(3, 0));
        play(&mut record, &ended);
    }
    assert_eq!(met, [false, false, false, true], "the three others meet each other first");
}

#[test]
fn a_league_plays_any_kind_that_two_sit_down_to() {
    let setup = |game: &str, game_setup: &str| {
        format!(r#"{{"name":"cup","game":"{game}","game_setup":{game_setup}}}"#)
    };
    let read = |game: &str, keys: &str| serde_json::from_str::<Setup>(&setup(game, keys));
    let names = ["chess", "connect-four", "kuhn-poker", "nim", "tic-tac-toe", "gomoku"];
    for name in names {
        let read = read(name, "{}").unwrap();
        assert_eq!(read.check_match(), Ok(()), "{name}");
        let started = Record::start(kind("league").unwrap(), &setup(name, "{}"), 1);
        assert!(started.is_ok(), "{name}");
    }
    for name in ["dungeon", "league", "bridge", ""] {
        let why = read(name, "{}").unwrap_err().to_string();
        assert!(why.contains("chess") && why.contains("even-odd"), "{name}: {why}");
    }
    // Its set-up is the kind's own, and looked at before the league is opened.
    assert_eq!(read("chess", r#"{"variant":"chess960"}"#).unwrap().check_match(), Ok(()));
    for (name, keys) in
        [("chess", r#"{"fen":"nonsense"}"#), ("chess", r#"{"hints":true}"#), ("nim", r#"{"x":1}"#)]
    {
        assert!(read(name, keys).unwrap().check_match().is_err(), "{name} {keys}");
    }
}

#[test]
fn a_match_of_any_kind_ends_with_its_points() {
    let setup = Setup { game: LeagueKind::named("kuhn-poker").unwrap(), ..Setup::default() };
    let mut record = running(&setup, 2);
    let id = "R1M1".parse().unwrap();
    play(&mut record, &begin(id));
    let poker = MatchVerdict { scores: [7, -7], forfeits: [false; 2] };
    let ended = end(&view(&record), id, poker);
    play(&mut record, &ended);
    let table = view(&record).standings();
    let told = |at: usize| (table[at].points, table[at].rounds_won, table[at].rounds_lost);
    assert_eq!((told(0), told(1)), ((3, 7, -7), (0, -7, 7)));
}
