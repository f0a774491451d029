//! What can be said and what it means: exactly the legal moves are accepted, in every state.

use proptest::prelude::*;

use super::*;
use crate::dungeon::{
    tables,
    world::{Chamber, Item},
};

/// Everything that could be asked for by an id or a word, whether it makes sense here or not.
fn everything(dungeon: &Dungeon) -> Vec<String> {
    let numbers = |chamber: &Chamber| -> Vec<u16> {
        let drops = chamber.monsters.iter().filter_map(|monster| monster.drop.as_ref());
        let stock = chamber.npc.iter().flat_map(|npc| &npc.stock);
        chamber.items.iter().chain(drops).chain(stock).map(|item| item.id.0).collect()
    };
    let chambers = &dungeon.now.world.chambers;
    let mut items: Vec<u16> = chambers.iter().flat_map(numbers).collect();
    items.extend(dungeon.now.hero.bag.iter().map(|item| item.id.0));
    items.extend([1, 2, 3, 401, 999]);
    let items: Vec<String> = items.into_iter().map(|id| ItemId(id).to_string()).collect();
    let monsters = (1..=14).chain(101..=110).map(|id| MonsterId(id).to_string());
    let monsters: Vec<String> = monsters.collect();

    let mut texts: Vec<String> =
        ["defend", "flee", "rest", "save checkpoint"].map(str::to_owned).to_vec();
    texts.extend(Direction::ALL.map(|direction| format!("go {}", direction.word())));
    for id in &items {
        texts.extend(["apply", "take", "use", "equip"].map(|verb| format!("{verb} {id}")));
    }
    for id in &monsters {
        texts.extend([format!("attack {id}"), format!("cast firebolt {id}")]);
    }
    texts.extend(["mend", "ward", "reveal"].map(|spell| format!("cast {spell}")));
    let features = (1..=16).map(|id| format!("search feature-{id:03}"));
    let parts = chambers.iter().filter_map(|chamber| chamber.choice.as_ref());
    let parts: Vec<_> = parts.flat_map(|choice| choice.event.ways).map(|way| way.word).collect();
    texts.extend(features.flat_map(|feature| {
        let ways: Vec<String> = parts.iter().map(|part| format!("{feature} {part}")).collect();
        ways.into_iter().chain([feature])
    }));
    texts.extend((0..=9).map(|id| format!("load save-{id}")));
    let mut words = vec!["give", "heal", "key", "secret"];
    let choices = chambers.iter().filter_map(|chamber| chamber.choice.as_ref());
    words.extend(choices.flat_map(|choice| choice.event.ways).map(|way| way.word));
    words.sort_unstable();
    words.dedup();
    for npc in (1..=9).map(|id| format!("talk npc-{id:03}")) {
        texts.extend(words.iter().map(|deal| format!("{npc} {deal}")));
        for id in &items {
            texts.extend([format!("{npc} buy {id}"), format!("{npc} sell {id}")]);
        }
    }
    texts
}

const ODD: [&str; 17] = [
    "",
    "go",
    "go up",
    "fly",
    "take",
    "apply",
    "cast",
    "cast wish",
    "talk",
    "talk bob hi",
    "attack nobody",
    "load",
    "load x",
    "flee north",
    "equip health potion",
    "use rusty dagger",
    "search",
];

/// The move that a text means. A refusal names its reason.
fn read(dungeon: &Dungeon, text: &str) -> Option<Move> {
    match dungeon.parse(HERO, text) {
        Ok(mv) => Some(mv),
        Err(Illegal::Rule { rule, reason, .. }) => {
            assert!(rule.of::<Obstacle>().is_some(), "{text}: {rule}");
            assert!(!reason.ends_with('.') && !reason.is_empty(), "{text}: {reason}");
            None
        }
        Err(other) => panic!("{text}: {other:?}"),
    }
}

