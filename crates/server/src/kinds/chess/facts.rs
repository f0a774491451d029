//! What the tools and the pages both tell of a game of chess.

use rules::{
    Seat,
    chess::{Chess, Declined, Eval, MoveText, Opening, WHITE, name},
};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::analyst::Verdict;
use crate::{hall::Look, store::SavedSeat};

pub fn color(seat: Seat) -> &'static str {
    if seat == WHITE { "white" } else { "black" }
}

/// What players have said of turns, as far as it may be heard.
pub fn comments(look: &Look<Chess>) -> impl Iterator<Item = (u32, &str)> {
    look.comments(look.view.setup.live_comments).map(|(turn, _, comment)| (turn, comment))
}

/// What was said of the last turn, and by whom, where it is heard at once.
pub fn last_comment(look: &Look<Chess>) -> Option<(Seat, &str)> {
    let (turn, by, comment) = look.comments(look.view.setup.live_comments).last()?;
    (turn + 1 == look.next).then_some((by, comment))
}

/// `Black declines the draw: it stands better.`
pub fn declined(declined: Declined, what: &str) -> String {
    let why = declined.why.map(|why| format!(": {}", why.reason()));
    format!("{} declines the {what}{}.", name(declined.by), why.unwrap_or_default())
}

#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
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

/// What a game is called so far.
#[derive(Serialize, TS)]
pub struct OpeningFacts {
    eco: &'static str,
    name: &'static str,
}

impl From<Opening> for OpeningFacts {
    fn from(opening: Opening) -> OpeningFacts {
        OpeningFacts { eco: opening.eco, name: opening.name }
    }
}

/// What the position is worth, and how it should go on.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
#[schemars(inline)]
pub struct Evaluation {
    /// White's lead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    #[ts(optional)]
    pub pawns: Option<f64>,
    /// Moves until mate by force; negative if Black mates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    #[ts(optional)]
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

// How often a side's moves were refused, or found in a text that was none. (Not a doc comment: the
// schema says so once.)
#[derive(Serialize, JsonSchema, TS)]
#[schemars(inline)]
pub struct Tried {
    #[ts(type = "Color")]
    pub by: &'static str,
    pub refused: u32,
    pub loose: u32,
}

/// Of the sides of which there is something to tell.
pub fn tries(look: &Look<Chess>) -> Vec<Tried> {
    let tried = look.seats.iter().map(|SavedSeat { seat, refused, .. }| Tried {
        by: color(*seat),
        refused: *refused,
        loose: look.loose(*seat),
    });
    tried.filter(|tried| tried.refused + tried.loose > 0).collect()
}
