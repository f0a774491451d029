//! What a list shows of a game of a kind that says no more of it.

use serde::{Deserialize, Serialize};

use crate::{Due, Seat, drawing::Part};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glimpse {
    /// How many sit down to it.
    pub seats: u8,
    /// Whom it waits for.
    pub due: Vec<Seat>,
    /// What everybody sees, small.
    pub drawing: Vec<Part>,
}

impl Glimpse {
    pub(crate) fn of(seats: usize, due: &Due, drawing: Vec<Part>) -> Glimpse {
        let all = (0..seats as u8).map(Seat);
        Glimpse {
            seats: seats as u8,
            due: all.filter(|seat| due.includes(*seat)).collect(),
            drawing: drawing.into_iter().map(Part::small).collect(),
        }
    }

    pub(crate) fn write(&self) -> String {
        serde_json::to_string(self).expect("a glimpse can be written")
    }
}
