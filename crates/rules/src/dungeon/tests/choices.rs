//! Every way of every choice, with both its ends where it has two: paid for, told, done once.

use std::collections::HashSet;

use super::*;
use crate::dungeon::{
    events::{Event, Gain, Need, Way, common},
    world::{Choice, Feature, Find, Npc, Role},
};

fn all() -> impl Iterator<Item = (Theme, &'static Event)> {
    let common = common::EVENTS.iter().map(|event| (Theme::Crypt, event));
    let own = |theme: Theme| theme.lore().events.iter().map(move |event| (theme, event));
    common.chain(Theme::ALL.into_iter().flat_map(own))
}

/// A hero with the means for everything, before this choice and nothing else.
fn before(theme: Theme, event: &'static Event) -> Dungeon {
    let mut dungeon = themed(theme, 5);
    let hero = &mut dungeon.now.hero;
    (hero.gold, hero.hp, hero.mana) = (100, 20, 6);
    let here = dungeon.now.here_mut();
    here.choice = Some(Choice { event, taken: None });
    here.features.clear();
    if event.is_thing() {
        here.features = (0..event.ways.len())
            .map(|way| Feature {
                id: FeatureId(90 + way as u16),
                name: event.ways[way].word,
                told: "",
                finds: Find::Way(way),
            })
            .collect();
    } else {
        let (id, role, name) = (NpcId(9), Role::Stranger, event.person);
        here.npc = Some(Npc { id, role, name, stock: Vec::new(), done: false });
    }
    dungeon
}

fn text(event: &Event, way: usize) -> String {
    if event.is_thing() {
        format!("search feature-{:03}", 90 + way)
    } else {
        format!("talk npc-009 {}", event.ways[way].word)
    }
}

/// What the hero gives for it, taken from him beforehand.
fn impoverish(dungeon: &mut Dungeon, need: Need) {
    let hero = &mut dungeon.now.hero;
    match need {
        Need::Nothing => {}
        Need::Gold(gold) => hero.gold = gold - 1,
        Need::Blood(hp) => hero.hp = hp,
        Need::Mana(mana) => hero.mana = mana - 1,
        Need::Ware(ware) => hero.bag.retain(|item| item.ware != ware),
    }
}

fn check(theme: Theme, event: &'static Event, index: usize, way: &Way, die: u8) {
    let mut dungeon = before(theme, event);
    let text = text(event, index);
    let told = dungeon.view(Eye::Public).room.description;
    assert!(told.contains(event.told), "{told}");
    let end = if way.from == 0 || u32::from(die) >= way.from { way.good } else { way.bad };
    let mut dice = loaded(&mut dungeon, &[die]);
    let luck = dungeon.now.luck;
    let gold = dungeon.now.hero.gold;
    let report = play(&mut dungeon, &text, &mut dice);
    let message = report["message"].as_str().unwrap();
    assert!(message.starts_with(end.told), "{message}");
    assert_eq!(dungeon.now.luck - luck, u32::from(way.from > 0), "dice only where they are told");
    if way.from > 0 {
        assert_eq!(report["rolls"][0]["die"], die, "{report}");
    }
    let number = |name: &str| report[name].as_i64().unwrap_or(0);
    let sum = i64::from(gold) + number("goldGained") - number("goldSpent");
    assert_eq!(i64::from(dungeon.now.hero.gold), sum, "{report}");
    for gain in end.gains {
        match gain {
            Gain::Fight(_) => assert!(dungeon.now.in_combat(), "{report}"),
            Gain::Ware(ware) => {
                let got = dungeon.now.hero.bag.iter().any(|item| item.ware == *ware);
                assert!(got, "{report}");
            }
            Gain::Secret => assert!(dungeon.now.world.secret.revealed),
            Gain::Key => assert!(report["hint"].is_string()),
            Gain::Poison => assert_eq!(dungeon.now.hero.poison, 3),
            Gain::Mark(mark) => {
                assert_eq!(dungeon.now.story.as_ref().unwrap().count(*mark), 1);
            }
            Gain::Weaken(hp) => {
                let mut all = dungeon.now.world.chambers.iter().flat_map(|c| &c.monsters);
                let boss = all.find(|monster| monster.breed.boss).unwrap();
                assert_eq!(boss.hp, boss.max_hp - hp);
            }
            _ => {}
        }
    }
    assert!(dungeon.now.hero.hp > 0, "a choice never kills");
    let after = dungeon.view(Eye::Public).room.description;
    assert!(after.contains(way.after) && !after.contains(event.told), "{after}");
    for other in 0..event.ways.len() {
        assert!(dungeon.parse(HERO, &self::text(event, other)).is_err(), "it is done");
    }
}

