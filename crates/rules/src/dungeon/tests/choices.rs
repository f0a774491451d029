//! Every way of every choice, with both its ends where it has two: paid for, told, done once.

use std::collections::HashSet;

use super::*;
use crate::dungeon::{
    events::{Event, Gain, Need, News, Way, common},
    tables::HEALTH_POTION,
    themes::Furniture,
    words::capital,
    world::{Choice, ENTRANCE, Feature, Find, Item, Monster, Npc, Role},
};

fn all() -> impl Iterator<Item = (Theme, &'static Event)> {
    let common = common::EVENTS.iter().map(|event| (Theme::Crypt, event));
    let own = |theme: Theme| theme.lore().events.iter().map(move |event| (theme, event));
    common.chain(Theme::ALL.into_iter().flat_map(own))
}

/// A hero with the means for everything, next to the entrance, with this choice and nothing else.
fn before(theme: Theme, event: &'static Event) -> Dungeon {
    let mut dungeon = themed(theme, 5);
    let hero = &mut dungeon.now.hero;
    (hero.gold, hero.hp, hero.mana) = (100, 20, 6);
    let next = dungeon.now.here().exits().next().expect("a way on").1.to;
    dungeon.now.enter(next);
    let here = dungeon.now.here_mut();
    (here.room_type, here.npc) = (RoomType::Normal, None);
    here.choice = Some(Choice { event, taken: None });
    here.monsters.clear();
    here.features.clear();
    if event.is_thing() {
        let (id, name, finds) = (FeatureId(90), event.name(), Find::Choice);
        here.features = vec![Feature { id, name, told: "", side: "", finds }];
    } else {
        let (id, role, name) = (NpcId(9), Role::Stranger, event.name());
        here.npc = Some(Npc { id, role, name, stock: Vec::new(), done: false });
    }
    dungeon
}

fn text(event: &Event, way: usize) -> String {
    let whom = if event.is_thing() { "search feature-090" } else { "talk npc-009" };
    format!("{whom} {}", event.ways[way].word)
}

fn boss(dungeon: &mut Dungeon) -> &mut Monster {
    let mut all = dungeon.now.world.chambers.iter_mut().flat_map(|chamber| &mut chamber.monsters);
    all.find(|monster| monster.breed.boss).expect("every dungeon has one")
}

/// Takes from the hero what the choice costs.
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
    assert_eq!(message.contains("put it to use"), report["equipped"] == true, "{report}");
    let number = |name: &str| report[name].as_i64().unwrap_or(0);
    let sum = i64::from(gold) + number("goldGained") - number("goldSpent");
    assert_eq!(i64::from(dungeon.now.hero.gold), sum, "{report}");
    for gain in end.gains {
        match gain {
            Gain::Fight(_) => assert!(dungeon.now.in_combat(), "{report}"),
            Gain::Ware(ware) => {
                let got = dungeon.now.hero.bag.iter().any(|item| item.ware == *ware);
                assert!(got && message.contains(ware.name), "{report}");
            }
            Gain::News(News::Secret) => assert!(dungeon.now.world.secret.revealed),
            Gain::News(_) => assert!(report["hint"].is_string()),
            Gain::Poison => assert_eq!(dungeon.now.hero.poison, 3),
            Gain::Mark(mark) => {
                assert_eq!(dungeon.now.story.count(*mark), 1);
            }
            Gain::Weaken(hp) => {
                let boss = boss(&mut dungeon);
                assert_eq!(boss.hp, boss.max_hp - hp);
            }
            _ => {}
        }
    }
    assert!(dungeon.now.hero.hp > 0, "a choice never kills");
    let View { room, chronicle, map, .. } = dungeon.view(Eye::Public);
    let after = &room.description;
    assert!(after.contains(way.after) && !after.contains(event.told), "{after}");
    let stays = !event.is_thing() && way.stays;
    assert_eq!((room.npcs.len(), room.mood == "company"), (usize::from(stays), stays), "{after}");
    let sign = map.rooms.iter().find(|room| room.here).and_then(|room| room.sign);
    assert_eq!(sign == Some(Sign::Person), stays, "{after}");
    assert!(chronicle.iter().any(|entry| entry.text.ends_with(end.told)), "{chronicle:?}");
    for other in 0..event.ways.len() {
        assert!(dungeon.parse(HERO, &self::text(event, other)).is_err(), "it is done");
    }
    dungeon.now.enter(ENTRANCE);
    assert_eq!(dungeon.view(Eye::Public).map.text.contains("[P]"), stays, "{after}");
}