#[test]
fn exactly_the_legal_moves_are_accepted_and_a_refusal_says_why() {
    for seed in 0..60 {
        wander(seed, 45, |dungeon, _| {
            let mut legal: Vec<_> = dungeon.legal(HERO).iter().map(ToString::to_string).collect();
            let mut accepted = everything(dungeon);
            accepted.retain(|text| match read(dungeon, text) {
                Some(mv) => {
                    assert_eq!(mv.to_string(), *text, "it is canonical");
                    true
                }
                None => false,
            });
            ODD.iter().for_each(|text| drop(read(dungeon, text)));
            legal.sort();
            accepted.sort();
            accepted.dedup();
            assert_eq!(accepted, legal, "seed {seed}");
        });
    }
}

#[test]
fn names_do_as_well_as_ids() {
    let mut dungeon = themed(Theme::Crypt, 4);
    let sword = Item { id: ItemId(950), ware: &tables::IRON_SWORD, value: 20, count: 1 };
    dungeon.now.here_mut().items = vec![sword.clone()];
    assert_eq!(dungeon.parse(HERO, "take"), Ok(Move::Take(ItemId(950))));
    assert_eq!(dungeon.parse(HERO, " TAKE  Iron Sword "), Ok(Move::Take(ItemId(950))));
    dungeon.now.here_mut().items.push(Item { id: ItemId(951), ..sword });
    for text in ["take", "take iron sword"] {
        let Err(Illegal::Rule { rule, options, .. }) = dungeon.parse(HERO, text) else { panic!() };
        assert_eq!(rule.of(), Some(Obstacle::MultipleItems));
        assert_eq!(options, ["item-950", "item-951"]);
    }
}

#[test]
fn a_spell_may_be_written_in_two_words() {
    let mut dungeon = themed(Theme::Crypt, 4);
    let rat = crate::dungeon::world::Monster::new(MonsterId(901), &RAT);
    dungeon.now.here_mut().monsters = vec![rat];
    for text in ["firebolt", "Fire Bolt", "fire-bolt giant rat", "FIRE BOLT monster-901"] {
        let mv = dungeon.parse(HERO, &format!("cast {text}"));
        assert_eq!(mv, Ok(Move::Cast(Spell::Firebolt, Some(MonsterId(901)))), "{text}");
    }
    let Err(Illegal::Rule { reason, .. }) = dungeon.parse(HERO, "cast fire storm") else {
        panic!()
    };
    assert_eq!(reason, "you know no spell \"fire storm\"");
}

#[test]
fn a_full_bag_takes_riches_keys_and_what_stacks() {
    let mut dungeon = themed(Theme::Crypt, 4);
    let item = |id, ware: &'static tables::Ware| Item { id: ItemId(id), ware, value: 1, count: 1 };
    let bag = &mut dungeon.now.hero.bag;
    bag.extend((900..907).map(|id| item(id, &tables::RUSTY_DAGGER)));
    assert_eq!(bag.len(), tables::BAG);
    dungeon.now.here_mut().items = vec![
        item(950, &tables::PLATE_ARMOUR),
        item(951, &tables::HEALTH_POTION),
        item(952, &tables::JEWELED_RING),
        item(953, &tables::SMALL_KEY),
    ];
    let Err(Illegal::Rule { rule, .. }) = dungeon.parse(HERO, "take plate armor") else { panic!() };
    assert_eq!(rule.of(), Some(Obstacle::InventoryFull));
    let mut dice = Dice::new(1, 1);
    for (text, count) in
        [("take health potion", 10), ("take jeweled ring", 10), ("take small key", 10)]
    {
        assert_eq!(play(&mut dungeon, text, &mut dice)["inventoryCount"], count, "{text}");
    }
    let view = dungeon.view(Eye::Public);
    assert_eq!((view.stats.keys, view.stats.inventory[0].quantity), (vec!["Small Key"], 3));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_odd(seed in 0..50_u64, steps in 0..40_u32, text in any::<String>()) {
        let dungeon = wandered(seed, steps);
        let _ = dungeon.parse(HERO, &text);
        for (verb, name) in [("save", true), ("load", false), ("talk npc-001", false), ("cast", false),
            ("take", false), ("use", false), ("go", false), ("search", false)] {
            let read = dungeon.parse(HERO, &format!("{verb} {text}"));
            if let (true, Ok(mv)) = (name, read) {
                prop_assert_eq!(dungeon.parse(HERO, &mv.to_string()), Ok(mv));
            }
        }
    }
}
