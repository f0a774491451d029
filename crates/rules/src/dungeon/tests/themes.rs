//! What the themes hold: enough of everything, nothing twice, nothing too hard at the start.

use std::collections::{HashMap, HashSet};

use super::*;
use crate::dungeon::{
    manners::Manner,
    tables::{Breed, Lock, Ware},
    themes::Spot,
    world::{Chamber, ENTRANCE, Find, Place},
};

fn breeds(theme: Theme) -> Vec<&'static Breed> {
    let lore = theme.lore();
    let companies = lore.companies.iter().flat_map(|tier| tier.iter()).flat_map(|c| c.iter());
    let mut all: Vec<&'static Breed> = companies.copied().collect();
    all.extend(lore.bosses.iter().map(|boss| boss.breed));
    all.sort_by_key(|breed| breed.name);
    all.dedup_by_key(|breed| breed.name);
    all
}

#[test]
fn more_than_twenty_monsters_have_a_manner_and_all_manners_occur() {
    let mut names = HashSet::new();
    let mut manners = HashSet::new();
    for breed in Theme::ALL.into_iter().flat_map(breeds) {
        let Some(manner) = breed.manner else {
            assert_eq!(breed.name, "Goblin Scout", "the seed's own is as the seed has it");
            continue;
        };
        assert!(manner.words().len() <= 76, "{}", manner.words());
        names.insert(breed.name);
        manners.insert(std::mem::discriminant(&manner));
    }
    assert_eq!((names.len(), manners.len()), (57, 20));
    assert!(Theme::ALL.iter().all(|theme| theme.lore().bosses.len() == 2));
}

#[test]
fn near_the_entrance_no_blow_takes_more_than_three_fifths() {
    let (hp, armour) = (25, 2);
    for theme in Theme::ALL {
        for breed in theme.lore().companies[0].iter().flat_map(|company| company.iter()) {
            let most = match breed.manner {
                Some(Manner::WindsUp(more) | Manner::Enrages(more)) => breed.attack + more,
                _ => breed.attack,
            };
            assert!(2 * (most + 6 - armour) <= 3 * hp / 5, "{}", breed.name);
        }
    }
    let stats = themed(Theme::Mine, 1).view(Eye::Public).stats;
    assert_eq!((stats.max_hp, stats.equipped_armour.defence), (hp, armour));
}

/// The sentences of a description that somebody wrote.
fn written(chamber: &Chamber) -> Vec<&'static str> {
    let mut all = vec![chamber.flavour, chamber.sense, chamber.name];
    all.extend(chamber.features.iter().map(|feature| feature.told).filter(|told| !told.is_empty()));
    all.extend(chamber.choice.iter().map(|choice| choice.event.told));
    all
}

#[test]
fn no_sentence_stands_twice_in_a_dungeon() {
    for seed in 0..600 {
        let world = themed(Theme::ALL[(seed % 3) as usize], seed).now.world;
        let mut seen = HashSet::new();
        for sentence in world.chambers.iter().flat_map(written) {
            assert!(!sentence.is_empty() && seen.insert(sentence), "seed {seed}: {sentence}");
        }
        let facts: Vec<_> =
            world.chambers.iter().map(|c| &c.fact).filter(|f| !f.is_empty()).collect();
        assert!(!facts.is_empty(), "seed {seed}");
        assert_eq!(facts.iter().collect::<HashSet<_>>().len(), facts.len(), "{facts:?}");
    }
}

#[test]
fn what_is_written_reads_as_a_sentence() {
    for theme in Theme::ALL {
        let lore = theme.lore();
        let spots = [lore.entrances, lore.rooms, lore.vaults, lore.secrets].concat_spots();
        for (name, flavour) in spots {
            assert!(name.starts_with("the ") && name.len() < 28, "{name}");
            assert!(flavour.ends_with('.') && flavour.len() < 90, "{flavour}");
            assert!(!flavour.contains("passages meet"), "not every room has so many: {flavour}");
        }
        // A lair is looked at after the boss's death, too.
        for Spot(_, flavour) in lore.bosses.iter().flat_map(|boss| boss.lairs) {
            assert!(!flavour.contains("somebody") && !flavour.contains("something"), "{flavour}");
        }
        let mut sentences: Vec<&str> = lore.senses.to_vec();
        sentences.extend(lore.endings);
        sentences.extend(lore.furniture.iter().map(|piece| piece.2));
        sentences.extend(lore.people.iter().flat_map(|human| [human.before, human.after]));
        for sentence in sentences {
            let first = sentence.chars().next().unwrap();
            assert!(first.is_uppercase() && sentence.ends_with('.'), "{sentence}");
        }
        assert!(lore.senses.len() >= 15);
    }
}

trait Spots {
    fn concat_spots(self) -> Vec<(&'static str, &'static str)>;
}

