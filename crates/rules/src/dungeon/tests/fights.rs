//! Combat, with wounds and dice set by hand.

use super::*;
use crate::dungeon::world::{Item, Monster};
use crate::dungeon::{tables, themes::SCOUT};

/// A hero in the entrance with these against him.
fn against(breeds: &[&'static tables::Breed]) -> Dungeon {
    let mut dungeon = themed(Theme::Crypt, 3);
    dungeon.now.here_mut().monsters =
        (901..).zip(breeds).map(|(id, breed)| Monster::new(MonsterId(id), breed)).collect();
    dungeon
}

fn act(dungeon: &mut Dungeon, text: &str, faces: &[u8]) -> Value {
    let mut dice = loaded(dungeon, faces);
    play(dungeon, text, &mut dice)
}

fn refused(dungeon: &Dungeon, text: &str) -> (Obstacle, Vec<String>) {
    match dungeon.parse(HERO, text) {
        Err(Illegal::Rule { rule, options, .. }) => (rule.of().expect("an obstacle"), options),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_six_doubles_after_defence_and_nothing_goes_below_nothing() {
    let mut dungeon = against(&[&SKELETON]);
    let report = act(&mut dungeon, "attack", &[6, 6]);
    assert_eq!(report["playerDamageDealt"], 2 * (3 + 6 - 2));
    assert_eq!(report["playerDamageTaken"], 2 * (3 + 6 - 2));
    assert_eq!(report["rolls"][0]["critical"], true);
    dungeon.now.hero.stone = 3;
    dungeon.now.hero.ward = 3;
    let report = act(&mut dungeon, "attack", &[1, 1]);
    assert_eq!(
        (&report["playerDamageDealt"], &report["playerDamageTaken"]),
        (&2.into(), &0.into())
    );
}

#[test]
fn to_defend_halves_each_blow_downwards_and_brings_mana() {
    let mut dungeon = against(&[&SCOUT, &KOBOLD]);
    dungeon.now.hero.mana = 5;
    let report = act(&mut dungeon, "defend", &[3, 6]);
    assert_eq!(report["rolls"][0]["damage"], (3 + 3 - 2) / 2);
    assert_eq!(report["rolls"][1]["damage"], 2 * (2 + 6 - 2) / 2);
    assert_eq!(report["playerDamageTaken"], 2 + 6);
    assert_eq!((&report["manaRestored"], dungeon.now.hero.mana), (&2.into(), 7));
    assert_eq!(report["monsterName"], "Kobold", "the weakest, for want of a target");
}

#[test]
fn the_last_target_stays_the_target_while_it_lives() {
    let mut dungeon = against(&[&SCOUT, &KOBOLD]);
    act(&mut dungeon, "attack goblin scout", &[1, 1, 1]);
    assert_eq!(dungeon.parse(HERO, "attack"), Ok(Move::Attack(MonsterId(901))));
    dungeon.now.here_mut().monsters[0].hp = 1;
    let report = act(&mut dungeon, "attack", &[2, 3]);
    assert_eq!((&report["monsterKilled"], &report["combatOver"]), (&true.into(), &false.into()));
    assert_eq!(report["rolls"].as_array().unwrap().len(), 2, "the dead do not hit back");
    assert_eq!(dungeon.parse(HERO, "attack"), Ok(Move::Attack(MonsterId(902))));
    assert_eq!(
        refused(&dungeon, "attack monster-901"),
        (Obstacle::InvalidTarget, vec!["monster-902".into()])
    );
}

#[test]
fn two_of_a_name_must_be_told_apart() {
    let dungeon = against(&[&RAT, &RAT]);
    let both = vec!["monster-901".to_owned(), "monster-902".to_owned()];
    assert_eq!(refused(&dungeon, "attack giant rat"), (Obstacle::InvalidTarget, both));
}

#[test]
fn four_is_enough_to_flee_and_wounds_stay() {
    let mut dungeon = against(&[&SCOUT]);
    let report = act(&mut dungeon, "flee", &[3, 2]);
    assert_eq!((&report["fled"], &report["playerDamageTaken"]), (&false.into(), &3.into()));
    dungeon.now.here_mut().monsters[0].hp = 9;
    let report = act(&mut dungeon, "flee", &[4]);
    assert_eq!((&report["fled"], &report["combatOver"]), (&true.into(), &true.into()));
    assert_eq!((&report["victory"], &report["playerDamageTaken"]), (&false.into(), &0.into()));
    let ways = dungeon.now.world.chambers[0].exits().count();
    assert_eq!(report["rolls"][1]["of"], ways);
    assert_eq!(report["newRoomId"], dungeon.now.here().id.to_string());
    assert_ne!(dungeon.now.at, 0);
    assert_eq!(dungeon.now.world.chambers[0].monsters[0].hp, 9);
}

#[test]
fn death_is_final_and_says_by_whom() {
    let mut dungeon = against(&[&SCOUT, &ORC]);
    dungeon.now.hero.hp = 2;
    let report = act(&mut dungeon, "attack monster-902", &[1, 5]);
    let told = ["playerHpRemaining", "combatOver", "victory", "playerDamageTaken"];
    assert_eq!(told.map(|name| report[name].to_string()), ["0", "true", "false", "6"]);
    assert_eq!(report["rolls"].as_array().unwrap().len(), 2, "the orc need not strike any more");
    let outcome = dungeon.due().outcome().cloned().unwrap();
    assert_eq!((outcome.winner(), &*outcome.text), (None, "Death: killed by a Goblin Scout"));
    assert_eq!(dungeon.view(Eye::Public).status, Status::Dead);
    for text in ["attack", "go north", "save", "nonsense", ""] {
        assert_eq!(refused(&dungeon, text), (Obstacle::PlayerDead, vec![]));
    }
    assert_eq!(dungeon.legal(HERO), []);
}

#[test]
fn the_boss_dead_is_victory_at_once() {
    let mut dungeon = against(&[&CHIEFTAIN]);
    let crown = Item { id: ItemId(299), ware: &tables::CROWN, value: 250, count: 1 };
    let boss = &mut dungeon.now.here_mut().monsters[0];
    (boss.hp, boss.drop) = (3, Some(crown));
    dungeon.now.hero.experience = 60;
    let report = act(&mut dungeon, "attack", &[6]);
    assert_eq!((&report["goldDropped"], dungeon.now.hero.gold), (&350.into(), 350));
    assert_eq!((&report["levelUp"], dungeon.now.hero.level), (&3.into(), 3));
    let outcome = dungeon.due().outcome().cloned().unwrap();
    assert_eq!(outcome.winner(), Some(HERO));
    assert!(outcome.text.starts_with("Victory, as the Victor: the Orc Chieftain is no more."));
    assert_eq!(refused(&dungeon, "rest"), (Obstacle::GameOver, vec![]));
    let view = dungeon.view(Eye::Public);
    assert_eq!((view.status, view.ending.as_deref()), (Status::Victory, Some(&*outcome.text)));
    let score = 260 + 350 + 25 + 500 + 4 * (150 - 1);
    assert_eq!(view.score, score);
    assert_eq!(
        view.chronicle.last().unwrap().text,
        "Killed the Orc Chieftain and took the Warlord's Crown."
    );
}

#[test]
fn a_level_heals_and_adds_five() {
    let mut dungeon = against(&[&SCOUT, &RAT]);
    let hero = &mut dungeon.now.hero;
    (hero.hp, hero.experience, hero.mana) = (4, 99, 0);
    dungeon.now.here_mut().monsters[0].hp = 1;
    let report = act(&mut dungeon, "attack monster-901", &[3, 1]);
    assert_eq!((&report["levelUp"], &report["playerHpRemaining"]), (&2.into(), &30.into()));
    let hero = &dungeon.now.hero;
    assert_eq!((hero.hp, hero.max_hp(), hero.max_mana(), hero.mana), (30, 30, 9, 1));
    let thresholds: Vec<_> = (1..=6).map(tables::next_level_at).collect();
    assert_eq!(thresholds, [100, 200, 350, 550, 800, 1100]);
}

#[test]
fn spells_and_draughts_do_what_they_say() {
    let mut dungeon = against(&[&ORC]);
    let report = act(&mut dungeon, "cast firebolt", &[6, 1]);
    let damage = tables::FIREBOLT + 6;
    assert_eq!((&report["playerDamageDealt"], &report["manaLeft"]), (&damage.into(), &4.into()));
    let report = act(&mut dungeon, "cast ward", &[2]);
    assert_eq!(report["spell"], "Ward");
    assert_eq!(report["playerDamageTaken"], 5 + 2 - 2 - 2, "it helps at once");
    assert_eq!(refused(&dungeon, "cast mend").0, Obstacle::InvalidAction);
    assert_eq!(refused(&dungeon, "cast wish").1, ["Firebolt", "Mend", "Ward", "Reveal"]);
    assert_eq!(refused(&dungeon, "cast reveal").0, Obstacle::InCombat);
    let draught = Item { id: ItemId(990), ware: &tables::STRENGTH_POTION, value: 30, count: 1 };
    dungeon.now.hero.bag.push(draught);
    act(&mut dungeon, "apply strength potion", &[1]);
    assert_eq!(dungeon.view(Eye::Public).stats.effects.len(), 2);
    dungeon.now.hero.hp = 25;
    for _ in 0..3 {
        let report = act(&mut dungeon, "attack", &[1, 1]);
        assert_eq!(report["playerDamageDealt"], 3 + 2 + 1 - 2);
    }
    let report = act(&mut dungeon, "attack", &[2, 1]);
    assert_eq!(report["playerDamageDealt"], 3 + 2 - 2, "after three rounds it is gone");
    assert!(dungeon.view(Eye::Public).stats.effects.is_empty());
}

#[test]
fn gear_can_be_changed_in_a_fight_for_a_round() {
    let mut dungeon = against(&[&SCOUT]);
    let sword = Item { id: ItemId(990), ware: &tables::IRON_SWORD, value: 20, count: 1 };
    dungeon.now.hero.bag.push(sword);
    assert_eq!(refused(&dungeon, "equip item-990").0, Obstacle::InCombat);
    let report = act(&mut dungeon, "apply iron sword", &[4]);
    assert_eq!(report["playerDamageTaken"], 3 + 4 - 2);
    assert_eq!(dungeon.view(Eye::Public).stats.equipped_weapon.damage, 5);
    assert_eq!(refused(&dungeon, "apply iron sword").0, Obstacle::InvalidAction);
    dungeon.now.hero.hp = 25;
    assert_eq!(
        refused(&dungeon, "apply health potion"),
        (Obstacle::InvalidAction, vec!["item-002".into()])
    );
}
