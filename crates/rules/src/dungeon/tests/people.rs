//! Merchant, shrine keeper, hermit and knight; resting and using things in peace.

use super::*;
use crate::dungeon::{
    tables::{self, Lock},
    world::{Item, Role},
};

/// A hero who stands before this person, nobody else about, with some gold.
fn before(role: Role, gold: u32) -> Dungeon {
    let mut dungeon = themed(Theme::Crypt, 21);
    let here = |c: &super::super::world::Chamber| c.npc.as_ref().is_some_and(|n| n.role == role);
    let place = dungeon.now.world.chambers.iter().position(here).unwrap();
    dungeon.now.world.chambers[place].monsters.iter_mut().for_each(|monster| monster.hp = 0);
    dungeon.now.enter(place);
    dungeon.now.hero.gold = gold;
    dungeon
}

fn say(dungeon: &mut Dungeon, text: &str) -> Value {
    play(dungeon, text, &mut Dice::new(1, 1))
}

fn refused(dungeon: &Dungeon, text: &str) -> String {
    match dungeon.parse(HERO, text) {
        Err(Illegal::Rule { rule, reason, .. }) if rule.of() == Some(Obstacle::InvalidAction) => {
            reason
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn the_merchant_sells_while_stock_and_purse_last() {
    let mut dungeon = before(Role::Merchant, 125);
    for left in [85, 45, 5] {
        let report = say(&mut dungeon, "talk grave pedlar buy health potion");
        assert_eq!((&report["goldSpent"], dungeon.now.hero.gold), (&40.into(), left));
    }
    assert_eq!(dungeon.now.hero.bag[0].count, 5);
    let gone = refused(&dungeon, "talk grave pedlar buy item-301");
    assert!(gone.contains("nothing that the Grave Pedlar"), "{gone}");
    assert!(refused(&dungeon, "talk npc-001 buy mana potion").contains("costs 30 gold"));
    assert!(refused(&dungeon, "talk npc-001 sell rusty dagger").contains("you wear it"));
    let sword = Item { id: ItemId(900), ware: &tables::STEEL_SWORD, value: 50, count: 1 };
    dungeon.now.hero.bag.push(sword);
    let report = say(&mut dungeon, "talk npc-001 sell item-900");
    assert_eq!((&report["goldGained"], dungeon.now.hero.gold), (&25.into(), 30));
    assert!(dungeon.now.hero.carried(ItemId(900)).is_none());
    let person = &dungeon.view(Eye::Public).people[0];
    let mana = person.offers.iter().find(|o| o.what.starts_with("Mana")).unwrap();
    assert!(mana.available && mana.price == Some(30));
    let stone = person.offers.iter().find(|o| o.what.starts_with("Stone")).unwrap();
    assert!(!stone.available);
}

#[test]
fn the_shrine_keeper_heals_once() {
    let mut dungeon = before(Role::ShrineKeeper, 130);
    assert_eq!(refused(&dungeon, "talk candle sister heal"), "you are not wounded");
    dungeon.now.hero.hp = 3;
    let report = say(&mut dungeon, "talk Candle Sister heal");
    assert_eq!((&report["hpRestored"], &report["goldSpent"]), (&22.into(), &60.into()));
    assert_eq!((dungeon.now.hero.hp, dungeon.now.hero.gold), (25, 70));
    dungeon.now.hero.hp = 3;
    assert!(refused(&dungeon, "talk npc-002 heal").contains("no such offer"));
}

#[test]
fn the_hermit_knows_the_key_and_the_secret() {
    let mut dungeon = before(Role::Hermit, 0);
    let key_at = &dungeon.now.world.chambers[dungeon.now.world.key_at];
    let (key, name) = (key_at.id.to_string(), key_at.name);
    let report = say(&mut dungeon, "talk bone hermit key");
    assert!(report["hint"].as_str().unwrap().contains(name), "{report}");
    let map = dungeon.view(Eye::Public).map;
    assert!(map.rooms.iter().any(|room| room.room_id.to_string() == key));
    let report = say(&mut dungeon, "talk bone hermit secret");
    assert!(report["revealed"]["roomId"].is_string());
    for text in [
        "talk bone hermit key",
        "talk bone hermit secret",
        "talk bone hermit",
        "talk wounded knight give",
    ] {
        refused(&dungeon, text);
    }
    assert!(dungeon.view(Eye::Public).people[0].topics.is_empty());
}

#[test]
fn a_chamber_that_the_hermit_names_is_named_on_the_map() {
    let mut dungeon = themed(Theme::Mine, 5);
    let hermit = |c: &super::super::world::Chamber| {
        c.npc.as_ref().is_some_and(|npc| npc.role == Role::Hermit)
    };
    let place = dungeon.now.world.chambers.iter().position(hermit).unwrap();
    dungeon.now.enter(place);
    let hint = say(&mut dungeon, "talk old surveyor key")["hint"].to_string();
    let key = &dungeon.now.world.chambers[dungeon.now.world.key_at];
    assert!(hint.contains(key.name), "{hint}");
    let named = |dungeon: &Dungeon| {
        dungeon.view(Eye::Public).map.rooms.into_iter().any(|room| room.name == key.name)
    };
    assert!(named(&dungeon));
    // He does not offer what can be seen.
    let mut dungeon = themed(Theme::Mine, 5);
    let key_at = dungeon.now.world.key_at;
    dungeon.now.world.chambers[key_at].visits = 1;
    dungeon.now.enter(place);
    assert!(refused(&dungeon, "talk old surveyor key").contains("no such offer"));
}

#[test]
fn the_knight_gives_the_key_only_where_it_is_needed() {
    let mut dungeon = before(Role::Knight, 0);
    let report = say(&mut dungeon, "talk wounded knight give");
    assert_eq!(report["item"]["name"], "Spare Key");
    assert!(dungeon.now.hero.has_key(Lock::Vault));
    assert_eq!(dungeon.now.hero.bag[0].count, 1);
    refused(&dungeon, "talk wounded knight give");

    let mut dungeon = before(Role::Knight, 0);
    let key = Item { id: ItemId(900), ware: &tables::SMALL_KEY, value: 0, count: 1 };
    dungeon.now.hero.keys.push(key);
    let report = say(&mut dungeon, "talk npc-004 give");
    assert_eq!(report["item"]["name"], "Strength Potion");

    let mut dungeon = before(Role::Knight, 0);
    dungeon.now.hero.bag.remove(0);
    assert_eq!(refused(&dungeon, "talk npc-004 give"), "you have no Health Potion to give");
}

#[test]
fn nobody_talks_in_a_fight() {
    let mut dungeon = before(Role::Knight, 0);
    dungeon.now.here_mut().monsters[0].hp = 1;
    assert!(dungeon.view(Eye::Public).people.is_empty());
    let Err(Illegal::Rule { rule, .. }) = dungeon.parse(HERO, "talk npc-004 give") else {
        panic!()
    };
    assert_eq!(rule.of(), Some(Obstacle::InCombat));
}

#[test]
fn three_rests_and_no_more() {
    let mut dungeon = themed(Theme::Crypt, 2);
    assert_eq!(refused(&dungeon, "rest"), "you are not tired");
    for left in [2, 1, 0] {
        (dungeon.now.hero.hp, dungeon.now.hero.mana) = (1, 0);
        let report = say(&mut dungeon, "rest");
        assert_eq!((&report["hpRestored"], &report["restsLeft"]), (&12.into(), &left.into()));
        assert_eq!((dungeon.now.hero.hp, dungeon.now.hero.mana), (13, 8));
    }
    refused(&dungeon, "rest");
}

#[test]
fn things_are_used_and_worn_in_peace() {
    let mut dungeon = themed(Theme::Crypt, 2);
    assert_eq!(refused(&dungeon, "use health potion"), "you are not wounded: 25 of 25 HP");
    dungeon.now.hero.hp = 20;
    let report = say(&mut dungeon, "use health potion");
    assert_eq!((&report["hpRestored"], &report["quantityLeft"]), (&5.into(), &1.into()));
    let sword = Item { id: ItemId(900), ware: &tables::IRON_SWORD, value: 20, count: 1 };
    dungeon.now.here_mut().items.push(sword);
    let view = dungeon.view(Eye::Public);
    let seen = view.inspect("iron sword").unwrap();
    assert_eq!(seen.comparison.as_deref(), Some("2 better than the Rusty Dagger you wear"));
    let report = say(&mut dungeon, "take iron sword");
    assert_eq!(report["equipped"], true, "what is better is worn at once");
    let report = say(&mut dungeon, "equip rusty dagger");
    assert_eq!(report["equippedWeapon"]["damage"], 3);
    refused(&dungeon, "equip rusty dagger");
}
