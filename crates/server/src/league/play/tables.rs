//! What is told of a league, whoever asks and in whichever way: its table and its schedule.

use rules::league::View;
use serde_json::{Value, json};

pub fn standings(view: &View) -> Value {
    json!({ "league_id": view.setup().name, "standings": view.standings() })
}

pub fn schedule(view: &View) -> Value {
    let rounds: Vec<_> = view.rounds().collect();
    json!({ "league_id": view.setup().name, "phase": view.phase(), "rounds": rounds })
}
