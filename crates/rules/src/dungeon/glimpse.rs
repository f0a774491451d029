//! What a list shows of a dungeon.

use serde::{Deserialize, Serialize};

use super::{Difficulty, Dungeon, Known, Map, RoomType, Status, Theme};

/// How many of the hero's last deeds are told.
const DEEDS: usize = 2;

/// `M` is the map; whoever only passes it on need not read it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Glimpse<M = Map> {
    pub name: String,
    pub hp: i32,
    pub max_hp: i32,
    pub level: u32,
    pub gold: u32,
    pub theme: Theme,
    pub difficulty: Difficulty,
    pub status: Status,
    pub ending: Option<String>,
    pub chamber: RoomType,
    pub visited: usize,
    pub score: u32,
    /// The latest first.
    pub deeds: Vec<String>,
    pub map: M,
}

impl Glimpse {
    pub(super) fn of(dungeon: &Dungeon) -> Glimpse {
        let (state, hero) = (&dungeon.now, &dungeon.now.hero);
        let map = Map::of(&state.world, state.at);
        let deeds = state.chronicle.iter().rev().take(DEEDS);
        Glimpse {
            name: state.story.hero.clone(),
            hp: hero.hp,
            max_hp: hero.max_hp(),
            level: hero.level,
            gold: hero.gold,
            theme: state.story.lore.theme,
            difficulty: state.story.difficulty,
            status: state.status(),
            ending: state.ending.map(|ending| ending.text()),
            chamber: state.here().room_type,
            visited: map.rooms.iter().filter(|room| room.state == Known::Visited).count(),
            score: dungeon.score(),
            deeds: deeds.map(|entry| entry.text.clone()).collect(),
            map,
        }
    }
}
