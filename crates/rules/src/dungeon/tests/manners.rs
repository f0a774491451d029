//! What each manner does, with dice that fall as they should: once each, and what helps against it.

use super::*;
use crate::dungeon::{
    manners::Manner,
    tables::{Breed, MAIL_SHIRT, breed},
    world::{ItemId, Monster},
};

static RAT: Breed = breed("Rat", [6, 0, 0], [10, 1], &[]);

/// A hero with twice the health and a mail shirt against these; nobody else has a manner.
fn against(breeds: &[&'static Breed]) -> Dungeon {
    let mut dungeon = themed(Theme::Crypt, 3);
    let hero = &mut dungeon.now.hero;
    (hero.base_hp, hero.hp, hero.gold) = (50, 50, 20);
    hero.bag[2].ware = &MAIL_SHIRT;
    dungeon.now.here_mut().monsters =
        (901..).zip(breeds).map(|(id, breed)| Monster::new(MonsterId(id), breed)).collect();
    dungeon
}

fn act(dungeon: &mut Dungeon, text: &str, faces: &[u8]) -> Value {
    let mut dice = loaded(dungeon, faces);
    play(dungeon, text, &mut dice)
}

/// The same as `breed`, with a manner; leaked, since breeds live for ever.
fn with(manner: Manner, numbers: [i32; 3]) -> &'static Breed {
    Box::leak(Box::new(breed("Beast", numbers, [40, 8], &[]).with(manner)))
}

fn says(report: &Value, words: &str) {
    let message = report["message"].as_str().unwrap();
    assert!(message.contains(words), "{message} does not say {words}");
}

fn foe(dungeon: &Dungeon) -> MonsterShown {
    dungeon.view(Eye::Public).room.monsters.into_iter().next().expect("somebody is here")
}

fn effects(dungeon: &Dungeon) -> Vec<(&'static str, u32)> {
    let effects = dungeon.view(Eye::Public).stats.effects;
    effects.iter().map(|effect| (effect.name, effect.rounds_left)).collect()
}

#[test]
fn poison_lasts_three_rounds_and_is_cured() {
    let mut dungeon = against(&[with(Manner::Poisons, [40, 4, 0])]);
    let report = act(&mut dungeon, "attack", &[1, 2, 5]);
    says(&report, "You are poisoned.");
    // 4 + 2 - 3 from the beast, and half of the last die, rounded up.
    assert_eq!(
        (&report["playerDamageTaken"], &report["playerHpRemaining"]),
        (&6.into(), &44.into())
    );
    assert_eq!(report["rolls"][2]["by"], "poison");
    assert_eq!(effects(&dungeon), [("Poison", 2)]);
    let report = act(&mut dungeon, "apply health potion", &[1]);
    says(&report, "and the poison is gone");
    let mut dungeon = against(&[with(Manner::Poisons, [40, 4, 0])]);
    act(&mut dungeon, "attack", &[1, 2, 5]);
    let report = act(&mut dungeon, "cast mend", &[1]);
    says(&report, "and the poison is gone");
}

#[test]
fn fire_is_put_out_by_defending_and_by_the_end_of_the_fight() {
    let mut dungeon = against(&[with(Manner::Burns, [40, 4, 0])]);
    says(&act(&mut dungeon, "attack", &[1, 2, 5]), "You are on fire.");
    assert_eq!(effects(&dungeon), [("Fire", 2)]);
    // It burns again at once unless the blow is caught too.
    says(&act(&mut dungeon, "defend", &[1]), "You beat the fire out");
    dungeon.now.hero.burn = 3;
    dungeon.now.here_mut().monsters[0].hp = 1;
    act(&mut dungeon, "attack", &[3]);
    assert_eq!(effects(&dungeon), []);
}

#[test]
fn withering_halves_healing() {
    let mut dungeon = against(&[with(Manner::Withers, [40, 4, 0])]);
    dungeon.now.hero.hp = 30;
    act(&mut dungeon, "attack", &[1, 2]);
    assert_eq!(effects(&dungeon), [("Withering", 2)]);
    let report = act(&mut dungeon, "apply health potion", &[1]);
    assert_eq!(report["hpRestored"], 7);
}

