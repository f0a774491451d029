//! What is told of a league, whoever asks and in whichever way: its table and its schedule.

use rules::league::View;
use serde_json::{Value, to_value};

use crate::league::wire::contents::{ScheduleTold, StandingsTold};

pub fn standings(view: &View) -> Value {
    let told = StandingsTold { league_id: &view.setup().name, standings: view.standings() };
    to_value(told).expect("a table can be written")
}

pub fn schedule(view: &View) -> Value {
    let (league_id, phase) = (&*view.setup().name, view.phase());
    let told = ScheduleTold { league_id, phase, rounds: view.rounds().collect() };
    to_value(told).expect("a schedule can be written")
}
