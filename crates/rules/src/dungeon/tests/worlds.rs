//! Thousands of dungeons: each is as the plan says, and each can be won.

use std::collections::{HashSet, VecDeque};

use super::*;
use crate::dungeon::{
    tables::{self, Lock, What},
    world::{Chamber, ENTRANCE, Item, Place, World},
};

fn places_with(world: &World, ware: &tables::Ware) -> Vec<Place> {
    let holds = |chamber: &Chamber| chamber.items.iter().any(|item| item.ware == ware);
    (0..world.chambers.len()).filter(|&place| holds(&world.chambers[place])).collect()
}

fn depth_of(world: &World, wanted: Place) -> usize {
    let mut queue = VecDeque::from([(ENTRANCE, 0)]);
    let mut seen = HashSet::from([ENTRANCE]);
    while let Some((here, depth)) = queue.pop_front() {
        if here == wanted {
            return depth;
        }
        for (_, exit) in world.chambers[here].exits() {
            if seen.insert(exit.to) {
                queue.push_back((exit.to, depth + 1));
            }
        }
    }
    panic!("chamber {wanted} is cut off");
}

/// Chambers that can be reached with the keys that lie in chambers reached before.
pub(super) fn reachable(world: &World) -> HashSet<Place> {
    let (mut keys, mut seen): (Vec<Lock>, HashSet<Place>) = (Vec::new(), HashSet::new());
    loop {
        let before = (keys.len(), seen.len());
        let mut queue = vec![ENTRANCE];
        let mut now = HashSet::from([ENTRANCE]);
        while let Some(here) = queue.pop() {
            for (_, exit) in world.chambers[here].exits() {
                let open = exit.lock.is_none_or(|lock| keys.contains(&lock));
                if open && now.insert(exit.to) {
                    queue.push(exit.to);
                }
            }
        }
        let lying = now.iter().flat_map(|&place| &world.chambers[place].items);
        keys = lying.filter_map(key).collect();
        seen = now;
        if (keys.len(), seen.len()) == before {
            return seen;
        }
    }
}

fn key(item: &Item) -> Option<Lock> {
    if let What::Key(lock) = item.ware.what { Some(lock) } else { None }
}

#[test]
fn every_dungeon_is_as_planned() {
    for (theme, seed) in Theme::ALL.into_iter().flat_map(|it| (0..2000).map(move |seed| (it, seed)))
    {
        check_plan(theme, themed(theme, seed).now.world, &format!("{theme:?}, seed {seed}"));
    }
}

fn check_plan(theme: Theme, mut world: World, at: &str) {
    let types = |wanted| world.chambers.iter().filter(|c| c.room_type == wanted).count();
    let all = [RoomType::Normal, RoomType::Combat, RoomType::Treasure, RoomType::Boss];
    assert_eq!(all.map(types), [4, 6, 3, 1], "{at}");
    let ids: HashSet<_> = world.chambers.iter().map(|chamber| chamber.id.0).collect();
    assert_eq!((ids.len(), ids.iter().max()), (15, Some(&15)), "{at}");
    assert_eq!(world.chambers[ENTRANCE].id, RoomId(1));

    let doors: usize = world.chambers.iter().map(|chamber| chamber.exits().count()).sum();
    assert_eq!(doors, 2 * (13 + 2), "a tree and two loops, {at}");
    let boss = |c: &Chamber| c.room_type == RoomType::Boss;
    let boss = world.chambers.iter().position(boss).unwrap();
    assert!(depth_of(&world, boss) >= 5, "{at}");
    let lock_of = |place: Place| {
        let exits: Vec<_> = world.chambers[place].exits().collect();
        let [(_, exit)] = exits[..] else { panic!("{at}: {} exits", exits.len()) };
        exit.lock
    };
    assert_eq!(lock_of(boss), Some(Lock::Boss), "{at}");

    let store = places_with(&world, theme.lore().weapons[0]);
    assert!(store.iter().any(|store| depth_of(&world, *store) == 1), "{at}");
    let [vault] = places_with(&world, &tables::PLATE_ARMOUR)[..] else { panic!("{at}") };
    assert_eq!(lock_of(vault), Some(Lock::Vault), "{at}");
    assert_eq!(places_with(&world, &tables::BOSS_KEY), [world.key_at]);
    let [small] = places_with(&world, &tables::SMALL_KEY)[..] else { panic!("{at}") };
    for place in [world.key_at, small] {
        assert!(world.chambers[place].living().next().is_some(), "guarded, {at}");
    }

    let secret = world.secret;
    assert_eq!(world.chambers[secret.to].exits().count(), 0, "{at}");
    let found = reachable(&world);
    assert!(found.len() == 14 && !found.contains(&secret.to), "{at}");
    world.reveal();
    assert_eq!(reachable(&world).len(), 15, "{at}");
}

/// The next step to the nearest chamber that is new; nothing if there is none.
fn step_to_new(dungeon: &Dungeon, boss_too: bool) -> Option<String> {
    let state = &dungeon.now;
    let mut queue = VecDeque::from([(state.at, None)]);
    let mut seen = HashSet::from([state.at]);
    while let Some((here, first)) = queue.pop_front() {
        for (direction, exit) in state.world.chambers[here].exits() {
            let locked = exit.lock.is_some_and(|lock| !state.hero.has_key(lock));
            if locked || !boss_too && exit.lock == Some(Lock::Boss) || !seen.insert(exit.to) {
                continue;
            }
            let first = first.unwrap_or(direction);
            if !state.world.chambers[exit.to].visited() {
                return Some(format!("go {}", first.word()));
            }
            queue.push_back((exit.to, Some(first)));
        }
    }
    None
}

