//! What `mcp` and `web` both say of a game of chess.

use rules::{
    Seat,
    chess::{BLACK, Chess, Tags, WHITE},
};

use crate::{
    hall::{Look, describe},
    store::Millis,
};

pub fn pgn(look: &Look<Chess>) -> String {
    look.view.pgn(&Tags {
        event: &format!("agon {}", look.id),
        site: "agon",
        date: &date(look.created_at),
        white: &describe(look.seats.at(WHITE)),
        black: &describe(look.seats.at(BLACK)),
    })
}

/// `2026.11.15`, as PGN wants it.
fn date(millis: Millis) -> String {
    let day =
        time::OffsetDateTime::from_unix_timestamp(millis / 1000).map(time::OffsetDateTime::date);
    day.map_or("????.??.??".into(), |day| {
        format!("{:04}.{:02}.{:02}", day.year(), u8::from(day.month()), day.day())
    })
}

pub fn color(seat: Seat) -> &'static str {
    if seat == WHITE { "white" } else { "black" }
}

/// A reason, which is a fragment, as a sentence.
pub fn sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        assert_eq!(date(1_794_700_800_000), "2026.11.15");
    }
}