impl<const N: usize> Spots for [&'static [Spot]; N] {
    fn concat_spots(self) -> Vec<(&'static str, &'static str)> {
        self.into_iter().flatten().map(|spot| (spot.0, spot.1)).collect()
    }
}

fn holding(dungeon: &Dungeon, ware: &Ware) -> Vec<Place> {
    let chambers = &dungeon.now.world.chambers;
    let holds = |place: &Place| chambers[*place].items.iter().any(|item| item.ware == ware);
    (0..chambers.len()).filter(holds).collect()
}

#[test]
fn every_themed_dungeon_has_what_it_needs() {
    use crate::dungeon::tables::*;
    for theme in Theme::ALL {
        for seed in 0..2000 {
            let dungeon = themed(theme, seed);
            let lore = theme.lore();
            let world = &dungeon.now.world;
            for ware in [&BOSS_KEY, &SMALL_KEY, &PLATE_ARMOUR, lore.relic, lore.weapons[1]] {
                assert_eq!(holding(&dungeon, ware).len(), 1, "{theme:?} {seed}: {}", ware.name);
            }
            let choices = world.chambers.iter().filter(|chamber| chamber.choice.is_some()).count();
            assert_eq!(choices, 4, "{theme:?} {seed}");
            let people = world.chambers.iter().filter(|chamber| chamber.npc.is_some()).count();
            assert!(people >= 4, "{theme:?} {seed}");
            let from = &world.chambers[world.secret.from];
            assert!(from.features.iter().any(|feature| matches!(feature.finds, Find::Exit)));
            assert!(from.features.iter().all(|feature| !matches!(feature.finds, Find::Choice)));
            let potions = world.chambers.iter().flat_map(|chamber| &chamber.items);
            let potions = potions.filter(|item| matches!(item.ware.what, What::Heal(_))).count();
            assert!(potions >= 7, "{theme:?} {seed}: {potions}");
            assert!(world.chambers[ENTRANCE].fact.contains("is the boss here"));
        }
    }
}

#[test]
fn difficulty_changes_numbers_and_nothing_else() {
    for seed in 0..200 {
        let drawn = Difficulty::ALL.map(|difficulty| {
            let setup = Setup { difficulty: Some(difficulty), ..Setup::default() };
            super::worlds::layout(&start(&setup, seed))
        });
        assert!(drawn.iter().all(|layout| layout == &drawn[0]), "seed {seed}");
    }
}

#[test]
fn themes_fall_about_equally_often() {
    let mut fell: HashMap<&str, u32> = HashMap::new();
    for seed in 0..600 {
        let theme = begin(seed).now.story.lore.theme;
        *fell.entry(theme.word()).or_default() += 1;
    }
    assert!(fell.len() == 3 && fell.values().all(|n| (160..240).contains(n)), "{fell:?}");
}

#[test]
fn a_hero_is_called_as_the_player_wishes() {
    let begin = |hero: &str| {
        let setup = Setup { hero: Some(hero.to_owned()), ..Setup::default() };
        Dungeon::start(&setup, &mut Dice::new(1, 0))
    };
    assert_eq!(begin(" Mira of the Fen ").unwrap().view(Eye::Public).stats.name, "Mira of the Fen");
    for wrong in ["", "  ", "a\nb", &"x".repeat(25)] {
        let Err(Illegal::Rule { rule, .. }) = begin(wrong) else { panic!("{wrong:?}") };
        assert_eq!(rule.of(), Some(crate::GeneralRule::InvalidSetup), "{wrong:?}");
    }
}

#[test]
fn nobody_is_told_of_the_dead_or_of_a_key_in_hand() {
    let mut dungeon = themed(Theme::Mine, 5);
    let fact = |dungeon: &Dungeon| dungeon.view(Eye::Public).room.fact;
    let guard = {
        let world = &dungeon.now.world;
        world.chambers[world.key_at].monsters[0].breed.name
    };
    dungeon.now.here_mut().fact = format!("The Boss Key is kept by the {guard}.");
    assert!(fact(&dungeon).contains(guard));
    let mut after = dungeon.clone();
    for chamber in &mut after.now.world.chambers {
        for monster in chamber.monsters.iter_mut().filter(|it| it.breed.name == guard) {
            monster.hp = 0;
        }
    }
    assert_eq!(fact(&after), "");
    let key = dungeon.now.world.new_item(Lock::Boss.key());
    dungeon.now.hero.keys.push(key);
    assert_eq!(fact(&dungeon), "");
    dungeon.now.here_mut().fact = "The Small Key opens a vault.".to_owned();
    assert!(!fact(&dungeon).is_empty());
    let key = dungeon.now.world.new_item(Lock::Vault.key());
    dungeon.now.here_mut().items.push(key);
    assert_eq!(fact(&dungeon), "", "it lies here");
}