#[test]
fn rust_takes_armour_until_the_fight_is_over() {
    let mut dungeon = against(&[with(Manner::Rusts, [40, 4, 0])]);
    act(&mut dungeon, "attack", &[1, 2]);
    assert_eq!(dungeon.view(Eye::Public).stats.equipped_armour.defence, 2);
    let report = act(&mut dungeon, "attack", &[1, 2]);
    assert_eq!(report["playerDamageTaken"], 4 + 2 - 2);
    dungeon.now.here_mut().monsters[0].hp = 1;
    act(&mut dungeon, "attack", &[3]);
    assert_eq!(dungeon.view(Eye::Public).stats.equipped_armour.defence, 3);
}

#[test]
fn some_drink_mana_and_some_blood() {
    let mut dungeon = against(&[with(Manner::DrainsMana, [40, 4, 0])]);
    let report = act(&mut dungeon, "attack", &[1, 2]);
    assert_eq!((&report["manaLeft"], dungeon.now.hero.mana), (&6.into(), 6));
    let mut dungeon = against(&[with(Manner::Drinks, [40, 4, 0])]);
    act(&mut dungeon, "attack", &[2, 4]);
    assert_eq!(foe(&dungeon).hp, 40 - 5 + 5, "as much as it hurts");
    act(&mut dungeon, "defend", &[2]);
    assert_eq!(foe(&dungeon).hp, 40, "and never more than it had");
}

#[test]
fn wounds_close_after_the_round() {
    let mut dungeon = against(&[with(Manner::Regenerates(3), [40, 0, 0])]);
    let report = act(&mut dungeon, "attack", &[2, 1]);
    assert_eq!(foe(&dungeon).hp, 40 - 5 + 3);
    says(&report, "heals 3 HP");
}

#[test]
fn a_thief_runs_with_the_purse_and_brings_it_back_dead() {
    let mut dungeon = against(&[with(Manner::Steals(15), [20, 4, 0])]);
    let report = act(&mut dungeon, "attack", &[1, 2]);
    assert_eq!((&report["goldLost"], dungeon.now.hero.gold), (&15.into(), 5));
    assert_eq!((&report["combatOver"], dungeon.now.in_combat()), (&true.into(), false));
    let there = |c: &&crate::dungeon::world::Chamber| c.monsters.iter().any(|m| m.id.0 == 901);
    let place = dungeon.now.world.chambers.iter().find(there).unwrap();
    let (id, thief) = (place.id, place.monsters.iter().find(|m| m.id.0 == 901).unwrap());
    assert_eq!((thief.hp, thief.gold), (16, 23));
    let next_door = dungeon.now.here().exits().map(|(_, exit)| exit.to).collect::<Vec<_>>();
    assert!(next_door.iter().any(|to| dungeon.now.world.chambers[*to].id == id));
}

#[test]
fn a_coward_runs_at_half_and_only_once() {
    let mut dungeon = against(&[with(Manner::FleesAtHalf, [10, 4, 0])]);
    let report = act(&mut dungeon, "attack", &[2]);
    says(&report, "turns tail and runs");
    assert_eq!((&report["combatOver"], &report["experienceGained"]), (&true.into(), &0.into()));
    let there = dungeon.now.world.monster(MonsterId(901));
    assert!(there.alive() && there.spent);
}

#[test]
fn what_splits_shares_its_health_and_its_worth() {
    let mut dungeon = against(&[with(Manner::Splits, [20, 0, 0])]);
    act(&mut dungeon, "attack", &[6, 1, 1]);
    let room = dungeon.view(Eye::Public).room;
    let hp: Vec<i32> = room.monsters.iter().map(|monster| monster.hp).collect();
    assert_eq!(hp, [1, 1], "20 - 18");
    let first = act(&mut dungeon, "attack", &[3, 1]);
    let second = act(&mut dungeon, "attack", &[3]);
    assert_eq!((&first["experienceGained"], &second["experienceGained"]), (&20.into(), &20.into()));
}

