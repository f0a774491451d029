//! The seed's examples, field by field, with dice that fall as they did there. Prose is ours, and
//! the potion does not heal past the maximum.

use serde_json::json;

use super::*;
use crate::dungeon::{
    furnish::blank,
    tables,
    themes::SCOUT,
    world::{Chamber, Direction, Exit, Item, Monster, Secret, World},
};

fn item(id: u16, ware: &'static tables::Ware, count: u32) -> Item {
    Item { id: ItemId(id), ware, value: ware.value, count }
}

/// The hero of the examples, in the chamber of the examples.
fn example() -> Dungeon {
    let mut dungeon = themed(Theme::Crypt, 1);
    let drop = Some(item(201, &tables::RUSTY_DAGGER, 1));
    let scout = Monster { drop, ..Monster::new(MonsterId(1), &SCOUT) };
    let open = |to| Some(Exit { to, lock: None });
    let chambers = vec![
        Chamber {
            id: RoomId(1),
            room_type: RoomType::Combat,
            exits: [open(1), None, open(2), None],
            monsters: vec![scout],
            visits: 1,
            ..blank()
        },
        Chamber {
            id: RoomId(2),
            room_type: RoomType::Treasure,
            at: (0, -1),
            exits: [None, open(0), None, None],
            items: vec![item(101, &tables::GOLD_COINS, 1)],
            ..blank()
        },
        Chamber { id: RoomId(3), at: (1, 0), exits: [None, None, None, open(0)], ..blank() },
        Chamber { id: RoomId(4), at: (1, -1), ..blank() },
    ];
    let secret = Secret { from: 2, direction: Direction::North, to: 3, revealed: false };
    dungeon.now.world =
        World { chambers, secret, key_at: 2, key_told: false, next_monster: 101, next_item: 501 };
    let hero = &mut dungeon.now.hero;
    hero.bag = vec![
        item(1, &tables::HEALTH_POTION, 2),
        item(2, &tables::IRON_SWORD, 1),
        item(3, &tables::LEATHER_ARMOUR, 1),
    ];
    (hero.hp, hero.level, hero.experience, hero.gold) = (28, 2, 150, 45);
    dungeon
}

/// Every field of `expected` is there and equal; there may be more.
fn check(shown: &Value, expected: Value) {
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&shown[name], value, "{name} in {shown}");
    }
}

fn room(dungeon: &Dungeon) -> Value {
    serde_json::to_value(dungeon.view(Eye::Public).room).unwrap()
}

#[test]
fn the_room_comes_out_as_in_the_seed() {
    let room = room(&example());
    check(
        &room,
        json!({
            "roomId": "room-001", "roomType": "Combat", "visited": false,
            "monsters": [{ "id": "monster-001", "name": "Goblin Scout", "hp": 15, "maxHp": 15,
                "attack": 3, "defense": 1, "isAlive": true }],
            "items": [],
            "exits": [
                { "direction": "North", "roomId": "room-002", "isLocked": false },
                { "direction": "East", "roomId": "room-003", "isLocked": false },
            ],
        }),
    );
    assert_eq!(room.as_object().unwrap().len(), 8, "and nothing besides but a mood: {room}");
}

#[test]
fn the_stats_come_out_as_in_the_seed() {
    let stats = serde_json::to_value(example().view(Eye::Public).stats).unwrap();
    check(
        &stats,
        json!({
            "name": "Adventurer", "hp": 28, "maxHp": 30, "level": 2, "experience": 150,
            "experienceToNextLevel": 200, "gold": 45,
            "equippedWeapon": { "name": "Iron Sword", "damage": 5 },
            "equippedArmor": { "name": "Leather Armor", "defense": 2 },
        }),
    );
    check(
        &stats["inventory"][0],
        json!({ "id": "item-001", "name": "Health Potion", "type": "Potion",
            "description": "Restores 15 HP", "equipped": false, "quantity": 2 }),
    );
    check(
        &stats["inventory"][1],
        json!({ "id": "item-002", "name": "Iron Sword", "type": "Weapon", "equipped": true,
            "quantity": 1 }),
    );
}

