//! A choice follows from luck, turn and level only, in every build and on every machine.

use std::{env, thread};

use players::{choose, levels};
use rules::{Due, Record, kind};

/// For each game, a digest of a whole game that each of its levels plays against itself.
const KNOWN: &[(&str, u64)] = &[
    ("breakthrough", 0x9f09_727e_bd03_4d8f),
    ("connect-four", 0xe00f_40da_792f_09c0),
    ("even-odd", 0x5167_c741_cbd5_158a),
    ("gomoku", 0x6ad0_becd_ccbf_5ae0),
    ("hex", 0xfb56_7706_921b_2813),
    ("kuhn-poker", 0x1a7e_19c8_90e5_d84d),
    ("leduc-poker", 0x8aa7_4c1a_0111_2f52),
    ("liars-dice", 0xe661_ff67_906e_4a56),
    ("matrix-game", 0x27bd_d7b7_41e3_f089),
    ("nim", 0xfe7d_0daa_5adb_3dd1),
    ("othello", 0x1efa_c87d_05a8_1d1a),
    ("parity", 0x4a0f_b7e2_ace8_db92),
    ("tic-tac-toe", 0x5070_6aee_51d9_5bf2),
];

/// With `AGON_COUNT_ALL` twenty times. The games are played at the same time, each on its thread.
#[test]
fn every_level_plays_the_same_game_again() {
    assert!(KNOWN.iter().map(|row| row.0).eq(crate::playing::kinds().map(|kind| kind.name)));
    let runs = if env::var_os("AGON_COUNT_ALL").is_some() { 20 } else { 1 };
    let check = |&(name, known): &(&str, u64)| {
        for _ in 0..runs {
            let played = digest(name);
            assert_eq!(played, known, "{name} is {played:#018x} now");
        }
    };
    thread::scope(|scope| KNOWN.iter().for_each(|row| drop(scope.spawn(move || check(row)))));
}

fn digest(name: &str) -> u64 {
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    for level in levels(name) {
        let mut record = Record::start(kind(name).unwrap(), "{}", 1).unwrap();
        loop {
            let seat = match record.due() {
                Due::One(seat) => seat,
                Due::Each(seats) => seats[0],
                Due::Over(_) => break,
            };
            let text = choose(&record, seat, level, 7).unwrap();
            let step = record.step(seat, &text).unwrap();
            assert_eq!(step.turn().text, text, "{name}: it is written as the log has it");
            record.take(step);
            text.bytes().chain([0]).for_each(|byte| {
                sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            });
        }
    }
    sum
}