#[test]
fn a_beggar_and_a_rival_leave_and_a_gambler_stays() {
    for (person, word, stays) in
        [("Beggar", "give", false), ("Rival", "bluff", false), ("Gambler", "play", true)]
    {
        let (_, event) = all().find(|(_, event)| event.name() == person).unwrap();
        let way = event.ways.iter().find(|way| way.word == word).unwrap();
        assert_eq!(way.stays, stays, "{person}");
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
    let (theme, event) = all().find(|(_, event)| event.name() == "Gambler").unwrap();
    let dungeon = before(theme, event);
    let person = &dungeon.view(Eye::Public).people[0];
    let offers: Vec<_> =
        person.offers.iter().map(|offer| (offer.id.to_string(), offer.price)).collect();
    assert_eq!(offers, [("play".to_owned(), Some(30)), ("cheat".to_owned(), None)]);
    assert_eq!(dungeon.parse(HERO, "talk gambler PLAY").unwrap().to_string(), "talk npc-009 play");
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

/// A hero who knows where the boss key lies and has found the secret chamber.
fn knowing(theme: Theme, event: &'static Event) -> Dungeon {
    let mut dungeon = before(theme, event);
    let key_at = dungeon.now.world.key_at;
    dungeon.now.world.chambers[key_at].visits = 1;
    dungeon.now.world.reveal();
    dungeon
}

#[test]
fn nothing_is_sold_that_the_hero_knows_or_does_not_need() {
    let mut sold = 0;
    for (theme, event) in all() {
        let View { people, thing, .. } = knowing(theme, event).view(Eye::Public);
        let offers = people.iter().flat_map(|person| &person.offers);
        let offers = offers.chain(thing.iter().flat_map(|thing| &thing.offers));
        for (index, (way, offer)) in event.ways.iter().zip(offers).enumerate() {
            let stale = ["boss key", "hidden way"].iter().any(|news| offer.what.contains(news));
            assert!(!stale, "{}", offer.what);
            if way.news().is_none() {
                continue;
            }
            let named = way.what.contains("{news}");
            assert_eq!(offer.what.contains("hurt once"), named, "{}", offer.what);
            let mut dungeon = knowing(theme, event);
            let dice = &mut loaded(&mut dungeon, &[6]);
            let report = play(&mut dungeon, &text(event, index), dice);
            let boss = boss(&mut dungeon);
            assert_eq!(boss.hp, boss.max_hp - 4, "{report}");
            sold += usize::from(named);
        }
    }
    assert!(sold >= 6, "{sold} ways sell news");
    for (word, text) in [("Box", "saint"), ("Tub", "forge"), ("Clear Spout", "spouts")] {
        let (theme, event) = all().find(|(_, event)| event.told.contains(text)).unwrap();
        let mut dungeon = before(theme, event);
        dungeon.now.hero.hp = dungeon.now.hero.max_hp();
        let text = format!("search feature-090 {word}");
        let Err(Illegal::Rule { reason, .. }) = dungeon.parse(HERO, &text) else {
            panic!("{word} heals nobody")
        };
        assert!(reason.contains("not wounded"), "{reason}");
    }
}

#[test]
fn a_torn_map_is_never_worthless() {
    let mut dungeon = themed(Theme::Crypt, 5);
    for expected in ["hidden exit", "the boss key", "15 gold"] {
        let map = dungeon.now.world.new_item(&crate::dungeon::tables::TORN_MAP);
        dungeon.now.here_mut().items = vec![map];
        let told = play(&mut dungeon, "take torn map", &mut Dice::new(1, 1))["message"].to_string();
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn an_offer_is_understood_as_it_is_worded() {
    let (theme, event) = all().find(|(_, event)| event.name() == "Stone Face").unwrap();
    let dungeon = before(theme, event);
    for said in ["a river", "The River", "the answer: a river", "river."] {
        let mv = dungeon.parse(HERO, &format!("talk npc-009 {said}"));
        assert_eq!(mv.unwrap().to_string(), "talk npc-009 river", "{said}");
    }
    assert!(dungeon.parse(HERO, "talk npc-009 a lake").is_err());
}

#[test]
fn what_is_found_is_said_to_be_had() {
    let found = |dungeon: &mut Dungeon, name, side, finds| {
        dungeon.now.here_mut().features =
            vec![Feature { id: FeatureId(90), name, told: "", side, finds }];
        play(dungeon, "search feature-090", &mut Dice::new(1, 1))["message"].to_string()
    };
    for Furniture(side, name, _) in Theme::ALL.iter().flat_map(|theme| theme.lore().furniture) {
        assert!(["behind", "under", "in"].contains(side), "{name}");
        let mut dungeon = themed(Theme::Crypt, 5);
        let told = found(&mut dungeon, name, side, Find::Gold(20));
        let place = format!("{} the {} you find 20 gold.", capital(side), name.to_lowercase());
        assert!(told.contains(&place), "{told}");
        let told = found(&mut dungeon, name, side, Find::Exit);
        assert!(told.contains(" a way opens to the ") && !told.contains("In the "), "{told}");
    }
    let mut dungeon = themed(Theme::Crypt, 5);
    let mut potion = || found(&mut dungeon, "Urn", "in", Find::Ware(&HEALTH_POTION));
    assert!(potion().contains("The Health Potion is yours."));
    let dagger = dungeon.now.hero.bag[1].clone();
    let bag = &mut dungeon.now.hero.bag;
    bag.remove(0);
    bag.extend((900..908).map(|id| Item { id: ItemId(id), ..dagger.clone() }));
    let told = found(&mut dungeon, "Urn", "in", Find::Ware(&HEALTH_POTION));
    assert!(told.contains("at your feet"), "{told}");
}

#[test]
fn a_choice_where_there_is_none_is_refused() {
    let mut dungeon = themed(Theme::Crypt, 5);
    let (id, finds) = (FeatureId(90), Find::Nothing);
    dungeon.now.here_mut().features =
        vec![Feature { id, name: "Urn", told: "", side: "in", finds }];
    for (choice, is_refused) in [(None, false), (Some("Lid".to_owned()), true)] {
        let search = dungeon.find(&Wish::Search("urn".to_owned(), choice));
        assert_eq!(search.is_err(), is_refused, "{search:?}");
    }
}

#[test]
fn what_weakens_the_boss_lasts_and_does_not_raise_it() {
    let (theme, event) = all().find(|(_, event)| event.name() == "Prisoner").unwrap();
    for dead in [false, true] {
        let mut dungeon = before(theme, event);
        if dead {
            boss(&mut dungeon).hp = 0;
        }
        play(&mut dungeon, "talk npc-009 free", &mut Dice::new(1, 1));
        let boss = boss(&mut dungeon);
        if !dead {
            boss.rest();
        }
        assert_eq!(boss.hp, if dead { 0 } else { boss.max_hp - 8 });
    }
}
