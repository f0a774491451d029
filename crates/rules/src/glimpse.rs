//! The thumbnail of a game in lists, for kinds without one of their own.

use serde::{Deserialize, Serialize};

use crate::{Due, Seat, drawing::Part};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glimpse {
    /// The number of seats.
    pub seats: u8,
    /// The seats that are to move.
    pub due: Vec<Seat>,
    /// The public drawing, without moves and labels.
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