#[test]
fn who_calls_is_heard_in_the_second_round() {
    let mut dungeon = against(&[with(Manner::Calls(&RAT), [40, 0, 0])]);
    act(&mut dungeon, "attack", &[1, 1]);
    assert_eq!(dungeon.now.here().living().count(), 1);
    let report = act(&mut dungeon, "attack", &[1, 1]);
    says(&report, "calls, and a Rat comes");
    assert_eq!(dungeon.now.here().living().count(), 2);
    act(&mut dungeon, "defend", &[1, 1]);
    assert_eq!(dungeon.now.here().living().count(), 2, "once");
}

#[test]
fn a_guard_stands_before_the_others() {
    let mut dungeon = against(&[&RAT, with(Manner::Guards, [10, 0, 1])]);
    let shown = dungeon.view(Eye::Public).room.monsters;
    assert_eq!((shown[0].defence, shown[1].defence), (2, 1));
    let report = act(&mut dungeon, "attack monster-901", &[3, 1, 1]);
    assert_eq!(report["playerDamageDealt"], 3 + 3 - 2);
    dungeon.now.here_mut().monsters[1].hp = 0;
    assert_eq!(foe(&dungeon).defence, 0);
}

#[test]
fn a_shell_breaks_by_fire_or_a_hard_blow() {
    for (text, faces, breaks) in [
        ("attack", &[1, 1][..], false),
        ("attack", &[6, 1], true),
        ("cast firebolt", &[1, 1], true),
    ] {
        let mut dungeon = against(&[with(Manner::Shell(3), [40, 0, 0])]);
        assert_eq!(foe(&dungeon).defence, 3);
        act(&mut dungeon, text, faces);
        assert_eq!(foe(&dungeon).defence, if breaks { 0 } else { 3 }, "{text} {faces:?}");
    }
}

