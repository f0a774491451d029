//! Dungeons as JSON for the pages: what their heroes have seen, and how the dice fell.

use rules::{
    Eye,
    dungeon::{
        ChamberShown, Difficulty, Dungeon, Entry, Glimpse, HERO, Map, Move, OpenThing, Person,
        Report, RoomType, ScorePart, Stats, Status, Theme, View,
    },
};
use serde::Serialize;
use serde_json::value::RawValue;
use ts_rs::TS;

use crate::{
    hall::{Game, Look, WrongKind, describe},
    store::{ListedGame, Millis},
};

/// A dungeon in a list.
#[derive(Serialize, TS)]
pub struct Summary {
    #[ts(type = "'dungeon'")]
    kind: &'static str,
    game_id: String,
    #[ts(type = "'live' | 'over'")]
    status: &'static str,
    /// Nobody has touched it for a day; it wakes with the next move.
    asleep: bool,
    #[serde(rename = "gameStatus")]
    game_status: Status,
    result: Option<String>,
    /// Who plays.
    player: String,
    hero: HeroShown,
    chamber: RoomType,
    #[ts(as = "Map")]
    map: Box<RawValue>,
    rooms: Rooms,
    score: u32,
    turn: u32,
    created_at: Millis,
    moved_at: Option<Millis>,
    /// When somebody last moved; lists go by it.
    last_at: Millis,
}

#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
struct HeroShown {
    hp: i32,
    max_hp: i32,
    level: u32,
    gold: u32,
}

#[derive(Serialize, TS)]
struct Rooms {
    visited: usize,
}

impl Summary {
    pub fn of(look: &Look<Dungeon>) -> Summary {
        let glimpse = serde_json::to_string(&look.view.glimpse).expect("a glimpse can be written");
        let glimpse = serde_json::from_str(&glimpse).expect("what was written can be read");
        let moved_at = look.times.last().copied();
        Summary { moved_at, ..Summary::listed(&look.listed(), glimpse) }
    }

    pub fn listed(game: &ListedGame, glimpse: Glimpse<Box<RawValue>>) -> Summary {
        Summary {
            kind: "dungeon",
            game_id: game.id.to_string(),
            status: if glimpse.ending.is_some() { "over" } else { "live" },
            asleep: game.is_asleep(),
            game_status: glimpse.status,
            result: glimpse.ending,
            player: describe(game.seats.iter().find(|seat| seat.seat == HERO)),
            hero: HeroShown {
                hp: glimpse.hp,
                max_hp: glimpse.max_hp,
                level: glimpse.level,
                gold: glimpse.gold,
            },
            chamber: glimpse.chamber,
            rooms: Rooms { visited: glimpse.visited },
            map: glimpse.map,
            score: glimpse.score,
            turn: game.turns + 1,
            created_at: game.created_at,
            moved_at: (game.turns > 0).then_some(game.last_at),
            last_at: game.last_at,
        }
    }
}

/// A dungeon in full.
#[derive(Serialize, TS)]
pub struct Whole {
    #[serde(flatten)]
    summary: Summary,
    seed_hash: String,
    /// Told when it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    seed: Option<String>,
    /// The player asked for it and knew what was to come.
    seed_chosen: bool,
    chronicle: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<_>")]
    score_parts: Vec<ScorePart>,
    /// What it was drawn from.
    theme: Theme,
    difficulty: Difficulty,
    #[serde(flatten)]
    scene: Surroundings,
    /// The oldest first.
    log: Vec<LogEntry>,
}

/// What the hero sees and can do at one moment.
#[derive(Serialize, TS)]
pub struct Surroundings {
    room: ChamberShown,
    stats: Stats,
    /// Who can be talked to, and about what.
    people: Vec<Person>,
    /// The thing here that offers a choice.
    thing: Option<OpenThing>,
    /// Every possible move.
    actions: Vec<Move>,
}

/// How it looked after one of its turns.
#[derive(Serialize, TS)]
pub struct DungeonStep {
    turn: u32,
    #[serde(rename = "gameStatus")]
    game_status: Status,
    map: Map,
    score: u32,
    #[serde(flatten)]
    scene: Surroundings,
}

#[derive(Serialize, TS)]
struct LogEntry {
    turn: u32,
    at: Millis,
    action: String,
    #[ts(as = "Option<Report>")]
    report: Option<Box<RawValue>>,
}

impl Whole {
    /// As it looked then.
    pub fn of(game: &Game, look: Look<Dungeon>) -> Whole {
        let seed = look.due.outcome().and_then(|_| game.revealed_seed());
        let log = game.log().into_iter().take(look.next as usize - 1);
        let log = log.map(|(turn, at)| LogEntry {
            turn: turn.number,
            at,
            action: turn.text,
            report: turn.report.and_then(|report| RawValue::from_string(report).ok()),
        });
        Whole {
            summary: Summary::of(&look),
            seed_hash: game.seed_hash(),
            seed: seed.map(|seed| seed.to_string()),
            seed_chosen: look.view.seeded,
            log: log.collect(),
            theme: look.view.stats.theme,
            difficulty: look.view.stats.difficulty,
            chronicle: look.view.chronicle.clone(),
            score_parts: look.view.score_parts.clone(),
            scene: Surroundings::of(look.view),
        }
    }
}

impl Surroundings {
    fn of(view: View) -> Surroundings {
        let View { room, stats, people, thing, actions, .. } = view;
        Surroundings { room, stats, people, thing, actions }
    }
}

impl DungeonStep {
    /// Right after turn `number`; at the beginning, for nought.
    pub fn of(game: &Game, number: u32) -> Result<DungeonStep, WrongKind> {
        let look = game.look_back::<Dungeon>(Eye::Public, number)?;
        let view = look.view;
        Ok(DungeonStep {
            turn: look.next - 1,
            game_status: view.status,
            map: view.map.clone(),
            score: view.score,
            scene: Surroundings::of(view),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seen::wire::Types;

    #[test]
    fn documents_the_pages_have_the_types_of_the_dungeon() {
        Types::after("")
            .with::<Summary>()
            .with::<Whole>()
            .with::<DungeonStep>()
            .check("dungeon.ts");
    }
}
