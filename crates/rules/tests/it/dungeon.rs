//! Dungeons played at random through a record, against what must hold in every one.

use rules::{
    Due, Eye, Illegal, Record, Seat,
    dungeon::{Difficulty, Dungeon, HERO, Move, Status, View},
    kind,
};
use serde_json::Value;

/// One after the other as hard as can be asked for.
fn start(seed: u64) -> Record {
    let difficulty = Difficulty::ALL[(seed % 3) as usize].word();
    let setup = format!(r#"{{"difficulty":"{difficulty}"}}"#);
    Record::start(kind("dungeon").unwrap(), &setup, seed).unwrap()
}

fn view(record: &Record) -> View {
    record.view::<Dungeon>(Eye::Public).unwrap()
}

fn json(record: &Record) -> String {
    serde_json::to_string(&view(record)).unwrap()
}

fn play(record: &mut Record, text: &str) -> Value {
    let step = record.step(HERO, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let report = step.turn().report.clone().expect("every move has something to report");
    record.take(step);
    serde_json::from_str(&report).unwrap()
}

/// One of the legal moves, those that lead on more often than others.
fn choose(view: &View, pick: u16) -> Option<String> {
    let liking = |mv: &Move| match mv {
        Move::Go(_) => 6,
        Move::Attack(_) => 9,
        Move::Take(_) => 15,
        Move::Apply(_) | Move::Rest if 2 * view.stats.hp < view.stats.max_hp => 15,
        _ => 1,
    };
    let weighted: Vec<&Move> =
        view.actions.iter().flat_map(|mv| std::iter::repeat_n(mv, liking(mv))).collect();
    let at = usize::from(pick) % weighted.len().max(1);
    weighted.get(at).map(ToString::to_string)
}

fn number(report: &Value, name: &str) -> i32 {
    report[name].as_i64().unwrap_or_default() as i32
}

/// What a die must have done, by the seed's rules.
fn damage(power: i32, die: i32, shield: i32) -> i32 {
    let plain = (power + die - shield).max(0);
    if die == 6 { 2 * plain } else { plain }
}

/// What half of its health adds to this monster's attack.
fn rage(manner: &str) -> Option<i32> {
    manner.strip_suffix(" attack from half its HP on")?.trim_start_matches('+').parse().ok()
}

fn hit(full: i32, halved: bool) -> i32 {
    if halved { full / 2 } else { full }
}

fn has(view: &View, effect: &str) -> i32 {
    if view.stats.effects.iter().any(|e| e.name == effect) { 2 } else { 0 }
}

/// Of what is worn, as it was made.
fn full_armour(view: &View) -> i32 {
    let worn = view.things.iter().find(|thing| thing.equipped && thing.defence.is_some());
    worn.and_then(|thing| thing.defence).expect("something is worn")
}

/// Every sum of a round of combat, done again from what could be seen.
fn check_round(before: &View, text: &str, report: &Value, after: &View) {
    let halved = text == "defend";
    let warded = text == "cast ward";
    let stoned = report["effect"] == "+2 defense for 3 rounds" && !warded;
    // Rust counts from the next round on.
    let rust = full_armour(before) - before.stats.equipped_armour.defence;
    let armour = (full_armour(after) - rust).max(0)
        + has(before, "Stone").max(if stoned { 2 } else { 0 })
        + has(before, "Ward").max(if warded { 2 } else { 0 });
    let (mut dealt, mut taken) = (0, 0);
    for roll in report["rolls"].as_array().unwrap() {
        let die = number(roll, "die");
        let expected = match (roll["by"].as_str().unwrap(), roll["for"].as_str().unwrap()) {
            (_, "flee" | "direction") => continue,
            // Half of the die, rounded up.
            (_, "poison" | "fire" | "thorns") => {
                taken += (die + 1) / 2;
                (die + 1) / 2
            }
            ("you", "firebolt") => {
                dealt += 6 + die;
                6 + die
            }
            ("you", _) => {
                let target = text.strip_prefix("attack ").unwrap();
                let of = |id: &dyn ToString| id.to_string() == target;
                let foe = before.room.monsters.iter().find(|m| of(&m.id)).unwrap();
                let power = before.stats.equipped_weapon.damage + has(before, "Strength");
                dealt += damage(power, die, foe.defence);
                damage(power, die, foe.defence)
            }
            (by, _) => {
                let of = |id: &dyn ToString| id.to_string() == by;
                let foe = before.room.monsters.iter().find(|m| of(&m.id)).unwrap();
                assert!(foe.is_alive, "the dead do not fight: {report}");
                // It was hit before it could strike, and may have become angrier by it.
                let rage = foe.manner.as_deref().and_then(rage).filter(|rage| {
                    let attack = foe.attack + rage;
                    number(roll, "damage") == hit(damage(attack, die, armour), halved)
                });
                let full = damage(foe.attack + rage.unwrap_or(0), die, armour);
                taken += hit(full, halved);
                hit(full, halved)
            }
        };
        assert_eq!(number(roll, "damage"), expected, "{text}: {report}");
        let sum = ["attack", "burst", "parting blow"].contains(&roll["for"].as_str().unwrap());
        assert_eq!(roll["critical"] == true, die == 6 && sum, "{report}");
    }
    assert_eq!(number(report, "playerDamageDealt"), dealt, "{text}: {report}");
    assert_eq!(number(report, "playerDamageTaken"), taken, "{text}: {report}");
    let healed = if report["levelUp"].is_null() {
        before.stats.hp + number(report, "hpRestored")
    } else {
        after.stats.max_hp
    };
    let left = (healed - taken).max(0);
    // Whoever falls gently wakes with half of what he can have.
    let woken = left == 0 && after.ending.is_none();
    assert_eq!(
        after.stats.hp,
        if woken { after.stats.max_hp / 2 } else { left },
        "{text}: {report}"
    );
    assert_eq!(number(report, "playerHpRemaining"), after.stats.hp);
    let lost = number(report, "goldLost");
    let gained = after.stats.gold as i32 - before.stats.gold as i32;
    assert_eq!(gained, number(report, "goldDropped") - lost, "{text}: {report}");
    let learned = number(report, "experienceGained") as u32;
    assert_eq!(after.stats.experience - before.stats.experience, learned);
    let left = !report["newRoomId"].is_null();
    assert_eq!(report["combatOver"] == true, left || after.status != Status::InCombat, "{report}");
}

fn check_bounds(view: &View) {
    let stats = &view.stats;
    assert!((0..=stats.max_hp).contains(&stats.hp));
    assert!((0..=stats.max_mana).contains(&stats.mana));
    assert!(stats.inventory.len() <= 10 && stats.inventory.iter().all(|item| item.quantity > 0));
    assert_eq!(stats.inventory.iter().filter(|item| item.equipped).count(), 2);
    assert!(stats.experience < stats.experience_to_next_level);
    // Some things that are met change what he can have.
    let usual = 20 + 5 * stats.level as i32;
    assert!((usual - 6..=usual + 25).contains(&stats.max_hp), "{} of {usual}", stats.max_hp);
    assert!(view.chronicle.len() <= 31 && stats.checkpoints.len() <= 5 && stats.rests_left <= 4);
    assert_eq!(view.ending.is_some(), view.actions.is_empty());
    let mut ids: Vec<_> = stats.inventory.iter().map(|item| item.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), stats.inventory.len(), "no two places of the bag have one id");
}

/// Plays on and checks every step.
fn check_game(seed: u64, picks: &[u16]) -> Record {
    let mut record = start(seed);
    for pick in picks {
        let before = view(&record);
        let Some(text) = choose(&before, *pick) else { break };
        let report = play(&mut record, &text);
        let after = view(&record);
        check_bounds(&after);
        if !report["combatOver"].is_null() {
            check_round(&before, &text, &report, &after);
        }
        if !report["inventoryCount"].is_null() {
            let gained = number(&report, "goldGained") as u32;
            assert_eq!(after.stats.gold - before.stats.gold, gained);
            assert_eq!(report["inventoryCount"], after.stats.inventory.len());
        }
    }
    record
}

#[test]
fn every_sum_comes_out_again() {
    let mut dead = 0;
    for seed in 0..800 {
        // Any spread of picks will do, as long as it is a different one each time.
        let picks: Vec<u16> =
            (1..90).map(|n| ((seed * 7919 + n * 104_729) % 65_521) as u16).collect();
        let record = check_game(seed, &picks);
        assert_eq!(json(&record.as_of(u32::MAX)), json(&record), "seed {seed} replays");
        dead += usize::from(matches!(record.due(), Due::Over(_)));
    }
    assert!(dead > 300, "many games are played to the end: {dead}");
}

#[test]
fn going_back_brings_the_same_luck() {
    let mut repeated = 0;
    for seed in 0..150 {
        let mut record = start(seed);
        play(&mut record, "save before the storm");
        let mut reports = Vec::new();
        let mut moves: Vec<String> = Vec::new();
        for pick in (0..40_u32).map(|n| (n * 7877 + seed as u32 * 31) as u16) {
            let now = view(&record);
            let text = choose(&now, pick).filter(|text| !text.starts_with(['s', 'l']));
            let Some(text) = text else { continue };
            let mut ahead = record.as_of(u32::MAX);
            let report = play(&mut ahead, &text);
            if view(&ahead).ending.is_some() {
                break;
            }
            record = ahead;
            reports.push(report);
            moves.push(text);
        }
        if record.check(HERO, "load BEFORE the storm").is_err() {
            assert_eq!(view(&record).status, Status::InCombat, "only a fight keeps one here");
            continue;
        }
        let loaded = play(&mut record, "load BEFORE the storm");
        assert_eq!(
            (&loaded["checkpointId"], &loaded["newRoomId"]),
            (&"save-1".into(), &"room-001".into())
        );
        let again: Vec<Value> = moves.iter().map(|text| play(&mut record, text)).collect();
        assert_eq!(again, reports, "seed {seed}");
        repeated += reports.iter().filter(|report| !report["combatOver"].is_null()).count();
    }
    assert!(repeated > 200, "some of it was fighting: {repeated}");
}

#[test]
fn five_checkpoints_are_kept_and_names_are_used_again() {
    let mut record = start(11);
    for name in ["a", "b", "c", "d", "B", "e", "f"] {
        play(&mut record, &format!("save {name}"));
    }
    let kept: Vec<_> =
        view(&record).stats.checkpoints.iter().map(|c| format!("{} {}", c.id, c.name)).collect();
    assert_eq!(kept, ["save-3 c", "save-4 d", "save-2 B", "save-5 e", "save-6 f"]);
    let score = view(&record).score;
    play(&mut record, "load save-4");
    assert_eq!(view(&record).score, score.saturating_sub(100), "going back has its price");
    assert_eq!(view(&record).stats.checkpoints.len(), 5, "but costs no checkpoint");
    let long = format!("save {}", "x".repeat(41));
    for text in ["load a", &long, "save \u{7}"] {
        assert!(matches!(record.check(HERO, text), Err(Illegal::Rule { .. })), "{text:?}");
    }
    assert_eq!(record.check(HERO, "save"), Ok("save checkpoint".into()));
}

#[test]
fn there_is_one_seat_and_the_setup_says_who_chose_the_seed() {
    let kind = kind("dungeon").unwrap();
    assert_eq!(kind.seats, ["Adventurer"]);
    assert_eq!(start(1).check(Seat(1), "rest"), Err(Illegal::NotYourTurn));
    let seeded = Record::start(kind, r#"{"seeded":true,"later":1}"#, 1).unwrap();
    assert!(view(&seeded).seeded && !view(&start(1)).seeded);
}