#[test]
fn some_strike_at_who_leaves() {
    let mut dungeon = against(&[with(Manner::StrikesLeavers, [40, 4, 0])]);
    let report = act(&mut dungeon, "flee", &[5]);
    assert_eq!(report["fled"], true);
    let blow = report["rolls"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(blow["for"], "parting blow");
    assert_eq!(report["playerDamageTaken"], blow["damage"]);
    let mut dungeon = against(&[with(Manner::StrikesLeavers, [40, 90, 0])]);
    let report = act(&mut dungeon, "flee", &[5]);
    assert_eq!((&report["playerHpRemaining"], &report["newRoomId"]), (&0.into(), &Value::Null));
    assert_eq!(dungeon.view(Eye::Public).status, Status::Dead);
}

#[test]
fn what_bursts_strikes_once_more() {
    let mut dungeon = against(&[with(Manner::Bursts, [4, 5, 0])]);
    let report = act(&mut dungeon, "attack", &[3, 6]);
    assert_eq!((&report["monsterKilled"], &report["combatOver"]), (&true.into(), &true.into()));
    assert_eq!(report["playerDamageTaken"], 2 * (5 + 6 - 3));
    assert_eq!(report["rolls"][1]["for"], "burst");
}

#[test]
fn rage_comes_at_half() {
    let mut dungeon = against(&[with(Manner::Enrages(2), [12, 4, 0])]);
    act(&mut dungeon, "attack", &[1, 1]);
    assert_eq!(foe(&dungeon).attack, 4);
    let report = act(&mut dungeon, "attack", &[2, 1]);
    assert_eq!((foe(&dungeon).attack, &report["playerDamageTaken"]), (6, &4.into()));
}

#[test]
fn a_heavy_blow_is_seen_coming_and_can_be_halved() {
    let mut dungeon = against(&[with(Manner::WindsUp(5), [40, 4, 0])]);
    let report = act(&mut dungeon, "attack", &[1]);
    says(&report, "winds up");
    assert_eq!((foe(&dungeon).attack, &report["playerDamageTaken"]), (9, &0.into()));
    let report = act(&mut dungeon, "defend", &[4]);
    assert_eq!((foe(&dungeon).attack, &report["playerDamageTaken"]), (4, &5.into()));
    says(&act(&mut dungeon, "attack", &[1]), "winds up");
}

#[test]
fn what_was_begun_in_a_fight_ends_with_it() {
    let mut dungeon = against(&[with(Manner::WindsUp(5), [40, 4, 0])]);
    act(&mut dungeon, "attack", &[1]);
    assert_eq!(foe(&dungeon).attack, 9);
    let place = dungeon.now.at;
    act(&mut dungeon, "flee", &[6, 1]);
    assert_ne!(dungeon.now.at, place);
    let beast = dungeon.now.world.monster(MonsterId(901));
    assert_eq!((beast.attack, beast.spent), (4, false), "it strikes nobody unannounced");
    // Whoever has felled the hero is as it was.
    let mut beast = Monster::new(MonsterId(902), with(Manner::Enrages(3), [40, 4, 0]));
    (beast.hp, beast.attack, beast.spent) = (9, 7, true);
    beast.rest();
    assert_eq!((beast.hp, beast.attack, beast.spent), (40, 4, false));
}

#[test]
fn two_of_a_name_are_told_apart() {
    let mut dungeon = against(&[&RAT, &RAT]);
    let report = act(&mut dungeon, "attack", &[6, 4]);
    assert_eq!(report["monsterKilled"], true);
    says(&report, "The second Rat hits you for 1.");
    let coward = with(Manner::FleesAtHalf, [10, 4, 0]);
    let mut dungeon = against(&[coward, coward]);
    dungeon.now.here_mut().monsters[0].hp = 5;
    let report = act(&mut dungeon, "defend", &[1]);
    says(&report, "The first Beast turns tail");
    says(&report, "; the second Beast hits you");
    let leech = with(Manner::Drinks, [10, 4, 0]);
    let mut dungeon = against(&[leech, leech]);
    dungeon.now.here_mut().monsters[1].hp = 5;
    says(&act(&mut dungeon, "defend", &[1, 4]), "The second Beast drinks 2 HP of it.");
    for (manner, text, faces, words) in [
        (Manner::Poisons, "attack monster-902", &[1][..], "hits the second Beast for 4."),
        (Manner::Poisons, "cast firebolt monster-902", &[1], "burns the second Beast for 7."),
        (Manner::Shell(3), "cast firebolt monster-902", &[1], "The second Beast's shell breaks."),
        (Manner::Rises, "attack monster-902", &[6], "The second Beast falls, and gets up"),
        (Manner::Bursts, "attack monster-902", &[6, 1], "The second Beast bursts"),
        (Manner::Splits, "attack monster-902", &[3], "hits the second Beast for 6."),
        (Manner::Splits, "attack monster-902", &[3], "The second Beast splits in two."),
        (Manner::Regenerates(3), "attack monster-902", &[1], "The second Beast heals 3 HP."),
        (Manner::StrikesLeavers, "flee", &[5], "The second Beast strikes after you"),
    ] {
        let beast = with(manner, [10, 0, 0]);
        says(&act(&mut against(&[beast, beast]), text, faces), words);
    }
}

#[test]
fn whoever_comes_later_is_as_hard_as_the_rest() {
    for (difficulty, numbers) in
        [(Difficulty::Gentle, (5, -1)), (Difficulty::Standard, (6, 0)), (Difficulty::Grim, (6, 1))]
    {
        let setup = Setup { difficulty: Some(difficulty), ..Setup::default() };
        let mut dungeon = start(&setup, 4);
        let rat = dungeon.now.newcomer(&RAT);
        assert_eq!((rat.max_hp, rat.attack), numbers, "{difficulty:?}");
    }
}

#[test]
fn mist_is_nothing_to_a_blade_and_something_to_fire() {
    let mut dungeon = against(&[with(Manner::Fades, [40, 4, 1])]);
    let report = act(&mut dungeon, "attack", &[3, 1]);
    assert_eq!((&report["playerDamageDealt"], foe(&dungeon).defence), (&5.into(), 21));
    let mut other = dungeon.clone();
    assert_eq!(act(&mut other, "attack", &[5, 1])["playerDamageDealt"], 0);
    assert_eq!(foe(&other).defence, 1);
    assert_eq!(act(&mut dungeon, "cast firebolt", &[5, 1])["playerDamageDealt"], 11);
}

#[test]
fn the_dead_get_up_once_unless_they_burn() {
    let mut dungeon = against(&[with(Manner::Rises, [9, 0, 0])]);
    let report = act(&mut dungeon, "attack", &[6, 1]);
    assert_eq!(
        (&report["monsterKilled"], &report["monsterHpRemaining"]),
        (&false.into(), &3.into())
    );
    let report = act(&mut dungeon, "attack", &[3]);
    assert_eq!((&report["monsterKilled"], &report["experienceGained"]), (&true.into(), &40.into()));
    let mut dungeon = against(&[with(Manner::Rises, [9, 0, 0])]);
    assert_eq!(act(&mut dungeon, "cast firebolt", &[4])["monsterKilled"], true);
    // A wound by fire is not enough: a weapon fells it, and it gets up.
    let mut dungeon = against(&[with(Manner::Rises, [9, 0, 0])]);
    act(&mut dungeon, "cast firebolt", &[1]);
    let report = act(&mut dungeon, "attack", &[3]);
    assert_eq!(
        (&report["monsterKilled"], &report["monsterHpRemaining"]),
        (&false.into(), &3.into())
    );
    assert_eq!(Manner::Rises.words(), "gets up once after it falls, unless fire fells it");
}

#[test]
fn thorns_prick_who_wounds_by_hand() {
    let mut dungeon = against(&[with(Manner::Thorns, [40, 0, 0])]);
    let report = act(&mut dungeon, "attack", &[3, 4, 1]);
    assert_eq!(
        (&report["rolls"][1]["for"], &report["playerDamageTaken"]),
        (&"thorns".into(), &2.into())
    );
    let report = act(&mut dungeon, "cast firebolt", &[3, 1]);
    assert_eq!(report["playerDamageTaken"], 0);
}

#[test]
fn poison_can_be_the_end() {
    let mut dungeon = against(&[with(Manner::Poisons, [40, 0, 0])]);
    (dungeon.now.hero.hp, dungeon.now.hero.poison) = (2, 3);
    let report = act(&mut dungeon, "attack", &[1, 1, 4]);
    assert_eq!((&report["playerHpRemaining"], &report["combatOver"]), (&0.into(), &true.into()));
    says(&report, "You fall, and the game is over.");
    assert_eq!(dungeon.view(Eye::Public).ending.as_deref(), Some("Death: killed by poison"));
}

#[test]
fn a_gentle_fall_costs_gold_and_leads_to_the_stairs() {
    let setup = Setup { difficulty: Some(Difficulty::Gentle), ..Setup::default() };
    let mut dungeon = start(&setup, 4);
    let there = dungeon.now.here().exits().next().unwrap().1.to;
    dungeon.now.enter(there);
    dungeon.now.here_mut().monsters = vec![Monster::new(MonsterId(901), &RAT)];
    dungeon.now.here_mut().monsters[0].attack = 90;
    dungeon.now.hero.gold = 31;
    let report = act(&mut dungeon, "attack", &[1, 1]);
    assert_eq!((&report["goldLost"], dungeon.now.hero.gold), (&15.into(), 16));
    assert_eq!((&report["newRoomId"], &report["victory"]), (&"room-001".into(), &false.into()));
    assert_eq!((&report["playerHpRemaining"], dungeon.now.hero.hp), (&15.into(), 15));
    says(&report, "You wake where you came in, sore and 15 gold poorer.");
    assert!(dungeon.due().outcome().is_none());
    assert_eq!(dungeon.now.world.monster(MonsterId(901)).hp, 6, "it is well again");
    let part = ScorePart { reason: "falls, 50 each", points: -50 };
    assert!(dungeon.view(Eye::Public).score_parts.contains(&part));
    assert!(dungeon.now.hero.carried(ItemId(1)).is_some());
}