#[test]
fn the_fight_comes_out_as_in_the_seed() {
    let mut dungeon = example();
    let mut dice = loaded(&mut dungeon, &[3, 1]);
    let attack = play(&mut dungeon, "attack monster-001", &mut dice);
    let still = json!({ "monsterKilled": false, "monsterName": "Goblin Scout", "combatOver": false,
        "victory": false, "experienceGained": 0, "goldDropped": 0, "itemsDropped": [],
        "monsterHpRemaining": 8 });
    check(&attack, still.clone());
    check(
        &attack,
        json!({ "playerDamageDealt": 7, "playerDamageTaken": 2, "playerHpRemaining": 26,
            "rolls": [
                { "by": "you", "for": "attack", "die": 3, "damage": 7 },
                { "by": "monster-001", "name": "Goblin Scout", "for": "attack", "die": 1, "damage": 2 },
            ] }),
    );

    let mut dice = loaded(&mut dungeon, &[2]);
    let potion = play(&mut dungeon, "apply item-001", &mut dice);
    check(&potion, still);
    // The seed says 38 of 30.
    check(
        &potion,
        json!({ "playerDamageDealt": 0, "playerDamageTaken": 3, "playerHpRemaining": 27,
            "hpRestored": 4 }),
    );
    dungeon.now.hero.hp = 26;

    let mut dice = loaded(&mut dungeon, &[5]);
    let kill = play(&mut dungeon, "attack monster-001", &mut dice);
    check(
        &kill,
        json!({ "playerDamageDealt": 9, "playerDamageTaken": 0, "monsterKilled": true,
            "monsterName": "Goblin Scout", "monsterHpRemaining": 0, "playerHpRemaining": 26,
            "combatOver": true, "victory": true, "experienceGained": 25, "goldDropped": 10,
            "itemsDropped": [{ "id": "item-201", "name": "Rusty Dagger", "type": "Weapon" }] }),
    );
    assert_eq!((dungeon.now.hero.gold, dungeon.now.hero.experience), (55, 175));

    let dagger = play(&mut dungeon, "take", &mut dice);
    check(&dagger, json!({ "goldGained": 0, "inventoryCount": 4 }));
    check(
        &dagger["item"],
        json!({ "id": "item-201", "name": "Rusty Dagger", "type": "Weapon", "value": 5 }),
    );
}

#[test]
fn the_move_and_the_loot_come_out_as_in_the_seed() {
    let mut dungeon = example();
    dungeon.now.world.chambers[0].monsters[0].hp = 0;
    let mut dice = Dice::new(1, 1);
    let Err(Illegal::Rule { rule, reason, .. }) = dungeon.parse(HERO, "go west") else { panic!() };
    assert_eq!(rule.of(), Some(Obstacle::NoExit));
    assert_eq!(reason, "there is no exit to the west");
    assert_eq!(
        play(&mut dungeon, "go north", &mut dice),
        json!({ "message": "You move north into a new chamber.",
            "previousRoomId": "room-001", "newRoomId": "room-002" })
    );
    check(
        &room(&dungeon),
        json!({ "roomId": "room-002", "roomType": "Treasure", "visited": false, "monsters": [],
            "exits": [{ "direction": "South", "roomId": "room-001", "isLocked": false }] }),
    );
    let coins = json!({ "id": "item-101", "name": "Gold Coins", "type": "Treasure", "value": 50 });
    check(&room(&dungeon)["items"][0], coins.clone());
    let loot = play(&mut dungeon, "take item-101", &mut dice);
    check(&loot, json!({ "goldGained": 50, "inventoryCount": 3 }));
    check(&loot["item"], coins);
    play(&mut dungeon, "go s", &mut dice);
    play(&mut dungeon, "go N", &mut dice);
    check(&room(&dungeon), json!({ "visited": true, "items": [] }));
}

#[test]
fn the_map_is_drawn_as_far_as_it_is_known() {
    let mut dungeon = example();
    let drawn = |dungeon: &Dungeon| dungeon.view(Eye::Public).map.text;
    assert_eq!(drawn(&dungeon), "[?]\n |\n[@]-[?]\n[@] you, [?] not entered yet");
    dungeon.now.world.chambers[0].monsters[0].hp = 0;
    dungeon.now.world.chambers[0].exits[0].as_mut().unwrap().lock = Some(tables::Lock::Vault);
    play(&mut dungeon, "go east", &mut Dice::new(1, 1));
    let expected = "[?]\n #\n[<]-[@]\n\
        [@] you, [<] stairs, [?] not entered yet, = or # locked";
    assert_eq!(drawn(&dungeon), expected);
    let map = serde_json::to_value(dungeon.view(Eye::Public).map).unwrap();
    assert_eq!(map["hidden"], 0, "the secret chamber does not count");
    assert_eq!(
        map["rooms"][1],
        json!({ "roomId": "room-002", "state": "discovered", "x": 0, "y": -1 })
    );
    check(&map["rooms"][2], json!({ "state": "visited", "roomType": "Normal", "here": true }));
}

#[test]
fn the_start_kit_is_three_places_of_the_bag() {
    let dungeon = themed(Theme::Crypt, 5);
    let view = dungeon.view(Eye::Public);
    let kit: Vec<_> =
        view.stats.inventory.iter().map(|i| (i.id.0, i.name, i.quantity, i.equipped)).collect();
    let expected = [
        (1, "Health Potion", 2, false),
        (2, "Rusty Dagger", 1, true),
        (3, "Leather Armor", 1, true),
    ];
    assert_eq!(kit, expected);
    assert_eq!((view.stats.hp, view.stats.max_hp, view.stats.level), (25, 25, 1));
}
