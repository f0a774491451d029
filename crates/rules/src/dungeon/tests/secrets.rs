//! Nothing is shown before it is found, and nothing is learned by asking.

use super::*;
use crate::dungeon::world::{Chamber, Place, World};

/// Ids of everything that the hero cannot know yet.
fn unknown(dungeon: &Dungeon) -> Vec<String> {
    let world = &dungeon.now.world;
    let mut ids = Vec::new();
    for (place, chamber) in world.chambers.iter().enumerate() {
        if !may_be_known(world, place) {
            ids.push(chamber.id.to_string());
        }
        if !chamber.visited() {
            ids.extend(contents(chamber));
        }
        let held = chamber.monsters.iter().filter_map(|monster| monster.drop.as_ref());
        ids.extend(held.map(|item| item.id.to_string()));
    }
    ids
}

/// Seen, next door to something seen, or told of by the hermit or a map.
fn may_be_known(world: &World, place: Place) -> bool {
    let chamber = &world.chambers[place];
    chamber.visited()
        || chamber.exits().any(|(_, exit)| world.chambers[exit.to].visited())
        || world.key_told && place == world.key_at
        || world.secret.revealed && [world.secret.from, world.secret.to].contains(&place)
}

fn contents(chamber: &Chamber) -> Vec<String> {
    // Whoever has been met may have run to where the hero has not been.
    let unmet = chamber.monsters.iter().filter(|monster| monster.rounds == 0);
    let monsters = unmet.map(|monster| monster.id.to_string());
    let items = chamber.items.iter().map(|item| item.id.to_string());
    let npc = chamber.npc.iter().map(|npc| npc.id.to_string());
    let feature = chamber.features.iter().map(|feature| feature.id.to_string());
    monsters.chain(items).chain(npc).chain(feature).collect()
}

#[test]
fn nothing_unknown_is_in_a_view_or_a_report() {
    for seed in 0..300 {
        let mut secret_seen = false;
        wander(seed, 50, |dungeon, report| {
            let view = dungeon.view(Eye::Public);
            let drawing = view.map.text.lines().rev().skip(1).collect::<String>();
            assert_eq!(drawing.matches('[').count(), view.map.rooms.len(), "{}", view.map.text);
            let view = serde_json::to_string(&view).unwrap();
            for id in unknown(dungeon) {
                assert!(!view.contains(&id), "seed {seed}: {id} in {view}");
                assert!(!report.contains(&id), "seed {seed}: {id} in {report}");
            }
            let secret = dungeon.now.world.secret;
            secret_seen |= secret.revealed;
            let hidden = dungeon.now.world.chambers[secret.to].id.to_string();
            assert!(secret_seen || !view.contains(&hidden), "seed {seed}");
        });
    }
}

#[test]
fn a_hidden_exit_is_no_exit_until_it_is_revealed() {
    for seed in 0..200 {
        let mut dungeon = begin(seed);
        let secret = dungeon.now.world.secret;
        dungeon.now.world.chambers[secret.from].monsters.clear();
        dungeon.now.enter(secret.from);
        let go = format!("go {}", secret.direction.word());
        let Err(Illegal::Rule { rule, options, .. }) = dungeon.parse(HERO, &go) else {
            panic!("seed {seed}: {go} is possible");
        };
        assert_eq!(rule.of(), Some(Obstacle::NoExit));
        assert!(!options.contains(&secret.direction.name().to_owned()));
        let hidden = dungeon.view(Eye::Public).map.hidden;

        let way = ["search feature-001", "cast reveal"][(seed % 2) as usize];
        let report = play(&mut dungeon, way, &mut Dice::new(seed, 1));
        let found = match &report["revealed"] {
            Value::Array(list) => list[0].clone(),
            one => one.clone(),
        };
        let id = dungeon.now.world.chambers[secret.to].id.to_string();
        assert_eq!(found["roomId"], id, "seed {seed}: {report}");
        assert_eq!(dungeon.view(Eye::Public).map.hidden, hidden, "it was never counted");
        let report = play(&mut dungeon, &go, &mut Dice::new(seed, 2));
        assert_eq!(report["newRoomId"], id);
        assert_eq!(dungeon.view(Eye::Public).room.room_type, RoomType::Secret);
    }
}

#[test]
fn reveal_can_be_cast_everywhere_and_so_tells_nothing_beforehand() {
    for seed in 0..100 {
        wander(seed, 40, |dungeon, _| {
            let state = &dungeon.now;
            let can = state.ending.is_none() && !state.in_combat() && state.hero.mana >= 2;
            assert_eq!(dungeon.parse(HERO, "cast reveal").is_ok(), can, "seed {seed}");
        });
    }
}

#[test]
fn what_is_described_is_there() {
    for seed in 0..300 {
        wander(seed, 50, |dungeon, _| {
            let room = dungeon.view(Eye::Public).room;
            let told = &room.description;
            for item in &room.items {
                assert!(told.contains(item.name), "{told} does not tell of {}", item.name);
            }
            assert_eq!(told.contains("You see"), !room.items.is_empty(), "{told}");
            let alive = room.monsters.iter().any(|monster| monster.is_alive);
            assert_eq!(told.contains("your way"), alive, "{told}");
            let dead = room.monsters.iter().any(|monster| !monster.is_alive);
            let still = if dungeon.now.wakes_again() { "beaten." } else { "dead." };
            assert_eq!(told.contains(still), dead, "{told}");
            for feature in &room.features {
                let name = feature.name.to_lowercase();
                assert!(told.to_lowercase().contains(&name), "{told} does not tell of {name}");
            }
            let locked = room.exits.iter().filter(|exit| exit.is_locked).count();
            assert_eq!(told.matches("door needs").count(), locked, "{told}");
        });
    }
}