#[test]
fn every_way_leads_where_it_says() {
    for (theme, event) in all() {
        for (index, way) in event.ways.iter().enumerate() {
            check(theme, event, index, way, 6);
            if way.from > 0 {
                check(theme, event, index, way, 1);
            }
            let mut poor = before(theme, event);
            impoverish(&mut poor, way.need);
            let text = text(event, index);
            let can = matches!(way.need, Need::Nothing);
            assert_eq!(poor.parse(HERO, &text).is_ok(), can, "{text}");
        }
    }
}

#[test]
fn there_are_many_and_each_can_go_two_ways() {
    let told: HashSet<&str> = all().map(|(_, event)| event.told).collect();
    assert_eq!((told.len(), all().count()), (27, 27));
    for (_, event) in all() {
        let ends: HashSet<String> =
            event.ways.iter().map(|way| format!("{:?} {:?}", way.need, way.good.gains)).collect();
        assert!(ends.len() >= 2, "{}", event.told);
        let words: HashSet<&str> = event.ways.iter().map(|way| way.word).collect();
        assert_eq!(words.len(), event.ways.len());
    }
}

#[test]
fn what_somebody_offers_is_told_with_its_price() {
    let (theme, event) = all().find(|(_, event)| event.person == "Gambler").unwrap();
    let dungeon = before(theme, event);
    let person = &dungeon.view(Eye::Public).people[0];
    let offers: Vec<_> =
        person.offers.iter().map(|offer| (offer.id.to_string(), offer.price)).collect();
    assert_eq!(offers, [("play".to_owned(), Some(30)), ("cheat".to_owned(), None)]);
    assert_eq!(dungeon.parse(HERO, "talk gambler PLAY").unwrap().to_string(), "talk npc-009 play");
}

#[test]
fn two_things_are_both_named() {
    let mut pairs = 0;
    for (theme, event) in all() {
        for (index, way) in event.ways.iter().enumerate() {
            let wares = way.good.gains.iter().filter_map(|gain| match gain {
                Gain::Ware(ware) => Some(ware.name),
                _ => None,
            });
            let wares: Vec<_> = wares.collect();
            if wares.is_empty() {
                continue;
            }
            let mut dungeon = before(theme, event);
            let mut dice = loaded(&mut dungeon, &[6]);
            let report = play(&mut dungeon, &text(event, index), &mut dice);
            let message = report["message"].as_str().unwrap();
            if wares.len() > 1 {
                pairs += 1;
                assert!(wares.iter().all(|name| message.contains(name)), "{message}");
            }
        }
    }
    assert!(pairs > 0, "some choice gives two things");
}

#[test]
fn what_is_kept_is_not_said_to_be_missing() {
    let mut dungeon = themed(Theme::Temple, 5);
    let relic = dungeon.now.world.new_item(Theme::Temple.lore().relic);
    let (id, name) = (relic.id.to_string(), relic.ware.name);
    dungeon.now.hero.keys.push(relic);
    for text in [&id, name] {
        let Err(Illegal::Rule { reason, .. }) = dungeon.parse(HERO, &format!("use {text}")) else {
            panic!("{text} can be used");
        };
        assert!(reason.contains(name) && !reason.contains("carry no"), "{reason}");
    }
}
