//! What `mcp` and `web` both say of a game of chess.

use rules::{
    Seat,
    chess::{BLACK, Chess, Eval, MoveText, Tags, WHITE},
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    hall::{Look, Verdict, describe},
    store::Millis,
};

/// With what is known of the position after each move, if anything is.
pub fn pgn(look: &Look<Chess>, evals: &[Eval]) -> String {
    let tags = Tags {
        event: &format!("agon {}", look.id),
        site: "agon",
        date: &date(look.created_at),
        white: &describe(look.seats.at(WHITE)),
        black: &describe(look.seats.at(BLACK)),
    };
    look.view.pgn(&tags, evals)
}

/// The part of a review that goes into a PGN: what each move led to.
pub fn evals(review: &[Verdict]) -> Vec<Eval> {
    review.iter().skip(1).map(|verdict| verdict.eval).collect()
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct MoveFacts {
    pub uci: String,
    pub san: String,
}

impl From<&MoveText> for MoveFacts {
    fn from(mv: &MoveText) -> MoveFacts {
        MoveFacts { uci: mv.uci.clone(), san: mv.san.clone() }
    }
}

/// What the position is worth, and how it should go on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Evaluation {
    /// White's lead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub pawns: Option<f64>,
    /// Moves until mate by force; negative if Black mates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    pub mate_in: Option<i64>,
    pub best_line: Vec<MoveFacts>,
}

impl From<&Verdict> for Evaluation {
    fn from(verdict: &Verdict) -> Evaluation {
        let (pawns, mate_in) = match verdict.eval {
            Eval::Centipawns(lead) => (Some(f64::from(lead) / 100.0), None),
            Eval::Mate { by, moves } => (None, Some(i64::from(moves) * by.fold_wb(1, -1))),
        };
        Evaluation { pawns, mate_in, best_line: verdict.line.iter().map(Into::into).collect() }
    }
}

/// `2026.11.15`, as PGN wants it.
fn date(millis: Millis) -> String {
    let day =
        time::OffsetDateTime::from_unix_timestamp(millis / 1000).map(time::OffsetDateTime::date);
    day.map_or("????.??.??".into(), |day| {
        format!("{:04}.{:02}.{:02}", day.year(), u8::from(day.month()), day.day())
    })
}

/// How long ago something was, for a reader who wants no more than an idea.
pub fn ago(seconds: i64) -> String {
    let some = |n: i64, unit: &str| format!("{n} {unit}{} ago", if n == 1 { "" } else { "s" });
    match seconds {
        ..60 => "just now".into(),
        60..3600 => some(seconds / 60, "minute"),
        3600..86_400 => some(seconds / 3600, "hour"),
        _ => some(seconds / 86_400, "day"),
    }
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
