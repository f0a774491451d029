//! The table and the schedule of a league as JSON, for tools, resources and `agon league --json`.

use rules::league::{RoundView, View};
use serde_json::{Value, json};

pub fn standings(view: &View) -> Value {
    json!({ "league_id": view.setup().name, "standings": view.standings() })
}

pub fn schedule(view: &View) -> Value {
    let rounds: Vec<RoundView> = view.rounds().collect();
    json!({ "league_id": view.setup().name, "phase": view.phase(), "rounds": rounds })
}
