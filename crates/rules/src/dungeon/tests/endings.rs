//! How it ends, by what was done and left undone, and what it was worth.

use super::*;
use crate::dungeon::{endings::Fame, story::Mark, world::Item};

type Doing<'a> = dyn Fn(&mut Dungeon) + 'a;

/// A hero one blow from victory.
fn at_the_end(theme: Theme, seed: u64) -> Dungeon {
    let mut dungeon = themed(theme, seed);
    let boss = |c: &super::super::world::Chamber| c.room_type == RoomType::Boss;
    let place = dungeon.now.world.chambers.iter().position(boss).unwrap();
    dungeon.now.enter(place);
    let boss = &mut dungeon.now.here_mut().monsters[0];
    (boss.hp, boss.defence) = (1, 0);
    dungeon
}

fn finish(mut dungeon: Dungeon) -> View {
    let mut dice = loaded(&mut dungeon, &[3]);
    let report = play(&mut dungeon, "attack", &mut dice);
    assert_eq!(report["itemsDropped"], serde_json::json!([]), "nothing that cannot be taken");
    assert!(report["message"].as_str().unwrap().contains("is yours."), "{report}");
    let view = dungeon.view(Eye::Public);
    assert_eq!(view.status, Status::Victory);
    let name = view.room.monsters[0].name;
    assert!(view.room.description.contains(&format!("The {name} lies")), "there is one");
    let outcome = dungeon.due().outcome().cloned().unwrap();
    assert_eq!((outcome.winner(), Some(outcome.text)), (Some(HERO), view.ending.clone()));
    view
}

#[test]
fn six_endings_in_every_theme() {
    for theme in Theme::ALL {
        let relic = Item { id: ItemId(900), ware: theme.lore().relic, value: 0, count: 1 };
        let deeds: [(Fame, &Doing<'_>); 6] = [
            (Fame::Usurper, &|d| d.now.mark(Mark::Curse)),
            (Fame::Liberator, &|d| [Mark::Mercy; 2].into_iter().for_each(|m| d.now.mark(m))),
            (Fame::Keeper, &|d| {
                d.now.hero.keys.push(relic.clone());
                d.now.mark(Mark::Mercy);
            }),
            (Fame::Pathfinder, &|d| d.now.world.chambers.iter_mut().for_each(|c| c.visits = 1)),
            (Fame::Plunderer, &|d| d.now.hero.gold = 500),
            (Fame::Victor, &|_| ()),
        ];
        for (fame, deed) in deeds {
            let mut dungeon = at_the_end(theme, 2);
            deed(&mut dungeon);
            // Crown and purse alone make nobody rich.
            dungeon.now.here_mut().monsters[0].drop.as_mut().unwrap().value = 10;
            let ending = finish(dungeon).ending.unwrap();
            let start = format!("Victory, as {}: the ", fame.title());
            assert!(ending.starts_with(&start), "{ending} should be {}", fame.title());
            assert!(ending.ends_with(theme.lore().endings[fame as usize]), "{ending}");
            assert!(ending.len() < 200, "{ending}");
        }
    }
}

#[test]
fn the_score_is_the_sum_of_its_parts() {
    for seed in 0..30 {
        let mut dungeon = at_the_end(Theme::ALL[(seed % 3) as usize], seed);
        dungeon.loads = (seed % 3) as u32;
        dungeon.now.steps = 100;
        dungeon.now.mark(Mark::Mercy);
        let view = finish(dungeon);
        let sum: i32 = view.score_parts.iter().map(|part| part.points).sum();
        assert_eq!(view.score, sum as u32);
        assert!(view.score_parts.iter().all(|part| part.points != 0));
        let turns = view.score_parts.iter().find(|part| part.reason.starts_with("turns"));
        assert_eq!(turns.unwrap().points, 4 * (150 - 101));
    }
}
