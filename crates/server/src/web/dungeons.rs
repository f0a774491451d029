//! Dungeons as JSON for the pages: what their heroes have seen, and how the dice fell.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use rules::{
    Eye,
    dungeon::{Dungeon, Entry as Moment, HERO, Known, Map, Room, RoomType, Stats, Status},
};
use serde::Serialize;
use serde_json::{json, value::RawValue};

use super::{
    Web,
    api::{self, Sorry},
};
use crate::{
    hall::{Game, Look, describe},
    store::Millis,
    telling::sentence,
};

/// A dungeon in a list.
#[derive(Serialize)]
pub struct Summary {
    kind: &'static str,
    game_id: String,
    status: &'static str,
    #[serde(rename = "gameStatus")]
    game_status: Status,
    result: Option<String>,
    /// Who plays.
    player: String,
    hero: serde_json::Value,
    chamber: RoomType,
    map: Map,
    rooms: serde_json::Value,
    score: u32,
    turn: u32,
    created_at: Millis,
    moved_at: Option<Millis>,
}

impl Summary {
    pub fn of(look: &Look<Dungeon>) -> Summary {
        let (view, stats) = (&look.view, &look.view.stats);
        let visited = view.map.rooms.iter().filter(|room| room.state == Known::Visited).count();
        Summary {
            kind: "dungeon",
            game_id: look.id.to_string(),
            status: if view.ending.is_some() { "over" } else { "live" },
            game_status: view.status,
            result: view.ending.clone(),
            player: describe(look.seats.at(HERO)),
            hero: json!({
                "hp": stats.hp,
                "maxHp": stats.max_hp,
                "level": stats.level,
                "gold": stats.gold,
            }),
            chamber: view.room.room_type,
            rooms: json!({ "visited": visited }),
            map: view.map.clone(),
            score: view.score,
            turn: look.next,
            created_at: look.created_at,
            moved_at: look.times.last().copied(),
        }
    }
}

/// A dungeon in full.
#[derive(Serialize)]
pub struct Whole {
    #[serde(flatten)]
    summary: Summary,
    seed_hash: String,
    /// Told when it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    /// The player asked for it and knew what was to come.
    seed_chosen: bool,
    chronicle: Vec<Moment>,
    room: Room,
    stats: Stats,
    /// The oldest first.
    log: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    turn: u32,
    at: Millis,
    action: String,
    report: Option<Box<RawValue>>,
}

impl Whole {
    pub async fn of(game: &Game) -> Result<Whole, Sorry> {
        let look = game.look::<Dungeon>(Eye::Public).await;
        let look =
            look.map_err(|error| Sorry::new(StatusCode::NOT_FOUND, sentence(&error.to_string())))?;
        let log = game.log().await.into_iter().take(look.next as usize - 1);
        let log = log.map(|(turn, at)| Entry {
            turn: turn.number,
            at,
            action: turn.text,
            report: turn.report.and_then(|report| RawValue::from_string(report).ok()),
        });
        Ok(Whole {
            summary: Summary::of(&look),
            seed_hash: game.seed_hash(),
            seed: game.revealed_seed().await.map(|seed| seed.to_string()),
            seed_chosen: look.view.seeded,
            log: log.collect(),
            chronicle: look.view.chronicle,
            room: look.view.room,
            stats: look.view.stats,
        })
    }
}

pub async fn dungeon(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Json<Whole>, Sorry> {
    let game = web.hall.find(api::handle(&id)?.game).await?;
    game.refresh().await;
    Ok(Json(Whole::of(&game).await?))
}