/// Explores all and takes all with a hero who cannot die, then beats the boss.
fn walk_through(seed: u64) -> Dungeon {
    let mut dungeon = begin(seed);
    let mut moves = 0;
    while let Due::One(_) = dungeon.due() {
        moves += 1;
        assert!(moves < 400, "seed {seed} goes round in circles");
        dungeon.now.hero.hp = dungeon.now.hero.max_hp().max(40);
        let lying: Vec<String> =
            dungeon.now.here().items.iter().map(|item| format!("take {}", item.id)).collect();
        let text = match lying.into_iter().find(|text| dungeon.parse(HERO, text).is_ok()) {
            _ if dungeon.now.in_combat() => "attack".to_owned(),
            Some(take) => take,
            None => step_to_new(&dungeon, false)
                .or_else(|| step_to_new(&dungeon, true))
                .unwrap_or_else(|| panic!("seed {seed}: stuck after {moves} moves")),
        };
        play(&mut dungeon, &text, &mut Dice::new(seed, moves));
    }
    dungeon
}

#[test]
fn every_dungeon_can_be_won_by_moves_alone() {
    for seed in 0..1200 {
        let dungeon = walk_through(seed);
        let outcome = dungeon.due().outcome().cloned().unwrap();
        assert_eq!(outcome.winner(), Some(HERO), "seed {seed}: {outcome}");
        let world = &dungeon.now.world;
        assert!(world.chambers.iter().all(Chamber::visited), "seed {seed}: the map shows all");
        assert!(dungeon.view(Eye::Public).chronicle.len() <= 31);
    }
}

/// Every chamber when there is most to tell of it: all monsters dead, all they had on the floor.
#[test]
fn no_chamber_is_long_to_tell() {
    let mut longest = 0;
    for seed in 0..1500 {
        let mut dungeon = begin(seed);
        for place in 0..dungeon.now.world.chambers.len() {
            let chamber = &mut dungeon.now.world.chambers[place];
            for monster in &mut chamber.monsters {
                monster.hp = 0;
                chamber.items.extend(monster.drop.take());
            }
            dungeon.now.enter(place);
            let room = serde_json::to_string(&dungeon.view(Eye::Public).room).unwrap();
            let most = 1150;
            assert!(room.len() < most, "{} bytes, seed {seed}: {room}", room.len());
            longest = longest.max(room.len());
        }
    }
    assert!(longest > 800, "the longest has {longest} bytes");
}

#[test]
fn answers_stay_short_in_every_state() {
    for seed in 0..300 {
        wander(seed, 60, |dungeon, _| {
            let view = dungeon.view(Eye::Public);
            let room = serde_json::to_string(&view.room).unwrap();
            let actions = serde_json::to_string(&view.actions).unwrap();
            // With the words of the tools around it an answer stays under 1,500.
            let most = 1150;
            assert!(room.len() < most, "{} bytes, seed {seed}: {room}", room.len());
            assert!(
                room.len() + actions.len() < most + 400,
                "{} seed {seed}: {room} {actions}",
                room.len() + actions.len()
            );
        });
    }
}

#[test]
fn different_seeds_give_different_dungeons_and_equal_seeds_equal_ones() {
    let pictures: HashSet<String> = (0..200).map(|seed| layout(&begin(seed))).collect();
    assert_eq!(pictures.len(), 200);
    assert_eq!(layout(&begin(7)), layout(&begin(7)));
}

/// Of all monsters, in numbers.
fn strengths(dungeon: &Dungeon) -> String {
    let all = dungeon.now.world.chambers.iter().flat_map(|chamber| &chamber.monsters);
    all.map(|m| format!("{} {} {} {:?};", m.max_hp, m.attack, m.defence, m.breed.manner)).collect()
}

pub(super) fn layout(dungeon: &Dungeon) -> String {
    let told = |chamber: &Chamber| {
        let exits = chamber.exits().map(|(direction, exit)| format!("{direction:?}{}", exit.to));
        let monsters = chamber.monsters.iter().map(|monster| {
            let drop = monster.drop.as_ref().map(|item| item.ware.name);
            format!("{}{}{drop:?}", monster.id, monster.breed.name)
        });
        let items =
            chamber.items.iter().map(|item| format!("{}{}{}", item.id, item.ware.name, item.value));
        let inside: String = exits.chain(monsters).chain(items).collect();
        format!("{}{:?}{}{inside}", chamber.id, chamber.at, chamber.flavour)
    };
    dungeon.now.world.chambers.iter().map(told).collect()
}

/// A number that stands for a text.
fn mixed(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// If one of these numbers changes, saved dungeons replay differently. Until a version is released,
/// write the new number here; afterwards raise VERSION and keep the old rules.
#[test]
fn a_dungeon_stays_the_same_for_ever() {
    let all: String = Theme::ALL
        .into_iter()
        .flat_map(|theme| (0..100).map(move |seed| themed(theme, seed)))
        .map(|dungeon| layout(&dungeon) + &strengths(&dungeon))
        .collect();
    assert_eq!(mixed(&all), 14058909454508382898, "of {} bytes", all.len());

    let mut played = String::new();
    let mut ways = HashSet::new();
    for seed in 0..300 {
        wander(seed, 150, |dungeon, report| {
            played.push_str(report);
            let choices = dungeon.now.world.chambers.iter().filter_map(|c| c.choice.as_ref());
            ways.extend(choices.filter_map(|c| Some((c.event.told, c.taken?))));
        });
    }
    assert_eq!(mixed(&played), 42994397631108097, "of {} bytes", played.len());
    assert!(ways.len() >= 57, "of 58 ways of choices {} are taken", ways.len());
}
