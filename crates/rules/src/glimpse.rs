//! What a list shows of a game of a kind that says no more of it.

use serde::{Deserialize, Serialize};

use crate::{Due, Seat};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glimpse {
    /// How many sit down to it.
    pub seats: u8,
    /// Whom it waits for.
    pub due: Vec<Seat>,
}

impl Glimpse {
    pub(crate) fn of(seats: usize, due: &Due) -> Glimpse {
        let all = (0..seats as u8).map(Seat);
        Glimpse { seats: seats as u8, due: all.filter(|seat| due.includes(*seat)).collect() }
    }

    pub(crate) fn write(&self) -> String {
        serde_json::to_string(self).expect("a glimpse can be written")
    }
}
